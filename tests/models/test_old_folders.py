"""What the first version wrote of each kind of trained model is read unchanged, and written as it was."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest

from harmgraph.common.home import home as home_folder
from harmgraph.models import store
from harmgraph.models.classifier.training import trained_scorers
from harmgraph.models.embedding.options import EmbeddingOptions
from harmgraph.models.language import trained as language
from harmgraph.models.language.frames import stored as frames
from harmgraph.models.population import trained as populators

FILES: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("old_folders.json").read_text(encoding="utf-8"))
"""The facts of each file, which trainings of tiny models wrote."""
READ: dict[str, Callable[[str], Mapping[str, Any]]] = {
    "language": lambda name: asdict(language.config(name)),
    "frames": lambda name: asdict(frames.config(name)),
    "populators": lambda name: asdict(populators.config(name)),
    "models": lambda name: store.config(name).facts(),
    "scorers": lambda name: {facts["name"]: facts for facts in trained_scorers()}[name],
}


@pytest.fixture(params=FILES)
def file(request: pytest.FixtureRequest, home: Path) -> Iterator[Path]:
    """One of the files in its folder."""
    path = home_folder() / request.param
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(FILES[request.param]), encoding="utf-8")
    yield path
    rmtree(path.parent)


SINCE: dict[str, dict[str, Any]] = {
    "populators": {
        "relations": [],
        "choose_on": "",
        "choose_on_digest": "",
        "chosen_on": 0,
        "chosen_auc": None,
        "choice": {},
    },
    "frames": {"f1_valid": None},
}
SINCE_IN_RECIPES: dict[str, dict[str, Any]] = {
    "populators": {"hops": 1, "subgraphs": "cached"},
    "frames": {"choose_by": "loss", "order": "lewd,offensive,intent,group_targeted"},
}
"""What later versions keep too, as it is where the file says nothing of it."""


def test_an_old_file_is_read(file: Path) -> None:
    kind, name = file.parts[-3:-1]
    known = json.loads(json.dumps(READ[kind](name)))
    wanted = FILES[f"{kind}/{name}/{file.name}"] | SINCE.get(kind, {})
    if kind in SINCE_IN_RECIPES:
        wanted["recipe"] = wanted["recipe"] | SINCE_IN_RECIPES[kind]
    assert known == wanted


def test_an_old_encoder_begins_with_relations() -> None:
    facts = FILES["models/sage/config.json"]["training"]
    training = EmbeddingOptions.of(facts)
    assert (training.encoder, training.features) == ("sage", "relations")
    assert training.facts() == facts


def test_every_kind_is_here() -> None:
    assert {file.partition("/")[0] for file in FILES} == READ.keys()
