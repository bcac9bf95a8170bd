"""Sentences that people labelled are masked as the graph's statements are."""

from __future__ import annotations

from pathlib import Path

import pytest

from harmgraph.analytics.labelling.drawn_sample import Item, Sample, Wish, keep, sample_file
from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.labelling.masking import MASK, Masks
from harmgraph.analytics.labelling.people_masks import mask_by_files, mask_by_graph, mask_by_list
from harmgraph.analytics.labelling.ratings import Ratings, from_csv
from harmgraph.analytics.labelling.standing_scorer import standing_scorer
from harmgraph.common.errors import InputError
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Statement, Target
from tests.support.filling import fill, triple

LIST = (("lawyer",), ("judge", "justice"), ("american",))


def ratings(*sentences: str) -> Ratings:
    return Ratings(dict.fromkeys(sentences, (0, 1, 0)))


@pytest.mark.parametrize(
    ("text", "own", "every"),
    [
        # A triple's sentence: its ends, wherever their names occur; as the graph has it.
        ("american lawyer is a lawyer", f"american {MASK} is a {MASK}", f"{MASK} {MASK} is a {MASK}"),
        ("justice is related to lawyer", f"{MASK} is related to {MASK}", f"{MASK} is related to {MASK}"),
        ("Justice is related to judges", f"{MASK} is related to {MASK}", f"{MASK} is related to {MASK}"),
        # Any other sentence: nobody says whom it is about.
        ("American lawyers are kind.", f"{MASK} {MASK} are kind.", f"{MASK} {MASK} are kind."),
        ("Nobody is kind.", "Nobody is kind.", "Nobody is kind."),
    ],
)
def test_by_a_list(text: str, own: str, every: str) -> None:
    assert mask_by_list(LIST)(text) == own
    assert mask_by_list(LIST, Masks.ALL)(text) == every
    assert mask_by_list(LIST, Masks.NONE)(text) == text


def test_a_file_can_say_whom_a_sentence_is_about(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text(
        "sentence,label,target\nAmerican lawyers sue the judge.,3,lawyer\nAmerican lawyers sue the judge.,2,justice; poet\n"
        "The American judge.,2,\n"
    )
    read = from_csv(tmp_path / "p.csv")
    assert read.about == {"American lawyers sue the judge.": ("lawyer", "justice", "poet"), "The American judge.": ()}
    mask = mask_by_files((tmp_path / "p.csv",), read, LIST, Masks.OWN)
    assert mask("American lawyers sue the judge.") == f"American {MASK} sue the {MASK}."
    assert mask("The American judge.") == f"The {MASK} {MASK}."


def test_judgements_of_a_review_are_masked_as_their_sample_was(tmp_path: Path) -> None:
    text = "lawyer is a friend of a lawyer"
    generated = Item(
        id="1",
        sentence=text,
        masked=f"{MASK} is a friend of a lawyer",
        targets=("lawyer",),
        source="kb",
        label=None,
        score=None,
        by=None,
        stratum="",
    )
    path = tmp_path / "ours.csv"
    keep(sample_file(path), Sample(Wish(), (generated,), {"": 1}))
    mask = mask_by_files((path,), ratings(text), LIST, Masks.OWN)
    assert mask(text.upper()) == f"{MASK} is a friend of a lawyer"
    assert mask_by_files((path,), ratings(text), LIST, Masks.ALL)(text) == f"{MASK} is a friend of a {MASK}"


def test_by_the_graph(graph: Graph) -> None:
    """Every statement's text gives the text that was scored, by either rule; another sentence is masked by its words."""
    fill(
        graph,
        *(Target(name, "other", aliases=tuple(aliases)) for name, *aliases in LIST),
        triple("american lawyer", "/r/IsA", "lawyer"),
        triple("american lawyer", "/r/RelatedTo", "beard"),
        Statement("American judges are kind.", "justice"),
        Statement("lawyer is capable of sue lawyer", "lawyer", {"head": "lawyer"}),
    )
    label(graph, scorers.get("vader"))
    said = ("American Lawyer is a lawyer", "american judges are kind.", "lawyer is capable of sue lawyer", "a judge!")
    mask = mask_by_graph(graph, ratings(*said), Masks.OWN, None)
    masked = [mask(text) for text in said]
    assert masked == [
        f"american {MASK} is a {MASK}",
        f"American {MASK} are kind.",
        f"{MASK} is capable of sue lawyer",
        f"a {MASK}!",
    ]
    rows = [*graph.rows("label/named_triples"), *graph.rows("label/statements")]
    assert {row["sentence"] for row in rows} == set(masked[:3])
    every = mask_by_graph(graph, ratings(*said), Masks.ALL, None)
    assert [every(text) for text in said] == [
        f"{MASK} {MASK} is a {MASK}",
        f"{MASK} {MASK} are kind.",
        f"{MASK} is capable of sue {MASK}",
        f"a {MASK}!",
    ]


def test_the_rule_is_that_of_the_labels(graph: Graph) -> None:
    fill(graph, Target("lawyer", "profession"), triple("lawyer", "/r/IsA", "hero"))
    label(graph, scorers.get("vader"))
    label(graph, scorers.get("vader"), measure="tone", masking="all")
    assert [standing_scorer(graph, name).masking for name in ("sentiment", "tone")] == [Masks.OWN, Masks.ALL]
    fill(graph, Target("devil", "other"), source="more")
    assert standing_scorer(graph, "sentiment").masking == Masks.OWN
    with pytest.raises(InputError, match="other targets are listed now"):
        standing_scorer(graph, "tone")
