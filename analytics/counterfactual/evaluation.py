"""Counterfactual evaluation of what a model said (Huang et al. 2020, section 3): I.F., G.F., pairs, values and templates.

The scores of samples come from labels, -1 to 1, and are scaled to 0 to 1: ``(score + 1) / 2``. Of opinion words this is p/(p+n),
and .5 where there is none; of a classifier with two labels it is the share of the positive one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from harmgraph.analytics.counterfactual.comparing import compared
from harmgraph.analytics.counterfactual.remarks import FEW, of_counts, of_dropped, of_left_out, of_missing, of_sizes
from harmgraph.analytics.counterfactual.resampling import Chance, FairnessNumbers, Spread, dealt, drawn_again, numbers
from harmgraph.analytics.counterfactual.scores import (
    SampleScores,
    gap,
    of_all_values,
    pairs,
    pooled_distances,
    table_of_pairs,
)
from harmgraph.analytics.counterfactual.selection import Key, Selection, selected
from harmgraph.analytics.labelling.unlabelled import Unlabelled
from harmgraph.common.errors import InputError, NotFound
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.measures import known_measure
from harmgraph.graph.contents.sources import names as source_names
from harmgraph.graph.records import normalise

if TYPE_CHECKING:
    import pandas

By = Literal["attribute", "template", "pair", "value"]
WHOLE = ("i_f", "g_f", "pooled", "max_w1")
"""The numbers of an attribute, in the order of ``FairnessNumbers.whole``."""


@dataclass(frozen=True, slots=True)
class LabelledSamples:
    """The samples of one attribute of a source in the graph, with the scores of their labels.

    Attributes:
        selection: the prompts.
        sizes: fewest and most samples of a prompt.
        samples: how many there are, also of prompts that are not compared. unlabelled: those without a score.
        by: who gave the scores.
    """

    source: str
    attribute: str
    selection: Selection
    scores: SampleScores
    sizes: tuple[int, int]
    samples: int
    unlabelled: int
    by: tuple[str, ...]

    @property
    def templates(self) -> tuple[str, ...]:
        """The templates, in the order of ``scores.templates``."""
        return self.selection.templates

    @property
    def compared(self) -> int:
        """How many samples are compared."""
        return sum(len(sample) for cells in self.scores.templates for sample in cells.samples)


@dataclass(frozen=True, slots=True)
class CounterfactualResult:
    """The table and what must be said beside it.

    Attributes:
        frame: one row for each attribute, template, pair or value; or for each attribute and source.
        samples: what was compared, by attribute and source.
        alone: attributes of further sources that the first lacks, which are not compared.
    """

    frame: pandas.DataFrame
    samples: tuple[LabelledSamples, ...]
    source: str
    measure: str
    alone: tuple[str, ...] = ()

    def unlabelled(self) -> Unlabelled:
        """How many samples have no label."""
        count = sum(each.samples for each in self.samples)
        without = sum(each.unlabelled for each in self.samples)
        return Unlabelled((self.measure,), self.source, self.source, count, without, "samples")

    def remarks(self) -> Iterator[str]:
        """What a reader must know, a line each."""
        several = len({each.source for each in self.samples}) > 1
        if self.alone:
            yield f"not compared, as {self.samples[0].source} has no samples of it: {', '.join(self.alone)}"
        selections = list(dict.fromkeys(each.selection for each in self.samples))
        left_out = [each for selection in selections for each in selection.left_out]
        yield from of_left_out(left_out, "of some source " + FEW if several else FEW)
        for selection in selections:
            yield from of_dropped(selection)
        for each in self.samples:
            name = f"{each.source}, {each.attribute}" if several else each.attribute
            yield from of_missing(name, each.scores)
            yield from of_sizes(name, each.sizes)
            if len(each.by) > 1:
                yield f"{name}: the scores are of several scorers, which may differ: {', '.join(each.by)}"
        by_attribute: dict[str, dict[str, int]] = {}
        for each in self.samples:
            by_attribute.setdefault(each.attribute, {})[each.source] = each.compared
        for attribute, counts in by_attribute.items():
            yield from of_counts(attribute, counts)
        if several and len({each.by for each in self.samples}) > 1:
            yield "the sources are labelled by different scorers, so a difference may be that of the scorers"


def counterfactual(
    graph: Graph,
    source: str,
    measure: str = "sentiment",
    *,
    attribute: str | None = None,
    by: By = "attribute",
    min_samples: int = 20,
    permutations: int = 200,
    resamples: int = 200,
    seed: int = 0,
) -> CounterfactualResult:
    """Compares the scores of a model's samples between the values of an attribute.

    Args:
        source: samples, as ``load generations`` loads them.
        attribute: one attribute, in any capitals; every attribute of the source if None.
        by: what a row is.
        min_samples: prompts with fewer scored samples are left out.
        permutations: how often samples are dealt out anew, for the floor and p.
        resamples: how often templates and samples are drawn again, for intervals.

    Returns:
        Distances are 0 to 1, and so are p and q.

    Raises:
        NotFound: no source, attribute or measure of that name.
        InputError: the source has no samples of counterfactual prompts, no two values can be compared, or scores are not in
            -1 to 1.
    """
    import pandas

    _check(graph, [source], measure)
    prompts = _prompts(graph, source, measure, attribute)
    listed = tuple(samples for each in prompts.values() for samples in _selected([each], measure, min_samples))
    rows: list[dict[str, Any]] = []
    for samples in listed:
        scores = samples.scores
        standing = numbers(scores, scores.templates, gaps=by == "pair")
        chance = dealt(scores, permutations, seed, gaps=by == "pair")
        spread = drawn_again(scores, resamples, seed, templates=by != "template")
        rows += ROWS[by](samples, standing, chance, spread)
    return CounterfactualResult(pandas.DataFrame(rows), listed, source, measure)


def side_by_side(
    graph: Graph,
    sources: Sequence[str],
    measure: str = "sentiment",
    *,
    attribute: str | None = None,
    min_samples: int = 20,
    permutations: int = 200,
    resamples: int = 200,
    seed: int = 0,
) -> CounterfactualResult:
    """I.F. and G.F. of several sources of samples on the same prompts, and how much each differs from the first.

    Args:
        sources: of samples of the same prompts, such as with and without statements of a knowledge base before them.
        attribute: one attribute that all have, in any capitals; every attribute of the first source if None.
        min_samples: prompts of which some source has fewer scored samples are left out of all.

    Returns:
        A row for each attribute and source, see ``comparing.compared``.

    Raises:
        NotFound, InputError: as ``counterfactual``, or the sources are of other values or templates.
    """
    import pandas

    _check(graph, sources, measure)
    found = [_prompts(graph, source, measure, attribute) for source in sources]
    rows: list[dict[str, Any]] = []
    listed: list[LabelledSamples] = []
    for name in found[0]:
        for source, each in zip(sources, found, strict=True):
            if name not in each:
                raise InputError(
                    f"has no samples of {found[0][name].attribute}",
                    where=source,
                    remedy="name another --attribute, or generate from the same prompts",
                )
        samples = _selected([each[name] for each in found], measure, min_samples)
        fair = compared([each.scores for each in samples], permutations=permutations, resamples=resamples, seed=seed)
        rows += [
            {
                "attribute": each.attribute,
                "source": each.source,
                "templates": len(each.templates),
                "n": each.compared,
                "unlabelled": each.unlabelled,
                **row,
            }
            for each, row in zip(samples, fair, strict=True)
        ]
        listed += samples
    alone = tuple(
        f"{each.attribute} ({source})"
        for source, prompts in zip(sources, found, strict=True)
        for name, each in prompts.items()
        if name not in found[0]
    )
    return CounterfactualResult(pandas.DataFrame(rows), tuple(listed), ", ".join(sources), measure, alone)


def _check(graph: Graph, sources: Sequence[str], measure: str) -> None:
    known = source_names(graph)
    for source in sources:
        if source not in known:
            raise NotFound("source", source, known, remedy="'harmgraph source list' shows what is loaded")
    known_measure(graph, measure)


@dataclass(frozen=True, slots=True)
class _Prompts:
    """The scored samples of one attribute of a source.

    Attributes:
        cells: the scores of each prompt, 0 to 1. groups: the subgroup of each value.
    """

    source: str
    attribute: str
    cells: Mapping[Key, Sequence[float]]
    groups: Mapping[str, str]
    samples: int
    by: tuple[str, ...]

    @property
    def unlabelled(self) -> int:
        return self.samples - sum(map(len, self.cells.values()))


def _prompts(graph: Graph, source: str, measure: str, attribute: str | None) -> dict[str, _Prompts]:
    """The samples of a source, by the normalised names of attributes."""
    rows = graph.rows("counterfactual/scores", source=source, score=f"{measure}_score", by=f"{measure}_by")
    if not rows:
        raise InputError(
            "has no samples of counterfactual prompts",
            where=source,
            remedy="load some: harmgraph load generations FILE",
        )
    by_attribute: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_attribute.setdefault(row["attribute"], []).append(dict(row))
    known = {normalise(name): name for name in by_attribute}
    if attribute is not None and normalise(attribute) not in known:
        raise NotFound("attribute", attribute, by_attribute)
    chosen = [known[normalise(attribute)]] if attribute is not None else list(by_attribute)
    return {normalise(name): _read(name, by_attribute[name], source, measure) for name in chosen}


def _read(attribute: str, rows: Sequence[Mapping[str, Any]], source: str, measure: str) -> _Prompts:
    for row in rows:
        wrong = [score for score in row["scores"] if not -1 <= score <= 1]
        if wrong:
            raise InputError(
                f"the score {wrong[0]} of {measure} is not in -1 to 1", where=source, remedy="label with another scorer"
            )
    return _Prompts(
        source,
        attribute,
        {(row["template"], row["value"]): [(score + 1) / 2 for score in row["scores"]] for row in rows},
        {row["value"]: row["subgroup"] or row["value"] for row in rows},
        sum(row["samples"] for row in rows),
        tuple(sorted({by for row in rows for by in row["by"]})),
    )


def _selected(listed: Sequence[_Prompts], measure: str, least: int) -> list[LabelledSamples]:
    """The prompts that have enough samples in every source."""
    first = listed[0]
    for each in listed[1:]:
        if each.groups != first.groups or each.cells.keys() != first.cells.keys():
            raise InputError(
                f"{each.attribute}: the values or templates are others than those of {first.source}, "
                "so they cannot be compared",
                where=each.source,
                remedy="generate from the same prompts",
            )
    selection = selected(
        first.attribute, [{prompt: len(cell) for prompt, cell in each.cells.items()} for each in listed], least
    )
    if not selection.prompts:
        for each in listed:
            Unlabelled((measure,), each.source, each.source, each.samples, each.unlabelled, "samples").check(None)
        every = " of every source" if len(listed) > 1 else ""
        raise InputError(
            f"{first.attribute}: no template has two values with {least:,} samples{every} of {measure} each",
            where=", ".join(each.source for each in listed),
            remedy="lower --min-samples, or load more samples",
        )
    found = []
    for each in listed:
        sizes = [len(each.cells[prompt]) for prompt in selection.prompts]
        found.append(
            LabelledSamples(
                each.source,
                each.attribute,
                selection,
                selection.scores(each.cells, first.groups),
                (min(sizes), max(sizes)),
                each.samples,
                each.unlabelled,
                each.by,
            )
        )
    return found


def _judged(
    name: str, part: str, place: int, standing: FairnessNumbers, chance: Chance, spread: Spread | None
) -> dict[str, float | None]:
    """A number with its interval, where a spread is given, its floor, the excess over it and its p."""
    value = float(getattr(standing, part)[place])
    floor = float(chance.floor(part)[place])
    ends: dict[str, float | None] = {}
    if spread is not None:
        low, high = (float(ends[place]) for ends in spread.interval(part, standing))
        ends = {f"{name}_low": low, f"{name}_high": high}
    return {
        name: value,
        **ends,
        f"{name}_floor": floor,
        f"{name}_excess": value - floor,
        f"{name}_p": float(chance.p(part, standing)[place]),
    }


def _of_attribute(
    samples: LabelledSamples, standing: FairnessNumbers, chance: Chance, spread: Spread
) -> list[dict[str, Any]]:
    scores = samples.scores
    row: dict[str, Any] = {
        "attribute": samples.attribute,
        "values": len(scores.values),
        "subgroups": len(scores.names),
        "templates": len(scores.templates),
        "shared": len(of_all_values(scores, scores.templates)),
        "n": samples.compared,
        "unlabelled": samples.unlabelled,
    }
    for place, name in enumerate(WHOLE):
        row |= _judged(name, "whole", place, standing, chance, spread)
    return [row]


def _of_templates(
    samples: LabelledSamples, standing: FairnessNumbers, chance: Chance, spread: Spread
) -> list[dict[str, Any]]:
    rows = []
    for place, (template, cells) in enumerate(zip(samples.templates, samples.scores.templates, strict=True)):
        rows.append(
            {
                "attribute": samples.attribute,
                "template": template,
                "values": len(cells.values),
                "n": sum(map(len, cells.samples)),
                **_judged("i_f", "templates", place, standing, chance, spread),
            }
        )
    return _with_q(rows, "i_f")


def _of_pairs(
    samples: LabelledSamples, standing: FairnessNumbers, chance: Chance, spread: Spread
) -> list[dict[str, Any]]:
    import numpy as np

    scores = samples.scores
    pooled = pooled_distances(scores, scores.templates)
    table = table_of_pairs(scores, scores.templates)
    means = _means(samples)
    rows = []
    for place, (a, b) in enumerate(pairs(len(scores.values))):
        shared = [
            (template, cells.samples[cells.values.index(a)], cells.samples[cells.values.index(b)])
            for template, cells in zip(samples.templates, scores.templates, strict=True)
            if a in cells.values and b in cells.values
        ]
        if not shared:
            continue
        gaps = [(*gap(sample, other), template) for template, sample, other in shared]
        _, threshold, where = max(gaps, key=lambda each: each[0])
        differences = [means[template, a] - means[template, b] for template, _, _ in shared]
        rows.append(
            {
                "attribute": samples.attribute,
                "a": scores.values[a],
                "b": scores.values[b],
                "templates": len(shared),
                **_judged("w1", "pairs", place, standing, chance, spread),
                "a_minus_b": math.fsum(differences) / len(differences),
                "pooled": float(pooled[place]),
                **_judged("max_w1", "largest", place, standing, chance, None),
                "max_w1_template": samples.templates[int(np.nanargmax(table[:, place]))],
                **_judged("gap", "gaps", place, standing, chance, None),
                "gap_threshold": threshold,
                "gap_template": where,
            }
        )
    for name in ("w1", "max_w1", "gap"):
        rows = _with_q(rows, name)
    return sorted(rows, key=lambda row: -row["w1"])


def _of_values(
    samples: LabelledSamples, standing: FairnessNumbers, chance: Chance, spread: Spread
) -> list[dict[str, Any]]:
    scores = samples.scores
    means = _means(samples)
    rows = []
    for place, value in enumerate(scores.values):
        mine = [means[template, place] for template in samples.templates if (template, place) in means]
        others = [
            _mean([means[template, other] for other in range(len(scores.values)) if (template, other) in means])
            for template in samples.templates
            if (template, place) in means
        ]
        rows.append(
            {
                "attribute": samples.attribute,
                "value": value,
                "subgroup": scores.names[scores.groups[place]],
                "templates": len(mine),
                "n": sum(
                    len(cells.samples[cells.values.index(place)]) for cells in scores.templates if place in cells.values
                ),
                "mean": _mean(mine),
                "mean_minus_all": _mean(mine) - _mean(others),
                **_judged("w1", "values", place, standing, chance, spread),
            }
        )
    return sorted(_with_q(rows, "w1"), key=lambda row: -row["w1"])


ROWS: Mapping[str, Callable[[LabelledSamples, FairnessNumbers, Chance, Spread], list[dict[str, Any]]]] = {
    "attribute": _of_attribute,
    "template": _of_templates,
    "pair": _of_pairs,
    "value": _of_values,
}


def _means(samples: LabelledSamples) -> dict[tuple[str, int], float]:
    """The mean score of each prompt, by template and place of the value."""
    return {
        (template, value): float(sample.mean())
        for template, cells in zip(samples.templates, samples.scores.templates, strict=True)
        for value, sample in zip(cells.values, cells.samples, strict=True)
    }


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _with_q(rows: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    """The rows with q: p corrected for the number of rows (Benjamini and Hochberg 1995)."""
    from scipy.stats import false_discovery_control

    shares = [row[f"{name}_p"] for row in rows]
    if rows and not any(math.isnan(share) for share in shares):
        for row, q in zip(rows, false_discovery_control(shares), strict=True):
            row[f"{name}_q"] = float(q)
    return rows
