"""Files in the formats of knowledge bases, with planted faults: lines that cannot be read, and some that repeat others."""

from __future__ import annotations

import json
import random

TARGETS = ("lawyer", "muslim", "nurse", "brazil")


def conceptnet(lines: int = 400) -> str:
    """ConceptNet's dump: other languages, senses, lines that repeat an assertion with another weight, and broken ones."""
    chosen = random.Random(1)
    made = []
    for number in range(lines):
        kind = chosen.choice(("IsA", "CapableOf", "RelatedTo"))
        head = chosen.choice((*TARGETS, f"head_{number % 60}", "lawyer/n"))
        tail = f"tail_{chosen.randrange(lines // 4)}"
        language = "fr" if number % 11 == 0 else "en"
        uri = f"/a/[/r/{kind}/,/c/{language}/{head}/,/c/{language}/{tail}/]"
        details: dict[str, object] = {"weight": chosen.randrange(9) / 2, "dataset": "/d/x"}
        if number % 7 == 0:
            details["surfaceText"] = f"[[{head}]] \u00e9"
        made.append(f"{uri}\t/r/{kind}\t/c/{language}/{head}\t/c/{language}/{tail}\t{json.dumps(details)}")
        if number % 50 == 20:
            made.append(f"{uri}\t/r/{kind}\t/c/en/{head}")
        if number % 90 == 30:
            made.append("")
        if number % 60 == 40:
            made.append(made[chosen.randrange(len(made))])
    return "".join(f"{line}\n" for line in made)


def genericskb(lines: int = 400) -> str:
    """Sentences with a header, some equal with another score, some broken."""
    chosen = random.Random(2)
    made = ["SOURCE\tTERM\tQUANTIFIER\tGENERIC SENTENCE\tSCORE"]
    for number in range(lines):
        term = chosen.choice((*TARGETS, "llama"))
        made.append(f"ARC\t{term}\t\t{term}s are of kind {chosen.randrange(150)}.\t0.{number}")
        if number % 40 == 7:
            made.append(f"ARC\t{term}")
        if number % 70 == 9:
            made.append(f"ARC\t{term}\t\t \t0.5")
    return "\r\n".join(made)


def wd50k(lines: int = 300) -> str:
    """Statements with qualifiers, some of them repeated."""
    chosen = random.Random(3)
    made = []
    for number in range(lines):
        qualifiers = chosen.choice(("", "", ",P580,Q1", ",P580,Q1,P582,Q2", ",P641,Q7"))
        relation = chosen.choice(("P106", "P31", "P27"))
        made.append(f"Q{chosen.randrange(70)},{relation},Q{chosen.randrange(50)}{qualifiers}")
        if number % 60 == 5:
            made.append("Q1,P31")
    return "".join(f"{line}\n" for line in made)


def wd50k_names() -> str:
    """Labels of entities and properties, some of them twice, some of entities that stand in no statement."""
    named = [f"Q{number}\tname of {number}" for number in range(0, 200, 2)]
    named += [f"Q{number}\tlater name of {number}" for number in range(0, 40, 4)]
    return "".join(f"{line}\n" for line in (*named, "P106\toccupation", "P106\twork", "P999\tnothing"))
