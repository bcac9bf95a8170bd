"""What the image of ``docker/`` is made of, read as Docker reads it."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

from tests.support.places import ROOT

DOCKER = ROOT / "docker"


def instructions() -> list[tuple[str, str]]:
    """The instructions of the image, each with its words."""
    joined = (DOCKER / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in joined.splitlines() if line.strip() and not line.startswith("#")]
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def sent(path: str) -> bool:
    """Whether ``.dockerignore`` lets a path into the build: the last pattern for it, or a folder of it, counts."""
    folders = [str(one) for one in (Path(path), *Path(path).parents)][:-1]
    found = True
    for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines():
        pattern = line.removeprefix("!")
        if not pattern or pattern.startswith("#"):
            continue
        if pattern.startswith("**/"):
            matches = pattern[3:] in Path(path).parts
        else:
            matches = any(fnmatch(one, pattern) and one.count("/") == pattern.count("/") for one in folders)
        if matches:
            found = line.startswith("!")
    return found
