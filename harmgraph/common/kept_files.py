"""Files that are kept for next time: only the last few that were used."""

from __future__ import annotations

from pathlib import Path


def remove_least_used(folder: Path, pattern: str, most: int) -> None:
    """Removes all files of a pattern but the ``most`` that were used last; whoever uses one touches it.

    Another process may remove files at the same time.
    """
    used: dict[Path, float] = {}
    for path in folder.glob(pattern):
        try:
            used[path] = path.stat().st_mtime
        except FileNotFoundError:  # another process has just removed it
            continue
    for old in sorted(used, key=used.__getitem__)[:-most]:
        old.unlink(missing_ok=True)
