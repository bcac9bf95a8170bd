"""What is done where a threshold is exceeded: a command, or a POST to a real server on the loopback."""

from __future__ import annotations

import json
import math
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.jobs.alert import Alert, deliver
from harmgraph.analytics.jobs.file import read_job
from harmgraph.analytics.jobs.record import history
from harmgraph.analytics.labelling.label import label
from harmgraph.common.errors import InputError
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import default_targets, pipeline
from harmgraph.loader.reading.plan import Plan
from harmgraph.schema_command import schema_of
from tests.support.jobs import MEASURE, write
from tests.support.schemas import faults

FACTS: dict[str, Any] = {
    "text": "harmgraph job audit: threshold exceeded",
    "name": "audit",
    "exit_code": 3,
    "seconds": 1.5,
    "message": "a\nb \x1b[2J" + "x" * 5_000,
    "thresholds": [{"threshold": "o.m > 5", "told": "o.m > 5: 9"}],
}
EXCEEDED = 'fail_if = "overgeneralization.o_minus > 50"\n'
SECRET = "T0p-s3cret"


class Server(ThreadingHTTPServer):
    """Keeps what was posted; answers as its ``answer`` says."""

    daemon_threads = True

    def __init__(self) -> None:
        self.posts: list[tuple[str, dict[str, str], Any]] = []
        self.answer = 200
        self.over = threading.Event()
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


def refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.posts.append((self.path, dict(self.headers), json.loads(body, parse_constant=refuse)))
        if self.server.answer == 0:
            self.server.over.wait()
            return
        self.send_response(self.server.answer)
        if self.server.answer in (301, 302, 307):
            self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None: ...


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with Server() as found:
        thread = threading.Thread(target=found.serve_forever)
        thread.start()
        yield found
        found.over.set()
        found.shutdown()
        thread.join()


def python(text: str) -> tuple[str, ...]:
    return sys.executable, "-c", text


def test_a_webhook_takes_the_facts_as_json(server: Server, tmp_path: Path) -> None:
    named = server.address.replace("//", f"//user:{SECRET}@")
    assert deliver(Alert(webhook=f"{named}/hook/x?key=1"), FACTS, tmp_path) == ""
    ((path, headers, facts),) = server.posts
    assert path == "/hook/x?key=1"
    assert facts == FACTS
    assert headers["Content-Type"].startswith("application/json")
    assert headers["Authorization"].startswith("Basic ")


@pytest.mark.parametrize("code", [302, 307, 404, 500])
def test_what_a_webhook_refuses_is_told_without_its_path(server: Server, tmp_path: Path, code: int) -> None:
    server.answer = code
    said = deliver(Alert(webhook=f"{server.address}/{SECRET}"), FACTS, tmp_path)
    assert said == f"http://127.0.0.1 answered {code}"
    assert len(server.posts) == 1, "an address that moved is not followed: what was posted would not arrive"


def test_a_webhook_that_does_not_answer_holds_up_nothing(server: Server, tmp_path: Path) -> None:
    server.answer = 0
    said = deliver(Alert(webhook=f"{server.address}/{SECRET}", timeout_s=1), FACTS, tmp_path)
    assert said.startswith("http://127.0.0.1 ")
    assert SECRET not in said


@pytest.mark.parametrize(
    "address",
    ["http://127.0.0.1:1/{}", "http://{}@127.0.0.1:1/", "http://nowhere.invalid/{}", "https://127.0.0.1:1/{}"],
)
def test_a_webhook_that_cannot_be_reached(tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    said = deliver(Alert(webhook=address.format(SECRET), timeout_s=20), FACTS, tmp_path)
    assert "cannot be reached: " in said
    assert SECRET not in said
    assert "\n" not in said


def test_the_address_may_come_from_the_environment(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alert = Alert(webhook_env="AUDIT_WEBHOOK")
    monkeypatch.setenv("AUDIT_WEBHOOK", f"{server.address}/{SECRET}\n")
    assert deliver(alert, FACTS, tmp_path) == ""
    for wrong in (f"file:///{SECRET}", SECRET, f"http://127.0.0.1:{SECRET}/", "http://", f"http://x/ {SECRET}"):
        monkeypatch.setenv("AUDIT_WEBHOOK", wrong)
        said = deliver(alert, FACTS, tmp_path)
        assert said.startswith("AUDIT_WEBHOOK: the webhook is not an http or https address")
        assert SECRET not in said
    monkeypatch.delenv("AUDIT_WEBHOOK")
    assert "the environment has no AUDIT_WEBHOOK" in deliver(alert, FACTS, tmp_path)
    assert len(server.posts) == 1


def test_a_command_takes_the_facts_from_stdin_and_its_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", SECRET)
    text = (
        "import json, os, sys; json.dump([json.load(sys.stdin), sys.argv[1:], "
        "{k: v for k, v in os.environ.items() if k.startswith(('HARMGRAPH_JOB', 'NEO4J'))}], open('told', 'w'))"
    )
    assert deliver(Alert((*python(text), "$HOME; rm -rf *", "`id`")), FACTS, tmp_path) == ""
    facts, arguments, variables = json.loads((tmp_path / "told").read_text("utf-8"))
    assert facts == FACTS
    assert arguments == ["$HOME; rm -rf *", "`id`"], "no shell sees them"
    assert (variables["HARMGRAPH_JOB_NAME"], variables["HARMGRAPH_JOB_EXIT_CODE"]) == ("audit", "3")
    assert len(variables["HARMGRAPH_JOB_MESSAGE"]) == 4_000
    assert "\x1b" not in variables["HARMGRAPH_JOB_MESSAGE"]
    assert "HARMGRAPH_JOB_THRESHOLDS" not in variables
    assert SECRET not in str(variables)


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (python("raise SystemExit(4)"), " ended with exit code 4"),
        (
            python("print('first'); print('no\\x1b[2J mail'); raise SystemExit(1)"),
            " ended with exit code 1: no\\x1b[2J mail",
        ),
        (python(f"raise SystemExit('refused by https://x.example/{SECRET}')"), "refused by https://x.example/..."),
        (python("import os; os.kill(os.getpid(), 9)"), " ended with SIGKILL"),
        (python("import time; time.sleep(600)"), " took longer than 1 s and was stopped"),
        (("/nowhere/mail",), "/nowhere/mail cannot be started: No such file or directory"),
        (("a\0b",), " cannot be started: embedded null byte"),
    ],
)
def test_a_command_that_fails_is_told_in_one_line(tmp_path: Path, command: tuple[str, ...], says: str) -> None:
    said = deliver(Alert(command, timeout_s=1 if "sleep" in str(command) else 30), FACTS, tmp_path)
    assert said.endswith(says)
    assert "\n" not in said
    assert SECRET not in said


def test_a_command_that_leaves_something_running_is_not_waited_for(tmp_path: Path) -> None:
    text = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(2)'])"
    assert deliver(Alert(python(text)), FACTS, tmp_path) == ""


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ('["mail", "-s", 1]', Alert(("mail", "-s", "1"))),
        ('{ command = ["mail"], timeout = "2m" }', Alert(("mail",), timeout_s=120)),
        ('{ webhook = "https://x.example/hook" }', Alert(webhook="https://x.example/hook")),
        ('{ webhook_env = "AUDIT_WEBHOOK" }', Alert(webhook_env="AUDIT_WEBHOOK")),
    ],
)
def test_what_a_job_says(tmp_path: Path, text: str, read_as: Alert) -> None:
    file = Path(write(tmp_path, f"{EXCEEDED}on_exceeded = {text}\n{MEASURE}"))
    assert read_job(file).on_exceeded == read_as


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('"mail root"', "on_exceeded: is neither a list nor a table; write on_exceeded = "),
        ("true", "is neither a list nor a table"),
        ("[]", "'command' names no program"),
        ('[" "]', "'command' names no program"),
        ('[["mail"]]', "'command' is neither text nor a list of texts"),
        ('{ command = "mail root" }', "'command' is not a list"),
        ("{}", "needs exactly one of command, webhook, webhook_env"),
        ('{ command = ["mail"], webhook = "http://x" }', "needs exactly one of command, webhook, webhook_env"),
        ('{ webhok = "http://x" }', "no key 'webhok'; did you mean webhook"),
        (f'{{ webhook = "ftp://{SECRET}/" }}', "the webhook is not an http or https address"),
        (f'{{ webhook = "http://h:{SECRET}/" }}', "the webhook is not an http or https address"),
        ('{ webhook = "" }', "the webhook is not an http or https address"),
        (f'{{ webhook_env = "http://x/{SECRET}" }}', "'webhook_env' is not the name of a variable"),
        ('{ webhook_env = "" }', "'webhook_env' is empty"),
        ('{ webhook = "http://x", timeout = 0 }', "'timeout' is not a duration"),
    ],
)
def test_what_a_job_cannot_say(tmp_path: Path, text: str, says: str) -> None:
    file = Path(write(tmp_path, f"{EXCEEDED}on_exceeded = {text}\n{MEASURE}"))
    with pytest.raises(InputError) as caught:
        read_job(file)
    assert says in str(caught.value)
    assert SECRET not in str(caught.value)


def test_an_alert_without_a_threshold_would_never_be_given(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'on_exceeded' is set, but there is no threshold"):
        read_job(Path(write(tmp_path, f'on_exceeded = ["mail"]\n{MEASURE}')))


def test_a_run_that_exceeds_tells_and_keeps_its_exit_code(
    ready: Graph, folder: Path, server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUDIT_WEBHOOK", f"{server.address}/{SECRET}")
    file = write(folder, f'{EXCEEDED}on_exceeded = {{ webhook_env = "AUDIT_WEBHOOK" }}\n{MEASURE}')
    assert main(["job", "run", file, "--output", "json"]) == 3
    captured = capsys.readouterr()
    told = json.loads(captured.out)
    assert told["on_exceeded"] == "delivered"
    ((_, _, facts),) = server.posts
    assert faults(schema_of("job"), told) == faults(schema_of("event"), facts) == []
    assert facts["text"] == f"harmgraph job audit: {told['message']}"
    assert (facts["run"], facts["state"], facts["exit_code"]) == (told["run"], "exceeded", 3)
    (told_of,) = facts["thresholds"]
    assert told_of == told["thresholds"][0], "an alert and JSON tell the same"
    assert (told_of["threshold"], told_of["comparison"], told_of["limit"]) == (
        "overgeneralization.o_minus > 50",
        ">",
        50.0,
    )
    (over,) = told_of["exceeded_by"]
    assert (over["target"], over["value"], over["compared"], over["change"]) == ("lawyer", 100.0, 100.0, None)
    assert 34 < over["low"] < over["high"] == 100
    assert [(one["statement"], one["label"], one["source"]) for one in over["statements"]] == [
        ("lawyer IsA dishonest liar", "negative", "kb"),
        ("lawyer IsA awful cheat", "negative", "kb"),
    ]
    server.answer = 500
    assert main(["job", "run", file]) == 3
    captured = capsys.readouterr()
    assert "harmgraph: audit: on_exceeded: http://127.0.0.1 answered 500" in captured.err
    assert SECRET not in captured.err + captured.out + str(history(ready))
    # Nothing is told of a run that goes well.
    good = file.replace("audit.toml", "good.toml")
    Path(good).write_text(Path(file).read_text("utf-8").replace("> 50", "> 100"), "utf-8")
    assert main(["job", "run", good]) == 0
    assert len(server.posts) == 2
    # Without its address nothing is run: else it would be missed on the day that it is wanted.
    monkeypatch.delenv("AUDIT_WEBHOOK")
    assert main(["job", "run", file]) == 1
    assert "the environment has no AUDIT_WEBHOOK" in capsys.readouterr().err
    assert len(history(ready)) == 3


def test_a_command_runs_in_the_folder_of_the_job(ready: Graph, folder: Path) -> None:
    text = "import sys; open('told', 'wb').write(sys.stdin.buffer.read())"
    file = write(folder, f'{EXCEEDED}on_exceeded = ["{sys.executable}", "-c", "{text}"]\n{MEASURE}')
    assert main(["job", "run", file]) == 3
    assert json.loads((folder / "told").read_text("utf-8"))["name"] == "audit"


def test_what_rose_from_nothing_is_json_that_every_reader_takes(server: Server, tmp_path: Path) -> None:
    facts = {**FACTS, "thresholds": [{"change_percent": math.inf, "value": math.nan}]}
    assert deliver(Alert(webhook=server.address), facts, tmp_path) == ""
    assert server.posts[0][2]["thresholds"] == [{"change_percent": None, "value": None}]


def test_at_most_ten_statements_are_told_of_each_of_at_most_ten_numbers(
    graph: Graph, folder: Path, server: Server
) -> None:
    """Of a number over all targets too; those that the number counts, the strongest first."""
    default_targets.ensure(graph)
    names = ("barber", "coach", "manager", "accountant", "baker", "doctor", "artist", "dancer", "janitor", "farmer")
    names += ("writer", "lawyer")
    lines = [f"{name}\tIsA\tawful {word}" for name in names for word in "abcdefghijkl"]
    (folder / "kb.tsv").write_text("\n".join([*lines, "nurse\tIsA\tkind person"]) + "\n", "utf-8")
    thresholds = '["overgeneralization.o_minus > 50", "disparity.d_o_plus > 0", "representation.n > 1"]'
    steps = "".join(
        f'[[step]]\nrun = "stats {name}"\n' for name in ("overgeneralization", "disparity", "representation")
    )
    pipeline.load(graph, Plan(importers.get("triples"), (folder / "kb.tsv",), "kb"))
    label(graph, scorers.get("vader"))
    file = write(folder, f'fail_if = {thresholds}\non_exceeded = {{ webhook = "{server.address}" }}\n{steps}')
    assert main(["job", "run", file]) == 3
    rates, disparity, representation = server.posts[0][2]["thresholds"]
    assert (rates["exceeding"], len(rates["exceeded_by"])) == (12, 10)
    for over in rates["exceeded_by"]:
        assert len(over["statements"]) == 10
        assert {one["target"] for one in over["statements"]} == {over["target"]}
        assert {one["label"] for one in over["statements"]} == {"negative"}
    (over,) = disparity["exceeded_by"]
    assert [(one["target"], one["label"], one["statement"]) for one in over["statements"]] == [
        ("nurse", "positive", "nurse IsA kind person")
    ]
    assert all(len(over["statements"]) == 10 for over in representation["exceeded_by"])
