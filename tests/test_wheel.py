"""The wheel, in an environment of its own: the demo from a folder with namesakes, and a plug-in that adds members."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from harmgraph.graph.address import Address
from tests.support.places import ROOT

LINKS = ("loader", "graph", "analytics", "models", "cypher")
PLUGIN = ROOT / "docs" / "examples" / "plugin"


@dataclass(frozen=True, slots=True)
class Environment:
    """An environment with harmgraph's wheel in it.

    Attributes:
        wheel: the file itself.
        place: a folder with ``models.py``, ``graph.py`` and ``loader/`` in it, where commands run.
    """

    folder: Path
    wheel: Path
    place: Path

    def pip(self, *arguments: str) -> None:
        """Installs without the network: what harmgraph needs is that of the tests."""
        command = [sys.executable, "-m", "pip", "--python", str(self.folder / "bin" / "python"), "install", "--no-deps"]
        subprocess.run([*command, "--quiet", "--no-index", *arguments], check=True)

    def run(self, *arguments: str, code: str = "") -> subprocess.CompletedProcess[str]:
        command = (
            [self.folder / "bin" / "python", "-c", code] if code else [self.folder / "bin" / "harmgraph", *arguments]
        )
        return subprocess.run(command, cwd=self.place, capture_output=True, text=True, check=False, timeout=250)


def build(source: Path, out: Path) -> Path:
    """The wheel of a copy of a project, so that nothing is written into it."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*command, "--wheel-dir", str(out), str(source)], check=True)
    (wheel,) = out.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory, address: Address) -> Iterator[Environment]:
    folder = tmp_path_factory.mktemp("wheel")
    project = folder / "project"
    tracked = subprocess.run(
        ["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    )
    names = [name for name in tracked.stdout.decode().split("\0") if name and not name.startswith(("tests/", "shared"))]
    for name in names:
        target = project / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_symlink():
            target.symlink_to((ROOT / name).readlink())
        elif (ROOT / name).is_file():
            target.write_bytes((ROOT / name).read_bytes())
    wheel = build(project, folder / "dist")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "env")], check=True)
    made = folder / "env"
    (site,) = (made / "lib").glob("python*/site-packages")
    # The packages that harmgraph needs are those of the tests; a path in such a file runs no installer's hooks.
    (site / "needed.pth").write_text(f"{sysconfig.get_paths()['purelib']}\n")
    place = folder / "place"
    (place / "loader").mkdir(parents=True)
    for name in ("models.py", "graph.py", "demo.py", "loader/__init__.py"):
        (place / name).write_text("raise RuntimeError('a namesake of the user was imported')\n")
    environment = Environment(made, wheel, place)
    environment.pip(str(wheel))
    yield environment


def test_a_wheel_holds_harmgraph_alone(environment: Environment) -> None:
    names = zipfile.ZipFile(environment.wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"harmgraph"}
    for name in (
        "graph/server/server-jars.sha256",
        "cypher/statistics/disparity.cypher",
        "loader/sample/conceptnet.csv",
    ):
        assert f"harmgraph/{name}" in names
    assert "harmgraph/analytics/report/report.html" in names
    assert "harmgraph/graph/browser/pages/guide.html" in names


def test_the_demo_runs_in_a_folder_with_namesakes(environment: Environment, connection: object) -> None:
    done = environment.run("demo", "--help")
    assert done.returncode == 0, done.stderr
    code = (
        "import harmgraph, sys\n"
        "assert 'harmgraph.graph.connection' not in sys.modules\n"
        "with harmgraph.Graph.open() as graph:\n"
        "    print(len(graph.rows('explore/targets', limit=1)))\n"
        "print(harmgraph.__file__)"
    )
    done = environment.run(code=code)
    assert done.returncode == 0, done.stderr
    assert str(environment.folder) in done.stdout
    done = environment.run("demo")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "disparity" in done.stdout.lower()


def test_a_plug_in_adds_members(environment: Environment, tmp_path: Path) -> None:
    copy = tmp_path / "plugin"
    for file in PLUGIN.rglob("*"):
        if (
            file.is_file()
            and "egg-info" not in str(file)
            and "build" not in file.parts
            and "__pycache__" not in file.parts
        ):
            target = copy / file.relative_to(PLUGIN)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read_bytes())
    environment.pip(str(build(copy, tmp_path / "dist")))
    facts = tmp_path / "facts.jsonl"
    lines = [("lawyer", "is a", "liar"), ("lawyer", "is a", "professional"), ("nurse", "is a", "professional")]
    facts.write_text(
        "".join(json.dumps(dict(zip(("subject", "predicate", "object"), line, strict=True))) + "\n" for line in lines)
    )
    for command in (
        ("load", "facts", str(facts), "--source", "facts"),
        ("label", "insults", "--source", "facts"),
    ):
        done = environment.run(*command)
        assert done.returncode == 0, done.stderr
    done = environment.run("stats", "insulted", "--source", "facts", "--output", "json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert {row["target"]: (row["statements"], row["insults"]) for row in rows} == {"lawyer": (2, 1), "nurse": (1, 0)}
    assert "statistics/insulted" in environment.run("query", "--list", "--output", "csv").stdout


def plugin(environment: Environment, folder: Path, name: str, group: str, module: str) -> None:
    """A package with one module, which is a member of a family."""
    package = name.replace("-", "_")
    (folder / package).mkdir(parents=True)
    (folder / package / "__init__.py").write_text(module)
    (folder / "pyproject.toml").write_text(
        f'[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n[project]\nname = "{name}"\n'
        f'version = "0.3"\n[project.entry-points."harmgraph.{group}"]\nmine = "{package}"\n'
        f'[tool.setuptools]\npackages = ["{package}"]\n'
    )
    environment.pip(str(build(folder, folder / "dist")))


def test_a_plug_in_that_fails_is_one_line_and_harms_nothing_else(environment: Environment, tmp_path: Path) -> None:
    plugin(environment, tmp_path, "broken-figures", "figures", "raise ValueError('no such library\\nat all')\n")
    done = environment.run("figure", "--list", "--output", "csv")
    assert done.returncode == 0
    assert "disparity" in done.stdout
    assert done.stderr.splitlines() == [
        "harmgraph: the figure mine of broken-figures 0.3 cannot be used (ValueError: no such library at all); "
        "everything else works"
    ]


def test_a_name_that_is_taken_twice_is_an_error_that_names_both(environment: Environment, tmp_path: Path) -> None:
    module = "from types import SimpleNamespace\nPROBE = SimpleNamespace(name='shift')\n"
    plugin(environment, tmp_path, "second-shift", "probes", module)
    done = environment.run(code="from harmgraph.models.probing.probe import probes; probes.names()")
    assert (
        "two members of the family probe are named 'shift': harmgraph.models.probes.shift and second_shift"
        in done.stderr
    )
    assert "second-shift 0.3" in done.stderr


@pytest.mark.parametrize("name", LINKS)
def test_the_folders_are_linked_into_the_package(name: str) -> None:
    link = ROOT / "harmgraph" / name
    assert link.is_symlink(), (
        f"{link} is not a link: unpack harmgraph where links can be made, or make it anew: ln -s ../{name}"
    )
    assert link.resolve() == ROOT / name
