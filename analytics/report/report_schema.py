"""The JSON Schema of the report as JSON: the rows of statistics by their headers, and the rest as docs/report.md says."""

from __future__ import annotations

from harmgraph.analytics.statistics.statistic import statistic
from harmgraph.analytics.statistics.statistic_schema import row_schema
from harmgraph.common.json_schema import STAMP, Schema, document, or_null, record, several, typed
from harmgraph.graph.statement_schema import row_schema as row_of
from harmgraph.graph.statements import statement

NAMES = typed("list<string>")


def report_schema() -> Schema:
    """The schema of what ``harmgraph report --format json`` writes."""
    return document(
        "report",
        "The report as JSON",
        record(
            {
                **STAMP,
                "written": typed("string", "when, UTC"),
                "warning": typed("string", "that offensive statements are quoted"),
                "parameters": record(
                    {
                        "min_support": "int",
                        "resamples": "int",
                        "seed": "int",
                        "level": typed("float", "of the intervals"),
                        "measures": NAMES,
                    }
                ),
                "sources": several(_source()),
                "comparisons": several(
                    record({"source": "string", "other": "string", "measure": "string", "targets": _rows("compare")})
                ),
                "agreement": several(_agreement(), "of each source and measure, where people's labels are given"),
                "history": several(row_of(statement("measure/history")), "saved numbers of whole sources"),
                "figures": several(_figure()),
            }
        ),
    )


def _rows(name: str) -> Schema:
    return several(row_schema(statistic(name)), f"rows of the statistic {name}")


def _source() -> Schema:
    facts = ("importer", "version", "licence", "url", "import_id")
    return record(
        {
            "name": "string",
            **dict.fromkeys(facts, "string|null"),
            "files": "list<string>|null",
            "sha256": "list<string>|null",
            "lists": several(
                record({"name": "string", "of": "string", "targets": "int", "digest": "string"}),
                "the target lists that its numbers are about",
            ),
            "counts": typed("map|null", "of the load"),
            "representation": _rows("representation"),
            "measures": several(_measure()),
            "targets_without_statements": NAMES,
            "targets_listed": typed("int", "how many targets the lists have"),
        }
    )


def _measure() -> Schema:
    targets = row_schema(statistic("overgeneralization"))
    added = {"region": typed("string|null", "null below the support"), "link": typed("string", "empty without links")}
    beyond = record({"targets": typed("int", "beyond chance"), "tested": typed("int", "of so many")})
    return record(
        {
            "measure": "string",
            "scorers": typed("list<string>", "who set the labels"),
            "statements": typed("int", "about targets"),
            "pairs": typed("int", "of a statement and a target"),
            "unlabelled": typed("int", "statements about targets without a label"),
            "labels": several(record({"label": "string|null", "scorer": "string|null", "statements": "int"})),
            "disparity": _rows("disparity"),
            "neutral": _rows("neutral"),
            "categories": _rows("categories"),
            "targets": several(record({**targets["properties"], **added}, optional=_optional(targets))),
            "beyond_chance": record({"o_plus": beyond, "o_minus": beyond}),
            "examples": several(
                record({"target": "string", "label": "string", "score": "float|null", "statement": "string"})
            ),
            "since": or_null(_since()),
        }
    )


def _since() -> Schema:
    number: dict[str, Schema | str] = {
        "metric": "string",
        "target": typed("string|null", "null of all targets"),
        "before": "float",
        "now": "float",
        "n_before": typed("int|null", "what the number before rests on"),
        "n_now": typed("int|null", "what the number now rests on"),
        "change": "float",
        "interval": typed("list<float>", "of the change, at 95 %"),
        "q": "float",
        "came": typed("list<string>", "statements that the newest import brought"),
        "went": typed("list<string>", "statements that it took away"),
        "more": typed("list<int>", "how many further ones of each"),
    }
    return record(
        {
            "at": typed("string", "when the earlier run began, UTC"),
            "compared": typed("int", "numbers"),
            "differs": typed("string", "what else differs; empty where nothing does"),
            "beyond": several(record(number), "that changed beyond chance"),
        },
        meaning="null if no earlier run is saved",
    )


def _optional(schema: Schema) -> set[str]:
    return {*schema["properties"]} - {*schema["required"]}


def _agreement() -> Schema:
    return record(
        {
            "source": "string",
            "measure": "string",
            "sentences_given": "int",
            "sentences": typed("int", "of them in the graph"),
            "labels": "int",
            "ties": "int",
            "confusion": or_null(typed("list<list<int>>", "people in rows, the scorer in columns")),
            "values": "map<float|null>",
            "intervals": "map<list<float>|null>",
        }
    )


def _figure() -> Schema:
    names = dict.fromkeys(("name", "title", "paper", "alt"), "string")
    return record(
        {
            **names,
            "sources": NAMES,
            "measures": NAMES,
            "lacks": typed("string", "why there is none; empty if there is"),
            "files": NAMES,
        }
    )
