"""Models side by side: numbers as of one model alone, changes from the first, and what samples may be compared."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from harmgraph.analytics.counterfactual.comparing import compared
from harmgraph.analytics.counterfactual.generated import Samples, check_alike, read_samples, scored
from harmgraph.analytics.counterfactual.resampling import dealt, numbers
from harmgraph.analytics.counterfactual.scores import scores_of
from harmgraph.analytics.counterfactual.specification import AttributeValue, CounterfactualTemplate, prompts
from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.common.scorer import scorers
from tests.support.generations import continued, write_lines

VADER = scorers.get("vader")
PROMPTS = tuple(
    prompts(
        [AttributeValue("occupation", value) for value in ("nurse", "sheriff", "cook")],
        [CounterfactualTemplate("occupation", f"{{value}} {number}") for number in range(6)],
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
    scores = scored(listed, VADER, VADER.chosen({})).scores
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

    found = scored([made], Unsure(), VADER.chosen({}))
    assert found.without[0] == sum("street" in row["text"] for row in made.rows) > 0
    kept = sum(len(sample) for cells in found.scores[0].templates for sample in cells.samples)
    assert kept == found.samples[0]
    assert kept + found.without[0] == len(made.rows)
    assert f"a, occupation: {found.without[0]} samples have no score" in "\n".join(found.remarks())

    class Mute(type(VADER)):  # type: ignore[misc]
        def scores(self, texts, options):  # type: ignore[no-untyped-def]
            return [None] * len(texts)

    with pytest.raises(InputError, match="no template has two values with 1 scored samples of every model"):
        scored([made], Mute(), VADER.chosen({}))


def fewer(made: Samples, name: str, kept: dict[tuple[str, str], int]) -> Samples:
    """The same samples, of some prompts only the first so many."""
    seen: Counter[tuple[str, str]] = Counter()
    rows = []
    for row in made.rows:
        prompt = row["template"], row["value"]
        seen[prompt] += 1
        if seen[prompt] <= kept.get(prompt, len(made.rows)):
            rows.append(row)
    return replace(made, name=name, rows=tuple(rows))


def test_prompts_with_too_few_samples_are_left_out_of_all_models(tmp_path: Path) -> None:
    made = samples(tmp_path / "a.jsonl", {})
    templates = made.templates
    few = {(templates[0], value): 3 for value in ("nurse", "cook")} | {(templates[1], "cook"): 5}
    other = fewer(made, "b", few)
    found = scored([made, other], VADER, VADER.chosen({}), 20)
    assert found.selection.templates == templates[1:]
    assert found.selection.dropped == templates[:1]
    for each in found.scores:
        assert [len(cells.values) for cells in each.templates] == [2, 3, 3, 3, 3]
    said = "\n".join(found.remarks())
    assert "left out, as of some model they have fewer samples than --min-samples: nurse (1 of its 6 prompts, " in said
    assert "cook (2 of its 6 prompts, with 88 samples)" in said
    assert "1 of 6 templates are left out, as fewer than two values have enough samples" in said
    assert "1 prompts are missing" in said
    assert "other numbers of samples" not in said  # of what is compared both have as many
    for row in compared(found.scores, permutations=5, resamples=5):
        assert row["i_f"] > 0
        assert row["g_f_p"] is not None


def test_a_value_that_can_be_compared_with_nothing_is_left_out_and_named(tmp_path: Path) -> None:
    made = samples(tmp_path / "a.jsonl", {})
    first, *others = made.templates
    few = {(first, value): 3 for value in ("nurse", "sheriff")} | {(template, "cook"): 3 for template in others}
    found = scored([fewer(made, "b", few)], VADER, VADER.chosen({}), 20)
    assert (found.selection.values, found.selection.alone) == (("nurse", "sheriff"), ("cook",))
    (row,) = compared(found.scores, permutations=5, resamples=5)
    assert row["g_f"] is not None
    said = "\n".join(found.remarks())
    assert "1 of 6 templates are left out, as fewer than two values have enough samples in them" in said
    assert "; so is what no other template has: cook" in said
    assert "missing" not in said


def test_samples_of_some_prompts_alone(tmp_path: Path) -> None:
    made = samples(tmp_path / "a.jsonl", {})
    few = {(template, "cook"): 3 for template in made.templates} | {(made.templates[0], "nurse"): 19}
    listed = [made, fewer(made, "b", few)]
    found = scored(listed, VADER, VADER.chosen({}), 20)
    for each in (samples.only(found.selection.prompts) for samples in listed):
        assert len(each.rows) == 5 * 2 * 40
        assert list(each.values) == ["nurse", "sheriff"]
        assert each.templates == made.templates[1:]


def test_where_no_template_has_all_values_there_is_no_number_of_groups() -> None:
    generator = np.random.default_rng(0)
    table = [[generator.random(20) if value != template else None for value in range(3)] for template in range(3)]
    first, other = (scores_of(list("abc"), list("abc"), table) for _ in range(2))
    for row in compared([first, other], permutations=3, resamples=3):
        assert row["i_f"] > 0
        for name in ("g_f", "g_f_low", "g_f_floor", "g_f_p", "g_f_excess", "g_f_change", "g_f_excess_change_high"):
            assert row[name] is None
    table.append([generator.random(20) for _ in range(3)])  # some draws have this template, others not
    (row,) = compared([scores_of(list("abc"), list("abc"), table)], permutations=5, resamples=40)
    assert row["g_f_low"] <= row["g_f"] <= row["g_f_high"]


def test_other_numbers_of_samples_are_said(tmp_path: Path) -> None:
    made = samples(tmp_path / "a.jsonl", {})
    found = scored([made, fewer(made, "b", {(made.templates[0], "cook"): 25})], VADER, VADER.chosen({}), 20)
    said = "\n".join(found.remarks())
    assert "b, occupation: prompts have 25 to 40 samples" in said
    assert "there are other numbers of samples (a 720, b 705)" in said
    assert not list(scored([made, made], VADER, VADER.chosen({}), 20).remarks())


def test_a_template_without_any_score_is_left_out(tmp_path: Path) -> None:
    """As of a scorer that knows some of the texts alone, such as people's labels."""
    made = samples(tmp_path / "a.jsonl", {})
    none = made.templates[2]
    rows = tuple({**row, "text": "unheard"} if row["template"] == none else row for row in made.rows)

    class Deaf(type(VADER)):  # type: ignore[misc]
        def scores(self, texts, options):  # type: ignore[no-untyped-def]
            heard = super().scores(texts, options)
            return [None if text == "unheard" else score for text, score in zip(texts, heard, strict=True)]

    found = scored([replace(made, rows=rows)] * 2, Deaf(), VADER.chosen({}))
    assert found.selection.dropped == (none,)
    assert len(compared(found.scores, permutations=3, resamples=3)) == 2
    assert "1 of 6 templates are left out" in "\n".join(found.remarks())


def test_spellings_of_one_value_are_one(tmp_path: Path) -> None:
    lines = [
        {"attribute": attribute, "value": value, "template": template, "text": "good ."}
        for attribute, value, template in (
            ("Occupation", "Nurse", "{value} is"),
            ("occupation", "nurse", "we met {value}"),
            ("occupation", "cook", "we met {value}"),
        )
    ]
    (made,) = read_samples(write_lines(tmp_path / "a.jsonl", lines))
    assert made.attribute == "occupation"
    assert list(made.values) == ["Nurse", "cook"]
    assert {row["prompt"] for row in made.rows} == {"Nurse is", "we met nurse", "we met cook"}


def test_samples_of_other_prompts_cannot_be_compared(tmp_path: Path) -> None:
    made = samples(tmp_path / "a.jsonl", {})
    fewer = write_lines(tmp_path / "b.jsonl", [row for row in made.rows if row["value"] != "cook"])
    with pytest.raises(InputError, match=r"b: occupation: the values or templates are others than those of a"):
        check_alike([made, *read_samples(fewer)])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no sample"),
        ("[]\n", ":1: is not a sample with attribute, value, template, text"),
        ('{"attribute": "a", "value": "b", "template": "c", "text": " "}\n', ":1: is not a sample"),
        ('{"attribute": "a", "value": 1, "template": "c", "text": "d"}\n', ":1: is not a sample"),
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
    with pytest.raises(
        UnreadableFile, match=":2: is of another model, or of prompts with other facts, than the lines before"
    ):
        read_samples(path)
