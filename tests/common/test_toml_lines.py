"""The line of each key and list item of a TOML file."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harmgraph.common.toml_lines import TomlLines

FILE = '''# a job
name = "x" # = [
fail_if = [
    "a > 1",  # ]
    "b > 2", "c > 3",

    "[d] > 4"
]
text = """
step = ""\\"1"""" # two quotes within
raw = \'\'\'
[[step]]\'\'\'

[[step]]
run = "one"
options = { a = 1, "b.c" = [
  2, # two
  { d = 3 },
], e.f = {} }
[step.more]
at = 1979-05-27 07:32:00
[[step]]
run = [ ["x"],
  ["y"] ]
[[ step . "in ner" ]]
"k" . l = 1
[other]
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("name",), 2),
        (("fail_if",), 3),
        (("fail_if", 0), 4),
        (("fail_if", 1), 5),
        (("fail_if", 2), 5),
        (("fail_if", 3), 7),
        (("fail_if", 4), 3),
        (("text",), 9),
        (("raw",), 11),
        (("step",), 14),
        (("step", 0), 14),
        (("step", 0, "run"), 15),
        (("step", 0, "options", "a"), 16),
        (("step", 0, "options", "b.c", 0), 17),
        (("step", 0, "options", "b.c", 1, "d"), 18),
        (("step", 0, "options", "e", "f"), 19),
        (("step", 0, "options", "none"), 16),
        (("step", 0, "more"), 20),
        (("step", 0, "more", "at"), 21),
        (("step", 0, "none"), 14),
        (("step", 1), 22),
        (("step", 1, "run", 0, 0), 23),
        (("step", 1, "run", 1, 0), 24),
        (("step", 1, "in ner", 0), 25),
        (("step", 1, "in ner", 0, "k", "l"), 26),
        (("step", 2), 14),
        (("other",), 27),
        (("none",), 0),
        ((), 0),
    ],
)
def test_lines_by_path(path: tuple[str | int, ...], line: int) -> None:
    assert TomlLines(FILE).of(*path) == line


def paths(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """All paths of the values inside a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [each for key, inner in items for each in [(*path, key), *paths(inner, (*path, key))]]


def test_every_value_of_the_example_has_a_line() -> None:
    assert set(paths(tomllib.loads(FILE))) == {
        path for path in paths(tomllib.loads(FILE)) if TomlLines(FILE)._found.get(path)
    }


VALUES = st.recursive(
    st.sampled_from(['"]"', "'#'", '"""a\n["""', "'''\n'''", "1", "true", "1979-05-27 07:32:00"]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: "[\n" + "".join(f" {item}, # [,\n" for item in items) + "]"),
        st.lists(inner, max_size=3).map(
            lambda items: "{ " + ", ".join(f"k{number} = {item}" for number, item in enumerate(items)) + " }"
        ),
    ),
    max_leaves=8,
)


@given(st.lists(st.tuples(st.sampled_from(["", "[[t]]\n", "[[t.u]]\n", "# [x]\n"]), VALUES), max_size=5))
def test_a_mark_is_found_whatever_comes_before_it(parts: list[tuple[str, str]]) -> None:
    text = "".join(f"{head}v{number} = {value}\n" for number, (head, value) in enumerate(parts))
    text = f"[[t]]\n{text}[[t.u]]\nmark = [\n1,\n2]\n"
    last = tomllib.loads(text)["t"]
    lines = TomlLines(text)
    where = ("t", len(last) - 1, "u", len(last[-1]["u"]) - 1, "mark")
    assert lines.of(*where) == text.count("\n") - 2
    assert lines.of(*where, 1) == text.count("\n")
