"""A small web server on the loopback interface: Neo4j Browser's files, guide and style, and a start page that logs in.

The password is protected in these ways:
- it is sent only once, in answer to a POST with the one-time token; no page, guide or address contains it;
- requests must be addressed to ``localhost`` (other host names that resolve to the loopback are refused), and the POST must
  come from our own page; no other origin may read an answer, except that the user's own Neo4j Browser may read guide and
  style;
- the server listens on ``localhost`` on both IPv4 and IPv6, so that no other program can answer there;
- only members of the Neo4j Browser archive and a few named pages are served: no path leads to a file on disk.

The links in a report lead to ``/follow``. A link names the store that it was made for, and a statement of ``cypher/`` with its
values. If this server serves that store, the link is followed; otherwise the answer says what to do.
"""

from __future__ import annotations

import json
import re
import threading
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from importlib import resources
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from harmgraph.common.loopback import OWN_POLICY, TOKEN_HEADER, TYPES, LoopbackHandler, LoopbackServer, media_type
from harmgraph.graph.browser.guide import ORIGIN
from harmgraph.graph.browser.state import landing_of

SHARED = re.compile(r"/guide(-\d+)?\.html|/style\.grass")
"""The only pages that a Neo4j Browser of another origin may be allowed to read."""
START_PAGES = ("start.html", "start.css", "start.js")
OTHER_STORE = (
    'This link is of another store than the one that is served here: nothing is opened. Run "harmgraph db open" where the '
    "report was written, with the same HARMGRAPH_HOME; if the address that it prints has another port, write the report again."
)


@dataclass(frozen=True, slots=True)
class Served:
    """What a server serves.

    Attributes:
        pages: content by path, such as ``/guide.html``. Every local user can read it, so it must contain no secrets.
        session: what the start page writes to local storage, including the password; None for no start page.
        discovery: the answer to ``GET /``, about the database.
        store: id of the store; only links made for it are followed. Empty if no links are followed.
        jar: the archive with Neo4j Browser's files under ``browser/``; None if they are not served.
        reader: origin of the user's own Neo4j Browser, which may read ``SHARED``; empty if there is none.
    """

    pages: Mapping[str, bytes]
    session: Mapping[str, Any] | None = field(default=None, repr=False)
    discovery: Mapping[str, str] = field(default_factory=dict)
    store: str = ""
    jar: Path | None = None
    reader: str = ""


class BrowserServer(LoopbackServer):
    """The server of a workbench. Its token opens the start page once."""

    pages = "Neo4j Browser's pages"

    def __init__(self, served: Served, port: int = 0) -> None:
        """Prepares the server; see ``LoopbackServer``."""
        super().__init__(port)
        self.served = served
        self._spent = threading.Lock()
        self._files: zipfile.ZipFile | None = None

    @property
    def start_page(self) -> str:
        """The address to open. The token comes after ``#``, a part that browsers do not send."""
        return f"{self.origin}/start#{self.token}"

    def __enter__(self) -> Self:
        if self.served.jar:
            self._files = zipfile.ZipFile(self.served.jar)
        try:
            return super().__enter__()
        except BaseException:
            self._close_files()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(kind, error, trace)
        self._close_files()

    def _close_files(self) -> None:
        if self._files:
            self._files.close()

    def spend(self, token: str) -> bool:
        """Whether the token is right and was not used before; of two simultaneous calls, only one returns True."""
        return self.is_token(token) and self._spent.acquire(blocking=False)

    def file(self, member: str) -> bytes | None:
        """A file of Neo4j Browser by its exact name in the archive."""
        if self._files is None or not member.startswith("browser/") or member not in self._files.NameToInfo:
            return None
        return self._files.read(member)


class _Handler(LoopbackHandler[BrowserServer]):
    def get(self) -> None:
        owner = self.owner
        path = urlsplit(self.path).path
        if path == "/":
            self._root()
        elif path in owner.served.pages:
            page = owner.served.pages[path]
            if path.endswith(".html"):
                page = page.replace(ORIGIN.encode(), owner.origin.encode())
            self.send(200, page, media_type(path), self._sharing(path))
        elif owner.served.session is not None and path == "/statement":
            self._statement()
        elif owner.served.session is not None and path.lstrip("/") in (*START_PAGES, "start", "follow"):
            name = "start.html" if path in ("/start", "/follow") else path.lstrip("/")
            body = resources.files(__package__).joinpath("pages", name).read_bytes()
            self.send(200, body, media_type(name), {"Content-Security-Policy": OWN_POLICY})
        else:
            member = path.lstrip("/") + ("index.html" if path == "/browser/" else "")
            body_of = owner.file(member)
            if body_of is None:
                self.say(404, "There is no such page.")
            else:
                # All files except the entry page have a digest of their content in their name, or hardly change.
                headers = {} if member.endswith("index.html") else {"Cache-Control": "private, max-age=86400"}
                self.send(200, body_of, media_type(member), headers)

    def post(self) -> None:
        owner = self.owner
        if urlsplit(self.path).path != "/session" or owner.served.session is None:
            self.say(404, "There is no such page.")
        elif not self.from_our_page():
            self.say(403, "Only the start page may ask this.")
        elif not owner.spend(self.headers.get(TOKEN_HEADER, "")):
            self.say(403, 'This address opens once, and was used already. Run "harmgraph db open" again.')
        else:
            self.send(200, json.dumps(owner.served.session).encode(), TYPES["json"])

    def preflight(self) -> None:
        """Answers a Neo4j Browser of another origin, which sends custom headers."""
        self.send(HTTPStatus.NO_CONTENT, b"", "", self._sharing(urlsplit(self.path).path))

    def _sharing(self, path: str) -> dict[str, str]:
        reader = self.owner.served.reader
        shared = {"Content-Security-Policy": OWN_POLICY, "Vary": "Origin"}
        if reader and SHARED.fullmatch(path) and self.headers.get("Origin") == reader:
            shared |= {
                "Access-Control-Allow-Origin": reader,
                "Access-Control-Allow-Headers": "*",
                "Access-Control-Allow-Methods": "GET",
                "Access-Control-Allow-Private-Network": "true",
            }
        return shared

    def _root(self) -> None:
        """Like Neo4j: sends programs the discovery document and redirects people to Neo4j Browser."""
        if "text/html" in self.headers.get("Accept", "") and self.owner.served.jar:
            self.send(303, b"", "", {"Location": "/browser/"})
        else:
            self.send(200, json.dumps(dict(self.owner.served.discovery)).encode(), TYPES["json"])

    def _statement(self) -> None:
        """Sends the start page's script the statement of a link, if the link was made for the store that is served."""
        served = self.owner.served
        parameters = {
            name: values[0] for name, values in parse_qs(urlsplit(self.path).query, keep_blank_values=True).items()
        }
        if parameters.get("store") != served.store:
            self.say(409, OTHER_STORE)
            return
        landing = landing_of(parameters)
        if landing is None:
            self.say(404, "This link names no statement that harmgraph has: write the report again.")
            return
        answer = {"store": served.store, "host": served.discovery.get("bolt_direct", ""), "landing": landing}
        self.send(200, json.dumps(answer).encode(), TYPES["json"])


BrowserServer.handler = _Handler
