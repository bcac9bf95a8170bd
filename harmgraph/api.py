"""The functions of the command line for notebooks and scripts; ``import harmgraph`` makes them available."""

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

PLAN = ("version", "limit", "keep_duplicates", "max_rejects", "rejects", "expect", "exclusion")


def load(graph: Graph, importer: str | Importer, *files: str | Path, source: str = "", **options: Any) -> Report:
    """Loads files, like ``harmgraph load``; loading the same files again changes nothing.

    Args:
        importer: name of an importer (``harmgraph load --list``), or your own importer.
        source: name of the source in the graph; if empty, the name of the importer or of the file. Records that the source
            had before and that are not in the files are removed.
        options: options of the importer, and ``version``, ``limit``, ``keep_duplicates``, ``max_rejects``, ``rejects``,
            ``expect`` and ``exclusion`` of ``harmgraph.loader.reading.plan.Plan``.

    Raises:
        UnknownMember: there is no importer of that name.
        BadName: it does not have such an option.
        UnreadableFile, TooManyRejects: the files are at fault; the graph is unchanged.
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
    masking: str = "own",
    force: bool = False,
    processes: int = 0,
    **options: Any,
) -> LabelReport:
    """Labels the statements that name a target, like ``harmgraph label``; skips those that already have the scorer's label.

    Args:
        scorer: name of a scorer (``harmgraph label --list``), or your own scorer.
        source: one source; every source if None.
        measure: the property to write; the scorer's own if empty.
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
    from harmgraph.graph.scorer import scorers

    return labelling.label(
        graph,
        scorers.get(scorer) if isinstance(scorer, str) else scorer,
        source=source,
        measure=measure,
        all_statements=all_statements,
        masking=masking,
        force=force,
        processes=processes,
        options=options,
    )


def statistic(graph: Graph, name: str, **parameters: Any) -> pandas.DataFrame:
    """Computes a statistic, like ``harmgraph stats``.

    Args:
        name: name of the statistic, see ``harmgraph stats --list``.
        parameters: parameters of the statement in ``cypher/statistics``; ``resamples`` and ``seed`` of the bootstrap. Of a
            statistic that Python computes, such as ``counterfactual``, those of its ``frame``.

    Returns:
        One row for each target, category or pair; percentages are 0 to 100, intervals 95 %.

    Raises:
        UnknownMember: there is no statistic of that name.
        NotFound: the graph has no source, target or measure of that name.
        BadName: it does not take a parameter, or a required one is missing.
    """
    from harmgraph.analytics.statistics.computed_statistic import computed
    from harmgraph.analytics.statistics.statistic import statistic as named

    if name in computed.names():
        return computed.get(name).frame(graph, **parameters)
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
    """Draws a figure of the report, like ``harmgraph figure``.

    Args:
        name: name of the figure, see ``harmgraph figure --list``.
        sources: sources to show; required if the figure shows one source and the graph has several.
        min_support: minimum number of statements for a target to be shown individually.
        out: an SVG, PNG or PDF file to write.

    Raises:
        UnknownMember: there is no figure of that name.
        InputError: the graph lacks the data for it, or the file type is unknown.
    """
    from harmgraph.analytics.report.figure import figure as drawn
    from harmgraph.analytics.report.figure import write_figure

    picture = drawn(graph, name, sources=sources, measures=measures, min_support=min_support)
    if out is not None:
        write_figure(picture, Path(out))
    return picture.figure


def report(graph: Graph, out: str | Path, *, sources: Sequence[str] = (), **options: Any) -> tuple[Path, ...]:
    """Writes the report, like ``harmgraph report``.

    Args:
        out: folder to write to.
        sources: sources to include; every source with statements if empty.
        options: options of ``harmgraph.analytics.report.report.write_report``, such as ``formats``, ``figures``, ``min_support``.

    Returns:
        The files that were written: the page, Markdown or JSON.

    Raises:
        NotFound: there is no source of that name.
    """
    from harmgraph.analytics.report.report import write_report

    return write_report(graph, sources, Path(out), **options)


def train(
    graph: Graph, source: str | None, name: str, *, model: str = "transe", recipe: str = "paper", **options: Any
) -> dict[str, Any]:
    """Trains an embedding of a source, like ``harmgraph embed train``; continues a training that was stopped.

    Args:
        source: the source; all sources if None.
        name: name for the trained model.
        model: kind of model, see ``harmgraph embed train --help``.
        recipe: options by a name, as there.
        options: options of ``harmgraph.models.embedding.options.Training``, such as ``epochs`` and ``seed``.

    Returns:
        The properties of the model, including its scores on the validation triples.

    Raises:
        MissingExtra: torch is not installed.
        UnknownMember, NotFound: there is no such kind of model, recipe or source.
        InputError: there is nothing to train on, or a model of that name exists with other options.
    """
    from harmgraph.models.embedding import named_model
    from harmgraph.models.embedding.options import with_defaults

    trained = named_model.train(graph, name, named_model.Choice(source), with_defaults(model, options, recipe))
    return trained.config.facts() | {"fresh_epochs": trained.fresh_epochs}


def probe(graph: Graph, name: str, *models: str, control: int = 0, seed: int = 0, **options: Any) -> pandas.DataFrame:
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
    result = run(graph, member, models, question, chosen | {"seed": seed}, draws=control, seed=seed)
    frame = pandas.DataFrame(list(result.rows))
    frame.attrs.update(result.summary)
    return frame
