"""A classifier of a few thousand numbers, made on the spot: the real code runs on it where no model hub is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

LABELS = ("negative", "neutral", "positive", "other")
WORDS = (
    "this",
    "person",
    "is",
    "a",
    "kind",
    "awful",
    "thief",
    "teacher",
    "good",
    "bad",
    "at",
    "home",
    "and",
    "was",
    "not",
)
SPREAD, LEARNS = 0.5, 0.1


def save(
    folder: Path,
    labels: Sequence[str] = LABELS,
    *,
    classifier: bool = True,
    seed: int = 0,
    words: Sequence[str] = WORDS,
    spread: float = SPREAD,
    problem: str | None = None,
) -> Path:
    """Writes a BERT of one layer with its tokenizer, which knows ``words``.

    Args:
        spread: standard deviation of the weights. With ``SPREAD`` texts get different labels without a training; what is to learn
            begins with ``LEARNS``, from which every seed comes to the same.
        problem: what its configuration says of its labels, ``multi_label_classification`` or ``regression``.
    """
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertModel, BertTokenizerFast

    folder.mkdir(parents=True, exist_ok=True)
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]
    (folder / "vocab.txt").write_text("\n".join(tokens), encoding="utf-8")
    config = BertConfig(
        vocab_size=len(tokens),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
        id2label=dict(enumerate(labels)),
        label2id={label: place for place, label in enumerate(labels)},
        initializer_range=spread,
        problem_type=problem,
    )
    torch.manual_seed(seed)
    model = BertForSequenceClassification(config) if classifier else BertModel(config)
    model.save_pretrained(folder)
    BertTokenizerFast(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
    return folder
