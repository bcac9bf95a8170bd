"""What the model cards of all kinds have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def listed(facts: Mapping[str, Any], between: str = " ") -> str:
    """Facts with their names, in a line."""
    return ", ".join(f"{name}{between}{value}" for name, value in facts.items())


def written(
    page: str, name: str, known: Any, recipe: Mapping[str, Any], versions: Mapping[str, str], **more: str
) -> str:
    """A model card, in Markdown.

    Args:
        page: of the kind of models, with the places of all that follows.
        known: what is known of the model. recipe: the options of its training. versions: of the packages.
        more: other parts of the page, by name.
    """
    return page.format(name=name, known=known, recipe=listed(recipe), versions=listed(versions), **more)


def left_out(counts: Mapping[str, int], what: str = "") -> str:
    """The lines of what a training did not use, by reason."""
    return "".join(f"\n- left out, {reason}: {count:,}{what}" for reason, count in counts.items())
