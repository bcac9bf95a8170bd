"""Two populators on the same triples: known answers, the means over seeds, files with scores, and the errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="the extra harmgraph[models] is not installed")

from click.testing import CliRunner
from sklearn.metrics import roc_auc_score

from harmgraph.common.errors import HarmgraphError, InputError, UnknownMember, UnreadableFile
from harmgraph.models.population.compare_command import compare_command
from harmgraph.models.population.comparing import compare, compared
from harmgraph.models.population.evaluation import evaluated
from harmgraph.models.population.examples import TripleExample

N = 240


def triples() -> list[TripleExample]:
    """Three relations, one of which has a single label."""
    return [
        TripleExample(
            f"h{place}",
            ("xWant", "xEffect", "xAttr")[place % 3],
            "t",
            1 if place % 3 == 2 else place * 7 % 5 % 2,
        )
        for place in range(N)
    ]


LABELS = np.array([example.label for example in triples()], np.float64)


def scores(seed: int, skill: float) -> Any:
    return (10 * np.random.default_rng(seed).normal(size=N)).round() + 10 * skill * LABELS


def test_identical_models_differ_by_nothing() -> None:
    for row in compared(triples(), [scores(0, 1)], [scores(0, 1)], draws=50, permutations=50):
        assert (row.difference, row.difference_low, row.difference_high, row.p) == (0, 0, 0, 1)


def test_a_much_better_model_has_the_least_p() -> None:
    for row in compared(triples(), [scores(0, 3)], [scores(1, 0)], draws=200, permutations=99):
        assert row.p == 1 / 100
        assert row.difference_low is not None and row.difference_high is not None
        assert 0 < row.difference_low < row.difference < row.difference_high
    turned = compared(triples(), [scores(1, 0)], [scores(0, 3)], draws=0, permutations=99)[0]
    assert (turned.p, turned.difference_low, turned.difference_high) == (1 / 100, None, None)
    assert turned.difference < 0


def test_the_numbers_are_those_of_an_evaluation() -> None:
    a, b = scores(0, 1), scores(1, 0.5)
    weighted, overall = compared(triples(), [a], [b], draws=0, permutations=0)
    for row, of in ((weighted, "weighted mean"), (overall, "overall")):
        assert row.of == of
        for value, each in ((row.auc_a, a), (row.auc_b, b)):
            known = next(other for other in evaluated(triples(), each, draws=0) if other.of == of)
            assert value == pytest.approx(known.auc)
        assert row.p is None
        assert (row.n, row.plausible) == (N, int(LABELS.sum()))


def test_a_scale_does_not_matter() -> None:
    a, b = scores(0, 1), scores(1, 0.5)
    plain, scaled = (compared(triples(), [each], [b], draws=50, permutations=50) for each in (a, np.exp(a / 10)))
    assert plain == scaled


def test_p_is_that_of_a_plain_loop() -> None:
    """The exchange of ranks, written out for one group."""
    from scipy.stats import rankdata

    few = [TripleExample(f"h{place}", "xWant", "t", place % 2) for place in range(30)]
    generator = np.random.default_rng(3)
    labels = np.arange(30) % 2
    a, b = generator.normal(size=30) + 0.8 * labels, generator.normal(size=30)
    (_, row) = compared(few, [a], [b], draws=0, permutations=300, seed=2)
    ranks, turns = (rankdata(a), rankdata(b)), np.random.default_rng([2, 1])
    seen = roc_auc_score(labels, a) - roc_auc_score(labels, b)
    hits = 0
    for _ in range(300):
        turned = turns.random(30) < 0.5
        left, right = np.where(turned, *ranks[::-1]), np.where(turned, *ranks)
        hits += abs(roc_auc_score(labels, left) - roc_auc_score(labels, right)) >= abs(seen) - 1e-12
    assert row.p == (1 + hits) / 301
    assert 1 / 301 < row.p < 1


def test_several_models_of_a_side_are_averaged() -> None:
    a, b = [scores(seed, 1) for seed in (0, 1)], [scores(seed, 0) for seed in (2, 3)]
    both = compared(triples(), a, b, draws=50, permutations=50)[0]
    single = [compared(triples(), [one], [other], draws=0, permutations=0)[0] for one, other in zip(a, b, strict=True)]
    assert both.difference == pytest.approx(sum(row.difference for row in single) / 2)
    uneven = compared(triples(), a, b[:1], draws=50, permutations=50)[0]
    assert uneven.auc_a == both.auc_a
    assert uneven.p is not None and uneven.p < 0.1
    assert both == compared(triples(), a, b, draws=50, permutations=50)[0], "the same seed"
    assert both != compared(triples(), a, b, draws=50, permutations=50, seed=1)[0]


def test_chance_alone_gives_no_small_p_more_often_than_it_says() -> None:
    generator = np.random.default_rng(0)
    few = triples()[:90]
    ps = []
    for _ in range(40):
        a, b = generator.normal(size=(2, 90))
        ps.append(compared(few, [a], [b], draws=0, permutations=39)[1].p or 0)
    assert np.mean(np.array(ps) <= 0.25) < 0.5


def write(path: Path, values: Any, some: list[TripleExample] | None = None) -> str:
    lines = []
    for each, value in zip(some or triples(), values, strict=True):
        label = "" if each.label is None else each.label
        lines.append(f"{each.head}\t{each.relation}\t{each.tail}\t{label}\t{value:.6f}")
    path.write_text("\n".join(["head\trelation\ttail\tlabel\tscore", *lines]) + "\n", encoding="utf-8")
    return str(path)


def test_files_with_scores_are_compared(tmp_path: Path) -> None:
    a, b = write(tmp_path / "a.tsv", scores(0, 3)), write(tmp_path / "b.tsv", scores(1, 0))
    words = ["--a", a, "--b", b, "--draws", "50", "--permutations", "99"]
    result = CliRunner().invoke(compare_command, [*words, "--output", "json"])
    assert result.exit_code == 0, result.exception
    rows = json.loads(result.stdout)
    assert [row["of"] for row in rows] == ["weighted mean", "overall"]
    assert [(row["n"], row["p"]) for row in rows] == [(N, 0.01)] * 2
    assert rows[0].keys() == {
        *("of", "n", "plausible", "auc_a", "auc_b", "difference", "difference_low", "difference_high", "p")
    }
    table = CliRunner().invoke(compare_command, words, env={"COLUMNS": "160"})
    assert "240 triples" in table.stdout
    unlabelled = [*triples(), TripleExample("h", "xWant", "t")]
    a, b = (
        write(tmp_path / name, [*values, 1.0], unlabelled)
        for name, values in (("c", scores(0, 3)), ("d", scores(1, 0)))
    )
    told = CliRunner().invoke(compare_command, ["--a", a, "--b", b, *words[4:], "--output", "json"])
    assert json.loads(told.stdout) == rows
    assert "1 triples have no label" in told.stderr


def test_errors_are_a_line_each(tmp_path: Path, without_populators: None) -> None:
    good = write(tmp_path / "good.tsv", scores(0, 3))
    short = write(tmp_path / "short.tsv", scores(0, 3)[:9], triples()[:9])
    one = write(tmp_path / "one.tsv", [0.1, 0.2], [TripleExample("a", "xWant", "b", 1)] * 2)
    other = tmp_path / "other.tsv"
    other.write_text("head\trelation\ttail\n")
    letters = tmp_path / "letters.tsv"
    letters.write_text("head\trelation\ttail\tlabel\tscore\na\tb\tc\t1\tx\n")
    no_number = tmp_path / "nan.tsv"
    no_number.write_text(letters.read_text().replace("\tx\n", "\tnan\n"))
    twice = f"{tmp_path}//good.tsv"  # however a path is written
    assert compare([twice], [twice]).rows[0].difference == 0
    cases: list[tuple[type[HarmgraphError], str, Callable[[], object]]] = [
        (InputError, f"has other triples than {good}", lambda: compare([good], [short])),
        (UnreadableFile, "does not begin with the columns head, relation", lambda: compare([good], [str(other)])),
        (UnreadableFile, "the score 'nan' is no number", lambda: compare([str(no_number)], [good])),
        (UnreadableFile, "the score 'x' is no number", lambda: compare([str(letters)], [good])),
        (InputError, "no relation has both plausible", lambda: compare([one], [one])),
        (UnknownMember, "no trained populator named 'nobody'", lambda: compare(["nobody"], [good])),
    ]
    for error, said, call in cases:
        with pytest.raises(error) as raised:
            call()
        assert said in str(raised.value)
        assert "\n" not in str(raised.value)


@pytest.mark.usefixtures("without_populators")
def test_trained_populators_are_compared_with_their_scores(examples: Path, encoder: Path, tmp_path: Path) -> None:
    from harmgraph.models.population.named_populator import evaluate, train, write_scores
    from tests.support.population import LEARNS, RECIPE

    for name, recipe in (("good", LEARNS), ("poor", RECIPE)):
        train(name, examples, "bert", encoder=str(encoder), recipe=recipe, precision="fp32", threads=1)
    judged = evaluate("poor", linear=False, draws=0)
    write_scores(tmp_path / "poor.tsv", judged)
    live = compare(["good"], ["poor"], draws=20, permutations=20)
    mixed = compare(["good"], [str(tmp_path / "poor.tsv")], draws=20, permutations=20)
    assert live.triples == 60
    for one, other in zip(live.rows, mixed.rows, strict=True):
        assert one.auc_a == other.auc_a
        assert one.auc_b == pytest.approx(other.auc_b, abs=0.01)
