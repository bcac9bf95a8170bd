"""``harmgraph load`` from the front door: what it prints, what it refuses, and its exit codes."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import harmgraph.loader.commands
from harmgraph.__main__ import main
from harmgraph.graph.address import Address
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.contents.sources import names
from harmgraph.loader.formats.importer import importers
from tests.support.places import ROOT

LINES = "nurse\tIsA\tkind person\nnurse\tIsA\tkind person\nterrible line\nnurse\tCapableOf\theal\n"


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    path = tmp_path / "kb.tsv"
    path.write_text(LINES * 100)
    return path


@pytest.fixture
def lonely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing answers: what runs here needs no server."""
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")


def load(*arguments: object) -> int:
    return main(["load", *map(str, arguments), "--no-progress"])


def error(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line on stderr."""
    err = capsys.readouterr().err
    [line] = err.splitlines()
    assert line.startswith("harmgraph: ")
    return line


@pytest.mark.usefixtures("lonely")
def test_several_processes_report_the_same(kb: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reports = []
    for processes in (1, 2):
        given = ("--max-rejects", "25%", "--rejects", tmp_path / "r.tsv", "--processes", processes)
        assert load("triples", kb, "--dry-run", *given, "--output", "json") == 0
        reports.append(json.loads(capsys.readouterr().out) | {"seconds": 0})
    assert reports[0] == reports[1]
    assert reports[0]["duplicates"] == 298
    assert load("triples", kb, "--dry-run", "--processes", 2, "--engine", "spark") == 2
    assert "works only with --engine local" in capsys.readouterr().err
    assert (
        load("triples", kb, "--dry-run", "--max-rejects", "25%", "--processes", 2, "--limit", 10, "--output", "json")
        == 0
    )
    assert (
        error(capsys) == "harmgraph: one process reads these files: they cannot be divided, or not with these options"
    )
    assert load("triples", kb.with_name("none.tsv"), "--dry-run", "--processes", 2, "--limit", 10) == 1
    assert "none.tsv" in error(capsys)
    (tmp_path / "packed.tsv").write_bytes(b"PK\x03\x04" + b"x" * 100)
    assert load("triples", tmp_path / "packed.tsv", "--dry-run", "--processes", 2) == 1
    assert "zip archive" in error(capsys)


def test_a_load_reports_as_json(graph: Graph, kb: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rejects = tmp_path / "r.tsv"
    assert load("triples", kb, "--max-rejects", "25%", "--rejects", rejects, "--output", "json") == 0
    captured = capsys.readouterr()
    report: dict[str, Any] = json.loads(captured.out)
    expected = {
        "source": "kb",
        "read": 400,
        "records": 300,
        "duplicates": 298,
        "rejected": 100,
        "in_graph": 2,
        "names": 1,
    }
    assert {name: report[name] for name in expected} == expected
    assert report["rejects"] == str(rejects)
    assert len(rejects.read_text().splitlines()) == 101


@pytest.mark.parametrize(
    ("importer", "name", "text"),
    [
        ("triples", "kb.tsv", ""),
        ("codex", "valid_negatives.txt", "Q1\tP1\tQ2\n"),
        ("wd50k", "labels.tsv", "Q1\tuniverse\n"),
    ],
)
def test_files_without_a_record_are_told(
    lonely: None, tmp_path: Path, capsys: pytest.CaptureFixture[str], importer: str, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text)
    assert load(importer, tmp_path / name, "--dry-run", "--output", "json") == 0
    assert error(capsys) == (
        f"harmgraph: warning: no records in {tmp_path / name}; check the file, the importer and the options"
    )


def test_a_source_that_stands_empty_is_told(graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kb.tsv").write_text("\n\n")
    assert load("triples", tmp_path / "kb.tsv") == 0
    assert ", and the source 'kb' is empty; check the file" in error(capsys)
    (tmp_path / "kb.tsv").write_text(LINES)
    assert load("triples", tmp_path / "kb.tsv", "--max-rejects", "25%") == 0
    assert "warning" not in capsys.readouterr().err


def test_a_file_without_an_importer_is_looked_at(
    lonely: None, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kb.tsv"
    path.write_text("lawyer\tIsA\tliar\nnurse\tIsA\twoman\n")
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))  # no terminal
    assert load(path) == 0
    said = capsys.readouterr().out
    assert f"harmgraph load triples {path}\n" in said
    assert "Nothing was loaded: give --yes to run it." in said
    assert load(path, "--source", "a b", "-o", "json") == 0
    assert json.loads(capsys.readouterr().out)["command"] == f"harmgraph load triples {path} --source 'a b'"
    assert load(tmp_path / "missing.tsv") == 1
    assert "missing.tsv: no such file" in error(capsys)
    path.write_text("7\n8\n")
    assert load(path) == 1
    assert "is of no format that an importer reads (text, no table)" in error(capsys)


class Terminal(io.StringIO):
    """What somebody types at a terminal."""

    def isatty(self) -> bool:
        """It is one."""
        return True


@pytest.mark.parametrize(
    ("typed", "arguments", "loaded"),
    [("n\n", (), False), ("y\n", (), True), ("", ("--yes",), True), ("", ("--yes", "-o", "json"), True)],
)
def test_the_proposed_command_runs_on_demand(
    graph: Graph,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    typed: str,
    arguments: tuple[str, ...],
    loaded: bool,
) -> None:
    path = tmp_path / "kb.tsv"
    path.write_text("lawyer\tIsA\tliar\nnurse\tIsA\twoman\n")
    monkeypatch.setattr("sys.stdin", Terminal(typed))
    assert load(path, *arguments) == 0
    assert ("kb" in names(graph)) == loaded
    if "json" in arguments:
        assert json.loads(capsys.readouterr().out)["records"] == 2


def test_the_default_targets_are_there_after_the_first_load(graph: Graph, kb: Path) -> None:
    assert load("triples", kb, "--max-rejects", "0.25") == 0
    assert len(graph.rows("explore/targets")) == 329


def test_a_table_names_what_was_done(graph: Graph, kb: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert load("triples", kb, "--max-rejects", "25%", "--source", "mine") == 0
    captured = capsys.readouterr()
    assert f"loaded {kb} as mine" in captured.out.replace("\n", "")
    assert captured.err.startswith("rejected lines, with line number and reason: ")


def test_csv_is_one_row(graph: Graph, kb: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert load("triples", kb, "--limit", "2", "--output", "csv") == 0
    [row] = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (row["records"], row["in_graph"]) == ("2", "1")


@pytest.mark.usefixtures("lonely")
def test_a_dry_run_needs_no_server_and_writes_nothing(kb: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kb.write_text("nurse\tIsA\tkind person\n")
    assert load("triples", kb, "--dry-run", "--output", "json") == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["read"], report["dry_run"], report["rejects"]) == (1, True, "")
    assert [path.name for path in kb.parent.iterdir()] == ["kb.tsv"]


@pytest.mark.usefixtures("lonely")
def test_too_many_rejects_is_one_line_that_names_their_file(kb: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert load("triples", kb, "--dry-run", "--rejects", kb.parent / "r.tsv") == 1
    line, *first = capsys.readouterr().err.splitlines()
    assert "100 of 400 lines cannot be read (allowed: 1.0%)" in line
    assert str(kb.parent / "r.tsv") in line
    assert first == [f"  kb.tsv:{number}: 1 columns where 3 are expected" for number in (3, 7, 11)]


@pytest.mark.usefixtures("lonely")
@pytest.mark.parametrize(
    ("row", "options", "advice"),
    [
        ("software developer,IsA,kind person", [], "looks comma separated: --delimiter comma"),
        ('"Smith, Ann",IsA,kind person', [], "looks comma separated: --delimiter comma --quotes"),
        ("nurse;IsA;kind person", [], "looks semicolon separated: --delimiter semicolon"),
        ("software_developer IsA kind person", [], "looks space separated: --delimiter space"),
        ("nurse\tIsA\tkind person", ["--delimiter", "comma"], "looks tab separated: --delimiter tab"),
        ("nurse|IsA|person|0.5", [], "looks pipe separated: --delimiter pipe, and --columns with the 4 that it has"),
        ("nurse", [], ""),
    ],
)
def test_a_file_with_another_delimiter_is_told_by_its_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], row: str, options: list[str], advice: str
) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(f"{row}\n" * 600 + "a\tb\tc\n" * 10)
    assert load("triples", path, *options, "--dry-run", "--rejects", tmp_path / "r.tsv") == 1
    line, *first = capsys.readouterr().err.splitlines()
    where = f"(all are in {tmp_path / 'r.tsv'})"
    assert f"lines cannot be read (allowed: 1.0%); {f'{advice} {where}' if advice else 'see '}" in line
    assert [one.partition(": ")[0] for one in first] == [f"  mine.csv:{number}" for number in (1, 2, 3)]
    if advice and "--columns" not in advice:
        again = [*options, *advice.partition(": ")[2].split()]
        assert load("triples", path, *again, "--dry-run", "--max-rejects", "5%", "-o", "json") == 0
        assert json.loads(capsys.readouterr().out)["records"] == (
            610 if "tab" in advice else 600
        )  # the ten lines at the end are tab separated


def test_a_list_of_targets_shows_what_it_rejects(
    graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "list.csv"
    path.write_text("elf,fantasy\norc\n,fantasy\ndwarf,all\ntroll\n")
    assert main(["target", "load", str(path)]) == 1
    line, *first = capsys.readouterr().err.splitlines()
    assert "4 of 5 lines cannot be read" in line
    shown = [
        "  list.csv:2: no category: name,category[,alias...]",
        "  list.csv:3: the name is empty",
        "  list.csv:4: the category cannot be all, which in statistics means every category",
    ]
    assert first == shown
    path.write_text(path.read_text() + "".join(f"elf {number},fantasy\n" for number in range(400)))
    assert main(["target", "load", str(path)]) == 0
    assert capsys.readouterr().err.splitlines()[1:] == shown


def test_a_reload_says_that_nothing_changed(graph: Graph, kb: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def loaded(path: Path) -> tuple[int, int, int, bool]:
        assert load("triples", path, "--max-rejects", "25%", "--source", "kb", "--output", "json") == 0
        report = json.loads(capsys.readouterr().out)
        return report["in_graph"], report["added"], report["removed"], report["unchanged"]

    assert loaded(kb) == (2, 2, 0, False)
    assert loaded(kb) == (2, 0, 0, True)
    kb.write_text(LINES * 100 + "nurse\tIsA\tworker\n")
    assert loaded(kb) == (3, 1, 0, False)
    assert loaded(kb) == (3, 0, 0, True)
    assert load("triples", kb, "--max-rejects", "25%", "--source", "kb") == 0
    assert "the same files stood already" in capsys.readouterr().out


@pytest.mark.usefixtures("lonely")
def test_fewer_records_than_expected_is_an_error(kb: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert load("triples", kb, "--dry-run", "--max-rejects", "1", "--expect", "301") == 1
    assert "300 records where at least 301 are expected" in error(capsys)
    assert load("triples", kb, "--dry-run", "--max-rejects", "1", "--expect", "300") == 0


@pytest.mark.usefixtures("lonely")
@pytest.mark.parametrize("share", ["1%", "0.01", "0", "100%", "1"])
def test_a_share_is_a_percentage_or_a_fraction(kb: Path, share: str) -> None:
    kb.write_text("nurse\tIsA\tkind person\n")
    assert load("triples", kb, "--dry-run", "--max-rejects", share) == 0


@pytest.mark.usefixtures("lonely")
@pytest.mark.parametrize(
    "wrong",
    [
        ("--max-rejects", "101%"),
        ("--max-rejects", "-1%"),
        ("--max-rejects", "nan"),
        ("--max-rejects", "few"),
        ("--limit", "-1"),
        ("--expect", "x"),
        ("--replace",),
        ("--output", "xml"),
        ("--colour", "red"),
    ],
    ids=" ".join,
)
def test_wrong_usage_ends_with_two(kb: Path, wrong: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert load("triples", kb, *wrong) == 2
    assert "Error:" in capsys.readouterr().err


@pytest.mark.usefixtures("lonely")
def test_a_load_of_nothing_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert load("triples") == 2
    assert "FILE" in capsys.readouterr().err


@pytest.mark.usefixtures("lonely")
def test_an_unknown_importer_lists_the_known_ones(kb: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert load("concepnet", kb) in (1, 2)
    err = capsys.readouterr().err
    assert "did you mean conceptnet?" in err
    assert "genericskb" in err


@pytest.mark.usefixtures("lonely")
@pytest.mark.parametrize(("name", "why"), [("missing.tsv", "no such file"), ("", "is a folder")])
def test_a_file_that_is_none_is_one_line(
    tmp_path: Path, name: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert load("triples", tmp_path / name, "--dry-run") == 1
    assert why in error(capsys)


def test_the_list_says_whose_each_knowledge_base_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["load", "--list", "--output", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["importer"] for row in rows] == list(importers.names())
    assert all(row[name] for row in rows for name in ("reads", "version", "licence", "home", "citation"))


@pytest.mark.parametrize("importer", importers.names())
def test_the_help_of_each_importer_has_its_options_and_its_licence(
    importer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["load", importer, "--help"]) == 0
    out = capsys.readouterr().out
    about = importers.get(importer)
    assert f"Licence: {about.about.licence}" in out
    assert all("--" + option.name.replace("_", "-") in out for option in about.options)


def test_the_source_is_named_after_the_file_where_many_share_a_format() -> None:
    files = (Path("/data/my kb.v2.tsv.gz"),)
    assert harmgraph.loader.commands.default_source(importers.get("triples"), files) == "my kb.v2"
    assert harmgraph.loader.commands.default_source(importers.get("genericskb"), files) == "genericskb"


def test_an_option_of_the_importer_reaches_it(graph: Graph, tmp_path: Path) -> None:
    path = tmp_path / "odd.txt"
    path.write_text("nurse IsA kind_person of note\n")
    assert load("triples", path, "--delimiter", "space") == 0
    [row] = graph.rows("source/list")[-1:]
    assert json.loads(row["source"]["options"])["delimiter"] == "space"
    assert any(row["properties"].get("key") == "en/kind person of note" for row in graph.rows("digest/nodes"))


def test_the_same_command_twice_is_the_same_graph(graph: Graph, kb: Path) -> None:
    digests = []
    for _ in range(2):
        assert load("triples", kb, "--max-rejects", "25%") == 0
        digests.append(digest(graph))
    assert digests[0] == digests[1]


def test_kept_duplicates_from_the_command_line(graph: Graph, kb: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert load("triples", kb, "--max-rejects", "25%", "--keep-duplicates", "-o", "json") == 0
    assert json.loads(capsys.readouterr().out)["in_graph"] == 300


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"username": "somebody", "password": "sesame-open"}, "wrong user name or password for 'somebody'"),
        ({"database": "nosuch"}, "no database named 'nosuch'"),
        ({"uri": "bolt://127.0.0.1:1"}, "no Neo4j answers"),
        ({"uri": "bolt://no.such.host.invalid"}, "no Neo4j answers"),
        ({"uri": "gopher://x"}, "is not an address of Neo4j"),
        ({"uri": "bolt://user:sesame-open@localhost"}, "NEO4J_URI holds a user name or password"),
        ({"uri": "neo4j://127.0.0.1:1?token=sesame-open"}, "neo4j://127.0.0.1:1: no Neo4j answers"),
        ({"uri": "neo4j://127.0.0.1:1?sesame-open"}, "not a list of different names with values"),
        ({"uri": "bolt://127.0.0.1:1?token=sesame-open"}, "has a part after ?"),
        ({"uri": "neo4j://127.0.0.1:1#sesame-open"}, "has a part after #"),
        ({"uri": "sesame-open"}, "NEO4J_URI is not an address"),
    ],
    ids=[
        *("password", "database", "port", "host", "scheme", "password in the address", "query", "broken query"),
        *("query of one server", "fragment", "password as the address"),
    ],
)
@pytest.mark.parametrize("verbose", [False, True])
def test_a_server_of_ones_own_that_refuses_is_one_line(
    address: Address,
    kb: Path,
    change: dict[str, str],
    says: str,
    verbose: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    own = replace(address, **change)  # type: ignore[arg-type]
    for name in ("uri", "username", "password", "database"):
        monkeypatch.setenv(f"NEO4J_{name.upper()}", getattr(own, name))
    assert load("triples", kb, *(["-v"] if verbose else [])) == 1
    captured = capsys.readouterr()
    assert "sesame-open" not in captured.err + captured.out
    assert own.password not in captured.err + captured.out
    lines = captured.err.splitlines()
    assert says in lines[-1]
    assert "; " in lines[-1], "it does not say what to do"
    assert ("Traceback" in captured.err) is verbose
    assert verbose or len(lines) == 1


@pytest.mark.parametrize("place", ["a file/r.tsv", "a file"])
def test_rejects_that_cannot_be_written_are_one_line(
    kb: Path, place: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # A file where a folder is needed: a mode would not stop an administrator.
    (kb.parent / "a file").write_text("")
    arguments: list[object] = ["triples", kb, "--dry-run"]
    if place == "a file":
        monkeypatch.setenv("HARMGRAPH_HOME", str(kb.parent / place))
    else:
        arguments += ["--rejects", kb.parent / place]
    assert load(*arguments) == 1
    line = error(capsys)
    assert str(kb.parent / "a file") in line
    assert "set HARMGRAPH_HOME" in line or "name another file with --rejects" in line


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["torn line"] * 4_000, "rejected lines cannot be written"),
        ([f"head {n}\tIsA\ttail" for n in range(160_000)], "temporary files cannot be written"),
    ],
    ids=["rejects", "temporary files"],
)
@pytest.mark.usefixtures("lonely")
def test_a_disk_that_is_full_is_one_line(tmp_path: Path, lines: list[str], says: str) -> None:
    path = tmp_path / "kb.tsv"
    path.write_text("".join(f"{line}\n" for line in lines))
    # The shell's limit on the size of files stands for the disk: a write beyond it fails alike.
    command = f"ulimit -f 8; exec {sys.executable} -m harmgraph load triples {path} --dry-run --max-rejects 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=ROOT, check=False, timeout=60)
    [line] = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (1, "")
    assert says in line
    assert "; " in line, "it does not say what to do"


def test_a_link_for_rejects_stays_a_link(kb: Path, tmp_path: Path) -> None:
    link = tmp_path / "nowhere"
    link.symlink_to(os.devnull)
    assert load("triples", kb, "--dry-run", "--max-rejects", "1", "--rejects", link) == 0
    assert link.is_symlink()
    assert not Path(os.devnull).is_file()


def test_rejects_of_an_earlier_run_are_not_taken_for_this_ones(kb: Path, tmp_path: Path) -> None:
    rejects = tmp_path / "r.tsv"
    assert load("triples", kb, "--dry-run", "--max-rejects", "1", "--rejects", rejects) == 0
    assert rejects.is_file()
    kb.write_text("nurse\tIsA\tkind person\n")
    assert load("triples", kb, "--dry-run", "--rejects", rejects) == 0
    assert not rejects.exists()


def test_targets_load_through_either_command(graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("name,category,alias\nelf,fantasy,elves\nnurse,job\n")
    assert main(["target", "load", str(path)]) == 0
    capsys.readouterr()
    assert main(["target", "list", "--category", "fantasy", "-o", "json"]) == 0
    [row] = json.loads(capsys.readouterr().out)
    assert (row["target"], row["aliases"], row["source"]) == ("elf", ["elves"], "mine")
    assert load("targets", path) == 0
    assert "targets that keep another category" in " ".join(capsys.readouterr().out.split())


def test_a_dry_run_of_targets_loads_none(graph: Graph, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("elf,fantasy\n")
    assert main(["target", "load", str(path), "--dry-run"]) == 0
    assert graph.rows("explore/targets") == []
