"""There and back: what is exported and left out of the next load is absent from it, and nothing else is."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from harmgraph.__main__ import main
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import changes
from harmgraph.graph.statements import parse
from tests.support import sbic, wikidata_sample

STATEMENTS = parse(
    "statements",
    "MATCH (h:!Statement)-[r {source: 'kb'}]->(t) WHERE r.assertion IS NOT NULL "
    "RETURN h.key AS head, type(r) AS type, t.key AS tail, r.assertion AS id, r.sentiment AS label UNION ALL "
    "MATCH (s:Statement {source: 'kb'}) RETURN s.key AS head, '' AS type, s.text AS tail, '' AS id, "
    "CASE WHEN EXISTS { (s)-[:ABOUT|IMPLIES]->(:Target) } THEN s.sentiment END AS label",
)
TRIPLES = (
    "lawyer\tIsA\tterrible liar\nnurse\tIsA\tkind person\nlawyer\tIsA\tterrible liar\nnurse\tIsA\tawful # person\n"
)
GENERICS = "lawyer\tLawyers lie, which is terrible.\nnurse\tNurses read.\nlawyer\tThey are awful.\n"
ATOMIC = (
    "event,oEffect,oReact,oWant,xAttr,xEffect,xIntent,xNeed,xReact,xWant,prefix,split\n"
    'PersonX hits the lawyer,"[]","[""awful""]","[]","[""terrible"", ""strong""]","[]","[]","[]","[]","[]","[]",trn\n'
)
STORIES = "the lawyer said|||It was terrible. It was terrible. He went home.\n"
FREEBASE = "/m/1\t/people/person/job\t/m/2\n/m/1\t/people/person/job\t/m/3\n/m/4\t/film/film/actor\t/m/1\n"
Rows = set[tuple[str, ...]]


def harmgraph(*arguments: object) -> int:
    return main([*map(str, arguments), "--no-progress"])


def standing(graph: Graph, label: str | None = None) -> Rows:
    """The statements of the source, of one label or all: head, type, tail, id."""
    rows = graph.rows(STATEMENTS)
    return {
        (row["head"], row["type"], row["tail"], row["id"]) for row in rows if label is None or row["label"] == label
    }


def load(importer: str, files: Sequence[Path], *options: object) -> int:
    return harmgraph("load", importer, *files, "--source", "kb", "--max-rejects", "20%", "--yes", *options)


def written(folder: Path, **texts: str) -> list[Path]:
    files = []
    for name, text in texts.items():
        path = folder / f"{name}.txt"
        path.write_text(text, encoding="utf-8", newline="")
        files.append(path)
    return files


@pytest.mark.parametrize(
    ("importer", "texts", "options", "count"),
    [
        ("triples", {"one": TRIPLES, "two": TRIPLES[:60]}, [], 2),
        ("triples", {"one": TRIPLES, "two": TRIPLES[:60]}, ["--keep-duplicates"], 4),
        ("genericskb", {"one": GENERICS}, [], 2),
        ("genericskb", {"one": GENERICS + GENERICS}, ["--keep-duplicates"], 4),
        ("atomic", {"one": ATOMIC}, [], 2),
        ("stories", {"one": STORIES}, [], 2),
        ("sbic", {"one": sbic.table()}, [], 1),
    ],
)
def test_rows_there_and_back(
    graph: Graph, tmp_path: Path, importer: str, texts: dict[str, str], options: list[str], count: int
) -> None:
    files = written(tmp_path, **texts)
    assert load(importer, files, *options) == 0
    assert harmgraph("label", "vader", "--source", "kb", "--all") == 0
    label = "positive" if importer == "sbic" else "negative"  # its made-up post about women has a friend in it
    every, found = standing(graph), standing(graph, label)
    assert len(found) == count
    assert found < every
    out = tmp_path / "findings.tsv"
    named = [part for file in files for part in ("--file", file)]
    assert harmgraph("findings", "export", "--source", "kb", "--label", label, *named, "--out", out) == 0
    for line in out.read_text().splitlines():
        if line and not line.startswith("#"):
            file, number, *_, row = line.split("\t", 6)
            assert (tmp_path / file).read_text().split("\n")[int(number) - 1] == row, "the row stands in that line"
    assert load(importer, files, *options, "--exclude", out) == 0
    assert standing(graph) == every - found


def test_of_equal_rows_that_are_kept_apart_one_is_left_out(graph: Graph, tmp_path: Path) -> None:
    files = written(tmp_path, one="nurse\tIsA\tterrible person\n" * 3)
    assert load("triples", files, "--keep-duplicates") == 0
    assert harmgraph("label", "vader") == 0
    out = tmp_path / "findings.tsv"
    chosen = written(tmp_path, keys="head,type,tail,assertion\nen/nurse,IsA,en/terrible person,2\n")[0]
    assert harmgraph("findings", "export", "--source", "kb", "--from", chosen, "--file", files[0], "--out", out) == 0
    assert load("triples", files, "--keep-duplicates", "--exclude", out) == 0
    assert sorted(row[3] for row in standing(graph)) == ["1", "3"]


def test_conceptnet_there_and_back_on_real_assertions(
    graph: Graph, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Real assertions about targets, in the columns of the dump: the released file has only their ends and relation."""
    lines = {}
    released = (data / "conceptnet" / "conceptnet_targets.txt").read_text(encoding="utf-8")
    for number, line in enumerate(released.split("\n")):
        if number % 40 == 0 and len(parts := line.split(" ")) == 3:
            head, relation, tail = parts
            ends = f"/c/en/{head}", f"/c/en/{tail}"
            assertion = f"/a/[/r/{relation}/,{ends[0]}/,{ends[1]}/]"
            lines[assertion] = "\t".join((assertion, f"/r/{relation}", *ends, '{"weight": 1.0}'))
    real = (data / "conceptnet" / "assertions_5x_sample.csv").read_text(encoding="utf-8")
    files = written(tmp_path, dump="\n".join([*lines.values(), real]))
    assert load("conceptnet", files) == 0
    assert harmgraph("label", "vader") == 0
    every, found = standing(graph), standing(graph, "negative")
    assert len(every) > 1_500
    assert len(found) > 30
    out = tmp_path / "blocklist.txt"
    capsys.readouterr()
    assert harmgraph("findings", "export", "--source", "kb", "--out", out, "--output", "json") == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["findings"], report["handed_back"], report["lines"]) == (len(found),) * 3
    entries = [line for line in out.read_text().splitlines() if line and not line.startswith("#")]
    assert {row[3] for row in found} == set(entries)
    assert load("conceptnet", files, "--exclude", out, "--output", "json") == 0
    loaded = json.loads(capsys.readouterr().out)
    assert loaded["skipped"]["excluded: its id"] == loaded["removed"] == len(found)
    assert (loaded["added"], loaded["exclude_unmatched"]) == (0, 0)
    assert standing(graph) == every - found
    removed, left = changes.statements(graph, "kb", 2, ["sentiment"])
    assert left["removed"] == 0
    assert len(removed) == len(found)
    assert {(each.change, each.before["sentiment"]) for each in removed} == {("removed", "negative")}
    assert load("conceptnet", files) == 0
    assert standing(graph) == every, "without the file everything is there again"


@pytest.mark.parametrize(
    ("importer", "text", "keys", "lines"),
    [
        (
            "freebase",
            FREEBASE,
            "head\trelation\ttail\nfreebase/m.1\t/people/person/job\tfreebase/m.2\n",
            ["/m/1\t/people/person/job\t/m/2"],
        ),
        (
            "wikidata-json",
            wikidata_sample.dump(*wikidata_sample.EVERY),
            "assertion\nQ42$31\nQ42$140\n",
            ["-STATEMENT\tQ42$31", "-STATEMENT\tQ42$140"],
        ),
        (
            "wikidata-truthy",
            "".join(
                f"<http://www.wikidata.org/entity/Q42> <http://www.wikidata.org/prop/direct/P106> "
                f"<http://www.wikidata.org/entity/Q{number}> .\n"
                for number in (1, 2)
            ),
            '[{"head": "wikidata/Q42", "type": "P106", "tail": "wikidata/Q2"}]',
            ["-Q42\tP106\tQ2"],
        ),
    ],
)
def test_statements_of_entities_are_chosen_by_a_querys_keys(
    graph: Graph, tmp_path: Path, importer: str, text: str, keys: str, lines: list[str]
) -> None:
    files = written(tmp_path, one=text)
    chosen = written(tmp_path, keys=keys)[0]
    assert load(importer, files) == 0
    every = standing(graph)
    out = tmp_path / "findings.txt"
    assert harmgraph("findings", "export", "--source", "kb", "--from", chosen, "--out", out) == 0
    entries = [line.partition(" /*")[0] for line in out.read_text().splitlines() if line and line[0] != "#"]
    assert sorted(entries) == sorted(lines)
    assert load(importer, files, "--exclude", out) == 0
    gone = every - standing(graph)
    assert len(gone) == len(lines)
    assert len(every) > len(gone)


def test_the_table_of_a_source_chooses_all_its_triples(
    graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also keys with quotes, a relation that the graph calls by a label, and a type that is made of another script."""
    files = written(tmp_path, one='say "hi"\tIsA\tgreeting\nlawyer\t是\tliar\n')
    assert load("triples", files) == 0
    graph.autocommit(parse("x", "MATCH (r:Relation {type: 'IS_A'}) SET r.name = 'instance of'"))
    assert harmgraph("source", "export", "kb", "--out", tmp_path) == 0
    capsys.readouterr()
    out = tmp_path / "out.txt"
    arguments = ("--from", tmp_path / "edges.tsv", "--file", files[0], "--out", out, "--output", "json")
    assert harmgraph("findings", "export", "--source", "kb", *arguments) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["findings"], report["handed_back"], report["absent"]) == (2, 2, 0)


def test_a_file_whose_name_says_something_else_now_is_told(
    graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file,) = written(tmp_path, train="Q42\tP106\tQ36180\n")
    (keys,) = written(tmp_path, keys="head,type,tail\nwikidata/Q42,P106,wikidata/Q36180\n")
    assert load("codex", [file]) == 0
    capsys.readouterr()
    arguments = ("findings", "export", "--source", "kb", "--from", keys, "--out", tmp_path / "out.txt")
    moved = file.rename(tmp_path / "valid.txt")
    assert harmgraph(*arguments, "--file", moved) == 1
    assert "its name says valid of its records, and said train when it was loaded; call it train.txt again" in (
        capsys.readouterr().err
    )
    assert harmgraph(*arguments, "--file", moved.rename(file)) == 0


@pytest.fixture
def small(graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Three statements of ConceptNet about lawyers, of which two are negative, one of them by more."""
    files = written(
        tmp_path,
        small="".join(
            f"/a/[/r/IsA/,/c/en/lawyer/,/c/en/{tail}/]\t/r/IsA\t/c/en/lawyer\t/c/en/{tail}\t{{}}\n"
            for tail in ("terrible_awful_liar", "bad_person", "person")
        ),
    )
    assert load("conceptnet", files) == 0
    assert harmgraph("label", "vader") == 0
    capsys.readouterr()
    return files[0]


def entries(path: Path) -> list[str]:
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return [line.rpartition("/c/en/")[2].removesuffix("/]") for line in lines]


def test_the_options_choose(small: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"

    def chosen(*options: object) -> list[str]:
        assert harmgraph("findings", "export", "--source", "kb", "--out", out, *options) == 0
        return entries(out)

    assert chosen() == ["terrible_awful_liar", "bad_person"]
    assert chosen("--limit", 1) == ["terrible_awful_liar"]
    assert chosen("--min-score", 0.6) == ["terrible_awful_liar"]
    assert chosen("--target", "Lawyer") == ["terrible_awful_liar", "bad_person"]
    assert chosen("--target", "nurse") == []
    assert chosen("--label", "neutral") == ["person"]


def test_each_finding_says_why_and_where(small: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    assert harmgraph("findings", "export", "--source", "kb", "--out", out, "--limit", 1) == 0
    *_, empty, said, scored, why, known, link, entry = out.read_text().splitlines()
    assert (empty, said) == ("", "# lawyer /r/IsA terrible awful liar")
    assert scored == "# scored: this person is a terrible awful liar"
    assert why.startswith("# sentiment negative -0.")
    assert why.endswith(" by vader@3.3.2")
    assert re.fullmatch("# finding: [0-9a-f]{16}", known)
    assert "follow?store=" in link
    assert "query=explore/statement&head=en/lawyer&type=IS_A&tail=en/terrible%20awful%20liar&source=kb" in link
    assert entry == "/a/[/r/IsA/,/c/en/lawyer/,/c/en/terrible_awful_liar/]"


def test_what_cannot_be_handed_back_is_counted(
    graph: Graph, small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graph.autocommit(parse("x", "MATCH ()-[r {source: 'kb'}]->({key: 'en/bad person'}) SET r.assertion = ''"))
    out = tmp_path / "out.txt"
    assert harmgraph("findings", "export", "--source", "kb", "--out", out, "--output", "json") == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["findings"], report["handed_back"]) == (2, 1)
    assert report["left"] == {"no assertion id /a/... on the relationship": 1}
    assert entries(out) == ["terrible_awful_liar"]


def test_keys_that_no_statement_has_are_counted(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.txt"
    keys = written(
        tmp_path,
        keys="head,relation,tail\nen/lawyer,is a,en/person\nen/lawyer,IsA,en/nobody\nen/person,IsA,en/lawyer\n",
    )
    arguments = ("findings", "export", "--source", "kb", "--from", keys[0], "--out", out, "--output", "json")
    assert harmgraph(*arguments) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["findings"], report["absent"]) == (1, 2)
    assert entries(out) == ["person"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--source", "nowhere"], "no source named 'nowhere'"),
        (["--source", "kb", "--measure", "regard"], "no measure named 'regard'"),
        (["--source", "kb", "--target", "lawyr"], "no target named 'lawyr'"),
        (["--source", "kb", "--from", "KEYS"], "a row has no key of a statement"),
    ],
)
def test_a_mistake_is_told_in_one_line_and_leaves_the_file_as_it_was(
    small: Path, tmp_path: Path, options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.txt"
    out.write_text("before")
    keys = written(tmp_path, keys="name\nx\n")[0]
    options = [str(keys) if option == "KEYS" else option for option in options]
    assert harmgraph("findings", "export", *options, "--out", out) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert out.read_text() == "before"
    assert list(tmp_path.glob(".*")) == []


def test_two_ways_to_choose_are_wrong_usage(small: Path, tmp_path: Path) -> None:
    arguments = ("--from", small, "--label", "negative", "--out", tmp_path / "x")
    assert harmgraph("findings", "export", "--source", "kb", *arguments) == 2


@pytest.mark.parametrize("option", ["--file", "--from"])
def test_a_file_that_is_read_is_not_written(
    tmp_path: Path, option: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")  # nothing answers: the server is not asked
    (file,) = written(tmp_path, one=TRIPLES)
    assert harmgraph("findings", "export", "--source", "kb", option, file, "--out", tmp_path / "." / "one.txt") == 1
    assert "is one of the files to read" in capsys.readouterr().err
    assert file.read_text() == TRIPLES


def test_the_files_are_asked_for_by_name_and_known_by_their_content(
    graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = written(tmp_path, one=TRIPLES, two="nurse\tIsA\tterrible person\n")
    out = tmp_path / "out.txt"
    assert load("triples", files) == 0
    assert harmgraph("label", "vader") == 0
    capsys.readouterr()

    def failure(*given: Path) -> str:
        named = [part for file in given for part in ("--file", file)]
        assert harmgraph("findings", "export", "--source", "kb", *named, "--out", out) == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert not out.exists()
        return line

    assert "give them as they were loaded: --file one.txt --file two.txt" in failure()
    assert "--file two.txt" in failure(files[0])
    other = written(tmp_path, other="x\ty\tz\n")[0]
    assert "is not a file of kb" in failure(*files, other)
    moved = files[0].rename(tmp_path / "moved.tsv")
    arguments = ("--file", files[1], "--file", moved, "--out", out)
    assert harmgraph("findings", "export", "--source", "kb", *arguments) == 0
    assert {line.split("\t")[0] for line in out.read_text().splitlines() if line and line[0] != "#"} == {
        "one.txt",
        "two.txt",
    }


def test_a_source_that_was_made_here_has_no_maintainers(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert harmgraph("filter", "--source", "kb", "--into", "harmless") == 0
    capsys.readouterr()
    assert harmgraph("findings", "export", "--source", "harmless", "--out", tmp_path / "x") == 1
    assert "was made by filter" in capsys.readouterr().err
