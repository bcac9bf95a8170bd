"""``config.json`` of a model: what is read is what was written, and a file that cannot be used says so in one line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harmgraph.common.errors import UnreadableFile
from harmgraph.models import folders, store
from harmgraph.models.config import EmbeddingConfig
from harmgraph.models.record import CONFIG, record

pytestmark = pytest.mark.usefixtures("without_models")
ORIGIN: dict[str, Any] = {
    "source": None,
    "imports": {"kb": "1"},
    "size": {"ends": 3},
    "statement": "subgraph/triples",
    "text": "MATCH",
    "parameters": {"source": None},
    "seed": 0,
    "shares": [0.05, 0.05],
}
COUNTS = {"entities": 3, "relations": 1, "duplicates": 0, "train": 2, "valid": 0, "test": 0}
TRAINED: dict[str, Any] = {
    "form": 1,
    "state": "finished",
    "family": "transe",
    "comparator": "l2",
    "reciprocal": False,
    "dimension": 8,
    "identity": "d1",
    "training": {"lr": 0.1},
    "subgraph": {"digest": "d2", "origin": ORIGIN, "split_by": "graph", **COUNTS},
    "versions": {"torch": "2"},
    "stopped": "epochs",
    "epochs": 1,
    "best_epoch": 0,
    "threads": 1,
    "valid_mrr": None,
    "sha256": "d3",
}
BASIC = {name: TRAINED[name] for name in ("form", "state", "family", "comparator", "reciprocal", "dimension")}
IMPORTED = BASIC | {"subgraph": {}, "stopped": "imported", "imported": {"entities": "E"}, "matched": 2, "unmatched": 0}


@pytest.mark.parametrize("facts", [TRAINED, IMPORTED, BASIC | {"subgraph": {}}])
def test_the_file_keeps_its_keys(facts: dict[str, Any]) -> None:
    store.keep(store.folder("kept"), record(EmbeddingConfig, facts))
    assert json.loads((store.folder("kept") / CONFIG).read_text()) == facts
    assert store.config("kept").facts() == facts
    folders.clear(store.folder("kept"))


def test_a_key_of_another_version_is_ignored() -> None:
    assert record(EmbeddingConfig, TRAINED | {"new": 1}) == record(EmbeddingConfig, TRAINED)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{", "Expecting property name"),
        ("[]", "it is not a JSON object"),
        ('{"state": "finished"}', "it has no family"),
        (json.dumps(TRAINED | {"dimension": "8"}), "its dimension is '8'"),
        (json.dumps(TRAINED | {"subgraph": {"origin": {}}}), "it has no entities"),
        (json.dumps(TRAINED | {"subgraph": {"origin": {"text": ""}, **COUNTS}}), "it has no statement"),
        (json.dumps(TRAINED | {"subgraph": [1]}), "its subgraph is"),
    ],
)
def test_a_file_that_cannot_be_used(content: str, why: str) -> None:
    place = store.folder("damaged")
    place.mkdir(parents=True, exist_ok=True)
    (place / CONFIG).write_text(content)
    with pytest.raises(UnreadableFile, match=why) as refused:
        store.config("damaged")
    assert "train it again with --again" in str(refused.value)
    folders.clear(place)
