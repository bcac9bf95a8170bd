"""What the commands of all rooms share: old names of options, members of families."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from harmgraph.__main__ import cli, main
from harmgraph.graph.common.command_line import Member, renamed
from tests.support.commands import walk


@click.command()
@click.option("--again", is_flag=True, help="Anew.")
@renamed("--restart", "--again", is_flag=True)
@click.option("--rate", "speed", type=float, default=0.5, help="Rate.")
@renamed("--lr", "--rate")
@click.option("--measure", "measures", multiple=True, default=("a",), help="Measure.")
@renamed("--measures", "--measure")
def command(again: bool, speed: float, measures: tuple[str, ...]) -> None:
    """Prints what it was given."""
    click.echo(f"{again} {speed} {measures}")


@pytest.mark.parametrize(
    ("arguments", "printed", "told"),
    [
        ([], "False 0.5 ('a',)", ""),
        (["--again", "--rate", "2", "--measure", "x", "--measure", "y"], "True 2.0 ('x', 'y')", ""),
        (["--restart"], "True 0.5 ('a',)", "--restart is now --again; the old name goes with the next release"),
        (["--lr", "3"], "False 3.0 ('a',)", "--lr is now --rate;"),
        (["--measures=x"], "False 0.5 ('x',)", "--measures is now --measure;"),
    ],
)
def test_an_old_name_works_and_tells_the_new_one(arguments: list[str], printed: str, told: str) -> None:
    done = CliRunner().invoke(command, arguments)
    assert (done.exit_code, done.stdout.strip()) == (0, printed)
    assert told in done.stderr
    assert bool(done.stderr) == bool(told)


def test_both_names_at_once_are_wrong_usage() -> None:
    done = CliRunner().invoke(command, ["--restart", "--again"])
    assert done.exit_code == 2
    assert "--restart is the old name of --again: give --again alone." in done.stderr


def test_a_wrong_value_is_told_as_before() -> None:
    done = CliRunner().invoke(command, ["--lr", "fast"])
    assert done.exit_code == 2
    assert "'fast' is not a valid float" in done.stderr


def test_the_help_has_the_new_names_alone() -> None:
    text = CliRunner().invoke(command, ["--help"]).stdout
    assert "--again" in text
    assert not any(old in text for old in ("--restart", "--lr", "--measures"))


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
    assert "disparity How differently the targets are represented (D_R) and judged" in out
    assert "disparity Disparity" not in out
