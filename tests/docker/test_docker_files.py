"""The files of ``docker/``, held against the schemas of Compose and Kubernetes, linters, and the parts they speak of."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from harmgraph.__main__ import cli
from harmgraph.analytics.jobs.check import checked
from harmgraph.analytics.jobs.child import GRACE_S
from harmgraph.analytics.jobs.file import read_job
from harmgraph.analytics.jobs.run import EXCEEDED
from harmgraph.common.version import VERSION
from harmgraph.graph.address import Address, from_environment
from harmgraph.graph.server.distribution import NEO4J
from tests.support.dockerfile import DOCKER, instructions, sent
from tests.support.places import ROOT

COMPOSE = DOCKER / "compose.yaml"
REQUIRED = "${NEO4J_PASSWORD:?"
VARIABLE = re.compile(r"\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}")


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(COMPOSE.read_text("utf-8"))["services"]
    return found


def filled_in(text: str) -> str:
    """As Compose reads it with nothing but the password in ``.env``."""
    return VARIABLE.sub(lambda found: "secret-word" if found[1] == "NEO4J_PASSWORD" else found[2], text)


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def check_schema(path: Path) -> subprocess.CompletedProcess[str]:
    return run(sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(path))


def lint(path: Path) -> subprocess.CompletedProcess[str]:
    return run(str(Path(sys.executable).parent / "hadolint"), "--failure-threshold", "style", str(path))


def test_compose_file_keeps_to_the_compose_schema() -> None:
    done = check_schema(COMPOSE)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_schema_refuses_an_unknown_key(tmp_path: Path) -> None:
    wrong = tmp_path / "compose.yaml"
    wrong.write_text(COMPOSE.read_text("utf-8").replace("healthcheck:", "healthchecks:"), "utf-8")
    assert check_schema(wrong).returncode == 1


def test_dockerfile_passes_the_linter() -> None:
    done = lint(DOCKER / "Dockerfile")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_linter_refuses_a_floating_image(tmp_path: Path) -> None:
    wrong = tmp_path / "Dockerfile"
    wrong.write_text(
        re.sub(r"FROM python:\S+", "FROM python:latest", (DOCKER / "Dockerfile").read_text("utf-8")), "utf-8"
    )
    assert "DL3007" in lint(wrong).stdout


def test_ports_are_open_to_this_machine_only(services: dict[str, Any]) -> None:
    ports = [filled_in(port) for service in services.values() for port in service.get("ports", [])]
    assert sorted(ports) == ["127.0.0.1:7474:7474", "127.0.0.1:7687:7687"]
    assert all(service.get("network_mode") != "host" for service in services.values())


def test_images_are_pinned_and_the_server_is_the_embedded_one(services: dict[str, Any]) -> None:
    assert {name: service["image"] for name, service in services.items()} == {
        "neo4j": f"neo4j:{NEO4J}-community",
        "harmgraph": f"harmgraph:{VERSION}",
        "schedule": f"harmgraph:{VERSION}",
    }


def test_commands_wait_for_a_healthy_server(services: dict[str, Any]) -> None:
    check = services["neo4j"]["healthcheck"]
    assert check["test"][0] == "CMD"
    assert check["test"][-1] == "http://127.0.0.1:7474/"
    assert check["retries"] >= 3
    for name in ("harmgraph", "schedule"):
        assert services[name]["depends_on"]["neo4j"]["condition"] == "service_healthy"
        assert services[name]["profiles"], "'docker compose up' starts the server alone"


def test_no_password_is_written_down(services: dict[str, Any]) -> None:
    secrets = {
        f"{service}.{name}": value
        for service, parts in services.items()
        for name, value in parts["environment"].items()
        if re.search(r"AUTH$|PASSWORD|SECRET|TOKEN", name)
    }
    assert set(secrets) == {"neo4j.NEO4J_AUTH", "harmgraph.NEO4J_PASSWORD", "schedule.NEO4J_PASSWORD"}
    assert all(REQUIRED in value for value in secrets.values()), "an empty password must stop Compose"
    for service in services.values():
        rest = {key: value for key, value in service.items() if key != "environment"}
        assert "PASSWORD" not in yaml.safe_dump(rest), "a command line or label would show it"
    assert "NEO4J_PASSWORD=\n" in (DOCKER / ".env.example").read_text("utf-8")
    assert ".env" in (DOCKER / ".gitignore").read_text("utf-8").splitlines()


def test_every_variable_is_in_the_example(services: dict[str, Any]) -> None:
    used = {found[1] for found in VARIABLE.finditer(COMPOSE.read_text("utf-8"))}
    offered = re.findall(r"^#?(\w+)=(.*)$", (DOCKER / ".env.example").read_text("utf-8"), re.MULTILINE)
    assert {name for name, _ in offered} == used
    defaults = {found[1]: found[2] for found in VARIABLE.finditer(COMPOSE.read_text("utf-8")) if found[2]}
    assert {name: value for name, value in offered if value} == defaults


def test_the_client_reads_what_compose_sets(services: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in services["harmgraph"]["environment"].items():
        monkeypatch.setenv(name, filled_in(value))
    assert from_environment() == Address("bolt://neo4j:7687", "neo4j", "secret-word", "neo4j", "", embedded=False)


def test_the_server_knows_every_setting(services: dict[str, Any], address: Address) -> None:
    """The image makes a setting of each variable (``_`` is a dot, ``__`` is ``_``); Neo4j stops at an unknown one."""
    from neo4j import GraphDatabase

    asked = {
        name.removeprefix("NEO4J_").replace("__", "\0").replace("_", ".").replace("\0", "_")
        for name in services["neo4j"]["environment"]
        if name != "NEO4J_AUTH"
    }
    with GraphDatabase.driver(address.uri, auth=(address.username, address.password)) as driver:
        rows = driver.execute_query("SHOW SETTINGS YIELD name", database_=address.database).records
    assert asked
    assert asked <= {row["name"] for row in rows}


def test_the_image_runs_the_command_as_an_ordinary_user() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    found = dict(instructions())  # the last of each kind counts, as in the image
    assert found["ENTRYPOINT"] == '["harmgraph"]'
    assert "harmgraph" in scripts
    assert int(found["USER"]) > 0
    assert not [
        rest for word, rest in instructions() if word in {"ENV", "ARG"} and re.search("(?i)password|token|secret", rest)
    ]


def test_the_build_gets_the_package_and_nothing_else() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    folders = ("harmgraph", "analytics", "cypher", "graph", "loader", "models")
    wanted = [str(path.relative_to(ROOT)) for name in folders for path in (ROOT / name).rglob("*.py")]
    wanted += [f"harmgraph/{name}" for name in folders[1:]]
    wanted += [settings["project"]["readme"], "pyproject.toml", "constraints.txt", "loader/sample/conceptnet.csv"]
    assert [path for path in wanted if not sent(path)] == []
    kept_out = (
        ".env",
        "docker/.env",
        "loader/.env",
        ".git/config",
        ".venv/bin/python",
        "tests/conftest.py",
        "graph/__pycache__/a.pyc",
    )
    assert [path for path in kept_out if sent(path)] == []


SYSTEMD = DOCKER / "systemd"
INSTALLED = "/opt/harmgraph/bin/harmgraph"


def verified(folder: Path, **changes: str) -> subprocess.CompletedProcess[str]:
    """What systemd says of the units, with the command that is here in place of the installed one."""
    command = Path(sys.executable).parent / "harmgraph"
    for path in SYSTEMD.iterdir():
        text = path.read_text("utf-8").replace(INSTALLED, str(command)).replace("User=harmgraph", "User=root")
        for old, new in changes.items():
            text = text.replace(old, new)
        (folder / path.name).write_text(text, "utf-8")
    names = [path.name.replace("@.", "@nightly.") for path in SYSTEMD.iterdir()]
    return run("systemd-analyze", "verify", *(str(folder / name) for name in names))


needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd-analyze here")


@needs_systemd
def test_systemd_verifies_the_units(tmp_path: Path) -> None:
    done = verified(tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@needs_systemd
def test_systemd_refuses_a_wrong_time_and_an_unknown_key(tmp_path: Path) -> None:
    done = verified(tmp_path, **{"02:30:00": "25:30:00", "KillMode": "KilMode"})
    assert done.returncode
    assert "25:30:00" in done.stderr
    assert "KilMode" in done.stderr


def test_units_hold_no_password_and_give_a_stopped_run_time() -> None:
    for path in SYSTEMD.iterdir():
        assert "NEO4J_PASSWORD=" not in path.read_text("utf-8")
    text = (SYSTEMD / "harmgraph-job@.service").read_text("utf-8")
    assert int(re.findall(r"^TimeoutStopSec=(\d+)$", text, re.MULTILINE)[0]) > 2 * GRACE_S
    assert "KillMode=mixed\n" in text


CRONJOB = DOCKER / "kubernetes" / "cronjob.yaml"


@pytest.fixture(scope="module")
def manifests() -> dict[str, Any]:
    return {one["kind"]: one for one in yaml.safe_load_all(CRONJOB.read_text("utf-8"))}


@pytest.mark.parametrize("version", ["1.30", "1.37"])
def test_manifests_keep_to_the_schema_of_kubernetes(manifests: dict[str, Any], version: str) -> None:
    for one in manifests.values():
        kubernetes_validate.validate(one, version, strict=True)


def test_the_schema_refuses_an_unknown_key_and_a_wrong_value(manifests: dict[str, Any]) -> None:
    cron = manifests["CronJob"]
    for wrong in ({"schedul": "* * * * *"}, {"startingDeadlineSeconds": "an hour"}):
        with pytest.raises(kubernetes_validate.ValidationError):
            kubernetes_validate.validate({**cron, "spec": {**cron["spec"], **wrong}}, "1.37", strict=True)


def test_the_cron_job_runs_its_job_once_at_a_time(manifests: dict[str, Any], tmp_path: Path) -> None:
    spec = manifests["CronJob"]["spec"]
    pod = spec["jobTemplate"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert spec["concurrencyPolicy"] == "Forbid"
    assert container["image"] == f"harmgraph:{VERSION}"
    assert pod["terminationGracePeriodSeconds"] > 2 * GRACE_S
    (rule,) = spec["jobTemplate"]["spec"]["podFailurePolicy"]["rules"]
    assert EXCEEDED in rule["onExitCodes"]["values"]
    assert 1 not in rule["onExitCodes"]["values"], "a step that failed is tried again"
    secrets = [one["name"] for one in container["env"] if "PASSWORD" in one["name"] and "value" in one]
    assert secrets == [], "a password comes from a Secret"
    folder, name = container["args"][-1].rsplit("/", 1)
    assert folder in {mount["mountPath"] for mount in container["volumeMounts"]}
    path = tmp_path / name
    path.write_text(manifests["ConfigMap"]["data"][name], "utf-8")
    commands = checked(cli, read_job(path))
    assert [command.words[0] for command in commands] == ["load", "label", "stats", "report"]


def test_the_scheduler_has_time_to_stop(services: dict[str, Any]) -> None:
    grace = services["schedule"]["stop_grace_period"]
    assert int(grace.removesuffix("s")) > 2 * GRACE_S
    assert services["schedule"]["command"][:2] == ["job", "schedule"]
