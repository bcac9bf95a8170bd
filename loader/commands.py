"""``harmgraph load``: a subcommand for each importer, with the options that the importer declares."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harmgraph.common.command_line import (
    Commands,
    Family,
    Share,
    click_option,
    output_option,
    progress_option,
    together,
    verbose_option,
)
from harmgraph.common.errors import InputError
from harmgraph.common.files_to_write import FileToWrite
from harmgraph.graph.commands.engine_options import ChosenEngine, engine_options
from harmgraph.graph.commands.name_types import CategoryName, SourceName
from harmgraph.loader.formats.importer import Importer, importers

if TYPE_CHECKING:
    from harmgraph.loader.formats.data_set import DataSetOrigin
    from harmgraph.loader.loading.replacement import Agree, Replacement
    from harmgraph.loader.reading.plan import Plan
    from harmgraph.loader.reading.process import Reader

ENDINGS = (
    ".gz",
    ".bz2",
    ".csv",
    ".tsv",
    ".txt",
    ".jsonl",
    ".json",
    ".parquet",
)  # removed from a file name to get a source name


YOURS = "files of yours"
KINDS = ("common sense", "events", "entities", "posts", "what models said", YOURS)
"""The groups in the order of the list; an importer can name another one, which follows them."""


class Importers(Family):
    """A group with a subcommand for each importer."""

    order = KINDS

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(importers.names())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return _command(importers.get(cmd_name))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A file in the place of the importer is looked at."""
        if args and args[0] not in importers.names() and (Path(args[0]).exists() or _is_path(args[0])):
            return "FILE", look_at, args
        return super().resolve_command(ctx, args)

    def group_of(self, name: str) -> str:
        """What kind of knowledge base it reads."""
        return importers.get(name).about.kind


def _is_path(word: str) -> bool:
    """Whether a word is certainly meant as a path, so that a missing file is not taken for an unknown importer."""
    return os.sep in word or word.lower().endswith(ENDINGS)


@click.group(cls=Importers, invoke_without_command=True, subcommand_metavar="[IMPORTER] FILE...")
@click.option("--list", "listing", is_flag=True, help="List the importers and what they read.")
@output_option
@verbose_option
@click.pass_context
def load(ctx: click.Context, listing: bool, output: str) -> None:
    """Load a knowledge base from files. Another file under the same source name replaces the first one.

    Without an importer, 'harmgraph load FILE' looks at the file. It says which importer could read it, shows the command and five
    records, and asks whether to run it. --yes after the file runs it without the question.
    """
    if ctx.invoked_subcommand:
        return
    if not listing:
        click.echo(ctx.get_help())
        return
    from harmgraph.common.output import show_list

    rows = [
        {
            "importer": importer.name,
            "kind": importer.about.kind,
            "reads": importer.about.title,
            "version": importer.about.version,
            "licence": importer.about.licence,
            "home": importer.about.home,
            "citation": importer.about.citation,
        }
        for importer in importers
    ]
    show_list(rows, output, line=("importer", "reads"), group="kind", order=KINDS)
    if output == "table":
        click.echo("\nharmgraph load NAME --help: options, home page, licence, whom to cite")


@click.command("FILE", help="Look at files, and propose the command that loads them.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--source", type=SourceName(), help="Name in the graph, of the command that is proposed.")
@click.option("--yes", is_flag=True, help="Run the command without a question.")
@progress_option
@output_option
@verbose_option
@click.pass_context
def look_at(
    ctx: click.Context, files: tuple[Path, ...], source: str | None, yes: bool, progress: bool, output: str
) -> None:
    """Shows what the first file is and what could read it; runs the likeliest command if the user agrees."""
    from harmgraph.loader.reading.look import proposed, show_look

    looked = proposed(files)
    best = looked[0].candidates[0]
    words = [*map(str, files), *best.arguments, *(("--source", source) if source else ())]
    if output == "table" or not yes:
        show_look(looked[0], words, output)
    if not yes:
        if output != "table":
            return
        if sys.stdin is None or not sys.stdin.isatty():
            click.echo("Nothing was loaded: give --yes to run it.")
            return
        if not click.confirm("Run it?"):
            return
    command = load.get_command(ctx, best.importer.name)
    assert command is not None
    further = ["--output", output, "--progress" if progress else "--no-progress"]
    with command.make_context(best.importer.name, [*words, *further], parent=ctx.parent) as chosen:
        command.invoke(chosen)


_DATA_SET = (
    click.option(
        "--split",
        default="",
        help="Split of a Hugging Face data set. FILE is its folder, or hf://datasets/OWNER/NAME.  [default: all]",
    ),
    click.option(
        "--subset",
        default="",
        help="Subset (configuration) of such a data set.  [default: its default, or the only one]",
    ),
)


def _command(importer: Importer) -> click.Command:
    def run(files: tuple[Path, ...], **options: Any) -> None:
        importer_options = {option.name: options.pop(option.name) for option in importer.options}
        _load(importer, files, importer_options, **options)

    about = importer.about
    text = f"Load {about.title}.\n\n\b\n{about.home}\nLicence: {about.licence}\nCite: {about.citation}"
    if importer.example:
        text += "\n\n\b\nA line: " + importer.example.replace("\t", "<TAB>")[:300]
    options = together(
        click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."),
        click.option(
            "--source",
            type=SourceName(),
            help="Name in the graph.  [default: the importer's name, or the file name for triples, sentences and targets]",
        ),
        click.option("--version", default="", help="Version of the knowledge base, only for the record."),
        click.option(
            "--limit",
            type=click.IntRange(0),
            default=0,
            help="Stop after this many records, at the end of a line; 0 for all.",
        ),
        click.option("--dry-run", is_flag=True, help="Read and report, but write nothing."),
        click.option("--rejects", type=FileToWrite(), help="File for lines that cannot be read."),
        click.option(
            "--max-rejects",
            type=Share(),
            default="1%",
            show_default=True,
            help="Share of rejected lines that stops the load.",
        ),
        click.option(
            "--keep-duplicates",
            is_flag=True,
            help="Keep equal lines without an id as separate statements, by line number.",
        ),
        click.option(
            "--exclude",
            type=click.Path(path_type=Path, dir_okay=False),
            help="Leave out the statements in this file: one of 'findings export', or a blocklist.",
        ),
        click.option("--expect", type=click.IntRange(0), default=0, help="Refuse files with fewer records."),
        click.option(
            "--bulk",
            is_flag=True,
            help="Use Neo4j's offline importer. It needs the embedded server, with an empty store.",
        ),
        click.option("--replace", is_flag=True, help="With --bulk: replace a store that is not empty."),
        click.option("--yes", is_flag=True, help="Do not ask if more than half of the source would be removed."),
        click.option(
            "--processes",
            type=click.IntRange(1, 64),  # each takes four files open
            help="Processes that read the files.  [default: one a core, up to 8, if the files are large and divisible; else 1]",
        ),
        engine_options,
        progress_option,
        output_option,
        verbose_option,
        *(_DATA_SET if importer.data_sets else ()),
        *map(click_option, importer.options),
    )
    return click.command(importer.name, help=text, short_help=about.title)(options(run))


def _load(
    importer: Importer,
    files: tuple[Path, ...],
    importer_options: dict[str, Any],
    *,
    source: str | None,
    version: str,
    limit: int,
    dry_run: bool,
    rejects: Path | None,
    max_rejects: float,
    keep_duplicates: bool,
    exclude: Path | None,
    expect: int,
    bulk: bool,
    replace: bool,
    yes: bool,
    processes: int | None,
    engine: ChosenEngine,
    progress: bool,
    output: str,
    split: str = "",
    subset: str = "",
) -> None:
    from harmgraph.common.progress import bar
    from harmgraph.loader.formats.data_set import found_files
    from harmgraph.loader.loading import pipeline
    from harmgraph.loader.loading.default_targets import ensure
    from harmgraph.loader.loading.replacement import agreed
    from harmgraph.loader.loading.report import show_report
    from harmgraph.loader.reading.exclusion import read_exclusion
    from harmgraph.loader.reading.plan import Plan

    if replace and not bulk:
        raise click.UsageError("--replace works only with --bulk: other loads replace only their own source")
    with ExitStack() as stack:
        given, origin = files, None
        if importer.data_sets:
            with bar(progress):  # of fetching
                files, origin = found_files(files, split, subset)
        plan = Plan(
            importer,
            files,
            source or default_source(importer, given, origin),
            version=version,
            options=importer_options,
            limit=limit,
            keep_duplicates=keep_duplicates,
            max_rejects=max_rejects,
            rejects=rejects,
            expect=expect,
            exclusion=read_exclusion(exclude, importer, files) if exclude else None,
            origin=origin,
        )
        read = _reader(plan, engine, processes, stack)
        stack.enter_context(bar(progress))
        if dry_run:
            report = pipeline.dry_run(plan, read=read)
        elif bulk:
            from harmgraph.loader.loading.bulk import load_in_bulk

            report = load_in_bulk(plan, replace=replace, read=read)
        else:
            from harmgraph.graph.connection import Graph

            with Graph.open() as graph:
                ensure(graph)
                agree = agreed if yes else _asking(stack)
                report = pipeline.load(graph, plan, read=read, agree=agree)
    show_report(report, output)


def _reader(plan: Plan, engine: ChosenEngine, processes: int | None, stack: ExitStack) -> Reader:
    """What reads the files, with processes of this machine or with the workers of an engine.

    Args:
        processes: how many should read; None where the user does not say.
        stack: ends the workers when it closes.
    """
    from harmgraph.loader.reading.cores import readers_of, reading_on_cores

    if engine.is_local:
        if processes and 0 < readers_of(plan, processes) < processes and all(map(Path.is_file, plan.files)):
            click.echo(
                "harmgraph: one process reads these files: they cannot be divided, or not with these options", err=True
            )
        return partial(reading_on_cores, processes=processes or 0)
    if processes:
        raise click.UsageError("--processes works only with --engine local.")
    from harmgraph.loader.reading.spread import check_dividable, reading_on

    check_dividable(plan)  # before anything is started
    cluster = stack.enter_context(engine.cluster())
    return partial(reading_on, cluster) if cluster else reading_on_cores


def _asking(shown: ExitStack) -> Agree:
    """A function that asks whether a load may remove more than half of a source, and refuses if nobody can answer.

    Args:
        shown: closed before the question, because a progress bar would overwrite it.
    """

    def agree(replacement: Replacement) -> None:
        least = "" if replacement.begun else "at least "
        what = f"{least}{replacement.lost:,} of its {replacement.stood:,} statements"
        shown.close()
        can_ask = sys.stdin is not None and sys.stdin.isatty()
        if not (can_ask and click.confirm(f"{replacement.source}: remove {what}?", err=True)):
            state = (
                "the new statements are already in the graph, marked as unfinished: load the earlier file again to go back"
                if replacement.begun
                else "nothing was written"
            )
            raise InputError(
                f"the load would remove {what}, more than half; {state}",
                where=replacement.source,
                remedy="check the file, then give --yes to replace it, or --source NAME to keep both",
            )

    return agree


def default_source(importer: Importer, files: tuple[Path, ...], origin: DataSetOrigin | None = None) -> str:
    """The importer's name; for formats that many knowledge bases share, the file's name without its endings.

    Args:
        origin: the data set that was given in place of files, whose name it then is.
    """
    if origin and origin.name:
        return origin.name
    if importer.about.kind == YOURS:
        name = files[0].name
        while name.lower().endswith(ENDINGS):
            name = name.rpartition(".")[0]
        return name or importer.name
    return importer.name


@click.group(cls=Commands)
@verbose_option
def target() -> None:
    """Groups that can be harmed: list, lists, load."""


@target.command("list")
@click.option("--category", type=CategoryName(), help="Only this category.")
@output_option
@verbose_option
def list_targets(category: str | None, output: str) -> None:
    """List the targets.

    It shows their category, their aliases, and how many concepts, sentences and entities name them."""
    from harmgraph.common.output import show
    from harmgraph.graph.connection import Graph
    from harmgraph.loader.loading.default_targets import ensure

    with Graph.open() as graph:
        ensure(graph)
        rows = graph.rows("explore/targets", category=category, limit=1_000_000)
    show(
        rows,
        output,
        columns=["target", "category", "language", "aliases", "parts", "concepts", "statements", "entities", "source"],
        first=("category", "source"),
    )


@target.command("lists")
@output_option
@verbose_option
def list_lists(output: str) -> None:
    """List the target lists that --targets takes.

    First come the lists that were loaded, then the groups that sources bring."""
    from harmgraph.common.output import show
    from harmgraph.graph.connection import Graph
    from harmgraph.graph.statements import statement
    from harmgraph.loader.loading.default_targets import ensure

    with Graph.open() as graph:
        ensure(graph)
        rows = graph.rows("explore/target_lists")
    header = statement("explore/target_lists")
    if output == "table":
        rows = [row | {"digest": (row["digest"] or "")[:12]} for row in rows]
    show(rows, output, columns=[column.name for column in header.columns], headings={"of": "groups of"})


@target.command("load")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--source", type=SourceName(), help="Name of the list in the graph.  [default: the file name]")
@click.option("--language", default="en", show_default=True, help="Language of the names.")
@click.option("--header/--no-header", default=None, help="The first line is a header, and is left out.")
@click.option("--dry-run", is_flag=True, help="Read and report; write nothing.")
@click.option("--yes", is_flag=True, help="Do not ask if more than half of the list would be removed.")
@output_option
@click.pass_context
@verbose_option
def load_targets(ctx: click.Context, /, file: Path, **options: Any) -> None:
    """Load a list of targets, as 'harmgraph load targets' does.

    A line is name,category[,alias...][,+part...]. A cell with + before it names a part of the line's target:
    black woman,combined,+black,+woman.

    Lists of others are read as they are: descriptors.json and standalone_noun_phrases.json of HolisticBias, the tables of
    SeeGULL, and SHADES as CSV.
    """
    command = load.get_command(ctx, "targets")
    assert command is not None
    ctx.invoke(command, files=(file,), max_rejects=0.01, **options)
