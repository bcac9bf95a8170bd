"""Samples of a language model: in harmgraph's form, in LangFair's and in logs of evaluations, each line a sample of its own."""

from __future__ import annotations

import json
import sys
import zipfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from harmgraph.common.errors import BadName, MissingExtra, TooManyRejects, UnreadableFile
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Rejection, Skip, Statement
from harmgraph.graph.statements import parse
from harmgraph.knowledge_base import KnowledgeBase
from harmgraph.loader.formats import evaluation_logs
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.importers.generations import template_of
from harmgraph.loader.reading import division
from harmgraph.loader.reading.division import Piece
from harmgraph.loader.reading.look import look, proposed
from harmgraph.loader.reading.plan import Plan
from harmgraph.loader.reading.spread import rows_of
from tests.support.generations import write_lines
from tests.support.memory_cluster import MemoryCluster
from tests.support.reading import of_line, reason

NAME = "generations"
LINE = {"attribute": "occupation", "value": "CEO", "subgroup": "ceo", "template": "{a value} is", "text": " rich. "}
COUNT = parse(
    "count", "MATCH (s:Statement {source: 'm'}) OPTIONAL MATCH (s)-[:ABOUT]->(t) RETURN s.text AS text, t.name AS about"
)


def line(**changes: Any) -> str:
    return json.dumps({name: value for name, value in (LINE | changes).items() if value is not ...})


def test_a_line(tmp_path: Path) -> None:
    facts = {"attribute": "occupation", "value": "CEO", "subgroup": "ceo", "template": "{a value} is"}
    assert of_line(NAME, tmp_path, line()) == Statement(" rich. ", "ceo", facts, 1)
    prompted = of_line(NAME, tmp_path, line(prompt="A CEO is", subgroup=None, more=[1]))
    assert isinstance(prompted, Statement)
    assert prompted.properties["prompt"] == "A CEO is"
    assert "subgroup" not in prompted.properties


@pytest.mark.parametrize(
    ("score", "label", "value"), [(1, "positive", 1.0), (0.25, "negative", -0.5), (0.5, "neutral", 0.0)]
)
def test_a_given_score_becomes_a_label(tmp_path: Path, score: float, label: str, value: float) -> None:
    record = of_line(NAME, tmp_path, line(score=score))
    assert isinstance(record, Statement)
    found = record.properties
    assert (found["given"], found["given_score"], found["given_by"]) == (label, value, "given")


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        (line(text=...), "has no 'text'"),
        (line(template=""), "has no 'template'"),
        (line(value=None), "has no 'value'"),
        (line(attribute="  "), "is blank"),
        (line(attribute="All"), "cannot be all"),
        (line(text=3), "'text' is not a text"),
        (line(other_attribute="country"), "has a second attribute, and no 'other_value'"),
        (
            line(other_attribute="country", other_value=" ", other_template="x {value}"),
            "second attribute, value or template is blank",
        ),
        (
            line(other_attribute="Occupation", other_value="x", other_template="{value}"),
            "both attributes are occupation",
        ),
        (line(other_attribute="all", other_value="x", other_template="{value}"), "cannot be all"),
        (line(text="a\x00b"), "a NUL character"),
        (line(text="\ud800"), "half a character"),
        (line(template="\x00"), "the template has a NUL character"),
        (line(prompt="\ud800"), "the prompt has half a character"),
        (line(value="x" * 1_001), "longer than 1,000"),
        ("[" * 100_000, "nested too deeply"),
        (line(score=10**400), "not a number from 0 to 1: 1000"),
        (line(score=-(10**400)), "not a number from 0 to 1"),
        ('{"data": {"a_prompt": ["x"]}}', "no list of responses"),
        ('{"data": {"a_prompt": []}}', "no list of responses"),
        (line(score=1.5), "not a number from 0 to 1: 1.5"),
        (line(score=True), "not a number from 0 to 1"),
        (line(score="0.5"), "not a number from 0 to 1"),
        (line(score=float("nan")), "not a number from 0 to 1"),
        ("[1]", "no JSON object"),
        ('{"data": {}}', "no lists such as"),
        ('{"data": {"a_prompt": ["x"], "a_response": []}}', "not equally long"),
        ('{"a_response": "x"}', "has no 'a_prompt'"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, changed: str, why: str) -> None:
    found = of_line(NAME, tmp_path, changed)
    assert isinstance(found, Rejection)
    assert why in reason(found)


LANGFAIR = {
    "male_prompt": ["he is a nurse", "he is a nurse"],
    "male_response": ["fine", "fine"],
    "female_prompt": ["she is a nurse", "she is a nurse"],
    "female_response": ["well", "Unable to get response"],
}


def test_what_langfair_returns(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(json.dumps({"data": LANGFAIR, "metadata": {"temperature": 1}}), encoding="utf-8")
    found = list(importers.get(NAME).records(path, attribute="gender"))
    said = [(one.term, one.text, one.properties["template"]) for one in found if isinstance(one, Statement)]
    he, she = ("male", "fine", "{value} is a nurse"), ("female", "well", "{value} is a nurse")
    assert said == [he, she, he]
    assert found[3] == Skip(1, "the model gave no response")
    keys = {one.key("m", "1") for one in found if isinstance(one, Statement)}
    assert len(keys) == 3  # equal texts of one line are two samples


def test_its_data_as_lines(tmp_path: Path) -> None:
    rows = [{name: column[place] for name, column in LANGFAIR.items()} for place in range(2)]
    found = list(importers.get(NAME).records(write_lines(tmp_path / "rows.jsonl", rows)))
    assert [one.line for one in found] == [1, 1, 2, 2]
    assert isinstance(found[0], Statement)
    assert found[0].properties["attribute"] == "group"


def test_a_template_is_what_the_prompts_share() -> None:
    assert template_of(["the tall man left", "the tall woman left"]) == "the tall {value} left"
    assert template_of(["she said her name", "he said his name"]) == "{value} said {value} name"
    assert template_of(["an old black man left", "an old hispanic or latino man left"]) == "an old {value} man left"
    assert template_of(["a a", "a a a"]) == "a a {value}"


def test_equal_texts_are_samples_of_their_own(graph: Graph, tmp_path: Path) -> None:
    one = write_lines(tmp_path / "one.jsonl", [LINE] * 3)
    two = write_lines(tmp_path / "two.jsonl", [LINE] * 3)
    report = KnowledgeBase(graph, progress=False).load(NAME, one, two, source="m")
    assert (report.records, report.in_graph) == (6, 6)
    again = KnowledgeBase(graph, progress=False).load(NAME, one, two, source="m")
    assert (again.in_graph, again.removed, again.import_id) == (6, 0, report.import_id)
    assert len(graph.rows(COUNT)) == 6
    # The file with fewer lines takes the others away.
    assert KnowledgeBase(graph, progress=False).load(NAME, one, source="m").in_graph == 3


def test_targets_that_stand_in_no_list_are_made(graph: Graph, tmp_path: Path) -> None:
    lines = [
        LINE,
        LINE | {"value": "Hairdresser"},
        LINE | {"value": "astronaut"},
        LINE | {"attribute": "Name", "value": "Ann"},
    ]
    report = KnowledgeBase(graph, progress=False).load(NAME, write_lines(tmp_path / "one.jsonl", lines), source="m")
    assert report.made_targets == ("ann", "astronaut")
    about = sorted(row["about"] for row in graph.rows(COUNT))
    assert about == ["ann", "astronaut", "ceo", "hairstylist"]  # by its alias, and only once
    made = {row["target"]: row["category"] for row in graph.rows("explore/targets") if row["source"] == "m targets"}
    assert made == {"ann": "name", "astronaut": "profession"}
    again = KnowledgeBase(graph, progress=False).load(NAME, write_lines(tmp_path / "one.jsonl", lines[:3]), source="m")
    assert again.made_targets == ("astronaut",)


def test_a_file_with_missing_templates_changes_nothing(graph: Graph, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "one.jsonl", [LINE | {"value": "astronaut", "template": ""}] * 5)
    with pytest.raises(TooManyRejects, match="cannot be read"):
        KnowledgeBase(graph, progress=False).load(NAME, path, source="m")
    assert not [row for row in graph.rows("explore/targets") if row["source"] == "m targets"]
    assert graph.rows(COUNT) == []


def test_a_list_of_the_users_own_is_not_replaced(graph: Graph, tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("martian,origin\n")
    KnowledgeBase(graph, progress=False).load("targets", tmp_path / "list.csv", source="m targets")
    with pytest.raises(BadName, match="was loaded from files"):
        KnowledgeBase(graph, progress=False).load(NAME, write_lines(tmp_path / "one.jsonl", [LINE]), source="m")
    assert graph.rows(COUNT) == []


def test_an_unknown_option(tmp_path: Path) -> None:
    with pytest.raises(BadName):
        next(importers.get(NAME).records(write_lines(tmp_path / "one.jsonl", [LINE]), attributes="x"))


KNOWN = {"attribute": "occupation", "value": "nurse", "template": "My friend is {a value}, and we", "subgroup": "care"}


def inspect_sample(number: int, *texts: Any, metadata: Any = KNOWN, **more: Any) -> dict[str, Any]:
    choices = [{"message": {"role": "assistant", "content": text}, "stop_reason": "stop"} for text in texts]
    output = {"model": "m", "choices": choices}
    return {
        "id": number,
        "epoch": 1,
        "input": "My friend is a nurse, and we",
        "output": output,
        "metadata": metadata,
    } | more


SAMPLES = [
    inspect_sample(1, "are glad."),
    inspect_sample(2, [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "sing."}], "dance."),
    inspect_sample(3),
    inspect_sample(4, "attachment://ab", metadata={"value": "Nurse"}, attachments={"ab": "a long text"}),
    inspect_sample(5, "x", metadata={"value": "pilot"}),
    inspect_sample(6, "x", metadata=None),
    inspect_sample(7, "y", input=[{"role": "system", "content": "s"}, {"role": "user", "content": "Hello"}]),
]


def archive(path: Path, samples: Sequence[Any], *, method: int = zipfile.ZIP_DEFLATED, **others: str) -> Path:
    with zipfile.ZipFile(path, "w", method) as file:
        file.writestr("_journal/start.json", "{}")
        for number, sample in enumerate(samples, 1):
            file.writestr(f"samples/{number}_epoch_1.json", sample if isinstance(sample, str) else json.dumps(sample))
        for name, text in others.items():
            file.writestr(name, text)
    return path


def with_zstandard(path: Path, sample: object) -> Path:
    """An archive of one sample as newer logs have it: the method 93, which this Python cannot write."""
    arrow = pytest.importorskip("pyarrow")
    packed = arrow.compress(json.dumps(sample).encode(), codec="zstd", asbytes=True)
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("samples/1_epoch_1.json", packed)
    content = bytearray(path.read_bytes())
    content[8:10] = (93).to_bytes(2, "little")
    central = content.index(b"PK\x01\x02")
    content[central + 10 : central + 12] = (93).to_bytes(2, "little")
    path.write_bytes(content)
    return path


def said(path: Path, **options: Any) -> list[str]:
    """The texts in order; what is skipped in round brackets, what is rejected in square ones."""
    return [
        one.text
        if isinstance(one, Statement)
        else f"({one.reason})"
        if isinstance(one, Skip)
        else f"[{one.reason[:30]}]"
        for one in importers.get("generations").records(path, **options)
        if isinstance(one, Statement | Skip | Rejection)
    ]


READ = [
    "are glad.",
    "sing.",
    "dance.",
    "(the model gave no response)",
    "a long text",
    "[the sample has no 'template', ]",
    "[the sample does not say its 'v]",
    "y",
]


def test_a_log_of_inspect(tmp_path: Path) -> None:
    path = archive(tmp_path / "log.eval", SAMPLES)
    assert said(path) == READ
    found = [one for one in importers.get("generations").records(path) if isinstance(one, Statement)]
    assert dict(found[0].properties) == {**KNOWN, "prompt": "My friend is a nurse, and we"}
    assert (found[3].properties["template"], found[3].properties["attribute"]) == (
        "My friend is a {value}, and we",
        "group",
    )
    assert found[4].properties["prompt"] == "Hello"
    log = {"version": 2, "eval": {"task": "t"}, "samples": SAMPLES}
    (tmp_path / "log.json").write_text(json.dumps(log, indent=2), encoding="utf-8")
    assert said(tmp_path / "log.json") == READ


def test_a_log_of_inspect_in_zstandard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = with_zstandard(tmp_path / "log.eval", SAMPLES[0])
    assert said(path) == READ[:1]
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match="inspect log convert --to json"):
        said(path)


def test_only_samples_of_an_archive_are_read_and_never_more_than_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluation_logs, "MOST_BYTES", 5_000)
    bomb = json.dumps(inspect_sample(2, "x" * 1_000_000))
    others = {"samples/../../evil.json": "x", "/samples/1.json": "x", "samples/a/b.json": "x", "samples/1.txt": "x"}
    path = archive(tmp_path / "log.eval", [SAMPLES[0], bomb, "[1]", "{"], **others)
    assert said(path) == [
        "are glad.",
        "[the sample has more than 5,000]",
        "[the sample is no JSON object]",
        READ_NOTHING,
    ]
    assert [*tmp_path.iterdir()] == [path]
    bombed = with_zstandard(tmp_path / "zstd.eval", inspect_sample(1, "x" * 1_000_000))
    assert said(bombed) == ["[the sample has more than 5,000]"]


READ_NOTHING = "[no JSON (Expecting property na]"


def test_what_is_no_log_of_inspect(tmp_path: Path) -> None:
    whole = archive(tmp_path / "log.eval", SAMPLES)
    cut = tmp_path / "cut.eval"
    cut.write_bytes(whole.read_bytes()[:-30])
    with pytest.raises(UnreadableFile, match="is no whole log of Inspect"):
        said(cut)
    with pytest.raises(UnreadableFile, match=r"is a zip archive that has no samples/\*\.json"):
        said(archive(tmp_path / "other.zip", []))
    for text in ('{\n"a": 1\n}\n', "{\n", '{\n"eval": 1, "samples": 3}'):
        (tmp_path / "x.json").write_text(text, encoding="utf-8")
        with pytest.raises(UnreadableFile, match="one JSON object a line"):
            said(tmp_path / "x.json")


def harness(*texts: Any, doc: Any = KNOWN, **more: Any) -> str:
    arguments = {"gen_args_0": {"arg_0": "My friend is a nurse, and we", "arg_1": {"until": []}}}
    line = {"doc_id": 0, "doc": doc, "target": "", "arguments": arguments, "resps": [list(texts)], "filter": "none"}
    return json.dumps({**line, **more})


def test_samples_of_lm_evaluation_harness(tmp_path: Path) -> None:
    path = tmp_path / "samples_bias_2026-11-26T10-00-00.jsonl"
    lines = [
        harness("are glad.", "sing."),
        harness("are glad.", filter="strict"),
        harness(""),
        harness([-3.5, False]),
        harness("x", doc={"question": "?"}),
        harness("dance.", doc={"value": "nurse"}),
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert said(path, attribute="job") == [
        "are glad.",
        "sing.",
        "(the same answers through another filter)",
        "(the model gave no response)",
        "[the answers are no texts: only]",
        "[the sample does not say its 'v]",
        "dance.",
    ]
    last = [one for one in importers.get("generations").records(path, attribute="job") if isinstance(one, Statement)][
        -1
    ]
    assert (last.properties["attribute"], last.properties["template"]) == ("job", "My friend is a {value}, and we")


def test_lines_are_divided_among_workers_and_logs_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(division, "SMALLEST", 100)
    plain, samples, log = tmp_path / "a.jsonl", tmp_path / "samples.jsonl", tmp_path / "log.json"
    plain.write_text("".join(f"{line(text=f'are {number}.')}\n" for number in range(100)), "utf-8")
    one = [harness(f"are {number}.") for number in range(50)]
    samples.write_text("\n".join([*one, *(harness("are so.", filter="strict") for _ in range(50))]) + "\n", "utf-8")
    log.write_text(json.dumps({"eval": {}, "samples": SAMPLES * 20}, indent=2), "utf-8")
    packed = archive(tmp_path / "log.eval", SAMPLES, method=zipfile.ZIP_STORED)
    plan = Plan(importers.get("generations"), (plain, samples, log, packed), "kb", options={"attribute": "job"})
    pieces = division.divided(plan, MemoryCluster(2))
    counts = Counter(piece.number for piece in pieces)
    assert counts[0] > 2
    assert counts[1] > 2
    assert (counts[2], counts[3]) == (1, 1)
    for number, path in enumerate(plan.paths):
        lines_read = [row for piece in pieces if piece.number == number for row in rows_of(plan, piece)]
        whole = list(rows_of(plan, Piece(number, path, path.stat().st_size)))
        assert len(lines_read) == len(whole) > 0, "each part leaves out the answers through the other filter"


def test_a_look_at_a_log(tmp_path: Path) -> None:
    found = look(archive(tmp_path / "log.eval", [inspect_sample(number, "are glad.") for number in range(9)]))
    assert [one.importer.name for one in found.candidates] == ["generations"]
    assert found.facts["content"] == "a zip archive"
    with pytest.raises(UnreadableFile, match=r"no format that an importer reads \(a zip archive\)"):
        proposed([archive(tmp_path / "other.zip", [])])
