"""Results as SARIF 2.1.0 (OASIS 2020), which code scanning and editors read, and back."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote_to_bytes

from harmgraph.common.ci.code_results import CodePlace, CodeResult, CodeRule
from harmgraph.common.clean_text import clean_values
from harmgraph.common.json_text import from_json
from harmgraph.common.version import VERSION

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "%SRCROOT%"
FINGERPRINT = "harmgraphFinding/v1"
GITHUB_FINGERPRINT = "primaryLocationLineHash"
"""The only one by which GitHub's code scanning knows an alert again. Its own would change with the lines around a finding."""


def sarif(results: Iterable[CodeResult]) -> str:
    """Results as one log with one run."""
    found = list(results)
    rules = list({result.rule.id: result.rule for result in found}.values())
    numbers = {rule.id: number for number, rule in enumerate(rules)}
    run = {
        "tool": {
            "driver": {
                "name": "harmgraph",
                "version": VERSION,
                "rules": [_rule(rule) for rule in rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(result, numbers[result.rule.id]) for result in found],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(clean_values(log), indent=1, ensure_ascii=False) + "\n"


def read_sarif(path: Path) -> list[CodeResult]:
    """The results of a log that ``sarif`` made."""
    (run,) = from_json(path.read_text("utf-8"))["runs"]
    rules = [
        CodeRule(id=rule["id"], title=rule["shortDescription"]["text"], text=rule["fullDescription"]["text"])
        for rule in run["tool"]["driver"]["rules"]
    ]
    return [_read(result, rules[result["ruleIndex"]]) for result in run["results"]]


def _rule(rule: CodeRule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.text},
        "help": {"text": rule.text},
        "properties": {"tags": ["fairness"]},
    }


def _result(result: CodeResult, rule: int) -> dict[str, Any]:
    written: dict[str, Any] = {
        "ruleId": result.rule.id,
        "ruleIndex": rule,
        "level": result.level,
        "message": {"text": result.message},
        "fingerprints": {FINGERPRINT: result.id},
        "partialFingerprints": {GITHUB_FINGERPRINT: f"{result.id}:1"},
        "properties": dict(result.properties),
    }
    if result.state:
        written["baselineState"] = result.state
    if result.places:
        written["locations"] = [_location(place) for place in result.places[:1]]
        written["relatedLocations"] = [_location(place) for place in result.places[1:]]
    return written


def _location(place: CodePlace) -> dict[str, Any]:
    # A file outside of the repository has an absolute address, which takes no base.
    outside = place.file.startswith("/")
    path = quote(os.fsencode(place.file))  # also a name that is not UTF-8
    address = {"uri": f"file://{path}"} if outside else {"uri": path, "uriBaseId": ROOT}
    return {"physicalLocation": {"artifactLocation": address, "region": {"startLine": place.line}}}


def _read(result: Mapping[str, Any], rule: CodeRule) -> CodeResult:
    return CodeResult(
        rule=rule,
        id=result["fingerprints"][FINGERPRINT],
        message=result["message"]["text"],
        level=result["level"],
        state=result.get("baselineState", ""),
        places=tuple(map(_place, (*result.get("locations", ()), *result.get("relatedLocations", ())))),
        properties=result["properties"],
    )


def _place(location: Mapping[str, Any]) -> CodePlace:
    physical = location["physicalLocation"]
    file = os.fsdecode(unquote_to_bytes(physical["artifactLocation"]["uri"].removeprefix("file://")))
    return CodePlace(file=file, line=physical["region"]["startLine"])
