"""p, q, the least difference and pooled rates of the statistics whose header asks for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pandas.testing import assert_frame_equal
from scipy.stats import fisher_exact

from harmgraph.__main__ import main
from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.statistics.statistic import Statistic, statistic, statistic_names
from harmgraph.analytics.statistics.tested_rates import ENDS
from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Target
from harmgraph.graph.statements import from_file
from tests.support.filling import fill, triple

PEOPLE = {
    ("judge", "profession"): (0, 30),
    ("lawyer", "profession"): (12, 30),
    ("nurse", "profession"): (1, 40),
    ("poet", "profession"): (1, 1),
    ("muslim", "religion"): (2, 20),
}
"""Negative statements and all of each."""


@pytest.fixture
def uneven(graph: Graph) -> Graph:
    fill(
        graph,
        *(Target(*name) for name in PEOPLE),
        *(
            triple(name, "IsA", f"{'awful liar' if number < negative else 'tall reader'} {number}")
            for (name, _), (negative, n) in PEOPLE.items()
            for number in range(n)
        ),
        source="kb",
    )
    label(graph, scorers.get("vader"))
    return graph


def by_target(frame: Any) -> dict[str, dict[str, Any]]:
    return {row["target"]: row for row in frame.to_dict("records")}


def against(name: tuple[str, str]) -> tuple[int, int]:
    """The counts of the others of a category; of all others for one that is alone in it."""
    others = [counts for other, counts in PEOPLE.items() if other != name and other[1] == name[1]]
    others = others or [counts for other, counts in PEOPLE.items() if other != name]
    return sum(negative for negative, _ in others), sum(n for _, n in others)


def test_p_is_against_the_others_of_the_category(uneven: Graph) -> None:
    rows = by_target(statistic("overgeneralization")(uneven))
    for name, (negative, n) in PEOPLE.items():
        other, other_n = against(name)
        cells = [[negative, n - negative], [other, other_n - other]]
        tails = [fisher_exact(cells, alternative=side).pvalue for side in ("less", "greater")]
        assert rows[name[0]]["o_minus_p"] == pytest.approx(min(1, 2 * min(tails))), name
    assert rows["lawyer"]["o_minus_q"] < 0.001
    assert rows["judge"]["o_minus_q"] > rows["judge"]["o_minus_p"]
    assert np.isnan(rows["poet"]["o_minus_q"]), "one statement tells nothing"
    assert np.isnan(rows["poet"]["o_minus_least_difference"])
    # Nurses have the most statements of the three.
    assert rows["judge"]["o_minus_least_difference"] > rows["nurse"]["o_minus_least_difference"] > 5


def test_who_else_is_shown_changes_nothing(uneven: Graph) -> None:
    frame = statistic("overgeneralization")(uneven, pooled=True)
    one = statistic("overgeneralization")(uneven, pooled=True, target="lawyer")
    assert_frame_equal(one, frame[frame["target"] == "lawyer"].reset_index(drop=True))
    every = by_target(frame)
    # What a category or a support leaves out is not among what q corrects for, but among the others.
    few = by_target(statistic("overgeneralization")(uneven, category="profession", min_support=30))
    assert set(few) == {"judge", "lawyer", "nurse"}
    for name, row in few.items():
        assert row["o_minus_p"] == every[name]["o_minus_p"]
    assert sum(row["o_minus_q"] for row in few.values()) < sum(every[name]["o_minus_q"] for name in few)
    assert by_target(statistic("overgeneralization")(uneven, category="religion"))["muslim"]["o_minus_p"] < 1


def test_a_word_is_tested_also_against_those_of_whom_it_is_not_said(uneven: Graph) -> None:
    said = by_target(statistic("called")(uneven, word="liar"))
    assert set(said) == {"lawyer", "muslim", "nurse", "poet"}
    harm = by_target(statistic("overgeneralization")(uneven))
    for name, row in said.items():
        assert row["percent_p"] == pytest.approx(harm[name]["o_minus_p"]), "the same statements"
        assert row["percent_q"] == pytest.approx(harm[name]["o_minus_q"], nan_ok=True)
    assert by_target(statistic("called")(uneven, word="liar", limit=1)).keys() == {"lawyer"}
    every = by_target(statistic("called")(uneven, word="liar", every=True))
    assert (every["judge"]["said"], every["judge"]["percent_low"]) == (0, 0)
    assert every["judge"]["percent_p"] == pytest.approx(harm["judge"]["o_minus_p"])


def test_the_others_are_those_of_the_lists_that_were_asked_for(uneven: Graph, tmp_path: Path) -> None:
    """A second list, of two of the professions: who else is loaded changes nothing, also where a second query is needed."""
    path = tmp_path / "mine.csv"
    path.write_text("name,category\nlawyer,profession\nnurse,profession\n", "utf-8")
    assert main(["target", "load", str(path)]) == 0
    with uneven.about(["mine"]):
        every = statistic("overgeneralization")(uneven, pooled=True)
        assert set(every["target"]) == {"lawyer", "nurse"}
        for asked in ({"target": "lawyer"}, {"category": "profession"}, {"min_support": 5}):
            some = statistic("overgeneralization")(uneven, pooled=True, **asked)
            assert_frame_equal(some, every[every["target"].isin(some["target"])].reset_index(drop=True))
        said = by_target(statistic("called")(uneven, word="liar"))
    for name, row in by_target(every).items():
        assert row["o_minus_p"] == pytest.approx(said[name]["percent_p"])
    given = statistic("overgeneralization")(uneven, pooled=True, target="lawyer", lists=["mine"])
    assert_frame_equal(given, every[every["target"] == "lawyer"].reset_index(drop=True))
    assert (
        by_target(every)["lawyer"]["o_minus_p"]
        != by_target(statistic("overgeneralization")(uneven))["lawyer"]["o_minus_p"]
    )


def test_a_limit_cuts_after_pooled_rates_have_sorted(graph: Graph) -> None:
    """By its own count 1 of 1 comes first; drawn towards its category, which is rarely called so, it comes second."""
    said = {"judge": (1, 1), "lawyer": (12, 50), "nurse": (0, 60), "poet": (1, 50), "smith": (0, 70)}
    fill(
        graph,
        *(Target(name, "profession") for name in said),
        *(
            triple(name, "IsA", f"{'awful liar' if number < holds else 'tall reader'} {number}")
            for name, (holds, n) in said.items()
            for number in range(n)
        ),
        source="kb",
    )
    label(graph, scorers.get("vader"))
    called = statistic("called")
    assert list(called(graph, word="liar", limit=1)["target"]) == ["judge"]
    every = called(graph, word="liar", pooled=True)
    assert list(every["target"]) == ["lawyer", "judge", "poet"]
    for limit in (1, 2):
        assert_frame_equal(called(graph, word="liar", pooled=True, limit=limit), every[:limit])


def test_two_sources_are_tested_row_by_row(uneven: Graph) -> None:
    fill(uneven, *(triple("lawyer", "IsA", f"kind helper {number}") for number in range(25)), source="other")
    fill(uneven, *(triple("judge", "IsA", f"tall man {number}") for number in range(25)), source="other")
    label(uneven, scorers.get("vader"))
    rows = by_target(statistic("compare")(uneven, source="kb", other="other"))
    for name, (first, second) in {"lawyer": ((12, 30), (0, 25)), "judge": ((0, 30), (0, 25))}.items():
        cells = [[second[0], second[1] - second[0]], [first[0], first[1] - first[0]]]
        tails = [fisher_exact(cells, alternative=side).pvalue for side in ("less", "greater")]
        assert rows[name]["o_minus_change_p"] == pytest.approx(min(1, 2 * min(tails)))
    assert rows["lawyer"]["o_plus_change_q"] < 1e-9
    assert np.isnan(rows["judge"]["o_minus_change_q"]), "nothing is negative in either"


def test_the_command(uneven: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "overgeneralization"]) == 0
    shown = capsys.readouterr().out
    assert "O- q" in shown.partition("\n\n")[0], "in the first part of the table"
    assert main(["stats", "overgeneralization", "--pooled", "-o", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["target"] for row in rows][:2] == ["lawyer", "poet"], "1 of 1 comes after 12 of 30"
    assert rows[0]["o_minus_pooled_low"] < rows[0]["o_minus_pooled"] < rows[0]["o_minus_pooled_high"] < 70
    assert next(row for row in rows if row["target"] == "poet")["o_minus_q"] is None
    assert main(["stats", "overgeneralization", "--pooled", "--corrected", "x"]) == 2
    assert "--pooled and --corrected do not go together" in capsys.readouterr().err
    assert main(["stats", "overgeneralization", "--pooled", "--save"]) == 2
    assert "--save keeps no pooled rates: leave --pooled or --save out" in capsys.readouterr().err
    assert main(["stats", "disparity", "--pooled"]) == 2


def test_only_statistics_whose_header_says_so() -> None:
    assert {name for name in statistic_names() if statistic(name).tests} == {
        "called",
        "compare",
        "intersections",
        "overgeneralization",
    }
    assert {name for name in statistic_names() if statistic(name).pools} == {"called", "overgeneralization"}
    added = {column.name for column in statistic("overgeneralization").columns}
    assert {f"o_plus{end}" for end in ENDS} <= added


def test_a_statistic_of_ones_own_has_it_by_one_line(uneven: Graph, tmp_path: Path) -> None:
    path = tmp_path / "mine.cypher"
    text = """// Mine
// takes: $measure string = 'sentiment': measure
// returns: target string: x
// returns: n int: x
// returns: bad float: x
// keys: target
// tests: bad of n
MATCH (t:Target)<-[:NAMES]-()-[r]-() WHERE $measure <> ''
WITH t, count(r) AS n, count(CASE r[$measure] WHEN 'negative' THEN 1 END) AS negative
RETURN t.name AS target, n, 100.0 * negative / n AS bad
"""
    path.write_text(text)
    frame = Statistic(from_file(path))(uneven)
    assert list(frame.columns) == ["target", "n", "bad", "bad_p", "bad_q", "bad_least_difference"]
    others = sum(negative for negative, _ in PEOPLE.values()) - 2
    cells = [[2, 18], [others, 101 - others]]
    tails = [fisher_exact(cells, alternative=side).pvalue for side in ("less", "greater")]
    assert by_target(frame)["muslim"]["bad_p"] == pytest.approx(min(1, 2 * min(tails))), "all are the others"
    for wrong in ("bad", "bad of m", "bad of n against bad"):
        path.write_text(text.replace("bad of n", wrong))
        with pytest.raises(UnreadableFile, match=r"cannot read the header line 'tests: .*write 'tests: RATE of N'"):
            _ = Statistic(from_file(path)).tests
    path.write_text(text.replace("// keys: target\n", ""))
    with pytest.raises(UnreadableFile, match="no line 'keys:'; name the columns that tell rows apart"):
        _ = Statistic(from_file(path)).tests
    with pytest.raises(InputError, match="the statistic disparity has no rates to pool; leave --pooled out"):
        statistic("disparity")(uneven, pooled=True)
