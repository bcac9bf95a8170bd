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
from harmgraph.models.folders import clear
from harmgraph.models.record import CONFIG, FINISHED


def encode(
    graph: Graph, name: str, source: str | None, into: str, *, again: bool = False, tell: Tell = quiet
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
        tell: is called with a line about entities that begin with nothing of their own.

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
    schema_setup.apply(graph)
    subgraph = named_embedding.GraphPart(source).read(graph)
    model = load_graph_model(name, known, subgraph, graph=graph)
    if model.remark:
        tell(model.remark)
    tables, alone = model.tables(), model.alone
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
            imported={"encoder": name, "weights": str(known.sha256)},
            matched=len(subgraph.entities) - alone,
            unmatched=alone,
        )
        store.keep(place, made, keys={"entities": list(tables.entity_keys), "relations": list(tables.relation_names)})
        named_embedding.register(graph, into, made)
    return made
