"""The question that a probe answers, resolved against the graph: relations, values, objects with their counts, people."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harmgraph.common.errors import InputError, NotFound
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import normalise
from harmgraph.graph.statements import CypherStatement, statement
from harmgraph.models.probing.literals import Condition, is_condition
from harmgraph.models.subgraph.keys import FORMS
from harmgraph.models.subgraph.named_relation import Relation, find_relation

LEAST_PEOPLE = 2

SENSITIVE, OBJECTIVE = "P21", "P106"
"""The types in the statements of ``cypher/probe``, which are replaced by the chosen ones."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in the user's words.

    Attributes:
        relation, object_relation: a preset, a type, or a relation's own name or label; ^ before it if people are the tails.
        a, b: values by key or name; ``b`` None for all others. Or conditions on a literal, such as ``<1950``: then ``relation``
            is its property, such as P569.
        weighted: weight the other values by their number of people.
        min_count: minimum people with an object, both sides together.
        source, split: count only in this source, and in this split.
    """

    relation: str
    a: str
    b: str | None = None
    object_relation: str = "profession"
    weighted: bool = False
    min_count: int = 20
    source: str | None = None
    split: str | None = None


@dataclass(frozen=True, slots=True)
class SensitiveValue:
    """A value of the sensitive relation, and how many people have it."""

    key: str
    name: str
    people: int


@dataclass(frozen=True, slots=True)
class Object:
    """An object, and how many people of each side have it."""

    key: str
    name: str
    count_a: int
    count_b: int


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question resolved against the graph.

    Attributes:
        others: what ``a`` is compared with: one value, or all except ``a``. rest: whether it is all others.
        people: the values of everyone who has one, by the person's key.
        holders: the keys of the people who have an object, by the object's key; empty unless requested.
        cypher: the statement that counted the objects, for pasting into Neo4j Browser.
        source: it was counted in; None for every source.
        literal: whether the values are conditions on a literal, which have no vector.
        unclear: people whose literal is not known well enough to say on which side they are.
    """

    relation: Relation
    object_relation: Relation
    a: SensitiveValue
    others: tuple[SensitiveValue, ...]
    rest: bool
    weighted: bool
    objects: tuple[Object, ...]
    people: Mapping[str, tuple[str, ...]]
    holders: Mapping[str, tuple[str, ...]]
    cypher: str = ""
    source: str | None = None
    literal: bool = False
    unclear: int = 0

    @property
    def b(self) -> str:
        """Key of the second value, * for all others."""
        return "*" if self.rest else self.others[0].key

    @property
    def b_name(self) -> str:
        """Its name."""
        return "all others" if self.rest else self.others[0].name


def ask(graph: Graph, asked: Asked, *, trained: Collection[str] = (), holders: bool = False) -> Question:
    """Resolves a question against the graph.

    Args:
        trained: the relation types that the models know; they are preferred if a name has several meanings.
        holders: also read who has which object.

    Raises:
        NotFound: no such relation or value; the message lists similar names.
        InputError: a name has several meanings, there are no people, or no object has enough of them.
    """
    relations = graph.rows("probe/relations")
    if is_condition(asked.a) or is_condition(asked.b or ""):
        return _ask_literal(graph, asked, find_relation(relations, asked.object_relation, trained), holders=holders)
    relation = find_relation(relations, asked.relation, trained)
    objective = find_relation(relations, asked.object_relation, trained)
    where = {"source": asked.source, "split": asked.split}
    types = {SENSITIVE: relation.type, OBJECTIVE: objective.type}

    def typed(name: str) -> CypherStatement:
        return statement(name).with_types(types)

    values = [
        SensitiveValue(row["entity"], row["name"] or row["entity"], row["people"])
        for row in graph.rows(typed("probe/values"), inverse=relation.inverse, **where)
    ]
    if sum(value.people for value in values) < LEAST_PEOPLE:
        inside = f" of {asked.source}" if asked.source else ""
        raise InputError(
            f"fewer than {LEAST_PEOPLE} people{inside} have a value of {relation.name}",
            remedy="choose another --relation, --source or --split",
        )
    a = find_value(values, asked.a, relation)
    others = (
        tuple(value for value in values if value != a) if asked.b is None else (find_value(values, asked.b, relation),)
    )
    if not others:
        raise InputError(f"{relation.name} has no value other than {a.name}", remedy="choose another --relation")
    second = None if asked.b is None else others[0].key
    inverse = {"inverse": relation.inverse, "object_inverse": objective.inverse}
    counting = typed("probe/objects")
    arguments = {"a": a.key, "b": second, "min_count": asked.min_count, **inverse, **where}
    objects = _objects(graph, counting, arguments, objective)
    people = {
        row["person"]: tuple(row["values"])
        for row in graph.rows(typed("probe/people"), inverse=relation.inverse, **where)
    }
    held = _holders(graph, objective, objects, where) if holders else {}
    return Question(
        relation=relation,
        object_relation=objective,
        a=a,
        others=others,
        rest=asked.b is None,
        weighted=asked.weighted,
        objects=objects,
        people=people,
        holders=held,
        cypher=counting.pasteable(arguments),
        source=asked.source,
    )


def _holders(
    graph: Graph, objective: Relation, objects: Sequence[Object], where: Mapping[str, str | None]
) -> dict[str, tuple[str, ...]]:
    """The keys of the people who have each object, by the object's key."""
    holding = statement("probe/holders").with_types({OBJECTIVE: objective.type})
    keys = [item.key for item in objects]
    rows = graph.rows(holding, objects=keys, object_inverse=objective.inverse, **where)
    return {row["entity"]: tuple(row["people"]) for row in rows}


def _ask_literal(graph: Graph, asked: Asked, objective: Relation, *, holders: bool) -> Question:
    """The question about people on two sides of a date or a number; see ``ask``.

    Raises:
        BadName: only one of the values is a condition.
        NotFound: nobody has the literal.
        InputError: somebody is on both sides, or a side or the objects have too few people.
    """
    first = Condition.read(asked.a)
    second = None if asked.b is None else Condition.read(asked.b)
    rows = graph.rows("probe/literals", property=asked.relation, source=asked.source)
    if not rows:
        raise NotFound(
            "literal",
            asked.relation,
            (),
            remedy="load it with 'harmgraph load wikidata-json --literals', and name its property",
        )
    sides: tuple[list[str], list[str]] = ([], [])
    unclear = 0
    for row in rows:
        in_a = first.holds(row["value"])
        in_b = second.holds(row["value"]) if second else None if in_a is None else not in_a
        if in_a is None or in_b is None:
            unclear += 1
        elif in_a and in_b:
            raise InputError(
                f"{row['person']} with {row['value']} is on both sides of {asked.relation}",
                remedy="give --a and --b that exclude each other",
            )
        elif in_a or in_b:
            sides[in_b].append(row["person"])
    b_text = second.text if second else f"not {first.text}"
    a, b = (SensitiveValue(text, text, len(side)) for text, side in zip((first.text, b_text), sides, strict=True))
    for value in (a, b):
        if value.people < LEAST_PEOPLE:
            raise InputError(f"{value.people} people have {asked.relation} {value.name}", remedy="choose another bound")
    where = {"source": asked.source, "split": asked.split}
    counting = statement("probe/objects_of_people").with_types({OBJECTIVE: objective.type})
    arguments = {
        "people_a": sides[0],
        "people_b": sides[1],
        "min_count": asked.min_count,
        "object_inverse": objective.inverse,
        **where,
    }
    objects = _objects(graph, counting, arguments, objective)
    return Question(
        relation=Relation(asked.relation, asked.relation, inverse=False),
        object_relation=objective,
        a=a,
        others=(b,),
        rest=False,
        weighted=asked.weighted,
        objects=objects,
        people={person: (value.key,) for value, side in zip((a, b), sides, strict=True) for person in side},
        holders=_holders(graph, objective, objects, where) if holders else {},
        cypher=counting.pasteable(arguments),
        source=asked.source,
        literal=True,
        unclear=unclear,
    )


def _objects(
    graph: Graph, counting: CypherStatement, arguments: Mapping[str, Any], objective: Relation
) -> tuple[Object, ...]:
    """The objects that a statement counts.

    Raises:
        InputError: none has enough people.
    """
    objects = tuple(
        Object(row["entity"], row["name"] or row["entity"], row["count_a"], row["count_b"])
        for row in graph.rows(counting, **arguments)
    )
    if not objects:
        raise InputError(
            f"no object of {objective.name} has {arguments['min_count']} or more of these people",
            remedy="lower --min-count, or choose another --object-relation",
        )
    return objects


def find_value(values: Sequence[SensitiveValue], word: str, relation: Relation) -> SensitiveValue:
    """The value with a key or a name.

    Raises:
        NotFound: there is none; the message lists similar names.
        InputError: the name is that of several.
    """
    keys = {form(word) for form in FORMS}
    matches = [value for value in values if value.key in keys]
    matches = matches or [value for value in values if value.name == word]
    matches = matches or [value for value in values if normalise(value.name) == normalise(word)]
    if len(matches) > 1:
        shown = ", ".join(f"{value.key} ({value.people:,} people)" for value in matches[:5])
        raise InputError(f"the value {word!r} of {relation.name} may be {shown}", remedy="name it by its key")
    if not matches:
        raise NotFound(f"value of {relation.name}", word, [value.name for value in values])
    return matches[0]


def find_object(question: Question, word: str) -> str:
    """The key of the object with a key or a name; see ``find_value``."""
    known = [SensitiveValue(item.key, item.name, item.count_a + item.count_b) for item in question.objects]
    return find_value(known, word, question.object_relation).key
