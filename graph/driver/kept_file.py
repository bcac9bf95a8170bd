"""The files of rows that were computed once: in the home's folder ``cache``, each of one state of one graph.

Each row set says until when it stays: until one of some parts of the graph changes, or until anything does. A command that can
prove that it alone wrote carries those on whose parts it did not change (``graph.driver.own_writes``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Set
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harmgraph.common.errors import HarmgraphError
from harmgraph.common.home import home
from harmgraph.common.json_text import from_json
from harmgraph.common.private import make_folder
from harmgraph.common.whole_file import beside

Rows = list[list[Any]]
COUNTS_OF_TARGETS, WHOLE_GRAPH = FILES = ("target-counts.json", "whole-graph.json")
GRAPH = "graph"
"""What changes by any write."""
PARTS = frozenset({"triples", "labels", "targets", "records"})
"""The parts that a writing statement may name as all that it changes, in its header line ``changes:``.

triples: relationships with a source, their ends, their weights, and the names of relations; labels: of triples and sentences,
with the texts that were scored; targets: their lists, and the links of concepts and sentences to them; records: what harmgraph
notes beside, such as runs, models, what probes found, and the facts of sources.
"""
_BESIDE = frozenset({"until", "the", "and", "change", "changes"})


@dataclass(frozen=True, slots=True)
class Kept:
    """Rows, and the parts of the graph that they were computed from; ``GRAPH`` among them stands for all."""

    rows: Rows
    until: frozenset[str]


def parts(note: str) -> frozenset[str]:
    """The parts that a header line names: ``until triples and labels change``; ``GRAPH`` if it names anything else or none."""
    named = frozenset(re.findall(r"\w+", note)) - _BESIDE
    return named if named and named <= PARTS else frozenset({GRAPH})


def key_of(state: str, username: str | None, facts: Any) -> str:
    """What rows are kept under.

    Args:
        state: of the graph, see ``Graph.state``.
        username: who reads; a server may show its users different parts.
        facts: rows of ``measure/state``, as a restored copy may come to the same number.
    """
    return json.dumps([asked_of(state, username), facts])


def asked_of(state: str, username: str | None) -> str:
    """The state of the graph, and who reads it."""
    return json.dumps([state, username])


def place(file: str) -> Path:
    """Where a file of ``FILES`` is.

    Raises:
        NoSpace: there is no home.
    """
    return home() / "cache" / file


def read(file: str, form: int, key: str) -> dict[str, Kept]:
    """The rows that are kept under a key, by name; none if the file is missing, damaged or of another key or form."""
    content = _content(file)
    return _rows(content) if (content.get("form"), content.get("key")) == (form, key) else {}


def write(file: str, form: int, key: str, rows: Mapping[str, Kept]) -> None:
    """Keeps these rows, and no others.

    Raises:
        NoSpace, OSError: the file cannot be written.
        TypeError: a value is not of JSON.
    """
    kept = {name: {"until": sorted(one.until), "rows": one.rows} for name, one in rows.items()}
    content = json.dumps({"form": form, "key": key, "rows": kept})
    make_folder(place(file).parent)
    with beside(place(file)) as part:
        part.write_text(content, encoding="utf-8")


def is_any() -> bool:
    """Whether anything is kept of any state."""
    with suppress(HarmgraphError):
        return any(place(file).is_file() for file in FILES)
    return False


def standing(key: str) -> bool:
    """Whether anything is kept under a key."""
    return any(_content(file).get("key") == key for file in FILES)


def carry(before: str, after: str, changed: Set[str]) -> None:
    """Keeps under another key what is kept under one, but for rows of parts that changed.

    Raises:
        NoSpace, OSError: a file cannot be written.
    """
    for file in FILES:
        content = _content(file)
        if content.get("key") != before:
            continue
        still = {name: one for name, one in _rows(content).items() if not one.until & {GRAPH, *changed}}
        if still:
            write(file, content["form"], after, still)


def _content(file: str) -> dict[str, Any]:
    """What the file holds; empty if it is missing or damaged, as the rows can be computed again."""
    with suppress(HarmgraphError, OSError, ValueError):
        content = from_json(place(file).read_text(encoding="utf-8"))
        if isinstance(content, dict) and isinstance(content.get("rows"), dict):
            return content
    return {}


def _rows(content: Mapping[str, Any]) -> dict[str, Kept]:
    """The row sets of a file by name, without those that are damaged."""
    found = {name: _kept(value) for name, value in content["rows"].items()}
    return {name: kept for name, kept in found.items() if kept}


def _kept(value: Any) -> Kept | None:
    """What was written of some rows; None if it is damaged, or of an earlier form."""
    if not isinstance(value, dict):
        return None
    rows, until = value.get("rows"), value.get("until")
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        return None
    if not isinstance(until, list) or not until or not all(isinstance(part, str) for part in until):
        return None
    return Kept(rows, frozenset(until))
