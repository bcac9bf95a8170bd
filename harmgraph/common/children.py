"""Child processes that end when their parent ends, even if the parent was killed with ``kill -9``.

An orphaned child would hold locks and write files while the next command is running. On Linux the kernel ends it
(``prctl(2)``, PR_SET_PDEATHSIG). The kernel takes the *thread* that started the child for its parent, so start a child from
a thread that lives as long as the child is needed. On other systems, a child started by ``multiprocessing`` waits in a
thread until the pipe from its parent is closed.

Run as a program, ``python children.py PID COMMAND...``, this file replaces itself with the command, which ends when
the process PID ends.
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
    """Makes this process end with its parent; call it first in a process started by ``multiprocessing`` (any start method)."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is None:
        return
    if LINUX:
        _ask_kernel()
    if not parent.is_alive():
        _end()  # the parent had ended before we asked the kernel
    if not LINUX or os.getppid() != parent.pid:
        # The kernel watches another process: the fork server, which lives as long as its children.
        Thread(target=_end_after, args=(parent.join,), name="parent", daemon=True).start()


def ending_with_us(command: Sequence[str]) -> list[str]:
    """The command line for ``subprocess`` that runs ``command`` so that it ends with this process.

    This avoids ``preexec_fn``, which may hang if this process runs threads.
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
