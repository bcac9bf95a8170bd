"""Trains a named model on a source of the graph, stores it on disk and registers it in the graph."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from harmgraph.graph import schema_setup
from harmgraph.graph.common.errors import BadName, InputError
from harmgraph.graph.common.progress import Progress, Tell, quiet, silent
from harmgraph.graph.common.version import VERSION
from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import Statement, parse, statement
from harmgraph.models import store
from harmgraph.models.embedding.options import Training
from harmgraph.models.extra import needed
from harmgraph.models.subgraph.reader import DEFAULT, read_subgraph
from harmgraph.models.subgraph.split import SHARES, SPLITS
from harmgraph.models.subgraph.subgraph import Subgraph


@dataclass(frozen=True, slots=True)
class Choice:
    """The part of the graph that a model is trained on.

    Attributes:
        source: name of a source; None for all sources.
        statement: selects the triples.
        parameters: of that statement.
        split_seed, shares: of the random split, if the graph has none. ``BadName`` if the shares leave nothing to train on.
    """

    source: str | None
    statement: Statement = field(default_factory=lambda: statement(DEFAULT))
    parameters: Mapping[str, Any] = field(default_factory=dict)
    split_seed: int = 0
    shares: tuple[float, float] = SHARES

    def __post_init__(self) -> None:
        if sum(self.shares) >= 1:
            shares = " and ".join(f"{share:g}" for share in self.shares)
            raise BadName("shares of valid and test", shares, "leave nothing to train on")

    def read(self, graph: Graph, *, fresh: bool = False, progress: Progress = silent) -> Subgraph:
        """The subgraph; see ``models.subgraph.reader.read_subgraph``."""
        return read_subgraph(
            graph,
            self.source,
            query=self.statement,
            parameters=self.parameters,
            seed=self.split_seed,
            shares=self.shares,
            cache=not fresh,
            progress=progress,
        )


def train(
    graph: Graph,
    name: str,
    choice: Choice,
    training: Training,
    *,
    restart: bool = False,
    fresh: bool = False,
    device: str = "auto",
    threads: int = 0,
    processes: int = 1,
    progress: Progress = silent,
    tell: Tell = quiet,
) -> dict[str, Any]:
    """Trains a model, or continues an interrupted training; a finished model is left as it is.

    Args:
        threads: CPU threads; 0 for the faster of one and all, see ``trainer.train``.
        processes: how many share each batch.
        tell: is called with the number of threads chosen, and why.

    Returns:
        The model's ``config.json``, and ``fresh_epochs``, how many epochs this call trained.

    Raises:
        MissingExtra: torch is not installed.
        NotFound: no such source.
        InputError: nothing to train on, or a model of that name with other options.
        KeyboardInterrupt: after the checkpoint was written.
    """
    needed("torch")
    from harmgraph.models.embedding import trainer

    schema_setup.apply(graph)
    subgraph = choice.read(graph, fresh=fresh, progress=progress)
    with store.alone(name) as place:
        if restart:
            store.clear(place)
        known = store.config(name) if (place / store.CONFIG).exists() else {}
        identity = trainer.identity(training, subgraph)
        if known.get("stopped") == "imported":
            raise InputError("was imported, not trained", where=name, remedy="choose another name, or --again")
        if known and known.get("identity") != identity:
            raise InputError(
                _difference(known, training, subgraph),
                where=name,
                remedy="train it from the start with --again, or choose another name",
            )
        before = int(known.get("epochs", 0))
        finished = known.get("state") == "finished" and (
            known.get("stopped") == "patience" or before >= training.epochs
        )
        if finished:
            # The same triples may come from a newer import.
            known = known | {"subgraph": subgraph_facts(subgraph)}
            store.keep(name, known)
        else:
            device = _device(device) if processes == 1 else "cpu"
            trainer.check(training, subgraph, place, device=device, processes=processes)
            facts = _facts(training, subgraph, identity)
            store.keep(name, facts, keys={"entities": list(subgraph.entities), "relations": list(subgraph.relations)})
            try:
                trained = trainer.train(
                    subgraph,
                    training,
                    place,
                    device=device,
                    processes=processes,
                    threads=threads,
                    progress=progress,
                    tell=tell,
                )
            finally:
                if not known and not (place / trainer.CHECKPOINT).exists():
                    store.clear(place)  # nothing was trained: other options may use the name
            known = facts | {
                "state": "finished",
                "stopped": trained.stopped,
                "epochs": trained.epochs,
                "best_epoch": trained.best_epoch,
                "threads": trained.threads,
                "valid_mrr": trained.best_mrr if trained.best_epoch else None,
                "sha256": store.sha256(place / store.TABLES),
            }
            store.keep(name, known, history=list(trained.history))
        register(graph, name, known)
    return known | {"fresh_epochs": 0 if finished else int(known["epochs"]) - before}


def register(graph: Graph, name: str, known: Mapping[str, Any]) -> None:
    """Writes the ``Model`` node from the model's ``config.json`` with the digest of its tables."""
    origin = known.get("subgraph", {}).get("origin", {})
    facts = {
        "family": known["family"],
        "comparator": known["comparator"],
        "path": str(store.folder(name)),
        "sha256": known["sha256"],
        "import_id": ",".join(sorted(set(origin.get("imports", {}).values()))),
        "dimension": known["dimension"],
        "valid_mrr": known.get("valid_mrr"),
    }
    store.register(graph, name, facts, sorted(origin.get("imports", {})))


def _facts(training: Training, subgraph: Subgraph, identity: str) -> dict[str, Any]:
    torch = needed("torch")
    return {
        "form": 1,
        "state": "training",
        "family": training.model,
        "comparator": training.chosen_comparator,
        "reciprocal": training.reciprocal,
        "dimension": training.dim,
        "identity": identity,
        "training": training.facts(),
        "subgraph": subgraph_facts(subgraph),
        "versions": {"harmgraph": VERSION, "torch": torch.__version__, "python": platform.python_version()},
    }


def subgraph_facts(subgraph: Subgraph) -> dict[str, Any]:
    """What a model's ``config.json`` says about its subgraph."""
    return {
        "digest": subgraph.digest,
        "origin": dict(subgraph.origin),
        "split_by": subgraph.split_by,
        "entities": len(subgraph.entities),
        "relations": len(subgraph.relations),
        "duplicates": subgraph.duplicates,
    } | {name: int((subgraph.split == code).sum()) for code, name in enumerate(SPLITS)}


def _difference(known: Mapping[str, Any], training: Training, subgraph: Subgraph) -> str:
    """How the stored model differs from the requested one."""
    before = known.get("training", {})
    now = training.facts()
    changed = [
        f"{name} {before.get(name)} (now {value})"
        for name, value in now.items()
        if name != "epochs" and before.get(name) != value
    ]
    if known.get("subgraph", {}).get("digest") != subgraph.digest:
        changed.append("another state of the graph")
    return f"a model of that name was trained with {', '.join(changed) or 'other options'}"


def _device(chosen: str) -> str:
    """The device to use, with ``auto`` resolved.

    Raises:
        BadName: torch does not know the device, or this machine has none.
    """
    torch = needed("torch")
    if chosen == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.empty(0, device=chosen)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).partition("\n")[0]
        raise BadName("device", chosen, f"is not available: {reason}; auto uses what there is") from error
    return chosen


def same_subgraph(graph: Graph, known: Mapping[str, Any], name: str, *, progress: Progress = silent) -> Subgraph:
    """The subgraph that a model was trained on, read again.

    Raises:
        InputError: the model was not trained on a graph, its source was imported again since, or the triples changed.
        NotFound: its source is gone.
    """
    trained_on = known.get("subgraph", {})
    origin = trained_on.get("origin", {})
    if "text" not in origin:
        raise InputError("does not belong to a source of the graph", where=name, remedy="import it with --source")
    query = parse(origin["statement"], origin["text"])
    subgraph = read_subgraph(
        graph,
        origin.get("source"),
        query=query,
        parameters=origin["parameters"],
        seed=origin.get("seed", 0),
        shares=tuple(origin.get("shares", SHARES)),
        progress=progress,
    )
    if trained_on.get("digest") not in (None, subgraph.digest):
        before, now = origin.get("imports", {}), subgraph.origin["imports"]
        moved = [source for source in now if before.get(source) != now[source]]
        why = (
            f"the source {moved[0]!r} was imported again since ({before.get(moved[0], 'no import')} then, {now[moved[0]]} now)"
            if moved
            else "the triples changed since"
        )
        raise InputError(f"was trained on another state of the graph: {why}", where=name, remedy="train it again")
    return subgraph
