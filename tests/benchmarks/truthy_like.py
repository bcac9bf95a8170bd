"""A dump like Wikidata's truthy one, as large as wanted: the lines of an item together, half of them names in many languages."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from harmgraph.loader.importers.wikidata_truthy import DESCRIPTION, DIRECT, ENTITY, LABEL
from tests.benchmarks.generated import WORDS

SEED = 20140901
ZIPF = 1.2
ITEMS = 100_000_000
LANGUAGES = ("en", "de", "fr", "es", "nl")
PROPERTIES = (31, 21, 27, 106, 19, 17, 131, 361, 279, 734)
STATEMENTS = 4  # of an item whose value is an item
TOGETHER = 10_000  # items
OTHER = (
    f'<{ENTITY}{{0}}> <{DIRECT}P569> "1952-03-11T00:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime> .\n'
    f'<{ENTITY}{{0}}> <{DIRECT}P646> "/m/0282x" .\n'
    f"<{ENTITY}{{0}}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://wikiba.se/ontology#Item> .\n"
)


def write_truthy(path: Path, lines: int) -> Path:
    """Writes so many lines; the same bytes for the same number."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(islice(_lines(), lines))
    return path


def _lines() -> Iterator[str]:
    random = np.random.default_rng(SEED)
    while True:
        heads = random.integers(1, ITEMS, TOGETHER).tolist()
        tails = (random.zipf(ZIPF, (TOGETHER, STATEMENTS)) % ITEMS + 1).tolist()
        kinds = random.choice(PROPERTIES, (TOGETHER, STATEMENTS)).tolist()
        words = random.integers(0, len(WORDS), (TOGETHER, 2)).tolist()
        for number, ends, properties, (one, two) in zip(heads, tails, kinds, words, strict=True):
            item = f"Q{number}"
            for language in LANGUAGES:
                yield f'<{ENTITY}{item}> <{LABEL}> "{WORDS[one]} {WORDS[two]} {number}"@{language} .\n'
                yield f'<{ENTITY}{item}> <{DESCRIPTION}> "a {WORDS[two]} of the {WORDS[one]}"@{language} .\n'
            for tail, kind in zip(ends, properties, strict=True):
                yield f"<{ENTITY}{item}> <{DIRECT}P{kind}> <{ENTITY}Q{tail}> .\n"
            yield from OTHER.format(item).splitlines(keepends=True)
