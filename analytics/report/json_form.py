"""The report as JSON. Its keys are documented in docs/report.md and do not change."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from harmgraph.analytics.drawing.drawing import Scope
from harmgraph.analytics.drawing.numbers import Numbers, Subject
from harmgraph.analytics.report.content import Content, Measured, ReportPicture, SourceSection
from harmgraph.analytics.report.since import SinceLast
from harmgraph.common.intervals import LEVEL
from harmgraph.common.json_schema import stamp
from harmgraph.common.row_forms import without_nan


def as_json(content: Content) -> str:
    """The report as one JSON object."""
    return json.dumps(without_nan(as_object(content)), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def as_object(content: Content) -> dict[str, Any]:
    """The report as Python objects."""
    numbers = content.numbers
    names = [section.name for section in content.sources]
    return {
        **stamp(),
        "written": content.written.isoformat().replace("+00:00", "Z"),
        "warning": "quotes statements of the sources, including stereotypes and slurs",
        "parameters": {
            "min_support": numbers.min_support,
            "resamples": numbers.resamples,
            "seed": numbers.seed,
            "level": LEVEL,
            "measures": list(content.measures),
        },
        "sources": [_source(section, numbers) for section in content.sources],
        "comparisons": [
            {
                "source": picture.subject.sources[0],
                "other": picture.subject.sources[1],
                "measure": picture.subject.measure,
                "targets": numbers.rows(
                    "compare",
                    source=picture.subject.sources[0],
                    other=picture.subject.sources[1],
                    measure=picture.subject.measure,
                    min_support=numbers.min_support,
                ),
            }
            for picture in content.overview
            if picture.drawing.scope is Scope.PAIR
        ],
        "agreement": [
            _agreement(numbers, section.name, measured.measure)
            for section in content.sources
            for measured in section.measures
        ]
        if numbers.ratings
        else [],
        "history": [row for row in numbers.query("measure/history", category="all") if row["source"] in names],
        "figures": [_figure(picture) for picture in content.pictures()],
    }


def _source(section: SourceSection, numbers: Numbers) -> dict[str, Any]:
    facts = section.facts
    return {
        "name": section.name,
        **{name: facts.get(name) for name in ("importer", "version", "licence", "url", "files", "sha256", "import_id")},
        "lists": [asdict(one) for one in section.lists],
        "counts": facts.get("counts"),
        "representation": numbers.rows("representation", source=section.name),
        "measures": [_measure(measured, numbers, section.name) for measured in section.measures],
        "targets_without_statements": list(section.without),
        "targets_listed": section.listed,
    }


def _measure(measured: Measured, numbers: Numbers, source: str) -> dict[str, Any]:
    return {
        "measure": measured.measure,
        "scorers": measured.scorers,
        "statements": measured.statements,
        "pairs": measured.pairs,
        "unlabelled": measured.unlabelled,
        "labels": measured.labels,
        "disparity": measured.disparity,
        "neutral": numbers.rows("neutral", source=source, measure=measured.measure),
        "categories": measured.categories,
        "targets": measured.targets,
        "beyond_chance": {
            rate: {"targets": measured.beyond(rate), "tested": measured.tested(rate)} for rate in ("o_plus", "o_minus")
        },
        "examples": measured.examples,
        "since": _since(measured.since) if measured.since else None,
    }


def _since(since: SinceLast) -> dict[str, Any]:
    return {
        "at": since.at,
        "compared": since.compared,
        "differs": since.differs,
        "beyond": [
            {
                "metric": each.change.now.metric,
                "target": each.change.now.target,
                "before": each.change.before.value if each.change.before else None,
                "now": each.change.now.value,
                "n_before": each.change.before.n if each.change.before else None,
                "n_now": each.change.now.n,
                "change": each.change.amount,
                "interval": list(each.change.interval or ()),
                "q": each.q,
                "came": list(each.came),
                "went": list(each.went),
                "more": list(each.more),
            }
            for each in since.beyond
        ],
    }


def _agreement(numbers: Numbers, source: str, measure: str) -> dict[str, Any]:
    compared = numbers.agreement(source, measure)
    assert compared is not None
    agreement = compared.agreement
    subject = {"source": source, "measure": measure, "sentences_given": compared.sentences}
    if agreement is None:
        return subject | {"sentences": 0, "labels": 0, "ties": 0, "confusion": None, "values": {}, "intervals": {}}
    return subject | {
        "sentences": agreement.n_sentences,
        "labels": agreement.n_labels,
        "ties": agreement.tied,
        "confusion": agreement.confusion,
        "values": dict(agreement.values),
        "intervals": dict(agreement.intervals),
    }


def _figure(picture: ReportPicture) -> dict[str, Any]:
    subject: Subject = picture.subject
    return {
        "name": picture.drawing.name,
        "title": picture.heading,
        "paper": picture.drawing.paper,
        "sources": list(subject.sources),
        "measures": list(subject.measures),
        "alt": picture.alt,
        "lacks": picture.lack,
        "files": list(picture.files),
    }
