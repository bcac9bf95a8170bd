"""Prepares Neo4j Browser for a graph: its content, its addresses, and the same content as files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

from harmgraph.common.whole_file import write_whole
from harmgraph.graph.address import Address
from harmgraph.graph.browser.guide import GUIDE, findings, guide, guides
from harmgraph.graph.browser.page_server import Served
from harmgraph.graph.browser.pages_port import known
from harmgraph.graph.browser.saved_queries import SavedQuery, archive, saved_queries, saved_query
from harmgraph.graph.browser.state import state
from harmgraph.graph.browser.style import grass
from harmgraph.graph.connection import Graph

STYLE, QUERIES = "style.grass", "saved-queries.zip"
LANDING = "explore/harm_map"
STORE_LETTERS = 16
"""How many of the 64 hexadecimal digits of the database's id are used in links."""


@dataclass(frozen=True, slots=True)
class Workbench:
    """The content for Neo4j Browser, without the password.

    Attributes:
        guide: HTML of the guide as a single file.
        style: the text of a ``.grass`` file.
        queries: the saved queries.
        version, edition: version and edition of the server, for the discovery document.
        store: id of the store, see ``store``; empty if no links are made for it.
        guides: HTML by file name for the page server, with a choice of source.
    """

    guide: str
    style: str
    queries: tuple[SavedQuery, ...]
    version: str
    edition: str
    store: str = ""
    guides: Mapping[str, str] = field(default_factory=dict)

    @property
    def files(self) -> dict[str, bytes]:
        """Content by file name."""
        return {GUIDE: self.guide.encode(), STYLE: self.style.encode(), QUERIES: archive(self.queries)}

    @property
    def pages(self) -> dict[str, bytes]:
        """Content by path, for the page server."""
        served = self.files | {name: html.encode() for name, html in self.guides.items()}
        return {f"/{name}": content for name, content in served.items()}


def workbench(graph: Graph) -> Workbench:
    """Prepares guide, style and saved queries from the current graph.

    Raises:
        GraphError: the graph cannot be read.
    """
    results = findings(graph)
    server = graph.rows("schema/version")[0]
    suggested = {
        "target": results.target,
        "word": results.word,
        **dict(zip(("source", "other"), results.sources, strict=False)),
    }
    return Workbench(
        guide(results),
        grass(),
        saved_queries(suggested),
        str(server["version"]),
        str(server["edition"]),
        store(graph) if graph.address.embedded else "",
        guides(results),
    )


def store(graph: Graph) -> str:
    """The id of the graph's store, which stays the same when the server restarts and differs between stores."""
    return str(graph.rows("schema/store")[0]["store"])[:STORE_LETTERS]


def served_with_browser(bench: Workbench, address: Address, jar: Path) -> Served:
    """Everything that the page server needs to open a connected Neo4j Browser.

    Args:
        jar: the neo4j-browser archive.
    """
    landing = saved_query(LANDING).text
    return Served(
        pages=bench.pages,
        session=state(address, f"/{GUIDE}", bench.queries, landing, bench.store),
        discovery={
            "bolt_direct": address.uri,
            "bolt_routing": address.uri.replace("bolt", "neo4j", 1),
            "neo4j_version": bench.version,
            "neo4j_edition": bench.edition,
        },
        store=bench.store,
        jar=jar,
    )


def served_to(bench: Workbench, address: Address) -> Served:
    """Guide and style for the Neo4j Browser of a user's own server; only that Neo4j Browser may read them."""
    parts = urlsplit(own_browser(address))
    return Served(
        pages=bench.pages,
        discovery={},
        reader=f"{parts.scheme}://{parts.netloc}",
    )


def own_browser(address: Address) -> str:
    """The address of the Neo4j Browser of a user's own server; if unknown, Neo4j's default port on its host."""
    if address.browser:
        return address.browser.rstrip("/") + "/"
    parts = urlsplit(address.uri)
    host = parts.hostname or "localhost"
    host = f"[{host}]" if ":" in host else host
    return f"https://{host}:7473/" if "+s" in parts.scheme else f"http://{host}:7474/"


def prefilled(address: Address, guide_address: str) -> str:
    """The address of the user's own Neo4j Browser with everything filled in except the password."""
    return f"{_connecting(address)}&cmd=guide&arg={guide_address}"


def editing(address: Address, cypher: str) -> str:
    """An address that puts a statement into the editor of the user's own Neo4j Browser without running it.

    It contains no password.
    """
    return f"{_connecting(address)}&cmd=edit&arg={quote(cypher, safe='()*,:/?')}"


def following(store: str, query: str, values: Mapping[str, str | int]) -> str:
    """An address that puts a favourite into the editor of the Neo4j Browser served by ``harmgraph db open``, without running it.

    It uses the port on which the pages of this home were last served. The page there follows the link if it serves the same
    store, even if the ports of the database have changed.

    Args:
        store: id of the store, from ``store``.
        query: name of a favourite, such as ``explore/sentences_of_target``.
        values: values of its parameters.
    """
    return f"{pages()}follow?{urlencode({'store': store, 'query': query, **values}, safe='/', quote_via=quote)}"


def pages() -> str:
    """The address at which ``harmgraph db open`` last served the pages of this home."""
    return f"http://localhost:{known()}/"


def _connecting(address: Address) -> str:
    parts = urlsplit(address.uri)
    server = f"{parts.scheme}://{quote(address.username, safe='')}@{parts.netloc.rpartition('@')[2]}"
    dbms, database = quote(server, safe=":/@%"), quote(address.database, safe="")
    return f"{own_browser(address)}browser/?dbms={dbms}&db={database}"


def write(bench: Workbench, folder: Path) -> tuple[Path, ...]:
    """Writes guide, style and saved queries as files; existing files are replaced.

    Raises:
        NoSpace: the folder cannot be created or written.
    """
    for name, content in bench.files.items():
        write_whole(folder / name, content, remedy="choose another folder with --export")
    return tuple(folder / name for name in bench.files)
