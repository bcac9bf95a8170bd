"""Prompts for story models about the targets of a list: Mehrabi et al. 2021, section 4.2.

Each target has a family of templates. The family is, in this order: what the user assigns to the name or to its category;
what ``families.csv`` says of the name; that of its category (profession: professions; gender and origin: people; religion
and any other category: others).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from harmgraph.analytics.prompts.templates import FAMILIES, Template
from harmgraph.graph.common.errors import InputError
from harmgraph.graph.records import normalise
from harmgraph.graph.target_names import ListedTarget, finder

OF_CATEGORY = {"profession": "professions", "gender": "people", "origin": "people"}
OTHERWISE = "others"
CASES = ("lower", "sentence")
SENSES = ("released", "meaning")
_I = re.compile(r"(?<!\w)i(?!\w)")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt about one target.

    Attributes:
        target: the target's name in the graph, normalised.
        template: the text that was filled.
        origin: where the template is from.
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
        assigned: family by normalised name of a target, or by category; a name goes before a category.
        sense: ``released``, as the authors filled their templates, or ``meaning``, by what the name means.
    """
    for key in (target.name, target.category):
        if key in assigned:
            return assigned[key]
    known = _families().get(target.name)
    # The name says something only in the category that it was listed with: "jordan" may be a first name in another list.
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
        aliases: also a prompt for each alias; its target is the one that the alias stands for.
        case: ``lower`` writes names in lower case and templates as they stand, which is how the authors prompted;
            ``sentence`` writes names as the list spells them, begins with a capital and makes ``i`` ``I``.
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
        InputError: not of that form, no such family, or neither a target nor a category of the list.
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
    """Prompts in which the importer ``stories`` would find another target than theirs, and which."""
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
