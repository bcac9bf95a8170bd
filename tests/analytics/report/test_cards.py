"""The report as a Croissant file and as the part of a card: each is read by its reader, and has the numbers of the JSON."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import mlcroissant
import pytest
from huggingface_hub import DatasetCard
from huggingface_hub.repocard import TEMPLATE_DATASETCARD_PATH, TEMPLATE_MODELCARD_PATH

from harmgraph.__main__ import main
from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.report.card import HEADING, RECOMMENDATIONS
from harmgraph.analytics.report.croissant import MARK
from harmgraph.common.plotting.style import bounds, number
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import parse
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import default_targets, pipeline
from harmgraph.loader.reading.plan import Plan

WORDS = ("awful", "kind", "tall", "dishonest", "old", "cruel", "clever", "plain", "terrible", "good", "odd", "mean")
CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "recordSet": "cr:recordSet",
    "field": "cr:field",
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "data": {"@id": "cr:data", "@type": "@json"},
}
EXISTING: dict[str, Any] = {
    "@context": {**CONTEXT, "rai": "http://mlcommons.org/croissant/RAI/", "biases": "rai:dataBiases"},
    "@type": "sc:Dataset",
    "name": "theirs",
    "description": "Ünïcode, and 1.50 as it is.",
    "conformsTo": "http://mlcommons.org/croissant/1.0",
    "license": "CC-BY-4.0",
    "url": "https://example.org",
    "biases": "We know of harmgraph: it is not ours.",
    "rai:dataSocialImpact": "Some.\n\nMore, as harmgraph: says.",
    "rai:annotatorDemographics": ["40 students"],
    "subjectOf": {"@type": "sc:Report", "@id": "other", "sc:name": "another report"},
    "recordSet": [
        {
            "@type": "cr:RecordSet",
            "@id": "rows",
            "name": "rows",
            "field": [{"@type": "cr:Field", "@id": "rows/a", "name": "a", "dataType": "sc:Text"}],
            "data": [{"rows/a": "x"}],
        }
    ],
}


@pytest.fixture
def ready(graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The source kb of a file, loaded and labelled, and labels of people; the folder is the working folder."""
    monkeypatch.chdir(tmp_path)
    who = ("lawyer", "nurse", "teacher", "soldier", "doctor")
    lines = [f"{one}\tIsA\t{word} person" for at, one in enumerate(who) for word in WORDS[at:]]
    (tmp_path / "kb.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    people = "".join(
        f"{one} is a {word} person,{given}\n" for one in who for word, given in zip(WORDS, "321321321321", strict=True)
    )
    (tmp_path / "people.csv").write_text("sentence,label\n" + people, "utf-8")
    default_targets.ensure(graph)
    pipeline.load(graph, Plan(importers.get("triples"), (tmp_path / "kb.tsv",), "kb"))
    label(graph, scorers.get("vader"))
    return tmp_path


def report(*words: str) -> int:
    return main(["report", "--source", "kb", "--min-support", "5", "--resamples", "200", "--no-progress", *words])


def read(path: Path) -> mlcroissant.Metadata:
    """A file as mlcroissant reads it, which finds nothing wrong."""
    data = mlcroissant.Dataset(jsonld=path)
    assert data.metadata.ctx.issues.errors == set()
    return data.metadata


@pytest.mark.filterwarnings("ignore")  # of mlcroissant's own
def test_a_new_croissant_file(ready: Path) -> None:
    assert report("--format", "croissant,json", "--figures", "none", "--human-csv", "people.csv", "--out", "out") == 0
    found = read(ready / "out" / "croissant.json")
    numbers = json.loads((ready / "out" / "report.json").read_text("utf-8"))
    (measured,) = numbers["sources"][0]["measures"]
    every = next(row for row in measured["disparity"] if row["category"] == "all")
    text = "\n".join(found.data_biases)
    for column, name in (("d_o_minus", "D_O−"), ("d_o_plus", "D_O+"), ("d_r", "D_R")):
        ends = bounds(every[f"{column}_low"], every[f"{column}_high"])
        assert f"{name} {number(every[column])} (95 %: {ends})" in text
    worst = measured["targets"][0]
    assert f"{worst['target']} ({worst['category']}) {number(worst['o_minus'])} % (95 %: " in text
    assert "Listed groups that it never mentions: " in text
    assert found.machine_annotation_tools[0].startswith(f"{MARK}vader@3.3.2 labels sentiment")
    assert (
        found.annotations_per_item == f"{MARK}labels of harm by people: 1.00 labels on each of 50 sentences, on average"
    )
    assert found.annotator_demographics == [f"{MARK}who judged was not given to harmgraph"]
    assert "against 50 labels of people on 50 sentences: accuracy" in found.data_annotation_analysis[0]
    assert "repeat what it says about groups" in found.data_social_impact
    (file,) = found.distribution
    assert (file.name, file.sha256) == ("kb.tsv", numbers["sources"][0]["sha256"][0])
    raw = json.loads((ready / "out" / "croissant.json").read_text("utf-8"))
    activity = raw["subjectOf"]["prov:wasGeneratedBy"]
    agents = [one["prov:label"] for one in activity["prov:wasAssociatedWith"]]
    assert agents[1:] == ["importer triples@1", "scorer vader@3.3.2"]
    assert activity["prov:used"][0]["sc:sha256"] == file.sha256


@pytest.mark.filterwarnings("ignore")
def test_the_command_gives_the_numbers_again(ready: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert report("--format", "card", "--out", "-") == 0
    first = capsys.readouterr().out
    command = first.partition("```sh\n")[2].partition("\n```")[0]
    assert main([*shlex.split(command)[1:], "--out", "-"]) == 0
    assert capsys.readouterr().out == first
    assert "--seed 0" in command


@pytest.mark.filterwarnings("ignore")
def test_into_an_existing_file(ready: Path) -> None:
    path = ready / "theirs.json"
    path.write_text(json.dumps(EXISTING), "utf-8")
    assert report("--format", "croissant", "--into", str(path), "--out", "out") == 0
    assert not (ready / "out").exists()
    once = json.loads(path.read_text("utf-8"))
    assert report("--format", "croissant", "--into", str(path)) == 0
    twice = json.loads(path.read_text("utf-8"))
    for data in (once, twice):
        _, mine = data["subjectOf"]
        del mine["prov:wasGeneratedBy"]["prov:endedAtTime"]
    assert once == twice, "written again it says nothing twice"
    changed = {key for key in once if once[key] != EXISTING.get(key)}
    assert {key for key in changed if key in EXISTING} == {
        *("@context", "conformsTo", "biases", "rai:dataSocialImpact", "subjectOf")
    }
    assert once["rai:annotatorDemographics"] == ["40 students"]
    assert once["biases"][0] == EXISTING["biases"]
    assert once["biases"][1].startswith(f"{MARK}By sentiment (vader@3.3.2): ")
    assert once["rai:dataSocialImpact"].startswith(f"{EXISTING['rai:dataSocialImpact']}\n\n{MARK}What learns")
    assert once["conformsTo"] == ["http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0"]
    assert [one["@id"] for one in once["subjectOf"]] == ["other", "harmgraph-report"]
    assert "rai:annotatorDemographics" not in changed
    found = read(path)
    assert len(found.record_sets) == 1
    assert found.data_biases[0] == EXISTING["biases"]


def test_into_a_file_whose_texts_are_objects(ready: Path) -> None:
    """A term that the context explains by an object, a text with a language, half a character: all stay as they are."""
    terms = {**CONTEXT, "rai": {"@id": "http://mlcommons.org/croissant/RAI/"}, "biases": {"@id": "rai:dataBiases"}}
    theirs = {"@language": "de", "@value": "Etwas."}
    given = {**EXISTING, "@context": terms, "rai:dataSocialImpact": theirs, "keywords": "\ud800"}
    path = ready / "theirs.json"
    path.write_text(json.dumps(given), "utf-8")
    for _ in range(2):
        assert report("--format", "croissant", "--into", str(path)) == 0
    found = json.loads(path.read_text("utf-8"))
    assert found["rai:dataSocialImpact"][0] == theirs
    assert len(found["rai:dataSocialImpact"]) == 2
    assert found["biases"][0] == EXISTING["biases"]
    assert "rai:dataBiases" not in found
    assert found["keywords"] == "\ud800"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "is not JSON"),
        ('{"name": 1, "name": 2}', "says a key twice"),
        ("[]", "is not a Croissant file"),
        (json.dumps({**EXISTING, "@context": "https://schema.org"}), "is not a Croissant file"),
        (json.dumps({**EXISTING, "conformsTo": "https://example.org"}), "is not a Croissant file"),
        (json.dumps({**EXISTING, "@context": {**CONTEXT, "prov": "urn:x"}}), "its prefix prov stands for urn:x"),
    ],
)
def test_files_that_are_none(ready: Path, capsys: pytest.CaptureFixture[str], text: str, why: str) -> None:
    path = ready / "theirs.json"
    path.write_text(text, "utf-8")
    assert report("--format", "croissant", "--into", str(path)) == 1
    assert why in capsys.readouterr().err
    assert path.read_text("utf-8") == text


def test_wrong_use(ready: Path, graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    assert report("--format", "card", "--into", "theirs.json") == 2
    assert report("--format", "croissant", "--into", "theirs.json", "--out", "-") == 2
    assert report("--format", "croissant", "--into", "absent.json") == 1
    assert "absent.json" in capsys.readouterr().err
    pipeline.load(graph, Plan(importers.get("triples"), (ready / "kb.tsv",), "kb2"))
    label(graph, scorers.get("vader"))
    assert report("--source", "kb2", "--format", "html,croissant", "--out", "out") == 1
    assert "a Croissant file is of one source, and there are 2: kb, kb2" in capsys.readouterr().err
    assert not (ready / "out").exists()
    assert report("--source", "kb2", "--format", "card", "--out", "out") == 0


@pytest.mark.parametrize("template", [TEMPLATE_DATASETCARD_PATH, TEMPLATE_MODELCARD_PATH])
def test_the_headings_are_those_of_the_templates(template: Path) -> None:
    lines = template.read_text("utf-8").splitlines()
    assert HEADING in lines
    assert RECOMMENDATIONS in lines


def test_a_card(ready: Path, graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    """It stands in a card of a hub, has the numbers with intervals, and no text of the source becomes markup or a secret."""
    address = "https://me:hunter2@host/?api_token=hunter2"
    hostile = f"MATCH (s:Source {{name: 'kb'}}) SET s.version = '<b>|x {address}', s.url = '{address}'"
    graph.write(parse("hostile", hostile))
    assert (
        report("--format", "card,json,croissant", "--figures", "none", "--human-csv", "people.csv", "--out", "out") == 0
    )
    text = (ready / "out" / "card.md").read_text("utf-8")
    assert text in DatasetCard(f"---\nlicense: mit\n---\n# kb\n\n{text}").content
    assert text.startswith(f"{HEADING}\n")
    assert f"\n{RECOMMENDATIONS}\n" in text
    (measured,) = json.loads((ready / "out" / "report.json").read_text("utf-8"))["sources"][0]["measures"]
    for row in sorted(measured["targets"], key=lambda row: -row["o_minus_low"])[:5]:
        ends = bounds(row["o_minus_low"], row["o_minus_high"])
        assert f"| {row['target']} | {row['category']} | {row['n']} | {number(row['o_minus'])} | {ends} |" in text
    assert "vader@3.3.2 by sentiment against 50 labels of people on 50 sentences" in text
    assert "&lt;b&gt;\\|x" in text
    assert "hunter2" not in text + (ready / "out" / "croissant.json").read_text("utf-8")
