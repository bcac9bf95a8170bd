"""``harmgraph scorer``: train, list and remove scorers. People's labels are read by ``analytics``, and learnt by ``models``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harmgraph.common.command_line import (
    Commands,
    given_parameters,
    output_option,
    progress_option,
    verbose_option,
    words_of_options,
)
from harmgraph.models.classifier.commands import OF_EXAMPLES, list_command, remove_command, train_on_examples
from harmgraph.models.options import again_option, tell_trained

if TYPE_CHECKING:
    from harmgraph.models.classifier.learnt.learnt_record import LearntRecord
    from harmgraph.models.classifier.learnt.votes import JudgedText

FILE = click.Path(path_type=Path)
TEACHERS = ("vader", "opinion")
BOTH = frozenset({"name", "labels", "encoder", "limit", "seed", "again", "progress", "output", "verbose"})
"""What both ways of training take."""
OF_PEOPLE = frozenset({"people", "teacher", "silver", "targets", "resamples"})
OF_SILVER = frozenset({"labels", "limit"})
"""What is of silver labels, where people's are learnt."""
NUMBERS = ("accuracy", "favouritism_f1", "prejudice_f1")


@click.group(cls=Commands)
@verbose_option
def scorer() -> None:
    """Scorers of your own: train, list, rm."""


scorer.add_command(list_command)
scorer.add_command(remove_command)


@scorer.command("train")
@click.argument("name")
@click.option(
    "--data",
    type=FILE,
    help="label<TAB>text, target<TAB>label<TAB>text, or a header; labels -1, 0, 1, 2 or negative, neutral, positive, other.",
)
@click.option(
    "--from",
    "people",
    type=FILE,
    multiple=True,
    metavar="PATH",
    help="Learn from people's labels instead: a CSV of 'harmgraph review', or a folder with sentences.txt and labels.txt; may "
    "be given again.",
)
@click.option(
    "--teacher",
    multiple=True,
    metavar="SCORER",
    help="With --from: another scorer to learn from, such as vader or 'regard model=NAME'; may be given again, none for none.  "
    f"[default: {', '.join(TEACHERS)}]",
)
@click.option(
    "--silver",
    type=FILE,
    multiple=True,
    metavar="FILE",
    help="With --from: texts with a machine's labels, in the form of --data. People's labels decide what these count for; may "
    "be given again.",
)
@click.option("--targets", type=FILE, help="With --from: list of the targets to mask; the shipped 329 by default.")
@click.option(
    "--resamples",
    type=click.IntRange(1),
    default=1_000,
    show_default=True,
    help="With --from: resamples of targets for the intervals.",
)
@OF_EXAMPLES
@again_option
@progress_option
@output_option
@verbose_option
@click.pass_context
def train_command(
    context: click.Context,
    /,
    name: str,
    data: Path | None,
    people: tuple[Path, ...],
    teacher: tuple[str, ...],
    silver: tuple[Path, ...],
    targets: Path | None,
    resamples: int,
    **options: Any,
) -> None:
    """Train a scorer on labelled texts, or on people's labels.

    With --data an encoder is trained; 'harmgraph label regard --model NAME' labels with it. Run the same command again to
    continue an interrupted training where it stopped. The scores are for targets that are not in the training data. --test
    judges a scorer that is already trained too, with the same --data and options.

    With --from a layer is trained, on what an encoder and other scorers say of each sentence; 'harmgraph label learnt --model
    NAME' labels with it. Each of people's labels counts. It is judged by targets that it did not learn.
    """
    given = given_parameters(context)
    if bool(data) == bool(people):
        raise click.UsageError("Give --data FILE, or --from PATH.")
    wrong = given - BOTH - ({"data"} | (context.params.keys() - OF_PEOPLE - {"people"}) if data else OF_PEOPLE)
    if wrong:
        raise click.UsageError(
            f"{', '.join(words_of_options(context, wrong))} do not go with {'--data' if data else '--from'}."
        )
    if people and not silver and given & OF_SILVER:
        raise click.UsageError("--labels and --limit are of --silver FILE, which is not given.")
    if data:
        train_on_examples(name, data, **options)
        return
    _learn(name, people, teacher, silver, targets, resamples, **options)


def _learn(
    name: str,
    people: tuple[Path, ...],
    teacher: tuple[str, ...],
    silver: tuple[Path, ...],
    targets: Path | None,
    resamples: int,
    *,
    labels: str,
    encoder: str,
    limit: int,
    seed: int,
    again: bool,
    progress: bool,
    output: str,
    **_: Any,
) -> None:
    from dataclasses import asdict

    from harmgraph.common.label_words import label_meanings
    from harmgraph.common.output import show, show_one
    from harmgraph.common.progress import bar
    from harmgraph.models.classifier.learnt.learning import learn
    from harmgraph.models.classifier.learnt.teacher import read_teachers
    from harmgraph.models.text.encoder import need_torch

    need_torch()
    teachers = read_teachers(() if teacher == ("none",) else teacher or TEACHERS)
    with bar(progress):
        examples = judged_texts(people, targets)
        trained = learn(
            name,
            examples,
            tuple(path.name for path in people),
            encoder,
            teachers=teachers,
            silver=silver,
            meanings=label_meanings(labels),
            limit=limit,
            seed=seed,
            resamples=resamples,
            again=again,
        )
    known = trained.config
    if output == "json":
        show_one({**asdict(known), "folder": str(trained.folder)}, output)
    else:
        _show(known, output)
        if output == "table":
            show(
                [
                    {"label": row.label, "probability": f"{row.least:g} to {row.most:g}", "mean": row.said}
                    | {"people": row.people, "sentences": row.n}
                    for row in known.calibration
                ],
                output,
                title=f"calibration: error {known.error:.3f}, {known.error_before:.3f} without a temperature",
                digits={"mean": 3, "people": 3},
            )
    tell_trained(trained.folder, f"label with it: harmgraph label learnt --model {name}", anew=trained.anew)


def _show(known: LearntRecord, output: str) -> None:
    """The three numbers of each scorer, and the gains over the others."""
    from harmgraph.common.output import show

    digits = dict.fromkeys((*NUMBERS, *(f"{name}_{end}" for name in NUMBERS for end in ("low", "high"))), 3)
    scores = [score.row() for score in known.scores]
    gains = [gain.row() for gain in known.gains]
    if output == "table":
        title = f"{known.labels:,} labels of {known.sentences:,} sentences, by targets that it did not learn"
        show(scores, output, title=title, digits=digits)
        if gains:
            show(gains, output, title=f"how much better {known.name} is than", digits=digits)
        return
    show([{"number": "value", **row} for row in scores] + [{"number": "gain", **row} for row in gains], output)


def judged_texts(paths: tuple[Path, ...], targets: Path | None = None) -> list[JudgedText]:
    """People's labels, masked, with the target that each sentence is about.

    Args:
        paths: CSV files, or folders with ``sentences.txt`` and ``labels.txt``.
        targets: a list of targets; the shipped one if None.

    Raises:
        UnreadableFile: a file cannot be read.
    """
    from harmgraph.analytics.labelling.masking import Masks
    from harmgraph.analytics.labelling.people_masks import mask_by_files, named_by_list
    from harmgraph.analytics.labelling.ratings import in_a_folder, read_ratings
    from harmgraph.graph.target_names import listed_names
    from harmgraph.models.classifier.learnt.votes import JudgedText

    listed = listed_names(targets)
    examples: list[JudgedText] = []
    for path in paths:
        files = in_a_folder(path)
        ratings = read_ratings(files)
        mask = mask_by_files(files, ratings, listed, Masks.OWN)
        named = named_by_list(listed, ratings.about)
        for text, votes in ratings.counts.items():
            masked = mask(text)
            examples.append(JudgedText(masked, votes, tuple(dict.fromkeys(named(text))) or (masked,)))
    return examples
