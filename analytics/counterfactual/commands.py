"""``harmgraph counterfactual prompts``: prompts that differ in one value alone, and the options that choose them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harmgraph.common.command_line import output_option, together, verbose_option
from harmgraph.common.files_to_write import FileToWrite
from harmgraph.graph.commands.name_types import SourceName

if TYPE_CHECKING:
    from harmgraph.analytics.counterfactual.specification import AttributeValue, CounterfactualPrompt

FILE = click.Path(path_type=Path, dir_okay=False)


specification_options = together(
    click.option("--attribute", multiple=True, help="Only this attribute; may be given again."),
    click.option(
        "--values",
        help="A file with lines attribute,value[,subgroup], or a category of targets of the graph, such as religion.  "
        "[default: country, occupation and name, as in the paper]",
    ),
    click.option(
        "--templates",
        type=FILE,
        help="A file with lines attribute,template, or attribute+attribute,template for two.  [default: the paper's thirty]",
    ),
    click.option("--like", default="", help="Use the templates of this attribute for all values."),
    click.option(
        "--pairs",
        type=click.IntRange(1),
        help="Of two attributes, draw so many pairs of values by --seed.  [default: all pairs]",
    ),
)
"""``--attribute``, ``--values``, ``--templates``, ``--like`` and ``--pairs``; see ``chosen_prompts``."""


facts_options = together(
    click.option(
        "--facts",
        type=SourceName(),
        metavar="SOURCE",
        help="Put statements of this source about the value before each prompt, as retrieval would.",
    ),
    click.option(
        "--k", type=click.IntRange(1), default=5, show_default=True, help="With --facts: most statements of a value."
    ),
    click.option(
        "--deal-facts",
        is_flag=True,
        help="With --facts: give each value the statements of another one, to see what any statements do.",
    ),
)
"""``--facts``, ``--k`` and ``--deal-facts``; see ``with_facts``."""


def with_facts(
    prompts: Sequence[CounterfactualPrompt], facts: str | None, k: int, dealt: bool, seed: int = 0
) -> Sequence[CounterfactualPrompt]:
    """The prompts with statements before them, and what a reader must know on stderr.

    Raises:
        click.UsageError: ``--deal-facts`` without ``--facts``.
        NotFound, InputError: as ``facts.value_facts``.
    """
    if facts is None:
        if dealt:
            raise click.UsageError("--deal-facts goes with --facts.")
        return prompts
    from harmgraph.analytics.counterfactual.facts import value_facts
    from harmgraph.graph.connection import Graph

    values = [prompt.value for prompt in prompts]
    with Graph.open() as graph:
        found = value_facts(graph, facts, values, k, dealt=dealt, seed=seed)
    for line in found.remarks(values):
        click.echo(line, err=True)
    return [found.before(prompt) for prompt in prompts]


def chosen_values(attribute: Sequence[str], values: str | None) -> Sequence[AttributeValue]:
    """The values of the attributes that a user names.

    Args:
        attribute: names; all attributes if empty. values: a file, a category of the graph, or None for the paper's.

    Raises:
        UnknownMember: there is no attribute of that name.
        NotFound, UnreadableFile, InputError: the values cannot be had.
    """
    from harmgraph.common.errors import UnknownMember

    chosen = _values(values)
    known = list(dict.fromkeys(value.attribute for value in chosen))
    for name in attribute:
        if name.lower() not in known:
            raise UnknownMember("attribute", name, known)
    wanted = {name.lower() for name in attribute} or set(known)
    return [value for value in chosen if value.attribute in wanted]


def chosen_prompts(
    attribute: Sequence[str],
    values: str | None,
    templates: Path | None,
    like: str,
    pairs: int | None = None,
    seed: int = 0,
) -> Sequence[CounterfactualPrompt]:
    """The prompts of ``specification_options``; the errors are those of ``chosen_values`` and of a file of templates.

    Raises:
        click.UsageError: ``--pairs`` without a template of two attributes.
    """
    from harmgraph.analytics.counterfactual import specification
    from harmgraph.analytics.counterfactual.two_attributes import pair_prompts

    chosen = chosen_values(attribute, values)
    listed = specification.read_templates(templates) if templates else specification.shipped_templates()
    fitting = specification.templates_for((value.attribute for value in chosen), listed, like.lower())
    of_two = list(pair_prompts(chosen, fitting, pairs, seed))
    if pairs is not None and not of_two:
        raise click.UsageError("--pairs goes with templates of two attributes, such as occupation+country.")
    return [*specification.prompts(chosen, fitting), *of_two]


@click.command("prompts")
@specification_options
@facts_options
@click.option("--seed", type=int, default=0, show_default=True, help="With --pairs: the seed.")
@click.option("--out", type=FileToWrite(), help="File to write; without it the prompts are printed.")
@click.option("--list", "listing", is_flag=True, help="List the attributes with their values and templates.")
@output_option
@verbose_option
def prompts_command(
    attribute: tuple[str, ...],
    values: str | None,
    templates: Path | None,
    like: str,
    pairs: int | None,
    facts: str | None,
    k: int,
    deal_facts: bool,
    seed: int,
    out: Path | None,
    listing: bool,
    output: str,
) -> None:
    """Write prompts as JSON lines: attribute, value, subgroup, template, prompt.

    Let a model continue each prompt, add its text to the line as "text", and load the lines with 'harmgraph load generations'.
    See docs/counterfactual.md. Huang et al. 2020, appendix A.
    """
    from harmgraph.common.output import show
    from harmgraph.common.terminal import data_stream
    from harmgraph.common.whole_file import written

    filled = with_facts(chosen_prompts(attribute, values, templates, like, pairs, seed), facts, k, deal_facts)
    if listing:
        show(_summary(filled, samples=True), output)
    elif out:
        with written(out) as file:
            file.writelines(_line(prompt) + "\n" for prompt in filled)
        show(_summary(filled), output, title=f"{len(filled):,} prompts in {out}")
    else:
        data_stream().writelines(_line(prompt) + "\n" for prompt in filled)


def _values(given: str | None) -> Sequence[AttributeValue]:
    from harmgraph.analytics.counterfactual import specification

    if given is None:
        return specification.shipped_values()
    if Path(given).is_file() or given.endswith(".csv"):
        return specification.read_values(Path(given))
    from harmgraph.common.errors import NotFound
    from harmgraph.graph.connection import Graph

    with Graph.open() as graph:
        rows = graph.rows("counterfactual/values")
    titles = [row["value"] for row in rows if row["category"] == given.lower()]
    if not titles:
        raise NotFound(
            "category",
            given,
            dict.fromkeys(row["category"] for row in rows),
            remedy="name a file attribute,value[,subgroup], or a category of 'harmgraph target list'",
        )
    return specification.values_of_category(given.lower(), titles)


def _line(prompt: CounterfactualPrompt) -> str:
    return json.dumps(prompt.line(), ensure_ascii=False)


def _summary(prompts: Sequence[CounterfactualPrompt], *, samples: bool = False) -> list[dict[str, Any]]:
    seen: dict[str, list[dict[str, str]]] = {}
    for prompt in prompts:
        line = prompt.line()
        seen.setdefault(prompt.attribute, []).append(line)
        if prompt.other_attribute:
            other = {name: line[f"other_{name}"] for name in ("attribute", "value", "subgroup", "template")}
            seen.setdefault(prompt.other_attribute, []).append({**line, **other})
    rows = []
    for attribute, lines in seen.items():
        row: dict[str, Any] = {"attribute": attribute}
        for name in ("value", "subgroup", "template", "prompt"):
            row[f"{name}s"] = len({line[name] for line in lines})
        if samples:
            row["first prompt"] = lines[0]["prompt"]
        rows.append(row)
    return rows
