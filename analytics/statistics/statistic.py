"""Statistics per target group. Each is one file of ``cypher/statistics``, computed in the database; this gives it types,
intervals and a name. Adding one is adding a file: there is no list.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harmgraph.analytics.statistics.bootstrap import Bootstrap, bootstrap_of, with_intervals
from harmgraph.analytics.statistics.tested_rates import (
    POOLED,
    WHOLE,
    TestedRate,
    tested_rates,
    with_added,
    with_no_tests,
    with_pooled,
    with_tests,
)
from harmgraph.common.errors import InputError, NotFound, UnknownMember, UnreadableFile
from harmgraph.common.target_lists import PARAMETER as LISTS
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents import target_counts
from harmgraph.graph.contents.kept_rows import kept_rows
from harmgraph.graph.contents.measures import AXES, known_measure
from harmgraph.graph.contents.measures import NAMES as MEASURES
from harmgraph.graph.contents.sources import names as source_names
from harmgraph.graph.contents.sources import relation_names
from harmgraph.graph.contents.targets import check_standing
from harmgraph.graph.statements import Column, CypherStatement, names, statement

if TYPE_CHECKING:
    import pandas

FOLDER = "statistics"
CORRECTABLE = ("target", "category", "n", "positive", "negative", "unlabelled")  # columns of rows that can be corrected


@dataclass(frozen=True, slots=True)
class Statistic:
    """One statistic; call it with a graph and its parameters to get a data frame.

    Attributes:
        statement: the statement of ``cypher/statistics``; its header says what it takes, returns and cites.
    """

    statement: CypherStatement

    @property
    def name(self) -> str:
        return self.statement.name.removeprefix(f"{FOLDER}/")

    @property
    def group(self) -> str:
        """Its group in the list of statistics, as its header says; empty if it says none."""
        return " ".join(self.statement.notes.get("group", ()))

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of the frame that a call gives."""
        return with_added(self.statement.for_reading().columns, self.tests)

    @property
    def bootstrap(self) -> Bootstrap | None:
        """Which of its columns get bootstrap intervals; None where none does.

        Raises:
            UnreadableFile: the header lines that say so cannot be read.
        """
        return bootstrap_of(self.statement)

    @property
    def tests(self) -> tuple[TestedRate, ...]:
        """Its rates that get p, q and the least difference, see ``tested_rates``.

        Raises:
            UnreadableFile: a header line that says so cannot be read.
        """
        return tested_rates(self.statement)

    @property
    def pools(self) -> bool:
        """Whether its rates can be pooled within their categories."""
        return any(test.among_rows for test in self.tests)

    def first(self, *, pooled: bool = False, corrected: bool = False) -> tuple[str, ...]:
        """The main columns: those of its header, each corrected, pooled, or with its q."""
        tested = {test.name: test for test in self.tests}
        columns: list[str] = []
        for name in self.statement.first:
            test = tested.get(name)
            columns.append(name)
            if corrected and name in self.corrects:
                columns.append(f"{name}_corrected")
            elif test and pooled and test.among_rows:
                columns.append(f"{name}{POOLED[0]}")
            elif test and not test.mean:
                columns.append(f"{name}_q")
        return tuple(columns)

    @property
    def plain(self) -> bool:
        """Whether its rows are those of its statement, whose header names the columns, with nothing added in Python."""
        return bool(self.statement.columns) and not (self.bootstrap or self.tests)

    @property
    def corrects(self) -> tuple[str, ...]:
        """Its rates of positive and of negative statements that people's labels can correct, see ``corrected``; or none.

        Raises:
            UnreadableFile: the header line names not two of the columns, or the rows lack what a correction needs.
        """
        rates = tuple(name for note in self.statement.notes.get("corrects", ()) for name in note.split())
        lacking = {*rates, *CORRECTABLE} - {column.name for column in self.columns}
        if rates and (len(rates) != 2 or lacking):
            raise UnreadableFile(
                self.statement.name,
                f"cannot correct {' '.join(rates)}" + (f" without {', '.join(sorted(lacking))}" if lacking else ""),
                remedy="write 'corrects: RATE_OF_POSITIVE RATE_OF_NEGATIVE' and return both, " + ", ".join(CORRECTABLE),
            )
        return rates

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of its parameters that take a harm measure, or several."""
        return tuple(parameter.name for parameter in self.statement.parameters if parameter.name in MEASURES)

    @property
    def labels_all(self) -> bool:
        """Whether a measure of it is to label all statements; those of axes label only statements with a word of theirs."""
        return any(name != AXES for name in self.measures)

    @property
    def saves(self) -> tuple[str, ...]:
        """The columns that ``--save`` keeps; none where its header has no line ``measures``."""
        return tuple(column for note in self.statement.notes.get("measures", ()) for column in note.split()[1:])

    def behind(self, column: str) -> tuple[str, ...] | None:
        """The labels of the statements that a saved number counts: empty for all statements, None where no header line says."""
        for note in self.statement.notes.get("behind", ()):
            name, _, labels = note.partition(" = ")
            if name == column:
                return () if labels == "any" else tuple(labels.split())
        return None

    def __call__(
        self, graph: Graph, *, resamples: int = 2_000, seed: int = 0, pooled: bool = False, **parameters: Any
    ) -> pandas.DataFrame:
        """Computes the statistic.

        Args:
            resamples: bootstrap resamples, for statistics that take intervals that way.
            seed: of the bootstrap.
            pooled: whether to add pooled rates, and to sort by the lower ends of the first.
            parameters: those of the statement, without the dollar sign.

        Returns:
            One row for each target, category or pair, as the statement's header says; percentages are 0 to 100.

        Raises:
            NotFound: no source, no target, or no measure that labels a statement, of that name.
            BadName: a parameter that the statement does not take, or a needed one that is missing.
            InputError: it has no rates to pool.
        """
        for measure in self.measures_of(parameters):
            known_measure(graph, measure)
        return self.compute(graph, resamples=resamples, seed=seed, pooled=pooled, **parameters)

    def compute(
        self, graph: Graph, *, resamples: int = 2_000, seed: int = 0, pooled: bool = False, **parameters: Any
    ) -> pandas.DataFrame:
        """As a call, of measures that may label nothing yet: all that it counts is then unlabelled.

        Raises:
            NotFound: no source, no target, or no relation, of that name.
            BadName: a parameter that the statement does not take, or a needed one that is missing.
            InputError: it has no rates to pool.
        """
        tests = self.tests
        if pooled and not self.pools:
            raise InputError(f"the statistic {self.name} has no rates to pool", remedy="leave --pooled out")
        self._check_names(graph, parameters)
        asked = self.statement.arguments(parameters)
        if LISTS not in parameters:
            asked.pop(LISTS, None)  # the graph says which, in every query alike
        limit = asked.get("limit") if pooled else None
        if limit is not None:  # pooled rates sort anew, so the rows are cut only then
            parameters["limit"] = asked["limit"] = WHOLE["limit"]
        frame = self._frame(graph, parameters)
        for column in self.statement.columns:
            if column.type == "int|null":  # pandas would make a float of an integer beside a null
                frame[column.name] = frame[column.name].astype("Int64")
        bootstrap = self.bootstrap
        if bootstrap:
            frame = with_intervals(frame, bootstrap, resamples=resamples, seed=seed)
        if not tests:
            return frame
        if frame.empty:
            return with_no_tests(frame, tests)
        whole = self._whole(graph, frame, asked)
        frame = with_tests(frame, tests, self.statement.keys, asked, whole)
        return with_pooled(frame, tests, self.statement.keys, whole)[:limit] if pooled else frame

    def rows(self, graph: Graph, **parameters: Any) -> list[dict[str, Any]]:
        """The rows of a plain statistic, as ``table.records`` gives those of a call: the same, without importing pandas.

        Raises:
            NotFound, BadName: as for a call.
        """
        for measure in self.measures_of(parameters):
            known_measure(graph, measure)
        self._check_names(graph, parameters)
        kept = kept_rows(graph, self.statement, **parameters)
        if kept is None:
            query, parameters = target_counts.prepared(graph, self.statement, parameters)
            rows = graph.raw_rows(query, **parameters)
        else:
            names = [column.name for column in self.statement.columns]
            rows = [dict(zip(names, values, strict=True)) for values in kept]
        types = {column.name: column.type for column in self.statement.columns}
        for name in rows[0] if rows else ():
            values = [row[name] for row in rows]
            floats = _become_floats(values, whole=types.get(name) == "int|null")
            for row, value in zip(rows, values, strict=True):
                row[name] = _plain(value, floats=floats)
        return rows

    def _frame(self, graph: Graph, parameters: dict[str, Any]) -> pandas.DataFrame:
        """The rows of the statement, from what is kept where it is."""
        kept = kept_rows(graph, self.statement, **parameters)
        if kept is None:
            return target_counts.frame(graph, self.statement, **parameters)
        import pandas

        return pandas.DataFrame.from_records(kept, columns=[column.name for column in self.statement.columns])

    def _whole(self, graph: Graph, frame: pandas.DataFrame, asked: dict[str, Any]) -> Callable[[], pandas.DataFrame]:
        """The frame of every target, which is asked for once, and not at all where the frame is that already."""
        every = {name: value for name, value in WHOLE.items() if name in asked}
        known = [frame] if every.items() <= asked.items() else []

        def whole() -> pandas.DataFrame:
            if not known:
                known.append(target_counts.frame(graph, self.statement, **asked | every))
            return known[0]

        return whole

    def measures_of(self, parameters: Mapping[str, Any]) -> tuple[str, ...]:
        """The measures among the parameters, each once."""
        given = [parameters[name] for name in self.measures if parameters.get(name) is not None]
        return tuple(dict.fromkeys(name for value in given for name in ([value] if isinstance(value, str) else value)))

    def pasteable(self, **parameters: Any) -> str:
        """The statement with its parameters, ready to paste into Neo4j Browser."""
        return self.statement.pasteable(parameters)

    def _check_names(self, graph: Graph, parameters: dict[str, Any]) -> None:
        given = _given(parameters, "source", "other")
        given += parameters.get("also") or ()
        if given:
            known = source_names(graph)
            for name in given:
                if name not in known:
                    raise NotFound("source", name, known)
        categories = [name.strip() for name in (parameters.get("categories") or "").split(",") if name.strip()]
        check_standing(graph, "target", _given(parameters, "target"))
        check_standing(graph, "category", [*_given(parameters, "category"), *categories])
        relation = parameters.get("relation")
        if relation is not None:
            relations = set(relation_names(graph).values())
            if relation not in relations:
                raise NotFound("relation", relation, sorted(relations))


def _become_floats(values: Sequence[Any], *, whole: bool) -> bool:
    """Whether pandas makes a column of floats of these values, as of whole numbers beside a null."""
    numbers = [value for value in values if value is not None]
    if not numbers or any(isinstance(value, bool) or not isinstance(value, int | float) for value in numbers):
        return False
    return any(isinstance(value, float) for value in numbers) or (len(numbers) < len(values) and not whole)


def _plain(value: Any, *, floats: bool) -> Any:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    return float(value) if floats else value


def _given(parameters: Mapping[str, Any], *names: str) -> list[Any]:
    """The values of these parameters that are not null."""
    return [parameters[name] for name in names if parameters.get(name) is not None]


def statistic(name: str) -> Statistic:
    """The statistic of that name.

    Raises:
        UnknownMember: there is none; the message lists the known ones.
    """
    known = statistic_names()
    if name not in known:
        raise UnknownMember("statistic", name, known)
    return Statistic(statement(f"{FOLDER}/{name}"))


def statistic_names() -> tuple[str, ...]:
    """The names of all statistics, sorted."""
    return tuple(name.removeprefix(f"{FOLDER}/") for name in names(FOLDER))


def every_statistic() -> Iterator[Statistic]:
    """All statistics, by name."""
    return (statistic(name) for name in statistic_names())
