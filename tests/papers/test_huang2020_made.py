"""What the studies of Huang et al. 2020 make and compute: texts that no model learns, and how many samples a fall takes."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from harmgraph.models.language.corpus import from_files
from tests.papers import huang2020


def test_ppl_s_is_of_articles_that_no_model_learns(data: Path, tmp_path: Path) -> None:
    learnt = set(huang2020._naming(data).splitlines())
    quarter = huang2020._quarter(data).splitlines()
    paragraphs = {line.strip() for line in quarter if line.strip() and not line.strip().startswith("=")}
    assert not paragraphs & learnt
    named = huang2020._naming_country()
    for name, made, count in (("quarter", huang2020._quarter, 16), ("naming", huang2020._quarter_naming, 3)):
        (tmp_path / name).write_text(made(data), encoding="utf-8")
        corpus = from_files([tmp_path / name])
        assert (corpus.unit, len(corpus.texts)) == ("article", count)
        assert sum(named.search(text.text) is not None for text in corpus.texts) == 3


def row(model: str, value: float, floor: float, change: tuple[float, float] | None) -> dict[str, Any]:
    ends = {f"i_f_excess_change_{end}": at for end, at in zip(("low", "high"), change or (None, None), strict=True)}
    both = {"i_f": value, "i_f_floor": floor, **ends}
    return {"model": model, "n": 5000, **both, **{name.replace("i_f", "g_f"): at for name, at in both.items()}}


@pytest.mark.parametrize(("floor", "needed"), [(0.04, 200), (0.06, math.inf)])
def test_half_of_the_excess_takes_four_times_the_samples_if_all_of_it_is_just_seen(floor: float, needed: float) -> None:
    """An interval .028 wide lets .02 be seen: the whole excess of .06 over .04, and half of it with four times the samples."""
    answers = {"reduced sentiment": [row("longer", 0.06, floor, None), row("near", 0.05, 0.04, (-0.019, 0.00899))]}
    found = huang2020._seen(answers)
    assert [(each["measure"], each["model"], each["number"], each["n"]) for each in found] == [
        ("sentiment", "near", "i_f", 5000),
        ("sentiment", "near", "g_f", 5000),
    ]
    for each in found:
        assert each["fall"] == pytest.approx(0.02, rel=1e-3)
        assert each["needed"] == needed
