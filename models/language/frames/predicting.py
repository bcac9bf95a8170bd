"""What a model says that the statements of a source imply: posts of a source of its own (docs/decisions/0020)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from harmgraph.common.digests import text_digest, text_number
from harmgraph.common.errors import BadRecord, InputError
from harmgraph.common.frames import VARIABLES, split_groups
from harmgraph.common.progress import progress
from harmgraph.graph import schema_setup
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.phrases import Phrases
from harmgraph.graph.records import Implication, Scalar, Statement, normalise
from harmgraph.graph.writing.import_run import ImportRun
from harmgraph.models import store
from harmgraph.models.language.frames import named_frame_model, stored
from harmgraph.models.language.frames.generative.search import CONSTRAINED, GREEDY, Search
from harmgraph.models.language.frames.posts import TRAIN, categories
from harmgraph.models.language.frames.served_frames import served_frames

if TYPE_CHECKING:
    from harmgraph.common.endpoint.options import ModelServer
    from harmgraph.graph.connection import Graph
    from harmgraph.models.language.frames.frame import Frame
    from harmgraph.models.language.frames.stored import FrameConfig

IMPORTER = "frames predict@1"
FAMILY = "frames"
PROPERTIES = ("origin", "predicted_by", "checkpoint", *(variable.name for variable in VARIABLES))
EQUAL, EMPTY, SAMPLED = "statements equal to an earlier one", "statements without text", "statements over --limit"
UNKNOWN = "groups that nobody named in its training"
NO_TARGET, UNREAD = "groups that are no targets of the graph", "statements whose answer could not be read"
BROKEN = "ends of frames after a token that cannot stand there"
UNSTORABLE = "implied statements with a character that cannot be stored"


@dataclass(frozen=True, slots=True)
class Predicted:
    """What a prediction wrote.

    Attributes:
        statements: of the source. posts: of them, those that have a frame now. offensive: of these, those that could offend.
        implications: pairs of a post and a group. targets: of these.
        left_out: what was not written, by reason.
        again: whether the same stood already.
    """

    statements: int
    posts: int
    offensive: int
    implications: int
    targets: int
    left_out: Mapping[str, int]
    again: bool = False

    def facts(self) -> dict[str, Any]:
        """The record by column."""
        return asdict(self) | {"left_out": "; ".join(f"{count:,} {why}" for why, count in self.left_out.items())}


def default_name(source: str) -> str:
    """The source that the frames of another one are written into."""
    return f"{source}-frames"


def predict_into(
    graph: Graph,
    name: str,
    source: str,
    into: str,
    search: Search,
    *,
    limit: int | None = None,
    device: str = "auto",
    threads: int = 0,
) -> Predicted:
    """Writes the frames of the statements of a source, its triples as sentences and its sentences, into a source of their own.

    Each is a ``Post`` with the text, the variables as 0 or 1, its source as ``origin``, and the model with the digest of its
    weights. A group becomes a target as in a load of SBIC, if annotators named it in the training; others are counted.

    Args:
        limit: statements at most, chosen by a hash of their text; None for all.

    Raises:
        as ``named_frame_model.predicted``, and NotFound: no such source.
        InputError: it has no statement, or the graph has a model of another kind by this name.
        BadName: ``into`` was loaded from files.
        Busy: another command is changing the graph.
    """
    known = stored.finished(name)
    schema_setup.apply(graph)
    sources.replaceable(graph, into, IMPORTER)
    store.check_name(graph, name, FAMILY)
    _check_into(source, into)
    facts = sources.facts(graph, source)
    texts, left_out = _texts(graph, source, limit)
    frames = named_frame_model.predicted(name, texts, search, device=device, threads=threads)
    groups = categories(named_frame_model.parts_of(name)[TRAIN])
    said = _Said(name, known.sha256, {**search.facts()}, dict(zip(texts, frames, strict=True)), groups, UNKNOWN)
    return _write(graph, said, source, into, limit, facts, left_out, known)


def predict_from(
    graph: Graph, served: ModelServer, name: str, source: str, into: str, search: Search, *, limit: int | None = None
) -> Predicted:
    """As ``predict_into``, by the model of a server. A group becomes a target if it is one of the graph already.

    The posts have no ``checkpoint``, and the graph no node of the model: what stands in the source's options, says the server.

    Raises:
        as ``served_frames``, ``predict_into``, and InputError: no server decodes so.
    """
    if search.way not in (GREEDY, CONSTRAINED):
        raise InputError(f"a server has no --decoding {search.way}", remedy="leave --decoding out")
    schema_setup.apply(graph)
    sources.replaceable(graph, into, IMPORTER)
    _check_into(source, into)
    facts = sources.facts(graph, source)
    texts, left_out = _texts(graph, source, limit)
    answered = served_frames(served, name, texts, consistent=search.way == CONSTRAINED)
    frames = {text: frame for text, frame in zip(texts, answered.frames, strict=True) if frame}
    left_out[UNREAD] = len(texts) - len(frames)
    model = answered.model
    options = {"server": model.server, **search.facts()}
    said = _Said(model.name, "", options, frames, _targets(graph), NO_TARGET)
    return _write(graph, said, source, into, limit, facts, left_out, None)


@dataclass(frozen=True, slots=True)
class _Said:
    """What a model said.

    Attributes:
        checkpoint: digest of its weights; empty where nobody knows it.
        options: how it was asked. frames: by text.
        groups: name and category of those that can be targets, by name in lower case.
        unknown: why other groups are left out.
    """

    name: str
    checkpoint: str
    options: Mapping[str, Any]
    frames: Mapping[str, Frame]
    groups: Mapping[str, tuple[str, str]]
    unknown: str


def _check_into(source: str, into: str) -> None:
    if into == source:
        raise InputError("cannot hold its own frames", where=into, remedy="choose another --into")


def _targets(graph: Graph) -> dict[str, tuple[str, str]]:
    rows = graph.rows("explore/targets", limit=2**31)
    return {name.lower(): (row["target"], row["category"]) for row in rows for name in (*row["aliases"], row["target"])}


def _write(
    graph: Graph,
    said: _Said,
    source: str,
    into: str,
    limit: int | None,
    facts: Mapping[str, Any],
    left_out: Counter[str],
    known: FrameConfig | None,
) -> Predicted:
    records = [_record(text, frame, said, source, left_out) for text, frame in said.frames.items()]
    left_out[BROKEN] = sum(not frame.whole for frame in said.frames.values())
    unread = left_out[UNREAD]
    left = {why: count for why, count in left_out.items() if count}
    options = {"model": said.name, "checkpoint": said.checkpoint, **said.options, "source": source, "limit": limit}
    content = json.dumps([options, [repr(record) for record in records]])
    identity = text_digest(content, 8)
    with graph.holding(f"predict frames {into}"):
        before = sources.replaceable(graph, into, IMPORTER)
        again = before is not None and (before.get("state"), before.get("import_id")) == ("complete", identity)
        mark, own = sources.derived(graph, into, identity, facts, importer=IMPORTER, options=options)
        if known:
            store.register(graph, said.name, FAMILY, known.sha256, folders=stored.FOLDERS)
        with ImportRun(graph, mark, own, properties=PROPERTIES) as run:
            for number, record in enumerate(records):
                run.add(record)
                progress(f"writing {into}", number, len(records))
            run.complete({"records": len(records), **left}, {}, triples=False)
        if known:
            graph.write("language/generated_by", source=into, model=said.name, checkpoint=known.sha256)
    implied = [made for record in records for made in record.implies or ()]
    return Predicted(
        len(records) + unread + sum(left_out[why] for why in (EQUAL, EMPTY, SAMPLED)),
        len(records),
        sum(record.properties.get("offensive") == 1.0 for record in records),
        len(implied),
        len({normalise(made.group) for made in implied}),
        left,
        again,
    )


def _texts(graph: Graph, source: str, limit: int | None) -> tuple[list[str], Counter[str]]:
    """The statements of a source as sentences, each once."""
    progress(f"reading {source}", 0)
    phrases = Phrases.read(graph)
    texts = [
        f"{row['head']} {phrases.of_relation(row['relation'])} {row['tail']}"
        for row in graph.rows("language/triples", source=source)
    ]
    texts += [row["text"] for row in graph.rows("language/statements", source=source)]
    full = [text for text in texts if text.strip()]
    distinct = sorted(set(full))
    if not distinct:
        raise InputError("has no statement with a text", where=source, remedy="choose another --source")
    chosen = distinct
    if limit is not None and limit < len(distinct):
        chosen = sorted(sorted(distinct, key=text_number)[:limit])
    counts = {EMPTY: len(texts) - len(full), EQUAL: len(full) - len(distinct), SAMPLED: len(distinct) - len(chosen)}
    return chosen, Counter(counts)


def _record(text: str, frame: Frame, said: _Said, source: str, left_out: Counter[str]) -> Statement:
    named = split_groups(frame.group)
    standing = [said.groups[group.lower()] for group in named if group.lower() in said.groups]
    left_out[said.unknown] += len(named) - len(standing)
    properties: dict[str, Scalar] = {"origin": source, "predicted_by": said.name}
    if said.checkpoint:
        properties["checkpoint"] = said.checkpoint
    for variable, value in zip(VARIABLES, frame.values, strict=True):
        if value is not None:
            properties[variable.name] = value
    try:
        implies = tuple(Implication(group, category, frame.implied) for group, category in standing)
    except BadRecord:  # some models can say a NUL
        left_out[UNSTORABLE] += len(standing)
        implies = ()
    return Statement(text, properties=properties, implies=implies)
