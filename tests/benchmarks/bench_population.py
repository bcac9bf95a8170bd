"""``population eval``: triples a second and equal ranks, against a loop of a triple at a time; models compared over seeds.

``bench`` measures the speed. The comparison of models takes hours, and runs by itself:
``python -m tests.benchmarks.bench_population DATA --file EVALUATION [--seeds 3] [--train 20000] [--valid 2000] [--epochs 3]``
on a folder of ``harmgraph population data``, with the graph that is open.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from harmgraph.graph.connection import Graph
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import pipeline
from harmgraph.loader.reading.plan import Plan
from harmgraph.models.options import ENCODER
from harmgraph.models.population import named_populator, trained
from harmgraph.models.population.evaluation import AucRow, auc, evaluated, linear_scores
from harmgraph.models.population.examples import TripleExample, of_split, read_file, read_folder
from harmgraph.models.population.neighbours import read_neighbourhood
from harmgraph.models.population.populator import populators
from harmgraph.models.population.recipe import PopulatorRecipe
from harmgraph.models.population.training import around_of, judge
from harmgraph.models.population.training_data.making import Request, make_data
from harmgraph.models.text.arithmetic import best_precision
from harmgraph.models.text.pretrained import most_tokens
from harmgraph.models.text.text_vectors import read_once
from tests.benchmarks.figures import Figures, timed
from tests.benchmarks.setting import Setting, fresh

PRECISIONS = ("fp32", "bf16", "int8")
FLOORS = {"fp32": "float32", "bf16": "bfloat16"}
MODELS = ("bert", "bertsage", "kgbert", "kgbertsage")
TEACHES = "kgbert"


def bench(setting: Setting, figures: Figures) -> None:
    """On triples of the evaluation set, by a KG-BERT and a KG-BertSAGE that are trained on ATOMIC first."""
    if setting.data is None:
        print("  left out: the real data is not here")
        return
    evaluation = setting.data / "ckbp" / "evaluation_set.csv"
    triples = read_file(evaluation)
    examples = triples[:: len(triples) // (400 if setting.quick else 4_000)]
    fresh()
    with Graph.open() as graph:
        atomic = setting.data / "atomic" / "test.preprocessed.txt.gz"
        plan = Plan(importers.get("atomic"), (atomic,), "atomic", limit=6_000 if setting.quick else 30_000)
        pipeline.load(graph, plan)
        whole = setting.folder / "population"
        make_data(graph, Request(("atomic",), whole, evaluations=(evaluation,)))
        data = smaller(whole, setting.folder / "few", train=500 if setting.quick else 8_000, valid=200)
        for model in ("kgbert", "kgbertsage"):
            recipe = PopulatorRecipe(epochs=1, learning_rate=1e-4)
            named_populator.train(f"bench-{model}", data, model, graph=graph, recipe=recipe)
            _speed(f"bench-{model}", examples, graph, 1 if setting.quick else 3, figures)
        for hops in (1, 2):
            recipe = populators.get("graph").recipe(epochs=1, hops=hops)
            named_populator.train(f"bench-graph{hops}", data, "graph", graph=graph, recipe=recipe)
            _graph_speed(f"bench-graph{hops}", triples[:5_000], graph, figures)


def _speed(name: str, examples: Sequence[TripleExample], graph: Graph, repeats: int, figures: Figures) -> None:
    import numpy as np
    import torch
    from scipy.stats import spearmanr

    from harmgraph.models.population.network import batch_of
    from harmgraph.models.text.passages import PassageReader

    known = trained.config(name)
    member = populators.get(known.populator)
    near = None
    if member.has_neighbours:
        near = read_neighbourhood(graph, known.graph, direction=known.recipe.neighbours, of_data=known.of_graph)
    around = around_of(examples, near, known.recipe)

    def loaded() -> tuple[Any, PassageReader]:
        network, tokenizer = trained.load(known, trained.folder(name))
        return network, PassageReader(tokenizer, "sep", most_tokens(tokenizer, network.encoder, known.recipe.tokens))

    def plain(some: Sequence[TripleExample]) -> list[float]:
        network, reader = loaded()
        network.precision = "fp32"
        scores = []
        with torch.no_grad():
            for example in some:
                scores.append(float(network(batch_of([member.parts_of(example, around, known.recipe)], reader))))
        return scores

    # A loop of one triple at a time is slow, and faster with one thread where cores are busy: its faster time counts.
    few, threads = examples[:: max(1, len(examples) // 200)], torch.get_num_threads()
    slow = []
    for number in (1, threads):
        torch.set_num_threads(number)
        try:
            slow.append(min(timed(lambda: plain(few))[0] for _ in range(repeats)) / len(few))
        finally:
            torch.set_num_threads(threads)
        figures.add(f"{known.populator}, a triple at a time, {number} threads", 1 / slow[-1], "triples/s")
    reference = np.array(plain(few))
    exact: Any = None
    for precision in PRECISIONS:
        if precision == "bf16" and best_precision("cpu") != "bf16":
            continue  # without instructions for it, minutes instead of seconds
        network, reader = loaded()
        network.infer(precision)
        judge(member, network, reader, examples[:64], around, known.recipe)
        runs = [timed(lambda: judge(member, network, reader, examples, around, known.recipe)) for _ in range(repeats)]  # noqa: B023
        rate = len(examples) / median(seconds for seconds, _ in runs)
        scores = runs[0][1]
        if exact is None:
            exact = scores
            gap = np.abs(judge(member, network, reader, few, around, known.recipe) - reference).max()
            figures.add(f"{known.populator}, {precision}: largest difference of a logit", float(gap), "")
        figures.add(f"{known.populator}, {precision}", rate, "triples/s")
        figures.add(f"{known.populator}, {precision} / a triple at a time", rate * min(slow), "x", "at least 10")
        if precision in FLOORS:
            passages = reader.ids(member.passages(examples, around, known.recipe))
            floor = _floor(network.encoder.config, sum(map(len, passages)), getattr(torch, FLOORS[precision]))
            share = floor * rate / len(examples)
            figures.add(f"{known.populator}, {precision}: torch.mm of the same shapes alone / all of it", share, "")
        figures.add(
            f"{known.populator}, {precision}: Spearman with fp32",
            float(spearmanr(exact, scores).statistic),
            "",
            "at least .999",
        )


def _floor(config: Any, tokens: int, kind: Any) -> float:
    """Seconds of the matrix products of an encoder's layers for some tokens, without attention, normalising and padding."""
    import torch

    rows = 64 * 18  # tokens of a usual batch
    hidden, inner = config.hidden_size, config.intermediate_size
    narrow, wide = torch.randn(rows, hidden, dtype=kind), torch.randn(rows, inner, dtype=kind)
    square, up, down = (
        torch.randn(shape, dtype=kind) for shape in ((hidden, hidden), (hidden, inner), (inner, hidden))
    )

    def layers() -> None:
        for _ in range(config.num_hidden_layers):
            for _ in range(4):  # query, key, value, output
                torch.mm(narrow, square)
            torch.mm(narrow, up)
            torch.mm(wide, down)

    layers()
    return median(timed(layers)[0] for _ in range(9)) * tokens / rows


def _graph_speed(name: str, examples: Sequence[TripleExample], graph: Graph, figures: Figures) -> None:
    """``graph`` on all triples at once and one by one, whose texts were read before: processor time of one thread."""
    import numpy as np
    import torch

    from harmgraph.models.text.passages import PassageReader

    known = trained.config(name)
    member, recipe = populators.get(known.populator), known.recipe
    near = read_neighbourhood(graph, known.graph, direction=recipe.neighbours, of_data=known.of_graph)
    around = around_of(examples, near, recipe)
    network, tokenizer = trained.load(known, trained.folder(name))
    reader = PassageReader(tokenizer, "sep", most_tokens(tokenizer, network.encoder, recipe.tokens))
    vectors = read_once(network, reader, member.passages(examples, around, recipe))

    def judged(some: Sequence[TripleExample]) -> Any:
        return judge(member, network, reader, some, around, recipe, vectors=vectors)

    few, threads = examples[::50], torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        judged(examples[:100])
        slow = min(_processor_seconds(lambda: [judged([each]) for each in few]) for _ in range(3)) / len(few)
        fast = min(_processor_seconds(lambda: judged(examples)) for _ in range(3)) / len(examples)
    finally:
        torch.set_num_threads(threads)
    label = f"graph --hops {recipe.hops}"
    figures.add(f"{label}, a triple at a time", 1 / slow, "triples/s")
    figures.add(f"{label}, {len(examples):,} triples at once", 1 / fast, "triples/s")
    figures.add(f"{label}, at once / a triple at a time", slow / fast, "x", "at least 10")
    alone = np.array([judged([each])[0] for each in few])
    figures.add(f"{label}: largest difference of a logit", float(np.abs(judged(examples)[::50] - alone).max()), "")


def _processor_seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def smaller(folder: Path, out: Path, *, train: int, valid: int, seed: int = 0) -> Path:
    """A folder with some of the triples, drawn with the seed; the test triples are those of the folder."""
    import numpy as np

    out.mkdir(parents=True)
    for part, most in (("train", train), ("valid", valid), ("test", 0)):
        first, *lines = (folder / f"{part}.tsv").read_text(encoding="utf-8").splitlines()
        if most and most < len(lines):
            drawn = np.random.default_rng(seed).permutation(len(lines))[:most]
            lines = [lines[place] for place in sorted(drawn.tolist())]
        (out / f"{part}.tsv").write_text("\n".join([first, *lines]) + "\n", encoding="utf-8")
    (out / "data.json").write_bytes((folder / "data.json").read_bytes())
    return out


def compared(
    data: Path,
    file: Path,
    *,
    models: Sequence[str] = MODELS,
    seeds: int = 3,
    train: int = 20_000,
    valid: int = 2_000,
    recipe: PopulatorRecipe | None = None,
    encoder: str = ENCODER,
    candidates: Path | None = None,
    thresholds: tuple[float, float] = (0.1, 0.9),
    work: Path,
) -> list[dict[str, Any]]:
    """Each model trained with each seed on triples drawn with it, and judged on the file; a row for each model.

    Nothing is chosen by the file: the epoch is chosen on the valid triples.

    Args:
        candidates: for ``pseudoreasoner``, which is left out without; it goes on from the ``kgbert`` of the same seed.
        thresholds: probabilities below and above which its teacher's labels are taken.
        work: a folder for the triples drawn; run again, it goes on where it stopped.

    Returns:
        AUC overall: mean over seeds, the 95 % interval of each by resampled triples, and for each model the difference from
        TF-IDF with a linear model that was trained on the same triples.
    """
    recipe, examples = recipe or PopulatorRecipe(), of_split(read_file(file), "test")
    judged = [example for example in examples if example.label is not None]
    rows: dict[str, list[AucRow]] = {}
    names = tuple(dict.fromkeys((*models, *(("pseudoreasoner",) if candidates else ()))))
    for seed in range(seeds):
        few = work / f"seed{seed}-{train}"
        if not few.is_dir():
            smaller(data, few, train=train, valid=valid, seed=seed)
        scores = linear_scores(read_folder(few).train, judged, seed)
        rows.setdefault("TF-IDF", []).append(evaluated(judged, scores, draws=1_000)[0])
        print(f"seed {seed}: TF-IDF {auc([each.label for each in judged], scores):.3f}", flush=True)
        for model in names:
            options: dict[str, Any] = {"seed": seed}
            if model == "pseudoreasoner":
                options |= {"teacher": f"compared-{TEACHES}-{train}-{seed}", "candidates": str(candidates)}
                options |= dict(zip(("implausible_below", "plausible_above"), thresholds, strict=True))
                options |= {"epochs": recipe.epochs + recipe.pseudo_epochs}  # on labelled triples as many as the others
            name = f"compared-{model}-{train}-{seed}"
            chosen = replace(recipe, **options)
            seconds, done = timed(partial(named_populator.train, name, few, model, encoder=encoder, recipe=chosen))
            logits, _ = named_populator.logits(name, judged)
            row = evaluated(judged, logits, draws=1_000)[0]
            rows.setdefault(model, []).append(row)
            print(
                f"seed {seed}: {model} {row.auc:.3f} ({row.auc_low:.3f} to {row.auc_high:.3f}), "
                f"valid {done.config.valid_auc:.3f}, {seconds:.0f} s",
                flush=True,
            )
    table = [_summary(model, of_seeds, rows["TF-IDF"]) for model, of_seeds in rows.items()]
    print(f"\n{len(judged):,} triples of {file.name}, {train:,} to train on, {seeds} seeds")
    print("  ".join(f"{name:<16}" for name in table[0]))
    for line in table:
        print("  ".join(f"{value:<16.3f}" if isinstance(value, float) else f"{value!s:<16}" for value in line.values()))
    return table


def _summary(model: str, rows: Sequence[AucRow], linear: Sequence[AucRow]) -> dict[str, Any]:
    """Means over seeds; the interval of the mean is Student's where there are several seeds."""
    import numpy as np
    from scipy.stats import t

    areas = np.array([row.auc for row in rows])
    gaps = areas - np.array([row.auc for row in linear])
    half = t.ppf(0.975, len(areas) - 1) * areas.std(ddof=1) / len(areas) ** 0.5 if len(areas) > 1 else float("nan")
    return {
        "model": model,
        "auc": float(areas.mean()),
        "low over seeds": float(areas.mean() - half),
        "high over seeds": float(areas.mean() + half),
        "low over triples": float(np.mean([row.auc_low for row in rows])),
        "high over triples": float(np.mean([row.auc_high for row in rows])),
        "above TF-IDF": float(gaps.mean()),
        "least above TF-IDF": float(gaps.min()),
    }


def main() -> None:
    """The comparison, on the graph that is open."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.bench_population", description=compared.__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--file", type=Path, required=True)
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--train", type=int, default=20_000)
    parser.add_argument("--valid", type=int, default=2_000)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--learning-rate", type=float, default=5e-5)
    parser.add_argument("--encoder", default=ENCODER)
    parser.add_argument("--candidates", type=Path)
    parser.add_argument("--work", type=Path, default=Path("compared"))
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    table = compared(
        chosen.data,
        chosen.file,
        models=chosen.models.split(","),
        seeds=chosen.seeds,
        train=chosen.train,
        valid=chosen.valid,
        recipe=PopulatorRecipe(epochs=chosen.epochs, learning_rate=chosen.learning_rate),
        encoder=chosen.encoder,
        candidates=chosen.candidates,
        work=chosen.work,
    )
    if chosen.json:
        chosen.json.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
