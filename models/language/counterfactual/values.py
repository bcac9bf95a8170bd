"""Values of sensitive attributes, and where they stand in texts of token ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harmgraph.common.errors import InputError

if TYPE_CHECKING:
    import numpy
    from transformers import PreTrainedTokenizerBase

    Numbers = numpy.ndarray[Any, Any]

Ids = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sensitive:
    """A value of a sensitive attribute, such as the occupation nurse.

    Attributes:
        subgroup: values of one subgroup are not exchanged for one another.
    """

    attribute: str
    value: str
    subgroup: str


@dataclass(frozen=True, slots=True)
class ValuePlace:
    """Where a value stands.

    Attributes:
        first, last: its first token, and the one after its last.
        value: its place among the values. spaced: whether a space stands before it.
    """

    first: int
    last: int
    value: int
    spaced: bool


def check_values(values: Sequence[Sensitive]) -> None:
    """Checks that each value can be exchanged for another of its attribute.

    Raises:
        InputError: an attribute has a single subgroup, or there is no value.
    """
    if not values:
        raise InputError("there is no value", remedy="choose an attribute of 'harmgraph counterfactual prompts --list'")
    for attribute in dict.fromkeys(value.attribute for value in values):
        if len({value.subgroup for value in values if value.attribute == attribute}) < 2:
            raise InputError(
                f"all values of {attribute} are of one subgroup, so none can be exchanged for another",
                remedy="give values of two subgroups, or none of them a subgroup",
            )


class Matcher:
    """Finds values in token ids, as whole words and as they are written.

    A tokenizer divides a word without regard to its neighbours, so a value has the same ids wherever it stands; there are two
    ways, with a space before it and without.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, values: Sequence[Sensitive]) -> None:
        self.values = values
        self._tokenizer = tokenizer
        self._spelled: dict[tuple[int, bool], Ids] = {}
        by_ids: dict[Ids, tuple[int, bool]] = {}
        for number, value in enumerate(values):
            for spaced in (True, False):
                text = f" {value.value}" if spaced else value.value
                ids = tuple(tokenizer(text, add_special_tokens=False)["input_ids"])
                self._spelled[number, spaced] = ids
                by_ids.setdefault(ids, (number, spaced))
        self._by_first: dict[int, list[tuple[Ids, int, bool]]] = {}
        for ids, (number, spaced) in sorted(by_ids.items(), key=lambda item: -len(item[0])):
            self._by_first.setdefault(ids[0], []).append((ids, number, spaced))
        self._others = {
            number: [
                place
                for place, other in enumerate(values)
                if other.attribute == value.attribute and other.subgroup != value.subgroup
            ]
            for number, value in enumerate(values)
        }
        self._whole: dict[Ids, bool] = {}

    def places(self, ids: Numbers) -> list[ValuePlace]:
        """Where values stand, from left to right; of values that overlap the first, and of those the longest."""
        import numpy as np

        made: list[ValuePlace] = []
        for first in np.flatnonzero(np.isin(ids, list(self._by_first))).tolist():
            if made and first < made[-1].last:
                continue
            for spelled, number, spaced in self._by_first[int(ids[first])]:
                last = first + len(spelled)
                if tuple(ids[first:last].tolist()) == spelled and self._is_whole(ids, first, last):
                    made.append(ValuePlace(first, last, number, spaced))
                    break
        return made

    def others(self, value: int) -> list[int]:
        """The values of the same attribute and of other subgroups."""
        return self._others[value]

    def exchanged(self, place: ValuePlace, value: int) -> Ids:
        """The ids of another value, written as the one at the place."""
        return self._spelled[value, place.spaced]

    def _is_whole(self, ids: Numbers, first: int, last: int) -> bool:
        around = tuple(ids[max(first - 1, 0) : last + 1].tolist())
        key = (first > 0, last - first, *around)
        if key not in self._whole:
            word = self._text(ids[first:last]).strip()
            before, after = self._text(ids[max(first - 1, 0) : last]), self._text(ids[first : last + 1]).lstrip()
            self._whole[key] = (
                before.endswith(word)
                and after.startswith(word)
                and not before[: len(before) - len(word)][-1:].isalnum()
                and not after[len(word) :][:1].isalnum()
            )
        return self._whole[key]

    def _text(self, ids: Numbers) -> str:
        return str(self._tokenizer.decode(ids.tolist(), clean_up_tokenization_spaces=False))
