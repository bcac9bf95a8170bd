"""A small world of people for probes: women are nurses more often than men, men pilots; one is of both and one of neither."""

from __future__ import annotations

from harmgraph.graph.records import Entity, Triple

GENDER, PROFESSION = "/people/person/gender", "/people/person/profession"
COUNTS = {"nurse": (2, 9), "pilot": (8, 2), "teacher": (5, 5), "poet": (1, 1)}
"""Men and women of each profession; those of both sides count on both."""


def entity(name: str) -> Entity:
    return Entity(f"freebase/m.{name}", name.title())


def people() -> list[Triple]:
    """24 men and women with professions, a child of no profession, and one person of a third gender."""
    made = []
    for gender, side in (("male", 0), ("female", 1)):
        jobs = [job for job, counts in COUNTS.items() for _ in range(counts[side])]
        for number, job in enumerate(jobs):
            name = f"{gender[0]}{number:02d}"
            made += [(name, GENDER, gender), (name, PROFESSION, job)]
    made += [("m00", PROFESSION, "singer"), ("child", GENDER, "female"), ("robin", GENDER, "other")]
    return [Triple(entity(head), kind, entity(tail)) for head, kind, tail in made]
