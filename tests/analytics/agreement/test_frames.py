"""Agreement of annotators of social bias frames: by another library, by hand, and on the real file."""

from __future__ import annotations

import json
from pathlib import Path

import krippendorff
import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.stats import t

from harmgraph.__main__ import main
from harmgraph.analytics.agreement.annotators import SAID
from harmgraph.analytics.agreement.frames import (
    BINARY,
    GIVEN,
    NAMED,
    OR_NONE,
    Answers,
    FrameAgreement,
    frame_agreement,
    read_answers,
)
from harmgraph.common.errors import UnreadableFile
from harmgraph.common.frames import VARIABLES
from tests.support import sbic


def by_name(answers: Answers, **options: int) -> dict[tuple[str, str], FrameAgreement]:
    return {(found.variable, found.answers): found for found in frame_agreement(answers, **options)}


def test_the_answers_of_a_file(tmp_path: Path) -> None:
    answers = read_answers(sbic.written(tmp_path))
    assert (answers.posts, answers.annotations, answers.repeated, answers.contradicting) == (4, 9, 2, 0)
    # DRIVE, RUN, LUNCH, RUDE: no, maybe, yes.
    assert answers.counts["offensive"].tolist() == [[1, 0, 2], [0, 3, 0], [1, 0, 0], [0, 0, 1]]
    found = by_name(answers, resamples=10)
    offensive = found["offensive", BINARY]
    assert (offensive.found.units, offensive.found.given, offensive.found.pairs) == (2, 6, 6)
    assert offensive.found.agreement == pytest.approx((1 + 3) / 6)
    assert offensive.found.agreement_interval is None, "two posts are too few"
    assert found["in_group", BINARY].found.alpha is None, "everybody said no"
    assert ("group_targeted", GIVEN) not in found, "it is 0 or 1 as it is given"


def test_rows_that_contradict_are_counted(tmp_path: Path) -> None:
    path = sbic.written(tmp_path, sbic.table([*sbic.ROWS, sbic.drive("7", "", offensive="0.0")]))
    answers = read_answers(path)
    assert (answers.repeated, answers.contradicting) == (3, 1)
    assert answers.counts["offensive"].tolist()[0] == [1, 0, 2]


def drawn() -> Answers:
    generator = np.random.default_rng(5)
    counts = {
        variable.name: generator.multinomial(3, np.ones(len(variable.choices)) / len(variable.choices), size=200)
        for variable in VARIABLES
    }
    counts["lewd"][:30] = [1, 0, 0]  # one answer alone says nothing
    groups = generator.multinomial(3, np.array([0.6, 0.2, 0.1, 0.1]), size=200)
    return Answers(counts, csr_array(groups), 200, 600, 0, 0)


def test_alpha_is_that_of_the_library() -> None:
    answers = drawn()
    found = by_name(answers, resamples=0)
    for variable in VARIABLES:
        counts = answers.counts[variable.name]
        kept = counts[counts.sum(axis=1) > 1]
        if len(variable.choices) > 2:
            expected = krippendorff.alpha(value_counts=kept, level_of_measurement="nominal")
            assert found[variable.name, GIVEN].found.alpha == pytest.approx(expected, abs=1e-12)
        half = np.stack(
            [kept[:, [choice < 0.5 for choice in variable.choices]].sum(axis=1), np.zeros(len(kept))], axis=1
        )
        half[:, 1] = kept.sum(axis=1) - half[:, 0]
        expected = krippendorff.alpha(value_counts=half.astype(int), level_of_measurement="nominal")
        assert found[variable.name, BINARY].found.alpha == pytest.approx(expected, abs=1e-12)
        assert found[variable.name, BINARY].found.alpha_interval is None
    every = answers.groups.toarray()
    for form, counts in {OR_NONE: every, NAMED: every[:, 1:]}.items():
        kept = counts[counts.sum(axis=1) > 1]
        expected = krippendorff.alpha(value_counts=kept, level_of_measurement="nominal")
        assert found["groups", form].found.alpha == pytest.approx(expected, abs=1e-12)
        assert found["groups", form].found.units == len(kept)


def test_groups_are_the_same_in_any_order_and_case(tmp_path: Path) -> None:
    rows = [
        sbic.run("7", "black folks, Ethiopian folks", "are fast"),
        sbic.run("8", "Ethiopian folks", "are fast"),
        sbic.run("8", "Black folks", "are quick"),
        sbic.run("9", "black folks", ""),
        sbic.row(sbic.RUN, "10"),
        sbic.row(sbic.LUNCH, "7"),
        sbic.row(sbic.LUNCH, "8"),
    ]
    found = by_name(read_answers(sbic.written(tmp_path, sbic.table(rows))), resamples=0)
    named, every = found["groups", NAMED], found["groups", OR_NONE]
    assert (named.found.units, named.found.given, named.found.pairs, named.found.agreement) == (
        1,
        3,
        3,
        pytest.approx(1 / 3),
    )
    assert (every.found.units, every.found.given, every.found.pairs, every.found.agreement) == (
        2,
        6,
        7,
        pytest.approx(2 / 7),
    )


def test_the_bootstrap_is_that_of_a_loop_over_posts() -> None:
    answers = drawn()
    found = by_name(answers, resamples=60, seed=3)["offensive", GIVEN]
    counts = answers.counts["offensive"]
    generator = np.random.default_rng(3)
    alphas = []
    for size in (50, 10):
        for chosen in generator.integers(len(counts), size=(size, len(counts))):
            alphas.append(krippendorff.alpha(value_counts=counts[chosen], level_of_measurement="nominal"))
    assert found.found.alpha_interval == pytest.approx(tuple(np.quantile(alphas, [0.025, 0.975])))
    assert found == by_name(answers, resamples=60, seed=3)["offensive", GIVEN]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = sbic.written(tmp_path)
    assert main(["agree", "--frames", str(path), "-o", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {(row["variable"], row["paper_agreement"], row["paper_alpha"]) for row in rows} == {
        ("offensive", 0.76, 0.51),
        ("intent", 0.75, 0.46),
        ("lewd", 0.94, 0.62),
        ("group_targeted", 0.74, 0.48),
        ("in_group", 0.94, 0.17),
        ("groups", 0.802, 0.5),
    }
    for other in (["--labels", str(path)], ["--scorer", "vader"], ["--masking", "none"], ["--targets", str(path)]):
        assert main(["agree", "--frames", str(path), *other]) == 2
        assert "--frames goes with" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no column post, WorkerId"),
        (sbic.aggregated(), "has no column WorkerId, speakerMinorityYN"),
        (sbic.table([]), "holds no annotation"),
        (sbic.table([sbic.row("a", "1", lewd="2")]), "sexYN is '2', not one of 0"),
        (sbic.table([["1.0", "0.0"]]), "has 2 columns where 19 are expected"),
    ],
)
def test_a_file_of_another_form_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UnreadableFile, match=message):
        read_answers(sbic.written(tmp_path, text))


def test_the_real_file(data: Path) -> None:
    answers = read_answers(data / "sbic" / "SBIC.v2.dev.csv.gz")
    assert (answers.posts, answers.annotations, answers.contradicting) == (4_673, 12_566, 0)
    found = by_name(answers, resamples=100)
    shown = {key: (round(one.found.agreement or 0, 2), round(one.found.alpha or 0, 2)) for key, one in found.items()}
    assert shown["offensive", GIVEN] == (0.76, 0.58)
    assert shown["lewd", GIVEN] == (0.95, 0.64)
    assert shown["in_group", BINARY] == (0.91, 0.18)
    assert shown["group_targeted", BINARY] == (0.99, 0.99)
    assert shown["groups", NAMED] == (0.75, 0.68)
    assert shown["groups", OR_NONE] == (0.93, 0.84)


def test_who_annotated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Annotator 1 gave two answers: the commonest counts, of a post once however many rows it has."""

    ages = {"1": "30.0", "2": "40", "3": "old"}

    def row(worker: str, post: str, race: str) -> str:
        answers = ",".join("0.0" for _ in VARIABLES)
        return f"{post},{worker},woman,{race},{'liberal' if worker == '1' else ''},{ages[worker]},{answers}\n"

    names = ",".join(["post", "WorkerId", *SAID.values(), *(variable.column for variable in VARIABLES)])
    path = tmp_path / "few.csv"
    path.write_text(
        f"{names}\n"
        + row("1", "a", "white") * 2
        + row("1", "b", "asian")
        + row("2", "a", "white")
        + row("3", "c", "black")
    )
    assert main(["agree", "--frames", str(path), "--who", "-o", "json"]) == 0
    rows = {(each["said"], each["answer"]): each for each in json.loads(capsys.readouterr().out)}
    assert rows["gender", "woman"]["percent"] == 100
    assert (rows["race", "white"]["annotators"], rows["race", "white"]["annotations_percent"]) == (2, 75)
    assert rows["race", "white"]["percent_low"] < 67 < rows["race", "white"]["percent_high"]
    assert rows["politics", "nothing"]["annotators"] == 2
    years = rows["age", "years"]
    assert (years["annotators"], years["mean"], years["sd"]) == (2, 35, pytest.approx(50**0.5))
    half = t.ppf(0.975, 1) * 5
    assert (years["mean_low"], years["mean_high"]) == (pytest.approx(35 - half), pytest.approx(35 + half))
    assert (rows["age", "nothing"]["annotators"], rows["age", "nothing"]["mean"]) == (1, None)
    assert main(["agree", "--frames", str(path), "--who"]) == 0
    said = capsys.readouterr()
    assert "mean age: 35.0 [-28.5, 98.5] years, standard deviation 7.1" in said.err
    assert "mean_low" not in said.out
    path.write_text("post,WorkerId\na,1\n")
    assert main(["agree", "--frames", str(path), "--who"]) == 1
    assert "has no column annotatorGender" in capsys.readouterr().err
    assert main(["agree", "--who"]) == 2
