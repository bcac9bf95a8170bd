"""What the number of the last transaction does, and the proof that rests on it: nobody wrote but the one command."""

from __future__ import annotations

import base64
import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harmgraph.graph.connection import Graph
from harmgraph.graph.driver.kept_file import GRAPH, PARTS
from harmgraph.graph.driver.own_writes import OwnWrites, changes, number, properties
from harmgraph.graph.statements import names, parse, statement

MADE = "MERGE (n:Lock {name: 'a'}) SET n.held = 0"


def new() -> str:
    """The name of a property, label or type that the server has never seen."""
    return "n" + uuid.uuid4().hex


def rise(graph: Graph, act: Callable[[], object]) -> int:
    before = number(graph.state())
    act()
    now = number(graph.state())
    assert before is not None
    assert now is not None
    return now - before


def run(graph: Graph, text: str, **parameters: Any) -> Any:
    """The counters of a statement in a transaction of a session that harmgraph knows nothing of."""
    with graph.driver.session() as session, session.begin_transaction() as tx:
        return tx.run(text, parameters).consume().counters


def test_a_change_takes_one_number_and_nothing_else_takes_any(graph: Graph) -> None:
    run(graph, MADE)
    assert rise(graph, lambda: None) == 0
    assert rise(graph, lambda: run(graph, "MATCH (n:Lock) SET n.held = n.held + 1")) == 1
    assert rise(graph, lambda: run(graph, "UNWIND range(1, 500) AS i CREATE (:Lock {name: 'b' + i})")) == 1
    assert rise(graph, lambda: run(graph, "MATCH (n:Lock) RETURN n.name")) == 0
    assert rise(graph, lambda: run(graph, "MATCH (n:Lock) WHERE n.held = -1 DELETE n")) == 0
    with graph.driver.session() as session, session.begin_transaction() as tx:
        tx.run("MATCH (n:Lock) SET n.held = 5").consume()
        tx.rollback()
    assert rise(graph, lambda: graph.rows("schema/properties")) == 0


def test_the_counters_do_not_tell_whether_a_number_was_taken(graph: Graph) -> None:
    """Why each transaction that counts has a mark."""
    run(graph, MADE)
    counters: list[Any] = []
    same = "MATCH (n:Lock {name: 'a'}) SET n.held = n.held"
    assert rise(graph, lambda: counters.append(run(graph, same))) == 0
    assert counters[0].contains_updates
    assert counters[0].properties_set == 1
    assert rise(graph, lambda: run(graph, "CREATE (n:Lock {name: 'c'}) DELETE n")) == 0


def test_a_mark_makes_it_sure(graph: Graph) -> None:
    stamp = statement("lock/stamp")
    run(graph, stamp.text, mark="before")
    for mark, taken in (("one", 1), ("one", 0), ("two", 1)):
        assert rise(graph, partial(run, graph, stamp.text, mark=mark)) == taken


def test_names_that_are_new_take_numbers_of_their_own(graph: Graph) -> None:
    """One for each by ``schema/new_property``; otherwise it may be one for several."""
    run(graph, MADE)
    fresh = statement("schema/new_property").text
    name = new()
    assert rise(graph, lambda: run(graph, fresh, name=name)) == 1
    assert rise(graph, lambda: run(graph, fresh, name=name)) == 0
    assert rise(graph, lambda: run(graph, f"MATCH (n:Lock {{name: 'a'}}) SET n.{name} = 1")) == 1
    one_by_one, together = f"n.{new()} = 1, n.{new()} = 2", f"n += {{{new()}: 1, {new()}: 2}}"
    assert rise(graph, lambda: run(graph, f"MATCH (n:Lock) SET {one_by_one}")) == 3
    assert rise(graph, lambda: run(graph, f"MATCH (n:Lock) SET {together}")) == 2, "so names alone tell no number"
    assert rise(graph, lambda: run(graph, f"CREATE (:{new()})")) == 2
    with graph.driver.session() as session:

        def undone() -> None:
            with session.begin_transaction() as tx:
                tx.run(f"MATCH (n:Lock) SET n.{new()} = 1").consume()
                tx.rollback()

        assert rise(graph, undone) >= 1, "a name stays, also of what was undone"


def test_a_statement_in_parts_takes_at_least_one_if_it_creates_or_deletes(graph: Graph) -> None:
    made = parse(
        "parts", "UNWIND range(1, 25) AS i CALL (i) { CREATE (:Lock {name: 'p' + i}) } IN TRANSACTIONS OF 10 ROWS"
    )
    gone = parse("parts", "MATCH (n:Lock) CALL (n) { DELETE n } IN TRANSACTIONS OF 10 ROWS")
    assert rise(graph, lambda: graph.autocommit(made)) >= 1
    assert rise(graph, lambda: graph.autocommit(gone)) >= 1
    assert rise(graph, lambda: graph.autocommit(gone)) == 0


def test_the_lock_takes_no_number(graph: Graph) -> None:
    with graph.holding("first"):
        pass

    def hold() -> None:
        with graph.holding("again") as lock:
            lock.keep(surely=True)
            assert lock.unbroken()

    assert rise(graph, hold) == 0


@given(st.integers(0, 2**63 - 1), st.binary(min_size=16, max_size=16))
def test_a_number_is_read_as_the_server_writes_it(value: int, store: bytes) -> None:
    sizes = ((b"\xc9", 2), (b"\xca", 4), (b"\xcb", 8))
    mark, size = next((mark, size) for mark, size in sizes if value < 2 ** (8 * size - 1))
    written = bytes([value]) if value < 128 else mark + value.to_bytes(size, "big")
    bookmark = b"\x91\xcc\x10" + store + written + b"\x90"
    assert number("FB:" + base64.b64encode(bookmark).decode()) == value


@pytest.mark.parametrize("state", ["", "FB:", "FB:kcwQ", "neo4j:bookmark:v1:tx7", "FB:kcwQ FB:kcwQ", "FB:é"])
def test_what_is_written_otherwise_has_no_number(state: str) -> None:
    assert number(state) is None


def test_a_count_that_does_not_fit_proves_nothing(graph: Graph) -> None:
    def state(value: int) -> str:
        raw = b"\x91\xcc\x10" + b"x" * 16 + b"\xc9" + value.to_bytes(2, "big") + b"\x90"
        return "FB:" + base64.b64encode(raw).decode()

    own = OwnWrites("key", 200)
    assert own.proves(state(200))
    own.wrote([statement("label/write_triples")], [state(201)], sure=True)
    assert own.proves(state(201))
    assert not own.proves(state(202)), "somebody else wrote"
    assert not own.proves(state(200)), "the server that answers has not all"
    assert not own.proves("")
    own.wrote([statement("label/write_triples")], [state(201)], sure=False)
    assert own.proves(state(201)), "it set what was set"
    own.wrote([statement("label/write_triples")], [state(203)], sure=True)
    assert not own.proves(state(202)), "the server that answers has not all"
    own = OwnWrites("key", 200)
    own.wrote([statement("load/triples")], [state(201)], sure=True)
    assert not own.proves(state(201)), "it may have changed everything"


def test_a_statement_says_what_it_changes_or_changes_everything() -> None:
    assert changes(statement("label/write_triples")) == {"labels"}
    assert changes(statement("load/triples").with_type("IS_A")) == {GRAPH}
    assert changes(parse("mine", "// Mine\n// changes: labels\nCREATE (n)")) == {GRAPH}, "it is not of harmgraph"
    assert changes(parse("lock/stamp", "// Mine\n// changes: records\nMATCH (n) DETACH DELETE n")) == {GRAPH}, (
        "nor this one"
    )
    given = {"label": "regard", "score": "regard_score", "by": "regard_by", "rows": []}
    assert properties(statement("label/write_triples"), given) == ("regard", "regard_score", "regard_by", "sentence")


def test_what_a_statement_says_names_parts_and_none_that_changes_triples_says_so() -> None:
    """Only those that say nothing may create, delete or rename what the rows of the whole graph are counted from."""
    saying = [name for name in names() if "changes" in statement(name).notes]
    assert len(saying) > 40
    for name in saying:
        assert changes(statement(name)) <= PARTS - {"triples"}, name
        text = statement(name).text
        assert ":Relation" not in text, name
        assert not any(word in text for word in (".weight", ".type =")), name
    for name in (name for name in names() if "properties" in statement(name).notes):
        taken = {parameter.name: parameter.name for parameter in statement(name).parameters}
        assert "changes" in statement(name).notes
        assert properties(statement(name), taken), name
