"""Cache of subgraphs on disk (NPZ without pickles): an unchanged graph is read without querying its edges again."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from harmgraph.common.digests import text_digest
from harmgraph.common.home import home
from harmgraph.common.json_text import from_json
from harmgraph.common.kept_files import remove_least_used
from harmgraph.common.private import make_folder
from harmgraph.common.whole_file import beside
from harmgraph.models.config import Origin
from harmgraph.models.record import record
from harmgraph.models.subgraph.subgraph import Subgraph

FORM = 1  # version of the file format; another number invalidates all cached files
MOST = 8  # cached subgraphs; the least recently used one is removed first


def path_of(origin: Origin) -> Path:
    """The file of the subgraph with this origin; its name is a digest of everything that determines the content."""
    text = json.dumps([FORM, origin.facts()], sort_keys=True, default=str)
    return home() / "cache" / "subgraphs" / f"{text_digest(text)}.npz"


def find_subgraph(origin: Origin) -> Subgraph | None:
    """The cached subgraph; None if there is none or its file is damaged."""
    path = path_of(origin)
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            facts = from_json(str(arrays["facts"]))
            subgraph = Subgraph(
                _names(arrays["entities"]),
                _names(arrays["relations"]),
                arrays["head"],
                arrays["relation"],
                arrays["tail"],
                arrays["split"],
                {name.removeprefix("edge_"): arrays[name] for name in arrays.files if name.startswith("edge_")},
                split_by=facts["split_by"],
                duplicates=facts["duplicates"],
                origin=record(Origin, facts["origin"]),
            )
        os.utime(path)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None  # then it is read from the graph again
    return subgraph


def store_subgraph(subgraph: Subgraph, origin: Origin) -> None:
    """Writes a subgraph, which was read from there, to the cache, atomically."""
    path = path_of(origin)
    make_folder(path.parent)
    facts = {"split_by": subgraph.split_by, "duplicates": subgraph.duplicates, "origin": origin.facts()}
    arrays: dict[str, Any] = {
        "facts": np.array(json.dumps(facts, default=str)),
        "entities": _bytes(subgraph.entities),
        "relations": _bytes(subgraph.relations),
        "head": subgraph.head,
        "relation": subgraph.relation,
        "tail": subgraph.tail,
        "split": subgraph.split,
    }
    arrays |= {f"edge_{name}": values for name, values in subgraph.edge_features.items()}
    with beside(path) as part, part.open("wb") as file:
        np.savez(file, **arrays)
    remove_least_used(path.parent, "*.npz", MOST)


def _bytes(names: Sequence[str]) -> npt.NDArray[np.uint8]:
    """Names as UTF-8, each after its length; a NumPy text array would need the longest length for each."""
    data = bytearray()
    for name in names:
        text = name.encode("utf-8", "surrogatepass")
        data += len(text).to_bytes(4, "little") + text
    return np.frombuffer(bytes(data), np.uint8)


def _names(array: npt.NDArray[np.uint8]) -> tuple[str, ...]:
    data = array.tobytes()
    names = []
    place = 0
    while place < len(data):
        start = place + 4
        place = start + int.from_bytes(data[place:start], "little")
        names.append(data[start:place].decode("utf-8", "surrogatepass"))
    return tuple(names)
