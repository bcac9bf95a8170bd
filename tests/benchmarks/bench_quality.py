"""Filtered ranks on valid after the same epochs as PyKEEN, the better of some learning rates of each (the extra ``bench``).

The graph is FB15k-237 among its most frequent entities: PyKEEN takes minutes for an epoch of the whole. Both tables are
ranked by the same code; PyKEEN's own evaluator is asked too, and has to say the same of its tables.
"""

from __future__ import annotations

import gzip
import importlib.util
import tempfile
from collections import Counter
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import torch

from harmgraph.models.embedding.options import with_defaults
from harmgraph.models.embedding.ranking import Known, ranks, summary
from harmgraph.models.embedding.tables import Tables
from harmgraph.models.embedding.training import trainer
from harmgraph.models.subgraph.split import SPLITS, TRAIN, VALID
from harmgraph.models.subgraph.subgraph import Columns, Subgraph, assembled
from tests.benchmarks.figures import Figures, timed
from tests.benchmarks.pykeen_training import SAME, contestants, prepared
from tests.benchmarks.setting import Setting

KEPT, FEWER = 1_000, 300  # entities
DIM, NEGATIVES, BATCH, EPOCHS = 100, 100, 256, 10
RATES = (0.1, 0.03, 0.3)


def bench(setting: Setting, figures: Figures) -> None:
    """Softmax loss (PyKEEN: InfoNCE), Adagrad, no weights on norms, float32, one relation a direction for neither."""
    if setting.data is None or not importlib.util.find_spec("pykeen"):
        print("  left out: it needs the real data and the extra bench")
        return
    torch.set_flush_denormal(True)
    subgraph = frequent(setting.data / "fb15k-237", FEWER if setting.quick else KEPT)
    figures.add("triples to train on", len(subgraph.triples(TRAIN)), "")
    for model, (comparator, theirs, options) in contestants(DIM).items():
        found: dict[str, list[tuple[float, float]]] = {"harmgraph": [], "PyKEEN": []}
        for rate in RATES:
            with tempfile.TemporaryDirectory(dir=setting.folder) as folder:
                given = {"dim": DIM, "negatives": NEGATIVES, "batch": BATCH, "comparator": comparator, "lr": rate}
                training = with_defaults(model, given | SAME | {"epochs": EPOCHS, "valid_every": 0})
                seconds, trained = timed(lambda: trainer.train(subgraph, training, Path(folder)))  # noqa: B023
            found["harmgraph"].append((reciprocal_rank(trained.tables, subgraph), seconds))
            seconds, tables, own = pykeen(theirs, options, comparator, model, rate, subgraph)
            found["PyKEEN"].append((reciprocal_rank(tables, subgraph), seconds))
            figures.add(f"{model}, lr {rate}: PyKEEN's own MRR of its tables - ours", own - found["PyKEEN"][-1][0], "")
        for name, runs in found.items():
            best = max(runs)
            figures.add(f"{model}, {EPOCHS} epochs, {name}: MRR on valid", best[0], f"lr {RATES[runs.index(best)]}")
            figures.add(f"{model}, {EPOCHS} epochs, {name}: seconds", best[1], "s")


def frequent(folder: Path, count: int) -> Subgraph:
    """The triples among the entities that stand in most triples."""
    rows: list[list[str]] = []
    for split in SPLITS:
        with gzip.open(folder / f"{split}.txt.gz", "rt", encoding="utf-8") as file:
            rows += [[*line.rstrip("\n").split("\t"), split] for line in file]
    kept = {name for name, _ in Counter(chain.from_iterable((row[0], row[2]) for row in rows)).most_common(count)}
    head, relation, tail, split_names = zip(*(row for row in rows if row[0] in kept and row[2] in kept), strict=True)
    return assembled(Columns(head, relation, tail, split_names))


def reciprocal_rank(tables: Tables, subgraph: Subgraph) -> float:
    """Filtered mean reciprocal rank on valid."""
    known = Known(subgraph.triples(), len(subgraph.relations))
    return float(summary(ranks(tables, subgraph.triples(VALID), known))["mrr"])


def pykeen(
    model: str, options: dict[str, Any], comparator: str, own_model: str, rate: float, subgraph: Subgraph
) -> tuple[float, Tables, float]:
    """How long PyKEEN trains, in seconds, its tables, and what its evaluator says of them."""
    from pykeen.evaluation import RankBasedEvaluator
    from pykeen.triples import CoreTriplesFactory

    sizes = {"num_entities": len(subgraph.entities), "num_relations": len(subgraph.relations)}
    factory, valid, test = (
        CoreTriplesFactory(torch.from_numpy(subgraph.triples(code)), **sizes) for code in range(len(SPLITS))
    )
    made, loop = prepared(model, options, factory, rate=rate, negatives=NEGATIVES)
    train = partial(loop.train, triples_factory=factory, num_epochs=EPOCHS, batch_size=BATCH, use_tqdm=False)
    seconds, _ = timed(train)
    result = RankBasedEvaluator(filtered=True).evaluate(
        made,
        valid.mapped_triples,
        additional_filter_triples=[factory.mapped_triples, test.mapped_triples],
        batch_size=256,
        use_tqdm=False,
    )
    entities, relations = (
        columns(representation[0]().detach())
        for representation in (made.entity_representations, made.relation_representations)
    )
    tables = Tables(own_model, comparator, entities, relations, subgraph.entities, subgraph.relations)
    return seconds, tables, float(result.get_metric("both.realistic.inverse_harmonic_mean_rank"))


def columns(vectors: torch.Tensor) -> torch.Tensor:
    """Complex vectors as real parts, then imaginary parts."""
    if not vectors.is_complex():
        return vectors
    parts = torch.view_as_real(vectors)
    return torch.cat([parts[..., 0], parts[..., 1]], dim=1)
