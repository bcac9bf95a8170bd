"""Runs a step as a ``harmgraph`` command in a separate process, so that a crash fails only that step."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO

from harmgraph.analytics.jobs.record import LastRun
from harmgraph.common.clean_text import one_line
from harmgraph.common.signals import handled

GRACE_S = 15.0  # from the request to stop until the process is killed
LOOK_S = 0.2
LINE = 65_536


def stop_signals() -> list[signal.Signals]:
    """The signals that ask for a stop; SIGHUP is left out under nohup."""
    signals = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signals.append(signal.SIGHUP)
    return signals


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """How a step ended.

    Attributes:
        code: its exit code; negative if a signal ended it.
        error: why it failed, in one line; empty if it did not.
    """

    code: int
    error: str


class Stopping:
    """A context in which SIGINT, SIGTERM and SIGHUP ask for a stop instead of ending the process.

    Attributes:
        signum: the first such signal; 0 until one arrives.
    """

    def __init__(self) -> None:
        self.signum = 0
        self._handled = ExitStack()

    def __enter__(self) -> Stopping:
        self._handled.enter_context(handled(stop_signals(), self._take))
        return self

    def __exit__(self, *_: object) -> None:
        self._handled.close()

    def _take(self, signum: int, _: FrameType | None) -> None:
        self.signum = self.signum or signum

    def asked(self) -> bool:
        """Whether a signal has asked for a stop."""
        return self.signum != 0

    @property
    def name(self) -> str:
        """Name of the signal, such as SIGTERM."""
        return signal.Signals(self.signum).name if self.signum else ""


def harmgraph(*arguments: str) -> list[str]:
    """The command line of a child. With ``-P`` a user's file named like a module is not imported in its place."""
    return [sys.executable, "-P", "-m", "harmgraph", *arguments]


def environment(more: Mapping[str, str]) -> dict[str, str]:
    """The environment of a child that runs in another folder. Passwords are passed only this way."""
    from harmgraph.common.home import home

    variables = {**os.environ, "PYTHONUNBUFFERED": "1", **more}
    root = Path(__file__).parents[3]
    if root.name not in {"site-packages", "dist-packages"}:
        # Without installation, the package is importable only from its checkout.
        variables["PYTHONPATH"] = os.pathsep.join(part for part in (str(root), variables.get("PYTHONPATH", "")) if part)
    if variables.get("HARMGRAPH_HOME"):
        variables["HARMGRAPH_HOME"] = str(home())  # a relative path would mean another folder there
    return variables


def run(
    arguments: Sequence[str],
    folder: Path,
    more: Mapping[str, str],
    *,
    timeout_s: int | None,
    stopping: Stopping,
    started: Callable[[int], None],
    write: Callable[[str], None],
) -> StepOutcome:
    """Runs ``harmgraph`` with these arguments and waits for it.

    Args:
        folder: its working folder.
        more: variables to add to the current environment.
        started: called with the process id.
        write: called with each line of output.
    """
    process = subprocess.Popen(
        harmgraph(*arguments),
        cwd=folder,
        env=environment(more),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # In a session of its own it does not receive Ctrl-C from the terminal; this process passes it on once.
        start_new_session=True,
    )
    try:
        started(process.pid)
        lines: deque[str] = deque(maxlen=1)
        readers = [
            threading.Thread(target=_relay, args=(stream, write, into), daemon=True)
            for stream, into in ((process.stdout, None), (process.stderr, lines))
        ]
        for reader in readers:
            reader.start()
        timed_out = _waited(process, timeout_s, stopping)
    finally:
        if process.poll() is None:
            _kill(process.pid)
            process.wait()
    for reader in readers:
        reader.join(GRACE_S)  # a grandchild may keep a pipe open
    if timed_out:
        return StepOutcome(process.returncode, f"took longer than {timeout_s} s and was stopped")
    return StepOutcome(process.returncode, _why(process.returncode, lines[0] if lines else ""))


def _waited(process: subprocess.Popen[bytes], timeout_s: int | None, stopping: Stopping) -> bool:
    """Waits until the process ended; returns whether it took too long."""
    began = time.monotonic()
    asked_at: float | None = None
    timed_out = False
    while True:
        try:
            process.wait(LOOK_S)
        except subprocess.TimeoutExpired:
            now = time.monotonic()
            timed_out = timed_out or (asked_at is None and timeout_s is not None and now - began > timeout_s)
            if asked_at is None and (timed_out or stopping.asked()):
                # SIGINT, not SIGTERM: harmgraph's commands clean up on SIGINT.
                process.send_signal(signal.SIGINT)
                asked_at = now
            elif asked_at is not None and now - asked_at > GRACE_S:
                _kill(process.pid)
        else:
            return timed_out


def _why(code: int, line: str) -> str:
    if code == 0:
        return ""
    if code < 0:
        return f"was killed by {signal.Signals(-code).name}" + (f"; it last said: {line}" if line else "")
    return f"exit code {code}" + (f": {line.removeprefix('harmgraph: ')}" if line else "")


def _relay(stream: IO[bytes], write: Callable[[str], None], lines: deque[str] | None) -> None:
    with stream:
        while part := stream.readline(LINE):
            text = part.decode("utf-8", "replace").rstrip("\r\n")
            if lines is not None and text.strip():
                lines.append(one_line(text)[:500])
            write(text)


def _kill(pid: int) -> None:
    """Kills a step and the processes it started."""
    with suppress(ProcessLookupError):  # it has ended in the meantime
        os.killpg(pid, signal.SIGKILL)


def end_orphan(run: LastRun | None) -> bool:
    """Ends a step that is still running although its run was killed; returns whether there was one."""
    if run is None or not run.child:
        return False
    import psutil

    try:
        process = psutil.Process(run.child)
        if abs(process.create_time() - run.child_started) > 1:
            return False  # another process with the same id
        process.send_signal(signal.SIGINT)
        try:
            process.wait(GRACE_S)
        except psutil.TimeoutExpired:
            _kill(run.child)
            process.wait(GRACE_S)
    except psutil.NoSuchProcess:
        return False
    return True


def start_time(pid: int) -> float:
    """When a process began, in seconds since 1970; 0 if it has ended."""
    import psutil

    try:
        return float(psutil.Process(pid).create_time())
    except psutil.NoSuchProcess:
        return 0.0
