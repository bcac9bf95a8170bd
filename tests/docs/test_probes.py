"""The page on probes: its commands and its query, on a made graph in the files' own form."""

from __future__ import annotations

import gzip
import json
import shlex
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.__main__ import main
from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import parse
from harmgraph.models.probing.probe import probes
from harmgraph.models.subgraph.named_relation import PRESETS
from tests.support.page import blocks
from tests.support.places import DOCS

PAGE = "probes.md"
COUNTS = {
    "nurse": (6, 24),
    "pilot": (24, 6),
    "teacher": (15, 15),
    "poet": (12, 12),
    "judge": (20, 4),
    "dancer": (5, 25),
}
GENDERS = {"male": "Q6581097", "female": "Q6581072"}
JOBS = {job: f"Q{number}" for number, job in enumerate(COUNTS, 101)}
COUNTRIES = ("Q30", "Q145")
LABELS = {"P21": "sex or gender", "P106": "occupation", "P27": "country of citizenship"} | {
    key: name for name, key in (GENDERS | JOBS).items()
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = []
    for gender, side in (("male", 0), ("female", 1)):
        for number, job in enumerate(job for job, counts in COUNTS.items() for _ in range(counts[side])):
            person = f"Q{side + 1}{number:03d}"
            lines += [f"{person},P21,{GENDERS[gender]}\n", f"{person},P106,{JOBS[job]}\n"]
            lines.append(f"{person},P27,{COUNTRIES[number % 2]}\n")
    parts = {"valid": lines[1::40], "test": lines[21::40]}
    parts["train"] = [line for line in lines if not any(line in part for part in parts.values())]
    for name, rows in parts.items():
        text = "".join(rows).encode()
        path = Path(f"triples_{name}.txt.gz" if name == "train" else f"triples_{name}.txt")
        path.write_bytes(gzip.compress(text) if name == "train" else text)
    Path("labels.tsv").write_text("".join(f"{key}\t{name}\n" for key, name in LABELS.items()), encoding="utf-8")


BORN = parse(
    "born",
    "MATCH (p:Entity)-[:P21]->() WITH DISTINCT p ORDER BY p.key WITH collect(p) AS people "
    "UNWIND range(0, size(people) - 1) AS at WITH people[at] AS p, at "
    "SET p.P569 = CASE at % 4 WHEN 0 THEN '1948-02-01' WHEN 1 THEN '1948' ELSE '1961-05-06' END",
)


def test_the_commands(graph: Graph, files: None, capsys: pytest.CaptureFixture[str]) -> None:
    text, *later = blocks(PAGE, "sh")
    lines = text.splitlines()
    assert len(lines) == 10
    for line in lines:
        assert main(shlex.split(line)[1:]) == 0, (line, capsys.readouterr().err)
    out = capsys.readouterr().out
    assert "6 objects of occupation; 168 people have sex or gender: 82 male, 86 female" in out
    assert "objects keep their sign in all 2 models" in out
    assert "control, 200 random pairs" in out
    assert Path("gender.png").stat().st_size > 10_000
    (query,) = blocks(PAGE, "cypher")
    assert len(graph.rows(parse("page", query))) == len(COUNTS)
    graph.write(BORN)  # Wikidata's own dumps have such literals, WD50K has none
    for line in filter(None, "\n".join(later).splitlines()):
        assert main(shlex.split(line, comments=True)[1:]) == 0, (line, capsys.readouterr().err)
    out = capsys.readouterr().out
    assert all(group in out for group in ("Q30", "Q145", "1940s", "1960s"))
    shift = main(["probe", "shift", "people", "--a", "male", "--b", "female", "--output", "json"])
    rows = {row["name"]: row["score"] for row in json.loads(capsys.readouterr().out)}
    assert shift == 0
    assert min(rows["pilot"], rows["judge"]) > max(rows["nurse"], rows["dancer"])


def test_the_page_names_every_probe_and_every_preset() -> None:
    text = (DOCS / PAGE).read_text(encoding="utf-8")
    for name in probes.names():
        assert f"| `{name}` |" in text
    for word, types in PRESETS.items():
        assert f"`{word}`" in text
        assert types[0] in text
