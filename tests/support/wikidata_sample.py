"""A few entities in the form of Wikidata's JSON dump (doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html)."""

from __future__ import annotations

import json
from typing import Any


def value(kind: str, content: object) -> dict[str, Any]:
    return {"snaktype": "value", "datavalue": {"value": content, "type": kind}}


def item(identifier: str) -> dict[str, Any]:
    kind = {"Q": "item", "P": "property", "L": "lexeme"}[identifier[0]]
    content = {"entity-type": kind, "numeric-id": int(identifier[1:]), "id": identifier}
    return value("wikibase-entityid", content)


def time(when: str, precision: int = 11) -> dict[str, Any]:
    facts = {"timezone": 0, "before": 0, "after": 0, "calendarmodel": "http://www.wikidata.org/entity/Q1985727"}
    return value("time", {"time": when, "precision": precision, **facts})


def quantity(amount: str) -> dict[str, Any]:
    return value("quantity", {"amount": amount, "unit": "1"})


def string(text: str) -> dict[str, Any]:
    return value("string", text)


UNKNOWN, NONE = {"snaktype": "somevalue"}, {"snaktype": "novalue"}


def claim(
    identifier: str, snak: dict[str, Any], rank: str = "normal", **qualifiers: list[dict[str, Any]]
) -> dict[str, Any]:
    made: dict[str, Any] = {"mainsnak": snak, "type": "statement", "id": identifier, "rank": rank}
    if qualifiers:
        made |= {"qualifiers": qualifiers, "qualifiers-order": list(qualifiers)}
    return made


def texts(**said: str) -> dict[str, Any]:
    return {language: {"language": language, "value": one} for language, one in said.items()}


def entity(identifier: str, labels: Any = None, claims: Any = None, **more: Any) -> dict[str, Any]:
    kind = {"Q": "item", "P": "property", "L": "lexeme"}[identifier[0]]
    return {"type": kind, "id": identifier, "labels": labels or [], "claims": claims or [], **more}


ADAMS = entity(
    "Q42",
    texts(en="Douglas Adams", de="Douglas Adams"),
    {
        "P31": [claim("Q42$31", item("Q5"))],
        "P106": [
            claim("Q42$106a", item("Q36180"), "preferred"),
            claim("Q42$106b", item("Q28389")),
            claim("Q42$106c", item("Q33999"), "deprecated"),
        ],
        "P69": [
            claim(
                "Q42$69",
                item("Q691283"),
                P580=[time("+1971-00-00T00:00:00Z", 9)],
                P582=[time("+1974-05-00T00:00:00Z", 10)],
                P812=[item("Q186579"), UNKNOWN],
                P1545=[string("1")],
            )
        ],
        "P569": [claim("Q42$569", time("+1952-03-11T00:00:00Z"))],
        "P2048": [claim("Q42$2048", quantity("+1.96"))],
        "P1559": [claim("Q42$1559", value("monolingualtext", {"text": "Douglas Adams", "language": "en"}))],
        "P625": [claim("Q42$625", value("globecoordinate", {"latitude": 51.5, "longitude": -0.1, "precision": 0.1}))],
        "P345": [claim("Q42$345", string("nm0010930")), claim("Q42$345b", string("nm0010931"))],
        "P26": [claim("Q42$26", UNKNOWN), claim("Q42$26b", NONE)],
        "P140": [claim("Q42$140", item("Q7066"))],
    },
    descriptions=texts(en="English writer", de="Schriftsteller"),
    sitelinks={
        "enwiki": {"site": "enwiki", "title": "Douglas Adams", "badges": []},
        "dewiki": {"site": "dewiki", "title": "Douglas Adams", "badges": []},
    },
)
HUMAN = entity("Q5", texts(mul="human"), {"P279": [claim("Q5$279", item("Q154954"))]})
WRITER = entity("Q36180", texts(de="Schriftsteller", fr="\u00e9crivain"))
ATHEISM = entity("Q7066", texts(en="atheist"))
CITY = entity("Q60", texts(en="New York City"), {"P31": [claim("Q60$31", item("Q515"))]})
OCCUPATION = entity(
    "P106", texts(en="occupation"), {"P31": [claim("P106$31", item("Q18608871"))]}, datatype="wikibase-item"
)
BARE = entity("Q999", [], [], descriptions=[], sitelinks=[])


def dump(*entities: dict[str, Any]) -> str:
    """The array with one entity a line, a comma behind each but the last."""
    return "[\n" + ",\n".join(json.dumps(one, ensure_ascii=False) for one in entities) + "\n]\n"


EVERY = (ADAMS, HUMAN, WRITER, ATHEISM, CITY, OCCUPATION, BARE)
