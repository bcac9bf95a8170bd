"""The split of edges into train, valid and test: from the graph, or by a hash of the triple."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from harmgraph.common.errors import InputError

Integers = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int8]
SPLITS = ("train", "valid", "test")
TRAIN, VALID, TEST = range(3)
SHARES = (0.05, 0.05)
"""Shares of valid and test, if the graph has no split."""


def given_split(names: Sequence[str]) -> Codes | None:
    """The splits from the graph, [edges]; if some edges have none, these are in train.

    Returns:
        None if no edge has a split.

    Raises:
        InputError: a split has another name.
    """
    places, distinct = factorized(names)
    if not any(distinct):
        return None
    codes = {name: code for code, name in enumerate(SPLITS)} | {"": TRAIN}
    odd = set(distinct) - set(codes)
    if odd:
        raise InputError(f"an edge has the split {sorted(odd)[0]!r}", remedy="splits are train, valid and test")
    return np.array([codes[name] for name in distinct], np.int8)[places]


def hashed_split(
    entities: Sequence[str],
    relations: Sequence[str],
    triples: Integers,
    *,
    seed: int,
    shares: tuple[float, float] = SHARES,
) -> Codes:
    """A random split that depends only on the seed and the keys of each triple, not on the rest of the graph; [edges].

    An edge goes to train if its head, tail or relation occurs in no other training edge.

    Args:
        triples: [edges, 3] ids of head, relation, tail.
    """
    entity, relation = _digests(entities, seed), _digests(relations, seed)
    mixed = entity[triples[:, 0]]
    for part in (relation[triples[:, 1]], entity[triples[:, 2]]):
        mixed = _mix(mixed + part)
    drawn = mixed / 2.0**64
    valid, test = shares
    split = np.where(drawn < test, TEST, np.where(drawn < test + valid, VALID, TRAIN)).astype(np.int8)
    trained = triples[split == TRAIN]
    seen = np.isin(triples[:, 1], trained[:, 1])
    for column in (0, 2):
        seen &= np.isin(triples[:, column], trained[:, [0, 2]])
    return np.where(seen, split, TRAIN).astype(np.int8)


def _digests(names: Sequence[str], seed: int) -> npt.NDArray[np.uint64]:
    salt = seed.to_bytes(8, "little", signed=True)
    digests = [
        hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8, salt=salt).digest() for name in names
    ]
    return np.frombuffer(b"".join(digests), ">u8").astype(np.uint64)


def _mix(values: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The last steps of SplitMix64 (Steele et al. 2014): every bit of the result depends on every input bit."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def factorized(values: Iterable[str]) -> tuple[npt.NDArray[np.int64], list[str]]:
    """The index of each value in the distinct values, [n], and the distinct values in order of first occurrence.

    Raises:
        InputError: a value is null.
    """
    import pandas

    # Four times as fast as a dictionary.
    codes, distinct = pandas.factorize(np.array(list(values), object))
    if (codes < 0).any():
        raise InputError("an edge lacks its head, relation or tail")
    return codes.astype(np.int64, copy=False), distinct.tolist()
