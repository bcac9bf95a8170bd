"""Removes a scorer trained on this machine; its labels stay in the graph."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from harmgraph.common.errors import InputError, UnknownMember
from harmgraph.common.no_space import writing
from harmgraph.common.whole_file import delete, folder_part
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.measures import measures
from harmgraph.models.classifier.classifier import model_identity
from harmgraph.models.classifier.learnt import learnt_record
from harmgraph.models.classifier.training import FOLDERS, begun_folder
from harmgraph.models.text.encoder import trained


@dataclass(frozen=True, slots=True)
class Removable:
    """What exists under a scorer's name.

    Attributes:
        folders: the scorer's folder, and that of an interrupted training.
        bytes: size of their files.
        signature: name and digest of its weights, as labels record them; empty if it has none.
        finished: False if there is only an interrupted training.
    """

    name: str
    folders: tuple[Path, ...]
    bytes: int
    signature: str
    finished: bool


def scorer_names() -> list[str]:
    """The names of the scorers on this machine, including those whose training was interrupted, sorted."""
    folder = trained("")
    ending = begun_folder("").name.removeprefix(".")
    begun = {path.name[1 : -len(ending)] for path in folder.glob(f".?*{ending}") if path.is_dir()}
    return sorted(begun.union(FOLDERS.names(), learnt_record.FOLDERS.names()))


def removable(name: str) -> Removable:
    """What would be removed.

    Raises:
        UnknownMember: no scorer of that name; the message lists similar names.
    """
    if name not in (known := scorer_names()):
        raise UnknownMember("scorer trained here", name, known)
    folder = trained(name)
    folders = tuple(path for path in (folder, begun_folder(name)) if path.is_dir())
    size = sum(file.stat().st_size for path in folders for file in path.rglob("*") if file.is_file())
    signature = ""
    if folder.is_dir():
        with suppress(InputError):  # a damaged scorer can be removed too
            learnt = (folder / learnt_record.FACTS).is_file()
            signature = learnt_record.signature(name) if learnt else model_identity(str(folder))
    return Removable(name, folders, size, signature, folder.is_dir())


def labels_by(graph: Graph, signature: str) -> dict[str, int]:
    """For each measure, how many statements about targets have a label from these weights; measures without any are left out."""
    standing = list(measures(graph))
    by = [f"{measure}_by" for measure in standing]
    counts: dict[str, int] = {}
    weights = "@" + signature.rpartition("@")[2]
    for row in graph.rows("label/labelled_by", source=None, measures=standing, by=by):
        for measure, who in zip(standing, row["by"], strict=True):
            if weights in str(who or "").partition("(")[2]:
                counts[measure] = counts.get(measure, 0) + row["statements"]
    return counts


def remove(scorer: Removable) -> None:
    """Removes the files. Call it inside ``training.alone``.

    Raises:
        NoSpace: they cannot be removed.
    """
    doomed = trained(f".{scorer.name}.removed")
    with writing(doomed):
        delete(folder_part(trained(scorer.name)))  # left by a training that was killed
        for folder in scorer.folders:
            delete(doomed)
            # Rename it first, so that nobody loads a half removed scorer.
            folder.rename(doomed)
            delete(doomed)
