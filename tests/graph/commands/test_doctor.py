"""``harmgraph doctor`` says what is here and what is wrong, starts nothing, and tells no secret."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harmgraph.__main__ import main
from harmgraph.common import health
from harmgraph.common.errors import InputError
from harmgraph.common.health import HealthFinding, looked_at, packages_of_extras, shown
from harmgraph.graph import schema_setup
from harmgraph.graph.address import Address
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from tests.support.places import ROOT


def told(capsys: pytest.CaptureFixture[str], code: int = 0) -> dict[str, list[dict[str, Any]]]:
    """The findings by check."""
    assert main(["doctor", "--output", "json"]) == code
    rows: dict[str, list[dict[str, Any]]] = {}
    for row in json.loads(capsys.readouterr().out):
        assert set(row) == {"check", "state", "found", "remedy"}
        assert row["state"] in ("ok", "note", "wrong")
        assert row["remedy"] or row["state"] == "ok", row
        rows.setdefault(row["check"], []).append(row)
    return rows


def test_a_healthy_installation(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    schema_setup.apply(graph)
    rows = told(capsys)
    assert {"harmgraph", "python", "extras", "back ends", "java", "home", "temporary", "disk", "memory"} <= set(rows)
    assert graph.address.uri in rows["server"][0]["found"]
    assert "5.26" in rows["versions"][0]["found"]
    assert rows["graph"][0]["found"] == "0 nodes, 0 relationships"
    assert "21" in rows["java"][0]["found"]
    assert "UTC" in rows["time zone"][0]["found"]
    assert "answer" in rows["ports"][0]["found"]


def test_it_is_one_screen(graph: Graph, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert "An issue report needs" in "\n".join(lines)
    names = [line[6:17].strip() for line in lines if line.startswith(("ok ", "note ", "WRONG "))]
    assert len(lines) < 36
    assert {"server", "graph", "java"} <= set(names)


def test_no_secret_is_told(
    graph: Graph, address: Address, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "pa55-of-the-user"
    for name, value in (("NEO4J_URI", address.uri), ("NEO4J_PASSWORD", secret), ("OPENAI_API_KEY", secret)):
        monkeypatch.setenv(name, value)
    assert main(["doctor", "-o", "json"]) == 1
    output = capsys.readouterr()
    assert "wrong user name or password" in output.out
    assert "NEO4J_PASSWORD" in output.out
    for text in (output.out, output.err):
        assert secret not in text
        assert address.password not in text


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("bolt://ada:pa55@localhost:7687", "holds a user name or password"),
        ("nonsense", "is not an address"),
        ("bolt://127.0.0.1:9", "no Neo4j answers"),
    ],
)
def test_a_server_that_cannot_be_used(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, uri: str, said: str
) -> None:
    monkeypatch.setenv("NEO4J_URI", uri)
    rows = told(capsys, code=1)
    (wrong,) = [row for found in rows.values() for row in found if row["state"] == "wrong"]
    assert said in wrong["found"]
    assert "pa55" not in json.dumps(rows)


@pytest.mark.parametrize(
    ("name", "options", "code"),
    [
        ("JAVA_TOOL_OPTIONS", '-Dmy="pa55"', 0),
        ("JDK_JAVA_OPTIONS", "-Dmy=pa55", 0),
        ("JDK_JAVA_OPTIONS", "--my=pa55", 1),
        ("JDK_JAVA_OPTIONS", "-XX:my=pa55", 1),
    ],
)
def test_options_of_java_are_not_told(
    graph: Graph,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    options: str,
    code: int,
) -> None:
    monkeypatch.setenv(name, options)
    (row,) = told(capsys, code)["java"]
    assert "pa55" not in row["found"]
    assert row["found"].startswith("it does not run" if code else "21.")


def test_sources_that_are_not_loaded_are_named_or_counted(
    graph: Graph, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    schema_setup.apply(graph)
    unfinished = [{"name": f"kb{number}\x1b[2J", "state": "loading"} for number in range(7)]
    monkeypatch.setattr(sources, "every", lambda _: unfinished)
    assert main(["doctor"]) == 0
    output = " ".join(capsys.readouterr().out.split())
    assert "\x1b" not in output
    assert "and 2 more" in output


def test_a_home_that_cannot_be_written(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARMGRAPH_HOME", "/proc/harmgraph")
    rows = told(capsys, code=1)
    assert rows["home"][0]["state"] == "wrong"
    assert "set HARMGRAPH_HOME" in rows["home"][0]["remedy"]


def test_it_makes_no_home_and_starts_no_server(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path / "none"))
    rows = told(capsys)
    assert "does not run" in rows["server"][0]["found"]
    assert "made when it is needed" in rows["home"][0]["found"]
    assert not (tmp_path / "none").exists()


def test_a_home_that_others_may_read(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tmp_path.chmod(0o755)
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path))
    assert told(capsys)["home"][1]["found"].startswith("others may read")


def test_the_extras_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    known = packages_of_extras()
    assert set(known) <= set(project["optional-dependencies"]) - {"bench", "dev"}
    assert {"torch", "transformers", "networkx"} <= set(known["models"])
    assert known["spark"] == ("pyarrow", "pyspark")


def test_what_an_extra_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        health, "packages_of_extras", lambda: {"a": ("click",), "b": ("click", "no-such"), "c": ("no-such",)}
    )
    found = list(health.extras())
    assert [(one.state, one.found) for one in found] == [
        ("ok", "a"),
        ("note", "b lacks no-such"),
        ("note", "not installed: c"),
    ]
    assert all("pip install" in one.remedy for one in found[1:])


def test_a_check_that_fails_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> Iterator[HealthFinding]:
        yield HealthFinding(check="first", state="ok", found="fine")
        raise InputError("it is broken", where="here", remedy="mend it")

    assert [(one.state, one.found, one.remedy) for one in looked_at(broken, "second")] == [
        ("ok", "fine", ""),
        ("wrong", "here: it is broken", "mend it"),
    ]

    def worse() -> Iterator[HealthFinding]:
        yield from ()
        raise RuntimeError("deep\nwithin")

    assert [one.found for one in looked_at(worse, "x")] == ["RuntimeError: deep"]


def test_the_users_own_folder_is_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert shown("/home/ada/x, '/home/ada' /home/adam") == "~/x, '~' /home/adam"
