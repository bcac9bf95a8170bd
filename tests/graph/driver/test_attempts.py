"""What is tried again, how often, and what is not."""

from __future__ import annotations

import threading

import pytest
from neo4j.exceptions import ClientError, IncompleteCommit, Neo4jError, ServiceUnavailable, SessionExpired

from harmgraph.common.errors import DatabaseFailed
from harmgraph.graph.address import Address
from harmgraph.graph.driver import attempts
from harmgraph.graph.driver.attempts import Attempts
from harmgraph.graph.server import failures

ELSEWHERE = Address("bolt://db.example:7687", "neo4j", "", "neo4j", "", False)
ROUTED = Address("neo4j://db.example:7687", "neo4j", "", "neo4j", "", False)
EMBEDDED = Address("bolt://127.0.0.1:7687", "neo4j", "", "neo4j", "", True)
READ_ONLY = "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase"


def error_of(code: str) -> Neo4jError:
    error: Neo4jError = Neo4jError._hydrate_neo4j(
        code=code, message="No write operations are allowed on this database."
    )
    return error


class Failing:
    """Fails with each of these errors in turn, then succeeds."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.calls: list[int] = []

    def __call__(self, earlier: int) -> str:
        self.calls.append(earlier)
        if self.errors:
            raise self.errors.pop(0)
        return "done"


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "FIRST_S", 0.0)


def test_a_broken_connection_is_tried_again_and_told_once() -> None:
    told: list[str] = []
    piece = Failing(ServiceUnavailable("gone"), SessionExpired("gone"), IncompleteCommit("while committing"))
    assert Attempts(ELSEWHERE, told.append).run(piece) == "done"
    assert piece.calls == [0, 1, 2, 3]
    assert told == ["bolt://db.example:7687: the connection broke; trying again for 120 seconds ..."]


def test_of_the_embedded_server_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failures, "was_stopped", lambda: False)  # whether this home has a server or not
    told: list[str] = []
    assert Attempts(EMBEDDED, told.append).run(Failing(ServiceUnavailable("gone"))) == "done"
    assert told == []


def test_a_server_that_was_stopped_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another server may take its port meanwhile."""
    monkeypatch.setattr(failures, "was_stopped", lambda: True)
    piece = Failing(ServiceUnavailable("gone"))
    with pytest.raises(ServiceUnavailable):
        Attempts(EMBEDDED, print).run(piece)
    assert piece.calls == [0]


def test_a_final_error_is_not_tried_again() -> None:
    piece = Failing(error_of("Neo.ClientError.Statement.SyntaxError"))
    with pytest.raises(ClientError):
        Attempts(ELSEWHERE, print).run(piece)
    assert piece.calls == [0]


def test_the_time_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "ELSEWHERE_S", 0.0)
    piece = Failing(ServiceUnavailable("gone"))
    with pytest.raises(ServiceUnavailable):
        Attempts(ELSEWHERE, print).run(piece)
    assert piece.calls == [0]


def test_a_command_that_was_interrupted_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "FIRST_S", 3_600.0)
    monkeypatch.setattr(attempts, "MOST_S", 3_600.0)
    tries = Attempts(ELSEWHERE, print)
    piece, caught = Failing(*[ServiceUnavailable("gone")] * 9), []

    def work() -> None:
        try:
            tries.run(piece)
        except ServiceUnavailable as error:
            caught.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    with tries.none():
        thread.join(60)
        assert not thread.is_alive(), "it waits an hour for its next try"
    assert len(caught) == 1
    assert len(piece.calls) <= 2


def test_a_database_that_is_read_only_is_told_at_once() -> None:
    piece = Failing(*[error_of(READ_ONLY)] * 9)
    with pytest.raises(DatabaseFailed, match="the database 'neo4j' is read-only; let it be written"):
        Attempts(ELSEWHERE, print).run(piece)
    assert piece.calls == [0]


def test_a_cluster_may_be_choosing_its_leader() -> None:
    assert Attempts(ROUTED, print).run(Failing(error_of(READ_ONLY), error_of(READ_ONLY))) == "done"
    with pytest.raises(DatabaseFailed, match="is read-only"):
        Attempts(ROUTED, print).run(Failing(*[error_of(READ_ONLY)] * 9))
