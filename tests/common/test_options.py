"""Options of members and of records: read from text, checked, and on the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from harmgraph.common.command_line import click_option, options_of
from harmgraph.common.errors import BadName
from harmgraph.common.options import Option, Value, checked, declared, documented, located, option, with_defaults


@documented
@dataclass(frozen=True, slots=True)
class Recipe:
    """A recipe."""

    kind: str = "plain"
    rate: float = option(5e-5, "Speed.", least=0, above=True, flag="learning-rate")
    share: float = option(0.5, "Of all.", least=0, most=1)
    part: float = option(0.0, "Left out.", least=0, most=1, below=True)
    epochs: int = option(3, "At most.", least=1)
    tokens: int = option(0, "Of a text; 0 for all.", least=8, words="by the size")
    margin: float = option(9.0, "Any.")
    order: str = option("up", "Order.", choices=("up", "down"))
    frozen: bool = option(False, "Or not.")
    batch: int | None = option(None, "Texts per step.", kind=int, least=1)

    def __post_init__(self) -> None:
        checked(self)


def recipe(*words: str, ranged: bool = True) -> Recipe | str:
    """What a command with the options of a recipe makes of the words."""
    made: list[Recipe | str] = []

    @click.command
    @options_of(Recipe, ranged=ranged)
    def command(**values: Value) -> None:
        try:
            made.append(Recipe(**{name: value for name, value in values.items() if value is not None}))  # type: ignore[arg-type]
        except BadName as error:
            made.append(str(error))

    result = CliRunner().invoke(command, words)
    return made[0] if made else result.stderr.strip().splitlines()[-1]


def given(option: Option, *words: str) -> str:
    """What a command with this option takes from the words."""

    @click.command
    @click_option(option)
    def command(**values: Value) -> None:
        click.echo(repr(values[option.name]))

    result = CliRunner().invoke(command, words)
    return result.stdout.strip() if result.exit_code == 0 else "refused"


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        (Option("a", "", "text"), "x", "x"),
        (Option("a", 1, "a number"), "2", 2),
        (Option("a", 0.5, "a number"), "2", 2.0),
        (Option("a", True, "yes or no"), " No", False),
        (Option("a", None, "yes, no or neither"), "yes", True),
        (Option("a", "x", "one of two", choices=("x", "y")), "y", "y"),
    ],
)
def test_read(option: Option, text: str, value: Value) -> None:
    assert option.read(text) == value


@pytest.mark.parametrize(
    "option",
    [
        Option("a", 1, "a number"),
        Option("a", False, "yes or no"),
        Option("a", None, "yes, no or neither"),
        Option("a", "x", "one of two", choices=("x", "y")),
    ],
)
def test_what_is_no_value_is_refused(option: Option) -> None:
    with pytest.raises(BadName, match=r"value 'z' is .* the option a"):
        option.read("z")


def test_on_the_command_line() -> None:
    assert given(Option("at_least", 1, "a number"), "--at-least", "2") == "2"
    assert given(Option("at_least", 1, "a number"), "--at-least", "two") == "refused"
    assert given(Option("names", "", "a file", file=True), "--names", "x") == "'x'"
    assert given(Option("part", "x", "one of two", choices=("x", "y")), "--part", "z") == "refused"


@pytest.mark.parametrize("default", [False, True, None])
def test_yes_or_no(default: bool | None) -> None:
    option = Option("is_head", default, "yes or no")
    assert given(option) == repr(default)
    assert given(option, "--is-head") == "True"
    assert given(option, "--no-is-head") == ("refused" if default is False else "False")


def test_files_are_located_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    options = [Option(name, "", "a file", file=True) for name in ("here", "there", "none")]
    values = {"here": "x.tsv", "there": "/kb/x.tsv", "none": "", "word": "x.tsv"}
    expected = {"here": str(tmp_path / "x.tsv"), "there": "/kb/x.tsv", "none": "", "word": "x.tsv"}
    assert located([*options, Option("word", "", "no file")], values) == expected


def test_an_unknown_option_is_refused() -> None:
    assert with_defaults((Option("a", 1, "a number"),), {}, "scorer words") == {"a": 1}
    with pytest.raises(BadName, match=r"option 'b' is not one of the scorer words; it has \['a'\]"):
        with_defaults((Option("a", 1, "a number"),), {"b": 2}, "scorer words")


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"rate": 0.0}, "learning rate '0' is not valid: give a number above 0, such as 5e-5"),
        ({"rate": float("nan")}, "learning rate 'nan' is not valid: give a number above 0, such as 5e-5"),
        ({"rate": float("inf")}, "learning rate 'inf' is not valid: give a number above 0, such as 5e-5"),
        ({"share": -0.5}, "share '-0.5' is not valid: give a number from 0 to 1, such as 0.5"),
        ({"share": float("nan")}, "share 'nan' is not valid: give a number from 0 to 1, such as 0.5"),
        ({"part": 1.0}, "part '1' is not valid: give a number from 0 to below 1"),
        ({"epochs": 0}, "epochs '0' is not valid: give 1 or more"),
        ({"tokens": 7}, "tokens '7' is not valid: give 8 or more"),
        ({"margin": float("nan")}, "margin 'nan' is not valid: give a finite number, such as 9"),
        ({"order": "left"}, "order 'left' is none of up, down"),
        ({"batch": 0}, "batch '0' is not valid: give 1 or more"),
        ({"epochs": 2.0}, "epochs '2' is not a whole number"),
        ({"epochs": True}, "epochs 'True' is not a whole number"),
        ({"epochs": None}, "epochs 'None' is not a whole number"),
        ({"share": "0.5"}, "share '0.5' is not a number"),
        ({"order": 1}, "order '1' is not a text"),
        ({"frozen": 1}, "frozen '1' is not yes or no"),
    ],
)
def test_what_a_record_refuses(values: dict[str, Value], why: str) -> None:
    with pytest.raises(BadName) as raised:
        Recipe(**values)  # type: ignore[arg-type]
    assert str(raised.value) == why


def test_bounds_themselves_and_defaults_are_valid() -> None:
    Recipe(rate=1e-9, share=1, part=0, epochs=1, tokens=0, margin=-1, order="down", frozen=True, batch=None)
    Recipe(share=0, tokens=8, batch=1)


def test_the_options_of_a_record_on_the_command_line() -> None:
    assert recipe() == Recipe()
    assert recipe("--learning-rate", "1e-3", "--order", "down", "--frozen", "--batch", "4", "--tokens", "9") == Recipe(
        rate=1e-3, order="down", frozen=True, batch=4, tokens=9
    )
    assert "0 is not in the range x>=1" in str(recipe("--epochs", "0"))
    assert "2.0 is not in the range 0<=x<=1" in str(recipe("--share", "2"))
    assert recipe("--learning-rate", "0") == "learning rate '0' is not valid: give a number above 0, such as 5e-5"
    assert recipe("--epochs", "0", ranged=False) == "epochs '0' is not valid: give 1 or more"


def test_some_options_of_a_record_with_words_for_their_defaults() -> None:
    @click.command
    @options_of(Recipe, "epochs", "frozen", words=lambda option: f"{option.word} of the model")
    def command(**values: Value) -> None:
        click.echo(repr(sorted(values.items())))

    assert CliRunner().invoke(command, ["--no-frozen"]).stdout == "[('epochs', None), ('frozen', False)]\n"
    shown = CliRunner().invoke(command, ["--help"]).stdout
    assert "At most.  [default: epochs of the model]" in " ".join(shown.split("\n")).replace("   ", "")


def test_the_docstring_of_a_record_has_its_options() -> None:
    assert [option.name for option in declared(Recipe)][:2] == ["rate", "share"]
    assert (Recipe.__doc__ or "").startswith("A recipe.\n\nOptions:\n    rate: Speed.\n    share: Of all.\n")
