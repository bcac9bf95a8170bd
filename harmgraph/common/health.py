"""What a look at this installation finds: Python, packages, rights, time. What is of the server is looked at elsewhere."""

from __future__ import annotations

import os
import platform
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Literal

from harmgraph.common.errors import HarmgraphError, first_line
from harmgraph.common.home import place
from harmgraph.common.installation import CHECKOUT, extra_command
from harmgraph.common.version import VERSION

State = Literal["ok", "note", "wrong"]
MAIN_PACKAGES = ("neo4j", "numpy", "pandas", "click")
"""Packages whose versions are told; others matter seldom."""
OF_DEVELOPERS = frozenset({"bench", "dev"})
VARIABLES = re.compile(r"(?:NEO4J|HARMGRAPH)_\w+|SSL_CERT_FILE|JAVA_HOME|OPENAI_API_KEY|JDK_JAVA_OPTIONS")
"""Variables of the environment that change what harmgraph does. Only their names are told."""
_REQUIREMENT = re.compile(r"([\w.-]+)(?:\[([\w,-]+)\])?")
_EXTRA = re.compile(r"extra\s*==\s*['\"]([\w.-]+)['\"]")
_BELOW = re.compile(r"python_version\s*<\s*['\"](\d+)\.(\d+)['\"]")


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthFinding:
    """One thing that was looked at.

    Attributes:
        check: what was looked at, in a word or two.
        state: ``wrong`` keeps something from working, ``note`` only something that one may not want.
        found: what is there; never a secret.
        remedy: what to do; empty if nothing.
    """

    check: str
    state: State
    found: str
    remedy: str = ""


Check = Callable[[], Iterator[HealthFinding]]


def looked_at(check: Check, name: str) -> Iterator[HealthFinding]:
    """What a check finds. If it fails itself, that is what it found."""
    try:
        yield from check()
    except HarmgraphError as error:
        found = f"{error.where}: {error.what}" if error.where else error.what
        yield HealthFinding(check=name, state="wrong", found=shown(found), remedy=shown(error.remedy))
    except Exception as error:  # noqa: BLE001 - a look at what is broken must not break
        yield HealthFinding(
            check=name, state="wrong", found=f"{type(error).__name__}: {shown(first_line(error))[:200]}"
        )


def shown(text: str) -> str:
    """The text with ``~`` for the user's own folder, which tells the user's name."""
    own = str(Path.home())
    return re.sub(rf"{re.escape(own)}(?=/|$|\s|[:;,'\"])", "~", text) if len(own) > 1 else text


def python() -> Iterator[HealthFinding]:
    """harmgraph and Python, where they come from, and the main packages."""
    origin = "a checkout" if (CHECKOUT / "pyproject.toml").is_file() else "a wheel"
    yield HealthFinding(check="harmgraph", state="ok", found=f"{VERSION}, from {origin}")
    system = f"{platform.system()} {platform.machine()}"
    found = f"{platform.python_version()} on {system}, {os.cpu_count()} cores"
    yield HealthFinding(check="python", state="ok", found=found)
    yield HealthFinding(
        check="packages", state="ok", found=", ".join(f"{name} {metadata.version(name)}" for name in MAIN_PACKAGES)
    )


def extras() -> Iterator[HealthFinding]:
    """The optional parts: which are installed, and what the others lack."""
    whole, parts = [], []
    for extra, packages in packages_of_extras().items():
        lacking = [name for name in packages if not _is_installed(name)]
        if not lacking:
            whole.append(extra)
        elif len(lacking) < len(packages):
            parts.append((extra, lacking))
    absent = [name for name in packages_of_extras() if name not in whole and name not in dict(parts)]
    yield HealthFinding(check="extras", state="ok", found=", ".join(whole) or "none")
    for extra, lacking in parts:
        found = f"{extra} lacks {', '.join(lacking)}"
        yield HealthFinding(check="extras", state="note", found=found, remedy=shown(extra_command(extra)))
    if absent:
        found = f"not installed: {', '.join(absent)}"
        yield HealthFinding(check="extras", state="note", found=found, remedy=shown(extra_command("NAME")))


def packages_of_extras() -> dict[str, tuple[str, ...]]:
    """The packages of each extra for users, as this harmgraph was installed; only those that this Python can have."""
    found: dict[str, list[str]] = {}
    inner: list[tuple[str, str]] = []
    for requirement in metadata.requires("harmgraph") or ():
        extra, below, match = _EXTRA.search(requirement), _BELOW.search(requirement), _REQUIREMENT.match(requirement)
        if not extra or not match or extra[1] in OF_DEVELOPERS:
            continue
        packages = found.setdefault(extra[1], [])
        if match[1] == "harmgraph":
            inner += [(extra[1], part) for part in (match[2] or "").split(",")]
        elif not below or sys.version_info < (int(below[1]), int(below[2])):
            packages.append(match[1])
    for name, part in inner:
        found[name] += found.get(part, ())
    return {name: tuple(sorted(set(packages))) for name, packages in sorted(found.items())}


def back_ends() -> Iterator[HealthFinding]:
    """What computes: torch and libraries of graphs, and the engines."""
    from harmgraph.common.engines.spark.java import java_home

    libraries = ("torch", "transformers", "dgl", "torch_geometric", "pyspark")
    there = [f"{name} {metadata.version(name)}" for name in libraries if _is_installed(name)]
    yield HealthFinding(check="back ends", state="ok", found=", ".join(there) or "no torch, no Spark")
    if _is_installed("pyspark"):
        yield from looked_at(lambda: iter([_java_of_spark(java_home())]), "spark")


def _java_of_spark(folder: Path) -> HealthFinding:
    return HealthFinding(check="spark", state="ok", found=f"Java at {shown(str(folder))}")


def rights() -> Iterator[HealthFinding]:
    """Whether the home and the folder for temporary files can be written, and whether others may read the home."""
    home = place()
    there = next(folder for folder in (home, *home.parents) if folder.exists())
    for name, folder, remedy in (
        ("home", there, "set HARMGRAPH_HOME to a folder of your own"),
        ("temporary", Path(tempfile.gettempdir()), "set TMPDIR to a folder of your own"),
    ):
        try:
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            found = f"{shown(str(folder))} cannot be written ({error.strerror})"
            yield HealthFinding(check=name, state="wrong", found=found, remedy=remedy)
        else:
            is_new = "" if folder == home or name != "home" else " (made when it is needed)"
            yield HealthFinding(
                check=name, state="ok", found=f"{shown(str(home if name == 'home' else folder))}{is_new}"
            )
    if there == home and home.stat().st_mode & 0o077:
        found = f"others may read {shown(str(home))}"
        yield HealthFinding(check="home", state="note", found=found, remedy=f"chmod 700 {shown(str(home))}")


def time_zone() -> Iterator[HealthFinding]:
    """The zone of schedules without one of their own, and the clock."""
    from tzlocal import get_localzone

    now = datetime.now(UTC)
    zone = get_localzone()
    found = f"{zone}, now {now.astimezone(zone):%Y-%m-%d %H:%M} ({now:%H:%M} UTC)"
    yield HealthFinding(check="time zone", state="ok", found=found)


def environment() -> Iterator[HealthFinding]:
    """The names of the variables that change what harmgraph does, and the encoding of the terminal."""
    names = sorted(name for name in os.environ if VARIABLES.fullmatch(name))
    yield HealthFinding(check="variables", state="ok", found=", ".join(names) or "none")
    encoding = (sys.stdout.encoding or "unknown").lower()
    if encoding.replace("-", "") != "utf8":
        yield HealthFinding(
            check="encoding", state="note", found=f"stdout is {encoding}", remedy="set PYTHONUTF8=1 or LC_ALL=C.UTF-8"
        )


def _is_installed(package: str) -> bool:
    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        return False
    return True
