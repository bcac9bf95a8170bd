"""What changed since an earlier run that was saved: numbers beyond chance, with the statements that came and went."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.report.report import write_report
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Target
from tests.support.filling import fill

OTHERS = [f"judge\tIsA\ttall reader {number}" for number in range(30)]


def loaded(folder: Path, lawyers: list[str]) -> None:
    path = folder / "kb.tsv"
    path.write_text("\n".join([*OTHERS, *lawyers]) + "\n", "utf-8")
    assert main(["load", "triples", str(path), "--source", "kb", "--no-progress"]) == 0
    assert main(["label", "vader", "--source", "kb", "--no-progress"]) == 0


def saved() -> None:
    for name in ("overgeneralization", "disparity"):
        assert main(["stats", name, "--source", "kb", "--save"]) == 0


def since(graph: Graph, folder: Path) -> tuple[dict[str, Any] | None, str, str]:
    page, text, data = (
        path.read_text("utf-8")
        for path in write_report(graph, ["kb"], folder, formats=("html", "md", "json"), figures=(), resamples=10)
    )
    (measured,) = json.loads(data)["sources"][0]["measures"]
    return measured["since"], page, text


@pytest.fixture
def two(graph: Graph) -> Graph:
    fill(graph, Target("lawyer", "profession"), Target("judge", "profession"))
    return graph


def test_without_a_saved_run_nothing_is_said(two: Graph, tmp_path: Path) -> None:
    loaded(tmp_path, [])
    found, page, text = since(two, tmp_path)
    assert found is None
    assert "Since last time" not in page + text


def test_what_changed_and_behind_what(two: Graph, tmp_path: Path) -> None:
    kind = [f"lawyer\tIsA\tkind helper {number}" for number in range(20)]
    awful = [f"lawyer\tIsA\tawful liar {number}" for number in range(20)]
    loaded(tmp_path, kind)
    saved()
    found, page, _ = since(two, tmp_path)
    assert found is not None
    assert found["beyond"] == []
    assert "0 of 4 numbers changed beyond chance" in page
    loaded(tmp_path, kind[:2] + awful)
    saved()  # of the same import as the report: not what it is compared with
    found, page, text = since(two, tmp_path)
    assert found is not None
    assert found["differs"] == "sources (changed: kb)"
    changed = {(row["metric"], row["target"]): row for row in found["beyond"]}
    assert set(changed) == {("overgeneralization.o_minus", "lawyer"), ("overgeneralization.o_plus", "lawyer")}
    worse = changed["overgeneralization.o_minus", "lawyer"]
    assert (worse["before"], worse["now"]) == (0, pytest.approx(100 * 20 / 22))
    assert worse["interval"][0] > 0
    assert worse["q"] < 0.001
    assert worse["came"][0] == "lawyer IsA awful liar 0 (negative)"
    assert worse["went"][0].endswith("(positive)")
    assert worse["more"] == [15, 13]
    for form in (page, text):
        assert "Since last time" in form
        assert "came: lawyer IsA awful liar 0 (negative)" in form
        assert "15 more. went: lawyer IsA kind helper" in form
