"""Graph: texts that a frozen encoder read once, message passing over the aligned graph, and whether head and tail fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from harmgraph.models.population.examples import Part, TripleExample
from harmgraph.models.population.neighbours import Around
from harmgraph.models.population.populator import NEIGHBOURHOOD, Neighbours, Populator
from harmgraph.models.population.recipe import PopulatorRecipe
from harmgraph.models.text.passages import Passage

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from harmgraph.models.population.network import Network
    from harmgraph.models.text.passages import PassageReader, Vectors


class GraphPopulator(Populator):
    """A relational GraphSAGE over texts (Hamilton et al. 2017, Vashishth et al. 2020).

    ``bert`` and ``bertsage`` have a linear layer over what was read of head and tail apart, so they cannot tell which tails fit
    which heads. Here the score has the product and the distance of both ends. No node has a row of its own, so it judges nodes
    that came after the training.
    """

    name = "graph"
    title = "frozen texts, several hops of neighbours, whether the ends fit"
    citation = "Hamilton et al. 2017, Inductive Representation Learning on Large Graphs"
    width = 2
    options = (*NEIGHBOURHOOD, "hops")
    reads_nodes = True
    frozen = True
    judged_at_once = 2_048
    defaults: ClassVar[Mapping[str, Any]] = {"epochs": 5, "batch": 256, "learning_rate": 1e-3, "drawn": 8, "judged": 8}

    def parts(
        self, example: TripleExample, heads: Neighbours, tails: Neighbours, recipe: PopulatorRecipe
    ) -> tuple[Part, ...]:
        """See ``Populator.parts``; the texts alone, of which ``logits`` makes a graph."""
        return ((example.head,), *((each.text,) for each in heads)), (
            (example.tail,),
            *((each.text,) for each in tails),
        )

    def passages(self, examples: Sequence[TripleExample], around: Around, recipe: PopulatorRecipe) -> list[Passage]:
        """See ``Populator.passages``."""
        texts = dict.fromkeys(text for example in examples for text in (example.head, example.tail))
        waiting = list(texts)
        while waiting:
            near = around.near.get(waiting.pop())
            for each in near.drawn if near else ():
                if each.text not in texts:
                    texts[each.text] = None
                    waiting.append(each.text)
        return [(text,) for text in texts]

    def logits(
        self,
        network: Network,
        reader: PassageReader,
        examples: Sequence[TripleExample],
        around: Around,
        recipe: PopulatorRecipe,
        vectors: Vectors | None,
    ) -> Tensor:
        """See ``Populator.logits``."""
        from harmgraph.models.population.graph_network import graph_batch
        from harmgraph.models.text.text_vectors import read_once

        known = vectors or read_once(network, reader, set(self.passages(examples, around, recipe)))
        ids = {name: place for place, name in enumerate(network.relations, 1)}
        logits: Tensor = network(graph_batch(examples, around, known, ids, recipe.hops))
        return logits

    def build(
        self,
        encoder: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        relations: Sequence[str],
        recipe: PopulatorRecipe,
    ) -> Network:
        """See ``Populator.build``."""
        from harmgraph.models.population.graph_network import GraphJudge, GraphNetwork

        judge = GraphJudge(int(encoder.config.hidden_size), len(relations) + 1, recipe.hops)
        network = GraphNetwork(encoder, judge)
        network.relations = tuple(relations)
        return network


POPULATOR = GraphPopulator()
