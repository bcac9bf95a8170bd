"""``harmgraph agree``: compare a scorer with people's labels."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harmgraph.analytics.labelling.masking import Masks
from harmgraph.analytics.labelling.scorer_option import pairs, scorer_option, which_scorer_option
from harmgraph.common.command_line import given_parameters, output_option, progress_option, verbose_option
from harmgraph.common.files_to_write import FileToWrite

if TYPE_CHECKING:
    from harmgraph.analytics.agreement.agreement import Agreement
    from harmgraph.common.correlation import Correlation

FILE = click.Path(path_type=Path)
ALONG = frozenset(("resamples", "seed", "progress", "output", "verbose"))
"""Parameters that go with every way to compare."""
DESCRIBED = ("who", "dialect", "dialect_from")


@click.command()
@click.option("--sentences", type=FILE, help="File of sentences, one line per label.")
@click.option("--labels", type=FILE, help="File of their labels, line by line: 1 favouritism, 2 neutral, 3 prejudice.")
@click.option("--csv", "table", type=FILE, help="Sentences and labels in one CSV file: sentence,label[,annotator].")
@click.option("--frames", type=FILE, help="Annotations of social bias frames: a file of SBIC. No scorer is used.")
@click.option(
    "--votes",
    type=FILE,
    help="Votes of people on triples: a table with the columns relation and worker_vote. No scorer.",
)
@click.option("--who", is_flag=True, help="With --frames: describe the annotators, as they described themselves.")
@click.option(
    "--dialect",
    type=FILE,
    metavar="LEXICON",
    help="With --frames: how often posts are in a dialect by your list of words, lines of word, tab, probability.",
)
@click.option(
    "--dialect-from",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    help="With --dialect: least mean probability of a post's words.",
)
@which_scorer_option("Scorer to compare with ('harmgraph label --list').")
@scorer_option
@click.option(
    "--masking",
    type=click.Choice(Masks.RULES),
    default=Masks.OWN,
    show_default=True,
    help="Targets to replace by 'this person' before scoring: those that a sentence is about, the whole list, or none.",
)
@click.option("--targets", type=FILE, help="List of the targets to mask; the shipped 329 by default.")
@click.option(
    "--resamples",
    type=click.IntRange(0),
    default=1_000,
    show_default=True,
    help="Bootstrap resamples; 0 for no intervals.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the bootstrap.")
@click.option(
    "--figure", type=FileToWrite(), help="Draw the confusion and the scores into this file: .svg, .png or .pdf."
)
@progress_option
@output_option
@verbose_option
def agree(
    sentences: Path | None,
    labels: Path | None,
    table: Path | None,
    frames: Path | None,
    votes: Path | None,
    who: bool,
    dialect: Path | None,
    dialect_from: float,
    scorer: str,
    scorer_option: tuple[str, ...],
    masking: str,
    targets: Path | None,
    resamples: int,
    seed: int,
    figure: Path | None,
    progress: bool,
    output: str,
) -> None:
    """Compare a scorer with people's labels, and people with each other.

    A sentence may have any number of labels. It needs no database.
    Mehrabi et al. 2021, tables 2, 3 and 8. spearman correlates
    each sentence's mean label with the scorer's number. Huang et al. 2020, section 5.5.

    With --frames it compares annotators of SBIC with each other, on each of
    the five questions and on the groups they named. Sap et al. 2020,
    section 3.2.

    With --votes it compares people who voted on triples with each other,
    by relation. Fang et al. 2021, section 5.2 and table 7.
    """
    if (who or dialect) and not frames:
        raise click.UsageError(f"--{'who' if who else 'dialect'} goes with --frames.")
    if votes or frames:
        other = given_parameters(click.get_current_context()) - ALONG - ({"votes"} if votes else {"frames", *DESCRIBED})
        if other or (who and dialect):
            fits = "--votes goes with" if votes else "--frames goes with --who or --dialect,"
            raise click.UsageError(f"{fits} --resamples, --seed and --output alone.")
        if votes:
            _show_votes(votes, resamples, seed, progress, output)
        elif frames is not None:
            _of_frames(frames, who, dialect, dialect_from, resamples, seed, progress, output)
        return
    from harmgraph.analytics.agreement.agreement import agreement, rating_correlation
    from harmgraph.analytics.agreement.plot import write_figure
    from harmgraph.analytics.labelling.people_masks import mask_by_files
    from harmgraph.analytics.labelling.ratings import rating_files, read_ratings
    from harmgraph.analytics.labelling.scored_ratings import scores_of_people
    from harmgraph.common.errors import InputError
    from harmgraph.common.plotting.canvas import check_ending
    from harmgraph.common.progress import bar
    from harmgraph.common.progress import progress as say_progress
    from harmgraph.common.scorer import scorers
    from harmgraph.graph.target_names import listed_names

    check_ending(figure)
    chosen = scorers.get(scorer)
    options = chosen.read(pairs(scorer_option))
    try:
        paths = rating_files(sentences, labels, table)
    except InputError as error:
        raise click.UsageError("Give --sentences and --labels together, or --csv alone.") from error
    ratings = read_ratings(paths)
    mask = mask_by_files(paths, ratings, listed_names(targets), masking)
    with bar(progress):
        found = scores_of_people(ratings, chosen, options, mask)
        ratings, judged = found.ratings, found.scores
        say_progress("comparing", 0)
        labels_of = {text: score.label for text, score in judged.items()}
        result = agreement(ratings, labels_of, resamples=resamples, seed=seed)
    ranks = rating_correlation(ratings, {text: score.value for text, score in judged.items()})
    by = chosen.by(options)
    if figure:
        write_figure(figure, result, by)
    _show_scorer(result, ranks, by, resamples, seed, output)


def _show_scorer(result: Agreement, ranks: Correlation, by: str, resamples: int, seed: int, output: str) -> None:
    from harmgraph.common.output import show, show_one

    if output == "json":
        correlated = {**_correlated(ranks, "spearman", resamples), "n_spearman": ranks.n}
        show_one(_nested(result, by, resamples, seed) | correlated, output)
        return
    rows = [
        {
            "measure": name.replace("_", " "),
            "value": value,
            **_ends(result, name, "value"),
            "rests_on": _rests_on(result, name),
        }
        for name, value in result.values.items()
    ]
    rested = f"{ranks.n:,} sentences with a value of the scorer"
    rows.append({"measure": "spearman", **_correlated(ranks, "value", resamples), "rests_on": rested})
    show(rows, output, title=f"people and {by}: {result.n_labels:,} labels of {result.n_sentences:,} sentences")
    if output == "table":
        _show_confusion(result)
    if result.wilson:
        scores = ", ".join(name.replace("_", " ") for name in result.values if name in result.wilson)
        click.echo(f"too few sentences for a bootstrap of {scores}: the interval is Wilson's (1927)", err=True)


def _of_frames(
    frames: Path,
    who: bool,
    dialect: Path | None,
    least: float,
    resamples: int,
    seed: int,
    progress: bool,
    output: str,
) -> None:
    if dialect:
        _show_dialect(frames, dialect, least, resamples, seed, output)
    elif who:
        _show_annotators(frames, output)
    else:
        agree_on_frames(frames, resamples, seed, progress, output)


def agree_on_frames(path: Path, resamples: int, seed: int, progress: bool, output: str) -> None:
    """Shows how far the annotators of a file of frames agree with each other.

    Raises:
        UnreadableFile: as ``frames.read_answers``.
    """
    from harmgraph.analytics.agreement.frames import frame_agreement, read_answers
    from harmgraph.common.output import show
    from harmgraph.common.progress import bar
    from harmgraph.common.progress import progress as say_progress

    with bar(progress):
        say_progress(f"reading {path.name}", 0)
        answers = read_answers(path)
        say_progress("comparing", 0)
        rows = [result.row() for result in frame_agreement(answers, resamples=resamples, seed=seed)]
    show(
        rows,
        output,
        title=f"annotators of {answers.posts:,} posts with each other: {answers.annotations:,} annotations",
        digits=dict.fromkeys(("agreement", "alpha", "paper_agreement", "paper_alpha"), 3),
        keys=("variable", "answers"),
        first=("agreement", "alpha", "paper_agreement", "paper_alpha", "posts"),
        headings={
            "paper_agreement": "paper's agreement",
            "paper_alpha": "paper's alpha",
            "given": "answers given",
        },
    )
    if answers.contradicting:
        click.echo(
            f"{answers.contradicting:,} rows contradict an earlier row of the same annotator and post: the first one counts",
            err=True,
        )


def _show_votes(path: Path, resamples: int, seed: int, progress: bool, output: str) -> None:
    from dataclasses import asdict

    from harmgraph.analytics.agreement.votes import FIRST, read_votes, vote_agreement
    from harmgraph.common.output import show
    from harmgraph.common.progress import bar
    from harmgraph.common.progress import progress as say_progress

    with bar(progress):
        say_progress(f"reading {path.name}", 0)
        votes = read_votes(path)
        say_progress("comparing", 0)
        rows = [asdict(row) for row in vote_agreement(votes, resamples=resamples, seed=seed)]
    measures = ("agreement", "fleiss_kappa", "one", "more")
    show(
        rows,
        output,
        title=f"people who voted on the triples of {path.name}",
        digits={f"{name}{end}": 3 for name in measures for end in ("", "_low", "_high")},
        keys=("relation",),
        first=(*measures, "triples", "votes"),
        headings={"one": "one against the others", "more": f"the first {FIRST} against all"},
    )
    for count, what in ((votes.empty, "rows without votes"), (votes.single, "triples with one vote")):
        if count:
            click.echo(f"left out: {count:,} {what}", err=True)


def _show_annotators(path: Path, output: str) -> None:
    from harmgraph.analytics.agreement.annotators import OF_AGE, annotator_shares
    from harmgraph.common.output import show

    rows = annotator_shares(path)
    show(
        rows,
        output,
        columns=[name for row in rows[:1] for name in row if output != "table" or name not in OF_AGE],
        title=f"annotators of {path.name}",
        keys=("said", "answer"),
        first=("annotators", "percent"),
    )
    for row in rows:
        if output == "table" and row["sd"] is not None:
            ends = f"[{row['mean_low']:.1f}, {row['mean_high']:.1f}]"
            click.echo(f"mean age: {row['mean']:.1f} {ends} years, standard deviation {row['sd']:.1f}", err=True)


def _show_dialect(path: Path, lexicon: Path, least: float, resamples: int, seed: int, output: str) -> None:
    from harmgraph.analytics.agreement.dialect import dialect_shares, read_lexicon
    from harmgraph.common.output import show

    found = dialect_shares(path, read_lexicon(lexicon), least=least, resamples=resamples, seed=seed)
    show(
        list(found.rows),
        output,
        title=f"posts of {path.name} by the {found.words:,} words of {lexicon.name}",
        keys=("posts_are",),
        first=("posts", "percent", "offensive_percent"),
        headings={"posts_are": "posts are", "offensive_percent": "answers: offensive, %"},
    )
    if output == "table" and found.less is not None:
        value, low, high = found.less
        ends = f" [{low:.1f}, {high:.1f}]" if low is not None and high is not None else ""
        click.echo(f"offensive in the dialect less not in it: {value:.1f}{ends} percentage points", err=True)


def _correlated(ranks: Correlation, key: str, resamples: int) -> dict[str, float | None]:
    """The correlation with its interval; None where it is not defined, and no interval where none was asked for.

    As with the other measures, few sentences have none, nor has a perfect order: five of five do not give 1 to 1.
    """
    from harmgraph.analytics.agreement.nominal import FEWEST

    numbers = {key: ranks.value, f"{key}_low": ranks.low, f"{key}_high": ranks.high}
    spread = resamples and ranks.n >= FEWEST and ranks.low < ranks.high
    return {
        name: None if math.isnan(number) or (name != key and not spread) else number for name, number in numbers.items()
    }


def _ends(result: Agreement, name: str, key: str) -> dict[str, float | None]:
    low, high = result.intervals[name] or (None, None)
    return {f"{key}_low": low, f"{key}_high": high}


def _rests_on(result: Agreement, name: str) -> str:
    text = f"{result.sentences[name]:,} sentences"
    if name == "accuracy":
        text = f"{result.n_labels:,} labels of {text}"
    elif name == "majority_accuracy":
        text += f" ({result.tied:,} without a majority)"
    elif name == "fleiss_kappa":
        text += f" with {result.ratings} labels"
    elif name == "krippendorff_alpha":
        text += " with 2 labels or more"
    return text


def _show_confusion(result: Agreement) -> None:
    from harmgraph.common.label_words import PEOPLE_NAMES
    from harmgraph.common.output import show

    rows = [
        {"people": name, **dict(zip(PEOPLE_NAMES, counts, strict=True))}
        for name, counts in zip(PEOPLE_NAMES, result.confusion, strict=True)
    ]
    show(rows, "table", title="people's labels, by what the scorer says")


def _nested(result: Agreement, by: str, resamples: int, seed: int) -> dict[str, Any]:
    """The result as JSON, with ``x_low`` and ``x_high`` next to each x that has an interval."""
    from harmgraph.analytics.agreement.agreement import CLASSES, PARTS
    from harmgraph.common.intervals import LEVEL
    from harmgraph.common.label_words import PEOPLE_NAMES

    def bounded(name: str, key: str) -> dict[str, float | None]:
        return {key: result.values[name], **_ends(result, name, key)}

    def parts(name: str) -> dict[str, float | None]:
        return {key: value for part in PARTS for key, value in bounded(f"{name}_{part}", part).items()}

    return {
        **bounded("accuracy", "accuracy"),
        **bounded("majority_accuracy", "majority_accuracy"),
        **{name: parts(name) for name in CLASSES},
        **bounded("fleiss_kappa", "fleiss_kappa"),
        **bounded("krippendorff_alpha", "krippendorff_alpha"),
        "wilson": sorted(result.wilson),
        "n_labels": result.n_labels,
        "n_sentences": result.n_sentences,
        "n_tied": result.tied,
        "n_kappa_sentences": result.kappa_sentences,
        "confusion": {"order": PEOPLE_NAMES, "people_by_scorer": result.confusion},
        "bootstrap": {"level": LEVEL, "resamples": resamples, "seed": seed},
        "scorer": by,
    }
