"""A scorer that learns from people: its three numbers, its layer, that nothing leaks, and the command as a user has it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from harmgraph.__main__ import cli
from harmgraph.analytics.agreement.agreement import agreement
from harmgraph.analytics.labelling.ratings import Ratings
from harmgraph.common.errors import BadName, InputError
from harmgraph.common.label_words import PEOPLE_LABELS
from harmgraph.common.scorer import scorers
from harmgraph.models.classifier.learnt.choosing import OUTER, _unheld, judged, parts_of
from harmgraph.models.classifier.learnt.head import Head, calibrated, fitted, softmax
from harmgraph.models.classifier.learnt.learnt_record import FOLDERS, signature
from harmgraph.models.classifier.learnt.learnt_scorer import opened_learnt
from harmgraph.models.classifier.learnt.teacher import Teacher, columns_of, read_teachers
from harmgraph.models.classifier.learnt.three_numbers import NAMES, numbers
from harmgraph.models.classifier.learnt.votes import JudgedText, confusion, people_with_each_other, votes_of

KIND, PLAIN, BAD = "is so kind and good", "is at the station", "is a thief and a liar"


def sentences(targets: int = 40) -> list[tuple[str, str, tuple[int, int, int]]]:
    """Target, sentence and votes: kind ones are mostly favouritism, thieves mostly prejudice."""
    rows = []
    for number in range(targets):
        rows.append((f"group{number}", f"group{number} {KIND} {number}", (2, 1, 0)))
        rows += [(f"group{number}", f"group{number} {PLAIN} {number} {more}", (0, 3, 0)) for more in "ab"]
        rows.append((f"group{number}", f"group{number} {BAD} {number}", (0, 1, 2)))
    return rows


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """A file of people's labels that says whom each sentence is about."""
    path = tmp_path / "people.csv"
    lines = ["sentence,label,target"]
    for target, text, votes in sentences():
        lines += [f"{text},{place + 1},{target}" for place, count in enumerate(votes) for _ in range(count)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def run(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(cli, arguments, input=typed)


def complaint(result: Result) -> str:
    """What a user is told on stderr: by click, or of the error that the command ends with."""
    return f"{result.stderr} {result.exception}"


def train(people: Path, encoder: Path, *more: str, name: str = "judge") -> Result:
    options = ("--encoder", str(encoder), "--resamples", "50", "--no-progress", "-o", "json")
    return run("scorer", "train", name, "--from", str(people), *options, *more)


def test_the_three_numbers_are_those_of_agree() -> None:
    generator = np.random.default_rng(5)
    votes = generator.integers(0, 3, size=(60, 3))
    votes[:, 1] += 1
    labels = generator.integers(-1, 3, size=60)
    ratings = Ratings({str(row): tuple(map(int, each)) for row, each in enumerate(votes)})  # type: ignore[misc]
    said = {str(row): PEOPLE_LABELS[label] for row, label in enumerate(labels) if label >= 0}
    expected = agreement(ratings, said, resamples=0).values
    found = numbers(confusion(votes.astype(float), labels).sum(axis=0))
    assert found.tolist() == pytest.approx([expected[name] for name in NAMES])


def test_a_person_is_compared_with_each_other_person() -> None:
    pairs = people_with_each_other(np.array([[2.0, 1.0, 0.0], [0.0, 1.0, 0.0]]))
    assert pairs[0].tolist() == [[2, 2, 0, 0], [2, 0, 0, 0], [0, 0, 0, 0]]
    assert not pairs[1].any(), "one label has no other"


def test_the_layer_gives_the_shares_of_peoples_labels() -> None:
    votes = np.array([[2.0, 1.0, 1.0]] * 50 + [[0.0, 1.0, 3.0]] * 50)
    table = np.array([[1.0, 0.0]] * 50 + [[0.0, 1.0]] * 50)
    probabilities = fitted(table, votes, 1e4).probabilities(table)
    assert probabilities[0] == pytest.approx([0.5, 0.25, 0.25], abs=0.01)
    assert probabilities[-1] == pytest.approx([0.0, 0.25, 0.75], abs=0.01)


def test_one_label_alone_is_always_said() -> None:
    head = fitted(np.ones((4, 1)), np.array([[0.0, 3.0, 0.0]] * 4), 1.0)
    assert head.probabilities(np.ones((1, 1)))[0] == pytest.approx([0, 1, 0])


def test_two_labels_alone_can_be_learnt() -> None:
    votes = np.array([[0.0, 3.0, 1.0]] * 30)
    assert fitted(np.ones((30, 1)), votes, 1e4).probabilities(np.ones((1, 1)))[0] == pytest.approx(
        [0, 0.75, 0.25], abs=0.01
    )


def test_a_layer_that_is_too_sure_is_cooled() -> None:
    votes = np.array([[3.0, 1.0, 0.0], [0.0, 4.0, 0.0], [0.0, 1.0, 3.0]] * 20)
    sure = 12 * (votes > 1)
    head = calibrated(Head(np.zeros((3, 1)), np.zeros(3)), sure, votes)
    assert head.temperature > 2
    assert abs(softmax(sure, head.temperature)[0, 0] - 0.75) < abs(softmax(sure)[0, 0] - 0.75)


def test_a_rare_label_gets_a_shift() -> None:
    votes = np.array([[2.0, 3.0, 0.0]] * 20 + [[0.0, 5.0, 0.0]] * 80)
    logits = np.log(np.maximum(votes, 0.1))
    head = calibrated(Head(np.zeros((3, 1)), np.zeros(3)), logits, votes)
    assert head.shift[0] > 1.5
    assert head.labels(softmax(logits))[0] == 0


def test_neither_a_target_nor_a_text_is_on_both_sides() -> None:
    examples = [
        JudgedText(f"text {number}" if number % 9 else "same", (0, 1, 0), tuple({f"t{number % 30}", f"t{number % 11}"}))
        for number in range(200)
    ]
    parts = parts_of(examples, OUTER, 0)
    assert len(set(parts)) == OUTER
    for part in range(OUTER):
        held = parts == part
        learnt = _unheld(examples, held)
        inside = [example for example, out in zip(examples, held, strict=True) if out]
        outside = [example for example, use in zip(examples, learnt, strict=True) if use]
        assert not {name for one in inside for name in one.about} & {name for one in outside for name in one.about}
        assert not {one.text for one in inside} & {one.text for one in outside}


def test_labels_dealt_out_at_random_are_not_learnt() -> None:
    generator = np.random.default_rng(0)
    labels = generator.integers(0, 3, size=240)
    examples = [
        JudgedText(f"t{number}", tuple(np.eye(3, dtype=int)[label].tolist()), (f"target {number // 4}",))  # type: ignore[arg-type]
        for number, label in enumerate(labels)
    ]
    said, _, _ = judged(examples, generator.normal(size=(240, 20)), votes_of(examples), seed=0)
    accuracy = float((said == labels).mean())
    assert accuracy < 0.45, "by chance a third are right, with a deviation of .03"


def test_teachers_are_read_with_their_options() -> None:
    first, second = read_teachers(["vader", "keyword positive=trust,joy"])
    assert (first, second) == (Teacher("vader"), Teacher("keyword", {"positive": "trust,joy"}))
    with pytest.raises(BadName, match="cannot teach"):
        read_teachers(["learnt model=x"])
    for wrong in ("keyword positive", "keyword positive=joy positive=trust"):
        with pytest.raises(BadName, match="give each option once"):
            read_teachers([wrong])
    with pytest.raises(BadName, match="twice"):
        read_teachers(["vader", "vader"])


def test_a_teacher_of_another_version_is_refused() -> None:
    teacher = Teacher("vader").signed()
    teacher.check()
    with pytest.raises(InputError, match=r"it learnt from vader@1\.0, which is vader@.* now"):
        Teacher("vader", {}, "vader@1.0").check()


def test_what_a_teacher_says_has_a_column() -> None:
    said = Teacher("vader").says(["this person is kind", "this person sits"])
    table = columns_of([*said, None])
    assert table[0, 0] > 0.4
    assert table[:, 1:].tolist() == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]


def test_a_user_trains_it_and_labels_with_it(own_home: Path, people: Path, encoder: Path) -> None:
    told = train(people, encoder)
    assert told.exit_code == 0, told.output
    known = json.loads(told.stdout)
    own = known["scores"][0]
    assert (own["who"], own["n"]) == ("judge", 480)
    assert own["accuracy"] == pytest.approx(400 / 480), "whoever knows the commonest label of each is right this often"
    assert own["favouritism_f1"] > 0.5 < own["prejudice_f1"]
    assert [gain["who"] for gain in known["gains"]] == [score["who"] for score in known["scores"][1:]]
    assert known["scores"][-1]["who"] == "people, one another"
    assert 0 <= known["error"] < 0.2
    assert "harmgraph label learnt --model judge" in told.stderr
    card = (FOLDERS.of("judge") / "README.md").read_text("utf-8")
    assert "480 labels of 160 sentences about 40 targets" in card

    scorer = scorers.get("learnt")
    options = scorer.chosen({"model": "judge"})
    texts = [f"this person {what} 3" for what in (KIND, PLAIN, BAD)]
    scores = scorer.scores(texts, options)
    assert [score.label for score in scores if score] == ["positive", "neutral", "negative"]
    assert scores[0] and scores[2] and scores[0].value > 0.2 > -0.2 > scores[2].value
    assert scorer.by(options) == f"learnt@1({signature('judge')})"

    agreed = run("agree", "--csv", str(people), "--scorer", "learnt", "--scorer-option", "model=judge", "-o", "json")
    assert json.loads(agreed.stdout)["accuracy"] > 0.6
    listed = json.loads(run("scorer", "list", "-o", "json").stdout)
    assert [(row["scorer"], row["label_with"], row["data"]) for row in listed] == [("judge", "learnt", "people.csv")]


def test_the_same_again_does_nothing_and_gives_the_same_bits(own_home: Path, people: Path, encoder: Path) -> None:
    train(people, encoder)
    before = opened_learnt("judge")
    again = train(people, encoder)
    assert again.exit_code == 0
    assert "already trained" in again.stderr
    assert train(people, encoder, "--again").exit_code == 0
    after = opened_learnt("judge")
    assert np.array_equal(before.head.weights, after.head.weights)
    assert before.head.shift == after.head.shift


def test_other_labels_need_again(own_home: Path, people: Path, encoder: Path) -> None:
    train(people, encoder)
    people.write_text(people.read_text("utf-8").replace(",3,", ",2,"), encoding="utf-8")
    told = train(people, encoder)
    assert told.exit_code == 1
    assert "other labels or with other options" in complaint(told)
    assert train(people, encoder, "--again").exit_code == 0


def test_silver_labels_are_a_feature(own_home: Path, people: Path, encoder: Path, tmp_path: Path) -> None:
    silver = tmp_path / "silver.tsv"
    silver.write_text("".join(f"1\tthe {KIND} {n}\n0\tthe {PLAIN} {n}\n" for n in range(30)), encoding="utf-8")
    unsaid = train(people, encoder, "--silver", str(silver))
    assert "whether 0 is negative or neutral" in complaint(unsaid)
    told = train(people, encoder, "--silver", str(silver), "--labels", "0=neutral,1=positive")
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["silver"] == [{"file": "silver.tsv", "examples": 60}]
    assert len(opened_learnt("judge").features.silver) == 1
    plain = train(people, encoder, name="plain")
    assert plain.exit_code == 0
    assert opened_learnt("plain").head.weights.shape[1] + 1 == opened_learnt("judge").head.weights.shape[1]


def test_bad_input_is_one_line(own_home: Path, people: Path, encoder: Path, tmp_path: Path) -> None:
    few = tmp_path / "few.csv"
    few.write_text("sentence,label\na thief,3\na nurse,2\n", encoding="utf-8")
    assert "people's labels are about 2 targets" in complaint(train(few, encoder))
    both = run("scorer", "train", "x", "--data", str(few), "--from", str(few))
    assert both.exit_code == 2
    assert "Give --data FILE, or --from PATH." in both.stderr
    tuned = train(people, encoder, "--epochs", "3")
    assert tuned.exit_code == 2
    assert "--epochs do not go with --from" in tuned.stderr
    taught = run("scorer", "train", "x", "--data", str(few), "--teacher", "vader")
    assert "--teacher do not go with --data" in taught.stderr
    limited = train(people, encoder, "--limit", "3")
    assert "--labels and --limit are of --silver FILE" in limited.stderr
    unknown = train(people, encoder, "--teacher", "vadr")
    assert unknown.exit_code == 1
    assert "vadr" in complaint(unknown)
    no_model = run("agree", "--csv", str(people), "--scorer", "learnt")
    assert "train one: harmgraph scorer train --from" in complaint(no_model)


def test_it_is_removed_and_its_name_is_its_own(own_home: Path, people: Path, encoder: Path, tmp_path: Path) -> None:
    train(people, encoder)
    data = tmp_path / "data.tsv"
    data.write_text("".join(f"t{n}\t{n % 2}\ttext {n}\nt{n}\t-1\tother {n}\n" for n in range(40)), encoding="utf-8")
    taken = run("scorer", "train", "judge", "--data", str(data), "--encoder", str(encoder), "--epochs", "1")
    assert taken.exit_code == 1
    assert "a scorer of this name was trained on other data" in complaint(taken)
    assert run("scorer", "rm", "judge", "--yes").exit_code == 0
    assert json.loads(run("scorer", "list", "-o", "json").stdout) == []
