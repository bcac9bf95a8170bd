"""Values of Wikidata that are not entities, and qualifiers, as plain text and numbers."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from harmgraph.common.options import Option
from harmgraph.graph.records import Scalar
from harmgraph.loader.formats.importer import BadLine
from harmgraph.loader.wikidata.ids import entity, text, wikidata_property

ENTITY = "wikibase-entityid"
KINDS = ("string", "monolingualtext", "time", "quantity", "globecoordinate")
YEAR, MONTH, DAY = 9, 10, 11  # precision of a time
PREFIXES = {"item": "Q", "property": "P", "lexeme": "L"}
_TIME = re.compile(r"[+-][0-9]{1,16}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z")
QUALIFIERS = Option("qualifiers", "", "qualifiers that become properties of the relationship, such as P580,P582")


def entity_id(value: object) -> str:
    """The id in a value of type ``wikibase-entityid``; old dumps have a number without the letter.

    Raises:
        BadLine: there is no valid id.
    """
    if not isinstance(value, dict):
        raise BadLine("the value of a statement is not an object")
    identifier = value.get("id")
    if identifier is None:
        prefix, number = PREFIXES.get(str(value.get("entity-type")), ""), value.get("numeric-id")
        identifier = f"{prefix}{number}" if isinstance(number, int | str) else ""
    if not isinstance(identifier, str):
        raise BadLine("the id of an entity is not a text")
    entity(identifier)
    return identifier


def text_or_number(datavalue: Mapping[str, Any]) -> str | float:
    """A value as text or a number; of an entity its id.

    A day is ``1952-03-11``, a year ``1952``; coarser times keep Wikidata's form with its precision. A quantity is a number
    without its unit. A coordinate is ``latitude,longitude``.

    Raises:
        BadLine: the value does not have the form of its type.
    """
    kind, value = datavalue.get("type"), datavalue.get("value")
    if kind == ENTITY:
        return entity_id(value)
    if kind == "string":
        return text(value, "value")
    if isinstance(value, dict):
        if kind == "monolingualtext":
            return text(value.get("text"), "value")
        if kind == "time":
            return _time(text(value.get("time"), "time", 100), value.get("precision"))
        if kind == "quantity":
            return _number(value.get("amount"))
        if kind == "globecoordinate":
            return f"{_number(value.get('latitude'))},{_number(value.get('longitude'))}"
    raise BadLine("a value that does not have the form of its type")


def _time(time: str, precision: object) -> str:
    if not _TIME.fullmatch(time):
        raise BadLine(f"{time[:40]!r} is not a time, such as +1952-03-11T00:00:00Z")
    date = time.removeprefix("+").partition("T")[0]
    end = {DAY: None, MONTH: -3, YEAR: -6}.get(precision if isinstance(precision, int) else 0, 0)
    return f"{time}/{str(precision)[:4]}" if end == 0 else date[:end]


def _number(amount: object) -> float:
    try:
        number = float(amount) if isinstance(amount, str | int | float) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise BadLine(f"{str(amount)[:40]!r} is not a number")
    return number


def qualifier_properties(pairs: Sequence[tuple[str, str]], chosen: Sequence[str]) -> dict[str, Scalar]:
    """Qualifiers as properties of a relationship.

    Args:
        pairs: property and value of each qualifier, in order.
        chosen: qualifiers that become properties of the relationship; several values are joined by `` | ``.

    Returns:
        ``qualifiers``, a JSON object with the values of each, and the chosen ones; empty if there is no qualifier.
    """
    if not pairs:
        return {}
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    properties: dict[str, Scalar] = {"qualifiers": json.dumps(values, ensure_ascii=False)}
    properties |= {name: " | ".join(values[name]) for name in chosen if name in values}
    return properties


def qualifiers_of(statement: Mapping[str, Any], left: Counter[str]) -> list[tuple[str, str]]:
    """The property and value of each qualifier of a statement; ``somevalue`` and ``novalue`` are kept as values.

    Args:
        left: counts what is left out, by reason: values of unknown types.

    Raises:
        BadLine: they do not have the form of the dump.
    """
    qualifiers = statement.get("qualifiers") or {}
    if not isinstance(qualifiers, dict):
        raise BadLine("the qualifiers are not an object")
    order = statement.get("qualifiers-order")
    names = list(qualifiers)
    if isinstance(order, list):
        names.sort(key=lambda name: order.index(name) if name in order else len(order))
    pairs = []
    for name in names:
        snaks = qualifiers[name]
        if not isinstance(snaks, list):
            raise BadLine("the values of a qualifier are not a list")
        wikidata_property(name)
        for snak in snaks:
            value = _snak(snak)
            if value is None:
                left["qualifier of another type"] += 1
            else:
                pairs.append((name, value))
    return pairs


def _snak(snak: object) -> str | None:
    """The value of a qualifier; None if harmgraph does not know its type."""
    if not isinstance(snak, dict):
        raise BadLine("the value of a qualifier is not an object")
    if snak.get("snaktype") in ("somevalue", "novalue"):
        return str(snak["snaktype"])
    datavalue = snak.get("datavalue")
    if not isinstance(datavalue, dict):
        raise BadLine("a qualifier without a value")
    kind = datavalue.get("type")
    if isinstance(kind, str) and kind not in (ENTITY, *KINDS):
        return None
    value = text_or_number(datavalue)
    return f"{value:.15g}" if isinstance(value, float) else value
