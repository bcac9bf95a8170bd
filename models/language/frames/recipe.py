"""Options of a training of a frame model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harmgraph.models.language.recipe import NEW, Steps

GENERATIVE, CLASSIFIER = "generative", "classifier"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe(Steps):
    """Options of a training of a frame model; see ``recipe_for`` for its defaults.

    Attributes:
        kind: ``generative`` says whole frames, ``classifier`` the five variables alone; a batch is of annotations or of posts.
        frozen: whether only the last layer of a classifier is trained.
        fold: of the split, see ``Post.part``.
    """

    epochs: int = 5
    batch: int = 4
    learning_rate: float = 1e-5
    warm: float = 0.1
    context: int = 160
    kind: str = GENERATIVE
    frozen: bool = False
    fold: int = 0


def recipe_for(kind: str, model: str, given: Mapping[str, Any]) -> Recipe:
    """The recipe with the options that the user gave, and the defaults for the others.

    For a model by name they are the paper's for GPT-2: batches of 4, a learning rate of 1e-5, at most 5 epochs. New weights
    take larger batches and a higher rate.

    Args:
        given: options by name; None for the default.

    Raises:
        BadName: an option is not valid.
    """
    defaults: dict[str, Any] = {"kind": kind}
    if kind == CLASSIFIER:
        rate = 1e-3 if given.get("frozen") else 5e-5
        defaults |= {"batch": 16, "learning_rate": rate, "epochs": 20 if given.get("frozen") else 4, "context": 96}
    elif model.startswith(NEW):
        defaults |= {"batch": 32, "learning_rate": 1e-3, "epochs": 10}
    return Recipe(**defaults | {name: value for name, value in given.items() if value is not None})
