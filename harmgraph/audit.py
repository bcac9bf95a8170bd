"""``harmgraph audit``: load, label and list the findings of a file, for repositories with a knowledge base in them.

It has a store of its own in harmgraph's home, as the demo has, so that no number of the user's sources changes.
"""

from __future__ import annotations

import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, redirect_stdout
from pathlib import Path

import click

from harmgraph.common.ci.github import commands_stopped
from harmgraph.common.ci.sarif import read_sarif
from harmgraph.common.ci.writing import write_results
from harmgraph.common.command_line import annotations_option, output_option, sarif_option, verbose_option
from harmgraph.common.scorer import scorers
from harmgraph.demo import own_home

HOME = "audit"
"""The folder of the audit's own home."""
SOURCE = "audit-{}"
"""The name of the source, with the name of the importer: another one may not replace it."""
SCORERS = ("vader", "keyword", "regard")
"""The scorers that need nothing but sentences."""


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option(
    "--importer",
    default="",
    help="What reads the files, with its options: 'triples --delimiter comma'.  [default: what the first file looks like]",
)
@click.option(
    "--scorer",
    type=click.Choice(SCORERS),
    default="vader",
    show_default=True,
    help="What labels.",
)
@click.option("--min-score", type=click.FloatRange(0), help="Only statements whose score is at least this far from 0.")
@click.option(
    "--known",
    type=click.Path(path_type=Path, dir_okay=False),
    help="List of findings that somebody has looked at: exit code 3 if there is a new one.",
)
@sarif_option
@annotations_option
@output_option
@verbose_option
@click.pass_context
def audit(
    ctx: click.Context,
    files: tuple[Path, ...],
    importer: str,
    scorer: str,
    min_score: float | None,
    known: Path | None,
    sarif: Path | None,
    annotations: str | None,
    output: str,
) -> None:
    """Find negative statements about groups in files of triples or sentences.

    It loads the files into a store of its own, labels the statements, and lists the negative ones. With --known it lists only
    what is new, changed or resolved since that list. '--output csv' without --known writes such a list.
    """
    if known and not known.exists():
        raise click.UsageError(f"{known}: no such file. Write it without --known, with --output csv > {known}")
    if known:
        from harmgraph.loader.findings.known import read_known

        read_known(known)  # what is wrong with it is said before anything is loaded
    loading = _loading(importer, files)
    source = SOURCE.format(loading[0])
    asked = ["--source", source, "--measure", scorers.get(scorer).measure, *(f"--file={path}" for path in files)]
    asked += [f"--min-score={min_score}"] if min_score is not None else []
    listing = ["known", "--fail-on-new"] if known else ["list"]
    named = ["--", str(known)] if known else []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="harmgraph-")))
        found = folder / "findings.sarif"
        stack.enter_context(_own_server())
        try:
            with commands_stopped(annotations):
                with redirect_stdout(sys.stderr):
                    given = ["--source", source, "--yes", "--no-progress", "--", *map(str, files)]
                    _run(ctx, "load", *loading, *given)
                    _run(ctx, "label", scorer, "--source", source, "--no-progress")
                with redirect_stdout(sys.stderr) if annotations and output == "table" else nullcontext():
                    shown = [f"--sarif={found}", "--no-progress", "--output", output]
                    _run(ctx, "findings", *listing, *asked, *shown, *named)
        finally:
            if found.exists():  # also where a new finding is the reason to end
                write_results("harmgraph: audit", read_sarif(found), sarif=sarif, annotations=annotations)


def _loading(importer: str, files: Sequence[Path]) -> list[str]:
    """The importer and its options.

    Raises:
        UnreadableFile: the first file cannot be read, or it is not known what reads it.
        click.BadParameter: a quote of the importer's options is not closed.
    """
    if importer.strip():
        try:
            return shlex.split(importer)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--importer") from error
    from harmgraph.loader.reading.look import proposed

    best = proposed(files)[0].candidates[0]
    return [best.importer.name, *best.arguments]


def _run(ctx: click.Context, *words: str) -> None:
    """Runs a command of harmgraph in this process.

    Raises:
        click.exceptions.Exit: it ends with another exit code than 0.
    """
    root = ctx.find_root()
    with root.command.make_context("harmgraph", list(words), obj=root.obj) as context:
        root.command.invoke(context)


@contextmanager
def _own_server() -> Iterator[None]:
    """Within the block the audit's own store answers, or else the server that NEO4J_URI names.

    A server that was started for the audit is stopped at the end.
    """
    from harmgraph.graph.address import from_environment
    from harmgraph.graph.server import server

    if from_environment():
        yield
        return
    with own_home(HOME):
        ran = server.running() is not None
        try:
            yield
        finally:
            if not ran:
                server.stop()
