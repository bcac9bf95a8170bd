"""The plain report: what stands in it, and that nothing a knowledge base says breaks it."""

from __future__ import annotations

from pathlib import Path

import pytest

from analytics.label import label
from analytics.report import write
from analytics.scorer import scorers
from graph.connection import Graph
from graph.errors import InputError, NoSpace, NotFound
from graph.records import Concept, Target, Triple
from tests.analytics.test_label import fill
from tests.analytics.test_statistics import labelled

__all__ = ["labelled"]


def finished(graph: Graph, *names: str) -> None:
    for name in names:
        graph.write("source/finish", name=name, import_id="i", counts='{"duplicates": 0, "rejected": 0}', summary="{}")


def test_report(labelled: Graph, tmp_path: Path) -> None:
    finished(labelled, "kb", "text")
    page = write(labelled, ["kb", "text"], tmp_path / "out")
    text = page.read_text(encoding="utf-8")
    assert "Lawyers are awful." in text
    assert "dishonest man" in text
    assert "http://" not in text
    assert "<script" not in text
    assert "40.0 <span" in text  # O- of lawyer in kb


def test_hostile_names_are_text(graph: Graph, tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    fill(graph, Target(evil, "profession"), Triple(Concept(evil), "IsA", Concept("awful </style><img src=x>")))
    finished(graph, "s")
    label(graph, scorers.get("vader"))
    text = write(graph, ["s"], tmp_path).read_text(encoding="utf-8")
    assert "<script>alert" not in text
    assert "<img" not in text
    assert "&lt;script&gt;alert(1)" in text


def test_errors(graph: Graph, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no source named 'kb'"):
        write(graph, ["kb"], tmp_path)
    fill(graph, Target("lawyer", "profession"), source="kb")
    finished(graph, "kb")
    (tmp_path / "file").write_text("")
    with pytest.raises(NoSpace, match="cannot be written"):
        write(graph, ["kb"], tmp_path / "file")


def test_what_is_not_labelled_or_not_finished_is_said(labelled: Graph, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not finished"):
        write(labelled, ["kb"], tmp_path)
    finished(labelled, "kb", "text")
    with pytest.raises(InputError, match="no statement carries a label of nonsense"):
        write(labelled, ["kb"], tmp_path, measure="nonsense")
