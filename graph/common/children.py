"""Children that end with their parent, also where ``kill -9`` ended it and nothing of its own could run any more.

A child that is left alone would hold locks and write files while the next command is at work. On Linux the kernel ends it
(``prctl(2)``, PR_SET_PDEATHSIG). To the kernel the parent is the *thread* that started the child: start one from a thread
that lives as long as it is wanted. Where the kernel does not help, a child of ``multiprocessing`` waits in a thread for
the end of the pipe that it has from its parent.

Run as a program, ``python children.py PID COMMAND...``, this file becomes the command, which ends with the process PID.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from threading import Thread

LINUX = sys.platform.startswith("linux")
PR_SET_PDEATHSIG = 1


def end_with_parent() -> None:
    """To be called first in a process that ``multiprocessing`` started, by whatever method: it ends with its parent."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is None:
        return
    if LINUX:
        _ask_kernel()
    if not parent.is_alive():
        _end()  # it was gone before the kernel was asked
    if not LINUX or os.getppid() != parent.pid:
        # The kernel watches another process: a fork server, which lives as long as what it started.
        Thread(target=_end_after, args=(parent.join,), name="parent", daemon=True).start()


def ending_with_us(command: Sequence[str]) -> list[str]:
    """The command line of the same program, for ``subprocess``: it ends with this process.

    No ``preexec_fn``, which may hang where this process runs threads.
    """
    if not LINUX:
        return list(command)
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), *command]


def _ask_kernel() -> None:
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGKILL)):
        number = ctypes.get_errno()
        raise OSError(number, f"prctl: {os.strerror(number)}")


def _end() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _end_after(wait: Callable[[], None]) -> None:
    wait()
    _end()


def _become(parent: int, command: Sequence[str]) -> None:
    _ask_kernel()
    if os.getppid() != parent:
        _end()
    os.execv(command[0], list(command))


if __name__ == "__main__":
    _become(int(sys.argv[1]), sys.argv[2:])
