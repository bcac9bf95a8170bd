"""A ``KG.db`` of ASER 2.x as large as wanted: seeded, ends drawn by Zipf's law, senses about as often as in ASER."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from harmgraph.loader.importers.aser import SENSES
from tests.support.aser import make_tables

SEED = 20211109
ZIPF = 1.3
EDGES_A_NODE = 5
TOGETHER = 50_000
SUBJECTS = ("i", "you", "he", "she", "they", "we", "the dog", "it", "someone", "the man")
VERBS = (
    "eat",
    "take",
    "make",
    "see",
    "want",
    "like",
    "find",
    "buy",
    "leave",
    "help",
    "call",
    "lose",
    "read",
    "clean",
    "open",
)
OBJECTS = (
    "food",
    "book",
    "car",
    "house",
    "friend",
    "money",
    "door",
    "phone",
    "job",
    "dog",
    "water",
    "school",
    "letter",
    "key",
)
FIFTH = ("at home", "again", "every day", "on monday", "with care")
SHARE_OF_SENSES = (2, 1, 4, 3, 2, 4, 10, 1, 17, 1, 1, 1, 1, 1, 51)  # about those of table 13, in percent


def write_database(path: Path, edges: int, texts: Sequence[str] = ()) -> Path:
    """The database with so many relations; the same for the same size.

    Args:
        texts: of the first nodes, instead of words put together.
    """
    nodes = max(edges // EDGES_A_NODE, 100, len(texts))
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = OFF")
        db.execute("PRAGMA synchronous = OFF")
        make_tables(db)
        _insert(db, f"INSERT INTO Eventualities VALUES ({', '.join('?' * 7)})", _eventualities(nodes, texts))
        _insert(db, f"INSERT INTO Relations VALUES ({', '.join('?' * (3 + len(SENSES)))})", _relations(nodes, edges))
    return path


def _insert(db: sqlite3.Connection, statement: str, rows: Iterator[tuple[object, ...]]) -> None:
    while some := list(islice(rows, TOGETHER)):
        db.executemany(statement, some)
        db.commit()


def _eventualities(nodes: int, texts: Sequence[str]) -> Iterator[tuple[object, ...]]:
    for number in range(nodes):
        rest, subject = divmod(number, len(SUBJECTS))
        rest, verb = divmod(rest, len(VERBS))
        rest, thing = divmod(rest, len(OBJECTS))
        rest, fifth = divmod(rest, len(FIFTH))
        words = (
            texts[number]
            if number < len(texts)
            else f"{SUBJECTS[subject]} {VERBS[verb]} {OBJECTS[thing]} {FIFTH[fifth]}{f' {rest}' if rest else ''}"
        )
        yield f"{number:040x}", 1.0 + number % 7, "s-v-o", VERBS[verb], words, words, b"{}"


def _relations(nodes: int, edges: int) -> Iterator[tuple[object, ...]]:
    rng = np.random.default_rng(SEED)
    places = np.asarray(SHARE_OF_SENSES) / sum(SHARE_OF_SENSES)
    pairs = _pairs(nodes, edges, rng)
    for number, sense in enumerate(rng.choice(len(SENSES), edges, p=places).tolist()):
        head, tail = divmod(int(pairs[number]), nodes)
        weights = [0.0] * len(SENSES)
        weights[sense] = 1.0
        yield (f"{number:040x}", f"{head:040x}", f"{tail:040x}", *weights)


def _pairs(nodes: int, edges: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Different pairs of a head and a tail, [edges] head * nodes + tail. ASER has a row for each pair too."""
    drawn = np.empty(0, np.int64)
    while len(drawn) < edges:
        heads, tails = ((rng.zipf(ZIPF, edges) * 2_654_435_761 + end) % nodes for end in (0, 1))
        drawn = np.unique(np.concatenate([drawn, (heads * nodes + tails)[heads != tails]]))
    pairs: npt.NDArray[np.int64] = rng.permutation(drawn)[:edges]
    return pairs
