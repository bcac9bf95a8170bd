"""Samples of a model as ``counterfactual generate`` writes them, and their scores, without a graph."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harmgraph.analytics.counterfactual.scores import Scores, scores_of
from harmgraph.graph.common.errors import InputError, UnreadableFile
from harmgraph.graph.common.user_file import read_lines
from harmgraph.graph.scorer import Scorer

NEEDED = ("attribute", "value", "template", "text")
LINE = "write lines as 'harmgraph counterfactual generate' does"


@dataclass(frozen=True, slots=True)
class Samples:
    """The samples of one attribute in one file.

    Attributes:
        name: of the model, or of the file where its lines name none. model, checkpoint: empty where they name none.
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

    @property
    def templates(self) -> tuple[str, ...]:
        """The templates, in the order of the file."""
        return tuple(dict.fromkeys(row["template"] for row in self.rows))


def read_samples(path: Path) -> tuple[Samples, ...]:
    """The samples of a file, by attribute.

    Raises:
        UnreadableFile: it cannot be read, or a line is no sample, or several models made them.
    """
    by_attribute: dict[str, list[Mapping[str, str]]] = {}
    makers: dict[tuple[str, str], int] = {}
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        facts = _object(line)
        if facts is None or not all(isinstance(facts.get(name), str) and facts[name].strip() for name in NEEDED):
            raise UnreadableFile(path, f"is no sample with {', '.join(NEEDED)}", line=number, remedy=LINE)
        generation = facts.get("generation")
        made = generation if isinstance(generation, dict) else {}
        makers.setdefault((str(made.get("model", "")), str(made.get("checkpoint", ""))), number)
        if len(makers) > 1:
            raise UnreadableFile(path, "is of another model than the lines before", line=number, remedy=LINE)
        row = {name: facts[name].strip() for name in NEEDED}
        filled = row["template"].replace("{a value}", "{value}").replace("{value}", row["value"])
        for name, otherwise in (("subgroup", row["value"]), ("prompt", filled)):
            given = facts.get(name)
            row[name] = given.strip() if isinstance(given, str) and given.strip() else otherwise
        by_attribute.setdefault(row["attribute"].lower(), []).append(row)
    if not by_attribute:
        raise UnreadableFile(path, "holds no sample", remedy=LINE)
    ((model, checkpoint),) = makers
    return tuple(
        Samples(model or path.stem, attribute, model, checkpoint, tuple(rows))
        for attribute, rows in by_attribute.items()
    )


def _object(line: str) -> dict[str, Any] | None:
    try:
        facts = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return facts if isinstance(facts, dict) else None


@dataclass(frozen=True, slots=True)
class Scored:
    """Scores of samples, 0 to 1.

    Attributes:
        templates: in the order of ``scores.templates``. without: samples of which the scorer has no opinion, left out.
    """

    scores: Scores
    templates: tuple[str, ...]
    without: int


def scored(samples: Samples, scorer: Scorer, options: Mapping[str, Any]) -> Scored:
    """The scores of samples; each distinct text is scored once, as it stands.

    Raises:
        InputError: fewer than two values have a score in any template.
    """
    texts = list(dict.fromkeys(row["text"] for row in samples.rows))
    judged: dict[str, float | None] = {}
    for first in range(0, len(texts), scorer.texts_at_once):
        few = texts[first : first + scorer.texts_at_once]
        for text, score in zip(few, scorer.scores(few, options), strict=True):
            judged[text] = None if score is None else (score.value + 1) / 2
    values, templates = samples.values, samples.templates
    cells: dict[tuple[str, str], list[float]] = {}
    without = 0
    for row in samples.rows:
        value = judged[row["text"]]
        if value is None:
            without += 1
        else:
            cells.setdefault((row["template"], row["value"]), []).append(value)
    if not any(sum((template, value) in cells for value in values) > 1 for template in templates):
        raise InputError(
            f"{samples.attribute}: no template has two values with a score",
            where=samples.name,
            remedy="choose another --scorer, or give more samples",
        )
    table = [[cells.get((template, value)) for value in values] for template in templates]
    return Scored(scores_of(list(values), list(values.values()), table), templates, without)


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
