"""Runs a sequence classifier over many texts: batches of one length each, in the arithmetic the processor does best."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy

    Numbers = numpy.ndarray[Any, Any]

BATCH = 64
Told = Callable[[int], None]


@contextmanager
def quiet() -> Iterator[None]:
    """Without the bars and remarks that the libraries print while they look for a model and load it."""
    from transformers.utils import logging as remarks

    hub = logging.getLogger("huggingface_hub")
    before = remarks.get_verbosity(), remarks.is_progress_bar_enabled(), hub.level
    remarks.set_verbosity(logging.ERROR)
    remarks.disable_progress_bar()
    hub.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        remarks.set_verbosity(before[0])
        if before[1]:
            remarks.enable_progress_bar()
        hub.setLevel(before[2])


def padded(ids: Sequence[Sequence[int]], device: str = "cpu", fill: int = 0) -> dict[str, Any]:
    """Token ids as the model takes them; no mask where all have one length, which is quicker."""
    import numpy as np
    import torch

    longest = max(map(len, ids))
    table = np.full((len(ids), longest), fill, np.int64)
    for row, one in enumerate(ids):
        table[row, : len(one)] = one
    batch = {"input_ids": torch.from_numpy(table).to(device)}
    if min(map(len, ids)) < longest:
        lengths = np.array([len(one) for one in ids])
        batch["attention_mask"] = torch.from_numpy((np.arange(longest) < lengths[:, None]).astype(np.int64)).to(device)
    return batch


def logits(model: Any, ids: Sequence[Sequence[int]], *, batch: int = BATCH, tell: Told = lambda done: None) -> Numbers:
    """What the model gives for texts, the longest first: a batch too large for the memory shows at once.

    Args:
        ids: token ids of each text.
        tell: takes how many texts are done.

    Returns:
        Array of shape (texts, labels), 32-bit floats, in the order of the texts.
    """
    import numpy as np
    import torch

    model.eval()
    order = sorted(range(len(ids)), key=lambda place: -len(ids[place]))
    fill = model.config.pad_token_id or 0
    found = np.empty((len(ids), model.config.num_labels), np.float32)

    def judge(start: int) -> int:
        places = order[start : start + batch]
        with torch.inference_mode():
            given = padded([ids[place] for place in places], model.device, fill)
            found[places] = model(**given).logits.float().cpu().numpy()
        return len(places)

    done = 0
    with _lanes(model.device.type) as lanes:
        for judged in lanes.map(judge, range(0, len(order), batch)):
            done += judged
            tell(done)
    return found


@contextmanager
def _lanes(device: str) -> Iterator[ThreadPoolExecutor]:
    """Threads that take whole batches. On the CPU one for each core, each with one thread of its own: the products of a
    batch of short texts are too small to be shared between cores.
    """
    import torch

    threads = torch.get_num_threads()
    lanes = ThreadPoolExecutor(threads if device == "cpu" else 1, thread_name_prefix="harmgraph")
    if device == "cpu":
        torch.set_num_threads(1)
    try:
        yield lanes
    finally:
        lanes.shutdown(cancel_futures=True)
        torch.set_num_threads(threads)
