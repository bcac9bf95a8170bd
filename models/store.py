"""Trained models on disk, one folder each under ``HARMGRAPH_HOME/models``, and their nodes in the graph.

A folder has ``embeddings.safetensors`` (the tables) or ``model.safetensors`` (the weights of an encoder), ``keys.json`` (the
entity or relation of each row), ``config.json`` (what is known of the model, an ``EmbeddingConfig``), ``history.json`` (a row per
epoch) and ``checkpoint.safetensors``, from which training continues.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harmgraph.common.errors import InputError, UnknownMember
from harmgraph.common.whole_file import delete
from harmgraph.graph.connection import Graph
from harmgraph.models.config import EmbeddingConfig
from harmgraph.models.folders import LOCK, Folders, staying
from harmgraph.models.record import CONFIG, Records

KEYS, TABLES, CHECKPOINT = "keys.json", "embeddings.safetensors", "checkpoint.safetensors"
WEIGHTS = "model.safetensors"
FOLDERS = Folders("models", "model")
KINDS = ("language", "frames")
"""Families in the graph whose models have a folder of their own by this name; any other is an embedding's."""
RECORDS = Records(FOLDERS, EmbeddingConfig, "embed train", FOLDERS.what, EmbeddingConfig.facts)
folder, names, alone, config, keep = FOLDERS.of, FOLDERS.names, FOLDERS.alone, RECORDS.read, RECORDS.keep


@dataclass(frozen=True, slots=True)
class StoredModel:
    """What is stored of a model.

    Attributes:
        place: its folder.
        files, size: number of files and their size in bytes; 0 if this machine has none.
        registered: whether the graph has its node.
        sources: names of the sources that it was trained on. said: those with what it said, which stay.
        probed: number of probe results in the graph.
    """

    place: Path
    files: int
    size: int
    registered: bool
    sources: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    probed: int = 0

    def __str__(self) -> str:
        parts = (
            [f"{self.files} files, {self.size / 2**20:,.1f} MiB, in {self.place}{staying(self.place)}"]
            if self.files
            else []
        )
        if self.registered:
            of = f", trained on {', '.join(self.sources)}" if self.sources else ""
            results = f", with {self.probed:,} probe results" if self.probed or not self.said else ""
            parts.append(f"its node in the graph{of}{results}")
        if self.said:
            parts.append(f"what it said stays: {', '.join(self.said)}")
        return "; ".join(parts)


def held(graph: Graph, name: str, folders: Folders = FOLDERS) -> StoredModel:
    """What ``remove`` would remove.

    Args:
        folders: of the kind of models: embeddings, populators, or language models.

    Raises:
        UnknownMember: neither this machine nor the graph has such a model of that name; the message lists similar names.
    """
    place = folders.of(name)
    rows = [row for row in graph.rows("model/about", name=name) if _is_of(folders, row["family"])]
    if not rows and not (place / CONFIG).exists():
        registered = {
            row["model"]["name"] for row in graph.rows("model/list") if _is_of(folders, row["model"].get("family"))
        }
        raise UnknownMember(folders.what, name, registered.union(folders.names()))
    files = [file for file in place.rglob("*") if file.is_file() and file.name != LOCK]
    size = sum(file.stat().st_size for file in files)
    if not rows:
        return StoredModel(place, len(files), size, False)
    about = rows[0]
    return StoredModel(place, len(files), size, True, tuple(about["sources"]), tuple(about["said"]), about["probed"])


def remove(graph: Graph, name: str, folders: Folders = FOLDERS) -> None:
    """Removes a model: its node with its relationships and probe results, then its files.

    Raises:
        UnknownMember: see ``held``.
        Busy: another command trains it.
    """
    with folders.alone(name) as place:
        if held(graph, name, folders).registered:
            graph.write("model/forget", name=name)
        delete(place)  # of a link only the link: what it leads to is not ours


def remove_asking(name: str, folders: Folders, *, yes: bool) -> None:
    """The commands ``rm``: removes a model after a question.

    Raises:
        as ``remove``.
    """
    import click

    with Graph.open() as graph:
        known = held(graph, name, folders)
        with folders.alone(name):
            pass  # refuse a model that is being trained before asking anything
        what = str(known)  # says of a link where it leads, so while it is there
        if not yes:
            click.confirm(f"Remove {name} ({what})?", abort=True)
        remove(graph, name, folders)
    click.echo(f"removed {name}: {what}")


def show_all(rows: Sequence[Mapping[str, Any]], output: str, title: str, digits: Mapping[str, int]) -> None:
    """The commands ``list``: prints a row for each model of a kind."""
    from harmgraph.common.output import show

    show(rows, output, columns=list(rows[0]) if rows else ["model"], title=title, digits=digits)


def check_name(graph: Graph, name: str, family: str) -> None:
    """Checks that a model of a family may have a name in the graph.

    Raises:
        InputError: the graph has a model of another kind by this name.
    """
    for about in graph.rows("model/about", name=name):
        if about["family"] != family:
            raise InputError(
                f"the graph has a model of another kind by this name ({about['family']})",
                where=name,
                remedy="choose another name",
            )


def _is_of(folders: Folders, family: str | None) -> bool:
    """Whether a model of a family is of the kind of these folders; embeddings are all that are no kind of their own."""
    return family not in KINDS if folders is FOLDERS else family == folders.place


def register(
    graph: Graph,
    name: str,
    family: str,
    sha256: str | None,
    imports: Mapping[str, str] | None = None,
    folders: Folders = FOLDERS,
    **facts: Any,
) -> None:
    """Writes the ``Model`` node and its relationships to the sources it was trained on.

    Args:
        sha256: digest of the weights. imports: the import of each source; None for a model that no source can be trained on.
        facts: more of them, by name.

    Raises:
        InputError: the graph has a model of another kind by this name, and the family has folders of its own.
    """
    if family in KINDS:
        check_name(graph, name, family)
    facts |= {"family": family, "path": str(folders.of(name)), "sha256": sha256}
    if imports is not None:
        facts["import_id"] = ",".join(sorted(set(imports.values())))
    graph.write("model/register", name=name, facts=facts, sources=sorted(imports or ()))


def weights_digest(folder: Path) -> str:
    """The digest of all weights in a folder."""
    digests = [sha256(path) for path in sorted(folder.glob("*.safetensors"))]
    return digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest()


def sha256(path: Path) -> str:
    """The SHA-256 digest of a file, 64 hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
