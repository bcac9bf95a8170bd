"""Reads a list of targets, for work that needs no database."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from harmgraph.common.errors import UnreadableFile
from harmgraph.common.user_file import list_rows
from harmgraph.graph.records import normalise

_PIECE = re.compile(r"\w+|\W")
_WORD = re.compile(r"\w")
PART = "+"
"""Stands before a cell that names a target which the line's target combines: ``black woman,combined,+black,+woman``."""


@dataclass(frozen=True, slots=True)
class ListedTarget:
    """A target in a list.

    Attributes:
        name: the normalised name, which identifies the target.
        title: the name as written in the list.
        aliases: further names as written in the list.
    """

    name: str
    title: str
    category: str
    aliases: tuple[str, ...] = ()


def default_list() -> Path:
    """The path of the shipped list: ``name,category[,alias...]``, with its provenance in the header."""
    return Path(str(resources.files(__package__).joinpath("default_targets.csv")))


def target_names(path: Path | None = None) -> tuple[str, ...]:
    """The normalised names and aliases in a list; in the shipped list if ``path`` is None.

    Raises:
        UnreadableFile: as ``listed_names``.
    """
    return tuple(dict.fromkeys(name for names in listed_names(path) for name in names))


def listed_names(path: Path | None = None) -> tuple[tuple[str, ...], ...]:
    """The normalised name and aliases of each target in a list; in the shipped list if ``path`` is None.

    Raises:
        UnreadableFile: the file is missing, may not be read, is not UTF-8 or contains no name.
    """
    chosen = path or default_list()
    rows = (_names(cells) for _, cells in _rows(chosen) if len(cells) >= 2)
    named = tuple(names for cells in rows if (names := tuple(filter(None, map(normalise, cells)))))
    if not named:
        raise _empty(chosen)
    return named


def listed_targets(path: Path | None = None) -> tuple[ListedTarget, ...]:
    """The targets of a list with their categories, in order; of the shipped list if ``path`` is None.

    Raises:
        UnreadableFile: the file is missing, may not be read or is not UTF-8, a line has no name or category, a name occurs
            twice with different values, or there is no target.
    """
    chosen = path or default_list()
    targets: dict[str, ListedTarget] = {}
    for line, cells in _rows(chosen):
        title, category = cells[0].strip(), cells[1].strip().lower() if len(cells) > 1 else ""
        if not normalise(title) or not category:
            raise UnreadableFile(chosen, "no name and category", line=line, remedy="write name,category[,alias...]")
        aliases = tuple(cell.strip() for cell in _names(cells)[1:] if normalise(cell))
        target = ListedTarget(normalise(title), title, category, aliases)
        if targets.setdefault(target.name, target) != target:
            raise UnreadableFile(chosen, f"{title!r} is there twice", line=line, remedy="write one line per target")
    if not targets:
        raise _empty(chosen)
    return tuple(targets.values())


def finder(names: tuple[str, ...]) -> Callable[[str], str]:
    """A function that finds the first target in a prompt, or an empty string; of several that begin there, the longest."""
    known = frozenset(name.lower() for name in names)
    lengths: dict[str, set[int]] = {}  # of the names that begin with a piece: a prompt is not compared with every name
    for name in known:
        lengths.setdefault(_PIECE.findall(name)[0], set()).add(len(name))
    longest = {piece: sorted(found, reverse=True) for piece, found in lengths.items()}

    def find(prompt: str) -> str:
        text = prompt.replace("_", " ").lower()
        for piece in _PIECE.finditer(text):
            start = piece.start()
            if _WORD.match(piece[0]) or not _WORD.match(text[start - 1 : start]):
                for end in (start + length for length in longest.get(piece[0], ())):
                    if text[start:end] in known and not _WORD.match(text, end):
                        return text[start:end]
        return ""

    return find


def _rows(path: Path) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Line number and cells of every line that is not a comment, header or empty."""
    for row in list_rows(path):
        cells = [cell.strip().lower() for cell in row.cells]
        if any(cells) and cells[:2] != ["name", "category"]:
            yield row.line, row.cells


def _names(cells: tuple[str, ...]) -> tuple[str, ...]:
    """Name and aliases of a line, without the parts of a combined target."""
    return (cells[0], *(cell for cell in cells[2:] if not cell.strip().startswith(PART)))


def _empty(path: Path) -> UnreadableFile:
    return UnreadableFile(path, "holds no target", remedy="write one a line: name,category[,alias...]")


GROUP_SUFFIXES = ("folks", "folk", "people")
PLURALS = {"women": "woman", "men": "man", "children": "child"}


def group_names(group: str) -> tuple[str, ...]:
    """The names by which a group of people is looked for among the targets, the surest first.

    ``mexican folks`` is also looked for as ``mexican``, and ``ethiopians`` as ``ethiopian``.

    Args:
        group: its normalised name.
    """
    words = group.split(" ")
    if len(words) > 1 and words[-1] in GROUP_SUFFIXES:
        return (group, " ".join(words[:-1]))
    last = words[-1]
    if last in PLURALS or (last.endswith("s") and not last.endswith("ss") and len(last) > 3):
        return (group, " ".join([*words[:-1], PLURALS.get(last, last[:-1])]))
    return (group,)
