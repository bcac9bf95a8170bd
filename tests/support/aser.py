"""Small databases in the forms of ASER 2.x and 1.0, for tests and benchmarks."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from harmgraph.loader.importers.aser import SENSES

Eventuality = tuple[str, str, float]
"""Words, pattern, frequency."""
Edge = tuple[int, int, Mapping[str, float]]
"""Numbers of head and tail, weight by sense."""


def info_of(words: str) -> bytes:
    """What ASER 2.x stores of an eventuality: its words, their tags and a dependency between each word and the next."""
    said = words.split()
    edges = [[number + 1, "dep", number] for number in range(len(said) - 1)]
    return json.dumps({"_dependencies": edges, "words": said, "pos_tags": ["NN"] * len(said)}).encode()


def identifier(words: str) -> str:
    """The id of an eventuality, as ASER computes it: the SHA-1 of its dependencies, words and tags."""
    facts = json.loads(info_of(words))
    said, tags = facts["words"], facts["pos_tags"]
    edges = [((g, said[g], tags[g]), label, (d, said[d], tags[d])) for g, label, d in facts["_dependencies"]]
    return hashlib.sha1(json.dumps([edges, said, tags]).encode()).hexdigest()


def relation_id(head: str, tail: str) -> str:
    """The id of a relation: the SHA-1 of the ids of its ends."""
    return hashlib.sha1(f"{head}${tail}".encode()).hexdigest()


def make_tables(db: sqlite3.Connection) -> None:
    """The tables of a ``KG.db`` of ASER 2.x."""
    db.execute(
        "CREATE TABLE Eventualities (_id PRIMARY KEY, frequency REAL, pattern TEXT, verbs TEXT, skeleton_words TEXT, "
        "words TEXT, info BLOB)"
    )
    _make_relations(db)


def _make_relations(db: sqlite3.Connection) -> None:
    senses = ", ".join(f"{sense} REAL" for sense in SENSES)
    db.execute(f"CREATE TABLE Relations (_id PRIMARY KEY, hid TEXT, tid TEXT, {senses})")


def write_aser(path: Path, eventualities: Sequence[Eventuality], edges: Iterable[Edge]) -> Path:
    """A ``KG.db`` of ASER 2.x."""
    ids = [identifier(words) for words, _, _ in eventualities]
    with closing(sqlite3.connect(path)) as db:
        make_tables(db)
        db.executemany(
            "INSERT INTO Eventualities VALUES (?, ?, ?, '', ?, ?, ?)",
            (
                (one_id, frequency, pattern, words, words, info_of(words))
                for one_id, (words, pattern, frequency) in zip(ids, eventualities, strict=True)
            ),
        )
        db.executemany(
            f"INSERT INTO Relations VALUES (?, ?, ?, {', '.join('?' * len(SENSES))})",
            (
                (
                    relation_id(ids[head], ids[tail]),
                    ids[head],
                    ids[tail],
                    *(weights.get(sense, 0.0) for sense in SENSES),
                )
                for head, tail, weights in edges
            ),
        )
        db.commit()
    return path


def write_aser1(path: Path, eventualities: Sequence[Eventuality], edges: Iterable[Edge]) -> Path:
    """A ``KG.db`` of ASER 1.0."""
    senses = [sense for sense in SENSES if sense != "Co_Occurrence"]
    with closing(sqlite3.connect(path)) as db:
        db.execute(
            "CREATE TABLE Eventualities (_id PRIMARY KEY, verbs TEXT, skeleton_words_clean TEXT, skeleton_words TEXT, "
            "words TEXT, pattern TEXT, frequency REAL)"
        )
        columns = ", ".join(f"{sense} REAL" for sense in senses)
        db.execute(f"CREATE TABLE Relations (_id PRIMARY KEY, event1_id TEXT, event2_id TEXT, {columns})")
        db.executemany(
            "INSERT INTO Eventualities VALUES (?, '', ?, ?, ?, ?, ?)",
            ((words, words, words, words, pattern, frequency) for words, pattern, frequency in eventualities),
        )
        db.executemany(
            f"INSERT INTO Relations VALUES (?, ?, ?, {', '.join('?' * len(senses))})",
            (
                (
                    f"{head}_{tail}",
                    eventualities[head][0],
                    eventualities[tail][0],
                    *(weights.get(sense, 0.0) for sense in senses),
                )
                for head, tail, weights in edges
            ),
        )
        db.commit()
    return path


def write_concepts(
    path: Path, concepts: Sequence[str], edges: Iterable[Edge], instances: Iterable[tuple[int, str, float]]
) -> Path:
    """A ``concept.db`` of ASER 2.x.

    Args:
        instances: number of a concept, id of an eventuality that is one, score.
    """
    ids = [hashlib.sha1(words.encode()).hexdigest() for words in concepts]
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE Concepts (_id PRIMARY KEY, pattern TEXT, info BLOB)")
        db.execute("CREATE TABLE ConceptInstancePairs (_id PRIMARY KEY, cid TEXT, eid TEXT, pattern TEXT, score REAL)")
        _make_relations(db)
        for concept_id, words in zip(ids, concepts, strict=True):
            info = json.dumps({"words": words.split(), "instances": []}).encode()
            db.execute("INSERT INTO Concepts VALUES (?, 's-v-o', ?)", (concept_id, info))
        for head, tail, weights in edges:
            values = (
                relation_id(ids[head], ids[tail]),
                ids[head],
                ids[tail],
                *(weights.get(sense, 0.0) for sense in SENSES),
            )
            db.execute(f"INSERT INTO Relations VALUES (?, ?, ?, {', '.join('?' * len(SENSES))})", values)
        for concept, eventuality, score in instances:
            values = (relation_id(ids[concept], eventuality), ids[concept], eventuality, "s-v-o", score)
            db.execute("INSERT INTO ConceptInstancePairs VALUES (?, ?, ?, ?, ?)", values)
        db.commit()
    return path
