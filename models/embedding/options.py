"""The training options of an embedding, checked, in a frozen object that is stored with the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from harmgraph.common.errors import BadName, UnknownMember
from harmgraph.common.options import checked, documented, option
from harmgraph.models.embedding.beginning import RELATIONS, TEXT, features
from harmgraph.models.embedding.encoder import encoders
from harmgraph.models.embedding.score_function import score_functions
from harmgraph.models.options import CACHED, ENCODER, LIVE, PRECISIONS

OF_ENCODERS = (
    *("encoder", "layers", "epoch_triples", "composition", "fanout", "subgraphs"),
    *("features", "text_encoder"),
)
"""Options that a model has with an encoder alone."""
OF_FANOUTS = ("fanout", "negatives", "subgraphs")
"""Options that an encoder has with a fan-out alone."""
OF_PLATEAUS = ("plateau_factor", "plateau_patience")
"""Options that an encoder has where its learning rate falls."""
OF_NEUTRALS = ("neutral", "neutral_by", "neutral_weight")
"""Options that a model has only if it is neutral to a relation."""
ADVERSARY, PROJECTION = "adversary", "projection"
COMPOSITIONS = ("sub", "mult", "corr")
LOSSES = ("softmax", "self-adversarial")
OPTIMISERS = ("adagrad", "adam")
COMPARATORS = ("dot", "l2", "l1")

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


@documented
@dataclass(frozen=True, slots=True)
class EmbeddingOptions:
    """Training options. Dimension, negatives, loss and dot product are those of Fisher et al. 2019, section 2.2.

    "We use embeddings of dimension 200, and sample 1000 negative triples per positive, by randomly permuting the lhs or rhs
    entity. We pass the 1000 negatives and single positive through a softmax function, and train using the cross entropy loss."
    The paper names no regulariser. It trained with PyTorch-BigGraph, in which either side has a softmax of its own; so have we.
    It does not say the others: the self-adversarial loss is that of Sun et al. 2019, second vectors of relations and the nuclear
    3-norm are those of Lacroix et al. 2018, and the loss of predicting the relation is equation 3 of Chen et al. 2021.

    Attributes:
        batch: over all processes.
        precision: tables and evaluation are fp32. ``auto`` is that of the checkpoint, or else the best of the device.
        valid_every: with 0, all epochs are trained.
        valid_sample: always the same triples.
    """

    model: str = "transe"
    dim: int = option(200, "Columns of an entity vector; a complex vector has half as many numbers.", least=1)
    negatives: int = option(
        500, "Corrupted triples per positive and side, half of those in all; 0 takes every entity.", least=0
    )
    loss: str = option("softmax", "Loss.", choices=LOSSES)
    comparator: str = option("", "Comparator.", choices=COMPARATORS)
    epochs: int = option(
        50, "Maximum passes over the training triples; a larger number continues a finished training.", least=0
    )
    batch: int = option(1000, "Positive triples per step.", least=1)
    chunk: int = option(0, "Positives that share their negatives; 0 for the whole batch.", least=0)
    lr: float = option(0.1, "Learning rate.", least=0, above=True, flag="learning-rate")
    optimiser: str = option("adagrad", "Optimiser; it updates only the rows that a step uses.", choices=OPTIMISERS)
    reciprocal: bool = option(False, "Predict heads with a second vector per relation.")
    dropout: float = option(0.0, "Share of the columns dropped in each step.", least=0, most=1, below=True)
    n3: float = option(0.0, "Weight of the nuclear 3-norm.", least=0)
    label_smoothing: float = option(0.0, "Share of the target spread over all candidates.", least=0, most=1, below=True)
    margin: float = option(9.0, "Margin of the self-adversarial loss.")
    temperature: float = option(1.0, "Temperature of the self-adversarial loss.")
    relation_weight: float = option(0.0, "Weight of the loss of predicting the relation (Chen et al. 2021).", least=0)
    plateau_factor: float = option(
        1.0, "Multiplies the learning rate on a plateau; 1 keeps it.", least=0, above=True, most=1
    )
    plateau_patience: int = option(1, "Evaluations without a better mean reciprocal rank that make a plateau.", least=1)
    neutral: str = option(
        "",
        "Relation whose value the vectors of people shall not tell, such as gender. Write ^ before it if people are its tails.",
    )
    neutral_by: str = option(
        ADVERSARY,
        "With --neutral: how. The adversary trains people's vectors against the scores of the relation (Fisher et al. 2020). "
        "The projection takes out the directions in which the values differ (Bolukbasi et al. 2016).",
        choices=(ADVERSARY, PROJECTION),
    )
    neutral_weight: float = option(1.0, "With --neutral-by adversary: weight of its loss.", least=0, above=True)
    scale: float = option(0.001, "Standard deviation of the initial values.", least=0, above=True)
    precision: str = option(
        "auto", "Precision of the matrix products; auto is bf16 where the processor has it.", choices=PRECISIONS
    )
    seed: int = option(0, "Random seed.", least=0, most=2**63 - 1)
    valid_every: int = option(5, "Epochs between two evaluations on the valid split; 0 for none.")
    patience: int = option(3, "Stop after this many evaluations without a better mean reciprocal rank.", least=1)
    valid_sample: int = option(5000, "Triples of the valid split in each evaluation.")
    encoder: str = option("", "Passes messages along edges. There is no table of entities.", choices=encoders.names())
    layers: int = option(4, "With --encoder: how often messages are passed.", least=1)
    epoch_triples: int = option(0, "With --encoder: triples of an epoch, drawn at random; 0 for all.", least=0)
    fanout: str = option(
        "", "With --encoder: edges drawn of each entity in each layer, such as 10,10. Otherwise all are taken."
    )
    subgraphs: str = option(
        CACHED,
        "With --fanout: where a batch is drawn. It is a copy of the graph in memory, or the live graph.",
        choices=(CACHED, LIVE),
    )
    features: str = option(
        RELATIONS,
        "With --encoder: what an entity begins with. It is its relations, a learnt vector, its text, or numbers.",
        choices=features.names(),
    )
    text_encoder: str = option(
        ENCODER,
        "With --features text: reads the texts. Hub id, folder, or package that contains a model.",
    )
    composition: str = option(
        "mult", "With --encoder compgcn: how a message is made of neighbour and relation.", choices=COMPOSITIONS
    )

    def __post_init__(self) -> None:
        checked(self)
        if self.encoder:
            self._check_encoder()
        if self.label_smoothing and self.loss != "softmax":
            raise BadName("label_smoothing", str(self.label_smoothing), "works only with the loss softmax")
        if self.plateau_factor < 1 and not self.valid_every:
            raise BadName(
                "plateau_factor", str(self.plateau_factor), "needs evaluations on the valid split, see valid_every"
            )
        if self.neutral and self.relation_weight:
            raise BadName(
                "relation_weight", str(self.relation_weight), "does not work with neutral, whose relation it predicts"
            )
        if self.relation_weight and not score_functions.get(self.model).linear:
            linear = ", ".join(function.name for function in score_functions if function.linear)
            raise BadName("relation_weight", str(self.relation_weight), f"works only with the models {linear}")
        score_functions.get(self.model).checked(self.dim, self.chosen_comparator)

    def _check_encoder(self) -> None:
        if not self.epochs:
            raise BadName("epochs", "0", f"leave nothing to train the encoder {self.encoder}")
        if self.precision == "bf16":
            raise BadName(
                "precision", self.precision, f"does not work with the encoder {self.encoder}, which is in fp32"
            )
        if self.subgraphs == LIVE and self.features != RELATIONS:
            raise BadName(
                "features",
                self.features,
                "does not work with live subgraphs: it is something of each entity, in memory",
            )
        if not self.fanout:
            return
        numbers = self.fanout.split(",")
        if not all(number.isdecimal() and int(number) for number in numbers):
            raise BadName("fanout", self.fanout, "is not valid: give a number from 1 for each layer, such as 10,10")
        if len(numbers) != self.layers:
            raise BadName("fanout", self.fanout, f"has {len(numbers)} numbers for {self.layers} layers")
        if not self.negatives:
            raise BadName("negatives", "0", "do not work with fanout, for which some entities are drawn in each step")

    @property
    def chosen_comparator(self) -> str:
        """The comparator; the model's default if none was named."""
        return self.comparator or score_functions.get(self.model).comparators[0]

    @property
    def fanouts(self) -> tuple[int, ...]:
        """Edges that an entity draws, hop by hop; one hop more is for the relations, if an entity begins with them."""
        numbers = [int(number) for number in self.fanout.split(",")]
        return (*numbers, *(numbers[-1:] if features.get(self.features).by_edges else ()))

    def facts(self) -> dict[str, Any]:
        """The options by name, as they are stored with the model; with an encoder those that it uses."""
        facts = asdict(self) | {"comparator": self.chosen_comparator}
        if self.encoder:
            used = {"encoder", "precision", *encoders.get(self.encoder).options}
            unused = {*(() if self.fanout else OF_FANOUTS), *(() if self.features == TEXT else ("text_encoder",))}
            # Models from before there was a choice have no such option.
            unused |= {"features"} if self.features == RELATIONS else set()
            unused |= set(OF_PLATEAUS) if self.plateau_factor == 1 else set()
            return {name: value for name, value in facts.items() if name in used - unused}
        left_out = {*OF_ENCODERS, *(() if self.neutral else OF_NEUTRALS)}
        left_out |= {"neutral_weight"} if self.neutral_by == PROJECTION else set()
        return {name: value for name, value in facts.items() if name not in left_out}

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> EmbeddingOptions:
        """The training options from ``facts``; names that this version does not know are ignored."""
        known = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in facts.items() if name in known})


def with_defaults(model: str, options: Mapping[str, Any], recipe: str = PAPER) -> EmbeddingOptions:
    """Training options; what is not given has the recipe's value, then the model's or encoder's default, or the general one.

    Raises:
        UnknownMember: no such model, encoder or recipe.
        BadName: an option has an invalid value, or the encoder does not use it, or it is for encoders alone.
    """
    if recipe not in RECIPES:
        raise UnknownMember("recipe", recipe, tuple(RECIPES))
    name = str(options.get("encoder") or "")
    if name:
        encoder = encoders.get(name)
        without = {} if options.get("fanout") else dict.fromkeys(("negatives", "subgraphs"), " without a fanout")
        without |= {} if options.get("features") == TEXT else {"text_encoder": f" without the features {TEXT}"}
        used = {"encoder", "precision", *encoder.options} - without.keys()
        unused = [each for each in options if each not in used]
        if unused or recipe != PAPER:
            why = without.get(unused[0], "") if unused and unused[0] in encoder.options else ""
            raise BadName("option", unused[0] if unused else "recipe", f"is not used by the encoder {name}{why}")
        return EmbeddingOptions(model=model, **{**encoder.defaults, **options})
    alone = [each for each in OF_ENCODERS if options.get(each)]
    if alone:
        raise BadName("option", alone[0], "works only with an encoder")
    beside = [each for each in OF_NEUTRALS[1:] if each in options]
    if beside and not options.get("neutral"):
        raise BadName("option", beside[0], "works only with neutral")
    if options.get("neutral_by") == PROJECTION and "neutral_weight" in options:
        raise BadName("option", "neutral_weight", "does not work with neutral_by projection, which has no loss")
    values: dict[str, Any] = {**score_functions.get(model).defaults, **RECIPES[recipe], **options}
    return EmbeddingOptions(model=model, **values)
