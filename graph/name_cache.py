"""Names of what stands in the graph, kept beside it so that a shell completes them without asking a server.

One JSON file in harmgraph's home, with the names of each server apart. A connection renews those of its server when it is closed
after it wrote, so no command has to think of it (see ``Graph.close``). What is here may be out of date: it serves completion
alone, and no command decides by it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from typing import Any

from harmgraph.graph.address import Address, from_environment
from harmgraph.graph.common.errors import HarmgraphError
from harmgraph.graph.common.home import home
from harmgraph.graph.common.whole_file import beside

FILE = "names.json"
KINDS = ("sources", "targets", "categories", "measures")
MOST = 20_000
"""Names of one kind that are kept: a shell shows no more of them."""
FRESH_SECONDS = 600
"""So long nothing is asked again for a command that only reads: others may have loaded into a server that is shared."""


def known(kind: str) -> tuple[str, ...]:
    """The names of a kind (one of ``KINDS``) on the server that a command would use now; none where nothing is known."""
    try:
        names = _read().get(_place(from_environment()), {}).get(kind, [])
    except HarmgraphError:  # no home, or no address: a shell that completes has no place for a message
        return ()
    return tuple(name for name in names if isinstance(name, str)) if isinstance(names, list) else ()


def is_fresh(address: Address) -> bool:
    """Whether the names of a server were read within ``FRESH_SECONDS``."""
    read_at = _read().get(_place(address), {}).get("read_at")
    return isinstance(read_at, int | float) and 0 <= time.time() - read_at < FRESH_SECONDS


def keep(address: Address, names: Iterable[Sequence[str]]) -> None:
    """Keeps the names of a server.

    Args:
        names: those of each of ``KINDS``, in their order.

    Raises:
        OSError: they cannot be written.
    """
    _write(address, dict(zip(KINDS, names, strict=True)) | {"read_at": time.time()})


def forget(address: Address | None) -> None:
    """Forgets the names of a server; of the embedded one where None.

    Raises:
        OSError: the file cannot be written.
    """
    if _place(address) in _read():
        _write(address, None)


def _place(address: Address | None) -> str:
    """Where the names of a server stand; the embedded one has another port each time."""
    if address is None or address.embedded:
        return "embedded"
    return f"{address.uri} {address.database}"


def _read() -> dict[str, dict[str, Any]]:
    """What is kept; nothing where the file is missing or damaged: the next command that writes makes it anew."""
    try:
        cache = json.loads((home() / FILE).read_text(encoding="utf-8"))
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
