"""One tool a statistic: its header is the schema of its arguments and the meaning of its columns."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from harmgraph.analytics.assistant.answer import (
    NO_LABELS,
    NOTICE,
    TELL,
    Labels,
    Limits,
    about,
    fitted,
    intervals,
)
from harmgraph.analytics.assistant.quoting import quoted_row
from harmgraph.analytics.assistant.tool import Answer, AssistantTool, bounded
from harmgraph.analytics.statistics.computed_statistic import Computed, computed
from harmgraph.analytics.statistics.parameter_schema import parameter_schema
from harmgraph.analytics.statistics.statistic import Statistic, every_statistic
from harmgraph.analytics.statistics.table import records
from harmgraph.common.target_lists import PARAMETER as LISTS
from harmgraph.common.target_lists import sources_of
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import normalise

if TYPE_CHECKING:
    import pandas

OF_PYTHON = ("resamples", "seed", "pooled")
"""What a statistic takes besides the parameters of its statement."""
LONG = 300
"""Characters of an argument that an answer repeats."""
FEW = 10
"""Rates of fewer statements say little; an answer that has some says so."""
SUPPORT = "the pairs of a statement and a target under labels; a row is not a rate"
POSTS = "people who annotated the posts, or a model of frames: see the sources"


def statistic_tools(limits: Limits) -> Iterator[AssistantTool]:
    """The tools of all statistics, by name."""
    members: list[Statistic | Computed] = sorted([*every_statistic(), *computed], key=lambda each: each.name)
    for member in members:
        title, text, cites = _words(member)
        yield AssistantTool(
            name=member.name,
            title=title,
            description=f"{title}. {text} Source: {cites}." if cites else f"{title}. {text}",
            schema=bounded(parameter_schema(member.name), limits),
            run=partial(_answer, member),
        )


def catalogue() -> list[dict[str, Any]]:
    """All statistics: what each gives, its columns, and whom to cite."""
    members: list[Statistic | Computed] = sorted([*every_statistic(), *computed], key=lambda each: each.name)
    rows = []
    for member in members:
        title, text, cites = _words(member)
        columns = {each.name: each.meaning for each in member.columns} if isinstance(member, Statistic) else {}
        rows.append(
            {"statistic": member.name, "group": member.group, "title": title, "what": text, "cites": cites}
            | ({"columns": columns} if columns else {})
        )
    return rows


def _words(member: Statistic | Computed) -> tuple[str, str, str]:
    """Title, description and publications of a statistic."""
    if isinstance(member, Statistic):
        return member.statement.title, member.statement.description, "; ".join(member.statement.cites)
    text = " ".join(inspect.cleandoc(member.command.help or "").partition("\n\n")[2].partition("\n\n")[0].split())
    return member.command.short_help or member.command.get_short_help_str(100).rstrip("."), text, member.cites


def _answer(
    member: Statistic | Computed, graph: Graph, arguments: dict[str, Any], labels: Labels, limits: Limits
) -> Answer:
    most = arguments.pop("max_rows", limits.rows)
    targets = arguments.pop("targets", ())
    if arguments.get("target"):
        arguments["target"] = normalise(arguments["target"])
    title, _, cites = _words(member)
    with graph.about(targets):
        sources = tuple(
            dict.fromkeys((*sources_of(arguments), *([arguments["first"]] if "first" in arguments else [])))
        )
        if isinstance(member, Statistic):
            frame = _computed(member, graph, arguments)
            asked = member.statement.arguments(_of_statement(arguments))
            asked.pop(LISTS, None)
            measures = member.measures_of(asked)
            meanings = {each.name: each.meaning for each in member.columns}
        else:
            frame = member.frame(graph, **arguments)
            asked, meanings = dict(arguments), {}
            takes = parameter_schema(member.name)["properties"]
            measures = (arguments.get("measure", "sentiment"),) if "measure" in takes else ()
        scope = {name: asked.get(name) for name in ("category", "target")}
        known: list[dict[str, Any]] | str = [
            each for source in sources or (None,) for each in labels.of(graph, measures, source, **scope)
        ]
        subject = about(graph, sources)
    if not measures:
        known = POSTS if member.group == "frames" else NO_LABELS
    rows = records(frame)
    columns = list(frame.columns)
    facts = {
        "notice": f"{NOTICE} {TELL}",
        "statistic": member.name,
        "what": title,
        "cites": cites,
        "asked": _asked({**asked, **arguments}),
        "about": subject,
        "labels": known,
        "support": {name: meanings.get(name, name) for name in _counts(frame)} or SUPPORT,
        "intervals": intervals(columns, _numbers(frame)),
        "columns": {name: meanings[name] for name in columns if name in meanings and name not in _counts(frame)},
        "remarks": _remarks(rows, known),
    }
    return fitted(facts, rows, most=most, tokens=limits.tokens)


def _asked(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments; of a long one, such as a list of stop words, only how long it is."""
    short = quoted_row({name: value for name, value in arguments.items() if len(str(value)) < LONG})
    return {
        name: short[name]
        if name in short
        else f"not repeated: {len(value):,} {'items' if isinstance(value, list | tuple | dict) else 'characters'}"
        for name, value in arguments.items()
    }


def _of_statement(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if name not in OF_PYTHON}


def _computed(member: Statistic, graph: Graph, arguments: dict[str, Any]) -> pandas.DataFrame:
    """The frame. Nothing labelled is an error, as on the command line."""
    from harmgraph.analytics.statistics.unlabelled import unlabelled

    frame = member(graph, **arguments)
    for part in unlabelled(member, graph, records(frame), _of_statement(arguments)):
        part.check(None)
    return frame


def _counts(frame: pandas.DataFrame) -> list[str]:
    """The columns that count something."""
    return [name for name in frame.columns if str(frame[name].dtype).lower().startswith("int")]


def _numbers(frame: pandas.DataFrame) -> list[str]:
    """The columns of other numbers."""
    return [name for name in frame.columns if str(frame[name].dtype).startswith("float")]


def _remarks(rows: Sequence[Mapping[str, Any]], known: list[dict[str, Any]] | str) -> list[str]:
    remarks = []
    few = sum(1 for row in rows if isinstance(row.get("n"), int) and row["n"] < FEW)
    if few:
        remarks.append(f"{few:,} of {len(rows):,} rows are of fewer than {FEW} statements: their rates say little")
    if not rows:
        remarks.append("no row: nothing matches, or nothing that matches has enough statements")
    for each in known if isinstance(known, list) else ():
        if each["unlabelled"]:
            remarks.append(
                f"{each['unlabelled']:,} of {each['pairs']:,} pairs have no label of {each['measure']}: they are in n, "
                "and neither positive nor negative"
            )
        if len(each["scorers"]) > 1:
            remarks.append(f"several scorers set the labels of {each['measure']}: their numbers are not comparable")
    return remarks
