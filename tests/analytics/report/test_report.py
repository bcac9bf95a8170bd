"""The report: what stands in it in each form, and that nothing a knowledge base says breaks it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.drawing.drawing import figures
from harmgraph.analytics.drawing.numbers import Numbers, Subject
from harmgraph.analytics.drawing.renderer import render_figure
from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.report.compact_svg import SVG, compact
from harmgraph.analytics.report.content import link
from harmgraph.analytics.report.figure import figure
from harmgraph.analytics.report.report import write_report
from harmgraph.analytics.statistics.statistic import statistic
from harmgraph.common.errors import InputError, NoSpace, NotFound
from harmgraph.common.plotting.canvas import blank, rendered
from harmgraph.common.scorer import scorers
from harmgraph.graph.address import Address
from harmgraph.graph.browser.state import landing_of
from harmgraph.graph.browser.workbench import editing, store
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Concept, Target, Triple
from harmgraph.graph.statements import CypherStatement, parse, statement
from tests.support.figures_sample import MEASURES, RATINGS, SOURCES, finish, standing
from tests.support.filling import fill
from tests.support.places import DOCS

pytestmark = pytest.mark.first


class Page(HTMLParser):
    """Images, links and anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.images: list[dict[str, str | None]] = []
        self.links: list[str] = []
        self.anchors: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.add(tag)
        if tag == "img":
            self.images.append(given)
        if tag == "a":
            self.links.append(given["href"] or "")
        if given.get("id"):
            self.anchors.append(str(given["id"]))


@pytest.fixture
def plain_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures with nothing drawn in them, for tests of what is written around them."""
    monkeypatch.setattr("harmgraph.analytics.report.report.render_figure", lambda *_: blank())
    monkeypatch.setattr("harmgraph.analytics.report.report.render_narrow", lambda *_: None)


@dataclass(frozen=True, slots=True)
class Whole:
    """A report in every form with two kinds of figures, and how often each statement was asked with the same parameters."""

    folder: Path
    asked: Counter[tuple[str, str]]


@pytest.fixture(scope="module")
def whole(connection: Graph, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """Written once for all tests that read it."""
    standing(connection)
    folder = tmp_path_factory.mktemp("whole") / "out"
    with counting() as asked, pytest.MonkeyPatch.context() as patch:  # all is drawn, and what is saved is blank
        patch.setattr(
            "harmgraph.analytics.report.report.rendered", lambda _, *given, **named: rendered(blank(), *given, **named)
        )
        patch.setattr("harmgraph.analytics.report.report.render_narrow", lambda *_: None)
        write_report(
            connection,
            SOURCES,
            folder,
            formats=("html", "md", "json"),
            figures=("svg", "png"),
            min_support=3,
            resamples=50,
            ratings=RATINGS,
        )
    return Whole(folder, asked)


@contextmanager
def counting() -> Iterator[Counter[tuple[str, str]]]:
    """Counts the statements that are asked, with their parameters."""
    asked: Counter[tuple[str, str]] = Counter()

    def counted(method: Callable[..., Any]) -> Callable[..., Any]:
        def ask(self: Graph, query: str | CypherStatement, **given: Any) -> Any:
            known = statement(query) if isinstance(query, str) else query
            asked[known.name, json.dumps(known.arguments(given), sort_keys=True)] += 1
            return method(self, query, **given)

        return ask

    with pytest.MonkeyPatch.context() as patch:
        for name in ("rows", "raw_rows", "frame", "stream"):
            patch.setattr(Graph, name, counted(getattr(Graph, name)))
        yield asked


def test_page(labelled: Graph, tmp_path: Path) -> None:
    finish(labelled, "kb", "text")
    (page,) = write_report(labelled, ["kb", "text"], tmp_path / "out", min_support=1, resamples=50)
    text = page.read_text(encoding="utf-8")
    assert "Lawyers are awful." in text
    assert "dishonest man" in text
    assert text.index("Offensive content.") < text.index("<h1>")
    assert "40 <span" in text  # O- of lawyer in kb
    found = Page(text)
    assert not {"script", "iframe", "object"} & found.tags
    assert len(found.images) >= 8
    for image in found.images:
        assert str(image["src"]).startswith("data:image/svg+xml,<svg ")
        assert len(str(image["alt"])) > 40
    wide, narrow = found.images[::2], found.images[1::2]
    for image, phone in zip(wide, narrow, strict=True):
        assert int(str(image["width"])) > 600
        assert "hidden" not in image
        assert int(str(phone["width"])) == 325
        assert "hidden" in phone
        assert phone["alt"] == image["alt"]
    assert len(found.anchors) == len(set(found.anchors))
    for address in found.links:
        if address.startswith("#"):
            assert address[1:] in found.anchors
        elif address.startswith("figures/"):
            assert (page.parent / address).is_file()
        else:
            assert urlsplit(address).path == "/follow"
            assert parse_qs(urlsplit(address).query)["store"] == [store(labelled)]
    outside = re.sub(r'href="[^"]*"|xmlns=%22[^%"]*%22', "", text)
    assert re.findall(r"https?://", outside.replace("http://localhost:7476/", "")) == []


@pytest.mark.usefixtures("plain_pictures")
def test_links_lead_to_the_statements(labelled: Graph, tmp_path: Path) -> None:
    """The Cypher of a link gives just the target's statements in the source, and no address holds the password."""
    numbers = Numbers(labelled)
    query = parse_qs(urlsplit(link(numbers, "kb", "sentiment", "lawyer")).query)
    assert query["store"] == [store(labelled)]
    path = landing_of({name: values[0] for name, values in query.items()})
    assert path is not None
    (cypher,) = parse_qs(urlsplit(path).query)["arg"]
    rows = labelled.rows(parse("link", cypher))
    assert [row["said"] for row in rows][:2] == ["devil RelatedTo lawyer", "lawyer IsA dishonest man"]
    assert len(rows) == 5
    labelled_elsewhere = SimpleNamespace(graph=SimpleNamespace(address=replace(labelled.address, embedded=False)))
    own = link(labelled_elsewhere, "kb", "sentiment", "lawyer")  # type: ignore[arg-type]
    assert labelled.rows(parse("link", parse_qs(urlsplit(own).query)["arg"][0])) == rows
    finish(labelled, "kb", "text")
    (page,) = write_report(labelled, ["kb"], tmp_path, resamples=10)
    text = page.read_text(encoding="utf-8")
    assert labelled.address.password not in text
    own = Address("neo4j+s://a.example:7687", "me & you", "secret", "neo4j", "", False)
    assert editing(own, 'RETURN "a&b#c%d"').startswith(
        "https://a.example:7473/browser/?dbms=neo4j%2Bs://me%20%26%20you@a.example:7687&db=neo4j&cmd=edit&arg=RETURN%20"
    )
    assert parse_qs(urlsplit(editing(own, 'RETURN "a&b#c%d"')).query)["arg"] == ['RETURN "a&b#c%d"']
    (page,) = write_report(labelled, ["kb"], tmp_path, resamples=10, links=False)
    assert "localhost" not in page.read_text(encoding="utf-8")


def many(graph: Graph) -> tuple[str, ...]:
    """Three sources of one target each with much, and one with little said of it."""
    sources = ("one", "two", "three")
    for source in sources:
        fill(
            graph,
            Target("lawyer", "profession"),
            Target("judge", "profession"),
            Target("cook", "profession"),
            Target("rarely", "profession"),
            *(
                Triple(Concept(name), "IsA", Concept(f"good thing {each}"))
                for name in ("lawyer", "judge", "cook")
                for each in range(12)
            ),
            *(Triple(Concept("rarely"), "IsA", Concept(f"awful thing {each}")) for each in range(2)),
            source=source,
        )
    finish(graph, *sources)
    label(graph, scorers.get("vader"))
    return sources


@pytest.mark.usefixtures("plain_pictures")
def test_pairs_of_many_sources_are_asked_for(graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harmgraph.analytics.report.content.NAMED", 2)
    sources = many(graph)
    given: dict[str, Any] = {"formats": ("html", "md", "json"), "figures": (), "resamples": 10}

    def pairs(**asked: Any) -> list[tuple[str, str]]:
        html, md, found = (
            page.read_text(encoding="utf-8") for page in write_report(graph, sources, tmp_path, **given, **asked)
        )
        shown = [(one["source"], one["other"]) for one in json.loads(found)["comparisons"]]
        for text in (html, md):
            assert "Harms in 3 sources" in text
            assert ("pairs of these sources are not compared" in text) == (len(shown) < 3)
        assert html.count("The same targets in two sources:") == 5 * len(shown), (
            "heading, contents, title of the picture, names of picture and table"
        )
        return shown

    assert pairs() == []
    assert pairs(pairs=[("three", "one")]) == [("three", "one")]
    assert pairs(pairs="every") == [("one", "two"), ("one", "three"), ("two", "three")]
    with pytest.raises(NotFound, match="no source of the report named 'four'"):
        write_report(graph, sources, tmp_path, pairs=[("one", "four")])
    with pytest.raises(InputError, match="compared with itself"):
        write_report(graph, sources, tmp_path, pairs=[("one", "one")])


@pytest.mark.usefixtures("plain_pictures")
def test_few_statements_name_nobody_and_what_is_empty_is_a_line(graph: Graph, tmp_path: Path) -> None:
    """``rarely`` is the furthest outlier, at 100 % of two statements: a page of targets with ten says so without its name."""
    sources = many(graph)
    html, md = (
        page.read_text(encoding="utf-8")
        for page in write_report(graph, sources[:1], tmp_path, formats=("html", "md"), resamples=10)
    )
    assert rarely_named(graph, tmp_path)
    for text in (html, md):
        assert "rarely" not in text.partition("targets without any statement")[0]
        assert "1 with fewer than 10 statements" in text
    assert not re.search(r"<h\d[^>]*>Saved numbers over time", html)
    assert re.search(r"<strong>Saved numbers over time:</strong> none\. No numbers of these sources were saved", html)
    assert 'href="#history"' not in html, "no contents for what is not there"
    assert "\nSaved numbers over time: none. No numbers" in md


def rarely_named(graph: Graph, folder: Path) -> bool:
    """Whether it is named where the support allows it: the test above could not fail otherwise."""
    (page,) = write_report(graph, ["one"], folder, min_support=1, resamples=10)
    return "rarely" in page.read_text(encoding="utf-8")


def test_a_small_picture_is_the_same_picture(filled: Graph) -> None:
    """As many things drawn, every reference met, no digit that no screen shows."""
    found = Numbers(filled, min_support=3, resamples=10)
    for drawing in figures:
        subject = Subject(SOURCES, MEASURES)
        if drawing.lacks(found, subject):
            continue
        svg = rendered(render_figure(drawing, found, subject), "svg", title="<t>", alt='a: "b" & c; d')
        small = compact(svg)
        assert len(small) < 0.75 * len(svg)
        before, after = (ElementTree.fromstring(content) for content in (svg, small))
        assert Counter(one.tag for one in after.iter()) == Counter(one.tag for one in before.iter())
        assert [after.find(f"{{{SVG}}}{name}").text for name in ("title", "desc")] == ["<t>", 'a: "b" & c; d']  # type: ignore[union-attr]
        assert [after.get(name) for name in ("role", "width", "viewBox")] == [
            before.get(name) for name in ("role", "width", "viewBox")
        ]
        ids = [one.get("id") for one in after.iter() if one.get("id")]
        assert len(ids) == len(set(ids))
        met = set(re.findall(rb'href="#(\w+)"|url\(#(\w+)\)', small))
        assert {(one or other).decode() for one, other in met} == set(ids)


def test_hostile_names_are_text(graph: Graph, tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>|`x` [a](http://b)"
    source = "../../<b>"
    fill(
        graph,
        Target(evil, "profession"),
        Triple(Concept(evil), "IsA", Concept("awful </style><img src=x>")),
        source=source,
    )
    finish(graph, source)
    label(graph, scorers.get("vader"))
    out = tmp_path / "deep" / "out"
    html, md, _ = write_report(graph, [source], out, formats=("html", "md", "json"), min_support=1, resamples=10)
    text = html.read_text(encoding="utf-8")
    assert "<script>alert" not in text
    assert "<img src=x" not in text
    assert "&lt;script&gt;alert(1)" in text
    assert "\\[a\\](http:&#47;/b)" in md.read_text(encoding="utf-8")
    assert "<script>" not in md.read_text(encoding="utf-8")
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert all(path.is_relative_to(out) for path in written)
    assert len(written) > 8


@pytest.mark.usefixtures("plain_pictures")
def test_who_is_beyond_chance_and_who_is_never_mentioned(graph: Graph, tmp_path: Path) -> None:
    """Twenty of twenty statements about lawyers are negative, none of forty about others; nobody speaks of poets."""
    names = ("lawyer", "judge", "nurse", "poet")
    said = {"lawyer": ("awful liar", 20), "judge": ("tall reader", 20), "nurse": ("tall reader", 20)}
    fill(
        graph,
        *(Target(name, "profession") for name in names),
        *(
            Triple(Concept(name), "IsA", Concept(f"{words} {number}"))
            for name, (words, count) in said.items()
            for number in range(count)
        ),
        source="kb",
    )
    label(graph, scorers.get("vader"))
    finish(graph, "kb")
    page, text, data = (
        path.read_text(encoding="utf-8")
        for path in write_report(graph, ["kb"], tmp_path, formats=("html", "md", "json"), figures=(), resamples=10)
    )
    for form in (page, text):
        assert "In O−, 3 of 3 targets differ beyond chance" in form
        assert "In O+ it is 0 of 0" in form
        assert "1 of 4 (25 %)" in form
    assert "3 in O−, 0 in O+" in page
    assert json.loads(data)["sources"][0]["targets_without_statements"] == ["poet"]


def test_errors(graph: Graph, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no source named 'kb'"):
        write_report(graph, ["kb"], tmp_path)
    with pytest.raises(InputError, match="nothing is loaded"):
        write_report(graph, [], tmp_path)
    fill(graph, Target("lawyer", "profession"), source="kb")
    finish(graph, "kb")
    (tmp_path / "file").write_text("")
    with pytest.raises(NoSpace, match="cannot be written"):
        write_report(graph, ["kb"], tmp_path / "file")


def test_a_source_without_targets_has_a_page_that_says_so(graph: Graph, tmp_path: Path) -> None:
    fill(graph, Target("lawyer", "profession"), Triple(Concept("dog"), "IsA", Concept("good animal")), source="kb")
    finish(graph, "kb")
    for page in write_report(graph, ["kb"], tmp_path, formats=("html", "md", "json")):
        assert "names a target" in page.read_text(encoding="utf-8")


def test_what_is_not_labelled_or_not_finished_is_said(labelled: Graph, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not finished"):
        write_report(labelled, ["kb"], tmp_path)
    finish(labelled, "kb", "text")
    with pytest.raises(InputError, match="no measure named 'nonsense' in the graph"):
        write_report(labelled, ["kb"], tmp_path, measures=["nonsense"])
    label(labelled, scorers.get("opinion"), source="kb")
    pages = write_report(labelled, ["kb", "text"], tmp_path, formats=("json",), figures=(), resamples=10)
    found = json.loads(pages[0].read_text(encoding="utf-8"))
    assert [[one["measure"] for one in source["measures"]] for source in found["sources"]] == [
        ["sentiment", "opinion"],
        ["sentiment"],
    ]
    assert [one["measure"] for one in found["comparisons"]] == ["sentiment"]


def test_json_has_the_numbers_of_the_statistics(filled: Graph, whole: Whole) -> None:
    found = json.loads((whole.folder / "report.json").read_text(encoding="utf-8"))
    first = found["sources"][0]["measures"][0]
    assert (found["sources"][0]["name"], first["measure"], first["scorers"]) == (
        SOURCES[0],
        "sentiment",
        ["vader@3.3.2"],
    )
    frame = statistic("overgeneralization")(filled, source=SOURCES[0], measure="sentiment")
    expected = {row["target"]: row["o_minus"] for row in frame.to_dict("records")}
    assert {row["target"]: row["o_minus"] for row in first["targets"]} == expected
    assert {row["region"] for row in first["targets"]} <= {"prejudice", "favouritism", "both", "neutral", None}
    disparity = statistic("disparity")(filled, source=SOURCES[0], measure="sentiment", resamples=50).to_dict("records")
    assert first["disparity"][0]["d_r"] == pytest.approx(disparity[0]["d_r"])
    assert first["disparity"][0]["d_r_low"] == pytest.approx(disparity[0]["d_r_low"])
    for rate in ("o_plus", "o_minus"):
        q = frame[f"{rate}_q"]
        assert first["beyond_chance"][rate] == {"targets": (q <= 0.05).sum(), "tested": q.notna().sum()}
    covered = statistic("coverage")(filled, source=SOURCES[0])["statements"]
    assert found["sources"][0]["targets_listed"] == len(covered)
    assert len(found["sources"][0]["targets_without_statements"]) == (covered == 0).sum()
    assert sum(row["statements"] for row in first["labels"]) == first["statements"]
    assert {one["name"] for one in found["figures"]} == set(figures.names())
    for one in found["figures"]:
        assert bool(one["lacks"]) != bool(one["alt"])
        assert [Path(file).suffix for file in one["files"]] == ([] if one["lacks"] else [".svg", ".png"])
        for file in one["files"]:
            assert (whole.folder / file).read_bytes().startswith(b"\x89PNG" if file.endswith("png") else b"<?xml")
    assert found["agreement"][0]["values"]["accuracy"] == pytest.approx(7 / 9)
    triples = {row["type"]: row["triples"] for row in filled.rows("source/triple_counts", source=SOURCES[0])}
    assert found["sources"][0]["counts"]["relations"] == triples
    assert found["sources"][0]["counts"]["statements"] == sum(triples.values()) == first["statements"]
    assert first["pairs"] == first["statements"] + 3, "three triples join two targets"
    assert found["history"]
    written = sorted(path.name for path in whole.folder.iterdir() if path.is_file())
    assert written == ["report.html", "report.json", "report.md"]


def test_every_key_of_the_json_is_documented(whole: Whole) -> None:
    text = (DOCS / "report.md").read_text(encoding="utf-8")

    def keys(value: object, above: str = "") -> set[str]:
        if isinstance(value, dict):
            inner = set() if above in ("counts", "values", "intervals") else set(value)
            return inner.union(*(keys(item, name) for name, item in value.items() if above not in ("counts",)), set())
        return set().union(*(keys(item, above) for item in value)) if isinstance(value, list) else set()

    columns = {column.name for name in figures_statistics() for column in statistic(name).columns}
    known = set(re.findall(r"`(\w+)`", text)) | columns
    bounds = {f"{name}_{end}" for name in columns for end in ("low", "high")}
    found = keys(json.loads((whole.folder / "report.json").read_text(encoding="utf-8")))
    assert found
    assert found - known - bounds == set()


def figures_statistics() -> tuple[str, ...]:
    return ("overgeneralization", "disparity", "neutral", "categories", "representation", "compare", "regions")


def test_markdown(whole: Whole) -> None:
    text = (whole.folder / "report.md").read_text(encoding="utf-8")
    assert text.startswith(f"# Harms in {SOURCES[0]}, {SOURCES[1]}\n")
    assert "Offensive content." in text.split("\n")[2]
    images = re.findall(r"!\[(.+)\]\((\S+)\)", text)
    assert len(images) >= 8
    assert all((whole.folder / file).is_file() for _, file in images)
    lines = text.split("\n")
    for place, line in enumerate(lines):
        if line.startswith("|---"):
            width = len(re.findall(r"(?<!\\)\|", line))
            rows = []
            for row in lines[place - 1 :]:
                if not row.startswith("|"):
                    break
                rows.append(row)
            assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {width}


def test_three_places_of_q_tell_which_side_of_beyond_it_is(whole: Whole) -> None:
    """In both reports, the table of targets and those under figures."""
    lines = (whole.folder / "report.md").read_text(encoding="utf-8").split("\n")
    page = (whole.folder / "report.html").read_text(encoding="utf-8")
    tables = [
        [row.split(" | ") for row in table.split("\n")] for table in "\n".join(lines).split("\n\n") if table[:1] == "|"
    ]
    written = [(rows[0], rows[2:]) for rows in tables]
    for table in re.findall(r"<table.*?</table>", page, re.DOTALL):
        cells = [
            re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
            for row in re.findall(r"<tr.*?</tr>", table, re.DOTALL)
        ]
        written.append((cells[0], cells[1:]))
    found = [
        re.sub(r"<[^>]+>", "", row[place]).strip(" |")
        for heading, rows in written
        for row in rows
        if len(row) == len(heading)
        for place, column in enumerate(heading)
        if column.strip(" |") == "q"
    ]
    assert len(found) > 100
    assert [q for q in found if not re.fullmatch(r"–|&lt;0\.001|[01]\.\d{3}", q)] == []
    assert any(re.fullmatch(r"0\.\d{3}", q) for q in found)


class TestCommand:
    def test_a_pipeline(
        self, filled: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.chdir(tmp_path)
        arguments = ["report", "--source", SOURCES[0], "--measure", MEASURES[0], "--resamples", "20", "--out", "-"]
        assert main([*arguments, "--format", "json"]) == 0
        assert json.loads(capsys.readouterr().out)["parameters"]["measures"] == ["sentiment"]
        assert main([*arguments, "--format", "md"]) == 0
        assert capsys.readouterr().out.startswith("# Harms in")
        assert not list(tmp_path.iterdir())

    @pytest.mark.usefixtures("plain_pictures")
    def test_all_forms(self, filled: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        table = tmp_path / "people.csv"
        table.write_text("sentence,label\nlawyer is a kind,1\n")
        arguments = ["report", "--source", SOURCES[0], "--format", "md,html", "--figures", "none", "--no-links"]
        assert main([*arguments, "--human-csv", str(table), "--resamples", "20", "--out", str(tmp_path / "o")]) == 0
        pages = capsys.readouterr().out.split()
        assert pages == [str(tmp_path / "o" / "report.md"), str(tmp_path / "o" / "report.html")]
        assert sorted(path.name for path in (tmp_path / "o").iterdir()) == ["report.html", "report.md"]
        assert "1 of the 1 sentences that people labelled" in Path(pages[1]).read_text(encoding="utf-8")

    @pytest.mark.parametrize(
        ("arguments", "code", "says"),
        [
            (["--format", "pdf"], 2, "'pdf' is none of html, md, json"),
            (["--figures", "svg,none"], 2, "none cannot be combined with a format"),
            (["--out", "-"], 2, "--format json"),
            (["--pairs", "--compare", "a", "b"], 2, "or --pairs for all of them"),
            (["--compare", SOURCES[0], "nope"], 1, "no source of the report named 'nope'"),
            (["--human-labels", "x"], 2, "--human-csv alone"),
            (["--human-csv", "nowhere.csv"], 1, "cannot be read"),
            (["--source", "nope"], 1, "no source named 'nope'"),
            (["--measure", "nope"], 1, "no measure named 'nope' in the graph"),
        ],
    )
    def test_errors(
        self,
        filled: Graph,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
        arguments: list[str],
        code: int,
        says: str,
    ) -> None:
        monkeypatch.chdir(tmp_path)
        assert main(["report", *arguments]) == code
        assert says in capsys.readouterr().err
        assert not list(tmp_path.iterdir())


def test_each_statement_is_asked_once(filled: Graph, whole: Whole) -> None:
    """Pages, tables, figures and lists of one report share what the graph has answered."""
    assert whole.asked
    assert [(name, given, times) for (name, given), times in whole.asked.items() if times > 1] == []
    with counting() as asked:
        figure(filled, "bars", sources=SOURCES[:1], measures=MEASURES[:1], min_support=3, resamples=20)
    assert asked
    assert [(name, given, times) for (name, given), times in asked.items() if times > 1] == []
