"""Import of embeddings trained elsewhere: NPY or text with keys, or the folders of DGL-KE and PyKEEN.

Pickles are never opened, because loading one can run any code.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.common.user_file import tab_rows
from harmgraph.graph import schema_setup
from harmgraph.graph.connection import Graph
from harmgraph.models import store
from harmgraph.models.config import EmbeddingConfig
from harmgraph.models.embedding import named_embedding
from harmgraph.models.embedding.score_function import score_functions
from harmgraph.models.folders import clear
from harmgraph.models.record import CONFIG
from harmgraph.models.subgraph import keys

Array = npt.NDArray[Any]
PICKLES = (".pkl", ".pickle", ".pt", ".pth", ".bin")
EXPORT = (
    "write the vectors as NPY where it was trained: "
    "np.save('entities.npy', model.entity_representations[0]().detach().cpu().numpy()), and so relation_representations"
)


@dataclass(frozen=True, slots=True)
class Files:
    """The files of the vectors and their keys."""

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
    """The four files: those that are named, and the others from a folder of DGL-KE or PyKEEN.

    Raises:
        UnreadableFile: there is no such folder, or it has several matching files or only a pickle.
        InputError: a file is neither named nor in the folder.
    """
    file_of = {
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
    for what, path in file_of.items():
        if path is None:
            if folder and any(folder.glob("*.pkl")):
                raise UnreadableFile(next(folder.glob("*.pkl")), "is a pickle, which can run any code", remedy=EXPORT)
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


def read_vectors(path: Path) -> Array:
    """A table of numbers, [rows, columns]; of complex numbers the real parts, then the imaginary parts.

    Raises:
        UnreadableFile: the file is not such a table, or is a pickle.
    """
    if path.suffix.lower() in PICKLES:
        raise UnreadableFile(path, "is a pickle, which can run any code", remedy=EXPORT)
    try:
        binary = path.suffix.lower() == ".npy"
        table = np.load(path, allow_pickle=False) if binary else np.loadtxt(path, dtype=np.float32, ndmin=2)
    except (OSError, ValueError, EOFError) as error:
        raise UnreadableFile(path, f"cannot be read as numbers ({error})") from error
    if table.ndim != 2 or table.dtype.kind not in "fiuc" or not table.size:
        raise UnreadableFile(path, f"is not a table of numbers: shape {table.shape}, type {table.dtype}")
    if not np.isfinite(table).all():
        raise UnreadableFile(path, "holds a number that is not finite")
    if table.dtype.kind == "c":
        table = np.concatenate([table.real, table.imag], axis=1)
    return np.ascontiguousarray(table, np.float32)


def read_keys(path: Path, count: int) -> list[str]:
    """The keys of the rows, in order, from a file with a key per line, or a row number and a key in either order.

    Raises:
        UnreadableFile: a row has no key, or a key is repeated.
    """
    rows = [row.cells for row in tab_rows(path)]
    if rows and len(rows) == count + 1 and {cell.lower() for cell in rows[0]} & {"id", "label"}:
        rows = rows[1:]
    if len(rows) != count:
        raise UnreadableFile(path, f"has {len(rows):,} keys for {count:,} vectors")
    names = [row[0] for row in rows]
    if rows and len(rows[0]) > 1:
        for at in (0, 1):
            ids = [row[at] for row in rows if len(row) > 1]
            if sorted(ids, key=len) and {*ids} == {str(number) for number in range(count)}:
                names = [row[1 - at] for row in sorted(rows, key=lambda row: int(row[at]))]
                break
        else:
            raise UnreadableFile(path, f"has no column with the numbers 0 to {count - 1:,}")
    if len(set(names)) != count:
        raise UnreadableFile(path, "names a key twice")
    return names


def take(
    graph: Graph,
    name: str,
    model: str,
    paths: Files,
    *,
    comparator: str = "",
    source: str | None = None,
    half_turn: float | None = None,
    replace: bool = False,
) -> EmbeddingConfig:
    """Stores the vectors as a model and registers it in the graph.

    Args:
        comparator: needed where the model knows several.
        source: the keys of the files are translated to its keys (``models.subgraph.keys``).
        half_turn: for RotatE, the number in the file that means pi.

    Raises:
        UnreadableFile: a file is damaged or does not fit the others.
        InputError: no comparator is given, the tables do not fit the model, or a model of that name exists.
        NotFound: no such source.
    """
    import torch

    from harmgraph.models import checkpoint

    family = score_functions.get(model)
    if not comparator and len(family.comparators) > 1:
        raise InputError(
            f"{model} can compare by {', '.join(family.comparators)}; which was it trained with?",
            remedy="name it with --comparator; DGL-KE: TransE_l1 l1, TransE_l2 l2, RotatE l1; PyKEEN: TransE l1 unless "
            "scoring_fct_norm is 2, RotatE l2",
        )
    chosen = comparator or family.comparators[0]
    entities, relations = read_vectors(paths.entities), read_vectors(paths.relations)
    entity_names, relation_names = (
        read_keys(paths.entity_keys, len(entities)),
        read_keys(paths.relation_keys, len(relations)),
    )
    family.checked(entities.shape[1], chosen)
    width = family.relation_width(entities.shape[1])
    if (
        model == "rotate" and relations.shape[1] == 2 * width
    ):  # PyKEEN stores complex numbers of modulus 1 instead of angles
        relations = np.arctan2(relations[:, width:], relations[:, :width])
    elif half_turn and not family.weighs:
        relations = relations * np.float32(pi / half_turn)
    if relations.shape[1] != width:
        raise InputError(
            f"a relation has {relations.shape[1]} columns where {model} with {entities.shape[1]} needs {width}",
            where=str(paths.relations),
        )
    schema_setup.apply(graph)
    subgraph = named_embedding.GraphPart(source).read(graph) if source else None
    if subgraph:
        entity_names = [keys.entity(key, subgraph.entity_ids) or key for key in entity_names]
        relation_names = [keys.relation(key, subgraph.relation_ids) or key for key in relation_names]
    matched = len(set(entity_names) & set(subgraph.entities)) if subgraph else 0
    if subgraph and not matched:
        raise InputError(
            f"none of the {len(entity_names):,} keys is one of the source {source!r}, such as {subgraph.entities[0]!r}",
            where=str(paths.entity_keys),
        )
    with store.alone(name) as place:
        if (place / CONFIG).exists():
            if not replace:
                raise InputError("a model of that name exists", where=name, remedy="--again, or another name")
            clear(place)
        checkpoint.write_tensors(
            place / store.TABLES, {"entities": torch.from_numpy(entities), "relations": torch.from_numpy(relations)}
        )
        known = EmbeddingConfig(
            state="finished",
            stopped=named_embedding.IMPORTED,
            family=model,
            comparator=chosen,
            reciprocal=False,
            dimension=int(entities.shape[1]),
            subgraph=named_embedding.trained_on(subgraph) if subgraph else None,
            sha256=store.sha256(place / store.TABLES),
            imported={key: str(getattr(paths, key)) for key in paths.__slots__},
            matched=matched,
            unmatched=len(subgraph.entities) - matched if subgraph else 0,
        )
        store.keep(place, known, keys={"entities": entity_names, "relations": relation_names})
        named_embedding.register(graph, name, known)
    return known
