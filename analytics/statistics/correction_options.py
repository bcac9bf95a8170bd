"""The options that give a statistic people's labels, to correct its rates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from harmgraph.analytics.labelling.scorer_option import pairs, scorer_option

FILE = click.Path(path_type=Path)
METHODS = ("ppi", "confusion")
OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--corrected",
        type=FILE,
        help="Correct for the scorer's errors with people's labels: a CSV sentence,label[,annotator], or a folder with "
        "sentences.txt and labels.txt.",
    ),
    click.option("--corrected-sentences", type=FILE, help="The same in two files: sentences, one line per label."),
    click.option("--corrected-labels", type=FILE, help="Their labels: 1 favouritism, 2 neutral, 3 prejudice."),
    click.option(
        "--corrected-by",
        type=click.Choice(METHODS),
        help="ppi: from a sample of 'harmgraph review' and the scorer's labels together. confusion: by what the scorer "
        "confuses in people's sentences.  [default: ppi for such a sample, else confusion]",
    ),
    click.option(
        "--weigh",
        multiple=True,
        metavar="MEASURE",
        help="Weight people's sentences to the graph's shares, if they were chosen by labels of this measure; may be "
        "given again.",
    ),
    scorer_option,
)


@dataclass(frozen=True, slots=True)
class Correction:
    """The values of the options.

    Attributes:
        labels: files with people's labels, as ``labelling.ratings.read_ratings`` takes them; empty for no correction.
        by: one of ``METHODS``; None for what the labels allow.
    """

    labels: tuple[Path, ...] = ()
    by: str | None = None
    weigh: tuple[str, ...] = ()
    scorer_options: dict[str, str] = field(default_factory=dict)


def taken(parameters: dict[str, Any]) -> Correction:
    """Removes the options from a command's parameters; the result has no labels if the command has none of the options.

    Raises:
        click.UsageError: the options do not go together.
    """
    whole: Path | None = parameters.pop("corrected", None)
    sentences: Path | None = parameters.pop("corrected_sentences", None)
    labels: Path | None = parameters.pop("corrected_labels", None)
    by: str | None = parameters.pop("corrected_by", None)
    weigh: tuple[str, ...] = tuple(dict.fromkeys(parameters.pop("weigh", ())))
    options = pairs(parameters.pop("scorer_option", ()))
    if whole is None and sentences is None and labels is None:
        if weigh or options or by:
            raise click.UsageError("--weigh, --scorer-option and --corrected-by need --corrected.")
        return Correction()
    return Correction(_files(whole, sentences, labels), by, weigh, options)


def _files(whole: Path | None, sentences: Path | None, labels: Path | None) -> tuple[Path, ...]:
    from harmgraph.analytics.labelling.ratings import in_a_folder, rating_files
    from harmgraph.common.errors import InputError

    if whole is not None and whole.is_dir() and not (sentences or labels):
        return in_a_folder(whole)
    try:
        return rating_files(sentences, labels, whole)
    except InputError as error:
        raise click.UsageError(
            "Give --corrected-sentences and --corrected-labels together, or --corrected FILE or FOLDER alone."
        ) from error
