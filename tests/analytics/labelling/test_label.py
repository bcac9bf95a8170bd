"""Labels in a real graph: who is scored, what is written, what is scored again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from harmgraph.analytics.labelling.label import label
from harmgraph.common.errors import BadName, Busy, InputError, NotFound
from harmgraph.common.scorer import Score, Scorer, scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.sentence_targets import NOT_YET, SEARCHED
from harmgraph.graph.records import Concept, Statement, Target, Triple
from tests.support.filling import fill, triple

LAWYER = Target("lawyer", "profession")
JUDGE = Target("judge", "profession", aliases=("justice",))


def labels(graph: Graph) -> dict[str, tuple[str, str]]:
    rows = graph.rows("label/all_triples")
    found = {row["sentence"]: row["by"] for row in rows if row["sentence"]}
    found |= {row["sentence"]: row["by"] for row in graph.rows("label/statements", all=True) if row["sentence"]}
    return found


def test_only_what_names_a_target(graph: Graph) -> None:
    fill(
        graph,
        LAWYER,
        triple("lawyer", "/r/IsA", "kind person"),
        triple("devil", "/r/RelatedTo", "lawyer"),
        triple("dog", "/r/IsA", "good animal"),
        triple("lawyer", "/r/IsA", "lawyer"),
        Statement("Lawyers are awful.", "lawyer"),
        Statement("Dogs are good.", "dog"),
    )
    report = label(graph, scorers.get("vader"))
    assert report.statements == report.written == 4
    assert set(labels(graph)) == {
        "this person is a kind person",
        "devil is related to this person",
        "this person is a this person",
        "this person are awful.",
    }
    assert report.labels == {"negative": 2, "neutral": 1, "positive": 1}
    every = label(graph, scorers.get("vader"), all_statements=True)
    assert (every.statements, every.written, every.up_to_date) == (6, 2, 4)


def test_targets_found_in_a_sentence_are_masked_where_they_stand(graph: Graph) -> None:
    black, lawyer = Target("black", "origin"), Target("black lawyer", "both")
    fill(graph, black, lawyer, JUDGE, Statement("Black lawyers like black justice.", properties={SEARCHED: NOT_YET}))
    report = label(graph, scorers.get("vader"))
    assert (report.statements, report.written) == (1, 1)
    assert set(labels(graph)) == {"this person like this person this person."}
    (row,) = graph.rows("label/statements")
    assert sorted(zip(row["spans"][::2], row["spans"][1::2], strict=True)) == [(0, 13), (19, 24), (25, 32)]


def test_two_targets_in_one_triple_are_both_masked_and_scored_once(graph: Graph) -> None:
    fill(graph, LAWYER, JUDGE, triple("lawyer", "/r/Desires", "justice"))
    report = label(graph, scorers.get("vader"))
    assert (report.statements, report.scored) == (1, 1)
    assert set(labels(graph)) == {"this person desires this person"}


def test_second_run_scores_nothing_and_a_new_target_rescores_what_it_masks(graph: Graph) -> None:
    fill(graph, LAWYER, triple("lawyer", "/r/RelatedTo", "hero"), triple("lawyer", "/r/IsA", "person"))
    label(graph, scorers.get("vader"))
    again = label(graph, scorers.get("vader"))
    assert (again.written, again.scored, again.up_to_date) == (0, 0, 2)
    fill(graph, Target("hero", "other"), source="more")
    third = label(graph, scorers.get("vader"))
    assert (third.written, third.up_to_date) == (1, 1)
    assert "this person is related to this person" in labels(graph)


def test_other_options_are_another_scorer_version(graph: Graph) -> None:
    fill(graph, LAWYER, triple("lawyer", "/r/RelatedTo", "hero"))
    label(graph, scorers.get("vader"))
    strict = label(graph, scorers.get("vader"), options={"positive": 0.99})
    assert strict.written == 1
    assert strict.labels == {"neutral": 1}
    assert list(labels(graph).values()) == ["vader@3.3.2(positive=0.99)"]


class Shout(Scorer):
    """A scorer of a user's own: a measure of its own name beside the other."""

    name = "shout"
    measure = "loudness"
    citation = "this test"

    @property
    def version(self) -> str:
        return "1"

    def scores(self, texts: Sequence[str], options: Mapping[str, Any]) -> list[Score]:
        return [Score("negative" if text.isupper() else "neutral", -1.0) for text in texts]


def test_measures_live_side_by_side(graph: Graph) -> None:
    fill(graph, LAWYER, triple("lawyer", "/r/RelatedTo", "hero"))
    label(graph, scorers.get("vader"))
    label(graph, Shout())
    label(graph, scorers.get("vader"), measure="sentiment_2")
    row = graph.rows("explore/relationship_properties")[0]["properties"]
    assert (row["sentiment"], row["loudness"], row["sentiment_2"]) == ("positive", "neutral", "positive")
    assert row["sentiment_by"] == "vader@3.3.2"


def test_a_new_sentence_makes_every_measure_stale(graph: Graph) -> None:
    fill(graph, LAWYER, triple("lawyer", "/r/RelatedTo", "terrorist"))
    label(graph, scorers.get("vader"))
    label(graph, scorers.get("vader"), measure="second")
    fill(graph, Target("terrorist", "other"), source="more")
    assert label(graph, scorers.get("vader")).written == 1
    assert label(graph, scorers.get("vader"), measure="second").written == 1
    row = graph.rows("explore/relationship_properties")[0]["properties"]
    assert (row["sentiment"], row["second"]) == ("neutral", "neutral")


def test_bad_names(graph: Graph) -> None:
    fill(graph, LAWYER, triple("lawyer", "/r/RelatedTo", "hero"))
    with pytest.raises(NotFound, match="no source named 'nope'"):
        label(graph, scorers.get("vader"), source="nope")
    for name in (
        "Sentiment",
        "a b",
        "source",
        "score",
        "surface_text",
        "sentiment_by",
        "weight",
        "x`}) DETACH DELETE n //",
    ):
        with pytest.raises(BadName):
            label(graph, scorers.get("vader"), measure=name)


def test_one_command_at_a_time(graph: Graph) -> None:
    fill(graph, LAWYER, triple("lawyer", "/r/RelatedTo", "hero"))
    with graph.holding("load of a test"), pytest.raises(Busy, match="load of a test"):
        label(graph, scorers.get("vader"))
    assert label(graph, scorers.get("vader")).written == 1


def test_phrases_can_be_masked_too(graph: Graph) -> None:
    """The word "capable" is a pleasant word for VADER, whatever someone is capable of."""
    said = {"head": "lawyer", "relation": "CapableOf", "tail": "wait"}
    fill(
        graph,
        LAWYER,
        triple("lawyer", "/r/CapableOf", "sit"),
        triple("lawyer", "/r/CapableOf", "murder"),
        Statement("lawyer is capable of wait", "lawyer", said),
        Statement("Lawyers are capable.", "lawyer"),
    )
    assert label(graph, scorers.get("vader")).labels == {"negative": 1, "positive": 3}
    report = label(graph, scorers.get("vader"), measure="tone", mask_phrases=True)
    assert report.by == "vader@3.3.2(phrases=masked)"
    assert report.labels == {"negative": 1, "neutral": 2, "positive": 1}  # no triple stands behind the last sentence
    again = label(graph, scorers.get("vader"), measure="tone", mask_phrases=True)
    assert (again.written, again.up_to_date) == (0, 4)
    strict = label(graph, scorers.get("vader"), measure="tone", mask_phrases=True, options={"positive": 0.99})
    assert strict.by == "vader@3.3.2(positive=0.99,phrases=masked)"
    assert "this person is capable of sit" in labels(graph)  # what people read has its phrase


def test_every_listed_target_can_be_masked(graph: Graph) -> None:
    """The rule is in the label, and the list: another list is another label. What people read stays as it is."""
    fill(
        graph,
        LAWYER,
        Target("friend", "other"),
        triple("lawyer", "/r/IsA", "friend of friends"),
        Statement("Lawyers are friends, odd?", "lawyer"),
    )
    assert label(graph, scorers.get("vader")).labels == {"positive": 2}
    shown = labels(graph).keys()
    report = label(graph, scorers.get("vader"), measure="tone", masking="all")
    assert report.labels == {"negative": 1, "neutral": 1}
    assert report.by.startswith("vader@3.3.2(masks=all:")
    assert labels(graph).keys() == shown
    assert set(labels(graph).values()) == {"vader@3.3.2"}
    assert label(graph, scorers.get("vader"), measure="tone", masking="all").up_to_date == 2
    assert label(graph, scorers.get("vader")).up_to_date == 2
    fill(graph, Target("odd", "other"), source="more")
    assert label(graph, scorers.get("vader")).up_to_date == 2, "another list changes no label by the default rule"
    assert label(graph, scorers.get("vader"), measure="tone", masking="all").labels == {"neutral": 2}
    unmasked = label(graph, scorers.get("vader"), measure="bare", masking="none")
    assert (unmasked.by, unmasked.labels) == ("vader@3.3.2(masks=none)", {"positive": 2})


def test_both_ends_of_a_triple_are_looked_at_for_their_language(graph: Graph) -> None:
    """ConceptNet with all its languages: words are synonyms of words of other languages, and link to web addresses."""

    def of(head: Concept, tail: Concept, relation: str = "Synonym") -> Triple:
        return Triple(head, relation, tail)

    lawyer, anwalt = Concept("lawyer"), Concept("anwalt", "de")
    fill(
        graph,
        LAWYER,
        Target("anwalt", "profession", aliases=("jurist",), language="de"),
        of(lawyer, anwalt),
        of(Concept("avocat", "fr"), lawyer),
        of(anwalt, Concept("jurist", "de")),
        of(lawyer, Concept("attorney", "en-gb")),
        of(lawyer, Concept("http://example.org/lawyer", "url"), "ExternalURL"),
        of(Concept("chien", "fr"), Concept("dog")),
        of(Concept("dog"), Concept("hund", "de")),
    )

    def others(**given: Any) -> dict[str, int]:
        return {row["language"]: row["statements"] for row in graph.rows("label/other_languages", **given)}

    assert others() == {"de": 2, "fr": 1}
    assert others(language="de") == {"en": 3, "fr": 1}, "where both ends are of others, the head says which"
    assert others(all=True) == {"de": 3, "fr": 2}
    assert others(source="other") == {}
    with pytest.raises(InputError, match=r"statements in other languages \(2 in de, 1 in fr\)"):
        label(graph, scorers.get("vader"))
    assert label(graph, scorers.get("vader"), force=True).statements == 5
