"""Vectors of the entities of any source, by a trained encoder, stored as a model of their own. Imports torch at the top."""

from __future__ import annotations

from harmgraph.common.errors import InputError
from harmgraph.common.progress import Tell, quiet
from harmgraph.graph import schema_setup
from harmgraph.graph.connection import Graph
from harmgraph.models import checkpoint, store
from harmgraph.models.config import EmbeddingConfig
from harmgraph.models.embedding import named_embedding
from harmgraph.models.embedding.graph_model import load_graph_model
from harmgraph.models.embedding.live_vectors import check_vectors, live_vectors
from harmgraph.models.folders import clear
from harmgraph.models.options import CACHED, LIVE
from harmgraph.models.record import CONFIG, FINISHED
from harmgraph.models.subgraph.live_entities import LiveEntities
from harmgraph.models.subgraph.live_graph import LiveGraph
from harmgraph.models.subgraph.subgraph import Subgraph


def encode(
    graph: Graph,
    name: str,
    source: str | None,
    into: str,
    *,
    again: bool = False,
    subgraphs: str = "",
    tell: Tell = quiet,
) -> EmbeddingConfig:
    """Stores the vectors that an encoder gives the entities of a source, and the vectors of its relations.

    The training edges of the source carry the messages. An entity without one has no surroundings: all of these have one vector
    if entities begin with their relations, and ``unmatched`` is their number. What is stored is a table like that of any
    embedding, so evaluation and probes take it.

    Args:
        name: of the model with the encoder.
        source: every source if none is named.
        into: name of the new model.
        again: whether to replace what has this name.
        subgraphs: ``live`` leaves the edges in the graph, see ``live_vectors``; ``cached`` reads them into memory. Empty for what
            the training did.
        tell: is called with each line about entities that begin with nothing of their own, or are otherwise unlike the others.

    Raises:
        NotFound: no such source. UnknownMember: no such model.
        InputError: the model has no encoder, or one without vectors; its training is not finished; a model has the new name; or
            the source has no relation that the model knows.
    """
    known = store.RECORDS.finished(name)
    if not known.encoder:
        raise InputError("has no encoder but a table of entities", where=name, remedy="train one with --encoder")
    if into == name:
        raise InputError("the vectors need another name than the encoder", where=into, remedy="choose one with --as")
    if (store.folder(into) / CONFIG).exists() and not again:
        raise InputError("a model of that name exists", where=into, remedy="--again, or another name")
    choice = named_embedding.GraphPart(source)
    subgraph: Subgraph | LiveGraph
    if subgraphs == LIVE or (known.live and not subgraphs):
        check_vectors(known)
        schema_setup.apply(graph)
        subgraph = choice.live(graph)
        found = live_vectors(name, known, subgraph, LiveEntities.of(subgraph))
        tables, alone, remarks, chosen = found.tables, found.alone, found.remarks, LIVE
    else:
        schema_setup.apply(graph)
        subgraph = choice.read(graph)
        model = load_graph_model(name, known, subgraph, graph=graph)
        tables, alone, remarks, chosen = model.tables(), model.alone, (model.remark,), CACHED
    for remark in filter(None, remarks):
        tell(remark)
    with store.alone(into) as place:
        if (place / CONFIG).exists() and not again:
            raise InputError("a model of that name exists", where=into, remedy="--again, or another name")
        clear(place)
        checkpoint.write_tensors(place / store.TABLES, {"entities": tables.entities, "relations": tables.relations})
        made = EmbeddingConfig(
            state=FINISHED,
            stopped=named_embedding.ENCODED,
            family=tables.model,
            comparator=tables.comparator_name,
            reciprocal=tables.reciprocal,
            dimension=int(tables.entities.shape[1]),
            subgraph=named_embedding.trained_on(subgraph),
            sha256=store.sha256(place / store.TABLES),
            imported={"encoder": name, "weights": str(known.sha256), "subgraphs": chosen},
            matched=len(tables.entity_keys) - alone,
            unmatched=alone,
        )
        store.keep(place, made, keys={"entities": list(tables.entity_keys), "relations": list(tables.relation_names)})
        named_embedding.register(graph, into, made)
    return made
