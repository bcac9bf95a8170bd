"""The defaults of a training are the paper's, and better ones have a name."""

from __future__ import annotations

import pytest

from harmgraph.common.errors import UnknownMember
from harmgraph.models.embedding.options import RECIPES, EmbeddingOptions, with_defaults
from harmgraph.models.embedding.score_function import score_functions


@pytest.mark.parametrize("model", ["transe", "complex"])
def test_the_defaults_are_those_of_fisher(model: str) -> None:
    """Section 2.2: dimension 200, 1,000 negatives in all, softmax cross entropy, dot product; no regulariser."""
    known = with_defaults(model, {})
    assert (known.dim, 2 * known.negatives, known.loss, known.chosen_comparator) == (200, 1_000, "softmax", "dot")
    assert (known.n3, known.dropout, known.label_smoothing, known.plateau_factor) == (0, 0, 0, 1)


def test_a_recipe_is_options_by_a_name() -> None:
    for model in score_functions.names():
        for recipe, options in RECIPES.items():
            known = with_defaults(model, {"epochs": 2}, recipe).facts()
            assert known["epochs"] == 2, "what is given beside it counts"
            assert {name: known[name] for name in options if name != "epochs"} == {
                name: value for name, value in options.items() if name != "epochs"
            }
    # What was trained by the former defaults of ComplEx and DistMult goes on by this name.
    assert with_defaults("complex", {}, "n3") == EmbeddingOptions("complex", negatives=1_000, n3=0.03, reciprocal=True)
    with pytest.raises(UnknownMember, match="no recipe named 'best'"):
        with_defaults("complex", {}, "best")
