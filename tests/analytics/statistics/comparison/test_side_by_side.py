"""Two sources side by side: the shares of ``compare``, and scipy's correlation of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from scipy.stats import spearmanr

from harmgraph.__main__ import main
from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.statistics.comparison.side_by_side import side_by_side
from harmgraph.common.errors import InputError, NotFound
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Statement, Target
from tests.support.filling import fill

LEARNT = {"lawyer": 8, "judge": 6, "nurse": 1, "cook": 3, "guard": 9, "baker": 0}  # negative of ten
SAID = {"lawyer": 7, "judge": 8, "nurse": 2, "cook": 1, "guard": 10, "baker": 0}


@pytest.fixture
def two(graph: Graph) -> Graph:
    fill(graph, *(Target(name, "profession" if name != "guard" else "people") for name in LEARNT), source="groups")
    for source, shares in (("kb", LEARNT), ("model", SAID)):
        texts = [
            Statement(f"{'awful' if number < negative else 'kind'} {name} {number}", name)
            for name, negative in shares.items()
            for number in range(10)
        ]
        fill(graph, *texts, source=source)
    label(graph, scorers.get("vader"), processes=1)
    return graph


def test_the_correlation_is_scipys(two: Graph) -> None:
    result = side_by_side(two, "kb", "model")
    row = result.correlations.set_index("category").loc["all"]
    assert row["o_minus_spearman"] == pytest.approx(spearmanr(list(LEARNT.values()), list(SAID.values())).statistic)
    assert row["o_minus_spearman_low"] < row["o_minus_spearman"] < row["o_minus_spearman_high"] <= 1
    assert (row["targets"], row["n"], row["other_n"]) == (6, 60, 60)
    assert row["o_minus_mean"] == pytest.approx(10 * sum(LEARNT.values()) / 6)
    of_people = result.correlations.set_index("category").loc["people"]
    assert of_people["targets"] == 1
    assert of_people["o_minus_spearman"] != of_people["o_minus_spearman"]  # one target has no rank


def test_the_command_and_its_figure(two: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["stats", "side_by_side", "--source", "kb", "--source", "model"]
    figure = tmp_path / "both.svg"
    assert main([*command, "--figure", str(figure), "--output", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["category"] for row in rows] == ["all", "people", "profession"]
    assert rows[1]["o_minus_spearman"] is None
    assert "guard 90.0 and 100.0" in figure.read_text(encoding="utf-8")
    assert main([*command, "--by", "target"]) == 0
    assert "lawyer" in capsys.readouterr().out
    assert main(command[:4]) == 2
    assert "give --source twice" in capsys.readouterr().err


def test_what_is_not_there(two: Graph) -> None:
    with pytest.raises(InputError, match="compared with itself"):
        side_by_side(two, "kb", "kb")
    with pytest.raises(InputError, match="no target has 11 statements in kb and in model"):
        side_by_side(two, "kb", "model", min_support=11)
    with pytest.raises(NotFound, match="no source named 'k'"):
        side_by_side(two, "k", "model")
