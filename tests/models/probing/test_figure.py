"""The figure of a probe: the same scores give the same file, and it says in words what it shows."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.common.plotting.canvas import blank, style
from harmgraph.models.probing.figure import draw_scores, write_figure
from harmgraph.models.probing.question import Question, SensitiveValue
from harmgraph.models.probing.run import ProbeResult
from harmgraph.models.subgraph.named_relation import Relation

SVG = "{http://www.w3.org/2000/svg}"


def result(scores: list[float], *, models: int = 1, half: float | None = 0.5) -> ProbeResult:
    rows: list[dict[str, Any]] = [
        {"entity": f"o{place}", "name": f"object ${place}$", "score": score, "count_a": 1_000 + place, "count_b": place}
        for place, score in enumerate(scores)
    ]
    if half is not None:
        rows = [row | {"score_low": row["score"] - half, "score_high": row["score"] + half} for row in rows]
    summary = {
        "probe": "shift",
        "models": [f"m{number}" for number in range(models)],
        "relation": "gender",
        "a": "male",
        "b": "female",
        "object_relation": "profession",
        "objects": len(scores),
        "people": 1_200,
        "people_a": 900,
        "people_b": 300,
        "spearman": 0.42,
        "spearman_low": 0.05,
        "spearman_high": 0.7,
        "spearman_n": len(scores),
    }
    relation = Relation("GENDER", "gender", False)
    question = Question(
        relation=relation,
        object_relation=relation,
        a=SensitiveValue("a", "male", 900),
        others=(),
        rest=True,
        weighted=False,
        objects=(),
        people={},
        holders={},
    )
    return ProbeResult(question, tuple(rows), summary)


def test_an_svg_says_what_it_shows_and_is_the_same_each_time(tmp_path: Path) -> None:
    files = [tmp_path / "a.svg", tmp_path / "b.svg"]
    for path in files:
        write_figure(path, result([2.0, 0.25, -1.0]), 0)
    assert files[0].read_bytes() == files[1].read_bytes()
    root = ET.fromstring(files[0].read_text(encoding="utf-8"))
    assert root.findtext(f"{SVG}title") == "shift: m0"
    described = root.findtext(f"{SVG}desc") or ""
    assert "object $0$ 2 (1.5 to 2.5), people 1,000 / 0" in described
    assert "1,200 people have gender: 900 male, 300 female" in described
    assert "0.42 (0.05 to 0.70, n = 3)" in described


@pytest.mark.parametrize(
    ("drawn", "top", "names", "scale", "note"),
    [
        (
            result([3.0, 2.0, 1.0, -1.0, -2.0]),
            2,
            4,
            "with 95 % intervals",
            "the 2 highest and the 2 lowest scores of 5",
        ),
        (result([3.0, -2.0], models=3), 2, 2, "with 95 % intervals over 3 models", "1,200 people"),
        (result([0.0, 0.0], half=None), 0, 2, "female (below 0) to male (above 0)", "1,200 people"),
    ],
)
def test_names_scale_and_caption(drawn: ProbeResult, top: int, names: int, scale: str, note: str) -> None:
    figure = blank()
    with style():
        draw_scores(figure, drawn, top)
        figure.savefig(io.BytesIO(), format="png")
    (axes,) = figure.axes
    assert len(axes.get_yticklabels()) == names
    assert axes.get_xlabel().endswith(scale)
    assert note in figure.get_supxlabel()
