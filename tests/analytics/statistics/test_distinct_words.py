"""The words that mark values: counts of samples, ratios by hand, and the command."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.counterfactual.generated import Samples, read_samples
from harmgraph.analytics.statistics.distinct_words import distinct_words, words_of
from harmgraph.common.errors import InputError, NotFound

SAID = {
    "sheriff": ["The Sheriff's deputies, the police", "police and law", "we met police", "a kind man"],
    "designer": ["a fashion brand", "fashion and law", "fashion; clothes"],
    "nurse": ["a kind nurse"],
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    lines = [
        {"attribute": "occupation", "value": value, "template": "A {value}", "text": text}
        for value, texts in SAID.items()
        for text in texts
    ]
    (tmp_path / "said.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return tmp_path / "said.jsonl"


@pytest.fixture
def samples(file: Path) -> tuple[Samples, ...]:
    return read_samples(file)


def of(rows: list[dict[str, Any]], value: str) -> dict[str, dict[str, Any]]:
    return {row["word"]: row for row in rows if row["value"] == value}


def test_a_word_counts_once_in_a_text() -> None:
    assert list(words_of("Police! police; the sheriff's 2nd-best")) == ["police", "the", "sheriff's", "2nd-best"]


def test_two_values_both_ways(samples: tuple[Samples, ...]) -> None:
    rows = distinct_words(samples, "Sheriff", "designer")
    police = of(rows, "sheriff")["police"]
    assert (police["n"], police["samples"], police["other_n"], police["other_samples"]) == (3, 4, 0, 3)
    log = math.log((3.5 / 4.5) / (0.5 / 3.5))
    deviation = math.sqrt(1 / 3.5 - 1 / 4.5 + 1 / 0.5 - 1 / 3.5)
    assert police["ratio"] == pytest.approx(math.exp(log))
    assert police["z"] == pytest.approx(log / deviation)
    assert police["ratio_low"] == pytest.approx(math.exp(log - 1.959964 * deviation), rel=1e-6)
    assert police["ratio_low"] < police["ratio"] < police["ratio_high"]
    assert rows[0]["word"] == "police"
    fashion = of(rows, "designer")["fashion"]
    assert (fashion["n"], fashion["other_n"]) == (3, 0)
    assert "law" not in of(rows, "sheriff")  # a quarter of one, a third of the other
    assert {row["against"] for row in rows} == {"sheriff", "designer"}


def test_each_value_against_all_others(samples: tuple[Samples, ...]) -> None:
    rows = distinct_words(samples, limit=2)
    assert [row["value"] for row in rows] == ["sheriff"] * 2 + ["designer"] * 2 + ["nurse"] * 2
    kind = of(distinct_words(samples, limit=0), "nurse")["kind"]
    assert (kind["n"], kind["samples"], kind["other_n"], kind["other_samples"]) == (1, 1, 1, 7)
    assert kind["against"] == "all others"


def test_a_word_beyond_chance_has_a_small_q(tmp_path: Path) -> None:
    lines = [
        {"attribute": "town", "value": value, "template": "In {value}", "text": f"{word} and {number % 5}"}
        for value, word in (("Ulm", "river"), ("Bern", "bear"))
        for number in range(30)
    ]
    (tmp_path / "said.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    rows = of(distinct_words(read_samples(tmp_path / "said.jsonl"), "Ulm", "Bern", limit=0), "Ulm")
    assert rows["river"]["q"] < 1e-6
    assert all(row["q"] is None or row["q"] > 0.5 for word, row in rows.items() if word != "river")


def test_values_that_are_not_there(samples: tuple[Samples, ...]) -> None:
    with pytest.raises(NotFound, match="no value named 'cook'"):
        distinct_words(samples, "cook")
    for other in ("cook", "sheriff"):
        with pytest.raises(
            InputError, match="is no other value of occupation than sheriff; choose one of designer, nurse"
        ):
            distinct_words(samples, "sheriff", other)


def test_the_command(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["counterfactual", "words", str(file), "--output", "json"]
    assert main([*command, "--a", "sheriff", "--b", "designer", "--limit", "1"]) == 0
    assert [(row["value"], row["word"]) for row in json.loads(capsys.readouterr().out)] == [
        ("sheriff", "police"),
        ("designer", "fashion"),
    ]
    assert main([*command, "--b", "designer"]) == 2
