"""``harmgraph demo``: the complete workflow on the bundled sample, with the same steps that a user would run.

The sample has a home of its own in harmgraph's, so that it is in no number of the user's knowledge bases.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path

import click

from harmgraph.common.command_line import progress_option, verbose_option
from harmgraph.common.files_to_write import FolderToWrite

SAMPLES = (("conceptnet", "conceptnet.csv", "sample-conceptnet"), ("genericskb", "genericskb.tsv", "sample-genericskb"))
REPORT = "harmgraph-demo"
HOME = "demo"
"""The folder of the sample's own home."""


@click.command()
@click.option(
    "--out",
    type=FolderToWrite(),
    default=REPORT,
    show_default=True,
    help="Folder of the report.",
)
@progress_option
@verbose_option
def demo(out: Path, progress: bool) -> None:
    """Start Neo4j, load the bundled sample, label it, measure it, write the report.

    The sample has a store of its own and enters none of your numbers. With NEO4J_URI set, it is written to that server, beside
    your sources. A second run changes nothing in the graph.
    """
    from harmgraph.graph.address import from_environment

    if from_environment() is None:
        with own_home() as folder:
            click.echo("Starting Neo4j (the first time fetches it: about 145 MB) ...")
            _run(out, progress, f"HARMGRAPH_HOME={shlex.quote(str(folder))} ")
    else:
        _run(out, progress, "")


@contextmanager
def own_home(name: str = HOME) -> Iterator[Path]:
    """Within the block harmgraph's home is a folder in it, by default the sample's, for child processes and threads too."""
    from harmgraph.common.home import home

    before, folder = os.environ.get("HARMGRAPH_HOME"), home() / name
    os.environ["HARMGRAPH_HOME"] = str(folder)
    try:
        yield folder
    finally:
        os.environ.pop("HARMGRAPH_HOME")
        if before is not None:
            os.environ["HARMGRAPH_HOME"] = before


def _run(out: Path, progress: bool, prefix: str) -> None:
    """The steps; ``prefix`` stands before the commands that the user is told."""
    from harmgraph.analytics.labelling.label import label
    from harmgraph.analytics.report.report import write_report
    from harmgraph.analytics.statistics.statistic import statistic
    from harmgraph.analytics.statistics.table import records
    from harmgraph.common.output import show
    from harmgraph.common.progress import bar
    from harmgraph.common.scorer import scorers
    from harmgraph.graph.connection import Graph
    from harmgraph.loader.formats.importer import importers
    from harmgraph.loader.loading.default_targets import ensure
    from harmgraph.loader.loading.pipeline import load
    from harmgraph.loader.reading.plan import Plan

    folder = Path(str(resources.files("harmgraph.loader").joinpath("sample")))
    sources = [source for _, _, source in SAMPLES]
    with Graph.open() as graph, bar(progress):
        click.echo(f"Neo4j answers at {graph.address.uri}")
        ensure(graph)
        for importer, file, source in SAMPLES:
            report = load(graph, Plan(importers.get(importer), (folder / file,), source))
            click.echo(f"loaded {source}: {report.in_graph:,} statements, {report.duplicates:,} duplicates")
        labelled = [label(graph, scorers.get("vader"), source=source) for source in sources]
        written, current = (
            sum(getattr(labelling, name) for labelling in labelled) for name in ("written", "up_to_date")
        )
        click.echo(f"labelled sentiment: {written:,} written, {current:,} up to date")
        frame = statistic("overgeneralization")(graph, source=sources[0], min_support=5)
        columns = ["target", "category", "n", "positive", "negative", "o_plus", "o_minus"]
        show(
            records(frame[columns].head(15)),
            "table",
            columns=columns,
            title=f"Targets of {sources[0]} by prejudice (O-, percent)",
        )
        for source in sources:
            click.echo(disparity_line(source, records(statistic("disparity")(graph, source=source))[0]))
        (page,) = write_report(graph, sources, out, min_support=5)
        address = graph.address
    click.echo(f"\nreport:  {page.absolute()}")
    click.echo(f"explore: {prefix}harmgraph db open      (Neo4j Browser, connected, with a guide)")
    if address.embedded:
        click.echo(f"stop:    {prefix}harmgraph db stop")


def disparity_line(source: str, row: dict[str, object]) -> str:
    """The disparities of a source in one line."""
    return (
        f"disparity of {source}: D_R {row['d_r']:,.1f}, D_O+ {row['d_o_plus']:,.1f}, D_O- {row['d_o_minus']:,.1f} "
        f"over {row['targets']:,} targets and {row['pairs']:,} pairs of a statement and a target, "
        f"{row['polarised_percent']:.1f} % polarised"
    )
