"""A server that says over Bolt what a test wants: of another version, or with users that may not do everything."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

MAGIC = b"\x60\x60\xb0\x17"
NO_VERSION = b"\0\0\0\0"
BOLT_4_4, BOLT_5_4 = b"\0\0\4\4", b"\0\0\4\5"
SUCCESS, RECORD, FAILURE, IGNORED = 0x70, 0x71, 0x7F, 0x7E
HELLO, GOODBYE, RESET, RUN, PULL, DISCARD, ROUTE = 0x01, 0x02, 0x0F, 0x10, 0x3F, 0x2F, 0x66


@dataclass(frozen=True, slots=True)
class Refused:
    """What a statement fails with."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Rows:
    """What a statement returns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...] = ()


Answer = Rows | Refused


class FakeBolt:
    """Listens on the loopback until the block ends.

    Args:
        agent: what it calls itself.
        version: its answer to the handshake.
        answer: the answer to a statement.
        routes: the addresses that it names for reading and writing; its own where none are given.
    """

    def __init__(
        self,
        agent: str = "Neo4j/5.26.0",
        *,
        version: bytes = BOLT_5_4,
        answer: Callable[[str], Answer] = lambda text: Rows(()),
        routes: tuple[str, ...] = (),
    ) -> None:
        self._agent = agent
        self._version = version
        self._answer = answer
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        self._routes = routes or (f"127.0.0.1:{self.port}",)
        self._open: list[socket.socket] = []

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._door.close()
        for client in self._open:
            client.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._door.accept()
                self._open.append(client)
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with suppress(OSError, EOFError), client, client.makefile("rb") as stream:
            if stream.read(4) != MAGIC or len(stream.read(16)) < 16:
                return
            client.sendall(self._version)
            failed, rows = False, Rows(())
            while True:
                kind, fields = _Reader(_message(stream)).message()
                if kind == GOODBYE:
                    return
                if kind == RESET:
                    failed = False
                if failed:
                    _send(client, IGNORED)
                elif kind == HELLO:
                    _send(client, SUCCESS, {"server": self._agent, "connection_id": "bolt-1"})
                elif kind == ROUTE:
                    roles = [{"addresses": list(self._routes), "role": role} for role in ("READ", "WRITE")]
                    here = {"addresses": [f"localhost:{self.port}"], "role": "ROUTE"}
                    _send(client, SUCCESS, {"rt": {"ttl": 300, "db": "neo4j", "servers": [*roles, here]}})
                elif kind == RUN:
                    said = self._answer(fields[0])
                    if isinstance(said, Refused):
                        failed = True
                        _send(client, FAILURE, {"code": said.code, "message": said.message})
                    else:
                        rows = said
                        _send(client, SUCCESS, {"fields": list(rows.columns)})
                elif kind in (PULL, DISCARD):
                    for row in rows.rows if kind == PULL else ():
                        _send(client, RECORD, list(row))
                    _send(client, SUCCESS, {})
                else:
                    _send(client, SUCCESS, {})


def _message(stream: Any) -> bytes:
    """One message, put together of its chunks."""
    message = b""
    while True:
        head = stream.read(2)
        if len(head) < 2:
            raise EOFError
        size = int.from_bytes(head, "big")
        if size:
            message += stream.read(size)
        elif message:
            return message


def _send(client: socket.socket, kind: int, *fields: Any) -> None:
    body = bytes([0xB0 + len(fields), kind]) + b"".join(map(_packed, fields))
    client.sendall(len(body).to_bytes(2, "big") + body + b"\0\0")


def _packed(value: Any) -> bytes:
    if value is None:
        return b"\xc0"
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return b"\xcb" + struct.pack(">q", value)
    if isinstance(value, str):
        text = value.encode()
        return b"\xd1" + len(text).to_bytes(2, "big") + text
    if isinstance(value, list):
        return b"\xd5" + len(value).to_bytes(2, "big") + b"".join(map(_packed, value))
    assert isinstance(value, dict), value
    return b"\xd9" + len(value).to_bytes(2, "big") + b"".join(_packed(part) for pair in value.items() for part in pair)


class _Reader:
    """Reads PackStream."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def message(self) -> tuple[int, list[Any]]:
        size = self._take(1)[0] - 0xB0
        kind = self._take(1)[0]
        return kind, [self._value() for _ in range(size)]

    def _take(self, size: int) -> bytes:
        self._at += size
        return self._data[self._at - size : self._at]

    def _size(self, marker: int, first: int) -> int:
        """The size that follows a marker: of one, two or four bytes, by how far it is from the first of its kind."""
        return int.from_bytes(self._take(1 << (marker - first)), "big")

    def _value(self) -> Any:
        marker = self._take(1)[0]
        if marker < 0x80 or marker >= 0xF0:
            return marker if marker < 0x80 else marker - 256
        if marker in (0xC0, 0xC2, 0xC3):
            return {0xC0: None, 0xC2: False, 0xC3: True}[marker]
        if marker == 0xC1:
            return struct.unpack(">d", self._take(8))[0]
        if 0xC8 <= marker <= 0xCB:
            return int.from_bytes(self._take(1 << (marker - 0xC8)), "big", signed=True)
        if marker & 0xF0 == 0x80 or marker in (0xD0, 0xD1, 0xD2):
            return self._take(marker - 0x80 if marker < 0x90 else self._size(marker, 0xD0)).decode()
        if marker & 0xF0 == 0x90 or marker in (0xD4, 0xD5, 0xD6):
            count = marker - 0x90 if marker < 0xA0 else self._size(marker, 0xD4)
            return [self._value() for _ in range(count)]
        assert marker & 0xF0 == 0xA0 or marker in (0xD8, 0xD9, 0xDA), hex(marker)
        count = marker - 0xA0 if marker < 0xB0 else self._size(marker, 0xD8)
        return {self._value(): self._value() for _ in range(count)}
