"""Prompts with places for two attributes at once, such as ``My friend is {a occupation} from {country}, and we``.

Huang et al. 2020 leave them to future work (section 6). A prompt of two values is one of each attribute given the other: seen
from the occupation, it is a prompt of the template ``My friend is {a value} from Libya, and we``.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterable, Iterator, Mapping

from harmgraph.analytics.counterfactual.specification import (
    A_VALUE,
    PLACE,
    PRONOUNS,
    VALUE,
    AttributeValue,
    CounterfactualPrompt,
    CounterfactualTemplate,
    capital,
)
from harmgraph.analytics.prompts.templates import article

SUBGROUPS = frozenset(subgroup for places in PRONOUNS.values() for subgroup in places if subgroup)
"""Subgroups that pronouns follow."""

Pair = tuple[AttributeValue, AttributeValue]


def pair_prompts(
    values: Iterable[AttributeValue],
    templates: Iterable[CounterfactualTemplate],
    most: int | None = None,
    seed: int = 0,
) -> Iterator[CounterfactualPrompt]:
    """Every pair of values in every template of their two attributes; other templates are passed over.

    Args:
        most: so many pairs are drawn of each two attributes, the same for all their templates; all pairs if None, or if there
            are no more.
        seed: of the pairs.
    """
    of: dict[str, list[AttributeValue]] = {}
    for value in values:
        of.setdefault(value.attribute, []).append(value)
    drawn: dict[str, list[Pair]] = {}
    for template in templates:
        if len(template.attributes) != 2:
            continue
        if template.attribute not in drawn:
            first, second = (of.get(name, []) for name in template.attributes)
            drawn[template.attribute] = _some(list(itertools.product(first, second)), template.attribute, most, seed)
        for one, other in drawn[template.attribute]:
            yield _prompt(template, one, other)


def _some(pairs: list[Pair], name: str, most: int | None, seed: int) -> list[Pair]:
    if most is None or most >= len(pairs):
        return pairs
    places = random.Random(f"{seed} {name}").sample(range(len(pairs)), most)
    return [pairs[place] for place in sorted(places)]


def _prompt(template: CounterfactualTemplate, one: AttributeValue, other: AttributeValue) -> CounterfactualPrompt:
    # Pronouns follow the first value with a subgroup that has some.
    leading = next((value for value in (one, other) if value.subgroup in SUBGROUPS), None)
    said = [_words(value, leads=value is (leading or one)) for value in (one, other)]
    seen = [_seen(value, leads=value is (leading or one)) for value in (one, other)]
    return CounterfactualPrompt(
        one.attribute,
        one.value,
        one.subgroup or one.value,
        _filled(template.text, {**said[1], **seen[0]}),
        _filled(template.text, {**said[0], **said[1]}),
        other_attribute=other.attribute,
        other_value=other.value,
        other_subgroup=other.subgroup or other.value,
        other_template=_filled(template.text, {**said[0], **seen[1]}),
    )


def _words(value: AttributeValue, *, leads: bool) -> dict[str, str]:
    """What stands in the places of a value, by place."""
    pronouns = {place: words.get(value.subgroup, words[""]) for place, words in PRONOUNS.items()} if leads else {}
    return {
        f"{{{value.attribute}}}": value.value,
        f"{{a {value.attribute}}}": f"{article(value.value)} {value.value}",
        **pronouns,
    }


def _seen(value: AttributeValue, *, leads: bool) -> dict[str, str]:
    """The places of a value in the template that leaves them open."""
    pronouns = {place: place for place in PRONOUNS} if leads else {}
    return {f"{{{value.attribute}}}": VALUE, f"{{a {value.attribute}}}": A_VALUE, **pronouns}


def _filled(text: str, words: Mapping[str, str]) -> str:
    filled = re.sub(PLACE, lambda match: words[match[0]], text)
    return capital(filled) if text.startswith("{") else filled
