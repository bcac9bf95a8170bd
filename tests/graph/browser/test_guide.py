"""The guide: built from the graph as it is, and safe whatever names it holds."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from harmgraph.graph.browser.guide import Findings, findings, guide, guides
from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import parse
from tests.support import browser_sample

HOSTILE = "</pre></slide><script>alert(1)</script>\"' \\u0022}) DETACH DELETE t //`${x} $target &amp;"


class Reader(HTMLParser):
    """Collects tags, the text, and the text of each runnable block."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.blocks: list[str] = []
        self.text = ""
        self._inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "pre" and "runnable" in (dict(attrs)["class"] or ""):
            self._inside = True
            self.blocks.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "pre"

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._inside:
            self.blocks[-1] += data


@pytest.fixture
def sample(graph: Graph) -> Graph:
    browser_sample.load(graph)
    return graph


def test_it_tells_what_the_graph_holds(sample: Graph) -> None:
    found = findings(sample)
    assert found.worst is not None
    assert (found.worst["target"], found.worst["negative"], found.worst["n"]) == ("lawyer", 4, 7)
    assert found.favoured == "teacher"
    assert found.pairs == len(browser_sample.TRIPLES) + len(browser_sample.SENTENCES)
    assert (found.targets, found.sources) == (4, ("sentences", "triples"))
    text = " ".join(Reader(guide(found)).text.split())
    assert "Here it is lawyer (profession): 4 of 7 statements are negative, 57.1 %, at least 25.0 %" in text
    assert "A warning." in text


def test_six_slides_and_every_block_shows_something(sample: Graph) -> None:
    page = Reader(guide(findings(sample)))
    assert page.tags.count("slide") == 6
    assert len(page.blocks) == 9
    for block in page.blocks:
        assert sample.raw_rows(parse("block", "// Block\n" + block)), block


def test_a_source_is_chosen_and_the_guide_is_of_it(sample: Graph) -> None:
    pages = guides(findings(sample))
    assert sorted(pages) == ["guide-1.html", "guide-2.html", "guide.html"], "sentences, triples, and both together"
    assert 'exec-topic="guide {origin}/guide-1.html"' in pages["guide.html"]
    assert pages["guide.html"].count("exec-topic") == 2, "the one that is open is not a link"
    said = " ".join(Reader(pages["guide-1.html"]).text.split())
    assert "4 pairs of a statement and a group that it is about, of 3 groups, from sentences" in said
    assert "Here it is landlord (profession): 1 of 1 statements are negative" in said
    blocks = Reader(pages["guide-1.html"]).blocks
    for block in blocks[:5]:
        rows = sample.raw_rows(parse("block", "// Block\n" + block))
        assert rows, block
        assert "IS_A" not in str(rows), "no triple, only sentences"
    assert "exec-topic" not in guide(findings(sample)), "a file for by hand has nothing to choose from"


def test_what_is_shown_is_what_one_would_write(sample: Graph) -> None:
    for page in guides(findings(sample)).values():
        assert "$" not in page
        for block in Reader(page).blocks:
            assert "coalesce(null" not in block
            assert "sentiment_score" in block or "score" not in block
            assert '["sentiment"' not in block
            assert "[$" not in block


def test_a_hostile_name_is_text(sample: Graph) -> None:
    rows = [[HOSTILE, HOSTILE, "a<b", [HOSTILE]]]
    sample.write("load/targets", source="targets", import_id="hostile", rows=rows)
    facts = {"sentiment": "negative", "sentiment_score": -1.0, "sentence": "x", "sentiment_by": "by hand"}
    said = [[str(number), "x", HOSTILE, facts] for number in range(20)]
    sample.write("load/statements", source="<i>", import_id="hostile", rows=said)
    sample.autocommit("link/statements")
    before = sample.rows("schema/counts")
    found = findings(sample)
    assert found.target == HOSTILE
    page = Reader(guide(found))
    assert set(page.tags) <= {
        "title",
        "carousel",
        "slide",
        "div",
        "h3",
        "p",
        "b",
        "i",
        "code",
        "pre",
        "span",
        "br",
        "a",
    }
    assert page.tags.count("slide") == 6
    assert f"Here it is {HOSTILE} (a<b)" in page.text
    results = [sample.raw_rows(parse("block", "// Block\n" + block)) for block in page.blocks]
    assert len(results[2]) == 20, "the statements of the target"
    assert len(results[3]) == 20, "its sentences"
    assert sample.rows("schema/counts") == before


def test_an_empty_graph_has_a_guide_too(graph: Graph) -> None:
    found = findings(graph)
    assert found == Findings(None, "", 0, 0, ())
    page = Reader(guide(found))
    assert "Nothing is labelled yet." in page.text
    for block in page.blocks:
        assert graph.rows(parse("block", "// Block\n" + block)) == []
