"""``harmgraph probe`` on a real graph: counts, several models, all others, controls, and what a hurried person does wrong."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from harmgraph.__main__ import main
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Triple
from harmgraph.graph.statements import parse, statement
from harmgraph.models.subgraph.reader import read_subgraph
from tests.support.filling import import_triples
from tests.support.people import GENDER, PROFESSION, entity, people
from tests.support.places import ROOT
from tests.support.probed import train

pytestmark = pytest.mark.usefixtures("without_models")
SIDES = ["--a", "Male", "--b", "Female", "--min-count", "2"]


@pytest.fixture
def folk(graph: Graph, capsys: pytest.CaptureFixture[str]) -> Graph:
    import_triples(graph, *people(), source="folk")
    train()
    capsys.readouterr()
    return graph


def probe(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, object]]:
    assert main(["probe", *words, "--output", "json"]) == 0, capsys.readouterr().err
    found: list[dict[str, object]] = json.loads(capsys.readouterr().out)
    return found


def test_relations_and_values_by_any_of_their_names(folk: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    usual = probe(capsys, "shift", "folk", *SIDES)
    assert len(usual) == 4
    for relation, a, b, objects in (
        (GENDER, "male", "FEMALE", PROFESSION),
        ("PEOPLE_PERSON_GENDER", "/m/male", "freebase/m.female", "PEOPLE_PERSON_PROFESSION"),
    ):
        words = ["--relation", relation, "--a", a, "--b", b, "--object-relation", objects, "--min-count", "2"]
        assert probe(capsys, "shift", "folk", *words) == usual


def test_the_number_of_threads_changes_no_score(folk: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    import torch

    before = torch.get_num_threads()
    for name in ("shift", "pairs", "parity"):
        usual = probe(capsys, name, "folk", *SIDES)
        assert probe(capsys, name, "folk", *SIDES, "--threads", "3") == usual
    assert torch.get_num_threads() == before


def test_a_word_means_the_relation_of_the_model(folk: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    """Of two sources that both have gender and profession, one as P21 and P106."""
    usual = probe(capsys, "shift", "folk", *SIDES)
    types = {GENDER: "P21", PROFESSION: "P106"}
    import_triples(folk, *[Triple(one.head, types[one.relation], one.tail) for one in people()], source="other")
    assert probe(capsys, "shift", "folk", *SIDES) == usual
    assert main(["probe", "shift", "folk", *SIDES, "--relation", "P21"]) == 1
    assert "no relation named 'P21' in the graph" not in capsys.readouterr().err


def test_a_table_for_either_side_and_what_it_rests_on(folk: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "shift", "folk", *SIDES, "--top", "1"]) == 0
    out, _ = capsys.readouterr()
    assert "towards Male, from Female" in out and "towards Female, from Male" in out
    assert "4 objects of /people/person/profession; 36 people have /people/person/gender: 16 Male, 19 Female" not in out
    assert "16 Male, 18 Female" in out
    assert "method: closed form, step 0.01" in out
    assert "undefined for 4 objects" in out
    assert main(["probe", "shift", "folk", *SIDES, "--output", "csv"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0] == "entity,name,score,count_a,count_b,residual,residual_low,residual_high"
    assert "method: closed form" in err


def test_all_others(folk: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    """One value against the mean of all others: of them robin's has one person and female many."""
    words = ["shift", "folk", "--a", "Male", "--min-count", "0"]
    plain = {row["name"]: row for row in probe(capsys, *words)}
    weighted = {row["name"]: row for row in probe(capsys, *words, "--weighted")}
    pair = {row["name"]: row for row in probe(capsys, *words, "--b", "Female")}
    other = {row["name"]: row for row in probe(capsys, *words, "--b", "Other")}
    assert (plain["Nurse"]["count_a"], plain["Nurse"]["count_b"]) == (2, 9)
    assert plain["Singer"]["count_a"] == 1
    for name in plain:
        assert plain[name]["score"] == pytest.approx((pair[name]["score"] + other[name]["score"]) / 2)  # type: ignore[operator]
        female = 18 / 19
        mixed = female * pair[name]["score"] + (1 - female) * other[name]["score"]  # type: ignore[operator]
        assert weighted[name]["score"] == pytest.approx(mixed)
    written = folk.rows("probe/results", model="folk")
    assert {row["b"] for row in written} == {"*", "Female", "Other"}


def test_people_may_be_tails(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    turned = [
        Triple(one.tail, "/people/gender/people", one.head) if one.relation == GENDER else one for one in people()
    ]
    import_triples(graph, *turned, source="folk")
    train()
    capsys.readouterr()
    rows = probe(capsys, "shift", "folk", *SIDES, "--relation", "^/people/gender/people")
    assert {row["name"]: (row["count_a"], row["count_b"]) for row in rows}["Nurse"] == (2, 9)


def test_several_models_are_repeats(folk: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in (1, 2):
        train(f"folk{seed}", seed=seed)
    capsys.readouterr()
    each = [
        {row["name"]: row["score"] for row in probe(capsys, "shift", name, *SIDES)}
        for name in ("folk", "folk1", "folk2")
    ]
    summary = tmp_path / "summary.json"
    rows = probe(capsys, "shift", "folk", "folk1", "folk2", *SIDES, "--summary", str(summary))
    for row in rows:
        values = np.array([one[row["name"]] for one in each], float)
        assert row["score"] == pytest.approx(values.mean())
        half = 4.302653 * values.std(ddof=1) / np.sqrt(3)  # t of 2 degrees of freedom
        assert row["score_high"] == pytest.approx(values.mean() + half)
        assert row["same_sign"] == (len(set(np.sign(values))) == 1)
    said = json.loads(summary.read_text())
    assert [one["model"] for one in said["each"]] == ["folk", "folk1", "folk2"]
    train("other", model="distmult")
    capsys.readouterr()
    assert main(["probe", "shift", "folk", "other", *SIDES]) == 1
    assert (
        "different score functions cannot be averaged: folk is transe with dot, other is distmult"
        in capsys.readouterr().err
    )


def test_figure_and_control(folk: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for kind, start in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        path = tmp_path / f"shift.{kind}"
        assert (
            main(["probe", "shift", "folk", *SIDES, "--min-count", "0", "--control", "9", "--figure", str(path)]) == 0
        )
        assert path.read_bytes().startswith(start)
    assert "control, 9 random pairs of entities of folk: |Spearman|" in capsys.readouterr().out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["shift.pdf", "shift.png", "shift.svg"]


def test_controls_of_the_others_deal_the_people_out(folk: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    for member, more in (("pairs", []), ("parity", ["--predicted", "2"]), ("weat", [])):
        capsys.readouterr()
        assert main(["probe", member, "folk", *SIDES, "--min-count", "0", "--control", "30", *more]) == 0
        shown = capsys.readouterr().out
        assert "control, 30 random groups of people of folk: |Spearman|" in shown
        middle, most = re.findall(r"\|Spearman\| ([0-9.]+) in the middle, ([0-9.]+) at", shown)[0]
        assert float(middle) < float(most)
    assert main(["probe", "pairs", "folk", *SIDES, "--pair", "M00=F00", "--control", "5"]) == 1
    assert "named pairs have no control" in capsys.readouterr().err


def test_facts_of_several_models_are_told_apart(
    folk: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    train("folk1", seed=1)
    summary = tmp_path / "summary.json"
    sizes = []
    for names in (["folk"], ["folk1"], ["folk", "folk1"]):
        assert main(["probe", "weat", *names, *SIDES, "--min-count", "0", "--summary", str(summary)]) == 0
        said = json.loads(summary.read_text())
        sizes += [one["effect_size"] for one in said.get("each", [said])]
    assert sizes[:2] == sizes[2:]
    assert "effect_size" not in said
    assert capsys.readouterr().out.count("effect size") == 4


def test_other_tables_of_the_same_name_have_not_been_probed(folk: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    probe(capsys, "shift", "folk", *SIDES)
    assert folk.rows("probe/results")
    train("folk", seed=7)
    assert not folk.rows("probe/results")


def test_the_same_on_both_sides_is_nothing(folk: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    summary, figure = tmp_path / "s.json", tmp_path / "f.png"
    words = ["--a", "Male", "--b", "Male", "--min-count", "0", "--control", "5", "--summary", str(summary)]
    for member in ("shift", "pairs", "parity", "weat"):
        assert main(["probe", member, "folk", *words, "--figure", str(figure)]) == 0
        assert "undefined" in capsys.readouterr().out
        assert json.loads(summary.read_text())["spearman"] is None
    assert {row["score"] for row in folk.rows("probe/results")} == {0.0}


def test_pairs_by_name(folk: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = probe(capsys, "pairs", "folk", *SIDES, "--pair", "M00=F00")
    (tmp_path / "pairs.tsv").write_text("m00\tfreebase/m.f00\n\n")
    assert probe(capsys, "pairs", "folk", *SIDES, "--pairs", str(tmp_path / "pairs.tsv")) == one
    assert "score_low" not in one[0]


def test_a_new_import_takes_away_what_only_a_probe_held(folk: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    probe(capsys, "shift", "folk", *SIDES)
    folk.write("source/forget", name="folk")
    query = parse("drop", "MATCH (:Entity)-[r {source: 'folk'}]->(:Entity) DELETE r")
    folk.write(query)
    folk.autocommit("source/sweep_entities")
    assert folk.rows(parse("count", "MATCH (e:Entity) RETURN count(e) AS n")) == [{"n": 0}]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["shift", "fol"], "no model named 'fol'; did you mean folk?"),
        (["shift", "folk", "--relation", "gendre"], "no relation named 'gendre' in the graph; near: gender"),
        (["shift", "folk", "--relation", "religion"], "no relation named 'religion' in the graph; there are: gender"),
        (["shift", "folk", "--a", "Mail"], "no value of /people/person/gender named 'Mail' in the graph; near: Male"),
        (
            ["shift", "folk", "--object-relation", "profesion"],
            "no relation named 'profesion' in the graph; near: profession",
        ),
        (["shift", "folk", "--min-count", "99"], "has 99 or more of these people; lower --min-count"),
        (["shift", "folk", "--split", "test"], "fewer than 2 people of folk have a value"),
        (["shift", "folk", "--step", "0"], "step '0.0' is not above 0"),
        (["shift", "folk", "--squared"], "is for models with l2; this one has dot"),
        (["shift", "folk", "--figure", "x.doc"], "x.doc: ends in none of .svg, .png, .pdf"),
        (["shift", "folk", "--figure", "no/where.png"], "its folder does not exist"),
        (["pairs", "folk", "--pair", "M00"], "--pair 'M00' is not a pair; write --pair"),
        (["pairs", "folk", "--pair", "M00=F99"], "no entity named 'F99' in the graph"),
        (["pairs", "folk", "--pairs", "no.tsv"], "no.tsv: cannot be read"),
        (["pairs", "folk", "--a", "Other"], "1 of the people that the model knows have the first value"),
        (["parity", "folk", "--predicted", "4"], "all 4 objects would be predicted for everyone"),
        (["weat", "folk", "--x", "Pilot"], "only one of the two sets of objects is named"),
        (["weat", "folk", "--x", "Pilot", "--y", "Pilot"], "is in both sets"),
        (["weat", "folk", "--x", "Pilott", "--y", "Nurse"], "named 'Pilott' in the graph; near: Pilot"),
    ],
)
def test_wrong_input(folk: Graph, capsys: pytest.CaptureFixture[str], words: list[str], why: str) -> None:
    assert main(["probe", *words[:2], *SIDES, *words[2:]]) == 1
    err = capsys.readouterr().err
    assert why in err
    assert err.count("\n") == 1
    assert folk.rows("probe/results") == []


def test_a_model_of_another_import_says_so(folk: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    import_triples(
        folk, *people(), Triple(entity("m00"), PROFESSION, entity("rabbi")), source="folk", import_id="after"
    )
    assert main(["probe", "shift", "folk", *SIDES]) == 1
    assert "folk: was trained on another import of 'folk'" in capsys.readouterr().err
    folk.write("source/forget", name="folk")
    assert main(["probe", "shift", "folk", *SIDES]) == 1
    assert "was trained on the source 'folk', which is not in the graph" in capsys.readouterr().err


def test_a_value_that_the_model_does_not_know(folk: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    more = [Triple(entity(name), GENDER, entity("agender")) for name in ("x1", "x2")]
    import_triples(folk, *people(), *more, source="more")
    assert main(["probe", "shift", "folk", *SIDES, "--source", "more", "--a", "Agender"]) == 1
    assert (
        "folk: has no vector for Agender (freebase/m.agender); is it trained on this source?" in capsys.readouterr().err
    )
    assert main(["probe", "shift", "folk", *SIDES, "--source", "more"]) == 0
    assert "without a vector, left out: 2 people" in capsys.readouterr().out


def test_the_control_keeps_all_but_who_has_which_value(graph: Graph) -> None:
    split = [
        Triple(one.head, one.relation, one.tail, properties={"split": "train" if at % 5 else "test"})
        for at, one in enumerate(people())
    ]
    import_triples(graph, *split, source="folk")
    true = read_subgraph(graph, "folk")
    parameters = {"relation": "PEOPLE_PERSON_GENDER", "shift": 5}
    dealt = read_subgraph(graph, "folk", query=statement("subgraph/shuffled"), parameters=parameters)

    def rows(found: object, gender: bool) -> list[tuple[str, str, str, int]]:
        columns = zip(true.entities, strict=False)
        assert columns
        return [
            (found.entities[h], found.relations[r], found.entities[t], int(s))  # type: ignore[attr-defined]
            for h, r, t, s in zip(found.head, found.relation, found.tail, found.split, strict=True)  # type: ignore[attr-defined]
            if (found.relations[r] == "PEOPLE_PERSON_GENDER") == gender  # type: ignore[attr-defined]
        ]

    assert rows(true, False) == rows(dealt, False)
    one, two = rows(true, True), rows(dealt, True)
    assert [row[0] for row in sorted(one)] == [row[0] for row in sorted(two)]
    assert {(row[0], row[3]) for row in one} == {(row[0], row[3]) for row in two}
    assert Counter(row[2] for row in one) == Counter(row[2] for row in two)
    assert set(one) != set(two)
    again = read_subgraph(graph, "folk", query=statement("subgraph/shuffled"), parameters=parameters, cache=False)
    assert again.digest == dealt.digest


def test_help_imports_no_torch() -> None:
    script = (
        "import sys\n"
        "from harmgraph.__main__ import main\n"
        "for path in (['probe'], *(['probe', one] for one in ('shift', 'pairs', 'parity', 'weat', 'edge'))):\n"
        "    assert main([*path, '--help']) == 0\n"
        "assert not {'torch', 'dgl', 'scipy', 'matplotlib', 'pandas'} & set(sys.modules), 'something heavy was imported'\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, cwd=ROOT)


def test_the_statement_that_counts_can_be_pasted(folk: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "shift", "folk", *SIDES, "--cypher"]) == 0
    text = capsys.readouterr().out
    assert ':param a => "freebase/m.male";' in text
    assert "P21" not in text and "P106" not in text
    query = "\n".join(line for line in text.splitlines() if not line.startswith(":param")).strip().rstrip(";")
    given = {
        "a": "freebase/m.male",
        "b": "freebase/m.female",
        "min_count": 2,
        "inverse": False,
        "object_inverse": False,
    }
    rows = folk.rows(parse("pasted", query), **given, source="folk", split=None)
    assert {row["name"]: row["count_b"] for row in rows}["Nurse"] == 9
    assert folk.rows("probe/results") == []
