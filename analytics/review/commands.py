"""``harmgraph review``: people judge a sample of the graph's statements in their web browser."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harmgraph.analytics.labelling.review_question import FRAMES, HARM, QUESTIONS, RELEVANCE, ReviewQuestion
from harmgraph.common.command_line import output_option, progress_option, verbose_option, wait_at
from harmgraph.common.files_to_write import FileToWrite
from harmgraph.graph.commands.name_types import MeasureName, SourceName, TargetName, targets_option

if TYPE_CHECKING:
    from harmgraph.analytics.labelling.drawn_sample import Sample
    from harmgraph.analytics.review.judgements import Judgements
    from harmgraph.analytics.statistics.powered import Powered
    from harmgraph.graph.connection import Graph

DEFAULT_PORT = 7477


@click.command()
@click.option(
    "--into",
    "path",
    type=FileToWrite(stays=True),
    help="File of the judgements: sentence,label,annotator; of frames rows as in SBIC. An existing file is continued.  "
    "[default: review.csv; of another question its measure, or frames.csv]",
)
@click.option(
    "--question",
    type=click.Choice(tuple(QUESTIONS)),
    help="What to ask. harm: favouritism, neutral or prejudice. quality: valid or invalid knowledge. sentiment and relevance: of "
    "samples of 'load generations'. frames: all of a social bias frame.  [default: harm]",
)
@click.option("--source", type=SourceName(), help="Only statements of this source; of all sources by default.")
@click.option("--target", type=TargetName(), help="Only statements about this target; about all targets by default.")
@click.option("--measure", type=MeasureName(), help="Measure to compare people with.  [default: sentiment]")
@click.option(
    "--strata",
    metavar="NAME[,NAME]",
    help="Draw equally many per target, label, score or prompt; 'none' for a plain sample.  [default: label; prompt for "
    "sentiment and relevance; none for quality and frames]",
)
@targets_option
@click.option("--size", type=click.IntRange(1, 100_000), help="Statements to judge.  [default: 150]")
@click.option("--seed", type=int, help="Seed of the sample.  [default: 0]")
@click.option(
    "--as",
    "measure_of_people",
    help="Write people's labels to this measure in the graph.  [default: review; quality, people_sentiment or relevance]",
)
@click.option("--mask/--no-mask", default=False, show_default=True, help="Hide who the sentence is about.")
@click.option(
    "--reveal/--blind",
    default=None,
    help="Show the scorer's label of the judgement before the last.  [default: reveal for harm; blind for others]",
)
@click.option(
    "--rest-every", type=click.IntRange(0), default=50, show_default=True, help="Judgements between breaks; 0 for none."
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=DEFAULT_PORT,
    show_default=True,
    help="First port to try; 0 for any free one.",
)
@click.option("--launch/--no-launch", default=True, help="Open the page, or only print its address.")
@click.option("--summary", "only_summary", is_flag=True, help="Only print the summary of --into.")
@progress_option
@output_option
@verbose_option
def review(
    path: Path | None,
    question: str | None,
    source: str | None,
    target: str | None,
    measure: str | None,
    strata: str | None,
    targets: tuple[str, ...],
    size: int | None,
    seed: int | None,
    measure_of_people: str | None,
    mask: bool,
    reveal: bool | None,
    rest_every: int,
    port: int,
    launch: bool,
    only_summary: bool,
    progress: bool,
    output: str,
) -> None:
    """Let people judge a sample of the statements, on a page of this machine.

    One sentence at a time, by keyboard: 1 favouritism, 2 neutral, 3 prejudice,
    s skip, u undo. Each judgement is on the disk before the next sentence is
    shown. Run it again with the same file to go on. Another
    person can go on too.

    Ctrl-C ends it. It then prints how far people agree with each other and with
    the scorer, and the statistics corrected by these judgements. --output csv
    prints the agreement alone, json everything.

    --question quality asks whether a sentence is valid knowledge: 1 valid,
    2 invalid. See Mehrabi et al. 2021, figure 10 and table 7. It prints the
    share of valid answers of each source.

    --question sentiment and relevance show samples of prompts. See Huang
    et al. 2020, section 5.5. 'stats counterfactual --measure
    people_sentiment' gives I.F. by people's sentiment.

    --question frames asks all questions of a social bias frame. See Sap et
    al. 2020, section 3. 'load sbic' and 'agree --frames' read the file.
    """
    from harmgraph.analytics.labelling.drawn_sample import keep, read, sample_file
    from harmgraph.common.errors import InputError
    from harmgraph.common.lock import held
    from harmgraph.graph.connection import Graph
    from harmgraph.graph.records import normalise

    if path is None:
        path = Path(f"{QUESTIONS[question or HARM].measure or question}.csv")
    kept = sample_file(path)
    about = _question(kept, question)
    measure_of_people = _measure(about, measure_of_people)
    _check_goes_together(about, reveal, mask, strata)
    reveal = about.scored if reveal is None else reveal
    if not about.scored and strata is None and not kept.exists():
        strata = "prompt" if about.samples else "none"
    asked = {
        "question": question,
        "source": source,
        "target": normalise(target) if target else None,
        "measure": measure,
        "strata": _strata(strata),
        "size": size,
        "seed": seed,
        "lists": targets or None,
    }
    given = {name: value for name, value in asked.items() if value is not None}
    if only_summary:
        if not kept.exists():
            raise InputError("nothing was judged yet", where=str(path), remedy="run 'harmgraph review' first")
        sample = read(kept)
        _check_same(kept, sample, given)
        with Graph.open() as graph, graph.about(sample.wish.lists):
            _summarise(graph, sample, _judgements(path, about, {}), output)
        return
    path.parent.mkdir(parents=True, exist_ok=True)

    def busy() -> InputError:
        return InputError("another review writes this file", where=str(path), remedy="end it, or give another --into")

    lock = kept.with_suffix(".lock")
    lists = read(kept).wish.lists if kept.exists() else targets
    with Graph.open() as graph, graph.about(lists), held(lock, busy):
        groups = _groups(graph) if about.name == FRAMES else {}
        judgements = _judgements(path, about, groups)
        sample = _sample(graph, path, kept, given, judgements, progress)
        if measure_of_people:
            _check_measure(graph, measure_of_people, sample)
        if reveal and not sample.revealed:
            # A later review that is blind must know that the judgements of this one stand.
            sample = replace(sample, revealed=True)
            keep(kept, sample)
        try:
            _serve(graph, sample, judgements, measure_of_people, tuple(groups), mask, reveal, rest_every, port, launch)
        finally:
            lock.unlink(missing_ok=True)
        _summarise(graph, sample, judgements, output)


def _question(kept: Path, name: str | None) -> ReviewQuestion:
    """That of the existing sample, or else the one that is asked for.

    Raises:
        UnreadableFile: the sample is of a question that this version does not know.
    """
    from harmgraph.analytics.labelling.drawn_sample import read, unknown

    if not kept.exists():
        return QUESTIONS[name or HARM]
    about = QUESTIONS.get(read(kept).wish.question)
    if about is None:
        raise unknown(kept)
    return about


def _measure(about: ReviewQuestion, name: str | None) -> str:
    """The measure that people's labels are written to; empty of frames, which are in the file alone."""
    from harmgraph.analytics.labelling.label import checked_measure

    if about.measure:
        return checked_measure(about.measure if name is None else name)
    if name is not None:
        raise click.UsageError(f"--as does not go with --question {about.name}, whose answers are in the file alone.")
    return ""


def _check_goes_together(about: ReviewQuestion, reveal: bool | None, mask: bool, strata: str | None) -> None:
    if reveal and not about.scored:
        raise click.UsageError(f"--reveal does not go with --question {about.name}, which no scorer answers.")
    if mask and about.name in (RELEVANCE, FRAMES):
        raise click.UsageError(f"--mask does not go with --question {about.name}, which is about what it would hide.")
    if "prompt" in (strata or "") and not about.samples:
        raise click.UsageError("--strata prompt goes with --question sentiment or relevance.")


def _judgements(path: Path, about: ReviewQuestion, groups: Mapping[str, str]) -> Judgements:
    """The file of the judgements, which has other columns where frames are asked for."""
    from harmgraph.analytics.review.frame_judgements import FrameJudgements
    from harmgraph.analytics.review.judgements import Judgements
    from harmgraph.graph.records import normalise

    if about.name != FRAMES:
        return Judgements(path, about)
    return FrameJudgements(path, {normalise(name): category for name, category in groups.items()})


def _groups(graph: Graph) -> dict[str, str]:
    """The categories of the graph's targets, by their names, which the page suggests."""
    return {row["value"]: row["category"] for row in graph.rows("counterfactual/values")}


def _strata(text: str | None) -> tuple[str, ...] | None:
    from harmgraph.analytics.review.sample import STRATA

    if text is None:
        return None
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if names == ("none",):
        return ()
    unknown = [name for name in names if name not in STRATA]
    if unknown or not names:
        raise click.BadParameter(f"choose among {', '.join(STRATA)}, or none", param_hint="--strata")
    return names


def _sample(
    graph: Graph, path: Path, kept: Path, given: Mapping[str, Any], judgements: Judgements, progress: bool
) -> Sample:
    """The sample of the file, drawn if there is none yet.

    Raises:
        InputError: the file is none of a review, or its sample is another than the one that is asked for.
        NotFound: nothing has a label of the measure that is asked for.
    """
    from harmgraph.analytics.labelling.drawn_sample import Wish, keep, read
    from harmgraph.analytics.review.sample import draw
    from harmgraph.common.errors import InputError
    from harmgraph.common.progress import bar
    from harmgraph.graph.contents.measures import known_measure

    if not kept.exists():
        if path.exists():
            raise InputError(
                f"has no sample beside it ({kept.name})",
                where=str(path),
                remedy="name a file of 'harmgraph review', or a new one, with --into",
            )
        if "measure" in given:
            known_measure(graph, given["measure"])
        with bar(progress):
            sample = draw(graph, Wish(**given))
        keep(kept, sample)
        click.echo(f"drew {len(sample.items):,} of {sum(sample.statements.values()):,} statements: {kept}", err=True)
        return sample
    sample = read(kept)
    _check_same(kept, sample, given)
    click.echo(f"going on with {path}: {len(judgements):,} judgements", err=True)
    return sample


FLAGS = {"lists": "targets"}
"""Options that are called otherwise in a sample."""


def _check_same(kept: Path, sample: Sample, given: Mapping[str, Any]) -> None:
    """Checks that a sample is the one that is asked for.

    Raises:
        InputError: it is another.
    """
    from harmgraph.common.errors import InputError

    for name, value in given.items():
        there = getattr(sample.wish, name)
        if there != value:
            raise InputError(
                f"--{FLAGS.get(name, name)} is {_said(there)} in the existing sample, and not {_said(value)}",
                where=str(kept),
                remedy="leave the option out to go on, or start again with another --into",
            )


def _check_measure(graph: Graph, measure: str, sample: Sample) -> None:
    """Checks that people's labels would not replace those of a scorer.

    Raises:
        InputError: the measure is that of the scorer, or has labels that no review gave.
    """
    from harmgraph.analytics.review.session import FAMILY
    from harmgraph.common.errors import InputError

    rows = graph.rows("label/labelled_by", measures=[measure], by=[f"{measure}_by"])
    others = [by for row in rows for by in row["by"] if by and not by.startswith(FAMILY)]
    if measure == sample.wish.measure or others:
        by = f" ({others[0]})" if others else ""
        raise InputError(
            f"is a measure of a scorer{by}, and people's labels would replace its labels",
            where=f"--as {measure}",
            remedy="give another name, such as review",
        )


def _said(value: object) -> str:
    return ",".join(map(str, value)) or "none" if isinstance(value, tuple) else str(value)


def _serve(
    graph: Graph,
    sample: Sample,
    judgements: Judgements,
    measure: str,
    groups: tuple[str, ...],
    mask: bool,
    reveal: bool,
    rest_every: int,
    port: int,
    launch: bool,
) -> None:
    """Serves the page until Ctrl-C, which is the normal way to end the command."""
    from harmgraph.analytics.review.review_server import Look, ReviewServer
    from harmgraph.analytics.review.session import Review

    with Review(graph, sample, judgements, measure, reveal=reveal, groups=groups) as session:
        gone_before = {item.id for item in session.gone}
        if session.gone:
            click.echo(
                f"{len(session.gone):,} of the statements are no longer in the graph as they were drawn: their judgements "
                "go only into the file",
                err=True,
            )
        with ReviewServer(session, Look(mask, rest_every), port) as server:
            click.echo(f"Review: {server.page}")
            into = f", and the measure {measure} in the graph" if measure else ""
            click.echo(f"Judgements: {judgements.path}{into}. Ctrl-C ends it.")
            wait_at(server.page, launch)
    gone = sum(item.id not in gone_before for item in session.gone)
    if gone:
        click.echo(
            f"{gone:,} of the judged statements went from the graph, or changed, during the review: their judgements are in "
            "the file alone",
            err=True,
        )
    if session.waiting:
        click.echo(
            f"{session.waiting:,} labels are in the file and not in the graph, which was busy or away: run this again",
            err=True,
        )


def _summarise(graph: Graph, sample: Sample, judgements: Judgements, output: str) -> None:
    from harmgraph.analytics.review.summary import COLUMNS, summary
    from harmgraph.common.output import show, show_one

    if judgements.question.name == FRAMES:
        _show_frames(judgements, output)
        return
    if not judgements.question.scored:
        _show_answers(sample, judgements, output)
        return
    result = summary(sample, judgements)
    rows = list(result.rows())
    if output not in ("table", "json"):
        show(rows, output, columns=COLUMNS)
        return
    corrected = _corrected(graph, sample, judgements) if result.scorer else None
    if output == "json":
        show_one(
            {
                "annotators": list(result.annotators),
                "agreement_of": "the sample, unweighted",
                "agreement": rows,
                "unscored": result.unscored,
                "corrected": corrected and {"shares": _shares(corrected), **corrected.basis()},
            },
            output,
        )
        return
    if not result.annotators:
        click.echo("nothing was judged", err=True)
        return
    show(list(result.annotators), output, title=f"judgements in {judgements.path}")
    if rows:
        by = next((f", and with {item.by or 'a scorer without a name'}" for item in sample.items if item.label), "")
        show(rows, output, columns=COLUMNS, title=f"people with each other{by}: of the sample, unweighted")
    if result.unscored:
        click.echo(
            f"{result.unscored:,} judged sentences have no label of the scorer: they count among people alone", err=True
        )
    if corrected:
        title = "all statements about targets: by the scorer, and by people and the scorer together"
        show(_shares(corrected), output, title=title)
        click.echo(f"by target:  {_again(sample, judgements)}", err=True)


def _show_frames(judgements: Judgements, output: str) -> None:
    """How far people agree on each question of the frame, as ``agree --frames`` shows it."""
    from harmgraph.analytics.agreement.commands import agree_on_frames
    from harmgraph.analytics.review.summary import annotators
    from harmgraph.common.output import show

    if not len(judgements):
        click.echo("nothing was judged", err=True)
        return
    if output == "table":
        show(list(annotators(judgements)), output, title=f"whether it is offensive, in {judgements.path}")
    agree_on_frames(judgements.path, 1_000, 0, False, output)


def _show_answers(sample: Sample, judgements: Judgements, output: str) -> None:
    from dataclasses import asdict

    from harmgraph.analytics.review.summary import SHARES, annotators, answers, with_scorer
    from harmgraph.common.output import show, show_one

    people, result = annotators(judgements), answers(sample, judgements)
    ranks, by = with_scorer(sample, judgements)
    if output == "json":
        facts = {
            "question": judgements.question.name,
            "annotators": list(people),
            "answers_of": "the sample, unweighted",
        }
        known = ranks is not None and not math.isnan(ranks.value)
        correlated = {"spearman": {**asdict(ranks), "scorer": by}} if ranks is not None and known else {}
        show_one({**facts, "answers": list(result.shares), "agreement": asdict(result.agreement), **correlated}, output)
        return
    if output == "table":
        if not people:
            click.echo("nothing was judged", err=True)
            return
        show(list(people), output, title=f"judgements in {judgements.path}")
    show(
        list(result.shares),
        output,
        columns=SHARES,
        keys=("source", "answer"),
        title=f"{judgements.question.heading} Of the sample, unweighted",
    )
    found = result.agreement
    if output == "table" and found.agreement is not None:
        alpha = "not defined" if found.alpha is None else f"{found.alpha:.3f}"
        click.echo(
            f"people agree in {found.agreement:.1%} of {found.pairs:,} pairs of answers to {found.units:,} sentences; "
            f"Krippendorff's alpha is {alpha}",
            err=True,
        )
    if output == "table" and ranks is not None and not math.isnan(ranks.value):
        click.echo(
            f"Spearman's correlation of people's mean with {by}: {ranks.value:.3f} [{ranks.low:.3f}, {ranks.high:.3f}] over "
            f"{ranks.n:,} sentences",
            err=True,
        )


def _corrected(graph: Graph, sample: Sample, judgements: Judgements) -> Powered | None:
    """The statistic corrected by the judgements; None where it cannot be, which is told."""
    from harmgraph.analytics.statistics.powered import powered
    from harmgraph.analytics.statistics.statistic import statistic
    from harmgraph.common.errors import InputError

    wish = sample.wish
    if wish.target:
        click.echo(f"no corrected statistics: the sample is of {wish.target} alone", err=True)
        return None
    over = statistic("overgeneralization")
    try:
        return powered(over, graph, (judgements.path,), source=wish.source, measure=wish.measure)
    except InputError as error:
        click.echo(f"no corrected statistics: {error}", err=True)
        return None


def _shares(corrected: Powered) -> list[dict[str, Any]]:
    """The shares of labels in the whole graph, as the scorer gave them and as people would, in percent."""
    from harmgraph.common.label_words import PEOPLE_NAMES

    estimate = corrected.overall
    return [
        {
            "label": name,
            "scorer_percent": 100 * corrected.graph_shares[place],
            "people_percent": 100 * float(estimate.shares[place]),
            "people_percent_low": 100 * float(estimate.low[place]),
            "people_percent_high": 100 * float(estimate.high[place]),
        }
        for place, name in enumerate(PEOPLE_NAMES)
    ]


def _again(sample: Sample, judgements: Judgements) -> str:
    """The command that shows the corrected rates of each target."""
    import shlex

    from harmgraph.analytics.labelling.drawn_sample import Wish

    wish = sample.wish
    return " ".join(
        ("harmgraph stats overgeneralization --corrected", shlex.quote(str(judgements.path)))
        + (("--measure", wish.measure) if wish.measure != Wish().measure else ())
        + (("--source", shlex.quote(wish.source)) if wish.source else ())
    )
