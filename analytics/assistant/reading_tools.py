"""The tools that are no statistic: what is loaded, the targets, a summary of the report, a statement of the assistant's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from harmgraph.analytics.assistant.answer import (
    NOTICE,
    TELL,
    Labels,
    Limits,
    about,
    every_label,
    fitted,
)
from harmgraph.analytics.assistant.quoting import quoted_values
from harmgraph.analytics.assistant.tool import MOST_TEXT, Answer, AssistantTool, bounded
from harmgraph.analytics.drawing.drawing import labelled
from harmgraph.analytics.drawing.numbers import Numbers, chosen_measures, chosen_sources
from harmgraph.analytics.statistics.chance import is_beyond
from harmgraph.common.intervals import LEVEL
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.sources import every
from harmgraph.graph.contents.targets import EVERY, check_standing
from harmgraph.graph.guarded_read import guarded_rows

FACTS = ("importer", "version", "licence", "url", "state", "imported_at", "import_id", "generation")
"""What is told of a source besides its name and counts."""
RATES = ("o_plus", "o_minus")
WORST = 5
SUPPORT = 10
OWN = (
    "These numbers have no interval and no test: say so. A statistic has both: use its tool where there is one, and name the "
    "scorer of every label that you count."
)


def reading_tools(limits: Limits) -> Iterator[AssistantTool]:
    """The tools, by name."""
    yield AssistantTool(
        name="cypher_read",
        title="A Cypher statement of your own, which only reads",
        description=(
            "Runs one Cypher statement of yours on the graph. It is refused unless EXPLAIN says that it only reads; "
            f"it is ended after {limits.seconds:g} seconds, and rows are limited. Read the resource harmgraph://schema first. "
            "Give values as parameters. The numbers have no interval: for shares and comparisons use the statistics."
        ),
        schema=_object(
            limits,
            {
                "statement": {
                    "type": "string",
                    "maxLength": MOST_TEXT,
                    "description": "the statement, such as MATCH ... RETURN",
                },
                "parameters": {"type": "object", "default": {}, "description": "values of its $parameters"},
            },
            "statement",
        ),
        run=_cypher_read,
    )
    yield AssistantTool(
        name="report_summary",
        title="The report in short",
        description=(
            "The first thing to ask about a source: who labelled it, how unequal it is (D_R, D_O+, D_O-), how many targets "
            "differ beyond chance, and the targets with the surest prejudice (O-) and favouritism (O+), each with its interval."
        ),
        schema=_object(
            limits,
            {
                "source": {"type": ["string", "null"], "default": None, "description": "one source; all unless given"},
                "measure": {
                    "type": ["string", "null"],
                    "default": None,
                    "description": "one measure; all unless given",
                },
                "min_support": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 10**9,
                    "default": SUPPORT,
                    "description": "fewest statements for a target to be named",
                },
            },
        ),
        run=_report_summary,
    )
    yield AssistantTool(
        name="sources",
        title="What is loaded",
        description="The knowledge bases and texts in the graph, with version, licence, counts, and who labelled them.",
        schema=_object(limits, {}),
        run=_sources,
    )
    yield AssistantTool(
        name="targets",
        title="The groups that can be harmed",
        description="The targets of the graph with categories and aliases, and how many concepts and sentences name each.",
        schema=_object(
            limits,
            {
                "category": {
                    "type": ["string", "null"],
                    "default": None,
                    "description": "one category; all unless given",
                }
            },
        ),
        run=_targets,
    )


def source_rows(graph: Graph) -> list[dict[str, Any]]:
    """The sources with what is known of each; files by their names alone, without the folders of this machine."""
    rows = []
    for facts in every(graph):
        counts = {name: value for name, value in (facts.get("counts") or {}).items() if isinstance(value, int)}
        files = [PurePath(str(name)).name for name in facts.get("files") or ()]
        rows.append(
            {"source": facts["name"], "files": files, "counts": counts}
            | {name: facts[name] for name in FACTS if facts.get(name) not in (None, "")}
        )
    return rows


def _object(limits: Limits, properties: Mapping[str, Any], *required: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}
    return bounded(schema, limits)


def _facts(tool: str, what: str, graph: Graph, labels: Labels, *remarks: str) -> dict[str, Any]:
    return {
        "notice": f"{NOTICE} {TELL}",
        "tool": tool,
        "what": what,
        "labels": every_label(graph, labels),
        "remarks": list(remarks),
    }


def _cypher_read(graph: Graph, arguments: dict[str, Any], labels: Labels, limits: Limits) -> Answer:
    most = arguments.get("max_rows", limits.rows)
    found = guarded_rows(
        graph, arguments["statement"], arguments.get("parameters") or {}, seconds=limits.seconds, most=most
    )
    rows = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
    facts = _facts("cypher_read", "the rows of a statement of your own", graph, labels, OWN)
    answer = fitted(facts, rows, most=most, tokens=limits.tokens, mark=quoted_values)
    if found.more:
        answer["rows_in_all"] = f"more than {most:,}"
        answer["left_out_because"] = f"max_rows is {most:,}; add ORDER BY and LIMIT, or count in the statement"
    return answer


def _report_summary(graph: Graph, arguments: dict[str, Any], labels: Labels, limits: Limits) -> Answer:
    numbers = Numbers(graph, min_support=arguments.get("min_support", SUPPORT))
    source, measure = arguments.get("source"), arguments.get("measure")
    names = chosen_sources(numbers.graph, [source] if source else [])
    measures = chosen_measures(numbers, names, [measure] if measure else [])
    rows = [_summary(numbers, name, each) for name in names for each in labelled(numbers, name, measures)]
    facts = _facts("report_summary", "the report in short: one row a source and measure", graph, labels)
    facts |= {
        "labels": [each for name in names for each in labels.of(graph, measures, name)],
        "about": about(graph, names),
        "support": {"statements": "about targets, each once", "n": "statements about a target"},
        "intervals": {"percent": round(100 * LEVEL), "ends": "x_low and x_high of each x", "without": []},
        "columns": {
            "disparity": "variances over the targets: d_r of n, d_o_plus of O+, d_o_minus of O-, with bootstrap intervals",
            "beyond_chance": "targets that differ from the others of their category (q at most 0.05), of those tested",
            "surest_prejudice": "targets by the lower ends of the intervals of O- (percent of n that is negative)",
            "surest_favouritism": "targets by the lower ends of the intervals of O+ (percent of n that is positive)",
        },
        "cites": "Mehrabi et al. 2021, equations 1 to 4; Wilson 1927; Benjamini and Hochberg 1995",
    }
    return fitted(facts, rows, most=arguments.get("max_rows", limits.rows), tokens=limits.tokens)


def _summary(numbers: Numbers, source: str, measure: str) -> dict[str, Any]:
    targets = numbers.targets(source, measure)
    enough = [row for row in targets if row["n"] >= numbers.min_support]
    counted = numbers.labels(source, measure)
    disparity = next(
        (row for row in numbers.rows("disparity", source=source, measure=measure) if row["category"] == "all"), {}
    )
    covered = numbers.rows("coverage", source=source)
    return {
        "source": source,
        "measure": measure,
        "statements": sum(row["statements"] for row in counted),
        "unlabelled": sum(row["statements"] for row in counted if row["label"] is None),
        "targets": len(targets),
        "targets_with_enough": len(enough),
        "targets_never_mentioned": sum(1 for row in covered if not row["statements"]),
        "disparity": {name: value for name, value in disparity.items() if name.startswith("d_")},
        "beyond_chance": {
            rate: {
                "targets": sum(is_beyond(row[f"{rate}_q"]) for row in targets),
                "tested": sum(row[f"{rate}_q"] is not None for row in targets),
            }
            for rate in RATES
        },
        "surest_prejudice": _surest(enough, "o_minus"),
        "surest_favouritism": _surest(enough, "o_plus"),
    }


def _surest(rows: Sequence[Mapping[str, Any]], rate: str) -> list[dict[str, Any]]:
    ranked = sorted((row for row in rows if row[rate]), key=lambda row: (-row[f"{rate}_low"], row["target"]))
    columns = ("target", "category", "n", rate, f"{rate}_low", f"{rate}_high", f"{rate}_q")
    return [{name: row[name] for name in columns} for row in ranked[:WORST]]


def _sources(graph: Graph, arguments: dict[str, Any], labels: Labels, limits: Limits) -> Answer:
    facts = _facts("sources", "what is loaded", graph, labels)
    return fitted(facts, source_rows(graph), most=arguments.get("max_rows", limits.rows), tokens=limits.tokens)


def _targets(graph: Graph, arguments: dict[str, Any], labels: Labels, limits: Limits) -> Answer:
    category = arguments.get("category")
    if category is not None:
        check_standing(graph, "category", [category])
    facts = _facts("targets", "the groups that can be harmed", graph, labels) | {"about": about(graph, ())}
    rows = graph.rows("explore/targets", category=category, limit=EVERY)
    return fitted(facts, rows, most=arguments.get("max_rows", limits.rows), tokens=limits.tokens)
