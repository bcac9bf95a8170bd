"""How the 1,000 sentences that people labelled were chosen, and what that makes of corrected rates.

Appendix C: "chosen randomly. We also made sure that we have good amount from each type". The released regard labels of
ConceptNet's statements show by what: by regard.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.labelling.people_masks import mask_by_list
from harmgraph.analytics.labelling.ratings import Ratings, parallel
from harmgraph.analytics.labelling.scored_ratings import scored_people
from harmgraph.analytics.statistics.corrected import corrected
from harmgraph.analytics.statistics.misclassification import SampleChoice, estimate, matrix, place, rated_sentences
from harmgraph.analytics.statistics.statistic import statistic
from harmgraph.common.label_words import PEOPLE_LABELS
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.target_names import listed_names
from harmgraph.loader.loading.default_targets import ensure
from tests.support.conceptnet import load_conceptnet

REGARD = {"-1": "negative", "0": "neutral", "1": "positive"}


@pytest.mark.long
def test_on_conceptnet(graph: Graph, data: Path) -> None:
    """The matrix was computed outside this project, by a plain loop over the files; so were the inverses from it."""
    ensure(graph)
    load_conceptnet(graph, data, keep_duplicates=True)
    label(graph, scorers.get("vader"))
    folder = data / "human_labels" / "conceptnet"
    files = (folder / "sentences.txt", folder / "labels.txt")
    found = corrected(statistic("overgeneralization"), graph, files, source="conceptnet", resamples=500)
    assert (found.rated.n_sentences, found.rated.n_ratings, found.without) == (997, 3_000, 0)
    expected = [[119, 176, 3], [111, 2_245, 63], [1, 207, 75]]
    assert found.rated.table.sum(axis=0).tolist() == expected
    assert found.matrix.condition == pytest.approx(7.70, abs=0.01)
    # VADER calls more of what people call neutral polarised (7.2 %) than of the graph (5.1 %): no shares explain that.
    assert found.overall.constrained
    assert found.overall.outside > 0.99
    assert found.overall.solved[[0, 2]] * 100 == pytest.approx([-3.3, -4.5], abs=0.2)
    weighed = corrected(
        statistic("overgeneralization"), graph, files, weigh=("sentiment",), source="conceptnet", resamples=500
    )
    assert not weighed.overall.constrained
    assert weighed.overall.solved[[0, 2]] * 100 == pytest.approx([8.2, 8.3], abs=0.4)
    every = weighed.frame.iloc[0]
    assert (every["target"], every["category"]) == (None, "all")
    assert every["o_plus_corrected_low"] < every["o_plus_corrected"] < every["o_plus_corrected_high"]
    assert every["o_plus_corrected"] > 2 * every["o_plus"]


def test_people_saw_what_regard_chose(data: Path) -> None:
    """Six to twelve times as many sentences of polarised regard as by chance; within a regard VADER made no difference."""
    ratings = parallel(
        data / "human_labels" / "conceptnet" / "sentences.txt", data / "human_labels" / "conceptnet" / "labels.txt"
    )
    vader = scorers.get("vader")
    regard: dict[str, str] = {}
    statements: list[tuple[str, str]] = []
    for line in (data / "regard" / "conceptnet_silver.tsv").read_text(encoding="utf-8").split("\n"):
        _, number, text = line.split("\t") if line else ("", "", "")
        if number in REGARD:  # 2 is other, and the file has an empty line
            regard.setdefault(text.lower(), REGARD[number])
            statements.append((text.lower(), REGARD[number]))
    mask = mask_by_list(listed_names())
    masked = {text: mask(text).lower() for text in ratings.counts}
    known = Ratings({text: counts for text, counts in ratings.counts.items() if masked[text] in regard})
    assert len(known.counts) > 600
    said = scored_people(known, vader, vader.chosen({}), mask)
    sentiments = [score.label for score in vader.scores([text for text, _ in statements], vader.chosen({})) if score]
    of_graph = Counter(zip((given for _, given in statements), sentiments, strict=True))
    of_people = Counter((regard[masked[text]], said[text]) for text in known.counts)

    def over(which: int, given: str, among: str | None = None) -> float:
        """How many times as often a label stands among people's sentences as among the statements."""
        shares = []
        for counts in (of_people, of_graph):
            inside = {key: n for key, n in counts.items() if among is None or key[0] == among}
            shares.append(sum(n for key, n in inside.items() if key[which] == given) / sum(inside.values()))
        return shares[0] / shares[1]

    assert over(0, "negative") > 6
    assert over(0, "positive") > 11
    assert over(1, "negative") > 2
    for sentiment in ("positive", "negative"):
        assert over(1, sentiment, among="neutral") == pytest.approx(1.2, abs=0.3)

    rated = rated_sentences(known, said)
    strata = SampleChoice(
        PEOPLE_LABELS,
        np.array([place(regard[masked[text]]) for text in known.counts]),
        np.array([sum(n for key, n in of_graph.items() if key[0] == one) for one in PEOPLE_LABELS]) / len(statements),
    )
    counts = [sum(n for key, n in of_graph.items() if key[1] == one) for one in PEOPLE_LABELS]
    one = estimate(matrix(rated, chosen=strata, resamples=1_000), counts)
    assert not one.constrained
    by_regard = np.array([rated.table[strata.of == number].sum(axis=(0, 2)) for number in range(3)])
    direct = strata.shares @ (by_regard / by_regard.sum(axis=1, keepdims=True))
    assert direct[[0, 2]] * 100 == pytest.approx([6.4, 4.4], abs=0.1)  # people's labels alone, weighed by regard
    assert ((one.low <= direct) & (direct <= one.high)).all()
    # Right, but VADER agrees with people so little that it tells next to nothing.
    assert one.shares[[0, 2]] * 100 == pytest.approx([7.4, 2.8], abs=0.1)
    assert one.high[0] > 0.2
