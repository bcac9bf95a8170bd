"""The report about the harms of one or more sources in the graph, as a page, as Markdown or as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from harmgraph.analytics.drawing.numbers import Numbers, Pairs, chosen_measures, chosen_pairs, chosen_sources
from harmgraph.analytics.drawing.renderer import render_figure, render_narrow
from harmgraph.analytics.labelling.ratings import Ratings
from harmgraph.analytics.report.compact_svg import compact
from harmgraph.analytics.report.content import Content, Measured, ReportPicture, SourceSection, content
from harmgraph.analytics.report.croissant import croissant as croissant_file
from harmgraph.analytics.report.croissant import into, one_source, read_croissant
from harmgraph.common.clean_text import clean
from harmgraph.common.plotting.canvas import rendered
from harmgraph.common.progress import progress
from harmgraph.common.whole_file import check_place, write_whole
from harmgraph.graph.connection import Graph

FILES = {
    "html": "report.html",
    "md": "report.md",
    "json": "report.json",
    "card": "card.md",
    "croissant": "croissant.json",
}
"""The file of each form."""
FORMATS = tuple(FILES)
FIGURES = "figures"
REMEDY = "choose another folder with --out"


def write_report(
    graph: Graph,
    sources: Sequence[str],
    out: Path,
    *,
    measures: Sequence[str] = (),
    formats: Sequence[str] = ("html",),
    figures: Sequence[str] = ("svg",),
    min_support: int = 10,
    resamples: int = 2_000,
    seed: int = 0,
    ratings: Ratings | None = None,
    pairs: Pairs = (),
    links: bool = True,
    croissant: Path | None = None,
) -> tuple[Path, ...]:
    """Writes ``report.html``, ``report.md`` and others of ``FILES`` into a folder, and the figures beside it.

    Args:
        sources: names of the sources, in the order of their sections; empty for every source with statements.
        measures: harm measures; empty for all that label a statement of the sources.
        formats: some of ``FORMATS``.
        figures: file formats of the figures, some of svg, png, pdf; empty for no files. The page contains its figures.
        min_support: fewest statements for a target to be shown by name.
        ratings: people's labels, to compare with.
        pairs: pairs of the sources to compare, or ``every``; if empty, two sources are compared and more are not.
        links: whether targets link to Neo4j Browser; the links contain the address of the server.
        croissant: an existing Croissant file, which gets what the form ``croissant`` says; None for a new file in the folder.

    Returns:
        The reports, in the order of ``formats``.

    Raises:
        NotFound: there is no source of that name, or a pair names a source that is not in the report.
        InputError: the load of a source was not finished, its statements have no label of a measure, or a folder is in the
            place of a report. Or a Croissant file is asked of several sources, or the existing one is none.
        UnreadableFile: the existing Croissant file cannot be read.
        NoSpace: the folder cannot be written.
    """
    places = {form: out / FILES[form] for form in formats}
    if croissant and "croissant" in places:
        read_croissant(croissant)  # before anything is computed
        places["croissant"] = croissant
    for place in places.values():
        check_place(place)
    if "croissant" in places:
        one_source(chosen_sources(graph, sources))
    report = make(
        graph,
        sources,
        measures=measures,
        min_support=min_support,
        resamples=resamples,
        seed=seed,
        ratings=ratings,
        pairs=pairs,
        links=links,
    )
    report = with_figures(report, out, figures, page="html" in formats)
    for form, place in places.items():
        written = into(report, croissant) if form == "croissant" and croissant else text(report, form)
        write_whole(place, written.encode(), remedy=REMEDY)
    return tuple(places.values())


def make(
    graph: Graph,
    sources: Sequence[str],
    *,
    measures: Sequence[str] = (),
    min_support: int = 10,
    resamples: int = 2_000,
    seed: int = 0,
    ratings: Ratings | None = None,
    pairs: Pairs = (),
    links: bool = True,
) -> Content:
    """Reads the content of a report from the graph; see ``write_report`` for the arguments."""
    numbers = Numbers(graph, min_support=min_support, resamples=resamples, seed=seed, ratings=ratings)
    chosen = chosen_sources(numbers.graph, sources)
    compared = chosen_pairs(chosen, pairs)
    named = chosen_measures(numbers, chosen, measures)
    return content(numbers, chosen, named, pairs=compared, links=links)


def text(report: Content, form: str) -> str:
    """The report in one of ``FORMATS``, clean."""
    from harmgraph.analytics.report.card import card
    from harmgraph.analytics.report.html import html
    from harmgraph.analytics.report.json_form import as_json
    from harmgraph.analytics.report.markdown import markdown

    forms: Mapping[str, Callable[[Content], str]] = {
        "html": html,
        "md": markdown,
        "json": as_json,
        "card": card,
        "croissant": croissant_file,
    }
    return clean(forms[form](report))


def with_figures(report: Content, out: Path, kinds: Sequence[str], *, page: bool) -> Content:
    """Draws the pictures, writes their files and returns the report with them.

    Args:
        kinds: file formats to write.
        page: whether the report itself contains the pictures too.
    """
    if not kinds and not page:
        return report
    total, done = sum(1 for _ in report.pictures()), 0

    def draw(picture: ReportPicture) -> ReportPicture:
        nonlocal done
        done += 1
        progress("drawing", done, total)
        if picture.lack:
            return picture
        figure = render_figure(picture.drawing, report.numbers, picture.subject)
        files, svg = [], b""
        for kind in dict.fromkeys([*kinds, *(["svg"] if page else [])]):
            data = rendered(figure, kind, title=picture.heading, alt=picture.alt)
            svg = data if kind == "svg" else svg
            if kind in kinds:
                files.append(f"{FIGURES}/{picture.file}.{kind}")
                write_whole(out / FIGURES / f"{picture.file}.{kind}", data, remedy=REMEDY)
        if not page:
            return replace(picture, files=tuple(files))
        phone = render_narrow(picture.drawing, report.numbers, picture.subject)
        narrow = compact(rendered(phone, "svg")) if phone else b""  # the other picture has title and description
        return replace(picture, files=tuple(files), svg=compact(svg), narrow=narrow)

    def draw_measured(measured: Measured) -> Measured:
        return replace(measured, pictures=[draw(picture) for picture in measured.pictures])

    def draw_section(section: SourceSection) -> SourceSection:
        return replace(
            section,
            pictures=[draw(picture) for picture in section.pictures],
            measures=[draw_measured(measured) for measured in section.measures],
        )

    return replace(
        report,
        overview=[draw(picture) for picture in report.overview],
        sources=[draw_section(section) for section in report.sources],
        after=[draw(picture) for picture in report.after],
    )
