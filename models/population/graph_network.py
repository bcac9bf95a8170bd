"""The network of the populator ``graph``: frozen texts, message passing, and whether the ends fit. Imports torch at the top."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn import Dropout, Embedding, LayerNorm, Linear, Module, ModuleList, ReLU, Sequential

from harmgraph.models.population.examples import TripleExample
from harmgraph.models.population.neighbours import Around, Neighbour
from harmgraph.models.population.network import Network
from harmgraph.models.text.passages import Vectors

if TYPE_CHECKING:
    from transformers import PreTrainedModel

WIDTH = 256  # columns of what is passed on
DROPOUT = 0.2


@dataclass(frozen=True, slots=True)
class GraphBatch:
    """Triples with the nodes around them.

    Attributes:
        texts: vectors of the distinct texts [texts, columns].
        text: which text each node has [nodes]; the head of triple i is node 2 i, its tail node 2 i + 1.
        source, target: the nodes that messages come from and arrive at [edges].
        kind: the relation of each edge [edges]; of one that is followed backwards the second half of the relations.
        relation: of each triple [triples].
        reached: how many nodes there are before the first hop, and after each hop but the last. A layer computes only those from
            which something still arrives at an end.
    """

    texts: Tensor
    text: Tensor
    source: Tensor
    target: Tensor
    kind: Tensor
    relation: Tensor
    reached: tuple[int, ...]

    def to(self, device: torch.device) -> GraphBatch:
        """The batch on a device."""
        names = ("texts", "text", "source", "target", "kind", "relation")
        return replace(self, **{name: getattr(self, name).to(device) for name in names})


def graph_batch(
    examples: Sequence[TripleExample], around: Around, vectors: Vectors, relations: Mapping[str, int], hops: int
) -> GraphBatch:
    """A batch.

    The two ends of a triple are nodes of their own, without the triple itself (``Around.of_triple``). All others are shared by
    the triples, and have the neighbours that were drawn for them. Where an end of a triple is also a neighbour by another
    relation, it is a node without neighbours there: its own would lead back along the triple.

    Args:
        relations: ids; 0 is any other relation.
        hops: at most two. At the third the triple itself would reach its own ends.
    """
    texts = [text for example in examples for text in (example.head, example.tail)]
    shared: dict[str, int] = {}
    edges: list[tuple[int, int, int]] = []
    half = len(relations) + 1

    def node(text: str) -> int:
        texts.append(text)
        return len(texts) - 1

    def follow(target: int, neighbours: Sequence[Neighbour], ends: Sequence[str] = ()) -> None:
        for each in neighbours:
            if each.text in ends:
                source = node(each.text)
            else:
                if each.text not in shared:
                    shared[each.text] = node(each.text)
                source = shared[each.text]
            edges.append((source, target, relations.get(each.relation, 0) + half * each.inverse))

    reached = [len(texts)]
    if hops:
        for place, example in enumerate(examples):
            heads, tails = around.of_triple(example.head, example.relation, example.tail)
            ends = (example.head, example.tail)
            follow(2 * place, heads, ends)
            follow(2 * place + 1, tails, ends)
    done: set[str] = set()
    for _ in range(1, hops):
        reached.append(len(texts))
        new = [text for text in shared if text not in done]
        done.update(new)
        for text in new:
            if text in around.near:
                follow(shared[text], around.near[text].drawn)
    rows = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    table = vectors.of((text,) for text in rows).float()
    source, target, kind = torch.tensor(edges, dtype=torch.long).reshape(-1, 3).T
    return GraphBatch(
        texts=table,
        text=torch.tensor([rows[text] for text in texts]),
        source=source,
        target=target,
        kind=kind,
        relation=torch.tensor([relations.get(example.relation, 0) for example in examples]),
        reached=tuple(reached),
    )


class GraphJudge(Module):
    """Layers of message passing, and a score of head, relation and tail.

    A layer adds to what a node has the mean of its neighbours, each times a vector of the relation (Vashishth et al. 2020, the
    composition ``mult``). The score is of both ends, their product and their distance: whether a tail fits a head is in none of
    them alone.

    Args:
        columns: of a text's vector. relations: how many, with the one for all others. hops: layers.
    """

    def __init__(self, columns: int, relations: int, hops: int) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(columns))
        self.register_buffer("deviation", torch.ones(columns))
        self.begin = Sequential(Linear(columns, WIDTH), LayerNorm(WIDTH))
        self.kinds = ModuleList(Embedding(2 * relations, WIDTH) for _ in range(hops))
        self.own = ModuleList(Linear(WIDTH, WIDTH) for _ in range(hops))
        self.arrived = ModuleList(Linear(WIDTH, WIDTH, bias=False) for _ in range(hops))
        self.norms = ModuleList(LayerNorm(WIDTH) for _ in range(hops))
        self.relation = Embedding(relations, WIDTH // 4)
        self.score = Sequential(
            *(Linear(4 * WIDTH + WIDTH // 4, WIDTH), ReLU(), Dropout(DROPOUT)),
            *(Linear(WIDTH, WIDTH), ReLU(), Dropout(DROPOUT), Linear(WIDTH, 1)),
        )

    def scale_to(self, texts: Tensor) -> None:
        """Takes mean and deviation of each column from the texts of the training [texts, columns]."""
        deviation, mean = torch.std_mean(texts.float(), dim=0)
        self.get_buffer("mean").copy_(mean)
        # A column that hardly differs between texts would be noise, and as large as the others.
        self.get_buffer("deviation").copy_(deviation.clamp(min=max(float(deviation.mean()) / 10, 1e-6)))

    def forward(self, batch: GraphBatch) -> Tensor:
        """The logits [triples]."""
        texts = (batch.texts - self.get_buffer("mean")) / self.get_buffer("deviation")
        state = self.begin(texts).index_select(0, batch.text)
        degrees = state.new_zeros(len(state)).index_add(0, batch.target, state.new_ones(len(batch.target)))
        source, target, kind = batch.source, batch.target, batch.kind
        layers = zip(self.kinds, self.own, self.arrived, self.norms, strict=True)
        for place, (kinds, own, arrived, norm) in enumerate(layers, 1):
            count = batch.reached[-place]
            if place > 1:
                near = target < count
                source, target, kind = source[near], target[near], kind[near]
            messages = state.index_select(0, source) * kinds(kind)
            total = state.new_zeros(count, WIDTH).index_add(0, target, messages)
            mean = total / degrees[:count].clamp(min=1).unsqueeze(1)
            state = norm(state[:count] + torch.relu(own(state[:count]) + arrived(mean)))
        head, tail = state[: batch.reached[0]].view(-1, 2, WIDTH).unbind(1)
        known = torch.cat([head, tail, head * tail, (head - tail).abs(), self.relation(batch.relation)], 1)
        logits: Tensor = self.score(known).squeeze(1)
        return logits


class GraphNetwork(Network):
    """A frozen encoder whose vector of a text is the mean over its tokens, and a ``GraphJudge``."""

    by_mean = True

    def __init__(self, encoder: PreTrainedModel, output: GraphJudge) -> None:
        super().__init__(encoder, output, frozen=True)
        # As ``infer`` does: so an evaluation finds what the training kept of the same texts.
        encoder.set_attn_implementation("eager")

    def prepare(self, texts: Tensor) -> None:
        """See ``Network.prepare``."""
        assert isinstance(self.output, GraphJudge)
        self.output.scale_to(texts)

    def forward(self, batch: GraphBatch) -> Tensor:  # type: ignore[override]
        """The logits of the triples, [triples]."""
        logits: Tensor = self.output(batch.to(self.device))
        return logits
