"""Does it help to filter what a model learns from? Models trained on one source against models trained on another.

Mehrabi et al. 2021, section 4.3 and table 7: the mean over the targets of the share of neutral statements (NSM of sentiment, NRM
of regard) should rise, and its variance (NSV, NRV) should fall. The paper has one model of each. Two trainings of the same model
differ as well, so here are several of each, and intervals over trainings and targets.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from harmgraph.analytics.labelling.unlabelled import Unlabelled
from harmgraph.analytics.statistics.measurements import Measurement, save_run
from harmgraph.common.errors import InputError, NotFound
from harmgraph.common.intervals import percentiles
from harmgraph.common.json_text import from_json
from harmgraph.common.progress import progress
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.basis import basis
from harmgraph.graph.contents.measures import known_measure
from harmgraph.graph.contents.sources import names as source_names

if TYPE_CHECKING:
    import numpy
    import pandas

    from harmgraph.graph.typed.rows import RetrainedGenerationsRow

    Numbers = numpy.ndarray[Any, Any]

ALL = "all"
MEAN, VARIANCE = "neutral_mean", "neutral_variance"
COSTS = ("word_perplexity", "known_percent", "removed_percent")
KNOWN = ("statements", "in_first", "in_first_alone")
FEW_MODELS, FEW_TARGETS = 3, 3
"""Fewer of them are not resampled."""
MOST_DEALS = 20_000
DECODING = ("beams", "samples", "temperature", "top_k", "length", "least", "relations", "category", "keep_duplicates")


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """What one model said into one source.

    Attributes:
        source: name of the source with its statements. model: its name; empty where the graph does not say it.
        weights: digest of the weights that said it; empty where the graph does not say it.
        family: of the model. learnt: the sources that it was trained on. imports: of these, what it read.
        decoding: how it was decoded.
        word_perplexity: a word, on the held-out part of the first source; None if it was not saved of the weights of now.
        of_other_weights: whether one was saved of weights that the model had before, which is left out.
        known: generated statements with a relation, triples of the first source, and of them those that the other lacks.
        shares: percentage of neutral statements, by target. categories: of the targets.
        pairs, unlabelled: pairs of a statement and a target, and those without a label.
    """

    source: str
    model: str
    weights: str
    family: str
    learnt: tuple[str, ...]
    imports: str
    decoding: Mapping[str, Any]
    word_perplexity: float | None
    of_other_weights: bool
    known: Mapping[str, int]
    shares: Mapping[str, float]
    categories: Mapping[str, str]
    pairs: int
    unlabelled: int

    def cost(self, name: str) -> float | None:
        """One of ``COSTS``: percentages are of the generated triples."""
        if name == "word_perplexity":
            return self.word_perplexity
        count = self.known["in_first" if name == "known_percent" else "in_first_alone"]
        return 100 * count / self.known["statements"] if self.known["statements"] else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrained:
    """The comparison.

    Attributes:
        sources: those that the two kinds of models learnt from.
        generations: of the models of each kind; a model may have several. also: further ones, which are only shown.
        on_both: models that learnt from both sources, which are left out.
        outdated: sources, each with its model, that were said by weights that the model no longer has, which are left out.
        targets: how many targets every model speaks of. left_out: how many only some speak of.
        frame: a row for each number of each category, then one for each cost.
    """

    sources: tuple[str, str]
    measure: str
    generations: tuple[tuple[Generation, ...], tuple[Generation, ...]]
    also: tuple[Generation, ...]
    targets: int
    left_out: int
    on_both: tuple[str, ...]
    outdated: tuple[tuple[str, str], ...]
    frame: pandas.DataFrame

    def unlabelled(self) -> Unlabelled:
        """How many pairs of a statement and a target have no label."""
        every = [each for kind in (*self.generations, self.also) for each in kind]
        return Unlabelled(
            (self.measure,),
            "what the models said",
            None,
            sum(each.pairs for each in every),
            sum(each.unlabelled for each in every),
        )

    def remarks(self) -> list[str]:
        """What the reader of the numbers must know, a line each."""
        first, other = (len(set(_models(kind))) for kind in self.generations)
        said = [*self._of_models()]
        if min(first, other) < FEW_MODELS:
            said.append(
                f"{first} and {other} models: the intervals are of targets alone, and do not tell how much two trainings of "
                f"the same model differ; train {FEW_MODELS} or more of each, with other seeds"
            )
        decodings = {
            json.dumps(each.decoding, sort_keys=True) for kind in self.generations for each in kind if each.decoding
        }
        if len(decodings) > 1:
            said.append("the models were not asked in the same way (relations, beams, length): 'source show' tells how")
        if self.left_out:
            said.append(f"{self.left_out:,} targets are left out: not every model has enough statements about them")
        for number in (MEAN, VARIANCE):
            row = self.frame[(self.frame["category"] == ALL) & (self.frame["number"] == number)].iloc[0]
            if math.isnan(row["change_low"]):
                continue
            outside = row["change_low"] > 0 or row["change_high"] < 0
            said.append(
                f"{number.replace('_', ' ')}: {row['change']:+.2f} ({row['change_low']:+.2f} to {row['change_high']:+.2f}), "
                f"{'beyond' if outside else 'within'} what chance gives"
            )
        return said

    def _of_models(self) -> Iterator[str]:
        """What keeps the models from being alike but for their training, a line each."""
        if self.outdated:
            listed = ", ".join(f"{source} ({model})" for source, model in self.outdated)
            yield (
                "left out, as the model was trained again since, and what the weights learnt that said it is not known: "
                f"{listed}; generate again into the same source, or drop it"
            )
        if self.on_both:
            yield f"left out, as they learnt from both sources: {', '.join(self.on_both)}"
        every = [each for kind in self.generations for each in kind]
        said = Counter(_models(every))
        several = [name for name, count in said.items() if count > 1]
        if several:
            yield f"the sources of one model are averaged, it counts once: {_sources_of(several, every)}"
        old = sorted({each.model for each in every if each.of_other_weights})
        if old:
            yield (
                f"word perplexity is left out where it is of other weights than the model has now: {', '.join(old)}; "
                "'language eval --save' judges them again"
            )
        for name, kind in zip(self.sources, self.generations, strict=True):
            for what, found in (
                ("are of several families", {each.family for each in kind}),
                ("learnt from other sources besides", {each.learnt for each in kind}),
                ("learnt from different imports of it", {each.imports for each in kind}),
            ):
                if len(found) > 1:
                    yield f"the models that learnt from {name} are not alike: they {what}; 'language list' shows them"
                    break


def _models(generations: Sequence[Generation]) -> list[str]:
    """The model of each generation, or its source where the graph does not say the model."""
    return [each.model or each.source for each in generations]


def _sources_of(models: Sequence[str], generations: Sequence[Generation]) -> str:
    return "; ".join(
        f"{name} ({', '.join(each.source for each in generations if each.model == name)})" for name in models
    )


def retrained(
    graph: Graph,
    first: str,
    other: str,
    measure: str = "sentiment",
    *,
    also: Sequence[str] = (),
    category: str | None = None,
    min_support: int = 1,
    resamples: int = 2_000,
    seed: int = 0,
) -> Retrained:
    """Compares what models said that learnt from ``first`` with what models said that learnt from ``other``.

    The change is of the means over the models of a kind; the numbers of a model that spoke into several sources are averaged, so
    that it counts once. The interval is from models and targets drawn again with replacement, the same targets for all models; p
    is the share of all ways to deal the models to the two kinds that give as large a change.

    Args:
        first, other: names of the sources that were learnt from.
        also: sources with generations of models from elsewhere, which have a column each.
        min_support: fewest statements about a target that each model must have given.
        resamples: draws for the intervals.

    Raises:
        NotFound: no source or measure of that name, or no model that learnt from a source said anything.
        InputError: the sources are one, every model of a kind learnt from both or spoke before it was trained again, or no target
            is left.
    """
    import numpy
    import pandas

    if first == other:
        raise InputError(f"{first} is compared with itself", remedy="name two sources that models were trained on")
    known = source_names(graph)
    for name in (first, other, *also):
        if name not in known:
            raise NotFound("source", name, known, remedy="'harmgraph source list' shows what is loaded")
    known_measure(graph, measure)
    question = _Question(first, other, measure, category, min_support)
    spoken = [_spoken(graph, trained_on, first) for trained_on in (first, other)]
    kinds = [now for now, _ in spoken]
    on_both = sorted({row["model"] for row in kinds[0]} & {row["model"] for row in kinds[1]})
    firsts, others = ([row for row in rows if row["model"] not in on_both] for rows in kinds)
    if not firsts or not others:
        raise InputError(
            f"every model that learnt from {other if firsts else first} learnt from both sources",
            remedy="train models on one of them alone",
        )
    groups_of = [[question.put(graph, row) for row in rows] for rows in (firsts, others)]
    further = [question.put(graph, {"source": name}) for name in also]
    every = [*groups_of[0], *groups_of[1]]
    targets = sorted(set[str].intersection(*(set(each.shares) for each in every)))
    if not targets:
        raise InputError(
            f"no target has {min_support:,} statements of every model",
            remedy="lower --min-support, or ask for all targets",
        )
    categories = {name: kind for each in every for name, kind in each.categories.items()}
    shares = numpy.array([[each.shares[target] for target in targets] for each in every])
    averaged = _averaged(every)
    first_models = len(set(_models(groups_of[0])))
    numbers = first_models, len(averaged) - first_models
    table = []
    groups = sorted({categories[target] for target in targets})
    # A sole category is what all targets are of.
    for group in [ALL, *(groups if len(groups) > 1 else [])]:
        places = [place for place, target in enumerate(targets) if group in (ALL, categories[target])]
        generator = numpy.random.default_rng(seed)
        for number, rows_of in _neutral(shares[:, places], averaged, numbers, resamples, generator).items():
            levels = {each.source: _level(each, number, targets, categories, group) for each in further}
            table.append({"category": group, "number": number, **rows_of, "targets": len(places), **levels})
    for cost in COSTS:
        values = [_mean_cost([each for each, part in zip(every, row, strict=True) if part], cost) for row in averaged]
        levels = {each.source: each.cost(cost) for each in further}
        generator = numpy.random.default_rng(seed)
        change = _cost(values, numbers, resamples, generator)
        table.append({"category": ALL, "number": cost, **change, "targets": None, **levels})
    frame = pandas.DataFrame(table)
    floats = ["first", "other", "change", "change_low", "change_high", "p", *(each.source for each in further)]
    frame = frame.astype({**dict.fromkeys(floats, float), "targets": "Int64"})
    left_out = len(set[str].union(*(set(each.shares) for each in every))) - len(targets)
    return Retrained(
        sources=(first, other),
        measure=measure,
        generations=(tuple(groups_of[0]), tuple(groups_of[1])),
        also=tuple(further),
        targets=len(targets),
        left_out=left_out,
        on_both=tuple(on_both),
        outdated=tuple(sorted({(row["source"], row["model"]) for _, before in spoken for row in before})),
        frame=frame,
    )


def _spoken(
    graph: Graph, trained_on: str, judged_on: str
) -> tuple[list[RetrainedGenerationsRow], list[RetrainedGenerationsRow]]:
    """What the models said that learnt from a source, and apart from it what they said before they were trained again.

    Raises:
        InputError: there is nothing, or nothing that they said as they are now.
    """
    rows = graph.rows("retrained/generations", trained_on=trained_on, judged_on=judged_on)
    now, before = ([row for row in rows if row["of_now"] is kind] for kind in (True, False))
    if now:
        return now, before
    if before:
        raise InputError(
            "the models that learnt from it were trained again after they had spoken: "
            + ", ".join(sorted({row["model"] for row in before})),
            where=trained_on,
            remedy="generate again: harmgraph language generate NAME --targets --into SOURCE",
        )
    raise InputError(
        "no model that learnt from it has said anything",
        where=trained_on,
        remedy=f"harmgraph language train NAME --source {trained_on} --as comet, then "
        "harmgraph language generate NAME --targets --into SOURCE",
    )


def _averaged(generations: Sequence[Generation]) -> Numbers:
    """Shape [models, generations]: what part of a model's number each of its generations is. Rows add up to 1."""
    import numpy

    of = _models(generations)
    rows = numpy.array([[float(name == model) for name in of] for model in dict.fromkeys(of)])
    averaged: Numbers = rows / rows.sum(1, keepdims=True)
    return averaged


def _mean_cost(generations: Sequence[Generation], name: str) -> float | None:
    """The mean cost of a model over its generations that have one."""
    known = [cost for each in generations if (cost := each.cost(name)) is not None]
    return math.fsum(known) / len(known) if known else None


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked of each generation; see ``retrained``."""

    first: str
    other: str
    measure: str
    category: str | None
    min_support: int

    def put(self, graph: Graph, row: Mapping[str, Any]) -> Generation:
        """What a model said.

        Args:
            row: of ``retrained/generations``; of a model from elsewhere ``source`` alone.
        """
        source = row["source"]
        progress(f"counting {source}", 0)
        shares = graph.rows("retrained/shares", source=source, measure=self.measure, category=self.category)
        options = from_json(row.get("options") or "{}")
        return Generation(
            source=source,
            model=row.get("model", ""),
            weights=row.get("weights") or "",
            family=row.get("family") or "",
            learnt=tuple(row.get("learnt") or ()),
            imports=row.get("imports") or "",
            decoding={name: options[name] for name in DECODING if name in options},
            word_perplexity=row.get("word_perplexity"),
            of_other_weights=row.get("of_other_weights", False),
            known=self._known(graph, source),
            shares={
                each["target"]: 100 * each["neutral"] / each["n"] for each in shares if each["n"] >= self.min_support
            },
            categories={each["target"]: each["category"] for each in shares},
            pairs=sum(each["n"] for each in shares),
            unlabelled=sum(each["unlabelled"] for each in shares),
        )

    def _known(self, graph: Graph, source: str) -> dict[str, int]:
        in_first = graph.rows("statistics/generated", source=source, other=self.first)
        if not in_first:
            return dict.fromkeys(KNOWN, 0)
        alone = graph.rows("statistics/generated", source=source, other=self.first, lacking=self.other)
        return dict(zip(KNOWN, (in_first[0]["n"], in_first[0]["known"], alone[0]["known"]), strict=True))


def _neutral(
    shares: Numbers, averaged: Numbers, numbers: tuple[int, int], resamples: int, generator: numpy.random.Generator
) -> dict[str, dict[str, Any]]:
    """Mean and variance over the targets, of shares [generations, targets].

    Both are of each generation and then averaged over those of a model (``_averaged``): of statements thrown together the
    variance would be smaller, for there are more of them.
    """
    targets = shares.shape[1]
    drawn = None
    if targets >= FEW_TARGETS and resamples:
        drawn = shares[:, generator.integers(0, targets, (resamples, targets))]  # [generations, resamples, targets]
    chosen = _models_drawn(numbers, resamples, generator)
    changes = {}
    for name, values, again in (
        (MEAN, shares.mean(1), None if drawn is None else drawn.mean(2)),
        (VARIANCE, shares.var(1), None if drawn is None else drawn.var(2)),
    ):
        differences = None if again is None else _differences((averaged @ again).T, numbers, chosen)
        changes[name] = _row(averaged @ values, numbers, differences)
    return changes


def _cost(
    values: Sequence[float | None], numbers: tuple[int, int], resamples: int, generator: numpy.random.Generator
) -> dict[str, Any]:
    import numpy

    if None in values:
        known = [
            [value for value in part if value is not None] for part in (values[: numbers[0]], values[numbers[0] :])
        ]
        levels = [
            sum(part) / len(part) if part and len(part) == numbers[place] else None for place, part in enumerate(known)
        ]
        return _row_of(levels[0], levels[1], numbers, None, None, None)
    array = numpy.array(values, float)
    chosen = _models_drawn(numbers, resamples, generator)
    differences = None
    if chosen is not None:
        differences = _differences(numpy.broadcast_to(array, (resamples, len(array))), numbers, chosen)
    return _row(array, numbers, differences)


def _models_drawn(
    numbers: tuple[int, int], resamples: int, generator: numpy.random.Generator
) -> tuple[Numbers, Numbers] | None:
    """Places of the models of each kind, [resamples, models] each; None for too few models."""
    if min(numbers) < FEW_MODELS or not resamples:
        return None
    first, other = (generator.integers(0, number, (resamples, number)) for number in numbers)
    return first, other + numbers[0]


def _differences(values: Numbers, numbers: tuple[int, int], chosen: tuple[Numbers, Numbers] | None) -> Numbers:
    """Means of the other kind less means of the first, [resamples], of values [resamples, models]."""
    import numpy

    if chosen is None:
        first, other = values[:, : numbers[0]], values[:, numbers[0] :]
    else:
        first, other = (numpy.take_along_axis(values, places, axis=1) for places in chosen)
    difference: Numbers = other.mean(1) - first.mean(1)
    return difference


def _row(values: Numbers, numbers: tuple[int, int], differences: Numbers | None) -> dict[str, Any]:
    first, other = float(values[: numbers[0]].mean()), float(values[numbers[0] :].mean())
    low, high = (None, None) if differences is None else percentiles(differences)
    return _row_of(first, other, numbers, low, high, chance(values, numbers[0]))


def _row_of(
    first: float | None,
    other: float | None,
    numbers: tuple[int, int],
    low: float | None,
    high: float | None,
    p: float | None,
) -> dict[str, Any]:
    return {
        "first": first,
        "other": other,
        "change": None if first is None or other is None else other - first,
        "change_low": low,
        "change_high": high,
        "p": p,
        "first_models": numbers[0],
        "other_models": numbers[1],
    }


def chance(values: Numbers, first: int) -> float | None:
    """How many of the ways to deal models to two kinds give a change at least as large, as a share: an exact p.

    Args:
        values: of each model, those of the first kind first. first: how many these are.

    Returns:
        None where no way could give a p below .05, or there are too many to try them all.
    """
    import numpy

    models = len(values)
    deals = math.comb(models, first)
    if not 20 <= deals <= MOST_DEALS:
        return None
    total = values.sum()
    sums = numpy.array([values[list(places)].sum() for places in combinations(range(models), first)])
    changes = numpy.abs((total - sums) / (models - first) - sums / first)
    return float((changes >= changes[0] * (1 - 1e-9) - 1e-12).mean())


def _level(
    each: Generation, number: str, targets: Sequence[str], categories: Mapping[str, str], group: str
) -> float | None:
    """The mean or the variance of a generation, over those of the targets that it speaks of."""
    import numpy

    shares = [each.shares[target] for target in targets if target in each.shares and group in (ALL, categories[target])]
    if not shares:
        return None
    return float(numpy.mean(shares) if number == MEAN else numpy.var(shares))


def saved(graph: Graph, result: Retrained, parameters: Mapping[str, Any]) -> str:
    """Saves the changes for the source that the other models learnt from; the category is the scope of a number.

    Returns:
        The id of the run.
    """
    source = result.sources[1]
    unlabelled = result.unlabelled()
    measurements = [
        Measurement(
            f"retrained.{row['number']}",
            row["category"],
            result.measure,
            source,
            value=row["change"],
            low=row["change_low"],
            high=row["change_high"],
            n=unlabelled.n,
            unlabelled=unlabelled.unlabelled,
        )
        for row in result.frame.astype(object).where(result.frame.notna(), None).to_dict("records")
        if row["change"] is not None
    ]
    on = basis(graph, result.sources, measures=[result.measure])
    return save_run(graph, "stats retrained", parameters, measurements, on)
