"""Jobs run end to end: the commands in processes of their own, on a real server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.jobs.file import read_job
from harmgraph.analytics.jobs.numbers import changes
from harmgraph.analytics.jobs.record import begin, history, marked
from harmgraph.analytics.jobs.run import KEPT_LINES, _Output
from harmgraph.analytics.jobs.schedule import due
from harmgraph.common.errors import Busy, GraphError, NotFound
from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import parse
from harmgraph.schema_command import schema_of
from tests.support.jobs import LINES, MEASURE, write
from tests.support.schemas import faults

pytestmark = pytest.mark.first

PREPARE = """
[[step]]
run = "load triples"
file = "kb.tsv"
options = { source = "kb" }

[[step]]
run = "label vader"
"""


def last_run(graph: Graph, job: str = "audit") -> dict[str, Any]:
    return history(graph, job)[0]


def test_what_changed_since_the_last_run(graph: Graph, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The second file calls the nurse awful: her O- goes from 0 to 100, a rise of infinitely many percent."""
    metric = "overgeneralization.o_minus"
    file = write(folder, f'fail_if = ["drift {metric} > 20%", "fall {metric}[target=lawyer] > 0"]\n{PREPARE}{MEASURE}')
    assert main(["job", "run", file, "--output", "table"]) == 0
    first = capsys.readouterr().out
    assert "audit: measured for the first time" in first
    assert "last run" not in first
    assert "change" not in first
    assert main(["job", "run", file, "--output", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert faults(schema_of("job"), told) == []
    assert {one["change"] for one in told["changes"]} == {0.0}
    assert [one["outcome"] for one in told["thresholds"]] == ["kept", "kept"]

    (folder / "kb.tsv").write_text("\n".join(LINES).replace("kind person", "awful person") + "\n", "utf-8")
    assert main(["job", "run", file]) == 3
    captured = capsys.readouterr()
    assert (
        f"audit: threshold exceeded: drift {metric} > 20%: 0 -> 100, +100 from 0 of nurse, profession" in captured.err
    )
    assert "audit: what changed since the last run" in captured.out
    assert "4 numbers of targets did not change" in captured.err  # both of lawyer and of teacher
    rows = {(one.now.metric, one.now.target): one for one in changes(graph, last_run(graph)["run"])}
    assert [rows[metric, name].amount for name in ("lawyer", "nurse", "teacher")] == [0, 100, 0]
    assert last_run(graph)["state"] == "exceeded"
    assert (last_run(graph)["exit_code"], last_run(graph)["failed_step"]) == (3, None)


def test_a_threshold_is_exceeded(ready: Graph, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(folder, f'fail_if = "overgeneralization.o_minus > 50"\n{MEASURE}')
    assert main(["job", "run", file]) == 3
    captured = capsys.readouterr()
    assert (
        "harmgraph: audit: threshold exceeded: overgeneralization.o_minus > 50: 100 (95 %: 34.24 to 100)"
        in captured.err
    )
    assert "exceeded" in captured.out
    assert last_run(ready)["message"].startswith("threshold exceeded: overgeneralization.o_minus > 50: 100")


def test_only_numbers_of_this_run_count(ready: Graph, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "disparity", "--save"]) == 0
    assert main(["stats", "overgeneralization", "--category", "gender", "--save"]) == 0
    capsys.readouterr()
    judged = f'fail_if = "overgeneralization.o_minus[gender] < 0"\n{MEASURE}'
    assert main(["job", "run", write(folder, judged)]) == 1
    line = "threshold cannot be judged: overgeneralization.o_minus[gender] < 0: it matches no number of this run"
    assert line in capsys.readouterr().err
    assert last_run(ready)["state"] == "failed"
    metrics = {one.now.metric for one in changes(ready, last_run(ready)["run"])}
    assert metrics == {"overgeneralization.o_plus", "overgeneralization.o_minus"}


def test_a_failed_step_leaves_a_record_and_the_next_run_goes_on(
    graph: Graph, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(
        folder, f'fail_if = "overgeneralization.o_minus > 50"\n{PREPARE.replace("kb.tsv", "new.tsv")}{MEASURE}'
    )
    assert main(["job", "run", file]) == 1
    row = last_run(graph)
    assert (row["state"], row["exit_code"], row["failed_step"]) == ("failed", 1, "load triples")
    assert row["message"] == "step 'load triples' failed: exit code 1: new.tsv: no such file; check the path"
    assert f"harmgraph: audit: {row['message']}" in capsys.readouterr().err
    assert "stats" not in str(graph.rows("measure/history")), "what follows was not run"
    (folder / "kb.tsv").rename(folder / "new.tsv")
    assert main(["job", "run", file]) == 3
    assert [row["state"] for row in history(graph, "audit")] == ["exceeded", "failed"]


def test_a_step_may_fail_and_the_others_run(ready: Graph, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = '[[step]]\nrun = "load triples"\nfile = "missing.tsv"\non_failure = "continue"\n'
    assert main(["job", "run", write(folder, broken + MEASURE), "--output", "json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["state"], told["failed_step"], len(told["changes"])) == ("failed", "load triples", 6)


def test_two_steps_of_one_statistic_keep_their_numbers_apart(
    ready: Graph, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    often = MEASURE.replace('{ source = "kb" }', '{ source = "kb", min_support = 2 }') + 'name = "often"\n'
    both = f'fail_if = "overgeneralization.o_minus[step=often] < 100"\n{MEASURE}{often}'
    for _ in range(2):
        assert main(["job", "run", write(folder, both), "--output", "json"]) == 0
        told = json.loads(capsys.readouterr().out)
    assert sum(one["step"] == "often" for one in told["changes"]) == 2
    assert all(one["change"] == 0 for one in told["changes"])


def test_nothing_runs_where_a_step_is_wrong(graph: Graph, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(folder, PREPARE + '[[step]]\nrun = "stats disparty"\n')
    for command in ("run", "check", "schedule"):
        assert main(["job", command, file]) == 1
        assert "no statistic named 'disparty'; did you mean disparity" in capsys.readouterr().err
    assert history(graph) == []


def test_dry_run_and_check_print_and_run_nothing(
    graph: Graph, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(folder, f'cron = "0 3 * * *"\ntimezone = "UTC"\n{PREPARE}{MEASURE}')
    assert main(["job", "run", file, "--dry-run"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"cd {folder}",
        "harmgraph load triples --source=kb kb.tsv",
        "harmgraph label vader",
        "harmgraph stats overgeneralization --source=kb --max-unlabelled=5% --save",
    ]
    assert main(["job", "check", file, "--output", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["job"], row["steps"], row["next"]) == ("audit", 3, due(read_job(Path(file))))
    assert history(graph) == []


def test_check_tells_of_every_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = write(folder, MEASURE), write(folder, "[[step]]", "bad")
    assert main(["job", "check", bad, good, "--output", "csv"]) == 1
    captured = capsys.readouterr()
    assert captured.out.splitlines()[1].startswith(f"audit,{good},1,0,")
    assert captured.err == f'harmgraph: {bad}:1: step 1: has no command; write run = "label vader"\n'
    same = write(folder, f'name = "audit"\n{MEASURE}', "same")
    assert main(["job", "check", good, same]) == 1
    assert "two jobs are named 'audit'" in capsys.readouterr().err


def test_a_run_that_goes_well_says_nothing_without_a_terminal(
    ready: Graph, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As cron runs it, which mails whatever is said."""
    file = write(folder, f'fail_if = "overgeneralization.o_minus > 100"\n{MEASURE}')
    assert main(["job", "run", file]) == 0
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")
    # What is asked for is said.
    for more in (["--output", "csv"], ["--output", "table"], ["--verbose"]):
        assert main(["job", "run", file, *more]) == 0
        captured = capsys.readouterr()
        assert "overgeneralization.o_minus" in captured.out
        assert ("audit: step 1 of 1, stats overgeneralization:" in captured.err) == (more == ["--verbose"])
    assert main(["--verbose", "job", "run", file]) == 0
    assert "audit: step 1 of 1" in capsys.readouterr().err


def test_of_a_run_that_fails_the_output_of_the_failing_step_is_told(
    ready: Graph, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "broken.tsv").write_text("nurse\tIsA\tperson\nno triple\n", "utf-8")
    broken = '[[step]]\nrun = "load triples"\nfile = "broken.tsv"\noptions = { max_rejects = 0 }\n'
    assert main(["job", "run", write(folder, '[[step]]\nrun = "source list"\n' + broken + MEASURE)]) == 1
    captured = capsys.readouterr()
    first, *lines, last = captured.err.splitlines()
    assert first.startswith("audit: step 2 of 3, load triples: harmgraph load triples --max-rejects=0 broken.tsv")
    assert any("1 of 2 lines cannot be read" in line for line in lines)
    assert last.startswith("harmgraph: audit: step 'load triples' failed: exit code 1:")
    assert "source list" not in captured.err, "what went well is not told"


def test_the_output_of_a_step_that_fails_is_bounded(ready: Graph, folder: Path) -> None:
    told: list[str] = []
    output = _Output(told.append, talkative=False)
    output.write("head")
    for number in range(KEPT_LINES + 7):
        output.write(str(number))
    output.tell_kept()
    assert told[:3] == ["head", "(7 lines left out)", "7"]
    assert (told[-1], len(told)) == (str(KEPT_LINES + 6), KEPT_LINES + 2)


def test_a_measure_that_no_step_and_nobody_labelled(
    ready: Graph, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    typo = MEASURE.replace('source = "kb"', 'source = "kb", measure = "sentimnt"')
    says = "step 1 (stats overgeneralization): no measure named 'sentimnt' in the graph, and no earlier step labels it"
    for command in ("check", "run"):
        assert main(["job", command, write(folder, typo)]) == 1
        captured = capsys.readouterr()
        assert says in captured.err
        assert "near: sentiment" in captured.err
        assert "audit" not in captured.out
    assert history(ready) == []
    # It is not an error where an earlier step labels it, by its scorer's measure or by --as; a later step is too late.
    labelling = '[[step]]\nrun = "label vader --as sentimnt"\n'
    assert main(["job", "check", write(folder, labelling + typo)]) == 0
    assert main(["job", "check", write(folder, typo + labelling)]) == 1
    assert main(["job", "run", write(folder, labelling + typo)]) == 0


def test_check_says_where_no_server_can_be_asked(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HARMGRAPH_HOME", str(tmp_path / "nowhere"))
    (tmp_path / "nowhere").mkdir()
    file = write(folder, MEASURE.replace('source = "kb"', 'source = "kb", measure = "regard"'))
    assert main(["job", "check", file, "--output", "csv"]) == 0
    assert f"{file}: whether regard labels a statement was not checked: no Neo4j runs" in capsys.readouterr().err
    # The measure that a command has by itself is nobody's mistake.
    assert main(["job", "check", write(folder, MEASURE), "--output", "csv"]) == 0
    assert capsys.readouterr().err == ""


def forget(graph: Graph, *heads: str) -> None:
    graph.write(parse("x", "MATCH (h)-[r:IS_A]->() WHERE h.text IN $heads SET r.sentiment = null"), heads=list(heads))


def test_a_threshold_over_no_labelled_statement_fails(
    ready: Graph, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    disparity = '[[step]]\nrun = "stats overgeneralization"\noptions = { max_unlabelled = "50%" }\n'
    forget(ready, "nurse")
    kept = 'fail_if = "overgeneralization.o_plus > 100"\n'
    nurse = 'fail_if = "overgeneralization.o_plus[target=nurse] > 0"\n'
    assert main(["job", "run", write(folder, nurse + disparity)]) == 1
    line = "threshold cannot be judged: overgeneralization.o_plus[target=nurse] > 0: its numbers have no labelled"
    assert line in capsys.readouterr().err
    assert main(["job", "run", write(folder, kept + disparity), "--output", "json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["thresholds"]
    assert told["told"] == "overgeneralization.o_plus > 100: kept; 1 without a labelled statement left out"
    # A job allows 5 % by itself, or what it says.
    plain = '[[step]]\nrun = "stats overgeneralization"\n'
    assert main(["job", "run", write(folder, kept + plain)]) == 1
    assert (
        "1 of the 4 pairs of a statement and a target (25 %) have no label of sentiment, and 5 % may"
        in capsys.readouterr().err
    )
    assert main(["job", "run", write(folder, "max_unlabelled = 0.25\n" + kept + plain)]) == 0
    forget(ready, "nurse", "lawyer", "teacher")
    assert main(["job", "run", write(folder, 'max_unlabelled = "100%"\n' + kept + plain)]) == 1
    assert "nothing is labelled" in capsys.readouterr().err
    assert last_run(ready)["state"] == "failed"


def test_list_of_a_folder(
    graph: Graph, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, f'cron = "0 3 * * *"\n{MEASURE}')
    write(folder, 'x = "pyproject"', "other")
    monkeypatch.chdir(folder)
    assert main(["job", "list", "--output", "json"]) == 0
    captured = capsys.readouterr()
    (row,) = json.loads(captured.out)
    assert (row["job"], row["file"], row["cron"], row["running"]) == ("audit", "audit.toml", "0 3 * * *", False)
    assert captured.err == "other.toml is not a job (it has no [[step]])\n"
    write(folder, "[[step", "torn")
    assert main(["job", "list", str(folder)]) == 1
    assert "torn.toml:1: is not TOML" in capsys.readouterr().err


def test_a_folder_without_a_job(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["job", "list", str(tmp_path)]) == 1
    assert "no job in this folder" in capsys.readouterr().err


def test_history_of_what_never_ran(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["job", "history"]) == 0
    assert "no job has run" in capsys.readouterr().err
    begin(graph, {"id": "1", "job": "audit"})
    with pytest.raises(NotFound, match="near: audit"):
        history(graph, "audi")


def test_a_run_that_was_never_ended_is_marked_by_the_next(graph: Graph) -> None:
    assert begin(graph, {"id": "1", "job": "other"}) == []
    assert begin(graph, {"id": "2", "job": "audit"}) == []
    assert len(begin(graph, {"id": "3", "job": "audit"})) == 1
    states = {row["run"]: row["state"] for row in graph.rows("job/history")}
    assert states == {"1": "running", "2": "died", "3": "running"}
    # Nothing runs them now, which history sees before any run has marked them.
    assert {row["state"] for row in history(graph)} == {"died"}


def test_a_run_that_cannot_be_concluded_is_recorded_as_failed(
    ready: Graph, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def gone(graph: Graph, run: str) -> None:
        raise GraphError("the numbers cannot be read")

    monkeypatch.setattr("harmgraph.analytics.jobs.run.changes", gone)
    assert main(["job", "run", write(folder, MEASURE)]) == 1
    assert "the numbers cannot be read" in capsys.readouterr().err
    run = last_run(ready)
    assert (run["state"], run["exit_code"]) == ("failed", 1)
    assert "the numbers cannot be read" in run["message"]


def test_on_a_server_of_ones_own_a_run_is_seen_from_every_machine(
    graph: Graph, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    address = graph.address
    for name in ("uri", "username", "password", "database"):
        monkeypatch.setenv(f"NEO4J_{name.upper()}", getattr(address, name))
    file = write(folder, '[[step]]\nrun = "source list"\n')
    elsewhere = {"id": "1", "job": "audit", "host": "elsewhere", "pid": 7}
    with Graph.open() as own:
        assert not own.address.embedded
        begin(own, elsewhere)
        with marked(own, elsewhere):
            assert history(own)[0]["state"] == "running"
            assert main(["job", "run", file]) == 1
            assert "job audit is running already on elsewhere (process 7, since" in capsys.readouterr().err
            with marked(own, {**elsewhere, "id": "2", "job": "another"}):
                pass
            with pytest.raises(Busy), marked(own, {**elsewhere, "id": "3"}):
                pass
        assert history(own)[0]["state"] == "died"
        assert main(["job", "run", file]) == 0
        assert [row["state"] for row in history(own)] == ["done", "died"]


def test_a_run_about_other_targets_says_so_and_calls_no_change_drift(
    ready: Graph, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A list that is loaded between two runs: without a name for the lists the numbers are about other targets."""
    metric = "disparity.d_r"
    measure = '[[step]]\nrun = "stats disparity"\noptions = { source = "kb" }\n'
    usual = write(folder, f'fail_if = ["drift {metric} > 0"]\n{measure}')
    named = write(folder, f'targets = "default-targets"\nfail_if = ["drift {metric} > 0"]\n{measure}', "named")
    for file in (usual, named):
        assert main(["job", "run", file]) == 0
    (folder / "mine.csv").write_text("name,category\ncheat,other\nperson,other\nliar,other\n", "utf-8")
    assert main(["target", "load", str(folder / "mine.csv")]) == 0
    capsys.readouterr()

    assert main(["job", "run", usual, "--output", "table"]) == 0
    assert "target lists differ from those of the run before: new: mine" in capsys.readouterr().out
    assert main(["job", "run", named, "--output", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["outcome"] for one in told["thresholds"]] == ["kept"]
    assert [one.partition("@")[0] for one in told["lists"]] == ["default-targets"]
    assert [one.partition("@")[0] for one in told["sources"]] == ["kb"]
    assert {one["change"] for one in told["changes"]} == {0.0}
    (folder / "mine.csv").write_text("name,category\ncheat,other\n", "utf-8")
    assert main(["target", "load", str(folder / "mine.csv"), "--yes"]) == 0
    capsys.readouterr()

    assert main(["job", "run", usual, "--output", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(one["outcome"], one["exceeding"]) for one in told["thresholds"]] == [("other lists", 0)]
    assert "not compared, the target lists differ from those of the run before (changed: mine)" in str(told)
    assert main(["job", "run", usual, "--targets", "default-targets", "--output", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["thresholds"][0]["outcome"] == "other lists"
    differs = [row["differs"] for row in ready.rows("measure/history", metric=metric, category="all")]
    assert differs == [None, None, "target lists", "target lists", "target lists", "target lists"]
    runs = parse("runs", "MATCH (run:Run {job: 'audit'}) RETURN run.lists AS lists ORDER BY run.started_at")
    names = [[one.partition("@")[0] for one in row["lists"]] for row in ready.rows(runs)]
    assert names == [["default-targets"], ["default-targets", "mine"], ["default-targets", "mine"], ["default-targets"]]
