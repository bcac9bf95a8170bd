"""How well annotators of social bias frames agree with one another (Sap et al. 2020, section 3.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from harmgraph.common import resampling
from harmgraph.common.errors import UnreadableFile
from harmgraph.common.frames import VARIABLES, Variable, binary
from harmgraph.common.user_file import csv_rows

POST, WORKER, GROUPS = "post", "WorkerId", "targetMinority"
BINARY, GIVEN = "0 or 1", "as given"
NAMED, OR_NONE = "groups named", "groups or none"
PAPER_GROUPS = 0.802, 0.50  # the same groups, section 3.2
FEWEST = 20  # posts below which a bootstrap is too narrow

Table = np.ndarray[Any, Any]
Interval = tuple[float, float] | None


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
    """

    counts: Mapping[str, Table]
    groups: csr_array
    posts: int
    annotations: int
    repeated: int
    contradicting: int


@dataclass(frozen=True, slots=True)
class FrameAgreement:
    """The agreement on one variable.

    Attributes:
        variable: its name, or ``groups``.
        answers: ``BINARY`` or ``GIVEN``; of groups ``NAMED`` (by annotators who named one) or ``OR_NONE`` (by all).
        agreement: share of the pairs of annotators of one post who gave the same answer; None without a pair.
        alpha: Krippendorff's alpha, nominal; None if only one answer was given.
        agreement_interval, alpha_interval: 95 % percentile bootstrap intervals over posts.
        posts: with two answers or more; the others say nothing.
        given: answers of these posts.
        pairs: pairs of annotators.
        paper_agreement, paper_alpha: in the paper.
    """

    variable: str
    answers: str
    agreement: float | None
    agreement_interval: Interval
    alpha: float | None
    alpha_interval: Interval
    posts: int
    given: int
    pairs: int
    paper_agreement: float
    paper_alpha: float

    def row(self) -> dict[str, Any]:
        """As a row of a table, with the paper's numbers."""
        low, high = self.agreement_interval or (None, None)
        alpha_low, alpha_high = self.alpha_interval or (None, None)
        return {
            "variable": self.variable,
            "answers": self.answers,
            "agreement": self.agreement,
            "agreement_low": low,
            "agreement_high": high,
            "alpha": self.alpha,
            "alpha_low": alpha_low,
            "alpha_high": alpha_high,
            "paper_agreement": self.paper_agreement,
            "paper_alpha": self.paper_alpha,
            "posts": self.posts,
            "given": self.given,
            "pairs": self.pairs,
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
        names = (name.strip().casefold() for name in row[GROUPS].split(","))
        named.setdefault(key, set()).update(name for name in names if name)
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
    return Answers(counts, groups, len(places), len(first), repeated, contradicting)


def _groups(named: Mapping[tuple[int, str], frozenset[str]], posts: int) -> csr_array:
    sets = {names: place for place, names in enumerate(dict.fromkeys([frozenset(), *named.values()]))}
    rows = [place for place, _ in named]
    columns = [sets[names] for names in named.values()]
    return csr_array((np.ones(len(named), np.int64), (rows, columns)), shape=(posts, len(sets)))


def annotation_rows(path: Path, wanted: Sequence[str]) -> Iterator[tuple[int, Mapping[str, str]]]:
    """The rows of a file with a row for each annotation, with their line numbers: ``POST``, ``WORKER`` and these columns.

    Raises:
        UnreadableFile: it cannot be read, has no such column, a row of another length, or no row.
    """
    rows = csv_rows(path)
    header = next(rows, None)
    columns = {name: place for place, name in enumerate(header.cells if header else ())}
    lacking = [name for name in (POST, WORKER, *wanted) if name not in columns]
    if lacking:
        raise UnreadableFile(
            path,
            f"has no column {', '.join(lacking)}",
            line=1,
            remedy="give a file of SBIC with a row for each annotation, such as SBIC.v2.dev.csv.gz",
        )
    read = 0
    for row in rows:
        if len(row.cells) != len(columns):
            raise UnreadableFile(
                path,
                f"has {len(row.cells)} columns where {len(columns)} are expected",
                line=row.line,
                remedy="mend the row",
            )
        read += 1
        yield row.line, {name: row.cells[columns[name]] for name in (POST, WORKER, *wanted)}
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
    results = []
    for variable in VARIABLES:
        given = answers.counts[variable.name]
        positive = np.array([binary(choice) > 0 for choice in variable.choices])
        as_binary = np.stack([given[:, ~positive].sum(axis=1), given[:, positive].sum(axis=1)], axis=1)
        forms = {BINARY: as_binary} | ({GIVEN: given} if len(variable.choices) > 2 else {})
        paper = variable.agreement, variable.alpha
        results += [_of(variable.name, form, counts, paper, resamples, seed) for form, counts in forms.items()]
    forms = {NAMED: answers.groups[:, 1:], OR_NONE: answers.groups}
    results += [_of("groups", form, counts, PAPER_GROUPS, resamples, seed) for form, counts in forms.items()]
    return results


def _of(
    variable: str, answers: str, counts: Table | csr_array, paper: tuple[float, float], resamples: int, seed: int
) -> FrameAgreement:
    counts = counts[np.flatnonzero(counts.sum(axis=1) > 1)]
    n = counts.sum(axis=1)
    terms = _terms(n, (counts * counts).sum(axis=1))
    agreement, alpha = _values(terms.sum(axis=0)[None], counts.sum(axis=0)[None])
    draws = resamples if len(n) >= FEWEST else 0
    drawn = [_values(times @ terms, times @ counts) for times in resampling.times(len(n), draws, seed)]
    return FrameAgreement(
        variable,
        answers,
        _number(agreement[0]),
        resampling.strict_interval([values[0] for values in drawn], draws),
        _number(alpha[0]),
        resampling.strict_interval([values[1] for values in drawn], draws),
        posts=len(n),
        given=int(n.sum()),
        pairs=int((n * (n - 1) // 2).sum()),
        paper_agreement=paper[0],
        paper_alpha=paper[1],
    )


def _terms(n: Table, squares: Table) -> Table:
    """What each post adds to the sums of ``_values``, shape [posts, 3].

    The sums are linear in the posts, so a resample is one row of a matrix product.

    Args:
        n, squares: answers of each post, and the sum of the squares of how often each was given, shape [posts].
    """
    # n is 2 or more.
    apart = (n**2 - squares) / np.maximum(n - 1, 1)
    return np.column_stack([n * (n - 1), squares - n, apart]).astype(np.float64)


def _values(sums: Table, of_answers: Table) -> tuple[Table, Table]:
    """Pairwise agreement and alpha of each row of sums; nan where undefined.

    With n_uc annotators who give post u the answer c, N_c and N their sums over posts and answers:
    alpha = 1 - (N - 1) sum_u (n_u^2 - sum_c n_uc^2) / (n_u - 1) / (N^2 - sum_c N_c^2) (Krippendorff 2004, section 11.3).

    Args:
        sums: of ``_terms``, shape [draws, 3].
        of_answers: N_c, shape [draws, answers].
    """
    pairs, same, apart = sums.T
    whole = of_answers.sum(axis=1)
    chance = whole**2 - (of_answers**2).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return same / pairs, np.where(chance > 0, 1 - (whole - 1) * apart / chance, np.nan)


def _number(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)
