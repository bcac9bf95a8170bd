"""Trains a scorer on people's labels, judges it by targets that it did not learn, and keeps it where ``label`` finds it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harmgraph.common.digests import facts_digest
from harmgraph.common.errors import InputError
from harmgraph.common.label_words import PEOPLE_NAMES
from harmgraph.common.progress import progress
from harmgraph.common.whole_file import folder_beside
from harmgraph.models.classifier.classifier import model_identity
from harmgraph.models.classifier.examples import TextExample, read_examples
from harmgraph.models.classifier.learnt.learnt_card import learnt_card
from harmgraph.models.classifier.learnt.learnt_record import (
    FACTS,
    FOLDERS,
    RECORDS,
    WEIGHTS,
    CalibrationRow,
    LearntRecord,
    SilverSource,
)
from harmgraph.models.classifier.learnt.teacher import Teacher, places_of
from harmgraph.models.classifier.learnt.three_numbers import scored
from harmgraph.models.classifier.learnt.votes import (
    JudgedText,
    confusion,
    digest,
    people_with_each_other,
    votes_of,
)
from harmgraph.models.drawn import drawn
from harmgraph.models.record import Trained, versions
from harmgraph.models.text.encoder import TUNED, absolute
from harmgraph.models.text.saving import saving

if TYPE_CHECKING:
    import numpy

    from harmgraph.models.classifier.learnt.features import SilverHead
    from harmgraph.models.classifier.learnt.head import Head

    Numbers = numpy.ndarray[Any, Any]

CARD = "README.md"
FEWEST_TARGETS = 20
"""Fewer do not make ten parts to judge by, of which five are made again to choose by."""
BINS = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0)
"""Ends of the probabilities that a row of the calibration is of."""
ONE_ANOTHER = "people, one another"


def learn(
    name: str,
    examples: Sequence[JudgedText],
    files: Sequence[str],
    encoder: str,
    *,
    teachers: Sequence[Teacher] = (),
    silver: Sequence[Path] = (),
    meanings: Mapping[str, str] | None = None,
    limit: int = 0,
    seed: int = 0,
    resamples: int = 1_000,
    again: bool = False,
) -> Trained[LearntRecord]:
    """Trains a scorer on people's labels, or returns the one that is already trained.

    Args:
        examples: masked sentences with people's labels. files: where they are from, for the card.
        silver: files as ``read_examples`` takes them.
        meanings: what labels of those silver files mean whose labels are all named in it.
        limit: examples of a silver file at most, see ``drawn``; 0 for all.
        seed: of the parts of the targets, and of the resamples.

    Raises:
        InputError: fewer than ``FEWEST_TARGETS`` targets, or only one label; another scorer has this name.
        UnreadableFile: a silver file cannot be read.
        BadName: no silver file has these labels.
        Busy: another command trains or removes this scorer.
    """
    encoder = absolute(encoder)
    votes = votes_of(examples)
    about = {target for example in examples for target in example.about}
    _check(about, votes)
    signed = tuple(teacher.signed() for teacher in teachers)
    files_read = _silver(silver, meanings or {}, limit)
    identity = {
        "labels": digest(examples),
        "encoder": model_identity(encoder),
        "teachers": [teacher.by for teacher in signed],
        "silver": [found.digest for found in files_read],
        "limit": limit,
        "meanings": dict(sorted((meanings or {}).items())),
        "seed": seed,
        "resamples": resamples,
    }
    identity["digest"] = facts_digest(identity)
    with FOLDERS.alone(name) as place:
        standing = _standing(name, place, identity, again=again)
        if standing:
            return Trained(standing, place, 0, anew=False)
        from harmgraph.models.classifier.learnt.choosing import chosen, judged
        from harmgraph.models.classifier.learnt.features import JudgingFeatures, TextReading, silver_head

        reading = TextReading(encoder)
        heads = tuple(
            silver_head(
                [example.label for example in found.examples],
                reading.vectors([example.text for example in found.examples], kept=True),
            )
            for found in files_read
        )
        features = JudgingFeatures(reading, signed, heads)
        texts = [example.text for example in examples]
        said = {teacher.by: teacher.says(texts) for teacher in signed}
        table = features.table(texts, said)
        labels, after, before = judged(examples, table, votes, seed)
        progress("training on all of people's labels", 0)
        head, strength = chosen(examples, table, votes, seed)
        tables = {name: confusion(votes, labels)}
        tables |= {by: confusion(votes, places_of(scores)) for by, scores in said.items()}
        rated = dict.fromkeys(tables, votes)
        pairs = people_with_each_other(votes)
        if pairs.any():
            tables[ONE_ANOTHER], rated[ONE_ANOTHER] = pairs, votes * (votes.sum(axis=1, keepdims=True) > 1)
        groups = [example.first for example in examples]
        scores, gains = scored(tables, rated, groups, resamples=resamples, seed=seed)
        shares = votes / votes.sum(axis=1, keepdims=True)
        rows = _calibration(after, shares)
        known = LearntRecord(
            name=name,
            identity=identity,
            files=tuple(files),
            sentences=len(examples),
            labels=int(votes.sum()),
            targets=len(about),
            teachers=tuple(asdict(teacher) for teacher in signed),
            silver=tuple(SilverSource(found.name, len(found.examples)) for found in files_read),
            strength=strength,
            temperature=head.temperature,
            shift=head.shift,
            scores=tuple(scores),
            gains=tuple(gains),
            calibration=rows,
            error=calibration_error(rows),
            error_before=calibration_error(_calibration(before, shares)),
            versions=versions("torch", "transformers", "scikit-learn", "safetensors"),
            trained_at=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        _save(place, known, encoder, head, heads)
        return Trained(known, place, 1)


def _check(about: set[str], votes: Numbers) -> None:
    if len(about) < FEWEST_TARGETS:
        raise InputError(
            f"people's labels are about {len(about)} targets",
            remedy=f"{FEWEST_TARGETS} are needed, to choose and to judge by targets that it did not learn",
        )
    given = votes.sum(axis=0)
    if (given > 0).sum() < 2:
        only = PEOPLE_NAMES[int(given.argmax())]
        raise InputError(f"all of people's labels are {only}", remedy="at least two labels are needed")


@dataclass(frozen=True, slots=True)
class _SilverFile:
    """A file of silver labels, with the examples of it that are learnt."""

    name: str
    digest: str
    examples: tuple[TextExample, ...]

    @property
    def labels(self) -> set[int]:
        """The labels that the examples have."""
        return {example.label for example in self.examples}


def _silver(paths: Sequence[Path], meanings: Mapping[str, str], limit: int) -> list[_SilverFile]:
    """The silver files. Meanings are of the files whose labels they all name."""
    read: list[_SilverFile] = []
    used = False
    for path in paths:
        try:
            found = read_examples(path, meanings)
            applies = bool(meanings) and found.words <= meanings.keys()
        except InputError:
            if not meanings:
                raise
            applies = False
        used |= applies
        found = found if applies or not meanings else read_examples(path)
        few = _SilverFile(path.name, found.digest, drawn(found.examples, limit, lambda example: example.text))
        if len(few.labels) < 2:
            raise InputError(
                f"of {len(few.examples):,} examples drawn, all have one label",
                where=str(path),
                remedy="choose a larger --limit",
            )
        read.append(few)
    if meanings and not used:
        raise InputError(
            "no silver file has these labels alone",
            where=f"--labels {','.join(meanings)}",
            remedy="leave it out, or correct it",
        )
    return read


def _standing(name: str, place: Path, identity: Mapping[str, Any], *, again: bool) -> LearntRecord | None:
    """The scorer of this name; None where there is none, or it is to be trained again."""
    if (place / TUNED).exists() and not again:
        raise RECORDS.other(place)
    if again or not (place / FACTS).exists():
        return None
    return RECORDS.standing(name, dict(identity), again=False)


def _calibration(probabilities: Numbers, shares: Numbers) -> tuple[CalibrationRow, ...]:
    """Probabilities beside the shares of people's labels, both of shape [sentences, 3]."""
    import numpy as np

    rows: list[CalibrationRow] = []
    for place, label in enumerate(PEOPLE_NAMES):
        bins = np.clip(np.searchsorted(BINS, probabilities[:, place], side="right") - 1, 0, len(BINS) - 2)
        for number, (least, most) in enumerate(pairwise(BINS)):
            inside = bins == number
            if inside.any():
                means = [float(each[inside, place].mean()) for each in (probabilities, shares)]
                rows.append(CalibrationRow(label, least, most, int(inside.sum()), *means))
    return tuple(rows)


def calibration_error(rows: Sequence[CalibrationRow]) -> float:
    """The expected calibration error by class: Guo et al. 2017, equation 3, over the rows of all labels, not of the likeliest."""
    total = sum(row.n for row in rows)
    return sum(row.n * abs(row.said - row.people) for row in rows) / total


def _save(place: Path, known: LearntRecord, encoder: str, head: Head, silver: Sequence[SilverHead]) -> None:
    import torch

    from harmgraph.models.checkpoint import write_tensors

    tensors = {"weights": torch.from_numpy(head.weights), "bias": torch.from_numpy(head.bias)}
    for number, layer in enumerate(silver):
        tensors |= {
            f"silver.{number}.weights": torch.from_numpy(layer.weights),
            f"silver.{number}.bias": torch.from_numpy(layer.bias),
        }
    with saving(place), folder_beside(place) as part:
        write_tensors(part / WEIGHTS, tensors, {"encoder": encoder})
        facts = asdict(known)
        (part / FACTS).write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
        (part / CARD).write_text(learnt_card(known), encoding="utf-8")
