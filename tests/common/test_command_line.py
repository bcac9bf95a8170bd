"""What the commands of all rooms share: one name for one thing, members of families."""

from __future__ import annotations

import click
import pytest

from harmgraph.__main__ import cli, main
from harmgraph.common.command_line import Member
from tests.support.commands import walk


@click.command()
@click.option("--name", help="A name.")
def command(name: str | None) -> None:
    """A command whose option is completed."""


def test_one_thing_has_one_name_in_every_command() -> None:
    shown = {
        flag
        for each in walk(cli, click.Context(cli))
        for one in each.params
        if isinstance(one, click.Option) and not one.hidden
        for flag in one.opts
    }
    assert {"--learning-rate", "--again", "--measure"} <= shown
    assert not shown & {"--lr", "--rate", "--restart", "--anew", "--measures", "--sources"}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["stats", "disparty"], "no statistic named 'disparty'; did you mean disparity?"),
        (["load", "tripels", "x"], "no importer named 'tripels'; did you mean triples?"),
        (["label", "vadre"], "no scorer named 'vadre'; did you mean vader?"),
        (["probe", "shfit", "m", "--a", "x"], "no probe named 'shfit'; did you mean shift?"),
        (["figure", "regoins", "--out", "x.svg"], "no figure named 'regoins'; did you mean regions?"),
        (["agree", "--scorer", "vadre"], "no scorer named 'vadre'; did you mean vader?"),
        (["embed", "train", "x", "--model", "trans"], "no model named 'trans'; did you mean transe?"),
    ],
)
def test_an_unknown_member_is_wrong_usage_with_near_names(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert says in capsys.readouterr().err


def test_members_complete_and_are_looked_up_when_asked() -> None:
    asked: list[int] = []

    def names() -> tuple[str, ...]:
        asked.append(1)
        return ("disparity", "words")

    member = Member("statistic", names)
    assert not asked
    context = click.Context(command)
    assert [item.value for item in member.shell_complete(context, command.params[0], "dis")] == ["disparity"]
    assert member.convert("words", None, context) == "words"


def test_the_help_of_the_statistics_says_what_each_is(capsys: pytest.CaptureFixture[str]) -> None:
    """Not its name once more: what bare 'harmgraph stats' says."""
    assert main(["stats", "--help"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "disparity How unequally targets fare: D_R, D_O+, D_O-" in out
    assert "disparity Disparity" not in out
