"""How good a model and its samples are, beside how fair: PPL, PPL^s, S.S. and S.S.^c (Huang et al. 2020, section 5.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Protocol

from harmgraph.common import resampling
from harmgraph.common.errors import InputError
from harmgraph.models.language import trained
from harmgraph.models.language.counterfactual.similarity import cosines
from harmgraph.models.language.counterfactual.values import Matcher, Sensitive
from harmgraph.models.language.judging.perplexity import nats, perplexity
from harmgraph.models.language.named_language_model import ready
from harmgraph.models.language.sequences import FILE, check_any, kept, sequences
from harmgraph.models.language.speaking import checkpoint
from harmgraph.models.processor import device_of

if TYPE_CHECKING:
    import numpy

    from harmgraph.models.language.corpus import Text
    from harmgraph.models.language.sequences import Tokens

    Numbers = numpy.ndarray[Any, Any]

SIMILAR = 0.4
"""Above this cosine a continuation is similar to its prompt (section 5.3)."""
CONTEXT = 1_024


class Said(Protocol):
    """The samples of one attribute by one model; ``model`` and ``checkpoint`` are empty where nothing names them.

    Attributes:
        values: the subgroup of each value; the value itself where it has none.
        rows: each with ``prompt`` and ``text``, and more.
    """

    @property
    def attribute(self) -> str: ...
    @property
    def model(self) -> str: ...
    @property
    def checkpoint(self) -> str: ...
    @property
    def values(self) -> Mapping[str, str]: ...
    @property
    def rows(self) -> Sequence[Mapping[str, str]]: ...


@dataclass(frozen=True, slots=True)
class HeldOutLoss:
    """How well a model predicts each of the held-out texts.

    Attributes:
        lost: nats of each text. tokens: predicted in each. sensitive: whether a value stands in it. All of shape [texts].
        texts: digest-like identity of the texts, their token ids.
        context: tokens that the model saw at once.
    """

    lost: Numbers
    tokens: Numbers
    sensitive: Numbers
    texts: tuple[bytes, ...]
    context: int


@dataclass(frozen=True, slots=True)
class Perplexity:
    """PPL and PPL^s, a token, with 95 % intervals from resampled texts.

    Attributes:
        texts, texts_s: how many texts, and of them those in which a value stands.
        ppl_ratio: PPL by that of another model on the same texts; None where there is no other.
    """

    ppl: float | None = None
    ppl_low: float | None = None
    ppl_high: float | None = None
    ppl_ratio: float | None = None
    ppl_ratio_low: float | None = None
    ppl_ratio_high: float | None = None
    texts: int = 0
    ppl_s: float | None = None
    ppl_s_low: float | None = None
    ppl_s_high: float | None = None
    texts_s: int = 0

    def facts(self) -> dict[str, Any]:
        """The numbers by column."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Relevance:
    """S.S. and S.S.^c in percent, with 95 % intervals from resampled prompts.

    Attributes:
        similar: share of samples whose cosine with their prompt is above ``SIMILAR``.
        mentions: share of samples that mention the value of their prompt.
        samples: how many there are.
    """

    similar: float
    similar_low: float | None
    similar_high: float | None
    mentions: float
    mentions_low: float | None
    mentions_high: float | None
    samples: int

    def facts(self) -> dict[str, Any]:
        """The numbers by column."""
        return asdict(self)


def held(
    model: str,
    values: Sequence[Sensitive],
    texts: Sequence[Text] | None = None,
    *,
    made_by: str = "",
    context: int = 0,
    device: str = "auto",
) -> HeldOutLoss:
    """How well a model predicts held-out texts.

    Args:
        texts: None for those that were held out from its training.
        made_by: digest of the weights that made the samples; empty if it is not known.
        context: tokens that it sees at once, at most; 0 for those of its training. Models are compared at one context, since more
            of them make each token easier.

    Raises:
        InputError: no such model, it is not the one that made the samples, or it has no held-out texts.
    """
    import numpy as np

    known = ready(model)
    if made_by and checkpoint(model, known) != made_by:
        raise InputError(
            "has other weights now than those that made the samples",
            where=model,
            remedy="run 'harmgraph counterfactual generate' again",
        )
    if known is None and texts is None:
        raise InputError("was not trained here, so it has no held-out texts", where=model, remedy="give --corpus FILE")
    causal, tokenizer = trained.loaded(model)
    most = int(getattr(causal.config, "max_position_embeddings", None) or CONTEXT)
    context = min(context or (known.recipe.context if known else CONTEXT), most)
    read = kept(trained.folder(model) / FILE, "valid") if texts is None else sequences(tokenizer, texts)
    check_any(read, model, context)
    trained.move(causal, device_of(device))
    matcher = Matcher(tokenizer, values)
    return HeldOutLoss(
        nats(causal, read, context),
        np.array([each.predicted for each in read]),
        np.array([bool(matcher.places(each.ids)) for each in read]),
        tuple(_identity(each) for each in read),
        context,
    )


def common_context(models: Sequence[str]) -> int:
    """The least context in which one of these models was trained here; 0 where none was."""
    return min((known.recipe.context for known in map(ready, models) if known), default=0)


def _identity(tokens: Tokens) -> bytes:
    import hashlib

    return hashlib.blake2b(tokens.ids.tobytes(), digest_size=16).digest()


def perplexities(of: HeldOutLoss, beside: HeldOutLoss | None, draws: int, seed: int) -> Perplexity:
    """PPL and PPL^s of a model, and its PPL by that of another on the same texts, which are resampled together."""
    with_value = of.sensitive.astype(bool)
    numbers: dict[str, Any] = {"texts": len(of.lost), "texts_s": int(with_value.sum())}
    parts = [("ppl", of.lost, of.tokens), ("ppl_s", of.lost[with_value], of.tokens[with_value])]
    if beside is not None and (beside.texts, beside.context) == (of.texts, of.context):
        parts.append(("ppl_ratio", of.lost - beside.lost, of.tokens))
    for name, lost, tokens in parts:
        if not len(lost):
            continue
        numbers[name] = perplexity(float(lost.sum() / tokens.sum()))
        if draws and len(lost) > 1:
            low, high = resampling.interval(resampling.ratios(lost, tokens, draws, seed))
            numbers |= {f"{name}_low": perplexity(low), f"{name}_high": perplexity(high)}
    return Perplexity(**numbers)


def similarities(
    samples: Sequence[Mapping[str, str]], encoder: str, *, device: str = "auto"
) -> tuple[Numbers, Numbers]:
    """The cosine of each sample and its prompt, and whether the sample mentions the value of its prompt, both of shape [samples].

    Args:
        samples: each with ``prompt``, ``value`` and ``text``, the continuation alone.
    """
    import numpy as np

    prompts, texts = ([sample[name] for sample in samples] for name in ("prompt", "text"))
    patterns = {
        value: re.compile(rf"(?<!\w){re.escape(value)}(?!\w)", re.IGNORECASE)
        for value in {sample["value"] for sample in samples}
    }
    mention = np.array([patterns[sample["value"]].search(sample["text"]) is not None for sample in samples])
    return cosines(encoder, prompts, texts, device=device_of(device)), mention


def relevance(
    samples: Sequence[Mapping[str, str]],
    encoder: str,
    draws: int,
    seed: int,
    *,
    device: str = "auto",
) -> Relevance:
    """How much samples have to do with their prompts.

    Args:
        samples: each with ``prompt``, ``value`` and ``text``, the continuation alone.
    """
    import numpy as np

    prompts = [sample["prompt"] for sample in samples]
    found, mention = similarities(samples, encoder, device=device)
    counts = resampling.clustered(prompts, np.ones(len(samples)))
    numbers: dict[str, Any] = {}
    for name, hits in (("similar", found > SIMILAR), ("mentions", mention)):
        numbers[name] = 100 * float(hits.mean())
        numbers |= {f"{name}_low": None, f"{name}_high": None}
        if draws and len(counts) > 1:
            percent = 100 * resampling.clustered(prompts, hits)
            low, high = resampling.interval(resampling.ratios(percent, counts, draws, seed))
            numbers |= {f"{name}_low": low, f"{name}_high": high}
    return Relevance(samples=len(samples), **numbers)


def qualities(
    listed: Sequence[Said],
    *,
    texts: Sequence[Text] | None,
    encoder: str,
    draws: int,
    seed: int,
    device: str,
) -> list[dict[str, Any]]:
    """PPL, PPL^s, S.S. and S.S.^c of the samples of one attribute by several models; no PPL where a model is not named.

    Args:
        texts: for PPL; None for what each model held out.
        draws: how often texts and prompts are resampled.
    """
    rows: list[dict[str, Any]] = []
    first: HeldOutLoss | None = None
    context = common_context([samples.model for samples in listed if samples.model])
    for number, samples in enumerate(listed):
        plain = Perplexity()
        if samples.model:
            sensitive = [Sensitive(samples.attribute, value, group) for value, group in samples.values.items()]
            made_by = samples.checkpoint
            one = held(samples.model, sensitive, texts, made_by=made_by, context=context, device=device)
            plain = perplexities(one, first, draws, seed)
            first = one if number == 0 else first
        relevant = relevance(samples.rows, encoder, draws, seed, device=device)
        rows.append({**plain.facts(), **relevant.facts()})
    return rows
