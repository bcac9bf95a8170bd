"""What an epoch of a frame model is measured by. Imports torch at the top, with the training loop."""

from __future__ import annotations

from harmgraph.models.language.frames.scores import by_f1
from harmgraph.models.text.finetuning import HeldOutVerdict


def verdict(loss: float, f1: float | None) -> HeldOutVerdict:
    """By the mean F1 of the valid posts if it is known, see ``by_f1``, and else by the loss.

    With each epoch stands ``loss_valid``, and ``f1_valid`` if it is known.
    """
    if f1 is None:
        return HeldOutVerdict(-loss, {"loss_valid": loss})
    return HeldOutVerdict(by_f1(f1, loss), {"loss_valid": loss, "f1_valid": f1})
