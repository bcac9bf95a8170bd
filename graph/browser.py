"""Neo4j Browser on a graph: what it is given, where it opens, and the same as files for by hand."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit

from graph.address import Address
from graph.browser_commands import PORT
from graph.browser_guide import findings, guide
from graph.browser_server import Served
from graph.browser_state import state
from graph.browser_style import grass
from graph.connection import Graph
from graph.errors import NoSpace
from graph.saved_queries import SavedQuery, archive, saved_queries, saved_query

GUIDE, STYLE, QUERIES = "guide.html", "style.grass", "saved-queries.zip"
LANDING = "explore/harm_map"


@dataclass(frozen=True, slots=True)
class Workbench:
    """What Neo4j Browser is given. It holds no password.

    Attributes:
        guide: HTML.
        style: the text of a ``.grass`` file.
        queries: the saved queries.
        version, edition: of the server, for the discovery document.
    """

    guide: str
    style: str
    queries: tuple[SavedQuery, ...]
    version: str
    edition: str

    @property
    def files(self) -> dict[str, bytes]:
        """File name to content."""
        return {GUIDE: self.guide.encode(), STYLE: self.style.encode(), QUERIES: archive(self.queries)}


def workbench(graph: Graph) -> Workbench:
    """Prepares guide, style and saved queries from the graph as it stands.

    Raises:
        GraphError: the graph cannot be read.
    """
    found = findings(graph)
    server = graph.rows("schema/version")[0]
    suggested = {"target": found.target, **dict(zip(("source", "other"), found.sources, strict=False))}
    return Workbench(guide(found), grass(), saved_queries(suggested), str(server["version"]), str(server["edition"]))


def served_with_browser(bench: Workbench, address: Address, jar: Path) -> Served:
    """All that the page server needs to open a connected Neo4j Browser.

    Args:
        jar: the neo4j-browser archive.
    """
    landing = saved_query(LANDING).text
    return Served(
        pages={f"/{name}": content for name, content in bench.files.items()},
        session=state(address, f"/{GUIDE}", bench.queries, landing),
        discovery={
            "bolt_direct": address.uri,
            "bolt_routing": address.uri.replace("bolt", "neo4j", 1),
            "neo4j_version": bench.version,
            "neo4j_edition": bench.edition,
        },
        jar=jar,
    )


def served_to(bench: Workbench, address: Address) -> Served:
    """Guide and style for the Neo4j Browser of a user's own server, and readable by it alone."""
    parts = urlsplit(own_browser(address))
    return Served(
        pages={f"/{name}": content for name, content in bench.files.items()},
        discovery={},
        reader=f"{parts.scheme}://{parts.netloc}",
    )


def own_browser(address: Address) -> str:
    """Where the Neo4j Browser of a user's own server is: as known, else Neo4j's default port on its host."""
    if address.browser:
        return address.browser.rstrip("/") + "/"
    parts = urlsplit(address.uri)
    host = parts.hostname or "localhost"
    host = f"[{host}]" if ":" in host else host
    return f"https://{host}:7473/" if "+s" in parts.scheme else f"http://{host}:7474/"


def prefilled(address: Address, guide_address: str) -> str:
    """The address of the user's own Neo4j Browser with all filled in but the password."""
    return f"{_connecting(address)}&cmd=guide&arg={guide_address}"


def editing(address: Address, cypher: str) -> str:
    """An address that puts a statement into the editor of Neo4j Browser, not run. It holds no password.

    Of the embedded server, whose password nobody types, it is the Neo4j Browser that ``harmgraph db open`` serves and logs in;
    of a user's own server its own Neo4j Browser.
    """
    start = f"http://localhost:{PORT}/browser/?" if address.embedded else f"{_connecting(address)}&"
    return f"{start}cmd=edit&arg={quote(cypher, safe='()*,:/?')}"


def _connecting(address: Address) -> str:
    parts = urlsplit(address.uri)
    server = f"{parts.scheme}://{quote(address.username, safe='')}@{parts.netloc.rpartition('@')[2]}"
    dbms, database = quote(server, safe=":/@%"), quote(address.database, safe="")
    return f"{own_browser(address)}browser/?dbms={dbms}&db={database}"


def write(bench: Workbench, folder: Path) -> tuple[Path, ...]:
    """Writes guide, style and saved queries as files; those of an earlier time are replaced.

    Raises:
        NoSpace: the folder cannot be made or written.
    """
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in bench.files.items():
            (folder / name).write_bytes(content)
            written.append(folder / name)
    except OSError as error:
        raise NoSpace(
            f"cannot be written ({error.strerror})",
            where=str(folder),
            remedy="choose another folder with --export",
        ) from error
    return tuple(written)
