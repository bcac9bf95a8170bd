"""An audit is a file: it refuses another store, and its numbers have ids that two runs and two machines share."""

from __future__ import annotations

import csv
import json
import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.jobs.audit import standing
from harmgraph.analytics.jobs.compare import ComparedRun, compare, run_of_file, standing_run
from harmgraph.analytics.jobs.file import parsed, read_job
from harmgraph.analytics.jobs.new import _value
from harmgraph.analytics.jobs.record import history
from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.statistics.computed_statistic import computed
from harmgraph.analytics.statistics.number_id import options_of
from harmgraph.analytics.statistics.saved_number import Number
from harmgraph.common.errors import InputError, NotFound, UnreadableFile
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import pipeline
from harmgraph.loader.reading.plan import Plan
from tests.support.filling import import_triples, triple
from tests.support.jobs import LINES, MEASURE, write

STEPS = f'source = "kb"\n{MEASURE}\n[[step]]\nrun = "stats disparity --min-support 2"\n'
LAWYER = Number("", "overgeneralization.o_minus", "profession", "kb", "sentiment", "lawyer", 100.0, n=2)
BASED = replace(LAWYER, lists=("default@1f",), scorers=("sentiment=vader@1",))
ID = BASED.computed_id(scorers=True)


def numbers_of(graph: Graph, run: str) -> dict[tuple[str, str], Number]:
    """By metric and what they are of."""
    return {(one.metric, one.target or one.category): one for one in standing_run(graph, run).numbers}


def audit_of(folder: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """The file of an audit, from a run of a job of the folder."""
    assert main(["job", "run", write(folder, STEPS, "night")]) == 0
    out = folder / "audit.toml"
    assert main(["job", "new", "night", "--from-last", "--out", str(out)]) == 0
    assert "2 steps, 1 source, 1 target list, 1 measure" in capsys.readouterr().err
    return out


@pytest.mark.parametrize(
    "other",
    [
        {"metric": "overgeneralization.o_plus"},
        {"category": "all"},
        {"target": "nurse"},
        {"source": "kb2"},
        {"source": None},
        {"measure": "regard"},
        {"lists": ("default@2f",)},
        {"scorers": ("sentiment=vader@2",)},
        {"options": {"other": "kb2"}},
    ],
)
def test_what_makes_another_number(other: dict[str, Any]) -> None:
    assert replace(BASED, **other).computed_id(scorers=True) != ID


@pytest.mark.parametrize(
    "same",
    [
        {"step": "nightly"},
        {"value": 0.0, "low": -1.0, "high": 1.0, "n": 4, "unlabelled": 1},
        {"sources": ("kb@other import",)},
        {"lists": ("called otherwise@1f",)},
        {"number_id": "whatever"},
    ],
)
def test_what_makes_no_other_number(same: dict[str, Any]) -> None:
    assert replace(BASED, **same).computed_id(scorers=True) == ID


def test_an_id_is_the_same_on_every_machine() -> None:
    """The literal: another digest would part all kept numbers from the new ones."""
    assert ID == "2eb5e51391b174fa"


@pytest.mark.parametrize(
    ("parameters", "of_target", "options"),
    [
        ({"source": "kb", "measure": "regard", "min_support": 1, "category": None}, False, {}),
        (
            {"min_support": 5, "category": "gender", "seed": 3, "resamples": 9},
            False,
            {"min_support": 5, "category": "gender"},
        ),
        ({"min_support": 5, "category": "gender", "target": "nurse"}, True, {}),
    ],
)
def test_only_options_that_change_the_number_count(
    parameters: dict[str, Any], of_target: bool, options: dict[str, Any]
) -> None:
    assert (
        options_of("stats overgeneralization", parameters, "overgeneralization.o_minus", of_target=of_target) == options
    )


def test_of_a_correction_only_the_labels_count() -> None:
    """The shares of the scorer in the graph change with a release, and the corrected number is still the same number."""
    basis = {
        "method": "ppi",
        "labels": 50,
        "labels_digest": "1f",
        "sentences": 20,
        "weighed": [],
        "shares_of_scorer_in_graph": [0.1, 0.2, 0.7],
        "files": ["/home/a/x.csv"],
    }
    given = {"corrected": basis}
    found = options_of("stats overgeneralization", given, "overgeneralization.o_minus_corrected", of_target=True)
    kept = {"method": "ppi", "labels": 50, "labels_digest": "1f", "sentences": 20, "weighed": []}
    assert found == {"corrected": kept}
    assert options_of("stats overgeneralization", given, "overgeneralization.o_minus", of_target=True) == {}


@pytest.mark.parametrize(("command", "option"), [("counterfactual", "min_samples"), ("retrained", "min_support")])
def test_no_default_of_a_computed_statistic_is_in_an_id(command: str, option: str) -> None:
    """So an option that a later harmgraph adds changes no id."""
    defaults = {str(one.name): one.default for one in computed.get(command).command.params if not one.required}
    assert options_of(f"stats {command}", defaults, f"{command}.x", of_target=False) == {}
    assert options_of(f"stats {command}", {**defaults, option: 7}, f"{command}.x", of_target=False) == {option: 7}


def test_a_new_release_keeps_the_ids_and_another_scorer_does_not(
    ready: Graph, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(folder, STEPS)
    assert main(["job", "run", file]) == 0
    first = numbers_of(ready, "audit")
    stored = ready.driver.execute_query("MATCH (m:Measurement) RETURN m.number_id AS id").records
    assert {row["id"] for row in stored} == {one.number_id for one in first.values()}
    assert all(one.scorers == ("sentiment=vader@3.3.2",) for one in first.values())
    assert len({one.number_id for one in first.values()}) == len(first)
    (folder / "kb.tsv").write_text("\n".join(LINES).replace("kind person", "awful person") + "\n", "utf-8")
    pipeline.load(ready, Plan(importers.get("triples"), (folder / "kb.tsv",), "kb"))
    label(ready, scorers.get("vader"))
    assert main(["job", "run", file]) == 0
    second = numbers_of(ready, "audit")
    key = ("overgeneralization.o_minus", "nurse")
    assert (first[key].value, second[key].value) == (0, 100)
    assert {name: one.number_id for name, one in first.items()} == {name: one.number_id for name, one in second.items()}
    label(ready, scorers.get("opinion"), measure="sentiment")
    assert main(["job", "run", file]) == 0
    third = numbers_of(ready, "audit")
    assert not {one.number_id for one in third.values()} & {one.number_id for one in first.values()}
    old, new = (history(ready, "audit")[place]["run"] for place in (2, 0))
    capsys.readouterr()
    assert main(["job", "compare", old[:10], new]) == 0
    captured = capsys.readouterr()
    assert f"0 numbers in both runs, 0 of them equal; only in {old[:8]}: {len(first)}" in captured.err
    assert "scorers differ: new: sentiment=opinion@" in captured.err
    assert "imports of sources differ: changed: kb" in captured.err


def test_runs_without_ids_get_theirs_and_pair_without_the_scorers(
    ready: Graph, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(folder, STEPS)
    assert main(["job", "run", file]) == 0
    assert main(["job", "run", file]) == 0
    whole = numbers_of(ready, "audit")
    old = history(ready, "audit")[1]["run"]
    ready.driver.execute_query(
        "MATCH (:Run {id: $run})<-[:STEP_OF]-(saved)-[:MEASURED]->(m) REMOVE m.number_id, saved.scorers", run=old
    )
    kept = numbers_of(ready, old)
    assert all(one.number_id and one.scorers is None for one in kept.values())
    assert not {one.number_id for one in kept.values()} & {one.number_id for one in whole.values()}
    compared = compare(standing_run(ready, old), standing_run(ready, "audit"))
    assert (len(compared.pairs), compared.gone, compared.new, compared.without_scorers) == (len(whole), (), (), True)
    assert all(pair.now.target == pair.before.target for pair in compared.pairs if pair.before)


def test_a_file_of_another_machine_compares(ready: Graph, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All three files that a run can be in, against the run of the graph; then one number is changed in the file."""
    assert main(["job", "run", write(folder, STEPS), "--output", "json"]) == 0
    files = {"run.json": capsys.readouterr().out}
    for output in ("json", "csv"):
        assert main(["job", "numbers", "audit", "--output", output]) == 0
        files[f"numbers.{output}"] = capsys.readouterr().out
    of_graph = standing_run(ready, "audit")
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
        read = run_of_file(folder / name)
        assert sorted(read.numbers, key=str) == sorted(of_graph.numbers, key=str), name
    rows = json.loads(files["numbers.json"])
    lawyer = next(row for row in rows if row["target"] == "lawyer" and row["metric"].endswith("o_minus"))
    lawyer |= {"value": 50.0, "low": 10.0, "high": 90.0}
    rows.remove(next(row for row in rows if row["target"] == "nurse"))
    (folder / "other.json").write_text(json.dumps(rows), "utf-8")
    assert main(["job", "compare", str(folder / "other.json"), "audit", "--changed", "--output", "csv"]) == 0
    captured = capsys.readouterr()
    changed, alone = csv.DictReader(captured.out.splitlines())
    assert (changed["number_id"], changed["before"], changed["after"]) == (lawyer["number_id"], "50.0", "100.0")
    assert (changed["difference"], changed["after_n"], changed["only"]) == ("50.0", "2", "")
    assert float(changed["difference_low"]) < 50 < float(changed["difference_high"])
    assert (alone["target"], alone["only"], alone["before"]) == ("nurse", "after", "")
    both = len(of_graph.numbers) - 1
    assert f"{both} numbers in both runs, {both - 1} of them equal; only in other.json: 0" in captured.err


def test_the_same_number_of_two_steps_pairs_by_step() -> None:
    before = ComparedRun(
        "a", (replace(LAWYER, step="x", number_id="1"), replace(LAWYER, step="y", number_id="1", value=1.0))
    )
    after = ComparedRun(
        "b", (replace(LAWYER, step="y", number_id="1", value=1.0), replace(LAWYER, step="x", number_id="1"))
    )
    compared = compare(replace(before), after)
    assert [pair.amount for pair in compared.pairs] == [0, 0]


def test_a_table_says_what_only_one_run_has(ready: Graph, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["job", "run", write(folder, STEPS)]) == 0
    assert main(["job", "run", write(folder, STEPS.replace("--min-support 2", ""), "all")]) == 0
    capsys.readouterr()
    assert main(["job", "compare", "audit", "all"]) == 0
    captured = capsys.readouterr()
    assert "only in" in captured.out
    assert "options of disparity differ: min_support=2; the defaults" in captured.err
    assert "6 numbers in both runs, 6 of them equal" in captured.err


def test_runs_that_are_not_there(ready: Graph, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["job", "run", write(folder, '[[step]]\nrun = "source list"\n', "empty")]) == 0
    with pytest.raises(NotFound, match="no run or job, and no file named 'nihgt' in the graph; there are: empty"):
        standing_run(ready, "nihgt")
    with pytest.raises(InputError, match=r"run \w{8} kept no number; 'harmgraph job history' shows how many"):
        standing_run(ready, "empty")
    for run in ("abcdef01", "abcdef02"):
        ready.write("job/begin", run={"id": run, "job": "twice"})
    with pytest.raises(InputError, match="several runs begin with 'abcdef0'; give more digits"):
        standing_run(ready, "abcdef0")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "has no numbers"),
        ("[]", "has no numbers"),
        ("[1]", "has no numbers of a run"),
        ('{"runs": 1}', "has no numbers of a run"),
        ("[{", "is not JSON"),
        ('[{"metric": "a"}]', "row 1 has no number_id"),
        ("job,run\nnight,1\n", "row 1 has no number_id"),
        ('[{"number_id": "1", "metric": "a", "category": "all", "value": "much"}]', "number 1 cannot be read"),
        ('[{"number_id": "1", "metric": "a", "category": "all", "value": 1, "lists": "{"}]', "number 1 cannot be read"),
    ],
)
def test_files_that_are_no_run(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "run.txt"
    path.write_text(text, "utf-8")
    with pytest.raises(UnreadableFile, match=why) as error:
        run_of_file(path)
    assert "\n" not in str(error.value)


def test_an_audit_says_everything_and_runs(ready: Graph, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = audit_of(folder, capsys)
    job = read_job(out)
    audit = standing(ready, ["kb"], [one.name for one in ready.target_lists()], ["sentiment"])
    assert job.audit == audit
    assert audit.sources["kb"].statements == len(LINES)
    assert audit.measures == {"sentiment": ("vader@3.3.2",)}
    assert (job.name, job.source, job.targets) == ("night-audit", "kb", tuple(audit.targets))
    overgeneralization, disparity = job.steps
    assert dict(overgeneralization.options) == {
        "source": "kb", "resamples": 2000, "seed": 0, "measure": "sentiment", "min_support": 1
    }  # fmt: skip
    assert "min_support" not in disparity.options, "its command line says it"
    assert disparity.options["seed"] == 0
    assert main(["job", "run", str(out)]) == 0
    capsys.readouterr()
    assert main(["job", "compare", "night", "night-audit", "--changed"]) == 0
    assert "14 numbers in both runs, 14 of them equal; only in" in capsys.readouterr().err


def test_another_store_is_refused_line_by_line_and_noted_if_asked(
    ready: Graph, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = audit_of(folder, capsys)
    (folder / "more.csv").write_text("target,category,names\nplumber,profession,\n", "utf-8")
    assert main(["target", "load", str(folder / "more.csv")]) == 0
    (folder / "kb.tsv").write_text("\n".join(LINES[:3]) + "\n", "utf-8")
    pipeline.load(ready, Plan(importers.get("triples"), (folder / "kb.tsv",), "kb"))
    label(ready, scorers.get("opinion"), measure="sentiment")
    capsys.readouterr()
    before = len(history(ready))
    assert main(["job", "run", str(out)]) == 1
    lines = capsys.readouterr().err.splitlines()
    wanted = (
        r"audit.toml:\d+: source kb: import: expected \w{16}, found \w{16}; load the same files",
        r"audit.toml:\d+: source kb: statements: expected 4, found 3; load it again, or run it with --note",
        r"audit.toml:\d+: measure sentiment: expected by vader@3.3.2, found opinion@",
    )
    assert len(lines) == len(wanted)
    for line, pattern in zip(lines, wanted, strict=True):
        assert re.search(pattern, line), line
    assert len(history(ready)) == before, "a refused run leaves nothing"
    assert main(["job", "run", str(out), "--note", "--output", "json"]) == 0
    captured = capsys.readouterr()
    assert sum("night-audit: noted: " in line for line in captured.err.splitlines()) == 3
    assert len(json.loads(captured.out)["noted"]) == 3
    assert history(ready, "night-audit")[0]["message"] == "3 of what the audit expects differed (--note)"
    noted = ready.driver.execute_query("MATCH (run:Run {job: 'night-audit'}) RETURN run.noted AS noted").records[0][
        "noted"
    ]
    assert "statements: expected 4, found 3" in noted[1]


def test_a_new_source_is_seen_where_numbers_are_of_all(
    ready: Graph, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["job", "run", write(folder, STEPS.replace('source = "kb"\n', ""), "night")]) == 0
    out = folder / "audit.toml"
    assert main(["job", "new", "night", "--from-last", "--out", str(out)]) == 0
    assert main(["job", "run", str(out)]) == 0
    import_triples(ready, triple("lawyer", "IsA", "kind person"), source="extra")
    capsys.readouterr()
    assert main(["job", "run", str(out)]) == 1
    assert "source extra: expected none, found one that numbers would count" in capsys.readouterr().err


def test_the_name_of_an_audit_is_not_that_of_its_job(
    ready: Graph, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "n" * 64
    assert main(["job", "run", write(folder, STEPS, name)]) == 0
    out = folder / "audit.toml"
    assert main(["job", "new", name, "--from-last", "--out", str(out)]) == 0
    made = tomllib.loads(out.read_text("utf-8"))["name"]
    assert len(made) <= 64
    assert made != name


def test_lists_that_are_another_or_too_many(ready: Graph, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = audit_of(folder, capsys)
    [listed] = ready.target_lists()
    text = out.read_text("utf-8").replace(listed.digest, "f" * 64).replace(f'targets = ["{listed.name}"]\n', "")
    out.write_text(text.replace("[audit.targets]", '[audit.targets]\nabsent = "1"'), "utf-8")
    (folder / "more.csv").write_text("target,category,names\nplumber,profession,\n", "utf-8")
    assert main(["target", "load", str(folder / "more.csv")]) == 0
    capsys.readouterr()
    assert main(["job", "run", str(out)]) == 1
    told = capsys.readouterr().err
    assert "target list absent: the store has none of that name; load it" in told
    assert f"target list {listed.name}: expected {'f' * 16}, found {listed.digest[:16]}" in told
    assert "target list more: expected none, found one that numbers would be about" in told


def test_a_job_that_loads_is_compared_after_that(
    graph: Graph, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On an empty store an audit may load and label by itself; what it then measures must be as the file says."""
    prepare = (
        '[[step]]\nrun = "load triples"\nfile = "kb.tsv"\noptions = { source = "kb" }\n[[step]]\nrun = "label vader"\n'
    )
    assert main(["job", "run", write(folder, f"{prepare}{MEASURE}", "night")]) == 0
    out = folder / "audit.toml"
    assert main(["job", "new", "--from-last", "--out", str(out)]) == 0
    (folder / "further").mkdir()
    assert main(["job", "new", "--from-last", "--out", str(folder / "further" / "audit.toml")]) == 0
    assert "relative paths of its steps start from its own folder" in capsys.readouterr().err
    graph.driver.execute_query("MATCH (n) DETACH DELETE n")
    assert main(["job", "run", str(out)]) == 0
    (folder / "kb.tsv").write_text("\n".join(LINES[:3]) + "\n", "utf-8")
    capsys.readouterr()
    assert main(["job", "run", str(out)]) == 1
    told = capsys.readouterr().err
    assert "night-audit: audit.toml" in told.replace(str(folder) + "/", "")
    assert "source kb: statements: expected 4, found 3" in told
    row = history(graph, "night-audit")[0]
    assert (row["state"], row["failed_step"], row["numbers"]) == ("failed", "stats overgeneralization", 0)
    assert "not begun: the store is not that of the audit (2 differences)" in row["message"]


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ("audit = 1", "'audit' is not a table"),
        ("[audit]\nsource = 1", "no key 'source'; did you mean sources"),
        ("[audit]\nsources = 3", "'sources' is not a table"),
        ("[audit.sources]\nkb = 3", "'kb' is not a table"),
        ('[audit.sources.kb]\nimporter = "triples@1"', "audit: source kb: has no import_id"),
        (
            '[audit.sources.kb]\nimporter = "t@1"\nimport_id = "1"\nstatements = "4"',
            "'statements' is not a whole number",
        ),
        ('[audit.sources.kb]\nimporter = "t@1"\nimport_id = "1"\nsha256 = "4"', "no key 'sha256'"),
        ("[audit.targets]\ndefault = 4", "'default' is not text"),
        ("[audit.measures]\nsentiment = true", "'sentiment' is neither text nor a list of texts"),
    ],
)
def test_an_audit_that_is_wrong(tmp_path: Path, table: str, why: str) -> None:
    text = f"{table}\n{STEPS}" if table.startswith("audit =") else f"{STEPS}\n{table}\n"
    _, wrong = parsed(Path(write(tmp_path, text)))
    assert any(why in str(error) for error in wrong), [str(error) for error in wrong]


def test_what_cannot_become_an_audit(ready: Graph, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(folder / "audit.toml")
    assert main(["job", "new", "--from-last", "--out", out]) == 1
    assert (
        "no run of a job has ended well and kept numbers; 'harmgraph job run FILE' makes one" in capsys.readouterr().err
    )
    file = write(folder, STEPS, "night")
    assert main(["job", "run", file]) == 0
    capsys.readouterr()
    assert main(["job", "new", "--from-last", "--out", file]) == 1
    assert "is the job's own file; choose another name" in capsys.readouterr().err
    write(folder, f"# changed\n{STEPS}", "night")
    assert main(["job", "new", "--from-last", "--out", out]) == 1
    assert "night.toml: the file has changed since that run; 'harmgraph job run FILE' once" in capsys.readouterr().err
    Path(file).unlink()
    assert main(["job", "new", "--from-last", "--out", out]) == 1
    assert "night.toml: the file of that run is not there" in capsys.readouterr().err
    assert not Path(out).exists()


def test_values_in_toml() -> None:
    values = {"text": 'a "b" \\ \n \x7f é', "number": 0.5, "yes": True, "list": ["a", 1], "a b": {"c.d": "e"}}
    read = tomllib.loads("\n".join(f"{key} = {_value(value)}" for key, value in {"all": values}.items()))
    assert read == {"all": values}
