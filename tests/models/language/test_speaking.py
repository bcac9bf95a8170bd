"""What a tiny COMeT says of targets goes into the graph as the importer of COMeT's generations would bring it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.analytics.labelling.label import label
from harmgraph.common.errors import UnknownMember
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Concept, Statement, Target, Triple
from harmgraph.graph.statements import parse
from harmgraph.loader.importers.comet import IMPORTER
from harmgraph.models import store
from harmgraph.models.language import speaking, trained
from harmgraph.models.language.commands import (
    eval_command,
    generate_command,
    language,
    list_command,
    train_command,
)
from tests.support.filling import fill

pytestmark = pytest.mark.usefixtures("without_language_models")
HEADS = ("baker", "lawyer", "doctor", "river", "house", "street")
TAILS = {"IsA": ("good person", "kind of {}"), "AtLocation": ("big town",), "HasSubevent": ("sleep",)}
FAST = ("--model", "new:tiny", "--batch", "8", "--context", "32", "--vocabulary", "300", "--threads", "1")
JSON = ("--output", "json")
remove_command = language.commands["rm"]

JUDGED = parse(
    "judged",
    "MATCH (m:Model)-[j:JUDGED_ON]->(:Source {name: 'kb'}) RETURN m.name AS model, j.part AS part, j.perplexity AS perplexity",
)


def call(command: click.Command, *words: str) -> Result:
    return CliRunner().invoke(command, list(words), env={"COLUMNS": "160"})


def said_by(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.exception or result.output
    row: dict[str, Any] = json.loads(result.stdout)
    return row


@pytest.fixture
def knowledge(graph: Graph) -> Graph:
    """A source of triples, and three targets, one of another language."""
    triples = [
        Triple(Concept(head), relation, Concept(tail.format(head)))
        for head in HEADS
        for relation, tails in TAILS.items()
        for tail in tails
    ]
    fill(graph, *triples, source="kb")
    targets = (("baker", "en"), ("tax lawyer", "en"), ("koch", "de"))
    fill(graph, *(Target(name, "profession", language=language) for name, language in targets), source="groups")
    return graph


def test_a_comet_speaks_into_a_source(knowledge: Graph) -> None:
    done = said_by(call(train_command, "comet", *FAST, "--source", "kb", "--as", "comet", "--epochs", "8", *JSON))
    assert (done["kind"], done["texts"] + done["held_out"]) == ("comet", 24)
    (row,) = knowledge.rows("model/list")
    assert (row["model"]["family"], row["sources"]) == ("language", ["kb"])
    sha256 = row["model"]["sha256"]
    assert done["sha256"] == sha256[:12]
    words = ("comet", "--targets", "--beams", "3", "--length", "8", "--into", "said", *JSON)
    spoken = said_by(call(generate_command, *words))
    assert (spoken["asked"], spoken["distinct"], spoken["said"]) == (6, 6, 18)
    rows = list(knowledge.stream("filter/statements", source="said"))
    assert len(rows) == spoken["kept"] > 6
    for text, term, properties, _, targets in rows:
        assert targets == [term]
        assert properties["head"] == term
        words_between = {"IsA": "is a", "AtLocation": "is located at", "HasSubevent": "requires"}[
            properties["relation"]
        ]
        assert text == f"{term} {words_between} {properties['tail']}"
        # As a line of COMeT's released file.
        line = f"{term.replace(' ', '_')} {text[len(term) + 1 :]}"
        parsed = IMPORTER.parser(None, IMPORTER.chosen({}))(line, 1)  # type: ignore[arg-type]
        record = parsed[0] if isinstance(parsed, list) else parsed
        assert isinstance(record, Statement)
        assert (record.text, record.term, record.properties["head"]) == (text, term, term)
        if properties["relation"] != "HasSubevent":  # which has the phrase of HasPrerequisite
            assert [record.properties[name] for name in ("relation", "tail")] == [
                properties[name] for name in ("relation", "tail")
            ]
    assert min(properties["rank"] for _, _, properties, _, _ in rows) == 1
    assert max(properties["rank"] for _, _, properties, _, _ in rows) == 3
    options = json.loads(knowledge.rows("source/list")[-1]["source"]["options"])
    assert options == {
        **{"model": "comet", "checkpoint": sha256, "beams": 3, "length": 8, "least": 1, "category": None},
        **{"relations": ["AtLocation", "HasSubevent", "IsA"], "keep_duplicates": False},
    }
    again = said_by(call(generate_command, *words))
    assert (again["again"], again["kept"]) == (True, spoken["kept"])
    assert label(knowledge, scorers.get("vader"), source="said", processes=1).written == spoken["kept"]
    (neutral,) = [row for row in knowledge.rows("statistics/neutral", source="said") if row["category"] == "all"]
    assert neutral["targets"] == 2
    one = said_by(
        call(generate_command, *words, "--relations", "is_a", "--category", "profession", "--keep-duplicates")
    )
    assert (one["asked"], one["said"]) == (2, 6)


def test_what_cannot_be_stored_is_left_out_and_counted(knowledge: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model whose tokens are bytes can say a NUL."""
    said_by(call(train_command, "comet", *FAST, "--source", "kb", "--as", "comet", "--epochs", "1", *JSON))
    continued = speaking.continued

    def with_nul(*arguments: Any, **options: Any) -> Any:
        speaker, ((first, *few), *others) = continued(*arguments, **options)
        return speaker, [[("a\x00b", first[1]), *few], *others]

    monkeypatch.setattr(speaking, "continued", with_nul)
    words = ("comet", "--targets", "--beams", "3", "--length", "8", "--into", "said", "--keep-duplicates", *JSON)
    spoken = said_by(call(generate_command, *words))
    assert "1 with a character that cannot be stored" in spoken["left_out"]
    texts = [row[0] for row in knowledge.stream("filter/statements", source="said")]
    assert len(texts) == spoken["kept"] > 0
    assert not [text for text in texts if "\x00" in text]


def test_the_held_out_triples_are_judged(knowledge: Graph) -> None:
    said_by(call(train_command, "comet", *FAST, "--source", "kb", "--as", "comet", "--epochs", "2", *JSON))
    for words in ((), ("--source", "kb")):
        result = call(eval_command, "comet", "--draws", "20", *words, *JSON)
        assert result.exit_code == 0, result.exception
        rows = json.loads(result.stdout)
        assert [row["model"] for row in rows] == ["comet", "5-gram, Kneser-Ney"]
    every = json.loads(call(eval_command, "comet", "--source", "kb", "--part", "all", "--no-ngrams", *JSON).stdout)
    assert [row["texts"] for row in every] == [24]
    assert call(eval_command, "comet", "--source", "kb", "--no-ngrams", "--save", *JSON).exit_code == 0
    (kept,) = knowledge.rows(JUDGED)
    assert (kept["model"], kept["part"]) == ("comet", "held-out")
    assert kept["perplexity"] == pytest.approx(rows[0]["perplexity"])
    assert "--source" in str(call(eval_command, "comet", "--save", *JSON).output)
    assert "comet" in call(list_command).stdout
    # The same source as texts.
    row = said_by(call(train_command, "plain", *FAST, "--source", "kb", "--epochs", "1", *JSON))
    assert (row["kind"], row["corpus"]) == ("text", "kb")


def test_training_texts_are_counted_and_not_kept_as_held_out(knowledge: Graph, tmp_path: Path) -> None:
    others = tmp_path / "others.txt"
    others.write_text("the river is wide\nthe street is long\n")
    made = call(
        *(train_command, "whole", *FAST, "--source", "kb", "--epochs", "1"),
        *("--held-out-file", str(others), *JSON),
    )
    assert said_by(made)["texts"] == 24
    for part in ("held-out", "all"):
        words = ("whole", "--source", "kb", "--part", part, "--no-ngrams", "--draws", "0", *JSON)
        judged = call(eval_command, *words)
        assert judged.exit_code == 0, judged.exception
        (row,) = json.loads(judged.stdout)
        assert f"{row['texts']} of {row['texts']} texts are in its training data" in judged.stderr
        refused = call(eval_command, *words, "--save")
        assert f"whole: {row['texts']} of {row['texts']} texts are in its training data" in str(refused.exception)
        assert "\n" not in str(refused.exception)
    assert not knowledge.rows(JUDGED)
    # Texts that it did not learn are kept, whatever the part.
    fill(knowledge, Triple(Concept("bridge"), "IsA", Concept("way over water")), source="new")
    fill(knowledge, Triple(Concept("bridge"), "AtLocation", Concept("river")), source="new")
    kept = call(eval_command, "whole", "--source", "new", "--part", "all", "--no-ngrams", "--draws", "0", "--save")
    assert kept.exit_code == 0, kept.exception
    assert "training data" not in kept.stderr


def test_models_of_two_sources_are_asked_alike(knowledge: Graph) -> None:
    fewer = [Triple(Concept(head), "IsA", Concept(f"kind of {head}")) for head in HEADS]
    fill(knowledge, *fewer, Triple(Concept("river"), "AtLocation", Concept("big town")), source="fewer")
    asked = []
    for name, source in (("whole", "kb"), ("part", "fewer")):
        said_by(call(train_command, name, *FAST, "--source", source, "--as", "comet", "--epochs", "1", *JSON))
        into = ("--targets", "--length", "3", "--into", f"{name}-said", *JSON)
        said_by(call(generate_command, name, *into, "--relations-of", "fewer"))
        (source_facts,) = [
            row["source"] for row in knowledge.rows("source/list") if row["source"]["name"] == f"{name}-said"
        ]
        asked.append(json.loads(source_facts["options"])["relations"])
    assert asked == [["AtLocation", "IsA"]] * 2
    into = ("--targets", "--into", "said")
    for result, said in (
        (
            call(generate_command, "part", *into, "--relations-of", "kb"),
            "relation that the model learnt named 'HasSubevent'",
        ),
        (call(generate_command, "part", *into, "--relations-of", "nobody"), "no source named 'nobody'"),
        (call(generate_command, "part", *into, "--relations-of", "groups"), "groups: has no triples"),
    ):
        assert said in str(result.exception), result.output
    assert call(generate_command, "part", *into, "--relations-of", "kb", "--relations", "IsA").exit_code == 2


def test_what_follows_prompts_goes_into_a_file(tmp_path: Path) -> None:
    corpus, prompts, out = (tmp_path / name for name in ("corpus.txt", "prompts.jsonl", "out.jsonl"))
    corpus.write_text("\n".join(f"the {head} is in the {other}" for head in HEADS for other in HEADS))
    said_by(call(train_command, "plain", *FAST, "--corpus", str(corpus), "--epochs", "2", *JSON))
    lines = [
        {"prompt": "the baker", "value": "baker"},
        {"prompt": "the river"},
        {"prompt": "the baker", "value": "again"},
    ]
    prompts.write_text("\n".join(json.dumps(line) for line in lines))
    words = ("plain", "--prompts", str(prompts), "--out", str(out), "--length", "5", *JSON)
    spoken = said_by(
        call(generate_command, *words, "--samples", "3", "--temperature", "0.7", "--top-k", "20", "--seed", "4")
    )
    assert (spoken["asked"], spoken["distinct"], spoken["kept"]) == (3, 2, 9)
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["prompt"] for row in rows[::3]] == [line["prompt"] for line in lines]
    assert [row.get("value") for row in rows[::3]] == ["baker", None, "again"]
    assert [row["rank"] for row in rows] == [1, 2, 3] * 3
    generation = rows[0]["generation"]
    assert len(generation.pop("checkpoint")) == 64
    expected = {"model": "plain", "samples": 3, "temperature": 0.7, "top_k": 20, "length": 5, "least": 0, "seed": 4}
    assert generation == expected
    before = out.read_bytes()
    said_by(call(generate_command, *words, "--samples", "3", "--temperature", "0.7", "--top-k", "20", "--seed", "4"))
    assert out.read_bytes() == before
    said_by(call(generate_command, *words))
    assert [json.loads(line)["generation"].keys() for line in out.read_text().splitlines()] == [
        {"model", "checkpoint", "beams", "length", "least"}
    ] * 3


def test_errors_are_a_line_each(knowledge: Graph, tmp_path: Path) -> None:
    knowledge.write("source/begin", name="empty", import_id="i", generation=1, facts={})
    corpus, prompts, out = (tmp_path / name for name in ("corpus.txt", "prompts.jsonl", "out.jsonl"))
    corpus.write_text("a b\nc d\n")
    said_by(call(train_command, "plain", *FAST, "--corpus", str(corpus), "--epochs", "1", *JSON))
    said_by(call(train_command, "comet", *FAST, "--source", "kb", "--as", "comet", "--epochs", "1", *JSON))
    into = ("--targets", "--into", "said")
    for result, said in (
        (call(train_command, "a", *FAST, "--source", "nobody"), "no source named 'nobody' in the graph"),
        (call(train_command, "a", *FAST, "--source", "empty", "--as", "comet"), "empty: has no triples"),
        (call(train_command, "a", *FAST, "--source", "empty"), "empty: has no text"),
        (call(generate_command, "plain", *into), "did not learn triples"),
        (call(generate_command, "comet", *into, "--relations", "IsB"), "did you mean IsA?"),
        (call(generate_command, "comet", *into, "--category", "nobody"), "no English target of nobody"),
        (call(generate_command, "comet", "--targets", "--into", "kb"), "was loaded from files"),
    ):
        assert said in str(result.exception), result.output
        assert "\n" not in str(result.exception)
    for text, said in (
        ("", "has no prompt"),
        ("[1]\n", "jsonl:1: is not a JSON object with a prompt"),
        ("{}\n", ":1: is no"),
    ):
        prompts.write_text(text)
        result = call(generate_command, "plain", "--prompts", str(prompts), "--out", str(out))
        assert said in str(result.exception)
    assert not out.exists()
    assert "said" not in {row["source"]["name"] for row in knowledge.rows("source/list")}
    for words in (
        (generate_command, "plain"),
        (generate_command, "plain", "--targets"),
        (generate_command, "plain", "--prompts", "p"),
        (train_command, "a"),
        (train_command, "a", "--as", "comet", "--corpus", "c"),
        (train_command, "a", "--source", "kb", "--corpus", "c"),
    ):
        command, *rest = words
        assert call(command, *rest).exit_code == 2, words  # type: ignore[arg-type]


def test_a_model_is_removed_and_what_it_said_stays(knowledge: Graph) -> None:
    said_by(call(train_command, "comet", *FAST, "--source", "kb", "--as", "comet", "--epochs", "1", *JSON))
    said_by(call(generate_command, "comet", "--targets", "--length", "3", "--into", "said", *JSON))
    assert "aborted" in call(remove_command, "comet").output.lower()
    result = call(remove_command, "comet", "--yes")
    assert result.exit_code == 0, result.exception
    assert "what it said stays: said" in result.output
    assert not trained.is_trained("comet")
    assert not knowledge.rows("model/about", name="comet")
    assert list(knowledge.stream("filter/statements", source="said"))
    assert "no language model named 'comet'" in str(call(remove_command, "comet", "--yes").exception)


def test_a_model_of_another_kind_stays(knowledge: Graph) -> None:
    for name, family in (("folk", "transe"), ("framer", "frames")):
        knowledge.write("model/register", name=name, facts={"family": family}, sources=["kb"])
        assert isinstance(call(remove_command, name, "--yes").exception, UnknownMember)
        assert knowledge.rows("model/about", name=name)
    with pytest.raises(UnknownMember):
        store.held(knowledge, "framer")
    assert store.held(knowledge, "folk").registered
