"""What is masked in the sentences that people labelled: the same as in the statements of the graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from harmgraph.analytics.labelling.drawn_sample import read, sample_file
from harmgraph.analytics.labelling.masking import Masks, mask_sentence
from harmgraph.analytics.labelling.ratings import Ratings, folded
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.phrases import Phrases, phrases
from harmgraph.graph.contents.targets import names_by_target
from harmgraph.graph.records import normalise

Mask = Callable[[str], str]


def graph_masks(graph: Graph, rule: str) -> Masks:
    """A rule of masking, with the names of the graph's targets where it needs them."""
    every = names_by_target(graph).values() if rule == Masks.ALL else ()
    return Masks(rule, tuple(name for names in every for name in names))


def mask_by_list(
    targets: Iterable[Sequence[str]], rule: str = Masks.OWN, about: Mapping[str, Iterable[str]] | None = None
) -> Mask:
    """Masks sentences of which the words are known, and of some whom they are about.

    By ``Masks.OWN`` a sentence's own targets are those that ``about`` has for it. Of another sentence that reads as a triple
    (head, a relation's phrase, tail) they are the ends that are a target as a whole, as in the graph. Of any other sentence
    nobody knows them: every target whose name occurs is masked.

    Args:
        targets: names and aliases of each target.
        about: by sentence, names of targets, which need not be among ``targets``.
    """
    listed = [tuple(names) for names in targets]
    of_name = {normalise(name): names for names in listed for name in names}
    every = tuple(of_name)
    named_in = named_by_list(listed, about)

    def mask(text: str) -> str:
        if rule == Masks.NONE or not every:
            return text
        if rule == Masks.ALL:
            return mask_sentence(text, every)
        meant = tuple(name for one in named_in(text) for name in of_name.get(normalise(one), (one,)))
        return mask_sentence(text, meant or every)

    return mask


def named_by_list(
    targets: Iterable[Sequence[str]], about: Mapping[str, Iterable[str]] | None = None
) -> Callable[[str], list[str]]:
    """Whom a sentence is about, as far as it is known: what ``about`` has for it, else the ends of a triple that are a target.

    Args:
        targets: names and aliases of each target.
        about: by sentence, names of targets, which need not be among ``targets``.
    """
    of_name = {normalise(name): tuple(names) for names in targets for name in names}
    between = tuple(f" {phrase} " for phrase in sorted(set(phrases().values())))
    return lambda text: [*(about or {}).get(text, ())] or _ends(text, between, of_name)


def mask_by_files(paths: Sequence[Path], ratings: Ratings, targets: Iterable[Sequence[str]], rule: str) -> Mask:
    """Masks the sentences of a file of people's labels, without a graph.

    Judgements of ``harmgraph review`` have their sample beside them, which has each sentence as it stands masked in the graph.

    Args:
        paths: as ``ratings.read_ratings`` takes them.
        targets: names and aliases of each target.
    """
    other = mask_by_list(targets, rule, ratings.about)
    if rule != Masks.OWN or len(paths) != 1 or not sample_file(paths[0]).exists():
        return other
    known = {folded(item.sentence): item.masked for item in read(sample_file(paths[0])).items}
    return lambda text: known.get(folded(text)) or other(text)


def _ends(text: str, between: Iterable[str], of_name: Mapping[str, Sequence[str]]) -> list[str]:
    """The ends of the triples as which a sentence can be read, as far as they are a target's name as a whole."""
    ends = {end for phrase in between if phrase in text for end in text.split(phrase, 1)}
    return [end for end in sorted(ends) if normalise(end) in of_name]


def mask_by_graph(graph: Graph, ratings: Ratings, rule: str, source: str | None) -> Mask:
    """Masks people's sentences as the graph's statements of the same words are masked; others as ``mask_by_list`` does.

    Args:
        ratings: the sentences that will be asked for; the statements of the graph are read once.
        source: name of a source; None for every source.
    """
    masks = graph_masks(graph, rule)
    wanted = {folded(text) for text in ratings.counts}
    known: dict[str, str] = {}
    for text, masked in _statements(graph, masks, source):
        if (sentence := folded(text)) in wanted:
            # One sentence can be said of several targets: whichever, but always the same.
            known[sentence] = min(masked, known.get(sentence, masked))
    other = mask_by_list(names_by_target(graph).values(), rule)
    return lambda text: known.get(folded(text)) or other(text)


def _statements(graph: Graph, masks: Masks, source: str | None) -> Iterator[tuple[str, str]]:
    """Each statement about a target as it stands and as it is scored."""
    read = Phrases.read(graph)
    for _, head, kind, tail, names, *_ in graph.stream("label/named_triples", source=source):
        phrase = read.of_type(kind)
        yield f"{head} {phrase} {tail}", masks.triple(head, phrase, tail, names)
    for _, text, names, head, spans, *_ in graph.stream("label/statements", source=source):
        yield text, masks.statement(text, names, head, spans)
