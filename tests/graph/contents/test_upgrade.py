"""A graph that an earlier release made is told, upgraded step by step, and refused where it is of a later one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.statistics.statistic import statistic
from harmgraph.analytics.statistics.table import records
from harmgraph.common.errors import NewerGraph, OlderGraph
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.contents.linker import link
from harmgraph.graph.contents.upgrade import missing_steps, upgrade
from harmgraph.graph.form.steps import newest, steps
from harmgraph.graph.schema import NODES
from harmgraph.graph.statements import parse, statement
from tests.support.earlier import FORGET, make_first_form
from tests.support.filling import import_triples, triple

TARGETS = parse(
    "targets", "MATCH (t:Target) RETURN t.name AS name, t.language AS language, t.title AS title ORDER BY name"
)
GROUP_OF_POSTS = """
CREATE (:Source {name: 'posts', importer: 'sbic@1', import_id: 'p', state: 'complete', generation: 1})
CREATE (t:Target {name: 'asian', names: ['asian'], category: 'race', source: 'posts', import_id: 'p', implied: true})
CREATE (s:Statement {key: 'posts/1', source: 'posts', text: 'x', import_id: 'p'})
CREATE (s)-[:IMPLIES {source: 'posts', assertion: '1', import_id: 'p', category: 'race', group: 'asian'}]->(t)
"""
SET = parse("set", "MERGE (s:Schema {name: 'graph'}) SET s.version = $version")


@pytest.fixture
def first(graph: Graph) -> Iterator[Graph]:
    """The graph of the first release."""
    make_first_form(graph)
    yield graph
    graph.write(SET, version=newest())


def test_a_new_graph_gets_the_newest_form(graph: Graph) -> None:
    graph.write(FORGET)
    assert graph.form() is None
    assert missing_steps(graph) == ()
    import_triples(graph, triple("a", "IsA", "b"))
    assert graph.form() == newest() > 0


def test_the_form_is_no_content(graph: Graph) -> None:
    import_triples(graph, triple("a", "IsA", "b"))
    with_form = digest(graph)
    counts = graph.rows("schema/counts")
    graph.write(FORGET)
    assert digest(graph) == with_form
    assert graph.rows("schema/counts") == counts
    graph.write(SET, version=newest())
    assert "Schema" not in {row["label"] for row in graph.rows("source/held", targets="", source="", import_id="")}


def test_another_s_node_of_that_label_is_not_the_form(graph: Graph) -> None:
    """On a server that other programs use too."""
    form = graph.form()
    graph.write(parse("other", "CREATE (:Schema {name: 'theirs', version: 1000})"))
    try:
        assert graph.form() == form
    finally:
        graph.write(parse("no other", "MATCH (s:Schema {name: 'theirs'}) DELETE s"))


@pytest.mark.parametrize(
    "command", [["source", "list"], ["stats", "coverage"], ["label", "vader"], ["query", "explore/sources"]]
)
def test_every_command_tells_in_one_line_at_first_contact(
    first: Graph, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = digest(first)
    assert main(command) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert f"the graph has form 0 and was made by an earlier harmgraph; this one needs {newest()}" in said.err
    assert "run 'harmgraph db upgrade' once" in said.err
    assert digest(first) == before


def test_the_first_form_is_upgraded(first: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    assert {row["language"] for row in first.rows(TARGETS)} == {None}
    assert main(["db", "upgrade", "--dry-run"]) == 0
    assert capsys.readouterr().out.count("\n") == newest()
    assert first.form() == 0
    assert main(["db", "upgrade", "--no-progress"]) == 0
    assert capsys.readouterr().out == f"upgraded the graph from form 0 to form {newest()}\n"
    assert first.rows(TARGETS) == [
        {"name": name, "language": "en", "title": name} for name in ("lawyer", "muslim", "nurse")
    ]
    made = digest(first)
    assert main(["db", "upgrade"]) == 0
    assert "nothing to do" in capsys.readouterr().out
    assert digest(first) == made
    assert main(["stats", "overgeneralization", "--min-support", "1"]) == 0
    assert "lawyer" in capsys.readouterr().out


def test_after_it_the_graph_has_all_indexes(first: Graph) -> None:
    first.write(parse("drop", "DROP CONSTRAINT lock_name IF EXISTS"))
    upgrade(first)
    rows = first.rows(parse("constraints", "SHOW CONSTRAINTS YIELD labelsOrTypes RETURN labelsOrTypes[0] AS label"))
    assert {row["label"] for row in rows} == {node.label for node in NODES}


@pytest.mark.parametrize("stop", range(2 * newest()))
def test_killed_anywhere_and_run_again_it_is_the_same_graph(
    first: Graph, stop: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before or after the statement of each step, before its number is noted."""
    with monkeypatch.context() as patch:
        real, made = Graph.autocommit, 0

        def autocommit(graph: Graph, query: Any, **parameters: Any) -> Any:
            nonlocal made
            made += 1
            if 2 * made - 2 == stop:
                raise KeyboardInterrupt
            real(graph, query, **parameters)
            if 2 * made - 1 == stop:
                raise KeyboardInterrupt

        patch.setattr(Graph, "autocommit", autocommit)
        with pytest.raises(KeyboardInterrupt):
            upgrade(first)
    assert first.form() == stop // 2
    with pytest.raises(OlderGraph, match="db upgrade"):
        Graph.open(first.address)
    assert [step.version for step in upgrade(first)] == list(range(stop // 2 + 1, newest() + 1))
    assert {(row["language"], row["title"] == row["name"]) for row in first.rows(TARGETS)} == {("en", True)}
    Graph.open(first.address).close()


def test_sentences_have_another_name_in_counts_than_statements(first: Graph) -> None:
    upgrade(first)
    (kb,) = [facts for facts in sources.every(first) if facts["name"] == "kb"]
    assert kb["counts"] == {"relations": {"IS_A": 2}, "sentences": 0, "targets": 0, "statements": 2}
    assert sources.stood(kb) == 2


def test_targets_are_held_by_the_lists_that_brought_them(first: Graph) -> None:
    """And a new load of the same list makes the same digest; the groups of posts are those of their source."""
    first.write(parse("posts", GROUP_OF_POSTS))
    upgrade(first)
    lists = first.rows("explore/target_lists")
    assert [(row["list"], row["of"], row["targets"]) for row in lists] == [
        ("default-targets", None, 3),
        ("posts", "posts", 1),
    ]
    assert all(len(row["digest"] or "") == 64 for row in lists)
    assert [row["target"] for row in records(statistic("coverage")(first, source="kb", without=True))] == ["muslim"]
    upgraded = {row["list"]: row["digest"] for row in lists}
    link(first)
    assert {row["list"]: row["digest"] for row in first.rows("explore/target_lists")} == upgraded


@pytest.mark.parametrize("step", steps(), ids=lambda step: step.statement)
def test_a_step_changes_nothing_the_second_time(first: Graph, step: Any) -> None:
    first.autocommit(statement(step.statement))
    made = digest(first)
    first.autocommit(statement(step.statement))
    assert digest(first) == made


def test_a_graph_of_the_newest_form_is_changed_by_no_step(graph: Graph) -> None:
    main(["target", "list"])
    import_triples(graph, triple("lawyer", "IsA", "liar"))
    made = digest(graph)
    for step in steps():
        graph.autocommit(statement(step.statement))
    assert digest(graph) == made


@pytest.mark.parametrize("command", [["source", "list"], ["db", "upgrade"], ["db", "status"]])
def test_a_graph_of_a_later_release_is_refused_in_one_line(
    graph: Graph, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    graph.write(SET, version=newest() + 3)
    try:
        assert main(command) == 1
        with pytest.raises(NewerGraph):
            Graph.open(graph.address)
    finally:
        graph.write(SET, version=newest())
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert f"the graph has form {newest() + 3} and was made by a later harmgraph" in said.err
    assert said.out == ""


def test_while_a_command_changes_the_graph_it_waits_for_nothing_and_says_so(
    first: Graph, capsys: pytest.CaptureFixture[str]
) -> None:
    with first.holding("load of another"):
        assert main(["db", "upgrade"]) == 1
    assert "another command is changing the graph: load of another" in capsys.readouterr().err
    assert first.form() == 0
