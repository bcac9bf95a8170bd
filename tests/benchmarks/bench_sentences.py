"""Targets found in sentences, by 329 and by 10,000 targets; beside one regular expression, and one expression a target."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from harmgraph.common.plural import forms
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.sentence_targets import TargetFinder
from harmgraph.graph.target_names import listed_targets
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import pipeline
from harmgraph.loader.reading.plan import Plan
from tests.benchmarks.figures import Figures, timed
from tests.benchmarks.setting import Setting, fresh

SEED = 20211107
MANY = 10_000
ALONE = 200  # sentences for the expressions, which take long
WORDS = 14  # of a sentence, on average


def lists() -> dict[int, list[tuple[str, tuple[str, ...]]]]:
    """The shipped targets, and these with as many made ones as there are in all ten thousand."""
    shipped = [(one.name, (one.name, *map(str.lower, one.aliases))) for one in listed_targets()]
    made = [(name, (name,)) for name in (f"{word(at + 2 * MANY)} {word(at // 7)}" for at in range(MANY - len(shipped)))]
    return {len(shipped): shipped, MANY: [*shipped, *made]}


def word(number: int) -> str:
    """A made word of some letters, the same one for the same number."""
    chance = random.Random(f"{SEED} {number}")
    return "".join(chance.choice("bcdfglmnprst") + chance.choice("aeiou") for _ in range(chance.randint(2, 4)))


def sentences(count: int) -> Iterator[str]:
    """Made sentences; about every other one names a shipped target."""
    chance = random.Random(SEED)
    names = [name for name, _ in lists()[min(lists())]]
    common = [word(at) for at in range(5_000)]
    for _ in range(count):
        words = chance.choices(common, k=chance.randint(WORDS - 6, WORDS + 6))
        if chance.random() < 0.5:
            words[chance.randrange(len(words))] = chance.choice(names)
        yield " ".join(words).capitalize() + "."


def finder(targets: list[tuple[str, tuple[str, ...]]]) -> TargetFinder:
    """The finder of these."""
    return TargetFinder.of(
        {"target": name, "names": list(names), "language": "en", "combines": False, "lists": ["list"]}
        for name, names in targets
    )


def expression(names: list[str]) -> re.Pattern[str]:
    """One expression for some names in all their forms, the longest first."""
    every = sorted({form for name in names for form in forms(name)}, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, every))})(?!\w)", re.IGNORECASE)


def speed(find: Callable[[str], object], texts: list[str]) -> float:
    """Sentences a second."""
    began = time.perf_counter()
    for text in texts:
        find(text)
    return len(texts) / (time.perf_counter() - began)


def bench(setting: Setting, figures: Figures) -> None:
    """Finds in memory, then loads over Bolt."""
    texts = list(sentences(setting.edges))
    for count, targets in lists().items():
        figures.add(f"{count:,} targets, one pass", speed(finder(targets).spans, texts), "a second")
        whole = expression([name for _, names in targets for name in names])
        figures.add(f"{count:,} targets, one expression", speed(whole.search, texts[:ALONE]), "a second")
        each = [expression(list(names)) for _, names in targets]
        figures.add(
            f"{count:,} targets, one expression each",
            speed(lambda text, each=each: [one.search(text) for one in each], texts[:ALONE]),  # type: ignore[misc]
            "a second",
        )
    path = setting.folder / "sentences.txt"
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    listed = setting.folder / "many.csv"
    listed.write_text("".join(f"{name},made\n" for name, _ in lists()[MANY]), encoding="utf-8")
    fresh()
    for title, importer, file in (
        ("shipped targets", "targets", shipped(setting.folder)),
        ("sentences", "sentences", path),
        ("10,000 targets, and all sentences searched again", "targets", listed),
    ):
        with Graph.open() as graph:
            seconds, _ = timed(partial(pipeline.load, graph, Plan(importers.get(importer), (file,), file.stem)))
        figures.add(f"load of {title}", seconds, "s")


def shipped(folder: Path) -> Path:
    """The shipped targets as a list."""
    path = folder / "shipped.csv"
    path.write_text("".join(f"{name},made\n" for name, _ in lists()[min(lists())]), encoding="utf-8")
    return path
