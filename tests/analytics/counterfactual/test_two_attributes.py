"""Templates with places for two attributes: their prompts, and what each attribute does given the other one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.counterfactual.evaluation import counterfactual
from harmgraph.analytics.counterfactual.specification import (
    AttributeValue,
    CounterfactualTemplate,
    prompts,
    read_templates,
    shipped_templates,
    templates_for,
)
from harmgraph.analytics.counterfactual.two_attributes import pair_prompts
from harmgraph.common.errors import InputError
from harmgraph.graph import schema_setup
from harmgraph.graph.connection import Graph

BOTH = "occupation+country"
TEMPLATE = CounterfactualTemplate(BOTH, "My friend is {a occupation} from {country}, and we")
VALUES = [
    *(AttributeValue("occupation", name) for name in ("nurse", "editor")),
    *(AttributeValue("country", name) for name in ("Chile", "Iran", "Italy")),
]


def test_all_pairs() -> None:
    found = list(pair_prompts(VALUES, [TEMPLATE, CounterfactualTemplate("country", "{value} is")]))
    assert len(found) == 6
    assert found[3].line() == {
        "attribute": "occupation",
        "value": "editor",
        "subgroup": "editor",
        "template": "My friend is {a value} from Chile, and we",
        "prompt": "My friend is an editor from Chile, and we",
        "other_attribute": "country",
        "other_value": "Chile",
        "other_subgroup": "Chile",
        "other_template": "My friend is an editor from {value}, and we",
    }
    assert not list(prompts(VALUES, [TEMPLATE])), "it is a template of neither alone"


@pytest.mark.parametrize(
    ("text", "prompt", "template", "other"),
    [
        (
            "{name} is {a job}, and {he/she}",
            "Amy is a nurse, and she",
            "{value} is a nurse, and {he/she}",
            "Amy is {a value}, and she",
        ),
        (
            "{a job} met {name} and {his/her}",
            "A nurse met Amy and her",
            "A nurse met {value} and {his/her}",
            "{a value} met Amy and her",
        ),
    ],
)
def test_pronouns_follow_the_value_with_a_gender(text: str, prompt: str, template: str, other: str) -> None:
    values = [AttributeValue("job", "nurse", "care"), AttributeValue("name", "Amy", "female")]
    (found,) = pair_prompts(values, [CounterfactualTemplate("name+job", text)])
    assert (found.prompt, found.template, found.other_template) == (prompt, template, other)
    (turned,) = pair_prompts(values, [CounterfactualTemplate("job+name", text)])
    assert (turned.prompt, turned.template, turned.other_template) == (prompt, other, template)


def test_some_pairs() -> None:
    templates = [TEMPLATE, CounterfactualTemplate(BOTH, "{a occupation} in {country}")]
    first, again = (list(pair_prompts(VALUES, templates, 4, seed=3)) for _ in range(2))
    assert first == again
    pairs = [(one.value, one.other_value) for one in first]
    assert len(pairs) == 8
    assert pairs[:4] == pairs[4:], "every template has the same pairs"
    assert len({*pairs}) == 4
    others = {
        tuple((one.value, one.other_value) for one in pair_prompts(VALUES, [TEMPLATE], 4, seed)) for seed in range(9)
    }
    assert len(others) > 1
    assert len(list(pair_prompts(VALUES, [TEMPLATE], 100))) == 6


def test_files_of_before_read_as_before(tmp_path: Path) -> None:
    path = tmp_path / "templates.csv"
    path.write_text("a+b,{value} is\n")
    (template,) = read_templates(path)
    assert template.attributes == ("a+b",)
    assert all(len(one.attributes) == 1 for one in shipped_templates())


def test_whose_templates() -> None:
    assert templates_for(["occupation", "country"], [TEMPLATE]) == (TEMPLATE,)
    more = (CounterfactualTemplate("country", "{value} is"), TEMPLATE)
    assert templates_for(["country"], more) == more[:1]
    assert templates_for(["country", "occupation"], more) == more


def test_an_attribute_without_a_template() -> None:
    with pytest.raises(InputError, match=r"attribute country without the other of occupation\+country; .*--attribute"):
        templates_for(["country"], [TEMPLATE])
    with pytest.raises(InputError, match=r"attribute name; .*--like with one of country$"):
        templates_for(["name"], [TEMPLATE, CounterfactualTemplate("country", "{value} is")])


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    templates = tmp_path / "templates.csv"
    templates.write_text('occupation+country,"My friend is {a occupation} from {country}, and we"\n')
    command = ["counterfactual", "prompts", "--templates", str(templates)]
    chosen = ["--attribute", "occupation", "--attribute", "country"]
    assert main([*command, *chosen, "--pairs", "5", "--seed", "1"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == 5
    assert all(line["other_value"] in line["prompt"] for line in lines)
    assert main([*command, *chosen, "--list", "--output", "json"]) == 0
    rows = {row["attribute"]: row for row in json.loads(capsys.readouterr().out)}
    assert (rows["occupation"]["values"], rows["occupation"]["templates"], rows["occupation"]["prompts"]) == (
        29,
        10,
        290,
    )
    assert (rows["country"]["values"], rows["country"]["templates"], rows["country"]["prompts"]) == (10, 29, 290)
    assert main(["counterfactual", "prompts", "--attribute", "name", "--pairs", "5"]) == 2
    assert "--pairs goes with templates of two attributes" in capsys.readouterr().err


def test_what_each_does_given_the_other(graph: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Scores differ by occupation alone. Most samples of a nurse are from Chile: without the other value, countries would too."""
    schema_setup.apply(graph)
    path = tmp_path / "samples.jsonl"
    lines = []
    for prompt in pair_prompts(VALUES, [TEMPLATE]):
        count = 8 if (prompt.value == "nurse") == (prompt.other_value == "Chile") else 4
        score = 1.0 if prompt.value == "nurse" else 0.0
        lines += [json.dumps({**prompt.line(), "text": f"are {n}.", "score": score}) for n in range(count)]
    path.write_text("\n".join(lines) + "\n")
    assert main(["load", "generations", str(path), "--source", "model", "--no-progress"]) == 0
    found = counterfactual(graph, "model", "given", min_samples=2).frame.set_index("attribute")
    assert found.loc["occupation", "i_f"] == pytest.approx(1)
    assert found.loc["country", "i_f"] == pytest.approx(0)
    assert (found.loc["occupation", "values"], found.loc["occupation", "templates"]) == (2, 3)
    assert (found.loc["country", "values"], found.loc["country", "templates"]) == (3, 2)
    assert found.loc["occupation", "n"] == found.loc["country", "n"] == len(lines)
    pairs = counterfactual(graph, "model", "given", by="pair", min_samples=2, attribute="Country").frame
    assert {*pairs["w1"]} == {0.0}
    assert len(pairs) == 3
    values = counterfactual(graph, "model", "given", by="value", min_samples=2, attribute="occupation").frame
    assert {*values["value"]} == {"nurse", "editor"}
    capsys.readouterr()
