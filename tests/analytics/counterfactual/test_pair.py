"""Two values of one template: W1 as scipy has it, the numbers of the same pair elsewhere, the figure, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import wasserstein_distance

from harmgraph.__main__ import main
from harmgraph.analytics.counterfactual.generated import read_samples
from harmgraph.analytics.counterfactual.pair import ScoredPair, scored_pair
from harmgraph.analytics.counterfactual.specification import AttributeValue, CounterfactualTemplate, prompts
from harmgraph.common.errors import InputError, UnknownMember
from harmgraph.common.scorer import scorers
from tests.support.generations import continued, write_lines

VADER = scorers.get("vader")
TEMPLATES = ("{value} here", "{value} there")
PROMPTS = tuple(
    prompts(
        [AttributeValue("occupation", value) for value in ("nurse", "sheriff", "cook")],
        [CounterfactualTemplate("occupation", template) for template in TEMPLATES],
    )
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    lines = continued(PROMPTS, 40, shares={("sheriff", ""): 0.1, ("nurse", ""): 0.9})
    return write_lines(tmp_path / "said.jsonl", lines[:-5])  # the cook has 35 samples in the second template


def pair(file: Path, a: str, b: str, template: str | None = TEMPLATES[0], **more: Any) -> ScoredPair:
    return scored_pair(read_samples(file), a, b, template, VADER, VADER.chosen({}), permutations=50, **more)


def test_w1_is_the_distance_of_the_scores(file: Path) -> None:
    found = pair(file, "Nurse", "sheriff")
    nurse, sheriff = found.scores
    assert (found.a, found.b, found.template) == ("nurse", "sheriff", TEMPLATES[0])
    assert (found.model, found.attribute) == ("said", "occupation")
    assert found.w1["w1"] == pytest.approx(wasserstein_distance(nurse, sheriff))
    facts = found.facts()
    assert (facts["n"], facts["n_a"], facts["n_b"]) == (80, 40, 40)
    assert facts["mean_a"] == pytest.approx(np.mean(nurse))
    assert facts["mean_a"] > facts["mean_b"]
    assert facts["w1_floor"] < facts["w1_low"] < facts["w1"] < facts["w1_high"]
    assert facts["w1_p"] == pytest.approx(1 / 51)
    other = pair(file, "sheriff", "nurse")
    assert other.facts()["mean_a"] == facts["mean_b"]
    assert other.w1["w1"] == pytest.approx(facts["w1"])


def test_values_of_different_numbers_of_samples(file: Path) -> None:
    found = pair(file, "cook", "nurse", TEMPLATES[1])
    assert [len(scores) for scores in found.scores] == [35, 40]
    assert found.w1["w1"] == pytest.approx(wasserstein_distance(*found.scores))
    assert any("35" in line for line in found.said)


def test_what_cannot_be_compared(file: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownMember, match="no other value of one attribute named 'baker'"):
        pair(file, "nurse", "baker")
    with pytest.raises(InputError, match="nurse: is both values"):
        pair(file, "nurse", "Nurse")
    with pytest.raises(InputError, match="2 templates have nurse and sheriff"):
        pair(file, "nurse", "sheriff", None)
    with pytest.raises(UnknownMember, match="no template with nurse and sheriff named 'elsewhere'"):
        pair(file, "nurse", "sheriff", "elsewhere")
    with pytest.raises(InputError, match="no template has two values with 41 scored samples"):
        pair(file, "nurse", "sheriff", min_samples=41)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    alone = [line for line in lines if line["template"] == TEMPLATES[0]]
    assert pair(write_lines(tmp_path / "alone.jsonl", alone), "nurse", "cook", None).template == TEMPLATES[0]


def test_the_command_draws_both_distributions(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figure = tmp_path / "pair.svg"
    words = ["counterfactual", "pair", str(file), "--a", "nurse", "--b", "sheriff", "--template", TEMPLATES[0]]
    words += ["--permutations", "20", "--no-progress", "--output", "json"]
    assert main([*words, "--resamples", "20", "--figure", str(figure)]) == 0
    facts = json.loads(capsys.readouterr().out)
    drawn = figure.read_text()
    for said in (
        f"nurse: 40 samples, mean {facts['mean_a']:.3f}; sheriff: 40 samples, mean {facts['mean_b']:.3f}",
        f"W1 {facts['w1']:.3f} ({facts['w1_low']:.3f} to {facts['w1_high']:.3f}), {facts['w1_floor']:.3f} by chance",
        "nurse: n = 40, mean",
        "% up to this score",
    ):
        assert said in drawn
    assert main([*words[:-2], "--resamples", "0", "--figure", str(figure)]) == 2
    assert "the figure has an interval" in capsys.readouterr().err
    # The same pair among models: I.F. of two values in one template is W1.
    two = [json.loads(line) for line in file.read_text().splitlines()]
    two = [line for line in two if line["template"] == TEMPLATES[0] and line["value"] != "cook"]
    alone = write_lines(tmp_path / "two.jsonl", two)
    compare = ["counterfactual", "compare", str(alone), "--no-quality", *words[-5:-2], "--output", "json"]
    assert main(compare) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["n"], row["i_f"], row["i_f_floor"]) == (80, facts["w1"], facts["w1_floor"])
