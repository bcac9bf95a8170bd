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

import errno
import hmac
import json
import re
import secrets
import socket
import threading
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self
from urllib.parse import parse_qs, urlsplit

from harmgraph.graph.browser.guide import ORIGIN
from harmgraph.graph.browser.state import landing_of
from harmgraph.graph.common.errors import ServerError

TYPES: Mapping[str, str] = {
    "css": "text/css; charset=utf-8",
    "cypher": "text/plain; charset=utf-8",
    "grass": "text/plain; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "ico": "image/x-icon",
    "jpg": "image/jpeg",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "mp4": "video/mp4",
    "png": "image/png",
    "svg": "image/svg+xml",
    "ttf": "font/ttf",
    "txt": "text/plain; charset=utf-8",
    "woff": "font/woff",
    "woff2": "font/woff2",
    "zip": "application/zip",
}
SHARED = re.compile(r"/guide(-\d+)?\.html|/style\.grass")
"""The only pages that a Neo4j Browser of another origin may be allowed to read."""
START_PAGES = ("start.html", "start.css", "start.js")
OTHER_STORE = (
    'This link is of another store than the one that is served here: nothing is opened. Run "harmgraph db open" where the '
    "report was written, with the same HARMGRAPH_HOME; if the address that it prints has another port, write the report again."
)
_OWN_POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'"
_PORTS_TO_TRY = 20


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


class BrowserServer:
    """A server that runs in background threads inside a ``with`` block.

    Attributes:
        port: the port it listens on.
        token: one-time token for the start page.
    """

    def __init__(self, served: Served, port: int = 0) -> None:
        """Prepares the server; no port is opened before ``with``.

        Args:
            port: the first port to try; 0 for any free one.
        """
        self.served = served
        self.port = port
        self.token = secrets.token_urlsafe(32)
        self._spent = threading.Lock()
        self._listeners: list[_Listener] = []
        self._files: zipfile.ZipFile | None = None

    @property
    def origin(self) -> str:
        """The only origin under which the server answers."""
        return f"http://localhost:{self.port}"

    @property
    def start_page(self) -> str:
        """The address to open. The token comes after ``#``, a part that browsers do not send."""
        return f"{self.origin}/start#{self.token}"

    def __enter__(self) -> Self:
        if self.served.jar:
            self._files = zipfile.ZipFile(self.served.jar)
        try:
            self._listeners = _listen(self, self.port)
        except BaseException:
            self._close_files()
            raise
        self.port = self._listeners[0].server_address[1]
        for listener in self._listeners:
            serve = partial(listener.serve_forever, poll_interval=0.05)  # the longest that Ctrl-C has to wait
            threading.Thread(target=serve, name="browser pages", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for listener in self._listeners:
            listener.shutdown()
            listener.server_close()
        self._close_files()

    def _close_files(self) -> None:
        if self._files:
            self._files.close()

    def spend(self, token: str) -> bool:
        """Whether the token is right and was not used before; of two simultaneous calls, only one returns True."""
        right = hmac.compare_digest(token.encode(), self.token.encode())
        return right and self._spent.acquire(blocking=False)

    def file(self, member: str) -> bytes | None:
        """A file of Neo4j Browser by its exact name in the archive."""
        if self._files is None or not member.startswith("browser/") or member not in self._files.NameToInfo:
            return None
        return self._files.read(member)


class _Listener(ThreadingHTTPServer):
    """One socket. Addresses are reused on POSIX only; on Windows, two servers could then share one."""

    daemon_threads = True

    def __init__(self, family: socket.AddressFamily, host: str, port: int, owner: BrowserServer) -> None:
        self.address_family = family
        self.owner = owner
        super().__init__((host, port), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores connections that the browser closed during an answer; reports all other errors."""
        import sys

        if not isinstance(sys.exc_info()[1], ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


def _listen(owner: BrowserServer, first: int) -> list[_Listener]:
    """Opens a port on 127.0.0.1 and, if the machine has IPv6, the same port on ::1.

    Raises:
        ServerError: none of the ports tried is free.
    """
    last = min(first + _PORTS_TO_TRY, 65536) - 1
    for port in range(first, last + 1) if first else [0] * _PORTS_TO_TRY:
        try:
            listener = _Listener(socket.AF_INET, "127.0.0.1", port, owner)
        except OSError as error:
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                continue
            raise
        try:
            return [listener, _Listener(socket.AF_INET6, "::1", listener.server_address[1], owner)]
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                return [listener]  # no IPv6 on this machine, so no other program can listen there either
            listener.server_close()
    raise ServerError(
        "no free port for Neo4j Browser's pages",
        where=f"localhost:{first} to {last}",
        remedy="choose another with --port",
    )


class _Handler(BaseHTTPRequestHandler):
    server: _Listener
    protocol_version = "HTTP/1.1"
    server_version = "harmgraph"
    sys_version = ""
    timeout = 60
    PRIVATE: ClassVar[Mapping[str, str]] = {
        "Cache-Control": "no-store",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
    }

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 the base class names it
        """Logs nothing, to keep the user's terminal clean."""

    def do_GET(self) -> None:
        owner = self.server.owner
        if not self._meant_for_us():
            return
        path = urlsplit(self.path).path
        if path == "/":
            self._root()
        elif path in owner.served.pages:
            page = owner.served.pages[path]
            if path.endswith(".html"):
                page = page.replace(ORIGIN.encode(), owner.origin.encode())
            self._send(200, page, _type(path), self._sharing(path))
        elif owner.served.session is not None and path == "/statement":
            self._statement()
        elif owner.served.session is not None and path.lstrip("/") in (*START_PAGES, "start", "follow"):
            name = "start.html" if path in ("/start", "/follow") else path.lstrip("/")
            body = resources.files(__package__).joinpath("pages", name).read_bytes()
            self._send(200, body, _type(name), {"Content-Security-Policy": _OWN_POLICY})
        else:
            member = path.lstrip("/") + ("index.html" if path == "/browser/" else "")
            body_of = owner.file(member)
            if body_of is None:
                self._say(404, "There is no such page.")
            else:
                # All files except the entry page have a digest of their content in their name, or hardly change.
                headers = {} if member.endswith("index.html") else {"Cache-Control": "private, max-age=86400"}
                self._send(200, body_of, _type(member), headers)

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        self.close_connection = True  # a body, if there is one, is not read
        owner = self.server.owner
        if not self._meant_for_us():
            return
        if urlsplit(self.path).path != "/session" or owner.served.session is None:
            self._say(404, "There is no such page.")
        elif self.headers.get("Origin") != owner.origin:
            self._say(403, "Only the start page may ask this.")
        elif not owner.spend(self.headers.get("X-Harmgraph-Token", "")):
            self._say(403, 'This address opens once, and was used already. Run "harmgraph db open" again.')
        else:
            self._send(200, json.dumps(owner.served.session).encode(), TYPES["json"])

    def do_OPTIONS(self) -> None:
        """Answers the preflight request of a Neo4j Browser of another origin, which sends custom headers."""
        if self._meant_for_us():
            self._send(HTTPStatus.NO_CONTENT, b"", "", self._sharing(urlsplit(self.path).path))

    def _meant_for_us(self) -> bool:
        owner = self.server.owner
        if self.headers.get("Host") == f"localhost:{owner.port}":
            return True
        self.close_connection = True
        self._say(421, f"Ask for localhost:{owner.port}.")
        return False

    def _sharing(self, path: str) -> dict[str, str]:
        reader = self.server.owner.served.reader
        shared = {"Content-Security-Policy": _OWN_POLICY, "Vary": "Origin"}
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
        if "text/html" in self.headers.get("Accept", "") and self.server.owner.served.jar:
            self._send(303, b"", "", {"Location": "/browser/"})
        else:
            self._send(200, json.dumps(dict(self.server.owner.served.discovery)).encode(), TYPES["json"])

    def _statement(self) -> None:
        """Sends the start page's script the statement of a link, if the link was made for the store that is served."""
        served = self.server.owner.served
        parameters = {
            name: values[0] for name, values in parse_qs(urlsplit(self.path).query, keep_blank_values=True).items()
        }
        if parameters.get("store") != served.store:
            self._say(409, OTHER_STORE)
            return
        landing = landing_of(parameters)
        if landing is None:
            self._say(404, "This link names no statement that harmgraph has: write the report again.")
            return
        answer = {"store": served.store, "host": served.discovery.get("bolt_direct", ""), "landing": landing}
        self._send(200, json.dumps(answer).encode(), TYPES["json"])

    def _say(self, status: int, text: str) -> None:
        self._send(status, text.encode(), TYPES["txt"])

    def _send(self, status: int, body: bytes, kind: str, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {**self.PRIVATE, **(headers or {})}.items():
            self.send_header(name, value)
        if kind:
            self.send_header("Content-Type", kind)
        if status != HTTPStatus.NO_CONTENT:
            self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def _type(name: str) -> str:
    return TYPES.get(name.rpartition(".")[2], "application/octet-stream")
