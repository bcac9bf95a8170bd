"""This machine alone: nothing is divided that is not divided anyway."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from harmgraph.common.engines.engine import LOCAL, Cluster, Engine


class Local(Engine):
    """Reads in a process beside the one that writes, and scores with one on each core."""

    name = LOCAL
    title = "this machine"

    @contextmanager
    def cluster(self, options: Mapping[str, Any]) -> Iterator[Cluster | None]:
        """See ``Engine.cluster``: none."""
        yield None


ENGINE = Local()
