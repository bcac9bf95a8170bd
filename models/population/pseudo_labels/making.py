"""Labels for candidates: by the teacher where it is sure, then through two filters; kept in the populator's folder."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harmgraph.common.errors import InputError, UnreadableFile
from harmgraph.common.json_text import from_json
from harmgraph.common.whole_file import beside
from harmgraph.models.population import trained
from harmgraph.models.population.examples import read_file
from harmgraph.models.population.neighbours import Around
from harmgraph.models.population.populator import populators
from harmgraph.models.population.pseudo_labels.filters import agreeing, influences
from harmgraph.models.population.training import judge
from harmgraph.models.store import sha256
from harmgraph.models.text.saving import saving

if TYPE_CHECKING:
    from harmgraph.models.population.examples import ExampleFolder, TripleExample
    from harmgraph.models.population.network import Network
    from harmgraph.models.population.recipe import PopulatorRecipe
    from harmgraph.models.population.trained import PopulatorConfig
    from harmgraph.models.text.passages import PassageReader

TABLE, COUNTS = "pseudo_labels.tsv", "pseudo_labels.json"
TEACHERS = ("kgbert", "pseudoreasoner")
"""Models that a student can go on from."""


@dataclass(frozen=True, slots=True)
class PseudoLabels:
    """Candidates with the labels that they got.

    Attributes:
        counts: of the candidates read, those dropped by why, and those kept by label.
        digest: of the table, 64 hexadecimal digits.
    """

    examples: tuple[TripleExample, ...]
    counts: Mapping[str, int]
    digest: str


def teacher_of(recipe: PopulatorRecipe, encoder: str, usual: str) -> PopulatorConfig:
    """What is known of the teacher.

    Args:
        encoder: must be the teacher's, or the usual one that stands for none.

    Raises:
        InputError: none is named, it is not of the models that can teach, or its training is not finished.
        UnknownMember: no populator has its name.
        UnreadableFile: its file is damaged, or there are no candidates.
    """
    for option in ("teacher", "candidates"):
        if not getattr(recipe, option):
            raise InputError(
                f"pseudoreasoner needs --{option}",
                remedy="name a trained kgbert with --teacher, and unlabelled triples with --candidates",
            )
    known = trained.config(recipe.teacher)
    if known.populator not in TEACHERS:
        raise InputError(
            f"a {known.populator} cannot be the teacher", where=recipe.teacher, remedy=f"train a {TEACHERS[0]} first"
        )
    trained.RECORDS.check_finished(recipe.teacher, known)
    if encoder not in (usual, known.encoder):
        raise InputError("the encoder is that of the teacher", where=encoder, remedy="leave out --encoder")
    return known


def identity_of_teaching(recipe: PopulatorRecipe) -> dict[str, str]:
    """Digests of the teacher's weights and of the candidates."""
    path = Path(recipe.candidates)
    if not path.is_file():
        raise UnreadableFile(path, "is missing", remedy="make candidates with: harmgraph population data --graph")
    return {
        "teacher": sha256(trained.folder(recipe.teacher) / trained.WEIGHTS),
        "candidates": sha256(path),
    }


def student_of(teacher: PopulatorConfig, recipe: PopulatorRecipe) -> tuple[Network, Any]:
    """The teacher's network, to go on with, and its tokenizer."""
    as_student = replace(teacher, recipe=replace(teacher.recipe, frozen=recipe.frozen))
    return trained.load(as_student, trained.folder(recipe.teacher))


def pseudo_labelled(
    place: Path,
    identity: str,
    network: Network,
    reader: PassageReader,
    data: ExampleFolder,
    recipe: PopulatorRecipe,
) -> PseudoLabels:
    """The candidates that the teacher labels and the filters keep; those in the folder if this training has left them there.

    A label that the file has is not looked at. A candidate of the training or the valid triples is dropped, and so is one
    whose relation has no training triple. Of each relation and label at most half as many are kept as the relation has
    training triples, the surest first, as in the released code; then come the filters.

    Args:
        place: folder of the populator. identity: of the training.
        network: the teacher's, which is the student before its training.

    Raises:
        UnreadableFile: the candidates, or the table in the folder, cannot be read.
        InputError: none is kept.
        NoSpace: the table cannot be written.
    """
    stored = _stored(place, identity)
    if stored:
        return stored
    counts: Counter[str] = Counter()
    chosen = _fresh(read_file(Path(recipe.candidates)), data, counts)
    teacher = populators.get(TEACHERS[0])
    logits = judge(teacher, network, reader, chosen, Around(), recipe)
    sure = 1 / (1 + np.exp(-logits))
    labels = np.where(sure >= recipe.plausible_above, 1, np.where(sure <= recipe.implausible_below, 0, -1))
    counts["not confident"] = int((labels < 0).sum())
    places = _most(chosen, logits, labels, data)
    counts["beyond the share"] = len(chosen) - counts["not confident"] - len(places)
    labelled = [replace(chosen[place], label=int(labels[place])) for place in places]
    if recipe.filters in ("both", "influence") and labelled:
        values = influences(network, reader, labelled, data.train, data.valid, seed=recipe.seed)
        counts["influence"] = int((values >= 0).sum())
        labelled = [each for each, value in zip(labelled, values, strict=True) if value < 0]
    if recipe.filters in ("both", "agreement") and labelled:
        agree = agreeing(network, reader, labelled, passes=recipe.passes, seed=recipe.seed)
        counts["agreement"] = int((~agree).sum())
        labelled = [each for each, agrees in zip(labelled, agree, strict=True) if agrees]
    counts["plausible"] = sum(each.label == 1 for each in labelled)
    counts["implausible"] = len(labelled) - counts["plausible"]
    if not labelled:
        raise InputError(
            f"no candidate is left to learn from ({said(counts)})",
            where=recipe.candidates,
            remedy="choose other --plausible-above, --implausible-below or --filters, or other candidates",
        )
    with saving(place):
        with beside(place / TABLE) as part, part.open("w", encoding="utf-8") as file:
            table = csv.writer(file, delimiter="\t", lineterminator="\n")
            table.writerow(("head", "relation", "tail", "label", "class"))
            table.writerows((each.head, each.relation, each.tail, each.label, each.part) for each in labelled)
        with beside(place / COUNTS) as part:
            facts = {"identity": identity, "counts": counts}
            part.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    return PseudoLabels(tuple(labelled), dict(counts), sha256(place / TABLE))


def said(counts: Mapping[str, int]) -> str:
    """The counts as a line."""
    return ", ".join(f"{name} {number:,}" for name, number in counts.items())


def _stored(place: Path, identity: str) -> PseudoLabels | None:
    """What the folder has of this training; None if it has nothing."""
    if not (place / COUNTS).is_file():
        return None
    try:
        facts = from_json((place / COUNTS).read_text("utf-8"))
        if facts["identity"] != identity:  # left by another training that did not get further
            return None
        counts = {str(name): int(number) for name, number in facts["counts"].items()}
    except (OSError, ValueError, AttributeError, KeyError, TypeError) as error:
        raise UnreadableFile(place / COUNTS, f"cannot be read ({error})", remedy="train it with --again") from error
    return PseudoLabels(read_file(place / TABLE), counts, sha256(place / TABLE))


def _fresh(candidates: Sequence[TripleExample], data: ExampleFolder, counts: Counter[str]) -> list[TripleExample]:
    """The candidates without repetitions, known triples, and relations that nobody was trained on."""
    known = {each.text for each in (*data.train, *data.valid)}
    relations = set(data.relations)
    kept: dict[str, TripleExample] = {}
    counts["candidates"] = len(candidates)
    for name in ("repeated", "known", "unknown relation"):
        counts[name] = 0
    for each in candidates:
        if each.text in kept:
            counts["repeated"] += 1
        elif each.text in known:
            counts["known"] += 1
        elif each.relation not in relations:
            counts["unknown relation"] += 1
        else:
            kept[each.text] = replace(each, label=None, split="")
    return list(kept.values())


def _most(chosen: Sequence[TripleExample], logits: Any, labels: Any, data: ExampleFolder) -> list[int]:
    """The places of the surest of each relation and label, in the order of the file."""
    room = Counter(each.relation for each in data.train)
    left = {(relation, label): number // 2 for relation, number in room.items() for label in (0, 1)}
    kept: list[int] = []
    for place in np.argsort(-np.abs(logits), kind="stable").tolist():
        key = (chosen[place].relation, int(labels[place]))
        if left.get(key, 0) > 0:
            left[key] -= 1
            kept.append(place)
    return sorted(kept)
