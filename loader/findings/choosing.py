"""Which statements are handed back: those with a label, or those whose keys are in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harmgraph.common.errors import BadName, UnreadableFile
from harmgraph.common.json_text import from_json
from harmgraph.common.user_file import named_rows, read_text
from harmgraph.graph.browser.saved_queries import addressed, filled
from harmgraph.graph.browser.workbench import editing, following, store
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.targets import EVERY, check_standing
from harmgraph.graph.records import RELATIONSHIP_TYPE, normalise, relation_type
from harmgraph.graph.statements import statement
from harmgraph.loader.corrections.form import Finding

PICTURE = "explore/statement"
AT_ONCE = 10_000  # keys in a query
KEYS = ("key", "assertion", "head", "relation", "type", "tail")
COLUMNS = "key; assertion; or head, relation, tail"


@dataclass(frozen=True, slots=True)
class FindingChoice:
    """Which statements of a source are findings.

    Attributes:
        label: None for any, also none.
        min_score: least distance of the score from 0; None for any.
        target: name of a target; None for all.
        limit: how many at most, the strongest first; 0 for all.
    """

    measure: str = "sentiment"
    label: str | None = "negative"
    min_score: float | None = None
    target: str | None = None
    limit: int = 0


@dataclass(frozen=True, slots=True)
class Keys:
    """Keys of statements, as a query gives them: sentences, ids, and (head, type, tail, id or None)."""

    sentences: tuple[str, ...]
    assertions: tuple[str, ...]
    triples: tuple[tuple[str, str, str, str | None], ...]

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.sentences) + len(self.assertions) + len(self.triples)


def labelled(graph: Graph, source: str, choice: FindingChoice) -> list[Finding]:
    """The statements of a source that carry a label.

    Raises:
        NotFound: there is no such target.
    """
    target = choice.target
    if target is not None:
        target = normalise(target)
        check_standing(graph, "target", [target])
    rows = graph.rows(
        "findings/labelled",
        source=source,
        measure=choice.measure,
        label=choice.label,
        min_score=choice.min_score,
        target=target,
        limit=choice.limit or EVERY,
    )
    return _findings(graph, source, choice.measure, rows)


def chosen(graph: Graph, source: str, keys: Keys, measure: str) -> tuple[list[Finding], int]:
    """The statements of a source with these keys, and how many keys have none."""
    rows: list[Mapping[str, Any]] = []
    for some in _portions(keys.sentences):
        rows += graph.rows("findings/by_key", source=source, measure=measure, keys=some)
    for some in _portions(keys.assertions):
        rows += graph.rows("findings/by_assertion", source=source, measure=measure, assertions=some)
    names = ("head", "type", "tail", "assertion")
    for some in _portions([dict(zip(names, triple, strict=True)) for triple in keys.triples]):
        rows += graph.rows("findings/by_ends", source=source, measure=measure, rows=some)
    seen = {row["key"] for row in rows} | {row["assertion"] for row in rows}
    ends = {(row["head"], row["type"], row["tail"], given) for row in rows for given in (row["assertion"], None)}
    absent = sum(key not in seen for key in (*keys.sentences, *keys.assertions))
    absent += sum(triple not in ends for triple in keys.triples)
    distinct = {tuple(row[name] for name in ("key", *names)): row for row in rows}
    return _findings(graph, source, measure, list(distinct.values())), absent


def read_keys(path: Path) -> Keys:
    """The keys in a file: what ``harmgraph query --output csv|json`` prints, or a table separated by tabs.

    It has a column ``key`` (of a sentence), or ``assertion``, or ``head``, ``relation`` or ``type``, and ``tail``: keys of the
    ends as they stand in the graph, such as ``en/lawyer``.

    Raises:
        UnreadableFile: it cannot be read, lacks the columns, or a row has no key.
    """
    sentences: dict[str, None] = {}
    assertions: dict[str, None] = {}
    triples: dict[tuple[str, str, str, str | None], None] = {}
    for line, row in _rows(path):
        given = {str(name).strip().lower(): str(value) for name, value in row.items() if value not in (None, "")}
        name = given.get("type") or given.get("relation")
        if "head" in given and "tail" in given and name:
            try:
                kind = name if RELATIONSHIP_TYPE.fullmatch(name) else relation_type(name)
                triples[given["head"], kind, given["tail"], given.get("assertion")] = None
            except BadName as error:
                raise UnreadableFile(path, str(error), line=line) from error
        elif "assertion" in given:
            assertions[given["assertion"]] = None
        elif "key" in given:
            sentences[given["key"]] = None
        else:
            raise UnreadableFile(
                path, "a row has no key of a statement", line=line, remedy=f"name the columns {COLUMNS}"
            )
    return Keys(tuple(sentences), tuple(assertions), tuple(triples))


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    text = read_text(path).lstrip()
    if text.startswith(("[", "{")):
        try:
            rows = from_json(text)
        except ValueError as error:
            raise UnreadableFile(
                path, f"is not JSON ({str(error)[:60]})", remedy="print it with --output json"
            ) from error
        rows = rows if isinstance(rows, list) else [rows]
        for row in rows:
            if not isinstance(row, dict):
                raise UnreadableFile(path, "is not a list of rows with names", remedy="print it with --output json")
            yield 0, row
        return
    delimiter = "\t" if "\t" in text.partition("\n")[0] else ","
    for named in named_rows(path, optional=KEYS, delimiter=delimiter):
        yield named.line, named.cells


def _portions(keys: Sequence[Any]) -> Iterator[list[Any]]:
    return (list(keys[start : start + AT_ONCE]) for start in range(0, len(keys), AT_ONCE))


def _findings(graph: Graph, source: str, measure: str, rows: Sequence[Mapping[str, Any]]) -> list[Finding]:
    link = _linking(graph, source)
    findings = []
    for row in rows:
        texts = {name: row[name] or "" for name in ("head", "type", "tail", "relation", "assertion", "key", "rank")}
        said = {name: row[name] or "" for name in ("sentence", "label", "by")}
        findings.append(Finding(row["said"], **texts, **said, score=row["score"], measure=measure, link=link(texts)))
    return findings


def _linking(graph: Graph, source: str) -> Callable[[Mapping[str, str]], str]:
    """A function that gives the address of a statement in Neo4j Browser; it contains no password."""
    embedded = graph.address.embedded
    identity = store(graph) if embedded else ""

    def link(row: Mapping[str, str]) -> str:
        named = {"key": row["key"]} if row["key"] else {name: row[name] for name in ("head", "type", "tail")}
        if not row["key"]:
            named["source"] = source
        if embedded:
            return following(identity, PICTURE, named)
        return editing(graph.address, addressed(filled(statement(PICTURE), named)))

    return link
