"""A job's file is read whole or refused with file, key and what was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from harmgraph.analytics.jobs.file import Job, read_job
from harmgraph.common.errors import InputError, UnreadableFile

STEP = '[[step]]\nrun = "label vader"\n'


def job(tmp_path: Path, text: str, name: str = "nightly.toml") -> Job:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return read_job(path)


def test_the_least_job(tmp_path: Path) -> None:
    found = job(tmp_path, STEP)
    assert (found.name, found.folder, found.cron, found.fail_if) == ("nightly", tmp_path, "", ())
    (step,) = found.steps
    assert (step.name, step.words, step.args, step.options) == ("label vader", ("label", "vader"), (), {})
    assert (step.on_failure, step.timeout_s) == ("stop", None)
    assert step.place.wrong("run", "x").where == f"{tmp_path / 'nightly.toml'}:2: step 1 (label vader)"


def test_everything_a_job_may_say(tmp_path: Path) -> None:
    found = job(
        tmp_path,
        'name = "audit"\ndescription = "all"\ncron = "@daily"\ntimezone = "Asia/Tokyo"\nmisfire_grace = "2d"\n'
        'source = "kb"\ntimeout = 90\nfail_if = "disparity.d_r > 1"\n'
        '[[step]]\nrun = "harmgraph load triples \'a b.csv\' --limit 5"\nname = "kb"\ntimeout = "2h"\n'
        '[[step]]\nrun = ["stats", "examples"]\nargs = ["muslim"]\non_failure = "continue"\n'
        "[step.options]\nlimit = 5\n"
        '[[step]]\nrun = "stats examples"\nfile = "x"\n',
    )
    assert (found.name, found.timezone, found.misfire_grace_s, found.source) == ("audit", "Asia/Tokyo", 172_800, "kb")
    assert [one.text for one in found.fail_if] == ["disparity.d_r > 1"]
    first, second, third = found.steps
    assert first.words == ("load", "triples", "a b.csv", "--limit", "5")
    assert (first.name, first.timeout_s, second.timeout_s) == ("kb", 7_200, 90)
    assert (second.args, second.options, second.on_failure) == (("muslim",), {"limit": 5}, "continue")
    assert (second.name, third.name, third.args) == ("stats examples", "stats examples 2", ("x",))


@pytest.mark.parametrize("depth", [100, 300, 3_000, 100_000])
@pytest.mark.parametrize(
    "around", ["name = {}", "cron = {}", "on_exceeded = {}", "fail_if = {}", "[[step]]\nrun = {}", "x = {}"]
)
@pytest.mark.parametrize(("left", "right"), ["[]", ("{a = ", "}")], ids=["lists", "tables"])
def test_what_is_nested_deeply_is_a_line(tmp_path: Path, depth: int, around: str, left: str, right: str) -> None:
    text = around.replace("{}", f"{left * depth}1{right * depth}")
    with pytest.raises((InputError, UnreadableFile)) as refused:
        job(tmp_path, text)
    assert len(str(refused.value).splitlines()) == 1
    assert len(str(refused.value)) < 2_000
    if depth >= 3_000:
        assert str(refused.value).startswith(f"{tmp_path / 'nightly.toml'}: lists or tables are nested too deeply; ")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "has no steps"),
        ("step = []", "has no steps"),
        ('[step]\nrun = "label vader"', r"write \[\[step\]\] with two brackets"),
        (f'crom = "1"\n{STEP}', "no key 'crom'; did you mean cron"),
        (f'{STEP}\n[[steps]]\nrun = "x"', "no key 'steps'; did you mean step"),
        (f'neo4j_password = "x"\n{STEP}', "from the environment only"),
        (f'cron = "61 * * * *"\n{STEP}', "cron '61 .* cannot be read: the minute cannot be '61'"),
        (f'cron = "* * *"\n{STEP}', "has 3 fields, not 5"),
        (f'cron = "0 0 * * 9"\n{STEP}', "'9' is not a weekday"),
        (f'cron = "* * * * *"\ntimezone = "Europe/Berlyn"\n{STEP}', "timezone 'Europe/Berlyn' is not known"),
        (f'cron = "* * * * *"\ntimezone = "../etc"\n{STEP}', "is not known"),
        (f'timezone = "UTC"\n{STEP}', "there is no cron"),
        (f"cron = 5\n{STEP}", "'cron' is not text"),
        (f'misfire_grace = "soon"\n{STEP}', "'misfire_grace' is not a duration: 'soon'; write 90"),
        (f"timeout = 0\n{STEP}", "'timeout' is not a duration"),
        (f"timeout = true\n{STEP}", "'timeout' is not a duration"),
        (f'name = "../x"\n{STEP}', "'../x' cannot be a job's name"),
        (f"fail_if = [1, {{}}]\n{STEP}", "'fail_if' is neither text nor a list of texts"),
        ("[[step]]", "step 1: has no command"),
        ('[[step]]\nrun = "harmgraph"', "step 1: has no command"),
        ('[[step]]\nrun = "load \'x"', "No closing quotation"),
        (f"{STEP}on_failur = 1", r"step 1: no key 'on_failur'; did you mean on_failure"),
        (f"{STEP}source = 'x'", r"no key 'source'; .*goes into options = \{"),
        (f"{STEP}on_failure = 'retry'", r"step 1 \(label vader\): 'on_failure' is 'retry'; write \"stop\""),
        (f"{STEP}options = 'x'", "'options' is not a table"),
        (f"{STEP}file = 'x'\nargs = 'y'", "'args' and 'file' mean the same"),
        (f"{STEP}name = 'a'\n{STEP}name = 'a'", "step 2: there is already a step named 'a'"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        job(tmp_path, text)
    assert str(caught.value).startswith(str(tmp_path / "nightly.toml"))


def test_what_is_no_toml(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"nightly\.toml:2: is not TOML: .* line 2"):
        job(tmp_path, "[[step]]\nrun = label vader\n")
    with pytest.raises(UnreadableFile, match="cannot be read"):
        read_job(tmp_path / "missing.toml")
    with pytest.raises(UnreadableFile, match="is a folder"):
        read_job(tmp_path)
    (tmp_path / "latin.toml").write_bytes('name = "é"'.encode("latin-1"))
    with pytest.raises(UnreadableFile, match="UTF-8"):
        read_job(tmp_path / "latin.toml")


def test_a_file_whose_name_is_no_name_needs_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'my job' cannot be a job's name"):
        job(tmp_path, STEP, "my job.toml")
    assert job(tmp_path, f"name = 'mine'\n{STEP}", "my job.toml").name == "mine"
