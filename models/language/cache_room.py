"""A key-value cache with room for tokens to come: a token more is written in its place, and nothing else is copied.

The cache of transformers copies all states of all layers for each token, which took a third of a generation's time with 512
rows of 50 tokens. Imports torch at the top.
"""

from __future__ import annotations

from typing import Any

import torch
from transformers.cache_utils import DynamicCache, DynamicLayer

TOKENS = 32
"""Room for so many more whenever it is used up."""


class RoomyLayer(DynamicLayer):
    """A layer of a cache, [rows, heads, tokens, dimension], whose states are the first part of larger tensors."""

    keys: torch.Tensor
    values: torch.Tensor

    def __init__(self, keys: torch.Tensor, values: torch.Tensor) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.lazy_initialization(keys, values)
        self.keys = self._key_room = keys
        self.values = self._value_room = values

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *args: Any, **kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Writes the states of further tokens behind those before them, and returns all."""
        self._key_room, self.keys = _longer(self._key_room, self.keys, key_states)
        self._value_room, self.values = _longer(self._value_room, self.values, value_states)
        return self.keys, self.values

    def batch_select_indices(self, indices: torch.Tensor) -> None:
        """Takes some rows, in any order and number, with their room."""
        length = self.get_seq_length()
        self._key_room = _room_of(self.keys, self._key_room)[indices]
        self._value_room = _room_of(self.values, self._value_room)[indices]
        self.keys, self.values = self._key_room[..., :length, :], self._value_room[..., :length, :]


def _room_of(held: torch.Tensor, room: torch.Tensor) -> torch.Tensor:
    """The room, or what is held alone: a method of the base class may have moved it."""
    return room if held.data_ptr() == room.data_ptr() else held


def _longer(room: torch.Tensor, held: torch.Tensor, more: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The room, a larger one if need be, and what it holds."""
    before = held.shape[-2]
    length = before + more.shape[-2]
    room = _room_of(held, room)
    if length > room.shape[-2]:
        room = held.new_empty(*held.shape[:-2], length + TOKENS, held.shape[-1])
        room[..., :before, :] = held
    room[..., before:length, :] = more
    return room, room[..., :length, :]


def give_room(cache: Any) -> None:
    """Gives those layers of a cache room that keep all tokens as they are. Others, such as sliding windows, stay."""
    if type(cache) is DynamicCache:
        cache.layers = [
            RoomyLayer(layer.keys, layer.values)
            if type(layer) is DynamicLayer and layer.keys is not None and layer.values is not None
            else layer
            for layer in cache.layers
        ]
