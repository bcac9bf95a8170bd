"""A step is held against the real command before anything runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from harmgraph.__main__ import cli, main
from harmgraph.analytics.jobs.check import StepCommand, checked, metrics
from harmgraph.analytics.jobs.file import read_job
from harmgraph.common.errors import InputError


def commands(tmp_path: Path, text: str, head: str = "") -> list[StepCommand]:
    path = tmp_path / "job.toml"
    path.write_text(f"{head}\n[[step]]\n{text}\n", "utf-8")
    return list(checked(cli, read_job(path)))


@pytest.mark.parametrize(
    ("step", "line"),
    [
        ('run = "label vader"', "harmgraph label vader"),
        ('run = "harmgraph label vader --all"', "harmgraph label vader --all"),
        ('run = "label vader"\noptions = { all = true, as = "mood" }', "harmgraph label vader --all --as=mood"),
        ('run = "label vader"\noptions = { all = false }', "harmgraph label vader"),
        ('run = "label vader"\noptions = { progress = false }', "harmgraph label vader --no-progress"),
        ('run = "label vader"\noptions = { no_progress = true }', "harmgraph label vader --no-progress"),
        ('run = "label vader"\noptions = { no-progress = false }', "harmgraph label vader --progress"),
        (
            'run = "load triples"\nfiles = ["a.csv", "b c.csv"]\n'
            'options = { keep_duplicates = true, max-rejects = "5%", limit = 3 }',
            "harmgraph load triples --keep-duplicates --max-rejects=5% --limit=3 a.csv 'b c.csv'",
        ),
        ('run = "load triples"\nfile = "-odd.csv"', "harmgraph load triples -- -odd.csv"),
        ('run = "db backup"\nfile = "g.backup"\noptions = { keep = 7 }', "harmgraph db backup --keep=7 g.backup"),
        ('run = "report"\noptions = { source = ["a", "b"] }', "harmgraph report --source=a --source=b"),
        ('run = "stats disparity"', "harmgraph stats disparity --max-unlabelled=5% --save"),
        ('run = "stats disparity --save"', "harmgraph stats disparity --max-unlabelled=5% --save"),
        ('run = "stats disparity"\noptions = { save = false }', "harmgraph stats disparity --max-unlabelled=5%"),
        ('run = "stats examples"\nargs = "muslim"', "harmgraph stats examples --max-unlabelled=5% muslim"),
    ],
)
def test_the_command_line_of_a_step(tmp_path: Path, step: str, line: str) -> None:
    (command,) = commands(tmp_path, step)
    assert command.line == line
    assert command.saves == ("--save" in line)


def test_thresholds_know_the_numbers_of_computed_statistics(tmp_path: Path) -> None:
    assert "counterfactual.i_f_excess" in metrics("counterfactual")
    step = 'run = "stats counterfactual"\noptions = { source = "m" }'
    (command,) = commands(tmp_path, step, 'fail_if = ["counterfactual.i_f > 0.1"]')
    assert "--save" in command.line
    (command,) = commands(tmp_path, step, 'fail_if = ["counterfactual.max_w1[animal] > 0.2"]')
    assert "--save" in command.line
    with pytest.raises(InputError, match=r"did you mean counterfactual\.max_w1\?"):
        commands(tmp_path, step, 'fail_if = ["counterfactual.w1 > 0.1"]')


def test_the_job_gives_a_source_to_steps_that_take_one(tmp_path: Path) -> None:
    text = "\n[[step]]\n".join(
        (
            'run = "label vader"',
            'run = "label vader"\noptions = { source = "mine" }',
            'run = "label vader --source=mine"',
            'run = "label vader"\noptions = { source = false }',
            'run = "filter"\noptions = { out = "x" }',
            'run = "stats compare a b"',
            'run = "agree"\noptions = { csv = "x" }',
        )
    )
    found = [one.line.removeprefix("harmgraph ") for one in commands(tmp_path, text, 'source = "kb"')]
    assert found == [
        "label vader --source=kb",
        "label vader --source=mine",
        "label vader --source=mine",
        "label vader",
        "filter --out=x --source=kb",
        "stats compare --max-unlabelled=5% a b",
        "agree --csv=x",
    ]


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ('run = "laod triples x"', "no command 'laod'; did you mean load"),
        ('run = "load"', r"'load' is not a whole command; add one of .*conceptnet"),
        ('run = "--verbose load"', "'run' is not a whole command"),
        ('run = "load tripels x"', "no importer named 'tripels'; did you mean triples"),
        ('run = "stats disparty"', "no statistic named 'disparty'; did you mean disparity"),
        (
            'run = "label vader"\noptions = { sorce = "x" }',
            r"step 1 \(label vader\): no option 'sorce'; did you mean source",
        ),
        ('run = "label vader --sorce x"', "No such option:? '?--sorce"),
        ('run = "load triples"', "Missing argument 'FILE...'; see harmgraph load triples --help"),
        ('run = "load triples"\noptions = { files = "x" }', r"no option 'files'; write args = \[...\] beside options"),
        ('run = "load triples x"\noptions = { limit = "many" }', "Invalid value for '--limit': 'many'"),
        ('run = "load triples x"\noptions = { limit = -1 }', "Invalid value for '--limit'"),
        ('run = "load triples x"\noptions = { limit = true }', "--limit takes a text or a number"),
        ('run = "load triples x"\noptions = { limit = [1, 2] }', "--limit takes one value, not a list"),
        ('run = "load triples x"\noptions = { limit = { a = 1 } }', "--limit takes a text or a number"),
        ('run = "label vader"\noptions = { all = "yes" }', "--all is a switch; write all = true"),
        ('run = "label vader"\nargs = ["x"]', "unexpected extra argument"),
        ('run = "label vader"\noptions = { source = ["a", "b"] }', '--source takes one value, .*"a,b"'),
        ('run = "label vader --help"', "asks for help and does nothing else"),
        ('run = "job run other.toml"', "'job' cannot be a step: a job does not run jobs"),
        ('run = "db restore g.backup"', "'db' cannot be a step: it could stop the database"),
        ('run = "db reset --yes"', "'db' cannot be a step: it could stop the database"),
        ('run = "load triples x --bulk"', "--bulk replaces the whole store"),
    ],
)
def test_a_typo_is_found_before_anything_runs(tmp_path: Path, step: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        commands(tmp_path, step)
    assert re.search(r"job\.toml:[34]: step 1 \(", str(caught.value))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("threshold", "says"),
    [
        ("disparity.d_o_mins > 5", "did you mean disparity.d_o_minus"),
        ("disparity.statements > 5", "names what no step measures"),
        ("overgeneralization.o_minus > 5", r"add a step: \[\[step\]\] and run = \"stats overgeneralization\""),
        ("disparity.d_o_minus[source=other] > 5", "is measured, but not with source=other"),
        ("disparity.d_o_minus[measure=regard] > 5", "is measured, but not with measure=regard"),
        ("disparity.d_o_minus[step=first] > 5", "is measured, but not with step=first"),
        ("nothing.such > 5", r"measured: disparity\.d_o_minus, disparity\.d_o_plus"),
    ],
)
def test_a_threshold_that_no_step_measures(tmp_path: Path, threshold: str, says: str) -> None:
    head = f'source = "kb"\nfail_if = ["{threshold}"]'
    with pytest.raises(InputError, match=says):
        commands(tmp_path, 'run = "stats disparity"', head)


@pytest.mark.parametrize(
    "scope", ["", "[religion]", "[source=kb]", "[measure=sentiment]", "[step=stats disparity]", "[category=my own]"]
)
def test_a_threshold_that_a_step_measures(tmp_path: Path, scope: str) -> None:
    head = f'source = "kb"\nfail_if = "disparity.d_o_minus{scope} > 5"'
    assert commands(tmp_path, 'run = "stats disparity"', head)


@pytest.mark.parametrize(
    ("metric", "says"),
    [
        ("disparity.d_o_minus", ""),
        ("overgeneralization.o_plus", ""),
        ("disparity.polarised_percent", "disparity.polarised_percent has no interval"),
        ("representation.n", "representation.n has no interval"),
    ],
)
def test_beyond_chance_needs_a_number_with_an_interval(tmp_path: Path, metric: str, says: str) -> None:
    step, head = f'run = "stats {metric.split(".", maxsplit=1)[0]}"', f'fail_if = "rise {metric} beyond chance"'
    if not says:
        assert commands(tmp_path, step, head)
        return
    with pytest.raises(InputError, match=says):
        commands(tmp_path, step, head)


def test_the_share_of_unlabelled_statements_goes_to_the_steps_that_take_one(tmp_path: Path) -> None:
    lines = ("stats disparity", "stats representation", "stats disparity --max-unlabelled 1%")
    steps = "\n[[step]]\n".join(f'run = "{line}"' for line in lines)
    for head, share in (
        ("", "5%"),
        ('max_unlabelled = "20%"', "20%"),
        ("max_unlabelled = 0.2", "0.2"),
        ("max_unlabelled = 0", "0"),
    ):
        found = [one.line.removeprefix("harmgraph ") for one in commands(tmp_path, steps, head)]
        assert found == [
            f"stats disparity --max-unlabelled={share} --save",
            "stats representation --save",
            "stats disparity --save --max-unlabelled 1%",
        ]
    for wrong in ('"many"', "true", "-1", "[5]", "5"):
        with pytest.raises(InputError, match="'max_unlabelled' is not a share"):
            commands(tmp_path, steps, f"max_unlabelled = {wrong}")


def test_without_a_stats_step_nothing_is_measured(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r'add a step: .* "stats disparity"'):
        commands(tmp_path, 'run = "label vader"', 'fail_if = "disparity.d_r > 1"')
    with pytest.raises(InputError, match="names what no step measures"):
        commands(tmp_path, 'run = "stats disparity"\noptions = { save = false }', 'fail_if = "disparity.d_r > 1"')


WRONG = """crom = "0 3 * * *"
source = 5
timezone = "Europe/Berlin"
fail_if = [
    "disparity.d_r > 1",
    "disparty.d_r > 1",
    "disparity.d_r > five",
    "fall representation.n beyond chance",
]

[[step]]
run = "label vader"
on_failure = "retry"
[step.options]
sorce = "x"
all = "yes"

[[step]]
run = "stats disparty"
timeout = "soon"

[[step]]
args = ["x"]
file = "y"

[[step]]
run = "load triples"
options = { limit = "many", delimiter = "comma", max_rejects = "most" }
"""


def test_everything_that_is_wrong_is_told_at_once_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "job.toml"
    path.write_text(WRONG, "utf-8")
    assert main(["job", "check", str(path)]) == 1
    told = [line.removeprefix(f"harmgraph: {path}:") for line in capsys.readouterr().err.splitlines()]
    for line, says in zip(told, EXPECTED, strict=True):
        assert line.startswith(says)
    # A run is refused with the same lines.
    assert main(["job", "run", str(path)]) == 1
    assert len(capsys.readouterr().err.splitlines()) == len(EXPECTED)


EXPECTED = [
    "1: no key 'crom'; did you mean cron?",
    "2: 'source' is not text",
    "3: 'timezone' is set, but there is no cron",
    "6: fail_if 'disparty.d_r > 1' names what no step measures",
    "7: fail_if 'disparity.d_r > five' is not a threshold",
    "8: fail_if 'fall representation.n beyond chance': representation.n has no interval",
    "13: step 1 (label vader): 'on_failure' is 'retry'",
    "15: step 1 (label vader): no option 'sorce'; did you mean source?",
    "16: step 1 (label vader): --all is a switch",
    "19: step 2 (stats disparty): no statistic named 'disparty'; did you mean disparity?",
    "20: step 2 (stats disparty): 'timeout' is not a duration: 'soon'",
    "22: step 3: has no command",
    "24: step 3: 'args' and 'file' mean the same",
    "27: step 4 (load triples): Missing argument 'FILE...'",
    "28: step 4 (load triples): Invalid value for '--limit'",
    "28: step 4 (load triples): Invalid value for '--max-rejects'",
]


def test_the_target_lists_of_a_job_go_to_the_steps_that_take_them(tmp_path: Path) -> None:
    steps = """
run = "stats disparity"
[[step]]
run = "stats coverage"
options = { targets = ["third"] }
[[step]]
run = "source list"
[[step]]
run = "label vader"
"""
    lines = [command.line for command in commands(tmp_path, steps, 'targets = ["one", "two"]')]
    assert "--targets=one --targets=two" in lines[0]
    assert "--targets=third" in lines[1]
    assert "one" not in lines[1]
    assert "targets" not in lines[2]
    assert "--targets=one --targets=two" in lines[3]
