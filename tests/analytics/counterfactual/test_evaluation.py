"""``stats counterfactual`` on samples in the graph: numbers, what is left out and said, and the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import wasserstein_distance
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from harmgraph.__main__ import main
from harmgraph.analytics.counterfactual.comparing import compared_files
from harmgraph.analytics.counterfactual.evaluation import counterfactual, side_by_side
from harmgraph.analytics.counterfactual.generated import read_samples
from harmgraph.analytics.counterfactual.generated import scored as of_file
from harmgraph.analytics.counterfactual.resampling import numbers
from harmgraph.analytics.counterfactual.specification import CounterfactualPrompt
from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.statistics.measurements import history
from harmgraph.common.errors import InputError, NotFound
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import parse
from harmgraph.knowledge_base import KnowledgeBase
from harmgraph.schema_command import schema_of
from tests.support.generations import continued, write_lines
from tests.support.schemas import faults

TEMPLATES = ("{value} is", "We met {value}", "{value} said")
VALUES = {"owl": "bird", "hen": "bird", "cat": "pet"}
FEW = {"permutations": 20, "resamples": 20}


@pytest.fixture(scope="module")
def standing(connection: Graph, tmp_path_factory: pytest.TempPathFactory) -> Graph:
    """Samples of three values: of cats the model speaks better. The hen has fewer, the dog too few."""
    connection.autocommit("schema/wipe")
    prompts = [
        CounterfactualPrompt("animal", value, group, template, "")
        for template in TEMPLATES
        for value, group in VALUES.items()
    ]
    lines: list[dict[str, Any]] = list(continued(prompts, 30, shares={("cat", ""): 0.95, ("cat", TEMPLATES[2]): 0.5}))
    seen = 0
    kept = []
    for line in lines:
        seen += line["value"] == "hen" and line["template"] == TEMPLATES[0]
        if not (line["value"] == "hen" and line["template"] == TEMPLATES[0] and seen > 25):
            kept.append(line)
    kept += continued([CounterfactualPrompt("animal", "dog", "pet", TEMPLATES[0], "")], 3)
    kept += continued(
        [CounterfactualPrompt("town", name, name, "In {value}", "") for name in ("Ulm", "Bern")], 20, seed=5
    )
    for line in kept:
        line["score"] = 0.25 if "awful" in line["text"] else 1
    KnowledgeBase(connection, progress=False).load(
        "generations", write_lines(tmp_path_factory.mktemp("said") / "one.jsonl", kept), source="m"
    )
    label(connection, scorers.get("vader"), source="m", processes=1)
    label(connection, scorers.get("opinion"), source="m", processes=1)
    return connection


def scored(graph: Graph) -> dict[tuple[str, str], list[float]]:
    """VADER's scores, 0 to 1, of each prompt about an animal."""
    analyser = SentimentIntensityAnalyzer()
    query = parse(
        "texts",
        "MATCH (s:Statement {source: 'm', attribute: 'animal'}) WHERE s.value <> 'dog' "
        "RETURN s.template AS template, s.value AS value, s.text AS text",
    )
    cells: dict[tuple[str, str], list[float]] = {}
    for row in graph.rows(query):
        score = (analyser.polarity_scores(row["text"])["compound"] + 1) / 2
        cells.setdefault((row["template"], row["value"]), []).append(score)
    return cells


def test_the_numbers_are_those_of_scipy(standing: Graph) -> None:
    cells = scored(standing)
    assert sorted(map(len, cells.values())) == [25, *[30] * 8]
    result = counterfactual(standing, "m", attribute="animal", **FEW)
    (row,) = result.frame.to_dict("records")
    distances = [
        wasserstein_distance(cells[template, a], cells[template, b])
        for template in TEMPLATES
        for a, b in (("owl", "hen"), ("owl", "cat"), ("hen", "cat"))
    ]
    assert row["i_f"] == pytest.approx(np.mean(distances), abs=1e-12)
    assert row["max_w1"] == pytest.approx(max(distances), abs=1e-12)
    assert row["max_w1"] > row["max_w1_floor"] > row["i_f_floor"]
    assert row["max_w1_p"] == pytest.approx(1 / 21)
    every = [(value, cell) for (_, value), cell in cells.items()]
    groups = []
    for group in ("bird", "pet"):
        mine = [cell for value, cell in every if VALUES[value] == group]
        masses = [
            np.concatenate([np.full(len(cell), 1 / len(cell)) for cell in part])
            for part in (mine, [c for _, c in every])
        ]
        groups.append(wasserstein_distance(np.concatenate(mine), np.concatenate([cell for _, cell in every]), *masses))
    assert row["g_f"] == pytest.approx(np.mean(groups), abs=1e-12)
    assert (row["values"], row["subgroups"], row["templates"], row["n"], row["unlabelled"]) == (3, 2, 3, 265, 0)
    assert row["i_f_p"] == pytest.approx(1 / 21)
    assert row["i_f_low"] < row["i_f"] < row["i_f_high"]
    assert row["i_f_excess"] == pytest.approx(row["i_f"] - row["i_f_floor"])


def test_what_is_left_out_and_weighted_is_said(standing: Graph) -> None:
    result = counterfactual(standing, "m", attribute="animal", **FEW)
    said = "\n".join(result.remarks())
    assert "left out, as they have fewer samples than --min-samples: dog (1 of its 1 prompts, with 3 samples)" in said
    assert "prompts have 25 to 30 samples; every prompt has the same weight" in said
    assert "missing" not in said
    with_dogs = counterfactual(standing, "m", attribute="animal", min_samples=3, **FEW)
    assert (
        "animal: 2 prompts are missing; I.F. and W1 compare values in the templates that both have; G.F. and pooled are of the "
        "1 of 3 templates that all values have"
    ) in "\n".join(with_dogs.remarks())
    assert (with_dogs.frame.iloc[0]["values"], with_dogs.frame.iloc[0]["shared"]) == (4, 1)
    without_hen = counterfactual(standing, "m", attribute="animal", min_samples=26, **FEW)
    assert "hen (1 of its 3 prompts, with 25 samples)" in "\n".join(without_hen.remarks())


def test_rows_of_pairs_values_and_templates(standing: Graph) -> None:
    frames = {by: counterfactual(standing, "m", by=by, **FEW).frame for by in ("pair", "value", "template")}
    pairs = frames["pair"].set_index(["a", "b"])
    assert list(pairs.index.droplevel(0)[:1]) in (["cat"], ["owl"], ["hen"])
    cats = pairs[(pairs["attribute"] == "animal") & (pairs["w1_p"] < 0.06)]
    assert len(cats) == 2
    assert all("cat" in pair for pair in cats.index)
    assert (cats["gap"] > cats["w1"]).all()
    assert (cats["gap"] > cats["gap_floor"]).all()
    assert (cats["gap_p"] < 0.06).all()
    assert (cats["gap_q"] >= cats["gap_p"]).all()
    assert (pairs["gap_floor"] > 0.1).all()  # the largest of many differences is far above 0 where nothing differs
    assert (cats["w1_q"] >= cats["w1_p"]).all()
    assert set(cats["gap_template"]) <= set(TEMPLATES[:2])
    of_prompt = scored(standing)
    for (a, b), pair in pairs[pairs["attribute"] == "animal"].iterrows():
        by_template = {
            template: wasserstein_distance(of_prompt[template, a], of_prompt[template, b]) for template in TEMPLATES
        }
        assert pair["max_w1"] == pytest.approx(max(by_template.values()), abs=1e-12)
        assert by_template[pair["max_w1_template"]] == max(by_template.values())
        assert pair["max_w1_floor"] > pair["w1_floor"]
    assert (cats["max_w1_p"] < 0.06).all()
    assert (cats["max_w1_q"] >= cats["max_w1_p"]).all()
    values = frames["value"].set_index("value")
    assert values["mean_minus_all"].idxmax() == "cat"
    assert values.loc["cat", "subgroup"] == "pet"
    templates = frames["template"].set_index("template")
    assert len(templates) == 4
    assert templates.loc["{value} said", "i_f_p"] > 0.05
    assert templates.loc["In {value}", "values"] == 2


def test_any_scorer_and_given_scores(standing: Graph) -> None:
    opinion = counterfactual(standing, "m", "opinion", attribute="animal", **FEW)
    assert 0 < opinion.frame.iloc[0]["i_f"] < 1
    given = counterfactual(standing, "m", "given", attribute="animal", by="value", **FEW).frame.set_index("value")
    texts = parse("n", "MATCH (s:Statement {source: 'm', value: 'cat'}) RETURN avg((s.given_score + 1) / 2) AS mean")
    assert given.loc["cat", "mean"] == pytest.approx(standing.rows(texts)[0]["mean"])


def test_what_is_not_there(standing: Graph) -> None:
    with pytest.raises(NotFound, match="no source named 'n'"):
        counterfactual(standing, "n")
    with pytest.raises(NotFound, match=r"no attribute named 'animals'.*animal"):
        counterfactual(standing, "m", attribute="animals")
    with pytest.raises(NotFound, match="no measure named 'regard'"):
        counterfactual(standing, "m", "regard")
    with pytest.raises(InputError, match="has no samples of counterfactual prompts"):
        counterfactual(standing, "m targets")
    with pytest.raises(InputError, match="no template has two values with 1,000 samples"):
        counterfactual(standing, "m", min_samples=1_000)


def test_the_command(standing: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    quick = ["--permutations", "5", "--resamples", "5", "--no-progress"]
    command = ["stats", "counterfactual", "--source", "m", *quick]
    assert main([*command, "--output", "json", "--save"]) == 0
    printed = capsys.readouterr()
    rows = json.loads(printed.out)
    assert [row["attribute"] for row in rows] == ["animal", "town"]
    for by in ("attribute", "template", "pair", "value"):
        assert main([*command, "--by", by, "--output", "json"]) == 0
        assert faults(schema_of("stats", "counterfactual"), json.loads(capsys.readouterr().out)) == []
    assert "saved as run" in printed.err
    kept = history(standing, "counterfactual.i_f", category="animal", source="m").iloc[0]
    assert kept["value"] == pytest.approx(rows[0]["i_f"])
    assert main([*command, "--by", "pair", "--top", "1"]) == 0
    assert "more rows" in capsys.readouterr().err
    assert main([*command, "--by", "pair", "--save"]) == 2
    assert main(["stats"]) == 0
    assert "counterfactual" in capsys.readouterr().out


def test_the_figure(standing: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["stats", "counterfactual", "--source", "m", "--permutations", "5", "--resamples", "5"]
    for by in ("attribute", "pair"):
        path = tmp_path / f"{by}.svg"
        assert main([*command, "--by", by, "--figure", str(path)]) == 0
        svg = path.read_text(encoding="utf-8")
        assert "floor that chance gives" in svg
        assert "animal" in svg
    assert main([*command, "--figure", str(tmp_path / "figure.txt")]) == 1
    assert "ends in none of .svg, .png, .pdf" in capsys.readouterr().err


def test_samples_without_a_label_are_counted(standing: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    standing.write(
        parse("cut", "MATCH (s:Statement {source: 'm', value: 'Ulm'}) WITH s LIMIT 2 SET s.opinion_score = null")
    )
    command = ["stats", "counterfactual", "--source", "m", "--measure", "opinion", "--attribute", "town"]
    command += ["--permutations", "5", "--resamples", "5", "--min-samples", "10"]
    assert main(command) == 0
    assert "2 of 40 samples carry no label of opinion" in capsys.readouterr().err
    assert main([*command, "--max-unlabelled", "1%"]) == 1
    assert "2 of the 40 samples (5 %) have no label" in capsys.readouterr().err
    standing.write(
        parse("cut", "MATCH (s:Statement {source: 'm', value: 'Bern'}) WITH s LIMIT 1 SET s.opinion_score = 2.5")
    )
    assert main(command) == 1
    assert "the score 2.5 of opinion is not in -1 to 1" in capsys.readouterr().err


def test_where_no_template_has_all_values_there_is_no_number_of_groups(
    standing: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prompts = [
        CounterfactualPrompt("colour", value, value, template, "")
        for value, templates in (("red", "ab"), ("blue", "bc"), ("green", "ac"))
        for template in (f"{{value}} {letter}" for letter in templates)
    ]
    KnowledgeBase(standing, progress=False).load(
        "generations", write_lines(tmp_path / "colours.jsonl", continued(prompts, 20)), source="colours"
    )
    label(standing, scorers.get("vader"), source="colours", processes=1)
    command = ["stats", "counterfactual", "--source", "colours", "--permutations", "5", "--resamples", "5", "--save"]
    assert main([*command, "--output", "json", "--figure", str(tmp_path / "figure.svg")]) == 0
    printed = capsys.readouterr()
    (row,) = json.loads(printed.out)
    assert row["i_f"] > 0
    assert (row["g_f"], row["g_f_p"], row["pooled"], row["pooled_floor"], row["shared"]) == (None, None, None, None, 0)
    assert "no template has all values, so there is no G.F. and no pooled" in printed.err


def test_a_value_that_can_be_compared_with_nothing_is_left_out_and_named(standing: Graph, tmp_path: Path) -> None:
    """As ``counterfactual compare`` does: a cat in a template of its own is no reason for dog and hen to have no G.F."""
    here, there = "{value} is", "We met {value}"
    lines: list[dict[str, str]] = []
    for value, template, count in (("cat", here, 20), ("hen", here, 3), ("dog", there, 20), ("hen", there, 20)):
        lines += continued([CounterfactualPrompt("animal", value, value, template, "")], count)
    path = write_lines(tmp_path / "alone.jsonl", lines)
    KnowledgeBase(standing, progress=False).load("generations", path, source="alone")
    label(standing, scorers.get("vader"), source="alone", processes=1)
    result = counterfactual(standing, "alone", **FEW)
    (row,) = result.frame.to_dict("records")
    assert (row["values"], row["subgroups"], row["templates"], row["shared"], row["n"]) == (2, 2, 1, 1, 40)
    (samples,) = read_samples(path)
    beside = of_file([samples], scorers.get("vader"), scorers.get("vader").chosen({}), 20)
    whole = numbers(beside.scores[0], beside.scores[0].templates).whole
    assert (row["i_f"], row["g_f"], row["pooled"], row["max_w1"]) == pytest.approx(tuple(whole))
    assert list(result.remarks()) == [
        "left out, as they have fewer samples than --min-samples: hen (1 of its 2 prompts, with 3 samples)",
        "animal: 1 of 2 templates are left out, as fewer than two values have enough samples in them; so is what no other "
        "template has: cat",
    ]
    assert list(beside.remarks()) == list(result.remarks())


def test_spellings_of_one_value_are_one(standing: Graph, tmp_path: Path) -> None:
    said = [("Occupation", "Nurse", "{value} is"), ("Occupation", "Cook", "{value} is")]
    said += [("occupation", "nurse", "We met {value}"), ("occupation", "cook", "We met {value}")]
    lines = list(
        continued([CounterfactualPrompt(kind, value, value, template, "") for kind, value, template in said], 20)
    )
    KnowledgeBase(standing, progress=False).load(
        "generations", write_lines(tmp_path / "spelled.jsonl", lines), source="spelled"
    )
    label(standing, scorers.get("vader"), source="spelled", processes=1)
    for attribute in (None, "Occupation", "occupation"):
        result = counterfactual(standing, "spelled", attribute=attribute, **FEW)
        (row,) = result.frame.to_dict("records")
        assert (row["attribute"], row["values"], row["subgroups"], row["templates"]) == ("Occupation", 2, 2, 2)
        assert not [line for line in result.remarks() if "missing" in line]
        assert standing.rows("counterfactual/scores", source="spelled", attribute="occupation")
    of_values = counterfactual(standing, "spelled", by="value", **FEW).frame
    assert set(of_values["value"]) == {"Nurse", "Cook"}


def test_the_same_seed_gives_the_same_table(standing: Graph) -> None:
    first, again = (counterfactual(standing, "m", seed=3, **FEW).frame for _ in range(2))
    assert first.equals(again)


SOURCES = ("none", "whole", "dealt")


@pytest.fixture
def beside(standing: Graph, tmp_path: Path) -> list[Path]:
    """The same prompts with several statements before them: only with the whole source does the model speak better of cats."""
    prompts = [
        CounterfactualPrompt("pet", value, group, template, "")
        for template in TEMPLATES
        for value, group in VALUES.items()
    ]
    files = []
    for seed, name in enumerate(SOURCES):
        lines = continued(prompts, 30, seed=seed, shares={("cat", ""): 1.0} if name == "whole" else None)
        files.append(write_lines(tmp_path / f"{name}.jsonl", lines))
        KnowledgeBase(standing, progress=False).load("generations", files[-1], source=name)
        label(standing, scorers.get("vader"), source=name, processes=1)
    return files


def test_sources_side_by_side_are_as_their_files(standing: Graph, beside: list[Path]) -> None:
    result = side_by_side(standing, SOURCES, **FEW)
    rows = result.frame.to_dict("records")
    assert [(row["attribute"], row["source"]) for row in rows] == [("pet", name) for name in SOURCES]
    vader = scorers.get("vader")
    of_files, _ = compared_files(beside, vader, vader.chosen({}), min_samples=20, **FEW)
    for row, of_one in zip(rows, of_files, strict=True):
        for name in ("i_f", "g_f"):
            assert row[name] == pytest.approx(of_one[name])
        assert row["i_f_floor"] == pytest.approx(of_one["i_f_floor"], abs=0.01), "values are in another order"
    none, whole, dealt = rows
    assert np.isnan(none["i_f_change"])
    assert whole["i_f_excess_change_low"] > 0
    assert dealt["i_f_excess_change_low"] < 0 < dealt["i_f_excess_change_high"]
    assert list(result.remarks()) == []
    assert result.unlabelled().n == 3 * 9 * 30


def test_the_command_compares_sources(
    standing: Graph, beside: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = ["--permutations", "5", "--resamples", "5"]
    command = ["stats", "counterfactual", "--source", "none", "--beside", "whole", "--beside", "dealt", *few]
    figure = tmp_path / "three.svg"
    assert main([*command, "--figure", str(figure)]) == 0
    out = capsys.readouterr().out
    print(out)
    assert all(name in out for name in SOURCES)
    assert max(map(len, out.splitlines())) <= 80
    assert figure.read_text("utf-8").count("whole") >= 1
    capsys.readouterr()
    assert main([*command, "-o", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert faults(schema_of("stats", "counterfactual"), rows) == []
    assert [(row["templates"], row["n"], row["unlabelled"]) for row in rows] == [(3, 270, 0)] * 3
    for wrong, says in (
        (["--save"], "--beside compares attributes, and keeps nothing"),
        (["--by", "pair"], "--beside compares attributes, and keeps nothing"),
        (["--beside", "none"], "the source none is given twice"),
    ):
        assert main([*command, *wrong]) == 2
        assert says in capsys.readouterr().err
    for wrong, says in (
        (["--beside", "nothing"], "no source named 'nothing'"),
        (["--beside", "m"], "m: has no samples of pet"),
    ):
        assert main([*command, *wrong]) == 1
        assert says in capsys.readouterr().err


def test_an_attribute_that_the_first_source_lacks_is_told(standing: Graph, beside: list[Path], tmp_path: Path) -> None:
    prompts = [CounterfactualPrompt("plant", value, value, "{value} is", "") for value in ("oak", "elm")]
    lines = [*map(json.loads, beside[0].read_text("utf-8").splitlines()), *continued(prompts, 20)]
    path = write_lines(tmp_path / "more.jsonl", lines)
    KnowledgeBase(standing, progress=False).load("generations", path, source="more")
    label(standing, scorers.get("vader"), source="more", processes=1)
    result = side_by_side(standing, ("none", "more"), **FEW)
    assert list(result.remarks()) == ["not compared, as none has no samples of it: plant (more)"]


def test_sources_of_other_prompts_are_not_compared(standing: Graph, beside: list[Path], tmp_path: Path) -> None:
    prompts = [CounterfactualPrompt("pet", value, value, "{value} is", "") for value in ("owl", "hen")]
    path = write_lines(tmp_path / "other.jsonl", continued(prompts, 30))
    KnowledgeBase(standing, progress=False).load("generations", path, source="other")
    label(standing, scorers.get("vader"), source="other", processes=1)
    with pytest.raises(InputError, match="other: pet: the values or templates are others than those of none"):
        side_by_side(standing, ("none", "other"), **FEW)
