"""Text: what a frozen encoder makes of an entity's name or text, read once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from harmgraph.common.digests import facts_digest
from harmgraph.common.errors import InputError
from harmgraph.models.embedding.beginning import TEXT, THREADS, AskedFeatures, Features, OwnValues
from harmgraph.models.extra import needed
from harmgraph.models.processor import torch_threads
from harmgraph.models.text.encoder import absolute

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

    from harmgraph.graph.connection import Graph
    from harmgraph.models.embedding.bound_graph import BoundGraph
    from harmgraph.models.text.frozen_encoder import FrozenEncoder
    from harmgraph.models.text.passages import PassageReader

AT_ONCE = 10_000  # entities whose texts are asked for at once
LONGEST = 64  # tokens of a text that are read


class TextFeatures(Features):
    """A linear layer over the vector of the entity's text, whose columns are scaled as the training's texts need it."""

    name = TEXT
    title = "what a frozen encoder makes of its name or text"

    def chosen(self, asked: AskedFeatures) -> tuple[Mapping[str, Any], OwnValues]:
        """See ``Features.chosen``."""
        name = absolute(asked.text_encoder)
        encoder, reader, digest = _opened(name, asked.device)
        columns = int(encoder.encoder.config.hidden_size)
        facts = {
            "text_encoder": name,
            "text_encoder_digest": digest,
            "columns": columns,
            THREADS: needed("torch").get_num_threads(),
        }
        return facts, _own(asked, encoder, reader, digest)

    def read(self, asked: AskedFeatures, facts: Mapping[str, Any]) -> OwnValues:
        """See ``Features.read``."""
        name = str(facts["text_encoder"])
        asked.opened()
        encoder, reader, digest = _opened(name, asked.device)
        if digest != facts["text_encoder_digest"]:
            raise InputError(
                "the text encoder has other weights than in the training of the model",
                where=name,
                remedy="install the version that it was trained with, or train the model again",
            )
        with torch_threads(int(facts.get(THREADS, 0))):  # the last bits of a vector depend on them
            return _own(asked, encoder, reader, digest)

    def module(self, facts: Mapping[str, Any], columns: int) -> Module:
        """See ``Features.module``."""
        from harmgraph.models.embedding.scaled import Scaled

        return Scaled(int(facts["columns"]), columns)

    def begin(self, module: Any, bound: BoundGraph) -> Tensor:
        """See ``Features.begin``."""
        vectors: Tensor = module(bound.own)
        return vectors


def _opened(name: str, device: str) -> tuple[FrozenEncoder, PassageReader, str]:
    """A frozen encoder, what reads texts for it, and the digest of its weights.

    Raises:
        InputError, UnreadableFile: see ``opened_encoder``.
    """
    from harmgraph.models.text.frozen_encoder import FrozenEncoder
    from harmgraph.models.text.text_vectors import weights_digest

    frozen, reader = FrozenEncoder.opened(name, LONGEST, device=device, what="text encoder")
    return frozen, reader, weights_digest(frozen.encoder)


def _own(asked: AskedFeatures, encoder: FrozenEncoder, reader: PassageReader, digest: str) -> OwnValues:
    from harmgraph.models.text.text_vectors import read_with_nodes

    entities = asked.subgraph.entities
    texts, unnamed = _texts(asked.opened(), entities)
    # What the training read of the same entities is on disk, and need not be read again.
    again = asked.keys is not entities and 2 * len({*entities} & {*asked.keys}) > len(entities)
    before = _texts(asked.opened(), asked.keys)[0] if again else texts
    vectors = read_with_nodes(encoder, reader, [(text,) for text in texts], [(text,) for text in before])
    remark = f"{unnamed:,} of {len(entities):,} entities have no name: the text of each is its key"
    ids = [list(one) for one in reader.ids([(text,) for text in texts])]
    return OwnValues(
        vectors.of((text,) for text in texts).numpy(), facts_digest([digest, ids]), remark if unnamed else ""
    )


def _texts(graph: Graph, entities: Sequence[str]) -> tuple[list[str], int]:
    """The text of each entity, and how many have none but their keys."""
    found: dict[str, str] = {}
    unnamed = 0
    for start in range(0, len(entities), AT_ONCE):
        for row in graph.rows("subgraph/texts", keys=list(entities[start : start + AT_ONCE])):
            found |= zip(row["key"], row["text"], strict=True)
            unnamed += row["unnamed"]
    gone = len(entities) - len(found)  # of the training, and no longer in the graph
    return [found.get(key, key.rpartition("/")[2]) for key in entities], unnamed + gone


FEATURES = TextFeatures()
