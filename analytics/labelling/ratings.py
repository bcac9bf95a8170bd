"""People's labels of sentences: two parallel files, or CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from harmgraph.common.digests import facts_digest
from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.common.label_words import PEOPLE_LABELS, people_label
from harmgraph.common.user_file import named_rows, read_lines

SENTENCES, LABELS = "sentences.txt", "labels.txt"
"""The two files of a folder of people's labels."""


@dataclass(frozen=True, slots=True)
class LabelNames:
    """How labels are called in a file.

    Attributes:
        label: the label of ``PEOPLE_LABELS`` that a word stands for; None if there is none.
        remedy: what to write instead of a word that stands for none.
    """

    label: Callable[[str], str | None]
    remedy: str


PEOPLE_WORDS = LabelNames(people_label, "write 1 or favouritism, 2 or neutral, 3 or prejudice")


def folded(sentence: str) -> str:
    """The sentence in the form in which sentences of people and of the graph are compared: lower case, single spaces."""
    return " ".join(sentence.lower().split())


@dataclass(frozen=True, slots=True)
class Ratings:
    """Labels grouped by sentence.

    Attributes:
        counts: by sentence, how often each label of ``PEOPLE_LABELS`` was given to it, in the order of the file.
        about: by sentence, the targets that it is about, as written; sentences of which the file does not say it are not in it.
    """

    counts: Mapping[str, tuple[int, int, int]]
    about: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def digest(self) -> str:
        """The same for the same labels of the same sentences, in whatever order and files."""
        return facts_digest([dict(self.counts), dict(self.about)])


def rating_files(sentences: Path | None, labels: Path | None, table: Path | None) -> tuple[Path, ...]:
    """The files with people's labels: sentences and labels, or the table alone.

    Raises:
        InputError: the given files are neither the pair nor the table alone.
    """
    if table and not (sentences or labels):
        return (table,)
    if sentences and labels and not table:
        return sentences, labels
    raise InputError("people's labels are needed", remedy="give --sentences and --labels together, or --csv alone")


def in_a_folder(path: Path) -> tuple[Path, ...]:
    """The files of a folder with ``sentences.txt`` and ``labels.txt``; of another path, the path alone."""
    return (path / SENTENCES, path / LABELS) if path.is_dir() else (path,)


def read_ratings(paths: tuple[Path, ...], words: LabelNames = PEOPLE_WORDS) -> Ratings:
    """Reads the labels from the files that ``rating_files`` returns.

    Raises:
        UnreadableFile: as ``from_csv`` and ``parallel``.
    """
    return from_csv(*paths, words) if len(paths) == 1 else parallel(*paths)


def parallel(sentences: Path, labels: Path) -> Ratings:
    """Reads two files with one line for each label: 1 favouritism, 2 neutral, 3 prejudice, or the words.

    Raises:
        UnreadableFile: a file cannot be read, they differ in length, or a label is unknown.
    """
    texts, label_lines = read_lines(sentences), read_lines(labels)
    if len(texts) != len(label_lines):
        raise UnreadableFile(
            labels,
            f"has {len(label_lines):,} lines where {sentences.name} has {len(texts):,}",
            remedy="write one line for each label in both files",
        )
    return _grouped(
        labels, ((at, text, label) for at, (text, label) in enumerate(zip(texts, label_lines, strict=True), 1))
    )


def from_csv(path: Path, words: LabelNames = PEOPLE_WORDS) -> Ratings:
    """Reads a CSV file with the columns ``sentence`` and ``label``; other columns, such as ``annotator``, are ignored.

    A column ``target`` says whom the sentence is about; several are separated by ``;``.

    Raises:
        UnreadableFile: it cannot be read, a column is missing, or a label is unknown.
    """
    about: dict[str, dict[str, None]] = {}

    def labels() -> Iterator[tuple[int, str, str]]:
        for row in named_rows(path, ("sentence", "label"), ("target",)):
            if "target" in row.cells:
                named = (name.strip() for name in row.cells["target"].split(";"))
                about.setdefault(row.cells["sentence"].strip(), {}).update((name, None) for name in named if name)
            yield row.line, row.cells["sentence"], row.cells["label"]

    ratings = _grouped(path, labels(), words)
    return Ratings(ratings.counts, {text: tuple(names) for text, names in about.items()})


def _grouped(path: Path, labels: Iterator[tuple[int, str, str]], words: LabelNames = PEOPLE_WORDS) -> Ratings:
    counts: dict[str, list[int]] = {}
    for line, text, label in labels:
        meant = words.label(label.strip().lower())
        if meant is None:
            raise UnreadableFile(
                path,
                f"{label.strip()[:40]!r} is not a label",
                line=line,
                remedy=words.remedy,
            )
        counts.setdefault(text.strip(), [0, 0, 0])[PEOPLE_LABELS.index(meant)] += 1
    if not counts:
        raise UnreadableFile(path, "holds no label", remedy="check the file")
    return Ratings({text: (numbers[0], numbers[1], numbers[2]) for text, numbers in counts.items()})
