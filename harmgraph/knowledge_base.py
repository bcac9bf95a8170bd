"""``KnowledgeBase``: what the command line does, for notebooks and scripts. ``harmgraph.open()`` gives one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeAlias, cast

from harmgraph.common.errors import BadName
from harmgraph.common.progress import bar
from harmgraph.graph.connection import Graph
from harmgraph.statistics import Statistics

if TYPE_CHECKING:
    import pandas

    from harmgraph.analytics.labelling.label import LabelReport
    from harmgraph.analytics.report.figure import Picture
    from harmgraph.common.scorer import Scorer
    from harmgraph.function_scorer import Opinion
    from harmgraph.graph.browser.shown_graph import ShownGraph
    from harmgraph.loader.formats.importer import Importer
    from harmgraph.loader.loading.load_report import LoadReport
    from harmgraph.typed_statistics import TypedStatistics

PLAN = ("version", "limit", "keep_duplicates", "max_rejects", "rejects", "expect", "exclusion")


class ArrowFrame(Protocol):
    """A frame that gives itself as a stream of Arrow: of Polars, pyarrow, DuckDB ..."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


Frame: TypeAlias = "pandas.DataFrame | ArrowFrame"


def open(*, progress: bool = True) -> KnowledgeBase:  # noqa: A001 - harmgraph.open()
    """Connects to the server that NEO4J_URI names, or starts the embedded one.

    Args:
        progress: whether what takes long shows how far it is.

    Raises:
        Unreachable, TlsFailed, Unauthorised, NoDatabase, TooOld: the server cannot be used.
        OlderGraph, NewerGraph: the graph has the form of another harmgraph.
        ServerError: the embedded server cannot be started.
    """
    return KnowledgeBase(Graph.open(), progress=progress)


class KnowledgeBase:
    """A graph, and what can be done with it. Use it in a ``with`` block, or call ``close`` at the end.

    Attributes:
        graph: the connection, for what this class does not offer.
        stats: the statistics, one function each: ``kb.stats.overgeneralization(source="conceptnet")``.
    """

    def __init__(self, graph: Graph, *, progress: bool = True) -> None:
        self.graph = graph
        self.stats = cast("TypedStatistics", Statistics(graph))
        self._progress = progress

    def close(self) -> None:
        """Closes the connection. The server goes on; ``harmgraph db stop`` stops it."""
        self.graph.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.graph.__exit__(kind, error, trace)

    def __repr__(self) -> str:
        return f"KnowledgeBase({self.graph.address.uri!r})"

    def load(self, importer: str | Importer, *files: str | Path, source: str = "", **options: Any) -> LoadReport:
        """Loads files, like ``harmgraph load``. Loading the same files again changes nothing.

        Args:
            importer: name of an importer (``harmgraph load --list``), or your own importer.
            files: paths. For sentences and triples also the folder of a Hugging Face data set, or
                ``hf://datasets/OWNER/NAME``.
            source: name of the source in the graph; if empty, the name of the importer or of the file. Records that the
                source had before and that are not in the files are removed.
            options: options of the importer, ``split`` and ``subset`` of a data set, and ``version``, ``limit``,
                ``keep_duplicates``, ``max_rejects``, ``rejects``, ``expect`` and ``exclusion`` of
                ``harmgraph.loader.reading.plan.Plan``.

        Raises:
            UnknownMember: there is no importer of that name.
            BadName: it does not have such an option.
            UnreadableFile, TooManyRejects: the files are at fault; the graph is unchanged.
            Busy, GraphError: another command is changing the graph, or the database failed.
        """
        from harmgraph.loader.commands import default_source
        from harmgraph.loader.formats.data_set import found_files
        from harmgraph.loader.formats.importer import importers
        from harmgraph.loader.loading import pipeline
        from harmgraph.loader.loading.default_targets import ensure
        from harmgraph.loader.reading.plan import Plan

        member = importers.get(importer) if isinstance(importer, str) else importer
        paths = tuple(map(Path, files))
        split, subset = (str(options.pop(name, "")) if member.data_sets else "" for name in ("split", "subset"))
        given, origin = paths, None
        if member.data_sets:
            paths, origin = found_files(paths, split, subset)
        of_plan = {name: value for name, value in options.items() if name in PLAN}
        of_importer = {name: value for name, value in options.items() if name not in PLAN}
        named = source or default_source(member, given, origin)
        plan = Plan(member, paths, named, options=of_importer, origin=origin, **of_plan)
        ensure(self.graph)
        with bar(self._progress):
            return pipeline.load(self.graph, plan)

    def load_frame(
        self,
        frame: Frame,
        *,
        source: str,
        head: str = "head",
        relation: str = "relation",
        tail: str = "tail",
        weight: str = "",
        **options: Any,
    ) -> LoadReport:
        """Loads the triples of a data frame. A row that cannot be a triple is a rejected line; its number is that of the row.

        Args:
            frame: of pandas, or of Polars or another library that speaks Arrow.
            source: name of the source in the graph.
            head: name of the column of heads.
            relation: name of the column of relations.
            tail: name of the column of tails.
            weight: name of the column of weights; empty for none.
            options: as for ``load`` with the importer ``triples``, such as ``language``.

        Raises:
            BadName: the frame has no such column.
            TooManyRejects, Busy, GraphError: as for ``load``.
        """
        from harmgraph.frame_file import frame_file

        columns = {"head": head, "relation": relation, "tail": tail} | ({"weight": weight} if weight else {})
        with frame_file(frame, columns, source) as path:
            given = {"columns": ",".join(columns), "delimiter": "comma", "quotes": True, "header": False}
            return self.load("triples", path, source=source, **given, **options)

    def label(
        self,
        scorer: str | Scorer | Callable[[str], Opinion],
        *,
        source: str | None = None,
        targets: str | Sequence[str] = (),
        measure: str = "",
        all_statements: bool = False,
        masking: str = "own",
        force: bool = False,
        processes: int = 0,
        **options: Any,
    ) -> LabelReport:
        """Labels the statements that name a target, like ``harmgraph label``. What has the scorer's label already is skipped.

        Args:
            scorer: name of a scorer (``harmgraph label --list``), your own scorer, or a function. A function takes a masked
                sentence and returns a number (above 0 positive, below 0 negative), a label, or None for no opinion.
            source: one source; every source if None.
            targets: the target lists whose targets are labelled and masked; those that were loaded, and the source's own,
                if none.
            measure: the property to write; the scorer's own if empty. A function needs one.
            all_statements: whether to label statements that name no target too.
            masking: targets whose names are masked before scoring: ``own``, those that a statement is about, ``all``, or
                ``none``.
            force: whether to label statements in a language that the scorer does not read too.
            processes: number of processes; one for each core if 0. In a script, call this under
                ``if __name__ == "__main__":``.
            options: options of the scorer.

        Raises:
            UnknownMember: there is no scorer of that name.
            BadName: it does not have such an option, or the measure is not a valid property name.
            NotFound: there is no source of that name.
            InputError: there are statements in a language that the scorer does not read.
        """
        from harmgraph.analytics.labelling import label as labelling
        from harmgraph.common.scorer import Scorer, scorers
        from harmgraph.function_scorer import FunctionScorer

        if isinstance(scorer, str):
            chosen = scorers.get(scorer)
        else:
            chosen = scorer if isinstance(scorer, Scorer) else FunctionScorer(scorer, measure)
        with self.graph.about(_several(targets)), bar(self._progress):
            return labelling.label(
                self.graph,
                chosen,
                source=source,
                measure=measure,
                all_statements=all_statements,
                masking=masking,
                force=force,
                processes=processes,
                options=options,
            )

    def cypher(self, query: str, **parameters: Any) -> pandas.DataFrame:
        """The rows of a reading Cypher statement: ``kb.cypher("MATCH (t:Target) RETURN t.name AS name")``.

        Args:
            parameters: values of the statement's ``$parameters``.

        Raises:
            GraphError: the statement is wrong, or writes.
        """
        from harmgraph.graph.statements import parse

        return self.graph.frame(parse("your statement", query), **parameters)

    def target_lists(self) -> pandas.DataFrame:
        """The lists of targets, like ``harmgraph target lists``."""
        return self.graph.frame("explore/target_lists")

    def sources(self) -> pandas.DataFrame:
        """What is loaded, like ``harmgraph source list``."""
        return self.graph.frame("source/list")

    def figure(
        self,
        name: str,
        *,
        source: str | Sequence[str] = (),
        targets: str | Sequence[str] = (),
        measure: str | Sequence[str] = (),
        min_support: int = 10,
    ) -> Picture:
        """Draws a figure of the report, like ``harmgraph figure``. It shows itself in a notebook; ``save`` writes a file.

        Args:
            name: name of the figure, see ``harmgraph figure --list``.
            source: one source or several; required if the figure shows one source and the graph has several.
            targets: the target lists that it is about; those that were loaded, and the sources' own, if none.
            measure: one harm measure or several; all if empty.
            min_support: fewest statements for a target to be shown by itself.

        Raises:
            UnknownMember: there is no figure of that name.
            InputError: the graph lacks the data for it.
        """
        from harmgraph.analytics.report.figure import figure

        with self.graph.about(_several(targets)):
            return figure(
                self.graph, name, sources=_several(source), measures=_several(measure), min_support=min_support
            )

    def show(
        self,
        target: str,
        *,
        label: str | None = None,
        measure: str = "sentiment",
        source: str | None = None,
        limit: int = 50,
    ) -> ShownGraph:
        """The neighbourhood of a target as an interactive picture in the colours of Neo4j Browser; a notebook shows it.

        Args:
            target: name of the target, such as ``muslim``.
            label: only statements with this label, such as ``negative``; all if None.
            measure: the measure of the label.
            source: one source; every source if None.
            limit: most statements, the most strongly judged first.

        Raises:
            MissingExtra: the extra ``harmgraph[viz]`` is not installed.
            NotFound: there is no such target, source or measure.
            InputError: nothing is said about the target.
        """
        from harmgraph.graph.browser.shown_graph import neighbourhood

        return neighbourhood(self.graph, target, label=label, measure=measure, source=source, limit=limit)

    def report(
        self, out: str | Path, *, source: str | Sequence[str] = (), targets: str | Sequence[str] = (), **options: Any
    ) -> tuple[Path, ...]:
        """Writes the report, like ``harmgraph report``.

        Args:
            out: folder to write to.
            source: one source or several; every source with statements if empty.
            targets: as for ``figure``.
            options: options of ``harmgraph.analytics.report.report.write_report``, such as ``formats``, ``figures``,
                ``min_support``.

        Returns:
            The files that were written: the page, Markdown or JSON.

        Raises:
            NotFound: there is no source of that name.
        """
        from harmgraph.analytics.report.report import write_report

        with self.graph.about(_several(targets)), bar(self._progress):
            return write_report(self.graph, _several(source), Path(out), **options)

    def train(
        self, name: str, *, source: str | None = None, model: str = "transe", recipe: str = "paper", **options: Any
    ) -> Mapping[str, Any]:
        """Trains an embedding of a source, like ``harmgraph embed train``; continues a training that was stopped.

        Args:
            name: name for the trained model.
            source: the source; all sources if None.
            model: kind of model, see ``harmgraph embed train --help``.
            recipe: options by a name, as there.
            options: options of ``harmgraph.models.embedding.options.EmbeddingOptions``, such as ``epochs`` and ``seed``.

        Returns:
            The properties of the model, including its scores on the validation triples.

        Raises:
            MissingExtra: torch is not installed.
            UnknownMember, NotFound: there is no such kind of model, recipe or source.
            InputError: there is nothing to train on, or a model of that name exists with other options.
        """
        from harmgraph.models.embedding import named_embedding
        from harmgraph.models.embedding.options import with_defaults

        with bar(self._progress):
            trained = named_embedding.train(
                self.graph, name, named_embedding.GraphPart(source), with_defaults(model, options, recipe)
            )
        return trained.config.facts() | {"fresh_epochs": trained.fresh_epochs}

    def probe(self, name: str, *models: str, control: int = 0, seed: int = 0, **options: Any) -> pandas.DataFrame:
        """Probes trained embeddings for bias, like ``harmgraph probe``.

        Args:
            name: name of the probe, see ``harmgraph probe --help``.
            models: names of trained models; for several, the mean score is returned with its interval.
            control: number of draws of random groups that replace the two values, as a control.
            options: ``relation``, ``a``, ``b``, ``object_relation``, ``min_count``, … of
                ``harmgraph.models.probing.question.Asked``, and options of the probe.

        Returns:
            One row per object (usually an occupation), highest score first; ``attrs`` has the summary.

        Raises:
            MissingExtra: torch is not installed.
            UnknownMember, NotFound, InputError: the probe, a model or a value does not exist.
            BadName: the probe does not have such an option.
        """
        from dataclasses import fields

        import pandas

        from harmgraph.models.extra import needed

        needed("torch")
        from harmgraph.models.probing.probe import probes
        from harmgraph.models.probing.question import Asked
        from harmgraph.models.probing.run import run

        member = probes.get(name)
        of_probe = {str(option.name): option.default for option in member.options()}
        of_question = {field.name for field in fields(Asked)}
        unknown = sorted(set(options) - of_question - set(of_probe))
        if unknown:
            raise BadName("option", unknown[0], f"is none of {', '.join(sorted(of_question | set(of_probe)))}")
        question = Asked(**{key: value for key, value in options.items() if key in of_question})
        chosen = {key: options.get(key, default) for key, default in of_probe.items()}
        result = run(self.graph, member, models, question, chosen | {"seed": seed}, draws=control, seed=seed)
        frame = pandas.DataFrame(list(result.rows))
        frame.attrs.update(result.summary)
        return frame


def _several(names: str | Sequence[str]) -> tuple[str, ...]:
    """One name as several."""
    return (names,) if isinstance(names, str) else tuple(names)
