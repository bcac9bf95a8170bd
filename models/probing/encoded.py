"""Encodes a question in the ids of a model, and counts what the model does not know."""

from __future__ import annotations

import numpy as np

from harmgraph.common.errors import InputError, NotFound
from harmgraph.graph.connection import Graph
from harmgraph.models.config import EmbeddingConfig
from harmgraph.models.embedding.tables import Tables
from harmgraph.models.probing.probe import NO_ID, EncodedQuestion, Side
from harmgraph.models.probing.question import LEAST_PEOPLE, Question
from harmgraph.models.subgraph.named_relation import Relation

NO_SIDE = Side(NO_ID)


def check_import(graph: Graph, known: EmbeddingConfig, name: str) -> None:
    """Checks that the sources of a model have not changed since it was trained.

    Raises:
        InputError: a source is gone, or was imported again since.
    """
    now = {row["name"]: row["import_id"] for row in graph.rows("probe/imports")}
    for source, import_id in known.imports.items():
        if source not in now:
            raise InputError(f"was trained on the source {source!r}, which is not in the graph", where=name)
        if import_id and now[source] != import_id:
            raise InputError(
                f"was trained on another import of {source!r} ({import_id} then, {now[source]} now)",
                where=name,
                remedy="train it again",
            )


def encode(tables: Tables, question: Question) -> tuple[EncodedQuestion, dict[str, int]]:
    """The question in ids, and how many objects, people and other values have no vector.

    Raises:
        NotFound: the model does not know a relation.
        InputError: the model does not know a value, any object, or enough people.
    """
    name = tables.name
    ids = tables.entity_ids
    for value in () if question.literal else (question.a, *(() if question.rest else question.others)):
        if value.key not in ids:
            raise InputError(
                f"has no vector for {value.name} ({value.key})", where=name, remedy="is it trained on this source?"
            )
    others = [value for value in question.others if question.literal or value.key in ids]
    objects = [item for item in question.objects if item.key in ids]
    people = sorted(person for person in question.people if person in ids)
    if not others or not objects or len(people) < LEAST_PEOPLE:
        raise InputError(
            f"has vectors for {len(others):,} other values, {len(objects):,} objects and {len(people):,} people: too few",
            where=name,
            remedy="is it trained on this source?",
        )
    values = [question.people[person] for person in people]
    second = {value.key for value in others}
    place = {person: at for at, person in enumerate(people)}
    weights = np.array([value.people if question.weighted else 1 for value in others], np.float64)
    encoded = EncodedQuestion(
        tables=tables,
        sensitive=NO_SIDE if question.literal else _side(tables, question.relation, name),
        objective=_side(tables, question.object_relation, name),
        a=ids.get(question.a.key, NO_ID),
        b=tuple(ids.get(value.key, NO_ID) for value in others),
        weights=tuple((weights / weights.sum()).tolist()),
        objects=np.array([ids[item.key] for item in objects], np.int64),
        people=np.array([ids[person] for person in people], np.int64),
        with_a=np.array([at for at, held in enumerate(values) if question.a.key in held], np.int64),
        with_b=np.array([at for at, held in enumerate(values) if second.intersection(held)], np.int64),
        counts=np.array([(item.count_a, item.count_b) for item in objects], np.int64).reshape(-1, 2),
        holds=np.array(
            [
                (place[person], at)
                for at, item in enumerate(objects)
                for person in question.holders.get(item.key, ())
                if person in place
            ],
            np.int64,
        ).reshape(-1, 2),
        keys=tuple(item.key for item in objects),
        names=tuple(item.name for item in objects),
    )
    left_out = {
        "objects": len(question.objects) - len(objects),
        "people": len(question.people) - len(people),
        "values": len(question.others) - len(others),
    }
    return encoded, left_out


def _side(tables: Tables, relation: Relation, name: str) -> Side:
    if relation.type not in tables.relation_ids:
        raise NotFound("relation", relation.type, tables.relation_ids, remedy=f"the model {name} was not trained on it")
    return Side(tables.relation_ids[relation.type], relation.inverse)
