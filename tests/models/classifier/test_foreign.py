"""Folders that hold something else than a classifier or an encoder, and options that no training can stand: one line each."""

from __future__ import annotations

import re
import shutil
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harmgraph.common.errors import BadName, InputError, UnreadableFile
from harmgraph.models.classifier.classifier import model_identity, opened
from harmgraph.models.classifier.examples import read_examples, split
from harmgraph.models.classifier.finetuning import ScorerRecipe, loaded
from harmgraph.models.classifier.training import train
from harmgraph.models.text.encoder import locate, trained
from tests.support import tiny_model

RECIPE = ScorerRecipe(epochs=1, batch=16, learning_rate=5e-3, common=0)


def empty(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()


def torn(folder: Path) -> None:
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:200])


def no_tokenizer(folder: Path) -> None:
    for name in ("tokenizer.json", "tokenizer_config.json", "vocab.txt"):
        (folder / name).unlink(missing_ok=True)


def no_weights_but_numbers(folder: Path) -> None:
    import torch
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    save_file(
        {name: torch.full_like(value, float("nan")) for name, value in weights.items()}, folder / "model.safetensors"
    )


def another_architecture(folder: Path) -> None:
    from transformers import ViTConfig, ViTForImageClassification

    small = ViTConfig(
        hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64, image_size=16, patch_size=8
    )
    ViTForImageClassification(small).save_pretrained(folder)


def without_padding(folder: Path) -> None:
    from transformers import GPT2Config, GPT2ForSequenceClassification

    names = dict(enumerate(tiny_model.LABELS))
    small = GPT2Config(
        vocab_size=20,
        n_positions=64,
        n_embd=32,
        n_layer=1,
        n_head=2,
        bos_token_id=2,
        eos_token_id=3,
        id2label=names,
        label2id={name: place for place, name in names.items()},
    )
    GPT2ForSequenceClassification(small).save_pretrained(folder)


FOLDERS: dict[Callable[[Path], None], str] = {
    empty: "has no (config.json|model.safetensors)",
    torn: r"the (model|encoder) cannot be loaded \(SafetensorError",
    no_tokenizer: "has no vocabulary",
    no_weights_but_numbers: "returns NaN or infinite numbers",
    another_architecture: r"the (model|encoder) cannot be loaded \(Unrecognized configuration class",
    without_padding: r"cannot classify sentences \(ValueError: Cannot handle batch sizes > 1",
}


def encoded(folder: str) -> Any:
    """As ``scorer train`` does it."""
    model_identity(folder)
    return loaded(folder)


@pytest.mark.parametrize("way", [opened, encoded])
@pytest.mark.parametrize("spoil", FOLDERS, ids=lambda spoil: spoil.__name__)
def test_a_folder_of_something_else(tmp_path: Path, spoil: Callable[[Path], None], way: Callable[[str], Any]) -> None:
    folder = tiny_model.save(tmp_path / "folder")
    spoil(folder)
    with pytest.raises(InputError, match=FOLDERS[spoil]) as raised:
        way(str(folder))
    assert str(folder) in str(raised.value)
    assert len(str(raised.value)) < 500


def test_the_folder_itself_is_none_of_these(tmp_path: Path) -> None:
    folder = str(tiny_model.save(tmp_path / "folder"))
    opened(folder)
    encoded(folder)


def test_a_model_whose_numbers_fail_later(tmp_path: Path) -> None:
    """NaN has no order: the first label would be given, and NaN written as its value."""
    import torch

    classifier = opened(str(tiny_model.save(tmp_path / "folder")))
    with torch.no_grad():
        classifier.model.classifier.bias[0] = float("nan")
    with pytest.raises(InputError, match="returns NaN or infinite numbers"):
        classifier.judge(["this person is kind"])


def test_a_name_of_a_module_without_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """The console script's own module is such a one."""
    made = types.ModuleType("placeless")
    made.__spec__ = None
    monkeypatch.setitem(sys.modules, "placeless", made)
    assert locate("placeless") == "placeless"


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    path = tmp_path / "examples.tsv"
    words = "this person is a teacher at home and "
    path.write_text("".join(f"t{n // 4}\t{n % 2 - 1}\t{words * (n % 12)}{n}\n" for n in range(120)), encoding="utf-8")
    return path


def test_texts_longer_than_the_encoder_reads_are_cut(examples: Path, encoder: Path) -> None:
    assert max(len(line.split()) for line in examples.read_text("utf-8").splitlines()) > 64
    found = train("long", examples, str(encoder), recipe=ScorerRecipe(epochs=1, tokens=500), threads=1)
    assert found.config.scores


@pytest.mark.parametrize("rate", [float("nan"), float("inf"), 0.0, -1.0])
def test_a_learning_rate_that_is_none(examples: Path, encoder: Path, rate: float) -> None:
    with pytest.raises(BadName, match="give a number above 0"):
        train("rate", examples, str(encoder), recipe=ScorerRecipe(epochs=1, learning_rate=rate))


def test_a_training_that_diverges(examples: Path, encoder: Path) -> None:
    with pytest.raises(InputError, match=r"loss of epoch 1 is not a number: .*--learning-rate"):
        train("diverges", examples, str(encoder), recipe=ScorerRecipe(epochs=1, learning_rate=1e9), threads=1)
    assert not trained("diverges").exists()


def test_nothing_left_to_hold_out(tmp_path: Path, encoder: Path) -> None:
    path = tmp_path / "same.tsv"
    path.write_text("".join(f"t{target}\t{label}\tthe same {label}\n" for target in range(30) for label in (-1, 0)))
    with pytest.raises(InputError, match=re.escape("same.tsv: no example is left to test on: 12 of 60")):
        train("same", path, str(encoder), recipe=RECIPE)


def test_a_rare_label_gives_no_warning_of_a_library(tmp_path: Path) -> None:
    path = tmp_path / "rare.tsv"
    lines = [f"t{n}\t{n % 2}\ttext {n}\n" for n in range(60)] + [f"r{n}\t-1\trare {n}\n" for n in range(3)]
    path.write_text("".join(lines), encoding="utf-8")
    parts = split(read_examples(path).examples)
    assert sum(map(len, (parts.train, parts.valid, parts.test))) == 63


def test_a_file_that_is_none(tmp_path: Path) -> None:
    for wrong in (tmp_path, tmp_path / "missing"):
        with pytest.raises(UnreadableFile, match="cannot be read"):
            read_examples(wrong)
    shutil.copy(sys.executable, tmp_path / "binary")
    with pytest.raises(UnreadableFile, match="is not UTF-8"):
        read_examples(tmp_path / "binary")
