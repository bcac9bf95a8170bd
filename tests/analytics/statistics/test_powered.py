"""Rates from people's sample and the scorer's labels together: which rows and sentences, and where the premise does not hold."""

from __future__ import annotations

import json
from math import isnan
from pathlib import Path
from typing import Any

import pytest

from harmgraph.__main__ import main
from harmgraph.analytics.labelling.drawn_sample import Item, Sample, keep, sample_file
from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.review.judgements import Judgement, Judgements
from harmgraph.analytics.statistics.corrected import corrected
from harmgraph.analytics.statistics.measurements import history, save_measurements
from harmgraph.analytics.statistics.number_id import NumberParts, options_of
from harmgraph.analytics.statistics.powered import ENOUGH, Powered, powered
from harmgraph.analytics.statistics.statistic import statistic
from harmgraph.common.errors import InputError
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Target
from harmgraph.schema_command import schema_of
from tests.support import uneven as uneven_world
from tests.support.filling import fill, triple
from tests.support.reviewing import sample_of
from tests.support.schemas import faults
from tests.support.uneven import SAYS, said_of

NUMBERS = {**uneven_world.NUMBERS, "muslim": {"positive": 0, "neutral": 5, "negative": 0}}


@pytest.fixture
def uneven(graph: Graph) -> Graph:
    """Sixty statements about lawyers, twice as many about nurses, five about muslims, and a nurse who is a lawyer."""
    fill(
        graph,
        *(Target(name, "religion" if name == "muslim" else "profession") for name in NUMBERS),
        *said_of(NUMBERS),
        triple("nurse", "RelatedTo", "lawyer"),
        source="kb",
    )
    label(graph, scorers.get("vader"))
    return graph


def said(item: Item) -> str:
    """What people say: what VADER says, and that neutral statements about lawyers are prejudice."""
    scored = next((name for name, words in SAYS.items() if words in item.sentence), "neutral")
    return "negative" if (item.targets, scored) == (("lawyer",), "neutral") else scored


def judged(path: Path, sample: Sample, number: int | None = None) -> Path:
    keep(sample_file(path), sample)
    judgements = Judgements(path)
    for item in sample.items[:number]:
        judgements.add(Judgement(item.sentence, said(item), "ann"))
    return path


def found(graph: Graph, path: Path, **asked: Any) -> Powered:
    return powered(statistic("overgeneralization"), graph, (path,), **asked)


def number_id(basis: dict[str, Any]) -> str:
    """The id of a corrected number with this basis."""
    metric = "overgeneralization.o_minus_corrected"
    return NumberParts(
        metric=metric,
        category="all",
        target=None,
        source="kb",
        measure="sentiment",
        lists=(),
        scorers=(),
        options=options_of("stats overgeneralization", {"corrected": basis}, metric, of_target=False),
    ).number_id()


def by_row(frame: Any) -> dict[tuple[str | None, str], dict[str, Any]]:
    return {(row["target"], row["category"]): row for row in frame.to_dict("records")}


@pytest.mark.parametrize("strata", [("target", "label"), ("label",), ("target",), ("score",), ()])
def test_a_sample_of_everything_gives_what_people_say(uneven: Graph, tmp_path: Path, strata: tuple[str, ...]) -> None:
    """All 186 statements are judged: the confusion matrix would take lawyers and nurses to be scored alike."""
    result = found(uneven, judged(tmp_path / "ours.csv", sample_of(uneven, strata=strata, size=300)))
    rows = by_row(result.frame)
    assert list(rows) == [
        (None, "all"),
        (None, "profession"),
        ("lawyer", "profession"),
        ("nurse", "profession"),
        ("muslim", "religion"),
    ]
    lawyer, nurse = rows["lawyer", "profession"], rows["nurse", "profession"]
    assert (lawyer["judged"], lawyer["n"]) == (61, 61)
    assert lawyer["o_minus_corrected"] == pytest.approx(100 * 40 / 61)
    assert lawyer["o_plus_corrected"] == pytest.approx(lawyer["o_plus"])
    assert nurse["o_minus_corrected"] == pytest.approx(nurse["o_minus"])
    assert nurse["o_minus_corrected_low"] < nurse["o_minus_corrected"] < nurse["o_minus_corrected_high"]
    muslim = rows["muslim", "religion"]
    assert muslim["judged"] == 5
    assert isnan(muslim["o_minus_corrected"])
    # Of both professions the statement about both counts twice, over all statements once.
    assert rows[None, "profession"]["o_minus_corrected"] == pytest.approx(100 * 60 / 182)
    assert result.overall.shares[2] == pytest.approx(60 / 186)
    assert result.overall.judged == 186
    assert not any(row["constrained"] for row in rows.values())
    assert any(f"1 of 3 targets have fewer than {ENOUGH} judged sentences" in line for line in result.remarks())


def test_strata_count_by_their_statements(uneven: Graph, tmp_path: Path) -> None:
    """Equally many of each label are judged; neutral ones are half of the statements."""
    sample = sample_of(uneven, strata=("target", "label"), size=100)
    result = found(uneven, judged(tmp_path / "ours.csv", sample))
    rows = by_row(result.frame)
    assert rows["nurse", "profession"]["o_minus_corrected"] == pytest.approx(100 * 20 / 121, abs=1e-9)
    assert rows["lawyer", "profession"]["judged"] < 61
    low, high = (rows["lawyer", "profession"][f"o_minus_corrected_{end}"] for end in ("low", "high"))
    assert low < 100 * 40 / 61 < high


def test_only_sentences_of_the_source_count(uneven: Graph, tmp_path: Path) -> None:
    fill(
        uneven,
        *(triple("lawyer", "IsA", f"dull speaker {number}") for number in range(40)),
        triple("lawyer", "IsA", "tall reader 0"),
        source="other",
    )
    label(uneven, scorers.get("vader"))
    path = judged(tmp_path / "ours.csv", sample_of(uneven, strata=(), size=400))
    result = found(uneven, path, source="other")
    other = by_row(result.frame)["lawyer", "profession"]
    assert (other["n"], other["judged"]) == (41, 41)
    assert (result.without, result.of_other_sources) == (0, 185)
    assert result.basis()["sentences_without_score"] == 0
    assert "185 judged sentences are of other sources alone and are left out" in list(result.remarks())
    assert not any("without a label" in line for line in result.remarks())
    assert by_row(found(uneven, path, source="kb").frame)["lawyer", "profession"]["judged"] == 61
    kb = judged(tmp_path / "kb.csv", sample_of(uneven, source="kb", size=60))
    with pytest.raises(InputError, match="are of a sample of kb; --source kb"):
        found(uneven, kb, source="other")


def test_what_the_sample_does_not_allow_is_one_line(uneven: Graph, tmp_path: Path) -> None:
    path = judged(tmp_path / "ours.csv", sample_of(uneven, strata=("target", "label"), size=60), number=4)
    with pytest.raises(InputError, match=r"strata of the sample have no judged sentence, such as .*; judge on"):
        found(uneven, path)
    path = judged(tmp_path / "all.csv", sample_of(uneven, size=60))
    with pytest.raises(InputError, match="leave --weigh out"):
        found(uneven, path, weigh=("sentiment",))
    (mine,) = (one.name for one in uneven.target_lists())
    with uneven.about([mine]), pytest.raises(InputError, match="targets of every list; leave --targets out"):
        found(uneven, path)
    with pytest.raises(InputError, match=r"alone\.csv: people's labels do not say which statements .* --corrected-by"):
        found(uneven, path.rename(tmp_path / "alone.csv"))
    with pytest.raises(InputError, match="has no rates to correct"):
        powered(statistic("disparity"), uneven, (path,))
    path = judged(tmp_path / "lawyers.csv", sample_of(uneven, target="lawyer", size=60))
    result = found(uneven, path, target="lawyer")
    assert result.overall.shares[2] == pytest.approx(result.frame["o_minus_corrected"][0] / 100)


def test_saved_numbers(uneven: Graph, tmp_path: Path) -> None:
    over = statistic("overgeneralization")
    made = found(uneven, judged(tmp_path / "ours.csv", sample_of(uneven, size=300)), source="kb")
    save_measurements(uneven, over, made.frame, {"source": "kb", "measure": "sentiment", "corrected": made.basis()})
    kept = history(uneven, "overgeneralization.o_minus_corrected", target="lawyer").iloc[0]
    lawyer = by_row(made.frame)["lawyer", "profession"]
    assert [kept[name] for name in ("value", "value_low", "value_high")] == [
        lawyer[f"o_minus_corrected{end}"] for end in ("", "_low", "_high")
    ]
    assert len(history(uneven, "overgeneralization.o_minus_corrected", category="all", source="kb")) == 1
    assert json.loads(json.dumps(made.basis()))["method"] == "ppi"
    ids = [number_id(made.basis())]
    assert number_id(found(uneven, tmp_path / "ours.csv", source="kb").basis()) == ids[0], "the same labels again"
    for name, other in (("prejudice", "neutral"), ("neutral", "prejudice")):  # as many labels of as many sentences
        path = judged(tmp_path / f"{name}.csv", sample_of(uneven, size=300))
        text = path.read_text("utf-8")
        path.write_text(text.replace(f'"{name}"', f'"{other}"', 1), "utf-8")
        assert path.read_text("utf-8") != text
        ids.append(number_id(found(uneven, path, source="kb").basis()))
    corrected_by = corrected(over, uneven, (tmp_path / "ours.csv",), source="kb", resamples=20)
    ids.append(number_id(corrected_by.basis()))
    assert len(set(ids)) == 4


def test_the_command(uneven: Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = judged(tmp_path / "ours.csv", sample_of(uneven, size=150))
    asked = ["stats", "overgeneralization", "--corrected", str(path), "--resamples", "100"]
    assert main([*asked, "-o", "json", "--save"]) == 0
    out, err = capsys.readouterr()
    rows = json.loads(out)
    assert (rows[0]["category"], rows[0]["judged"]) == ("all", 150)
    assert faults(schema_of("stats", "overgeneralization"), rows) == []
    assert "judgements of 150 sentences and the labels of vader" in err
    assert "for each label of the scorer, people say favouritism, neutral, prejudice: positive 100.0/0.0/0.0 %" in err
    assert "over all statements, each counted once: favouritism" in err
    assert "confusion matrix" not in err
    assert main([*asked, "--corrected-by", "confusion", "-o", "json"]) == 0
    out, err = capsys.readouterr()
    assert "judged" not in json.loads(out)[0]
    assert "condition number" in err
    assert "by the confusion matrix: these labels" not in err, "it was asked for"
    sample_file(path).unlink()
    assert main(asked) == 0
    assert "by the confusion matrix: these labels do not say which statements" in capsys.readouterr().err
    assert main([*asked, "--corrected-by", "ppi"]) == 1
    assert "judge a sample with 'harmgraph review', or take --corrected-by confusion" in capsys.readouterr().err
    assert main(["stats", "overgeneralization", "--corrected-by", "ppi"]) == 2
