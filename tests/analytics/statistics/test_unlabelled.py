"""A measure that nobody labelled, statements without a label, and what commands and Python say of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.drawing.numbers import Numbers, chosen_measures
from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.statistics.statistic import statistic, statistic_names
from harmgraph.common.errors import NotFound
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import parse
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import default_targets, pipeline
from harmgraph.loader.reading.plan import Plan

LINES = ("lawyer\tIsA\tdishonest liar", "lawyer\tIsA\tawful cheat", "nurse\tIsA\tkind person", "teacher\tIsA\tperson")
TAKE_MEASURES = [name for name in statistic_names() if statistic(name).measures]
NEEDED: dict[str, dict[str, str]] = {
    "examples": {"target": "lawyer"},
    "words": {"target": "lawyer"},
    "called": {"word": "person"},
    "compare": {"source": "kb", "other": "kb"},
    "amplification": {"source": "kb", "other": "kb"},
}
UNKNOWN = "no measure named 'sentimnt' in the graph; near: sentiment"


def load(graph: Graph, folder: Path, source: str, *lines: str) -> None:
    path = folder / f"{source}.tsv"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    default_targets.ensure(graph)
    pipeline.load(graph, Plan(importers.get("triples"), (path,), source))


@pytest.fixture
def loaded(graph: Graph, tmp_path: Path) -> Graph:
    load(graph, tmp_path, "kb", *LINES)
    return graph


@pytest.fixture
def labelled(loaded: Graph) -> Graph:
    label(loaded, scorers.get("vader"))
    return loaded


@pytest.fixture(scope="class")
def standing(connection: Graph, tmp_path_factory: pytest.TempPathFactory) -> Graph:
    """The source, labelled, and one that came later and is not, for all tests of a class: they change nothing."""
    folder = tmp_path_factory.mktemp("standing")
    connection.autocommit("schema/wipe")
    load(connection, folder, "kb", *LINES)
    label(connection, scorers.get("vader"))
    load(connection, folder, "other", "nurse\tIsA\tweak person", "lawyer\tIsA\tperson", "nurse\tDesires\tlawyer")
    return connection


def forget(graph: Graph, *heads: str) -> None:
    """Takes the labels of some statements away."""
    query = parse(
        "forget", "MATCH (h)-[r:IS_A]->() WHERE h.text IN $heads SET r.sentiment = null, r.sentiment_by = null"
    )
    graph.write(query, heads=list(heads))


def failed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line of a command that fails; nothing on stdout looks like a result."""
    assert main(list(arguments)) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    [line] = captured.err.splitlines()
    return str(line)


def arguments(name: str) -> list[str]:
    """Those that a statistic needs, as typed: what has no default is not an option."""
    found, needed = statistic(name), NEEDED.get(name, {})
    return [needed[one.name] for one in found.statement.parameters if one.required]


class TestNothingIsWritten:
    @pytest.mark.parametrize("name", TAKE_MEASURES)
    def test_no_statistic_takes_a_measure_that_nobody_labelled(
        self, standing: Graph, name: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for parameter in statistic(name).measures:
            line = failed(capsys, "stats", name, *arguments(name), f"--{parameter}", "sentimnt")
            assert UNKNOWN in line
            with pytest.raises(NotFound, match="near: sentiment"):
                statistic(name)(standing, **NEEDED.get(name, {}), **{parameter: "sentimnt"})

    @pytest.mark.parametrize("name", [name for name in TAKE_MEASURES if statistic(name).labels_all])
    def test_no_statistic_of_a_source_without_labels(
        self, standing: Graph, name: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """The measure stands in the graph, and no statement of this source carries a label of it."""
        given = ["kb", "other"] if name in ("compare", "amplification") else [*arguments(name), "--source", "other"]
        more = {
            "compare_scorers": ["--against", "sentiment"],
            "intersections": ["--categories", "profession", "--min-support", "1"],
        }.get(name, [])
        line = failed(capsys, "stats", name, *given, *more, "--output", "json")
        assert (
            "pairs of a statement and a target has a label of sentiment; label them: harmgraph label SCORER --source other"
            in line
        )

    @pytest.mark.parametrize(
        "command",
        [
            ["report", "--measure", "sentimnt", "--out", "{folder}"],
            ["figure", "bars", "--source", "kb", "--measure", "sentimnt", "--out", "{folder}/bars.svg"],
            ["filter", "--source", "kb", "--measure", "sentimnt", "--out", "{folder}/kept.tsv"],
            ["filter", "--source", "kb", "--measure", "sentiment", "--measure", "sentimnt", "--into", "kept"],
            ["query", "statistics/disparity", "-p", "measure=sentimnt"],
            ["query", "explore/most_harmed", "-p", "measure=sentimnt"],
            ["stats", "overgeneralization", "--corrected", "{people}", "--weigh", "sentimnt"],
        ],
    )
    def test_every_command_that_takes_a_measure(
        self, standing: Graph, command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        people = tmp_path / "people.csv"
        rated = "The nurse is a kind person.,1\nThe lawyer is awful.,3\nA teacher.,2\n"
        people.write_text(f"sentence,label\n{rated}", "utf-8")
        folder = tmp_path / "out"
        filled = [part.format(folder=folder, people=people) for part in command]
        assert UNKNOWN in failed(capsys, *filled)
        assert not folder.exists() or not list(folder.iterdir())

    def test_a_query_of_an_unknown_source(self, standing: Graph, capsys: pytest.CaptureFixture[str]) -> None:
        line = failed(capsys, "query", "explore/most_harmed", "-p", "source=kbb")
        assert line == "harmgraph: no source named 'kbb' in the graph; near: kb"

    def test_the_measures_of_a_report(self, standing: Graph) -> None:
        numbers: Any = Numbers(standing)
        assert chosen_measures(numbers, ("kb",), ()) == ("sentiment",)
        with pytest.raises(NotFound, match="near: sentiment"):
            chosen_measures(numbers, ("kb",), ("sentiment", "sentimnt"))


def test_nothing_is_labelled_at_all(loaded: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    assert "nothing is labelled: run 'harmgraph label'" in failed(capsys, "stats", "disparity", "--output", "json")
    # In Python the frame says itself what it rests on.
    frame = statistic("disparity")(loaded)
    assert (frame["unlabelled"] == frame["pairs"]).all()


@pytest.mark.parametrize(("limit", "code"), [("25%", 0), ("0.2499", 1), ("0", 1), ("100%", 0)])
def test_a_share_of_unlabelled_statements(
    labelled: Graph, limit: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    forget(labelled, "nurse")  # one of four
    for name, more in (("disparity", ()), ("regions", ()), ("compare", ("kb", "kb"))):
        assert main(["stats", name, *more, "--max-unlabelled", limit, "--output", "json"]) == code
        captured = capsys.readouterr()
        if code:
            assert captured.out == ""
            assert "1 of the 4 pairs of a statement and a target (25 %) have no label of sentiment, and" in captured.err
            assert "or raise --max-unlabelled" in captured.err
        else:
            json.loads(captured.out)
            assert "1 pairs of a statement and a target have no label of sentiment" in captured.err


def test_too_many_are_not_kept_either(labelled: Graph) -> None:
    forget(labelled, "nurse")
    assert main(["stats", "disparity", "--save", "--max-unlabelled", "5%"]) == 1
    assert labelled.rows("measure/history") == []


def test_without_the_option_a_share_is_a_warning(labelled: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    forget(labelled, "nurse")
    assert main(["stats", "overgeneralization"]) == 0
    assert (
        "1 pairs of a statement and a target have no label of sentiment and count as neutral" in capsys.readouterr().err
    )


def test_a_statistic_without_a_measure_has_no_such_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "representation", "--max-unlabelled", "5%"]) == 2
    assert "No such option" in capsys.readouterr().err
