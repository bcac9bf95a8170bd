"""A dump like ConceptNet 5.7's, as large as wanted: its five columns, a tenth of the lines English, ends by Zipf's law.

``python -m tests.benchmarks.conceptnet_like FILE.csv.gz [--lines 34000000] [--changed 0.01]``
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tests.benchmarks.generated import WORDS, target_names

LINES = 34_000_000
SEED = 20161204
TOGETHER = 200_000
ENGLISH_SHARE = 0.1
NAMED_SHARE = 0.03
"""Of the English lines: about those of ConceptNet 5.7 that name one of the default targets, 101 thousand of 3.4 million."""
ZIPF = 1.15
LINES_A_NODE = 1.3
OTHERS = ("fr", "de", "ja", "es", "it", "la", "ru", "pt", "zh", "fi", "pl", "nl", "sv", "cs")
RELATIONS = (
    ("RelatedTo", 40),
    ("FormOf", 18),
    ("DerivedFrom", 10),
    ("Synonym", 9),
    ("HasContext", 6),
    ("IsA", 6),
    ("EtymologicallyRelatedTo", 3),
    ("ExternalURL", 3),
    ("AtLocation", 1),
    ("UsedFor", 1),
    ("CapableOf", 1),
    ("HasProperty", 1),
    ("Antonym", 1),
)
"""With their shares in percent, about those of the whole dump."""
URLS = "ExternalURL"
DETAILS = (
    '{"dataset": "/d/wiktionary/en", "license": "cc:by-sa/4.0", "sources": [{"contributor": "/s/resource/wiktionary/en", '
    '"process": "/s/process/wikiparsec/2"}], "weight": 1.0}\n'
)
TOLD = (
    '{{"dataset": "/d/conceptnet/4/en", "license": "cc:by/4.0", "sources": [{{"activity": "/s/activity/omcs/template", '
    '"contributor": "/s/contributor/omcs/someone"}}], "surfaceEnd": "{1}", "surfaceStart": "{0}", '
    '"surfaceText": "[[{0}]] is related to [[{1}]]", "weight": 2.0}}\n'
)
TOLD_SHARE = 0.15


def write_dump(path: Path, lines: int = LINES, *, changed: float = 0.0) -> Path:
    """Writes the dump, gzipped; the same bytes for the same numbers.

    Args:
        changed: share of the lines that are others than in the dump with 0, spread evenly.
    """
    nodes = max(int(lines / LINES_A_NODE), 1_000)
    names = [name.replace(" ", "_") for name in target_names()]
    kinds = np.array([name for name, _ in RELATIONS])
    shares = np.array([share for _, share in RELATIONS], float)
    # Neither the name nor the time stands in the file, so that equal dumps are equal bytes.
    with path.open("wb") as raw, gzip.GzipFile("", "wb", 1, raw, 0) as file:
        for number, first in enumerate(range(0, lines, TOGETHER)):
            count = min(TOGETHER, lines - first)
            file.write("".join(_lines(number, count, nodes, names, kinds, shares / shares.sum(), changed)).encode())
    return path


def _lines(
    number: int,
    count: int,
    nodes: int,
    names: list[str],
    kinds: np.ndarray[tuple[int], np.dtype[np.str_]],
    shares: np.ndarray[tuple[int], np.dtype[np.float64]],
    changed: float,
) -> Iterator[str]:
    """So many lines, drawn with a seed of their own."""
    random = np.random.default_rng([SEED, number])
    heads = (random.zipf(ZIPF, count) % nodes).tolist()
    tails = random.integers(0, nodes, count).tolist()
    relations = random.choice(kinds, count, p=shares).tolist()
    english, named, told = (
        (random.random(count) < share).tolist() for share in (ENGLISH_SHARE, NAMED_SHARE, TOLD_SHARE)
    )
    languages = random.integers(0, len(OTHERS), count).tolist()
    targets = random.integers(0, len(names), count).tolist()
    other = (np.random.default_rng([SEED, number, 1]).random(count) < changed).tolist()
    for place in range(count):
        relation, head, tail = relations[place], heads[place], tails[place]
        if other[place]:
            tail = (tail + 1) % nodes
        language = "en" if english[place] else OTHERS[languages[place]]
        start = names[targets[place]] if english[place] and named[place] else _term(head)
        end = _term(tail)
        if relation == URLS:
            uris = f"/c/{language}/{start}", f"http://dbpedia.org/resource/{end}"
        else:
            # Some terms of Wiktionary have a part of speech; links between languages begin with English too.
            uris = f"/c/{language}/{start}{'/n' if head % 7 == 0 else ''}", f"/c/{language}/{end}"
        details = TOLD.format(start.replace("_", " "), end.replace("_", " ")) if told[place] else DETAILS
        yield f"/a/[/r/{relation}/,{uris[0]}/,{uris[1]}/]\t/r/{relation}\t{uris[0]}\t{uris[1]}\t{details}"


def _term(number: int) -> str:
    """A term of one word for the commonest, of two or three for the others."""
    if number < len(WORDS):
        return WORDS[number]
    rest, word = divmod(number, len(WORDS))
    return f"{WORDS[rest % len(WORDS)]}_{WORDS[word]}_{rest}"


def main() -> None:
    """Writes a dump."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.conceptnet_like", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--lines", type=int, default=LINES, help=f"[{LINES:,}]")
    parser.add_argument("--changed", type=float, default=0.0, help="share of lines that are others [0]")
    chosen = parser.parse_args()
    write_dump(chosen.file, chosen.lines, changed=chosen.changed)


if __name__ == "__main__":
    main()
