"""Who may read files."""

from __future__ import annotations

from pathlib import Path


def open_to_others(place: Path) -> dict[str, str]:
    """The files and folders below that somebody else may read, with their modes."""
    modes = {path: path.stat().st_mode & 0o7777 for path in (place, *place.rglob("*"))}
    return {str(path): oct(mode) for path, mode in modes.items() if mode != (0o700 if path.is_dir() else 0o600)}
