"""What the command line does, as functions: for notebooks and scripts. ``import harmgraph`` gives them by their names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harmgraph.graph.common.errors import BadName
from harmgraph.graph.connection import Graph

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

    from harmgraph.analytics.labelling.label import LabelReport
    from harmgraph.graph.scorer import Scorer
    from harmgraph.loader.formats.importer import Importer
    from harmgraph.loader.loading.pipeline import Report

PLAN = ("version", "limit", "keep_duplicates", "max_rejects", "rejects", "expect")


def load(graph: Graph, importer: str | Importer, *files: str | Path, source: str = "", **options: Any) -> Report:
    """Loads files, as ``harmgraph load`` does; the same files again change nothing.

    Args:
        importer: its name (``harmgraph load --list``) or one of your own.
        source: the name it gets in the graph, the importer's own (or the file's) where empty. What stood under that name
            and is not in the files is removed.
        options: those of the importer, and ``version``, ``limit``, ``keep_duplicates``, ``max_rejects``, ``rejects`` and
            ``expect`` of ``harmgraph.loader.reading.plan.Plan``.

    Raises:
        UnknownMember: no importer of that name.
        BadName: it takes no such option.
        UnreadableFile, TooManyRejects: the files are at fault; what stood before still stands.
        Busy, GraphError: another command is changing the graph, or the database failed.
    """
    from harmgraph.loader.commands import default_source
    from harmgraph.loader.formats.importer import importers
    from harmgraph.loader.loading import pipeline
    from harmgraph.loader.loading.default_targets import ensure
    from harmgraph.loader.reading.plan import Plan

    member = importers.get(importer) if isinstance(importer, str) else importer
    paths = tuple(map(Path, files))
    of_plan = {name: value for name, value in options.items() if name in PLAN}
    of_importer = {name: value for name, value in options.items() if name not in PLAN}
    plan = Plan(member, paths, source or default_source(member, paths), options=of_importer, **of_plan)
    ensure(graph)
    return pipeline.load(graph, plan)


def label(
    graph: Graph,
    scorer: str | Scorer,
    *,
    source: str | None = None,
    measure: str = "",
    all_statements: bool = False,
    processes: int = 0,
    **options: Any,
) -> LabelReport:
    """Labels the statements that name a target, as ``harmgraph label`` does; what has the scorer's label already is passed over.

    Args:
        scorer: its name (``harmgraph label --list``) or one of your own.
        source: one source, every source where None.
        measure: the property to write, the scorer's own where empty.
        all_statements: also those that name no target.
        processes: workers; one for each core where 0. In a script, call this under ``if __name__ == "__main__":``.
        options: those of the scorer.

    Raises:
        UnknownMember: no scorer of that name.
        BadName: it takes no such option, or the measure cannot be a property.
        NotFound: no source of that name.
    """
    from harmgraph.analytics.labelling import label as labelling
    from harmgraph.graph.scorer import scorers

    return labelling.label(
        graph,
        scorers.get(scorer) if isinstance(scorer, str) else scorer,
        source=source,
        measure=measure,
        all_statements=all_statements,
        processes=processes,
        options=options,
    )


def statistic(graph: Graph, name: str, **parameters: Any) -> pandas.DataFrame:
    """Computes a statistic, as ``harmgraph stats`` does.

    Args:
        name: ``harmgraph stats --list`` shows them.
        parameters: those of the statement in ``cypher/statistics``; ``resamples`` and ``seed`` of the bootstrap.

    Returns:
        One row for each target, category or pair; percentages are 0 to 100, intervals 95 %.

    Raises:
        UnknownMember: no statistic of that name.
        NotFound: no source, no target, or no measure that labels a statement, of that name.
        BadName: a parameter that it does not take, or a needed one that is missing.
    """
    from harmgraph.analytics.statistics.statistic import statistic as named

    return named(name)(graph, **parameters)


def figure(
    graph: Graph,
    name: str,
    *,
    sources: Sequence[str] = (),
    measures: Sequence[str] = (),
    min_support: int = 10,
    out: str | Path | None = None,
) -> Figure:
    """Draws a figure of the report, as ``harmgraph figure`` does.

    Args:
        name: ``harmgraph figure --list`` shows them.
        sources: which sources; needed where the figure is of one and there are several.
        min_support: fewest statements of a target that single targets are shown for.
        out: an SVG, PNG or PDF file to write.

    Raises:
        UnknownMember: no figure of that name.
        InputError: the graph lacks what it shows, or the file is of no known kind.
    """
    from harmgraph.analytics.report.figure import figure as drawn
    from harmgraph.analytics.report.figure import write_figure

    picture = drawn(graph, name, sources=sources, measures=measures, min_support=min_support)
    if out is not None:
        write_figure(picture, Path(out))
    return picture.figure


def report(graph: Graph, out: str | Path, *, sources: Sequence[str] = (), **options: Any) -> tuple[Path, ...]:
    """Writes the report, as ``harmgraph report`` does.

    Args:
        out: a folder.
        sources: every source with statements where empty.
        options: those of ``harmgraph.analytics.report.report.write_report``, such as ``formats``, ``figures``, ``min_support``.

    Returns:
        The files: the page, Markdown or JSON.

    Raises:
        NotFound: no source of that name.
    """
    from harmgraph.analytics.report.report import write_report

    return write_report(graph, sources, Path(out), **options)


def train(graph: Graph, source: str | None, name: str, *, model: str = "transe", **options: Any) -> dict[str, Any]:
    """Trains an embedding of a source, as ``harmgraph embed train`` does; a training that was stopped goes on.

    Args:
        source: None for every source.
        name: the name that the trained model gets.
        model: ``harmgraph embed train --help`` lists them.
        options: those of ``harmgraph.models.embedding.options.Training``, such as ``epochs`` and ``seed``.

    Returns:
        What is known of the model, its scores on the valid triples among it.

    Raises:
        MissingExtra: torch is not installed.
        UnknownMember, NotFound: no such model, no such source.
        InputError: nothing to train on, or a model of that name with other options.
    """
    from harmgraph.models.embedding import named_model
    from harmgraph.models.embedding.options import with_defaults

    return named_model.train(graph, name, named_model.Choice(source), with_defaults(model, options))


def probe(graph: Graph, name: str, *models: str, control: int = 0, seed: int = 0, **options: Any) -> pandas.DataFrame:
    """Probes trained embeddings for bias, as ``harmgraph probe`` does.

    Args:
        name: of the probe: ``harmgraph probe --help`` lists them.
        models: names of trained models; of several the mean score is given, with its interval.
        control: draws of random groups in the place of the two values.
        options: ``relation``, ``a``, ``b``, ``object_relation``, ``min_count``, … of
            ``harmgraph.models.probing.question.Asked``, and those of the probe.

    Returns:
        One row an object (an occupation, as a rule), the highest score first; ``attrs`` has the summary.

    Raises:
        MissingExtra: torch is not installed.
        UnknownMember, NotFound, InputError: what is asked for is not there.
        BadName: an option that the probe does not take.
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
    result = run(graph, member, models, question, chosen | {"seed": seed}, draws=control, seed=seed)
    frame = pandas.DataFrame(list(result.rows))
    frame.attrs.update(result.summary)
    return frame
