"""Frames of the statements of a source stand in a source of their own, and are not mistaken for those of people."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.__main__ import main
from harmgraph.common.errors import BadName, InputError, NotFound
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import sources
from harmgraph.graph.records import Statement, Target
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import pipeline
from harmgraph.loader.reading.plan import Plan
from harmgraph.models.language.frames import named_frame_model, stored
from harmgraph.models.language.frames.frame import Frame
from harmgraph.models.language.frames.generative.search import Search
from harmgraph.models.language.frames.posts import from_files
from harmgraph.models.language.frames.predicting import BROKEN, EQUAL, SAMPLED, UNKNOWN, UNSTORABLE, predict_into
from harmgraph.models.language.frames.recipe import GENERATIVE, recipe_for
from tests.support import sbic
from tests.support.filling import fill, triple

pytestmark = pytest.mark.usefixtures("without_frame_models")
FRAMES = {
    "woman has the property careless": Frame((1, 1, 0, 1, 0), (1,) * 5, "Women, aliens", "women are careless", -1.0),
    "the baker sleeps": Frame((0, 0, 0, None, None), (0,) * 5, "", "", -1.0),
    "women are awful": Frame((1, 0, 0, 1, 0), (1,) * 5, "women", "", -1.0),
}


@pytest.fixture
def knowledge(graph: Graph, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Graph:
    """A knowledge base, posts of people, and a model that says ``FRAMES``."""
    recipe = recipe_for(GENERATIVE, "new:tiny", {"epochs": 1, "context": 96, "vocabulary": 300})
    named_frame_model.train("sayer", from_files([file]), "new:tiny", recipe, threads=1)
    fill(graph, Target("woman", "gender"), source="groups")
    fill(graph, triple("woman", "HasProperty", "careless"), Statement("the baker sleeps"), source="kb")
    path = sbic.written(tmp_path)
    pipeline.load(graph, Plan(importers.get("sbic"), (path,), "sbic"))

    def predicted(name: str, texts: Sequence[str], *arguments: Any, **options: Any) -> list[Frame]:
        return [FRAMES[text] for text in texts]

    monkeypatch.setattr(named_frame_model, "predicted", predicted)
    return graph


def numbers(graph: Graph, source: str | None) -> dict[str, Any]:
    return {row["what"]: row["n"] for row in graph.rows("statistics/frames", source=source, origin=None)}


def test_frames_stand_in_a_source_of_their_own(knowledge: Graph) -> None:
    people = numbers(knowledge, None)
    digest = knowledge.rows("digest/nodes")
    done = predict_into(knowledge, "sayer", "kb", "kb-frames", Search())
    assert (done.statements, done.posts, done.offensive, done.implications, done.again) == (2, 2, 1, 1, False)
    assert done.left_out == {UNKNOWN: 1}
    assert numbers(knowledge, None) == people == numbers(knowledge, "sbic"), "people's frames alone, if none is named"
    said = numbers(knowledge, "kb-frames")
    assert (said["posts"], said["posts with a group"], said["annotations of a post by a person"]) == (2, 1, 0)
    (row,) = knowledge.rows("statistics/frame_examples", source="kb-frames", target="woman", origin=None, limit=9)
    assert (row["post"], row["implied"], row["offensive"], row["origin"]) == (
        "woman has the property careless",
        ["women are careless"],
        "yes",
        "kb",
    )
    (post,) = knowledge.rows("statistics/frame_groups", source="kb-frames", category=None, each=3)
    assert (post["category"], post["target"], post["posts"]) == ("gender", "woman", 1)
    facts = sources.facts(knowledge, "kb-frames")
    assert facts["importer"] == "frames predict@1"
    (model,) = (row["model"] for row in knowledge.rows("model/list"))
    assert (model["family"], model["sha256"]) == ("frames", stored.config("sayer").sha256)
    again = predict_into(knowledge, "sayer", "kb", "kb-frames", Search())
    assert again.again
    assert numbers(knowledge, "kb-frames") == said
    assert main(["source", "drop", "kb-frames", "--yes"]) == 0
    left = [row["labels"] for row in knowledge.rows("digest/nodes") if row not in digest]
    assert left == [["Model"]], "what was predicted is gone"


def test_examples_of_a_target_have_the_frames_of_its_statements(knowledge: Graph) -> None:
    fill(knowledge, triple("woman", "HasProperty", "careless"), Statement("women are awful", "woman"), source="other")
    predict_into(knowledge, "sayer", "kb", "kb-frames", Search())
    predict_into(knowledge, "sayer", "other", "other-frames", Search())
    assert main(["label", "vader", "--source", "kb"]) == main(["label", "vader", "--source", "other"]) == 0

    def implied() -> dict[tuple[str, str], list[str]]:
        rows = knowledge.rows("statistics/examples", target="woman", source=None, measure="sentiment", label=None)
        return {(row["source"], row["statement"]): row["implied"] for row in rows}

    assert implied() == {
        ("kb", "woman HasProperty careless"): ["women: women are careless"],
        ("other", "woman HasProperty careless"): ["women: women are careless"],
        ("other", "women are awful"): ["women"],
    }
    assert main(["source", "drop", "other-frames", "--yes"]) == 0
    assert [texts for (source, _), texts in implied().items() if source == "other"] == [[], []], (
        "of its own source alone"
    )


def test_what_stands_before_the_end_of_a_broken_frame_is_written(
    knowledge: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Frame((None, None, 0, None, None), (None, None, 0, None, None), whole=False)
    monkeypatch.setitem(FRAMES, "the baker sleeps", broken)
    done = predict_into(knowledge, "sayer", "kb", "kb-frames", Search("free"))
    assert (done.posts, done.offensive) == (2, 1)
    assert done.left_out == {UNKNOWN: 1, BROKEN: 1}
    rows = {row["what"]: row["of"] for row in knowledge.rows("statistics/frames", source="kb-frames", origin=None)}
    assert (rows["lewd: posts"], rows["offensive: posts"]) == (2, 1)


def test_an_implied_statement_that_cannot_be_stored_is_left_out(
    knowledge: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = Frame((1, 1, 0, 1, 0), (1,) * 5, "Women", "women are\x00careless", -1.0)
    monkeypatch.setattr(named_frame_model, "predicted", lambda name, texts, *_, **__: [frame for _ in texts])
    done = predict_into(knowledge, "sayer", "kb", "kb-frames", Search())
    assert (done.posts, done.implications, done.left_out) == (2, 0, {UNSTORABLE: 2})


def test_fewer_statements_leave_no_old_ones(knowledge: Graph) -> None:
    predict_into(knowledge, "sayer", "kb", "said", Search())
    fill(knowledge, Statement("the  baker sleeps"), source="kb2")
    done = predict_into(knowledge, "sayer", "kb", "said", Search(), limit=1)
    assert (done.posts, done.left_out.get(SAMPLED), done.left_out.get(EQUAL)) == (1, 1, None)
    assert numbers(knowledge, "said")["posts"] == 1


def test_what_cannot_be(knowledge: Graph) -> None:
    for into, source, error in (("sbic", "kb", BadName), ("kb", "kb", BadName), ("new", "nothing", NotFound)):
        with pytest.raises(error):
            predict_into(knowledge, "sayer", source, into, Search())
    assert not sources.find(knowledge, "new")
    knowledge.write("model/register", name="sayer", facts={"family": "transe"}, sources=[])
    with pytest.raises(InputError, match="a model of another kind"):
        predict_into(knowledge, "sayer", "kb", "new", Search())
