"""Trained language models on disk, one folder each under ``HARMGRAPH_HOME/language``.

A folder has ``model`` (a folder that transformers loads: weights of the best epoch, tokenizer, model card), ``config.json`` (a
``LanguageConfig``), ``history.json`` (a row per epoch), ``corpus.safetensors`` (the tokens it was trained on and those held out)
and ``training``, from which training continues.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from harmgraph.common.whole_file import folder_beside
from harmgraph.models.folders import Folders
from harmgraph.models.language.recipe import LanguageRecipe, Steps
from harmgraph.models.record import UNFINISHED, Outcome, Records, versions

if TYPE_CHECKING:
    from torch.nn import Module
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from harmgraph.models.language.corpus import Corpus
    from harmgraph.models.language.sequences import Tokens

MODEL, TRAINING, STATE, CARD = "model", "training", "state", "README.md"
PACKAGES = ("torch", "transformers", "tokenizers", "safetensors")
"""Whose versions are kept with a model."""
Kind = TypeVar("Kind", bound=Steps)
FOLDERS = Folders("language", "language model")
folder, names = FOLDERS.of, FOLDERS.names


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageConfig(Outcome):
    """What is known of a trained language model.

    Attributes:
        state: ``training`` or ``finished``.
        model: what it began as: hub id, folder or ``new:SIZE``.
        identity: digest of everything that determines the result of the training.
        corpus: name of the files or the source. corpus_digest: of its texts. unit: what a text is.
        train, valid, train_tokens, valid_tokens: texts and predicted tokens that it learnt from, and that were held out.
        left_out: texts that were not used, by reason.
        source: that it was trained on, empty for files. imports: the import of it.
        relations: of the triples.
        parameters: how many weights. vocabulary: how many tokens.
        valid_perplexity: of the best epoch, a token.
        sha256: digest of the weights.
        debias: how a model was made to differ less between values; empty for any other.
    """

    state: str
    model: str
    recipe: LanguageRecipe
    identity: str
    corpus: str
    corpus_digest: str
    unit: str
    train: int
    valid: int
    train_tokens: int
    valid_tokens: int
    left_out: Mapping[str, int] = field(default_factory=dict)
    source: str = ""
    imports: Mapping[str, str] = field(default_factory=dict)
    relations: tuple[str, ...] = ()
    parameters: int = 0
    vocabulary: int = 0
    valid_perplexity: float | None = None
    sha256: str = ""
    debias: Mapping[str, Any] = field(default_factory=dict)

    @property
    def reduced(self) -> str:
        """Method, weight and attributes of a debiasing; empty for a model without one."""
        if not self.debias:
            return ""
        weight = f" {self.debias['weight']:g}" if "weight" in self.debias else ""
        return f"{self.debias['method']}{weight}: {', '.join(self.debias['attributes'])}"


RECORDS = Records(FOLDERS, LanguageConfig, "language train")
config, finished = RECORDS.read, RECORDS.finished


def begun(
    model: str,
    recipe: LanguageRecipe,
    corpus: Corpus,
    train: Sequence[Tokens],
    valid: Sequence[Tokens],
    causal: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
) -> LanguageConfig:
    """What is known of every model before its training; it has no identity yet.

    Args:
        train, valid: the texts that it learns from, and those held out.
    """
    return LanguageConfig(
        state=UNFINISHED,
        model=model,
        recipe=recipe,
        identity="",
        corpus=corpus.name,
        corpus_digest=corpus.digest,
        unit=corpus.unit,
        train=len(train),
        valid=len(valid),
        train_tokens=sum(tokens.predicted for tokens in train),
        valid_tokens=sum(tokens.predicted for tokens in valid),
        parameters=sum(weight.numel() for weight in causal.parameters()),
        vocabulary=len(tokenizer),
        versions=versions(*PACKAGES),
    )


def is_trained(name: str) -> bool:
    """Whether a model of this machine has the name."""
    return name in names()


def save(place: Path, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, card: str = "") -> None:
    """Writes a folder that transformers loads; it appears whole or not at all."""
    from harmgraph.models.text.inference import without_messages

    with folder_beside(place) as part:
        with without_messages():
            model.save_pretrained(part)
            tokenizer.save_pretrained(part)
        if card:
            (part / CARD).write_text(card, encoding="utf-8")


def within(recipe: Kind, model: PreTrainedModel) -> Kind:
    """The recipe with the context that the model has."""
    most = getattr(model.config, "max_position_embeddings", None) or recipe.context
    return replace(recipe, context=min(recipe.context, int(most)))


def move(model: Module, device: str) -> None:
    """Moves a model's weights to a device."""
    model.to(device)


def loaded(name: str) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """A causal language model and its tokenizer, which has an end.

    Args:
        name: of a model trained here, a folder, a package that carries a model, or a hub id.

    Raises:
        InputError: it cannot be loaded, or it has no vocabulary.
        UnreadableFile: it needs its own code.
    """
    from harmgraph.models.language.fresh import END
    from harmgraph.models.text.pretrained import causal_of, check_vocabulary, not_loaded, tokenizer_of

    where = str(folder(name) / MODEL) if is_trained(name) else name
    try:
        tokenizer, model = tokenizer_of(where), causal_of(where)
    except (OSError, ValueError) as error:
        remedy = "give a folder with its tokenizer, a hub id such as openai-gpt, or new:small"
        raise not_loaded(name, error, "language model", remedy) from error
    check_vocabulary(name, tokenizer)
    if tokenizer.eos_token_id is None:  # such as the GPT of 2018
        tokenizer.add_special_tokens({"eos_token": END})
    if len(tokenizer) > int(model.config.vocab_size):
        model.resize_token_embeddings(len(tokenizer), mean_resizing=False)
    return model, tokenizer
