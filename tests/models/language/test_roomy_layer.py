"""The cache with room holds what that of transformers holds."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

import torch
from transformers.cache_utils import DynamicCache, DynamicLayer

from harmgraph.models.language.generation import closed_up
from harmgraph.models.language.roomy_layer import ROOM, RoomyLayer, make_room

HEADS, DIMENSIONS = 2, 3
SELECTED = ([0, 0, 0, 1, 1, 2], [5, 1, 2, 4], [0, 1, 2, 3], [3, 2, 1, 0], [1, 3], [1, 1, 0])
"""More rows of each; fewer; the same; another order; fewer again; a row twice."""


def states(rows: int, tokens: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    keys, values = torch.randn(2, rows, HEADS, tokens, DIMENSIONS, generator=generator)
    return keys, values


def test_it_holds_what_that_of_transformers_holds() -> None:
    ours, theirs = DynamicCache(), DynamicCache()
    for cache in (ours, theirs):
        cache.update(*states(3, 5, 0), 0)
    make_room(ours)
    assert type(ours.layers[0]) is RoomyLayer
    rows = 3
    for turn, selected in enumerate(SELECTED):
        for cache in (ours, theirs):
            cache.batch_select_indices(torch.tensor(selected))
        rows = len(selected)
        for tokens in (1, ROOM - 1, 2 * ROOM, 1):
            new = states(rows, tokens, turn)
            for left, right in zip(ours.update(*new, 0), theirs.update(*new, 0), strict=True):
                assert torch.equal(left, right)
            assert ours.get_seq_length() == theirs.get_seq_length()


def test_only_rows_that_move_are_copied_and_a_token_makes_no_new_tensor() -> None:
    layer = RoomyLayer(*states(6, 4, 0))
    assert layer.keys is not None
    at = layer.keys.data_ptr()
    layer.batch_select_indices(torch.tensor([0, 5, 2, 4]))
    keys, values = layer.update(*states(4, ROOM, 1))
    assert (keys.data_ptr(), keys.shape, values.shape) == (at, (4, HEADS, 4 + ROOM, DIMENSIONS), keys.shape)
    assert torch.equal(keys[:, :, :4], states(6, 4, 0)[0][[0, 5, 2, 4]])


def test_layers_of_other_kinds_stay() -> None:
    class Other(DynamicLayer):
        pass

    cache = DynamicCache()
    cache.layers = [Other()]  # type: ignore[no-untyped-call]
    cache.update(*states(1, 2, 0), 0)
    make_room(cache)
    assert type(cache.layers[0]) is Other


@pytest.mark.parametrize("going", [[1, 1, 1], [0, 1, 1, 0, 1], [0, 0, 0, 1], [1, 0, 0, 0], [1, 1, 0, 0, 1, 1]])
def test_rows_that_go_on_keep_their_place_where_they_can(going: list[int]) -> None:
    places = closed_up(torch.tensor(going, dtype=torch.bool)).tolist()
    assert sorted(places) == [place for place, goes in enumerate(going) if goes]
    assert all(places[place] == place for place in range(len(places)) if going[place])
