"""What Neo4j Browser keeps in its local storage, prepared so that it starts connected and with a guide.

The keys ``connections``, ``settings``, ``grass``, ``folders`` and ``documents`` are those of Neo4j Browser 5.24.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from graph.address import Address
from graph.browser_style import style
from graph.saved_queries import SavedQuery

DISCOVERED = "$$discovery"


def connections(address: Address) -> dict[str, Any]:
    """The key ``connections``: one active connection. It holds the password."""
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
    "autoComplete": False,  # draw only the relationships that a statement returns: in a map of harm, harms
    "allowCrashReports": False,
    "allowUserStats": False,
}
"""The key ``settings``, but for the command that opens the guide: its address has a port, which the page knows."""


def state(address: Address, guide: str, queries: tuple[SavedQuery, ...], landing: str) -> dict[str, Any]:
    """Everything the start page writes, and where it goes then.

    Args:
        guide: path of the guide on the page server.
        landing: the statement that fills the editor.
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
        # Neo4j Browser decodes the address before it looks for & and #, so these cannot be handed over.
        "landing": "browser/" + ("" if set("&#") & set(landing) else f"?cmd=edit&arg={quote(landing, safe='')}"),
    }
