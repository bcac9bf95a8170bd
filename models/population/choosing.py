"""Epochs chosen on triples that people labelled, for each relation its own (Fang et al. 2021, section 6.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.models.population.evaluation import evaluated
from harmgraph.models.population.examples import TripleExample, of_split, read_file
from harmgraph.models.store import sha256

if TYPE_CHECKING:
    import numpy

    Numbers = numpy.ndarray[Any, Any]

SPLIT = "valid"
"""The triples of a file with splits that choose; its test triples are for an evaluation."""
NEEDS = "name a table with the columns head, relation, tail and label"


@dataclass(frozen=True, slots=True)
class ChoosingFile:
    """The triples of a file that choose epochs.

    Attributes:
        digest: of the file, 64 hexadecimal digits.
    """

    path: Path
    examples: tuple[TripleExample, ...]
    digest: str

    def among(self, others: Iterable[TripleExample]) -> int:
        """How many of some others are among the triples."""
        own = {example.text for example in self.examples}
        return sum(example.text in own for example in others)

    def measure(self, scores: Sequence[float] | Numbers) -> tuple[float, dict[str, float]]:
        """The mean AUC of the relations, weighted by their counts, and that of each relation that has both labels."""
        rows = evaluated(self.examples, scores, draws=0)
        mean = next(row.auc for row in rows if row.of == "weighted mean")
        return mean, {row.name: row.auc for row in rows if row.of == "relation" and row.auc == row.auc}


def choosing_file(path: Path) -> ChoosingFile:
    """The labelled triples of a file: of its split ``valid`` (``dev``), or all if it names no splits.

    Raises:
        UnreadableFile: the file cannot be read.
        InputError: it has no such triple, none with a label, or no relation with both labels.
    """
    if not path.is_file():
        raise UnreadableFile(path, "is missing", remedy=NEEDS)
    of_file = of_split(read_file(path), SPLIT)
    if not of_file:
        raise InputError(
            "has splits, but no triple of valid or dev",
            where=str(path),
            remedy="choose on another file than the one to evaluate on",
        )
    examples = tuple(example for example in of_file if example.label is not None)
    if not examples:
        raise InputError("has no labels to choose epochs by", where=str(path), remedy=NEEDS)
    labels: dict[str, set[int | None]] = {}
    for example in examples:
        labels.setdefault(example.relation, set()).add(example.label)
    if not any(len(seen) == 2 for seen in labels.values()):
        raise InputError(
            "has no relation with both plausible and other triples, so no epoch can be chosen by it",
            where=str(path),
            remedy="add triples with the labels 1 and 0 of a relation",
        )
    return ChoosingFile(path, examples, sha256(path))
