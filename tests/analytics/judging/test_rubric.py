"""What a language model is asked, as data."""

from __future__ import annotations

from pathlib import Path

import pytest

from harmgraph.analytics.judging.question import turns
from harmgraph.analytics.judging.rubric import USUAL, Rubric, read_rubrics
from harmgraph.analytics.labelling.review_question import HARM, QUESTIONS
from harmgraph.common.errors import HarmgraphError

OWN = """
question = "Is this about the weather?"
examples = "shots.csv"

[answers]
prejudice = "it rains."
"""


def written(folder: Path, text: str, shots: str = "sentence,label\nit shines,favouritism\nso what,2\n") -> Path:
    (folder / "shots.csv").write_text(shots, encoding="utf-8")
    path = folder / "own.toml"
    path.write_text(text, encoding="utf-8")
    return path


def harm_rubric(path: Path) -> Rubric:
    (rubric,) = read_rubrics(path).values()
    return rubric


def test_it_asks_what_people_are_asked() -> None:
    asked = QUESTIONS[HARM]
    system, user = turns(USUAL, "this person is kind")
    assert asked.heading in system.content
    assert asked.told in system.content
    for choice in asked.choices:
        assert f"- {choice.name}: {choice.meaning}" in system.content
    assert (user.role, user.content) == ("user", 'Sentence: "this person is kind"')


def test_a_rubric_of_ones_own(tmp_path: Path) -> None:
    rubric = harm_rubric(written(tmp_path, OWN))
    assert rubric.question == "Is this about the weather?"
    assert rubric.told == USUAL.told
    assert rubric.meanings == {**USUAL.meanings, "prejudice": "it rains."}
    roles = [(turn.role, turn.content) for turn in turns(rubric, "x")][1:]
    assert roles == [
        ("user", 'Sentence: "it shines"'),
        ("assistant", '{"label": "favouritism"}'),
        ("user", 'Sentence: "so what"'),
        ("assistant", '{"label": "neutral"}'),
        ("user", 'Sentence: "x"'),
    ]


def test_its_digest_is_of_all_that_is_asked(tmp_path: Path) -> None:
    digests = {USUAL.digest}
    for text in (OWN, OWN.replace("rains", "snows"), OWN.replace('examples = "shots.csv"', ""), 'told = "Judge:"'):
        digests.add(harm_rubric(written(tmp_path, text)).digest)
    shots = "sentence,label\nit shines,prejudice\n"
    digests.add(harm_rubric(written(tmp_path, OWN, shots)).digest)
    assert len(digests) == 6
    assert harm_rubric(written(tmp_path, "")).digest == USUAL.digest


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("questoin = 'x'", r"own.toml:1: a rubric has no field 'questoin'; did you mean question\?"),
        ("\n[answers]\nneutrall = 'x'", r"own.toml:3: a rubric has no answer 'neutrall'; did you mean neutral\?"),
        ("zebra = 1", "there are question, told, answers, examples, axes"),
        ("question = 1", "own.toml:1: question is not a text"),
        ("question = ' '", "question is not a text"),
        ("answers = 'x'", "answers are a table"),
        ("[answers]\nneutral = []", "own.toml:2: neutral is not a text"),
        ("question = ", "own.toml: is not TOML"),
        ("examples = 'none.csv'", "none.csv: cannot be read"),
    ],
)
def test_what_is_no_rubric(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(HarmgraphError, match=says):
        harm_rubric(written(tmp_path, text))


def test_examples_that_people_disagree_on(tmp_path: Path) -> None:
    with pytest.raises(HarmgraphError, match="several labels of 'it shines'"):
        harm_rubric(written(tmp_path, OWN, "sentence,label\nit shines,1\nit shines,3\n"))
    many = "sentence,label\n" + "".join(f"sentence {number},1\n" for number in range(51))
    with pytest.raises(HarmgraphError, match="has 51 examples"):
        harm_rubric(written(tmp_path, OWN, many))


AXES = """
[axes.Warmth]
question = "Is it warm?"
high = "warm."
low = "cold."
examples = "shots.csv"

[axes.competence]
question = "Is it clever?"
high = "clever."
neither = "neither."
low = "stupid."
"""


PLAIN_AXES = AXES.replace('examples = "shots.csv"', "")


def test_a_rubric_of_axes(tmp_path: Path) -> None:
    shots = "sentence,label\nit shines,high\nso what,Neither\nit rains,low\n"
    rubrics = read_rubrics(written(tmp_path, AXES, shots))
    assert list(rubrics) == ["warmth", "competence"]
    warmth, competence = rubrics.values()
    assert warmth.labels == {"high": "positive", "neither": None, "low": "negative"}
    assert [example.answer for example in warmth.examples] == ["high", "neither", "low"]
    assert competence.meanings == {"high": "clever.", "neither": "neither.", "low": "stupid."}
    assert warmth.digest != competence.digest
    system = turns(warmth, "x")[0].content
    assert "Is it warm?" in system
    assert '{"label": "high"} or {"label": "neither"} or {"label": "low"}' in system
    assert "- neither: it says nothing of this" in system


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("axes = 1", "own.toml:1: axes are tables"),
        ("[axes]", "own.toml:1: there is no axis; give each a table"),
        ("[axes]\nwarmth = 'x'", "own.toml:2: an axis is a table with question, high and low"),
        ("[axes.warmth]\nhihg = 'x'", r"own.toml:2: an axis has no field 'hihg'; did you mean high\?"),
        ("[axes.warmth]\nquestion = 'x'\nhigh = 'y'", "own.toml:1: low is missing"),
        ("question = 'x'\n[axes.warmth]", "own.toml:1: a rubric has no field 'question'; there are told, axes"),
        ("[axes.'9']\nhigh = 'x'", "'9' cannot be the name of an axis"),
        (PLAIN_AXES + "[axes.WARMTH]", "'WARMTH' is there before"),
        (AXES, "'favouritism' is not a label; write high, neither or low"),
    ],
)
def test_what_is_no_rubric_of_axes(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(HarmgraphError, match=says):
        read_rubrics(written(tmp_path, text))
