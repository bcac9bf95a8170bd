"""Subgraphs kept on disk: a second read of an unchanged graph takes no query of its edges. No pickle."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from harmgraph.graph.common.home import home
from harmgraph.graph.common.whole_file import beside
from harmgraph.models.subgraph.subgraph import Subgraph

FORM = 1  # of the file; another number makes every kept one unknown
MOST = 8  # subgraphs that are kept; the one unused for the longest goes first


def path_of(origin: Mapping[str, Any]) -> Path:
    """Where the subgraph of this origin is kept: the name is a digest of all that decides its content."""
    text = json.dumps([FORM, dict(origin)], sort_keys=True, default=str)
    name = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return home() / "cache" / "subgraphs" / f"{name}.npz"


def find(origin: Mapping[str, Any]) -> Subgraph | None:
    """The kept subgraph, None where there is none or its file is damaged."""
    path = path_of(origin)
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as found:
            facts = json.loads(str(found["facts"]))
            made = Subgraph(
                _names(found["entities"]),
                _names(found["relations"]),
                found["head"],
                found["relation"],
                found["tail"],
                found["split"],
                {name.removeprefix("edge_"): found[name] for name in found.files if name.startswith("edge_")},
                split_by=facts["split_by"],
                duplicates=facts["duplicates"],
                origin=facts["origin"],
            )
        os.utime(path)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None  # it is read from the graph again
    return made


def keep(made: Subgraph) -> None:
    """Writes a subgraph; the file appears whole or not at all."""
    path = path_of(made.origin)
    path.parent.mkdir(parents=True, exist_ok=True)
    facts = {"split_by": made.split_by, "duplicates": made.duplicates, "origin": dict(made.origin)}
    arrays: dict[str, Any] = {
        "facts": np.array(json.dumps(facts, default=str)),
        "entities": _bytes(made.entities),
        "relations": _bytes(made.relations),
        "head": made.head,
        "relation": made.relation,
        "tail": made.tail,
        "split": made.split,
    }
    arrays |= {f"edge_{name}": values for name, values in made.edge_features.items()}
    with beside(path) as part, part.open("wb") as file:
        np.savez(file, **arrays)
    for old in sorted(path.parent.glob("*.npz"), key=lambda one: one.stat().st_mtime)[:-MOST]:
        old.unlink(missing_ok=True)


def _bytes(names: Sequence[str]) -> npt.NDArray[np.uint8]:
    """Names as UTF-8, a length before each: an array of fixed-width text would take the longest for each."""
    made = bytearray()
    for name in names:
        text = name.encode("utf-8", "surrogatepass")
        made += len(text).to_bytes(4, "little") + text
    return np.frombuffer(bytes(made), np.uint8)


def _names(array: npt.NDArray[np.uint8]) -> tuple[str, ...]:
    data = array.tobytes()
    names = []
    place = 0
    while place < len(data):
        start = place + 4
        place = start + int.from_bytes(data[place:start], "little")
        names.append(data[start:place].decode("utf-8", "surrogatepass"))
    return tuple(names)
