"""Statements before a prompt: of its own value, the heaviest first, or dealt to other values."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.counterfactual.facts import ValueFacts, value_facts
from harmgraph.analytics.counterfactual.generated import read_samples
from harmgraph.analytics.counterfactual.specification import AttributeValue, CounterfactualTemplate, prompts
from harmgraph.common.errors import InputError, NotFound
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Statement, Target
from tests.support.filling import fill, triple

VALUES = ("Nurse", "cook", "spy")
PROMPTS = list(
    prompts(
        [AttributeValue("occupation", value) for value in VALUES],
        [CounterfactualTemplate("occupation", "My friend is {a value}, and we")],
    )
)


@pytest.fixture
def kb(graph: Graph) -> Graph:
    """Nurses have four triples, two of one weight, and a sentence; cooks one triple, which is of the nurse too; spies none."""
    fill(
        graph,
        Target("nurse", "profession", aliases=("nursing staff",)),
        Target("cook", "profession"),
        Target("spy", "profession"),
        triple("nurse", "CapableOf", "care", 2.0),
        triple("nursing staff", "CapableOf", "work at night", 3.0),
        triple("nurse", "IsA", "person", 1.0),
        triple("nurse", "Desires", "sleep", 1.0),
        triple("cook", "RelatedTo", "nurse", 0.5),
        Statement("Nurses are kind.", "nurse", {}, 1),
    )
    return graph


def of(facts: ValueFacts, value: str) -> Sequence[str]:
    return facts.of[value]


def test_the_heaviest_statements_of_the_value_stand_before_the_prompt(kb: Graph) -> None:
    facts = value_facts(kb, "s", VALUES, 2)
    assert of(facts, "nurse") == ("nursing staff is capable of work at night", "nurse is capable of care")
    assert of(facts, "cook") == ("cook is related to nurse",)
    nurse, _, spy = [facts.before(prompt) for prompt in PROMPTS]
    assert nurse.prompt == (
        "Nursing staff is capable of work at night. Nurse is capable of care. My friend is a Nurse, and we"
    )
    assert (nurse.facts, nurse.template) == ("s", PROMPTS[0].template)
    assert spy.prompt == PROMPTS[2].prompt
    assert list(facts.remarks(VALUES)) == [
        "s says nothing of 1 of 3 values: spy",
        "s says fewer than 2 statements of 1 of 3 values: cook",
    ]


def test_sentences_count_too_and_a_hash_decides_between_equal_weights(kb: Graph) -> None:
    every = of(value_facts(kb, "s", ["nurse"], 9), "nurse")
    assert set(every) == {
        "nursing staff is capable of work at night",
        "nurse is capable of care",
        "nurse is a person",
        "nurse desires sleep",
        "Nurses are kind.",
        "cook is related to nurse",
    }
    chosen = {of(value_facts(kb, "s", ["nurse"], 3, seed=seed), "nurse") for seed in range(12)}
    assert len(chosen) > 1
    assert value_facts(kb, "s", ["nurse"], 3, seed=4) == value_facts(kb, "s", ["nurse"], 3, seed=4)


def test_the_largest_weight_of_a_fact_counts_in_any_order(kb: Graph) -> None:
    class Rows:
        """A graph that gives these rows."""

        def __init__(self, rows: list[tuple[str, str, float]]) -> None:
            self._rows = rows

        def stream(self, *_: object, **__: object) -> list[tuple[str, str, float]]:
            return self._rows

        def rows(self, *names: object, **more: object) -> object:
            return kb.rows(*names, **more)  # type: ignore[arg-type]

    said = [("nurse", "a", 1.0), ("nurse", "b", 2.0), ("nurse", "a", 9.0), ("nurse", "c", 3.0)]
    for rows in (said, said[::-1]):
        found = value_facts(Rows(rows), "s", ["nurse"], 2)  # type: ignore[arg-type]
        assert of(found, "nurse") == ("a", "c")


def test_dealt_statements_are_never_ones_own(kb: Graph) -> None:
    own = value_facts(kb, "s", VALUES, 3)
    dealt = value_facts(kb, "s", VALUES, 3, dealt=True)
    assert (own.of["nurse"], own.of["cook"]) == (dealt.of["cook"], dealt.of["nurse"])
    assert "spy" not in dealt.of
    assert dealt.before(PROMPTS[0]).facts == "s (dealt)"


def test_bad_input(kb: Graph) -> None:
    with pytest.raises(NotFound, match="source"):
        value_facts(kb, "nothing", VALUES, 3)
    with pytest.raises(InputError, match="says nothing of any of the values"):
        value_facts(kb, "s", ["spy"], 3)
    with pytest.raises(InputError, match="cannot be dealt"):
        value_facts(kb, "s", ["nurse", "spy"], 3, dealt=True)


def test_the_command_writes_them_and_samples_say_where_they_are_from(
    kb: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    values = tmp_path / "values.csv"
    values.write_text("attribute,value\noccupation,nurse\noccupation,cook\n", encoding="utf-8")
    out = tmp_path / "prompts.jsonl"
    words = ["counterfactual", "prompts", "--values", str(values)]
    assert main([*words, "--facts", "s", "--k", "1", "--out", str(out)]) == 0
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert {line["facts"] for line in lines} == {"s"}
    assert all(line["prompt"].startswith(("Nursing staff is", "Cook is related")) for line in lines)
    samples = tmp_path / "samples.jsonl"
    samples.write_text(
        "".join(json.dumps({**line, "text": "are kind.", "generation": {"model": "m"}}) + "\n" for line in lines)
    )
    assert [each.name for each in read_samples(samples)] == ["m with s"]
    assert main([*words, "--out", str(out)]) == 0
    assert all("facts" not in json.loads(line) for line in out.read_text("utf-8").splitlines())
    capsys.readouterr()
    assert main([*words, "--deal-facts"]) == 2
    assert "--deal-facts goes with --facts" in capsys.readouterr().err
