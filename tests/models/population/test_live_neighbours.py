"""Neighbours of texts that are drawn in Neo4j: the same as those in memory, and trainings with them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from scipy.stats import chisquare

from harmgraph.common.errors import BadName, Busy, InputError, NotFound
from harmgraph.common.progress import bar
from harmgraph.graph.connection import Graph
from harmgraph.models.population import training
from harmgraph.models.population.live_neighbours import LiveTextGraph
from harmgraph.models.population.named_populator import evaluate, train
from harmgraph.models.population.neighbours import Near, Neighbourhood, read_neighbourhood
from harmgraph.models.population.populator import populators
from harmgraph.models.population.recipe import PopulatorRecipe
from harmgraph.models.text import finetuning
from harmgraph.models.text.finetuning import Training
from tests.support.filling import import_triples
from tests.support.population import HEADS, RECIPE, TAILS, event_triple
from tests.support.streams import logged

TEXTS = (*HEADS, *TAILS)
MEMBERS = tuple(populator.name for populator in populators if populator.has_neighbours)


def aser(graph: Graph) -> None:
    """Each text and the next three, one that leads to itself, one that stands by two assertions, and a source beside."""
    edges = [(text, "Result", TEXTS[(place + step) % 8]) for place, text in enumerate(TEXTS) for step in (1, 2, 3)]
    edges += [(TEXTS[0], "Synchronous", TEXTS[0]), (TEXTS[0], "Reason", TEXTS[1])]
    import_triples(graph, *(event_triple(*edge) for edge in edges), source="folk")
    import_triples(graph, event_triple(TEXTS[0], "xWant", TEXTS[5]), source="kb")
    graph.driver.execute_query(
        "MATCH (h)-[r:REASON]->(t) CREATE (h)-[again:REASON]->(t) SET again = properties(r), again.assertion = 'again'",
        database_=graph.address.database,
    )


@pytest.fixture
def run(graph: Graph, examples: Path, encoder: Path, without_populators: None) -> Callable[..., Any]:
    """Trains with the neighbours of ``aser``."""
    aser(graph)
    how: Any = {"graph": graph, "encoder": str(encoder), "precision": "fp32", "threads": 1}
    return lambda name, member, **options: train(name, examples, member, recipe=replace(RECIPE, **options), **how)


def counted(near: Any) -> dict[str, Counter[Any]]:
    return {text: Counter((each.relation, each.text, each.inverse) for each in of.drawn) for text, of in near.items()}


def test_all_neighbours_are_those_in_memory(graph: Graph) -> None:
    aser(graph)
    live, cached = LiveTextGraph(graph, ["folk"], of_data=False), read_neighbourhood(graph, ["folk"])
    assert (live.relations, live.direction, live.texts) == (cached.relations, cached.direction, None)
    asked = [*TEXTS, "nowhere"]
    drawn = live.draw(asked, 0, (0,))
    assert counted(drawn) == counted(cached.draw(asked, 0, (0,)))
    assert counted(drawn)[TEXTS[0]].total() == 3 + 3 + 1 + 1
    for hops in (1, 2):
        triples = [(TEXTS[0], "xWant", TEXTS[5]), (TEXTS[2], "xWant", "nowhere")]
        found = [each.around(triples, 0, (0,), hops=hops) for each in (live, cached)]
        assert counted(found[0].near) == counted(found[1].near)


def test_every_neighbour_is_as_likely_and_a_seed_draws_the_same(graph: Graph) -> None:
    aser(graph)
    live = LiveTextGraph(graph, ["folk"], of_data=False)
    counts: Counter[str] = Counter()
    for seed in range(120):
        near = live.draw([TEXTS[4]], 2, (seed,))[TEXTS[4]]
        assert near == live.draw(TEXTS, 2, (seed,))[TEXTS[4]], "whatever else is asked for"
        assert len(near.drawn) == 2
        counts.update(each.text for each in near.drawn)
    assert len(counts) == 6
    assert chisquare(list(counts.values())).pvalue > 1e-4


def test_an_edge_to_the_node_itself_never_enters_it(graph: Graph) -> None:
    aser(graph)
    live = LiveTextGraph(graph, ["folk"], of_data=False)
    draws = [live.draw([TEXTS[0]], 1, (seed,))[TEXTS[0]].drawn[0] for seed in range(60)]
    loops = [each for each in draws if each.text == TEXTS[0]]
    assert 0 < len(loops) < len(draws)
    assert not any(each.inverse for each in loops)


def test_what_is_no_live_graph_is_refused(graph: Graph) -> None:
    aser(graph)
    for sources, of_data, said in (
        (["folk", "kb"], False, "of one source, and data.json names 2: folk, kb"),
        ([], False, "data.json names 0: none"),
        (["folk"], True, "the triples are from folk itself"),
    ):
        with pytest.raises(InputError, match=said):
            LiveTextGraph(graph, sources, of_data=of_data)
    with pytest.raises(NotFound, match="nothing"):
        LiveTextGraph(graph, ["nothing"], of_data=False)
    for options in ({"as_released": True}, {"neighbours": "out"}):
        with pytest.raises(BadName, match="subgraphs 'live' does not go with --"):
            PopulatorRecipe(subgraphs="live", **options)
    with pytest.raises(InputError, match="kgbert has no option --subgraphs"):
        populators.get("kgbert").check(replace(RECIPE, subgraphs="live"))


def test_edges_of_other_splits_are_left_out_and_it_is_said(graph: Graph) -> None:
    triples = (
        event_triple(TEXTS[0], "Result", TEXTS[place], split=split) for place, split in ((1, "train"), (2, "test"))
    )
    import_triples(graph, *triples, source="folk")
    with logged() as log, bar():
        live = LiveTextGraph(graph, ["folk"], of_data=False)
    assert log.lines == ["edges of folk in its splits valid and test, which are left out: 1"]
    assert [each.text for each in live.draw([TEXTS[0]], 0, (0,))[TEXTS[0]].drawn] == [TEXTS[1]]
    assert live.draw([TEXTS[2]], 0, (0,)) == {TEXTS[2]: Near()}


def test_a_source_that_was_imported_again_is_noticed(graph: Graph) -> None:
    aser(graph)
    live = LiveTextGraph(graph, ["folk"], of_data=False)
    digest = live.digest
    import_triples(graph, event_triple(TEXTS[0], "xWant", TEXTS[6]), source="kb")
    live.check()
    import_triples(graph, event_triple(TEXTS[0], "Result", TEXTS[1]), source="folk")
    with pytest.raises(Busy):
        live.check()
    assert LiveTextGraph(graph, ["folk"], of_data=False).digest != digest


@pytest.mark.long
@pytest.mark.parametrize("member", MEMBERS)
def test_a_training_is_that_of_the_graph_in_memory(
    graph: Graph, run: Callable[..., Any], member: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With every neighbour taken, as both then draw the same, and without dropout, which depends on their order."""
    monkeypatch.setattr(training, "ALL_READ", 0)
    scores = {}
    for subgraphs in ("cached", "live"):
        done = run(subgraphs, member, subgraphs=subgraphs, drawn=20, judged=0, epochs=2, frozen=True)
        assert done.config.recipe.subgraphs == subgraphs
        scores[subgraphs] = evaluate(subgraphs, graph=graph, linear=False, draws=10).scores
    assert scores["live"] == pytest.approx(scores["cached"], rel=1e-3, abs=1e-4)


@pytest.mark.long
@pytest.mark.parametrize("member", MEMBERS)
def test_a_training_that_goes_on_comes_to_the_same(
    graph: Graph, run: Callable[..., Any], member: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"subgraphs": "live", "drawn": 2, "judged": 2}
    run("whole", member, epochs=2, **options)
    monkeypatch.setattr(finetuning, "SAVE_EVERY_S", 0.0)
    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(Training, "_tell_length", lambda _, done, *__: sys.exit() if done == 3 else None)
        run("parts", member, epochs=1, **options)
    for epochs in (1, 2):
        run("parts", member, epochs=epochs, **options)
    whole, parts = (evaluate(name, graph=graph, linear=False, draws=10).scores for name in ("whole", "parts"))
    assert whole == parts


@pytest.mark.long
@pytest.mark.parametrize(("member", "draws"), [("graph", 1), ("bertsage", 2 * 6)])
@pytest.mark.parametrize("subgraphs", ["cached", "live"])
def test_a_frozen_model_draws_once_for_all_epochs(
    run: Callable[..., Any], member: str, draws: int, subgraphs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a graph whose texts are not all read; and once more for the valid triples."""
    monkeypatch.setattr(training, "ALL_READ", 0)
    kind: Any = {"cached": Neighbourhood, "live": LiveTextGraph}[subgraphs]
    draw, seen = kind.draw, []

    def counted_draw(self: Any, *asked: Any, **how: Any) -> Any:
        seen.append(asked)
        return draw(self, *asked, **how)

    monkeypatch.setattr(kind, "draw", counted_draw)
    run("counted", member, subgraphs=subgraphs, epochs=2)
    assert len(seen) == 1 + draws


@pytest.mark.long
@pytest.mark.parametrize("member", ["graph", "bertsage"])
def test_a_training_ends_where_the_source_is_imported_again(
    graph: Graph, run: Callable[..., Any], member: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = LiveTextGraph.draw

    def draw_and_import(self: Any, *asked: Any, **how: Any) -> Any:
        import_triples(graph, event_triple(TEXTS[0], "Result", TEXTS[1]), source="folk")
        return draw(self, *asked, **how)

    monkeypatch.setattr(LiveTextGraph, "draw", draw_and_import)
    with pytest.raises(Busy, match="changed"):
        run("changed", member, subgraphs="live")
