"""Accepting, rejecting and taking back: by score and label, and back to the same digest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.__main__ import main
from harmgraph.analytics.labelling.label import label
from harmgraph.common.errors import BadName, InputError, NotFound
from harmgraph.common.progress import receiver
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.statements import parse
from harmgraph.models.population.proposing.accepting import GONE, KNOWN, REJECTED, ProposalChoice, accept, reject, undo
from harmgraph.models.population.proposing.proposals import standing
from harmgraph.models.population.proposing.propose import propose
from tests.support.filling import import_triples
from tests.support.population import DRAW, HEADS, TAILS, event_triple

ANY = ProposalChoice(min_score=0.0, harms=("positive", "neutral", "negative", "unlabelled"))
WANTS = parse(
    "wants", "MATCH (h)-[r:X_WANT {source: $source}]->(t) RETURN h.text AS head, t.text AS tail, r.weight AS weight"
)


@pytest.fixture
def proposed(events: Graph, model: str) -> Graph:
    """Twelve proposals, six of which carry a label."""
    propose(events, model, DRAW, min_score=0.0)
    label(events, scorers.get("vader"), source=f"proposed:{model}")
    return events


def wants(graph: Graph, source: str) -> set[tuple[str, str]]:
    query = parse(
        "wants", f"MATCH (h)-[r:X_WANT]->(t) WHERE r.source = '{source}' RETURN h.text AS head, t.text AS tail"
    )
    return {(row["head"], row["tail"]) for row in graph.rows(query)}


def test_accept_and_undo_give_the_graph_back(proposed: Graph, model: str) -> None:
    before = digest(proposed)
    decision = accept(proposed, choice=ANY, dry_run=True)
    assert (len(decision.chosen), decision.written) == (12, False)
    assert digest(proposed) == before
    assert len(accept(proposed, choice=ANY).chosen) == 12
    once = digest(proposed)
    assert once != before
    assert len(wants(proposed, f"population:{model}")) == 12
    again = accept(proposed, choice=ANY)
    assert (again.again, len(again.chosen)) == (True, 12)
    assert digest(proposed) == once
    assert undo(proposed) == (f"population:{model}", 12)
    assert digest(proposed) == before


def test_what_is_accepted_is_what_was_chosen(proposed: Graph, model: str) -> None:
    proposals = standing(proposed, model)
    harms = {each.label for each in proposals}
    assert harms >= {None, "positive", "negative"}
    expected = {each for each in proposals if each.score >= 0.5 and each.label in (None, "positive")}
    decision = accept(proposed, model, ProposalChoice(0.5, harms=("positive", "unlabelled")))
    assert {each.id for each in decision.chosen} == {each.id for each in expected}
    assert wants(proposed, decision.source) == {
        (each.head.removeprefix("en/"), each.tail.removeprefix("en/")) for each in expected
    }
    left = sum(decision.left_out.values())
    assert left == 12 - len(expected)
    (total,) = [row for row in decision.rows() if row["by"] == "all"]
    assert (total["proposals"], total["chosen"]) == (12, len(expected))
    assert sum(int(str(row["proposals"])) for row in decision.rows() if row["by"] == "harm") == 12


def test_another_choice_needs_undo_or_a_source_of_its_own(proposed: Graph, model: str) -> None:
    accept(proposed, model, ANY)
    once = digest(proposed)
    with pytest.raises(InputError, match=r"other proposals were accepted.*population undo.*--into NAME"):
        accept(proposed, model, ProposalChoice(0.5))
    assert digest(proposed) == once
    undo(proposed)
    accept(proposed, model, ProposalChoice(0.5, harms=("unlabelled",)), into="good ones")
    assert undo(proposed)[0] == "good ones"
    with pytest.raises(BadName, match="was loaded in another way"):
        accept(proposed, model, ANY, into="folk")
    with pytest.raises(BadName, match="was not made by 'population accept'"):
        undo(proposed, into="folk")


def test_an_accept_that_was_killed_is_completed_or_undone(proposed: Graph, model: str) -> None:
    before = digest(proposed)

    def stop(stage: str, done: int, total: int | None = None) -> None:
        if stage.startswith("linking"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), receiver(stop):
        accept(proposed, choice=ANY)
    undo(proposed)
    assert digest(proposed) == before
    accept(proposed, choice=ANY)
    once = digest(proposed)
    undo(proposed)
    with pytest.raises(KeyboardInterrupt), receiver(stop):
        accept(proposed, choice=ANY)
    accept(proposed, choice=ANY)
    assert digest(proposed) == once


def test_rejected_ones_are_not_accepted_nor_proposed_again(proposed: Graph, model: str) -> None:
    before = digest(proposed)
    choice = ProposalChoice(0.0, harms=("negative",))
    assert reject(proposed, model, choice, dry_run=True).chosen
    assert digest(proposed) == before
    count = len(reject(proposed, model, choice).chosen)
    assert count == sum(each.label == "negative" for each in standing(proposed, model)) > 0
    decision = accept(proposed, choice=ANY)
    assert decision.left_out == {REJECTED: count}
    undo(proposed)
    propose(proposed, model, DRAW, min_score=0.0)
    assert sum(each.rejected for each in standing(proposed, model)) == count, "the same run keeps them rejected"
    assert undo(proposed, rejections=True) == (f"proposed:{model}", count)
    assert digest(proposed) == before
    with pytest.raises(InputError, match="none of its proposals is rejected"):
        undo(proposed, rejections=True)


def test_events_of_a_dropped_source_are_left_out_and_counted(proposed: Graph, model: str) -> None:
    kept = [event_triple(HEADS[0], "Causes", TAILS[1])]
    import_triples(proposed, *kept, source="other")
    sources.drop(proposed, "folk")
    decision = accept(proposed, choice=ANY, dry_run=True)
    ends = {(each.head, each.tail) for each in decision.chosen}
    assert ends == {(f"en/{HEADS[0]}", f"en/{TAILS[1]}")}
    assert decision.left_out == {GONE: 11}
    sources.drop(proposed, "other")
    with pytest.raises(
        InputError, match=r"none of 12 proposals is left \(12 has an event.*load the dropped source again"
    ):
        accept(proposed, choice=ANY)
    assert sources.find(proposed, f"population:{model}") is None


def test_what_a_source_has_by_now_is_left_out(proposed: Graph, model: str) -> None:
    first = standing(proposed, model)[0]
    import_triples(
        proposed, event_triple(first.head.removeprefix("en/"), "xWant", first.tail.removeprefix("en/")), source="new"
    )
    assert accept(proposed, choice=ANY, dry_run=True).left_out == {KNOWN: 1}


def test_nothing_is_proposed_or_labelled(events: Graph, model: str) -> None:
    for call in (lambda: accept(events), lambda: reject(events, None, ANY), lambda: undo(events, rejections=True)):
        with pytest.raises(InputError, match="nothing is proposed; propose some first"):
            call()
    with pytest.raises(InputError, match="nothing was accepted"):
        undo(events)
    propose(events, model, DRAW, min_score=0.0)
    before = digest(events)
    with pytest.raises(
        InputError, match=r"none of 12 proposals carries a label.*harmgraph label vader --source proposed:"
    ):
        accept(events, choice=ProposalChoice(harms=("neutral",)))
    with pytest.raises(NotFound, match="no measure named 'sentimnt'"):
        accept(events, choice=ProposalChoice(measure="sentimnt"))
    with pytest.raises(NotFound, match="no harm label named 'netural'"):
        accept(events, choice=ProposalChoice(harms=("netural",)))
    with pytest.raises(NotFound, match="no proposed relation named 'xNeed'"):
        accept(events, choice=ProposalChoice(relations=("xNeed",)))
    with pytest.raises(NotFound, match="no model with proposals named 'nobody'"):
        accept(events, "nobody")
    assert digest(events) == before
    decision = accept(events, choice=ProposalChoice(0.0))
    assert decision.unchecked == 6, "they name a target, and nobody labelled them"


def test_commands(events: Graph, model: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["population", "propose", "--relation", "x want", "--model", model, "--tails", "4", "--no-progress"]
    assert main([*words, "--min-score", "0", "-o", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["proposed"] == 12
    assert main(["population", "accept", "--min-score", "0", "--dry-run"]) == 0
    out = capsys.readouterr()
    assert "would be accepted" in " ".join(out.out.split())
    assert "6 of them name a target and carry no label" in out.err
    assert main(["label", "vader", "--source", f"proposed:{model}"]) == 0
    assert main(["population", "accept", "--min-score", "0.5", "--harm", "neutral,unlabelled", "-o", "json"]) == 0
    capsys.readouterr()
    assert main(["population", "reject"]) == 0
    assert main(["population", "undo"]) == 0
    assert main(["population", "undo", "--rejections"]) == 0
    assert "taken back" in capsys.readouterr().out
    assert main([*words, "--around", "a", "--target", "b"]) == 2
    assert main(["population", "accept", "--harm", "neutral,,"]) == 2
    assert main(["population", "propose", "--relation", "x", "--model", model]) == 1
    assert capsys.readouterr().err.count("\n") <= 12
