"""Trains a named model on a source of the graph, stores it on disk and registers it in the graph."""

from __future__ import annotations

import math
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from harmgraph.common.errors import BadName, InputError
from harmgraph.common.progress import Tell, quiet
from harmgraph.common.version import VERSION
from harmgraph.graph import schema_setup
from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import CypherStatement, parse, statement
from harmgraph.models import store
from harmgraph.models.config import EmbeddingConfig, Origin, TrainedOn
from harmgraph.models.embedding.beginning import PROPERTIES, RELATIONS, THREADS, AskedFeatures, features, with_values
from harmgraph.models.embedding.options import EmbeddingOptions
from harmgraph.models.extra import needed
from harmgraph.models.folders import clear
from harmgraph.models.options import LIVE
from harmgraph.models.processor import device_of, torch_threads
from harmgraph.models.record import FINISHED, UNFINISHED, Trained
from harmgraph.models.subgraph.back_end import chosen_back_end
from harmgraph.models.subgraph.live_graph import LiveGraph
from harmgraph.models.subgraph.named_relation import find_relation
from harmgraph.models.subgraph.reader import DEFAULT, read_subgraph
from harmgraph.models.subgraph.split import SHARES, TEST, TRAIN, VALID
from harmgraph.models.subgraph.subgraph import Subgraph
from harmgraph.models.text.arithmetic import chosen_precision

BESIDE = (THREADS, "chosen_on_digest")
"""What is kept of features, and is nothing of the graph that is trained on."""
IMPORTED, ENCODED = "imported", "encoded"
"""Why the training of a model ended that had none here: its vectors are from elsewhere, or an encoder's (``encoding``)."""


@dataclass(frozen=True, slots=True)
class GraphPart:
    """The part of the graph that a model is trained on.

    Attributes:
        source: name of a source; None for all sources.
        statement: selects the triples.
        parameters: of that statement.
        split_seed, shares: of the random split, if the graph has none. ``BadName`` if the shares leave nothing to train on.
        properties: the statement that returns those of entities, with parameters of these names too.
    """

    source: str | None
    statement: CypherStatement = field(default_factory=lambda: statement(DEFAULT))
    parameters: Mapping[str, Any] = field(default_factory=dict)
    split_seed: int = 0
    shares: tuple[float, float] = SHARES
    properties: CypherStatement | None = None

    def __post_init__(self) -> None:
        if sum(self.shares) >= 1:
            shares = " and ".join(f"{share:g}" for share in self.shares)
            raise BadName("shares of valid and test", shares, "leave nothing to train on")

    def read(self, graph: Graph, *, fresh: bool = False) -> Subgraph:
        """The subgraph; see ``models.subgraph.reader.read_subgraph``."""
        return read_subgraph(
            graph,
            self.source,
            query=self.statement,
            parameters=self._of_triples,
            seed=self.split_seed,
            shares=self.shares,
            cache=not fresh,
        )

    @property
    def of_properties(self) -> dict[str, Any]:
        """The parameters that the statement of the properties takes."""
        takes = {each.name for each in self.properties.parameters} if self.properties else set()
        return {name: value for name, value in self.parameters.items() if name in takes}

    @property
    def _of_triples(self) -> dict[str, Any]:
        """The others, and those that both statements take."""
        takes = {each.name for each in self.statement.parameters} | self.parameters.keys() - self.of_properties.keys()
        return {name: value for name, value in self.parameters.items() if name in takes}

    def live(self, graph: Graph) -> LiveGraph:
        """The same as a graph that is not read.

        Raises:
            BadName: other triples are chosen than all of a source. Others as ``LiveGraph.of``.
        """
        if self.statement.name != DEFAULT or self.parameters:
            raise BadName("subgraphs", LIVE, "works only with all triples of a source, without a statement of its own")
        return LiveGraph.of(graph, self.source)


def train(
    graph: Graph,
    name: str,
    choice: GraphPart,
    training: EmbeddingOptions,
    *,
    restart: bool = False,
    fresh: bool = False,
    device: str = "auto",
    threads: int = 0,
    processes: int = 1,
    tell: Tell = quiet,
    each_epoch: Callable[[Mapping[str, Any]], None] | None = None,
    choose_on: str | None = None,
) -> Trained[EmbeddingConfig]:
    """Trains a model, or continues an interrupted training; a finished model is left as it is.

    Args:
        threads: CPU threads; 0 for the faster of one and all, see ``training.trainer.train``.
        processes: how many share each batch.
        tell: is called with the number of threads chosen, and why.
        each_epoch: is called after each epoch with ``epoch``, ``loss``, ``triples_per_second`` and perhaps ``valid_mrr``.
        choose_on: another source, on whose valid triples an encoder's best epoch is chosen.

    Raises:
        MissingExtra: torch is not installed.
        NotFound: no such source, or no relation to be neutral to.
        InputError: nothing to train on, or a model of that name with other options, or no valid triple in ``choose_on``.
        BadName: ``choose_on`` without an encoder, or with a live graph.
        KeyboardInterrupt: after the checkpoint was written.
    """
    needed("torch")
    from harmgraph.models.embedding.training import graph_trainer, trainer

    trains = graph_trainer if training.encoder else trainer
    if bool(choice.properties) != (training.features == PROPERTIES):
        why = (
            "need a statement: --properties" if not choice.properties else "are not used without --features properties"
        )
        raise BadName("features" if not choice.properties else "option", PROPERTIES, why)
    schema_setup.apply(graph)
    subgraph = choice.live(graph) if training.subgraphs == LIVE else choice.read(graph, fresh=fresh)
    training = _with_relation(graph, training, subgraph.relations)
    chosen_on = _chosen_on(graph, choose_on, training, subgraph.relations) if choose_on else None
    with store.alone(name) as place:
        known = None if restart else store.RECORDS.found(name, again=False)
        device = device_of(device) if processes == 1 else "cpu"
        training = _with_precision(training, known, device)
        if known and known.stopped in (IMPORTED, ENCODED):
            raise InputError(f"was {known.stopped}, not trained", where=name, remedy="choose another name, or --again")
        facts: dict[str, Any] = {}
        _check_options(training, subgraph, place, device, processes, chosen_on)
        # Of another training nothing is read: it is refused below.
        if isinstance(subgraph, Subgraph) and training.encoder and not (known and _another(known, training, subgraph)):
            with torch_threads(threads or (int(known.features.get(THREADS, 0)) if known else 0)):
                subgraph, chosen_on, facts = _with_features(graph, choice, training, subgraph, chosen_on, device, tell)
        if restart:
            clear(place)  # not before: reading may have failed
        identity = trainer.identity(training, subgraph, chosen_on, facts)
        if known and known.identity != identity:
            raise InputError(
                _difference(known, training, subgraph, choose_on, facts),
                where=name,
                remedy="train it from the start with --again, or choose another name",
            )
        before = known.epochs or 0 if known else 0
        if known and known.state == FINISHED and (known.stopped == "patience" or before >= training.epochs):
            # The same triples may come from a newer import.
            done = Trained(replace(known, subgraph=trained_on(subgraph)), place, 0)
            store.keep(place, done.config)
        else:
            if not training.encoder and isinstance(subgraph, Subgraph):
                trainer.check(training, subgraph, place, device=device, processes=processes)
            begun = replace(_begun(training, subgraph, identity, device), chosen_on=choose_on, features=facts)
            # Of a live graph no entity is kept: a file of them would grow with it.
            entities = list(subgraph.entities) if isinstance(subgraph, Subgraph) else []
            store.keep(place, begun, keys={"entities": entities, "relations": list(subgraph.relations)})
            try:
                trained = trains.train(
                    subgraph,
                    training,
                    place,
                    device=device,
                    processes=processes,
                    threads=threads,
                    tell=tell,
                    each_epoch=each_epoch,
                    **({"chosen_on": chosen_on} if chosen_on else {}),
                    **({"features": facts} if facts else {}),
                )
            finally:
                if not known and not (place / trainer.CHECKPOINT).exists():
                    clear(place)  # nothing was trained: other options may use the name
            finished = replace(
                begun,
                state=FINISHED,
                stopped=trained.stopped,
                epochs=trained.epochs,
                best_epoch=trained.best_epoch or None,
                threads=trained.threads,
                valid_mrr=trained.best_mrr if trained.best_epoch and math.isfinite(trained.best_mrr) else None,
                sha256=store.sha256(place / (store.WEIGHTS if training.encoder else store.TABLES)),
            )
            store.keep(place, finished, trained.history)
            done = Trained(finished, place, trained.epochs - before)
        register(graph, name, done.config)
    return done


def _check_options(
    training: EmbeddingOptions,
    subgraph: Subgraph | LiveGraph,
    place: Path,
    device: str,
    processes: int,
    chosen_on: Subgraph | None,
) -> None:
    """Checks that a training is possible, before texts are read, which may take minutes, and before a model is discarded."""
    from harmgraph.models.embedding.training import graph_trainer, trainer

    if training.encoder:
        graph_trainer.check(training, subgraph, place, device=device, processes=processes, chosen_on=chosen_on)
    elif isinstance(subgraph, Subgraph):
        trainer.check_options(training, subgraph, device=device, processes=processes)


def _chosen_on(graph: Graph, source: str, training: EmbeddingOptions, relations: Sequence[str]) -> Subgraph:
    """The graph on whose valid triples the best epoch is chosen."""
    if not training.encoder:
        raise BadName("option", "choose_on", "works only with an encoder: a table has no row for other entities")
    if training.subgraphs == LIVE:
        raise BadName("option", "choose_on", "does not work with live subgraphs")
    subgraph = read_subgraph(graph, source)
    known = [place for place, name in enumerate(subgraph.relations) if name in relations]
    if not np.isin(subgraph.relation[subgraph.split == VALID], known).any():
        raise InputError(
            f"the source {source} has no valid triple of a relation that is trained on", remedy="leave out --choose-on"
        )
    return subgraph


def _with_features(
    graph: Graph,
    choice: GraphPart,
    training: EmbeddingOptions,
    subgraph: Subgraph,
    chosen_on: Subgraph | None,
    device: str,
    tell: Tell,
) -> tuple[Subgraph, Subgraph | None, dict[str, Any]]:
    """Both graphs with what their entities begin with, and what is kept of the features."""
    kind = features.get(training.features)
    asked = AskedFeatures(
        subgraph=subgraph,
        graph=graph,
        text_encoder=training.text_encoder,
        statement=choice.properties,
        parameters=choice.of_properties,
        keys=subgraph.entities,
        device=device,
    )
    kept, own = kind.chosen(asked)
    facts = {**kept, **({"digest": own.digest} if own.digest else {})}
    if own.remark:
        tell(own.remark)
    subgraph = with_values(subgraph, own)
    if chosen_on is not None:
        other = kind.read(replace(asked, subgraph=chosen_on), facts)
        chosen_on = with_values(chosen_on, other)
        facts |= {"chosen_on_digest": other.digest} if other.digest else {}
    return subgraph, chosen_on, facts


def _with_relation(graph: Graph, training: EmbeddingOptions, trained: Sequence[str]) -> EmbeddingOptions:
    """The options with the type of the relation that a word names, among those that are trained on if they have it."""
    if not training.neutral:
        return training
    relation = find_relation(graph.rows("probe/relations"), training.neutral, trained)
    return replace(training, neutral=f"{'^' if relation.inverse else ''}{relation.type}")


def _with_precision(training: EmbeddingOptions, known: EmbeddingConfig | None, device: str) -> EmbeddingOptions:
    """The options with the precision that is computed in: of a model that stands its own, unless another is asked for."""
    if training.encoder:
        return replace(training, precision="fp32")
    own = known.precision if known else ""
    chosen = own if own and training.precision == "auto" else chosen_precision(training.precision, device)
    return replace(training, precision=chosen)


def register(graph: Graph, name: str, known: EmbeddingConfig) -> None:
    """Writes the ``Model`` node of a model whose tables are stored."""
    facts: dict[str, Any] = {"comparator": known.comparator, "dimension": known.dimension, "valid_mrr": known.valid_mrr}
    store.register(graph, name, known.family, known.sha256, known.imports, **facts)


def _begun(training: EmbeddingOptions, subgraph: Subgraph | LiveGraph, identity: str, device: str) -> EmbeddingConfig:
    torch = needed("torch")
    return EmbeddingConfig(
        state=UNFINISHED,
        family=training.encoder or training.model,
        comparator="" if training.encoder else training.chosen_comparator,
        reciprocal=training.reciprocal,
        dimension=training.dim,
        identity=identity,
        training=training.facts(),
        subgraph=trained_on(subgraph),
        versions={
            **{"harmgraph": VERSION, "torch": str(torch.__version__), "python": platform.python_version()},
            **({"message_passing": chosen_back_end(device).name} if training.encoder else {}),
        },
    )


def trained_on(subgraph: Subgraph | LiveGraph) -> TrainedOn:
    """What a model's ``config.json`` says about its subgraph; of a live one no digest, for its edges were not read."""
    if isinstance(subgraph, LiveGraph):
        place = subgraph.place
        return TrainedOn(
            origin=subgraph.origin,
            entities=place["entities"],
            relations=len(place["relations"]),
            train=place["train"],
            valid=place["valid"],
            test=place["test"],
            split_by="graph" if place["valid"] or place["test"] else "none",
        )
    train, valid, test = (int((subgraph.split == code).sum()) for code in (TRAIN, VALID, TEST))
    return TrainedOn(
        origin=subgraph.origin,
        entities=len(subgraph.entities),
        relations=len(subgraph.relations),
        train=train,
        valid=valid,
        test=test,
        split_by=subgraph.split_by,
        duplicates=subgraph.duplicates,
        digest=subgraph.digest,
    )


def _kind(encoder: str) -> str:
    return f"the encoder {encoder}" if encoder else "a table of entities"


def _another(known: EmbeddingConfig, training: EmbeddingOptions, subgraph: Subgraph) -> bool:
    """Whether the stored model has other options, or was trained on another state of the graph."""
    return bool(_changed(known, training)) or (known.subgraph is not None and known.subgraph.digest != subgraph.digest)


def _changed(known: EmbeddingConfig, training: EmbeddingOptions) -> list[str]:
    """The options in which the stored model differs from the requested one."""
    usual = {"features": RELATIONS, "plateau_factor": 1.0, "plateau_patience": 1} if training.encoder else {}
    before, now = usual | dict(known.training), usual | training.facts()
    return [
        f"{name} {before.get(name)} (now {value})"
        for name, value in now.items()
        if name != "epochs" and before.get(name) != value
    ]


def _difference(
    known: EmbeddingConfig,
    training: EmbeddingOptions,
    subgraph: Subgraph | LiveGraph,
    choose_on: str | None,
    facts: Mapping[str, Any],
) -> str:
    """How the stored model differs from the requested one."""
    if known.encoder != training.encoder:
        return f"a model of that name was trained with {_kind(known.encoder)} (now {_kind(training.encoder)})"
    changed = _changed(known, training)
    moved = isinstance(subgraph, LiveGraph) and known.imports != subgraph.origin.imports
    if moved or (known.subgraph.digest if known.subgraph else None) != trained_on(subgraph).digest:
        changed.append("another state of the graph")
    elif not changed and (other := _other_features(known.features, facts)):
        changed.append(other)
    if known.chosen_on != choose_on:
        changed.append(f"the choice of its best epoch on {known.chosen_on or 'its own valid triples'}")
    # Edges of a live graph are drawn otherwise than by earlier versions.
    otherwise = "other draws of edges" if isinstance(subgraph, LiveGraph) else "other options"
    return f"a model of that name was trained with {', '.join(changed) or otherwise}"


def _other_features(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """In what the entities begin otherwise; empty if that is nothing, or something of the graph that chooses alone."""
    if before.get("text_encoder_digest") != now.get("text_encoder_digest"):
        return "other weights of the text encoder"
    kept = [{name: value for name, value in one.items() if name not in BESIDE} for one in (before, now)]
    return "" if kept[0] == kept[1] else "other texts or properties of the entities"


def same_subgraph(graph: Graph, known: EmbeddingConfig, name: str) -> Subgraph:
    """The subgraph that a model was trained on, read again.

    Raises:
        InputError: the model was not trained on a graph, its source was imported again since, or the triples changed.
        NotFound: its source is gone.
    """
    origin = known.origin
    if known.subgraph is None or origin is None:
        raise InputError("does not belong to a source of the graph", where=name, remedy="import it with --source")
    valid, test = origin.shares or SHARES
    subgraph = read_subgraph(
        graph,
        origin.source,
        query=parse(origin.statement, origin.text),
        parameters=origin.parameters,
        seed=origin.seed,
        shares=(valid, test),
    )
    # Of a live graph there is no digest: its imports alone say what it was.
    moved = _moved(origin, subgraph.origin)
    if moved if known.subgraph.digest is None else known.subgraph.digest != subgraph.digest:
        raise InputError(
            f"was trained on another state of the graph: {moved or 'the triples changed since'}",
            where=name,
            remedy="train it again",
        )
    return subgraph


def _moved(before: Origin, now: Origin | None) -> str:
    """Which source was imported again, in words; empty if none was."""
    imports = now.imports if now else {}
    moved = [source for source in {**imports, **before.imports} if before.imports.get(source) != imports.get(source)]
    if not moved:
        return ""
    ids = f"{before.imports.get(moved[0], 'no import')} then, {imports.get(moved[0], 'no import')} now"
    return f"the source {moved[0]!r} was imported again since ({ids})"


def same_live(graph: Graph, known: EmbeddingConfig, name: str) -> LiveGraph:
    """The graph that a model was trained on, which stays in Neo4j.

    Raises:
        InputError: the model was not trained on a graph, or a statement or a random split chose the triples, or its source was
            imported again since.
        NotFound: its source is gone.
    """
    origin, subgraph = known.origin, known.subgraph
    if subgraph is None or origin is None:
        raise InputError("does not belong to a source of the graph", where=name, remedy="import it with --source")
    others = {key for key in origin.parameters if key != "source"}
    if origin.statement != DEFAULT or others or subgraph.split_by not in ("graph", "none"):
        chosen = "a random split" if origin.statement == DEFAULT else origin.statement
        raise InputError(
            f"was trained on the triples that {chosen} chose, which live subgraphs cannot tell from the others",
            where=name,
            remedy="give --subgraphs cached",
        )
    live = LiveGraph.of(graph, origin.source)
    if moved := _moved(origin, live.origin):
        raise InputError(f"was trained on another state of the graph: {moved}", where=name, remedy="train it again")
    return live
