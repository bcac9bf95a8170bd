"""The commands of counterfactual sentiment, from a model to the table, with the smallest one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.__main__ import main
from harmgraph.common.errors import InputError
from harmgraph.loader.importers.generations import IMPORTER
from harmgraph.models.folders import clear
from harmgraph.models.language import speaking, trained
from harmgraph.models.language.counterfactual import sampling
from harmgraph.models.language.counterfactual.sentences import first_sentence
from harmgraph.models.language.decoding import Continuation, Decoding
from harmgraph.models.language.sequences import prompt_ids
from harmgraph.models.language.speaking import Speaker
from tests.support.occupations import OCCUPATIONS, write
from tests.support.tiny_model import save

FAST = ("--no-progress", "--threads", "1")
SMALL = ("--epochs", "3", "--batch", "8", "--context", "32", "--vocabulary", "400", "--learning-rate", "5e-3")
GROUP = "counterfactual"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, home: Path) -> Iterator[Path]:
    """A folder with texts, values, templates, an encoder, and two models with samples of each."""
    for name in trained.names():
        clear(trained.folder(name))
    place = tmp_path_factory.mktemp("counterfactual")
    corpus, values, _ = write(place)
    save(place / "encoder", classifier=False)
    words = ("--corpus", str(corpus), "--model", "new:tiny", *SMALL, *FAST)
    assert main(["language", "train", "before", *words]) == 0
    words = ("--model", "before", "--values", str(values), "--epochs", "1", *FAST)
    assert main([GROUP, "debias", "after", *words]) == 0
    for name in ("before", "after"):
        assert generated(place, name, place / f"{name}.jsonl") == 0
    yield place
    for name in trained.names():
        clear(trained.folder(name))


def generated(place: Path, model: str, out: Path, *more: str) -> int:
    files = ("--values", str(place / "values.csv"), "--templates", str(place / "templates.csv"), "--out", str(out))
    return main([GROUP, "generate", "--model", model, *files, "--samples", "12", "--length", "16", *FAST, *more])


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_sample_is_a_line_that_the_importer_reads(folder: Path) -> None:
    lines = lines_of(folder / "before.jsonl")
    assert 90 <= len(lines) <= len(OCCUPATIONS) * 2 * 12
    checkpoint = trained.config("before").sha256
    for line in lines:
        assert line["prompt"] == line["template"].replace("{value}", line["value"])
        assert line["generation"] == {
            **{"model": "before", "checkpoint": checkpoint, "samples": 12, "temperature": 1.0, "top_k": 0},
            **{"length": 16, "seed": 0, "least": 0, "taken": "whole"},
        }
        text = line["text"]
        assert text == " ".join(text.split()) != ""
        record = IMPORTER.parser(None, IMPORTER.chosen({}))(json.dumps(line), 1)  # type: ignore[arg-type]
        assert (record.text, record.term) == (text, line["value"])  # type: ignore[union-attr]
    assert len({line["text"] for line in lines}) > 5
    before = (folder / "before.jsonl").read_bytes()
    assert generated(folder, "before", folder / "again.jsonl") == 0
    assert (folder / "again.jsonl").read_bytes() == before
    # Huang et al. 2020, appendix B and table 7: up to 50 tokens, of several sentences.
    several = [line["text"] for line in lines if first_sentence(line["text"]) != line["text"]]
    assert several
    assert generated(folder, "before", folder / "first.jsonl", "--first-sentence") == 0
    firsts = lines_of(folder / "first.jsonl")
    assert {line["generation"]["taken"] for line in firsts} == {"first sentence"}
    assert all(whole["text"].startswith(first["text"]) for whole, first in zip(lines, firsts, strict=True))


def test_common_random_numbers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model to which a sheriff is a nurse says the same of both."""

    def deaf(tokenizer: Any, prompts: Sequence[str]) -> list[list[int]]:
        return prompt_ids(tokenizer, [prompt.replace("sheriff", "nurse") for prompt in prompts])

    monkeypatch.setattr(speaking, "prompt_ids", deaf)

    def texts(name: str, *more: str) -> dict[tuple[str, str], list[str]]:
        assert generated(folder, "before", folder / name, *more) == 0
        said: dict[tuple[str, str], list[str]] = {}
        for line in lines_of(folder / name):
            said.setdefault((line["template"], line["value"]), []).append(line["text"])
            assert line["generation"].get("common_random_numbers") == (True if more else None)
        return said

    alike, apart = texts("alike.jsonl", "--common-random-numbers"), texts("apart.jsonl")
    for template in {template for template, _ in alike}:
        assert alike[template, "nurse"] == alike[template, "sheriff"]
        assert alike[template, "nurse"] != alike[template, "cook"]
        assert apart[template, "nurse"] != apart[template, "sheriff"]


@pytest.mark.parametrize("more", [(), ("--common-random-numbers",)])
def test_an_interrupted_generation_goes_on(
    folder: Path, more: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    from harmgraph.models.language import generation

    monkeypatch.setattr(generation.generated, "__kwdefaults__", {**generation.generated.__kwdefaults__, "rows": 10})
    out, whole = folder / "interrupted.jsonl", folder / "whole.jsonl"
    out.unlink(missing_ok=True)
    assert generated(folder, "before", whole, *more) == 0
    calls: list[int] = []
    sampled = generation._sampled

    def stopping(*given: Any) -> Any:
        calls.append(1)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return sampled(*given)

    monkeypatch.setattr(generation, "_sampled", stopping)
    assert generated(folder, "before", out, *more) != 0
    part = folder / "interrupted.jsonl.part"
    assert not out.exists()
    assert len(part.read_text().splitlines()) == 4
    with part.open("a") as file:
        file.write("[[[3, 4")  # a line that was cut
    assert generated(folder, "before", out, *more) == 0
    assert out.read_bytes() == whole.read_bytes()
    assert not part.exists()
    drawn_again = len(calls) - 4
    # What is kept of another generation does not count.
    calls[:] = []
    assert generated(folder, "before", out, *more, "--seed", "1") != 0
    assert part.exists()
    assert generated(folder, "before", out, *more) == 0
    assert len(calls) - 4 == drawn_again + 3
    assert out.read_bytes() == whole.read_bytes()


def test_half_precision_is_recorded(folder: Path) -> None:
    assert generated(folder, "before", folder / "half.jsonl", "--precision", "bf16") == 0
    half, whole = lines_of(folder / "half.jsonl"), lines_of(folder / "before.jsonl")
    assert {line["generation"].get("precision") for line in half} == {"bf16"}
    assert {line["generation"].get("precision") for line in whole} == {None}
    alike = {line["text"] for line in half} & {line["text"] for line in whole}
    assert alike  # the same draws, but for rounding


def test_samples_that_no_graph_keeps_are_left_out_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = [["good .", " \n ", "a\x00b"], ["bad .", "fine", ""]]
    known = [[(text, Continuation((1,), 0.0, True)) for text in few] for few in said]
    monkeypatch.setattr(sampling, "continued", lambda *_, **__: (Speaker("m", "c", Decoding(samples=3)), known))
    out = tmp_path / "out.jsonl"
    spoken = sampling.sample_into("m", [{"prompt": "p"}, {"prompt": "q"}], out, Decoding(samples=3))
    assert (spoken.said, spoken.kept) == (6, 3)
    assert spoken.left_out == {"without a word": 2, "with a NUL character": 1}
    assert [line["text"] for line in lines_of(out)] == ["good .", "bad .", "fine"]
    known[:] = [[("", Continuation((), 0.0, True))]] * 2
    with pytest.raises(InputError, match="m: says no word after any of the prompts"):
        sampling.sample_into("m", [{"prompt": "p"}, {"prompt": "q"}], tmp_path / "none.jsonl", Decoding(samples=1))
    assert not (tmp_path / "none.jsonl").exists()


def compare(folder: Path, *more: str) -> int:
    files = (str(folder / "before.jsonl"), str(folder / "after.jsonl"))
    words = ("--permutations", "10", "--resamples", "20", "--min-samples", "1", "--no-progress", "--output", "json")
    return main([GROUP, "compare", *files, "--encoder", str(folder / "encoder"), *words, *more])


def test_models_side_by_side(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert compare(folder) == 0
    before, after = json.loads(capsys.readouterr().out)
    assert (before["model"], after["model"], after["attribute"]) == ("before", "after", "occupation")
    assert (before["ppl_ratio"], before["i_f_change"]) == (None, None)
    for row in (before, after):
        known = trained.config(row["model"])
        assert row["ppl"] == pytest.approx(known.valid_perplexity, rel=1e-4)
        assert row["texts"] == known.valid >= row["texts_s"] > 0
        assert 0 <= row["similar_low"] <= row["similar"] <= row["similar_high"] <= 100
        assert row["n"] == row["samples"] == len(lines_of(folder / f"{row['model']}.jsonl"))
    assert after["ppl_ratio"] == pytest.approx(after["ppl"] / before["ppl"], rel=1e-6)
    assert after["i_f_change"] == pytest.approx(after["i_f"] - before["i_f"])
    assert compare(folder, "--corpus", str(folder / "corpus.txt"), "--scorer", "opinion") == 0
    assert json.loads(capsys.readouterr().out)[0]["texts"] == 160
    figure, trade_off = folder / "fairness.svg", folder / "trade-off.svg"
    assert compare(folder, "--figure", str(figure), "--trade-off", str(trade_off)) == 0
    again_before, again_after = json.loads(capsys.readouterr().out)
    said = figure.read_text(), trade_off.read_text()
    for row in (again_before, again_after):
        assert f"{row['model']}, occupation: I.F.: {row['i_f']:.4f} ({row['i_f_low']:.4f} to" in said[0]
        assert f"{row['model']} I.F. {row['i_f']:.4f} ({row['i_f_low']:.4f} to" in said[1]
        assert f"S.S. {row['similar']:.1f} %" in said[1]
    assert compare(folder, "--no-quality", "--trade-off", str(trade_off)) == 2
    assert "--trade-off needs S.S." in capsys.readouterr().err
    assert compare(folder, "--no-quality") == 0
    assert "ppl" not in json.loads(capsys.readouterr().out)[0]


def test_similarity_of_each_sample(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    encoder = ("--encoder", str(folder / "encoder"))
    assert compare(folder) == 0
    of_model = json.loads(capsys.readouterr().out)[0]
    command = (GROUP, "similarity", str(folder / "before.jsonl"), *encoder, "--no-progress")
    assert main([*command, "--output", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert sorted(row["text"] for row in rows) == sorted(line["text"] for line in lines_of(folder / "before.jsonl"))
    assert 100 * sum(row["similar"] for row in rows) / len(rows) == pytest.approx(of_model["similar"])
    assert 100 * sum(row["mentions"] for row in rows) / len(rows) == pytest.approx(of_model["mentions"])
    assert all(row["similar"] == (row["cosine"] > 0.4) for row in rows)
    for prompt in {row["prompt"] for row in rows}:
        found = [row["cosine"] for row in rows if row["prompt"] == prompt]
        assert found == sorted(found)
    assert main([*command, "--top", "2"]) == 0
    assert "more rows" in capsys.readouterr().err


def test_quality_is_of_the_prompts_that_are_compared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of one value, and of one prompt of another, one model has a sample alone: they are left out of both models' numbers."""
    short = folder / "short.jsonl"
    seen, kept = set(), []
    lines = {name: lines_of(folder / f"{name}.jsonl") for name in ("before", "after")}
    template = lines["before"][0]["template"]
    for line in lines["after"]:
        prompt = line["template"], line["value"]
        cut = line["value"] == "sheriff" or prompt == (template, "cook")
        if not (cut and prompt in seen):
            kept.append(line)
        seen.add(prompt)
    short.write_text("".join(json.dumps(line) + "\n" for line in kept))
    (folder / "few.txt").write_text("the sheriff in town 1 is kind .\nthe nurse in town 2 is kind .\n")
    capsys.readouterr()
    files = (str(folder / "before.jsonl"), str(short))
    words = ("--permutations", "5", "--resamples", "5", "--min-samples", "2", "--no-progress", "--output", "json")
    encoder = ("--encoder", str(folder / "encoder"), "--corpus", str(folder / "few.txt"))
    assert main([GROUP, "compare", *files, *encoder, *words]) == 0
    printed = capsys.readouterr()
    assert "sheriff (2 of its 2 prompts" in printed.err
    assert "cook (1 of its 2 prompts" in printed.err
    for row, name in zip(json.loads(printed.out), lines, strict=True):
        compared = [line for line in lines[name] if line["value"] != "sheriff"]
        compared = [line for line in compared if (line["template"], line["value"]) != (template, "cook")]
        mentions = [bool(re.search(rf"\b{line['value']}\b", line["text"], re.IGNORECASE)) for line in compared]
        assert row["samples"] == len(compared) < len(lines[name])
        assert row["mentions"] == pytest.approx(100 * sum(mentions) / len(mentions))
        assert (row["texts"], row["texts_s"]) == (2, 1), "the sheriff is not a value that is compared"


def test_samples_of_a_model_that_is_not_known_have_no_perplexity(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [{name: line[name] for name in line if name != "generation"} for line in lines_of(folder / "after.jsonl")]
    elsewhere = folder / "elsewhere.jsonl"
    elsewhere.write_text("".join(json.dumps(line) + "\n" for line in given))
    capsys.readouterr()
    assert compare(folder, str(elsewhere)) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["model"] for row in rows] == ["before", "after", "elsewhere"]
    assert (rows[2]["ppl"], rows[2]["ppl_ratio"]) == (None, None)
    assert rows[2]["i_f"] == rows[1]["i_f"]
    assert rows[2]["similar"] == rows[1]["similar"]


def test_several_weights_make_a_model_each(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    values = ("--values", str(folder / "values.csv"))
    sweep = (
        "debias",
        "swept",
        "--model",
        "before",
        *values,
        "--epochs",
        "1",
        *FAST,
        "--weight",
        "0.5",
        "--weight",
        "20",
    )
    capsys.readouterr()
    assert main([GROUP, *sweep, "--output", "json"]) == 0
    light, heavy = json.loads(capsys.readouterr().out)
    assert [(row["model"], row["weight"]) for row in (light, heavy)] == [("swept-0.5", 0.5), ("swept-20", 20.0)]
    assert {"swept-0.5", "swept-20"} <= set(trained.names())
    assert heavy["distance_after"] < light["distance_after"]
    assert main([GROUP, *sweep, "--method", "none"]) == 2
    assert "--method none has no weight" in capsys.readouterr().err


def test_bad_input_is_a_line_each(folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    for file in ("config.json", "model.safetensors"):
        (tmp_path / "bare" / file).write_bytes((trained.folder("before") / "model" / file).read_bytes())
    changed = tmp_path / "changed.jsonl"
    changed.write_text(
        "".join(
            json.dumps(line | {"generation": {"model": "before", "checkpoint": "0"}}) + "\n"
            for line in lines_of(folder / "before.jsonl")
        )
    )
    (tmp_path / "rivers.txt").write_text("the river is long\nthe river is deep\n")
    out = ("--out", str(tmp_path / "out.jsonl"))
    values = ("--values", str(folder / "values.csv"))
    for words, said in (
        (("generate", "--model", str(tmp_path / "nowhere"), *out), "the language model cannot be loaded"),
        (("generate", "--model", str(tmp_path / "bare"), *out), f"{tmp_path}/bare: "),
        (("generate", "--model", "before", "--attribute", "planet", *out), "no attribute named 'planet'"),
        (("generate", "--model", "before", "--length", "500", *out), "choose a smaller --length"),
        (("debias", "x", "--model", "before", "--weight", "-1"), "weight '-1' is not valid: give 0 or more"),
        (("debias", "x", "--model", str(tmp_path / "bare"), "--corpus", str(folder / "corpus.txt"), *values), "bare: "),
        (("debias", "x", "--model", "before", "--corpus", str(tmp_path / "rivers.txt"), *values), "no text has one of"),
        (
            ("compare", str(changed), "--encoder", str(folder / "encoder"), "--min-samples", "1"),
            "has other weights now",
        ),
        (("compare", str(changed)), "no template has two values with 20 scored samples"),
        (("compare", str(tmp_path / "none.jsonl")), "none.jsonl: cannot be read"),
    ):
        capsys.readouterr()
        assert main([GROUP, *words, "--no-progress"]) == 1, words
        told = capsys.readouterr().err
        assert said in told, told
        assert told.count("\n") == 1, told
    assert not (tmp_path / "out.jsonl").exists()
    assert "x" not in trained.names()
