"""Who annotated social bias frames: what the annotators said of themselves (Sap et al. 2020, section 3.2)."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from harmgraph.analytics.agreement.frames import POST, WORKER, annotation_rows
from harmgraph.common.intervals import student, wilson

SAID = {"gender": "annotatorGender", "race": "annotatorRace", "politics": "annotatorPolitics", "age": "annotatorAge"}
"""Columns of a file of SBIC, by what they say."""
AGE, YEARS = "age", "years"
OF_AGE = ("mean", "mean_low", "mean_high", "sd")
"""Columns that are None in all rows but that of the ages."""


def annotator_shares(path: Path) -> list[dict[str, Any]]:
    """The share of the annotators who gave each answer about themselves, the commonest first.

    An annotator who gave several answers counts with the commonest. Annotations are pairs of annotator and post. Ages are one
    row, of those who gave a number.

    Returns:
        Rows of ``said``, ``answer``, ``annotators``, ``of`` how many, ``percent`` with its 95 % interval (Wilson 1927), and
        ``annotations_percent``, the share of the annotations that are theirs. The row of the ages also has their ``mean``, with
        its 95 % interval by Student's t, and their standard deviation ``sd``, in years.

    Raises:
        UnreadableFile: as ``annotation_rows``.
    """
    answers: dict[str, dict[str, Counter[str]]] = {said: defaultdict(Counter) for said in SAID}
    judged: dict[str, set[str]] = defaultdict(set)
    for _, row in annotation_rows(path, tuple(SAID.values())):
        judged[row[WORKER]].add(row[POST])
        for said, column in SAID.items():
            answers[said][row[WORKER]][row[column].strip()] += 1
    annotations = sum(map(len, judged.values()))
    found = []
    for said, by_worker in answers.items():
        of = {worker: given.most_common(1)[0][0] for worker, given in by_worker.items()}
        ages = {worker: age for worker, given in of.items() if said == AGE and (age := _years(given)) is not None}
        if said == AGE:
            of = {worker: YEARS if worker in ages else "" for worker in of}
        for answer, count in Counter(of.values()).most_common():
            low, high = wilson(count, len(of))
            theirs = sum(len(judged[worker]) for worker, given in of.items() if given == answer)
            found.append(
                {
                    "said": said,
                    "answer": answer or "nothing",
                    "annotators": count,
                    "of": len(of),
                    "percent": 100 * count / len(of),
                    "percent_low": 100 * low,
                    "percent_high": 100 * high,
                    "annotations_percent": 100 * theirs / annotations,
                    **dict.fromkeys(OF_AGE),
                    **(_spread(list(ages.values())) if answer == YEARS else {}),
                }
            )
    return found


def _years(answer: str) -> float | None:
    """An age in years; None if the answer is no positive number."""
    try:
        age = float(answer)
    except ValueError:
        return None
    return age if 0 < age < math.inf else None


def _spread(ages: list[float]) -> dict[str, float | None]:
    """Mean and standard deviation of the ages; of one age the mean alone."""
    import numpy as np

    mean = float(np.mean(ages))
    if len(ages) == 1:
        return {"mean": mean}
    sd = np.asarray(np.std(ages, ddof=1))
    half = float(student(sd, len(ages)))
    return {"mean": mean, "mean_low": mean - half, "mean_high": mean + half, "sd": float(sd)}
