"""A model in a GGUF file, or in a package that has one, speaks, is judged and is trained further."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")
pytest.importorskip("gguf", reason="the extra harmgraph[gguf] is not installed")

from harmgraph.__main__ import main
from harmgraph.common.errors import MissingExtra
from harmgraph.models import extra, store
from harmgraph.models.language import trained
from harmgraph.models.text import pretrained
from harmgraph.models.text.encoder import gguf_file
from tests.support import tiny_gguf

pytestmark = pytest.mark.usefixtures("without_language_models")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_gguf.save(tmp_path_factory.mktemp("gguf") / "tiny.gguf")


def test_it_speaks_with_the_digest_of_its_file(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    prompts, out = tmp_path / "prompts.jsonl", tmp_path / "said.jsonl"
    prompts.write_text('{"prompt": "the other"}\n')
    words = ["language", "generate", str(file), "--prompts", str(prompts), "--out", str(out), "--length", "5"]
    assert main([*words, "--samples", "2"]) == 0
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(rows) == 2
    assert "quantizing" not in capsys.readouterr().err
    assert rows[0]["generation"]["checkpoint"] == store.sha256(file)
    capsys.readouterr()
    (tmp_path / "text.txt").write_text("the other one\nthat is there\n")
    assert main(["language", "eval", str(file), "--corpus", str(tmp_path / "text.txt"), "--output", "json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["texts"] == 2


def test_it_is_trained_further_and_saved_as_safetensors(file: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "text.txt"
    corpus.write_text("\n".join(f"the other one is the {word}" for word in ("hat", "cat", "tea", "toe")))
    words = ["language", "train", "further", "--model", str(file), "--corpus", str(corpus), "--epochs", "1"]
    assert main([*words, "--context", "16", "--threads", "1"]) == 0
    assert (trained.folder("further") / "model" / "model.safetensors").is_file()
    model, tokenizer = trained.loaded("further")
    assert tokenizer.tokenize("the") == ["the"]
    assert model.config.model_type == "llama"


def test_a_package_that_has_one_is_named(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "llm_of_a_test"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "weights.gguf").write_bytes(file.read_bytes())
    monkeypatch.syspath_prepend(str(tmp_path))
    assert gguf_file("llm-of-a-test") == package / "weights.gguf"
    assert len(pretrained.tokenizer_of("llm-of-a-test")) > 250
    (package / "more.gguf").write_bytes(b"")
    assert gguf_file("llm-of-a-test") is None
    assert gguf_file("json") is None
    assert gguf_file(str(tmp_path / "none.gguf")) is None


def test_what_cannot_be_read_is_one_line(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "no.gguf").write_text("no model")
    (tmp_path / "text.txt").write_text("the other one\nthat is there\n")
    assert main(["language", "eval", str(tmp_path / "no.gguf"), "--corpus", str(tmp_path / "text.txt")]) == 1
    said = capsys.readouterr().err
    assert "no.gguf: the language model cannot be loaded" in said
    assert said.count("\n") == 1
    monkeypatch.setitem(sys.modules, "accelerate", None)
    with pytest.raises(MissingExtra, match=r"\[gguf\]"):
        extra.needed("accelerate")
