"""What a frozen encoder makes of texts: read once, and kept on disk for the next training on the same texts."""

from __future__ import annotations

import hashlib
import os
from array import array
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from harmgraph.common.errors import UnreadableFile
from harmgraph.common.home import home
from harmgraph.common.private import make_folder
from harmgraph.common.progress import progress

if TYPE_CHECKING:
    from torch import Tensor

    from harmgraph.models.population.examples import Passage
    from harmgraph.models.population.network import Ids, Network, PassageReader, Vectors

AT_ONCE = 4_096  # passages read between two reports
LEAST = 1_000  # fewer passages are read again
MOST = 4  # files that are kept; the least recently used one is removed first


def read_once(network: Network, reader: PassageReader, passages: Collection[Passage]) -> Vectors:
    """What a frozen encoder makes of passages. The same passages give the same bits, with the same number of threads.

    Many are kept in ``HARMGRAPH_HOME/cache/texts``, under a digest of the encoder's weights and of all passages as it reads them.
    """
    from harmgraph.models.checkpoint import read_tensors, write_tensors
    from harmgraph.models.population.network import Vectors

    ordered = sorted(set(passages), key=lambda passage: (sum(map(len, passage)), passage))
    places = {passage: place for place, passage in enumerate(ordered)}
    ids = reader.ids(ordered)
    if len(ordered) < LEAST:
        return Vectors(places, _read(network, ids))
    path = home() / "cache" / "texts" / f"{_digest(network, ids)}.safetensors"
    try:
        table = read_tensors(path)[0]["vectors"]
        os.utime(path)
    except (OSError, UnreadableFile, KeyError):  # then they are read
        table = _read(network, ids)
        make_folder(path.parent)
        write_tensors(path, {"vectors": table})
        for old in sorted(path.parent.glob("*.safetensors"), key=lambda kept: kept.stat().st_mtime)[:-MOST]:
            old.unlink(missing_ok=True)
    return Vectors(places, table)


def _read(network: Network, ids: Sequence[Ids]) -> Tensor:
    import torch

    read = []
    for start in range(0, len(ids), AT_ONCE):
        progress("reading texts", start, len(ids))
        with torch.no_grad():
            read.append(network.read(ids[start : start + AT_ONCE]).cpu())
    return torch.cat(read)


def _digest(network: Network, ids: Sequence[Ids]) -> str:
    import torch

    hasher = hashlib.blake2b(digest_size=16)
    hasher.update(f"{network.precision} {network.by_mean} {torch.get_num_threads()} {network.device.type}".encode())
    for name, value in sorted(network.encoder.state_dict().items()):
        hasher.update(name.encode())
        hasher.update(value.detach().cpu().contiguous().numpy().tobytes())
    for one in ids:
        hasher.update(array("q", (len(one), *one)).tobytes())
    return hasher.hexdigest()
