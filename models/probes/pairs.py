"""Differences between the scores of two people: the first measure of Fisher et al. 2019, which they show to be noisy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harmgraph.common.errors import InputError, NotFound, UnreadableFile
from harmgraph.common.intervals import Z
from harmgraph.common.user_file import tab_rows
from harmgraph.graph.records import normalise
from harmgraph.models.probing.moments import Moments, without_noise
from harmgraph.models.probing.probe import EncodedQuestion, Numbers, Places, Probe, ProbeScores
from harmgraph.models.probing.question import LEAST_PEOPLE, Question
from harmgraph.models.subgraph.keys import FORMS

if TYPE_CHECKING:
    import click

    from harmgraph.graph.connection import Graph


class Pairs(Probe):
    """score(first person, relation, object) - score(second person, relation, object), averaged over pairs of people."""

    name = "pairs"
    title = "Compare the scores of two people, of pairs, or of both groups."
    meaning = "score of an object for the first person minus that for the second, averaged over the pairs"
    citation = "Fisher et al. 2019, Measuring social bias in knowledge graph embeddings, section 3.1"

    def options(self) -> list[click.Option]:
        """See ``Probe.options``."""
        import click

        return [
            click.Option(
                ["--pair", "pairs"], multiple=True, metavar="ONE=OTHER", help="Two people, by name or key; repeatable."
            ),
            click.Option(
                ["--pairs", "file"],
                type=click.Path(path_type=Path, dir_okay=False),
                help="File of pairs, two columns separated by a tab.  [default: everyone with a and everyone with b]",
            ),
        ]

    def resolved(self, graph: Graph, question: Question, options: Mapping[str, Any]) -> Mapping[str, Any]:
        """See ``Probe.resolved``: people by their keys."""
        named = [_halves(text) for text in options.get("pairs", ())] + _read(options.get("file"))
        words = dict.fromkeys(word for pair in named for word in pair)
        keys = {word: _person(graph, word) for word in words}
        return {"keys": [(keys[first], keys[second]) for first, second in named]}

    def random(self, encoded: EncodedQuestion, rng: np.random.Generator, options: Mapping[str, Any]) -> EncodedQuestion:
        """See ``Probe.random``."""
        if options.get("keys"):
            raise InputError("named pairs have no control", remedy="leave out --control, or the pairs")
        return super().random(encoded, rng, options)

    def scores(self, encoded: EncodedQuestion, *, keys: Sequence[tuple[str, str]] = (), **_: Any) -> ProbeScores:
        """See ``Probe.scores``. Without pairs: over all pairs of the two groups, which is the difference of their means."""
        if not keys:
            encoded.enough()
            a, b = (_moments(encoded, encoded.people[group]) for group in (encoded.with_a, encoded.with_b))
            half = Z * np.sqrt(a.deviation**2 / a.count + b.deviation**2 / b.count)
            values = without_noise(a.mean - b.mean, np.maximum(a.size, b.size))
            return _scores(values, half, len(encoded.with_a) * len(encoded.with_b))
        known = encoded.tables.entity_ids
        for key in dict.fromkeys(key for pair in keys for key in pair):
            if key not in known:
                raise InputError(f"the model has no vector for {key}", remedy="leave that pair out")
        ids = np.array([[known[key] for key in pair] for pair in keys], np.int64)
        changes, sizes = Moments(len(encoded.objects)), Moments(len(encoded.objects))
        for (_part, first), (_same, second) in zip(encoded.scored(ids[:, 0]), encoded.scored(ids[:, 1]), strict=True):
            changes.add(first.sub_(second).numpy())
            sizes.add(second.numpy())
        values = without_noise(changes.mean, sizes.size)
        if len(ids) < LEAST_PEOPLE:
            return ProbeScores(values, facts={"method": "one pair", "pairs": 1})
        deviation = without_noise(changes.deviation, sizes.size)
        return _scores(values, Z * deviation / np.sqrt(len(ids)), len(ids))


def _scores(values: Numbers, half: Numbers, pairs: int) -> ProbeScores:
    return ProbeScores(
        values, values - half, values + half, facts={"method": f"mean over {pairs:,} pairs", "pairs": pairs}
    )


def _moments(encoded: EncodedQuestion, ids: Places) -> Moments:
    """Moments of the scores of people, for each object."""
    moments = Moments(len(encoded.objects))
    for _, scores in encoded.scored(ids):
        moments.add(scores.numpy())
    return moments


def _halves(text: str) -> tuple[str, str]:
    first, equals, second = (part.strip() for part in text.partition("="))
    if not first or not second or not equals:
        raise InputError(f"--pair {text!r} is not a pair", remedy="write --pair 'Barack Obama=Michelle Obama'")
    return first, second


def _read(path: Path | None) -> list[tuple[str, str]]:
    if path is None:
        return []
    pairs = []
    for row in tab_rows(path):
        parts = [cell.strip() for cell in row.cells]
        if len(parts) != 2 or not all(parts):
            raise UnreadableFile(path, "does not have two people separated by a tab", line=row.line)
        pairs.append((parts[0], parts[1]))
    if not pairs:
        raise UnreadableFile(path, "has no pairs")
    return pairs


def _person(graph: Graph, word: str) -> str:
    rows = graph.rows("probe/entities", keys=[form(word) for form in FORMS], term=normalise(word))
    if not rows:
        raise NotFound("entity", word, remedy="name it by its key or its full name")
    if len(rows) > 1 and word not in [row["entity"] for row in rows]:
        shown = ", ".join(f"{row['entity']}" for row in rows[:5])
        raise InputError(f"{word!r} may be {shown}", remedy="name it by its key")
    return word if len(rows) > 1 else str(rows[0]["entity"])


PROBE = Pairs()
