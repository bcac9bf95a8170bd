"""Workers of a cluster score as this machine does, or the command stops and says what a worker lacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from harmgraph.common.engines.cluster_workers import ClusterWorkers
from harmgraph.common.errors import EngineError
from harmgraph.common.scorer import NEUTRAL, Score, Scorer, scorers
from tests.support.memory_cluster import MemoryCluster

TEXTS = ["a kind word", "an awful word", "a word", "kind and awful"] * 200


class Installed(Scorer):
    """A scorer of which another version is installed later."""

    name = "installed"
    measure = "installed"
    citation = "of this test"

    def __init__(self) -> None:
        self.here = "1"

    @property
    def version(self) -> str:
        return self.here

    def scores(self, texts: Sequence[str], options: Mapping[str, Any]) -> list[Score]:
        return [Score(NEUTRAL, 0.0)] * len(texts)


@pytest.fixture
def lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists of words in the folder of the command."""
    monkeypatch.chdir(tmp_path)
    Path("good.txt").write_text("kind\n")
    Path("bad.txt").write_text("awful\n")
    Path("words.tsv").write_text("good\tkind\nbad\tawful\n")
    Path("people.csv").write_text("sentence,label\na kind word,1\nan awful word,3\n")


@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize(
    ("scorer", "given"),
    [
        ("opinion", {"positive": "good.txt", "negative": "bad.txt"}),
        ("keyword", {"dictionary": "words.tsv", "positive": "good", "negative": "bad"}),
        ("keyword", {}),
        ("human", {"csv": "people.csv"}),
        ("vader", {}),
    ],
)
def test_files_named_in_the_folder_of_the_command(scorer: str, given: dict[str, str]) -> None:
    chosen = scorers.get(scorer)
    options = chosen.chosen(given)
    assert ClusterWorkers(chosen, options, MemoryCluster()).scores(TEXTS) == list(chosen.scores(TEXTS, options))


def test_a_worker_that_would_score_otherwise() -> None:
    scorer = Installed()
    workers = ClusterWorkers(scorer, {}, MemoryCluster())
    assert len(workers.scores(TEXTS)) == len(TEXTS)
    scorer.here = "2"
    with pytest.raises(EngineError, match=r"a worker would score with installed@2, not installed@1; install the same"):
        workers.scores(TEXTS)


@pytest.mark.usefixtures("lists")
def test_a_worker_without_a_file() -> None:
    opinion = scorers.get("opinion")
    options = opinion.chosen({"positive": "good.txt", "negative": "bad.txt"})
    workers = ClusterWorkers(opinion, options, MemoryCluster())
    Path("bad.txt").unlink()
    with pytest.raises(EngineError, match=r"/bad.txt: a worker cannot score \(.*\); every worker needs the same"):
        workers.scores(TEXTS)
