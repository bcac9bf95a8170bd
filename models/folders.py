"""Folders of trained models under ``HARMGRAPH_HOME``, one for each name, and the lock that one command at a time holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from harmgraph.common import lock
from harmgraph.common.errors import BadName, Busy
from harmgraph.common.home import TRAINED, home
from harmgraph.common.no_space import writing
from harmgraph.common.private import make_folder
from harmgraph.common.whole_file import delete

LOCK = ".lock"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders of a kind of model.

    Attributes:
        place: the folder that they are in. what: the kind, such as ``model``.
        file: a folder that has it is a model.
        busy, wait: what another command does that holds the lock, and what to do then.
    """

    place: str
    what: str
    file: str = "config.json"
    busy: str = "trains"
    wait: str = "wait until it is done"

    def __post_init__(self) -> None:
        if self.place not in TRAINED:
            raise ValueError(f"{self.place} is not in home.TRAINED: no backup would hold these models")

    def of(self, name: str) -> Path:
        """The folder of a name, whether it exists or not.

        Raises:
            BadName: the name is not allowed as a folder name.
        """
        if not NAME.fullmatch(name):
            reason = "may have letters, digits, dots, dashes and underscores, 100 at the most"
            raise BadName(f"{self.what} name", name, reason)
        return home() / self.place / name

    def names(self) -> list[str]:
        """The names on this machine, sorted."""
        paths = (home() / self.place).glob(f"*/{self.file}")
        return sorted(path.parent.name for path in paths if not path.parent.name.startswith("."))

    def lock(self, name: str) -> Path:
        """The lock of a name."""
        return self.of(name) / LOCK

    @contextmanager
    def alone(self, name: str) -> Iterator[Path]:
        """The folder of a name, locked for one command at a time and created if it is missing.

        Raises:
            BadName: the name is not allowed as a folder name.
            Busy: another command trains it.
            NoSpace: HARMGRAPH_HOME cannot be written.
        """
        with locked(self.lock(name), f"another command {self.busy} this {self.what}", name, self.wait):
            yield self.of(name)


@contextmanager
def locked(path: Path, busy: str, name: str, remedy: str) -> Iterator[None]:
    """Holds a lock file until the block ends; its folder is created if it is missing.

    Raises:
        Busy: another command holds it; ``busy``, ``name`` and ``remedy`` are its message.
        NoSpace: HARMGRAPH_HOME cannot be written.
    """
    with writing(path.parent):
        make_folder(path.parent)
    with lock.held(path, lambda: Busy(busy, where=name, remedy=remedy)):
        yield


def staying(place: Path) -> str:
    """What stays where the folder of a model is removed, for a message: where it is a link, all that it leads to."""
    return f", a link: what it leads to stays ({place.resolve()})" if place.is_symlink() else ""


def clear(place: Path) -> None:
    """Removes everything in a folder except its lock."""
    for path in place.iterdir():
        if path.name != LOCK:
            delete(path)
