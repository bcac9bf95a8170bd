"""``harmgraph frames``: models of social bias frames, trained, judged, and asked what statements imply about whom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from harmgraph.common.command_line import Commands, options_of, output_option, progress_option, verbose_option
from harmgraph.common.endpoint.options import ModelServer, check_options
from harmgraph.common.files_to_write import FileToWrite
from harmgraph.graph.commands.name_types import CategoryName, ModelName, SourceName
from harmgraph.models import store
from harmgraph.models.language.frames import stored
from harmgraph.models.language.frames.generative.search import Search
from harmgraph.models.language.frames.judging.slices import KINDS
from harmgraph.models.language.frames.recipe import CLASSIFIER, GENERATIVE, ORDER, FrameRecipe, recipe_for
from harmgraph.models.options import (
    ENCODER,
    device_option,
    limit_option_of,
    remove_command_of,
    running_options,
    tell_trained,
    training_options,
)

FILES = click.Path(path_type=Path)
TRAINED = ModelName(stored.names)
DIGITS = dict.fromkeys(
    (
        *(f"{name}{end}" for name in ("precision", "recall", "f1") for end in ("", "_low", "_high")),
        "loss_valid",
        "f1_valid",
    ),
    3,
) | dict.fromkeys(("score", "low", "high", "over_all", "cosine"), 3)


@click.group(cls=Commands)
@verbose_option
def frames() -> None:
    """Social bias frames by a model: train, eval, list, predict, echoes, rm."""


@frames.command("train")
@click.argument("name", type=TRAINED)
@click.option(
    "--file",
    "files",
    type=FILES,
    multiple=True,
    required=True,
    metavar="FILE",
    help="SBIC.v2.trn.csv; may be given again.",
)
@click.option(
    "--model",
    default="",
    help="Hub id, folder, a model of 'language train', or new:SIZE.  [default: new:small]",
    metavar="MODEL",
)
@click.option(
    "--encoder", default="", help="Train a classifier of the variables on this encoder instead. It is much faster."
)
@options_of(FrameRecipe, "frozen")
@options_of(FrameRecipe, but=("frozen",))
@limit_option_of("posts")
@training_options
def train_command(
    name: str,
    files: tuple[Path, ...],
    model: str,
    encoder: str,
    limit: int,
    precision: str,
    device: str,
    threads: int,
    again: bool,
    progress: bool,
    output: str,
    **given: Any,
) -> None:
    """Train a model on posts that people annotated with social bias frames.

    The model learns three quarters of the posts. A hash chooses them. Run the same command again to continue an interrupted
    training where it stopped.
    """
    from harmgraph.common.output import show_one
    from harmgraph.common.progress import bar
    from harmgraph.models.language.frames import named_frame_model
    from harmgraph.models.language.frames.posts import from_files
    from harmgraph.models.text.encoder import need_torch

    if model and encoder:
        raise click.UsageError("Give --model for whole frames, or --encoder for the variables alone.")
    if given["frozen"] and not encoder:
        raise click.UsageError("--frozen goes with --encoder.")
    begins = encoder or model or "new:small"
    recipe = recipe_for(CLASSIFIER if encoder else GENERATIVE, begins, given)
    if encoder and recipe.variables != ORDER:
        raise click.UsageError("--order goes with --model: a classifier says all variables at once.")
    need_torch()
    with bar(progress):
        corpus = from_files(files).limited(limit)
        done = named_frame_model.train(
            name, corpus, begins, recipe, again=again, device=device, precision=precision, threads=threads
        )
    show_one(named_frame_model.shown(name, done.config), output, title=name, digits=DIGITS)
    for why, count in done.config.left_out.items():
        click.echo(f"left out: {count:,} rows {why}", err=True)
    tell_trained(done.folder, f"judge it: harmgraph frames eval {name}", anew=done.anew)


@frames.command("eval")
@click.argument("name", type=TRAINED)
@click.option(
    "--file",
    "files",
    type=FILES,
    multiple=True,
    metavar="FILE",
    help="Posts to judge on.  [default: those held out of the training]",
)
@options_of(Search, "way")
@click.option("--ngrams/--no-ngrams", default=True, help="Train linear models on n-grams to compare with.")
@click.option(
    "--by",
    type=click.Choice(KINDS),
    multiple=True,
    help="Also judge parts of the posts: of each origin, or about each group. Or thirds, by how many words they share with a "
    "post of the training. May be given again.",
)
@click.option(
    "--predictions",
    type=FileToWrite(),
    metavar="FILE",
    help="CSV file of what the model and people say of each post. The wrong ones come first.",
)
@click.option("--vectors", type=FILES, metavar="FILE", help="Word vectors such as GloVe's.  [default: an encoder's]")
@click.option("--draws", type=click.IntRange(0), default=1_000, show_default=True, help="Resamples for the intervals.")
@options_of(Search, "seed")
@running_options
def eval_command(
    name: str,
    files: tuple[Path, ...],
    way: str,
    ngrams: bool,
    by: tuple[str, ...],
    predictions: Path | None,
    vectors: Path | None,
    draws: int,
    seed: int,
    device: str,
    threads: int,
    progress: bool,
    output: str,
) -> None:
    """Precision, recall and F1 of the variables, and how near groups and statements are to people's.

    Posts that the model was trained on are left out of --file, and counted. With --output json or csv the rows of the
    texts follow those of the variables.
    """
    from harmgraph.common.output import show
    from harmgraph.common.progress import bar
    from harmgraph.models.language.frames.judging.evaluation import evaluate
    from harmgraph.models.language.frames.posts import from_files

    with bar(progress):
        judged = evaluate(
            name,
            from_files(files) if files else None,
            Search(way, seed=seed),
            ngrams=ngrams,
            by=by,
            vectors=vectors,
            draws=draws,
            seed=seed,
            device=device,
            threads=threads,
        )
    of = ", ".join(path.name for path in files) or "what was held out"
    if predictions:
        judged.write_predictions(predictions)
    variables, texts = [row.facts() for row in judged.variables], [row.facts() for row in judged.texts]
    keys = ("model", "of", "variable") if by else ("model", "variable")
    if not by:
        variables = [{name: value for name, value in row.items() if name != "of"} for row in variables]
    if output == "table":
        show(variables, output, title=f"{name}, variables on {of}", digits=DIGITS, keys=keys)
        if texts:
            show(texts, output, title=f"{name}, texts on {of}", digits=DIGITS, keys=("what", "metric"))
    else:
        columns = list(dict.fromkeys(name for row in (*variables, *texts) for name in row))
        show([*variables, *texts], output, columns=columns, keys=keys)
    for line in judged.said:
        click.echo(line, err=True)


@frames.command("list")
@output_option
@verbose_option
def list_command(output: str) -> None:
    """List the frame models trained on this machine."""
    from harmgraph.models.language.frames.named_frame_model import shown

    store.show_all(stored.RECORDS.listed(shown), output, "Trained frame models", DIGITS)


REMOVES = "Remove a frame model: its files and its node in the graph. What it predicted stays. Asks first."
frames.add_command(remove_command_of(TRAINED, stored.FOLDERS, REMOVES))


@frames.command("predict")
@click.option("--source", type=SourceName(), required=True, help="Source whose statements get frames.")
@click.option(
    "--model", "name", type=TRAINED, default="", help="Model of 'frames train'. With --endpoint, its name there."
)
@click.option("--into", default="", metavar="SOURCE", help="Source to write into.  [default: SOURCE-frames]")
@click.option("--limit", type=click.IntRange(1), help="Maximum statements. A hash of the text chooses them.")
@options_of(Search)
@options_of(ModelServer)
@running_options
@click.pass_context
def predict_command(
    context: click.Context,
    /,
    source: str,
    name: str,
    into: str,
    limit: int | None,
    way: str,
    seed: int,
    endpoint: str,
    key_from: str,
    parallel: int,
    max_tokens: int,
    timeout: float,
    device: str,
    threads: int,
    progress: bool,
    output: str,
) -> None:
    """Write what a model says that the statements of a source imply, and about whom.

    The frames become a source of their own, with the model and the digest of its weights; 'harmgraph source drop' takes
    them away. Statistics of frames count them only where that source is named.
    """
    from harmgraph.common.output import show_one
    from harmgraph.common.progress import bar
    from harmgraph.graph.connection import Graph
    from harmgraph.models.language.frames import predicting

    if not (name or endpoint):
        raise click.UsageError("Missing option '--model', or '--endpoint' for the model of a server.")
    check_options(context, endpoint)
    into = into.strip() or predicting.default_name(source)
    search = Search(way, seed=seed)
    with bar(progress), Graph.open() as graph:
        if endpoint:
            served = ModelServer(endpoint, key_from, parallel, max_tokens, timeout)
            done = predicting.predict_from(graph, served, name, source, into, search, limit=limit)
        else:
            done = predicting.predict_into(
                graph, name, source, into, search, limit=limit, device=device, threads=threads
            )
    show_one(done.facts(), output, title=f"{name or endpoint}, frames of {source}")
    if done.again:
        click.echo("the same stood in the source already: nothing changed", err=True)
    click.echo(f"written to {into}; look at it: harmgraph stats frame_examples --source {into}", err=True)


@frames.command("echoes")
@click.argument("source", type=SourceName())
@click.argument("other", type=SourceName())
@click.option("--encoder", default=ENCODER, show_default=True, help="Folder, hub id, or package that contains a model.")
@click.option("--threshold", type=click.FloatRange(-1, 1), default=0.8, show_default=True, help="Least cosine.")
@click.option("--category", type=CategoryName(), help="Only targets of this category.")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="Maximum rows.")
@device_option
@progress_option
@output_option
@verbose_option
def echoes_command(
    source: str,
    other: str,
    encoder: str,
    threshold: float,
    category: str | None,
    limit: int,
    device: str,
    progress: bool,
    output: str,
) -> None:
    """Implied statements of the posts of SOURCE that have a near neighbour in the knowledge base OTHER.

    Both are about the same target. Near means a high cosine of an encoder. 'stats frame_echoes' compares word for word.
    """
    from harmgraph.common.output import show
    from harmgraph.common.progress import bar
    from harmgraph.graph.connection import Graph
    from harmgraph.models.language.frames.echoes import near

    with bar(progress), Graph.open() as graph:
        echoes = near(graph, source, other, encoder, threshold, category=category, device=device)
    rows = [row.facts() for row in echoes.rows[:limit]]
    columns = ("target", "implied", "statement", "cosine", "posts", "annotators")
    title = f"Implied statements of {source} near one of {other}"
    show(rows, output, columns=columns, title=title, digits=DIGITS, keys=("target", "implied"))
    for line in echoes.said:
        click.echo(line, err=True)
