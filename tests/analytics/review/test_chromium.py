"""A person at a real browser judges by keyboard alone, and the pages keep to WCAG AA as far as a program can tell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from harmgraph.analytics.labelling.review_question import QUESTIONS
from harmgraph.analytics.review.frame_judgements import FrameJudgements
from harmgraph.analytics.review.judgements import Judgements
from harmgraph.analytics.review.review_server import Look, ReviewServer
from harmgraph.analytics.review.session import Review
from harmgraph.graph.connection import Graph
from tests.support.chromium import CHROMIUM
from tests.support.reviewing import labelled, sample_of

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")]

WCAG_AA = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}}
SLOW_MS = 30_000


@pytest.fixture
def server(review: Review) -> Iterator[ReviewServer]:
    with ReviewServer(review, Look(rest_every=3)) as running:
        yield running


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 400, "height": 800})
    context.set_default_timeout(SLOW_MS)
    expect.set_options(timeout=SLOW_MS)
    yield context.new_page()
    context.close()


def accessible(page: Page) -> None:
    from axe_playwright_python.sync_playwright import Axe

    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        result = Axe().run(page, options=WCAG_AA)
        assert not result.response["violations"], result.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it must not scroll sideways"


def test_by_keyboard_alone(page: Page, server: ReviewServer, review: Review) -> None:
    page.goto(server.page)
    expect(page.locator("#name")).to_be_focused()
    assert server.token not in page.url
    accessible(page)
    page.keyboard.type("ann")
    page.keyboard.press("Enter")
    items = review.sample.items
    expect(page.locator("#sentence")).to_have_text(items[0].sentence)
    accessible(page)
    page.keyboard.press("3")
    expect(page.locator("#sentence")).to_have_text(items[1].sentence)
    expect(page.locator("#previous")).to_have_text(f"“{items[0].sentence}”: you said prejudice.")
    accessible(page)
    page.keyboard.press("u")
    expect(page.locator("#sentence")).to_have_text(items[0].sentence)
    page.keyboard.press("1")
    expect(page.locator("#sentence")).to_have_text(items[1].sentence)
    page.keyboard.press("s")
    expect(page.locator("#sentence")).to_have_text(items[2].sentence)
    page.keyboard.press("2")
    expect(page.locator("#sentence")).to_have_text(items[3].sentence)
    expect(page.locator("#previous")).to_contain_text("you said neutral. Before that, ")
    expect(page.locator("#previous")).to_contain_text("you said favouritism; vader@")
    page.keyboard.press("2")
    expect(page.locator("#go-on")).to_be_focused()  # a break after three
    accessible(page)
    page.keyboard.press("Enter")
    expect(page.locator("#sentence")).to_have_text(items[4].sentence)
    page.reload()  # the name and the place stay
    expect(page.locator("#sentence")).to_have_text(items[4].sentence)
    page.locator("#answers button").nth(1).focus()
    page.keyboard.press("Space")
    expect(page.locator("#sentence")).to_have_text(items[5].sentence)
    page.keyboard.press("2")
    expect(page.locator("#sentence")).to_have_text(items[1].sentence)  # it was skipped
    expect(page.locator("#about")).to_contain_text("You skipped it before")
    page.keyboard.press("s")
    expect(page.locator("#end-text")).to_contain_text("5 of 6")
    accessible(page)
    page.keyboard.press("Enter")  # another person
    expect(page.locator("#name")).to_be_focused()
    page.keyboard.type("bob")
    page.keyboard.press("Enter")
    expect(page.locator("#sentence")).to_have_text(items[0].sentence)
    assert [(judgement.annotator, judgement.label) for judgement in review.judgements] == [
        ("ann", label) for label in ("positive", "neutral", "neutral", "neutral", "neutral")
    ]


def test_single_keys_can_be_turned_off(page: Page, server: ReviewServer, review: Review) -> None:
    page.goto(server.page)
    page.keyboard.type("ann")
    page.keyboard.press("Enter")
    first = review.sample.items[0].sentence
    expect(page.locator("#sentence")).to_have_text(first)
    keys = page.get_by_label("Single keys judge")
    for _ in range(12):
        page.keyboard.press("Tab")
        if keys.evaluate("box => box === document.activeElement"):
            break
    page.keyboard.press("Space")
    expect(keys).not_to_be_checked()
    accessible(page)
    for _ in range(2):
        page.keyboard.press("1")
        page.keyboard.press("s")
        page.reload()  # kept for the session
        expect(keys).not_to_be_checked()
        expect(page.locator("#sentence")).to_have_text(first)
    assert not len(review.judgements)
    page.locator("#answers button").nth(1).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#progress")).to_contain_text("1 of 6")
    keys.focus()
    page.keyboard.press("Space")
    expect(keys).to_be_checked()
    page.keyboard.press("1")  # also while the switch has the focus
    expect(page.locator("#progress")).to_contain_text("2 of 6")
    assert [judgement.label for judgement in review.judgements] == ["neutral", "positive"]


def test_an_old_address_and_a_server_that_is_away_are_told(page: Page, server: ReviewServer, review: Review) -> None:
    page.goto(f"{server.origin}/#wrong")
    page.keyboard.type("ann")
    page.keyboard.press("Enter")
    expect(page.locator("#problem")).to_contain_text("harmgraph review")
    page.goto("about:blank")
    page.goto(server.page)
    expect(page.locator("#sentence")).to_be_visible()
    page.context.set_offline(True)
    page.keyboard.press("2")
    expect(page.locator("#problem")).to_contain_text("What you have judged is kept")
    page.context.set_offline(False)
    page.keyboard.press("2")
    expect(page.locator("#progress")).to_contain_text("1 of 6")
    assert len(review.judgements) == 1


def test_another_question(page: Page, graph: Graph, tmp_path: Path) -> None:
    labelled(graph)
    judgements = Judgements(tmp_path / "quality.csv", QUESTIONS["quality"])
    with (
        Review(graph, sample_of(graph, question="quality", strata=()), judgements, "quality") as review,
        ReviewServer(review, Look()) as server,
    ):
        page.goto(server.page)
        expect(page.locator("h1")).to_have_text("Is this sentence valid commonsense knowledge?")
        accessible(page)
        page.keyboard.type("ann")
        page.keyboard.press("Enter")
        items = review.sample.items
        expect(page.locator("#sentence")).to_have_text(items[0].sentence)
        expect(page.locator("[data-label]")).to_have_text(["1 Valid", "2 Invalid"])
        page.keyboard.press("3")
        page.keyboard.press("2")
        expect(page.locator("#previous")).to_have_text(f"“{items[0].sentence}”: you said invalid.")
        accessible(page)
    assert [judgement.label for judgement in judgements] == ["invalid"]


def test_all_questions_of_a_frame(page: Page, graph: Graph, tmp_path: Path) -> None:
    labelled(graph)
    judgements = FrameJudgements(tmp_path / "frames.csv", {"lawyer": "profession"})
    sample = sample_of(graph, question="frames", strata=())
    with (
        Review(graph, sample, judgements, "", groups=("lawyer", "nurse")) as review,
        ReviewServer(review, Look()) as server,
    ):
        page.goto(server.page)
        expect(page.locator("h1")).to_have_text("What does this sentence imply, and about whom?")
        accessible(page)
        page.keyboard.type("ann")
        page.keyboard.press("Enter")
        expect(page.locator("#sentence")).to_have_text(review.sample.items[0].sentence)
        expect(page.locator("#part-group_targeted")).to_be_hidden()
        for name, word in (("offensive", "Yes"), ("intent", "Probably"), ("lewd", "No"), ("group_targeted", "Yes")):
            page.locator(f"#part-{name}").get_by_label(word, exact=True).check()
        assert page.locator("#known option").evaluate_all("them => them.map((one) => one.value)") == ["lawyer", "nurse"]
        page.locator(".which").fill("suits us")  # s and u are letters here
        page.locator(".implied").fill("suits are sly\nsuits use us")
        page.get_by_role("button", name="Another group").click()
        page.keyboard.type("nurse")
        accessible(page)
        page.get_by_role("button", name="Keep and go on").click()
        expect(page.locator("#progress")).to_have_text(
            "ann: 0 of 6 judged"
        )  # whether its author belongs to it is not answered
        page.locator("#part-in_group").get_by_label("Maybe", exact=True).check()
        page.get_by_role("button", name="Keep and go on").click()
        expect(page.locator("#progress")).to_have_text("ann: 1 of 6 judged")
        expect(page.locator("#part-group_targeted")).to_be_hidden()
        expect(page.locator(".which")).to_have_count(1)
        page.locator("#part-offensive").get_by_label("No", exact=True).check()
        for name in ("intent", "lewd"):
            page.locator(f"#part-{name}").get_by_label("No", exact=True).check()
        page.keyboard.press("Enter")
        expect(page.locator("#progress")).to_have_text("ann: 2 of 6 judged")
    first, second = (judgement.frame for judgement in judgements)
    assert first
    assert second
    assert first.answers == (1, 0.66, 0, 1, 0.5)
    assert first.groups == (("suits us", ("suits are sly", "suits use us")), ("nurse", ()))
    assert second.answers == (0, 0, 0, None, None)
