"""The page on entities: its commands, its query and its table, on the files that it shows and on benchmarks made small."""

from __future__ import annotations

import gzip
import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from harmgraph.__main__ import cli
from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import parse
from tests.support.page import blocks
from tests.support.places import DOCS

PAGE = "entities.md"
DIRECT = "<http://www.wikidata.org/prop/direct/P31>"
FILES: dict[str, str] = {
    "latest-truthy.nt.gz": f"<http://www.wikidata.org/entity/Q1> {DIRECT} <http://www.wikidata.org/entity/Q5> .\n",
    "train.txt.gz": "/m/1\t/people/person/religion\t/m/2\n",
    "valid.txt.gz": "/m/3\t/people/person/religion\t/m/2\n",
    "test.txt.gz": "/m/4\t/people/person/religion\t/m/2\n",
    "mid2name.tsv": "/m/2\tAtheist\n",
    "triples_train.txt.gz": "Q1,P140,Q2\n",
    "triples_valid.txt": "Q3,P140,Q2\n",
    "triples_test.txt": "Q1,P140,Q2\n",
    "labels.tsv": "Q2\tAtheist\nP140\treligion\n",
    "train.txt": "Q1\tP140\tQ2\n",
    "valid.txt": "Q3\tP140\tQ2\n",
    "test.txt": "Q4\tP140\tQ2\n",
    "inference.txt": "Q5\tP140\tQ6\n",
    "inference_validation.txt": "Q7\tP140\tQ6\n",
    "inference_test.txt": "Q8\tP140\tQ6\n",
    "relations.json": '{"P140": {"label": "religion"}}\n',
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.json").write_text(blocks(PAGE, "json")[0], encoding="utf-8")
    for name, text in FILES.items():
        content = text.encode()
        (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return tmp_path


def commands() -> list[list[str]]:
    return [shlex.split(line)[1:] for block in blocks(PAGE, "sh") for line in block.splitlines()]


def test_every_command_and_the_query(graph: Graph, folder: Path) -> None:
    found = {}
    for arguments in commands():
        done = CliRunner().invoke(cli, [*arguments, "--output", "json"])
        assert done.exit_code == 0, (arguments, done.output)
        report = json.loads(done.stdout)
        found[report["source"]] = (report["in_graph"], report["named"], report["rejected"])
    assert found == {
        "people": (1, 5, 0),
        "truthy": (1, 0, 0),
        "fb15k-237": (3, 1, 0),
        "wd50k": (3, 2, 0),
        "codex-m": (3, 1, 0),
        "ilpc": (1, 0, 0),
        "ilpc-inference": (3, 0, 0),
    }
    graph.autocommit("schema/wipe")
    done = CliRunner().invoke(cli, commands()[0])
    assert done.exit_code == 0, done.output
    (query,) = blocks(PAGE, "cypher")
    (row,) = graph.rows(parse("page", query))
    table = (DOCS / PAGE).read_text(encoding="utf-8").split("| who | born |", maxsplit=1)[1].splitlines()[2]
    assert [cell.strip() for cell in table.strip("|").split("|")] == list(row.values())
