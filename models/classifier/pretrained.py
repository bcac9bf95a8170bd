"""The one door to models that others made: tokenizer, configuration and weights, without the code that may lie beside them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harmgraph.graph.common.errors import HarmgraphError, InputError, UnreadableFile
from harmgraph.models.text.encoder import locate
from harmgraph.models.text.inference import logits, quiet

MAP = "auto_map"
"""The key by which a configuration names the classes of code of its own; the library asks at a terminal whether to run it."""

OBJECTS = ("config.json", "tokenizer_config.json")
"""What the library reads of a classifier; packages keep lists of other things in files whose names end so too."""


def refuse_code(name: str) -> None:
    """Checks that no configuration of a folder asks for code of its own; nothing is imported.

    Args:
        name: see ``locate``; what is no folder is looked at when it is loaded.

    Raises:
        UnreadableFile: one does, or it is no JSON object.
    """
    folder = Path(locate(name))
    if not folder.is_dir():
        return
    for path in sorted(folder.glob("*config.json")):
        try:
            facts = json.loads(path.read_bytes())
        except OSError as error:
            raise UnreadableFile(path, f"cannot be read ({error.strerror})", remedy="check its permissions") from error
        except (ValueError, RecursionError):
            facts = None
        if isinstance(facts, dict):
            _refuse(path, facts)
        elif path.name in OBJECTS:
            raise UnreadableFile(path, "is no JSON object", remedy="fetch or save the model again")


def tokenizer_of(name: str) -> Any:
    """The tokenizer of a model.

    Raises:
        UnreadableFile: the model asks for code of its own.
        OSError, ValueError: the library cannot load it.
    """
    from transformers import AutoTokenizer

    _refuse_anywhere(name)
    with _loading():
        return AutoTokenizer.from_pretrained(locate(name), trust_remote_code=False)


def classifier_of(name: str, **options: Any) -> tuple[Any, Mapping[str, Any]]:
    """A model as a sequence classifier, by safetensors alone.

    Args:
        options: further ones of the library's ``from_pretrained``.

    Returns:
        The model, and what the library tells of the loading (``missing_keys`` and the like).

    Raises:
        UnreadableFile: the model asks for code of its own.
        OSError, ValueError: the library cannot load it.
    """
    from transformers import AutoModelForSequenceClassification

    _refuse_anywhere(name)
    with _loading():
        model, loading_info = AutoModelForSequenceClassification.from_pretrained(
            locate(name), trust_remote_code=False, use_safetensors=True, output_loading_info=True, **options
        )
    return model, loading_info


def commit_of(hub_id: str) -> str:
    """The commit of a model of the hub.

    Raises:
        UnreadableFile: the model asks for code of its own.
        OSError, ValueError: the hub does not give it.
    """
    from transformers import AutoConfig

    _refuse_anywhere(hub_id)
    with _loading():
        return str(AutoConfig.from_pretrained(hub_id, trust_remote_code=False)._commit_hash)


def check_at_work(name: str, tokenizer: Any, model: Any) -> None:
    """Checks on two sentences that a model classifies, before hours are spent on it.

    Raises:
        InputError: it has no words, fails, or gives no numbers.
    """
    import numpy as np

    if not set(tokenizer.get_vocab()) - set(tokenizer.all_special_tokens):
        raise InputError(
            "has no vocabulary, so every word would be unknown",
            where=name,
            remedy="save its tokenizer beside its weights (tokenizer.json, or vocab.txt)",
        )
    try:
        outputs = logits(model, tokenizer(["this person", "this person is kind"])["input_ids"])
    except Exception as error:
        raise InputError(
            f"cannot classify sentences ({_reason(error)})",
            where=name,
            remedy="take a model of sentences, such as a BERT",
        ) from error
    if not np.isfinite(outputs).all():
        raise no_numbers(name)


def no_numbers(name: str) -> InputError:
    """The error of a model whose weights are damaged, or too large for its arithmetic."""
    return InputError(
        "gives no numbers (NaN or infinite) for sentences",
        where=name,
        remedy="fetch or train the model again, or use --precision fp32",
    )


def most_tokens(tokenizer: Any, model: Any, most: int) -> int:
    """How many tokens of a text a model reads, ``most`` at the most."""
    positions = getattr(model.config, "max_position_embeddings", None)
    return min(most, int(tokenizer.model_max_length), int(positions or most))


@contextmanager
def _loading() -> Iterator[None]:
    """Whatever the library raises for files that it cannot use, as a ``ValueError`` with the same words."""
    try:
        with quiet():
            yield
    except (OSError, ValueError, HarmgraphError):
        raise
    except Exception as error:
        raise ValueError(_reason(error)) from error


def _reason(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0][:200]}"


def _refuse_anywhere(name: str) -> None:
    """``refuse_code``, for models of the hub too."""
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
        f"asks for code of its own ({', '.join(files) or MAP})",
        remedy=f"no code of a model is run: take a model whose classes transformers has, saved without {MAP!r}",
    )


def _texts(value: Any) -> Iterator[str]:
    """The texts in lists and objects."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)
