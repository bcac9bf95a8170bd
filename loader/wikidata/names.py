"""The name, the description and the wiki pages of an entity in Wikidata's JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harmgraph.common.errors import BadRecord
from harmgraph.graph.records import MAX_NAME, Scalar
from harmgraph.loader.formats.importer import BadLine
from harmgraph.loader.wikidata.ids import text

Facts = dict[str, Scalar]


def part(entity: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A part of an entity, such as its labels; some dumps write an empty one as ``[]``.

    Raises:
        BadLine: it is not an object.
    """
    value = entity.get(name)
    if value is None or value == []:
        return {}
    if not isinstance(value, dict):
        raise BadLine(f"{name} is not an object")
    return value


def describe(entity: Mapping[str, Any], languages: Sequence[str]) -> tuple[Facts, list[BadRecord]]:
    """The facts of an entity, in the first of the languages that it has, and the problems of parts that cannot be read.

    Returns:
        ``name``; ``language``, if it is not the first; ``description``; ``sitelinks``, the number of wikis; ``wikipedia``,
        the title of the page in the Wikipedia of the first language. Each only if the entity has it.
    """
    facts: Facts = {}
    problems: list[BadRecord] = []
    readers: tuple[Callable[[Mapping[str, Any], Sequence[str]], Facts], ...] = (_name, _description, _sitelinks)
    for reader in readers:
        try:
            facts |= reader(entity, languages)
        except BadRecord as problem:
            problems.append(problem)
    return facts, problems


def _name(entity: Mapping[str, Any], languages: Sequence[str]) -> Facts:
    language, name = _in_language(entity, "labels" if "labels" in entity else "lemmas", languages, MAX_NAME)
    if not name:
        return {}
    facts: Facts = {"name": name}
    if language != languages[0]:
        facts["language"] = language
    return facts


def _description(entity: Mapping[str, Any], languages: Sequence[str]) -> Facts:
    _, description = _in_language(entity, "descriptions", languages)
    return {"description": description} if description else {}


def _sitelinks(entity: Mapping[str, Any], languages: Sequence[str]) -> Facts:
    links = part(entity, "sitelinks")
    facts: Facts = {"sitelinks": len(links)} if links else {}
    page = links.get(f"{languages[0].replace('-', '_')}wiki")
    if isinstance(page, dict):
        facts["wikipedia"] = text(page.get("title"), "title of a page")
    return facts


def _in_language(entity: Mapping[str, Any], what: str, languages: Sequence[str], *longest: int) -> tuple[str, str]:
    """The first of the languages that the entity has, and its text; empty if there is none."""
    texts = part(entity, what)
    for language in languages:
        entry = texts.get(language)
        if isinstance(entry, dict):
            best_text = text(entry.get("value"), f"text in {what}", *longest).strip(" ")
            if best_text:
                return language, best_text
        elif entry is not None:
            raise BadLine(f"{what} have another form")
    return "", ""
