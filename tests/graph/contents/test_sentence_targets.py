"""Targets found in the text of sentences: the forms that masking knows, the longer name first; links follow the lists."""

from __future__ import annotations

import pickle
import random
import re
from collections.abc import Iterable

import pytest

from harmgraph.common.plural import forms
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import linker
from harmgraph.graph.contents.sentence_targets import NOT_YET, SEARCHED, SentenceNames, TargetFinder
from harmgraph.graph.records import Import, Statement, Target
from harmgraph.graph.statements import parse
from harmgraph.graph.writing.writer import Writer

LINKS = parse(
    "links",
    "MATCH (s:Statement)-[l:ABOUT]->(t:Target) RETURN s.text AS text, t.name AS target, l.spans AS spans ORDER BY text, target",
)
SEED = 20211107


def finder(*targets: Target, lists: Iterable[str] = ("list",)) -> TargetFinder:
    return TargetFinder.of(
        {
            "target": one.name,
            "names": list(one.names),
            "language": one.language,
            "combines": bool(one.parts),
            "lists": list(lists),
        }
        for one in targets
    )


def found(text: str, by: TargetFinder) -> dict[str, list[str]]:
    spans = by.spans(text)
    return {name: [text[start:end] for start, end in zip(at[::2], at[1::2], strict=True)] for name, at in spans.items()}


NURSE, LADY = Target("nurse", "profession", aliases=("health visitor",)), Target("lady", "gender")
BLACK, WOMAN = Target("black", "origin"), Target("woman", "gender")
AMERICAN, AFRICAN = Target("american", "origin"), Target("african american", "origin")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The NURSE met two nurses.", {"nurse": ["NURSE", "nurses"]}),
        ("Health\nvisitors' ladies", {"nurse": ["Health\nvisitors"], "lady": ["ladies"]}),
        ("a health_visitor's day", {"nurse": ["health_visitor"]}),
        ("nursery, unnurse, nurse_1, ladyship", {}),
        ("(nurse)-lady", {"nurse": ["nurse"], "lady": ["lady"]}),
        ("health, visitor", {}),
        ("", {}),
        ("İ nurse", {"nurse": ["nurse"]}),  # whose lower case is longer
    ],
)
def test_whole_words_in_any_form(text: str, names: dict[str, list[str]]) -> None:
    assert found(text, finder(NURSE, LADY)) == names


def test_the_longer_name_counts_unless_it_combines_others() -> None:
    both = finder(AMERICAN, AFRICAN)
    assert found("African Americans and an American", both) == {
        "african american": ["African Americans"],
        "american": ["American"],
    }
    chained = finder(
        AMERICAN, AFRICAN, Target("american nurse", "both"), Target("american nurse in an american house", "x")
    )
    assert found("african american nurse", chained) == {
        "african american": ["african american"],
        "american nurse": ["american nurse"],
    }
    combined = finder(BLACK, WOMAN, Target("black woman", "both", parts=("black", "woman")))
    assert found("two black women", combined) == {
        "black": ["black"],
        "black woman": ["black women"],
        "woman": ["women"],
    }


def test_a_text_of_very_many_names() -> None:
    """It takes as long as its words, not as their square."""
    both = finder(AMERICAN, AFRICAN)
    spans = both.spans("american african americans. " * 30_000)
    assert {name: len(at) for name, at in spans.items()} == {"american": 60_000, "african american": 60_000}


def test_a_list_says_nothing_about_another_lists_names() -> None:
    both = finder(AMERICAN)
    other = finder(AFRICAN, lists=("other",))
    both.lists |= other.lists
    both.names["en"].add("african american", "african american")
    assert set(found("an african american", both)) == {"american", "african american"}


def test_the_longer_name_counts_in_any_text() -> None:
    """As by comparing every name with every other."""
    chance = random.Random(SEED)
    names = {" ".join(chance.choices("abc", k=chance.randint(1, 4))) for _ in range(30)}
    every = finder(*(Target(name, "made") for name in names))
    for _ in range(500):
        text = " ".join(chance.choices("abcd", k=12))
        mentions = every.names["en"].mentions(text)
        whole = {
            (one.start, one.end)
            for one in mentions
            if not any(
                o.start <= one.start and one.end <= o.end and o.end - o.start > one.end - one.start for o in mentions
            )
        }
        spans = every.spans(text).values()
        assert {pair for at in spans for pair in zip(at[::2], at[1::2], strict=True)} == whole, text


def test_it_finds_what_masking_masks() -> None:
    chance = random.Random(SEED)
    words = ["man", "lady", "stay-at-home mom", "old man", "c++ coder", "boss", "child", "x", "é", "policeman"]
    names = SentenceNames()
    for word in words:
        names.add(word, word)
    pieces = [form for word in words for form in forms(word)] + [" ", " ", "_", "-", "'s", ".", "A", "mom", "\n", "OLD"]
    for _ in range(3_000):
        text = "".join(chance.choice(pieces) for _ in range(8))
        for word in words:
            longest = sorted(forms(word), key=len, reverse=True)
            pattern = "|".join(r"[\s_]+".join(map(re.escape, form.split(" "))) for form in longest)
            known = re.findall(rf"(?<!\w)(?:{pattern})(?!\w)", text, re.IGNORECASE)
            assert [text[one.start : one.end] for one in names.mentions(text) if one.target == word] == known, text


def test_it_travels() -> None:
    assert pickle.loads(pickle.dumps(finder(NURSE))).spans("a nurse") == {"nurse": [2, 7]}


def write(graph: Graph, name: str, *records: Statement | Target) -> None:
    with Writer(graph, Import(name, "1")) as writer:
        for record in records:
            writer.add(record)
        writer.flush()


def sentence(text: str, **properties: str) -> Statement:
    return Statement(text, properties={SEARCHED: NOT_YET, **properties})


def linked(graph: Graph) -> list[tuple[str, str, list[int] | None]]:
    return [(row["text"], row["target"], row["spans"]) for row in graph.rows(LINKS)]


def test_links_follow_the_lists(graph: Graph) -> None:
    write(
        graph,
        "said",
        sentence("African Americans met a nurse."),
        sentence("Eine nurse", language="de"),
        Statement("A nurse is annotated.", "american"),
    )
    write(graph, "list", AMERICAN, NURSE)
    annotated = ("A nurse is annotated.", "american", None)
    assert linker.link(graph).about == 3
    text = "African Americans met a nurse."
    assert linked(graph) == [annotated, (text, "american", [8, 17]), (text, "nurse", [24, 29])]
    assert linker.link(graph).about == 3  # nothing is searched again
    write(graph, "list", AFRICAN)
    assert linker.link(graph).about == 3
    assert linked(graph) == [annotated, (text, "african american", [0, 17]), (text, "nurse", [24, 29])]
