"""Options and arguments shared by the commands of all packages."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click
from click.core import ParameterSource

from harmgraph.common.errors import UnknownMember, near
from harmgraph.common.files_to_write import FileToWrite
from harmgraph.common.options import Option, declared
from harmgraph.common.output import in_groups

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

F = TypeVar("F", bound=Callable[..., Any])
ONLY_CHECKED = "harmgraph.only_checked"
"""In ``click.Context.meta``: the options of a command are checked, and the command does not run here."""
OUTPUTS = ("table", "json", "jsonl", "csv", "parquet", "markdown")


class Decorator(Protocol):
    """An option or argument that is added to a command."""

    def __call__(self, command: F, /) -> F: ...


@dataclass(slots=True)
class CommandState:
    """What the main program and its command know of each other.

    Attributes:
        verbose: whether ``-v`` was given, for when the command fails.
        own_process: whether the process was started for this command, so that nothing else goes on in it.
    """

    verbose: bool = False
    own_process: bool = False


def _set_verbose(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        context.ensure_object(CommandState).verbose = True


def verbose_option_of(help_text: str) -> Decorator:
    """``-v`` with its own help text, for a command that prints more with it than a traceback; see ``is_verbose``."""
    return click.option("-v", "--verbose", is_flag=True, expose_value=False, callback=_set_verbose, help=help_text)


verbose_option = verbose_option_of("Show a traceback when something fails.")


def has_own_process() -> bool:
    """Whether this process was started for the command that runs; not if a program or a test calls it."""
    context = click.get_current_context(silent=True)
    return context is not None and context.ensure_object(CommandState).own_process


def is_verbose(context: click.Context) -> bool:
    """Whether ``-v`` was given anywhere on the command line."""
    return context.ensure_object(CommandState).verbose


def _chosen_output(context: click.Context, _: click.Parameter, value: str) -> str:
    """The form; one of bytes has stdout for itself, and is refused before anything is computed."""
    if value == "parquet" and not context.resilient_parsing and not context.meta.get(ONLY_CHECKED):
        from harmgraph.common.row_forms import bytes_to_stdout

        context.with_resource(bytes_to_stdout())
    return value


output_option = click.option(
    "--output",
    "-o",
    type=click.Choice(OUTPUTS),
    default="table",
    show_default=True,
    callback=_chosen_output,
    help="Format of what is printed.",
)
progress_option = click.option(
    "--progress/--no-progress",
    default=True,
    help="Show progress on stderr: bars at a terminal, elsewhere a line every 30 seconds.",
)

sarif_option = click.option(
    "--sarif", type=FileToWrite(), help="Write the findings to this file as SARIF, for code scanning and editors."
)
annotations_option = click.option(
    "--annotations",
    type=click.Choice(["github"]),
    help="Print findings as annotations of GitHub Actions on stderr, and add to $GITHUB_STEP_SUMMARY.",
)


def together(*options: Decorator) -> Decorator:
    """Options as one decorator, in the order of the help."""

    def add(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def click_option(option: Option, *, ranged: bool = True) -> Decorator:
    """An option on the command line, with the type of its values.

    Args:
        ranged: whether the command line checks bounds; otherwise whoever takes the value does.
    """
    flag, text, default = f"--{option.word}", option.help, option.default
    if option.words:
        text, default = f"{text}  [default: {option.words}]", None
    if default is False:
        return click.option(flag, option.name, is_flag=True, default=False, help=text)
    if option.value_kind is bool:
        # Without the second flag, nobody could say no.
        return click.option(f"{flag}/--no-{flag[2:]}", option.name, default=default, help=text)
    if option.file:
        return click.option(flag, option.name, default=default, metavar="FILE", help=text)
    shown = default not in (None, "")
    return click.option(
        flag, option.name, type=_type_of(option, ranged), default=default, show_default=shown, help=text
    )


def _type_of(option: Option, ranged: bool) -> Any:
    if option.choices:
        return click.Choice(option.choices)
    bounds: tuple[Any, Any] = option.least, option.most
    if ranged and option.least is not None:
        if option.value_kind is int:
            return click.IntRange(*bounds, min_open=option.above, max_open=option.below)
        if not option.above and not option.below:  # the other bounds are said better, with an example
            return click.FloatRange(*bounds)
    return option.value_kind


def options_of(
    record: type,
    *names: str,
    but: Iterable[str] = (),
    ranged: bool = True,
    words: Callable[[Option], str] | None = None,
) -> Decorator:
    """The options that the fields of a dataclass are (``options.option``), each passed by the name of its field.

    Args:
        names: of the fields; all if empty. but: all without these.
        ranged: see ``click_option``. words: returns those of an option, see ``Option``.
    """

    options = [each for each in declared(record) if each.name not in but and (not names or each.name in names)]
    if words:
        options = [replace(each, words=words(each)) for each in options]
    return together(*(click_option(each, ranged=ranged) for each in options))


def given_parameters(context: click.Context) -> frozenset[str]:
    """The names of the parameters that the user gave, and did not leave at their defaults."""
    left = (ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP)
    return frozenset(name for name in context.params if context.get_parameter_source(name) not in left)


def words_of_options(context: click.Context, names: Collection[str]) -> list[str]:
    """How parameters of these names are written on the command line, sorted."""
    return sorted(parameter.opts[0] for parameter in context.command.params if parameter.name in names)


class Family(click.Group):
    """A group whose commands are the members of a family; an unknown name is a usage error that suggests similar names.

    ``get_command`` raises ``UnknownMember`` if no member has the name. The help lists the members in groups, one line each.

    Attributes:
        order: the groups of members that come first.
    """

    order: tuple[str, ...] = ()

    def group_of(self, name: str) -> str:
        """The group of a member; empty if it has none."""
        return ""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        names = self.list_commands(ctx)
        titled = any(map(self.group_of, names))
        for title, members in in_groups(names, self.group_of, self.order):
            with formatter.section(title.capitalize() if titled else "Commands"):
                commands = [(name, self.get_command(ctx, name)) for name in members]
                formatter.write_dl(
                    [(name, (command.short_help or "") if command else "") for name, command in commands]
                )

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except UnknownMember as error:
            if ctx.resilient_parsing:  # shell completion of an unfinished name
                return None, None, []
            raise click.UsageError(f"{error}.", ctx) from error


REMOVERS = frozenset({"rm", "remove", "delete", "del", "drop"})
"""Words for removing; a group has at most one of them."""


def meant_command(name: str, known: Sequence[str]) -> str:
    """The command of a group that a word may mean; empty if none is near."""
    found = [one for one in known if one in REMOVERS] if name in REMOVERS else near(name, known, 1)
    return found[0] if found else ""


class Commands(click.Group):
    """A group that says which commands it has where it has none of a name."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, known = args[0], self.list_commands(ctx)
        if name not in known and not name.startswith("-") and not ctx.resilient_parsing:
            meant = meant_command(name, known)
            hint = f"Did you mean {meant}?" if meant else f"There are: {', '.join(known)}."
            ctx.fail(f"No such command {name!r}. {hint}")
        return super().resolve_command(ctx, args)


class Member(click.ParamType[str]):
    """The name of a member of a family, with shell completion; an unknown name is a usage error.

    Args:
        name: what a member is called.
        names: returns the names of all members; called on first use.
    """

    def __init__(self, name: str, names: Callable[[], Iterable[str]]) -> None:
        self.name = name
        self.names = names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        known = tuple(self.names())
        if value not in known:
            self.fail(f"{UnknownMember(self.name, str(value), known)}.", param, ctx)
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in self.names() if name.startswith(incomplete)]


def share(value: str) -> float:
    """A share such as ``1%`` or ``0.01``.

    Raises:
        click.BadParameter: not a number between 0 and 1.
    """
    text = value.strip()
    try:
        number = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise click.BadParameter(f"{value!r} is not a share: write 1% or 0.01")
    return number


class Share(click.ParamType[float]):
    """A share between 0 and 1, written ``1%`` or ``0.01``."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        return value if isinstance(value, float) else share(str(value))


def parameters_of(given: tuple[str, ...]) -> dict[str, Any]:
    """The parameters of a statement from ``--param name=value``; a value is JSON or plain text.

    Raises:
        click.BadParameter: an item has no name or no ``=``.
    """
    from json import JSONDecodeError

    from harmgraph.common.json_text import from_json

    parameters: dict[str, Any] = {}
    for item in given:
        name, equals, value = item.partition("=")
        if not equals or not name:
            raise click.BadParameter(f"{item!r}: write --param name=value", param_hint="--param")
        try:
            parameters[name] = from_json(value)
        except JSONDecodeError:
            parameters[name] = value  # plain text needs no quotes
        except ValueError as error:
            raise click.BadParameter(f"{name}: {error}", param_hint="--param") from error
    return parameters


def wait_at(page: str, launch: bool, remark: str = "") -> None:
    """Opens a page that this command serves, and waits for Ctrl-C, which is the normal way to end the command.

    Args:
        launch: whether to open it; otherwise its address was printed only.
        remark: printed before the wait.
    """
    import webbrowser

    try:
        if launch and not webbrowser.open(page, new=2):
            click.echo("No web browser could be started here: open the address in one yourself.", err=True)
        if remark:
            click.echo(remark)
        until_interrupted()
    except KeyboardInterrupt:
        click.echo("")


def until_interrupted() -> None:
    """Waits for Ctrl-C."""
    import threading

    threading.Event().wait()
