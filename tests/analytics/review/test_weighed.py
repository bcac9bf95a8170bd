"""Rates corrected by a review: each sentence stands for its part of its stratum, with the label that it has in the graph."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from harmgraph.analytics.labelling.drawn_sample import Item, Sample, keep, sample_file
from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.review.judgements import Judgement, Judgements
from harmgraph.analytics.statistics.corrected import Corrected, corrected
from harmgraph.analytics.statistics.misclassification import RatedSentences, SampleChoice, matrix
from harmgraph.analytics.statistics.statistic import statistic
from harmgraph.common.errors import InputError
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Target
from harmgraph.graph.statements import parse
from tests.support.filling import fill, triple
from tests.support.reviewing import sample_of
from tests.support.uneven import NUMBERS, SAYS, said_of


@pytest.fixture
def uneven(graph: Graph) -> Graph:
    """Sixty statements about lawyers and twice as many about nurses, who have four times as many neutral ones."""
    fill(
        graph,
        *(Target(name, "profession") for name in NUMBERS),
        *said_of(NUMBERS),
        source="kb",
    )
    return graph


def said(item: Item) -> str:
    """What people say: what VADER says, and that neutral statements about lawyers are prejudice."""
    scored = next(name for name, words in SAYS.items() if words in item.sentence)
    return "negative" if (item.targets, scored) == (("lawyer",), "neutral") else scored


def judged(path: Path, sample: Sample, number: int | None = None, *, alike: bool = False) -> Path:
    """The files of a review; ``alike`` if people say what the scorer says."""
    keep(sample_file(path), sample)
    judgements = Judgements(path)
    for item in sample.items[:number]:
        judgements.add(Judgement(item.sentence, item.label or "" if alike else said(item), "ann"))
    return path


def found(graph: Graph, path: Path, **asked: object) -> Corrected:
    return corrected(statistic("overgeneralization"), graph, (path,), **{"resamples": 100, **asked})  # type: ignore[arg-type]


@pytest.mark.parametrize("strata", [("target", "label"), ("target", "score"), ("label",), ("target",), ()])
def test_every_stratum_counts_as_much_as_it_has_statements(
    uneven: Graph, tmp_path: Path, strata: tuple[str, ...]
) -> None:
    """People would call 60 of 180 statements prejudice; strata of both, unweighted, say that half of the neutral ones are."""
    label(uneven, scorers.get("vader"))
    sample = sample_of(uneven, strata=strata, size=90)
    result = found(uneven, judged(tmp_path / "ours.csv", sample))
    assert result.rated.n_sentences == 90
    drawn = {item.stratum: 0 for item in sample.items}
    for item in sample.items:
        drawn[item.stratum] += 1
    weights = [sample.statements[item.stratum] / drawn[item.stratum] for item in sample.items]
    neutral = [(item, weight) for item, weight in zip(sample.items, weights, strict=True) if item.label == "neutral"]
    bad = sum(weight for item, weight in neutral if said(item) == "negative")
    negative = sum(weight for item, weight in zip(sample.items, weights, strict=True) if item.label == "negative")
    assert result.matrix.values[2] == pytest.approx([0, bad / (bad + negative), negative / (bad + negative)])
    if len(strata) == 2:
        assert result.overall.solved[2] == pytest.approx(60 / 180)
    assert result.sample is not None
    assert (result.sample.not_of_it, result.sample.wider) == (0, False)


def test_many_small_strata_are_each_resampled(graph: Graph, tmp_path: Path) -> None:
    """Ten groups with three labels, five sentences each, and one with a single statement: all are judged, none is refused."""
    groups = [f"group{number}" for number in range(10)]
    fill(
        graph,
        *(Target(name, "profession") for name in (*groups, "hermit")),
        *(
            triple(name, "IsA", f"{words} {number}")
            for name in groups
            for words in SAYS.values()
            for number in range(5)
        ),
        triple("hermit", "IsA", SAYS["neutral"]),
        source="kb",
    )
    label(graph, scorers.get("vader"))
    sample = sample_of(graph, strata=("target", "label"), size=151)
    result = found(graph, judged(tmp_path / "ours.csv", sample, alike=True), resamples=400)
    assert result.rated.n_sentences == 151
    assert result.matrix.lost == 0
    assert result.sample is not None
    assert result.sample.single == 0, "the hermit's stratum is known in full"
    drawn = sample_of(graph, strata=("target", "label"), size=31)
    result = found(graph, judged(tmp_path / "few.csv", drawn, alike=True))
    assert result.sample is not None
    assert result.sample.single == 30
    assert any("30 strata of the sample rest on one judged sentence each" in line for line in result.remarks())


def test_intervals_of_strata_cover_what_they_should() -> None:
    """Of what people call neutral .3 are told negative in one stratum, .1 in the other, which is four times as large."""
    generator = np.random.default_rng(5)
    shares, wrong, size = np.array([0.2, 0.8]), (0.3, 0.1), 60
    truth = float(shares @ wrong)
    within = 0
    for _ in range(200):
        table = np.zeros((2 * size + 40, 3, 3), dtype=np.int64)
        for stratum, rate in enumerate(wrong):
            missed = generator.random(size) < rate
            table[np.arange(stratum * size, (stratum + 1) * size), 1, np.where(missed, 2, 1)] = 1
        table[2 * size : 2 * size + 20, 0, 0] = 1
        table[2 * size + 20 :, 2, 2] = 1
        of = np.repeat([0, 1, 2, 3], [size, size, 20, 20])
        choice = SampleChoice(("a", "b", "c", "d"), of, np.array([*(0.8 * shares), 0.1, 0.1]), stratified=True)
        drawn = matrix(RatedSentences(table), chosen=choice, resamples=300, seed=1).drawn[:, 1, 2]
        low, high = np.quantile(drawn, [0.025, 0.975])
        within += low <= truth <= high
    assert 0.9 <= within / 200 <= 0.99


def test_labels_of_other_sentences_are_told_and_another_source_is_refused(uneven: Graph, tmp_path: Path) -> None:
    label(uneven, scorers.get("vader"))
    path = judged(tmp_path / "ours.csv", sample_of(uneven, source="kb", size=60))
    Judgements(path).add(Judgement("lawyer is a nice chap", "positive", "ann"))
    with pytest.raises(InputError, match="are of a sample of kb; --source kb"):
        found(uneven, path)
    result = found(uneven, path, source="kb")
    assert result.sample is not None
    assert (result.sample.not_of_it, result.without) == (1, 0)
    assert any("1 labelled sentences are not of the sample" in line for line in result.remarks())
    every = found(uneven, judged(tmp_path / "every.csv", sample_of(uneven, size=60)), source="kb")
    assert every.sample is not None
    assert every.sample.wider


def test_what_the_sample_does_not_allow_is_one_line(uneven: Graph, tmp_path: Path) -> None:
    label(uneven, scorers.get("vader"))
    path = judged(tmp_path / "ours.csv", sample_of(uneven, strata=("target", "label"), size=60), number=4)
    with pytest.raises(
        InputError, match=r"strata of the sample have no judged sentence, such as .* % of the statements; judge on"
    ):
        found(uneven, path)
    path = judged(tmp_path / "all.csv", sample_of(uneven, size=60))
    with pytest.raises(InputError, match="leave --weigh out"):
        found(uneven, path, weigh=("sentiment",))
    path = judged(tmp_path / "lawyers.csv", sample_of(uneven, target="lawyer", size=60), alike=True)
    with pytest.raises(InputError, match="are of a sample of lawyer alone; --target lawyer"):
        found(uneven, path)
    result = found(uneven, path, target="lawyer")
    assert result.overall.shares == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert result.graph_shares == pytest.approx((1 / 3, 1 / 3, 1 / 3))


def test_the_labels_of_the_graph_count_also_where_their_scorer_cannot_be_asked(uneven: Graph, tmp_path: Path) -> None:
    label(uneven, scorers.get("vader"), mask_phrases=True)
    path = judged(tmp_path / "ours.csv", sample_of(uneven, size=90))
    assert found(uneven, path).by.endswith("(phrases=masked)")
    with pytest.raises(InputError, match="label again without --mask-phrases"):
        found(uneven, path.rename(tmp_path / "alone.csv"))
    uneven.write(parse("by", "MATCH ()-[r]->() WHERE r.sentiment IS NOT NULL SET r.sentiment_by = 'oracle@1'"))
    path = judged(tmp_path / "theirs.csv", sample_of(uneven, size=90))
    result = found(uneven, path)
    assert (result.by, result.rated.n_sentences) == ("oracle@1", 90)


def test_a_later_scorer_is_asked_about_the_sentences_as_the_graph_masks_them(uneven: Graph, tmp_path: Path) -> None:
    """A tail that is another target's name stays as it is: in the graph it is not masked either."""
    label(uneven, scorers.get("vader"))
    path = judged(tmp_path / "ours.csv", sample_of(uneven, size=90))
    label(uneven, scorers.get("opinion"))
    fill(uneven, Target("liar", "profession"), Target("reader", "profession"), source="more")
    result = found(uneven, path, measure="opinion")
    assert result.by.startswith("opinion")
    assert result.matrix.values[2][2] > 0, "liars are not masked"
