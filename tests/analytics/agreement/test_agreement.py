"""Agreement with people: counted by hand on small sets, and on the released labels."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from scipy.stats import spearmanr
from statsmodels.stats.proportion import proportion_confint

from harmgraph.__main__ import main
from harmgraph.analytics.agreement.agreement import agreement, rating_correlation
from harmgraph.analytics.labelling.ratings import Ratings, from_csv, parallel
from harmgraph.common.errors import UnreadableFile

RATINGS = Ratings({"a": (3, 0, 0), "b": (0, 2, 1), "c": (0, 1, 2), "d": (1, 1, 1)})
SCORED = {"a": "positive", "b": "neutral", "c": "neutral", "d": "negative"}


def test_by_hand() -> None:
    found = agreement(RATINGS, SCORED, resamples=200)
    assert found.confusion == ((3, 0, 1), (0, 3, 1), (0, 3, 1))
    assert (found.n_labels, found.n_sentences, found.tied, found.kappa_sentences) == (12, 4, 1, 4)
    values = found.values
    assert values["accuracy"] == pytest.approx(7 / 12)
    assert values["majority_accuracy"] == pytest.approx(2 / 3)
    assert values["favouritism_recall"] == pytest.approx(3 / 4)
    assert values["favouritism_precision"] == 1
    assert values["prejudice_f1"] == pytest.approx(2 * 1 / (4 + 3))
    # Fleiss 1971: mean of the sentences' agreement, and of chance, a third each.
    assert values["fleiss_kappa"] == pytest.approx(((1 + 1 / 3 + 1 / 3 + 0) / 4 - 1 / 3) / (1 - 1 / 3))
    for name, value in values.items():
        bounds = found.intervals[name]
        assert bounds is None or (value is not None and bounds[0] <= value <= bounds[1])


def test_the_correlation_of_mean_ratings_and_values_is_that_of_scipy() -> None:
    """Huang et al. 2020, appendix D: labels of a sentence are averaged, then ranked beside the values."""
    counts = {
        "a": (2, 0, 0),
        "b": (1, 1, 0),
        "c": (1, 0, 1),
        "d": (0, 2, 0),
        "e": (0, 1, 1),
        "f": (0, 0, 3),
        "g": (3, 0, 0),
    }
    values = {"a": 0.2, "b": 0.9, "c": -0.1, "d": 0.0, "e": -0.6, "f": -0.5}  # none of g
    means = [1, 0.75, 0.5, 0.5, 0.25, 0]  # as the paper counts them
    found = rating_correlation(Ratings(counts), values)
    assert (found.value, found.n) == (pytest.approx(spearmanr(means, list(values.values())).statistic), 6)
    assert found.low < found.value < found.high
    assert math.isnan(rating_correlation(Ratings(counts), {"a": 1.0}).value)


def test_the_command_has_the_correlation(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows = ["awful,3", "awful,3", "bad,3", "bad,2", "a table,2", "good,1", "good,2", "wonderful and kind,1", "nice,1"]
    many = [row.replace(",", f" {number},") for row in rows for number in range(4)]
    for name, lines in (("few", rows), ("c", many)):
        (tmp_path / f"{name}.csv").write_text("sentence,label\n" + "".join(f"It is {line}\n" for line in lines))
    command = ["agree", "--csv", str(tmp_path / "c.csv"), "--resamples", "20"]
    assert main([*command, "-o", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert 0.8 < found["spearman"] <= found["spearman_high"] <= 1
    assert found["spearman_low"] < found["spearman"]
    assert found["n_spearman"] == 24
    assert main(["agree", "--csv", str(tmp_path / "few.csv"), "-o", "json"]) == 0
    few = json.loads(capsys.readouterr().out)
    assert (few["n_spearman"], few["spearman_low"]) == (6, None), "six sentences have no interval"
    assert main([*command, "--resamples", "0", "-o", "json"]) == 0
    without = json.loads(capsys.readouterr().out)
    assert (without["spearman"], without["spearman_low"]) == (found["spearman"], None)
    assert main(command) == 0
    assert "24 sentences with a value of the scorer" in capsys.readouterr().out


def test_four_labels_that_are_right_do_not_make_all_right() -> None:
    """A bootstrap of them gives 1 to 1; Wilson (1927) gives what four of four say."""
    ratings = Ratings({"a": (1, 0, 0), "b": (1, 0, 0), "c": (0, 1, 0), "d": (0, 1, 0)})
    scored = {"a": "positive", "b": "positive", "c": "neutral", "d": "neutral"}
    found = agreement(ratings, scored, resamples=200)
    low, high = proportion_confint(4, 4, method="wilson")
    assert found.values["accuracy"] == 1
    assert found.intervals["accuracy"] == (pytest.approx(low), pytest.approx(high))
    assert found.intervals["favouritism_recall"] == pytest.approx(proportion_confint(2, 2, method="wilson"))
    assert (found.sentences["accuracy"], found.sentences["favouritism_recall"]) == (4, 2)
    assert found.wilson == {"accuracy", "majority_accuracy", "favouritism_recall", "favouritism_precision"}
    for name in ("favouritism_f1", "prejudice_f1", "fleiss_kappa", "krippendorff_alpha"):
        assert found.intervals[name] is None
    assert not agreement(ratings, scored, resamples=0).wilson


def test_no_interval_has_ends_that_meet() -> None:
    ratings = Ratings({str(number): (0, 1, 0) for number in range(50)})
    found = agreement(ratings, dict.fromkeys(ratings.counts, "neutral"), resamples=50)
    assert found.intervals["accuracy"] == pytest.approx(proportion_confint(50, 50, method="wilson"))
    assert all(ends is None or ends[0] < ends[1] for ends in found.intervals.values())


def test_what_is_not_defined_is_none() -> None:
    found = agreement(Ratings({"a": (0, 1, 0), "b": (0, 1, 0)}), {"a": "neutral", "b": "other"}, resamples=10)
    assert found.values["accuracy"] == 0.5
    for name in ("favouritism_recall", "prejudice_precision", "fleiss_kappa", "krippendorff_alpha"):
        assert found.values[name] is None
        assert found.intervals[name] is None


def test_sentences_with_another_number_of_labels_count_in_all_but_kappa() -> None:
    ratings = Ratings({**RATINGS.counts, "e": (0, 6, 0)})
    found = agreement(ratings, {**SCORED, "e": "neutral"}, resamples=0)
    assert found.values["fleiss_kappa"] == agreement(RATINGS, SCORED, resamples=0).values["fleiss_kappa"]
    assert (found.n_labels, found.kappa_sentences, found.ratings) == (18, 4, 3)


def test_the_same_seed_gives_the_same_intervals() -> None:
    assert agreement(RATINGS, SCORED, resamples=50, seed=3) == agreement(RATINGS, SCORED, resamples=50, seed=3)


def test_both_forms_of_labels_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("b, c\na\nb, c\n")
    (tmp_path / "l").write_text("1\nneutral\r\n3\n")
    (tmp_path / "c.csv").write_text('annotator,Sentence,label\n1,"b, c",1\n2,a,2\n3,"b, c",prejudice\n')
    assert parallel(tmp_path / "s", tmp_path / "l") == from_csv(tmp_path / "c.csv")
    assert from_csv(tmp_path / "c.csv") == Ratings({"b, c": (1, 0, 1), "a": (0, 1, 0)})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("sentence,label\na,4\n", "2: '4' is not a label"),
        ("sentence,Label,label\na,1,1\n", "has the column label twice"),
        ("text,label\na,1\n", "has no column sentence;"),
        ("sentence,label\na\n", "has 1 columns where 2 are expected"),
        ("sentence,label\n", "holds no label"),
        ("", "has no column sentence, label"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "c.csv").write_text(text)
    with pytest.raises(UnreadableFile, match=says):
        from_csv(tmp_path / "c.csv")


def test_files_of_different_length(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("a\nb\n")
    (tmp_path / "l").write_text("1\n")
    with pytest.raises(UnreadableFile, match="has 1 lines where s has 2"):
        parallel(tmp_path / "s", tmp_path / "l")


def test_wrong_usage(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["agree", "--sentences", str(tmp_path / "s")]) == 2
    assert "--sentences and --labels together, or --csv alone" in capsys.readouterr().err


@pytest.mark.parametrize("output", ["table", "csv"])
def test_the_command_prints(output: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text(
        "sentence,label\nLawyers are awful.,3\nLawyers are awful.,2\nJudges sit.,2\nJudges sit.,2\n"
    )
    assert main(["agree", "--csv", str(tmp_path / "c.csv"), "--resamples", "20", "-o", output]) == 0
    captured = capsys.readouterr()
    assert "0.75" in captured.out
    assert "4 labels of 2 sentences" in captured.out
    assert "the interval is Wilson's (1927)" in captured.err


def test_the_released_labels(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Outside this project the same files gave .813, .450, .354 and, three lines at a time, kappa .364."""
    folder = data / "human_labels" / "conceptnet"
    files = ["--sentences", str(folder / "sentences.txt"), "--labels", str(folder / "labels.txt")]
    assert main(["agree", *files, "-o", "json", "--resamples", "100"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["n_labels"], found["n_sentences"], found["n_tied"]) == (3_000, 997, 9)
    assert found["accuracy"] == pytest.approx(0.813, abs=5e-4)
    assert found["favouritism"]["f1"] == pytest.approx(0.450, abs=5e-4)
    assert found["prejudice"]["f1"] == pytest.approx(0.354, abs=5e-4)
    assert found["fleiss_kappa"] == pytest.approx(0.364, abs=1e-3)
    assert found["spearman"] == pytest.approx(0.47, abs=5e-3)
    assert found["n_spearman"] == 997
    assert found["accuracy_low"] < 0.813 < found["accuracy_high"]
    assert found["prejudice"]["f1_low"] < 0.354 < found["prejudice"]["f1_high"]
