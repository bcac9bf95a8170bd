"""How well annotators of social bias frames agree with one another (Sap et al. 2020, section 3.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from harmgraph.common import resampling
from harmgraph.common.errors import UnreadableFile
from harmgraph.common.frames import VARIABLES, Variable, binary
from harmgraph.common.user_file import csv_rows

POST, WORKER = "post", "WorkerId"
BINARY, GIVEN = "0 or 1", "as given"
FEWEST = 20  # posts below which a bootstrap is too narrow

Table = np.ndarray[Any, Any]
Interval = tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers in a file.

    Attributes:
        counts: of each variable by its name, how often each of its choices was given to each post, shape [posts, choices]; a
            question that was not asked counts nowhere.
        annotations: pairs of post and annotator.
        repeated: rows of an annotator and a post after the first: of further groups and statements.
        contradicting: of these, rows with other answers; the first row counts.
    """

    counts: Mapping[str, Table]
    posts: int
    annotations: int
    repeated: int
    contradicting: int


@dataclass(frozen=True, slots=True)
class FrameAgreement:
    """The agreement on one variable.

    Attributes:
        answers: ``BINARY`` or ``GIVEN``.
        agreement: share of the pairs of annotators of one post who gave the same answer; None without a pair.
        alpha: Krippendorff's alpha, nominal; None if only one answer was given.
        agreement_interval, alpha_interval: 95 % percentile bootstrap intervals over posts.
        posts: with two answers or more; the others say nothing.
        given: answers of these posts.
        pairs: pairs of annotators.
    """

    variable: Variable
    answers: str
    agreement: float | None
    agreement_interval: Interval
    alpha: float | None
    alpha_interval: Interval
    posts: int
    given: int
    pairs: int

    def row(self) -> dict[str, Any]:
        """As a row of a table, with the paper's numbers."""
        low, high = self.agreement_interval or (None, None)
        alpha_low, alpha_high = self.alpha_interval or (None, None)
        return {
            "variable": self.variable.name,
            "answers": self.answers,
            "agreement": self.agreement,
            "agreement_low": low,
            "agreement_high": high,
            "alpha": self.alpha,
            "alpha_low": alpha_low,
            "alpha_high": alpha_high,
            "paper_agreement": self.variable.agreement,
            "paper_alpha": self.variable.alpha,
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
    repeated = contradicting = 0
    for line, row in annotation_rows(path, [variable.column for variable in VARIABLES]):
        answers = tuple(_answer(row[variable.column], variable, path, line) for variable in VARIABLES)
        key = row[POST], row[WORKER]
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
    return Answers(counts, len(places), len(first), repeated, contradicting)


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
    """The agreement on each variable, of the answers as 0 or 1 and as they were given.

    Args:
        resamples: bootstrap resamples of posts, with replacement; 0 for no intervals.
    """
    results = []
    for variable in VARIABLES:
        given = answers.counts[variable.name]
        positive = np.array([binary(choice) > 0 for choice in variable.choices])
        as_binary = np.stack([given[:, ~positive].sum(axis=1), given[:, positive].sum(axis=1)], axis=1)
        results.append(_of(variable, BINARY, as_binary, resamples, seed))
        if len(variable.choices) > 2:
            results.append(_of(variable, GIVEN, given, resamples, seed))
    return results


def _of(variable: Variable, answers: str, counts: Table, resamples: int, seed: int) -> FrameAgreement:
    counts = counts[counts.sum(axis=1) > 1]
    terms = _terms(counts)
    agreement, alpha = _values(terms.sum(axis=0)[None])
    draws = resamples if len(counts) >= FEWEST else 0
    drawn = [_values(times @ terms) for times in resampling.times(len(counts), draws, seed)]
    n = counts.sum(axis=1)
    return FrameAgreement(
        variable,
        answers,
        _number(agreement[0]),
        resampling.strict_interval([values[0] for values in drawn], draws),
        _number(alpha[0]),
        resampling.strict_interval([values[1] for values in drawn], draws),
        posts=len(counts),
        given=int(n.sum()),
        pairs=int((n * (n - 1) // 2).sum()),
    )


def _terms(counts: Table) -> Table:
    """What each post adds to the sums of ``_values``, shape [posts, 3 + choices].

    The sums are linear in the posts, so a resample is one row of a matrix product.
    """
    n = counts.sum(axis=1)
    squares = (counts**2).sum(axis=1)
    pairs, same = n * (n - 1), squares - n
    # n is 2 or more.
    apart = (n**2 - squares) / np.maximum(n - 1, 1)
    return np.column_stack([pairs, same, apart, counts]).astype(np.float64)


def _values(sums: Table) -> tuple[Table, Table]:
    """Pairwise agreement and alpha of each row of sums; nan where undefined.

    With n_uc annotators who give post u the answer c, N_c and N their sums over posts and answers:
    alpha = 1 - (N - 1) sum_u (n_u^2 - sum_c n_uc^2) / (n_u - 1) / (N^2 - sum_c N_c^2) (Krippendorff 2004, section 11.3).
    """
    pairs, same, apart, of_answers = sums[:, 0], sums[:, 1], sums[:, 2], sums[:, 3:]
    whole = of_answers.sum(axis=1)
    chance = whole**2 - (of_answers**2).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return same / pairs, np.where(chance > 0, 1 - (whole - 1) * apart / chance, np.nan)


def _number(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)
