"""``label judge``: judgements a second with 1, 4 and 16 questions at once, of a scripted server; hits of the cache."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from harmgraph.analytics.scorers.judge import SCORER
from harmgraph.common.endpoint.answer_cache import FOLDER
from harmgraph.common.home import home
from harmgraph.common.whole_file import delete
from tests.benchmarks.figures import Figures, timed
from tests.benchmarks.setting import Setting
from tests.support.scripted_endpoint import Reply, ScriptedEndpoint, judged

TAKES_S = 0.05
PARALLEL = (1, 4, 16)


def bench(setting: Setting, figures: Figures) -> None:
    """Of a server that takes 50 ms, the ideal is 20 a second for each question at once; of one that takes none, ours."""
    texts = [f"this person is number {number}" for number in range(100 if setting.quick else 400)]
    for taken, name in ((TAKES_S, f"server of {1000 * TAKES_S:.0f} ms"), (0.0, "server of 0 ms")):

        def answer(asked: Mapping[str, Any], taken: float = taken) -> Reply:
            return replace(judged(asked), after_s=taken)

        with ScriptedEndpoint(answer) as server:
            for parallel in PARALLEL:
                delete(home() / FOLDER)
                options = SCORER.chosen({"endpoint": server.address, "parallel": parallel})
                seconds, _ = timed(lambda options=options: SCORER.scores(texts, options))  # type: ignore[misc]
                figures.add(f"{name}, {parallel} at once", len(texts) / seconds, "judged/s")
            asked = len(server.asked)
            seconds, _ = timed(lambda options=options: SCORER.scores(texts, options))  # type: ignore[misc]
            figures.add(f"{name}, again, from the cache", len(texts) / seconds, "judged/s")
            figures.add("cache hits", 100 * (1 - (len(server.asked) - asked) / len(texts)), "%", "100")
