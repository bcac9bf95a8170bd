"""What a model of population is: which passages an encoder reads for a triple, and how their vectors represent it.

Each is a module in ``models/populators`` that defines ``POPULATOR``. A triple is represented by parts, one after the other; a
part is the mean of the vectors of its passages, and a vector of zeros where it has none. A passage is a text, or several with
separators between them. A linear layer on the parts gives the logit that the triple is plausible.

The modules do not import torch at the top, so that the command line can list them without it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from harmgraph.common.errors import InputError
from harmgraph.common.registry import Registry
from harmgraph.models.population.examples import Part, TripleExample
from harmgraph.models.population.neighbours import Around, Neighbour, SecondHop
from harmgraph.models.population.recipe import PopulatorRecipe
from harmgraph.models.text.passages import Passage

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from harmgraph.models.population.network import Network
    from harmgraph.models.text.passages import PassageReader, Vectors

Neighbours = Sequence[Neighbour]
NEIGHBOURHOOD = ("neighbours", "drawn", "judged", "subgraphs")
"""The options of a model with neighbours."""


def shares(of: Sequence[tuple[Passage, float]]) -> Mapping[Passage, float]:
    """A part of passages with their shares; those of equal passages are added."""
    part: dict[Passage, float] = {}
    for passage, share in of:
        part[passage] = part.get(passage, 0.0) + share
    return part


class Populator(ABC):
    """A model of population.

    Attributes:
        name: its name on the command line. title: a short description.
        citation: the paper it comes from.
        width: number of parts, with one hop of neighbours.
        options: fields of ``PopulatorRecipe`` that only some models have, which this one has.
        reads_nodes: whether its passages are texts of nodes and relations, which triples share; a frozen encoder then reads
            each once per epoch.
        frozen: whether its encoder is never trained.
        judged_at_once: triples that the output layers see together in an evaluation.
        defaults: options of the recipe that have another default for this model.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    citation: ClassVar[str]
    width: ClassVar[int]
    options: ClassVar[tuple[str, ...]] = ()
    reads_nodes: ClassVar[bool] = False
    frozen: ClassVar[bool] = False
    judged_at_once: ClassVar[int] = 64
    defaults: ClassVar[Mapping[str, Any]] = {}

    @property
    def has_neighbours(self) -> bool:
        """Whether it needs the graph."""
        return "neighbours" in self.options

    @abstractmethod
    def parts(
        self, example: TripleExample, heads: Neighbours, tails: Neighbours, recipe: PopulatorRecipe
    ) -> tuple[Part, ...]:
        """The passages of each part.

        Args:
            heads, tails: neighbours of the head and of the tail; empty for a model without neighbours.
        """

    def parts_of(self, example: TripleExample, around: Around, recipe: PopulatorRecipe) -> tuple[Part, ...]:
        """The parts of a triple, with neighbours of its head and its tail, and with two hops also theirs."""
        heads, tails = around.of_triple(example.head, example.relation, example.tail)
        parts = self.parts(example, heads, tails, recipe)
        if recipe.hops < 2:
            return parts
        far = [around.second_hop(near, example.head, example.tail) for near in (heads, tails)]
        return (*parts, *self.second_parts(example, *far))

    def second_parts(
        self, example: TripleExample, heads: Sequence[SecondHop], tails: Sequence[SecondHop]
    ) -> tuple[Part, ...]:
        """The passages of the parts that a second hop adds; none for a model without one."""
        return ()

    def width_of(self, recipe: PopulatorRecipe) -> int:
        """How many parts a triple has."""
        return self.width + 2 * (recipe.hops > 1 and "hops" in self.options)

    def passages(self, examples: Sequence[TripleExample], around: Around, recipe: PopulatorRecipe) -> list[Passage]:
        """The distinct passages that triples need."""
        parts = (part for example in examples for part in self.parts_of(example, around, recipe))
        return list(dict.fromkeys(passage for part in parts for passage in part))

    def logits(
        self,
        network: Network,
        reader: PassageReader,
        examples: Sequence[TripleExample],
        around: Around,
        recipe: PopulatorRecipe,
        vectors: Vectors | None,
    ) -> Tensor:
        """The logits of triples, [triples].

        Args:
            vectors: of passages that were read before; None to read them here.
        """
        from harmgraph.models.population.network import batch_of

        logits: Tensor = network(
            batch_of([self.parts_of(example, around, recipe) for example in examples], reader, vectors)
        )
        return logits

    def recipe(self, **options: Any) -> PopulatorRecipe:
        """A recipe with the defaults of this model for what is not given."""
        return PopulatorRecipe(**{**self.defaults, **options})

    def output(self, columns: int, recipe: PopulatorRecipe) -> Module:
        """The layers on top of the representation, [b, width_of(recipe) * columns] -> [b, 1].

        Args:
            columns: of a vector of the encoder.
        """
        from torch.nn import Linear

        return Linear(self.width_of(recipe) * columns, 1)

    def build(
        self,
        encoder: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        relations: Sequence[str],
        recipe: PopulatorRecipe,
    ) -> Network:
        """The network with a new output layer.

        Args:
            relations: names of all; they become tokens of their own if the separators are ``added``.

        Raises:
            InputError: the tokenizer has no token for the beginning or the end of a text.
        """
        from harmgraph.models.population.network import Network, add_tokens

        if recipe.separators == "added":
            add_tokens(encoder, tokenizer, relations)
        return Network(encoder, self.output(int(encoder.config.hidden_size), recipe), frozen=recipe.frozen)

    def check(self, recipe: PopulatorRecipe) -> None:
        """Checks that the recipe has no option of another model.

        Raises:
            InputError: it has one.
        """
        for name in recipe.special():
            if name not in self.options:
                raise InputError(
                    f"the model {self.name} has no option --{name.replace('_', '-')}",
                    remedy=f"leave it out; {_with(name)}",
                )


populators: Registry[Populator] = Registry("populator", "harmgraph.models.populators", "POPULATOR", "populators")


def _with(option: str) -> str:
    names = [populator.name for populator in populators if option in populator.options]
    return f"models that have it: {', '.join(names) or 'none'}"
