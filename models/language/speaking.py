"""What a model says: of the targets of the graph as statements of a source, or after prompts of a file as lines of another."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harmgraph.common.digests import text_digest
from harmgraph.common.errors import BadRecord, InputError, UnknownMember, UnreadableFile
from harmgraph.common.json_text import from_json
from harmgraph.common.progress import progress
from harmgraph.common.user_file import read_lines
from harmgraph.common.whole_file import written
from harmgraph.graph import schema_setup
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.phrases import Phrases
from harmgraph.graph.records import Statement, normalise, relation_type
from harmgraph.graph.writing.import_run import ImportRun
from harmgraph.models import store
from harmgraph.models.language import trained
from harmgraph.models.language.corpus import prompt_of
from harmgraph.models.language.decoding import Continuation, Decoding
from harmgraph.models.language.named_language_model import ready, register
from harmgraph.models.language.recipe import COMET
from harmgraph.models.language.sequences import end_of, prompt_ids
from harmgraph.models.processor import device_of, torch_threads

if TYPE_CHECKING:
    from harmgraph.graph.connection import Graph
    from harmgraph.models.language.generation import KeptBatches
    from harmgraph.models.language.trained import LanguageConfig

IMPORTER = "language generate@1"
ALL = "all"
FULL = "fp32"
ENGLISH = "en"
"""The language that the prompts are in."""
PROPERTIES = ("head", "relation", "tail", "rank", "log_probability")
UNSTORABLE = "with a character that cannot be stored"


@dataclass(frozen=True, slots=True)
class Speaker:
    """A model and how it speaks: what must be known to repeat what it said.

    Attributes:
        model: name, folder or hub id. checkpoint: SHA-256 of its weights. began_as: see ``trained.LanguageConfig``.
        decoding: how tokens are chosen.
    """

    model: str
    checkpoint: str
    decoding: Decoding

    def facts(self) -> dict[str, Any]:
        """The record as JSON."""
        return {"model": self.model, "checkpoint": self.checkpoint, **self.decoding.facts()}


@dataclass(frozen=True, slots=True)
class Spoken:
    """What a generation wrote.

    Attributes:
        asked: prompts. distinct: of them, how many differ.
        said: continuations. kept: those that were written. left_out: the others, by reason.
        again: whether the same stood already.
    """

    asked: int
    distinct: int
    said: int
    kept: int
    left_out: Mapping[str, int]
    again: bool = False

    def facts(self) -> dict[str, Any]:
        """The record by column."""
        return asdict(self) | {
            "left_out": "; ".join(f"{count:,} {why}" for why, count in self.left_out.items() if count)
        }


def continued(
    name: str,
    prompts: Sequence[str],
    decoding: Decoding,
    *,
    places: Sequence[str] | None = None,
    kept: Callable[[Mapping[str, Any]], KeptBatches] | None = None,
    precision: str = FULL,
    device: str = "auto",
    threads: int = 0,
) -> tuple[Speaker, list[list[tuple[str, Continuation]]]]:
    """What a model says after each prompt, as texts, with what must be known to repeat it.

    Args:
        places: see ``generation.generated``.
        kept: gives the batches that are kept of a generation with these facts.
        precision: ``fp32``, or ``bf16`` for weights and states of 16 bits.
        threads: CPU threads; 0 for torch's.

    Raises:
        InputError: no such model, its training is not finished, or a prompt leaves no room.
        UnreadableFile: a file of the model is damaged.
        BadName: there is no such device.
    """
    import torch

    from harmgraph.models.language.generation import ROWS, generated

    known = ready(name)
    model, tokenizer = trained.loaded(name)
    trained.move(model, device_of(device))
    if precision != FULL:
        model.bfloat16()
    end = end_of(tokenizer)
    ids = prompt_ids(tokenizer, prompts)
    if known is None or known.recipe.kind != COMET:
        # As each text began in its training. One from elsewhere begins alike: what is made of it here is compared with it.
        ids = [[end, *each] for each in ids]
    speaker = Speaker(name, checkpoint(name, known), decoding)
    batches = (
        kept({**speaker.facts(), "ids": ids, "places": places, "rows": ROWS, "precision": precision}) if kept else None
    )
    with torch_threads(threads or torch.get_num_threads()):
        said = generated(model, ids, decoding, end, places=places, kept=batches)
    flat = tokenizer.batch_decode([list(each.ids) for few in said for each in few], clean_up_tokenization_spaces=False)
    texts = iter(flat)
    return speaker, [[(next(texts), each) for each in few] for few in said]


def checkpoint(name: str, known: LanguageConfig | None) -> str:
    """The SHA-256 digest of the weights; of a model from the hub its commit."""
    if known:
        return known.sha256
    from harmgraph.models.text.encoder import gguf_file, locate
    from harmgraph.models.text.pretrained import commit_of

    if file := gguf_file(name):
        return store.sha256(file)
    folder = Path(locate(name))
    if not folder.is_dir():
        return commit_of(name)
    return store.weights_digest(folder)


def speak_into(
    graph: Graph,
    name: str,
    into: str,
    relations: Sequence[str],
    decoding: Decoding,
    *,
    category: str | None = None,
    keep_duplicates: bool = False,
    device: str = "auto",
    threads: int = 0,
) -> Spoken:
    """Writes what a COMeT says of every target and relation into a source, as the importer ``comet`` writes its generations.

    Each continuation is a ``Statement``, the head, the phrase of the relation and the tail, about the target; ``head`` has the
    words that alone are masked. Equal statements of a target are one, as in a load, with the relation and rank of the first.

    Args:
        relations: names, or ``all`` for those that the model learnt.
        category: of the targets; None for all.
        keep_duplicates: whether every continuation is a statement of its own.

    Raises:
        InputError: the model is not a COMeT, or there are no targets.
        UnknownMember: the model did not learn a relation.
        BadName: the source was loaded from files.
        Busy: another command is changing the graph.
    """
    known = ready(name)
    if known is None or known.recipe.kind != COMET:
        raise InputError(
            "did not learn triples, so it cannot be asked for relations",
            where=name,
            remedy="train it with 'language train --as comet', or give --prompts FILE",
        )
    chosen = _chosen(known, relations)
    schema_setup.apply(graph)
    sources.replaceable(graph, into, IMPORTER)
    rows = graph.rows("language/targets", category=category)
    targets = [row["target"] for row in rows if row["language"] == ENGLISH]
    if not targets:
        raise InputError(
            f"the graph has no English target of {category or 'any category'}",
            remedy="load some: harmgraph target load",
        )
    phrases = Phrases.read(graph)
    asked = [(target, relation) for target in targets for relation in chosen]
    prompts = [prompt_of(target, relation) for target, relation in asked]
    decoding = replace(decoding, least=1)  # no triple that it learnt has an empty tail
    speaker, said = continued(name, prompts, decoding, device=device, threads=threads)
    left_out = {
        "with an empty tail": 0,
        UNSTORABLE: 0,
        "equal to an earlier one": 0,
        "targets whose names are not English": len(rows) - len(targets),
    }
    records: dict[tuple[str, str, str], Statement] = {}
    for (target, relation), few in zip(asked, said, strict=True):
        words = phrases.of_relation(relation)
        for rank, (text, continuation) in enumerate(few, 1):
            tail = " ".join(text.split())
            if not tail:
                left_out["with an empty tail"] += 1
                continue
            line = f"{relation} {rank}" if keep_duplicates else ""
            key = (target, f"{target} {words} {tail}", line)
            if key in records:
                left_out["equal to an earlier one"] += 1
                continue
            said_of = (target, relation, tail, rank, round(continuation.log_probability, 5))
            try:
                records[key] = Statement(key[1], normalise(target), dict(zip(PROPERTIES, said_of, strict=True)))
            except BadRecord:  # some models can say a NUL
                left_out[UNSTORABLE] += 1
    options = {**speaker.facts(), "relations": list(chosen), "category": category, "keep_duplicates": keep_duplicates}
    identity = text_digest(json.dumps([options, list(map(repr, records.items()))]), 8)
    with graph.holding(f"generate {into}"):
        before = sources.replaceable(graph, into, IMPORTER)
        again = before is not None and (before.get("state"), before.get("import_id")) == ("complete", identity)
        mark, facts = sources.derived(graph, into, identity, {}, importer=IMPORTER, options=options)
        register(graph, name, known)
        with ImportRun(graph, mark, facts, properties=PROPERTIES) as run:
            for number, ((_, _, line), record) in enumerate(records.items()):
                run.add(record, line)
                progress(f"writing {into}", number, len(records))
            run.complete({"records": len(records), **left_out}, {}, triples=False)
        graph.write("language/generated_by", source=into, model=name, checkpoint=speaker.checkpoint)
    return Spoken(
        len(asked),
        len(set(prompts)),
        sum(map(len, said)),
        len(records),
        {why: n for why, n in left_out.items() if n},
        again,
    )


def relations_of(graph: Graph, source: str) -> tuple[str, ...]:
    """The relations of the triples of a source, sorted: models that learnt different ones can be asked for the same.

    Raises:
        NotFound: no such source.
        InputError: it has no triples.
    """
    sources.facts(graph, source)
    found = tuple(row["relation"] for row in graph.rows("language/relations", source=source))
    if not found:
        raise InputError(
            "has no triples, so no relations to ask for", where=source, remedy="choose a source of triples"
        )
    return found


def _chosen(known: LanguageConfig, relations: Sequence[str]) -> tuple[str, ...]:
    if list(relations) == [ALL]:
        return known.relations
    by_type = {relation_type(relation): relation for relation in known.relations}
    chosen = []
    for relation in relations:
        if relation_type(relation) not in by_type:
            raise UnknownMember("relation that the model learnt", relation, known.relations)
        chosen.append(by_type[relation_type(relation)])
    return tuple(dict.fromkeys(chosen))


def speak_after(
    name: str,
    prompts: Path,
    out: Path,
    decoding: Decoding,
    *,
    device: str = "auto",
    threads: int = 0,
) -> Spoken:
    """Writes what a model says after the prompts of a file, a line for each continuation.

    A line has what the prompt's line has, and ``text`` (the continuation), ``rank``, ``log_probability``, ``ended``, and
    ``generation``: model, digest of its weights, and how it was decoded.

    Raises:
        as ``continued``, and UnreadableFile: a line of the file is not a JSON object with a ``prompt``.
        NoSpace: the file cannot be written.
    """
    lines = list(_prompts(prompts))
    if not lines:
        raise InputError("has no prompt", where=str(prompts), remedy='write a line each: {"prompt": "..."}')
    texts = [line["prompt"] for line in lines]
    speaker, said = continued(name, texts, decoding, device=device, threads=threads)
    count = 0
    with written(out) as file:
        for line, few in zip(lines, said, strict=True):
            for rank, (text, each) in enumerate(few, 1):
                log_probability = round(each.log_probability, 5)
                more = {"text": text, "rank": rank, "log_probability": log_probability, "ended": each.ended}
                file.write(json.dumps({**line, **more, "generation": speaker.facts()}, ensure_ascii=False) + "\n")
                count += 1
    return Spoken(len(texts), len(set(texts)), count, count, {})


def _prompts(path: Path) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        try:
            facts = from_json(line)
        except ValueError:
            facts = None
        if not isinstance(facts, dict) or not isinstance(facts.get("prompt"), str) or not facts["prompt"].strip():
            raise UnreadableFile(
                path, "is not a JSON object with a prompt", line=number, remedy='write a line each: {"prompt": "..."}'
            )
        yield facts
