"""Every scorer goes through the same cases; one without metadata fails."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harmgraph.analytics.labelling.label import checked_measure
from harmgraph.common.errors import BadName
from harmgraph.common.scorer import NEGATIVE, NEUTRAL, POSITIVE, scorers
from harmgraph.models.classifier.learnt.learning import learn
from harmgraph.models.classifier.learnt.votes import JudgedText
from tests.support import tiny_model
from tests.support.scripted_endpoint import ScriptedEndpoint

VOTES = {"kind": (2, 1, 0), "here": (0, 3, 0), "awful": (0, 1, 2)}
TEXTS = [
    "this person is kind",
    "this person is awful",
    "this person is here",
    "",
    "¡ñ! 日本 💔",
    "x" * 5_000,
    "this person is kind",
]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model.save(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="module")
def learnt(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A scorer that learnt from people."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARMGRAPH_HOME", str(tmp_path_factory.mktemp("home")))
        said = [(f"this person is {word} {n}", votes, (f"t{n}",)) for n in range(20) for word, votes in VOTES.items()]
        learn("people", [JudgedText(*each) for each in said], ("people.csv",), str(model), resamples=2)
        yield "people"


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint() as there:
        yield there


@pytest.fixture
def options(name: str, model: Path, server: ScriptedEndpoint, request: pytest.FixtureRequest) -> dict[str, Any]:
    """A scorer that runs a model gets a tiny one, since its default stands on a hub; one that asks a server, a scripted one."""
    scorer = scorers.get(name)
    if name == "learnt":
        return scorer.chosen({"model": request.getfixturevalue("learnt")})
    own = {option.name for option in scorer.options}
    if "endpoint" in own:
        return scorer.chosen({"endpoint": server.address})
    return scorer.chosen({"model": str(model)} if "model" in own else {})


@pytest.mark.parametrize("name", scorers.names())
class TestScorer:
    def test_metadata(self, name: str) -> None:
        scorer = scorers.get(name)
        assert scorer.name == name
        assert checked_measure(scorer.measure) == scorer.measure
        assert scorer.version
        assert scorer.citation
        assert scorer.__doc__
        assert all(option.help for option in scorer.options)

    def test_scores(self, name: str, options: dict[str, Any]) -> None:
        scorer = scorers.get(name)
        found = scorer.scores(TEXTS, options)
        assert len(found) == len(TEXTS)
        assert found[0] == found[-1], "equal texts have equal scores"
        assert all(-1 <= score.value <= 1 for score in found if score)
        assert {score.label for score in found if score} <= {POSITIVE, NEUTRAL, NEGATIVE, "other"}
        assert found == scorer.scores(TEXTS, options)
        assert not scorer.scores([], options)

    def test_travels_to_another_process(self, name: str, options: dict[str, Any]) -> None:
        scorer = scorers.get(name)
        copy = pickle.loads(pickle.dumps(scorer))
        assert copy.scores(TEXTS, options) == scorer.scores(TEXTS, options)

    def test_unknown_option(self, name: str) -> None:
        with pytest.raises(BadName, match="is not one of the scorer"):
            scorers.get(name).chosen({"nonsense": 1})
