"""Batches that other processes collected are joined: what comes first, what may repeat, and what is an event."""

from __future__ import annotations

import random
from array import array

from harmgraph.graph.records import Concept, Triple
from harmgraph.graph.writing.batches import Batch, Batches, digests_of
from harmgraph.graph.writing.first_time import FirstTime


def collected(*triples: Triple) -> tuple[Batch, bytes]:
    gathered = Batches("kb", ["weight"], part=True)
    for triple in triples:
        assert gathered.add(triple) is None
    batch = gathered.rest()
    assert batch
    return batch, digests_of(batch)


def triple(head: str, tail: str, weight: float = 1.0, relation: str = "IsA", *, event: bool = False) -> Triple:
    return Triple(Concept(head, event=event), relation, Concept(tail), properties={"weight": weight})


def test_what_an_earlier_batch_has_goes_before_what_repeats_within_the_later_one() -> None:
    joined = Batches("kb", ["weight"])
    assert joined.join(*collected(triple("a", "b", 1), triple("a", "c", 2), triple("a", "c", 3, "HasA"))) is None
    assert (
        joined.join(*collected(triple("a", "b", 4), triple("a", "d", 5), triple("a", "b", 6), triple("b", "a", 7)))
        is None
    )
    batch = joined.rest()
    assert batch
    weights = {kind: [row[3] for row in rows] for kind, rows in batch.first.items()}
    assert weights == {
        "IS_A": [{"weight": 1}, {"weight": 2}, {"weight": 5}, {"weight": 7}],
        "HAS_A": [{"weight": 3}],
    }
    assert [row[3] for row in batch.others["IS_A"]] == [{"weight": 4}, {"weight": 6}]
    assert batch.relations == {"IS_A": "IsA", "HAS_A": "HasA"}
    assert joined.join(*collected(triple("z", "y", relation="is a"))) is None
    rest = joined.rest()
    assert rest
    assert rest.relations == {}


def test_what_is_an_event_in_a_batch_stays_one() -> None:
    as_event, plain = triple("go home", "x", event=True), triple("y", "go home")
    for order in ((as_event, plain), (plain, as_event)):
        batch, _ = collected(*order)
        assert batch.nodes["en/go home"] == ("go home", "en", "Event")
        joined = Batches("kb", ["weight"])
        for each in order:
            joined.join(*collected(each))
        together = joined.rest()
        assert together
        assert together.nodes == batch.nodes


def test_many_digests_at_once_are_noted_as_one_by_one() -> None:
    chosen = random.Random(3)
    at_once, one_by_one = FirstTime(), FirstTime()
    for _ in range(5):
        digests = list(
            {chosen.randrange(-(1 << 63), 1 << 63) for _ in range(3_000)} | set(range(0, 900, chosen.randrange(1, 9)))
        )
        known = at_once.known_among(array("q", digests).tobytes())
        alone = [place for place, digest in enumerate(digests) if not one_by_one.note(digest)]
        # Among themselves they differ, so at once none is taken for another of the same call.
        assert set(known) <= set(alone)
        assert len(alone) - len(known) < 3
    assert at_once.known_among(array("q", digests).tobytes()) == list(range(len(digests)))
