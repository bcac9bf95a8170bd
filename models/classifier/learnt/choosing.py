"""Chooses how strongly the layer is held back, calibrates it, and judges it: all by targets that it did not learn."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from harmgraph.common.progress import progress
from harmgraph.models.classifier.learnt.head import Head, calibrated, fitted, log_loss, softmax

if TYPE_CHECKING:
    import numpy

    from harmgraph.models.classifier.learnt.votes import JudgedText

    Numbers = numpy.ndarray[Any, Any]

OUTER, INNER = 10, 5
"""Parts of the targets: to judge, and to choose within what is not judged."""
DIVISIONS, APART = 4, 1_000
"""How often the targets are divided to choose by, as one division gives a shift by chance; and how far apart the seeds are."""
STRENGTHS = (0.03, 0.1, 0.3, 1.0)


def parts_of(examples: Sequence[JudgedText], parts: int, seed: int) -> Numbers:
    """The part of each example, 0 to ``parts`` - 1, by a hash of its first target; each has as many targets."""
    import numpy as np

    def place(about: str) -> bytes:
        return hashlib.blake2b(f"{seed} {about}".encode("utf-8", "surrogatepass"), digest_size=8).digest()

    order = sorted({example.first for example in examples}, key=place)
    part = {about: number % parts for number, about in enumerate(order)}
    return np.array([part[example.first] for example in examples])


def out_of_fold(examples: Sequence[JudgedText], table: Numbers, votes: Numbers, strength: float, seed: int) -> Numbers:
    """The logits of each example by a layer that learnt neither its target nor its text, [examples, 3]."""
    import numpy as np

    parts = parts_of(examples, INNER, seed)
    logits = np.zeros_like(votes)
    for part in sorted(set(parts.tolist())):
        held = parts == part
        learnt = _unheld(examples, held)
        logits[held] = fitted(table[learnt], votes[learnt], strength).logits(table[held])
    return logits


def chosen(examples: Sequence[JudgedText], table: Numbers, votes: Numbers, seed: int) -> tuple[Head, float]:
    """The layer of all the examples, with strength, temperature and shift by targets that were held out of it.

    Returns:
        The layer, and its strength, one of ``STRENGTHS``.
    """
    import numpy as np

    tried = {strength: out_of_fold(examples, table, votes, strength, seed) for strength in STRENGTHS}
    strength = min(tried, key=lambda each: log_loss(softmax(tried[each]), votes))
    again = [out_of_fold(examples, table, votes, strength, seed + APART * more) for more in range(1, DIVISIONS)]
    logits = np.concatenate([tried[strength], *again])
    return calibrated(fitted(table, votes, strength), logits, np.tile(votes, (DIVISIONS, 1))), strength


def judged(
    examples: Sequence[JudgedText], table: Numbers, votes: Numbers, seed: int
) -> tuple[Numbers, Numbers, Numbers]:
    """What layers say of each example that learnt neither its target nor its text, nor chose anything by it.

    Returns:
        Labels [examples], calibrated probabilities and those without a temperature, [examples, 3].
    """
    import numpy as np

    parts = parts_of(examples, OUTER, seed)
    labels = np.zeros(len(examples), dtype=np.int64)
    after, before = np.zeros_like(votes), np.zeros_like(votes)
    for done, part in enumerate(sorted(set(parts.tolist()))):
        progress("judging by targets that are held out", done, OUTER)
        held = parts == part
        learnt = np.flatnonzero(_unheld(examples, held)).tolist()
        head, _ = chosen([examples[place] for place in learnt], table[learnt], votes[learnt], seed)
        after[held] = head.probabilities(table[held])
        before[held] = softmax(head.logits(table[held]))
        labels[held] = head.labels(after[held])
    return labels, after, before


def _unheld(examples: Sequence[JudgedText], held: Numbers) -> Numbers:
    """The examples to learn from: of no target that is held out, and of other texts, as two targets may have one masked text."""
    import numpy as np

    inside = [example for example, out in zip(examples, held, strict=True) if out]
    texts = {example.text for example in inside}
    about = {target for example in inside for target in example.about}
    return np.array([example.text not in texts and about.isdisjoint(example.about) for example in examples])
