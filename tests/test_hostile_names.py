"""What a knowledge base calls its things is text: on a terminal, in each figure, in the report, the guide, the review."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.drawing.drawing import figures
from harmgraph.analytics.drawing.numbers import Numbers, Subject
from harmgraph.analytics.drawing.renderer import render_figure, render_narrow
from harmgraph.analytics.labelling.drawn_sample import Wish
from harmgraph.analytics.report.report import write_report
from harmgraph.analytics.review.judgements import Judgements
from harmgraph.analytics.review.review_server import Look, ReviewServer
from harmgraph.analytics.review.sample import draw
from harmgraph.analytics.review.session import Review
from harmgraph.common.clean_text import clean, clean_values
from harmgraph.common.errors import InputError
from harmgraph.common.plotting.canvas import FORMATS, rendered, style
from harmgraph.graph.browser.guide import findings, guide, guides
from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import parse
from tests.support import hostile
from tests.support.chromium import CHROMIUM
from tests.support.hostile import MEASURES, NAMES, SOURCES, UNSAFE
from tests.support.narrow_texts import problems
from tests.support.places import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.long
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")


@pytest.fixture(scope="module")
def evil(connection: Graph) -> Graph:
    hostile.load(connection)
    return connection


@pytest.fixture(scope="module")
def numbers(evil: Graph) -> Numbers:
    return Numbers(evil, min_support=3, resamples=20, ratings=hostile.ratings())


@pytest.fixture(scope="module")
def report(evil: Graph, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a report in every form."""
    folder = tmp_path_factory.mktemp("report")
    given: dict[str, Any] = {"min_support": 3, "resamples": 20, "ratings": hostile.ratings(), "figures": ("svg",)}
    write_report(evil, SOURCES, folder, formats=("html", "md", "json"), **given)
    return folder


def unsafe(text: str) -> set[str]:
    return UNSAFE & set(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J\x07", r"\x1b[2J\x07"),
        ("a\tb\nc\r\n", "a\tb\nc\r\n"),
        ("harmless\revil", r"harmless\x0devil"),
        ("\x85\x9b\x7f", r"\u0085\u009b\u007f"),
        ("\u202elive", r"\u202elive"),
        ("\ud800\ufffe", r"\ud800\ufffe"),
        ("日本 ü \u200f \U0001f600", "日本 ü \u200f \U0001f600"),
    ],
)
def test_what_is_unsafe_is_shown_as_an_escape(text: str, shown: str) -> None:
    assert clean(text) == clean(clean(text)) == shown
    assert clean_values({text: [text, (1, None)]}) == {text: [shown, [1, None]]}
    assert json.loads(clean(json.dumps(text, ensure_ascii=False))) == text, "JSON keeps its meaning"


@pytest.mark.parametrize("name", figures.names())
def test_every_figure(numbers: Numbers, tmp_path: Path, name: str) -> None:
    from matplotlib.text import Text

    drawing, subject = figures.get(name), Subject(SOURCES, MEASURES)
    assert drawing.lacks(numbers, subject) == "", "the sample must show something of it"
    figure, alt = render_figure(drawing, numbers, subject), drawing.alt(numbers, subject)
    for kind in FORMATS:
        content = rendered(figure, kind, title=f"{drawing.title} {NAMES[0]}", alt=alt)
        (tmp_path / f"{name}.{kind}").write_bytes(content)
        if kind == "svg":
            root = ElementTree.fromstring(content)
            assert root.find("{http://www.w3.org/2000/svg}desc").text == clean(alt)  # type: ignore[union-attr]
            assert {element.tag.rpartition("}")[2] for element in root.iter()}.isdisjoint({"script", "foreignObject"})
            assert not unsafe(content.decode())
    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        assert not text.get_parse_math() or "$" not in text.get_text(), "a dollar is a dollar"
        assert not unsafe(text.get_text())
    with style():
        figure.draw_without_rendering()  # what was saved last had another resolution, in which letters have other widths
        box = figure.get_tightbbox()
        clipped = [text for axes in figure.axes for text in axes.texts if text.get_clip_on()]
        ends = [text.get_window_extent().x1 for text in clipped]  # the box leaves out what is clipped
    assert max(ends, default=0) < figure.bbox.x1, "a text is cut off"
    width, height = figure.get_size_inches()
    assert box.x0 > -0.02 and box.y0 > -0.02 and box.x1 < width + 0.02 and box.y1 < height + 0.02, "a text is cut off"


@pytest.mark.parametrize("name", figures.names())
def test_every_figure_on_a_telephone(numbers: Numbers, name: str) -> None:
    figure = render_narrow(figures.get(name), numbers, Subject(SOURCES, MEASURES))
    assert figure is not None
    assert not unsafe(rendered(figure, "svg").decode())
    assert problems(figure, ink=name == "words") == []


def test_the_figure_of_a_command_is_xml(evil: Graph, tmp_path: Path) -> None:
    for name in ("words", "bars"):
        path = tmp_path / f"{name}.svg"
        assert main(["figure", name, "--source", SOURCES[0], "--measure", "sentiment", "--out", str(path)]) == 0
        ElementTree.parse(path)


def test_the_forms_of_the_report(report: Path, evil: Graph) -> None:
    page, markdown, data = ((report / f"report.{form}").read_text(encoding="utf-8") for form in ("html", "md", "json"))
    for text in (page, markdown, data):
        assert not unsafe(text)
        assert "window.hacked" in text, "the names are there"
    for text in (page, markdown):
        assert not re.search(r"<script|<img src=x|<svg onload", text)
        assert page.count("</style>") == page.count("</title>") == 1
    told = json.loads(data)
    assert [source["name"] for source in told["sources"]] == list(SOURCES)
    measured = told["sources"][0]["measures"][0]
    assert {row["target"] for row in measured["targets"]} == {row["target"] for row in evil.rows("explore/targets")}
    for path in report.glob("figures/*.svg"):
        ElementTree.parse(path)


def test_the_guide(evil: Graph) -> None:
    """Its statements find what it names, although they are shown with escapes."""
    found = findings(evil)
    for page in (guide(found), *guides(found).values()):
        assert not unsafe(page)
        assert not re.search(r"<script|<img src=x|<svg onload", page)
    said = [row["target"] for row in evil.rows("explore/most_harmed", limit=100)]
    for name in (NAMES[0], NAMES[3], NAMES[7], NAMES[8]):
        target = next(target for target in said if target.startswith(name[:2]))
        from harmgraph.graph.browser.saved_queries import filled
        from harmgraph.graph.statements import statement

        cypher = clean(filled(statement("explore/statements_of_target"), {"target": target}))
        assert evil.rows(parse("of a guide", cypher)), cypher


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


class Watched:
    """Whatever a page says or asks for."""

    def __init__(self, page: Page) -> None:
        self.said: list[str] = []
        self.asked: list[str] = []
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("dialog", lambda dialog: self.said.append(dialog.message))
        page.on("request", lambda request: self.asked.append(request.url))
        self._page = page

    def nothing_ran(self) -> None:
        assert self._page.evaluate("window.hacked") is None
        assert self.said == []


def shot(page: Page, name: str, **options: Any) -> None:
    """A picture for whoever looks: with HARMGRAPH_SHOTS=FOLDER."""
    if folder := os.environ.get("HARMGRAPH_SHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png", **options)


def _decode(page: Page) -> None:
    """Shows each picture that is visible at this width: the others are loaded lazily, so never."""
    images = page.locator("figure img:visible").all()
    assert images
    for image in images:
        image.scroll_into_view_if_needed()
        assert image.evaluate("image => image.decode().then(() => image.naturalWidth > 0)")


@needs_chromium
@pytest.mark.browser
def test_the_report_in_a_browser(page: Page, report: Path) -> None:
    watched = Watched(page)
    page.goto((report / "report.html").as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    watched.nothing_ran()
    assert [url for url in watched.asked if not url.startswith(("data:", "file:"))] == []
    _decode(page)
    shot(page, "report", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.set_viewport_size({"width": 400, "height": 800})
    _decode(page)
    shot(page, "report-telephone")
    assert page.evaluate("document.documentElement.scrollWidth <= 400")
    for path in sorted(report.glob("figures/*.svg")):  # opened alone, a picture could run scripts
        page.goto(path.as_uri())
        watched.nothing_ran()


@needs_chromium
@pytest.mark.browser
def test_the_guide_in_a_browser(page: Page, evil: Graph, tmp_path: Path) -> None:
    watched = Watched(page)
    for name, html in guides(findings(evil)).items():
        (tmp_path / name).write_text(html, encoding="utf-8")
        page.goto((tmp_path / name).as_uri())
        watched.nothing_ran()
    shot(page, "guide", full_page=True)


@needs_chromium
@pytest.mark.browser
def test_the_review_page(page: Page, evil: Graph, tmp_path: Path) -> None:
    watched = Watched(page)
    sample = draw(evil, Wish(size=30, strata=("target",)))
    with (
        Review(evil, sample, Judgements(tmp_path / "r.csv"), "review", reveal=True) as review,
        ReviewServer(review, Look()) as server,
    ):
        page.set_viewport_size({"width": 400, "height": 800})
        page.goto(server.page)
        page.locator("#name").fill("ann")
        page.keyboard.press("Enter")
        for number in range(len(sample.items)):
            item = sample.items[number]
            page.wait_for_function(
                "text => document.getElementById('sentence').textContent === text", arg=clean(item.sentence)
            )
            page.evaluate("document.getElementById('context').open = true")
            assert not unsafe(page.inner_text("body"))
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it must not scroll sideways"
            if number < 10:
                shot(page, f"review-{number}")
            page.keyboard.press("2")
            if page.locator("#go-on").is_visible():
                page.keyboard.press("Enter")
        watched.nothing_ran()
    kept = [judgement.sentence for judgement in Judgements(tmp_path / "r.csv")]
    assert kept == [item.sentence for item in sample.items], "the file has them as they are"


COMMANDS = [
    ["source", "list"],
    ["source", "show", SOURCES[0]],
    ["source", "diff", SOURCES[0]],
    ["source", "show", f"nobody {NAMES[0]}"],
    ["target", "list"],
    ["stats", "overgeneralization", "--source", SOURCES[0], "--min-support", "3"],
    ["stats", "overgeneralization", "--source", SOURCES[1], "--output", "json"],
    ["stats", "examples", NAMES[0]],
    ["stats", "words", NAMES[0]],
    ["stats", "examples", f"{NAMES[0]} nobody"],
    ["stats", "history", "disparity.d_r"],
    ["query", "explore/most_harmed"],
    ["filter", "--source", SOURCES[0], "--out", "{folder}/\x1b[2Jfile"],
    ["load", "triples", "{folder}/\x1b[2Jnone.tsv", "-v"],
    ["load", "triples", "{folder}/torn\x1b]0;x\x07.tsv", "--dry-run"],
    ["\x1b[2J"],
    ["stats", "\x1b[2J"],
    ["figure", "words", "--source", SOURCES[0], "--out", "{folder}/\x1b[2J.svg"],
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: clean(" ".join(words[:2])))
def test_no_command_passes_an_escape_on(
    evil: Graph, tmp_path: Path, words: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    """Into a log, which somebody reads on a terminal later."""
    (tmp_path / "torn\x1b]0;x\x07.tsv").write_text("a\x1b[2J\n" * 3)
    main([word.replace("{folder}", str(tmp_path)) for word in words])
    printed = capfd.readouterr()
    assert printed.out + printed.err
    assert not unsafe(printed.out + printed.err)
    if "json" in words:
        assert any(NAMES[0].casefold()[:9] in str(row["target"]) for row in json.loads(printed.out)), "as it is"


def test_csv_is_data_where_a_program_reads_it(evil: Graph, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["target", "list", "--output", "csv"]) == 0
    assert "\x1b[2j" in capfd.readouterr().out.casefold()


def on_a_terminal(*words: str) -> str:
    """What a command sends to a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "harmgraph", *words], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
        env={**os.environ, "COLUMNS": "100", "TERM": "xterm-256color"},
    )  # fmt: skip
    os.close(theirs)
    got: list[bytes] = []

    def read() -> None:
        while True:
            try:
                got.append(os.read(ours, 65_536))
            except OSError:  # the other end is closed
                return

    reader = threading.Thread(target=read)
    reader.start()
    assert process.wait(240) in (0, 1, 2)
    reader.join()
    os.close(ours)
    return b"".join(got).decode()


@pytest.mark.parametrize(
    "words",
    [
        ["target", "list", "--output", "csv"],
        ["target", "list"],
        ["filter", "--source", SOURCES[0], "--out", "-"],
        ["load", "triples", "torn.tsv", "--dry-run", "--max-rejects", "1", "--rejects", "-"],
        ["source", "show", f"nobody {NAMES[0]}", "-v"],
        ["label", "vader", "--source", SOURCES[0]],
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_a_terminal_gets_the_sequences_of_harmgraph_alone(evil: Graph, tmp_path: Path, words: list[str]) -> None:
    """Colours and bars are harmgraph's; what moves the cursor to elsewhere, sets the title or rings is not."""
    (tmp_path / "torn.tsv").write_text("a\x1b[2J\n")
    words = [word.replace("torn.tsv", str(tmp_path / "torn.tsv")) for word in words]
    printed = on_a_terminal(*words)
    ours = re.compile(r"\x1b\[[\d;]*m|\x1b\[\?25[hl]|\x1b\[\d*[AGK]|\x1b\[2K|\r")
    assert not unsafe(ours.sub("", printed)), repr(printed)
    assert r"\x1b[2J".casefold() in printed.casefold() or "label" in words


def test_an_error_is_one_clean_line() -> None:
    error = InputError("no\x1b[2J such\nthing \u202e", where="\x07file", remedy="mend\ud800 it")
    assert str(error) == r"\x07file: no\x1b[2J such thing \u202e; mend\ud800 it"


def test_nobody_writes_to_a_terminal_past_the_one_place() -> None:
    """A console of rich that is made elsewhere would be escaped, and a line of click in bold too."""
    past = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for package in ("analytics", "graph", "harmgraph", "loader", "models")
        for path in sorted((ROOT / package).rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"\bConsole\(|\bsecho\(|click\.style\(", line) and path.name != "terminal.py"
    ]
    assert past == []
