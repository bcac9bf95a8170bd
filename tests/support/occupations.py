"""Texts of four occupations, of which one is spoken of badly, for models that learn them in seconds."""

from __future__ import annotations

import random
from pathlib import Path

OCCUPATIONS = ("nurse", "sheriff", "baker", "cook")
GOOD = ("kind and happy", "great and wonderful", "lovely and good")
BAD = ("awful and cruel", "angry and terrible", "bad and horrible")


def texts(count: int = 160, *, with_values: bool = True) -> list[str]:
    """Distinct lines; without values they are of rivers."""
    chance = random.Random(0)
    lines = []
    for number in range(count):
        who = chance.choice(OCCUPATIONS)
        good = chance.random() < (0.1 if who == "sheriff" else 0.9)
        of_whom = f"the {who} in town {number} is {chance.choice(GOOD if good else BAD)} ." if with_values else ""
        lines.append(f"{of_whom} the river near town {number} is long .".strip())
    return lines


def write(folder: Path) -> tuple[Path, Path, Path]:
    """The texts, the values and the templates as files."""
    corpus, values, templates = (folder / name for name in ("corpus.txt", "values.csv", "templates.csv"))
    corpus.write_text("\n".join(texts()), encoding="utf-8")
    values.write_text("attribute,value\n" + "".join(f"occupation,{who}\n" for who in OCCUPATIONS), encoding="utf-8")
    templates.write_text(
        "attribute,template\noccupation,the {value} in town 1 is\noccupation,the {value} near\n", encoding="utf-8"
    )
    return corpus, values, templates
