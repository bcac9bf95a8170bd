"""One rule of precision for all trainings: the same option, and a model keeps its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

from harmgraph.__main__ import cli
from harmgraph.common.errors import InputError
from harmgraph.models.folders import Folders
from harmgraph.models.options import PRECISIONS
from harmgraph.models.record import FINISHED, UNFINISHED, Outcome, Records

TRAININGS = {
    ("counterfactual", "debias"),
    ("embed", "train"),
    ("frames", "train"),
    ("language", "train"),
    ("population", "train"),
    ("scorer", "train"),
}


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command, with the words that call it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


def test_every_training_has_the_option() -> None:
    every = dict(commands(cli))
    trainings = {path for path in every if path[-1] == "train"} | {("counterfactual", "debias")}
    assert trainings == TRAININGS
    for path in trainings:
        (option,) = (each for each in every[path].params if each.name == "precision")
        assert isinstance(option.type, click.Choice), path
        assert tuple(option.type.choices) == PRECISIONS, path
        assert "auto is bf16 where the processor has it" in (getattr(option, "help", "") or ""), path


@dataclass(frozen=True, slots=True)
class Known(Outcome):
    """The record of a model."""

    state: str
    identity: str


def test_a_finished_model_keeps_its_precision(home: Path) -> None:
    records = Records(Folders("language", "model"), Known, "train")
    place = records.folders.of("kept")
    place.mkdir(parents=True)
    records.keep(place, Known(state=FINISHED, identity="1", precision="bf16"), [])
    for asked in ("auto", "bf16"):
        known = records.standing("kept", "1", again=False, precision=asked)
        assert known is not None and known.precision == "bf16"
    with pytest.raises(
        InputError, match="kept: this training computes in bf16, not in fp32; go on with --precision bf16"
    ):
        records.standing("kept", "1", again=False, precision="fp32")
    assert records.standing("kept", "1", again=True, precision="fp32") is None
    records.keep(place, Known(state=UNFINISHED, identity="1"), [])
    assert records.standing("kept", "1", again=False, precision="bf16"), "its checkpoint says which it is"
