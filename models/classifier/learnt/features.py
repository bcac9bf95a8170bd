"""What the layer sees of a text: an encoder's vector, what silver labels say of it, and what the teachers say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from harmgraph.models.classifier.learnt.head import one_thread
from harmgraph.models.classifier.learnt.teacher import Teacher, columns_of

if TYPE_CHECKING:
    import numpy

    from harmgraph.common.scorer import Score
    from harmgraph.models.text.frozen_encoder import FrozenEncoder
    from harmgraph.models.text.passages import PassageReader

    Numbers = numpy.ndarray[Any, Any]

LENGTH = 3.0
"""Of an encoder's vector. The penalty on the weights then leaves it about as much as the teachers' columns."""
SILVER_SCALE = 0.5
"""Of what silver labels say: logits are larger than the other columns."""
SILVER_STRENGTH = 1.0
TOKENS = 64


@dataclass(frozen=True)
class SilverHead:
    """A layer that labels of a file trained on the encoder's vectors alone; what it says is a feature.

    Silver labels are a machine's, or people's for another question. So they say nothing by themselves: people's labels decide
    what their layer counts for.

    Attributes:
        weights: [columns of it, columns of the encoder]. bias: [columns of it].
    """

    weights: Numbers
    bias: Numbers

    def columns(self, vectors: Numbers) -> Numbers:
        """What it says of texts, [texts, columns of it]."""
        result: Numbers = SILVER_SCALE * (vectors @ self.weights.T + self.bias)
        return result


def silver_head(labels: Sequence[int], vectors: Numbers) -> SilverHead:
    """Trains a layer on labelled texts.

    Args:
        labels: two or more. vectors: of the texts, [examples, columns].
    """
    import numpy as np
    from sklearn.linear_model import LogisticRegression

    with one_thread():
        model = LogisticRegression(C=SILVER_STRENGTH, max_iter=300).fit(vectors, np.array(labels))
    return SilverHead(np.asarray(model.coef_), np.asarray(model.intercept_))


@dataclass(frozen=True)
class TextReading:
    """Reads texts with an encoder, which is opened once.

    Attributes:
        encoder: its name, see ``text.encoder.locate``.
    """

    encoder: str

    @cached_property
    def _reader(self) -> tuple[FrozenEncoder, PassageReader]:
        from harmgraph.models.text.frozen_encoder import FrozenEncoder

        return FrozenEncoder.opened(self.encoder, TOKENS)

    def vectors(self, texts: Sequence[str], *, kept: bool = False) -> Numbers:
        """The encoder's mean vectors, all of one length, [texts, columns].

        Args:
            kept: whether many are kept on disk, see ``read_once``.
        """
        import numpy as np
        import torch

        from harmgraph.models.text.text_vectors import read_once

        with torch.inference_mode():
            read = read_once(*self._reader, {(text,) for text in texts}, kept=kept)
            found = read.of((text,) for text in texts).double().numpy()
        scaled: Numbers = LENGTH * found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12)
        return scaled


@dataclass(frozen=True)
class JudgingFeatures:
    """Makes the table of features of texts.

    Attributes:
        reading: by the encoder. teachers: other scorers. silver: layers of silver labels.
    """

    reading: TextReading
    teachers: tuple[Teacher, ...] = ()
    silver: tuple[SilverHead, ...] = ()

    def table(self, texts: Sequence[str], said: Mapping[str, Sequence[Score | None]] | None = None) -> Numbers:
        """The features of each text, [texts, columns].

        Args:
            said: what teachers say of the texts, by their signatures, as far as it is known.
        """
        import numpy as np

        vectors = self.reading.vectors(texts)
        parts = [vectors, *(head.columns(vectors) for head in self.silver)]
        for teacher in self.teachers:
            known = (said or {}).get(teacher.by)
            parts.append(columns_of(teacher.says(texts) if known is None else known))
        return np.hstack(parts)
