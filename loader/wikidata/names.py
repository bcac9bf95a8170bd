"""What an entity of Wikidata's JSON says of itself: its name, a description, its pages in the wikis."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harmgraph.graph.records import Scalar
from harmgraph.loader.formats.importer import BadLine
from harmgraph.loader.wikidata.ids import MAX_NAME, text

Facts = dict[str, Scalar]


def part(entity: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A part of an entity, such as its labels; an empty one is written ``[]`` in some dumps.

    Raises:
        BadLine: it is no object.
    """
    value = entity.get(name)
    if value is None or value == []:
        return {}
    if not isinstance(value, dict):
        raise BadLine(f"{name} is no object")
    return value


def describe(entity: Mapping[str, Any], languages: Sequence[str]) -> tuple[Facts, list[BadLine]]:
    """What an entity says of itself, in the first of the languages that it has, and what of it cannot be read.

    Returns:
        ``name``; ``language``, where it is another than the first; ``description``; ``sitelinks``, the number of wikis;
        ``wikipedia``, the title of the page in the Wikipedia of the first language. Each only where the entity has it.
    """
    facts: Facts = {}
    problems = []
    readers: tuple[Callable[[Mapping[str, Any], Sequence[str]], Facts], ...] = (_name, _description, _sitelinks)
    for reader in readers:
        try:
            facts |= reader(entity, languages)
        except BadLine as problem:
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
    """Language and text of the best language that is there, empty where none is."""
    texts = part(entity, what)
    for language in languages:
        entry = texts.get(language)
        if isinstance(entry, dict):
            best_text = text(entry.get("value"), f"text in {what}", *longest).strip(" ")
            if best_text:
                return language, best_text
        elif entry is not None:
            raise BadLine(f"{what} are of another form")
    return "", ""
