"""Trained language models on disk, one folder each under ``HARMGRAPH_HOME/language``.

A folder has ``model`` (a folder that transformers loads: weights of the best epoch, tokenizer, model card), ``config.json`` (a
``Config``), ``history.json`` (a row per epoch), ``corpus.safetensors`` (the tokens it was trained on and those held out) and
``training``, from which training continues.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harmgraph.graph.common.errors import BadName, InputError, UnknownMember, UnreadableFile
from harmgraph.graph.common.whole_file import beside, folder_beside
from harmgraph.models.folders import Folders
from harmgraph.models.language.recipe import Recipe

if TYPE_CHECKING:
    from torch.nn import Module
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

FORM = 1
MODEL, TRAINING, CONFIG, HISTORY, CARD = "model", "training", "config.json", "history.json", "README.md"
FOLDERS = Folders("language", "language model")
folder, names, alone = FOLDERS.of, FOLDERS.names, FOLDERS.alone
AGAIN = "train it again with --again"


@dataclass(frozen=True, slots=True)
class Config:
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
        stopped: why the training ended, ``epochs`` or ``patience``. best_epoch: counted from 1.
        valid_perplexity: of the best epoch, a token.
        sha256: digest of the weights.
    """

    state: str
    model: str
    recipe: Recipe
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
    precision: str = "fp32"
    threads: int = 0
    form: int = FORM
    versions: Mapping[str, str] = field(default_factory=dict)
    stopped: str = ""
    epochs: int = 0
    best_epoch: int = 0
    valid_perplexity: float | None = None
    sha256: str = ""
    trained_at: str = ""

    @classmethod
    def of(cls, facts: Any) -> Config:
        """The record in a file; names that this version does not know are ignored.

        Raises:
            ValueError: it is none; the message says why.
        """
        if not isinstance(facts, dict):
            raise ValueError("it is not a JSON object")  # noqa: TRY004 - reported like every other fault
        known = {field.name: facts[field.name] for field in fields(cls) if field.name in facts}
        if known.get("form") != FORM:
            raise ValueError("another version of harmgraph wrote it")
        numbers = ("train", "valid", "train_tokens", "valid_tokens", "parameters", "vocabulary", "threads", "epochs")
        kinds: dict[str, type] = {
            **dict.fromkeys((*numbers, "best_epoch", "form"), int),
            **dict.fromkeys(("recipe", "imports", "versions", "left_out"), dict),
            "relations": list,
        }
        for name, value in known.items():
            if name != "valid_perplexity" and type(value) is not kinds.get(name, str):
                raise ValueError(f"{name} is {value!r}")
        try:
            return cls(
                **known | {"recipe": Recipe.of(facts.get("recipe")), "relations": tuple(facts.get("relations", ()))}
            )
        except TypeError as error:
            raise ValueError(f"it lacks {str(error).rpartition(': ')[2]}") from error

    def facts(self) -> dict[str, Any]:
        """The record as JSON."""
        return asdict(self) | {"relations": list(self.relations)}


def config(name: str) -> Config:
    """What is known of a trained language model.

    Raises:
        UnknownMember: there is none of that name; the message lists similar names.
        UnreadableFile: its file is damaged.
    """
    path = folder(name) / CONFIG
    if not path.is_file():
        raise UnknownMember("trained language model", name, names())
    try:
        return Config.of(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError, BadName) as error:
        raise UnreadableFile(path, f"cannot be read ({error})", remedy=AGAIN) from error


def is_trained(name: str) -> bool:
    """Whether a model of this machine has the name."""
    return name in names()


def keep(place: Path, known: Config, history: Sequence[Mapping[str, Any]]) -> None:
    """Writes ``history.json`` and ``config.json``."""
    for name, content in ((HISTORY, list(history)), (CONFIG, known.facts())):
        with beside(place / name) as part:
            part.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def save(place: Path, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, card: str = "") -> None:
    """Writes a folder that transformers loads; it appears whole or not at all."""
    from harmgraph.models.text.inference import without_messages

    with folder_beside(place) as part:
        with without_messages():
            model.save_pretrained(part)
            tokenizer.save_pretrained(part)
        if card:
            (part / CARD).write_text(card, encoding="utf-8")


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
    from harmgraph.models.text.pretrained import causal_of, tokenizer_of

    where = str(folder(name) / MODEL) if is_trained(name) else name
    try:
        tokenizer, model = tokenizer_of(where), causal_of(where)
    except (OSError, ValueError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise InputError(
            f"the language model cannot be loaded ({reason})",
            where=name,
            remedy="give a folder with its tokenizer, a hub id such as openai-gpt, or new:small",
        ) from error
    if not set(tokenizer.get_vocab()) - set(tokenizer.all_special_tokens):
        raise InputError(
            "has no vocabulary, so every word would be unknown",
            where=name,
            remedy="save its tokenizer beside its weights (tokenizer.json)",
        )
    if tokenizer.eos_token_id is None:  # such as the GPT of 2018
        tokenizer.add_special_tokens({"eos_token": END})
    if len(tokenizer) > int(model.config.vocab_size):
        model.resize_token_embeddings(len(tokenizer), mean_resizing=False)
    return model, tokenizer
