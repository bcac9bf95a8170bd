"""A layer of the key-value cache with room for tokens to come. Imports torch and transformers at the top.

The layer of transformers makes a new tensor for each token, and another one when a row leaves: with 512 rows and 40 tokens
that takes as long as the model's products.
"""

from __future__ import annotations

from typing import Any

import torch
from transformers.cache_utils import Cache, DynamicLayer

ROOM = 32
"""Tokens for which a layer that is full makes room."""


class RoomyLayer(DynamicLayer):
    """Keys and values stand at the beginning of larger tensors."""

    def __init__(self, keys: torch.Tensor, values: torch.Tensor) -> None:
        """A layer with these keys and values, [rows, heads, tokens, dimensions]."""
        super().__init__()  # type: ignore[no-untyped-call]
        self.lazy_initialization(keys, values)
        self._tokens = keys.shape[-2]
        self._held = (_roomy(keys), _roomy(values))
        self._show()

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *args: Any, **kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Adds the keys and values of further tokens of all rows, and gives those of all tokens."""
        new = slice(self._tokens, self._tokens + key_states.shape[-2])
        keys, values = self._held
        if new.stop > keys.shape[-2]:
            keys, values = (_roomy(each[..., : new.start, :], key_states.shape[-2]) for each in self._held)
        keys[..., new, :], values[..., new, :] = key_states, value_states
        self._held, self._tokens = (keys, values), new.stop
        return self._show()

    def batch_select_indices(self, indices: torch.Tensor) -> None:
        """Keeps these rows, in this order. Only rows that change their place are copied."""
        keys, values = self._show()
        if len(indices) > len(keys):
            keys, values = _roomy(keys[indices]), _roomy(values[indices])
        else:
            moved = (indices != torch.arange(len(indices), device=indices.device)).nonzero()[:, 0]
            for each in (keys, values):
                each[moved] = each[indices[moved]]
            keys, values = (each[: len(indices)] for each in self._held)
        self._held = (keys, values)
        self._show()

    def _show(self) -> tuple[torch.Tensor, torch.Tensor]:
        """The tokens so far, which transformers reads from ``keys`` and ``values``."""
        keys, values = (each[..., : self._tokens, :] for each in self._held)
        self.keys, self.values = keys, values
        return keys, values


def _roomy(states: torch.Tensor, further: int = 0) -> torch.Tensor:
    """A larger tensor that begins with these states."""
    rows, heads, tokens, dimensions = states.shape
    held = states.new_empty((rows, heads, tokens + further + ROOM, dimensions))
    held[..., :tokens, :] = states
    return held


def make_room(cache: Cache) -> None:
    """Gives each plain layer of a cache room. Layers of other kinds, such as those of a sliding window, stay as they are."""
    for place, layer in enumerate(cache.layers):
        if type(layer) is DynamicLayer and layer.keys is not None and layer.values is not None:
            cache.layers[place] = RoomyLayer(layer.keys, layer.values)
