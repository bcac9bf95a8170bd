"""How alike two texts are by a sentence encoder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from harmgraph.common.progress import progress
from harmgraph.models.language import trained

if TYPE_CHECKING:
    import numpy

    Numbers = numpy.ndarray[Any, Any]

MOST_TOKENS = 128
REMEDY = "give a hub id such as sentence-transformers/all-mpnet-base-v2, a folder, or a package with a model"


def cosines(encoder: str, left: Sequence[str], right: Sequence[str], *, device: str = "cpu") -> Numbers:
    """The cosine of each text of the left and the one beside it, [texts]: of the means of an encoder's last states.

    Raises:
        InputError: the encoder cannot be loaded.
        UnreadableFile: it needs its own code.
    """
    import numpy as np
    import torch

    from harmgraph.models.text.inference import in_lanes, padded
    from harmgraph.models.text.pretrained import most_tokens, opened_encoder

    model, tokenizer = opened_encoder(encoder, what="sentence encoder", remedy=REMEDY)
    trained.move(model, device)
    model.eval()
    texts = list(dict.fromkeys([*left, *right]))
    ids = tokenizer(texts, truncation=True, max_length=most_tokens(tokenizer, model, MOST_TOKENS))["input_ids"]
    vectors = np.zeros((len(texts), int(model.config.hidden_size)), np.float32)

    def read(places: Sequence[int]) -> None:
        batch = padded([ids[place] for place in places], device, model.config.pad_token_id or 0)
        states = model(**batch).last_hidden_state.float()
        mask = batch.get("attention_mask", torch.ones_like(batch["input_ids"]))[..., None].float()
        means = (states * mask).sum(1) / mask.sum(1)
        vectors[list(places)] = torch.nn.functional.normalize(means, dim=-1).cpu().numpy()

    in_lanes(ids, read, tell=lambda done: progress(f"encoding with {encoder}", done, len(texts)))
    place = {text: number for number, text in enumerate(texts)}
    one, other = ([place[text] for text in side] for side in (left, right))
    made: Numbers = (vectors[one] * vectors[other]).sum(axis=1)
    return made
