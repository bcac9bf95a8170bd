"""The commonsense relations between events, as Fang et al. 2021 write them (tables 6 and 11): of ATOMIC, GLUCOSE and others."""

from __future__ import annotations

from types import MappingProxyType

RELATIONS = (
    *("xWant", "oWant", "gWant", "xEffect", "oEffect", "gEffect", "xReact", "oReact", "gReact"),
    *("xAttr", "xIntent", "xNeed", "Causes", "xReason", "isBefore", "isAfter", "HinderedBy", "HasSubEvent"),
)
"""Trained models and the files of population know a relation by its place: the order stays."""
AGENT, THEME, GENERAL = (tuple(name for name in RELATIONS if name[0] == letter) for letter in "xog")
"""About causes and effects on PersonX, on PersonY, and on anyone. The person is the subject of a tail that has none."""
SENTENCES = tuple(name for name in RELATIONS if name not in (*AGENT, *THEME, *GENERAL))
ATOMIC = tuple(sorted({*AGENT, *THEME} - {"xReason"}))
"""The relations of the first ATOMIC (Sap et al. 2019)."""
_SPELLINGS = MappingProxyType(
    {name.lower(): name for name in RELATIONS}
    | {f"general {name[1:].lower()}": name for name in GENERAL}
    | {"hassubevents": "HasSubEvent"}
)


def relation_name(name: str) -> str | None:
    """The name of a relation as in table 11, whatever its capitals: ``general Effect`` is ``gEffect``; None if unknown."""
    return _SPELLINGS.get(" ".join(name.split()).lower())
