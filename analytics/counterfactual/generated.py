"""Samples of a model as ``counterfactual generate`` writes them, and their scores, without a graph."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harmgraph.analytics.counterfactual.remarks import FEW, of_counts, of_dropped, of_left_out, of_missing, of_sizes
from harmgraph.analytics.counterfactual.scores import SampleScores
from harmgraph.analytics.counterfactual.selection import Key, Selection, selected
from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.common.json_text import from_json
from harmgraph.common.progress import notice
from harmgraph.common.scorer import NotAsked, Scorer
from harmgraph.common.user_file import read_lines
from harmgraph.graph.records import normalise

NEEDED = ("attribute", "value", "template", "text")
LINE = "write lines as 'harmgraph counterfactual generate' does"


@dataclass(frozen=True, slots=True)
class Samples:
    """The samples of one attribute in one file.

    Attributes:
        name: of the model, or of the file where its lines name none, with the source of the facts before its prompts.
        model, checkpoint: empty where they name none.
        rows: each with ``attribute``, ``value``, ``subgroup``, ``template``, ``prompt`` and ``text``.
    """

    name: str
    attribute: str
    model: str
    checkpoint: str
    rows: tuple[Mapping[str, str], ...]

    @property
    def values(self) -> dict[str, str]:
        """The subgroup of each value, in the order of the file."""
        return {row["value"]: row["subgroup"] for row in self.rows}

    def value_named(self, name: str) -> str | None:
        """The value of this name in any capitals, as it is written here; None without it."""
        return next((value for value in self.values if normalise(value) == normalise(name)), None)

    @property
    def templates(self) -> tuple[str, ...]:
        """The templates, in the order of the file."""
        return tuple(dict.fromkeys(row["template"] for row in self.rows))

    def only(self, prompts: Collection[Key]) -> Samples:
        """The samples of these prompts alone."""
        return replace(self, rows=tuple(row for row in self.rows if (row["template"], row["value"]) in prompts))


def read_samples(path: Path) -> tuple[Samples, ...]:
    """The samples of a file, by attribute. Values that differ in capitals alone are one, as the first of them is written.

    Raises:
        UnreadableFile: it cannot be read, or a line is not a sample, or several models made them.
    """
    by_attribute: dict[str, list[Mapping[str, str]]] = {}
    spelled: dict[tuple[str, str], str] = {}
    makers: dict[tuple[str, str, str], int] = {}
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        facts = _object(line)
        if facts is None or not all(isinstance(facts.get(name), str) and facts[name].strip() for name in NEEDED):
            raise UnreadableFile(path, f"is not a sample with {', '.join(NEEDED)}", line=number, remedy=LINE)
        generation = facts.get("generation")
        made = generation if isinstance(generation, dict) else {}
        before = facts.get("facts")
        with_facts = before.strip() if isinstance(before, str) else ""
        makers.setdefault((str(made.get("model", "")), str(made.get("checkpoint", "")), with_facts), number)
        if len(makers) > 1:
            what = "is of another model, or of prompts with other facts, than the lines before"
            raise UnreadableFile(path, what, line=number, remedy=LINE)
        row = {name: facts[name].strip() for name in NEEDED}
        filled = row["template"].replace("{a value}", "{value}").replace("{value}", row["value"])
        for name, otherwise in (("subgroup", row["value"]), ("prompt", filled)):
            given = facts.get(name)
            row[name] = given.strip() if isinstance(given, str) and given.strip() else otherwise
        attribute = normalise(row["attribute"])
        row["value"] = spelled.setdefault((attribute, normalise(row["value"])), row["value"])
        by_attribute.setdefault(attribute, []).append(row)
    if not by_attribute:
        raise UnreadableFile(path, "holds no sample", remedy=LINE)
    ((model, checkpoint, with_facts),) = makers
    named = f"{model or path.stem} with {with_facts}" if with_facts else model or path.stem
    return tuple(Samples(named, attribute, model, checkpoint, tuple(rows)) for attribute, rows in by_attribute.items())


def _object(line: str) -> dict[str, Any] | None:
    try:
        facts = from_json(line)
    except ValueError:
        return None
    return facts if isinstance(facts, dict) else None


@dataclass(frozen=True, slots=True)
class Scored:
    """Scores of the samples of one attribute by several models, 0 to 1, of prompts that all of them have.

    Attributes:
        attribute: what the prompts differ in. names: of the models.
        selection: the prompts, of each of which every model has enough samples.
        scores: of each model, all of the same values and templates.
        without: of each model, samples of which the scorer has no opinion, left out. not_asked: and to which it did not come.
        sizes: of each model, fewest and most samples of a prompt. samples: of each model, how many are compared.
    """

    attribute: str
    names: tuple[str, ...]
    selection: Selection
    scores: tuple[SampleScores, ...]
    without: tuple[int, ...]
    sizes: tuple[tuple[int, int], ...]
    samples: tuple[int, ...]
    not_asked: tuple[int, ...]

    def remarks(self) -> Iterator[str]:
        """What a reader must know, a line each."""
        for name, count in zip(self.names, self.without, strict=True):
            if count:
                yield f"{name}, {self.attribute}: {count:,} samples have no score and are left out"
        for name, count in zip(self.names, self.not_asked, strict=True):
            if count:
                yield f"{name}, {self.attribute}: {count:,} samples were not asked and are left out; the same command goes on"
        yield from of_left_out(self.selection.left_out, "of some model " + FEW if len(self.names) > 1 else FEW)
        yield from of_dropped(self.selection)
        yield from of_missing(self.attribute, self.scores[0])
        for name, sizes in zip(self.names, self.sizes, strict=True):
            yield from of_sizes(f"{name}, {self.attribute}", sizes)
        yield from of_counts(self.attribute, dict(zip(self.names, self.samples, strict=True)))


@dataclass(frozen=True, slots=True)
class SampleValues:
    """What a scorer says of texts.

    Attributes:
        values: 0 to 1, by the text; None where it has no opinion. not_asked: texts to which it did not come.
    """

    values: Mapping[str, float | None]
    not_asked: frozenset[str]


def values_of(listed: Iterable[Samples], scorer: Scorer, options: Mapping[str, Any]) -> SampleValues:
    """The values of all samples, each distinct text once, as it stands, in one run of the scorer."""
    texts = list(dict.fromkeys(row["text"] for samples in listed for row in samples.rows))
    values: dict[str, float | None] = {}
    not_asked: set[str] = set()
    with scorer.session(options) as session:
        session.foresee(texts)
        for first in range(0, len(texts), scorer.texts_at_once):
            few = texts[first : first + scorer.texts_at_once]
            for text, score in zip(few, session.scores(few), strict=True):
                values[text] = (score.value + 1) / 2 if score else None
                if isinstance(score, NotAsked):
                    not_asked.add(text)
    for line in session.said:
        notice(line)
    return SampleValues(values, frozenset(not_asked))


def scored(
    listed: Sequence[Samples],
    scorer: Scorer,
    options: Mapping[str, Any],
    least: int = 1,
    *,
    known: SampleValues | None = None,
) -> Scored:
    """The scores of the samples of several models; each distinct text is scored once, as it stands.

    Args:
        listed: of one attribute, of the same values and templates (``check_alike``).
        least: prompts of which some model has fewer scored samples are left out of all models, so that each number is of the
            same prompts.
        known: of these and other samples; the scorer is asked if there is none.

    Raises:
        InputError: no template has two values left.
    """
    known = known or values_of(listed, scorer, options)
    attribute, values = listed[0].attribute, listed[0].values
    prompts = dict.fromkeys((row["template"], row["value"]) for samples in listed for row in samples.rows)
    cells = [_cells(samples, known.values) for samples in listed]
    not_asked = tuple(sum(row["text"] in known.not_asked for row in samples.rows) for samples in listed)
    counts = [{prompt: len(of.get(prompt, ())) for prompt in prompts} for of in cells]
    selection = selected(attribute, counts, least)
    if not selection.prompts:
        raise InputError(
            f"{attribute}: no template has two values with {least:,} scored samples of every model",
            where=", ".join(samples.name for samples in listed),
            remedy=f"{sum(not_asked):,} samples were not asked: run the same command again, or give a larger limit or max_tokens"
            if any(not_asked)
            else "choose another --scorer, lower --min-samples, or give more samples",
        )
    compared = [[each[prompt] for prompt in selection.prompts] for each in counts]
    return Scored(
        attribute,
        tuple(samples.name for samples in listed),
        selection,
        tuple(selection.scores(of, values) for of in cells),
        tuple(
            len(samples.rows) - sum(each.values()) - left
            for samples, each, left in zip(listed, counts, not_asked, strict=True)
        ),
        tuple((min(sizes), max(sizes)) for sizes in compared),
        tuple(map(sum, compared)),
        not_asked,
    )


def _cells(samples: Samples, values: Mapping[str, float | None]) -> dict[Key, list[float]]:
    """The scores of each prompt that has one, by template and value."""
    cells: dict[Key, list[float]] = {}
    for row in samples.rows:
        value = values[row["text"]]
        if value is not None:
            cells.setdefault((row["template"], row["value"]), []).append(value)
    return cells


def check_alike(listed: Sequence[Samples]) -> None:
    """Checks that samples of one attribute are of the same values and templates.

    Raises:
        InputError: some are not.
    """
    for samples in listed[1:]:
        if samples.values != listed[0].values or samples.templates != listed[0].templates:
            raise InputError(
                f"{samples.attribute}: the values or templates are others than those of {listed[0].name}, "
                "so they cannot be compared",
                where=samples.name,
                remedy="generate from the same prompts",
            )
