"""Prompts for story models about the targets of a list: Mehrabi et al. 2021, section 4.2.

Each target has a family of templates. It is the first of: the family that the user assigns to the name or its category; the
family of the name in ``families.csv``; the family of the category (profession: professions; gender and origin: people;
religion and any other category: others).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from harmgraph.analytics.prompts.templates import FAMILIES, Template
from harmgraph.common.errors import InputError
from harmgraph.graph.records import normalise
from harmgraph.graph.target_names import ListedTarget, finder

OF_CATEGORY = {"profession": "professions", "gender": "people", "origin": "people"}
OTHERWISE = "others"
SENSES = ("released", "meaning")
_I = re.compile(r"(?<!\w)i(?!\w)")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt about one target.

    Attributes:
        target: the target's name in the graph, normalised.
        template: the text of the template.
        origin: where the template comes from.
    """

    prompt: str
    target: str
    category: str
    family: str
    template: str
    origin: str


def family(target: ListedTarget, assigned: Mapping[str, str], sense: str = "released") -> str:
    """The family of a target; see the module.

    Args:
        assigned: family by normalised name of a target or by category; a name takes precedence over a category.
        sense: ``released``, as the authors used their templates, or ``meaning``, by the meaning of the name.
    """
    for key in (target.name, target.category):
        if key in assigned:
            return assigned[key]
    known = _families().get(target.name)
    # ``families.csv`` applies only in the categories of its names: "jordan" may be a first name in another list.
    if known and target.category in ("origin", "religion"):
        return known[SENSES.index(sense)]
    return OF_CATEGORY.get(target.category, OTHERWISE)


def prompts(
    targets: Iterable[ListedTarget],
    templates: Iterable[Template],
    *,
    assigned: Mapping[str, str] | None = None,
    sense: str = "released",
    aliases: bool = False,
    case: str = "lower",
) -> Iterator[Prompt]:
    """The prompts of every target, target by target, in the order of the templates.

    Args:
        aliases: also a prompt for each alias, with the target that the alias belongs to.
        case: ``lower`` writes names in lower case and leaves templates as they are, like the authors' prompts; ``sentence``
            writes names as in the list, starts with a capital and turns ``i`` into ``I``.
    """
    by_family: dict[str, list[Template]] = {name: [] for name in FAMILIES}
    for template in templates:
        by_family[template.family].append(template)
    for target in targets:
        chosen = family(target, assigned or {}, sense)
        for title in (target.title, *(target.aliases if aliases else ())):
            for template in by_family[chosen]:
                text = _written(template, title, case)
                yield Prompt(text, target.name, target.category, chosen, template.text, template.origin)


def checked_assignments(assignments: Iterable[str], targets: Iterable[ListedTarget]) -> dict[str, str]:
    """Assignments such as ``wakanda=locations`` or ``region=locations``, by normalised name or category.

    Raises:
        InputError: an assignment has another form, an unknown family, or neither a target nor a category of the list.
    """
    listed = tuple(targets)
    categories = dict.fromkeys(target.category for target in listed)
    known = {target.name for target in listed} | set(categories)
    families: dict[str, str] = {}
    for assignment in assignments:
        name, mark, chosen = assignment.rpartition("=")
        if not mark or chosen.strip() not in FAMILIES:
            raise InputError(
                f"{assignment!r} assigns no family", remedy=f"write NAME=FAMILY; families: {', '.join(FAMILIES)}"
            )
        key = normalise(name.strip())
        if key not in known:
            raise InputError(
                f"no target or category named {name.strip()!r} in the list",
                remedy=f"categories: {', '.join(categories)}; or the name of a target",
            )
        families[key] = chosen.strip()
    return families


def misread(prompts: Iterable[Prompt], targets: Iterable[ListedTarget]) -> list[tuple[Prompt, str]]:
    """Prompts in which the importer ``stories`` would find another target than theirs, with the name it would find."""
    meant = {normalise(name): target.name for target in targets for name in (target.title, *target.aliases)}
    first = finder(tuple(meant))
    return [(prompt, name) for prompt in prompts if meant.get(normalise(name := first(prompt.prompt))) != prompt.target]


def _written(template: Template, title: str, case: str) -> str:
    if case == "lower":
        return template.filled(title.lower(), spelled=title)
    text = template.with_text(_I.sub("I", template.text)).filled(title)
    return text[:1].upper() + text[1:]


@cache
def _families() -> Mapping[str, tuple[str, str]]:
    text = resources.files(__package__).joinpath("families.csv").read_text(encoding="utf-8")
    rows = csv.reader(line for line in text.splitlines() if not line.startswith("#"))
    next(rows)
    return {normalise(name): (released, meaning) for name, released, meaning in rows}
