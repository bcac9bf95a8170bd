"""Options of members: read from text, and on the command line."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from harmgraph.common.command_line import click_option
from harmgraph.common.errors import BadName
from harmgraph.common.options import Option, Value, located, with_defaults


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
