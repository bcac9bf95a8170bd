"""A populator as a task of the training loop, and the judgement of triples (Fang et al. 2021, section 6.2)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from harmgraph.common.progress import progress
from harmgraph.models.options import CACHED
from harmgraph.models.population.evaluation import auc
from harmgraph.models.population.neighbours import Around
from harmgraph.models.population.populator import NEIGHBOURHOOD, Populator, populators
from harmgraph.models.population.recipe import PSEUDO
from harmgraph.models.text.passages import Passage
from harmgraph.models.text.text_vectors import read_once, read_with_nodes

if TYPE_CHECKING:
    import numpy
    import torch

    from harmgraph.models.population.choosing import ChoosingFile
    from harmgraph.models.population.examples import ExampleFolder, TripleExample
    from harmgraph.models.population.neighbours import Ends, TextGraph
    from harmgraph.models.population.network import Network
    from harmgraph.models.population.recipe import PopulatorRecipe
    from harmgraph.models.text.finetuning import HeldOutVerdict, OptimiserStep
    from harmgraph.models.text.passages import PassageReader, Vectors

    Numbers = numpy.ndarray[Any, Any]

READ_AT_ONCE = 4_096  # triples whose distinct passages are read together
ALL_READ = 500_000
"""Nodes of a graph that are all read. Of a larger or a live one only drawn ones are, and they are drawn once for all epochs."""
DRAWN_TO_JUDGE = 2**31
"""Stands in the seed of an evaluation's draws where the number of the epoch stands in a training's."""
Drawn = tuple["Sequence[TripleExample]", Around]
"""Triples, and the neighbours drawn for them."""


@dataclass(slots=True)
class PopulatorTask:
    """Training of a populator; see ``models.text.finetuning.Task``.

    The measure is the AUC on the valid examples, or the weighted one on a file that people labelled, whose relations are parts.

    Attributes:
        neighbours: where they come from; None for a model without neighbours.
        pseudo: triples with pseudo-labels, for the first epochs.
        choosing: the file of people's labels; None for the valid examples.
    """

    populator: Populator
    model: Network
    reader: PassageReader
    data: ExampleFolder
    neighbours: TextGraph | None
    recipe: PopulatorRecipe
    pseudo: Sequence[TripleExample] = ()
    choosing: ChoosingFile | None = None
    _judged: list[Drawn] = field(default_factory=list)
    _around: Around | None = None
    _vectors: Vectors | None = None

    def begin(self, number: int, precision: str) -> int:
        """See ``Task.begin``; a frozen encoder reads every text of the epoch.

        Raises:
            Busy: the graph changed while neighbours were drawn.
        """
        self.model.precision = precision
        if not self._judged:
            chosen = [self.choosing.examples] if self.choosing else []
            self._judged = [
                (examples, around_of(examples, self.neighbours, self.recipe)) for examples in (self.data.valid, *chosen)
            ]
        self._vectors = self._read_once(number)
        if self._vectors and not number:
            self.model.prepare(self._vectors.table)
        return math.ceil(len(self._train(number)) / self.recipe.batch)

    def steps(self, number: int) -> Iterator[OptimiserStep[Drawn]]:
        """See ``Task.steps``."""
        from harmgraph.models.text.finetuning import OptimiserStep

        for examples, around in self._drawn(number):
            size = math.ceil(len(examples) / self.recipe.accumulate)
            pieces = [(examples[start : start + size], around) for start in range(0, len(examples), size)]
            yield OptimiserStep(pieces, len(examples), self.recipe.learning_rate, len(examples))

    def loss(self, piece: Drawn) -> torch.Tensor:
        """The sum of the cross-entropies of the triples."""
        import torch
        from torch.nn.functional import binary_cross_entropy_with_logits

        examples, around = piece
        logits = self.populator.logits(self.model, self.reader, examples, around, self.recipe, self._vectors)
        labels = torch.tensor([float(example.label or 0) for example in examples], device=logits.device)
        return binary_cross_entropy_with_logits(logits, labels, reduction="sum")

    def judge(self) -> HeldOutVerdict:
        """See ``Task.judge``.

        Raises:
            Busy: the graph changed while neighbours were drawn.
        """
        from harmgraph.models.text.finetuning import HeldOutVerdict

        if self.neighbours is not None and self._around is None:
            self.neighbours.check()

        scores = [
            judge(self.populator, self.model, self.reader, examples, around, self.recipe, vectors=self._vectors)
            for examples, around in self._judged
        ]
        of_valid = auc([example.label for example in self.data.valid], scores[0])
        if self.choosing is None:
            return HeldOutVerdict(of_valid)
        measure, parts = self.choosing.measure(scores[1])
        return HeldOutVerdict(measure, {"valid_auc": of_valid}, parts)

    def _train(self, number: int) -> Sequence[TripleExample]:
        return self.pseudo if self.pseudo and number < self.recipe.pseudo_epochs else self.data.train

    def _drawn(self, number: int) -> Iterator[Drawn]:
        """The triples of each step of an epoch and the neighbours drawn for them, each time the same."""
        import numpy as np

        from harmgraph.models.text.finetuning import by_length

        train, recipe = self._train(number), self.recipe
        generator = np.random.default_rng([recipe.seed, number])
        order = generator.permutation(len(train))
        lengths = np.array(self._lengths([train[place] for place in order.tolist()]))
        for step, places in enumerate(by_length(order, lengths, recipe.batch, generator)):
            examples = [train[place] for place in places.tolist()]
            around = self._around or Around()
            if self.neighbours is not None and self._around is None:
                around = self._drawn_for(examples, (recipe.seed, number, step))
            yield examples, around

    def _drawn_for(self, examples: Sequence[TripleExample], seed: Sequence[int]) -> Around:
        assert self.neighbours is not None
        recipe = self.recipe
        return self.neighbours.around(ends(examples), recipe.drawn, seed, again=recipe.as_released, hops=recipe.hops)

    def _lengths(self, examples: Sequence[TripleExample]) -> list[int]:
        """How long each triple is: in tokens where it is one passage, so that nearly nothing is padded; else in letters."""
        if self.populator.width > 1:
            return [len(example.text) for example in examples]
        passages = [self.populator.passages([example], Around(), self.recipe)[0] for example in examples]
        return [len(ids) for ids in self.reader.ids(passages)]

    def _read_once(self, number: int) -> Vectors | None:
        """What a frozen encoder makes of every text, each read once; None for other trainings."""
        if not ((self.recipe.frozen or self.populator.frozen) and self.populator.reads_nodes):
            return None
        if self.populator.frozen:
            return self._vectors if self._vectors is not None else self._read_for_all_epochs()
        return read_once(self.model, self.reader, self._passages([*self._judged, *self._drawn(number)]))

    def _read_for_all_epochs(self) -> Vectors:
        nodes = nodes_of(self.neighbours)
        if nodes is not None:
            # The same texts whatever is drawn, so that neither later epochs nor other seeds need read them again.
            known = (self.data.train, *(examples for examples, _ in self._judged))
            texts = {(text,) for examples in known for each in examples for text in (each.head, each.tail)}
            return read_with_nodes(self.model, self.reader, texts, nodes)
        assert self.neighbours is not None
        # Other neighbours in each epoch would be other texts to read, which takes far longer than an epoch.
        self._around = self._drawn_for(self.data.train, (self.recipe.seed,))
        self.neighbours.check()
        return read_once(
            self.model, self.reader, self._passages([*self._judged, (self.data.train, self._around)]), kept=True
        )

    def _passages(self, drawn: Iterable[Drawn]) -> set[Passage]:
        return {each for examples, around in drawn for each in self.populator.passages(examples, around, self.recipe)}


def ends(examples: Sequence[TripleExample]) -> list[Ends]:
    """Head, relation and tail of each triple."""
    return [(example.head, example.relation, example.tail) for example in examples]


def nodes_of(neighbours: TextGraph | None) -> list[Passage] | None:
    """The texts of all nodes, as passages; None if they are too many to be read, or are not in memory."""
    if neighbours is None:
        return []
    texts = neighbours.texts
    return [(text,) for text in texts] if texts is not None and len(texts) <= ALL_READ else None


def around_of(examples: Sequence[TripleExample], neighbours: TextGraph | None, recipe: PopulatorRecipe) -> Around:
    """The neighbours with which triples are judged: all, or as many as the recipe says, drawn with its seed."""
    if neighbours is None:
        return Around()
    return neighbours.around(
        ends(examples), recipe.judged, (recipe.seed, DRAWN_TO_JUDGE), again=recipe.as_released, hops=recipe.hops
    )


def judge(
    populator: Populator,
    network: Network,
    reader: PassageReader,
    examples: Sequence[TripleExample],
    around: Around,
    recipe: PopulatorRecipe,
    *,
    vectors: Vectors | None = None,
) -> Numbers:
    """The logits of triples, [triples] in their order: the higher, the more plausible.

    Of some thousands of triples at a time, every distinct passage is read once, in batches of passages of the same length.

    Args:
        vectors: of passages that were read before; None to read them here.
    """
    import numpy as np
    import torch

    from harmgraph.models.text.passages import Vectors

    network.eval()
    # Triples with the same head or neighbours share passages.
    order = sorted(range(len(examples)), key=lambda place: (examples[place].head, examples[place].tail, place))
    scores = np.empty(len(examples), np.float64)
    for start in range(0, len(order), READ_AT_ONCE):
        group = order[start : start + READ_AT_ONCE]
        known = vectors
        if known is None:
            passages = populator.passages([examples[place] for place in group], around, recipe)

            def tell(done: int, begun: int = start, size: int = len(group), all_of: int = len(passages)) -> None:
                progress("judging", begun + done * size // all_of, len(order))

            table = network.encode(reader.ids(passages), tell)
            known = Vectors({passage: place for place, passage in enumerate(passages)}, table)
        size = populator.judged_at_once
        for few in (group[begin : begin + size] for begin in range(0, len(group), size)):
            with torch.no_grad():
                logits = populator.logits(network, reader, [examples[place] for place in few], around, recipe, known)
            scores[few] = logits.double().cpu().numpy()
    return scores


def identity_of(
    populator: str,
    encoder: str,
    recipe: PopulatorRecipe,
    data: ExampleFolder,
    neighbours: TextGraph | None,
    teaching: Mapping[str, str] | None = None,
    choosing: ChoosingFile | None = None,
) -> Mapping[str, Any]:
    """Everything that determines the result of a training.

    Args:
        teaching: digests of what the pseudo-labels are made of.
        choosing: the file on which epochs are chosen.
    """
    aside = ("teacher", "candidates") if teaching else PSEUDO
    lasting = {name: value for name, value in recipe.lasting().items() if name not in aside}
    if "hops" not in populators.get(populator).options or (recipe.hops == 1 and not populators.get(populator).frozen):
        del lasting["hops"]  # earlier versions had no such option, and one hop
    if recipe.subgraphs == CACHED:
        lasting.pop("subgraphs", None)  # earlier versions had no such option
    if neighbours is None:
        lasting = {name: value for name, value in lasting.items() if name not in NEIGHBOURHOOD}
    return {
        "populator": populator,
        "encoder": encoder,
        "recipe": lasting,
        "data": data.digest,
        "graph": neighbours.digest if neighbours is not None else "",
        # Earlier versions drew anew in each epoch.
        **({"drawn": "once"} if populators.get(populator).frozen and nodes_of(neighbours) is None else {}),
        **(teaching or {}),
        **({"choose_on": choosing.digest} if choosing else {}),
    }
