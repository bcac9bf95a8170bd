"""Reads labelled texts from a file, and splits them for training."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from warnings import catch_warnings, simplefilter

from harmgraph.graph.common.errors import InputError, UnreadableFile
from harmgraph.graph.common.user_file import content, decoded
from harmgraph.graph.label_words import CLASSIFIER_LABELS, classifier_label

ALLOWED = 0.01  # maximum share of damaged lines
FEWEST = 10  # examples of a label; with fewer it cannot be learnt or evaluated


@dataclass(frozen=True, slots=True)
class Example:
    """A text and its label.

    Attributes:
        label: its index in ``CLASSIFIER_LABELS``.
        group: the target that it is about; the text itself if the file has no targets.
    """

    text: str
    label: int
    group: str


@dataclass(frozen=True, slots=True)
class Examples:
    """The examples of a file.

    Attributes:
        rejected: number of lines without an example.
        by_target: whether the file names targets.
        digest: SHA-256 of the file.
    """

    examples: tuple[Example, ...]
    rejected: int
    by_target: bool
    digest: str

    def counts(self) -> dict[str, int]:
        """How many examples each label has."""
        return counts(self.examples)


@dataclass(frozen=True, slots=True)
class Split:
    """Examples for training, early stopping and testing; no target and no text is in two of them.

    Attributes:
        repeated: number of examples removed from ``valid`` and ``test`` because their text is in an earlier part.
    """

    train: tuple[Example, ...]
    valid: tuple[Example, ...]
    test: tuple[Example, ...]
    repeated: int


def counts(examples: Sequence[Example]) -> dict[str, int]:
    """How many examples each label has, in the order of ``CLASSIFIER_LABELS``."""
    counter = Counter(example.label for example in examples)
    return {label: counter[place] for place, label in enumerate(CLASSIFIER_LABELS) if counter[place]}


def read_examples(path: Path) -> Examples:
    """Reads ``label<TAB>text`` or ``target<TAB>label<TAB>text``; labels are -1, 0, 1, 2 or their names.

    Raises:
        UnreadableFile: the file cannot be read, or more than one line in a hundred has no example.
        InputError: fewer than two labels have ten examples.
    """
    data = content(path)
    lines = [(number, line) for number, line in enumerate(decoded(path, data).split("\n"), 1) if line.strip()]
    by_target = sum(line.count("\t") >= 2 for _, line in lines[:1_000]) * 2 > len(lines[:1_000])
    examples: list[Example] = []
    first_bad = 0
    for number, line in lines:
        target, _, rest = line.partition("\t") if by_target else ("", "", line)
        word, _, text = rest.partition("\t")
        label = classifier_label(word)
        if label is None or not text.strip():
            first_bad = first_bad or number
            continue
        examples.append(Example(text.strip(), CLASSIFIER_LABELS.index(label), target.strip() or text.strip()))
    rejected = len(lines) - len(examples)
    if not examples or rejected > ALLOWED * len(lines):
        raise UnreadableFile(
            path,
            f"{rejected:,} of {len(lines):,} lines have no label and text",
            line=first_bad,
            remedy="write label<TAB>text or target<TAB>label<TAB>text, labels -1, 0, 1, 2 or their names",
        )
    enough = [label for label, count in counts(examples).items() if count >= FEWEST]
    if len(enough) < 2:
        raise InputError(
            f"only {len(enough)} of its labels has {FEWEST} examples or more",
            where=str(path),
            remedy="at least two labels are needed",
        )
    return Examples(tuple(examples), rejected, by_target, hashlib.sha256(data).hexdigest())


def split(examples: Sequence[Example], *, seed: int = 0) -> Split:
    """Splits examples by target: eight tenths train, a tenth valid, a tenth test, with similar shares of each label."""
    from sklearn.model_selection import StratifiedGroupKFold

    groups = [example.group for example in examples]
    labels = [example.label for example in examples]
    parts = min(10, len(set(groups)))
    if parts < 3:
        raise InputError(
            f"its examples have only {parts} targets", remedy="three targets are needed, to train, stop and test"
        )
    with catch_warnings():
        # Warnings of labels with fewer examples than parts: the scores of each label are reported at the end.
        simplefilter("ignore", UserWarning)
        folds = StratifiedGroupKFold(parts, shuffle=True, random_state=seed).split(labels, labels, groups)
        held = [sorted(map(int, places)) for _, places in folds]
    seen: set[str] = set()
    chosen: list[tuple[Example, ...]] = []
    for places in (sorted(place for part in held[2:] for place in part), held[0], held[1]):
        part = tuple(examples[place] for place in places)
        # Many targets share a masked text: one that is in the training data must not be in the test data.
        chosen.append(tuple(example for example in part if example.text not in seen))
        seen.update(example.text for example in part)
    train, valid, test = chosen
    return Split(train, valid, test, len(examples) - sum(map(len, chosen)))
