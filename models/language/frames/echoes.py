"""Implied statements of posts that have a near neighbour in a knowledge base: stereotypes that it states in other words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from harmgraph.common.errors import InputError
from harmgraph.common.intervals import wilson
from harmgraph.common.progress import progress
from harmgraph.graph.contents import sources
from harmgraph.graph.contents.phrases import Phrases
from harmgraph.models.extra import needed
from harmgraph.models.processor import device_of

if TYPE_CHECKING:
    import numpy

    from harmgraph.graph.connection import Graph

    Numbers = numpy.ndarray[Any, Any]

LONGEST = 64  # tokens of a sentence that are read


@dataclass(frozen=True, slots=True)
class Echo:
    """An implied statement and its nearest statement in a knowledge base, about the same target.

    Attributes:
        cosine: of the two sentences. posts, annotators: that imply it, and who say so.
    """

    target: str
    implied: str
    statement: str
    cosine: float
    posts: int
    annotators: int

    def facts(self) -> dict[str, Any]:
        """The row by column."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Echoes:
    """What a knowledge base states of what posts imply.

    Attributes:
        rows: the nearest first. compared: pairs of a target of which the knowledge base speaks and an implied statement.
        said: what the reader must know, a line each.
    """

    rows: tuple[Echo, ...]
    compared: int
    said: tuple[str, ...]


def near(
    graph: Graph,
    source: str,
    other: str,
    encoder: str,
    threshold: float,
    *,
    category: str | None = None,
    device: str = "auto",
) -> Echoes:
    """The implied statements of the posts of a source whose nearest statement of another source reaches a cosine.

    An implied statement that does not name its group begins with it, so that both are sentences about the target.

    Raises:
        NotFound: no such source.
        MissingExtra: torch or transformers is not installed.
        InputError: no post implies anything, the knowledge base speaks of none of the targets, or there is no such encoder.
    """
    import numpy as np

    for name in (source, other):
        sources.facts(graph, name)
    implied = graph.rows("frames/implied", source=source, category=category)
    if not implied:
        raise InputError(
            "has no post that implies anything about a group", where=source, remedy="load some: harmgraph load sbic"
        )
    phrases = Phrases.read(graph)
    statements: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for row in graph.rows("frames/statements", source=source, other=other, category=category):
        text = row["text"]
        if text is None:
            text = f"{row['head']} {phrases.of_relation(row['relation'] or '')} {row['tail']}"
        statements[row["target"]][text] = None
    pairs = [said for said in implied if said["target"] in statements]
    if not pairs:
        raise InputError(
            f"says nothing of the targets of {source}", where=other, remedy="load lists of targets before the sources"
        )
    sentences = sorted({_sentence(said) for said in pairs} | {text for texts in statements.values() for text in texts})
    place = {text: number for number, text in enumerate(sentences)}
    table = embedded(encoder, sentences, device=device)
    rows: list[Echo] = []
    for target in sorted({said["target"] for said in pairs}):
        texts = sorted(statements[target])
        vectors = table[[place[text] for text in texts]]
        for said in (each for each in pairs if each["target"] == target):
            cosines = vectors @ table[place[_sentence(said)]]
            best = int(np.argmax(cosines))
            if cosines[best] >= threshold:
                cosine = float(cosines[best])
                rows.append(Echo(target, said["implied"], texts[best], cosine, said["posts"], said["annotators"]))
    rows.sort(key=lambda echo: (-echo.cosine, echo.target, echo.implied))
    low, high = wilson(len(rows), len(pairs))
    share = (
        f"{len(rows):,} of {len(pairs):,} pairs of a target and an implied statement ({100 * len(rows) / len(pairs):.1f} %, "
        f"{100 * low:.1f} to {100 * high:.1f}) have a statement within a cosine of {threshold:g} by {encoder}"
    )
    return Echoes(tuple(rows), len(pairs), (share,))


def _sentence(row: Mapping[str, Any]) -> str:
    text, group = str(row["implied"]), str(row["group"])
    first = group.lower().split()[0].rstrip("s") if group.split() else ""
    return text if first and first in text.lower() else f"{group} {text}"


def embedded(encoder: str, texts: Sequence[str], *, device: str = "auto") -> Numbers:
    """The mean of an encoder's last states of each text, of length 1, [texts, dimension].

    Raises:
        MissingExtra: torch or transformers is not installed.
        InputError: there is no such encoder.
        UnreadableFile: it needs its own code.
    """
    needed("torch")
    needed("transformers")
    import torch

    from harmgraph.models.language.frames import classifier

    model, tokenizer = classifier.opened(encoder, frozen=True)
    model.to(device_of(device))
    ids = classifier.token_ids(tokenizer, model.encoder, texts, LONGEST)
    progress("reading the sentences", 0, len(texts))
    with torch.inference_mode():
        states = classifier.pooled(model, ids, tell=lambda done: progress("reading the sentences", done, len(texts)))
        made: Numbers = torch.nn.functional.normalize(states, dim=-1).numpy()
    return made
