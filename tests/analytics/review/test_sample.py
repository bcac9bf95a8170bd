"""What is drawn for people to judge, and the file that keeps it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from harmgraph.analytics.labelling.drawn_sample import Item, Sample, Wish, keep, read
from harmgraph.analytics.review.sample import _band, _dealt, _Lowest, _place, draw
from harmgraph.common.errors import InputError, NotFound, UnreadableFile
from harmgraph.graph.connection import Graph
from tests.support.reviewing import labelled, sample_of


def item(sentence: str, stratum: str = "", source: str = "kb") -> Item:
    return Item(
        id=f"id {sentence} {source}",
        sentence=sentence,
        masked=sentence,
        targets=("lawyer",),
        source=source,
        label=None,
        score=None,
        by=None,
        stratum=stratum,
    )


@pytest.mark.parametrize(
    ("score", "band"),
    [
        (None, "no score"),
        (0.0, "score 0"),
        (0.2, "score 0 to 0.5"),
        (0.5, "score 0.5 to 1"),
        (-0.2, "score -0.5 to 0"),
        (-0.5, "score -0.5 to 0"),
        (-0.7, "score -1 to -0.5"),
    ],
)
def test_bands_of_scores(score: float | None, band: str) -> None:
    assert _band(score) == band


def test_the_order_in_which_statements_come_does_not_matter_and_the_seed_does() -> None:
    sentences = [f"sentence {number}" for number in range(500)]

    def drawn(order: list[str], seed: int) -> list[str]:
        lowest = _Lowest(20)
        for sentence in order:
            lowest.offer(_place(seed, sentence), item(sentence))
        return [kept.sentence for kept in lowest.items()]

    assert drawn(sentences, 1) == drawn(sentences[::-1], 1)
    assert drawn(sentences, 1) != drawn(sentences, 2)
    assert len(set(drawn(sentences, 1))) == 20


def test_every_sentence_is_drawn_about_as_often() -> None:
    times: Counter[str] = Counter()
    for seed in range(400):
        lowest = _Lowest(5)
        for number in range(10):
            lowest.offer(_place(seed, f"s{number}"), item(f"s{number}"))
        times.update(kept.sentence for kept in lowest.items())
    assert times.total() == 2_000
    assert all(150 < count < 250 for count in times.values())  # 200 expected; five standard deviations


def test_equal_sentences_are_one_whichever_comes_first() -> None:
    for order in ((item("a", source="x"), item("A", source="b")), (item("A", source="b"), item("a", source="x"))):
        lowest = _Lowest(5)
        for number, offered in enumerate(order):
            lowest.offer(7, offered)
            assert len(lowest.items()) == 1, number
        assert lowest.items()[0].source == "b"


def test_strata_get_as_many_and_what_a_small_one_lacks_goes_to_the_others() -> None:
    drawn = {
        "small": [item("s", "small")],
        "a": [item(f"a{number}", "a") for number in range(9)],
        "b": [item(f"b{number}", "b") for number in range(9)],
    }
    chosen = Counter(kept.stratum for kept in _dealt(drawn, Wish(size=9)))
    assert chosen == {"small": 1, "a": 4, "b": 4}
    assert len(_dealt(drawn, Wish(size=50))) == 19


def test_drawn_from_the_graph(graph: Graph) -> None:
    labelled(graph)
    sample = sample_of(graph, strata=("target", "label"), size=12)
    assert sample.statements == {
        "lawyer, negative": 4,
        "lawyer, neutral": 6,
        "lawyer, positive": 4,
        "nurse, negative": 4,
        "nurse, neutral": 6,
        "nurse, positive": 5,
    }
    assert Counter(kept.stratum for kept in sample.items) == dict.fromkeys(sample.statements, 2)
    assert sample == sample_of(graph, strata=("target", "label"), size=12)
    assert sample.items != sample_of(graph, strata=("target", "label"), size=12, seed=1).items
    every = sample_of(graph, strata=(), size=1_000)
    assert len(every.items) == sum(every.statements.values()) == 29
    known = {kept.sentence: kept for kept in every.items}
    liar = known["lawyer is a horrible liar"]
    assert (liar.masked, liar.targets, liar.label) == ("this person is a horrible liar", ("lawyer",), "negative")
    assert known["A nurse is kind to a lawyer."].masked == "A this person is kind to a lawyer."
    nurses = sample_of(graph, target="nurse", strata=(), size=1_000)
    assert {name for kept in nurses.items for name in kept.targets} == {"nurse"}


def test_nothing_to_draw_is_one_line(graph: Graph) -> None:
    with pytest.raises(InputError, match="no statement to judge"):
        draw(graph, Wish(strata=()))
    labelled(graph)
    with pytest.raises(NotFound, match="sentimant"):
        draw(graph, Wish(measure="sentimant"))


@pytest.mark.parametrize("revealed", [False, True])
def test_the_file_gives_the_same_sample(tmp_path: Path, revealed: bool) -> None:
    sample = Sample(Wish(source="kb", strata=("target",), size=2, seed=9), (item('ä, "b"', "x"),), {"x": 3}, revealed)
    keep(tmp_path / "s.jsonl", sample)
    assert read(tmp_path / "s.jsonl") == sample


@pytest.mark.parametrize("text", ["", "{}", "not json", '{"form": "other"}', json.dumps({"form": 1, "strata": 2})])
def test_another_file_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "s.jsonl").write_text(text + "\n")
    with pytest.raises(UnreadableFile, match=r"s\.jsonl"):
        read(tmp_path / "s.jsonl")
