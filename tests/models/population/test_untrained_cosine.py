"""The cosine of an untrained encoder, which a populator is compared with."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch

from harmgraph.common.errors import InputError
from harmgraph.models.population.evaluation import evaluated
from harmgraph.models.population.examples import TripleExample
from harmgraph.models.population.named_populator import evaluate, train
from harmgraph.models.population.untrained_cosine import cosines
from harmgraph.models.text.pretrained import opened_encoder
from tests.support.population import RECIPE

pytestmark = pytest.mark.usefixtures("without_populators")
TRIPLES = (
    TripleExample("personx eat", "gEffect", "personx be full"),
    TripleExample("personx be full", "gEffect", "personx eat"),
    TripleExample("personx eat", "gEffect", "personx eat"),
)


def trained_on(encoder: Path, examples: Path) -> None:
    train("mine", examples, "bert", encoder=str(encoder), recipe=replace(RECIPE, epochs=1), precision="fp32", threads=1)


def test_it_is_that_of_the_means_over_tokens(encoder: Path) -> None:
    found = cosines(str(encoder), TRIPLES, 64)
    model, tokenizer = opened_encoder(str(encoder))
    with torch.no_grad():
        means = [
            model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0].mean(0)
            for text in ("personx eat", "personx be full")
        ]
    by_hand = float(torch.cosine_similarity(*means, dim=0))
    assert found.tolist() == pytest.approx([by_hand, by_hand, 1.0], abs=1e-5)
    assert by_hand < 0.999


def test_an_evaluation_has_its_auc(encoder: Path, examples: Path) -> None:
    trained_on(encoder, examples)
    judged = evaluate("mine", draws=20)
    rows = {row.name: row for row in judged.rows if row.of == "untrained encoder"}
    assert list(rows) == ["cosine of head and tail", "cosine of head and tail, weighted mean"]
    expected = evaluated(judged.examples, cosines(str(encoder), judged.examples, judged.config.recipe.tokens), draws=20)
    for row, one in zip(rows.values(), expected, strict=False):
        assert one == replace(row, of=one.of, name=one.name)
    assert not [row for row in evaluate("mine", linear=False, draws=0).rows if row.of == "untrained encoder"]


def test_a_line_says_that_the_encoder_is_gone(encoder: Path, examples: Path, tmp_path: Path) -> None:
    shutil.copytree(encoder, tmp_path / "copy")
    trained_on(tmp_path / "copy", examples)
    shutil.rmtree(tmp_path / "copy")
    judged = evaluate("mine", draws=0)
    assert [line for line in judged.said if line.startswith("no untrained encoder to compare with: ")]
    kinds = {row.of for row in judged.rows}
    assert "linear model" in kinds
    assert "untrained encoder" not in kinds


def test_weights_that_give_no_numbers_are_refused(encoder: Path, tmp_path: Path) -> None:
    model, tokenizer = opened_encoder(str(encoder))
    with torch.no_grad():
        next(model.parameters()).fill_(float("nan"))
    model.save_pretrained(tmp_path / "broken")
    tokenizer.save_pretrained(tmp_path / "broken")
    with pytest.raises(InputError, match="NaN"):
        cosines(str(tmp_path / "broken"), TRIPLES, 64)
