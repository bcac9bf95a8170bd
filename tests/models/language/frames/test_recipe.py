"""The options of a model by name are those of Sap et al. 2020, section 4.2."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harmgraph.models.language.frames.recipe import GENERATIVE, recipe_for


@pytest.mark.parametrize(
    ("model", "rate"),
    [
        ("openai-gpt", 5e-6),
        ("openai-community/openai-gpt", 5e-6),
        ("gpt2", 1e-5),
        ("gpt2-large", 1e-5),
        ("new:tiny", 1e-3),
    ],
)
def test_by_its_name(model: str, rate: float) -> None:
    """ "a batch size of 4, a learning rate of 5x10^{-6} for GPT and 10^{-5} for GPT2" """
    recipe = recipe_for(GENERATIVE, model, {})
    assert recipe.learning_rate == rate
    assert (recipe.batch, recipe.epochs) == ((32, 10) if model.startswith("new:") else (4, 5))
    assert recipe_for(GENERATIVE, model, {"learning_rate": 2e-5}).learning_rate == 2e-5


@pytest.mark.parametrize(
    ("facts", "rate"), [({"model_type": "openai-gpt"}, 5e-6), ({"model_type": "gpt2"}, 1e-5), ([], 1e-5)]
)
def test_by_its_folder(tmp_path: Path, facts: object, rate: float) -> None:
    (tmp_path / "config.json").write_text(json.dumps(facts))
    assert recipe_for(GENERATIVE, str(tmp_path), {}).learning_rate == rate
