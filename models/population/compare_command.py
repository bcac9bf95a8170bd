"""``harmgraph population compare``."""

from __future__ import annotations

from pathlib import Path

import click

from harmgraph.models.options import running_options
from harmgraph.models.population.judging_options import draws_option, precision_option, split_option

DIGITS = dict.fromkeys(("auc_a", "auc_b"), 3) | dict.fromkeys(
    ("difference", "difference_low", "difference_high", "p"), 4
)


@click.command("compare")
@click.option(
    "--a",
    "a",
    metavar="NAME",
    multiple=True,
    required=True,
    help="A populator, or a file of 'population eval --scores'. Given again, the mean over seeds counts.",
)
@click.option(
    "--b", "b", metavar="NAME", multiple=True, required=True, help="What it is compared with, in the same way."
)
@click.option(
    "--file",
    type=click.Path(path_type=Path),
    help="Triples with a header: head, relation, tail and label.  [default: those of the files, or test.tsv of its data]",
)
@split_option
@draws_option
@click.option("--permutations", type=click.IntRange(0), default=1_000, show_default=True, help="Exchanges for p.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of resamples and exchanges.")
@precision_option
@running_options
def compare_command(
    a: tuple[str, ...],
    b: tuple[str, ...],
    file: Path | None,
    split: str,
    draws: int,
    permutations: int,
    seed: int,
    precision: str,
    device: str,
    threads: int,
    progress: bool,
    output: str,
) -> None:
    """Compare two populators on the same triples: the difference of their AUC, its interval, and p.

    The interval is from resampled triples. p is from exchanging the scores of the two, as ranks, triple by triple.
    """
    from harmgraph.common.output import show
    from harmgraph.common.progress import bar
    from harmgraph.models.population.comparing import compare

    with bar(progress):
        found = compare(
            a,
            b,
            file,
            split=split,
            draws=draws,
            permutations=permutations,
            seed=seed,
            device=device,
            precision=precision,
            threads=threads,
        )
    for line in found.said:
        click.echo(f"harmgraph: warning: {line}", err=True)
    title = f"{', '.join(a)} (a) and {', '.join(b)} (b), {found.triples:,} triples"
    show([row.facts() for row in found.rows], output, title=title, digits=DIGITS, keys=("of",))
