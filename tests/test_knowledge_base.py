"""The Python door: a knowledge base does what the commands do, and says what is wrong as they do."""

from __future__ import annotations

import inspect
from pathlib import Path

import pandas
import pytest

import harmgraph as hg
from harmgraph.frame_file import frame_file
from harmgraph.function_scorer import FunctionScorer
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.digest import digest
from harmgraph.graph.records import Concept, Target, Triple
from harmgraph.knowledge_base import KnowledgeBase
from harmgraph.statistics import Statistics, names
from tests.support.filling import fill

TRIPLES = [("lawyer", "IsA", "liar", 2.0), ('the "good", one', "Is A", "café\nnoir", None), ("lawyer", "IsA", "x", 1.0)]
FRAME = pandas.DataFrame(TRIPLES, columns=["subject", "predicate", "object", "strength"])
NAMES = {"head": "subject", "relation": "predicate", "tail": "object", "weight": "strength"}


@pytest.fixture
def kb(graph: Graph) -> KnowledgeBase:
    return KnowledgeBase(graph, progress=False)


def test_a_frame_loads_as_its_file_does(kb: KnowledgeBase, tmp_path: Path) -> None:
    report = kb.load_frame(FRAME, source="mine", **NAMES)
    assert (report.in_graph, report.rejected, report.added) == (3, 0, 3)
    weights = kb.cypher("MATCH (h)-[r {source: 'mine'}]->(t) RETURN t.text AS tail, r.weight AS weight ORDER BY tail")
    assert weights["tail"].tolist() == ["café noir", "liar", "x"]
    assert weights["weight"].fillna(-1).tolist() == [-1, 2, 1]
    before = digest(kb.graph)
    path = tmp_path / "mine.csv"
    path.write_text('lawyer,IsA,liar,2.0\n"the ""good"", one",Is A,café noir\nlawyer,IsA,x,1.0\n', encoding="utf-8")
    given = {"columns": "head,relation,tail,weight", "delimiter": "comma", "quotes": True, "header": False}
    assert kb.load("triples", path, source="mine", **given).import_id == report.import_id
    assert digest(kb.graph) == before


def test_a_row_that_is_no_triple_is_rejected_with_its_number(kb: KnowledgeBase, tmp_path: Path) -> None:
    frame = pandas.DataFrame([("a", "IsA", "b"), ("a", None, "c")], columns=["head", "relation", "tail"])
    rejects = tmp_path / "rejects.tsv"
    with pytest.raises(hg.TooManyRejects):
        kb.load_frame(frame, source="mine", rejects=rejects)
    assert "\t2\t" in rejects.read_text(encoding="utf-8")
    assert kb.load_frame(frame, source="mine", max_rejects=0.5).rejected == 1


def test_frames_of_polars_and_arrow_load_as_one_of_pandas_does(kb: KnowledgeBase) -> None:
    polars = pytest.importorskip("polars")
    report = kb.load_frame(FRAME, source="mine", **NAMES)
    for frame in (polars.DataFrame(FRAME), polars.DataFrame(FRAME).to_arrow()):
        again = kb.load_frame(frame, source="mine", **NAMES)
        assert (again.import_id, again.unchanged) == (report.import_id, True)
    with pytest.raises(hg.BadName, match="'nothing' is not in the data frame; it has subject"):
        kb.load_frame(polars.DataFrame(FRAME), source="mine", head="nothing")
    with pytest.raises(hg.InputError, match="a list is no data frame; give one of pandas, Polars or Arrow"):
        kb.load_frame([1], source="mine")  # type: ignore[arg-type]


def test_a_missing_column_is_named() -> None:
    with (
        pytest.raises(hg.BadName, match="'nothing' is not in the data frame; it has subject"),
        frame_file(FRAME, {"head": "nothing"}, "mine"),
    ):
        pass


def test_a_function_labels(kb: KnowledgeBase) -> None:
    fill(kb.graph, Target("lawyer", "profession"), Triple(Concept("lawyer"), "IsA", Concept("liar")))
    seen = []

    def judge(text: str) -> float:
        seen.append(text)
        return -0.5

    report = kb.label(judge, measure="mine")
    assert dict(report.labels) == {"negative": 1}
    assert seen == [text for text in seen if "lawyer" not in text], "the target is masked"
    assert kb.label(judge, measure="mine").up_to_date == 1
    assert kb.label(lambda text: 1.0, measure="mine").labels == {"positive": 1}
    assert kb.stats.examples(target="lawyer", measure="mine")["label"].tolist() == ["positive"]
    with pytest.raises(hg.BadName, match="measure='mine'"):
        kb.label(judge)


@pytest.mark.parametrize(
    ("opinion", "label", "value"),
    [
        (3, "positive", 1.0),
        (-0.2, "negative", -0.2),
        (0, "neutral", 0.0),
        ("negative", "negative", -1.0),
        ("odd", "odd", 0.0),
    ],
)
def test_what_a_function_may_say(opinion: float | str, label: str, value: float) -> None:
    (score,) = FunctionScorer(lambda _: opinion, "mine").scores(["text"], {})
    assert score == hg.Score(label, value)
    assert FunctionScorer(lambda _: None, "mine").scores(["text"], {}) == [None]


def test_another_code_is_another_version() -> None:
    def one(text: str) -> float:
        return sum(0.5 for _ in text)

    def other(text: str) -> float:
        return sum(0.25 for _ in text)

    versions = {FunctionScorer(function, "mine").version for function in (one, other)}
    assert len(versions) == 2
    assert FunctionScorer(one, "mine").version in versions, "it is the same each time"


def test_every_statistic_is_a_function_with_a_signature(kb: KnowledgeBase) -> None:
    assert dir(kb.stats) == list(names())
    for name in kb.stats:
        function = getattr(kb.stats, name)
        assert function.__doc__
        assert inspect.signature(function).parameters
    assert "source=None" in str(inspect.signature(kb.stats.disparity))
    assert "resamples=2000" in str(inspect.signature(kb.stats.disparity))
    assert "Args:" in str(kb.stats.disparity.__doc__)
    with pytest.raises(AttributeError, match="disparity"):
        Statistics(kb.graph).dispariti  # noqa: B018
    assert "\ndisparity           How unequally targets fare" in repr(kb.stats)


def test_a_statement_that_writes_is_refused(kb: KnowledgeBase) -> None:
    with pytest.raises(hg.GraphError, match=r"(?i)writ"):
        kb.cypher("CREATE (:Concept {key: 'en/x'})")
    assert kb.cypher("MATCH (n:Concept) RETURN count(n) AS n")["n"].tolist() == [0]


def test_errors_are_those_of_the_commands(kb: KnowledgeBase) -> None:
    with pytest.raises(hg.UnknownMember, match="conceptnet"):
        kb.load("conceptnte", "x")
    with pytest.raises(hg.NotFound, match="nowhere"):
        kb.stats.disparity(source="nowhere")
    with pytest.raises(hg.InputError):
        kb.figure("bars", source="nowhere")


def test_what_is_exported_is_there() -> None:
    assert [name for name in hg.__all__ if not hasattr(hg, name)] == []
    assert set(hg.__all__) <= set(dir(hg))
    with pytest.raises(AttributeError, match="nothing"):
        hg.nothing  # noqa: B018
