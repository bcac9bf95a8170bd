"""Stories: a statement a sentence and one for the whole, about the target of the prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from harmgraph.common.errors import BadName
from harmgraph.graph.records import Rejection, Skip, Statement
from harmgraph.loader.formats.importer import importers
from tests.support.reading import counts, of_line

NAME = "stories"
LINE = "people are talking about The_Hairdresser.||| it is good. is n't it ? yes !"


def told(folder: Path, line: str, **options: str) -> list[tuple[str, str, str]]:
    path = folder / "stories.txt"
    path.write_text(line + "\n")
    found = importers.get(NAME).records(path, **options)
    return [(one.text, one.term, str(one.properties["part"])) for one in found if isinstance(one, Statement)]


def test_a_line_gives_its_sentences_and_the_whole(tmp_path: Path) -> None:
    whole = ("it is good. is n't it ? yes !", "hairdresser", "story")
    parts = [(text, "hairdresser", "sentence") for text in ("it is good.", "is n't it ?", "yes !")]
    assert told(tmp_path, LINE) == [*parts, whole]
    assert told(tmp_path, LINE, parts="stories") == [whole]
    assert told(tmp_path, LINE, parts="sentences") == parts


def test_the_longest_name_is_the_target(tmp_path: Path) -> None:
    assert told(tmp_path, "african american men met.|||Yes.")[0][1] == "african american"
    assert told(tmp_path, "an africanist met a judge.|||Yes.")[0][1] == "judge"


def test_a_list_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("name,category\nmartian,origin\n")
    assert told(tmp_path, "a Martian met a judge.|||Yes.", targets=str(tmp_path / "list.csv"))[0][1] == "martian"


def test_a_prompt_without_a_target_is_left_out_and_counted(tmp_path: Path) -> None:
    assert of_line(NAME, tmp_path, "nobody is here.|||Yes.") == Skip(1, "no target in the prompt")


@pytest.mark.parametrize("line", ["a judge.", "a judge.|||", "|||Yes. judge"])
def test_what_cannot_be_read(tmp_path: Path, line: str) -> None:
    found = of_line(NAME, tmp_path, line)
    assert isinstance(found, Rejection | Skip)


def test_an_unknown_part(tmp_path: Path) -> None:
    with pytest.raises(BadName, match="is not one of both, sentences, stories"):
        told(tmp_path, LINE, parts="words")


def test_every_real_line_is_read(data: Path) -> None:
    found = counts(NAME, data / "stories" / "csg_stories.txt", parts="stories")
    assert found["record"] + found["no target in the prompt"] == 3_258
    assert found["record"] > 3_000


def test_a_language(tmp_path: Path) -> None:
    found = list(importers.get("stories").records(written(tmp_path), parts="stories", language="de"))
    assert [record.properties["language"] for record in found] == ["de"]


def written(folder: Path) -> Path:
    path = folder / "stories.txt"
    path.write_text("der british mann.|||Er geht.\n", encoding="utf-8")
    return path
