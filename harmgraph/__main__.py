"""The command ``harmgraph``: a click group whose commands are imported when they are called."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from harmgraph.common.command_line import Commands, CommandState, verbose_option
from harmgraph.common.output import abandoned
from harmgraph.common.terminal import clean_streams
from harmgraph.common.version import VERSION

# Name, module and help line of each command, written here so that --help need not import the modules.
COMMANDS = {
    "demo": ("harmgraph.demo:demo", "The whole main job on the bundled sample."),
    "audit": ("harmgraph.audit:audit", "Audit files of a repository against a list."),
    "db": ("harmgraph.graph.commands.db:db", "Embedded Neo4j: start, stop, open, backup, restore, upgrade."),
    "load": ("harmgraph.loader.commands:load", "Load a knowledge base from files."),
    "source": ("harmgraph.graph.commands.source:source", "What is loaded: list, show, export, drop, diff."),
    "align": ("harmgraph.loader.alignment.commands:align", "Bring a source into the common form of events."),
    "target": ("harmgraph.loader.commands:target", "Groups that can be harmed: list, lists, load."),
    "label": ("harmgraph.analytics.labelling.commands:label", "Label statements with a harm scorer."),
    "scorer": ("harmgraph.scorer_commands:scorer", "Scorers of your own: train, list, rm."),
    "stats": ("harmgraph.analytics.statistics.commands:stats", "Statistics per target group, computed in Cypher."),
    "agree": ("harmgraph.analytics.agreement.commands:agree", "Compare a scorer with people's labels."),
    "review": ("harmgraph.analytics.review.commands:review", "People judge a sample of the statements, on a page."),
    "prompts": (
        "harmgraph.analytics.prompts.commands:prompts",
        "Prompts for story models, about the targets of a list.",
    ),
    "counterfactual": (
        "harmgraph.counterfactual:counterfactual",
        "Prompts that differ in one value; fairer models.",
    ),
    "findings": (
        "harmgraph.loader.findings.commands:findings",
        "Findings for the maintainers of a knowledge base: export.",
    ),
    "filter": ("harmgraph.analytics.filtering.commands:filter_command", "Keep only neutral statements."),
    "report": (
        "harmgraph.analytics.report.commands:report",
        "Write the report: a page with figures, Markdown or JSON.",
    ),
    "figure": ("harmgraph.analytics.report.figure_commands:figure", "Draw one figure of the report."),
    "job": ("harmgraph.analytics.jobs.commands:job", "Scheduled analytics: run, list, schedule, history, check."),
    "embed": (
        "harmgraph.models.embedding.commands:embed",
        "Embeddings of a source: train, eval, list, import, rm.",
    ),
    "probe": ("harmgraph.models.probing.commands:probe", "Probe embeddings for social bias."),
    "population": (
        "harmgraph.models.population.commands:population",
        "Models that judge triples of events, and what they propose.",
    ),
    "language": (
        "harmgraph.models.language.commands:language",
        "Language models: train, eval, list, generate, rm.",
    ),
    "frames": (
        "harmgraph.models.language.frames.commands:frames",
        "Social bias frames: train, eval, list, predict, echoes, rm.",
    ),
    "mcp": ("harmgraph.analytics.assistant.commands:mcp", "Let an assistant ask the graph, read-only (MCP)."),
    "query": ("harmgraph.graph.commands.query:query", "Run a statement of cypher/, or one of your own."),
    "doctor": ("harmgraph.graph.commands.doctor:doctor", "What is here, what is wrong with it, and what to do."),
    "schema": ("harmgraph.schema_command:schema", "Print the JSON Schema of what a command prints."),
    "completion": ("harmgraph.graph.commands.completion:completion", "Print the script for your shell's completion."),
}


COLLECT_AFTER = 50_000
"""New objects after which Python looks for dead ones that name each other; 700 by default."""
SIGPIPE = 128 + 13  # exit code of a command that the signal ended, as others are
COMPLETE = "_HARMGRAPH_COMPLETE"  # set by the script of 'harmgraph completion'


class Rooms(Commands):
    """Imports a command when it is called; lists the commands without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=Rooms, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(VERSION, prog_name="harmgraph")
@verbose_option
def cli() -> None:
    """Audit knowledge bases for harms to groups of people, in a graph.

    Load a knowledge base into Neo4j, label the harms in it, and ask which groups they hurt. Begin with 'harmgraph demo'.

    For a file to write, - means stdout. The command's other output then goes to stderr.
    """


def main(arguments: list[str] | None = None, *, own_process: bool = False) -> int:
    """Runs a command.

    Args:
        own_process: see ``CommandState``.

    Returns:
        The exit code: 0 done, 1 an error the user can act on, 2 wrong usage, 130 interrupted, 141 nobody reads the output any
        longer; for a job also 3 (a threshold is exceeded) and 143 (SIGTERM).
    """
    if COMPLETE in os.environ:
        importlib.import_module("harmgraph.graph.commands.completion")  # it registers the shells
        cli.main(prog_name="harmgraph")  # answers the shell and exits
    with clean_streams():
        return _run(sys.argv[1:] if arguments is None else arguments, CommandState(own_process=own_process))


def _run(arguments: Sequence[str], state: CommandState) -> int:
    try:
        code = _main(arguments, state)
        sys.stdout.flush()
    except BrokenPipeError as error:
        return SIGPIPE if abandoned() else _tell(error, state)
    return code


def _main(arguments: Sequence[str], state: CommandState) -> int:
    try:
        # Not ``cli.main``, which ends a command whose pipe is broken with 1, whichever pipe it is.
        with cli.make_context("harmgraph", list(arguments), obj=state) as context:
            cli.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt) as stopped:
        if _interrupted(stopped):
            return _tell_interrupted()
        click.echo("harmgraph: not confirmed, so nothing was done; use --yes if nobody can answer", err=True)
        return 1
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 - the outermost handler: every error is reported in one line
        return _tell_interrupted() if _interrupted(error) else _tell(error, state)
    return 0


def _interrupted(error: BaseException | None) -> bool:
    """Whether Ctrl-C caused an error: an interrupted driver may raise another error while it closes its connection."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def _tell_interrupted() -> int:
    if sys.stderr.isatty():
        click.echo("", err=True)  # the terminal's own line has ^C
    click.echo("harmgraph: interrupted; run the same command again to finish", err=True)
    return 130


def _tell(error: Exception, state: CommandState) -> int:
    """Prints an error on stderr in one line: what, where, what to do; with a traceback only if -v was given."""
    from harmgraph.common.errors import HarmgraphError, below

    if state.verbose:
        import traceback

        traceback.print_exception(error)
    if isinstance(error, HarmgraphError):
        for line in error.lines:
            click.echo(f"harmgraph: {line}", err=True)
        if error.examples:
            click.echo(below(error.examples), err=True)
        return error.exit_code
    if isinstance(error, OSError) and error.strerror:
        from harmgraph.common.no_space import DENIED, whose

        where = f"{error.filename}: " if error.filename else ""
        of = whose(Path(str(error.filename))) if error.filename and error.errno in DENIED else ""
        click.echo(f"harmgraph: {where}{error.strerror}{of}", err=True)
        return 1
    what = " ".join(str(error).split())[:300]
    click.echo(
        f"harmgraph: unexpected {type(error).__name__}: {what}; run it again with -v for the traceback, and report it",
        err=True,
    )
    return 1


def run() -> None:
    """The entry point of the command ``harmgraph``."""
    # Imports make many objects and leave none behind: looking for dead ones among them took a tenth of a short command.
    gc.set_threshold(COLLECT_AFTER)
    code = main(own_process=True)
    if "torch" not in sys.modules:  # its compiler lists every object that is not collected at the end, on stderr
        gc.freeze()  # the process ends: what is left goes with it
    raise SystemExit(code)


if __name__ == "__main__":
    run()
