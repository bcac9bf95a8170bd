"""``python -m tests.papers``: measures what stands beside the papers' numbers, and writes docs/papers."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import click

from tests.papers import measure, page, results
from tests.papers.paper import Paper
from tests.support.places import real_data

FOLDER = Path(__file__).parent


def papers() -> dict[str, Paper]:
    """All papers: the modules here that have one."""
    names = sorted(path.stem for path in FOLDER.glob("[a-z]*20[0-9][0-9].py"))
    return {name: import_module(f"tests.papers.{name}").PAPER for name in names}


@click.command()
@click.argument("names", nargs=-1, metavar="[PAPER|PAPER/STUDY]...")
@click.option("--quick", is_flag=True, help="Only studies that take about a minute at most.")
@click.option(
    "--keep",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder in which stores, models and answers stay, so that a study that was stopped goes on there.",
)
@click.option(
    "--read-again",
    is_flag=True,
    help="With --keep, run nothing: take the numbers from what the commands answered, where only rows of a page changed.",
)
@click.option("--list", "listed", is_flag=True, help="List the studies.")
def main(names: tuple[str, ...], quick: bool, keep: Path | None, read_again: bool, listed: bool) -> None:
    """Measure the numbers of the papers' pages, in the folder that HARMGRAPH_DATA names.

    Without a name it is all studies of all papers. A page is written again after each study.
    """
    if read_again and keep is None:
        raise click.UsageError("--read-again needs --keep FOLDER")
    every = papers()
    chosen = [
        (paper, study)
        for paper in every.values()
        for study in paper.studies
        if not names or paper.name in names or f"{paper.name}/{study.name}" in names
    ]
    known = {*every, *(f"{paper.name}/{study.name}" for paper in every.values() for study in paper.studies)}
    if unknown := [name for name in names if name not in known]:
        raise click.UsageError(f"no such paper or study: {unknown[0]}; there are {', '.join(sorted(known))}")
    if listed:
        for paper, study in chosen:
            click.echo(f"{paper.name}/{study.name}{'  (quick)' if study.quick else ''}")
        return
    data = real_data()
    if data is None:
        raise click.UsageError("the real data is not here: HARMGRAPH_DATA names its folder")
    for paper, study in chosen:
        if quick and not study.quick:
            continue
        click.echo(f"{paper.name}/{study.name} ...", nl=False)
        sys.stdout.flush()
        try:
            found = (
                measure.read_again(paper, study, data, keep)
                if keep and read_again
                else measure.measured(paper, study, data, keep)
            )
        except (FileNotFoundError, RuntimeError) as error:
            click.echo()
            raise click.ClickException("\n".join((str(error), *getattr(error, "__notes__", ())))) from error
        kept = {**results.read(paper), study.name: found}
        results.keep(paper, kept)
        page.path(paper).write_text(page.page(paper, kept), encoding="utf-8")
        page.OVERVIEW.write_text(
            page.overview(every, {name: results.read(one) for name, one in every.items()}), encoding="utf-8"
        )
        click.echo(f" {found.seconds:.0f} s")


if __name__ == "__main__":
    main()
