"""``label regard``: against a plain loop over the same model, and end to end against the same scorer on a text file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from harmgraph.analytics.labelling.label import label
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.loader.loading import default_targets, pipeline
from harmgraph.models.classifier.finetuning import ScorerRecipe
from harmgraph.models.classifier.training import train
from harmgraph.models.options import ENCODER
from harmgraph.models.text.pretrained import classifier_of, tokenizer_of
from tests.benchmarks.bench_label import plans, sentences
from tests.benchmarks.figures import Figures, timed
from tests.benchmarks.setting import Setting, fresh

BATCH = 64
PRECISIONS = ("fp32", "bf16", "int8")


def bench(setting: Setting, figures: Figures) -> None:
    """On ConceptNet's statements, by a classifier that is trained on them first."""
    if setting.data is None:
        print("  left out: the real data is not here")
        return
    silver = setting.data / "regard" / "conceptnet_silver.tsv"
    trained = train("bench", silver, ENCODER, recipe=ScorerRecipe(epochs=1 if setting.quick else 2))
    plan = plans(setting)["conceptnet"]
    distinct = list(dict.fromkeys(sentences(plan)))
    _against_a_plain_loop(
        trained.folder, distinct[:: max(1, len(distinct) // (2_000 if setting.quick else 8_000))], setting, figures
    )
    scorer = scorers.get("regard")
    options = scorer.chosen({"model": "bench"})
    fresh()
    with Graph.open() as graph:
        default_targets.ensure(graph)
        pipeline.load(graph, plan)
        scorer.scores(distinct[:1], options)  # loads the model, for both
        seconds, report = timed(lambda: label(graph, scorer, options={"model": "bench"}))
    texts = setting.folder / "texts.txt"
    texts.write_text("\n".join(distinct), encoding="utf-8")
    alone, _ = timed(lambda: _text_file(texts, scorer, options))
    figures.add(f"label regard, {report.statements:,} statements", seconds, "s")
    figures.add(f"the scorer on a file of their {len(distinct):,} distinct sentences", alone, "s")
    figures.add("label regard / the scorer on a text file", seconds / alone, "x", "at most 1.15")


def _against_a_plain_loop(folder: Path, texts: Sequence[str], setting: Setting, figures: Figures) -> None:
    import torch

    tokenizer = tokenizer_of(str(folder))
    model = classifier_of(str(folder))[0].eval()
    scorer = scorers.get("regard")

    def plain() -> list[str]:
        found: list[str] = []
        with torch.inference_mode():
            for start in range(0, len(texts), BATCH):
                batch = tokenizer(
                    list(texts[start : start + BATCH]), padding=True, truncation=True, return_tensors="pt"
                )
                found += [model.config.id2label[int(place)] for place in model(**batch).logits.argmax(dim=1)]
        return found

    def ours(precision: str) -> list[str]:
        options = scorer.chosen({"model": str(folder), "precision": precision, "batch": BATCH, "device": "cpu"})
        return [score.label for score in scorer.scores(texts, options) if score]

    seconds: dict[str, list[float]] = {"plain": [], **{precision: [] for precision in PRECISIONS}}
    labels: dict[str, list[str]] = {}
    for _ in range(1 if setting.quick else 3):
        taken, labels["plain"] = timed(plain)
        seconds["plain"].append(taken)
        for precision in PRECISIONS:
            ours_now = scorer.chosen({"model": str(folder), "precision": precision, "device": "cpu"})
            scorer.scores(texts[:BATCH], ours_now)  # loads it
            taken, labels[precision] = timed(lambda precision=precision: ours(precision))  # type: ignore[misc]
            seconds[precision].append(taken)
    middle = {contestant: median(taken) for contestant, taken in seconds.items()}
    figures.add(f"plain fp32 loop, batches of {BATCH}", len(texts) / middle["plain"], "texts/s")
    for precision in PRECISIONS:
        equal = sum(one == other for one, other in zip(labels[precision], labels["plain"], strict=True))
        figures.add(f"regard, {precision}", len(texts) / middle[precision], "texts/s")
        figures.add(f"regard, {precision} / plain loop", middle["plain"] / middle[precision], "x", "at least 5")
        figures.add(f"regard, {precision}: equal labels", 100 * equal / len(texts), "%", "at least 99")


def _text_file(path: Path, scorer: Any, options: dict[str, Any]) -> None:
    texts = path.read_text(encoding="utf-8").split("\n")
    with path.with_suffix(".labels").open("w", encoding="utf-8") as out:
        for start in range(0, len(texts), scorer.texts_at_once):
            for score in scorer.scores(texts[start : start + scorer.texts_at_once], options):
                out.write(f"{score.label}\t{score.value}\n")
