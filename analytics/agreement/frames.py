"""How well annotators of social bias frames agree with one another (Sap et al. 2020, section 3.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from harmgraph.analytics.agreement.nominal import NominalAgreement, nominal_agreement
from harmgraph.common.errors import UnreadableFile
from harmgraph.common.frames import VARIABLES, Variable, binary, split_groups
from harmgraph.common.user_file import named_rows

POST, WORKER, GROUPS = "post", "WorkerId", "targetMinority"
BINARY, GIVEN = "0 or 1", "as given"
NAMED, OR_NONE = "groups named", "groups or none"
FORM = "give a file of SBIC with a row for each annotation, such as SBIC.v2.dev.csv.gz"
PAPER_GROUPS = 0.802, 0.50  # the same groups, section 3.2

Table = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers in a file.

    Attributes:
        counts: of each variable by its name, how often each of its choices was given to each post, shape [posts, choices]; a
            question that was not asked counts nowhere.
        groups: how often each set of groups was named for each post, shape [posts, sets]; the first set is the empty one.
        annotations: pairs of post and annotator.
        repeated: rows of an annotator and a post after the first: of further groups and statements.
        contradicting: of these, rows with other answers; the first row counts.
        texts: the posts.
    """

    counts: Mapping[str, Table]
    groups: csr_array
    posts: int
    annotations: int
    repeated: int
    contradicting: int
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FrameAgreement:
    """The agreement on one variable.

    Attributes:
        variable: its name, or ``groups``.
        answers: ``BINARY`` or ``GIVEN``; of groups ``NAMED`` (by annotators who named one) or ``OR_NONE`` (by all).
        found: whose units are posts.
        paper_agreement, paper_alpha: in the paper.
    """

    variable: str
    answers: str
    found: NominalAgreement
    paper_agreement: float
    paper_alpha: float

    def row(self) -> dict[str, Any]:
        """As a row of a table, with the paper's numbers."""
        found = self.found
        low, high = found.agreement_interval or (None, None)
        alpha_low, alpha_high = found.alpha_interval or (None, None)
        return {
            "variable": self.variable,
            "answers": self.answers,
            "agreement": found.agreement,
            "agreement_low": low,
            "agreement_high": high,
            "alpha": found.alpha,
            "alpha_low": alpha_low,
            "alpha_high": alpha_high,
            "paper_agreement": self.paper_agreement,
            "paper_alpha": self.paper_alpha,
            "posts": found.units,
            "given": found.given,
            "pairs": found.pairs,
        }


def read_answers(path: Path) -> Answers:
    """Reads a file with a row for each annotation, such as ``SBIC.v2.dev.csv.gz``.

    Raises:
        UnreadableFile: it cannot be read, has no such column or no answer, or an answer is none of the question's.
    """
    first: dict[tuple[str, str], tuple[float | None, ...]] = {}
    named: dict[tuple[str, str], set[str]] = {}
    repeated = contradicting = 0
    for line, row in annotation_rows(path, [*(variable.column for variable in VARIABLES), GROUPS]):
        answers = tuple(_answer(row[variable.column], variable, path, line) for variable in VARIABLES)
        key = row[POST], row[WORKER]
        named.setdefault(key, set()).update(name.lower() for name in split_groups(row[GROUPS]))
        if key in first:
            repeated += 1
            contradicting += first[key] != answers
        first.setdefault(key, answers)
    places = {post: place for place, post in enumerate(dict.fromkeys(post for post, _ in first))}
    counts = {variable.name: np.zeros((len(places), len(variable.choices)), np.int64) for variable in VARIABLES}
    for (post, _), answers in first.items():
        for variable, answer in zip(VARIABLES, answers, strict=True):
            if answer is not None:
                counts[variable.name][places[post], list(variable.choices).index(answer)] += 1
    groups = _groups({(places[post], worker): frozenset(names) for (post, worker), names in named.items()}, len(places))
    return Answers(counts, groups, len(places), len(first), repeated, contradicting, tuple(places))


def _groups(named: Mapping[tuple[int, str], frozenset[str]], posts: int) -> csr_array:
    sets = {names: place for place, names in enumerate(dict.fromkeys([frozenset(), *named.values()]))}
    rows = [place for place, _ in named]
    columns = [sets[names] for names in named.values()]
    return csr_array((np.ones(len(named), np.int64), (rows, columns)), shape=(posts, len(sets)))


def annotation_rows(path: Path, wanted: Sequence[str]) -> Iterator[tuple[int, Mapping[str, str]]]:
    """The rows of a file with a row for each annotation, with their line numbers: ``POST``, ``WORKER``, these columns and others.

    Raises:
        UnreadableFile: it cannot be read, has no such column, a row of another length, or no row.
    """
    read = 0
    for row in named_rows(path, (POST, WORKER, *wanted), remedy=FORM):
        read += 1
        yield row.line, row.cells
    if not read:
        raise UnreadableFile(path, "holds no annotation", remedy="check the file")


def _answer(text: str, variable: Variable, path: Path, line: int) -> float | None:
    if not text.strip():
        return None
    try:
        answer = float(text)
    except ValueError:
        answer = float("nan")
    if answer not in variable.choices:
        known = ", ".join(f"{choice:g} ({word})" for choice, word in variable.choices.items())
        raise UnreadableFile(
            path, f"{variable.column} is {text[:20]!r}, not one of {known}", line=line, remedy="load version 2 of SBIC"
        )
    return answer


def frame_agreement(answers: Answers, *, resamples: int = 1_000, seed: int = 0) -> list[FrameAgreement]:
    """The agreement on each variable, of the answers as 0 or 1 and as they were given, and on the groups.

    Two answers about groups are the same if all their groups are, in any order and case.

    Args:
        resamples: bootstrap resamples of posts, with replacement; 0 for no intervals.
    """

    def of(variable: str, answers: str, counts: Table | csr_array, paper: tuple[float, float]) -> FrameAgreement:
        return FrameAgreement(variable, answers, nominal_agreement(counts, resamples=resamples, seed=seed), *paper)

    results = []
    for variable in VARIABLES:
        given = answers.counts[variable.name]
        positive = np.array([binary(choice) > 0 for choice in variable.choices])
        as_binary = np.stack([given[:, ~positive].sum(axis=1), given[:, positive].sum(axis=1)], axis=1)
        forms = {BINARY: as_binary} | ({GIVEN: given} if len(variable.choices) > 2 else {})
        paper = variable.agreement, variable.alpha
        results += [of(variable.name, form, counts, paper) for form, counts in forms.items()]
    forms = {NAMED: answers.groups[:, 1:], OR_NONE: answers.groups}
    results += [of("groups", form, counts, PAPER_GROUPS) for form, counts in forms.items()]
    return results
