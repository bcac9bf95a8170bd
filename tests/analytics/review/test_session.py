"""Where judgements go: the file at once, the graph behind it, and nothing lost where the graph does not take them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.review.judgements import Judgements
from harmgraph.analytics.review.session import Review
from harmgraph.common.errors import InputError, NoSpace
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Target
from harmgraph.graph.statements import parse
from tests.support.filling import fill, triple
from tests.support.processes import wait_for
from tests.support.reviewing import labelled, review_of, sample_of


@pytest.fixture
def path(graph: Graph, tmp_path: Path) -> Path:
    labelled(graph)
    return tmp_path / "ours.csv"


def standing(graph: Graph) -> dict[str, tuple[Any, ...]]:
    """Label, score and author of what people judged, by masked sentence."""
    rows: list[Any] = [
        *graph.rows("review/triples", measure="review"),
        *graph.rows("review/sentences", measure="review"),
    ]
    return {row["sentence"]: (row["label"], row["score"], row["by"]) for row in rows if row["by"] is not None}


def judge_next(review: Review, annotator: str, label: str) -> str:
    item = review.shown(annotator).item
    assert item is not None
    review.judge(annotator, item.id, label)
    return item.masked


def test_the_label_of_most_stands_in_the_graph(graph: Graph, path: Path) -> None:
    with review_of(graph, path) as review:
        first = judge_next(review, "ann", "negative")
        second = judge_next(review, "ann", "positive")
        for annotator in ("bob", "carla"):
            assert judge_next(review, annotator, "negative") == first
        assert judge_next(review, "bob", "neutral") == second
    by = "review@1(ours.csv)"
    assert standing(graph) == {first: ("negative", -1.0, by), second: (None, None, by)}
    with review_of(graph, path) as review:
        review.undo("bob")
    assert standing(graph)[second] == ("positive", 1.0, by)
    assert len(Judgements(path)) == 4


def test_next_skip_and_undo(graph: Graph, path: Path) -> None:
    with review_of(graph, path) as review:
        order = [item.id for item in review.sample.items]
        assert len(order) == 6
        shown = review.skip("ann", order[0])
        assert (shown.item and shown.item.id, shown.skipped, shown.done) == (order[1], 1, 0)
        shown = review.judge("ann", order[1], "neutral")
        assert (shown.item and shown.item.id, shown.done, shown.total) == (order[2], 1, 6)
        assert shown.previous is not None
        assert shown.previous.item.id == order[1]
        shown = review.undo("ann")
        assert (shown.item and shown.item.id, shown.done, shown.previous) == (order[1], 0, None)
        shown = review.undo("ann")
        assert (shown.item and shown.item.id, shown.skipped) == (order[0], 0)
        for identity in order:
            shown = review.judge("ann", identity, "neutral")
        assert (shown.item, shown.done) == (None, 6)
        with pytest.raises(InputError, match="another page"):
            review.judge("ann", order[0], "neutral")
        assert len(review.judgements) == 6


def test_undo_after_a_skip_takes_back_the_skip_and_no_judgement(graph: Graph, path: Path) -> None:
    sample = sample_of(graph)
    with review_of(graph, path, sample) as review:
        first, second, third, *_ = (item.id for item in sample.items)
        review.judge("ann", first, "negative")
        review.skip("ann", second)
        shown = review.undo("ann")
        assert (shown.item and shown.item.id, shown.done, shown.skipped) == (second, 1, 0)
        review.judge("ann", second, "neutral")
    with review_of(graph, path, sample) as review:  # again, on another day
        review.skip("ann", third)
        shown = review.undo("ann")
        assert (shown.item and shown.item.id, shown.done) == (third, 2)
        assert len(Judgements(path)) == 2
        shown = review.undo("ann")  # nothing was done today: the last of the file
        assert (shown.item and shown.item.id, shown.done) == (second, 1)
        assert review.undo("bob").done == 0
    assert [judgement.label for judgement in Judgements(path)] == ["negative"]


def test_what_was_skipped_comes_again_once_when_the_others_are_done(graph: Graph, path: Path) -> None:
    sample = sample_of(graph)
    with review_of(graph, path, sample) as review:
        first, second, *others = (item.id for item in sample.items)
        review.skip("ann", first)
        shown = review.skip("ann", second)
        assert not shown.again
        for identity in others:
            shown = review.judge("ann", identity, "neutral")
        assert (shown.item and shown.item.id, shown.again, shown.skipped) == (first, True, 2)
        shown = review.skip("ann", first)
        assert (shown.item and shown.item.id, shown.again) == (second, True)
        shown = review.judge("ann", second, "neutral")
        assert (shown.item, shown.done, shown.skipped) == (None, 5, 1)
        shown = review.undo("ann")
        assert shown.item
        assert shown.item.id == second
        shown = review.undo("ann")
        assert (shown.item and shown.item.id, shown.again) == (first, True)
    shown = review_of(graph, path, sample).shown("ann")
    assert (shown.item and shown.item.id, shown.again) == (first, False)


def test_what_the_scorer_says_is_told_of_a_judgement_that_stands(graph: Graph, path: Path) -> None:
    sample = sample_of(graph)
    with review_of(graph, path, sample, reveal=True) as review:
        first, second, *_ = (item.id for item in sample.items)
        assert review.judge("ann", first, "negative").told is None
        review.undo("ann")
        review.judge("ann", first, "positive")
        told = review.judge("ann", second, "neutral").told
        assert told
        assert (told.item.id, told.label) == (first, "positive")
        shown = review.undo("ann")
        assert (shown.done, shown.told) == (1, told)
        with pytest.raises(InputError, match="cannot be undone"):
            review.undo("ann")
        review.skip("ann", second)
        assert review.undo("ann").done == 1
    again = review_of(graph, path, sample, reveal=True)
    with pytest.raises(InputError, match="cannot be undone"):
        again.undo("ann")
    with pytest.raises(InputError, match="cannot be undone"):
        review_of(graph, path, replace(sample, revealed=True)).undo("ann")
    assert review_of(graph, path, sample).undo("ann").done == 0, "of a review that was always blind"


def test_what_is_judged_twice_by_an_old_page_counts_once(graph: Graph, path: Path) -> None:
    with review_of(graph, path) as review:
        first = review.sample.items[0].id
        review.judge("ann", first, "neutral")
        with pytest.raises(InputError, match="another page"):
            review.judge("ann", first, "negative")
        assert len(review.judgements) == 1


def test_a_busy_graph_gets_its_labels_when_it_is_free(graph: Graph, path: Path) -> None:
    sample = sample_of(graph)
    with graph.holding("another command"), Graph.open(graph.address) as other:
        with review_of(other, path, sample) as review:
            first = judge_next(review, "ann", "negative")
        assert review.waiting == 1
    assert not standing(graph)
    with review_of(graph, path, sample) as review:
        pass
    assert review.waiting == 0
    assert standing(graph)[first][0] == "negative"


def test_a_statement_that_is_gone_is_judged_in_the_file_alone(graph: Graph, path: Path) -> None:
    sample = sample_of(graph)
    graph.autocommit("schema/wipe")
    labelled(graph)
    with review_of(graph, path, sample) as review:
        gone = {item.id for item in review.gone}
        for item in review.sample.items:
            review.judge("ann", item.id, "neutral")
    assert len(Judgements(path)) == 6
    assert len(standing(graph)) == 6 - len(gone)


def test_context_is_of_the_same_source_and_target_and_not_the_sentence(graph: Graph, path: Path) -> None:
    with review_of(graph, path, sample_of(graph, target="lawyer")) as review:
        item = review.sample.items[0]
        context = review.context(item)
    assert 0 < len(context) <= 4
    assert all("lawyer" in said for said in context)
    assert item.sentence not in context


def test_an_id_that_the_server_gave_to_another_statement_gets_no_label(graph: Graph, path: Path) -> None:
    """What Neo4j does with ids of what was deleted: the first item gets the id of the second."""
    sample = sample_of(graph)
    first, second, *others = sample.items
    moved = replace(sample, items=(replace(first, id=second.id), *others))
    with review_of(graph, path, moved) as review:
        assert [item.sentence for item in review.gone] == [first.sentence]
        judge_next(review, "ann", "negative")
    assert not standing(graph)
    elsewhere = replace(sample, items=(replace(first, source="other"),))
    assert len(review_of(graph, path, elsewhere).gone) == 1


ANOTHER_SOURCE = """// Something else comes in the place of all
CALL () {
  MATCH ()-[r]->() WHERE r.source = 'kb' SET r.source = 'other'
  UNION ALL
  MATCH (s:Statement) WHERE s.source = 'kb' SET s.source = 'other'
}
"""


def test_what_goes_during_a_review_leaves_no_label_on_what_comes_in_its_place(graph: Graph, path: Path) -> None:
    """As by a load in another terminal: other statements stand under the element ids that were drawn."""
    with review_of(graph, path) as review:
        judge_next(review, "ann", "negative")
        wait_for(lambda: standing(graph))
        assert not review.gone
        graph.write(parse("other", ANOTHER_SOURCE))
        for _ in review.sample.items[1:]:
            judge_next(review, "ann", "negative")
    assert review.gone == review.sample.items[1:]
    assert review.waiting == 0
    assert len(Judgements(path)) == len(review.sample.items)
    assert len(standing(graph)) == 1


def test_a_label_whose_judgement_was_taken_back_meanwhile_goes(graph: Graph, path: Path) -> None:
    sample = sample_of(graph)
    with review_of(graph, path, sample) as review:
        first = judge_next(review, "ann", "negative")
    assert standing(graph)[first][0] == "negative"
    Judgements(path).take_back("ann")
    with review_of(graph, path, sample):
        pass
    assert standing(graph)[first][:2] == (None, None)


def test_without_room_the_label_waits_and_the_next_is_sent(
    graph: Graph, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample = sample_of(graph)

    def full(*_: object, **__: object) -> None:
        raise NoSpace("the disk is nearly full")

    with monkeypatch.context() as patch:
        patch.setattr(Graph, "write", full)
        with review_of(graph, path, sample) as review:
            first = judge_next(review, "ann", "negative")
        assert review.waiting == 1
    with review_of(graph, path, sample):
        pass
    assert standing(graph)[first][0] == "negative"


def test_a_label_of_an_unscored_statement_is_not_taken_for_another_sentence(graph: Graph, path: Path) -> None:
    """Masked as ``label`` masks it, aliases too, so that a scorer that comes later leaves people's label standing."""
    solicitor = Target("solicitor", "profession", aliases=("attorney",))
    fill(graph, solicitor, triple("attorney", "IsA", "defense solicitor"), source="kb2")
    sample = sample_of(graph, source="kb2", strata=())
    assert [item.masked for item in sample.items] == ["this person is a defense this person"]
    with review_of(graph, path, sample) as review:
        judged = judge_next(review, "ann", "neutral")
    label(graph, scorers.get("vader"))
    assert standing(graph)[judged][0] == "neutral"
    assert not review_of(graph, path, sample).gone
