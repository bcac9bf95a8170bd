"""The command lines that model cards print are ones that click takes: commands, options and arguments."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import click
import pytest

from harmgraph.__main__ import cli
from harmgraph.models.classifier.card import card as classifier_card
from harmgraph.models.language import trained
from harmgraph.models.language.card import card as language_card
from harmgraph.models.language.frames import stored
from harmgraph.models.language.frames.card import card as frames_card
from harmgraph.models.language.frames.recipe import CLASSIFIER, GENERATIVE
from harmgraph.models.language.frames.recipe import recipe_for as frames_recipe
from harmgraph.models.language.recipe import COMET, TEXT, recipe_for
from tests.support.places import ROOT

LINE = re.compile(r"`harmgraph ([^`]+)`")
SCORE = {"label": "negative", "n": 3, "precision": 0.5, "recall": 0.5, "f1": 0.0, "f1_low": 0.0, "f1_high": 0.4}
SCORER = {
    "name": "mine",
    "file": "some.tsv",
    "rejected": 1,
    "identity": {
        "data": "0",
        "encoder": "e",
        "recipe": {"weight": 0.5, "common": 6.0, "epochs": 1, "learning_rate": 1e-4},
    },
    "by_target": False,
    "repeated": 0,
    "counts": {part: {"negative": 3, "positive": 3} for part in ("train", "valid", "test")},
    "targets": dict.fromkeys(("train", "valid", "test"), 6),
    "epochs": [{"number": 0, "score": 0.5}],
    "scores": [SCORE],
    "baseline": [SCORE],
    "tests": [],
    "precision": "fp32",
    "threads": 1,
    "versions": {},
    "trained_at": "",
}


def cards() -> Iterator[tuple[str, str]]:
    """A card of each kind of model, by its name."""
    yield "scorer", classifier_card(SCORER)
    for kind in (TEXT, COMET):
        recipe = recipe_for(kind, "new:tiny", {})
        known = trained.LanguageConfig(
            state="finished",
            model="new:tiny",
            recipe=recipe,
            identity="",
            corpus="c",
            corpus_digest="",
            unit="line",
            train=1,
            valid=1,
            train_tokens=1,
            valid_tokens=1,
        )
        yield f"language {kind}", language_card("mine", known)
    for kind in (GENERATIVE, CLASSIFIER):
        recipe = frames_recipe(kind, "new:tiny", {})
        frames = stored.FrameConfig(
            state="finished",
            model="m",
            recipe=recipe,
            identity="",
            corpus="c",
            corpus_digest="",
            train=1,
            valid=1,
            test=1,
            annotations=1,
        )
        yield f"frames {kind}", frames_card("mine", frames)


CARDS = dict(cards())


def parsed(line: str) -> click.Context:
    """A command line as click reads it; of a command that is named alone, the command without its arguments."""
    words = shlex.split(line)
    context = click.Context(cli)
    command: click.Command = cli
    name = ""
    while isinstance(command, click.Group):
        name = words.pop(0)
        found = command.get_command(context, name)
        assert found is not None, line
        command = found
    return command.make_context(name, list(words)) if words else click.Context(command)


def test_every_family_with_a_card_is_here() -> None:
    assert {path.parent.name for path in (ROOT / "models").rglob("card*.py")} == {"classifier", "language", "frames"}


@pytest.mark.parametrize("kind", CARDS)
def test_its_command_lines_are_valid(kind: str) -> None:
    lines = [" ".join(line.split()) for line in LINE.findall(CARDS[kind])]
    assert any("mine" in line for line in lines), "it says what to do with the model"
    for line in lines:
        assert parsed(line)


def test_a_language_model_is_asked_in_a_way_it_can_answer() -> None:
    for kind, way in ((TEXT, "prompts"), (COMET, "targets")):
        (line,) = (
            line for line in LINE.findall(CARDS[f"language {kind}"]) if line.startswith("language generate mine")
        )
        given = parsed(line).params
        assert bool(given[way])
        assert bool(given["targets"]) != bool(given["prompts"])
        assert bool(given["out" if given["prompts"] else "into"])
