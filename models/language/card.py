"""The model card of a trained language model."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harmgraph.models.language.trained import Config

PAGE = """\
# {name}

A causal language model{what}, trained by `harmgraph language train`. `harmgraph language eval {name}` judges it and
`harmgraph language generate {name} {speaks}` lets it speak; any program that reads transformers' folders can load it.

## Training data
- {corpus}: {train:,} texts (each a {unit}) with {train_tokens:,} predicted tokens; digest `{digest}`{imports}
- held out, by a hash of each text or as a file: {valid:,} texts with {valid_tokens:,} predicted tokens{left_out}

## Model
- began as `{model}`; {parameters:,} weights, {vocabulary:,} tokens
- {epochs} epochs, best after {best} by the perplexity on the held-out texts: {perplexity:.2f} a token
- options: {recipe}; {precision}, {threads} threads{reduced}

## Intended use
To measure what a model repeats of its texts, prejudice included. It says what its texts make probable, true or not, and may say
hurtful things of groups of people. Do not show what it says as facts, and do not use it to judge people.

Versions: {versions}. Trained {trained_at}.
"""


def card(name: str, known: Config) -> str:
    """The model card, in Markdown."""
    comet = known.recipe.kind == "comet"
    imports = "".join(f"; import `{number}`" for number in known.imports.values())
    return PAGE.format(
        name=name,
        what=" that says tails after head and relation of a triple, as COMeT does" if comet else "",
        speaks="--targets --into SOURCE" if comet else "--prompts FILE --out FILE",
        corpus=f"the source `{known.source}`" if known.source else f"`{known.corpus}`",
        train=known.train,
        unit=known.unit,
        train_tokens=known.train_tokens,
        digest=known.corpus_digest,
        imports=imports,
        valid=known.valid,
        valid_tokens=known.valid_tokens,
        left_out="".join(f"\n- left out, {reason}: {count:,}" for reason, count in known.left_out.items()),
        model=known.model,
        parameters=known.parameters,
        vocabulary=known.vocabulary,
        epochs=known.epochs,
        best=known.best_epoch,
        perplexity=known.valid_perplexity or float("nan"),
        recipe=", ".join(f"{option} {value}" for option, value in known.recipe.facts().items()),
        precision=known.precision,
        threads=known.threads,
        reduced=f"\n- made to differ less between values: {', '.join(f'{what} {fact}' for what, fact in known.debias.items())}"
        if known.debias
        else "",
        versions=", ".join(f"{package} {number}" for package, number in known.versions.items()),
        trained_at=known.trained_at,
    )
