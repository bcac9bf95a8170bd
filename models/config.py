"""``config.json`` of a trained model: what is known of it. It is written from ``EmbeddingConfig.facts``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from harmgraph.models.record import FORM


@dataclass(frozen=True, slots=True)
class Origin:
    """What the triples were read from; ``subgraph.reader`` compares it with the graph.

    Attributes:
        statement, text, parameters: name and text of the statement that selected the triples, and its parameters.
        source: name of the source; None for every source.
        imports: the import of each source.
        size: numbers of the graph that changed with its nodes.
        seed, shares: of the random split; no shares if a file does not say them.
    """

    statement: str
    text: str
    parameters: Mapping[str, Any]
    source: str | None = None
    imports: Mapping[str, str] = field(default_factory=dict)
    size: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    shares: tuple[float, ...] = ()

    def facts(self) -> dict[str, Any]:
        """The facts by name, as they are stored."""
        return asdict(self) | {"shares": list(self.shares)}


@dataclass(frozen=True, slots=True)
class TrainedOn:
    """The subgraph that a model was trained on.

    Attributes:
        origin: None if the triples were not read from a graph.
        digest: of entities, relations and edges; None if a file does not say it.
        entities, relations, train, valid, test: how many of each. duplicates: how many edges were repeated.
        split_by: where the split comes from.
    """

    origin: Origin | None
    entities: int
    relations: int
    train: int
    valid: int
    test: int
    split_by: str = ""
    duplicates: int = 0
    digest: str | None = None

    def facts(self) -> dict[str, Any]:
        """The facts by name, as they are stored."""
        return _facts(self) | {"origin": self.origin.facts() if self.origin else {}}


@dataclass(frozen=True, slots=True)
class EmbeddingConfig:
    """What is known of a trained or imported model.

    Attributes:
        state: ``training`` or ``finished``.
        family, comparator, reciprocal, dimension: of its tables; the family is the name of the score function, or of the encoder,
            which has no comparator.
        identity: digest of everything that determines the result of the training. training: its options by name.
        subgraph: None for imported vectors whose keys belong to no source.
        versions: of the packages that trained it.
        stopped: why the training ended, ``epochs`` or ``patience``; ``imported`` if it was trained elsewhere, ``encoded`` if an
            encoder made its vectors.
        epochs, best_epoch, threads, valid_mrr: of a finished training; no ``best_epoch`` and ``valid_mrr`` if valid was
            not evaluated.
        sha256: digest of the file of the tables.
        features: what is kept of what entities begin with, see ``embedding.beginning.Features.chosen``.
        chosen_on: the source on whose valid triples an encoder's best epoch was chosen, if that is another than that of the
            training.
        imported: the imported files, or which encoder made the vectors. matched, unmatched: entities of the source with and
            without a vector.
    """

    state: str
    family: str
    comparator: str
    reciprocal: bool
    dimension: int
    form: int = FORM
    identity: str | None = None
    training: Mapping[str, Any] = field(default_factory=dict)
    subgraph: TrainedOn | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    stopped: str | None = None
    epochs: int | None = None
    best_epoch: int | None = None
    threads: int | None = None
    valid_mrr: float | None = None
    sha256: str | None = None
    imported: Mapping[str, str] = field(default_factory=dict)
    matched: int | None = None
    unmatched: int | None = None
    chosen_on: str | None = None
    features: Mapping[str, Any] = field(default_factory=dict)

    @property
    def origin(self) -> Origin | None:
        """What its triples were read from; None if they were not read from a graph."""
        return self.subgraph.origin if self.subgraph else None

    @property
    def source(self) -> str | None:
        """The source it was trained on; None for every source, and for a model of no source."""
        return self.origin.source if self.origin else None

    @property
    def imports(self) -> Mapping[str, str]:
        """The import of each source it was trained on."""
        return self.origin.imports if self.origin else {}

    @property
    def encoder(self) -> str:
        """The name of its encoder; empty for tables."""
        return str(self.training.get("encoder", ""))

    @property
    def live(self) -> bool:
        """Whether its training, or the encoder that made its vectors, left the edges in the graph."""
        return "live" in (self.training.get("subgraphs"), self.imported.get("subgraphs"))

    @property
    def precision(self) -> str:
        """Of the training; empty if it was trained elsewhere, or before precisions could be chosen."""
        return str(self.training.get("precision", ""))

    def facts(self) -> dict[str, Any]:
        """The content of the file; what has no value is left out."""
        stored = {name: value for name, value in _facts(self).items() if value is not None and value != {}}
        stored["subgraph"] = self.subgraph.facts() if self.subgraph else {}
        if self.epochs is not None:
            stored["valid_mrr"] = self.valid_mrr  # null says that valid was not evaluated
        return stored


def _facts(record: TrainedOn | EmbeddingConfig) -> dict[str, Any]:
    return {each.name: getattr(record, each.name) for each in fields(record)}
