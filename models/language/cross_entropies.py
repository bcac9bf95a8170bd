"""What a causal model loses at the tokens that it must predict. Imports torch at the top."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from harmgraph.models.language.sequences import IGNORED

if TYPE_CHECKING:
    from transformers import PreTrainedModel


def cross_entropies(
    model: PreTrainedModel, ids: torch.Tensor, labels: torch.Tensor, **options: Any
) -> tuple[torch.Tensor, Any]:
    """The cross-entropy of each token that is predicted, [predicted], row by row, in nats, and the outputs of the model.

    The head of the model reads only the states that these tokens follow: with a large vocabulary it takes as long as many layers.

    Args:
        ids, labels: see ``sequences.batch_of``.
        options: of the model's forward.
    """
    wanted = labels != IGNORED
    read = False

    def those(_: torch.nn.Module, given: tuple[Any, ...]) -> tuple[Any, ...]:
        nonlocal read
        read = True
        return given[0][wanted][None], *given[1:]

    head = model.get_output_embeddings()
    hook = head.register_forward_pre_hook(those) if head is not None else None
    try:
        outputs = model(input_ids=ids, use_cache=False, **options)
    finally:
        if hook is not None:
            hook.remove()
    logits = outputs.logits[0] if read else outputs.logits[wanted]
    return torch.nn.functional.cross_entropy(logits.float(), labels[wanted], reduction="none"), outputs
