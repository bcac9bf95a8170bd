"""Warns of labels that a training did not learn, and suggests what to do: a scorer that never gives a label cannot measure it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FEW = 100
"""With fewer training examples, more examples help more than any option."""


def unlearnt(facts: Mapping[str, Any]) -> tuple[str, ...]:
    """The labels whose F1 on the held-out examples is 0.

    Args:
        facts: as in ``training.json``.
    """
    return tuple(score["label"] for score in facts["scores"] if score["f1"] == 0)


def unjudged(facts: Mapping[str, Any]) -> tuple[str, ...]:
    """The labels in the training examples that no held-out example has, so that it is not known whether they were learnt."""
    judged = {score["label"] for score in facts["scores"]}
    return tuple(label for label in facts["counts"]["train"] if label not in judged)


def warnings(facts: Mapping[str, Any]) -> list[str]:
    """A line for each label that is not learnt, the options that may help, and a line for each label that is not evaluated."""
    held = {score["label"]: score["n"] for score in facts["scores"]}
    linear = {score["label"]: score["f1"] for score in facts["baseline"]}
    stood = facts["counts"]["train"]
    lines = []
    for label in unlearnt(facts):
        examples = stood.get(label, 0)
        line = f"{label} is not learnt: its F1 is 0 on {_examples(held[label])} held out, with {_examples(examples)} to train on"
        if linear.get(label):
            line += f" (a linear model reaches {linear[label]:.2f})"
        lines.append(line + (f"; give more examples of {label}" if examples < FEW else ""))
    if lines:
        lines.append(f"this may help: train again with --again {' '.join(_options(facts))}")
    lines += [
        f"{label} is not evaluated: no example of it is held out, {_examples(stood[label])} to train on; "
        "give examples of it from more targets"
        for label in unjudged(facts)
    ]
    return lines


def _examples(count: int) -> str:
    return f"{count:,} example{'' if count == 1 else 's'}"


def _options(facts: Mapping[str, Any]) -> list[str]:
    """Options to try: other label weights, fewer examples of the commonest label, more epochs."""
    recipe, epochs = facts["identity"]["recipe"], facts["epochs"]
    options = []
    if recipe["weight"] < 1:
        options.append("--weight 1")
    if recipe["common"] == 0 or recipe["common"] > 1:
        options.append("--common 1")
    best = max(epochs, key=lambda epoch: epoch["score"])["number"]
    if best == epochs[-1]["number"]:
        options.append(f"--epochs {2 * recipe['epochs']}")
    return options or [f"--learning-rate {recipe['learning_rate'] / 3:.1g}"]
