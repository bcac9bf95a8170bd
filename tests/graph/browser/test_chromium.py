"""A real Chromium opens the address and sees a connected Neo4j Browser: guide, colours, captions, saved queries.

Its picture of the graph is the README's: with HARMGRAPH_RENEW=1 it is written to docs/images/browser.png.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from harmgraph.graph.browser.guide import GUIDE
from harmgraph.graph.browser.page_server import BrowserServer
from harmgraph.graph.browser.style import style
from harmgraph.graph.browser.workbench import (
    STYLE,
    Workbench,
    following,
    prefilled,
    served_to,
    served_with_browser,
    workbench,
)
from harmgraph.graph.connection import Graph
from harmgraph.graph.server.distribution import browser_jar
from harmgraph.graph.statements import parse
from tests.support import browser_sample
from tests.support.chromium import CHROMIUM, KEPT
from tests.support.places import DOCS
from tests.support.processes import wait_for

pytestmark = [
    pytest.mark.first,
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]

PICTURE = DOCS / "images" / "browser.png"
SLOW_MS = 60_000
GUIDE_BLOCK = "[data-testid=guidesDrawer] pre.runnable"

FIRST = re.compile(r"Map\sof\sharm")  # of the statement that the page begins with; the editor has spaces of its own


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 1440, "height": 760}, device_scale_factor=1.5)
    # Nothing outside this machine is asked: the pages must do without.
    context.route(lambda url: not url.startswith(("http://localhost:", "http://127.0.0.1:")), lambda way: way.abort())
    context.set_default_timeout(SLOW_MS)
    expect.set_options(timeout=SLOW_MS)
    yield context.new_page()
    context.close()


@pytest.fixture
def bench(graph: Graph) -> Workbench:
    browser_sample.load(graph)
    return workbench(graph)


@pytest.fixture
def server(graph: Graph, bench: Workbench) -> Iterator[BrowserServer]:
    with BrowserServer(served_with_browser(bench, graph.address, browser_jar())) as running:
        yield running


def run_block(page: Page, number: int = 0) -> None:
    """Clicks a block of the guide and, once the editor has its statement, the run button until the editor let it go."""
    block = page.locator(GUIDE_BLOCK).nth(number)
    statement = "".join(block.inner_text().split())
    first_line = page.get_by_test_id("activeEditor").locator(".view-line").first

    def in_editor() -> bool:
        begins = "".join(first_line.inner_text().split())
        return begins != "" and statement.startswith(begins)

    def run() -> bool:
        # A click on a button that is drawn anew at that moment is lost. One that was taken empties the editor.
        with suppress(PlaywrightTimeout):
            page.get_by_test_id("editor-Run").click(timeout=2_000)
        for _ in range(50):
            if not in_editor():
                return True
            page.wait_for_timeout(100)
        return False

    block.click()
    wait_for(in_editor)
    wait_for(run)


def run_instead(page: Page, statement: str) -> None:
    """Types a statement in the place of the one that the page begins with, and runs it."""
    editor = page.get_by_test_id("activeEditor")
    expect(editor).to_contain_text(FIRST)  # what it begins with may come late, and would be put before what is typed

    def emptied() -> bool:
        editor.click()
        page.keyboard.press("Control+a")
        page.keyboard.press("Delete")
        page.wait_for_timeout(200)
        return not FIRST.search(editor.inner_text())

    wait_for(emptied)  # it may know its keys later than its text
    page.keyboard.type(statement)
    page.keyboard.press("Control+Enter")


def drawn(page: Page) -> set[tuple[str, float, str]]:
    """Caption, radius and colour of each node drawn in the newest frame."""
    nodes = page.get_by_test_id("frame").first.locator("g.node")
    expect(nodes.first).to_be_visible()
    found = set()
    for node in nodes.all():
        circle = node.locator("circle.b-outline, circle.outline").first
        caption = " ".join(text.strip() for text in node.locator("text").all_text_contents())
        found.add((caption, float(circle.get_attribute("r") or 0), (circle.get_attribute("fill") or "").upper()))
    return found


def looks(caption: str, label: str) -> tuple[str, float, str]:
    rule = style()[f"node.{label}"]
    return caption, float(rule["diameter"].removesuffix("px")) / 2, rule["color"].upper()


def wait_until_kept(page: Page) -> None:
    """Waits for the password in the storage: Neo4j Browser takes it out until the server has said that it may be kept."""
    expect(page.get_by_test_id("frame").first).to_contain_text("credentials are stored in your web browser")
    page.wait_for_function(KEPT)


def test_the_address_lands_in_a_connected_browser(page: Page, server: BrowserServer, tmp_path: Path) -> None:
    page.goto(server.start_page)
    expect(page.locator(GUIDE_BLOCK).first).to_be_visible()
    assert server.token not in page.url
    expect(page.get_by_test_id("frame").filter(has_text="You are connected as user")).to_be_visible()
    expect(page.get_by_test_id("guidesDrawer")).to_contain_text("A warning.")

    run_block(page)
    nodes = drawn(page)
    for caption, label in (
        ("lawyer", "Target"),
        ("lawyer", "Concept"),
        ("unreliable", "Concept"),
        ("Lawyers are rude to witnesses.", "Statement"),
    ):
        assert looks(caption, label) in nodes
    assert "teacher" not in {caption for caption, _, _ in nodes}, "nothing negative is said of teachers"
    types = page.get_by_test_id("frame").first.locator("g.relationship text").all_text_contents()
    assert {"NAMES", "ABOUT", "IS_A"} <= set(types)
    take_picture(page, PICTURE if os.environ.get("HARMGRAPH_RENEW") == "1" else tmp_path / "browser.png")


def take_picture(page: Page, path: Path) -> None:
    page.get_by_label("Collapse the node properties display").first.click()
    page.wait_for_timeout(3000)  # the layout swings until its forces are at rest; nothing tells when
    page.get_by_label("zoom-to-fit").first.click()
    page.wait_for_timeout(1000)
    path.parent.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=path)
    assert path.stat().st_size > 20_000


def test_a_favourite_runs_at_a_click(page: Page, server: BrowserServer) -> None:
    page.goto(server.start_page)
    expect(page.locator(GUIDE_BLOCK).first).to_be_visible()
    page.get_by_test_id("navigationFavorites").click()
    for folder in ("harmgraph explore", "harmgraph statistics"):
        page.get_by_test_id(f"expandFolder-{folder}").click()
    expect(page.get_by_test_id("scriptTitle-How unequally targets fare: D_R, D_O+, D_O-")).to_be_visible()
    title = page.get_by_test_id("scriptTitle-The sentences behind a target's numbers")
    title.click()
    expect(page.get_by_test_id("activeEditor")).to_contain_text("The sentences behind")
    wait_until_kept(page)
    page.get_by_test_id("editor-Run").click()
    expect(page.get_by_test_id("frame").first).to_contain_text("this person is a dishonest person")


def test_every_slide_is_reached_and_its_blocks_run(page: Page, server: BrowserServer) -> None:
    page.goto(server.start_page)
    seen = 0
    for slide in range(1, 7):
        expect(page.get_by_test_id("guidesDrawer").locator("h3")).to_contain_text(f"{slide} ·")
        for number in range(page.locator(GUIDE_BLOCK).count()):
            run_block(page, number)
            seen += 1
            frames = page.get_by_test_id("frame")
            expect(frames).to_have_count(seen + 1)
            expect(frames.first.locator("g.node, table tbody tr").first).to_be_visible()
        if slide < 6:
            page.get_by_test_id("guideNextSlide").click()
    assert seen == 9


def test_a_source_is_chosen_in_the_guide(page: Page, server: BrowserServer) -> None:
    page.goto(server.start_page)
    drawer = page.get_by_test_id("guidesDrawer")
    expect(drawer).to_contain_text("from sentences and triples")
    drawer.get_by_text("sentences", exact=True).click()
    expect(drawer).to_contain_text("4 pairs of a statement and a group that it is about, of 3 groups, from sentences")
    run_block(page)
    assert {label for caption, *_ in drawn(page) for label in (caption,)} >= {
        "Lawyers are rude to witnesses.",
        "landlord",
    }
    drawer.get_by_text("all together", exact=True).click()
    expect(drawer).to_contain_text("from sentences and triples")


def test_an_entity_without_a_name_shows_its_key(page: Page, graph: Graph, server: BrowserServer) -> None:
    graph.write("load/entities", rows=[["wikidata/Q1"], ["wikidata/Q2"]])
    graph.autocommit(parse("x", "// X\nMATCH (e:Entity {key: 'wikidata/Q2'}) SET e.name = 'Ada'"))
    page.goto(server.start_page)
    expect(page.locator(GUIDE_BLOCK).first).to_be_visible()
    run_instead(page, "MATCH (e:Entity) RETURN e")
    captions = {caption.strip() for caption, *_ in drawn(page)}
    assert "wikidata/Q1" in captions
    assert {caption.split()[0] for caption in captions} == {"wikidata/Q1", "Ada"}


def test_a_statement_that_writes_is_refused(page: Page, graph: Graph, server: BrowserServer) -> None:
    before = graph.rows("subgraph/size")
    page.goto(server.start_page)
    expect(page.locator(GUIDE_BLOCK).first).to_be_visible()
    run_instead(page, "MATCH (n) DETACH DELETE n")
    expect(page.get_by_test_id("frame").first).to_contain_text("Writing in read access mode not allowed")
    assert graph.rows("subgraph/size") == before


def test_a_link_leads_into_its_own_store_alone(
    page: Page, graph: Graph, bench: Workbench, server: BrowserServer
) -> None:
    """A web browser that was logged in to one store does not show it for a link of another, whichever pages are served."""

    def link(running: BrowserServer, store: str) -> str:
        query = urlsplit(
            following(store, "explore/sentences_of_target", {"target": "lawyer", "source": "triples"})
        ).query
        return f"{running.origin}/follow?{query}"

    page.goto(link(server, bench.store))
    expect(page.locator("#said")).to_contain_text("not connected to this graph")
    page.goto(server.start_page)
    wait_until_kept(page)
    page.goto(link(server, "0" * 16))
    expect(page.locator("#said")).to_contain_text("another store than the one that is served here")
    page.goto(link(server, bench.store))
    expect(page.get_by_test_id("activeEditor")).to_contain_text("MATCH (t:Target", timeout=SLOW_MS)
    # What is run before Neo4j Browser has connected again is lost, and nothing says so.
    wait_until_kept(page)
    page.get_by_test_id("editor-Run").click()
    expect(page.get_by_test_id("frame").first).to_contain_text("this person is a dishonest person")

    # Another home serves its pages on the same port now, and local storage still holds the connection of the first.
    address = replace(graph.address, uri="bolt://127.0.0.1:1")
    server.served = served_with_browser(replace(bench, store="1" * 16), address, browser_jar())
    page.goto(link(server, bench.store))
    expect(page.locator("#said")).to_contain_text("another store than the one that is served here")
    page.goto(link(server, "1" * 16))
    expect(page.locator("#said")).to_contain_text("not connected to this graph")


def test_the_address_opens_once_and_a_reload_needs_none(page: Page, server: BrowserServer) -> None:
    page.goto(server.start_page)
    expect(page.locator(GUIDE_BLOCK).first).to_be_visible()
    wait_until_kept(page)
    page.reload()
    expect(page.locator(GUIDE_BLOCK).first).to_be_visible()
    wait_until_kept(page)
    page.goto("about:blank")
    page.goto(server.start_page)
    expect(page.locator("#said")).to_contain_text("was used already")
    page.get_by_role("link").click()
    expect(page.locator(GUIDE_BLOCK).first).to_be_visible()


def test_what_the_user_saved_stays(page: Page, server: BrowserServer) -> None:
    page.goto(f"{server.origin}/start.css")
    page.evaluate(
        """() => {
        localStorage.setItem("neo4j.documents", JSON.stringify([
          {id: "mine", content: "// My own\\nRETURN 1"}, {id: "harmgraph-old", content: "// Old\\nRETURN 2"}]));
        localStorage.setItem("neo4j.settings", JSON.stringify({theme: "dark"}));
        localStorage.setItem("neo4j.folders", "not JSON");
      }"""
    )
    page.goto(server.start_page)
    expect(page.locator(GUIDE_BLOCK).first).to_be_visible()
    page.get_by_test_id("navigationFavorites").click()
    expect(page.get_by_test_id("scriptTitle-My own")).to_be_visible()
    expect(page.get_by_test_id("scriptTitle-Old")).to_have_count(0)
    assert page.evaluate("() => JSON.parse(localStorage.getItem('neo4j.settings')).theme") == "dark"


def test_the_browser_of_an_own_server_is_prefilled(page: Page, graph: Graph, bench: Workbench) -> None:
    address = replace(graph.address, embedded=False)
    with BrowserServer(served_to(bench, address)) as server:
        page.goto(prefilled(address, f"{server.origin}/{GUIDE}"))
        expect(page.get_by_test_id("username")).to_have_value(address.username)
        expect(page.get_by_test_id("boltaddress")).to_have_value(address.uri.rpartition("/")[2])
        expect(page.locator(GUIDE_BLOCK).first).to_be_visible()
        page.get_by_test_id("password").fill(address.password)
        page.get_by_test_id("connect").click()
        expect(page.get_by_test_id("frame").first).to_contain_text("You are connected as user")
        page.get_by_test_id("activeEditor").click()
        page.keyboard.type(f":style {server.origin}/{STYLE}")
        page.keyboard.press("Control+Enter")
        expect(page.get_by_test_id("frame").first).to_contain_text("node.Target")
        run_block(page)
        assert looks("unreliable", "Concept") in drawn(page)
