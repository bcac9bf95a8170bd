"""harmgraph that ends as ``kill -9`` ends it, at one of its writes: all that the server knows of a command lies between two.

    python -m tests.support.killed AT population accept …

It kills itself before the write number AT, from 1; with a larger AT it comes to its end, and the last line on stderr is the
number of its writes.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.digest import digest
from tests.support.places import ROOT
from tests.support.processes import wait_for

WRITES = ("write", "write_together", "autocommit", "write_in_parts")
NEVER = 10_000


def killed(at: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a command that kills itself before its write number ``at``."""
    return subprocess.run(
        [sys.executable, "-m", "tests.support.killed", str(at), *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        timeout=600,
    )


def killed_and_run_again(
    graph: Graph, prepare: Callable[[], None], *arguments: str, times: int, seed: int
) -> list[int]:
    """Runs a command to its end, then kills it at random writes and runs it again, and compares the graphs by their digest.

    Args:
        prepare: makes the graph as it is before the command.

    Returns:
        The writes before which it was killed, of at least as many as there are between the first and the last.
    """
    prepare()
    whole = killed(NEVER, *arguments)
    assert whole.returncode == 0, whole.stderr
    wanted, writes = digest(graph), int(whole.stderr.splitlines()[-1])
    moments = sorted(random.Random(seed).sample(range(2, writes + 1), times))
    for at in moments:
        prepare()
        broken = killed(at, *arguments)
        assert broken.returncode == -signal.SIGKILL, broken.stderr
        wait_for(lambda: not graph.rows("lock/holders"))
        again = killed(NEVER, *arguments)
        assert again.returncode == 0, f"killed before write {at} of {writes}: {again.stderr}"
        assert digest(graph) == wanted, f"killed before write {at} of {writes}"
    return moments


def _counting(at: int) -> Callable[[], int]:
    count = 0

    def counted(inner: Callable[..., Any]) -> Callable[..., Any]:
        def write(self: Graph, *arguments: Any, **options: Any) -> Any:
            nonlocal count
            count += 1
            if count == at:
                os.kill(os.getpid(), signal.SIGKILL)
            return inner(self, *arguments, **options)

        return write

    for name in WRITES:
        setattr(Graph, name, counted(getattr(Graph, name)))
    return lambda: count


if __name__ == "__main__":
    from harmgraph.__main__ import main

    writes_so_far = _counting(int(sys.argv[1]))
    code = main(sys.argv[2:])
    print(writes_so_far(), file=sys.stderr)
    sys.exit(code)
