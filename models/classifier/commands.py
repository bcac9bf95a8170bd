"""What ``harmgraph scorer`` does with labelled texts; ``harmgraph.scorer_commands`` has the group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harmgraph.common.command_line import Decorator, options_of, output_option, together, verbose_option
from harmgraph.graph.commands.name_types import Name
from harmgraph.models.classifier.finetuning import ScorerRecipe
from harmgraph.models.options import encoder_option, limit_option_of, precision_option, tell_trained

if TYPE_CHECKING:
    from harmgraph.models.classifier.learnt.learnt_record import LearntRecord

ACCURACY = dict.fromkeys(("accuracy", "accuracy_low", "accuracy_high"), 3)


OF_EXAMPLES: Decorator = together(
    click.option(
        "--labels",
        default="",
        metavar="TEXT",
        help="What the labels of --data or --silver mean: 0=negative,1=positive.",
    ),
    click.option(
        "--test",
        "tests",
        type=click.Path(path_type=Path),
        multiple=True,
        metavar="FILE",
        help="Held-out file of the same form to judge the scorer on; may be given again.",
    ),
    click.option(
        "--test-labels", default="", metavar="TEXT", help="What the labels of --test mean, where that differs."
    ),
    encoder_option,
    limit_option_of("examples"),
    options_of(ScorerRecipe),
    precision_option,
    click.option(
        "--threads",
        type=click.IntRange(0),
        default=0,
        help="CPU threads.  [default: all or one, whichever is faster in the first steps]",
    ),
)
"""The options of ``train_on_examples``, but for those that every training has."""


def train_on_examples(
    name: str,
    data: Path,
    labels: str,
    test_labels: str,
    tests: tuple[Path, ...],
    encoder: str,
    limit: int,
    precision: str,
    threads: int,
    again: bool,
    progress: bool,
    output: str,
    **recipe: Any,
) -> None:
    """``scorer train --data``: trains a scorer on labelled texts, and shows how good it is."""
    from dataclasses import asdict

    from harmgraph.common.label_words import label_meanings
    from harmgraph.common.output import show, show_one
    from harmgraph.common.progress import bar, terminal
    from harmgraph.models.classifier.training import train
    from harmgraph.models.classifier.unlearnt import unlearnt, warnings
    from harmgraph.models.text.encoder import need_torch

    need_torch()
    with bar(progress):
        trained = train(
            name,
            data,
            encoder,
            recipe=ScorerRecipe(**recipe),
            limit=limit,
            meanings=label_meanings(labels),
            test_meanings=label_meanings(test_labels),
            tests=tests,
            again=again,
            precision=precision,
            threads=threads,
            tell=terminal,
        )
    facts = asdict(trained.config)
    for line in warnings(facts):
        click.echo(f"harmgraph: warning: {line}", err=True)
    if output == "json":
        show_one({**facts, "not_learnt": unlearnt(facts), "folder": str(trained.folder)}, output)
        return
    linear = {score["label"]: score["f1"] for score in facts["baseline"]}
    rows = [{**score, "linear_f1": linear.get(score["label"])} for score in facts["scores"]]
    tested = facts["tests"]
    judged = [(test["file"], _test_rows(test)) for test in tested]
    if output == "table" or not judged:
        show(rows, output, title=f"{name}, on unseen targets" if facts["by_target"] else name)
        for file, of_file in judged:
            show(of_file, output, title=f"{name}, on {file}", digits=ACCURACY)
    else:
        every = [*rows, *({"file": file, **row} for file, of_file in judged for row in of_file)]
        show(every, output, columns=list(dict.fromkeys(column for row in every for column in row)))
    for test in tested:
        if test["repeated"]:
            click.echo(f"{test['file']}: {test['repeated']:,} texts left out, which {data.name} has too", err=True)
    then = f"label with it: harmgraph label regard --model {name}"
    tell_trained(trained.folder, then, anew=trained.anew or bool(tests))


def _test_rows(test: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The accuracy on a held-out file, and the scores of each label."""
    accuracy = {"accuracy": test["accuracy"], "accuracy_low": test["low"], "accuracy_high": test["high"]}
    every = {"label": "all", "n": test["n"], **accuracy}
    columns = dict.fromkeys((*every, *(column for score in test["scores"] for column in score)))
    return [columns | row for row in (every, *test["scores"])]


@click.command("list")
@output_option
@verbose_option
def list_command(output: str) -> None:
    """List the scorers trained on this machine."""
    from harmgraph.common.output import show
    from harmgraph.models.classifier.learnt.learnt_record import RECORDS
    from harmgraph.models.classifier.training import trained_scorers
    from harmgraph.models.classifier.unlearnt import unlearnt

    rows = [
        {
            "scorer": facts["name"],
            "label_with": "regard",
            "trained": facts["trained_at"],
            "encoder": facts["identity"]["encoder"],
            "data": facts["file"],
            **{f"f1_{score['label']}": score["f1"] for score in facts["scores"]},
            "not_learnt": ", ".join(unlearnt(facts)),
        }
        for facts in trained_scorers()
    ]
    rows = sorted([*rows, *RECORDS.listed(_learnt_row)], key=lambda row: str(row["scorer"]))
    columns = list(dict.fromkeys(name for row in rows for name in row)) or ["scorer"]
    show(rows, output, columns=columns, title="Trained scorers")


def _learnt_row(name: str, known: LearntRecord) -> dict[str, Any]:
    """The row of a scorer that learnt from people."""
    return {
        "scorer": name,
        "label_with": "learnt",
        "trained": known.trained_at,
        "encoder": known.identity["encoder"],
        "data": ", ".join(known.files),
        "f1_negative": known.scores[0].prejudice_f1,
        "f1_positive": known.scores[0].favouritism_f1,
    }


class ScorerName(Name):
    """A scorer trained on this machine, or whose training was interrupted."""

    name = "scorer"

    def names(self) -> Iterable[str]:
        from harmgraph.models.classifier.removal import scorer_names

        return scorer_names()


@click.command("rm")
@click.argument("name", type=ScorerName())
@click.option("--yes", is_flag=True, help="Do not ask.")
@verbose_option
def remove_command(name: str, yes: bool) -> None:
    """Remove a scorer trained on this machine, or its interrupted training. Its labels stay in the graph."""
    from harmgraph.models.classifier.removal import removable, remove
    from harmgraph.models.classifier.training import alone
    from harmgraph.models.folders import staying

    removable(name)  # refuse an unknown name before creating its lock
    with alone(name):
        target = removable(name)
        size = f"{target.bytes / 1e6:,.1f} MB" + "".join(map(staying, target.folders))
        for measure, statements in (_labels_by(target.signature) if target.signature else {}).items():
            click.echo(
                f"{statements:,} statements about targets have a label of {measure} from it; these stay", err=True
            )
        if not yes:
            what = f"the scorer {name}" if target.finished else f"the interrupted training of {name}"
            click.confirm(f"Remove {what} ({size})?", abort=True)
        remove(target)
    click.echo(f"removed {name}: {size}")


def _labels_by(signature: str) -> dict[str, int]:
    """How many labels of each measure a scorer has given; if the graph cannot be read, a warning and nothing."""
    from harmgraph.common.errors import HarmgraphError
    from harmgraph.graph.address import from_environment
    from harmgraph.graph.connection import Graph
    from harmgraph.graph.server.store import store_bytes
    from harmgraph.models.classifier.removal import labels_by

    try:
        if from_environment() is None and not store_bytes():
            return {}  # the graph has never been loaded
        with Graph.open() as graph:
            return labels_by(graph, signature)
    except HarmgraphError as error:
        click.echo(f"harmgraph: warning: cannot count its labels in the graph: {error}", err=True)
        return {}
