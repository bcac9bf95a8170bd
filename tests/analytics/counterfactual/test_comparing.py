"""Models side by side: numbers as of one model alone, changes from the first, and what samples may be compared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harmgraph.analytics.counterfactual.comparing import compared
from harmgraph.analytics.counterfactual.generated import Samples, check_alike, read_samples, scored
from harmgraph.analytics.counterfactual.resampling import dealt, numbers
from harmgraph.analytics.counterfactual.specification import Template, Value, prompts
from harmgraph.graph.common.errors import InputError, UnreadableFile
from harmgraph.graph.scorer import scorers
from tests.support.generations import continued, write_lines

VADER = scorers.get("vader")
PROMPTS = tuple(
    prompts(
        [Value("occupation", value) for value in ("nurse", "sheriff", "cook")],
        [Template("occupation", f"{{value}} {number}") for number in range(6)],
    )
)


def samples(path: Path, shares: dict[tuple[str, str], float], *, seed: int = 0, model: str = "") -> Samples:
    lines = [dict(line) for line in continued(PROMPTS, 40, shares=shares, seed=seed)]
    if model:
        lines = [line | {"generation": {"model": model, "checkpoint": "c"}} for line in lines]  # type: ignore[dict-item]
    (made,) = read_samples(write_lines(path, lines))
    return made


def test_a_fairer_model_has_a_change_below_zero_and_an_equal_one_about_zero(tmp_path: Path) -> None:
    unfair = {("sheriff", ""): 0.1, ("nurse", ""): 0.9}
    listed = [
        samples(tmp_path / "before.jsonl", unfair),
        samples(tmp_path / "equal.jsonl", unfair, seed=1),
        samples(tmp_path / "fair.jsonl", {}, seed=2, model="fair"),
    ]
    assert [each.name for each in listed] == ["before", "equal", "fair"]
    check_alike(listed)
    scores = [scored(each, VADER, VADER.chosen({})).scores for each in listed]
    before, equal, fair = compared(scores, permutations=50, resamples=60, seed=3)
    for row, each in zip((before, equal, fair), scores, strict=True):
        whole = numbers(each, each.templates).whole
        assert (row["i_f"], row["g_f"]) == (pytest.approx(whole[0]), pytest.approx(whole[1]))
        assert row["i_f_floor"] == pytest.approx(dealt(each, 50, 3).floor("whole")[0])
        assert row["i_f_excess"] == pytest.approx(row["i_f"] - row["i_f_floor"])
        for name in ("i_f", "i_f_excess", "g_f", "g_f_excess"):
            assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"]
    assert before["i_f_change"] is before["i_f_excess_change_low"] is None
    assert before["i_f_p"] < 0.05 < fair["i_f_p"]
    assert fair["i_f_change"] == pytest.approx(fair["i_f"] - before["i_f"])
    for name in ("i_f_change", "i_f_excess_change", "g_f_excess_change"):
        assert fair[f"{name}_high"] < 0
        assert equal[f"{name}_low"] < 0 < equal[f"{name}_high"]
    assert compared(scores, permutations=50, resamples=60, seed=3) == [before, equal, fair]
    (alone,) = compared(scores[:1], permutations=5, resamples=0)
    assert alone["i_f_low"] is None


def test_samples_without_a_score_are_counted(tmp_path: Path) -> None:
    made = samples(tmp_path / "a.jsonl", {})

    class Unsure(type(VADER)):  # type: ignore[misc]
        def scores(self, texts, options):  # type: ignore[no-untyped-def]
            return [
                None if "street" in text else score
                for text, score in zip(texts, super().scores(texts, options), strict=True)
            ]

    found = scored(made, Unsure(), VADER.chosen({}))
    assert found.without == sum("street" in row["text"] for row in made.rows) > 0
    kept = sum(len(sample) for cells in found.scores.templates for sample in cells.samples)
    assert kept + found.without == len(made.rows)

    class Mute(type(VADER)):  # type: ignore[misc]
        def scores(self, texts, options):  # type: ignore[no-untyped-def]
            return [None] * len(texts)

    with pytest.raises(InputError, match="no template has two values with a score"):
        scored(made, Mute(), VADER.chosen({}))


def test_samples_of_other_prompts_cannot_be_compared(tmp_path: Path) -> None:
    made = samples(tmp_path / "a.jsonl", {})
    fewer = write_lines(tmp_path / "b.jsonl", [row for row in made.rows if row["value"] != "cook"])
    with pytest.raises(InputError, match=r"b: occupation: the values or templates are others than those of a"):
        check_alike([made, *read_samples(fewer)])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no sample"),
        ("[]\n", ":1: is no sample with attribute, value, template, text"),
        ('{"attribute": "a", "value": "b", "template": "c", "text": " "}\n', ":1: is no sample"),
        ('{"attribute": "a", "value": 1, "template": "c", "text": "d"}\n', ":1: is no sample"),
    ],
)
def test_a_file_of_something_else_is_said(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(text)
    with pytest.raises(UnreadableFile) as caught:
        read_samples(path)
    assert said in str(caught.value)


def test_a_file_of_two_models_is_refused(tmp_path: Path) -> None:
    line = {"attribute": "a", "value": "b", "template": "c", "text": "d"}
    lines = [line | {"generation": {"model": model}} for model in ("x", "y")]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(UnreadableFile, match=":2: is of another model than the lines before"):
        read_samples(path)
