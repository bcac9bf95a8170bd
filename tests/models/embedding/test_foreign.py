"""Embeddings that were trained elsewhere: layouts, and what is refused."""

from __future__ import annotations

import gzip
import pickle
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.common.errors import HarmgraphError, InputError, UnreadableFile
from harmgraph.graph.connection import Graph
from harmgraph.models import store
from harmgraph.models.embedding import foreign
from harmgraph.models.embedding.foreign import Files, files, read_keys, read_vectors, take
from harmgraph.models.embedding.tables import load_tables
from tests.support.filling import import_triples
from tests.support.toy import ring, toy

ENTITIES, RELATIONS = toy().entities, toy().relations


@pytest.fixture
def plain(tmp_path: Path) -> Files:
    rng = np.random.default_rng(0)
    np.save(tmp_path / "E.npy", rng.normal(size=(len(ENTITIES), 6)))
    np.savetxt(tmp_path / "R.tsv", rng.normal(size=(len(RELATIONS), 6)), delimiter="\t")
    (tmp_path / "e.txt").write_text("\n".join(ENTITIES) + "\n")
    (tmp_path / "r.txt").write_text("".join(f"{number}\t{name}\n" for number, name in enumerate(RELATIONS)))
    return Files(tmp_path / "E.npy", tmp_path / "e.txt", tmp_path / "R.tsv", tmp_path / "r.txt")


def test_numbers_and_keys(plain: Files, graph: Graph) -> None:
    import_triples(graph, *ring())
    # The files say n01, the graph wikidata/n01.
    known = take(graph, "plain", "transe", plain, comparator="l2", source="kb", replace=True)
    assert (known.matched, known.unmatched, known.comparator) == (len(ENTITIES), 0, "l2")
    plain_tables = load_tables("plain")
    assert plain_tables.entity_keys == tuple(f"wikidata/{name}" for name in ENTITIES)
    np.testing.assert_allclose(plain_tables.entities.numpy(), np.load(plain.entities), rtol=1e-6)
    (row,) = graph.rows("model/list")
    assert (row["model"]["name"], row["model"]["family"], row["sources"]) == ("plain", "transe", ["kb"])
    with pytest.raises(InputError, match="a model of that name exists; --again"):
        take(graph, "plain", "transe", plain, comparator="l2")
    with pytest.raises(InputError, match="transe can compare by dot, l2, l1; which was it trained with"):
        take(graph, "plain", "transe", plain, replace=True)


def test_a_folder_of_dgl_ke(tmp_path: Path) -> None:
    np.save(tmp_path / "FB_RotatE_entity.npy", np.ones((2, 4)))
    np.save(tmp_path / "FB_RotatE_relation.npy", np.ones((1, 2)))
    (tmp_path / "entities.tsv").write_text("1\tb\n0\ta\n")
    (tmp_path / "relations.dict").write_text("R\t0\n")
    found = files(tmp_path, None, None, None, None)
    assert read_keys(found.entity_keys, 2) == ["a", "b"]
    assert read_keys(found.relation_keys, 1) == ["R"]


def test_a_folder_of_pykeen(tmp_path: Path, graph: Graph) -> None:
    (tmp_path / "training_triples").mkdir()
    (tmp_path / "trained_model.pkl").write_bytes(pickle.dumps({}))
    for name, keys in (("entity", ("a", "b")), ("relation", ("R",))):
        lines = "id\tlabel\n" + "".join(f"{number}\t{key}\n" for number, key in enumerate(keys))
        (tmp_path / "training_triples" / f"{name}_to_id.tsv.gz").write_bytes(gzip.compress(lines.encode()))
    with pytest.raises(UnreadableFile, match=r"trained_model.pkl: is a pickle.*np\.save\('entities.npy'"):
        files(tmp_path, None, None, None, None)
    turn = np.exp(1j * np.array([[0.5, -1.0]]))
    np.save(tmp_path / "entities.npy", np.array([[1 + 2j, 3], [0, 1j]], np.complex64))
    np.save(tmp_path / "relations.npy", turn.astype(np.complex64))
    take(graph, "pykeen", "rotate", files(tmp_path, None, None, None, None), comparator="l2", replace=True)
    turned = load_tables("pykeen")
    assert turned.entities.tolist() == [[1, 3, 2, 0], [0, 0, 0, 1]]
    np.testing.assert_allclose(turned.relations.numpy(), [[0.5, -1.0]], rtol=1e-6)


@pytest.mark.parametrize("name", ["model.pkl", "model.pt"])
def test_a_pickle_is_never_opened(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(pickle.dumps(print))
    with pytest.raises(UnreadableFile, match="is a pickle, which can run any code; write the vectors as NPY"):
        read_vectors(path)


def test_an_array_of_objects_is_never_opened(tmp_path: Path) -> None:
    path = tmp_path / "E.npy"
    np.save(path, np.array([[{}, 1]], object), allow_pickle=True)
    with pytest.raises(UnreadableFile, match="cannot be read as numbers"):
        read_vectors(path)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("1 2\n3\n", "cannot be read as numbers"),
        ("a b\n", "cannot be read as numbers"),
        ("1 nan\n", "a number that is not finite"),
    ],
)
def test_a_table_that_is_none(tmp_path: Path, content: str, why: str) -> None:
    path = tmp_path / "E.txt"
    path.write_text(content)
    with pytest.raises(UnreadableFile, match=why):
        read_vectors(path)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("a\n", "has 1 keys for 2 vectors"),
        ("a\na\n", "names a key twice"),
        ("0\ta\n2\tb\n", "no column with the numbers 0 to 1"),
    ],
)
def test_keys_that_are_none(tmp_path: Path, content: str, why: str) -> None:
    path = tmp_path / "keys.txt"
    path.write_text(content)
    with pytest.raises(UnreadableFile, match=why):
        read_keys(path, 2)


def test_tables_that_do_not_go_with_the_model(plain: Files, graph: Graph, tmp_path: Path) -> None:
    np.save(tmp_path / "five.npy", np.ones((len(RELATIONS), 5)))
    with pytest.raises(InputError, match="a relation has 5 columns where transe with 6 needs 6"):
        take(
            graph,
            "wrong",
            "transe",
            Files(plain.entities, plain.entity_keys, tmp_path / "five.npy", plain.relation_keys),
            comparator="l2",
        )
    with pytest.raises(InputError, match="no file of the entities; name it with --entities"):
        files(None, None, None, None, None)
    import_triples(graph, *ring())
    np.savetxt(tmp_path / "e.txt", np.arange(len(ENTITIES)), fmt="x%d")
    with pytest.raises(HarmgraphError, match="none of the 26 keys is one of the source 'kb', such as 'wikidata/even'"):
        take(graph, "wrong", "transe", plain, comparator="l2", source="kb")
    assert "wrong" not in store.names()


def test_half_a_turn_of_dgl_ke(tmp_path: Path, graph: Graph, plain: Files) -> None:
    np.save(tmp_path / "angles.npy", np.full((len(RELATIONS), 3), 0.25))
    given = foreign.Files(plain.entities, plain.entity_keys, tmp_path / "angles.npy", plain.relation_keys)
    take(graph, "turned", "rotate", given, comparator="l1", half_turn=0.5, replace=True)
    np.testing.assert_allclose(load_tables("turned").relations.numpy(), np.pi / 2, rtol=1e-6)
