"""``harmgraph job``: scheduled analytics."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harmgraph.common.command_line import (
    Commands,
    annotations_option,
    is_verbose,
    output_option,
    sarif_option,
    verbose_option,
    verbose_option_of,
)
from harmgraph.common.files_to_write import FileToWrite
from harmgraph.graph.commands.name_types import targets_option

if TYPE_CHECKING:
    from harmgraph.analytics.jobs.check import StepCommand
    from harmgraph.analytics.jobs.ci import StepFindings
    from harmgraph.analytics.jobs.file import Job
    from harmgraph.analytics.jobs.run import Finished
    from harmgraph.common.ci.code_results import CodeResult
    from harmgraph.common.errors import HarmgraphError, WrongLine

FILE = click.Path(path_type=Path)
TOP = 40


@click.group(cls=Commands)
@verbose_option
def job() -> None:
    """Scheduled analytics: run, list, schedule, history, check. A job is a TOML file of steps (docs/jobs.md)."""


@job.command("run")
@click.argument("file", type=FILE)
@targets_option
@click.option("--note", is_flag=True, help="Where the store is not that of the file's [audit], say so and go on.")
@click.option("--dry-run", is_flag=True, help="Print the commands, and run none.")
@click.option(
    "--top", type=click.IntRange(0), default=TOP, show_default=True, help="Rows of the table of changes; 0 for all."
)
@click.option("--junit", type=FileToWrite(), help="Write steps and thresholds to this file as tests of JUnit.")
@sarif_option
@annotations_option
@output_option
@verbose_option_of("Print all output of the steps, and show a traceback when something fails.")
@click.pass_context
def run_command(
    ctx: click.Context,
    file: Path,
    targets: tuple[str, ...],
    note: bool,
    dry_run: bool,
    top: int,
    junit: Path | None,
    sarif: Path | None,
    annotations: str | None,
    output: str,
) -> None:
    """Run a job now: its steps, what changed since the last run, its thresholds.

    Exit code: 0 done; 1 a step failed, or a threshold names a number that was not measured; 3 a threshold is exceeded; 130 or 143
    interrupted. The output of the steps goes to stderr. Without a terminal, as in cron, only --output and the output of a
    failed step are printed. --verbose prints everything.
    """
    job, commands = _checked(ctx, file, targets)
    if note and job.audit is None:
        click.echo(f"--note does nothing: {file} has no [audit]", err=True)
    if dry_run:
        _show_commands(job, commands, output)
        return
    from harmgraph.analytics.jobs.output import show_finished
    from harmgraph.analytics.jobs.run import DELIVERED, run
    from harmgraph.common.ci.github import commands_stopped

    talkative = is_verbose(ctx) or sys.stderr.isatty() or sys.stdout.isatty()
    with _step_findings(job, commands, wanted=bool(sarif or annotations)) as found:
        more = found.arguments if found else {}
        with commands_stopped(annotations):
            finished = run(job, commands, _tell, talkative=talkative, note_only=note, more=more)
        results = found.results() if found else []
    _write_for_ci(job, commands, finished, results, junit=junit, sarif=sarif, annotations=annotations)
    with commands_stopped(annotations):  # names of targets come from a knowledge base too
        if talkative or finished.exit_code or _said(ctx, "output"):
            show_finished(finished, output, top)
        for line in finished.reasons:
            click.echo(f"harmgraph: {job.name}: {line}", err=True)
        if finished.alert and finished.alert != DELIVERED:
            click.echo(f"harmgraph: {job.name}: on_exceeded: {finished.alert}", err=True)
    if finished.exit_code:
        raise click.exceptions.Exit(finished.exit_code)


@contextmanager
def _step_findings(job: Job, commands: Sequence[StepCommand], *, wanted: bool) -> Iterator[StepFindings | None]:
    """What the steps of a run found; None unless it is wanted."""
    if not wanted:
        yield None
        return
    import tempfile

    from harmgraph.analytics.jobs.ci import StepFindings

    with tempfile.TemporaryDirectory(prefix="harmgraph-") as folder:
        found = StepFindings(job, commands, Path(folder))
        if not found.arguments:
            click.echo(f'{job.path}: no step lists findings; add one with run = "findings list"', err=True)
        yield found


def _write_for_ci(
    job: Job,
    commands: Sequence[StepCommand],
    finished: Finished,
    results: Sequence[CodeResult],
    *,
    junit: Path | None,
    sarif: Path | None,
    annotations: str | None,
) -> None:
    if not (junit or sarif or annotations):
        return
    from harmgraph.analytics.jobs.ci import junit as as_junit
    from harmgraph.analytics.jobs.ci import summary_lines, threshold_results
    from harmgraph.common.ci.writing import write_results
    from harmgraph.common.whole_file import write_whole

    if junit:
        write_whole(junit, as_junit(job, commands, finished))
    title = f"harmgraph: {job.name}"
    exceeded = threshold_results(job, finished)
    write_results(title, [*exceeded, *results], sarif=sarif, annotations=annotations, more=summary_lines(finished))


@job.command("check")
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="FILE...")
@output_option
@verbose_option
@click.pass_context
def check_command(ctx: click.Context, files: tuple[Path, ...], output: str) -> None:
    """Check whether jobs can run, without running them.

    It checks keys, commands, options, thresholds and cron, and prints everything that is wrong, with its line in the file.
    It needs no database. If one is running, each measure that a step names must have labels in it, unless an earlier step
    labels that measure.
    """
    from harmgraph.analytics.jobs.check import check
    from harmgraph.analytics.jobs.file import by_line, distinct, job_files
    from harmgraph.analytics.jobs.schedule import due
    from harmgraph.common.errors import HarmgraphError, raise_all
    from harmgraph.common.output import show

    paths, others = job_files(files)
    _tell_others(others)
    rows, wrong = [], 0
    good: list[Job] = []
    for path in paths:
        try:
            found = check(ctx.find_root().command, path)
            raise_all(by_line([*found.wrong, *_unknown_measures(found.job, found.commands)]))
            job = found.job
            distinct([*good, job])
        except HarmgraphError as error:
            _tell_wrong(error)
            wrong += 1
            continue
        good.append(job)
        rows.append(
            {
                "job": job.name,
                "file": str(path),
                "steps": len(job.steps),
                "thresholds": len(job.fail_if),
                "next": due(job),
            }
        )
    show(rows, output, columns=("job", "file", "steps", "thresholds", "next"), title="can run")
    if wrong:
        raise click.exceptions.Exit(1)


@job.command("list")
@click.argument("paths", type=FILE, nargs=-1, metavar="[FILE|FOLDER]...")
@output_option
@verbose_option
def list_command(paths: tuple[Path, ...], output: str) -> None:
    """List the jobs in files and folders, by default in this folder.

    It shows when they are due, and when they last ran here."""
    from harmgraph.analytics.jobs.file import job_files
    from harmgraph.common.errors import HarmgraphError
    from harmgraph.common.output import show

    listed, others = job_files(paths or (Path(),))
    _tell_others(others)
    rows, wrong = [], 0
    for path in listed:
        try:
            rows.append(_job_row(path))
        except HarmgraphError as error:
            _tell_wrong(error)
            wrong += 1
    columns = ("job", "next", "last_run", "running", "cron", "steps", "thresholds", "file", "description")
    show([{name: row[name] for name in columns} for row in rows], output, columns=columns, title="jobs")
    if wrong:
        raise click.exceptions.Exit(1)


@job.command("schedule")
@click.argument("paths", type=FILE, nargs=-1, required=True, metavar="FILE|FOLDER...")
@verbose_option_of("Print all output of the steps of each run, and show a traceback when something fails.")
@click.pass_context
def schedule_command(ctx: click.Context, paths: tuple[Path, ...]) -> None:
    """Run jobs at the times of their cron.

    It stays in the foreground until Ctrl-C or SIGTERM (exit code 0).

    If runs were missed while the scheduler was down, the job runs once, unless the last missed run is older than misfire_grace.
    A job's file is read again at each run. A changed cron needs a restart.
    """
    from harmgraph.analytics.jobs.file import distinct, job_files
    from harmgraph.analytics.jobs.schedule import Scheduler
    from harmgraph.common.errors import InputError

    listed, others = job_files(paths)
    _tell_others(others)
    jobs = distinct(_checked(ctx, path, ())[0] for path in listed)
    for job in jobs:
        if not job.cron:
            raise InputError("has no cron", where=str(job.path), remedy='add one, such as cron = "30 2 * * *"')
    Scheduler(jobs, _log, verbose=is_verbose(ctx)).run()


@job.command("history")
@click.argument("name", required=False)
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="Show at most this many runs, the latest first.",
)
@output_option
@verbose_option
def history_command(name: str | None, limit: int, output: str) -> None:
    """List the runs of a job, or of all jobs.

    It shows when they ran, how they ended, and why. 'harmgraph stats history' shows their numbers.
    """
    from harmgraph.analytics.jobs.record import history
    from harmgraph.common.output import show
    from harmgraph.graph.connection import Graph

    with Graph.open() as graph:
        rows = history(graph, name, limit=limit)
    columns = ("job", "started", "state", "exit_code", "message", "seconds", "numbers", "failed_step", "host", "run")
    shown = (*columns[:7], "run") if output == "table" else columns
    named: Sequence[Mapping[str, object]] = rows
    cut = [{**row, "run": str(row["run"])[:8]} for row in named] if output == "table" else named
    show(
        [{column: row[column] for column in shown} for row in cut],
        output,
        columns=shown,
        title="runs",
        keys=("job", "started"),
    )
    if not rows:
        click.echo("no job has run: 'harmgraph job run FILE' runs one", err=True)


@job.command("new")
@click.argument("name", required=False)
@click.option("--from-last", is_flag=True, required=True, help="From the last run that ended well and kept numbers.")
@click.option("--out", type=FileToWrite(), required=True, help="File to write. Its steps run in its folder.")
@verbose_option
@click.pass_context
def new_command(ctx: click.Context, name: str | None, from_last: bool, out: Path) -> None:
    """Write the file of an audit: the steps of a job, and what the store is now.

    It is made from the last run of the job NAME, or of any job. Its table [audit] pins sources, target lists and scorers, and its
    steps that keep numbers have every option. 'job run' refuses it where the store is another.
    """
    from harmgraph.analytics.jobs.new import from_last as audit_from_last
    from harmgraph.graph.connection import Graph

    assert from_last
    with Graph.open() as graph:
        made = audit_from_last(graph, ctx.find_root().command, name, out)
    for line in made.differs:
        click.echo(f"harmgraph: warning: {line}", err=True)
    parts = [
        _counted(made.steps, "step"),
        _counted(len(made.audit.sources), "source"),
        _counted(len(made.audit.targets), "target list"),
        _counted(len(made.audit.measures), "measure"),
    ]
    click.echo(f"wrote {out} from run {made.run[:8]}: {', '.join(parts)}", err=True)


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


@job.command("numbers")
@click.argument("run", metavar="RUN")
@output_option
@verbose_option
def numbers_command(run: str, output: str) -> None:
    """List the numbers of a run, each with its id.

    RUN is the beginning of a run's id, or a job's name for its last run. --output json writes them for 'job compare' on another
    machine.
    """
    from harmgraph.analytics.jobs.compare import standing_run
    from harmgraph.analytics.jobs.output import show_numbers
    from harmgraph.graph.connection import Graph

    with Graph.open() as graph:
        found = standing_run(graph, run)
    show_numbers(found, output)


@job.command("compare")
@click.argument("before", metavar="RUN")
@click.argument("after", metavar="RUN")
@click.option("--changed", is_flag=True, help="Only the numbers that differ, or that only one run has.")
@click.option("--top", type=click.IntRange(0), default=TOP, show_default=True, help="Rows of a table; 0 for all.")
@output_option
@verbose_option
def compare_command(before: str, after: str, changed: bool, top: int, output: str) -> None:
    """Set the numbers of two runs side by side.

    RUN is the beginning of a run's id, a job's name for its last run, or a file from another machine. 'job numbers' and 'job run'
    print such a file with --output json or csv. Equal ids mean the same number (docs/jobs.md).
    """
    from harmgraph.analytics.jobs.compare import compare, run_of_file, standing_run
    from harmgraph.analytics.jobs.output import show_comparison
    from harmgraph.graph.connection import Graph

    files = [Path(run) if Path(run).is_file() else None for run in (before, after)]
    runs = [run_of_file(path) if path else None for path in files]
    if not all(runs):
        with Graph.open() as graph:
            runs = [run or standing_run(graph, text) for run, text in zip(runs, (before, after), strict=True)]
    first, second = (run for run in runs if run)
    show_comparison(compare(first, second), first.called, second.called, output, changed=changed, top=top)


def _said(ctx: click.Context, name: str) -> bool:
    """Whether the user gave an option, even with its default value."""
    return ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def _checked(ctx: click.Context, file: Path, targets: Sequence[str]) -> tuple[Job, tuple[StepCommand, ...]]:
    from harmgraph.analytics.jobs.check import check
    from harmgraph.common.errors import raise_all

    # The ``harmgraph`` command knows every command; analytics must not import it, so it comes from the context.
    found = check(ctx.find_root().command, file, targets)
    raise_all(found.wrong)
    return found.job, tuple(command for command in found.commands if command)


def _job_row(path: Path) -> dict[str, Any]:
    """A row of the list.

    Raises:
        InputError: the file is not a job.
    """
    from harmgraph.analytics.jobs.file import read_job
    from harmgraph.analytics.jobs.record import is_running, last
    from harmgraph.analytics.jobs.schedule import due

    job = read_job(path)
    before = last(job.name)
    return {
        "job": job.name,
        "file": str(path),
        "steps": len(job.steps),
        "thresholds": len(job.fail_if),
        "cron": job.cron,
        "next": due(job),
        "last_run": before.started_at if before else None,
        "running": is_running(job.name),
        "description": job.description,
    }


def _unknown_measures(job: Job, commands: Sequence[StepCommand | None]) -> list[WrongLine]:
    """The measures that steps name, no step labels and, if a server is running, no statement of the graph carries."""
    from harmgraph.analytics.jobs.check import unknown_measures, unlabelled_measures
    from harmgraph.common.errors import GraphError, ServerError
    from harmgraph.graph.address import from_environment
    from harmgraph.graph.connection import Graph
    from harmgraph.graph.server import server

    unlabelled = unlabelled_measures(commands)
    if not unlabelled:
        return []
    why = "no Neo4j runs"
    try:
        if address := from_environment() or server.running():
            with Graph.open(address) as graph:
                return unknown_measures(commands, graph)
    except (GraphError, ServerError) as error:
        why = str(error)
    named = ", ".join(dict.fromkeys(measure for _, measure, _ in unlabelled))
    click.echo(f"{job.path}: whether {named} labels a statement was not checked: {why}", err=True)
    return []


def _tell_wrong(error: HarmgraphError) -> None:
    for line in error.lines:
        click.echo(f"harmgraph: {line}", err=True)


def _show_commands(job: Job, commands: Iterable[StepCommand], output: str) -> None:
    if output != "table":
        from harmgraph.common.output import show

        show([{"step": command.step.name, "command": command.line} for command in commands], output)
        return
    import shlex

    click.echo(f"cd {shlex.quote(str(job.folder))}")
    for command in commands:
        click.echo(command.line)


def _tell_others(others: Iterable[str]) -> None:
    for path in others:
        click.echo(f"{path} is not a job (it has no [[step]])", err=True)


def _tell(line: str) -> None:
    """Prints a line of the log; a closed stderr does not end the run."""
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        return


def _log(line: str) -> None:
    from datetime import datetime

    _tell(f"{datetime.now().astimezone().isoformat(timespec='seconds')} {line}")
