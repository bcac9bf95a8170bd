"""What a benchmark runs on: a scale, a folder, and a server of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from harmgraph.graph.address import Address
from harmgraph.graph.connection import Graph
from harmgraph.graph.server import server
from tests.support.places import ROOT, real_data


@dataclass(frozen=True, slots=True)
class Setting:
    """Where and how large.

    Attributes:
        edges: of the large graph; the small one has a tenth.
        lines: of each file of which only the reading is measured.
        quick: fewer repeats.
        bulk_only: whether loads over Bolt are left out where there are others.
        folder: for files; harmgraph's home is in it.
        data: the real data, None where it is not here.
    """

    edges: int
    quick: bool
    folder: Path
    data: Path | None
    lines: int
    bulk_only: bool = False

    @property
    def few(self) -> int:
        """A tenth of the edges."""
        return self.edges // 10


@contextmanager
def prepared(folder: Path, *, edges: int, lines: int, quick: bool, bulk_only: bool = False) -> Iterator[Setting]:
    """A setting whose server is the embedded one in ``folder``, started on first use and stopped at the end."""
    for name in ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE"):
        os.environ.pop(name, None)
    os.environ["HARMGRAPH_HOME"] = str(folder / "home")
    os.environ["PYTHONPATH"] = str(ROOT)
    try:
        yield Setting(edges, quick, folder, real_data(), lines, bulk_only)
    finally:
        server.stop()


def fresh() -> Address:
    """The server, with an empty store."""
    with Graph.open() as graph:
        graph.autocommit("schema/wipe")
        return graph.address
