"""Files of the user's: text, lines, tables; what cannot be read is said with the file and the line."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from harmgraph.common.errors import UnreadableFile
from harmgraph.common.user_file import TableRow, csv_rows, list_rows, named_rows, read_lines, read_text, tab_rows


def file(folder: Path, data: bytes) -> Path:
    path = folder / "list"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("data", [b"a\n\nb\n", b"a\n\nb", b"a\r\n\r\nb\r\n", b"\xef\xbb\xbfa\n\nb\n"])
def test_lines(tmp_path: Path, data: bytes) -> None:
    for written in (data, gzip.compress(data)):
        assert read_lines(file(tmp_path, written)) == ["a", "", "b"]


def test_an_empty_file_has_no_lines(tmp_path: Path) -> None:
    assert read_lines(file(tmp_path, b"")) == []


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    assert read_lines(file(tmp_path, "a\u2028b\x0bc\rd\n".encode())) == ["a\u2028b\x0bc\rd"]


def test_what_is_not_utf_8(tmp_path: Path) -> None:
    path = file(tmp_path, "a\nb\né\n".encode("latin-1"))
    with pytest.raises(UnreadableFile, match="list:3: cannot be read: it is not UTF-8") as caught:
        read_text(path)
    assert caught.value.line == 3
    assert read_text(path, errors="replace") == "a\nb\n\ufffd\n"


def test_what_is_not_there_or_damaged(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing"):
        with pytest.raises(UnreadableFile, match=r"cannot be read .*; check the path"):
            read_lines(path)
    with pytest.raises(UnreadableFile, match="ends in the middle of its compressed data"):
        read_lines(file(tmp_path, gzip.compress(b"a\n" * 1_000)[:-20]))


def test_rows_have_the_numbers_of_their_lines(tmp_path: Path) -> None:
    assert list(tab_rows(file(tmp_path, b"a\tb\n\nc\n"))) == [TableRow(1, ("a", "b")), TableRow(3, ("c",))]
    assert list(list_rows(file(tmp_path, b'# x\na,"b, c"\n \n  # y\nd\n'))) == [
        TableRow(2, ("a", "b, c")),
        TableRow(5, ("d",)),
    ]
    assert list(csv_rows(file(tmp_path, b'# x\n"a\nb",c\n\nd\n'))) == [
        TableRow(1, ("# x",)),
        TableRow(2, ("a\nb", "c")),
        TableRow(5, ("d",)),
    ]


@pytest.mark.parametrize("text", ['a\n"b" c,d\n', 'a\n"b\nc\n', "a\nb\rc\n", "a\n" + "b" * 200_000])
def test_what_is_not_csv(tmp_path: Path, text: str) -> None:
    path = file(tmp_path, text.encode())
    for read in (csv_rows, list_rows):
        with pytest.raises(UnreadableFile, match=r"list:2: is not CSV .*; quote texts with commas"):
            list(read(path))


def test_rows_by_name(tmp_path: Path) -> None:
    path = file(tmp_path, b" Post ,x,x\na,1,2\n\nb,3,4\n")
    assert [(row.line, dict(row.cells)) for row in named_rows(path, ("post",), ("origin",))] == [
        (2, {"post": "a", "x": "2"}),
        (4, {"post": "b", "x": "4"}),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ":1: has no column post; name"),
        ("a,b\n", ":1: has no column post; name"),
        ("post,POST\n", ":1: has the column post twice; leave"),
        ("post,origin,origin\n", ":1: has the column origin twice"),
        ("post,b\na\n", ":2: has 1 columns where 2 are expected"),
    ],
)
def test_rows_without_a_name(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UnreadableFile, match=said):
        list(named_rows(file(tmp_path, text.encode()), ("post",), ("origin",)))
