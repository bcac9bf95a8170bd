"""The numbers behind figures, tables and pages. Each is read from the graph once, when it is first needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

from harmgraph.analytics.statistics.log_odds import marking
from harmgraph.analytics.statistics.statistic import statistic
from harmgraph.common.errors import InputError, NotFound
from harmgraph.graph.browser.workbench import store
from harmgraph.graph.connection import Graph, typed_rows
from harmgraph.graph.contents.measures import known_measure, measures
from harmgraph.graph.contents.sources import every, facts, is_list_of_targets, names
from harmgraph.graph.statements import CypherStatement, statement

if TYPE_CHECKING:
    from harmgraph.analytics.agreement.agreement import Agreement
    from harmgraph.analytics.labelling.ratings import Ratings

Rows = list[dict[str, Any]]
FIRST = ("sentiment", "regard")  # the paper's measures come before all others
EXAMPLES = 3
WORDS = 40


@dataclass(frozen=True, slots=True)
class Subject:
    """What one drawing covers.

    Attributes:
        sources: names of sources; a drawing of one source takes the first, a comparison the first two.
        measures: harm measures; a drawing of one measure takes the first.
    """

    sources: tuple[str, ...]
    measures: tuple[str, ...]

    @property
    def source(self) -> str:
        return self.sources[0]

    @property
    def measure(self) -> str:
        return self.measures[0]


@dataclass(frozen=True, slots=True)
class Compared:
    """The labels of a source compared with people's labels.

    Attributes:
        agreement: over the sentences that are in the source; None where none of them is.
        sentences: how many sentences people labelled, in the graph or not.
    """

    agreement: Agreement | None
    sentences: int


Pairs = Sequence[tuple[str, str]] | Literal["every"]
"""Pairs of sources to compare; see ``chosen_pairs``."""


class _AskedOnce(Graph):
    """A graph that answers a statement with the same parameters from memory the second time.

    Names and measures are looked up before each statistic, and nothing is written meanwhile. Frames are not kept, only what
    ``Numbers`` computes of them.
    """

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph.driver, graph.address)
        self._answers: dict[tuple[str, str], Rows] = {}
        self.asked_lists = graph.asked_lists

    @typed_rows
    def rows(self, query: str | CypherStatement, **parameters: Any) -> Rows:
        """See ``Graph.rows``."""
        asked = statement(query) if isinstance(query, str) else query
        key = asked.text, repr(sorted(asked.arguments(parameters).items()))
        if key not in self._answers:
            self._answers[key] = super().rows(asked, **parameters)
        return [dict(row) for row in self._answers[key]]


class Numbers:
    """Numbers of a graph, which is asked for each once.

    Args:
        min_support: fewest statements for a target to be shown by name.
        resamples, seed: of every bootstrap.
        ratings: people's labels, for the agreement.
    """

    def __init__(
        self,
        graph: Graph,
        *,
        min_support: int = 10,
        resamples: int = 2_000,
        seed: int = 0,
        ratings: Ratings | None = None,
    ) -> None:
        self.graph: Graph = _AskedOnce(graph)
        self.min_support = min_support
        self.resamples = resamples
        self.seed = seed
        self.ratings = ratings
        self._known: dict[tuple[str, str], Any] = {}

    @property
    def store(self) -> str:
        """Identifies the store that holds the graph."""
        return store(self.graph)

    def rows(self, name: str, **parameters: Any) -> Rows:
        """The rows of a statistic; a value that is not a number becomes None.

        Raises:
            NotFound, BadName: as ``Statistic.compute``.
        """
        from harmgraph.analytics.statistics.table import records

        def compute() -> Rows:
            frame = statistic(name).compute(self.graph, resamples=self.resamples, seed=self.seed, **parameters)
            return records(frame)

        rows: Rows = self._once(f"statistics/{name}", parameters, compute)
        return rows

    def query(self, name: str, **parameters: Any) -> Rows:
        """The rows of any other statement of ``cypher/``."""
        return self.graph.rows(statement(name), **parameters)

    def targets(self, source: str, measure: str) -> Rows:
        """O+ and O- of every target that occurs, as ``cypher/statistics/overgeneralization`` gives them."""
        return self.rows("overgeneralization", source=source, measure=measure)

    def supported(self, source: str, measure: str) -> Rows:
        """The targets with at least ``min_support`` statements."""
        return [row for row in self.targets(source, measure) if row["n"] >= self.min_support]

    def telling(self, source: str, measure: str) -> Rows:
        """For each category the targets with the surest prejudice, the surest favouritism, and the surest of both.

        They are ranked by the lower ends of their intervals, so that a target with three statements does not outrank one with
        three hundred.
        """
        rows = self.supported(source, measure)
        chosen: Rows = []
        for category in sorted({row["category"] for row in rows}):
            within = [row for row in rows if row["category"] == category]
            for worth in (_prejudice, _favouritism, lambda row: min(_prejudice(row), _favouritism(row))):
                left = [row for row in within if row not in chosen and worth(row) > 0]
                chosen += sorted(left, key=lambda row: (-worth(row), row["target"]))[:1]
        return chosen

    def unsupported(self, source: str, measure: str) -> int:
        """How many targets have fewer statements than ``min_support``."""
        return len(self.targets(source, measure)) - len(self.supported(source, measure))

    def harmed(self, source: str, measure: str, limit: int) -> Rows:
        """The targets with the surest prejudice, the worst first."""
        rows = [row for row in self.supported(source, measure) if row["negative"]]
        return sorted(rows, key=lambda row: (-_prejudice(row), -row["n"], row["target"]))[:limit]

    def examples(self, source: str, measure: str) -> Rows:
        """Statements of the telling targets, most polarised first."""
        chosen = [row["target"] for row in self.telling(source, measure)]
        return self.query("report/examples", targets=chosen, source=source, measure=measure, limit=EXAMPLES)

    def words(self, source: str, measure: str, targets: Sequence[str]) -> Rows:
        """Words that mark the negative and positive statements of targets, as ``cypher/statistics/words`` does for one.

        Returns:
            ``target``, ``label``, ``word``, ``z``, ``n``, ``other_n``, ``q``, ``all_n``, ``beyond``, ``words``; of each target
            and label those beyond chance first, then the highest z, at most ``WORDS`` of each, none with a z below 0.
        """
        rows: Rows = self._once(
            "words",
            {"source": source, "measure": measure, "targets": tuple(targets)},
            lambda: self._words(source, measure, list(targets)),
        )
        return rows

    def _words(self, source: str, measure: str, targets: list[str]) -> Rows:
        stop = next(
            parameter.default for parameter in statement("statistics/words").parameters if parameter.name == "stop"
        )
        everywhere = {row["word"]: row["n"] for row in self.query("report/background", source=source, stop=stop)}
        rows = self.query("report/words", targets=targets, source=source, measure=measure, stop=stop)
        counted = {row["target"]: row for row in self.targets(source, measure)}
        return [
            row
            for target in targets
            if target in counted
            for row in marking([row for row in rows if row["target"] == target], everywhere, WORDS, counted[target])
        ]

    def labels(self, source: str, measure: str) -> Rows:
        """How many statements have each label, and who set it."""
        return self.query("report/labels", source=source, measure=measure)

    def agreement(self, source: str, measure: str) -> Compared | None:
        """The labels in the graph compared with people's; None if there are no labels by people."""
        if self.ratings is None:
            return None
        compared: Compared = self._once(
            "agreement", {"source": source, "measure": measure}, lambda: self._agree(source, measure)
        )
        return compared

    def _agree(self, source: str, measure: str) -> Compared:
        from harmgraph.analytics.agreement.agreement import agreement
        from harmgraph.analytics.labelling.ratings import Ratings, folded

        assert self.ratings is not None
        people = self.ratings.counts
        form = {text: folded(text) for text in people}
        sentences = sorted(set(form.values()))
        rows = self.graph.rows("report/labels_of_sentences", sentences=sentences, source=source, measure=measure)
        labels = {row["sentence"]: row["label"] for row in rows}
        met = {text: counts for text, counts in people.items() if form[text] in labels}
        if not met:
            return Compared(None, len(people))
        scored = {text: labels[form[text]] for text in met}
        return Compared(
            agreement(Ratings(met), scored, resamples=min(self.resamples, 1_000), seed=self.seed), len(people)
        )

    def _once(self, name: str, parameters: dict[str, Any], compute: Any) -> Any:
        key = (name, repr(sorted(parameters.items())))
        if key not in self._known:
            self._known[key] = compute()
        return self._known[key]


def _prejudice(row: dict[str, Any]) -> float:
    return float(row["o_minus_low"]) if row["negative"] else 0.0


def _favouritism(row: dict[str, Any]) -> float:
    return float(row["o_plus_low"]) if row["positive"] else 0.0


def chosen_sources(graph: Graph, wanted: Sequence[str]) -> tuple[str, ...]:
    """The sources given, or every one that holds statements.

    Raises:
        NotFound: no source of that name.
        InputError: nothing is loaded, or the load of one was not finished.
    """
    known = names(graph)
    for source in wanted:
        if source not in known:
            raise NotFound("source", source, known)
        if facts(graph, source).get("state") != "complete":
            raise InputError("its load was not finished", where=source, remedy="run the load again, then the report")
    chosen = tuple(dict.fromkeys(wanted)) or tuple(
        str(row["name"]) for row in every(graph) if row.get("state") == "complete" and not is_list_of_targets(row)
    )
    if not chosen:
        raise InputError("nothing is loaded", remedy="load a knowledge base first ('harmgraph load --list')")
    return chosen


def chosen_pairs(sources: Sequence[str], wanted: Pairs) -> list[tuple[str, str]]:
    """The pairs of sources to compare: those given, or all of them. Without any, two sources are compared and more are not.

    Raises:
        NotFound: a source of a pair is not among the sources.
        InputError: a pair of a source and itself.
    """
    if wanted == "every" or (not wanted and len(sources) == 2):
        return list(combinations(sources, 2))
    for pair in wanted:
        for name in pair:
            if name not in sources:
                raise NotFound("source of the report", name, sources)
        if pair[0] == pair[1]:
            raise InputError("cannot be compared with itself", where=pair[0], remedy="name two sources")
    return list(dict.fromkeys(wanted))


def chosen_measures(numbers: Numbers, sources: Sequence[str], wanted: Sequence[str]) -> tuple[str, ...]:
    """The measures given, or all that label a statement of the sources, or sentiment.

    Raises:
        NotFound: a measure that was given labels no statement of the graph.
        InputError: a source has statements about targets, and none of them has a label of a measure that was given.
    """
    if wanted:
        for measure in dict.fromkeys(wanted):
            known_measure(numbers.graph, measure)
            for source in sources:
                if _unlabelled(numbers, source, measure):
                    raise InputError(
                        f"no statement carries a label of {measure}", where=source, remedy="run 'harmgraph label' first"
                    )
        return tuple(dict.fromkeys(wanted))
    ordered = sorted(
        measures(numbers.graph), key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name)
    )
    chosen = tuple(
        measure
        for measure in ordered
        if any(row["unlabelled"] < row["n"] for source in sources for row in numbers.targets(source, measure))
    )
    if not chosen and any(numbers.targets(source, FIRST[0]) for source in sources):
        raise InputError("no statement carries a label", where=", ".join(sources), remedy="run 'harmgraph label' first")
    return chosen or FIRST[:1]


def _unlabelled(numbers: Numbers, source: str, measure: str) -> bool:
    rows = numbers.targets(source, measure)
    return bool(rows) and all(row["unlabelled"] == row["n"] for row in rows)
