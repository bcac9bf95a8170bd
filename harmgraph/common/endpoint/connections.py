"""Requests to one server over HTTP. No proxy is used, no redirection is followed, and an answer has a largest size and time."""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from harmgraph.common.endpoint.address import EndpointAddress
from harmgraph.common.version import VERSION

LARGEST = 4 * 2**20  # bytes of an answer
CONNECT_S = 10.0
"""How long a connection may take to be made, where an answer may take longer."""
_AT_ONCE = 65_536


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """What a server answered.

    Attributes:
        headers: by name in lower case.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


class NoAnswer(Exception):
    """The server is not there, or its answer did not come whole."""


class Connections:
    """The connections of this process to a server: as many as there are requests under way. Those between two are used again.

    Args:
        key: empty for none.
        timeout_s: how long an answer may take.
    """

    def __init__(self, address: EndpointAddress, key: str, timeout_s: float) -> None:
        self._address = address
        self._timeout_s = timeout_s
        self._headers = {"Content-Type": "application/json", "User-Agent": f"harmgraph/{VERSION}"}
        if key:
            self._headers["Authorization"] = f"Bearer {key}"
        self._idle: list[http.client.HTTPConnection] = []
        self._busy: set[http.client.HTTPConnection] = set()
        self._lock = threading.Lock()
        self._interrupted = False
        self._tls = ssl.create_default_context() if address.scheme == "https" else None

    def request(self, method: str, path: str, body: bytes | None = None) -> HttpAnswer:
        """Sends a request and reads the whole answer.

        Args:
            path: below that of the address.

        Raises:
            NoAnswer: as it says.
        """
        connection = self._taken()
        if connection is not None:
            # The server may have ended a connection that it kept for a while: then nothing was asked yet.
            with suppress(ConnectionError):
                return self._exchange(connection, method, path, body)
        connection = self._made()
        try:
            self._check()
            connection.connect()
            connection.sock.settimeout(self._timeout_s)
            self._check()  # again: it may have been interrupted while it was made
        except OSError as error:
            self._forget(connection)
            raise NoAnswer(self._why(error, min(self._timeout_s, CONNECT_S))) from error
        except BaseException:
            self._forget(connection)
            raise
        try:
            return self._exchange(connection, method, path, body)
        except ConnectionError as error:
            raise NoAnswer(self._why(error, self._timeout_s)) from error

    def _exchange(
        self, connection: http.client.HTTPConnection, method: str, path: str, body: bytes | None
    ) -> HttpAnswer:
        """Asks on a connection that is open, and keeps it for the next request; one that failed is forgotten.

        Raises:
            ConnectionError: the server ended the connection before its answer began.
            NoAnswer: anything else.
        """
        deadline = time.monotonic() + self._timeout_s
        begun = False
        try:
            connection.request(method, f"{self._address.path}{path}", body, self._headers)
            response = connection.getresponse()
            begun = True
            content = _content(response, deadline)
        except (OSError, http.client.HTTPException) as error:
            self._forget(connection)
            if isinstance(error, ConnectionError) and not begun:
                raise
            raise NoAnswer(self._why(error, self._timeout_s)) from error
        except BaseException:
            self._forget(connection)
            raise
        if response.will_close:
            self._forget(connection)
        else:
            with self._lock:
                self._busy.discard(connection)
                self._idle.append(connection)
        return HttpAnswer(response.status, {name.lower(): text for name, text in response.getheaders()}, content)

    def interrupt(self) -> None:
        """Ends the requests that other threads wait for; no other is sent."""
        self._interrupted = True
        with self._lock:
            waiting = [*self._idle, *self._busy]
        for connection in waiting:
            sock = connection.sock
            if sock is not None:
                with suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Closes all connections; no thread uses them any more."""
        with self._lock:
            ended = [*self._idle, *self._busy]
            self._idle.clear()
            self._busy.clear()
        for connection in ended:
            connection.close()

    def _check(self) -> None:
        if self._interrupted:
            raise ConnectionAbortedError

    def _taken(self) -> http.client.HTTPConnection | None:
        """The connection that was used last of those that nobody uses; None if there is none."""
        with self._lock:
            if not self._idle:
                return None
            connection = self._idle.pop()
            self._busy.add(connection)
            return connection

    def _made(self) -> http.client.HTTPConnection:
        to, at, waits = self._address.host, self._address.port, min(self._timeout_s, CONNECT_S)
        connection = (
            http.client.HTTPSConnection(to, at, timeout=waits, context=self._tls)
            if self._tls
            else http.client.HTTPConnection(to, at, timeout=waits)
        )
        with self._lock:
            self._busy.add(connection)
        return connection

    def _forget(self, connection: http.client.HTTPConnection) -> None:
        connection.close()
        with self._lock:
            self._busy.discard(connection)

    @staticmethod
    def _why(error: Exception, seconds: float) -> str:
        if isinstance(error, ssl.SSLError):
            return f"cannot be trusted ({getattr(error, 'verify_message', '') or error.reason or 'TLS failed'})"
        if isinstance(error, TimeoutError):
            return f"did not answer within {seconds:g} seconds"
        if isinstance(error, ConnectionRefusedError | socket.gaierror):
            return "no server is there"
        if isinstance(error, http.client.IncompleteRead | ConnectionError):
            return "ended the connection before its answer was whole"
        if isinstance(error, http.client.HTTPException):
            return "does not speak HTTP as it should"
        return f"cannot be reached ({getattr(error, 'strerror', None) or type(error).__name__})"


def _content(response: http.client.HTTPResponse, deadline: float) -> bytes:
    parts: list[bytes] = []
    size = 0
    while part := response.read1(_AT_ONCE):
        parts.append(part)
        size += len(part)
        if size > LARGEST:
            raise http.client.HTTPException("the answer is too large")
        if time.monotonic() > deadline:
            raise TimeoutError
    if response.length:  # of those that were announced
        raise http.client.IncompleteRead(b"", response.length)
    response.close()  # or the connection would not take another request
    return b"".join(parts)
