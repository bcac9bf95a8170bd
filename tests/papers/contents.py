"""Which sections, tables, figures, equations and footnotes the text of a paper has."""

from __future__ import annotations

import re


def numbers_of(text: str) -> dict[str, frozenset[str]]:
    """Their numbers, by kind."""

    def shown(kind: str) -> frozenset[str]:
        return frozenset(re.findall(rf"\b{kind}s? (\d+)\b", text))

    heads = re.findall(r"^(?:Appendix )?(\d{1,2}(?:\.\d)?|[A-D](?:\.\d)?) +\*?[A-Z]", text, re.MULTILINE)
    equations = re.findall(r"\((\d)\)\s*(?:\\end\{\w+\}\s*)?(?:\$\$)?(?: \|)?$", text, re.MULTILINE)
    superscripts = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
    notes = {mark.translate(superscripts) for mark in re.findall(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+", text)}
    notes |= set(
        re.findall(r"\.(\d)\1\1[A-Z]", text)
    )  # a page turned into text has "footnote 5" as "555In all experiments"
    tables = set(shown("Table"))
    if not re.search(r"^Table \d+[:.]", text, re.MULTILINE):  # captions are lost: the tables that are there count
        tables |= {str(at) for at, _ in enumerate(re.findall(r"^---\|", text, re.MULTILINE), 1)}
    return {
        "section": frozenset(heads),
        "table": frozenset(tables),
        "figure": shown("Figure"),
        "equation": frozenset(equations),
        "footnote": frozenset(notes),
    }
