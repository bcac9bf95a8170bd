"""Samples by the model of a server: what is asked, how a run goes on, and what stands in the file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harmgraph.__main__ import main
from harmgraph.loader.importers.generations import IMPORTER
from tests.support import occupations
from tests.support.scripted_endpoint import Reply, ScriptedEndpoint

pytestmark = pytest.mark.usefixtures("fresh_answers")


def continues(asked: Mapping[str, Any]) -> Reply:
    """Says the seed, so that equal questions have equal answers."""
    text = f" happy {asked['seed']} . They left."
    return Reply({"choices": [{"text": text, "finish_reason": "stop"}], "usage": {"total_tokens": 20}})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    occupations.write(tmp_path)
    return tmp_path


def generated(folder: Path, server: ScriptedEndpoint, *more: str, out: str = "said.jsonl") -> int:
    files = ("--values", str(folder / "values.csv"), "--templates", str(folder / "templates.csv"))
    words = ("--endpoint", server.address, "--samples", "3", "--out", str(folder / out), "--no-progress")
    return main(["counterfactual", "generate", *files, *words, *more])


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_samples_of_a_server(folder: Path) -> None:
    with ScriptedEndpoint(continues) as server:
        assert generated(folder, server, "--length", "9", "--temperature", "0.7", "--top-k", "40") == 0
        lines = lines_of(folder / "said.jsonl")
        assert len(lines) == len(server.asked) == 4 * 2 * 3
        assert lines[0]["generation"] == {
            **{"model": "scripted-1", "server": "scripted", "samples": 3, "temperature": 0.7, "top_k": 40},
            **{"length": 9, "seed": 0, "least": 0, "taken": "whole"},
        }
        asked = server.asked[0]
        assert (asked["max_tokens"], asked["temperature"], asked["top_k"]) == (9, 0.7, 40)
        assert {asked["prompt"] for asked in server.asked} == {line["prompt"] for line in lines}
        assert len({asked["seed"] for asked in server.asked}) == 24
        for line in lines:
            assert IMPORTER.parser(None, IMPORTER.chosen({}))(json.dumps(line), 1)  # type: ignore[arg-type]
        before = (folder / "said.jsonl").read_bytes()
        more = ("--length", "9", "--temperature", "0.7", "--top-k", "40", "--parallel", "7")
        assert generated(folder, server, *more, out="again.jsonl") == 0
        assert (folder / "again.jsonl").read_bytes() == before
        assert len(server.asked) == 24, "what was said is known"
        assert generated(folder, server, "--seed", "1", out="again.jsonl") == 0
        assert len(server.asked) == 48


def test_another_server_is_asked_itself(folder: Path) -> None:
    with ScriptedEndpoint(continues, owner="a") as first, ScriptedEndpoint(continues, owner="b") as second:
        assert generated(folder, first) == 0
        assert generated(folder, second) == 0
        assert len(second.asked) == 24


def test_first_sentences_and_common_random_numbers(folder: Path) -> None:
    with ScriptedEndpoint(continues) as server:
        assert generated(folder, server, "--first-sentence", "--common-random-numbers") == 0
        lines = lines_of(folder / "said.jsonl")
        assert all(line["text"].endswith(" .") for line in lines)
        said: dict[tuple[str, str], list[str]] = {}
        for line in lines:
            said.setdefault((line["template"], line["value"]), []).append(line["text"])
        first, second = {template for template, _ in said}
        assert {tuple(texts) for (template, _), texts in said.items() if template == first} == {
            tuple(said[first, "nurse"])
        }
        assert said[first, "nurse"] != said[second, "nurse"]


def test_half_a_character_and_a_nul(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """JSON can write what no file can hold."""
    odd = iter([b'"a \\ud83d b"', b'"a \\u0000 b"', b'""'])

    def answer(asked: Mapping[str, Any]) -> Reply:
        return Reply(b'{"choices": [{"text": ' + next(odd, b'"fine"') + b"}]}")

    with ScriptedEndpoint(answer) as server:
        assert generated(folder, server, "--parallel", "1") == 0
    texts = [line["text"] for line in lines_of(folder / "said.jsonl")]
    assert texts == ["a ? b"] + ["fine"] * 21
    said = " ".join(capsys.readouterr().out.split())
    assert "1 without a word; 1 with a NUL character" in said


def test_fewer_prompts_have_the_same_samples(folder: Path) -> None:
    with ScriptedEndpoint(continues) as server:
        assert generated(folder, server) == 0
        whole = {(line["prompt"], line["text"]) for line in lines_of(folder / "said.jsonl")}
        values = (folder / "values.csv").read_text("utf-8").splitlines()
        (folder / "values.csv").write_text("\n".join([values[0], *values[2:]]) + "\n", encoding="utf-8")
        assert generated(folder, server, out="fewer.jsonl") == 0
        assert {(line["prompt"], line["text"]) for line in lines_of(folder / "fewer.jsonl")} < whole
        assert len(server.asked) == 24


def test_a_budget_ends_it_and_the_same_command_goes_on(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedEndpoint(continues) as server:
        ended = []
        while not (folder / "said.jsonl").exists():
            ended.append(generated(folder, server, "--max-tokens", "160", "--parallel", "1"))
            err = capsys.readouterr().err
            if ended[-1]:
                assert "stopped at --max-tokens: " in err
                assert "what was said is kept, and the same command goes on" in err
        assert len(ended) > 2
        assert ended[-1] == 0
        assert len(server.asked) == 24


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--model", "other"), "has no model named 'other'; it has scripted-1"),
        (("--max-tokens", "5"), "--max-tokens 5 is too small for one question"),
        (("--endpoint", "nowhere"), "is not the address of an http or https server"),
    ],
)
def test_bad_input(folder: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...], says: str) -> None:
    with ScriptedEndpoint(continues) as server:
        assert generated(folder, server, *more) == 1
    assert says in capsys.readouterr().err
    assert not (folder / "said.jsonl").exists()


def test_other_options_and_servers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedEndpoint(continues) as server:
        for given in (("--precision", "bf16"), ("--device", "cpu"), ("--threads", "1")):
            assert generated(folder, server, *given) == 2
            assert f"{given[0]} does not go with --endpoint." in capsys.readouterr().err
    for given in (("--key-from", "X"), ("--parallel", "4"), ("--max-tokens", "9"), ("--timeout", "9")):
        assert main(["counterfactual", "generate", "--out", str(folder / "x"), "--model", "x", *given]) == 2
        assert f"{given[0]} does not go without --endpoint." in capsys.readouterr().err
    assert main(["counterfactual", "generate", "--out", str(folder / "x")]) == 2
    assert "--model" in capsys.readouterr().err
    with ScriptedEndpoint(lambda asked: Reply({"choices": []})) as server:
        assert generated(folder, server) == 1
        assert "answers without a text" in capsys.readouterr().err
    with ScriptedEndpoint(lambda asked: Reply({"error": "chat alone"}, 404)) as server:
        assert generated(folder, server) == 1
        assert "has no /v1/completions, or no such model (404: chat alone)" in capsys.readouterr().err
