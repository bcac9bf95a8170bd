"""``--engine spark`` beside the same work without it: a load over Bolt, and labels of regard by one worker and by two."""

from __future__ import annotations

from statistics import median

from harmgraph.models.classifier.finetuning import Recipe
from harmgraph.models.classifier.training import train
from harmgraph.models.options import ENCODER
from tests.benchmarks.figures import Figures
from tests.benchmarks.generated import write_triples
from tests.benchmarks.setting import Setting, fresh
from tests.benchmarks.watched import watched

ROUNDS = 2
WORKERS = (1, 2)
FILE = "conceptnet/conceptnet_targets.txt"


def bench(setting: Setting, figures: Figures) -> None:
    """Each command in a process of its own, with the start of Spark in it; workers of regard have a thread each."""
    _load(setting, figures)
    if setting.data is None:
        print("  regard left out: the real data is not here")
        return
    train("bench", setting.data / "regard" / "conceptnet_silver.tsv", ENCODER, recipe=Recipe(epochs=1))
    fresh()
    watched("load", "triples", str(setting.data / FILE), "--delimiter", "space", "--source", "conceptnet")
    seconds: dict[int, float] = {}
    for workers in WORKERS:
        engine = ("--engine", "spark", "--master", f"local[{workers}]", "--as", f"by_{workers}")
        seconds[workers] = watched("label", "regard", "--model", "bench", "--threads", "1", *engine).seconds
        figures.add(f"label regard, local[{workers}]", seconds[workers], "s")
    figures.add("label regard, one worker / two", seconds[1] / seconds[2], "x", "at least 1.7")


def _load(setting: Setting, figures: Figures) -> None:
    path = setting.folder / "spark.tsv"
    write_triples(path, setting.few)
    ways = {"Bolt": (), "Spark, local[2]": ("--engine", "spark", "--master", "local[2]")}
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    # The first round compiles the server's code.
    for _ in range(1 + (1 if setting.quick else ROUNDS)):
        for way, more in ways.items():
            fresh()
            seconds[way].append(watched("load", "triples", str(path), "--source", "kb", *more).seconds)
    middle = {way: median(taken[1:]) for way, taken in seconds.items()}
    for way, taken in middle.items():
        figures.add(f"load of {setting.few:,} triples, {way}", taken, "s")
    figures.add("load, Bolt / Spark", middle["Bolt"] / middle["Spark, local[2]"], "x", "1 or less is no surprise")
