"""Records of models in JSON: each family reads its own, and says what a file lacks."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest

from harmgraph.models.language import trained as language
from harmgraph.models.language.recipe import LanguageRecipe
from harmgraph.models.record import record

KNOWN = language.LanguageConfig(
    state="finished",
    model="new:tiny",
    recipe=LanguageRecipe(epochs=3),
    identity="d",
    corpus="c",
    corpus_digest="d",
    unit="line",
    train=9,
    valid=1,
    train_tokens=90,
    valid_tokens=10,
    relations=("IsA",),
)
FACTS: dict[str, Any] = json.loads(json.dumps(asdict(KNOWN)))


def test_what_is_written_is_read() -> None:
    assert record(language.LanguageConfig, FACTS) == KNOWN
    assert record(language.LanguageConfig, FACTS | {"unknown": 1, "valid_perplexity": 7}).valid_perplexity == 7.0


def test_what_an_earlier_version_did_not_have_is_at_its_default() -> None:
    recipe = {name: value for name, value in FACTS["recipe"].items() if name != "patience"}
    assert record(language.LanguageConfig, FACTS | {"recipe": recipe}).recipe.patience == LanguageRecipe().patience


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ([], "it is not a JSON object"),
        (FACTS | {"form": 99}, "another version"),
        ({name: value for name, value in FACTS.items() if name != "unit"}, "it has no unit"),
        (FACTS | {"train": True}, "its train is True"),
        (FACTS | {"relations": "IsA"}, "its relations is 'IsA'"),
        (FACTS | {"recipe": 1}, "its recipe is 1"),
        (FACTS | {"recipe": {"epochs": "3"}}, "of its recipe: its epochs is '3'"),
        (FACTS | {"recipe": {"kind": "poem"}}, "of its recipe: .*poem"),
    ],
)
def test_what_does_not_fit(facts: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        record(language.LanguageConfig, facts)
