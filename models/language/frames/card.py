"""The model card of a frame model."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harmgraph.models.language.frames.stored import Config

PAGE = """\
# {name}

A {kind} model of social bias frames (Sap et al. 2020), trained by `harmgraph frames train`. `harmgraph frames eval {name}` judges
it; `harmgraph frames predict --source SOURCE --model {name}` lets it say what the statements of a source imply, and about whom.

## Training data
- `{corpus}`: {train:,} posts with {annotations:,} annotations; digest `{digest}`{left_out}
- {valid:,} posts decided when to stop, and {test:,} were held out; a hash of each post decides

## Model
- began as `{model}`; {parameters:,} weights
- {epochs} epochs, best after {best} by the loss on the valid posts: {loss:.4f}
- options: {recipe}; {precision}, {threads} threads

## Intended use
To count what a corpus or a knowledge base implies about groups of people, and to look at examples. It repeats stereotypes and
slurs of its posts. What it says is a guess at what annotators in the United States and Canada would write; it says nothing of
what an author meant, and is not to be used to judge people or to decide what they may say.

Versions: {versions}. Trained {trained_at}.
"""


def card(name: str, known: Config) -> str:
    """The model card, in Markdown."""
    return PAGE.format(
        name=name,
        kind=known.recipe.kind,
        corpus=known.corpus,
        train=known.train,
        annotations=known.annotations,
        digest=known.corpus_digest,
        left_out="".join(f"\n- left out, {reason}: {count:,} rows" for reason, count in known.left_out.items()),
        valid=known.valid,
        test=known.test,
        model=known.model,
        parameters=known.parameters,
        epochs=known.epochs,
        best=known.best_epoch,
        loss=known.loss_valid or float("nan"),
        recipe=", ".join(f"{option} {value}" for option, value in known.recipe.facts().items()),
        precision=known.precision,
        threads=known.threads,
        versions=", ".join(f"{package} {number}" for package, number in known.versions.items()),
        trained_at=known.trained_at,
    )
