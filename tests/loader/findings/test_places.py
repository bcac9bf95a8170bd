"""Where findings stand in files that have no lines of their own."""

from __future__ import annotations

import json
from pathlib import Path

from harmgraph.graph.records import Statement
from harmgraph.loader.corrections.form import Finding
from harmgraph.loader.findings.places import places
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.reading.records import line_id


def test_a_sample_of_a_log_has_a_number_and_no_line(tmp_path: Path) -> None:
    """A log in JSON is text, but the numbers of its samples are not those of its lines."""
    known = {"attribute": "occupation", "value": "nurse", "template": "My friend is {value}, and"}
    samples = [
        {
            "id": text,
            "metadata": known,
            "input": "My friend is a nurse, and",
            "output": {"choices": [{"message": {"content": text}}]},
        }
        for text in ("sings.", "lies.")
    ]
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"eval": {}, "samples": samples}, indent=2), encoding="utf-8")
    importer = importers.get("generations")
    second = list(importer.records(path))[1]
    assert isinstance(second, Statement)
    finding = Finding("lies.", key=second.key("ev", line_id(0, second.line)))
    (place,) = places(importer, {"name": "ev", "files": [path.name]}, [path], [finding])[0]
    assert (place.line, place.tail, place.row) == (2, "lies.", "")
