"""What changed since an earlier run that was saved: numbers beyond chance, with the statements that came and went."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.report.report import write_report
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import changes
from harmgraph.graph.records import Target
from harmgraph.schema_command import schema_of
from tests.support.filling import fill
from tests.support.schemas import faults

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
    assert faults(schema_of("report"), json.loads(data)) == []
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


def test_what_changed_and_behind_what(two: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert (worse["n_before"], worse["n_now"]) == (20, 22)
    for form in (page, text):
        assert "Since last time" in form
        assert "came: lawyer IsA awful liar 0 (negative)" in form
        assert "15 more. went: lawyer IsA kind helper" in form
    monkeypatch.setattr(changes, "LISTED", 7)
    monkeypatch.setattr(changes.statements, "__kwdefaults__", {"target": None, "limit": 7})
    _, page, _ = since(two, tmp_path)
    assert "; at least 2 more" in page, "what is not listed is not said to be none"


def test_other_options_are_other_numbers(two: Graph, tmp_path: Path) -> None:
    loaded(tmp_path, [f"lawyer\tIsA\tkind helper {number}" for number in range(20)])
    saved()
    assert main(["stats", "disparity", "--source", "kb", "--min-support", "25", "--save"]) == 0
    found, _, _ = since(two, tmp_path)
    assert found is not None
    assert found["beyond"] == [], "the disparity of other targets is no earlier one of these"


def test_another_scorer_and_labels_of_the_same_import(two: Graph, tmp_path: Path) -> None:
    loaded(tmp_path, [f"lawyer\tIsA\tkind helper {number}" for number in range(20)])
    saved()
    assert main(["label", "opinion", "--as", "sentiment", "--force", "--source", "kb", "--no-progress"]) == 0
    found, _, _ = since(two, tmp_path)
    assert found is not None
    assert "scorers (" in found["differs"]
    assert [row["came"] + row["went"] for row in found["beyond"] if row["came"] + row["went"]] == []
