"""``harmgraph prompts``: prompts for story models about the targets of a list."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harmgraph.common.command_line import output_option, verbose_option
from harmgraph.common.files_to_write import FileToWrite
from harmgraph.graph.commands.name_types import CategoryName

if TYPE_CHECKING:
    from harmgraph.analytics.prompts.prompts import Prompt
    from harmgraph.analytics.prompts.templates import Template
    from harmgraph.graph.target_names import ListedTarget

FILE = click.Path(path_type=Path, dir_okay=False)
FAMILIES = ("people", "locations", "professions", "others")
FORMS = ("lines", "jsonl", "csv")
SHOWN = 5


@click.command()
@click.option(
    "--targets",
    "targets_file",
    type=FILE,
    help="File of targets, name,category[,alias...]; the shipped 329 by default.",
)
@click.option(
    "--category", type=CategoryName(), multiple=True, help="Only targets of this category; may be given again."
)
@click.option(
    "--family", multiple=True, type=click.Choice(FAMILIES), help="Only prompts of this family; may be given again."
)
@click.option(
    "--templates",
    "templates_file",
    type=FILE,
    help="File of your own templates, family,template[,origin], besides the shipped ones.",
)
@click.option("--shipped/--no-shipped", default=True, show_default=True, help="Use the paper's thirty templates.")
@click.option(
    "--assign", multiple=True, metavar="NAME=FAMILY", help="Family for a target or a category; may be given again."
)
@click.option(
    "--sense",
    type=click.Choice(("released", "meaning")),
    default="released",
    show_default=True,
    help="Families as the paper's authors used them, or by the meaning of the names (Irish are people, Oman is a place).",
)
@click.option("--aliases", is_flag=True, help="Also print prompts for the aliases of the targets.")
@click.option(
    "--case",
    type=click.Choice(("lower", "sentence")),
    default="lower",
    show_default=True,
    help="Names in lower case, as in the authors' prompts, or as in the list with a capital at the start.",
)
@click.option("--out", type=FileToWrite(), help="File to write; without it the prompts are printed.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    help="lines: prompt, tab, target; jsonl and csv: all columns.  [default: lines]",
)
@click.option("--list", "listing", is_flag=True, help="List the templates.")
@output_option
@verbose_option
def prompts(
    targets_file: Path | None,
    category: tuple[str, ...],
    family: tuple[str, ...],
    templates_file: Path | None,
    shipped: bool,
    assign: tuple[str, ...],
    sense: str,
    aliases: bool,
    case: str,
    out: Path | None,
    form: str | None,
    listing: bool,
    output: str,
) -> None:
    """Print prompts for a story model, about every target of a list.

    The family of a target follows from its name or category; see docs/prompts.md. 'harmgraph load stories' loads a model's
    stories, from lines prompt|||story. It needs no database. Mehrabi et al. 2021, section 4.2.
    """
    from harmgraph.analytics.prompts.prompts import checked_assignments, prompts
    from harmgraph.common.output import show
    from harmgraph.common.terminal import data_stream
    from harmgraph.graph.target_names import listed_targets

    templates = [
        template for template in _templates(templates_file, shipped) if not family or template.family in family
    ]
    if listing:
        rows = [
            {"family": template.family, "template": template.text, "origin": template.origin} for template in templates
        ]
        show(rows, output)
        return
    listed = listed_targets(targets_file)
    chosen = _of_category(listed, category)
    filled = list(
        prompts(
            chosen,
            templates,
            assigned=checked_assignments(assign, listed),
            sense=sense,
            aliases=aliases,
            case=case,
        )
    )
    if out:
        from harmgraph.common.whole_file import written

        with written(out) as file:
            file.writelines(_lines(filled, form or "lines"))
        show(_summary(filled), output, title=f"{len(filled):,} prompts in {out}")
    elif form is None and output != "table":
        show([asdict(prompt) for prompt in filled], output, columns=list(asdict(filled[0])) if filled else ())
    else:
        data_stream().writelines(_lines(filled, form or "lines"))
    _remarks(filled, () if family else chosen, listed)


def _templates(file: Path | None, shipped: bool) -> Sequence[Template]:
    from harmgraph.analytics.prompts.templates import read_templates, shipped_templates
    from harmgraph.common.errors import InputError

    if not shipped and not file:
        raise click.UsageError("--no-shipped leaves no templates: give --templates FILE.")
    templates = list(shipped_templates()) if shipped else []
    known = {(template.family, template.text) for template in templates}
    for template in read_templates(file) if file else ():
        if (template.family, template.text) in known:
            raise InputError(
                f"the template {template.text!r} of {template.family} is already shipped",
                where=str(file),
                remedy="remove it or give --no-shipped",
            )
        templates.append(template)
    return templates


def _of_category(listed: Sequence[ListedTarget], wanted: tuple[str, ...]) -> list[ListedTarget]:
    from harmgraph.common.errors import InputError

    known = dict.fromkeys(target.category for target in listed)
    for name in wanted:
        if name.lower() not in known:
            raise InputError(f"no category named {name!r} in the list", remedy=f"there are: {', '.join(known)}")
    return [target for target in listed if not wanted or target.category in {name.lower() for name in wanted}]


def _lines(prompts: Iterable[Prompt], form: str) -> Iterator[str]:
    if form == "csv":
        yield from _csv(prompts)
        return
    for prompt in prompts:
        yield (
            f"{prompt.prompt}\t{prompt.target}" if form == "lines" else json.dumps(asdict(prompt), ensure_ascii=False)
        ) + "\n"


def _csv(prompts: Iterable[Prompt]) -> Iterator[str]:
    import csv
    import io

    names = ("prompt", "target", "category", "family", "template", "origin")
    for row in (names, *([getattr(prompt, name) for name in names] for prompt in prompts)):
        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow(row)
        yield line.getvalue()


def _summary(prompts: Sequence[Prompt]) -> list[dict[str, Any]]:
    rows = []
    for name in FAMILIES:
        of_family = [prompt for prompt in prompts if prompt.family == name]
        if of_family:
            rows.append(
                {
                    "family": name,
                    "targets": len({prompt.target for prompt in of_family}),
                    "templates": len({prompt.template for prompt in of_family}),
                    "prompts": len(of_family),
                }
            )
    return rows


def _remarks(prompts: Sequence[Prompt], chosen: Sequence[ListedTarget], listed: Sequence[ListedTarget]) -> None:
    """Prints remarks about the prompts on stderr, among them which of the ``chosen`` targets have no prompt."""
    from harmgraph.analytics.prompts.prompts import misread

    without = {target.name for target in chosen} - {prompt.target for prompt in prompts}
    if without:
        names = ", ".join(sorted(without)[:SHOWN]) + (", ..." if len(without) > SHOWN else "")
        click.echo(f"no prompt for {len(without):,} targets, because their family has no template: {names}", err=True)
    twice = len(prompts) - len({(prompt.prompt, prompt.target) for prompt in prompts})
    if twice:
        click.echo(f"{twice:,} prompts are repeated", err=True)
    other = misread(prompts, listed)
    if other:
        prompt, name = other[0]
        click.echo(
            f"in {len(other):,} prompts the importer stories would find another target, such as {name or 'none'} "
            f"for {prompt.target} in {prompt.prompt!r}",
            err=True,
        )
