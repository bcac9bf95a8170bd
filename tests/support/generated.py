"""A knowledge base of any size, the same for the same size: many relations, one of them large, and a few targets."""

from __future__ import annotations

import random
from pathlib import Path

RELATIONS = ("CapableOf", "Desires", "HasA", "HasProperty", "AtLocation", "UsedFor", "PartOf", "Causes", "MadeOf")
HEADS = ("nurse", "pilot", "engineer", "teacher")


def write_triples(path: Path, lines: int) -> Path:
    """Writes tab separated triples, half of them of one relation."""
    chosen = random.Random(7)
    with path.open("w", encoding="utf-8") as file:
        for number in range(lines):
            head = HEADS[number % 4] if number % 50 == 0 else f"head {chosen.randrange(lines // 4)}"
            relation = "IsA" if number % 2 else RELATIONS[chosen.randrange(len(RELATIONS))]
            file.write(f"{head}\t{relation}\ttail {chosen.randrange(lines // 3)}\n")
    return path
