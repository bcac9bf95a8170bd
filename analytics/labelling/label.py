"""Labels statements in the graph: makes a sentence, masks the targets in it, scores it and writes the label back.

A statement is scored again only if its masked sentence or the scorer's version has changed since it was labelled.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import chain
from typing import Any

from harmgraph.analytics.labelling.masking import MASK, PHRASE_MASK, Masks, signed
from harmgraph.analytics.labelling.people_masks import graph_masks
from harmgraph.common.engines.cluster_workers import ClusterWorkers
from harmgraph.common.engines.engine import Cluster
from harmgraph.common.engines.local import Workers
from harmgraph.common.errors import BadName, InputError, NotFound
from harmgraph.common.progress import notice, progress
from harmgraph.common.scorer import NotAsked, Score, Scorer
from harmgraph.common.shown import Shown
from harmgraph.common.stage import Stage
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.phrases import Phrases
from harmgraph.graph.contents.sources import imports
from harmgraph.graph.contents.sources import names as source_names
from harmgraph.graph.schema import NODES, RELATIONSHIPS, WAS

TELL_EVERY = 2_000  # statements between two progress reports
WRITTEN = 5_000  # labels in one transaction: faster than more (docs/decisions/0003-writing.md)
REMEMBERED = 500_000  # scored sentences in memory, so that a repeated sentence is not scored again
_MEASURE = re.compile(r"[a-z][a-z0-9_]{0,60}")
_TAKEN = frozenset(
    {shape_property.name for shape in (*NODES, *RELATIONSHIPS) for shape_property in shape.properties}
    | {"sentence", "id", "line", "language"}
)
_ENDINGS = ("_by", "_score", "_id", WAS)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class LabelReport(Shown):
    """The result of labelling.

    Attributes:
        statements: statements read.
        up_to_date: statements whose label is already of this sentence and scorer version.
        written: labels written.
        without: statements for which the scorer gave no label; an older label of theirs is removed.
        later: statements that it has not come to. They are as they were, and a later run labels them.
        earlier: of these, those with a label of another ``<measure>_by``, or of an earlier sentence.
        scored: distinct sentences that the scorer read.
        labels: how many of the written labels are of each kind.
        reading_s, scoring_s, writing_s: seconds in each stage. The stages go on at the same time.
        seconds: in all.
        said: what the scorer says of the run, a line each.
    """

    measure: str
    by: str
    statements: int
    up_to_date: int
    written: int
    scored: int
    without: int
    labels: Mapping[str, int]
    reading_s: float
    scoring_s: float
    writing_s: float
    seconds: float
    later: int = 0
    earlier: int = 0
    said: str = ""

    def shown(self) -> tuple[str, Mapping[str, Any]]:
        """See ``Shown``."""
        row = asdict(self)
        labels = row.pop("labels")
        del row["said"]
        for name in ("later", "earlier"):
            if not row[name]:
                del row[name]
        row |= {f"written: {name}": count for name, count in labels.items()}
        named = {
            name.replace("_s", " (s)") if name.endswith("_s") else name.replace("_", " "): value
            for name, value in row.items()
        }
        return f"labelled {self.measure} with {self.by}", named


@dataclass(frozen=True, slots=True)
class _ToLabel:
    """A statement to label.

    Attributes:
        text: what is scored: the masked sentence, or the sentence without masking.
        new: whether its sentence differs from the one in the graph.
        label: its label in the graph; None if there is none.
        others: the ``<measure>_by`` of other measures, whose labels are out of date if the sentence is new.
    """

    id: str
    sentence: str
    text: str
    new: bool
    label: str | None
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Task:
    """What is labelled, and how.

    Attributes:
        shown: masks of the sentence that people read. hidden: masks of what is scored; None for none.
    """

    source: str | None
    all_statements: bool
    measure: str
    by: str
    shown: Masks
    hidden: Masks | None
    mask_phrases: bool


@dataclass(slots=True)
class _Tally:
    statements: int = 0
    up_to_date: int = 0
    written: int = 0
    scored: int = 0
    without: int = 0
    later: int = 0
    earlier: int = 0
    labels: Counter[str] = field(default_factory=Counter)


def label(
    graph: Graph,
    scorer: Scorer,
    *,
    source: str | None = None,
    all_statements: bool = False,
    measure: str = "",
    options: Mapping[str, Any] | None = None,
    masking: str = Masks.OWN,
    mask_phrases: bool = False,
    force: bool = False,
    processes: int = 0,
    cluster: Cluster | None = None,
) -> LabelReport:
    """Labels the statements that name a target, or all of them.

    Args:
        source: name of a source; None for every source.
        masking: what is masked before scoring, see ``Masks``; ``<measure>_by`` says so where it is not ``Masks.OWN``. The
            sentence that people read is masked by ``Masks.OWN`` always.
        mask_phrases: score head and tail of a triple without the phrase of its relation; ``<measure>_by`` says so. Sentences
            that no triple stands behind are scored as they are.
        measure: name of the property to write; empty for the scorer's measure.
        force: also label statements in a language that the scorer does not read.
        processes: number of worker processes; 0 for one on each core.
        cluster: the workers of an engine, which score instead.

    Raises:
        NotFound: there is no source of that name.
        BadName: the measure cannot be the name of a property.
        InputError: the scorer reads one language alone, and there are statements in another.
        Busy: another command is changing the graph.
    """
    known = source_names(graph)
    if source is not None and source not in known:
        raise NotFound("source", source, known, remedy="'harmgraph source list' shows what is loaded")
    measure = checked_measure(measure or scorer.measure)
    chosen = scorer.chosen(options or {})
    if not force:
        _check_language(graph, scorer, chosen, source, all_statements)
    masks = graph_masks(graph, masking)
    by = masks.signed(scorer.by(chosen)) if scorer.masked else scorer.by(chosen)
    if mask_phrases:
        by = signed(by, phrases="masked")
    task = _Task(source, all_statements, measure, by, Masks(), masks if scorer.masked else None, mask_phrases)
    tally = _Tally()
    remembered: dict[str, Score | None] = {}
    began = time.monotonic()
    with (
        _telling(tally, measure),
        graph.holding(f"label {scorer.name}"),
        _workers(scorer, chosen, processes, cluster) as workers,
        Stage(finishes=True) as writing,  # what is scored is not lost
        Stage() as scoring,
    ):
        newest = imports(graph)
        total = graph.rows("label/count", source=source)[0]["statements"] if not all_statements else None

        def tell() -> None:
            progress(f"labelling with {scorer.name}", tally.statements, total)

        tell()
        if scorer.foresees:
            workers.foresee(one.text for one in chain(_triples(graph, task), _sentences(graph, task)) if one)
        statements = (
            (TRIPLES, _triples(graph, task)),
            (SENTENCES, _sentences(graph, task)),
        )

        def write_all(names: _Writes, read: list[_ToLabel], scores: Mapping[str, Score | None]) -> None:
            stale = [statement for statement in read if not isinstance(scores[statement.text], NotAsked)]
            tally.later += len(read) - len(stale)
            tally.earlier += sum(one.label is not None for one in read if isinstance(scores[one.text], NotAsked))
            _write(graph, names, stale, scores, measure, by, newest)
            labels = [score.label for statement in stale if (score := scores[statement.text])]
            tally.written += len(labels)
            tally.without += len(stale) - len(labels)
            tally.labels.update(labels)

        def score_all(names: _Writes, stale: list[_ToLabel]) -> None:
            texts = [statement.text for statement in stale]
            tally.scored += _score(texts, workers, remembered)
            scores = {text: remembered[text] for text in texts}
            if len(remembered) > REMEMBERED:
                remembered.clear()
            writing.put(partial(write_all, names, stale, scores))

        reading_began = time.monotonic()
        for names, stale in _batches(statements, workers.texts_at_once, tally, tell):
            scoring.put(partial(score_all, names, stale))
            tell()
        reading = time.monotonic() - reading_began - scoring.waited
        scoring.finish()
        writing.finish()
        tell()
    return LabelReport(
        measure=measure,
        by=by,
        statements=tally.statements,
        up_to_date=tally.up_to_date,
        written=tally.written,
        scored=tally.scored,
        without=tally.without,
        labels=dict(sorted(tally.labels.items())),
        reading_s=round(reading, 2),
        scoring_s=round(scoring.seconds - writing.waited, 2),
        writing_s=round(writing.seconds, 2),
        seconds=round(time.monotonic() - began, 2),
        later=tally.later,
        earlier=tally.earlier,
        said="\n".join((*workers.said, *_earlier(tally, measure))),
    )


@contextmanager
def _telling(tally: _Tally, measure: str) -> Iterator[None]:
    """Also of a run that something ended, says which labels of before stay."""
    try:
        yield
    except BaseException:
        for line in _earlier(tally, measure):
            notice(line)
        raise


def _earlier(tally: _Tally, measure: str) -> Iterator[str]:
    if tally.earlier:
        yield (
            f"{tally.earlier:,} statements that were not asked keep an earlier label, of another {measure}_by or sentence, and "
            "statistics count it: run on, or give --as another measure"
        )


def _check_language(
    graph: Graph, scorer: Scorer, options: Mapping[str, Any], source: str | None, all_statements: bool
) -> None:
    language = scorer.reads(options)
    if not language:
        return
    rows = graph.rows("label/other_languages", source=source, language=language, all=all_statements)
    if rows:
        counts = ", ".join(f"{row['statements']:,} in {row['language']}" for row in rows)
        raise InputError(
            f"{scorer.name} reads {language} alone, and there are statements in other languages ({counts})",
            where=source or ", ".join(dict.fromkeys(name for row in rows for name in row["sources"])),
            remedy="take a scorer of that language, such as 'harmgraph label regard --model' with a multilingual classifier, "
            "name a source that it reads with --source, or give --force",
        )


def _workers(
    scorer: Scorer, options: Mapping[str, Any], processes: int, cluster: Cluster | None
) -> Workers | ClusterWorkers:
    return ClusterWorkers(scorer, options, cluster) if cluster else Workers(scorer, options, processes)


def checked_measure(measure: str) -> str:
    """Returns the name if it can be a measure.

    Raises:
        BadName: it is not of the form ``[a-z][a-z0-9_]*``, or another property has this name.
    """
    if not _MEASURE.fullmatch(measure) or measure in _TAKEN or measure.endswith(_ENDINGS):
        raise BadName(
            "measure",
            measure,
            "cannot be used: use only lower case letters, digits and _, and no other property's name",
        )
    return measure


def _batches(
    parts: Iterable[tuple[_Writes, Iterator[_ToLabel | None]]], size: int, tally: _Tally, tell: Callable[[], None]
) -> Iterator[tuple[_Writes, list[_ToLabel]]]:
    """The statements that must be scored, at most ``size`` at a time; the others are counted."""
    for write, statements in parts:
        stale: list[_ToLabel] = []
        for statement in statements:
            tally.statements += 1
            if tally.statements % TELL_EVERY == 0:
                tell()
            if statement is None:
                tally.up_to_date += 1
                continue
            stale.append(statement)
            if len(stale) >= size:
                yield write, stale
                stale = []
        if stale:
            yield write, stale


def _triples(graph: Graph, task: _Task) -> Iterator[_ToLabel | None]:
    """Triples with their masked sentences; None for each triple whose label is up to date."""
    phrases = Phrases.read(graph)
    query = "label/all_triples" if task.all_statements else "label/named_triples"
    for row in graph.stream(query, source=task.source, by=f"{task.measure}_by", label=task.measure):
        identity, head, kind, tail, names, sentence, labelled_by, label, others = row
        phrase = phrases.of_type(kind)
        masked = task.shown.triple(head, phrase, tail, names)
        if labelled_by == task.by and sentence == masked:
            yield None
        else:
            between = PHRASE_MASK if task.mask_phrases else phrase
            text = task.hidden.triple(head, between, tail, names) if task.hidden else f"{head} {between} {tail}"
            yield _ToLabel(identity, masked, text, sentence != masked, label, tuple(others))


def _sentences(graph: Graph, task: _Task) -> Iterator[_ToLabel | None]:
    """Free sentences, masked; None for each sentence whose label is up to date."""
    for row in graph.stream(
        "label/statements", source=task.source, by=f"{task.measure}_by", label=task.measure, all=task.all_statements
    ):
        identity, text, names, head, spans, tail, sentence, labelled_by, label, others = row
        masked = task.shown.statement(text, names, head, spans)
        if labelled_by == task.by and sentence == masked:
            yield None
        else:
            scored = task.hidden.statement(text, names, head, spans) if task.hidden else text
            if task.mask_phrases and head and tail:
                scored = f"{MASK if task.hidden and any(names) else head} {PHRASE_MASK} {tail}"
            yield _ToLabel(identity, masked, scored, sentence != masked, label, tuple(others))


def _score(sentences: list[str], workers: Workers | ClusterWorkers, remembered: dict[str, Score | None]) -> int:
    new = [sentence for sentence in dict.fromkeys(sentences) if sentence not in remembered]
    scores = workers.scores(new)
    remembered.update(zip(new, scores, strict=True))
    return sum(not isinstance(score, NotAsked) for score in scores)


@dataclass(frozen=True, slots=True)
class _Writes:
    """Names of the statements that write labels.

    Attributes:
        new: label and sentence; again: the label alone, of a sentence that stands; was: what an import found labelled before;
        outdate: removes labels of other measures that were given to an older sentence.
    """

    new: str
    again: str
    was: str
    outdate: str


TRIPLES = _Writes("label/write_triples", "label/write_triples_again", "label/was_triples", "label/outdate_triples")
SENTENCES = _Writes(
    "label/write_statements", "label/write_statements_again", "label/was_statements", "label/outdate_statements"
)


def _write(
    graph: Graph,
    names: _Writes,
    statements: list[_ToLabel],
    scores: Mapping[str, Score | None],
    measure: str,
    by: str,
    newest: Mapping[str, int],
) -> None:
    """Writes labels, and only those sentences that are new: a sentence takes as long as the three properties of a label."""
    properties = {"label": measure, "score": f"{measure}_score", "by": f"{measure}_by", "scorer": by}
    new: list[list[Any]] = []
    again: list[list[Any]] = []
    changed: list[list[str]] = []
    for statement in statements:
        score = scores[statement.text]
        now = score.label if score else ""
        if statement.label is not None and statement.label != now:
            changed.append([statement.id, statement.label, now])
        label_and_value = [score.label, score.value] if score else [None, None]  # null removes the property
        if statement.new:
            new.append([statement.id, *label_and_value, statement.sentence])
        else:
            again.append([statement.id, *label_and_value])
    for start in range(0, len(changed), WRITTEN):
        rows_changed = changed[start : start + WRITTEN]
        graph.write(names.was, rows=rows_changed, was=f"{measure}{WAS}", imports=dict(newest))
    for name, rows in ((names.new, new), (names.again, again)):
        for start in range(0, len(rows), WRITTEN):
            graph.write(name, rows=rows[start : start + WRITTEN], **properties)
    outdated = [
        [statement.id, dict.fromkeys(statement.others)]
        for statement in statements
        if statement.new and statement.others
    ]
    for start in range(0, len(outdated), WRITTEN):
        graph.write(names.outdate, rows=outdated[start : start + WRITTEN])
