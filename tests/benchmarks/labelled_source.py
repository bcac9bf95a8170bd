"""A generated source with its targets, labelled: what statistics and reports are measured on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from harmgraph.analytics.labelling.label import LabelReport, label
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import default_targets, pipeline
from harmgraph.loader.reading.plan import Plan
from tests.benchmarks.generated import write_triples
from tests.benchmarks.setting import Setting, fresh

NAME = "generated"


@contextmanager
def labelled_source(setting: Setting, *, about_targets: bool = False) -> Iterator[tuple[Graph, LabelReport]]:
    """A store with nothing else, and what the labelling did; ``about_targets``: every triple meets a target."""
    path = setting.folder / f"{setting.edges}{'-about-targets' if about_targets else ''}.tsv"
    write_triples(path, setting.edges, about_targets=about_targets)
    fresh()
    with Graph.open() as graph:
        default_targets.ensure(graph)
        pipeline.load(graph, Plan(importers.get("triples"), (path,), NAME))
        yield graph, label(graph, scorers.get("vader"))
