"""The pinned Neo4j server: downloaded once, with every jar checked against the digest that ships with harmgraph.

After changing a version below, run ``python -m graph.server.distribution`` to update the digests.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from importlib import resources
from pathlib import Path

from harmgraph.common.errors import DigestMismatch, NoSpace, ServerError
from harmgraph.common.json_text import from_json
from harmgraph.common.lock import held
from harmgraph.common.no_space import writing
from harmgraph.common.private import make_folder
from harmgraph.common.progress import Tell, progress, quiet
from harmgraph.common.whole_file import beside
from harmgraph.graph.server.folder import folder

NEO4J = "5.26.29"
BROWSER = "5.24.0"
ENDPOINT = "+".join(
    (
        f"org.neo4j:neo4j:{NEO4J}",
        f"org.neo4j.app:neo4j-server:{NEO4J}",
        f"org.neo4j.client:neo4j-browser:{BROWSER}",
    )
)
PINNED = "server-jars.sha256"
LOOKING_UP = f"looking up the files of Neo4j {NEO4J}"


def jars(tell: Tell = quiet) -> list[Path]:
    """All jars of the server: downloaded if they are missing, checked if they changed since the last check.

    Once they are downloaded, neither the network nor Maven is needed again.

    Args:
        tell: called with a line for the user before something takes long.

    Raises:
        ServerError: they cannot be downloaded.
        DigestMismatch: a jar is not the pinned one.
        NoSpace: the disk is full, or a folder cannot be written.
    """
    there = checked()
    if there is not None:
        return there
    tell(f"looking for Neo4j {NEO4J}: 145 MB are fetched the first time, in a minute or two ...")
    paths = _fetch()
    if set(pinned()) - {path.name for path in paths}:
        paths = _fetch(update=True)  # an earlier fetch was killed: jgo takes its half-filled folder for whole
    check(paths)
    with writing(stamp_file()):
        make_folder(stamp_file().parent)
        with beside(stamp_file()) as part:
            part.write_text(json.dumps([_stamp(path) for path in paths]), encoding="utf-8")
    return paths


def browser_jar() -> Path:
    """The jar with the files of Neo4j Browser."""
    return next(path for path in jars() if path.name.startswith("neo4j-browser-"))


def pinned() -> dict[str, str]:
    """The SHA-256 of every jar, in hexadecimal, by file name."""
    lines = resources.files(__package__).joinpath(PINNED).read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, name in (line.split(maxsplit=1) for line in lines)}


def check(jars: list[Path]) -> None:
    """Checks that these are exactly the pinned jars.

    Raises:
        DigestMismatch: a jar is wrong or missing; the message names the first.
    """
    expected = pinned()
    for path in jars:
        digest = sha256(path)
        if expected.get(path.name) != digest:
            raise DigestMismatch(
                f"the jar's digest {digest[:16]}… is not the pinned one",
                where=str(path),
                remedy="delete it, here and in ~/.m2/repository, and run this again; if it comes back, do not use it",
            )
    missing = sorted(set(expected) - {path.name for path in jars})
    if missing:
        raise DigestMismatch(
            f"{len(missing)} of Neo4j's jars are missing, {missing[0]} among them",
            where=str(jars[0].parent) if jars else "",
            remedy="delete that folder and run this again",
        )


def renew() -> None:
    """Writes the digests of the jars that the versions above resolve to."""
    text = "".join(f"{sha256(path)}  {path.name}\n" for path in sorted(_fetch(), key=lambda path: path.name))
    Path(__file__).with_name(PINNED).write_text(text, encoding="utf-8")


def _fetch(*, update: bool = False) -> list[Path]:
    import io

    import jgo
    from jgo.maven import PythonResolver

    fetched = _Fetched()
    resolver = PythonResolver(progress_callback=fetched.file)
    printed = io.StringIO()  # jgo prints progress that the user need not see
    try:
        with _alone(), writing(Path.home()), redirect_stdout(printed), redirect_stderr(printed):
            paths = [Path(path) for path in jgo.build(ENDPOINT, update=update, resolver=resolver).all_jars]
            fetched.finish()
            return paths
    except NoSpace:
        raise
    except Exception as error:  # jgo does not document its exceptions; any of them means that the server is missing
        detail = " ".join(f"{type(error).__name__}: {error} {printed.getvalue()[-100:]}".split())[:160]
        raise ServerError(
            f"Neo4j {NEO4J} cannot be fetched from Maven Central ({detail})",
            remedy="check the network and run this again, or set NEO4J_URI to a server of your own",
        ) from error


class _Fetched:
    """Counts the files that jgo fetches: first what the server is made of, then its jars."""

    def __init__(self) -> None:
        self._progress = progress
        self._total = len(pinned())
        self._descriptions = self._jars = 0

    @contextmanager
    def file(self, name: str, _bytes: int) -> Iterator[Callable[[int], None]]:
        """jgo's callback: one file, for the block."""
        yield lambda _more: None
        if name.endswith(".jar"):
            self._jars += 1
            progress(f"fetching Neo4j {NEO4J}, files", self._jars, self._total)
        else:
            self._descriptions += 1
            progress(LOOKING_UP, self._descriptions)

    def finish(self) -> None:
        """All are there, some from before perhaps."""
        if self._jars:
            progress(f"fetching Neo4j {NEO4J}, files", self._total, self._total)


@contextmanager
def _alone() -> Iterator[None]:
    """A lock on the download: all stores share Maven's folders, so a second process waits and then finds the jars there."""
    place = Path.home() / ".jgo"
    with writing(place):
        place.mkdir(exist_ok=True)
    with held(place / "harmgraph.lock", waiting=lambda: progress("waiting for another command that fetches Neo4j", 0)):
        progress(LOOKING_UP, 0)
        yield


def sha256(path: Path) -> str:
    """The SHA-256 of a file, 64 hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def stamp_file() -> Path:
    """The record of the last check; with a copy of it another folder of the server needs none."""
    return folder() / "jars.json"


def _stamp(path: Path) -> list[str | int]:
    facts = path.stat()
    return [str(path), facts.st_size, facts.st_mtime_ns]


def checked() -> list[Path] | None:
    """The jars of the last check, if each still has the same size and modification time; otherwise None."""
    try:
        stamps = from_json(stamp_file().read_text(encoding="utf-8"))
        paths = [Path(str(stamp[0])) for stamp in stamps]
        same = all(_stamp(path) == stamp for path, stamp in zip(paths, stamps, strict=True))
    except (OSError, ValueError, IndexError, TypeError):
        return None  # no check yet, a damaged record of it, or a missing jar: check again
    return paths if same and {path.name for path in paths} == set(pinned()) else None


if __name__ == "__main__":
    renew()
