"""Two populators on the same triples: the difference of their AUC, its interval, and whether chance gives as much.

The interval is from resampled triples, which both models share. p is from a randomisation test (Cohen 1995; Fang et al. 2021 use
it for table 7): the scores of the two models are exchanged triple by triple, as ranks, so that their scales do not matter.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harmgraph.common import resampling
from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.common.intervals import percentiles
from harmgraph.common.progress import progress
from harmgraph.models.population import named_populator
from harmgraph.models.population.evaluation import DRAWS
from harmgraph.models.population.examples import TripleExample, to_judge

if TYPE_CHECKING:
    import numpy

    from harmgraph.graph.connection import Graph

    Numbers = numpy.ndarray[Any, Any]

COLUMNS = ("head", "relation", "tail", "label", "score")
"""Of what ``population eval --scores`` writes."""
PERMUTATIONS = 1_000
TOLERANCE = 1e-12
SAME = "write both with 'population eval --scores' on the same --file and --split"


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A measure of two sides.

    Attributes:
        of: ``weighted mean`` of the relations' AUC, or ``overall``.
        n, plausible: triples, and plausible ones among them.
        auc_a, auc_b: of each side, the mean over its models.
        difference: of the first from the second.
        difference_low, difference_high: 95 % interval, from resampled triples; None without resamples.
        p: the share of exchanges with at least this difference, either way; None without exchanges.
    """

    of: str
    n: int
    plausible: int
    auc_a: float
    auc_b: float
    difference: float
    difference_low: float | None
    difference_high: float | None
    p: float | None

    def facts(self) -> dict[str, Any]:
        """The row by column."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class _Groups:
    """Triples in groups: the relations, or one of all.

    Attributes:
        order: the triples, group after group. begins: where each group begins among them.
        plausible: whether each is, 1 or 0, in this order.
    """

    order: Numbers
    begins: Numbers
    plausible: Numbers

    @classmethod
    def of(cls, names: Sequence[str], labels: Numbers) -> _Groups:
        import numpy as np

        column = np.array(names)
        order = np.argsort(column, kind="stable")
        begins = np.flatnonzero(np.concatenate([[True], column[order][1:] != column[order][:-1]]))
        return cls(order, begins, labels[order].astype(np.float64))

    def ranks(self, scores: Numbers) -> Numbers:
        """Twice the rank of each triple in its group, after the numbers of the groups before: whole numbers from 0 on."""
        import numpy as np
        from scipy.stats import rankdata

        parts = np.split(scores[self.order], self.begins[1:])
        ranks = [2 * begin + 2 * rankdata(part) - 2 for begin, part in zip(self.begins.tolist(), parts, strict=True)]
        return np.concatenate(ranks).astype(np.int64)

    def auc(self, ranks: Numbers, times: Numbers | None = None) -> float:
        """The mean AUC of the groups, weighted by their triples; groups with one label have no share.

        Args:
            times: how often each triple is there, in the order of the groups; None for once.
        """
        import numpy as np

        often = np.ones(len(ranks)) if times is None else times
        size, begins = 2 * len(ranks), 2 * self.begins
        ours = np.bincount(ranks, often * self.plausible, size)
        others = np.bincount(ranks, often * (1 - self.plausible), size)
        below = np.cumsum(others)
        won = np.add.reduceat(ours * (below - others / 2), begins)
        plausible, rest = np.add.reduceat(ours, begins), np.add.reduceat(others, begins)
        won -= plausible * (below[begins] - others[begins])  # those of the groups before
        known = (plausible > 0) & (rest > 0)
        if not known.any():
            return float("nan")
        weights = (plausible + rest)[known]
        return float((won[known] / (plausible * rest)[known] * weights).sum() / weights.sum())


def compared(
    examples: Sequence[TripleExample],
    a: Sequence[Numbers],
    b: Sequence[Numbers],
    *,
    draws: int = DRAWS,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
) -> list[ComparedRow]:
    """The difference of the AUC of two sides, as a mean over the relations weighted by their counts, and overall.

    Args:
        a, b: scores of the models of each side, each [triples]. As many models on both sides are pairs in their order, whose
            scores are exchanged with each other. Otherwise each model of the one is exchanged with each of the other.
        draws: resamples for the interval. permutations: exchanges for p. seed: of both.

    Raises:
        InputError: a triple has no label, or no relation has both labels.
    """
    import numpy as np

    labels = np.array([-1 if example.label is None else example.label for example in examples])
    relations = [example.relation for example in examples]
    both = {name for name, label in zip(relations, labels.tolist(), strict=True) if label == 1}
    both &= {name for name, label in zip(relations, labels.tolist(), strict=True) if label == 0}
    if -1 in labels or not both:
        what = "a triple has no label" if -1 in labels else "no relation has both plausible and other triples"
        raise InputError(f"no AUC to compare: {what}", remedy="compare on a file with labels 1 and 0")
    rows = []
    for name, groups in (
        ("weighted mean", _Groups.of(relations, labels)),
        ("overall", _Groups.of([""] * len(labels), labels)),
    ):
        ours, theirs = ([groups.ranks(np.asarray(scores, np.float64)) for scores in side] for side in (a, b))
        auc_a, auc_b = (float(np.mean([groups.auc(ranks) for ranks in side])) for side in (ours, theirs))
        resampled = _resampled(name, groups, ours, theirs, draws, seed)
        low, high = percentiles(resampled) if len(resampled) else (None, None)
        exchanged = _exchanged(name, groups, ours, theirs, permutations, seed)
        least = abs(auc_a - auc_b) - TOLERANCE
        p = (1 + int((np.abs(exchanged) >= least).sum())) / (1 + permutations) if permutations else None
        counts = len(labels), int((labels == 1).sum())
        rows.append(ComparedRow(name, *counts, auc_a, auc_b, auc_a - auc_b, low, high, p))
    return rows


def _resampled(
    name: str, groups: _Groups, ours: Sequence[Numbers], theirs: Sequence[Numbers], draws: int, seed: int
) -> Numbers:
    """The difference on resampled triples, [draws whose triples have both labels]."""
    import numpy as np

    differences: list[float] = []
    for block in resampling.times(len(groups.order), draws, seed):
        progress(f"{name}: resampling", len(differences), draws)
        for times in block[:, groups.order].astype(np.float64):
            means = [np.mean([groups.auc(ranks, times) for ranks in side]) for side in (ours, theirs)]
            differences.append(float(means[0] - means[1]))
    return resampling.defined([np.array(differences)])


def _exchanged(
    name: str, groups: _Groups, ours: Sequence[Numbers], theirs: Sequence[Numbers], permutations: int, seed: int
) -> Numbers:
    """The difference where the ranks of some triples, each with a chance of one half, are exchanged, [permutations]."""
    import numpy as np

    pairs = list(zip(ours, theirs, strict=True)) if len(ours) == len(theirs) else list(product(ours, theirs))
    generator = np.random.default_rng([seed, 1])  # another stream than the resamples
    differences = np.empty(permutations)
    for place in range(permutations):
        progress(f"{name}: exchanging", place, permutations)
        turned = (generator.random(len(groups.order)) < 0.5)[groups.order]
        each = [
            groups.auc(np.where(turned, right, left)) - groups.auc(np.where(turned, left, right))
            for left, right in pairs
        ]
        differences[place] = np.mean(each)
    return differences


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a comparison found.

    Attributes:
        triples: how many were compared.
        said: what the reader must know, a line each.
    """

    rows: tuple[ComparedRow, ...]
    triples: int
    said: tuple[str, ...] = ()


def compare(
    a: Sequence[str],
    b: Sequence[str],
    file: Path | None = None,
    *,
    graph: Graph | None = None,
    split: str = "test",
    draws: int = DRAWS,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
    device: str = "auto",
    precision: str = "auto",
    threads: int = 0,
) -> Comparison:
    """Compares populators, or the scores that ``population eval --scores`` wrote of them, on the same triples.

    Args:
        a, b: names of populators, or paths of files with scores.
        file: whose triples they judge; None for those of the first file with scores, or for ``test.tsv`` of the first populator.
        split: of the file's triples; see ``named_populator.evaluate``. The rest is that of ``compared`` and ``evaluate``.

    Raises:
        as ``named_populator.logits``, and UnreadableFile: a file is missing or damaged.
        InputError: the files have other triples, or none with both labels.
    """
    named = (*a, *b)
    tables = {name: _scores_of(Path(name)) for name in named if Path(name).is_file()}
    if file is not None or not tables:
        path = file or Path(named_populator.ready(named[0]).data) / "test.tsv"
        examples = to_judge(path, split)
    else:
        first = next(iter(tables))
        path, examples = Path(first), tables[first][0]
    scores: dict[str, Numbers] = {}
    said: list[str] = []
    for name in dict.fromkeys(named):
        if name in tables:
            if _told(tables[name][0]) != _told(examples):
                raise InputError(f"has other triples than {path}", where=name, remedy=SAME)
            scores[name] = tables[name][1]
        else:
            scores[name], remarks = named_populator.logits(
                name, examples, graph=graph, device=device, precision=precision, threads=threads
            )
            said += [f"{name}: {remark}" for remark in remarks]
    lost = [name for name, found in scores.items() if any(map(math.isnan, found.tolist()))]
    if lost:
        raise InputError("gives scores that are no numbers", where=lost[0], remedy="train the model again")
    labelled = [place for place, example in enumerate(examples) if example.label is not None]
    if len(labelled) < len(examples):
        said.append(f"{len(examples) - len(labelled):,} triples have no label, and no share in any AUC")
    sides = [[scores[name][labelled] for name in side] for side in (a, b)]
    judged = [examples[place] for place in labelled]
    rows = compared(judged, *sides, draws=draws, permutations=permutations, seed=seed)
    return Comparison(tuple(rows), len(judged), tuple(said))


def _told(examples: Sequence[TripleExample]) -> list[tuple[str, int | None]]:
    return [(example.text, example.label) for example in examples]


def _scores_of(path: Path) -> tuple[tuple[TripleExample, ...], Numbers]:
    """The triples of a file with scores, and the scores."""
    import numpy as np

    remedy = "write it with: harmgraph population eval --scores"
    examples, scores = [], []
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFile(path, f"cannot be read ({error})", remedy=remedy) from error
    if lines[0].split("\t") != [*COLUMNS]:
        raise UnreadableFile(path, f"does not begin with the columns {', '.join(COLUMNS)}", remedy=remedy)
    for number, line in enumerate(lines[1:], 2):
        if not line:
            continue
        cells = line.split("\t")
        if len(cells) != len(COLUMNS) or cells[3] not in ("", "0", "1"):
            raise UnreadableFile(path, "is no triple with a label and a score", line=number, remedy=remedy)
        scores.append(_score(cells[4]))
        if math.isnan(scores[-1]):
            raise UnreadableFile(path, f"the score {cells[4][:40]!r} is no number", line=number, remedy=remedy)
        examples.append(TripleExample(cells[0], cells[1], cells[2], int(cells[3]) if cells[3] else None))
    return tuple(examples), np.array(scores)


def _score(text: str) -> float:
    """The number that a text is; NaN for what is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan
