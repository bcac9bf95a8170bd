"""Table 4 of Mehrabi et al. 2021 and the overall percentages of section 3.2, on the released files.

The paper's own numbers stand beside; what is asserted was computed outside this project, by a plain loop over the files.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.statistics.statistic import statistic
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading.default_targets import ensure
from harmgraph.loader.loading.pipeline import load
from harmgraph.loader.reading.plan import Plan
from tests.support.conceptnet import load_conceptnet

pytestmark = pytest.mark.long

THREE = "bisexual,orientation\nheterosexual,orientation\nhomosexual,orientation\n"


def disparity(graph: Graph, source: str) -> dict[str, Any]:
    row = statistic("disparity")(graph, source=source).iloc[0]
    assert row["category"] == "all"
    return dict(row)


def test_conceptnet(graph: Graph, data: Path) -> None:
    ensure(graph)
    report = load_conceptnet(graph, data, keep_duplicates=True)
    assert report.rejected == 0
    assert report.read == 101_229
    label(graph, scorers.get("vader"))
    row = disparity(graph, "conceptnet")
    # A triple between hairdresser and hairstylist, one target by alias, counts once: one pair more than by the name alone.
    assert row["pairs"] == pytest.approx(99_986, abs=1)
    assert row["targets"] == 327
    assert row["d_r"] == pytest.approx(142_420, abs=5)  # paper: 141,538
    assert row["d_o_plus"] == pytest.approx(19.82, abs=0.01)  # paper: 20.4
    assert row["d_o_minus"] == pytest.approx(3.86, abs=0.01)  # paper: 4.03
    assert row["polarised_percent"] == pytest.approx(5.1, abs=0.05)
    without = statistic("coverage")(graph, source="conceptnet", without=True)
    assert sorted(without["target"]) == ["persian people", "real estate developer"]

    # The same file without duplicates replaces the one with them.
    report = load_conceptnet(graph, data, keep_duplicates=False)
    assert report.duplicates == 9_081
    label(graph, scorers.get("vader"))
    row = disparity(graph, "conceptnet")
    assert row["pairs"] == 90_369
    assert row["targets"] == 327
    assert row["d_r"] == pytest.approx(125_744, abs=5)
    assert row["d_o_plus"] == pytest.approx(22.21, abs=0.01)
    assert row["d_o_minus"] == pytest.approx(4.25, abs=0.01)
    assert row["polarised_percent"] == pytest.approx(5.5, abs=0.05)


def test_genericskb(graph: Graph, data: Path, tmp_path: Path) -> None:
    ensure(graph)
    file = data / "genericskb" / "genericskb_targets.tsv"
    report = load(graph, Plan(importers.get("genericskb"), (file,), "genericskb", keep_duplicates=True))
    assert report.no_target == {"homosexual": 111, "bisexual": 33, "heterosexual": 22}
    assert report.no_target_statements == 166
    first = label(graph, scorers.get("vader"))
    assert first.written == 29_339
    row = disparity(graph, "genericskb")
    assert row["pairs"] == 29_339
    assert row["targets"] == 220
    assert row["d_r"] == pytest.approx(242_850, abs=1)
    assert row["d_o_plus"] == pytest.approx(177.1, abs=0.1)
    assert row["d_o_minus"] == pytest.approx(60.6, abs=0.1)
    assert row["polarised_percent"] == pytest.approx(36.5, abs=0.05)

    more = tmp_path / "three.csv"
    more.write_text(THREE, encoding="utf-8")
    load(graph, Plan(importers.get("targets"), (more,), "three"))
    second = label(graph, scorers.get("vader"))
    assert second.written == 166
    assert second.up_to_date == 29_339
    row = disparity(graph, "genericskb")
    assert row["pairs"] == 29_505
    assert row["targets"] == 223
    assert row["d_r"] == pytest.approx(239_685, abs=1)  # paper: 238,277
    assert row["d_o_plus"] == pytest.approx(177.1, abs=0.1)  # paper: 172
    assert row["d_o_minus"] == pytest.approx(73.3, abs=0.1)  # paper: 79
    assert row["polarised_percent"] == pytest.approx(36.6, abs=0.05)  # paper: 36.5


def test_masking_matters(graph: Graph, data: Path) -> None:
    """Unmasked, the words of the names themselves are scored: D_O+ of ConceptNet would be 75 and not 20."""
    ensure(graph)
    load_conceptnet(graph, data, keep_duplicates=True)

    label(graph, scorers.get("vader"), masking="none")
    assert disparity(graph, "conceptnet")["d_o_plus"] == pytest.approx(75, abs=1)


def test_default_targets_are_those_of_the_tables(data: Path) -> None:
    paper = data.parent / "papers" / "mehrabi2021_cskb_harms.txt"
    if not paper.is_file():
        pytest.skip("the paper's text is not beside the data")
    lines = paper.read_text(encoding="utf-8").splitlines()
    after = next(at for at, line in enumerate(lines) if "Wordcloud of phrases" in line)
    tables: dict[str, list[str]] = {}
    category = ""
    for line in lines[after:]:
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        cells = [cell for cell in cells if cell and set(cell) != {"-"}]
        if len(cells) == 1 and cells[0] in ("Profession", "Origin", "Gender", "Religion"):
            category = cells[0].lower()
        elif category:
            tables.setdefault(category, []).extend(cells)
    from harmgraph.graph.records import Target
    from harmgraph.loader.loading.default_targets import path

    shipped = [record for record in importers.get("targets").records(path()) if isinstance(record, Target)]
    assert {name: len(titles) for name, titles in tables.items()} == {
        "profession": 120,
        "origin": 157,
        "gender": 40,
        "religion": 12,
    }
    for name, titles in tables.items():
        assert [target.title for target in shipped if target.category == name] == titles
    assert {target.name: target.aliases for target in shipped if target.aliases} == {"hairstylist": ("hairdresser",)}
