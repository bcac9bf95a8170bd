"""Training with several processes: each has a copy of the tables and a part of every batch, and all take the same step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor

from harmgraph.common.children import end_with_parent
from harmgraph.common.errors import InputError
from harmgraph.common.signals import ignore_in_worker
from harmgraph.models.embedding.training.step import Gradient, summed


class Team(Protocol):
    """The processes of a training, as seen by one of them.

    Attributes:
        rank: its number; process 0 evaluates, writes files and reports.
        size: how many there are.
    """

    rank: int
    size: int

    def gathered(self, gradient: Gradient, table: Tensor) -> Gradient:
        """The sum of all processes' gradients of a table, the same everywhere."""

    def agreed(self, number: float) -> float:
        """The number that process 0 has."""

    def every(self, tensor: Tensor) -> Tensor:
        """The tensors of all processes, one row each."""


class Alone:
    """One process."""

    rank, size = 0, 1

    def gathered(self, gradient: Gradient, table: Tensor) -> Gradient:
        """See ``Team.gathered``."""
        return gradient

    def agreed(self, number: float) -> float:
        """See ``Team.agreed``."""
        return number

    def every(self, tensor: Tensor) -> Tensor:
        """See ``Team.every``."""
        return tensor.unsqueeze(0)


@dataclass(slots=True)
class Gloo:
    """Several processes on the same machine, connected through ``torch.distributed``."""

    rank: int
    size: int

    def gathered(self, gradient: Gradient, table: Tensor) -> Gradient:
        """See ``Team.gathered``: each process's rows are padded to the longest, then summed in order of rank."""
        from torch import distributed

        if gradient.index is None:
            total = gradient.rows.contiguous()
            distributed.all_reduce(total)
            return Gradient(None, total)
        counts = self.every(torch.tensor([len(gradient.index)])).flatten().tolist()
        longest = max(counts)
        index = torch.zeros(longest, dtype=torch.int64)
        rows = torch.zeros(longest, table.shape[1], dtype=gradient.rows.dtype)
        index[: counts[self.rank]], rows[: counts[self.rank]] = gradient.index, gradient.rows
        all_index, all_rows = self.every(index), self.every(rows)
        parts = [Gradient(all_index[rank, :count], all_rows[rank, :count]) for rank, count in enumerate(counts)]
        return summed(parts, table)

    def agreed(self, number: float) -> float:
        """See ``Team.agreed``."""
        from torch import distributed

        box = torch.tensor([number], dtype=torch.float64)
        distributed.broadcast(box, 0)
        return float(box)

    def every(self, tensor: Tensor) -> Tensor:
        """See ``Team.every``."""
        from torch import distributed

        boxes = [torch.empty_like(tensor) for _ in range(self.size)]
        distributed.all_gather(boxes, tensor.contiguous())
        return torch.stack(boxes)


Work = Callable[..., Any]


def _worker(rank: int, size: int, meeting: str, threads: int, work: Work, arguments: Sequence[Any]) -> None:
    end_with_parent()
    ignore_in_worker()  # process 0 decides when all stop
    torch.set_num_threads(threads)
    with _joined(rank, size, meeting) as team:
        work(*arguments, team)


@contextmanager
def _joined(rank: int, size: int, meeting: str) -> Iterator[Gloo]:
    from torch import distributed

    distributed.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=size)
    try:
        yield Gloo(rank, size)
    finally:
        distributed.destroy_process_group()


@contextmanager
def team(size: int, folder: Path, work: Work, arguments: Sequence[Any]) -> Iterator[Team]:
    """Starts ``size - 1`` further processes that run ``work(*arguments, team)``; the block is process 0.

    Args:
        folder: where the file is written through which they find each other.

    Raises:
        InputError: a process died.
    """
    if size == 1:
        yield Alone()
        return
    from torch.multiprocessing import get_context

    meeting = folder / "meeting"
    meeting.unlink(missing_ok=True)
    threads = max(1, torch.get_num_threads() // size)
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    workers = [
        get_context("spawn").Process(
            target=_worker, args=(rank, size, str(meeting), threads, work, arguments), daemon=True
        )
        for rank in range(1, size)
    ]
    for worker in workers:
        worker.start()
    try:
        with _joined(0, size, str(meeting)) as process_zero:
            yield process_zero
    except RuntimeError as error:
        if any(worker.exitcode for worker in workers):
            raise InputError(
                "a process of the training died", remedy="run the same command again, with fewer --processes"
            ) from error
        raise
    finally:
        for worker in workers:
            worker.join(10)
            if worker.is_alive():
                worker.terminate()
        torch.set_num_threads(before)
        meeting.unlink(missing_ok=True)
