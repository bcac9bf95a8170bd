"""Data sets of Hugging Face: by their folder, and by their name from a server that answers as the Hub does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harmgraph.common.errors import InputError, MissingExtra, UnknownMember
from harmgraph.loader.formats.data_set import DataSetOrigin, found_files, is_data_set
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.reading.plan import Plan, facts
from tests.support.commands import run
from tests.support.data_set_hub import COMMIT, DataSetHub

datasets = pytest.importorskip("datasets", reason="needs harmgraph[datasets]")

CARD = """---
license: cc-by-4.0
configs:
- config_name: default
  data_files:
  - split: train
    path: data/train-*
  - split: test
    path: data/test-*
- config_name: short
  data_files: data/test-*
---
# Sayings
"""


@pytest.fixture(scope="module")
def sayings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository of a data set: two splits in Parquet, a card with two subsets, and a file that is in no split."""
    folder = tmp_path_factory.mktemp("hub") / "sayings"
    (folder / "data").mkdir(parents=True)
    (folder / "README.md").write_text(CARD)
    (folder / "notes.txt").write_text("not a sentence of it\n")
    for split, number in (("train", 3), ("test", 2)):
        texts = [f"women are kind, {split} {at}" for at in range(number)]
        datasets.Dataset.from_dict({"saying": texts}).to_parquet(folder / "data" / f"{split}-0.parquet")
    return folder


def said(result: Any) -> dict[str, Any]:
    assert result.returncode == 0, result.stderr
    report: dict[str, Any] = json.loads(result.stdout)
    return report


@pytest.mark.parametrize(("options", "records"), [([], 5), (["--split", "test"], 2), (["--subset", "short"], 2)])
def test_a_folder_is_loaded_by_split(sayings: Path, options: list[str], records: int) -> None:
    words = ["--column", "saying", "--dry-run", "--output", "json"]
    report = said(run("load", "sentences", str(sayings), *options, *words))
    assert report["records"] == records
    assert report["source"] == "sayings"


def test_the_facts_of_the_source_name_the_data_set(sayings: Path) -> None:
    files, origin = found_files([sayings], "train")
    assert files == (sayings / "data/train-0.parquet",)
    assert origin == DataSetOrigin(name="sayings", licence="cc-by-4.0")
    plan = Plan(
        importers.get("sentences"),
        files,
        "s",
        origin=DataSetOrigin(url="hf://datasets/a/b@c", version="c", licence="mit"),
    )
    kept = facts(plan, ["0"])
    assert (kept["url"], kept["version"], kept["licence"]) == ("hf://datasets/a/b@c", "c", "mit")


def test_a_saved_data_set_is_one_too(tmp_path: Path) -> None:
    made = datasets.Dataset.from_dict({"head": ["woman"] * 4, "relation": ["IsA"] * 4, "tail": list("abcd")})
    datasets.DatasetDict({"train": made, "test": made.select([0])}).save_to_disk(
        tmp_path / "kb", num_shards={"train": 2, "test": 1}
    )
    assert len(found_files([tmp_path / "kb"], "train")[0]) == 2
    words = ["--split", "train", "--dry-run", "--output", "json"]
    assert said(run("load", "triples", str(tmp_path / "kb"), *words))["records"] == 4


def test_files_and_folders_stand_in_their_order(sayings: Path) -> None:
    notes = sayings / "notes.txt"
    files, origin = found_files([notes, sayings], "test")
    assert files == (notes, sayings / "data/test-0.parquet")
    assert origin is None, "a load of several things has no one origin"


def test_an_unknown_split_or_subset_is_told_with_the_known_ones(sayings: Path) -> None:
    with pytest.raises(UnknownMember, match=r"no split .* named 'dev'") as split:
        found_files([sayings], "dev")
    assert split.value.known == ("test", "train")
    with pytest.raises(UnknownMember) as subset:
        found_files([sayings], subset="long")
    assert subset.value.known == ("default", "short")


def test_several_subsets_are_named_where_none_is_the_default(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text("text\nwomen are kind\n")
    configs = "".join(f"- config_name: {name}\n  data_files: {name}.csv\n" for name in ("a", "b"))
    (tmp_path / "README.md").write_text(f"---\nconfigs:\n{configs}---\n")
    with pytest.raises(InputError, match="has 2 subsets; name one with --subset: a, b"):
        found_files([tmp_path])


@pytest.mark.parametrize("place", ["../secret.csv", "{absolute}"])
def test_a_card_cannot_name_files_outside_of_its_folder(tmp_path: Path, place: str) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("text\nsecret\n")
    folder = tmp_path / "set"
    folder.mkdir()
    named = place.format(absolute=secret)
    (folder / "README.md").write_text(f"---\nconfigs:\n- config_name: default\n  data_files: {named}\n---\n")
    with pytest.raises(InputError, match=r"not part of it|no data set"):
        found_files([folder])


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("README.md", "---\nconfigs:\n- config_name: default\n  data_files: {url}/x.csv\n---\n"),
        (
            "README.md",
            "---\nconfigs:\n- config_name: a\n  data_files:\n  - split: train\n    path: [{url}/x.csv]\n---\n",
        ),
        ("README.md", "---\nconfigs:\n- config_name: a\n  data_dir: {url}\n---\n"),
        (".huggingface.yaml", "configs:\n- config_name: default\n  data_files: 'zip://x.csv::{url}/x.zip'\n"),
    ],
)
def test_a_card_sends_no_request_anywhere(tmp_path: Path, file: str, text: str) -> None:
    with DataSetHub(tmp_path) as server:
        (tmp_path / "train.csv").write_text("text\nwomen are kind\n")
        (tmp_path / file).write_text(text.format(url=server.url))
        with pytest.raises(InputError, match="names a file that is not part of it"):
            found_files([tmp_path])
        assert not server.asked


@pytest.mark.parametrize(
    "block",
    [
        "foo: [",
        "configs: 5",
        "configs:\n- {}",
        "configs:\n- config_name: [1]\n  data_files: train.csv",
        "license: !!python/object/apply:os.getcwd []",
        "- a list",
        "dataset_info:\n  features: 7",
        "dataset_info:\n- 3",
        "1: 2",
        "configs: &a\n- config_name: default\n  data_files: *a",
    ],
)
def test_a_wrong_card_is_one_clear_line(tmp_path: Path, block: str) -> None:
    (tmp_path / "train.csv").write_text("text\nwomen are kind\n")
    (tmp_path / "README.md").write_text(f"---\n{block}\n---\n")
    with pytest.raises(InputError, match="name the files") as failed:
        found_files([tmp_path])
    assert failed.value.where == str(tmp_path)
    assert "\n" not in str(failed.value)


def test_a_file_of_several_splits_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "all.csv").write_text("text\nwomen are kind\n")
    splits = "".join(f"  - split: {split}\n    path: all.csv\n" for split in ("train", "test"))
    (tmp_path / "README.md").write_text(f"---\nconfigs:\n- config_name: a\n  data_files:\n{splits}---\n")
    assert found_files([tmp_path])[0] == (tmp_path / "all.csv",)


def test_a_folder_may_be_a_link_or_have_the_name_of_a_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "csv"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "train.csv").write_text("text\nwomen are kind\n")
    (tmp_path / "link").symlink_to("a")
    monkeypatch.chdir(tmp_path)
    assert found_files([Path("link")])[0] == (Path("link/train.csv"),)
    assert found_files([Path("csv")])[0] == (Path("csv/train.csv"),)


@pytest.mark.parametrize("name", ["a[1]", "a*", "a::b"])
def test_a_folder_whose_name_is_a_pattern_is_one_clear_line(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "train.csv").write_text("text\nwomen are kind\n")
    with pytest.raises(InputError, match="rename the folder, or name the files"):
        found_files([tmp_path / name])


@pytest.mark.parametrize(
    "name", ["datasets/a/b..c", "datasets/../..", "datasets", "datasets/a/b/c", "models/a/b", "a/b"]
)
def test_what_is_no_name_is_told_what_one_is(name: str) -> None:
    with pytest.raises(InputError, match="is no name of a data set; write hf://datasets/OWNER/NAME") as failed:
        found_files([Path(f"hf://{name}")])
    assert failed.value.where == f"hf://{name}"


def test_a_folder_without_data_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder, and no data set whose files can be found") as failed:
        found_files([tmp_path])
    assert failed.value.where == str(tmp_path)


def test_a_split_needs_a_data_set(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"--split is for the folder of a data set"):
        found_files([tmp_path / "kb.tsv"], "train")


def test_a_path_that_cannot_be_looked_at_is_one_clear_line() -> None:
    done = run("load", "sentences", "a" * 300, "--dry-run")
    assert done.returncode == 1
    assert "cannot be opened (File name too long)" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_name_without_its_scheme_is_told_the_scheme() -> None:
    assert not is_data_set(Path("acme/sayings"))
    with pytest.raises(InputError, match=r"no such file; .* hf://datasets/acme/sayings"):
        found_files([Path("acme/sayings")])


def test_a_name_is_fetched_from_the_hub(sayings: Path, tmp_path: Path) -> None:
    words = ["--column", "saying", "--dry-run", "--output", "json"]
    with DataSetHub(sayings) as hub:
        where = {"HF_ENDPOINT": hub.url, "HF_HOME": str(tmp_path)}
        report = said(run("load", "sentences", "hf://datasets/acme/sayings", "--split", "test", *words, **where))
        wrong = run("load", "sentences", "hf://datasets/acme/nothing", *words, **where)
    assert (report["records"], report["source"]) == (2, "sayings")
    [file] = report["files"]
    assert f"/{COMMIT}/data/test-0.parquet" in file
    assert not any("train-0" in path for path in hub.asked), "another split is not fetched"
    assert not any("notes" in path for path in hub.asked)
    assert wrong.returncode == 1
    assert wrong.stderr.startswith("harmgraph: hf://datasets/acme/nothing: the Hub has no such data set")
    assert wrong.stderr.count("\n") == 1


def test_a_folder_of_the_same_name_is_not_taken_for_one_on_the_hub(sayings: Path, tmp_path: Path) -> None:
    (tmp_path / "acme" / "sayings").mkdir(parents=True)
    (tmp_path / "acme" / "sayings" / "train.csv").write_text("saying\nof another\n")
    words = ["load", "sentences", "hf://datasets/acme/sayings", "--column", "saying", "--split", "test", "--dry-run"]
    with DataSetHub(sayings) as hub:
        done = subprocess.run(
            [sys.executable, "-m", "harmgraph", *words, "--output", "json"],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "HF_ENDPOINT": hub.url, "HF_HOME": str(tmp_path / "cache")},
            check=False,
        )
    assert said(done)["records"] == 2


def test_no_room_is_not_told_as_a_silent_hub(sayings: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    words = ["load", "sentences", "hf://datasets/acme/sayings", "--dry-run"]
    with DataSetHub(sayings) as hub:
        full = run(*words, HF_ENDPOINT=hub.url, HF_HOME=str(tmp_path / "file"))
    assert "set HF_HOME to another folder" in full.stderr
    assert full.stderr.count("\n") == 1


def test_a_gated_one_and_a_silent_hub_are_one_clear_line(sayings: Path, tmp_path: Path) -> None:
    words = ["load", "sentences", "hf://datasets/acme/sayings", "--dry-run"]
    with DataSetHub(sayings, gated=True) as hub:
        gated = run(*words, HF_ENDPOINT=hub.url, HF_HOME=str(tmp_path))
    silent = run(*words, HF_ENDPOINT=hub.url, HF_HOME=str(tmp_path))
    assert "is given only to those who asked for it" in gated.stderr
    assert "the Hub does not answer" in silent.stderr
    assert gated.stderr.count("\n") == silent.stderr.count("\n") == 1


def test_without_the_library_a_folder_is_told_to_be_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(MissingExtra, match=r"is a folder: name the file in it; .*\[datasets\]"):
        found_files([tmp_path])
