"""The model card of a trained scorer: what it was trained on and how reliable it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harmgraph.models.classifier.unlearnt import warnings
from harmgraph.models.model_card import listed, written

PAGE = """\
# {name}

A classifier of English sentences into negative, neutral, positive and other, trained by `harmgraph scorer train`.
`harmgraph label regard --model {name}` labels a graph with it; any program that reads transformers' folders can load it.

## Training data
- `{known[file]}`, SHA-256 `{known[identity][data]}`{rejected}{labels_read}
- Encoder: `{known[identity][encoder]}`
- Split: {split}

| | {labels} | targets |
|---|{rule}---|
{counts}

## Scores
On the {tested} examples of the part `test`; neither their targets nor their texts are in the training data. The 95 %
intervals come from a bootstrap over whole targets.

| label | n | precision | recall | F1 | interval | a linear model's F1 |
|---|---|---|---|---|---|---|
{scores}

{warnings}The linear model is logistic regression on word and character n-grams of the same examples.
{tests}
## Intended use
It repeats the judgement of whoever labelled the file, mistakes included, on short sentences whose target is masked. Use it
for statistics over many statements, not to judge single statements or people, or to decide what may be said.
The score of a label with few examples is uncertain: see its interval.

## Training
{epochs} epochs, best after {best} (score: mean F1 on `valid` of all labels with ten examples or more except the commonest).
Options: {recipe}, precision {known[precision]}, threads {known[threads]}.
Versions: {versions}. Trained {known[trained_at]}.
"""


def card(facts: Mapping[str, Any]) -> str:
    """The model card, in Markdown.

    Args:
        facts: as in ``training.json``.
    """
    labels = list(facts["counts"]["train"])
    rows = [
        f"| {part} | {' | '.join(f'{counts.get(label, 0):,}' for label in labels)} | {facts['targets'][part]:,} |"
        for part, counts in facts["counts"].items()
    ]
    by = "whole targets" if facts["by_target"] else "distinct texts (the file names no targets)"
    repeated = (
        f"; {facts['repeated']:,} examples left out whose text is in an earlier part" if facts["repeated"] else ""
    )
    linear = {score["label"]: score["f1"] for score in facts["baseline"]}
    best = max(facts["epochs"], key=lambda epoch: epoch["score"])
    return written(
        PAGE,
        facts["name"],
        facts,
        facts["identity"]["recipe"],
        facts["versions"],
        rejected=f", {facts['rejected']:,} lines rejected" if facts["rejected"] else "",
        split=by + repeated,
        labels_read=_labels_read(facts),
        labels=" | ".join(labels),
        rule="---|" * len(labels),
        counts="\n".join(rows),
        tested=f"{sum(facts['counts']['test'].values()):,}",
        scores="\n".join(_row(score, linear) for score in facts["scores"]),
        warnings="".join(f"**{line[:1].upper()}{line[1:]}.**\n\n" for line in warnings(facts)),
        tests="".join(map(_test, facts.get("tests", ()))),
        epochs=str(len(facts["epochs"])),
        best=str(best["number"] + 1),
    )


def _labels_read(facts: Mapping[str, Any]) -> str:
    meanings = facts["identity"].get("labels", {})
    return f"; labels read as {listed(meanings, ' = ')}" if meanings else ""


def _test(test: Mapping[str, Any]) -> str:
    """The section of a held-out file."""
    left_out = [
        f"{test['repeated']:,} left out whose text is in the training data" if test["repeated"] else "",
        f"{test['rejected']:,} lines rejected" if test["rejected"] else "",
    ]
    rows = "\n".join(map(_values, test["scores"]))
    return f"""
## Scores on `{test["file"]}`
SHA-256 `{test["data"]}`. Accuracy {test["accuracy"]:.3f} on {test["n"]:,} examples, 95 % interval {test["low"]:.3f} to \
{test["high"]:.3f} (Wilson's){"".join(f"; {part}" for part in left_out if part)}.

| label | n | precision | recall | F1 | interval |
|---|---|---|---|---|---|
{rows}
"""


def _row(score: Mapping[str, Any], linear: Mapping[str, float]) -> str:
    return f"{_values(score)} {linear.get(score['label'], 0.0):.2f} |"


def _values(score: Mapping[str, Any]) -> str:
    between = "" if score["f1_low"] is None else f"{score['f1_low']:.2f} to {score['f1_high']:.2f}"
    values = " | ".join(f"{score[part]:.2f}" for part in ("precision", "recall", "f1"))
    return f"| {score['label']} | {score['n']:,} | {values} | {between} |"
