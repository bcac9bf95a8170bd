"""The HTML report: one page for the sources asked for, with the numbers, their intervals and how to get behind them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import Any

from analytics.statistics import statistic
from graph.connection import Graph
from graph.errors import InputError, NoSpace, NotFound
from graph.sources import facts, names

PAGE = "report.html"
POLARISED_TARGETS = 6


def write(graph: Graph, sources: Sequence[str], out: Path, *, measure: str = "sentiment") -> Path:
    """Writes ``report.html`` into a folder.

    Args:
        sources: names of the sources, in the order of their sections.

    Returns:
        The page.

    Raises:
        NotFound: no source of that name.
        InputError: a source whose load was not finished, or that carries no label of the measure.
        NoSpace: the folder cannot be written.
    """
    known = names(graph)
    for source in sources:
        if source not in known:
            raise NotFound("source", source, known)
        if facts(graph, source).get("state") != "complete":
            raise InputError("its load was not finished", where=source, remedy="run the load again, then the report")
    from jinja2 import Environment

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["number"] = _number
    template = environment.from_string(resources.files("analytics").joinpath("report.html").read_text(encoding="utf-8"))
    text = template.render(
        sources=[_section(graph, source, measure) for source in sources],
        measure=measure,
        written=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    )
    page = out / PAGE
    try:
        out.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")
    except OSError as error:
        raise NoSpace(
            f"the report cannot be written ({error.strerror})",
            where=str(page),
            remedy="choose another folder with --out",
        ) from error
    return page


def _section(graph: Graph, source: str, measure: str) -> dict[str, Any]:
    parameters: dict[str, Any] = {"source": source, "measure": measure}
    targets = statistic("overgeneralization")(graph, **parameters).to_dict("records")
    if targets and all(row["unlabelled"] == row["n"] for row in targets):
        raise InputError(
            f"no statement carries a label of {measure}", where=source, remedy="run 'harmgraph label' first"
        )
    supported = sorted(targets, key=lambda row: (-row["o_minus_low"], -row["n"], row["target"]))
    worst = [row["target"] for row in supported if row["negative"]][:POLARISED_TARGETS]
    examples = statistic("examples")
    return {
        "name": source,
        "facts": facts(graph, source),
        "disparity": statistic("disparity")(graph, **parameters).to_dict("records"),
        "targets": targets,
        "regions": statistic("regions")(graph, min_support=1, **parameters).to_dict("records"),
        "examples": {name: examples(graph, target=name, limit=3, **parameters).to_dict("records") for name in worst},
        "cypher": {name: examples.pasteable(target=name, **parameters) for name in worst},
        "without": statistic("coverage")(graph, source=source, without=True)["target"].tolist(),
    }


def _number(value: Any, digits: int = 1) -> str:
    if not isinstance(value, int | float) or math.isnan(value):
        return ""  # absent, or not a number
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"
