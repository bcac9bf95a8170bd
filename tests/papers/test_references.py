"""Every section, table, figure, equation, appendix and footnote that is cited of the five papers is one that the paper has."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.papers.contents import numbers_of
from tests.support.places import ROOT

FILES = {
    "Fang": "fang2021_cskb_population.txt",
    "Fisher": "fisher2019_kge_bias.txt",
    "Huang": "huang2020_counterfactual_sentiment.txt",
    "Mehrabi": "mehrabi2021_cskb_harms.txt",
    "Sap": "sap2020_social_bias_frames.txt",
}
YEARS = {"Fang": "2021", "Fisher": "2019", "Huang": "2020", "Mehrabi": "2021", "Sap": "2020"}
ENDINGS = (".py", ".cypher", ".md", ".csv", ".toml", ".html")
KINDS = {"section": "section", "sections": "section", "appendix": "section", "eq.": "equation", "fig.": "figure"}
KINDS |= {kind + s: kind for kind in ("table", "figure", "equation", "footnote") for s in ("", "s")}
NUMBER = r"(?:[0-9]+(?:\.[0-9]+)*|[A-D](?:\.[0-9]+)?)(?![0-9A-Za-z])"
REFERENCE = re.compile(rf"\b((?i:{'|'.join(map(re.escape, KINDS))}))\s({NUMBER}(?:(?:, and |, | and | to ){NUMBER})*)")
MORE_AUTHORS = r"(?:,? (?:et al\.|and [A-Z]\w+|[A-Z]\w+(?:,| et al\.| and [A-Z]\w+))+)?"
CITED = re.compile(rf"\b([A-Z][a-z]+){MORE_AUTHORS},? \(?((?:19|20)[0-9]{{2}})\b")


@dataclass(frozen=True)
class Paper:
    name: str
    numbers: dict[str, frozenset[str]]


@cache
def papers(folder: Path) -> dict[str, Paper]:
    return {name: Paper(name, numbers_of((folder / file).read_text(encoding="utf-8"))) for name, file in FILES.items()}


def references(text: str) -> list[tuple[str | None, str, str]]:
    """Author of one of the papers (None: of none that is named just before, ``""``: of another work), kind and number."""
    flat = re.sub(r"\s*\n\s*(?://|#|\*)?\s*", " ", text)
    found: list[tuple[str | None, str, str]] = []
    cited = [(match.end(), match[1], match[2]) for match in CITED.finditer(flat)]
    for match in REFERENCE.finditer(flat):
        before = [(end, name, year) for end, name, year in cited if end <= match.start()]
        author: str | None = None
        if before:
            end, name, year = before[-1]
            between = flat[end : match.start()]
            if len(between) < 60 and not re.search(r"[;|]|\. |``|`\)", between):
                author = name if YEARS.get(name) == year else ""
        kind = KINDS[match[1].lower()]
        for part in re.split(r", and |, | and ", match[2]):
            first, _, last = part.partition(" to ")
            ends = [*map(str, range(int(first), int(last) + 1))] if last.isdigit() else [first]
            found += [(author, kind, number) for number in ends if kind == "section" or number.isdigit()]
    return found


def test_the_papers_have_what_is_cited(data: Path) -> None:
    folder = data.parent / "papers"
    if not folder.is_dir():
        pytest.skip("the papers' texts are not beside the data")
    known = papers(folder)
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    wrong, checked = [], Counter[str]()
    for name in listed:
        if not name.endswith(ENDINGS) or name == "tests/papers/test_references.py":
            continue
        path = ROOT / name
        if path.is_symlink() or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8")
        named = [author for author in FILES if re.search(rf"\b{author}\b", text)]
        for author, kind, number in references(text):
            # Without an author just before, it is of a paper that the file names.
            of = [author] if author else named if author is None else []
            if of and not any(number in known[one].numbers[kind] for one in of):
                wrong.append(f"{name}: {' or '.join(of)} has no {kind} {number}")
            checked.update(of)
    assert wrong == []
    assert min(checked[author] for author in FILES) >= 5, checked


def test_a_section_that_does_not_exist_is_seen(data: Path) -> None:
    folder = data.parent / "papers"
    if not folder.is_dir():
        pytest.skip("the papers' texts are not beside the data")
    numbers = papers(folder)["Mehrabi"].numbers
    assert "3.3" not in numbers["section"]
    assert {"2.3", "4.3", "D"} <= numbers["section"]
    assert numbers["equation"] == {"1", "2", "3", "4"}
    assert references("(Mehrabi et al. 2021, section 3.3 and tables 2, 3 and 8)") == [
        ("Mehrabi", "section", "3.3"),
        *(("Mehrabi", "table", number) for number in "238"),
    ]
    assert references("Chen et al. 2021, equation 3") == [("", "equation", "3")]
