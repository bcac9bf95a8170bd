"""Lines of files: what ends one, what cannot be read, what is compressed, damaged or no text."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import os
import random
import sqlite3
import tarfile
import tempfile
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harmgraph.common.errors import UnreadableFile
from harmgraph.loader.formats import lines as module
from harmgraph.loader.formats.lines import EXCERPT, MAX_LINE, Line, open_lines, sha256

PACKED: dict[str, Callable[[bytes], bytes]] = {"plain": bytes, "gzip": gzip.compress, "bzip2": bz2.compress}


def written(folder: Path, content: bytes, name: str = "kb.txt") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def read(path: Path) -> list[Line]:
    with open_lines(path) as lines:
        return list(lines)


def test_a_byte_order_mark_that_was_compressed_alone(tmp_path: Path) -> None:
    for compress in (gzip.compress, bz2.compress):
        path = written(tmp_path, compress(b"\xef\xbb\xbf") + compress(b"a\nb"))
        assert [line.text for line in read(path)] == ["a", "b"]


def texts(path: Path) -> list[str]:
    found = read(path)
    assert [line.number for line in found] == list(range(1, len(found) + 1))
    assert not any(line.problem for line in found)
    return [line.text for line in found]


@pytest.mark.parametrize("pack", PACKED.values(), ids=PACKED)
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", []),
        (b"a", ["a"]),
        (b"a\n", ["a"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\n\n\nb", ["a", "", "", "b"]),
        (b"\n", [""]),
        (b"\r\n", [""]),
        (b"a\rb\n", ["a\rb"]),
        ("a\x85b\x1cc\x0bd\x0ce\u2028f\u2029g\n".encode(), ["a\x85b\x1cc\x0bd\x0ce\u2028f\u2029g"]),
        (b"\xef\xbb\xbfname\n\xef\xbb\xbfa", ["name", "\ufeffa"]),
        (b"\xef\xbb\xbf", []),
        ("日本 é 🙂\n".encode(), ["日本 é 🙂"]),
        (b"BZhang runs\n", ["BZhang runs"]),
        (b"PAR1 is a text\n", ["PAR1 is a text"]),
    ],
)
def test_what_ends_a_line(tmp_path: Path, content: bytes, expected: list[str], pack: Callable[[bytes], bytes]) -> None:
    assert texts(written(tmp_path, pack(content))) == expected


def test_compression_is_told_by_the_content_not_by_the_name(tmp_path: Path) -> None:
    assert texts(written(tmp_path, b"a\nb\n", "plain.gz")) == ["a", "b"]
    assert texts(written(tmp_path, gzip.compress(b"a\nb\n"), "packed.txt")) == ["a", "b"]


def test_several_gzip_members_are_one_file(tmp_path: Path) -> None:
    assert texts(written(tmp_path, gzip.compress(b"a\nb") + gzip.compress(b"c\nd\n"))) == ["a", "bc", "d"]


def test_a_line_that_is_not_utf8_is_a_problem_and_its_neighbours_are_not(tmp_path: Path) -> None:
    found = read(written(tmp_path, "é\n".encode() + b"ab\xe9c\r\n" + b"good\n\xed\xa0\x80\n"))
    assert found[0] == Line(1, "é")
    assert found[1] == Line(2, "ab\\xe9c", "not UTF-8 (byte 0xe9 at column 3)")
    assert found[2] == Line(3, "good")
    assert found[3].problem == "not UTF-8 (byte 0xed at column 1)"


def test_a_nul_byte_is_a_problem_of_its_line_only(tmp_path: Path) -> None:
    found = read(written(tmp_path, b"a\nb\x00c\nd\n"))
    assert found == [Line(1, "a"), Line(2, "b\\x00c", "a NUL byte at column 2"), Line(3, "d")]


@pytest.mark.parametrize("pack", PACKED.values(), ids=PACKED)
def test_a_line_that_is_too_long_is_a_problem_and_the_next_one_is_read(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    longest, longer = b"x" * MAX_LINE, b"y" * (3 * MAX_LINE + 7)
    found = read(written(tmp_path, pack(b"\n".join([b"first", longest, longer, b"last", longer]))))
    assert [line.number for line in found] == [1, 2, 3, 4, 5]
    assert (found[0].text, len(found[1].text), found[1].problem, found[3].text) == ("first", MAX_LINE, "", "last")
    for line in (found[2], found[4]):
        assert line.problem == "longer than 1,000,000 bytes (3,000,007)"
        assert line.text == "y" * EXCERPT


def _peak(path: Path) -> int:
    tracemalloc.start()
    with open_lines(path) as lines:
        for _ in lines:
            pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_memory_is_bounded_by_the_longest_line_that_is_kept(tmp_path: Path) -> None:
    one_line = written(tmp_path, b"z" * 40_000_000, "one")
    packed = written(tmp_path, gzip.compress(b"z" * 40_000_000, 1), "packed")
    short = written(tmp_path, b"a short line\n" * 40_000, "short")
    assert _peak(one_line) < 8_000_000
    assert _peak(packed) < 8_000_000
    assert _peak(short) < 8_000_000


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_a_truncated_file_gives_its_lines_and_then_says_so(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    chance = random.Random(7)
    expected = [f"line {number} {chance.random()}" for number in range(60_000)]
    whole = pack("\n".join(expected).encode())
    path = written(tmp_path, whole[: len(whole) * 3 // 4])
    seen: list[str] = []
    with pytest.raises(UnreadableFile) as caught, open_lines(path) as lines:
        seen.extend(line.text for line in lines)
    assert seen == expected[: len(seen)]
    assert len(seen) > 10_000
    assert caught.value.line == len(seen)
    assert str(caught.value).startswith(f"{path}:{len(seen)}: ends in the middle of its compressed data")
    assert str(caught.value).endswith("; fetch the file again")


def test_a_damaged_file_says_so(tmp_path: Path) -> None:
    whole = bytearray(gzip.compress(os.urandom(2_000).hex().encode()))
    whole[-6] ^= 255  # in the checksum
    with pytest.raises(UnreadableFile, match="or is damaged"):
        read(written(tmp_path, bytes(whole)))
    with pytest.raises(UnreadableFile, match="ends in the middle"):
        read(written(tmp_path, b"\x1f\x8b"))


def _sqlite(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (a)")
    connection.commit()
    connection.close()


def _zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("kb.tsv", "a")


def _tar(path: Path) -> None:
    with tarfile.open(path, "w:gz") as archive:
        archive.add(__file__, "kb.tsv")


def _parquet(path: Path) -> None:
    path.write_bytes(b"PAR1\x15\x04\x15\x10PAR1")


def _utf16(path: Path) -> None:
    path.write_text("a\tb\n", encoding="utf-16")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (_sqlite, "is an SQLite database, not text; unpack or export it as text first"),
        (_zip, "is a zip archive, not text; unpack or export it as text first"),
        (_tar, "is a tar archive, not text; unpack or export it as text first"),
        (_parquet, "is a Parquet file, not text; unpack or export it as text first"),
        (_utf16, "is UTF-16; convert it: iconv -f UTF-16 -t UTF-8"),
        (Path.mkdir, "is a folder; name the file in it"),
        (os.mkfifo, "is not a regular file; save its content to a file and load that"),
        (lambda path: None, "no such file; check the path"),
        (lambda path: path.symlink_to("itself"), "no such file; check the path"),
        (lambda path: path.symlink_to(path), "cannot be opened (Too many levels of symbolic links); check the path"),
    ],
)
def test_what_is_no_text_is_one_clear_line(tmp_path: Path, make: Callable[[Path], object], message: str) -> None:
    path = tmp_path / "kb"
    make(path)
    with pytest.raises(UnreadableFile) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}: {message}")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = written(tmp_path, b"a")
    path.chmod(0)
    with pytest.raises(UnreadableFile, match=r"cannot be opened \(Permission denied\); check the path"):
        read(path)


def test_an_error_of_the_reader_of_lines_stays_its_own(tmp_path: Path) -> None:
    path = written(tmp_path, b"a\n")
    with pytest.raises(FileNotFoundError), open_lines(path) as lines:
        (tmp_path / str(next(lines).number)).read_text()


@pytest.mark.parametrize("pack", PACKED.values(), ids=PACKED)
def test_the_position_grows_to_the_size_on_disk(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    path = written(tmp_path, pack(b"".join(b"%d\n" % number for number in range(300_000))))
    with open_lines(path) as lines:
        assert (lines.name, lines.size, lines.path) == ("kb.txt", path.stat().st_size, path)
        positions = [lines.position for line in lines if line.number % 10_000 == 0]
        assert lines.position == lines.size
    assert positions == sorted(positions)
    assert positions[0] < lines.size


def test_a_line_can_be_put_back(tmp_path: Path) -> None:
    with open_lines(written(tmp_path, b"header\na\n")) as lines:
        each = iter(lines)
        first = next(lines)
        lines.put_back(first)
        assert [line.text for line in each] == ["header", "a"]


def _reference(content: bytes, longest: int, excerpt: int) -> list[tuple[str, bool]]:
    """Text and problem of every line, the plain way: the whole file at once, line by line."""
    rows = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    found: list[tuple[str, bool]] = []
    for row in rows if rows[-1] else rows[:-1]:
        bare = row[:-1] if row.endswith(b"\r") else row
        try:
            text = bare.decode()
        except UnicodeDecodeError:
            text = "\x00"
        bad = len(row) > longest or "\x00" in text
        found.append(("" if bad else text, bad))
    return found


PIECES = st.sampled_from(
    [b"\n", b"\r\n", b"\r", b"\x00", b"\xff", b"\xc3", "é".encode(), "\x85".encode(), b"ab", b"x" * 9]
)


@settings(max_examples=400)
@given(st.lists(PIECES, max_size=40), st.integers(5, 40), st.sampled_from(sorted(PACKED)))
def test_lines_are_those_of_the_plain_way(pieces: list[bytes], block: int, pack: str) -> None:
    content = b"".join(pieces)
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(module, "BLOCK", block)
        patch.setattr(module, "MAX_LINE", 20)
        patch.setattr(module, "EXCERPT", 4)
        found = read(written(Path(folder), PACKED[pack](content)))
        assert [line.number for line in found] == list(range(1, len(found) + 1))
        assert [("" if line.problem else line.text, bool(line.problem)) for line in found] == _reference(content, 20, 4)


def test_the_digest_is_that_of_the_file_on_disk(tmp_path: Path) -> None:
    content = gzip.compress(os.urandom(3_000_000))
    told: list[int] = []
    assert sha256(written(tmp_path, content), told.append) == hashlib.sha256(content).hexdigest()
    assert told[-1] == len(content)
    assert told == sorted(told)
    assert len(told) > 1
    with pytest.raises(UnreadableFile, match="no such file"):
        sha256(tmp_path / "missing")
    with pytest.raises(UnreadableFile, match="is a folder"):
        sha256(tmp_path)
