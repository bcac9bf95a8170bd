"""``harmgraph population``: what a commonsense knowledge base does not say yet, proposed from an eventuality graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from harmgraph.common.command_line import Commands, output_option, progress_option, verbose_option
from harmgraph.common.files_to_write import FolderToWrite
from harmgraph.graph.commands.name_types import SourceName
from harmgraph.models.population.compare_command import compare_command
from harmgraph.models.population.proposing.commands import (
    accept_command,
    propose_command,
    reject_command,
    undo_command,
)
from harmgraph.models.population.train_commands import (
    eval_command,
    list_command,
    remove_command,
    train_command,
)

SPLITS = ("train", "valid", "test")


@click.group(cls=Commands)
@verbose_option
def population() -> None:
    """Models that judge triples of events: data, train, eval, compare, list, rm; and what they propose: propose, accept, reject,
    undo."""


for command in (
    *(train_command, eval_command, compare_command, list_command, remove_command),
    *(propose_command, accept_command, reject_command, undo_command),
):
    population.add_command(command)


@population.command("data")
@click.option(
    "--source",
    "sources",
    type=SourceName(),
    multiple=True,
    required=True,
    help="Source with triples of events, such as atomic; may be given again.",
)
@click.option(
    "--graph", "eventualities", type=SourceName(), default="", help="Eventuality source for candidates: aser."
)
@click.option(
    "--negatives",
    type=click.Choice(("paper", "released", "matched")),
    default="paper",
    show_default=True,
    help="paper: random heads and tails. released: those of the paper's code. matched: the positives exchange tails.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Random seed; it does not decide the split."
)
@click.option(
    "--evaluation",
    "evaluations",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="Table with head, relation and tail, whose triples are not trained on; may be given again.",
)
@click.option(
    "--candidates",
    type=click.IntRange(1),
    default=20_000,
    show_default=True,
    help="Candidates of each class, with --graph.",
)
@click.option("--out", type=FolderToWrite(), required=True, help="Folder for the tables.")
@click.option("--properties", is_flag=True, help="Write the split into the graph too, as population_split.")
@progress_option
@output_option
@verbose_option
def data_command(
    sources: tuple[str, ...],
    eventualities: str,
    evaluations: tuple[Path, ...],
    progress: bool,
    output: str,
    **options: Any,
) -> None:
    """Make the training data of a triple classifier from aligned events.

    Writes train.tsv, valid.tsv, test.tsv, data.json and, with --graph, candidates.tsv: positives 8:1:1 by a hash, and as
    many negatives (Fang et al. 2021, section 4.6).
    """
    from harmgraph.common.output import show, show_one
    from harmgraph.common.progress import bar
    from harmgraph.graph.connection import Graph
    from harmgraph.models.population.training_data.making import Request, make_data

    request = Request(sources, graph=eventualities, evaluations=evaluations, **options)
    with Graph.open() as graph, bar(progress):
        facts = make_data(graph, request)
    for line in _remarks(facts):
        click.echo(line, err=True)
    if output == "json":
        show_one({**facts, "folder": str(request.out)}, output)
        return
    rows = [
        {
            "split": split,
            "positives": sum(row["positives"] for row in facts["counts"] if row["split"] == split),
            "negatives": sum(row["negatives"] for row in facts["counts"] if row["split"] == split),
            "removed": sum(file.get(split, 0) for file in facts["evaluation"]),
        }
        for split in SPLITS
    ]
    show(rows, output, title=f"Training data from {', '.join(facts['options']['sources'])}")
    click.echo(f"saved in {request.out}", err=True)


def _remarks(facts: dict[str, Any]) -> list[str]:
    lines = []
    for file in facts["evaluation"]:
        lines.append(
            f"{file['file']}: {file['train'] + file['valid']:,} of its {file['triples']:,} triples are removed from train and "
            f"valid; {file['in_test']:,} stay in test"
        )
        lines += [
            f"{file['file']}: {row['novel']:,} of the {row['nodes']:,} nodes"
            f"{' of ' + row['split'] if row['split'] else ''} stand in no positive of train"
            for row in file["novelty"]
        ]
    if "candidates" in facts:
        lines.append(f"{facts['candidates']['triples']:,} candidates of {facts['candidates']['edges']:,} edges")
    if facts["negatives"]["missing"]:
        lines.append(
            f"harmgraph: warning: {facts['negatives']['missing']:,} positives have no negative: nearly every pair is a positive"
        )
    return lines
