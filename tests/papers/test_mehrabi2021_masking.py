"""What the authors masked, by what they released: texts of ConceptNet, and table 11 on the generations of COMeT.

Section 3.1: "we mask all the demographic information from the sentences". Section 4.1: "masked target words, the same process as
we do for ConceptNet". Plain loops over the files; no graph.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest

from harmgraph.analytics.labelling.masking import MASK, Masks
from harmgraph.analytics.scorers.vader import compound
from harmgraph.graph.contents.phrases import phrase
from harmgraph.graph.records import Concept, Triple, normalise
from harmgraph.graph.target_names import listed_targets, target_names
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.importers.comet import MISSPELLED

pytestmark = pytest.mark.long

EVERY = Masks(Masks.ALL, target_names())


def test_released_texts_of_conceptnet(data: Path) -> None:
    """``regard/conceptnet_silver.tsv`` has the text of a statement about each target as the regard classifier saw it."""
    released: dict[str, set[str]] = defaultdict(set)
    for line in (data / "regard" / "conceptnet_silver.tsv").read_text(encoding="utf-8").split("\n"):
        target, _, text = line.split("\t") if line else ("", "", "")
        released[target.replace("_", " ")].add(text.strip())
    of_name = {name: [one.name, *one.aliases] for one in listed_targets() for name in (one.name, *one.aliases)}
    agrees: Counter[tuple[str, str]] = Counter()
    for record in importers.get("triples").records(data / "conceptnet" / "conceptnet_targets.txt", delimiter="space"):
        if not (isinstance(record, Triple) and isinstance(record.head, Concept) and isinstance(record.tail, Concept)):
            continue
        head, between, tail = record.head.text, phrase(record.relation), record.tail.text
        names = [of_name[end] for end in (head, tail) if end in of_name]
        masked = {
            "own": Masks().triple(head, between, tail, names),
            "all": EVERY.triple(head, between, tail, names),
            "ends": " ".join((MASK if head in of_name else head, between, MASK if tail in of_name else tail)),
        }
        for target in {head, tail} & released.keys():
            for other in ("all", "ends"):
                if masked["own"] != masked[other]:
                    found = [masked[rule] in released[target] for rule in ("own", other)]
                    agrees[other, "own" if found == [True, False] else other if found == [False, True] else ""] += 1
    # Where two rules differ, which of their texts was released:
    assert (agrees["all", "own"], agrees["all", "all"]) == (1_197, 3)
    assert (agrees["ends", "own"], agrees["ends", "ends"]) == (1_584, 331)


@pytest.mark.parametrize(
    ("masks", "of_profession", "of_all"),
    [(Masks(), 44.65, 33.86), (EVERY, 41.13, 32.52), (Masks(Masks.NONE), 122.1, 63.0)],
)
def test_neutral_variance_of_comet(data: Path, masks: Masks, of_profession: float, of_all: float) -> None:
    """NSV of table 11 for professions, 44.415, and of table 7, 33.4: what the model generated is not masked."""
    category = {target.name: target.category for target in listed_targets()}
    labels: dict[str, Counter[bool]] = defaultdict(Counter)
    for line in (data / "comet" / "comet_generations.txt").read_text(encoding="utf-8").splitlines():
        head, _, rest = line.strip(" ").partition(" ")
        words = head.replace("_", " ")
        target = MISSPELLED.get(normalise(words), normalise(words))
        score = compound(masks.statement(f"{words} {rest}", [[words]], words))
        labels["hairstylist" if target == "hairdresser" else target][abs(score) < 0.05] += 1
    neutral = {name: 100 * counts[True] / counts.total() for name, counts in labels.items()}
    professions = [share for name, share in neutral.items() if category[name] == "profession"]
    assert np.var(professions) == pytest.approx(of_profession, abs=0.05)
    assert np.var(list(neutral.values())) == pytest.approx(of_all, abs=0.05)
