"""Runs ``neo4j-admin`` on a store while its server is stopped."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import IO

from harmgraph.common.children import ending_with_us
from harmgraph.common.errors import HarmgraphError, NoSpace, StartFailed
from harmgraph.common.private import OF_OTHERS
from harmgraph.graph.server import class_archive, distribution
from harmgraph.graph.server.folder import folder, telling
from harmgraph.graph.server.java import java_command, java_environment
from harmgraph.graph.server.memory import memory
from harmgraph.graph.server.space import watched
from harmgraph.graph.server.store import prepare

ENTRY = "org.neo4j.cli.AdminTool"
LAST_LINES = 12
CHUNK = 1 << 20


def admin(*arguments: str) -> str:
    """Runs ``neo4j-admin`` on the store of the embedded server, inside ``graph.server.server.offline()``.

    Args:
        arguments: as on the command line, such as ``"database", "info"``; visible in the process list.

    Returns:
        What it printed.

    Raises:
        NoSpace: the disk is full.
        StartFailed: it failed; the error has its last lines.
    """
    result = subprocess.run(
        _command(arguments),
        env=_environment(),
        umask=OF_OTHERS,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if result.returncode:
        raise _failure(arguments, result.returncode, result.stdout + result.stderr)
    return result.stdout


def admin_output(write: Callable[[bytes], object], *arguments: str) -> None:
    """Like ``admin``, for a command that prints bytes, such as a dump.

    Args:
        write: called with each part of the output.

    Raises:
        NoSpace, StartFailed: as for ``admin``.
    """
    with tempfile.TemporaryFile() as said, _started(arguments, said, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        with _killed_on_failure(process):
            while chunk := process.stdout.read(CHUNK):
                write(chunk)
        _check(arguments, process, said)


def admin_input(chunks: Iterable[bytes], *arguments: str, check: Callable[[], None]) -> None:
    """Like ``admin``, for a command that reads bytes, such as a dump.

    Args:
        chunks: what it reads.
        check: called again and again from another thread; the command is ended if it raises an error.

    Raises:
        NoSpace, StartFailed: as for ``admin``.
        HarmgraphError: of ``check``.
    """
    with tempfile.TemporaryFile() as said, _started(arguments, said, stdin=subprocess.PIPE, stdout=said) as process:
        assert process.stdin is not None
        with watched(check, process.kill):
            # It may have failed and read no more; its exit code tells.
            with _killed_on_failure(process), suppress(BrokenPipeError):
                for chunk in chunks:
                    left = memoryview(chunk)
                    while left:
                        left = left[process.stdin.write(left) :]
                process.stdin.close()
            _check(arguments, process, said)


def _command(arguments: Iterable[str]) -> list[str]:
    size = memory()
    prepare(size)
    # It writes to the store, so it must not outlive this process and run beside the next command.
    jars = distribution.jars()
    return ending_with_us(java_command(ENTRY, *arguments, jars=jars, heap=size.heap, more=class_archive.use(jars)))


def _environment() -> dict[str, str]:
    return java_environment() | {"NEO4J_HOME": str(folder()), "NEO4J_CONF": str(folder() / "conf")}


def _started(
    arguments: Iterable[str], said: IO[bytes], *, stdin: int = subprocess.DEVNULL, stdout: int | IO[bytes]
) -> subprocess.Popen[bytes]:
    """The process. Its messages go to a file: a pipe that nobody reads could fill up and stop it."""
    # Without a buffer: what a broken pipe did not take would fail again when the pipe is closed.
    return subprocess.Popen(
        _command(arguments), env=_environment(), umask=OF_OTHERS, bufsize=0, stdin=stdin, stdout=stdout, stderr=said
    )


@contextmanager
def _killed_on_failure(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Kills the process if the block fails, also by Ctrl-C."""
    try:
        yield
    except BaseException:
        process.kill()
        raise


def _check(arguments: tuple[str, ...], process: subprocess.Popen[bytes], said: IO[bytes]) -> None:
    code = process.wait()
    if code:
        said.seek(0)
        raise _failure(arguments, code, said.read().decode("utf-8", "replace"))


def _failure(arguments: tuple[str, ...], code: int, said: str) -> HarmgraphError:
    if "No space left on device" in said:
        return NoSpace(
            f"the disk is full, so neo4j-admin {' '.join(arguments[:2])} ended",
            where=str(folder()),
            remedy="make room and run the same command again",
        )
    return StartFailed(
        f"neo4j-admin {' '.join(arguments[:2])} ended with exit code {code}",
        telling(said)[-LAST_LINES:],
        where=str(folder()),
        remedy="mend what it names and run this again",
    )
