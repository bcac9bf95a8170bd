"""The split of a benchmark file (train, valid or test), by its name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harmgraph.common.options import Option

NAMES = {"train": "train", "valid": "valid", "validation": "valid", "dev": "valid", "test": "test"}
SHORT = {"trn": "train", "dev": "valid", "tst": "test"}
"""Splits as they are called in a column of ATOMIC and of the files of Fang et al. 2021."""
SPLIT = Option(
    "split",
    "auto",
    "split that the files belong to; auto goes by their names",
    choices=("auto", "train", "valid", "test", "none"),
)
_WORD = re.compile(rf"(?<![a-z])({'|'.join(NAMES)})(?![a-z])")


def split_of(path: Path) -> str:
    """``train``, ``valid`` or ``test``: the first such word in the file's name; empty if there is none."""
    match = _WORD.search(path.name.lower())
    return NAMES[match[1]] if match else ""


def long_name(split: str) -> str:
    """The split of a column: ``trn`` is ``train``; another name stays."""
    return SHORT.get(split, split)


def chosen_split(path: Path, options: Mapping[str, Any]) -> str:
    """The split of a file, by the option ``split``; empty for none."""
    if options["split"] == "auto":
        return split_of(path)
    return "" if options["split"] == "none" else str(options["split"])
