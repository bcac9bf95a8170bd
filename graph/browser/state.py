"""The content of Neo4j Browser's local storage, prepared so that it starts connected and with a guide.

The keys ``connections``, ``settings``, ``grass``, ``folders`` and ``documents`` are those of Neo4j Browser 5.24.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from harmgraph.graph.address import Address
from harmgraph.graph.browser.saved_queries import SavedQuery, addressed, favourites, filled
from harmgraph.graph.browser.style import style
from harmgraph.graph.statements import statement

DISCOVERED = "$$discovery"


def connections(address: Address) -> dict[str, Any]:
    """The key ``connections``: one active connection, including the password."""
    return {
        "allConnectionIds": [DISCOVERED],
        "connectionsById": {
            DISCOVERED: {
                "id": DISCOVERED,
                "name": DISCOVERED,
                "type": "bolt",
                "host": address.uri,
                "username": address.username,
                "password": address.password,
                "db": address.database,
                "requestedUseDb": address.database,
                "supportsMultiDb": True,
                "authEnabled": True,
                "authenticationMethod": "NATIVE",
            }
        },
        "activeConnection": DISCOVERED,
        "connectionState": 0,
        "lastUpdate": 0,
        "useDb": None,
        "lastUseDb": None,
    }


SETTINGS: dict[str, Any] = {
    "showSampleScripts": False,
    "autoComplete": False,  # draw only the relationships that a statement returns
    "useReadTransactions": True,  # a link or a favourite of somebody else changes nothing, even when it is run
    "allowCrashReports": False,
    "allowUserStats": False,
}
"""The key ``settings``, without the command that opens the guide: the start page adds it, since it knows the port."""


def landing_of(link: Mapping[str, str]) -> str | None:
    """The address that a link leads to: Neo4j Browser with a favourite in its editor.

    Args:
        link: ``query``, the name of a favourite such as ``explore/harm_map``, and values of its parameters.

    Returns:
        The address, or None if there is no such favourite or a value does not have its parameter's type.
    """
    name = link.get("query", "")
    if name not in favourites():
        return None
    query = statement(name)
    try:
        values = {
            parameter.name: TYPES[parameter.type](link[parameter.name])
            for parameter in query.parameters
            if parameter.name in link
        }
    except (KeyError, ValueError):
        return None
    return landing(filled(query, values))


def landing(cypher: str) -> str:
    """The address of Neo4j Browser with a statement in its editor, relative to the start page."""
    return f"browser/?cmd=edit&arg={quote(addressed(cypher), safe='')}"


TYPES: Mapping[str, Callable[[str], str | int | float]] = {"string": str, "int": int, "float": float}
"""The types of parameters that a link may set."""


def state(address: Address, guide: str, queries: tuple[SavedQuery, ...], first: str, store: str = "") -> dict[str, Any]:
    """Everything that the start page writes to local storage, and the address that it opens next.

    Args:
        guide: path of the guide on the page server.
        first: the statement to put into the editor.
        store: id of the store, so that links made for another store are not followed.
    """
    folders = sorted({query.folder for query in queries})
    ids = {folder: folder.replace(" ", "-") for folder in folders}
    return {
        "connections": connections(address),
        "settings": SETTINGS,
        "guide": guide,
        "grass": style(),
        "folders": [{"id": ids[folder], "name": folder} for folder in folders],
        "documents": [{"id": query.id, "content": query.text, "folder": ids[query.folder]} for query in queries],
        "landing": landing(first),
        "store": store,
    }
