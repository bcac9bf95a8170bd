"""Options of a training of a populator."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from harmgraph.common.errors import BadName
from harmgraph.common.options import checked, documented, option
from harmgraph.models.options import CACHED, LIVE
from harmgraph.models.population.neighbours import DIRECTIONS

SEPARATORS = ("sep", "none", "added")
FILTERS = ("both", "influence", "agreement", "none")
PSEUDO = ("teacher", "candidates", "plausible_above", "implausible_below", "filters", "passes", "pseudo_epochs")
"""The options of a model that learns from pseudo-labels."""
SPECIAL = ("neighbours", "drawn", "judged", "hops", "subgraphs", "separators", "as_released", *PSEUDO)
"""Options that only some models have."""


@documented
@dataclass(frozen=True, slots=True)
class PopulatorRecipe:
    """Options of a training; the defaults are those of Fang et al. 2021, section 6.2 and C.1, where it has them.

    Attributes:
        neighbours: ``out`` is equation (1) of C.2, ``both`` is equation (2).
        judged: drawn with the seed.
        separators: the encoder's own as in section 6.1; with an added token, relations are tokens too.
        batch: ``accumulate`` pieces of it are computed one by one, and their gradients are added.
        tokens: of the rest the longest text is cut.
        seed: of draws, order, dropout and the output layer.
        teacher: training goes on from it.
        filters: of the labels: by influence on the loss of the valid triples, by agreement under dropout.
        pseudo_epochs: the other epochs are on the labelled triples.
    """

    neighbours: str = option(
        "both", "out: edges that leave a node; both: also those that enter it.", choices=DIRECTIONS
    )
    drawn: int = option(4, "Neighbours drawn of each end of a triple.", least=1)
    judged: int = option(4, "Neighbours drawn in an evaluation. 0 takes all.", least=0)
    hops: int = option(1, "Hops of neighbours; 0 for none, 2 also for theirs.", least=0, most=2)
    subgraphs: str = option(
        CACHED,
        "live: neighbours are drawn in Neo4j; cached: the graph is read into memory.",
        choices=(CACHED, LIVE),
    )
    separators: str = option(
        "sep",
        "What is between head, relation and tail: the encoder's separator, nothing (released in 2021), or added tokens (2022).",
        choices=SEPARATORS,
    )
    teacher: str = option("", "pseudoreasoner: the trained kgbert that labels the candidates.")
    candidates: str = option("", "pseudoreasoner: unlabelled triples, such as candidates.tsv.")
    plausible_above: float = option(0.9, "pseudoreasoner: least probability of a plausible candidate.", least=0, most=1)
    implausible_below: float = option(
        0.1, "pseudoreasoner: greatest probability of an implausible candidate.", least=0, most=1
    )
    filters: str = option("both", "pseudoreasoner: what selects among the teacher's labels.", choices=FILTERS)
    passes: int = option(5, "pseudoreasoner: number of passes with dropout that must agree.", least=1)
    pseudo_epochs: int = option(1, "pseudoreasoner: number of first epochs, on the candidates.", least=1)
    as_released: bool = option(False, "Neighbours as in the code released with the paper.")
    frozen: bool = option(False, "Train only the output layer.")
    epochs: int = option(3, "Maximum epochs; a larger number continues a finished training.", least=1)
    patience: int = option(2, "Stop after this many epochs without a better AUC on the valid examples.", least=1)
    batch: int = option(32, "Triples per step.", least=1)
    accumulate: int = option(1, "Compute each step in this many pieces, to save memory.", least=1)
    learning_rate: float = option(5e-5, "Learning rate.", least=0, above=True)
    tokens: int = option(64, "Maximum tokens per passage.", least=8)
    seed: int = option(0, "Random seed.", least=0)

    def __post_init__(self) -> None:
        checked(self)
        if not self.implausible_below < self.plausible_above:
            raise BadName(
                "thresholds",
                f"{self.implausible_below:g} and {self.plausible_above:g}",
                "are not probabilities, the one for implausible below the other",
            )
        if self.as_released and self.hops != 1:
            raise BadName("hops", str(self.hops), "does not go with --as-released, which has one")
        if self.subgraphs == LIVE and self.as_released:
            raise BadName(
                "subgraphs", LIVE, "does not go with --as-released, which draws an edge several times: leave one out"
            )
        if self.subgraphs == LIVE and self.neighbours != DIRECTIONS[0]:
            raise BadName(
                "subgraphs",
                LIVE,
                f"does not go with --neighbours {self.neighbours}, as edges are drawn both ways: leave one out",
            )
        if self.teacher and self.pseudo_epochs >= self.epochs:
            raise BadName(
                "epochs", str(self.epochs), "leave none for the labelled triples: give more than --pseudo-epochs"
            )

    def special(self) -> tuple[str, ...]:
        """The options that only some models have and that are not at their defaults."""
        plain = PopulatorRecipe()
        return tuple(name for name in SPECIAL if getattr(self, name) != getattr(plain, name))

    def lasting(self) -> dict[str, Any]:
        """What makes two trainings the same; more epochs continue a training."""
        return {name: value for name, value in asdict(self).items() if name not in ("epochs", "patience")}
