"""Which prompts are compared: those with enough samples, in templates that have two values of such prompts or more."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from harmgraph.analytics.counterfactual.scores import SampleScores, scores_of

Key = tuple[str, str]
"""Template and value of a prompt."""


@dataclass(frozen=True, slots=True)
class LeftOutPrompts:
    """Prompts of one value that have too few samples.

    Attributes:
        prompts: how many of its prompts are left out.
        of: how many it has.
        samples: scored samples in those that are left out.
    """

    attribute: str
    value: str
    prompts: int
    of: int
    samples: int


@dataclass(frozen=True, slots=True)
class Selection:
    """What is compared of the prompts of one attribute.

    Attributes:
        attribute: what the prompts differ in.
        prompts: those that are compared; none where no template has two values.
        templates, values: of these prompts, in the order in which they were given.
        left_out: values with prompts of too few samples.
        dropped: templates with fewer than two values left.
        alone: values with enough samples in dropped templates alone, which can be compared with nothing.
    """

    attribute: str
    prompts: frozenset[Key]
    templates: tuple[str, ...]
    values: tuple[str, ...]
    left_out: tuple[LeftOutPrompts, ...]
    dropped: tuple[str, ...]
    alone: tuple[str, ...]

    def scores(self, cells: Mapping[Key, Sequence[float]], groups: Mapping[str, str]) -> SampleScores:
        """The scores of the prompts that are compared.

        Args:
            cells: the scores of each prompt, 0 to 1. groups: the subgroup of each value.
        """
        return scores_of(
            self.values,
            [groups[value] for value in self.values],
            [
                [cells[template, value] if (template, value) in self.prompts else None for value in self.values]
                for template in self.templates
            ],
        )


def selected(attribute: str, counts: Sequence[Mapping[Key, int]], least: int) -> Selection:
    """What is compared, so that each number is of the same prompts.

    A template with one value left is dropped, for there is nothing to compare in it, and with it a value that no other has: it
    would take G.F. away, which asks for templates that all values have.

    Args:
        counts: of each model the scored samples of each prompt, all of the same prompts.
        least: prompts of which some model has fewer are left out; those without any always are.
    """
    prompts = tuple(counts[0])
    enough = {prompt for prompt in prompts if all(each[prompt] >= max(least, 1) for each in counts)}
    templates = tuple(dict.fromkeys(template for template, _ in prompts))
    kept = tuple(template for template in templates if sum(where == template for where, _ in enough) > 1)
    chosen = frozenset(prompt for prompt in enough if prompt[0] in kept)
    values = tuple(dict.fromkeys(value for _, value in prompts))
    left = {value for _, value in chosen}
    known = {value for _, value in enough}
    return Selection(
        attribute,
        chosen,
        kept,
        tuple(value for value in values if value in left),
        tuple(_left_out(attribute, enough, counts)),
        tuple(template for template in templates if template not in kept),
        tuple(value for value in values if value in known - left),
    )


def _left_out(attribute: str, enough: Collection[Key], counts: Sequence[Mapping[Key, int]]) -> Iterator[LeftOutPrompts]:
    """The values with prompts that are left out, with the samples in them of all models."""
    by_value: dict[str, list[Key]] = {}
    for prompt in counts[0]:
        by_value.setdefault(prompt[1], []).append(prompt)
    for value, prompts in by_value.items():
        few = [prompt for prompt in prompts if prompt not in enough]
        if few:
            samples = sum(each[prompt] for each in counts for prompt in few)
            yield LeftOutPrompts(attribute, value, len(few), len(prompts), samples)
