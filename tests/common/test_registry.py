"""A family finds its members by itself and tells a wrong name from a right one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from harmgraph.common.errors import DuplicateMember, UnknownMember
from harmgraph.common.registry import Registry


@dataclass(frozen=True, slots=True)
class Member:
    name: str


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "kinds"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    for name in [name for name in sys.modules if name.split(".")[0] == "kinds"]:
        del sys.modules[name]


def member(package: Path, module: str, name: str) -> None:
    text = f"from types import SimpleNamespace\nKIND = SimpleNamespace(name={name!r})\n"
    (package / f"{module}.py").write_text(text)


def test_a_new_file_is_a_member_without_any_edit(package: Path) -> None:
    member(package, "second", "b")
    member(package, "first", "a")
    family: Registry[Member] = Registry("kind", "kinds", "KIND")
    assert family.names() == ("a", "b")
    assert family.get("b").name == "b"
    assert [one.name for one in family] == ["a", "b"]


def test_nothing_is_imported_before_a_member_is_asked_for(package: Path) -> None:
    member(package, "only", "a")
    family: Registry[Member] = Registry("kind", "kinds", "KIND")
    assert "kinds.only" not in sys.modules
    family.names()
    assert "kinds.only" in sys.modules


def test_a_module_with_an_underscore_is_no_member(package: Path) -> None:
    (package / "_shared.py").write_text("")
    member(package, "only", "a")
    assert Registry[Member]("kind", "kinds", "KIND").names() == ("a",)


def test_two_members_of_one_name_are_refused(package: Path) -> None:
    member(package, "first", "same")
    member(package, "second", "same")
    with pytest.raises(DuplicateMember, match="family kind are named 'same'"):
        Registry[Member]("kind", "kinds", "KIND").names()


def test_every_question_after_a_failed_discovery_fails_alike(package: Path) -> None:
    member(package, "first", "same")
    member(package, "second", "same")
    member(package, "third", "other")
    family: Registry[Member] = Registry("kind", "kinds", "KIND")
    for _ in range(2):
        with pytest.raises(DuplicateMember):
            family.get("other")


def test_an_unknown_name_lists_the_known_ones(package: Path) -> None:
    member(package, "only", "vader")
    with pytest.raises(UnknownMember, match="no kind named 'vaader'; did you mean vader"):
        Registry[Member]("kind", "kinds", "KIND").get("vaader")


def test_a_module_without_the_attribute_is_an_error(package: Path) -> None:
    (package / "empty.py").write_text("")
    with pytest.raises(AttributeError, match="KIND"):
        Registry[Member]("kind", "kinds", "KIND").names()


def test_a_member_of_a_notebook_can_be_added_once(package: Path) -> None:
    family: Registry[Member] = Registry("kind", "kinds", "KIND")
    family.add(Member("mine"))
    assert family.get("mine") == Member("mine")
    with pytest.raises(DuplicateMember):
        family.add(Member("mine"))
