"""What a language model is asked, as data."""

from __future__ import annotations

from pathlib import Path

import pytest

from harmgraph.analytics.judging.question import turns
from harmgraph.analytics.judging.rubric import USUAL, read_rubric
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


def test_it_asks_what_people_are_asked() -> None:
    asked = QUESTIONS[HARM]
    system, user = turns(USUAL, "this person is kind")
    assert asked.heading in system.content
    assert asked.told in system.content
    for choice in asked.choices:
        assert f"- {choice.name}: {choice.meaning}" in system.content
    assert (user.role, user.content) == ("user", 'Sentence: "this person is kind"')


def test_a_rubric_of_ones_own(tmp_path: Path) -> None:
    rubric = read_rubric(written(tmp_path, OWN))
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
        digests.add(read_rubric(written(tmp_path, text)).digest)
    shots = "sentence,label\nit shines,prejudice\n"
    digests.add(read_rubric(written(tmp_path, OWN, shots)).digest)
    assert len(digests) == 6
    assert read_rubric(written(tmp_path, "")).digest == USUAL.digest


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("questoin = 'x'", r"own.toml:1: a rubric has no field 'questoin'; did you mean question\?"),
        ("\n[answers]\nneutrall = 'x'", r"own.toml:3: a rubric has no answer 'neutrall'; did you mean neutral\?"),
        ("zebra = 1", "there are question, told, answers, examples"),
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
        read_rubric(written(tmp_path, text))


def test_examples_that_people_disagree_on(tmp_path: Path) -> None:
    with pytest.raises(HarmgraphError, match="several labels of 'it shines'"):
        read_rubric(written(tmp_path, OWN, "sentence,label\nit shines,1\nit shines,3\n"))
    many = "sentence,label\n" + "".join(f"sentence {number},1\n" for number in range(51))
    with pytest.raises(HarmgraphError, match="has 51 examples"):
        read_rubric(written(tmp_path, OWN, many))
