"""``harmgraph report``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harmgraph.common.command_line import progress_option, together, verbose_option
from harmgraph.common.files_to_write import FileToWrite, FolderToWrite
from harmgraph.common.whole_file import STDOUT
from harmgraph.graph.commands.name_types import MeasureName, SourceName, targets_option

if TYPE_CHECKING:
    from harmgraph.analytics.labelling.ratings import Ratings

FORMATS = ("html", "md", "json", "card", "croissant")
PRINTED = tuple((form,) for form in FORMATS if form != "html")
FIGURES = ("svg", "png", "pdf", "none")
FILE = click.Path(path_type=Path)


def _listed(known: tuple[str, ...]) -> Callable[[click.Context, click.Parameter, str], tuple[str, ...]]:
    def check(_: click.Context, __: click.Parameter, value: str) -> tuple[str, ...]:
        names = tuple(dict.fromkeys(name.strip().lower() for name in value.split(",") if name.strip()))
        if not names:
            raise click.BadParameter(f"name at least one of {', '.join(known)}")
        for name in names:
            if name not in known:
                raise click.BadParameter(f"{name!r} is none of {', '.join(known)}")
        if "none" in names and len(names) > 1:
            raise click.BadParameter("none cannot be combined with a format")
        return names

    return check


what_options = together(
    click.option(
        "--source",
        "sources",
        type=SourceName(),
        multiple=True,
        help="Name of a source; may be given again.  [default: every source with statements]",
    ),
    targets_option,
    click.option(
        "--measure",
        "measures",
        type=MeasureName(),
        multiple=True,
        help="Harm measure; may be given again.  [default: all that have labels in the sources]",
    ),
    click.option(
        "--min-support",
        type=click.IntRange(1),
        default=10,
        show_default=True,
        help="Show by name only targets with at least this many statements.",
    ),
    click.option("--resamples", type=click.IntRange(1), default=2_000, show_default=True, help="Bootstrap resamples."),
    click.option("--seed", type=int, default=0, show_default=True, help="Seed of the bootstrap."),
    click.option("--human-sentences", type=FILE, help="File of sentences that people labelled, one line per label."),
    click.option(
        "--human-labels",
        type=FILE,
        help="File of their labels, line by line: 1 favouritism, 2 neutral, 3 prejudice.",
    ),
    click.option("--human-csv", type=FILE, help="Sentences and labels in one CSV file: sentence,label[,annotator]."),
)
"""The options that select the numbers; ``harmgraph report`` and ``harmgraph figure`` share them."""


def people_labels(sentences: Path | None, labels: Path | None, table: Path | None) -> Ratings | None:
    """People's labels; None if no file was given.

    Raises:
        click.UsageError: only one of the two files was given, or both forms.
        UnreadableFile: a file cannot be read.
    """
    if not (sentences or labels or table):
        return None
    from harmgraph.analytics.labelling.ratings import rating_files, read_ratings
    from harmgraph.common.errors import InputError

    try:
        paths = rating_files(sentences, labels, table)
    except InputError as error:
        raise click.UsageError("Give --human-sentences and --human-labels together, or --human-csv alone.") from error
    return read_ratings(paths)


@click.command()
@what_options
@click.option(
    "--out",
    type=FolderToWrite(or_print=True),
    default="harmgraph-report",
    show_default=True,
    help="Folder to write to; - prints one form instead, but not html.",
)
@click.option(
    "--format",
    "formats",
    default="html",
    show_default=True,
    callback=_listed(FORMATS),
    help="html, md, json, card (of Hugging Face), croissant, or several of them separated by commas.",
)
@click.option(
    "--into",
    type=FileToWrite(stays=True),
    help="Existing Croissant file that gets the numbers, in place of a new one; the rest of it stays.",
)
@click.option(
    "--figures",
    default="svg",
    show_default=True,
    callback=_listed(FIGURES),
    help="Formats of the figures' files: svg, png, pdf, several with commas, or none. The page has its own copies.",
)
@click.option(
    "--compare",
    "compare",
    nargs=2,
    multiple=True,
    metavar="A B",
    help="Compare two of the sources; may be given again. If there are only two, they are always compared.",
)
@click.option("--pairs", "every_pair", is_flag=True, help="Compare all pairs of the sources.")
@click.option(
    "--links/--no-links",
    default=True,
    help="Link targets to Neo4j Browser. A link names the server and its user, never the password.",
)
@progress_option
@verbose_option
def report(
    sources: tuple[str, ...],
    targets: tuple[str, ...],
    measures: tuple[str, ...],
    min_support: int,
    resamples: int,
    seed: int,
    human_sentences: Path | None,
    human_labels: Path | None,
    human_csv: Path | None,
    out: Path,
    formats: tuple[str, ...],
    into: Path | None,
    figures: tuple[str, ...],
    compare: tuple[tuple[str, str], ...],
    every_pair: bool,
    links: bool,
    progress: bool,
) -> None:
    """Write the report of one or more sources: a page with figures, Markdown, JSON, or metadata of a data set.

    It quotes statements of the sources, including offensive ones.
    Mehrabi et al. 2021, figures 1 to 5, 8, 9, 11, 12, tables 2 to 4 and 8.
    """
    if out == STDOUT and formats not in PRINTED:
        raise click.UsageError("--out - prints one form: add --format json, md, card or croissant.")
    if into and ("croissant" not in formats or out == STDOUT):
        raise click.UsageError("--into writes a Croissant file: add --format croissant, and leave out --out -.")
    if compare and every_pair:
        raise click.UsageError("Give --compare A B for some pairs, or --pairs for all of them.")
    ratings = people_labels(human_sentences, human_labels, human_csv)
    from harmgraph.analytics.report.report import make, text, write_report
    from harmgraph.common.progress import bar
    from harmgraph.graph.connection import Graph

    options: dict[str, Any] = {
        "measures": measures,
        "min_support": min_support,
        "resamples": resamples,
        "seed": seed,
        "ratings": ratings,
        "pairs": "every" if every_pair else compare,
        "links": links,
    }
    with Graph.open() as graph, graph.about(targets), bar(progress):
        if out == STDOUT:
            printed = text(make(graph, sources, **options), formats[0])
        else:
            kinds = () if figures == ("none",) else figures
            kinds = kinds if {"html", "md", "json"} & {*formats} else ()
            pages = write_report(graph, sources, out, formats=formats, figures=kinds, croissant=into, **options)
            printed = "".join(f"{page}\n" for page in pages)
    sys.stdout.write(printed)
