"""The JSON Schemas of what a job prints, and of what it hands on when a threshold is exceeded."""

from __future__ import annotations

from harmgraph.common.json_schema import STAMP, Schema, document, record, several, typed
from harmgraph.graph.statement_schema import row_schema
from harmgraph.graph.statements import statement

_OF = {
    "metric": typed("string", "such as disparity.d_o_minus"),
    "target": typed("string|null", "null where it covers more than one"),
    "category": typed("string", "all, or a category of targets"),
    "source": typed("string|null", "null for all of them"),
    "measure": typed("string|null", "harm measure"),
}
_CHANGE = {
    "change": typed("float|null", "from the run before"),
    "change_percent": typed("float|null", "of the number before"),
}
_RUN = {
    "run": typed("string", "id of its Run node"),
    "state": typed("string", "done, exceeded, failed or interrupted"),
    "exit_code": typed("int", "0, 3, 1, or 128 plus the number of the signal"),
}


def run_schema() -> Schema:
    """The schema of what ``harmgraph job run --output json`` prints."""
    return document(
        "job",
        "A run of a job",
        record(
            {
                **STAMP,
                "job": "string",
                **_RUN,
                "failed_step": typed("string|null", "the first step that failed or was interrupted"),
                "message": typed("string|null", "why it is not done, in one line"),
                "seconds": "float",
                "on_exceeded": typed("string|null", "delivered, or why it failed; null if there was nothing to report"),
                "noted": typed("list<string>", "where the store is another than the audit of its file says"),
                "lists": typed("list<string>", "name@digest of each target list that its numbers are about"),
                "sources": typed("list<string>", "name@import of each source that its numbers are of"),
                "thresholds": several(_threshold()),
                "changes": several(_change(), "its numbers, with those of the run before"),
            }
        ),
    )


def event_schema() -> Schema:
    """The schema of what ``on_exceeded`` hands to a command or posts to an address."""
    return document(
        "event",
        "A threshold is exceeded",
        record(
            {
                **STAMP,
                "text": typed("string", "everything in one line, for chat services"),
                "name": typed("string", "of the job"),
                **_RUN,
                "message": typed("string", "why it is not done, in one line"),
                "host": typed("string", "name of the machine"),
                "seconds": "float",
                "thresholds": several(_threshold(), "those that are exceeded"),
            }
        ),
    )


def _threshold() -> Schema:
    return record(
        {
            "threshold": typed("string", "as the file has it"),
            "outcome": typed("string", "kept, exceeded, not measured, or other lists"),
            "numbers": typed("int", "how many it was held against"),
            "told": typed("string", "the outcome in one line"),
            "kind": typed("string|null", "drift, rise or fall; null for a level"),
            "comparison": "string|null",
            "limit": "float|null",
            "percent": typed("bool", "whether the limit is of the change in percent"),
            "beyond_chance": "bool",
            "exceeding": typed("int", "how many numbers exceed it"),
            "exceeded_by": several(_over(), "up to ten of them, the furthest first"),
        }
    )


def _over() -> Schema:
    return record(
        {
            **_OF,
            "step": "string",
            "value": "float|null",
            "low": "float|null",
            "high": "float|null",
            "n": "int|null",
            "before": "float|null",
            **_CHANGE,
            "change_low": "float|null",
            "change_high": "float|null",
            "compared": typed("float", "what was held against the limit"),
            "statements": several(row_schema(statement("job/statements")), "up to ten of those behind it"),
        }
    )


def _change() -> Schema:
    return record(
        {
            **_OF,
            "before": "float|null",
            "now": "float|null",
            **_CHANGE,
            "now_low": "float|null",
            "now_high": "float|null",
            "n": "int|null",
            "step": "string",
            "lists": "list<string>",
            "sources": "list<string>",
            "scorers": typed("list<string>|null", "measure=scorer@version of who labelled"),
            "options": typed("map", "those of its statistic that differ from the defaults"),
            "unlabelled": "int|null",
            "number_id": "string",
            "other_lists": typed("string|null", "how the target lists differ from those of the run before"),
            "other_sources": "string|null",
        }
    )
