"""Templates of story prompts, ``family,template,origin``: the thirty of Mehrabi et al. 2021, section 4.2, and the user's."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from harmgraph.common.errors import UnreadableFile
from harmgraph.common.plural import plural
from harmgraph.common.user_file import list_rows

FAMILIES = ("people", "locations", "professions", "others")
FORMS = ("{target}", "{a target}", "{targets}")
"""The placeholders; a template has exactly one: the name, the name with a or an before it, or its plural."""

HEADER = ["family", "template"]
MARK = "|||"  # separates a prompt from its story in the files that the importer ``stories`` reads
OWN = "own"
_PLACEHOLDER = re.compile(r"\{[^{}]*\}|[{}]")
# By sound, not by letter: "a European", "a Ukrainian", "an hour", "an MBA student".
_VOWEL_LETTER_CONSONANT_SOUND = re.compile(
    r"(eu|ewe|uni(?!n)|ukr|uk\b|use|usu|usa\b|ut[ei]|ura|uru|ufo|one\b|once\b)", re.I
)
_SILENT_H = re.compile(r"(hour|hono|honest|heir)", re.IGNORECASE)
_SPELLED_OUT = re.compile(r"[A-Z]{2,}\b")
_AN_LETTERS = "AEFHILMNORSX"


@dataclass(frozen=True, slots=True)
class Template:
    """A prompt with a place for a target.

    Attributes:
        family: one of ``FAMILIES``.
        text: the prompt with one of ``FORMS`` in it.
        origin: ``table 6``, ``released prompts``, or the text in the user's file.
    """

    family: str
    text: str
    origin: str

    def filled(self, name: str, *, spelled: str = "") -> str:
        """The prompt about a target.

        Args:
            spelled: the name with its capitals, if ``name`` is in lower case; it decides between ``a`` and ``an``.
        """
        form = next(form for form in FORMS if form in self.text)
        word = {"{target}": name, "{a target}": f"{article(spelled or name)} {name}", "{targets}": plural(name)}[form]
        return self.text.replace(form, word)

    def with_text(self, text: str) -> Template:
        """The same template with another text."""
        return replace(self, text=text)


def article(name: str) -> str:
    """``a`` or ``an``, by the first sound of a name."""
    first = name[:1]
    if _SPELLED_OUT.match(name):
        return "an" if first in _AN_LETTERS else "a"
    if _SILENT_H.match(name):
        return "an"
    if _VOWEL_LETTER_CONSONANT_SOUND.match(name):
        return "a"
    return "an" if first.lower() in "aeiou" else "a"


def shipped_templates() -> tuple[Template, ...]:
    """The thirty templates of the paper."""
    return read_templates(Path(str(resources.files(__package__).joinpath("templates.csv"))))


def read_templates(path: Path) -> tuple[Template, ...]:
    """Reads templates from a file, ``family,template[,origin]``; the header line is optional, ``#`` starts a comment.

    Raises:
        UnreadableFile: it cannot be read, or a line is not a template.
    """
    templates: dict[tuple[str, str], Template] = {}
    for place, row in enumerate(list_rows(path)):
        number, cells = row.line, [cell.strip() for cell in row.cells]
        if place == 0 and [cell.lower() for cell in cells[:2]] == HEADER:
            continue
        template = _template(path, number, cells)
        if (template.family, template.text) in templates:
            raise UnreadableFile(path, f"the template {template.text!r} is repeated", line=number)
        templates[template.family, template.text] = template
    if not templates:
        raise UnreadableFile(path, "contains no template", remedy="write one on each line: family,template[,origin]")
    return tuple(templates.values())


def _template(path: Path, line: int, cells: list[str]) -> Template:
    if len(cells) not in (2, 3):
        raise UnreadableFile(
            path, f"{len(cells)} columns", line=line, remedy="write family,template[,origin]; quote texts with commas"
        )
    family, text = cells[0].lower(), cells[1]
    if family not in FAMILIES:
        raise UnreadableFile(path, f"no family named {cells[0]!r}", line=line, remedy=f"known: {', '.join(FAMILIES)}")
    places = _PLACEHOLDER.findall(text)
    if len(places) != 1 or places[0] not in FORMS:
        placeholders = ", ".join(places) or "none"
        raise UnreadableFile(
            path,
            f"a template needs one placeholder for a target and has {placeholders}",
            line=line,
            remedy=f"write one of {', '.join(FORMS)}",
        )
    if MARK in text:
        raise UnreadableFile(
            path, f"a template may not contain {MARK}, which separates a prompt from its story", line=line
        )
    return Template(family, text, cells[2] if len(cells) == 3 and cells[2] else OWN)
