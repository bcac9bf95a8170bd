"""Every importer goes through the same cases; one without an example line, metadata or a test file of its own fails."""

from __future__ import annotations

import bz2
import gzip
import tracemalloc
from dataclasses import fields
from pathlib import Path
from types import NoneType
from typing import Any

import pytest

from harmgraph.common.errors import BadName, UnreadableFile
from harmgraph.graph.records import Record, Rejection, Skip, Statement, Target, Triple
from harmgraph.loader import importers as package
from harmgraph.loader.corrections.form import Corrections, Finding, NotHandedBack, StatementPlace, keys_of, parts
from harmgraph.loader.formats.importer import About, Importer, importers
from tests.support.places import ROOT
from tests.support.reading import outcomes

GIVES: dict[str, type] = {"triples": Triple, "statements": Statement, "targets": Target}


def written(folder: Path, *lines: str, name: str = "kb.txt") -> Path:
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="")
    return path


def facts(found: list[Record]) -> list[tuple[Any, ...]]:
    """Everything but the line number."""
    return [tuple(getattr(one, field.name) for field in fields(one) if field.name != "line") for one in found]


@pytest.fixture
def importer(name: str) -> Importer:
    return importers.get(name)


@pytest.mark.parametrize("name", importers.names())
class TestImporter:
    def test_it_has_a_module_and_a_test_file_of_its_name(self, importer: Importer, name: str) -> None:
        assert importer.name == name
        assert type(importer).__module__ == f"{package.__name__}.{name.replace('-', '_')}"
        assert (ROOT / "tests" / "loader" / "importers" / f"test_{name.replace('-', '_')}.py").is_file()

    def test_metadata(self, importer: Importer) -> None:
        for field in fields(About):
            value = getattr(importer.about, field.name)
            assert value == value.strip() != "", field.name
        assert importer.about.home.startswith("https://")
        assert importer.revision
        assert type(importer).__doc__
        assert importer.gives in GIVES

    def test_options(self, importer: Importer) -> None:
        names = [option.name for option in importer.options]
        assert len(set(names)) == len(names)
        for option in importer.options:
            assert option.name.isidentifier()
            assert option.help == option.help.strip() != ""
            assert type(option.default) in (
                str,
                int,
                float,
                bool,
                NoneType,
            )  # None: a flag that is neither given nor denied
            assert not option.choices or option.default in option.choices
        assert importer.chosen({}) == {option.name: option.default for option in importer.options}

    def test_an_unknown_option(self, importer: Importer, tmp_path: Path) -> None:
        with pytest.raises(BadName, match=f"is not one of the importer {importer.name}"):
            next(importer.records(written(tmp_path, importer.example), nonsense=1))

    def test_a_missing_file(self, importer: Importer, tmp_path: Path) -> None:
        with pytest.raises(UnreadableFile, match="no such file"):
            next(importer.records(tmp_path / "missing"))

    def test_it_says_how_its_maintainers_take_corrections(self, importer: Importer) -> None:
        """Itself, not by the base class, and in a form that can be compared: a file is recognised by trying all forms."""
        form = vars(type(importer))["corrections"]
        assert isinstance(form, Corrections)
        assert form == type(form)()
        assert form.name
        assert form.taken
        assert form.ignored("")
        assert form.keys("nonsense") == ()
        assert all(form.ignored(line) for line in form.opening(["a remark\nof two lines"]))

    def test_it_shows_an_example(self, importer: Importer) -> None:
        assert importer.example, "an importer shows one line of its format, or the name of its file"
        assert "\n" not in importer.example


@pytest.mark.parametrize("name", [name for name in importers.names() if importers.get(name).reads == "lines"])
class TestImporterOfLines:
    def test_the_example_is_a_line_of_the_format(self, importer: Importer, tmp_path: Path) -> None:
        (record,) = outcomes(importer.name, written(tmp_path, importer.example))
        assert type(record) is GIVES[importer.gives], record

    def test_records_have_slots_and_carry_only_declared_properties(self, importer: Importer, tmp_path: Path) -> None:
        (record,) = outcomes(importer.name, written(tmp_path, importer.example))
        assert not hasattr(record, "__dict__")
        properties = getattr(record, "properties", {})
        assert set(properties) <= set(importer.properties)
        assert all(isinstance(value, str | int | float | bool) for value in properties.values())

    def test_its_example_as_a_correction_leaves_it_out(self, importer: Importer, tmp_path: Path) -> None:
        (record,) = outcomes(importer.name, written(tmp_path, importer.example))
        if not isinstance(record, Triple | Statement):
            return  # a list of targets makes no statement
        form = importer.corrections
        statement = parts(record)
        finding = (
            Finding("said", *statement[:3], record.relation, record.assertion)
            if isinstance(record, Triple)
            else Finding("said", key=record.key("kb"))
        )
        places = [StatementPlace("kb.txt", record.line, *statement, importer.example)] if form.needs_places else []
        lines = form.lines(finding, places)
        assert lines
        text = form.remarked(lines, ["a remark", "*/ another # one"])
        keys = [key for line in text if not form.ignored(line) for key in form.keys(line)]
        assert sum(bool(form.keys(line)) for line in text) == len(lines)
        kinds = frozenset(key[0] for key in keys)
        for apart in (False, True):
            assert set(keys) & set(keys_of(record, kinds, "kb.txt", apart=apart))

    def test_what_a_form_cannot_say_it_refuses(self, importer: Importer) -> None:
        with pytest.raises(NotHandedBack):
            importer.corrections.lines(Finding("said"), [])

    def test_an_empty_file(self, importer: Importer, tmp_path: Path) -> None:
        assert outcomes(importer.name, written(tmp_path)) == []

    def test_blank_lines_are_left_out_and_counted(self, importer: Importer, tmp_path: Path) -> None:
        found = outcomes(importer.name, written(tmp_path, "", importer.example, "   ", "\t\t", importer.example, ""))
        blank = [number for number, record in enumerate(found, 1) if record == Skip(number, "empty line")]
        assert blank == [1, 3, 4, 6]
        assert type(found[1]) is type(found[4]) is GIVES[importer.gives]

    def test_a_line_of_another_format_is_rejected(self, importer: Importer, tmp_path: Path) -> None:
        found = outcomes(importer.name, written(tmp_path, importer.example, "nonsense"))
        assert isinstance(found[1], Rejection)
        assert (found[1].file, found[1].line, found[1].text) == ("kb.txt", 2, "nonsense")
        assert found[1].reason

    def test_line_numbers_go_on_behind_what_cannot_be_read(self, importer: Importer, tmp_path: Path) -> None:
        path = tmp_path / "kb.txt"
        example = importer.example.encode()
        path.write_bytes(b"\n".join([example, b"\xff\xff", b"a\x00b", b"x" * 1_000_001, b"", example]))
        kinds = [type(record) for record in outcomes(importer.name, path)]
        kind = GIVES[importer.gives]
        assert kinds == [kind, Rejection, Rejection, Rejection, Skip, kind]

    def test_a_rejected_text_is_short(self, importer: Importer, tmp_path: Path) -> None:
        found = outcomes(importer.name, written(tmp_path, importer.example, "n" * 900_000))[1]
        assert isinstance(found, Rejection)
        assert found.text == "n" * 200
        assert len(found.reason) < 300

    @pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
    def test_a_compressed_file_is_the_same(self, importer: Importer, tmp_path: Path, pack: Any) -> None:
        plain = written(tmp_path, *[importer.example] * 3, "nonsense")
        packed = tmp_path / "packed"
        packed.mkdir()
        (packed / "kb.txt").write_bytes(pack(plain.read_bytes()))
        assert outcomes(importer.name, packed / "kb.txt") == outcomes(importer.name, plain)

    def test_windows_line_ends_and_a_byte_order_mark_change_nothing(self, importer: Importer, tmp_path: Path) -> None:
        plain = outcomes(importer.name, written(tmp_path, importer.example, importer.example))
        path = tmp_path / "windows.txt"
        path.write_bytes(f"\ufeff{importer.example}\r\n{importer.example}\r\n".encode())
        assert outcomes(importer.name, path) == plain

    def test_the_same_line_gives_the_same_record(self, importer: Importer, tmp_path: Path) -> None:
        first, second = facts(outcomes(importer.name, written(tmp_path, importer.example, importer.example)))
        assert first == second

    def test_memory_does_not_grow_with_the_file(
        self, importer: Importer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("harmgraph.loader.formats.lines.BLOCK", 1 << 14)

        def peak(size: int) -> int:
            path = written(tmp_path, *[importer.example] * (size // len(importer.example)))
            tracemalloc.start()
            for _ in importer.records(path):
                pass
            most = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            return most

        peak(150_000)  # what is imported and cached on the first use
        assert peak(150_000) < 1.3 * peak(50_000)
