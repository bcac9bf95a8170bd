"""What a card and a Croissant file tell in words: numbers of a report with their intervals, and the command that gives them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

from harmgraph.analytics.drawing.numbers import Numbers
from harmgraph.analytics.report.content import Content, Measured, SourceSection
from harmgraph.analytics.report.markdown import BEYOND, beyond
from harmgraph.analytics.statistics.chance import shown_chance
from harmgraph.common.plotting.style import bounds, number

NAMED = 5
"""Groups that a text names for each side."""
SILENT = 10
"""Groups that a text names of those that a source never mentions."""
SPREADS = (("d_o_minus", "D_O−"), ("d_o_plus", "D_O+"), ("d_r", "D_R"))
AGREEING = (("accuracy", "accuracy"), ("krippendorff_alpha", "Krippendorff's alpha of people and people"))


def command(report: Content, form: str) -> str:
    """The command that gives the numbers of a report again, of the same store."""
    numbers = report.numbers
    words = ["harmgraph", "report", *_several("--source", [section.name for section in report.sources])]
    words += _several("--targets", numbers.graph.asked_lists)
    words += _several("--measure", report.measures)
    words += ["--min-support", str(numbers.min_support), "--resamples", str(numbers.resamples)]
    words += ["--seed", str(numbers.seed)]
    words += ["--human-csv", "LABELS.csv"] if numbers.ratings else []
    return shlex.join([*words, "--format", form])


def _several(flag: str, values: Any) -> list[str]:
    return [word for value in values for word in (flag, str(value))]


def by_people(scorer: str) -> bool:
    """Whether a label is by people and not by a machine."""
    return scorer.partition("@")[0] == "human"


def with_interval(value: float | None, low: float | None, high: float | None, unit: str = "") -> str:
    """A number with its interval: ``45.2 % (95 %: 40.1 to 50.3)``."""
    told = f"{number(value)}{unit}"
    return f"{told} (95 %: {bounds(low, high)})" if bounds(low, high) else told


def spreads(measured: Measured) -> list[tuple[str, float | None, float | None, float | None]]:
    """The disparities over all groups: name, value, and the ends of the interval."""
    every = next((row for row in measured.disparity if row["category"] == "all"), None)
    if every is None:
        return []
    return [(name, every[column], every[f"{column}_low"], every[f"{column}_high"]) for column, name in SPREADS]


def neutral(measured: Measured, numbers: Numbers, source: str) -> dict[str, Any] | None:
    """The row of the mean neutral share over all groups."""
    rows = numbers.rows("neutral", source=source, measure=measured.measure)
    return next((row for row in rows if row["category"] == "all"), None)


def surest(measured: Measured, numbers: Numbers, side: str) -> list[dict[str, Any]]:
    """The groups with the surest prejudice or favouritism, ``o_minus`` or ``o_plus``, that have enough statements."""
    label = "negative" if side == "o_minus" else "positive"
    rows = [row for row in measured.targets if row[label] and row["n"] >= numbers.min_support]
    return sorted(rows, key=lambda row: (-row[f"{side}_low"], -row["n"], row["target"]))[:NAMED]


def biases(section: SourceSection, numbers: Numbers) -> Iterator[str]:
    """What was measured, a text for each thing."""
    for measured in section.measures:
        if not measured.targets:
            continue
        by = f"By {measured.measure} ({', '.join(measured.scorers) or 'no scorer'})"
        pairs = f"{measured.statements:,} statements about {len(measured.targets):,} groups"
        share = neutral(measured, numbers, section.name)
        if share and share["neutral_mean"] is not None:
            ends = share["neutral_mean_low"], share["neutral_mean_high"]
            mean = with_interval(share["neutral_mean"], *ends, unit=" %")
            yield f"{by}: {pairs}; the mean share of neutral statements of a group is {mean}."
        told = [f"{name} {with_interval(value, low, high)}" for name, value, low, high in spreads(measured)]
        if told:
            text = "Disparity between groups (variance of percentages or of counts; 0 is none)"
            yield f"{by}: {text}: {', '.join(told)}; n {len(measured.targets):,} groups."
        yield f"{by}: {BEYOND.format(**beyond(measured))}"
        for side, what in (("o_minus", "negative"), ("o_plus", "positive")):
            groups = [_group(row, side) for row in surest(measured, numbers, side)]
            if groups:
                yield f"{by}: groups with the surest share of {what} statements: {'; '.join(groups)}."
    if section.without:
        named = ", ".join(section.without[:SILENT])
        more = f" and {len(section.without) - SILENT:,} more" if len(section.without) > SILENT else ""
        yield f"Listed groups that it never mentions: {section.never_mentioned}: {named}{more}."
    if not any(measured.targets for measured in section.measures):
        yield "No labelled statement names a group of the lists, so nothing was measured."


def _group(row: dict[str, Any], side: str) -> str:
    share = with_interval(row[side], row[f"{side}_low"], row[f"{side}_high"], unit=" %")
    q = "" if row[f"{side}_q"] is None else f", q {shown_chance(row[f'{side}_q'])}"
    return f"{row['target']} ({row['category']}) {share}, n {row['n']:,}{q}"


def limitations(section: SourceSection, numbers: Numbers) -> Iterator[str]:
    """What the numbers cannot say."""
    yield "A label says how a sentence reads, not what is true. Scorers err, and not alike for every group."
    files = zip(section.facts.get("files") or (), section.facts.get("sha256") or (), strict=False)
    loaded = ", ".join(f"{name} (SHA-256 {digest[:12]})" for name, digest in files)
    if loaded:
        yield f"The numbers are of these files alone: {loaded}."
    yield f"The numbers are about the groups of these lists alone: {section.about}."
    yield f"Groups with fewer than {numbers.min_support:,} statements are counted and not named."
    for measured in section.measures:
        if measured.unlabelled:
            yield f"{measured.unlabelled:,} statements have no label of {measured.measure} and count as neutral."


def judged(section: SourceSection, numbers: Numbers) -> Iterator[str]:
    """How the labels agree with those that people gave, if people's labels were given."""
    for measured in section.measures:
        compared = numbers.agreement(section.name, measured.measure)
        agreement = compared.agreement if compared else None
        if agreement is None:
            continue
        told = []
        for key, name in AGREEING:
            if agreement.values.get(key) is not None:
                low, high = agreement.intervals.get(key) or (None, None)
                told.append(f"{name} {with_interval(agreement.values[key], low, high)}")
        of = f"{agreement.n_labels:,} labels of people on {agreement.n_sentences:,} sentences"
        yield f"{', '.join(measured.scorers)} by {measured.measure} against {of}: {', '.join(told)}."


IMPACT = (
    "What learns from this data can repeat what it says about groups (Mehrabi et al. 2021). A group that it rarely mentions is "
    "hardly known to it. The groups that the numbers name are the first to look at."
)
ADVICE = (
    "Compare these numbers before and after any filter or change of the data.",
    "Look at the statements behind a number before you act on it: a negative sentence can be true, quoted or misread.",
    "Measure again what a model says that was trained on it: it may say more or less than the data.",
)
