"""Scores texts on the workers of a cluster."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from harmgraph.common.engines.engine import Cluster
from harmgraph.common.errors import EngineError, InputError
from harmgraph.common.scorer import Score, Scorer, scorers

EACH = 2  # tasks for each worker, so that none waits long for the last
LEAST = 200  # texts of a task
SAME = "every worker needs the same harmgraph, models and files, under the same paths"
AT_ONCE = 20_000  # texts for each worker in a call: a job takes a while to begin

Scored = list[tuple[str, float] | None]


@dataclass(frozen=True, slots=True)
class _Task:
    """Texts to score.

    Attributes:
        scorer: its name, or the scorer itself if no worker knows it by its name: a model is then loaded for each task.
        by: who scores: its name, version and options.
    """

    scorer: str | Scorer
    options: Mapping[str, Any]
    by: str
    texts: Sequence[str]


class ClusterWorkers:
    """The same as ``local.Workers``, on a cluster. A worker's process keeps the model that it loaded.

    Attributes:
        texts_at_once: how many texts a call should have.
        said: nothing: see ``ScorerSession``.
    """

    said: tuple[str, ...] = ()

    def __init__(self, scorer: Scorer, options: Mapping[str, Any], cluster: Cluster) -> None:
        if not scorer.clusters:
            raise InputError(f"{scorer.name} works on this machine alone", remedy="leave --engine out")
        known = scorer.name in scorers.names() and scorers.get(scorer.name) is scorer
        self._scorer = scorer.name if known else scorer
        self._options = scorer.located(options)  # workers run in folders of their own
        self._by = scorer.by(self._options)
        self._cluster = cluster
        self.texts_at_once = AT_ONCE * cluster.workers

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leaves the cluster to who made it."""

    def foresee(self, texts: Iterable[str]) -> None:
        """Nothing: see ``ScorerSession``."""

    def scores(self, texts: Sequence[str]) -> list[Score | None]:
        """One score for each text, in order.

        Raises:
            HarmgraphError: what the scorer raised.
            EngineError: the cluster failed, or a worker would score otherwise.
        """
        size = max(LEAST, -(-len(texts) // (EACH * max(self._cluster.workers, 1))))
        tasks = [
            _Task(self._scorer, self._options, self._by, texts[start : start + size])
            for start in range(0, len(texts), size)
        ]
        return [
            None if score is None else Score(*score) for part in self._cluster.mapped(_scored, tasks) for score in part
        ]


def _scored(task: _Task) -> Scored:
    """The scores of a task; runs on a worker.

    Raises:
        EngineError: the scorer of this worker is another one, such as one of another version or precision, or has no model
            or file here.
    """
    scorer = scorers.get(task.scorer) if isinstance(task.scorer, str) else task.scorer
    try:
        by = scorer.by(task.options)
    except InputError as error:  # this machine's, since it was not an error where the command was started
        raise EngineError(f"a worker cannot score ({error.what})", where=error.where, remedy=SAME) from error
    if by != task.by:
        raise EngineError(
            f"a worker would score with {by}, not {task.by}",
            remedy="install the same harmgraph and the same models on every worker, and name the precision",
        )
    return [None if score is None else (score.label, score.value) for score in scorer.scores(task.texts, task.options)]
