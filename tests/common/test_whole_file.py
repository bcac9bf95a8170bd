"""Files are written whole, whatever stands at their path; several are replaced together, even by a process that dies."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from harmgraph.common import whole_file
from harmgraph.common.errors import InputError, NoSpace
from harmgraph.common.whole_file import (
    STDOUT,
    check_place,
    finish_moves,
    is_stream,
    opened,
    replace_together,
    write_whole,
    written,
)
from tests.support.places import ROOT


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Three places, of which the second is empty, and what is to come there."""
    for name, text in (("a", "old"), ("c", "old"), ("new/a", "new"), ("new/b", "new"), ("new/c", "new")):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "file").write_text(text)
    (tmp_path / "new" / "only").write_text("")
    return tmp_path


def moves(place: Path) -> list[tuple[Path, Path]]:
    return [(place / "new" / name, place / name) for name in "abc"]


def is_done(place: Path) -> bool:
    left = sorted(path.name for path in place.iterdir())
    return left == ["a", "b", "c"] and all((place / name / "file").read_text() == "new" for name in "abc")


def test_all_are_replaced_and_nothing_is_left(place: Path) -> None:
    replace_together(place / "note.json", moves(place), remove=[place / "new"])
    assert is_done(place)
    assert not finish_moves(place / "note.json")


@pytest.mark.parametrize("steps", range(10))
def test_wherever_it_stops_the_next_one_finishes(place: Path, steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    left = steps

    def stopping(real: object, *arguments: Path) -> object:
        nonlocal left
        if left == 0:
            raise KeyboardInterrupt
        left -= 1
        return real(*arguments)  # type: ignore[operator]

    rename, delete = Path.rename, whole_file.delete
    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", lambda path, to: stopping(rename, path, to))
        patch.setattr(whole_file, "delete", lambda path: stopping(delete, path))
        try:
            replace_together(place / "note.json", moves(place), remove=[place / "new"])
        except KeyboardInterrupt:
            assert (place / "note.json").exists()
    finish_moves(place / "note.json")
    assert is_done(place)


def test_the_number_of_steps_above_reaches_the_end(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []
    rename, delete = Path.rename, whole_file.delete
    monkeypatch.setattr(Path, "rename", lambda path, to: taken.append(1) or rename(path, to))
    monkeypatch.setattr(whole_file, "delete", lambda path: taken.append(1) or delete(path))
    replace_together(place / "note.json", moves(place), remove=[place / "new"])
    assert len(taken) >= 10


def kept(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def write(path: Path, text: str = "new") -> None:
    """As every command does: line by line."""
    with written(path) as file:
        file.write(text)


WRITERS = pytest.mark.parametrize(
    "put", [write, lambda path: write_whole(path, b"new")], ids=["written", "write_whole"]
)


@WRITERS
@pytest.mark.parametrize("there", [True, False], ids=["a file", "nothing yet"])
def test_a_link_stays_and_leads_to_what_is_new(tmp_path: Path, put: object, there: bool) -> None:
    file, link, other = tmp_path / "far" / "file", tmp_path / "link", tmp_path / "to the link"
    if there:
        file.parent.mkdir()
        file.write_text("old")
    link.symlink_to("far/file")
    other.symlink_to(link)
    put(other)  # type: ignore[operator]
    assert (link.is_symlink(), other.is_symlink(), file.read_text()) == (True, True, "new")
    assert kept(file.parent) == ["file"]


@WRITERS
def test_a_device_stays_a_device(put: object) -> None:
    before = Path(os.devnull).stat()
    put(Path(os.devnull))  # type: ignore[operator]
    assert Path(os.devnull).stat().st_rdev == before.st_rdev != 0
    with pytest.raises(NoSpace, match="/dev/full: cannot be written"):
        put(Path("/dev/full"))  # type: ignore[operator]


@WRITERS
def test_a_fifo_gets_it_once_it_is_whole(tmp_path: Path, put: object) -> None:
    fifo, read = tmp_path / "fifo", []
    os.mkfifo(fifo)
    reader = threading.Thread(target=lambda: read.append(fifo.read_text()))
    reader.start()
    put(fifo)  # type: ignore[operator]
    reader.join()
    assert read == ["new"]
    assert fifo.is_fifo()
    assert kept(tmp_path) == ["fifo"]


def test_what_fails_reaches_no_fifo_and_no_file(tmp_path: Path) -> None:
    fifo, file, link = (tmp_path / name for name in ("fifo", "file", "link"))
    os.mkfifo(fifo)  # nobody reads it: opening it would wait for ever
    file.write_text("old")
    link.symlink_to(file)
    for path in (fifo, link):
        with pytest.raises(KeyboardInterrupt), written(path) as out:
            out.write("half")
            raise KeyboardInterrupt
    assert file.read_text() == "old"
    assert kept(tmp_path) == ["fifo", "file", "link"]


@WRITERS
def test_where_no_file_can_stand_it_is_one_line(tmp_path: Path, put: object, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, loop, listening = tmp_path / "folder", tmp_path / "loop", tmp_path / "socket"
    (folder / "in it").mkdir(parents=True)
    loop.symlink_to(loop)
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    with socket.socket(socket.AF_UNIX) as open_socket:
        open_socket.bind("socket")
        for path, said in ((folder, "is a folder"), (loop, "leads to itself"), (listening, "is a socket")):
            for attempt in (put, check_place):
                with pytest.raises(InputError, match=f"{path}: .*{said}.*; name another file"):
                    attempt(path)  # type: ignore[operator]
    with pytest.raises(NoSpace, match="name too long"):
        put(tmp_path / ("n" * 300))  # type: ignore[operator]
    put(tmp_path / ("n" * 250))  # type: ignore[operator]
    assert kept(tmp_path) == ["folder", "loop", "n" * 250, "socket"]


@WRITERS
def test_a_refusal_names_the_file_and_not_its_temporary_one(tmp_path: Path, put: object) -> None:
    (tmp_path / "file").write_text("")
    place = Path("/proc/self/out.svg")
    with pytest.raises(NoSpace) as refused:
        put(place)  # type: ignore[operator]
    assert str(refused.value) == "/proc/self/out.svg: cannot be written (No such file or directory); name another file"


@pytest.mark.parametrize("place", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
@pytest.mark.parametrize("how", ["file", "more", "pipe"])
def test_what_is_printed_and_written_to_stdout_stands_in_one_file(tmp_path: Path, place: str, how: str) -> None:
    """Also where stdout is a regular file, which must be neither replaced nor written over."""
    code = (
        "from pathlib import Path; from harmgraph.common.whole_file import *\n"
        f"print('before'); write_whole(Path({place!r}), b'whole\\n'); print('between')\n"
        f"file = opened(Path({place!r})); import sys; sys.stdout.flush(); file.write('line\\n'); file.close(); print('after')"
    )
    (tmp_path / "link").symlink_to("/dev/stdout")
    out = tmp_path / "out"
    out.write_text("there\n")
    redirect = {"file": f"> {out}", "more": f">> {out}", "pipe": f"| cat > {out}"}[how]
    shell = f'cd {tmp_path} && PYTHONPATH={ROOT} {sys.executable} -c "$CODE" {redirect}'
    subprocess.run(["bash", "-c", shell], env={**os.environ, "CODE": code}, check=True, timeout=60)
    lines = ["before", "whole", "between", "line", "after"]
    assert out.read_text().split() == (["there"] if how == "more" else []) + lines
    assert kept(tmp_path) == ["link", "out"]


def test_only_what_passes_on_is_a_stream(tmp_path: Path) -> None:
    file = tmp_path / "1"
    file.write_text("")
    assert is_stream(STDOUT) and is_stream(Path(os.devnull))
    assert not any(is_stream(path) for path in (file, tmp_path / "none", tmp_path / "none" / "1"))


def test_lines_follow_a_link_and_replace_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "new" / "file")
    for text in ("long before", "now"):
        with opened(tmp_path / "link") as file:
            file.write(text)
    assert (tmp_path / "new" / "file").read_text() == "now"
    assert (tmp_path / "link").is_symlink()
