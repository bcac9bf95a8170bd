"""Fisher et al. 2019 on FB15k-237, a part of the Freebase that the paper measures: the embeddings repeat the counts.

The outside reference for the same graph, 25 epochs: Spearman .72 (TransE) between score and log count ratio, over the 44
professions with 20 or more of 3,717 people.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.__main__ import main
from harmgraph.graph.connection import Graph

pytestmark = pytest.mark.long

TRAINING = ["--dim", "64", "--negatives", "128", "--epochs", "8", "--valid-every", "0", "--threads", "1", "--again"]


@pytest.mark.timeout(1200)
def test_gender_and_professions(graph: Graph, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, summary = data / "fb15k-237", tmp_path / "summary.json"
    load = ["load", "freebase", str(folder / "train.txt.gz"), "--names", str(folder / "mid2name.tsv"), "--source", "fb"]
    assert main(load) == 0
    dealt = ["--statement", "subgraph/shuffled", "--param", "relation=PEOPLE_PERSON_GENDER"]
    found = {}
    for name, statement in (("true", []), ("exchanged", dealt)):
        assert main(["embed", "train", name, "--source", "fb", *TRAINING, *statement]) == 0
        shift = ["probe", "shift", name, "--a", "Male", "--b", "Female", "--top", "0", "--output", "json"]
        capsys.readouterr()
        assert main([*shift, "--summary", str(summary)]) == 0
        rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
        found[name] = json.loads(summary.read_text())
        assert (len(rows), found[name]["people"]) == (44, 3717)
        if name == "true":
            assert rows["Model"]["score"] < 0 < rows["Cinematographer"]["score"]
            assert (rows["Model"]["count_a"], rows["Model"]["count_b"]) == (32, 90)
    assert found["true"]["spearman"] > 0.58
    assert found["true"]["spearman_low"] > 0.3
    assert abs(found["exchanged"]["spearman"]) < 0.5
