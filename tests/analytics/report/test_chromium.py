"""A real Chromium opens the page: nothing is asked of a network, nothing fails, nothing is cut off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from harmgraph.analytics.report.report import write_report
from harmgraph.graph.browser.page_server import BrowserServer
from harmgraph.graph.browser.pages_port import PORT
from harmgraph.graph.browser.workbench import served_with_browser, workbench
from harmgraph.graph.connection import Graph
from harmgraph.graph.server.distribution import browser_jar
from tests.support.chromium import CHROMIUM, KEPT
from tests.support.figures_sample import RATINGS, SOURCES, standing

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")]


@pytest.fixture(scope="module")
def report(connection: Graph, tmp_path_factory: pytest.TempPathFactory) -> Path:
    standing(connection)
    (page,) = write_report(
        connection, SOURCES, tmp_path_factory.mktemp("report"), min_support=3, resamples=50, ratings=RATINGS
    )
    return page


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def test_the_page(page: Page, report: Path) -> None:
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(report.as_uri())
    assert said == []
    assert [url for url in asked if not url.startswith(("data:", report.as_uri()))] == []
    images = page.locator("figure img:visible")
    assert images.count() >= 12
    for image in images.all():
        assert image.evaluate("image => image.complete && image.naturalWidth > 0")
        assert len(image.get_attribute("alt") or "") > 40
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    for link in page.locator("a[href^='#']").all():
        target = link.get_attribute("href") or ""
        assert page.locator(f"[id='{target[1:]}']").count() == 1
    assert page.locator("a[href*='/follow?store=']").count() >= 24
    # A telephone: tables scroll in their own frame, the page does not.
    page.set_viewport_size({"width": 400, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= 400")


SMALLEST_PX = 10
"""The smallest text of a figure, 7.5 points, at the figure's own size."""


@pytest.mark.parametrize("width", [390, 768, 1300])
def test_on_a_telephone_and_a_wide_screen(page: Page, report: Path, width: int) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page.set_viewport_size({"width": width, "height": 900})
    page.goto(report.as_uri())
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        result = Axe().run(page)
        assert not result.response["violations"], result.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone = width < 640
    for figure in page.locator("figure").all():
        (image,) = figure.locator("img:visible").all()
        assert (image.get_attribute("hidden") is not None) is phone
        image.scroll_into_view_if_needed()
        assert image.evaluate("image => image.decode().then(() => image.naturalWidth > 0)")
        if phone:
            assert figure.locator(".scroll").evaluate("one => one.scrollWidth <= one.clientWidth"), "it does not scroll"
        scale = image.evaluate("image => image.getBoundingClientRect().width / image.getAttribute('width')")
        assert scale * SMALLEST_PX >= 11
    assert page.locator(".beside").is_visible() is (640 < width < 1056)
    assert page.locator(".narrow").is_visible() is (width < 1056)
    first = page.locator(".cards tbody tr").first
    assert first.evaluate("row => getComputedStyle(row).display") == ("block" if phone else "table-row")
    told = [cell.get_attribute("data-label") for cell in first.locator("td").all()]
    heads = page.locator(".cards th").all_text_contents()
    assert told == heads
    assert heads.index("surest prejudice (O−)") < heads.index("statements"), "the finding comes first"


def test_it_prints(page: Page, report: Path) -> None:
    page.goto(report.as_uri())
    printed = page.pdf(prefer_css_page_size=True)
    assert printed.startswith(b"%PDF")
    page.set_viewport_size({"width": 390, "height": 844})
    assert abs(len(page.pdf(prefer_css_page_size=True)) - len(printed)) < 1_000, "a telephone prints the same"
    page.set_viewport_size({"width": 1280, "height": 900})
    page.emulate_media(media="print")
    assert page.locator("figure img[hidden]:visible").count() == 0
    assert page.locator("nav").is_hidden()
    tallest = page.evaluate("Math.max(...[...document.querySelectorAll('.drawing')].map(one => one.offsetHeight))")
    assert tallest < 1_350, "a drawing with its heading fits on one page of A4 at this width"


def test_a_link_fills_the_editor_of_a_connected_browser(page: Page, report: Path, connection: Graph) -> None:
    served = served_with_browser(workbench(connection), connection.address, browser_jar())
    with BrowserServer(served) as server:
        page.goto(report.as_uri())
        address = page.locator("a[href*='/follow?store=']").first.get_attribute("href") or ""
        assert address.startswith(f"http://localhost:{PORT}/follow?store=")
        page.goto(server.start_page)
        # Neo4j Browser takes the password out of its storage until the server has said that it may be kept.
        connected = page.get_by_test_id("frame").filter(has_text="credentials are stored in your web browser").first
        connected.wait_for(timeout=60_000)
        page.wait_for_function(KEPT, timeout=60_000)
        page.goto(address.replace(str(PORT), str(server.port), 1))
        connected.wait_for(timeout=60_000)
        page.get_by_test_id("activeEditor").get_by_text("MATCH").first.wait_for(timeout=60_000)
        page.get_by_test_id("editor-Run").click()
        page.get_by_test_id("frame").first.locator("table tbody tr").first.wait_for(timeout=60_000)
