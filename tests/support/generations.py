"""What a model might have said: samples of counterfactual prompts, the same for the same seed."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

from harmgraph.analytics.counterfactual.specification import CounterfactualPrompt

GOOD = ("They were kind and happy.", "It was a great day.", "We love the work.")
BAD = ("It was awful.", "They were angry and cruel.", "We hate the noise.")
PLAIN = ("We went home.", "It is a long street.")


def continued(
    prompts: Sequence[CounterfactualPrompt],
    samples: int,
    *,
    shares: Mapping[tuple[str, str], float] | None = None,
    seed: int = 0,
) -> list[dict[str, str]]:
    """Lines as the importer reads them.

    Args:
        shares: share of good texts among those that are not plain, by value and template, or by value and an empty template; a
            half otherwise.
    """
    chance = random.Random(seed)
    lines = []
    for prompt in prompts:
        known = shares or {}
        share = known.get((prompt.value, prompt.template), known.get((prompt.value, ""), 0.5))
        for _ in range(samples):
            polarised = GOOD if chance.random() < share else BAD
            text = chance.choice(PLAIN if chance.random() < 0.2 else polarised)
            lines.append(
                {
                    "attribute": prompt.attribute,
                    "value": prompt.value,
                    "subgroup": prompt.subgroup,
                    "template": prompt.template,
                    "text": text,
                }
            )
    return lines


def write_lines(path: Path, lines: Sequence[Mapping[str, object]]) -> Path:
    """Writes JSON lines."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path
