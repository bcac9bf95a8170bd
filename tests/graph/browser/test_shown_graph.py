"""The neighbourhood of a target in a notebook: the colours of Neo4j Browser, and texts that can do nothing."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import harmgraph as hg
from harmgraph.graph.browser.style import NODES, RELATIONSHIPS
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Concept, Target, Triple, normalise
from harmgraph.knowledge_base import KnowledgeBase
from tests.support import counted_sample
from tests.support.chromium import CHROMIUM
from tests.support.filling import fill
from tests.support.hostile import ESCAPES, SCRIPT, STYLE, UNSAFE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

EVIL = normalise(f"awful {SCRIPT}{STYLE}{ESCAPES}</iframe>\" srcdoc='<script>window.hacked=1</script>")


def hexadecimal(colour: Any) -> str:
    return str(colour.as_hex(format="long"))


@pytest.fixture
def kb(graph: Graph) -> KnowledgeBase:
    counted_sample.sample(graph)
    return KnowledgeBase(graph, progress=False)


def test_it_shows_what_is_said_about_a_target(kb: KnowledgeBase) -> None:
    picture = kb.show("Lawyer ", source="kb")
    assert (picture.target, picture.statements) == ("lawyer", 5)
    captions = {node.caption for node in picture.graph.nodes}
    assert captions == {"lawyer", "kind person", "dishonest man", "court", "judge", "devil"}
    assert len(picture.graph.relationships) == 6
    assert kb.show("lawyer").statements == 6
    assert kb.show("lawyer", limit=2).statements == 2


def test_a_statement_between_two_names_of_a_target_counts_once(kb: KnowledgeBase) -> None:
    assert kb.show("hairstylist", source="kb").statements == 3


def test_the_colours_are_those_of_neo4j_browser(kb: KnowledgeBase) -> None:
    picture = kb.show("lawyer")
    colours = {rule.label: rule.colour.lower() for rule in NODES}
    types = {rule.type: rule.colour.lower() for rule in RELATIONSHIPS}
    for node in picture.graph.nodes:
        label = node.properties["labels"].split(", ")[0]
        assert hexadecimal(node.color) == colours[label]
    assert {node.properties["labels"] for node in picture.graph.nodes} == {"Target", "Concept", "Statement"}
    for one in picture.graph.relationships:
        assert hexadecimal(one.color) == types.get(str(one.caption), types[""])


def test_only_one_label(kb: KnowledgeBase) -> None:
    negative = kb.show("lawyer", label="negative", source="kb")
    assert {one.properties.get("sentiment") for one in negative.graph.relationships} == {"negative", None}
    assert negative.statements < kb.show("lawyer", source="kb").statements


@pytest.mark.parametrize(
    ("target", "given", "said"),
    [
        ("lawer", {}, "lawyer"),
        ("lawyer", {"source": "kn"}, "kb"),
        ("lawyer", {"label": "negative", "measure": "sentimnt"}, "sentiment"),
        ("nobody", {}, "no such statement"),
        ("lawyer", {"measure": "sentimnt"}, "sentiment"),
        ("lawyer", {"limit": 0}, "1 or more"),
        ("lawyer", {"limit": -1}, "1 or more"),
    ],
)
def test_what_is_not_there_is_one_line(kb: KnowledgeBase, target: str, given: dict[str, Any], said: str) -> None:
    with pytest.raises(hg.InputError, match=said):
        kb.show(target, **given)


def test_without_the_extra_it_says_what_to_install(kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "neo4j_viz", None)
    with pytest.raises(hg.MissingExtra, match=r"\[viz\]"):
        kb.show("lawyer")


def test_it_asks_nobody_and_holds_its_texts_as_data(kb: KnowledgeBase, tmp_path: Path) -> None:
    fill(kb.graph, Target(EVIL, "x"), Triple(Concept(EVIL), "IsA", Concept("y")), source="evil")
    picture = kb.show(EVIL)
    shown = picture._repr_html_()
    assert 'sandbox="allow-scripts"' in shown
    assert "stereotypes" in shown
    outside = re.sub(r'srcdoc="[^"]*"', "", shown)
    assert "<script" not in outside
    assert shown.count("<iframe") == shown.count("</iframe>") == 1
    page = picture.save(tmp_path / "page.html").read_text(encoding="utf-8")
    assert SCRIPT not in page
    assert not UNSAFE & set(outside)
    assert not UNSAFE & set("".join(str(node.caption) for node in picture.graph.nodes))


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_a_browser_draws_it_and_no_text_runs(kb: KnowledgeBase, chromium: Browser, tmp_path: Path) -> None:
    fill(kb.graph, Target(EVIL, "x"), Triple(Concept(EVIL), "IsA", Concept("y")), source="evil")
    pictures = "".join(kb.show(target)._repr_html_() for target in (EVIL, "lawyer"))
    path = tmp_path / "notebook.html"
    path.write_text(f"<html><meta charset=utf-8><body>{pictures}</body></html>", encoding="utf-8")
    page = chromium.new_page()
    faults: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: asked.append(request.url) if request.url.startswith("http") else None)
    page.goto(path.as_uri())
    frames = page.frames[1:]
    assert len(frames) == 2
    for frame in frames:
        frame.wait_for_selector("canvas")
        assert frame.evaluate("window.hacked") is None
    assert page.evaluate("window.hacked") is None
    assert (faults, asked) == ([], [])
    page.close()
