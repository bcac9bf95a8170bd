"""``make dist``: the wheel and the source archive of the last commit, without time, order and rights of the machine.

The source archive is made of what git tracks, never of what else lies in the folder. The wheel is made of the source archive.
Both bear the time of the commit. Two builds are compared.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = "import sys; from setuptools import build_meta; getattr(build_meta, sys.argv[1])(sys.argv[2])"


def main() -> None:
    """Builds twice, compares, and writes both files into ``dist/``, or the folder that is named."""
    out = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist")
    commit = _git("rev-parse", "HEAD").decode().strip()
    if _git("status", "--porcelain", "--untracked-files=no"):
        print(f"there are changes that are not committed: what is built is {commit[:12]}", file=sys.stderr)
    stamp = int(_git("show", "--no-patch", "--format=%ct", commit))
    first, second = built(commit, stamp), built(commit, stamp)
    if first != second:
        different = sorted(name for name in {*first, *second} if first.get(name) != second.get(name))
        sys.exit(f"two builds of {commit[:12]} differ in {', '.join(different)}: nothing is written")
    out.mkdir(parents=True, exist_ok=True)
    for name, content in first.items():
        (out / name).write_bytes(content)
        print(f"{hashlib.sha256(content).hexdigest()}  {out / name}")


def built(commit: str, stamp: int) -> dict[str, bytes]:
    """The source archive and the wheel of a commit, by file name.

    Args:
        stamp: time of every file, in seconds since 1970.
    """
    with tempfile.TemporaryDirectory(prefix="harmgraph-dist-") as name:
        folder = Path(name)
        tracked, unpacked = folder / "tracked", folder / "unpacked"
        with tarfile.open(fileobj=io.BytesIO(_git("archive", commit))) as archive:
            archive.extractall(tracked, filter="tar")
        source = _run(tracked, folder / "sdist", "build_sdist", stamp)
        content = _whole(source, stamp)
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            archive.extractall(unpacked, filter="data")
        (project,) = unpacked.iterdir()
        wheel = _run(project, folder / "wheel", "build_wheel", stamp)
        return {source.name: content, wheel.name: wheel.read_bytes()}


def _run(project: Path, out: Path, step: str, stamp: int) -> Path:
    """One step of setuptools; the file that it made."""
    out.mkdir()
    command = [sys.executable, "-c", BUILD, step, str(out)]
    more = {"SOURCE_DATE_EPOCH": str(stamp)}
    done = subprocess.run(
        command, cwd=project, env=os.environ | more, umask=0o022, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{step} of setuptools ended with exit code {done.returncode}:\n{done.stderr[-2_000:]}")
    (made,) = out.iterdir()
    return made


def _whole(source: Path, stamp: int) -> bytes:
    """The same archive without what setuptools takes from the machine: order, times, rights and owners."""
    packed = io.BytesIO()
    with (
        tarfile.open(source) as given,
        gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=stamp) as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for member in sorted(given.getmembers(), key=lambda one: one.name):
            same = tarfile.TarInfo(member.name)
            same.type, same.size, same.mtime = member.type, member.size, stamp
            same.mode = 0o755 if member.isdir() else 0o644
            archive.addfile(same, given.extractfile(member))
    return packed.getvalue()


def _git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True).stdout


if __name__ == "__main__":
    main()
