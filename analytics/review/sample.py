"""Draws a sample of the graph's statements for people to judge.

The statements are divided into strata by what is known of them: the target, the scorer's label, its score. As many are drawn
from each stratum, as far as it has them; without strata the sample is a simple random one. Which statements are drawn depends
on the seed and on the sentences alone, not on the order in which the database gives them.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from harmgraph.analytics.labelling.drawn_sample import Item, Sample, Wish
from harmgraph.analytics.labelling.masking import Masks
from harmgraph.analytics.labelling.ratings import folded
from harmgraph.analytics.labelling.review_question import QUESTIONS
from harmgraph.common.digests import text_number
from harmgraph.common.errors import InputError
from harmgraph.common.progress import progress
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.measures import known_measure
from harmgraph.graph.contents.phrases import Phrases

STRATA = ("target", "label", "score", "prompt")
PROMPT = "prompt"
"""The stratum of questions about samples: each prompt is one."""
UNLABELLED = "without a label"
BAND = 0.5
"""Width of a stratum by score."""
TELL_EVERY = 2_000


def draw(graph: Graph, wish: Wish) -> Sample:
    """Draws a sample. Statements of the same sentence count as one.

    Memory grows with the size of the sample times the number of strata, not with the graph.

    Raises:
        NotFound: the measure labels no statement of the graph, although strata need it.
        InputError: there is no statement to draw.
    """
    if {"label", "score"} & set(wish.strata):
        known_measure(graph, wish.measure)
    statements: Counter[str] = Counter()
    drawn: dict[str, _Lowest] = {}
    total = graph.rows("label/count", source=wish.source)[0]["statements"] if wish.target is None else None
    for number, item in enumerate(_statements(graph, wish), 1):
        statements[item.stratum] += 1
        drawn.setdefault(item.stratum, _Lowest(wish.size)).offer(_place(wish.seed, item.sentence), item)
        if number % TELL_EVERY == 0:
            progress("drawing", number, total)
    if not statements:
        samples = QUESTIONS[wish.question].samples
        raise InputError(
            "there is no sample of a prompt to judge" if samples else "there is no statement to judge",
            where=" ".join(filter(None, (wish.source, wish.target))),
            remedy="load some with 'harmgraph load generations'"
            if samples
            else "'harmgraph source list' and 'harmgraph target list' show what the graph holds",
        )
    chosen = _dealt({stratum: lowest.items() for stratum, lowest in drawn.items()}, wish)
    chosen.sort(key=lambda item: _place(wish.seed, f"order {item.sentence}"))
    return Sample(wish, tuple(chosen), dict(sorted(statements.items())))


def _statements(graph: Graph, wish: Wish) -> Iterator[Item]:
    chosen = {"source": wish.source, "target": wish.target, "measure": wish.measure}
    phrases, masks = Phrases.read(graph), Masks()
    if QUESTIONS[wish.question].samples:
        for identity, text, prompt, names, head, targets, *rest in graph.stream("review/samples", **chosen):
            whole, masked = continued(prompt, text), masks.statement(text, names, head)
            yield _item(wish, identity, whole, masked, targets, *rest, prompt=prompt)
        return
    for identity, head, kind, tail, names, *rest in graph.stream("review/triples", **chosen):
        phrase = phrases.of_type(kind)
        yield _item(wish, identity, said(head, phrase, tail), masks.triple(head, phrase, tail, names), *rest)
    for identity, text, names, head, spans, *rest in graph.stream("review/sentences", **chosen):
        yield _item(wish, identity, text, masks.statement(text, names, head, spans), *rest)


def said(head: str, phrase: str, tail: str) -> str:
    """What a triple says."""
    return f"{head} {phrase} {tail}"


def continued(prompt: str, text: str) -> str:
    """A sample with its prompt before it, unless the text begins with the prompt."""
    return text if text.casefold().startswith(prompt.casefold()) else f"{prompt} {text.lstrip()}"


def _item(
    wish: Wish,
    identity: str,
    text: str,
    masked: str,
    names: list[str],
    scored: str | None,
    source: str,
    label: str | None,
    score: float | None,
    by: str | None,
    *,
    prompt: str = "",
) -> Item:
    targets = tuple(sorted(set(names)))
    known = {"target": targets[0], "label": label or UNLABELLED, "score": _band(score), PROMPT: prompt}
    stratum = ", ".join(known[name] for name in wish.strata)
    return Item(
        id=identity,
        sentence=text,
        masked=scored or masked,
        targets=targets,
        source=source,
        label=label,
        score=score,
        by=by,
        stratum=stratum,
        sources=(source,),
        prompt=prompt,
    )


def _band(score: float | None) -> str:
    """The stratum of a score: bands of ``BAND``, and 0 alone, since a scorer of words gives it to most sentences."""
    if score is None:
        return "no score"
    if score == 0:
        return "score 0"
    low = math.floor(score / BAND) * BAND if score > 0 else -math.ceil(-score / BAND) * BAND
    return f"score {low:g} to {low + BAND:g}"


def _place(seed: int, text: str) -> int:
    """A number that looks random and depends on the seed and the sentence alone."""
    return text_number(f"{seed}\0{folded(text)}")


class _Lowest:
    """The ``size`` items of the lowest numbers, each sentence once: a simple random sample where the numbers are random."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._heap: list[tuple[int, str]] = []  # the highest number first
        self._items: dict[str, Item] = {}

    def offer(self, number: int, item: Item) -> None:
        name = folded(item.sentence)
        there = self._items.get(name)
        if there is not None:
            first = min(there, item, key=lambda either: (either.source, either.id))
            # Of samples each is a statement of its own that gets the label, as each counts in the statistic.
            others = {*there.ids, *item.ids} - {first.id} if item.prompt else ()
            sources = tuple(sorted({*there.sources, *item.sources}))
            self._items[name] = replace(first, sources=sources, also=tuple(sorted(others)))
            return
        if len(self._heap) < self._size:
            heapq.heappush(self._heap, (-number, name))
        elif number < -self._heap[0][0]:
            _, left_out = heapq.heapreplace(self._heap, (-number, name))
            del self._items[left_out]
        else:
            return
        self._items[name] = item

    def items(self) -> list[Item]:
        """The items, the lowest number first."""
        return [self._items[name] for _, name in sorted(self._heap, reverse=True)]


def _dealt(drawn: Mapping[str, list[Item]], wish: Wish) -> list[Item]:
    """One from each stratum in turn, until there are enough or none is left; a sentence of two strata is taken once."""
    order = sorted(drawn, key=lambda stratum: _place(wish.seed, stratum))
    chosen: dict[str, Item] = {}
    left = {stratum: iter(drawn[stratum]) for stratum in order}
    while left and len(chosen) < wish.size:
        for stratum in list(left):
            item = next((item for item in left[stratum] if folded(item.sentence) not in chosen), None)
            if item is None:
                del left[stratum]
            else:
                chosen[folded(item.sentence)] = item
            if len(chosen) == wish.size:
                break
    return list(chosen.values())
