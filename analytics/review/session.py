"""A review under way: what each annotator sees next, and where a judgement goes.

A judgement goes into the file at once, and from there into the graph: the label that most annotators gave stands on the
statement as a measure. The file is what counts: where the graph is busy or cannot be reached, nobody waits for it, and the label
is written later, with the next judgement or when the review is started again. Every time it is looked up anew, while nobody else
may write, whether the statement still stands: Neo4j gives the element id of what was deleted to something else.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from harmgraph.analytics.labelling.drawn_sample import Item, Sample
from harmgraph.analytics.labelling.frame_answer import FrameAnswer
from harmgraph.analytics.labelling.label import SENTENCES, TRIPLES
from harmgraph.analytics.labelling.ratings import folded
from harmgraph.analytics.review.judgements import Judgement, Judgements
from harmgraph.analytics.review.sample import continued, said
from harmgraph.common.errors import GraphError, HarmgraphError, InputError
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.phrases import Phrases

VERSION = "1"
FAMILY = "review@"
"""What the names of those begin with whose labels a review wrote."""
CONTEXT = 4
SKIPS = 2
"""An annotator who skipped a statement so often is not shown it again before the review is run again."""


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """What an annotator said of an item in this run of the review; ``label`` is one of the question's."""

    item: Item
    label: str


@dataclass(frozen=True, slots=True)
class ShownItem:
    """What an annotator sees.

    Attributes:
        item: what to judge next; None if nothing is left.
        again: whether the annotator skipped it before.
        previous: what was judged last in this run of the review; None at the beginning.
        told: the judgement whose scorer's label is told: the last one that can no longer be taken back; None where there is
            none, and in a blind review.
        done, skipped, total: statements that this annotator judged, put off, and has in all.
        waiting: labels that are in the file, and that the graph did not take when they were last sent.
    """

    item: Item | None
    again: bool
    previous: JudgedItem | None
    told: JudgedItem | None
    done: int
    skipped: int
    total: int
    waiting: int


@dataclass(slots=True)
class _Annotator:
    """What is kept for an annotator while the review runs.

    Attributes:
        actions: judgements and skipped items, in the order in which they were made; what was undone is not among them.
        told: element ids of the items whose scorer's label was told: their judgements stand.
        again: element id of the item that is shown first, because what was done with it was undone; empty for none.
    """

    actions: list[JudgedItem | Item] = field(default_factory=list)
    told: set[str] = field(default_factory=set)
    again: str = ""

    def judged(self) -> list[JudgedItem]:
        return [action for action in self.actions if isinstance(action, JudgedItem)]

    def skips(self) -> Counter[str]:
        """How often each item was skipped, by its element id."""
        return Counter(action.id for action in self.actions if isinstance(action, Item))


@dataclass(frozen=True, slots=True)
class _Standing:
    """A statement of the sample that stands in the graph as it was drawn.

    Attributes:
        scored: whether it has a masked sentence.
        by: who gave the label of the review's measure.
    """

    is_node: bool
    scored: bool
    by: str | None


@dataclass(frozen=True, slots=True)
class _Label:
    """The label that most annotators gave to an item, and its score; None of both takes the label of the graph away."""

    item: Item
    name: str | None
    score: float | None


class Review:
    """The sample, the judgements and the graph; may be called from several threads.

    Inside a ``with`` block a thread writes into the graph, first what the file has from an earlier time.

    Attributes:
        measure: the property of the graph that people's label is written to.
        groups: names that the page suggests where it asks for a group.
        gone: items whose statement did not stand in the graph when it was last looked up: at the beginning, and before a label
            is written. Their judgements are in the file alone.
    """

    def __init__(
        self,
        graph: Graph,
        sample: Sample,
        judgements: Judgements,
        measure: str,
        *,
        reveal: bool = False,
        groups: Sequence[str] = (),
    ) -> None:
        """Compares the sample with the graph.

        Args:
            measure: the property that gets people's label; empty for none.
            groups: names that the page suggests where it asks for a group.
            reveal: whether annotators are told what the scorer says: of a judgement that can no longer be taken back, so that
                every judgement is made without knowing it.
        """
        self.sample = sample
        self.judgements = judgements
        self.measure = measure
        self.groups = tuple(groups)
        self._reveal = reveal
        self._graph = graph
        self._lock = threading.Lock()
        self._annotators: dict[str, _Annotator] = {}
        self._by_sentence = {folded(item.sentence): item for item in sample.items}
        standing = _standing(graph, sample.items, f"{measure}_by")
        self.gone = tuple(item for item in sample.items if not standing.keys() & set(item.ids))
        judged = {folded(judgement.sentence) for judgement in judgements}
        # What stands of these people in the graph, whose judgement was taken back since, is written too.
        ours = {
            folded(item.sentence)
            for item in sample.items
            if any(each in standing and standing[each].by == self.by for each in item.ids)
        }
        self._unwritten = (judged | ours) & self._by_sentence.keys() if measure else set()
        self._waiting = 0
        self._ending = False
        self._news = threading.Condition(self._lock)
        self._writer = threading.Thread(target=self._keep_writing, name="review", daemon=True)

    def __enter__(self) -> Self:
        self._writer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._ending = True
            self._news.notify()
        self._writer.join()

    @property
    def waiting(self) -> int:
        """How many labels of the file the graph did not take when they were last sent."""
        return self._waiting

    @property
    def by(self) -> str:
        """The value of ``<measure>_by``: whose labels these are."""
        return f"{FAMILY}{VERSION}({self.judgements.path.name})"

    def shown(self, annotator: str) -> ShownItem:
        """What an annotator sees now."""
        with self._lock:
            return self._shown(annotator)

    def judge(self, annotator: str, item_id: str, label: str, frame: FrameAnswer | None = None) -> ShownItem:
        """Keeps a judgement and goes on.

        Args:
            label: one of the question's.
            frame: the whole answer, where the question is that of frames.

        Raises:
            InputError: this is not what the annotator is shown: the page is an old one.
            NoSpace: the file cannot be written; nothing was judged.
        """
        with self._lock:
            item = self._expected(annotator, item_id)
            self.judgements.add(Judgement(item.sentence, label, annotator, frame, item.source))
            known = self._known(annotator)
            if self._reveal:
                known.told |= {judged.item.id for judged in known.judged()}
            known.actions.append(JudgedItem(item, label))
            known.again = ""
            self._to_write(item)
            return self._shown(annotator)

    def skip(self, annotator: str, item_id: str) -> ShownItem:
        """Puts a statement off until the others are judged or put off too; the second time, until the review is run again.

        Raises:
            InputError: as ``judge``.
        """
        with self._lock:
            item = self._expected(annotator, item_id)
            known = self._known(annotator)
            known.actions.append(item)
            known.again = ""
            return self._shown(annotator)

    def undo(self, annotator: str) -> ShownItem:
        """Takes back what the annotator did last, a judgement or a skip, and shows its statement again.

        Where nothing was done in this run, a review that was always blind takes back the annotator's last judgement of the file.

        Raises:
            InputError: the scorer's label of it was told, or may have been told before this run: it stands.
            NoSpace: the file cannot be written; the judgement stays.
        """
        with self._lock:
            known = self._known(annotator)
            last = known.actions[-1] if known.actions else None
            if isinstance(last, JudgedItem) and last.item.id in known.told:
                raise InputError("the scorer's label of the last judgement was shown, so it cannot be undone")
            if last is None and (self._reveal or self.sample.revealed) and self.judgements.of(annotator):
                raise InputError("judgements of an earlier run cannot be undone: the scorer's labels were shown")
            if isinstance(last, Item):
                known.actions.pop()
                known.again = last.id
                return self._shown(annotator)
            taken = self.judgements.take_back(annotator)
            known.actions = known.actions[:-1]
            item = self._by_sentence.get(folded(taken.sentence)) if taken else None
            if item:
                known.again = item.id
                self._to_write(item)
            return self._shown(annotator)

    def _known(self, annotator: str) -> _Annotator:
        return self._annotators.setdefault(annotator, _Annotator())

    def _left(self, annotator: str) -> list[Item]:
        """What an annotator has not judged, in the order of the sample."""
        judged = self.judgements.of(annotator)
        return [item for sentence, item in self._by_sentence.items() if sentence not in judged]

    def _next(self, annotator: str, left: list[Item]) -> Item | None:
        known = self._known(annotator)
        for item in left:
            if item.id == known.again:
                return item
        skips = known.skips()
        # Of those that were skipped as often, the first of the sample.
        return min((item for item in left if skips[item.id] < SKIPS), key=lambda item: skips[item.id], default=None)

    def _expected(self, annotator: str, item_id: str) -> Item:
        item = self._next(annotator, self._left(annotator))
        if item is None or item.id != item_id:
            raise InputError("another page has gone on", remedy="reload this one")
        return item

    def _shown(self, annotator: str) -> ShownItem:
        known = self._known(annotator)
        left = self._left(annotator)
        item = self._next(annotator, left)
        skips, judged = known.skips(), known.judged()
        return ShownItem(
            item,
            item is not None and skips[item.id] > 0,
            judged[-1] if judged else None,
            next((each for each in reversed(judged) if each.item.id in known.told), None),
            len(self._by_sentence) - len(left),
            sum(skips[each.id] > 0 for each in left),
            len(self._by_sentence),
            self._waiting,
        )

    def context(self, item: Item) -> tuple[str, ...]:
        """Other statements of the same source about an item's first target; none of a sample, and where the database is away."""
        if item.prompt:
            return ()
        asked = {"target": item.targets[0], "source": item.source, "limit": CONTEXT + 1}
        try:
            # Not ``rows``, which is tried again for half a minute: a person can judge without.
            texts = dict.fromkeys(row[0] for row in self._graph.stream("review/context", **asked))
        except GraphError:
            return ()
        return tuple(text for text in texts if folded(text) != folded(item.sentence))[:CONTEXT]

    def _to_write(self, item: Item) -> None:
        if not self.measure:
            return  # the file is all that is kept
        self._unwritten.add(folded(item.sentence))
        self._news.notify()

    def _keep_writing(self) -> None:
        """Writes what is new until the review ends, and then once more what the graph did not take before."""
        ended = False
        while not ended:
            with self._lock:
                if not self._ending and len(self._unwritten) == self._waiting:
                    self._news.wait()
                ended = self._ending
                sentences, self._unwritten = self._unwritten, set()
                labels = [
                    _Label(item, *self._majority(item))
                    for item in (self._by_sentence[sentence] for sentence in sorted(sentences))
                ]
            taken = self._write(labels)
            with self._lock:
                if not taken:
                    self._unwritten |= sentences
                self._waiting = 0 if taken else len(sentences)

    def _write(self, labels: Sequence[_Label]) -> bool:
        """Writes labels onto the statements that still stand; False where the graph cannot be written now."""
        if not labels:
            return True
        number = f"{self.measure}{self.judgements.question.number}"
        properties = {"label": self.measure, "score": number, "by": f"{self.measure}_by"}
        try:
            # Within the lock, so that no load or removal comes between what is looked up and what is written.
            with self._graph.holding("review"):
                items = [label.item for label in labels]
                standing = _standing(self._graph, items, properties["by"])
                for name, rows in _rows(labels, standing).items():
                    self._graph.write(name, rows=rows, scorer=self.by, **properties)
        except HarmgraphError:  # also where its disk has no room
            return False
        looked_up = {item.id for item in items}
        lost = {item.id for item in items if not standing.keys() & set(item.ids)}
        gone = {item.id for item in self.gone if item.id not in looked_up} | lost
        self.gone = tuple(item for item in self.sample.items if item.id in gone)
        return True

    def _majority(self, item: Item) -> tuple[str | None, float | None]:
        """The label and the number of an item, see ``ReviewQuestion.opinion``."""
        return self.judgements.question.opinion(self.judgements.votes(item.sentence))


def _rows(labels: Iterable[_Label], standing: Mapping[str, _Standing]) -> dict[str, list[list[Any]]]:
    """Rows of element id, label and score, and of the sentence where none stands, by the statement that writes them."""
    rows: dict[str, list[list[Any]]] = {}
    for label in labels:
        for identity in label.item.ids:
            there = standing.get(identity)
            if there is None:
                continue
            writes = SENTENCES if there.is_node else TRIPLES
            row = [identity, label.name, label.score]
            if there.scored:
                rows.setdefault(writes.again, []).append(row)
            else:
                rows.setdefault(writes.new, []).append([*row, label.item.masked])
    return rows


def _standing(graph: Graph, items: Sequence[Item], by: str) -> dict[str, _Standing]:
    """Those of the items whose statements say what they said when the sample was drawn, by element id.

    Args:
        by: the property that says who gave the label of the review's measure.
    """
    phrases = Phrases.read(graph)
    ids = [identity for item in items for identity in item.ids]
    rows = {row["id"]: row for row in graph.rows("review/standing", ids=ids, by=by)}
    standing = {}
    by_id = {identity: item for item in items for identity in item.ids}
    for identity, item in by_id.items():
        row = rows.get(identity)
        if row is None or row["source"] not in (item.said_by if item.prompt else (item.source,)):
            continue
        text = str(row["tail"])
        if not row["is_node"]:
            text = said(str(row["head"]), phrases.of_type(str(row["type"])), text)
        elif item.prompt:
            text = continued(str(row["prompt"]), text)
        if folded(text) == folded(item.sentence) if identity != item.id else text == item.sentence:
            standing[identity] = _Standing(row["is_node"], row["sentence"] is not None, row["by"])
    return standing
