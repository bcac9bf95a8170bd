"""Saved numbers come back over time."""

from __future__ import annotations

from analytics.measurements import history, save
from analytics.statistics import statistic
from graph.connection import Graph
from tests.analytics.test_statistics import labelled

__all__ = ["labelled"]


def test_save_and_history(labelled: Graph) -> None:
    found = statistic("disparity")
    frame = found(labelled, source="kb")
    first = save(labelled, found, frame, {"source": "kb", "measure": "sentiment"})
    second = save(labelled, found, frame, {"source": "kb", "measure": "sentiment"})
    assert first != second
    over_time = history(labelled, "disparity.d_r", category="all", source="kb")
    assert len(over_time) == 2
    assert list(over_time["value"]) == [frame.iloc[0]["d_r"]] * 2
    assert list(over_time["n"]) == [10, 10]
    assert list(over_time["at"]) == sorted(over_time["at"])


def test_numbers_of_targets(labelled: Graph) -> None:
    found = statistic("overgeneralization")
    save(labelled, found, found(labelled), {"source": None, "measure": "sentiment"})
    lawyer = history(labelled, "overgeneralization.o_minus", target="lawyer")
    assert list(lawyer["value"]) == [50.0]
    assert lawyer.iloc[0]["low"] < 50 < lawyer.iloc[0]["high"]
