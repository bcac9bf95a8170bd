"""Reads the statements of an entity in Wikidata's JSON as triples, with ranks, qualifiers and other values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from harmgraph.common.errors import BadRecord
from harmgraph.graph.records import Entity, Record, Rejection, RelationLabel, Scalar, Skip, Triple
from harmgraph.loader.formats.importer import BadLine, rejected
from harmgraph.loader.wikidata.ids import entity, is_property, text
from harmgraph.loader.wikidata.names import describe, part
from harmgraph.loader.wikidata.values import (
    ENTITY,
    KINDS,
    entity_id,
    qualifier_properties,
    qualifiers_of,
    text_or_number,
)

RANKS = ("preferred", "normal", "deprecated")
Statement = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ChosenStatements:
    """What to read of an entity.

    Attributes:
        properties: properties to keep; empty for all.
        around: statements of the chosen ranks that an entity must have; otherwise its statements are left out.
        languages: of names, the preferred first.
        ranks: ``best``, ``valid`` or ``all``.
        qualifiers: qualifiers that become properties of the relationship.
        literals: properties whose values of the best rank, whatever ``ranks`` is, become properties of the entity.
    """

    properties: frozenset[str]
    around: tuple[tuple[str, str], ...]
    languages: tuple[str, ...]
    ranks: str
    qualifiers: tuple[str, ...]
    literals: tuple[str, ...]


class EntityReader:
    """Reads the entities of a line."""

    def __init__(self, chosen: ChosenStatements, file: str, line: int) -> None:
        self._chosen = chosen
        self._file = file
        self._line = line

    def records(self, body: Mapping[str, Any]) -> Iterator[Record]:
        """The triples of an entity, then its name and facts, then what cannot be read and what is left out."""
        identifier = body.get("id")
        if not isinstance(identifier, str):
            raise BadLine("no entity: its id is missing")
        head = entity(identifier)
        statements = part(body, "claims" if "claims" in body else "statements")
        left: Counter[str] = Counter()
        bad: list[Rejection] = []
        literals: dict[str, Scalar] = {}
        facts, problems = describe(body, self._chosen.languages)
        bad += [self._rejection(problem, identifier) for problem in problems]
        if self._wanted(statements):
            for name, several in statements.items():
                yield from self._triples(head, name, several, literals, left, bad)
        elif statements:
            around = ", ".join(f"{name}={value}" for name, value in self._chosen.around)
            left[f"statement of an entity without {around}"] = sum(map(_length, statements.values()))
        name = str(facts.pop("name", ""))
        properties = facts | literals
        if name or properties:
            yield Entity(head.key, name, properties, self._line)
        if name and is_property(identifier):
            yield RelationLabel(identifier, name, self._line)
        yield from bad
        yield from (Skip(self._line, reason, count) for reason, count in left.items() if count)
        if not (name or properties or bad or statements):
            yield Skip(self._line, "entity without names and statements")

    def _wanted(self, statements: Mapping[str, Any]) -> bool:
        return all(value in self._values(statements.get(name)) for name, value in self._chosen.around)

    def _values(self, several: object) -> Iterator[str]:
        """The values that are entities, of a property's statements of the chosen ranks."""
        if not isinstance(several, list):
            return
        best = _best(several)
        for statement in several:
            try:
                value = statement["mainsnak"]["datavalue"]
                if value["type"] == ENTITY and not _left_out(_rank(statement), best, self._chosen.ranks):
                    yield entity_id(value["value"])
            except (KeyError, TypeError, AttributeError, BadRecord):
                continue  # it is rejected when it is read as a triple

    def _triples(
        self,
        head: Entity,
        name: str,
        several: object,
        literals: dict[str, Scalar],
        left: Counter[str],
        bad: list[Rejection],
    ) -> Iterator[Triple]:
        chosen = self._chosen
        if not is_property(name) or not isinstance(several, list):
            bad.append(self._rejection(BadLine("a property without a list of statements"), f"{head.key} {name}"))
            return
        wanted = not chosen.properties or name in chosen.properties
        if not wanted and name not in chosen.literals:
            left["another property"] += len(several)
            return
        best = _best(several)
        for statement in several:
            try:
                rank = _rank(statement)
                reason = _left_out(rank, best, chosen.ranks)
                if reason:
                    left[reason] += 1
                else:
                    triple = self._triple(head, name, statement, rank, best, wanted, literals, left)
                    if triple:
                        yield triple
            except BadRecord as problem:
                bad.append(self._rejection(problem, f"{head.key} {name}"))

    def _triple(
        self,
        head: Entity,
        name: str,
        statement: Statement,
        rank: str,
        best: str,
        wanted: bool,
        literals: dict[str, Scalar],
        left: Counter[str],
    ) -> Triple | None:
        snak = statement.get("mainsnak")
        if not isinstance(snak, dict):
            raise BadLine("a statement without its main value")
        if snak.get("snaktype") in ("somevalue", "novalue"):
            left["unknown value" if snak["snaktype"] == "somevalue" else "no value"] += 1
            return None
        datavalue = snak.get("datavalue")
        if not isinstance(datavalue, dict):
            raise BadLine("a statement without its value")
        kind = datavalue.get("type")
        if kind == ENTITY:
            if not wanted:
                left["another property"] += 1
                return None
            properties = qualifier_properties(qualifiers_of(statement, left), self._chosen.qualifiers)
            if rank != "normal":
                properties["rank"] = rank
            assertion = text(statement.get("id") or "", "id of a statement", 200)
            return Triple(head, name, entity(entity_id(datavalue.get("value"))), assertion, properties, self._line)
        if name in self._chosen.literals and kind in KINDS:
            # A triple can have its rank as a property, a value of an entity cannot: only the best rank is kept.
            reason = _left_out(rank, best, "best")
            if reason:
                left[reason] += 1
            elif name in literals:
                left["further value of an entity's property"] += 1
            else:
                literals[name] = text_or_number(datavalue)
        else:
            left[f"value is not an entity ({kind if kind in KINDS else 'of another type'})"] += 1
        return None

    def _rejection(self, problem: BadRecord, where: str) -> Rejection:
        return rejected(self._file, self._line, problem, where)


def _length(several: object) -> int:
    return len(several) if isinstance(several, list) else 1


def _rank(statement: object) -> str:
    if not isinstance(statement, dict) or statement.get("rank", "normal") not in RANKS:
        raise BadLine("a statement without a known rank")
    return str(statement.get("rank", "normal"))


def _left_out(rank: str, best: str, ranks: str) -> str:
    """Why ``--ranks`` leaves out a statement of a rank; empty if it does not."""
    if rank == "deprecated" and ranks != "all":
        return "deprecated rank"
    return "not of the best rank" if ranks == "best" and rank != best else ""


def _best(several: list[Any]) -> str:
    """The best rank among statements: preferred, else normal; empty if all are deprecated."""
    ranks = [statement.get("rank", "normal") for statement in several if isinstance(statement, dict)]
    return next((rank for rank in RANKS[:2] if rank in ranks), "")
