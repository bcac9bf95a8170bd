"""``harmgraph language``: causal language models, trained, judged and made to speak of the targets."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harmgraph.common.command_line import Commands, options_of, output_option, verbose_option
from harmgraph.common.files_to_write import FileToWrite
from harmgraph.graph.commands.name_types import CategoryName, ModelName, SourceName
from harmgraph.models import store
from harmgraph.models.language import trained
from harmgraph.models.language.decoding import Decoding
from harmgraph.models.language.recipe import TEXT, LanguageRecipe, recipe_for
from harmgraph.models.options import (
    limit_option_of,
    remove_command_of,
    running_options,
    tell_trained,
    training_options,
)

if TYPE_CHECKING:
    from harmgraph.graph.connection import Graph
    from harmgraph.models.language.corpus import Corpus

PARTS = ("held-out", "all")
DIGITS = dict.fromkeys(("perplexity", "word_perplexity"), 2)
FILES = click.Path(path_type=Path)
TRAINED = ModelName(trained.names)


seeds_option = click.option(
    "--seeds",
    type=click.IntRange(0),
    default=0,
    help="So many models, NAME-0, NAME-1 and so on, each with a seed of its own.  [default: one model, NAME]",
)


def _numbered(name: str, seeds: int) -> list[str]:
    """The names of models, or of sources, that differ in their seed."""
    return [f"{name}-{number}" for number in range(seeds)] if seeds else [name]


@click.group(cls=Commands)
@verbose_option
def language() -> None:
    """Language models: train, eval, list, generate, rm."""


@language.command("train")
@click.argument("name", type=TRAINED)
@click.option(
    "--model",
    default="new:small",
    show_default=True,
    help="Hub id, folder, package that contains a model, or new:tiny, new:mini, new:small, new:gpt.",
)
@click.option("--corpus", "files", type=FILES, multiple=True, metavar="FILE", help="Text to learn; may be given again.")
@click.option("--source", type=SourceName(), default="", help="Learn the statements of this source.")
@options_of(LanguageRecipe, "kind")
@click.option(
    "--held-out-file",
    "held_out_files",
    type=FILES,
    multiple=True,
    metavar="FILE",
    help="Text that decides when the training stops.  [default: --held-out of the texts]",
)
@options_of(LanguageRecipe, "held_out")
@options_of(LanguageRecipe, but=("kind", "held_out"))
@seeds_option
@limit_option_of("texts or triples")
@training_options
def train_command(
    name: str,
    model: str,
    files: tuple[Path, ...],
    source: str,
    kind: str,
    held_out_files: tuple[Path, ...],
    seeds: int,
    limit: int,
    precision: str,
    device: str,
    threads: int,
    again: bool,
    progress: bool,
    output: str,
    **given: Any,
) -> None:
    """Train a language model on texts, or on the triples of a source.

    Run the same command again to continue an interrupted training where it stopped.
    """
    from dataclasses import replace

    from harmgraph.common.output import show, show_one
    from harmgraph.common.progress import bar
    from harmgraph.graph.connection import Graph
    from harmgraph.models.language import named_language_model
    from harmgraph.models.language.corpus import from_files
    from harmgraph.models.text.encoder import need_torch

    recipe = recipe_for(kind, model, given)
    need_torch()
    names = _numbered(name, seeds)
    made = []
    with bar(progress):
        if source:
            with Graph.open() as graph:
                for each in names:
                    store.check_name(graph, each, named_language_model.FAMILY)
                corpus = _corpus(files, source, kind, graph)
        else:
            corpus = _corpus(files, source, kind, None)
        corpus = corpus.limited(limit)
        for number, each in enumerate(names):
            done = named_language_model.train(
                each,
                corpus,
                model,
                replace(recipe, seed=recipe.seed + number),
                held_out=from_files(held_out_files) if held_out_files else None,
                again=again,
                device=device,
                precision=precision,
                threads=threads,
            )
            made.append(done)
            if source:
                with Graph.open() as graph:
                    named_language_model.register(graph, each, done.config)
    rows = [named_language_model.shown(each, done.config) for each, done in zip(names, made, strict=True)]
    if seeds:
        show(rows, output, title=f"{name}, {seeds} models", digits=DIGITS)
    else:
        show_one(rows[0], output, title=name, digits=DIGITS)
    for why, count in made[0].config.left_out.items():
        click.echo(f"left out: {count:,} texts {why}", err=True)
    anew = any(done.anew for done in made)
    tell_trained(made[0].folder, f"judge with it: harmgraph language eval {names[0]}", anew=anew)


@language.command("eval")
@click.argument("name", type=TRAINED)
@click.option(
    "--corpus",
    "files",
    type=FILES,
    multiple=True,
    metavar="FILE",
    help="Text to judge on.  [default: what was held out of the training]",
)
@click.option("--source", type=SourceName(), default="", help="Judge on the statements of this source.")
@click.option(
    "--part",
    type=click.Choice(PARTS),
    default=PARTS[0],
    show_default=True,
    help="Which statements of the source: those that the hash holds out, or all.",
)
@click.option("--context", type=click.IntRange(8), default=None, help="Tokens seen at once.  [default: as in training]")
@click.option("--ngrams/--no-ngrams", default=True, help="Train a 5-gram model on the same tokens to compare with.")
@click.option("--save", is_flag=True, help="Keep the perplexity in the graph, unless it is of training texts.")
@seeds_option
@click.option("--draws", type=click.IntRange(0), default=1_000, show_default=True, help="Resamples for the intervals.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the resamples.")
@running_options
def eval_command(
    name: str,
    files: tuple[Path, ...],
    source: str,
    part: str,
    context: int | None,
    ngrams: bool,
    save: bool,
    seeds: int,
    draws: int,
    seed: int,
    device: str,
    threads: int,
    progress: bool,
    output: str,
) -> None:
    """Perplexity of a model, per token and per word, beside a 5-gram model with Kneser-Ney smoothing.

    A model from elsewhere can be judged too, by its hub id or folder. Only perplexities per word can be compared between
    models with different tokens.
    """
    from harmgraph.common.output import show
    from harmgraph.common.progress import bar
    from harmgraph.graph.connection import Graph
    from harmgraph.models.language import named_language_model

    if save and not source:
        raise click.UsageError("--save keeps the perplexity of a source: give --source SOURCE.")
    rows, said = [], []
    for each in _numbered(name, seeds):
        known = named_language_model.ready(each)
        if save and known is None:
            raise click.UsageError("--save keeps the perplexity of a model that was trained here.")
        with bar(progress):
            texts = None
            if files or source:
                kind = known.recipe.kind if known else TEXT
                with Graph.open() if source else nullcontext() as graph:
                    corpus = _corpus(files, source, kind, graph)
                texts = corpus.texts
                if source and part == PARTS[0]:
                    texts = corpus.parts(known.recipe.held_out if known else 0.1)[1]
            judged = named_language_model.evaluate(
                each,
                texts,
                context=context or 0,
                ngrams=ngrams,
                draws=draws,
                seed=seed,
                keeps=save,
                device=device,
                threads=threads,
            )
        if save and known is not None:
            with Graph.open() as graph:
                named_language_model.keep_judged(graph, each, known, source, part, judged.rows[0])
        rows += [row.facts() for row in judged.rows]
        said += [f"{each}: {line}" if seeds else line for line in judged.said]
    title = f"{name}, perplexity on {', '.join(path.name for path in files) or source or 'what was held out'}"
    show(rows, output, title=title, digits=DIGITS, keys=("model",))
    for line in said:
        click.echo(line, err=True)


@language.command("list")
@output_option
@verbose_option
def list_command(output: str) -> None:
    """List the language models trained on this machine."""
    from harmgraph.models.language.named_language_model import shown

    store.show_all(trained.RECORDS.listed(shown), output, "Trained language models", DIGITS)


REMOVES = "Remove a language model: its files and its node in the graph. What it said stays. Asks first."
language.add_command(remove_command_of(TRAINED, trained.FOLDERS, REMOVES))


@language.command("generate")
@click.argument("name", type=TRAINED)
@click.option("--targets", is_flag=True, help="Ask a comet about every target of the graph.")
@click.option("--category", type=CategoryName(), help="Only targets of this category.")
@click.option("--relations", default="all", show_default=True, help="Relations to ask for, separated by commas.")
@click.option(
    "--relations-of",
    type=SourceName(),
    default="",
    help="Ask for the relations of this source, so that models of several sources are asked alike.",
)
@click.option("--into", default="", metavar="SOURCE", help="Write the statements into this source of the graph.")
@click.option("--keep-duplicates", is_flag=True, help="Keep equal statements of a target as separate statements.")
@click.option(
    "--prompts",
    type=FILES,
    metavar="FILE",
    help='Continue the prompts of this file instead; a line is {"prompt": "..."}.',
)
@click.option(
    "--out", type=FileToWrite(), metavar="FILE", help="Write what follows the prompts to this file, as JSON lines."
)
@options_of(Decoding)
@seeds_option
@running_options
def generate_command(
    name: str,
    targets: bool,
    category: str | None,
    relations: str,
    relations_of: str,
    into: str,
    keep_duplicates: bool,
    prompts: Path | None,
    out: Path | None,
    seeds: int,
    device: str,
    threads: int,
    progress: bool,
    output: str,
    **decoding: Any,
) -> None:
    """Let a model speak: of the targets into a source of the graph, or after the prompts of a file.

    The model, the digest of its weights and the decoding are kept with each text.
    """
    from harmgraph.common.output import show, show_one
    from harmgraph.common.progress import bar
    from harmgraph.graph.connection import Graph
    from harmgraph.models.language import speaking
    from harmgraph.models.text.encoder import need_torch

    if targets == (prompts is not None):
        raise click.UsageError("Give --targets with --into SOURCE, or --prompts FILE with --out FILE.")
    if targets and (not into.strip() or out):
        raise click.UsageError("Statements about targets go into a source: give --into SOURCE, and no --out.")
    if relations_of and (prompts or relations != speaking.ALL):
        raise click.UsageError("--relations-of SOURCE goes with --targets, and instead of --relations.")
    if prompts and (out is None or into):
        raise click.UsageError("What follows prompts goes into a file: give --out FILE, and no --into.")
    if prompts and seeds:
        raise click.UsageError("--seeds asks several models about the targets; ask one after the prompts of a file.")
    need_torch()
    chosen = Decoding(**decoding)
    if prompts is not None and out is not None:
        with bar(progress):
            spoken = speaking.speak_after(name, prompts, out, chosen, device=device, threads=threads)
        show_one(spoken.facts(), output, title=f"{name} speaks")
        click.echo(f"written to {out}", err=True)
        return
    wanted = [word.strip() for word in relations.split(",") if word.strip()]
    rows = []
    with bar(progress), Graph.open() as graph:
        if relations_of:
            wanted = list(speaking.relations_of(graph, relations_of))
        for each, place in zip(_numbered(name, seeds), _numbered(into, seeds), strict=True):
            spoken = speaking.speak_into(
                graph,
                each,
                place,
                wanted,
                chosen,
                category=category,
                keep_duplicates=keep_duplicates,
                device=device,
                threads=threads,
            )
            rows.append({"model": each, "into": place, **spoken.facts()})
    if seeds:
        show(rows, output, title=f"{name}, {seeds} models, speak")
    else:
        show_one(spoken.facts(), output, title=f"{name} speaks")
        if spoken.again:
            click.echo("the same stood in the source already: nothing changed", err=True)
    click.echo(f"written to {', '.join(_numbered(into, seeds))}", err=True)


def _corpus(files: tuple[Path, ...], source: str, kind: str, graph: Graph | None) -> Corpus:
    from harmgraph.models.language.corpus import from_files, from_source

    if bool(files) == bool(source):
        raise click.UsageError("Give --corpus FILE or --source SOURCE.")
    if source:
        assert graph is not None, "a source is read from an open graph"
        return from_source(graph, source, kind)
    if kind != TEXT:
        raise click.UsageError("A comet learns triples: give --source SOURCE.")
    return from_files(files)
