"""The training options of an embedding, checked, in a frozen object that is stored with the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from math import inf
from typing import Any

from harmgraph.common.errors import BadName, UnknownMember
from harmgraph.models.embedding.score_function import score_functions
from harmgraph.models.options import PRECISIONS

LOSSES = ("softmax", "self-adversarial")
OPTIMISERS = ("adagrad", "adam")
LEAST = {"dim": 1, "epochs": 0, "batch": 1, "negatives": 0, "chunk": 0, "patience": 1, "plateau_patience": 1}

PAPER = "paper"
RECIPES: Mapping[str, Mapping[str, float | int]] = {
    PAPER: {},
    "n3": {"negatives": 1000, "n3": 0.03},
    "plateau": {
        **{"dim": 1024, "negatives": 1500, "n3": 0.05, "plateau_factor": 0.5},
        **{"patience": 4, "epochs": 60, "valid_every": 5},
    },
}
"""Named sets of options: the paper's, with N3 (Lacroix et al. 2018), and what ranks FB15k-237 best (docs/embeddings.md)."""


@dataclass(frozen=True, slots=True)
class Training:
    """Training options. Dimension, negatives, loss and dot product are those of Fisher et al. 2019, section 2.2.

    "We use embeddings of dimension 200, and sample 1000 negative triples per positive, by randomly permuting the lhs or rhs
    entity. We pass the 1000 negatives and single positive through a softmax function, and train using the cross entropy loss."
    The paper names no regulariser. It trained with PyTorch-BigGraph, in which either side has a softmax of its own; so have we.
    It does not say the others.

    Attributes:
        dim: columns of an entity vector; a complex vector has half as many numbers.
        negatives: corrupted triples per positive and side, so half of those in all; 0 takes every entity.
        loss: ``softmax`` (cross entropy of the positive among its negatives), ``self-adversarial`` (Sun et al. 2019).
        comparator: ``dot``, ``l2`` or ``l1``; empty for the model's default.
        epochs: maximum passes over the training triples.
        batch: positives per step, over all processes.
        chunk: positives that share their negatives; 0 for the whole batch.
        lr: learning rate.
        optimiser: ``adagrad`` or ``adam``; only the rows that a step uses are updated.
        reciprocal: predict heads with a second vector per relation (Lacroix et al. 2018).
        dropout: share of the columns of heads, relations and tails dropped in each step.
        n3: weight of the nuclear 3-norm (Lacroix et al. 2018).
        label_smoothing: share of the target spread over all candidates.
        margin, temperature: of the self-adversarial loss.
        relation_weight: of the loss of predicting the relation from head and tail (Chen et al. 2021, equation 3).
        plateau_factor: by which the learning rate is multiplied on a plateau; 1 for a constant one.
        plateau_patience: evaluations without a better mean reciprocal rank that make a plateau.
        scale: standard deviation of the initial values.
        precision: of the matrix products of a step; tables and evaluation are fp32. ``auto`` is that of the checkpoint, or else
            the best of the device.
        seed: random seed.
        valid_every: epochs between two evaluations on the valid triples; 0 for none, and all epochs are trained.
        patience: evaluations without a better mean reciprocal rank after which training stops.
        valid_sample: valid triples in each evaluation, always the same.
    """

    model: str = "transe"
    dim: int = 200
    negatives: int = 500
    loss: str = "softmax"
    comparator: str = ""
    epochs: int = 50
    batch: int = 1000
    chunk: int = 0
    lr: float = 0.1
    optimiser: str = "adagrad"
    reciprocal: bool = False
    dropout: float = 0.0
    n3: float = 0.0
    label_smoothing: float = 0.0
    margin: float = 9.0
    temperature: float = 1.0
    relation_weight: float = 0.0
    plateau_factor: float = 1.0
    plateau_patience: int = 1
    scale: float = 0.001
    precision: str = "auto"
    seed: int = 0
    valid_every: int = 5
    patience: int = 3
    valid_sample: int = 5000

    def __post_init__(self) -> None:
        for name, known in (("loss", LOSSES), ("optimiser", OPTIMISERS), ("precision", PRECISIONS)):
            if getattr(self, name) not in known:
                raise BadName(name, str(getattr(self, name)), f"is not known; there are {', '.join(known)}")
        for name, least in LEAST.items():
            if getattr(self, name) < least:
                raise BadName(name, str(getattr(self, name)), f"is less than {least}")
        if not 0 <= self.seed < 2**63:
            raise BadName("seed", str(self.seed), "is not from 0 to below 2 ** 63")
        for name in ("dropout", "label_smoothing"):
            if not 0 <= getattr(self, name) < 1:
                raise BadName(name, str(getattr(self, name)), "is not a share from 0 to below 1")
        if self.label_smoothing and self.loss != "softmax":
            raise BadName("label_smoothing", str(self.label_smoothing), "works only with the loss softmax")
        # Written so that NaN is refused too.
        if not (0 < self.lr < inf and 0 < self.scale < inf and 0 <= self.n3 < inf):
            raise BadName("option", "lr, scale or n3", "is out of range: lr and scale must be above 0, n3 at least 0")
        self._check_plateau()
        self._check_relation_weight()
        score_functions.get(self.model).checked(self.dim, self.chosen_comparator)

    def _check_plateau(self) -> None:
        if not 0 < self.plateau_factor <= 1:
            raise BadName("plateau_factor", str(self.plateau_factor), "is not above 0 and at most 1")
        if self.plateau_factor < 1 and not self.valid_every:
            raise BadName(
                "plateau_factor", str(self.plateau_factor), "needs evaluations on the valid split, see valid_every"
            )

    def _check_relation_weight(self) -> None:
        if not 0 <= self.relation_weight < inf:
            raise BadName("relation_weight", str(self.relation_weight), "is out of range: it must be at least 0")
        if self.relation_weight and not score_functions.get(self.model).linear:
            linear = ", ".join(function.name for function in score_functions if function.linear)
            raise BadName("relation_weight", str(self.relation_weight), f"works only with the models {linear}")

    @property
    def chosen_comparator(self) -> str:
        """The comparator; the model's default if none was named."""
        return self.comparator or score_functions.get(self.model).comparators[0]

    def facts(self) -> dict[str, Any]:
        """The options by name, as they are stored with the model."""
        return asdict(self) | {"comparator": self.chosen_comparator}

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Training:
        """The training options from ``facts``; names that this version does not know are ignored."""
        known = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in facts.items() if name in known})


def with_defaults(model: str, options: Mapping[str, Any], recipe: str = PAPER) -> Training:
    """Training options; what is not given has the recipe's value, then the model's default, or else the general one.

    Raises:
        UnknownMember: no such model or recipe.
        BadName: an option has an invalid value.
    """
    if recipe not in RECIPES:
        raise UnknownMember("recipe", recipe, tuple(RECIPES))
    values: dict[str, Any] = {**score_functions.get(model).defaults, **RECIPES[recipe], **options}
    return Training(model=model, **values)
