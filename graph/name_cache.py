"""A cache of names in the graph, so that the shell can complete them without asking a server.

The cache is a JSON file in harmgraph's home with the names of each server. A connection that wrote updates the names of its
server when it is closed (see ``Graph.close``), so commands need not do it. The names may be out of date: they are used for
completion only.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from typing import Any

from harmgraph.common.errors import HarmgraphError
from harmgraph.common.home import home
from harmgraph.common.json_text import from_json
from harmgraph.common.whole_file import beside
from harmgraph.graph.address import Address, from_environment

FILE = "names.json"
KINDS = ("sources", "targets", "categories", "measures", "lists")
MOST = 20_000
"""The maximum number of names of one kind."""
FRESH_SECONDS = 600
"""After this time, commands that only read update the names too, since others may have loaded into a shared server."""


def known(kind: str) -> tuple[str, ...]:
    """The names of a kind (one of ``KINDS``) on the server that a command would use now; empty if none are known."""
    try:
        names = _read().get(_place(from_environment()), {}).get(kind, [])
    except HarmgraphError:  # no home or no address: completion cannot show an error
        return ()
    return tuple(name for name in names if isinstance(name, str)) if isinstance(names, list) else ()


def is_fresh(address: Address) -> bool:
    """Whether the names of a server were read within ``FRESH_SECONDS``."""
    read_at = _read().get(_place(address), {}).get("read_at")
    return isinstance(read_at, int | float) and 0 <= time.time() - read_at < FRESH_SECONDS


def keep(address: Address, names: Iterable[Sequence[str]]) -> None:
    """Saves the names of a server.

    Args:
        names: the names of each kind, in the order of ``KINDS``.

    Raises:
        OSError: they cannot be written.
    """
    _write(address, dict(zip(KINDS, names, strict=True)) | {"read_at": time.time()})


def forget(address: Address | None) -> None:
    """Deletes the names of a server; of the embedded server if None.

    Raises:
        OSError: the file cannot be written.
    """
    if _place(address) in _read():
        _write(address, None)


def _place(address: Address | None) -> str:
    """The key of a server in the cache; the port of the embedded server changes, so it has a fixed key."""
    if address is None or address.embedded:
        return "embedded"
    return f"{address.uri} {address.database}"


def _read() -> dict[str, dict[str, Any]]:
    """The content of the cache; empty if the file is missing or damaged, since it is written again later."""
    try:
        cache = from_json((home() / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(cache, dict):
        return {}
    return {place: names for place, names in cache.items() if isinstance(names, dict)}


def _write(address: Address | None, names: dict[str, Any] | None) -> None:
    cache = _read()
    cache.pop(_place(address), None)
    if names is not None:
        cache[_place(address)] = names
    with beside(home() / FILE) as part:
        part.write_text(json.dumps(cache, ensure_ascii=True), encoding="utf-8")
