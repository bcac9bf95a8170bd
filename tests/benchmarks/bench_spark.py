"""``--engine spark`` beside the same work without it: a load over Bolt, and labels of regard by one worker and by two."""

from __future__ import annotations

from itertools import islice
from statistics import median

from harmgraph.models.classifier.finetuning import ScorerRecipe
from harmgraph.models.classifier.training import train
from harmgraph.models.options import ENCODER
from tests.benchmarks.figures import Figures
from tests.benchmarks.generated import write_triples
from tests.benchmarks.setting import Setting, fresh
from tests.benchmarks.watched import watched

ROUNDS = 2
WORKERS = (1, 2)
FEW = 100
FILE = "conceptnet/conceptnet_targets.txt"


def bench(setting: Setting, figures: Figures) -> None:
    """Each command in a process of its own, with the start of Spark in it; workers of regard have a thread each.

    The start is measured on a few statements.
    """
    _load(setting, figures)
    if setting.data is None:
        print("  regard left out: the real data is not here")
        return
    train("bench", setting.data / "regard" / "conceptnet_silver.tsv", ENCODER, recipe=ScorerRecipe(epochs=1))
    fresh()
    watched("load", "triples", str(setting.data / FILE), "--delimiter", "space", "--source", "conceptnet")
    few = setting.folder / "few.txt"
    with (setting.data / FILE).open(encoding="utf-8") as lines:
        few.write_text("".join(islice(lines, FEW)), encoding="utf-8")
    watched("load", "triples", str(few), "--delimiter", "space", "--source", "few")
    seconds: dict[tuple[str, int], float] = {}
    for workers in WORKERS:
        engine = ("--engine", "spark", "--master", f"local[{workers}]", "--as", f"by_{workers}")
        for source in ("few", "conceptnet"):
            command = ("label", "regard", "--source", source, "--model", "bench", "--threads", "1", *engine)
            seconds[source, workers] = watched(*command).seconds
        figures.add(f"label regard, {FEW} statements, local[{workers}]: the start", seconds["few", workers], "s")
        figures.add(f"label regard, local[{workers}]", seconds["conceptnet", workers], "s")
    figures.add("label regard, one worker / two", seconds["conceptnet", 1] / seconds["conceptnet", 2], "x")
    alone = [seconds["conceptnet", workers] - seconds["few", workers] for workers in WORKERS]
    figures.add("the same without the start", alone[0] / alone[1], "x", "at least 1.7")


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
