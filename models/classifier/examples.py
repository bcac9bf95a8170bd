"""Reads labelled texts from a file, and splits them for training."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from warnings import catch_warnings, simplefilter

from harmgraph.common.errors import BadName, InputError, UnreadableFile
from harmgraph.common.label_words import CLASSIFIER_LABELS, classifier_label
from harmgraph.common.user_file import content, decoded

ALLOWED = 0.01  # maximum share of damaged lines
FEWEST = 10  # examples of a label; with fewer it cannot be learnt or evaluated
NAMED = 3  # lines without an example that an error names
TARGET, LABEL, TEXT = "target", "label", "text"
COLUMNS: Mapping[str, str] = {TARGET: TARGET, LABEL: LABEL, TEXT: TEXT, "sentence": TEXT}
"""The columns by their names in a header; those by other names are not read."""
BINARY = frozenset({"0", "1"})


@dataclass(frozen=True, slots=True)
class TextExample:
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
        words: the labels as they stand in the file.
    """

    examples: tuple[TextExample, ...]
    rejected: int
    by_target: bool
    digest: str
    words: frozenset[str]

    def counts(self) -> dict[str, int]:
        """How many examples each label has."""
        return counts(self.examples)


@dataclass(frozen=True, slots=True)
class Split:
    """Examples for training, early stopping and testing; no target and no text is in two of them.

    Attributes:
        repeated: number of examples removed from ``valid`` and ``test`` because their text is in an earlier part.
    """

    train: tuple[TextExample, ...]
    valid: tuple[TextExample, ...]
    test: tuple[TextExample, ...]
    repeated: int


def counts(examples: Sequence[TextExample]) -> dict[str, int]:
    """How many examples each label has, in the order of ``CLASSIFIER_LABELS``."""
    counter = Counter(example.label for example in examples)
    return {label: counter[place] for place, label in enumerate(CLASSIFIER_LABELS) if counter[place]}


def read_examples(path: Path, meanings: Mapping[str, str] | None = None, *, held_out: bool = False) -> Examples:
    """Reads labelled texts: columns separated by tabs, in the order that a header names.

    Without a header they are ``label<TAB>text``, or ``target<TAB>label<TAB>text``. Labels are -1, 0, 1, 2 or their names, where
    ``meanings`` does not say otherwise.

    Args:
        meanings: labels by what stands for them in the file.
        held_out: whether these are only judged on: one label is enough.

    Raises:
        UnreadableFile: the file cannot be read, more than one line in a hundred has no example, or its header is ambiguous.
        BadName: the file to learn from has no label of that name in ``meanings``.
        InputError: fewer than two labels have ten examples, or the labels are only 0 and 1 and nothing says what 0 means.
    """
    data = content(path)
    meanings = meanings or {}
    lines = [(number, line) for number, line in enumerate(decoded(path, data).split("\n"), 1) if line.strip()]
    columns = _header(path, *lines[0]) if lines else ()
    if columns:
        del lines[0]
    elif sum(line.count("\t") >= 2 for _, line in lines[:1_000]) * 2 > len(lines[:1_000]):
        columns = (TARGET, LABEL, TEXT)
    else:
        columns = (LABEL, TEXT)
    examples: list[TextExample] = []
    words: set[str] = set()
    bad: list[int] = []
    for number, line in lines:
        # Tabs beyond the last column are part of it.
        row = dict(zip(columns, map(str.strip, line.split("\t", len(columns) - 1)), strict=False))
        word, text = row.get(LABEL, ""), row.get(TEXT, "")
        label = meanings.get(word) or classifier_label(word)
        if label is None or not text:
            bad.append(number)
            continue
        words.add(word)
        examples.append(TextExample(text, CLASSIFIER_LABELS.index(label), row.get(TARGET) or text))
    if not examples or len(bad) > ALLOWED * len(lines):
        raise UnreadableFile(
            path,
            f"{len(bad):,} of {len(lines):,} lines have no label and text{_named(bad)}",
            line=bad[0] if bad else 0,
            remedy="write label<TAB>text or target<TAB>label<TAB>text, or name the columns in a header; labels are -1, 0, 1, 2, "
            "their names, or what --labels says",
        )
    found = Examples(tuple(examples), len(bad), TARGET in columns, hashlib.sha256(data).hexdigest(), frozenset(words))
    _check_labels(path, found, meanings, held_out=held_out)
    return found


def _named(bad: Sequence[int]) -> str:
    """The first lines of several; of one the place of the error says it."""
    if len(bad) < 2:
        return ""
    more = len(bad) - NAMED
    return f": lines {', '.join(map(str, bad[:NAMED]))}{f' and {more:,} more' if more > 0 else ''}"


def _header(path: Path, number: int, line: str) -> tuple[str, ...]:
    """The columns that a line names, in their order; empty if it is not a header."""
    names = [name.strip().lower() for name in line.split("\t")]
    columns = tuple(COLUMNS.get(name, name) for name in names)
    if LABEL not in columns or TEXT not in columns:
        return ()
    twice = [name for name, column in zip(names, columns, strict=True) if columns.count(column) > 1]
    if twice:
        raise UnreadableFile(
            path, f"its header names {' and '.join(twice)}", line=number, remedy="name each column once"
        )
    return columns


def _check_labels(path: Path, found: Examples, meanings: Mapping[str, str], *, held_out: bool) -> None:
    """Checks that the labels can be learnt, and that it is known what they mean."""
    if found.words == BINARY and "0" not in meanings:
        option = "--test-labels" if held_out else "--labels"
        raise InputError(
            "its labels are only 0 and 1, and nothing says whether 0 is negative or neutral",
            where=str(path),
            remedy=f"say it: {option} 0=negative,1=positive, or {option} 0=neutral,1=positive",
        )
    if held_out:
        return
    for name in meanings:
        if name not in found.words:
            raise BadName(
                "label", name, f"is not one of those in {path}, which are {', '.join(sorted(found.words)[:10])}"
            )
    enough = [label for label, count in found.counts().items() if count >= FEWEST]
    if len(enough) < 2:
        raise InputError(
            f"only {len(enough)} of its labels has {FEWEST} examples or more",
            where=str(path),
            remedy="at least two labels are needed",
        )


def split(examples: Sequence[TextExample], *, seed: int = 0) -> Split:
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
    chosen: list[tuple[TextExample, ...]] = []
    for places in (sorted(place for part in held[2:] for place in part), held[0], held[1]):
        part = tuple(examples[place] for place in places)
        # Many targets share a masked text: one that is in the training data must not be in the test data.
        chosen.append(tuple(example for example in part if example.text not in seen))
        seen.update(example.text for example in part)
    train, valid, test = chosen
    return Split(train, valid, test, len(examples) - sum(map(len, chosen)))
