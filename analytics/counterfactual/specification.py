"""Values and templates of counterfactual prompts as data: those of Huang et al. 2020, appendix A, and the user's.

Values are ``attribute,value[,subgroup]``, templates ``attribute,template``. A template has places: ``{value}``, ``{a value}``
with a or an, and ``{he/she}``, ``{his/her}``, ``{him/her}``, which follow the subgroup. A template of two attributes is
``occupation+country,template``, and its places are named after them: ``{a occupation}``, ``{country}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path

from harmgraph.analytics.prompts.templates import article
from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.common.user_file import list_rows
from harmgraph.graph.records import normalise

VALUE, A_VALUE = "{value}", "{a value}"
PRONOUNS: Mapping[str, Mapping[str, str]] = {
    "{he/she}": {"male": "he", "female": "she", "": "he or she"},
    "{his/her}": {"male": "his", "female": "her", "": "his or her"},
    "{him/her}": {"male": "him", "female": "her", "": "him or her"},
}
"""What a place becomes, by subgroup; that of the empty name for every other subgroup."""

LIKE = {"profession": "occupation", "origin": "country"}
"""Whose templates fit the targets of a category."""

PLACE = re.compile(r"\{[^{}]*\}|[{}]")
VALUE_COLUMNS = ("attribute", "value", "subgroup")
TEMPLATE_COLUMNS = ("attribute", "template")


@dataclass(frozen=True, slots=True)
class AttributeValue:
    """A value of a sensitive attribute.

    Attributes:
        subgroup: the group of values that it belongs to; empty if it is one of its own.
    """

    attribute: str
    value: str
    subgroup: str = ""


@dataclass(frozen=True, slots=True)
class CounterfactualTemplate:
    """A prompt with places, see the module.

    Attributes:
        attribute: its name; the names of two with a plus sign between them.
    """

    attribute: str
    text: str

    @property
    def attributes(self) -> tuple[str, ...]:
        """The attribute, or the two whose names are its places."""
        names = tuple(name.strip() for name in self.attribute.split("+"))
        named = len(names) == 2 and not {VALUE, A_VALUE} & set(PLACE.findall(self.text))
        return names if named else (self.attribute,)

    @property
    def value_places(self) -> tuple[tuple[str, str], ...]:
        """The two places for the value of each attribute, without and with a or an."""
        if len(self.attributes) == 1:
            return ((VALUE, A_VALUE),)
        return tuple((f"{{{name}}}", f"{{a {name}}}") for name in self.attributes)

    def filled(self, value: AttributeValue) -> str:
        """The prompt for a value, with a capital at the start of the value where the prompt begins with it."""
        words = {VALUE: value.value, A_VALUE: f"{article(value.value)} {value.value}"}
        for place, by_subgroup in PRONOUNS.items():
            words[place] = by_subgroup.get(value.subgroup, by_subgroup[""])
        text = PLACE.sub(lambda match: words[match[0]], self.text)
        return capital(text) if self.text.startswith("{") else text


def capital(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


@dataclass(frozen=True, slots=True)
class CounterfactualPrompt:
    """A line of ``harmgraph counterfactual prompts``; the importer ``generations`` reads the same names, but for ``facts``.

    Attributes:
        facts: the source whose statements stand before the prompt; empty where none do.
        other_attribute, other_value, other_subgroup: of a prompt of two attributes, the second one; empty for others.
        other_template: the template as the second attribute sees it, with the first value in it; ``template`` has the second.
    """

    attribute: str
    value: str
    subgroup: str
    template: str
    prompt: str
    facts: str = ""
    other_attribute: str = ""
    other_value: str = ""
    other_subgroup: str = ""
    other_template: str = ""

    def line(self) -> dict[str, str]:
        """What a file says of it: ``facts`` and the second attribute only where there are some."""
        optional = ("facts", "other_attribute", "other_value", "other_subgroup", "other_template")
        return {name: text for name, text in asdict(self).items() if text or name not in optional}


def prompts(
    values: Iterable[AttributeValue], templates: Iterable[CounterfactualTemplate]
) -> Iterator[CounterfactualPrompt]:
    """Every value in every template of its attribute alone, attribute by attribute, template by template."""
    by_attribute: dict[str, list[AttributeValue]] = {}
    for value in values:
        by_attribute.setdefault(value.attribute, []).append(value)
    of_attribute: dict[str, list[CounterfactualTemplate]] = {}
    for template in templates:
        of_attribute.setdefault(template.attribute, []).append(template)
    for attribute, group in by_attribute.items():
        for template in of_attribute.get(attribute, ()):
            for value in group:
                yield CounterfactualPrompt(
                    attribute, value.value, value.subgroup or value.value, template.text, template.filled(value)
                )


def shipped_values() -> tuple[AttributeValue, ...]:
    """The 73 values of the paper."""
    return read_values(_shipped("values.csv"))


def shipped_templates() -> tuple[CounterfactualTemplate, ...]:
    """The thirty templates of the paper."""
    return read_templates(_shipped("templates.csv"))


def read_values(path: Path) -> tuple[AttributeValue, ...]:
    """Values from a file, ``attribute,value[,subgroup]``; the header is optional, ``#`` starts a comment.

    Raises:
        UnreadableFile: it cannot be read, a line has other columns, a value stands twice, or an attribute has one value only.
    """
    values: dict[tuple[str, str], AttributeValue] = {}
    for line, cells in _rows(path, VALUE_COLUMNS, (2, 3)):
        attribute, title = cells[0].lower(), cells[1]
        key = attribute, normalise(title)
        if not attribute or not key[1]:
            raise UnreadableFile(path, "no attribute and value", line=line, remedy="write attribute,value[,subgroup]")
        if key in values:
            raise UnreadableFile(path, f"the value {title!r} of {attribute} is there twice", line=line)
        values[key] = AttributeValue(attribute, title, cells[2].lower() if len(cells) > 2 else "")
    counts: dict[str, int] = {}
    for attribute, _ in values:
        counts[attribute] = counts.get(attribute, 0) + 1
    alone = [attribute for attribute, count in counts.items() if count < 2]
    if alone or not values:
        what = f"the attribute {alone[0]} has one value only" if alone else "holds no value"
        raise UnreadableFile(path, what, remedy="write two values or more of each attribute, one a line")
    return tuple(values.values())


def read_templates(path: Path) -> tuple[CounterfactualTemplate, ...]:
    """Templates from a file, ``attribute,template``; the header is optional, ``#`` starts a comment.

    Raises:
        UnreadableFile: it cannot be read, a line has other columns or places, or a template stands twice.
    """
    templates: dict[CounterfactualTemplate, None] = {}
    for line, cells in _rows(path, TEMPLATE_COLUMNS, (2,)):
        template = CounterfactualTemplate(cells[0].lower(), cells[1])
        places = PLACE.findall(template.text)
        wanted = template.value_places
        known = (*(place for both in wanted for place in both), *PRONOUNS)
        odd = [place for place in places if place not in known]
        lacking = [both for both in wanted if not {*both} & set(places)]
        if not all(template.attributes) or odd or lacking or len({*wanted}) < len(wanted):
            what = f"no place named {odd[0]}" if odd else "a template needs an attribute, and a place for the value"
            if len(wanted) > 1 and not odd:
                what = "a template of two attributes needs a place for each, and two different ones"
            raise UnreadableFile(path, what, line=line, remedy=f"places: {', '.join(known)}")
        if template in templates:
            raise UnreadableFile(path, f"the template {template.text!r} is there twice", line=line)
        templates[template] = None
    if not templates:
        raise UnreadableFile(path, "holds no template", remedy="write attribute,template, one a line")
    return tuple(templates)


def values_of_category(category: str, titles: Sequence[str]) -> tuple[AttributeValue, ...]:
    """The targets of a category of the graph as values, sorted.

    Raises:
        InputError: there are fewer than two.
    """
    if len(titles) < 2:
        raise InputError(
            f"the category {category} has {len(titles)} targets, and two are compared",
            remedy="load a list of targets, or choose another category",
        )
    return tuple(AttributeValue(category, title) for title in sorted(titles, key=str.lower))


def templates_for(
    attributes: Iterable[str], templates: Sequence[CounterfactualTemplate], like: str = ""
) -> tuple[CounterfactualTemplate, ...]:
    """A template list in which every attribute has some; templates of two of the attributes stand last.

    Args:
        like: the attribute whose templates serve one that has none; empty for that of ``LIKE``.

    Raises:
        InputError: an attribute has none.
    """
    known = dict.fromkeys(template.attribute for template in templates if len(template.attributes) == 1)
    named = list(dict.fromkeys(attributes))
    both = [one for one in templates if len(one.attributes) > 1 and {*one.attributes} <= {*named}]
    served = {attribute for template in both for attribute in template.attributes}
    chosen: list[CounterfactualTemplate] = []
    for attribute in named:
        source = attribute if attribute in known and not like else like or LIKE.get(attribute, attribute)
        if source not in known:
            if attribute in served:
                continue
            of_two = next((one.attribute for one in templates if source in one.attributes), "")
            like_one = f"--like with one of {', '.join(known)}" if known else "--attribute for those of the templates"
            raise InputError(
                f"there is no template for the attribute {source}"
                + (f" without the other of {of_two}" if of_two else ""),
                remedy=f"give --templates FILE, or {like_one}",
            )
        chosen += [
            CounterfactualTemplate(attribute, template.text) for template in templates if template.attribute == source
        ]
    return (*chosen, *both)


def _rows(path: Path, header: tuple[str, ...], widths: tuple[int, ...]) -> Iterator[tuple[int, list[str]]]:
    for place, row in enumerate(list_rows(path)):
        cells = [cell.strip() for cell in row.cells]
        if place == 0 and [cell.lower() for cell in cells[:2]] == list(header[:2]):
            continue
        if len(cells) not in widths:
            raise UnreadableFile(
                path,
                f"{len(cells)} columns",
                line=row.line,
                remedy=f"write {','.join(header)}; quote texts with commas",
            )
        yield row.line, cells


def _shipped(name: str) -> Path:
    return Path(str(resources.files(__package__).joinpath(name)))
