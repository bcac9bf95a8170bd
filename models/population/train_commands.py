"""``train``, ``eval``, ``list`` and ``rm`` of ``harmgraph population``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from harmgraph.common.command_line import Member, options_of, output_option, verbose_option
from harmgraph.common.files_to_write import FileToWrite
from harmgraph.common.options import Option
from harmgraph.graph.commands.name_types import ModelName
from harmgraph.models import store
from harmgraph.models.options import (
    encoder_option,
    limit_option_of,
    remove_command_of,
    running_options,
    tell_trained,
    training_options,
)
from harmgraph.models.population import trained
from harmgraph.models.population.judging_options import draws_option, precision_option, split_option
from harmgraph.models.population.populator import populators
from harmgraph.models.population.recipe import PopulatorRecipe

MEMBER = Member("populator", populators.names)
DIGITS = dict.fromkeys(("auc", "valid_auc", "chosen_auc"), 3)
POPULATOR = ModelName(trained.names)


def _words(option: Option) -> str:
    """The general default of an option and those of the models that have another; empty where none has."""
    own = [
        f"{member.name}: {member.defaults[option.name]:g}" for member in populators if option.name in member.defaults
    ]
    return "; ".join((f"{option.default:g}", *own)) if own else ""


@click.command("train")
@click.argument("name", type=POPULATOR)
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder with train.tsv, valid.tsv and data.json, of 'population data'.",
)
@click.option("--model", type=MEMBER, default="kgbertsage", show_default=True, help=", ".join(populators.names()) + ".")
@encoder_option
@click.option(
    "--train-on",
    metavar="SOURCE",
    multiple=True,
    help="Learn only triples of this source of the data; may be given again. Judge on the others for a zero-shot AUC.",
)
@limit_option_of("triples, and judge on as many valid ones")
@click.option(
    "--choose-on",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Choose the best epoch of each relation on triples that people labelled, as 'population eval' takes them. "
    "Of a file with splits, those of valid (dev).",
)
@options_of(PopulatorRecipe, words=_words)
@training_options
def train_command(
    name: str,
    data: Path,
    model: str,
    encoder: str,
    train_on: tuple[str, ...],
    limit: int,
    choose_on: Path | None,
    precision: str,
    device: str,
    threads: int,
    again: bool,
    progress: bool,
    output: str,
    **recipe: Any,
) -> None:
    """Train a model that tells which triples are plausible.

    Run the same command again to continue an interrupted training where it stopped.
    """
    from harmgraph.common.output import show_one
    from harmgraph.common.progress import bar
    from harmgraph.models.population import named_populator
    from harmgraph.models.text.encoder import need_torch

    need_torch()
    with bar(progress):
        done = named_populator.train(
            name,
            data,
            model,
            encoder=encoder,
            train_on=train_on,
            limit=limit,
            choose_on=choose_on,
            recipe=populators.get(model).recipe(**{name: value for name, value in recipe.items() if value is not None}),
            again=again,
            device=device,
            precision=precision,
            threads=threads,
        )
    row, choice = named_populator.row(name, done.config), dict(done.config.choice)
    show_one({**row, "choice": choice} if choice and output == "json" else row, output, title=name, digits=DIGITS)
    if choice:
        words = ", ".join(f"{relation} {epoch}" for relation, epoch in sorted(choice.items()))
        click.echo(f"best epochs on {done.config.chosen_on:,} triples: {words}", err=True)
    if done.config.pseudo_labels:
        from harmgraph.models.population.pseudo_labels.making import said

        click.echo(f"pseudo-labels: {said(done.config.pseudo_labels)}", err=True)
    tell_trained(done.folder, f"judge with it: harmgraph population eval {name}", anew=done.anew)


@click.command("eval")
@click.argument("name", type=POPULATOR)
@click.option(
    "--file",
    type=click.Path(path_type=Path),
    help="Triples with a header: head, relation, tail, and label or worker_vote.  [default: test.tsv of its data]",
)
@split_option
@click.option(
    "--scores",
    type=FileToWrite(),
    help="Write the score of each triple to this file.  [default for a file without labels: FILE.scores.tsv]",
)
@click.option(
    "--one-epoch",
    is_flag=True,
    help="Judge all relations by the best epoch, not each by the one that it chose with --choose-on.",
)
@click.option(
    "--linear/--no-linear",
    default=True,
    help="Compare with a linear model, with how often heads occur, and with the cosine of the untrained encoder.",
)
@click.option(
    "--examples",
    type=click.IntRange(1),
    metavar="N",
    help="Instead of the AUC, show the N triples that it is most sure of and wrong about, and N with a new node that it is "
    "right about.",
)
@draws_option
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the resamples.")
@precision_option
@running_options
def eval_command(
    name: str,
    file: Path | None,
    split: str,
    scores: Path | None,
    one_epoch: bool,
    linear: bool,
    examples: int | None,
    draws: int,
    seed: int,
    precision: str,
    device: str,
    threads: int,
    progress: bool,
    output: str,
) -> None:
    """AUC of a populator on triples that people judged: overall, weighted over relations, per class and relation."""
    from harmgraph.common.errors import InputError
    from harmgraph.common.output import show
    from harmgraph.common.progress import bar
    from harmgraph.models.population import named_populator
    from harmgraph.models.text.encoder import need_torch

    need_torch()
    with bar(progress):
        judged = named_populator.evaluate(
            name,
            file,
            split=split,
            one_epoch=one_epoch,
            linear=linear and not examples,
            draws=0 if examples else draws,
            seed=seed,
            device=device,
            precision=precision,
            threads=threads,
        )
    if examples and not judged.rows:
        raise InputError(
            "nobody labelled these triples, so none is right or wrong",
            where=str(file or "test.tsv"),
            remedy="leave out --examples",
        )
    for line in judged.said:
        click.echo(f"harmgraph: warning: {line}", err=True)
    if judged.novelty:
        novel, nodes = judged.novelty
        click.echo(f"{novel:,} of the {nodes:,} nodes ({novel / nodes:.1%}) stand in no training triple", err=True)
    if scores is None and not judged.rows:
        scores = Path(f"{file or 'test'}.scores.tsv")
    if scores is not None:
        named_populator.write_scores(scores, judged)
    columns = ("of", "name", "n", "plausible", "auc", "auc_low", "auc_high")
    title = f"{name}, {len(judged.examples):,} triples"
    if judged.rows and examples:
        show(judged.shown(examples), output, title=title, digits={"score": 2}, keys=("kind",))
    elif judged.rows:
        show(
            [row.facts() for row in judged.rows],
            output,
            columns=columns,
            title=title,
            digits=DIGITS,
            keys=("of", "name"),
        )
    else:
        click.echo("nobody labelled these triples, so there is no AUC", err=True)
    if scores is not None:
        click.echo(f"{len(judged.scores):,} scores in {scores}", err=True)


@click.command("list")
@output_option
@verbose_option
def list_command(output: str) -> None:
    """List the populators trained on this machine."""
    from harmgraph.models.population.named_populator import row

    store.show_all(trained.RECORDS.listed(row), output, "Trained populators", DIGITS)


REMOVES = "Remove a populator: its files. Its proposals stay. Asks first."
remove_command = remove_command_of(POPULATOR, trained.FOLDERS, REMOVES)
