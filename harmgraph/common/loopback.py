"""A web server on the loopback interface for the user's own web browser: the guard that all pages of harmgraph share.

- Requests must be addressed to ``localhost``: other host names that resolve to the loopback are refused.
- It listens on both IPv4 and IPv6, so that no other program can answer there.
- What a page may ask for beyond itself, it asks with the server's token, which stands in the address after ``#``, a part that
  browsers do not send; and no other origin may read an answer.
"""

from __future__ import annotations

import errno
import hmac
import secrets
import socket
import threading
from collections.abc import Mapping
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, ClassVar, Generic, Self, TypeVar, cast

from harmgraph.common.errors import ServerError

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
OWN_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; connect-src 'self'"
)
TOKEN_HEADER = "X-Harmgraph-Token"
HTTP_PORT = 80
_PORTS_TO_TRY = 20


class LoopbackServer:
    """A server that runs in background threads inside a ``with`` block.

    Attributes:
        handler: answers the requests; a subclass names its own.
        pages: what is served, for the message where no port is free.
        port: the port it listens on.
        token: the secret that the page's address carries.
    """

    handler: ClassVar[type[LoopbackHandler[Any]]]
    pages: ClassVar[str]

    def __init__(self, port: int = 0) -> None:
        """Prepares the server; no port is opened before ``with``.

        Args:
            port: the first port to try; 0 for any free one.
        """
        self.port = port
        self.token = secrets.token_urlsafe(32)
        self._listeners: list[_Listener] = []

    @property
    def origin(self) -> str:
        """The only origin under which the server answers."""
        return f"http://{self.authority}"

    @property
    def authority(self) -> str:
        """The name and the port by which browsers ask for the server; they leave port 80 out."""
        return "localhost" if self.port == HTTP_PORT else f"localhost:{self.port}"

    def is_token(self, token: str) -> bool:
        """Whether this is the server's token."""
        return hmac.compare_digest(token.encode(), self.token.encode())

    def __enter__(self) -> Self:
        self._listeners = _listen(self, self.port)
        self.port = self._listeners[0].server_address[1]
        for listener in self._listeners:
            serve = partial(listener.serve_forever, poll_interval=0.05)  # the longest that Ctrl-C has to wait
            threading.Thread(target=serve, name=self.pages, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for listener in self._listeners:
            listener.shutdown()
            listener.server_close()


class _Listener(ThreadingHTTPServer):
    """One socket. Addresses are reused on POSIX only; on Windows, two servers could then share one."""

    daemon_threads = True

    def __init__(self, family: socket.AddressFamily, host: str, port: int, owner: LoopbackServer) -> None:
        self.address_family = family
        self.owner = owner
        super().__init__((host, port), owner.handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores connections that the browser closed during an answer; reports all other errors."""
        import sys

        if not isinstance(sys.exc_info()[1], ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


def _listen(owner: LoopbackServer, first: int) -> list[_Listener]:
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
        f"no free port for {owner.pages}",
        where=f"localhost:{first} to {last}",
        remedy="choose another with --port",
    )


_Owner = TypeVar("_Owner", bound=LoopbackServer)


class LoopbackHandler(BaseHTTPRequestHandler, Generic[_Owner]):
    """Answers the requests to a ``LoopbackServer``; subclasses define ``get`` and ``post``."""

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

    @property
    def owner(self) -> _Owner:
        """The server that this request came to."""
        return cast("_Owner", cast("_Listener", self.server).owner)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 the base class names it
        """Logs nothing, to keep the user's terminal clean."""

    def do_GET(self) -> None:
        if self._meant_for_us():
            self.get()

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        self.close_connection = True  # a body may stay unread
        if self._meant_for_us():
            self.post()

    def do_OPTIONS(self) -> None:
        if self._meant_for_us():
            self.preflight()

    def get(self) -> None:
        """Answers GET, and HEAD without a body."""
        raise NotImplementedError

    def post(self) -> None:
        """Answers POST."""
        self.say(HTTPStatus.NOT_FOUND, "There is no such page.")

    def preflight(self) -> None:
        """Answers OPTIONS: without any permission, so that no other origin may ask more than a plain page does."""
        self.send(HTTPStatus.NO_CONTENT, b"", "")

    def _meant_for_us(self) -> bool:
        """Whether the request is addressed to ``localhost``; answers it if not."""
        if self.headers.get("Host") == self.owner.authority:
            return True
        self.close_connection = True
        self.say(421, f"Ask for {self.owner.authority}.")
        return False

    def from_our_page(self) -> bool:
        """Whether the request comes from a page of this server."""
        return self.headers.get("Origin") == self.owner.origin

    def say(self, status: int, text: str) -> None:
        """Answers with a line of text."""
        self.send(status, text.encode(), TYPES["txt"])

    def send(self, status: int, body: bytes, kind: str, headers: Mapping[str, str] | None = None) -> None:
        """Answers with a body of the media type ``kind``."""
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


def media_type(name: str) -> str:
    """The media type of a file by its ending."""
    return TYPES.get(name.rpartition(".")[2], "application/octet-stream")
