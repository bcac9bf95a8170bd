"""Lists of identities in the forms in which others publish them: HolisticBias, SeeGULL and SHADES.

The forms were read in the repositories: ``facebookresearch/ResponsibleNLP``, ``holistic_bias/dataset/v1.1`` (Smith et al. 2022);
``google-research-datasets/seegull``, ``dataset`` (Jha et al. 2023); ``bigscience-workshop/ShadesofBias``, the columns of
``process_dataset`` and ``config.py`` (Mitchell et al. 2025), with the data card of ``LanguageShades/BiasShades``.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harmgraph.common.errors import BadRecord
from harmgraph.graph.records import Record, Rejection, Skip, Target, normalise
from harmgraph.loader.formats.csv_rows import csv_rows
from harmgraph.loader.formats.importer import MAX_REJECTED_TEXT, BadLine, rejected
from harmgraph.loader.formats.json_value import json_value
from harmgraph.loader.formats.lines import Line, Lines

MOST_LETTERS = 8_000_000  # of a list in JSON, which is read whole; HolisticBias has 23,461
ORIGIN = "origin"  # category of SeeGULL's identities: nationalities, and people of states
SEEGULL = ("identity", "attribute")  # the first columns
ENTITY, BIAS = "stereotyped_entity", "bias_type"  # of SHADES
SHADES = {ENTITY: ENTITY, "stereotyped entity": ENTITY, BIAS: BIAS, "bias type": BIAS}
"""The columns of SHADES, by their names in the data set and in the table that it was made from."""
NONCE = "nonce"  # an axis of HolisticBias: invented words, as a control
AGAIN = "the same group again"
EVERY = "all"
_CATEGORY = re.compile(r"\w[\w .&/-]{0,99}")
_ARTICLE = re.compile(r"\Aan? ", re.IGNORECASE)
_SEVERAL = re.compile(r"\s*(?:∪|,|;|\band\b)\s*")
_TYPES = re.compile(r"[\w-]+")
_REMARK = re.compile(r"\[[^\]]*\]")


@dataclass(frozen=True, slots=True)
class Identity:
    """A group of a list.

    Attributes:
        place: of the entry in the file: a line of a table, or the number of an entry of JSON.
        aliases: further names, such as a plural.
    """

    name: str
    category: str
    place: int
    aliases: tuple[str, ...] = ()

    def target(self, language: str) -> Target:
        """The group as a target.

        Raises:
            BadRecord: it has no name, or one that cannot be stored, or its category can be none.
        """
        name = normalise(self.name)
        if not name:
            raise BadLine("the name is empty")
        check_category(self.category)
        aliases = tuple(alias for alias in map(normalise, self.aliases) if alias and alias != name)
        return Target(name, self.category, self.name.strip(), aliases, self.place, language)


def check_category(category: str) -> None:
    """Checks the category of a target.

    Raises:
        BadLine: it can be none.
    """
    if not _CATEGORY.fullmatch(category):
        raise BadLine("the category is empty, or has other characters than letters, digits, spaces and . & / -")
    if category == EVERY:
        raise BadLine(f"the category cannot be {EVERY}, which in statistics means every category")


def identity_list(lines: Lines, language: str) -> Iterator[Record] | None:
    """The targets of a list in one of the three forms; None if the file is of none of them, and then no line is consumed."""
    first = lines.first()
    if first is None or first.problem:
        return None
    if first.text.lstrip().startswith("{"):
        axes = _axes(lines)
        return None if axes is None else _distinct(lines, _holisticbias(lines.name, axes), language)
    columns = table_columns(first.text)
    if tuple(columns[:2]) == SEEGULL:
        return _distinct(lines, _seegull(lines, len(columns)), language)
    return _distinct(lines, _shades(lines, columns), language) if columns else None


def table_columns(first: str) -> list[str]:
    """The columns of SeeGULL or SHADES, by the first line of a file; empty if it is of neither."""
    try:
        columns = [name.strip().lower() for name in next(csv.reader([first], strict=True), [])]
    except csv.Error:
        return []
    known = tuple(columns[:2]) == SEEGULL or {SHADES.get(name) for name in columns} >= {ENTITY, BIAS}
    return columns if known else []


def axes_of(text: str) -> dict[str, Any] | None:
    """The axes of a list of HolisticBias; None if the text is none."""
    try:
        axes = json_value(text, "no JSON")
    except BadLine:
        return None
    groups = axes.values() if isinstance(axes, dict) else [None]
    return axes if axes and all(isinstance(each, dict | list) for each in groups) else None


def _axes(lines: Lines) -> dict[str, Any] | None:
    taken: list[Line] = []
    size = 0
    for line in lines:
        taken.append(line)
        size += len(line.text)
        if line.problem or size > MOST_LETTERS:
            break
    else:
        if (axes := axes_of("\n".join(line.text for line in taken))) is not None:
            return axes
    lines.put_back(*taken)
    return None


def _distinct(lines: Lines, found: Iterator[Identity | Rejection | Skip], language: str) -> Iterator[Record]:
    """Each group once, as it is listed first."""
    categories: dict[str, str] = {}  # a list of groups is short
    listed: set[str] = set()
    for one in found:
        lines.rows = max(lines.rows, one.place if isinstance(one, Identity) else one.line)
        if not isinstance(one, Identity):
            yield one
            continue
        try:
            target = one.target(language)
        except BadRecord as bad:
            yield rejected(lines.name, one.place, bad, one.name)
            continue
        before = categories.setdefault(target.name, target.category)
        if before != target.category:
            yield Skip(one.place, f"{AGAIN}, in another category")
        elif target.name in listed:
            yield Skip(one.place, AGAIN)
        else:
            listed.add(target.name)
            yield target


def _holisticbias(file: str, axes: Mapping[str, Any]) -> Iterator[Identity | Rejection | Skip]:
    """The descriptors, ``{axis: {bucket: [descriptor, ...]}}``, or the noun phrases, ``{axis: [phrase, ...]}``."""
    number = 0
    for axis, groups in axes.items():
        buckets = groups.values() if isinstance(groups, dict) else [groups]
        for entry in (entry for bucket in buckets for entry in (bucket if isinstance(bucket, list) else [bucket])):
            number += 1
            yield _entry(file, axis, entry, number)


def _entry(file: str, axis: str, entry: Any, number: int) -> Identity | Rejection | Skip:
    """A descriptor, or a noun phrase such as ``a wheelchair user``; one with a place for a noun is no name of a group."""
    if axis == NONCE:
        return Skip(number, "an invented word of a control")
    facts = {"descriptor": entry} if isinstance(entry, str) else entry
    name = facts.get("descriptor", facts.get("noun_phrase")) if isinstance(facts, dict) else None
    if not isinstance(name, str):
        shown = str(entry)[:MAX_REJECTED_TEXT]
        return rejected(file, number, BadLine("neither a descriptor nor a noun phrase of HolisticBias"), shown)
    if "{" in name:
        return Skip(number, "a phrase with a place for a noun")
    several = facts.get("plural_noun_phrase")
    aliases = (several,) if isinstance(several, str) else ()
    return Identity(_ARTICLE.sub("", name) if "noun_phrase" in facts else name, _words(axis), number, aliases)


def _words(category: str) -> str:
    return category.replace("_", " ").strip().lower()


def _rows(lines: Lines, columns: int) -> Iterator[tuple[int, Sequence[str]] | Rejection | Skip]:
    """The rows of a table after its header, with their lines."""
    header = True
    for row in csv_rows(lines):
        if header or row.cells is None:
            skipped = Skip(row.line, "header" if header else "empty line")
            yield Rejection(lines.name, row.line, row.problem, row.text[:MAX_REJECTED_TEXT]) if row.problem else skipped
            header = False
        elif len(row.cells) != columns:
            bad = BadLine(f"{len(row.cells)} columns where {columns} are expected")
            yield rejected(lines.name, row.line, bad, row.text)
        else:
            yield row.line, row.cells


def _seegull(lines: Lines, columns: int) -> Iterator[Identity | Rejection | Skip]:
    """Identities; each stands on as many rows as there are stereotypes of it, which are left out."""
    for row in _rows(lines, columns):
        yield Identity(row[1][0], ORIGIN, row[0]) if isinstance(row, tuple) else row


def _shades(lines: Lines, columns: Sequence[str]) -> Iterator[Identity | Rejection | Skip]:
    """Stereotyped entities, in the kind of bias that most rows of an entity have by itself."""
    places = {SHADES[name]: at for at, name in enumerate(columns) if name in SHADES}
    named: dict[str, int] = {}  # the entities, with the line of the first
    kinds: dict[str, Counter[str]] = {}
    for row in _rows(lines, len(columns)):
        if not isinstance(row, tuple):
            yield row
            continue
        line, cells = row
        entities = [_REMARK.sub("", entity).strip() for entity in _SEVERAL.split(cells[places[ENTITY]])]
        types = _TYPES.findall(cells[places[BIAS]])
        if not any(entities):
            yield Skip(line, "no stereotyped entity")
            continue
        new = False
        for entity in filter(None, entities):
            parts = [part.strip() for part in entity.split("∩") if part.strip()]
            for part in parts:
                new = new or part not in named
                named.setdefault(part, line)
                own = len(parts) == 1 and len(types) == 1
                kinds.setdefault(part, Counter())[" & ".join(map(_words, types)) or "other"] += 1_000 if own else 1
        if not new:
            yield Skip(line, AGAIN)
    for name, line in named.items():
        ((kind, _),) = kinds[name].most_common(1)
        yield Identity(name, kind, line)
