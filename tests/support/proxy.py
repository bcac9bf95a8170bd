"""A way to a server that breaks when a test wants it to."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self

CHUNK = 1 << 16
WAIT_S = 0.05


class Proxy:
    """Hands on what comes, both ways, until it is told otherwise.

    Attributes:
        port: where it listens, on the loopback.
        heard: what clients sent, from ``listen`` on; encrypted where they encrypt.
    """

    def __init__(self, port: int) -> None:
        self._server = port
        self._passes = threading.Event()
        self._passes.set()
        self._takes = True
        self._over = False
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._sent = 0
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        self._orphans: list[socket.socket] = []
        self.heard: bytearray | None = None

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over = True
        self._passes.set()
        self._door.close()
        self._close(orphan=False)
        for orphan in self._orphans:
            with suppress(OSError):
                orphan.shutdown(socket.SHUT_RDWR)
            orphan.close()

    def listen(self) -> None:
        """Keeps what clients send from now on."""
        self.heard = bytearray()

    @property
    def sent(self) -> int:
        """Bytes that clients have sent through it."""
        return self._sent

    def stall(self) -> None:
        """Nothing passes, and nobody is told."""
        self._passes.clear()

    def cut(self) -> None:
        """Every connection breaks at both ends, and no new one is taken."""
        self._takes = False
        self._close(orphan=False)

    def lose(self) -> None:
        """Every connection breaks at the client's end alone, as where a router forgets it; new ones are taken."""
        self._close(orphan=True)

    def mend(self) -> None:
        """All is well again."""
        self._takes = True
        self._passes.set()

    def _close(self, *, orphan: bool) -> None:
        pairs, self._pairs = self._pairs, []
        for client, server in pairs:
            if orphan:
                self._orphans.append(server)
            for end in (client,) if orphan else (client, server):
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                end.close()

    def _accept(self) -> None:
        while not self._over:
            try:
                client, _ = self._door.accept()
            except OSError:
                return
            if not self._takes:
                client.close()
                continue
            try:
                server = socket.create_connection(("127.0.0.1", self._server))
            except OSError:
                client.close()
                continue
            pair = (client, server)
            self._pairs.append(pair)
            threading.Thread(target=self._pass_on, args=(client, server, True, pair), daemon=True).start()
            threading.Thread(target=self._pass_on, args=(server, client, False, pair), daemon=True).start()

    def _pass_on(
        self, source: socket.socket, sink: socket.socket, from_client: bool, pair: tuple[socket.socket, socket.socket]
    ) -> None:
        with suppress(OSError):
            while chunk := source.recv(CHUNK):
                while not self._passes.wait(WAIT_S):
                    if self._over:
                        return
                if from_client:
                    self._sent += len(chunk)
                    if self.heard is not None:
                        self.heard += chunk
                sink.sendall(chunk)
        if pair in self._pairs:  # one end closed it, not we
            with suppress(OSError):
                sink.shutdown(socket.SHUT_RDWR)
