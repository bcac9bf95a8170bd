"""What a frozen encoder makes of texts: read once, and kept on disk for the next training on the same texts."""

from __future__ import annotations

import hashlib
import os
from array import array
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Protocol

from harmgraph.common.errors import UnreadableFile
from harmgraph.common.home import home
from harmgraph.common.kept_files import remove_least_used
from harmgraph.common.private import make_folder
from harmgraph.common.progress import progress, say
from harmgraph.models.text.passages import Ids, Passage, PassageReader, Vectors

if TYPE_CHECKING:
    import torch
    from torch import Tensor
    from transformers import PreTrainedModel

AT_ONCE = 4_096  # passages read between two reports
LEAST = 1_000  # fewer passages are read again
MOST = 8  # files that are kept; the least recently used one is removed first


class Reads(Protocol):
    """A frozen encoder that reads passages, such as ``frozen_encoder.FrozenEncoder``.

    Attributes:
        by_mean: whether the vector of a passage is the mean over its tokens, not the first.
    """

    @property
    def encoder(self) -> PreTrainedModel: ...
    @property
    def precision(self) -> str: ...
    @property
    def by_mean(self) -> bool: ...
    @property
    def device(self) -> torch.device: ...
    def read(self, ids: Sequence[Ids]) -> Tensor:
        """The vectors of passages, [passages, columns], in 32 bits."""


def read_once(network: Reads, reader: PassageReader, passages: Collection[Passage], *, kept: bool = False) -> Vectors:
    """What a frozen encoder makes of passages. The same passages give the same bits, with the same number of threads.

    Args:
        kept: whether many are kept in ``HARMGRAPH_HOME/cache/texts``, under a digest of the encoder and of all passages as it
            reads them.
    """
    ordered = sorted(set(passages), key=lambda passage: (sum(map(len, passage)), passage))
    ids = reader.ids(ordered)
    table = _kept(network, ids) if kept and len(ordered) >= LEAST else _read(network, ids)
    return Vectors({passage: place for place, passage in enumerate(ordered)}, table)


def read_with_nodes(
    network: Reads, reader: PassageReader, passages: Collection[Passage], nodes: Collection[Passage]
) -> Vectors:
    """The same of passages and of all nodes of a graph, which are kept by themselves for whatever other passages."""
    import torch

    of_nodes = read_once(network, reader, nodes, kept=True)
    others = read_once(network, reader, set(passages) - of_nodes.places.keys(), kept=True)
    places = dict(of_nodes.places)
    places.update((passage, len(of_nodes.places) + place) for passage, place in others.places.items())
    return Vectors(places, torch.cat([of_nodes.table, others.table]))


def _kept(network: Reads, ids: Sequence[Ids]) -> Tensor:
    """The vectors, from the file where there is one; a damaged one is written again."""
    from harmgraph.models.checkpoint import read_tensors, write_tensors

    path = home() / "cache" / "texts" / f"{_digest(network, ids)}.safetensors"
    try:
        table = read_tensors(path)[0]["vectors"]
        os.utime(path)
    except (OSError, UnreadableFile, KeyError):
        table = _read(network, ids)
        try:
            make_folder(path.parent)
            write_tensors(path, {"vectors": table})
            remove_least_used(path.parent, "*.safetensors", MOST)
        except OSError as error:  # they are read again next time
            say(f"the vectors of {len(ids):,} texts are not kept: {path.parent}: {error.strerror}")
    return table


def _read(network: Reads, ids: Sequence[Ids]) -> Tensor:
    import torch

    read = [torch.empty(0, int(network.encoder.config.hidden_size))]
    for start in range(0, len(ids), AT_ONCE):
        progress("reading texts", start, len(ids))
        with torch.no_grad():
            read.append(network.read(ids[start : start + AT_ONCE]).cpu())
    return torch.cat(read)


def _digest(network: Reads, ids: Sequence[Ids]) -> str:
    """Of all that decides the bits of the vectors, 32 hexadecimal digits."""
    import torch
    import transformers

    config = network.encoder.config
    kind = (torch.__version__, transformers.__version__, config.to_json_string(), config._attn_implementation)
    where = (network.precision, network.by_mean, torch.get_num_threads(), network.device.type)
    hasher = hashlib.blake2b(repr((kind, where)).encode(), digest_size=16)
    _add_weights(hasher, network.encoder)
    for one in ids:
        hasher.update(array("q", (len(one), *one)).tobytes())
    return hasher.hexdigest()


def weights_digest(encoder: PreTrainedModel) -> str:
    """Of the weights of an encoder, 32 hexadecimal digits: the same in every version of the packages."""
    hasher = hashlib.blake2b(digest_size=16)
    _add_weights(hasher, encoder)
    return hasher.hexdigest()


def _add_weights(hasher: hashlib.blake2b, encoder: PreTrainedModel) -> None:
    for name, value in sorted(encoder.state_dict().items()):
        hasher.update(name.encode())
        hasher.update(value.detach().cpu().contiguous().numpy().tobytes())
