"""Trained models on disk, one folder each under ``HARMGRAPH_HOME/models``, and their nodes in the graph.

A folder has ``embeddings.safetensors`` (the tables), ``keys.json`` (the entity or relation of each row), ``config.json``
(what is known of the model, a ``Config``), ``history.json`` (a row per epoch) and ``checkpoint.safetensors``, from which
training continues.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harmgraph.graph.common.errors import UnknownMember
from harmgraph.graph.connection import Graph
from harmgraph.models.config import Config
from harmgraph.models.folders import LOCK, Folders
from harmgraph.models.record import CONFIG, read_json, unreadable, write_json

if TYPE_CHECKING:
    from harmgraph.graph.typed.rows import ModelAboutRow

KEYS, TABLES, CHECKPOINT = "keys.json", "embeddings.safetensors", "checkpoint.safetensors"
FOLDERS = Folders("models", "model")
folder, names, alone = FOLDERS.of, FOLDERS.names, FOLDERS.alone


def config(name: str) -> Config:
    """What is known of a model.

    Raises:
        UnknownMember: no model of that name; the message lists similar names.
        UnreadableFile: its file is damaged, or lacks what this version needs.
    """
    path = folder(name) / CONFIG
    if not path.is_file():
        raise UnknownMember("model", name, names())
    facts = read_json(path)
    try:
        return Config.of(facts)
    except ValueError as error:
        raise unreadable(path, error) from error


def keep(name: str, known: Config, **files: Any) -> None:
    """Writes ``config.json`` of a model, and other JSON files (``keys``, ``history``) by name."""
    place = folder(name)
    place.mkdir(parents=True, exist_ok=True)
    for file, content in files.items():
        write_json(place / f"{file}.json", content)
    write_json(place / CONFIG, known.facts())


@dataclass(frozen=True, slots=True)
class Held:
    """What is stored of a model.

    Attributes:
        place: its folder.
        files, size: number of files and their size in bytes; 0 if this machine has none.
        registered: whether the graph has its node.
        sources: names of the sources that it was trained on.
        probed: number of probe results in the graph.
    """

    place: Path
    files: int
    size: int
    registered: bool
    sources: tuple[str, ...] = ()
    probed: int = 0

    def __str__(self) -> str:
        parts = [f"{self.files} files, {self.size / 2**20:,.1f} MiB, in {self.place}"] if self.files else []
        if self.registered:
            of = f", trained on {', '.join(self.sources)}" if self.sources else ""
            parts.append(f"its node in the graph{of}, with {self.probed:,} probe results")
        return "; ".join(parts)


def held(graph: Graph, name: str) -> Held:
    """What ``remove`` would remove.

    Raises:
        UnknownMember: neither this machine nor the graph has a model of that name; the message lists similar names.
    """
    place = folder(name)
    rows = graph.rows("model/about", name=name)
    if not rows and not (place / CONFIG).exists():
        registered = {row["model"]["name"] for row in graph.rows("model/list")}
        raise UnknownMember("model", name, registered.union(names()))
    files = [file for file in place.glob("*") if file.name != LOCK]
    about: ModelAboutRow = rows[0] if rows else {"sources": [], "probed": 0}
    sources = tuple(sorted(about["sources"]))
    size = sum(file.stat().st_size for file in files)
    return Held(place, len(files), size, bool(rows), sources, about["probed"])


def remove(graph: Graph, name: str) -> None:
    """Removes a model: its node with its relationships and probe results, then its files.

    Raises:
        Busy: another command trains it.
    """
    with alone(name) as place:
        graph.write("model/forget", name=name)
        shutil.rmtree(place)


def register(graph: Graph, name: str, facts: Mapping[str, Any], sources: Sequence[str]) -> None:
    """Writes the ``Model`` node and its relationships to the sources it was trained on."""
    graph.write("model/register", name=name, facts=dict(facts), sources=list(sources))


def sha256(path: Path) -> str:
    """The SHA-256 digest of a file, 64 hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
