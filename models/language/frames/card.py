"""The model card of a frame model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harmgraph.models.model_card import left_out, written

if TYPE_CHECKING:
    from harmgraph.models.language.frames.stored import FrameConfig

PAGE = """\
# {name}

A {known.recipe.kind} model of social bias frames (Sap et al. 2020), trained by `harmgraph frames train`. \
`harmgraph frames eval {name}` judges
it; `harmgraph frames predict --source SOURCE --model {name}` lets it say what the statements of a source imply, and about whom.

## Training data
- `{known.corpus}`: {known.train:,} posts with {known.annotations:,} annotations; digest `{known.corpus_digest}`{left_out}
- {known.valid:,} posts decided when to stop, and {known.test:,} were held out; a hash of each post decides

## Model
- began as `{known.model}`; {known.parameters:,} weights
- {known.epochs} epochs, best after {known.best_epoch} by the {chosen} on the valid posts: {best}
- options: {recipe}; {known.precision}, {known.threads} threads

## Intended use
To count what a corpus or a knowledge base implies about groups of people, and to look at examples. It repeats stereotypes and
slurs of its posts. What it says is a guess at what annotators in the United States and Canada would write; it says nothing of
what an author meant, and is not to be used to judge people or to decide what they may say.

Versions: {versions}. Trained {known.trained_at}.
"""


def card(name: str, known: FrameConfig) -> str:
    """The model card, in Markdown."""
    chosen, best = ("loss", known.loss_valid) if known.f1_valid is None else ("mean F1", known.f1_valid)
    shown = f"{float('nan') if best is None else best:.4f}"
    parts = {"chosen": chosen, "best": shown, "left_out": left_out(known.left_out, " rows")}
    return written(PAGE, name, known, known.recipe.facts(), known.versions, **parts)
