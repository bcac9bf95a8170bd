"""The model card of a trained language model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harmgraph.models.model_card import left_out, listed, written

if TYPE_CHECKING:
    from harmgraph.models.language.trained import LanguageConfig

PAGE = """\
# {name}

A causal language model{what}, trained by `harmgraph language train`. `harmgraph language eval {name}` judges it and
`harmgraph language generate {name} {speaks}` lets it speak; any program that reads transformers' folders can load it.

## Training data
- {corpus}: {known.train:,} texts (each a {known.unit}) with {known.train_tokens:,} predicted tokens; \
digest `{known.corpus_digest}`{imports}
- held out, by a hash of each text or as a file: {known.valid:,} texts with {known.valid_tokens:,} predicted tokens{left_out}

## Model
- began as `{known.model}`; {known.parameters:,} weights, {known.vocabulary:,} tokens
- {known.epochs} epochs, best after {known.best_epoch} by the perplexity on the held-out texts: {perplexity} a token
- options: {recipe}; {known.precision}, {known.threads} threads{reduced}

## Intended use
To measure what a model repeats of its texts, prejudice included. It says what its texts make probable, true or not, and may say
hurtful things of groups of people. Do not show what it says as facts, and do not use it to judge people.

Versions: {versions}. Trained {known.trained_at}.
"""


def card(name: str, known: LanguageConfig) -> str:
    """The model card, in Markdown."""
    comet = known.recipe.kind == "comet"
    reduced = f"\n- made to differ less between values: {listed(known.debias)}" if known.debias else ""
    return written(
        PAGE,
        name,
        known,
        known.recipe.facts(),
        known.versions,
        what=" that says tails after head and relation of a triple, as COMeT does" if comet else "",
        speaks="--targets --into SOURCE" if comet else "--prompts FILE --out FILE",
        corpus=f"the source `{known.source}`" if known.source else f"`{known.corpus}`",
        imports="".join(f"; import `{number}`" for number in known.imports.values()),
        left_out=left_out(known.left_out),
        perplexity=f"{known.valid_perplexity or float('nan'):.2f}",
        reduced=reduced,
    )
