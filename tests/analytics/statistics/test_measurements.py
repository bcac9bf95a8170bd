"""Saved numbers come back over time."""

from __future__ import annotations

import json

import click
import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.statistics.commands import stats
from harmgraph.analytics.statistics.measurements import history, save_measurements
from harmgraph.analytics.statistics.statistic import statistic, statistic_names
from harmgraph.common.errors import InputError
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.sources import every
from harmgraph.graph.enclosing_run import Enclosing
from harmgraph.graph.statements import parse


def test_save_and_history(labelled: Graph) -> None:
    found = statistic("disparity")
    frame = found(labelled, source="kb")
    first = save_measurements(labelled, found, frame, {"source": "kb", "measure": "sentiment"})
    second = save_measurements(labelled, found, frame, {"source": "kb", "measure": "sentiment"})
    assert first != second
    over_time = history(labelled, "disparity.d_r", category="all", source="kb")
    assert len(over_time) == 2
    assert list(over_time["value"]) == [frame.iloc[0]["d_r"]] * 2
    assert list(over_time["n"]) == [10, 10]
    assert list(over_time["at"]) == sorted(over_time["at"])


def test_numbers_that_are_told_apart_by_other_columns(labelled: Graph) -> None:
    """compare_scorers has a row for each pair of labels, of one source: each is kept."""
    found = statistic("compare_scorers")
    parameters = {"measure": "sentiment", "against": "sentiment"}
    frame = found(labelled, **parameters)
    save_measurements(labelled, found, frame, {"source": None, **parameters})
    kept = history(labelled, "compare_scorers.statements")
    assert dict(zip(kept["category"], kept["value"], strict=True)) == {
        f"{row['label']}/{row['other_label']}": row["statements"] for row in frame.to_dict("records")
    }
    assert len(kept) > 1


@pytest.mark.parametrize("name", statistic_names())
def test_what_has_no_numbers_to_keep_does_not_offer_to(name: str) -> None:
    found = statistic(name)
    command = stats.get_command(click.Context(stats), name)
    assert command is not None
    assert any(option.name == "save" for option in command.params) == bool(found.saves)


def test_nothing_is_saved_as_a_run_without_numbers(labelled: Graph) -> None:
    found = statistic("categories")
    with pytest.raises(InputError, match="categories has no numbers to save"):
        save_measurements(labelled, found, found(labelled), {"source": None})
    assert main(["stats", "categories", "--save"]) == 2
    assert not labelled.driver.execute_query("MATCH (run:Run) RETURN run").records


def test_a_step_of_a_job_belongs_to_its_run(labelled: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    labelled.write("job/begin", run={"id": "whole", "job": "audit"})
    for name, value in Enclosing("whole", "spread").environment().items():
        monkeypatch.setenv(name, value)
    found = statistic("disparity")
    save_measurements(labelled, found, found(labelled), {"source": None, "measure": "sentiment"})
    rows = labelled.rows("job/numbers", run="whole")
    assert {row["step"] for row in rows} == {"spread"}
    assert len(rows) == 4 * len(found(labelled))


def test_numbers_of_targets(labelled: Graph) -> None:
    found = statistic("overgeneralization")
    save_measurements(labelled, found, found(labelled), {"source": None, "measure": "sentiment"})
    lawyer = history(labelled, "overgeneralization.o_minus", target="lawyer")
    assert list(lawyer["value"]) == [50.0]
    assert lawyer.iloc[0]["value_low"] < 50 < lawyer.iloc[0]["value_high"]
    # The names of before, for one release.
    assert (lawyer.iloc[0]["value_low"], lawyer.iloc[0]["value_high"]) == (
        lawyer.iloc[0]["value_low"],
        lawyer.iloc[0]["value_high"],
    )


def test_the_history_of_some_measures(labelled: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    found = statistic("disparity")
    for measure in ("sentiment", "regard", "opinion"):
        save_measurements(labelled, found, found(labelled), {"source": "kb", "measure": measure})
    assert set(history(labelled, measures=("regard", "opinion"))["measure"]) == {"regard", "opinion"}
    assert main(["stats", "history", "--measure", "regard", "--measure", "opinion", "-o", "json"]) == 0
    assert {row["measure"] for row in json.loads(capsys.readouterr().out)} == {"regard", "opinion"}


@pytest.mark.parametrize("width", [60, 80, 100, 160])
def test_a_history_shows_what_tells_its_rows_apart(
    labelled: Graph, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    disparity, rates = statistic("disparity"), statistic("overgeneralization")
    for measure in ("sentiment", "regard"):
        save_measurements(labelled, disparity, disparity(labelled), {"source": "kb", "measure": measure})
        save_measurements(labelled, rates, rates(labelled), {"source": "text", "measure": measure})
    assert main(["stats", "history"]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= width
    joined = "".join(out.split())
    for word in ("sentiment", "regard", "kb", "text", "religion", "lawyer", "overgeneraliz"):
        assert word in joined


def test_a_run_keeps_the_lists_and_sources_that_it_stands_on(labelled: Graph) -> None:
    found = statistic("disparity")
    for parameters in ({"source": "kb"}, {"source": None}):
        save_measurements(labelled, found, found(labelled), parameters)
    runs = labelled.rows(
        parse("runs", "MATCH (r:Run) RETURN r.lists AS lists, r.sources AS sources ORDER BY r.started_at")
    )
    (listed,) = labelled.target_lists()
    assert [row["lists"] for row in runs] == [[f"{listed.name}@{listed.digest}"]] * 2
    assert [[one.partition("@")[0] for one in row["sources"]] for row in runs] == [["kb"], ["kb", "text"]]
    facts = {one["name"]: one for one in every(labelled)}
    assert runs[0]["sources"] == [f"kb@{facts['kb']['import_id']}"]
