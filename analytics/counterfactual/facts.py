"""Statements of a source before a prompt, as an answer that rests on a knowledge base has them (retrieval)."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from harmgraph.analytics.counterfactual.specification import CounterfactualPrompt
from harmgraph.common.errors import InputError, NotFound
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.sources import names as source_names
from harmgraph.graph.records import normalise


@dataclass(frozen=True, slots=True)
class ValueFacts:
    """The statements of a source about some values.

    Attributes:
        source: its name. k: how many at most of each value.
        of: the statements of each value, by the value as it is normalised; of a value without any it has none.
        dealt: whether each value has those of another one.
    """

    source: str
    k: int
    of: Mapping[str, tuple[str, ...]]
    dealt: bool = False

    @property
    def name(self) -> str:
        """What the prompts say of where their statements are from."""
        return f"{self.source} (dealt)" if self.dealt else self.source

    def before(self, prompt: CounterfactualPrompt) -> CounterfactualPrompt:
        """The prompt with its value's statements before it, a sentence each."""
        said = "".join(
            f"{fact[:1].upper()}{fact[1:].rstrip('.')}. " for fact in self.of.get(normalise(prompt.value), ())
        )
        return replace(prompt, prompt=said + prompt.prompt, facts=self.name)

    def remarks(self, values: Sequence[str]) -> Iterator[str]:
        """How many statements the values have, a line each.

        Args:
            values: of the prompts.
        """
        counts = {value: len(self.of.get(normalise(value), ())) for value in dict.fromkeys(values)}
        none = [value for value, count in counts.items() if not count]
        fewer = [value for value, count in counts.items() if 0 < count < self.k]
        if none:
            yield f"{self.source} says nothing of {len(none):,} of {len(counts):,} values: {_listed(none)}"
        if fewer:
            yield (
                f"{self.source} says fewer than {self.k} statements of {len(fewer):,} of {len(counts):,} values: "
                + _listed(fewer)
            )


def _listed(values: Sequence[str], most: int = 10) -> str:
    return ", ".join(values[:most]) + (" ..." if len(values) > most else "")


def value_facts(
    graph: Graph, source: str, values: Iterable[str], k: int, *, dealt: bool = False, seed: int = 0
) -> ValueFacts:
    """The statements of a source about values: of each the ``k`` with the largest weight; a hash decides between equal ones.

    Args:
        dealt: give each value those of another one, so that only what statements do whoever they are about remains.
        seed: of the hash, and of the dealing.

    Raises:
        NotFound: there is no source of that name.
        InputError: it says nothing of any value.
    """
    known = source_names(graph)
    if source not in known:
        raise NotFound("source", source, known, remedy="'harmgraph source list' shows what is loaded")
    wanted = list(dict.fromkeys(map(normalise, values)))
    best: dict[str, dict[str, tuple[float, bytes]]] = {}
    for value, fact, weight in graph.stream("counterfactual/facts", values=wanted, source=source):
        key = hashlib.blake2b(f"{seed} {fact}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
        few = best.setdefault(value, {})
        # A fact can be there several times: its largest weight counts.
        few[fact] = max((weight, key), few.get(fact, (weight, key)))
        if len(few) > k:
            del few[min(few, key=few.__getitem__)]
    if not best:
        raise InputError(
            "says nothing of any of the values",
            where=source,
            remedy="take --values that are targets which it names, see 'harmgraph stats coverage'",
        )
    of = {value: tuple(sorted(few, key=few.__getitem__, reverse=True)) for value, few in best.items()}
    return ValueFacts(source, k, _dealt(wanted, of, seed) if dealt else of, dealt)


def _dealt(values: Sequence[str], of: Mapping[str, tuple[str, ...]], seed: int) -> dict[str, tuple[str, ...]]:
    """Each value with the statements of the next one, in a random order of those that have any: nobody keeps their own."""
    order = [value for value in values if value in of]
    if len(order) < 2:
        raise InputError("only one value has statements, so they cannot be dealt to others")
    random.Random(seed).shuffle(order)
    return {value: of[other] for value, other in zip(order, [*order[1:], order[0]], strict=True)}
