"""Embeddings that were trained elsewhere: NPY or text with their keys, and the folders of DGL-KE and PyKEEN.

Pickles are never opened: one can run anything.
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from math import pi
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from harmgraph.graph import schema_setup
from harmgraph.graph.common.errors import InputError, UnreadableFile
from harmgraph.graph.connection import Graph
from harmgraph.models import store
from harmgraph.models.embedding import named_model as embed_training
from harmgraph.models.embedding.score_function import embeddings
from harmgraph.models.subgraph import keys

Array = npt.NDArray[Any]
PICKLES = (".pkl", ".pickle", ".pt", ".pth", ".bin")
EXPORT = (
    "write the vectors as NPY where it was trained: "
    "np.save('entities.npy', model.entity_representations[0]().detach().cpu().numpy()), and so relation_representations"
)


@dataclass(frozen=True, slots=True)
class Files:
    """Where vectors and their keys stand."""

    entities: Path
    entity_keys: Path
    relations: Path
    relation_keys: Path


def files(
    folder: Path | None,
    entities: Path | None,
    entity_keys: Path | None,
    relations: Path | None,
    relation_keys: Path | None,
) -> Files:
    """The four files: those named, and what a folder of DGL-KE or PyKEEN has of the others.

    Raises:
        UnreadableFile: the folder has no such file, or a pickle alone.
        InputError: one is not named.
    """
    found = {
        "entities": entities or _in(folder, "entities.npy", "*_entity.npy"),
        "entity keys": entity_keys
        or _in(folder, "training_triples/entity_to_id.tsv*", "entities.tsv", "entities.dict", "entity_to_id.tsv*"),
        "relations": relations or _in(folder, "relations.npy", "*_relation.npy"),
        "relation keys": relation_keys
        or _in(
            folder, "training_triples/relation_to_id.tsv*", "relations.tsv", "relations.dict", "relation_to_id.tsv*"
        ),
    }
    paths: list[Path] = []
    for what, path in found.items():
        if path is None:
            if folder and any(folder.glob("*.pkl")):
                raise UnreadableFile(next(folder.glob("*.pkl")), "is a pickle, which may run anything", remedy=EXPORT)
            raise InputError(
                f"no file of the {what}" + (f" in {folder}" if folder else ""),
                remedy=f"name it with --{what.replace('entity keys', 'entity-keys').replace('relation keys', 'relation-keys')}",
            )
        paths.append(path)
    return Files(*paths)


def _in(folder: Path | None, *patterns: str) -> Path | None:
    if folder is None:
        return None
    if not folder.is_dir():
        raise UnreadableFile(folder, "no such folder")
    for pattern in patterns:
        several = sorted(folder.glob(pattern))
        if len(several) > 1:
            names = ", ".join(path.name for path in several[:5])
            raise UnreadableFile(folder, f"has several: {names}", remedy="name the file itself")
        if several:
            return several[0]
    return None


def vectors(path: Path) -> Array:
    """A table of numbers, [rows, columns]; complex ones as real parts, then imaginary parts.

    Raises:
        UnreadableFile: it is no such table, or a pickle.
    """
    if path.suffix.lower() in PICKLES:
        raise UnreadableFile(path, "is a pickle, which may run anything", remedy=EXPORT)
    try:
        binary = path.suffix.lower() == ".npy"
        made = np.load(path, allow_pickle=False) if binary else np.loadtxt(path, dtype=np.float32, ndmin=2)
    except (OSError, ValueError, EOFError) as error:
        raise UnreadableFile(path, f"cannot be read as numbers ({error})") from error
    if made.ndim != 2 or made.dtype.kind not in "fiuc" or not made.size:
        raise UnreadableFile(path, f"is no table of numbers: shape {made.shape}, type {made.dtype}")
    if not np.isfinite(made).all():
        raise UnreadableFile(path, "holds what is no finite number")
    if made.dtype.kind == "c":
        made = np.concatenate([made.real, made.imag], axis=1)
    return np.ascontiguousarray(made, np.float32)


def names(path: Path, count: int) -> list[str]:
    """Keys in the order of the rows: one a line, or a number and a key in either order.

    Raises:
        UnreadableFile: not one key for each row, or a key twice.
    """
    try:
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        rows = [line.rstrip("\r").split("\t") for line in content.decode("utf-8").split("\n") if line.strip()]
    except (OSError, UnicodeDecodeError, EOFError) as error:
        raise UnreadableFile(path, f"cannot be read ({error})") from error
    if rows and len(rows) == count + 1 and {cell.lower() for cell in rows[0]} & {"id", "label"}:
        rows = rows[1:]
    if len(rows) != count:
        raise UnreadableFile(path, f"has {len(rows):,} keys for {count:,} vectors")
    made = [row[0] for row in rows]
    if rows and len(rows[0]) > 1:
        for at in (0, 1):
            ids = [row[at] for row in rows if len(row) > 1]
            if sorted(ids, key=len) and {*ids} == {str(number) for number in range(count)}:
                made = [row[1 - at] for row in sorted(rows, key=lambda row: int(row[at]))]
                break
        else:
            raise UnreadableFile(path, f"has no column with the numbers 0 to {count - 1:,}")
    if len(set(made)) != count:
        raise UnreadableFile(path, "names a key twice")
    return made


def take(
    graph: Graph,
    name: str,
    model: str,
    given: Files,
    *,
    comparator: str = "",
    source: str | None = None,
    half_turn: float | None = None,
    replace: bool = False,
) -> dict[str, Any]:
    """Keeps the vectors as a model and registers it.

    Args:
        comparator: needed where the model knows several.
        source: its keys are what the keys of the files are translated to (``models.subgraph.keys``).
        half_turn: of RotatE: the number in the file that stands for pi.

    Returns:
        What is known of the model; ``matched`` and ``unmatched`` entities of the source.

    Raises:
        UnreadableFile: a file is at fault.
        InputError: the comparator is left open, the tables do not go with the model, or a model of that name stands.
        NotFound: no such source.
    """
    import torch

    from harmgraph.models import checkpoint

    family = embeddings.get(model)
    if not comparator and len(family.comparators) > 1:
        raise InputError(
            f"{model} compares by {', '.join(family.comparators)}: with which was it trained?",
            remedy="say it by --comparator; DGL-KE: TransE_l1 l1, TransE_l2 l2, RotatE l1; PyKEEN: TransE l1 unless "
            "scoring_fct_norm is 2, RotatE l2",
        )
    chosen = comparator or family.comparators[0]
    entities, relations = vectors(given.entities), vectors(given.relations)
    entity_names, relation_names = names(given.entity_keys, len(entities)), names(given.relation_keys, len(relations))
    family.checked(entities.shape[1], chosen)
    width = family.relation_width(entities.shape[1])
    if model == "rotate" and relations.shape[1] == 2 * width:  # unit numbers instead of angles, as PyKEEN has them
        relations = np.arctan2(relations[:, width:], relations[:, :width])
    elif half_turn and not family.weighs:
        relations = relations * np.float32(pi / half_turn)
    if relations.shape[1] != width:
        raise InputError(
            f"a relation has {relations.shape[1]} columns where {model} with {entities.shape[1]} needs {width}",
            where=str(given.relations),
        )
    schema_setup.apply(graph)
    subgraph = embed_training.Choice(source).read(graph) if source else None
    if subgraph:
        entity_names = [keys.entity(key, subgraph.entity_ids) or key for key in entity_names]
        relation_names = [keys.relation(key, subgraph.relation_ids) or key for key in relation_names]
    matched = len(set(entity_names) & set(subgraph.entities)) if subgraph else 0
    if subgraph and not matched:
        raise InputError(
            f"none of the {len(entity_names):,} keys is one of the source {source!r}, such as {subgraph.entities[0]!r}",
            where=str(given.entity_keys),
        )
    known: dict[str, Any] = {
        "form": 1,
        "state": "finished",
        "stopped": "imported",
        "family": model,
        "comparator": chosen,
        "reciprocal": False,
        "dimension": int(entities.shape[1]),
        "subgraph": embed_training.subgraph_facts(subgraph) if subgraph else {},
        "imported": {key: str(getattr(given, key)) for key in given.__slots__},
        "matched": matched,
        "unmatched": len(subgraph.entities) - matched if subgraph else 0,
    }
    with store.alone(name) as place:
        if (place / store.CONFIG).exists():
            if not replace:
                raise InputError("a model of that name is here", where=name, remedy="--again, or another name")
            store.clear(place)
        checkpoint.write(
            place / store.TABLES, {"entities": torch.from_numpy(entities), "relations": torch.from_numpy(relations)}
        )
        known["sha256"] = store.sha256(place / store.TABLES)
        store.keep(name, known, keys={"entities": entity_names, "relations": relation_names})
        embed_training.register(graph, name, known)
    return known
