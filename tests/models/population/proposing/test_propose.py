"""Proposals: which pairs are drawn, that the same run gives the same, labels, interruptions, and errors of a line."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.__main__ import main
from harmgraph.analytics.labelling.label import label
from harmgraph.common.errors import HarmgraphError, InputError, NotFound, UnknownMember, UnreadableFile
from harmgraph.common.progress import receiver
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.statements import parse
from harmgraph.models.population import trained
from harmgraph.models.population.proposing.drawing import Draw, draw
from harmgraph.models.population.proposing.proposals import Proposal, standing
from harmgraph.models.population.proposing.propose import ProposalReport, propose
from harmgraph.models.record import CONFIG
from tests.support.population import DRAW, HEADS, MODEL, TAILS

STANDING = {(f"en/{head}", f"en/{tail}") for head, tail in zip(HEADS, TAILS, strict=True)}


def pairs(proposals: list[Proposal]) -> set[tuple[str, str]]:
    return {(each.head, each.tail) for each in proposals}


def run(graph: Graph, wanted: Draw = DRAW, min_score: float = 0.0) -> ProposalReport:
    return propose(graph, MODEL, wanted, min_score=min_score)


def test_every_new_pair_is_proposed_once(events: Graph, model: str) -> None:
    report = run(events)
    proposals = standing(events, model)
    assert (report.scored, report.standing, report.proposed) == (12, 4, 12)
    assert not pairs(proposals) & STANDING
    assert {head for head, _ in pairs(proposals)} == {f"en/{head}" for head in HEADS}
    good = [each.score for each in proposals if each.tail in (f"en/{TAILS[0]}", f"en/{TAILS[2]}")]
    bad = [each.score for each in proposals if each.tail in (f"en/{TAILS[1]}", f"en/{TAILS[3]}")]
    assert min(good) > max(bad), "the epoch is chosen by AUC, which says who is above whom"


def test_the_same_run_gives_the_same_graph(events: Graph, model: str) -> None:
    before = digest(events)
    run(events)
    once = digest(events)
    assert once != before
    run(events)
    assert digest(events) == once
    sources.drop(events, f"proposed:{model}")
    assert digest(events) == before, "dropping its source takes a proposal away whole"
    run(events)
    assert digest(events) == once


def test_another_run_keeps_what_stands_and_proposes_none_of_it(events: Graph, model: str) -> None:
    first = run(events, dataclasses.replace(DRAW, limit=5))
    old = pairs(standing(events, model))
    second = run(events, dataclasses.replace(DRAW, seed=1))
    assert (first.proposed, second.proposed, second.in_all) == (5, 7, 12)
    assert old < pairs(standing(events, model))


@pytest.mark.parametrize(
    ("wanted", "heads"),
    [
        (dataclasses.replace(DRAW, target="Teacher"), {HEADS[0], HEADS[3]}),
        (dataclasses.replace(DRAW, around=HEADS[1]), {HEADS[0], HEADS[1]}),
        (dataclasses.replace(DRAW, limit=4), None),
    ],
)
def test_heads(events: Graph, model: str, wanted: Draw, heads: set[str] | None) -> None:
    drawn = draw(events, wanted)
    used = {head.removeprefix("en/") for head, _ in drawn.pairs}
    if heads is None:
        assert len(drawn.pairs) == 4
    else:
        assert used >= heads
        assert not used & ({HEADS[2]} - heads)
    assert draw(events, wanted) == drawn


def test_proposals_are_labelled_as_statements_are(
    events: Graph, model: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run(events)
    report = label(events, scorers.get("vader"), source=f"proposed:{model}")
    assert report.written == report.statements == 6, "two of four heads name the target"
    rows = events.rows(
        parse(
            "said", "MATCH (h)-[r:PROPOSED]->(t) WHERE r.sentence IS NOT NULL RETURN r.sentence AS said, t.text AS tail"
        )
    )
    (template,) = {row["template"] for row in events.rows("label/templates") if row["type"] == "X_WANT"}
    assert any(row["said"].startswith(f"this person is a this person {template} ") for row in rows)
    assert main(["source", "show", f"proposed:{model}"]) == 0
    assert main(["stats", "overgeneralization", "--source", f"proposed:{model}", "-o", "csv"]) == 0
    assert "teacher,profession,6" in capsys.readouterr().out


class Stop:
    """Ctrl-C at a stage."""

    def __init__(self, stage: str) -> None:
        self.stage = stage

    def __call__(self, stage: str, done: int, total: int | None = None) -> None:
        if stage.startswith(self.stage):
            raise KeyboardInterrupt


@pytest.mark.parametrize("stage", ["drawing", "judging"])
def test_ctrl_c_before_writing_leaves_nothing(events: Graph, model: str, stage: str) -> None:
    before = digest(events)
    with pytest.raises(KeyboardInterrupt), receiver(Stop(stage)):
        propose(events, model, DRAW)
    assert digest(events) == before


def test_a_run_killed_while_writing_is_completed_by_the_same_run(events: Graph, model: str) -> None:
    run(events)
    once = digest(events)
    sources.drop(events, f"proposed:{model}")
    with pytest.raises(KeyboardInterrupt), receiver(Stop("linking")):
        propose(events, model, DRAW, min_score=0.0)
    assert main(["population", "accept"]) == 1, "what is half-written is not accepted"
    run(events)
    assert digest(events) == once


def test_a_run_killed_while_writing_leaves_nothing_after_another_run(events: Graph, model: str) -> None:
    with pytest.raises(KeyboardInterrupt), receiver(Stop("linking")):
        propose(events, model, DRAW, min_score=0.0)
    report = run(events, dataclasses.replace(DRAW, limit=3, seed=7))
    assert len(standing(events, model)) == report.in_all <= 3


@pytest.mark.parametrize(
    ("wanted", "kind", "said"),
    [
        (Draw("xWantt"), NotFound, "no relation between events named 'xWantt' in the graph; near: xWant"),
        (Draw("xNeed"), NotFound, "no relation between events named 'xNeed'"),
        (Draw("PROPOSED"), NotFound, "no relation between events"),
        (Draw("xWant", target="martian"), NotFound, "no target named 'martian' in the graph"),
        (Draw("xWant", around="nobody knows"), NotFound, "give its key or its text"),
    ],
)
def test_what_is_unknown_is_named(
    events: Graph, model: str, wanted: Draw, kind: type[HarmgraphError], said: str
) -> None:
    before = digest(events)
    with pytest.raises(kind, match=said):
        run(events, wanted)
    assert digest(events) == before


def test_an_empty_graph(graph: Graph, model: str) -> None:
    with pytest.raises(InputError, match=r"the graph is empty.*load a knowledge base of events"):
        run(graph)


def test_no_pair_is_good_enough(events: Graph, model: str) -> None:
    before = digest(events)
    with pytest.raises(InputError, match=r"none of 12 pairs reaches the score 1; the best has 0\.\d+; choose a lower"):
        run(events, min_score=1.0)
    assert digest(events) == before


def test_no_pair_is_new(events: Graph, model: str) -> None:
    run(events)
    with pytest.raises(InputError, match="there is no new pair to score: 16 that were drawn stand already"):
        run(events, dataclasses.replace(DRAW, seed=3))


def test_a_model_that_cannot_judge(events: Graph, model: str, tmp_path: Path) -> None:
    with pytest.raises(UnknownMember, match="no trained populator named 'nobody'"):
        propose(events, "nobody", DRAW)
    place = trained.folder(model)
    weights, facts = (place / trained.WEIGHTS), (place / CONFIG)
    config = facts.read_text()
    try:
        facts.write_text(config.replace('"finished"', '"training"'))
        with pytest.raises(InputError, match="its training is not finished; run the same 'population train' again"):
            run(events)
        facts.write_text(config)
        weights.rename(tmp_path / "weights")
        with pytest.raises(UnreadableFile, match=r"model\.safetensors"):
            run(events)
    finally:
        facts.write_text(config)
        if not weights.exists():
            (tmp_path / "weights").rename(weights)
    assert sources.find(events, f"proposed:{model}") is None


def test_a_model_that_was_trained_again(events: Graph, model: str) -> None:
    run(events)
    facts = trained.folder(model) / CONFIG
    config = facts.read_text()
    try:
        facts.write_text(config.replace(trained.config(model).identity, "0" * 32))
        with pytest.raises(InputError, match=r"an earlier training.*harmgraph source drop proposed:proposer"):
            run(events)
    finally:
        facts.write_text(config)
