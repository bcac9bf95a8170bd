"""Compares what an importer makes of lines with its screen and without it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from harmgraph.loader.formats.importer import importers
from tests.support.reading import each_line


def mutations(lines: Iterable[str], pieces: Iterable[str], count: int, seed: int = 0) -> list[str]:
    """The lines, each changed in one to three places: a piece put in, letters taken out, or both; and some as they are."""
    random = Random(seed)
    lines, pieces = tuple(lines), tuple(pieces)
    made = []
    for _ in range(count):
        line = random.choice(lines)
        for _ in range(random.randrange(4)):
            start = random.randrange(len(line) + 1)
            end = min(len(line), start + random.choice((0, 0, 1, 1, 2, 7)))
            line = line[:start] + random.choice(("", *pieces)) + line[end:]
        made.append(line.replace("\n", ""))
    return made


def found_by_screen(importer: str, folder: Path, lines: Iterable[str], **options: Any) -> int:
    """How many of the lines the screen finds; fails if without it anything else becomes of any line."""
    path = folder / "screened.txt"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="")
    with_it = list(importers.get(importer).records(path, **options))
    with patch.object(type(importers.get(importer)), "screen", lambda *_: None):
        without = list(importers.get(importer).records(path, **options))
    assert list(each_line(with_it)) == without
    return len(without) - len(with_it)
