"""Runs a model on many texts, in batches of similar length, on all cores."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any

from harmgraph.common.progress import Tell, quiet
from harmgraph.models.threads import Threads

if TYPE_CHECKING:
    import numpy
    import torch
    from transformers import PreTrainedModel

    Numbers = numpy.ndarray[Any, Any]

BATCH = 64
GROUP = 8  # batches per lane between two checks of the time
Report = Callable[[int], None]


@contextmanager
def without_messages() -> Iterator[None]:
    """Silences the progress bars and messages that the libraries print while they find and load a model."""
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


def padded(ids: Sequence[Sequence[int]], device: str | torch.device = "cpu", fill: int = 0) -> dict[str, torch.Tensor]:
    """Token ids as the model's inputs, padded; without a mask if all have the same length, which is faster."""
    import numpy as np
    import torch

    longest = max(map(len, ids))
    table = np.full((len(ids), longest), fill, np.int64)
    for row, tokens in enumerate(ids):
        table[row, : len(tokens)] = tokens
    batch = {"input_ids": torch.from_numpy(table).to(device)}
    if min(map(len, ids)) < longest:
        lengths = np.array([len(tokens) for tokens in ids])
        batch["attention_mask"] = torch.from_numpy((np.arange(longest) < lengths[:, None]).astype(np.int64)).to(device)
    return batch


class Lanes:
    """How many batches run in parallel on the CPU, each with one thread: as many as there are cores, or one if that is faster.

    The matrix products of a batch of short texts are too small to divide between cores. The number does not change results.
    Reuse the object from call to call, so that the timing is not repeated.

    Args:
        fixed: a number to use without timing; 0 for the faster.
        tell: is called with the number chosen and the reason.
    """

    def __init__(self, fixed: int = 0, tell: Tell = quiet) -> None:
        import torch

        self.most = max(torch.get_num_threads(), fixed)
        self.now = fixed or self.most
        self.threads = Threads(self.most, self._use, fixed=fixed, tell=tell)

    def _use(self, number: int) -> None:
        self.now = number


def logits(
    model: PreTrainedModel,
    ids: Sequence[Sequence[int]],
    *,
    batch: int = BATCH,
    lanes: Lanes | None = None,
    tell: Report = lambda done: None,
) -> Numbers:
    """The logits of a model for texts. Runs the longest first, so that a batch too large for the memory fails at once.

    Args:
        ids: token ids of each text.
        lanes: on the CPU; None for as many as there are cores.
        tell: is called with the number of texts done.

    Returns:
        Array of shape (texts, labels), 32-bit floats, in the order of the texts.
    """
    import numpy as np

    model.eval()
    fill = model.config.pad_token_id or 0
    results = np.empty((len(ids), model.config.num_labels or 0), np.float32)

    def judge(places: Sequence[int]) -> None:
        inputs = padded([ids[place] for place in places], model.device, fill)
        results[places] = model(**inputs).logits.float().cpu().numpy()

    in_lanes(ids, judge, batch=batch, lanes=lanes if model.device.type == "cpu" else Lanes(fixed=1), tell=tell)
    return results


def in_lanes(
    ids: Sequence[Sequence[int]],
    work: Callable[[Sequence[int]], None],
    *,
    batch: int = BATCH,
    lanes: Lanes | None = None,
    tell: Report = lambda done: None,
) -> None:
    """Does work without gradients on batches of texts, several at the same time; the longest first.

    Args:
        ids: token ids of each text.
        work: is called with the places of the texts of a batch, in any thread.
        lanes: None for as many as there are cores.
        tell: is called with the number of texts done.
    """
    import torch

    order = sorted(range(len(ids)), key=lambda place: -len(ids[place]))

    def judge(start: int) -> int:
        places = order[start : start + batch]
        with torch.inference_mode():
            work(places)
        return len(places)

    lanes = lanes or Lanes(fixed=torch.get_num_threads())
    starts = iter(range(0, len(order), batch))
    done = 0
    with _single_threads(lanes.most) as pool, lanes.threads:

        def some(batches: int) -> float:
            """Runs the next batches and returns how many tokens they have."""
            nonlocal done
            taken = list(islice(starts, batches))
            for judged in pool.map(judge, taken) if lanes.now > 1 else map(judge, taken):
                done += judged
                tell(done)
            return float(sum(len(ids[place]) for start in taken for place in order[start : start + batch]))

        while done < len(order):
            lanes.threads.look(lambda: some(lanes.now))
            some(GROUP * lanes.now)


@contextmanager
def _single_threads(count: int) -> Iterator[ThreadPoolExecutor]:
    """A pool of threads; while it is open, torch computes with a single thread in each of them and in this one."""
    import torch

    before = torch.get_num_threads()
    pool = ThreadPoolExecutor(count, thread_name_prefix="harmgraph")
    torch.set_num_threads(1)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)
        torch.set_num_threads(before)
