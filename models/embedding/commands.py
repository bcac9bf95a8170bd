"""``harmgraph embed``: train, eval, encode, list, import, rm."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypedDict

import click

from harmgraph.common.command_line import (
    Commands,
    Member,
    Share,
    options_of,
    output_option,
    parameters_of,
    progress_option,
    verbose_option,
)
from harmgraph.common.options import Option, declared
from harmgraph.graph.commands.name_types import ModelName, SourceName
from harmgraph.models import store
from harmgraph.models.config import EmbeddingConfig
from harmgraph.models.embedding.encoder import Encoder, VectorEncoder, encoders
from harmgraph.models.embedding.options import COMPARATORS, PAPER, RECIPES, EmbeddingOptions
from harmgraph.models.embedding.score_function import ScoreFunction, score_functions
from harmgraph.models.options import CACHED, LIVE, again_option, device_option, remove_command_of

MAX_TABLE = 20
LISTED = (
    *("model", "family", "dimension", "source", "state", "valid_mrr", "epochs", "best_epoch"),
    *("comparator", "entities", "relations", "train", "valid", "test"),
)
DIGITS = dict.fromkeys(("mrr", "valid_mrr", "hits@1", "hits@3", "hits@10"), 3)
DEFAULT = "subgraph/triples"
FAMILY = Member("model", score_functions.names)
FAMILIES = ", ".join(score_functions.names())
TRAINED = ModelName(store.names)


def _options_of(recipe: Mapping[str, Any]) -> str:
    words = {option.name: option.word for option in declared(EmbeddingOptions)}
    return " ".join(f"--{words[name]} {value}" for name, value in recipe.items())


RECIPE_LIST = "; ".join(f"{name}, {_options_of(of) or 'the defaults below'}" for name, of in RECIPES.items())

threads_option = click.option(
    "--threads",
    type=click.IntRange(0),
    default=0,
    help="CPU threads; the same number gives the same bits.  [default: one or all, whichever is faster]",
)


subgraphs_option = click.option(
    "--subgraphs",
    type=click.Choice((CACHED, LIVE)),
    help="Where the edges are. live leaves them in the graph and reads them part by part; cached holds them in memory. "
    " [default: as the training did]",
)


@click.group(cls=Commands)
@verbose_option
def embed() -> None:
    """Embeddings of a source's graph: train, eval, encode, list, import, rm."""


def _words(option: Option) -> str:
    """The general default of an option, then the defaults of the models and encoders that have another."""
    if option.name == "comparator":
        return "the model's own"
    if option.name in ("encoder", "fanout", "neutral"):
        return "none"
    models_by_default: dict[str, list[str]] = {}
    members: list[ScoreFunction | Encoder] = [*score_functions, *encoders]
    for model in members:
        if option.name in model.defaults:
            models_by_default.setdefault(_word(model.defaults[option.name]), []).append(model.name)
    others = (f"{', '.join(models)}: {value}" for value, models in models_by_default.items())
    return "; ".join((_word(option.default), *others))


def _word(value: Any) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


@embed.command()
@click.argument("name", type=TRAINED)
@click.option("--source", type=SourceName(), help="Source to train on; every source if none is named.")
@click.option("--model", type=FAMILY, default="transe", show_default=True, help=f"{FAMILIES}.")
@click.option(
    "--statement",
    "query",
    default=DEFAULT,
    show_default=True,
    help="Statement that selects the triples: a name in cypher/, a file, its text, or - for stdin; it returns head, relation, "
    "tail and perhaps split.",
)
@click.option(
    "--param",
    "parameters",
    multiple=True,
    metavar="KEY=VALUE",
    help="Parameter of --statement or --properties; JSON or text.",
)
@click.option(
    "--properties",
    metavar="STATEMENT",
    help="With --features properties: statement that returns key and numbers of entities, given as --statement is. It takes "
    "$source, and those of --param that it has.",
)
@click.option(
    "--split-seed",
    type=click.IntRange(0, 2**63 - 1),
    default=0,
    show_default=True,
    help="Seed of the random split, if the graph has none.",
)
@click.option("--valid-share", type=Share(), default="5%", show_default=True, help="Share of valid in a random split.")
@click.option("--test-share", type=Share(), default="5%", show_default=True, help="Share of test in a random split.")
@click.option(
    "--recipe",
    type=click.Choice(tuple(RECIPES)),
    default=PAPER,
    show_default=True,
    help=f"Options by a name: {RECIPE_LIST}. What is given beside it counts.",
)
@options_of(EmbeddingOptions, ranged=False, words=_words)
@click.option(
    "--choose-on",
    type=SourceName(),
    metavar="SOURCE",
    help="With --encoder: choose the best epoch on the valid triples of this source, not on those of --source.",
)
@again_option
@click.option("--fresh", is_flag=True, help="Read the graph again instead of using the copy on disk.")
@device_option
@threads_option
@click.option(
    "--processes", type=click.IntRange(1), default=1, show_default=True, help="Processes that share each batch."
)
@progress_option
@output_option
@verbose_option
def train(
    name: str,
    source: str | None,
    model: str,
    query: str,
    parameters: tuple[str, ...],
    properties: str | None,
    split_seed: int,
    valid_share: float,
    test_share: float,
    recipe: str,
    choose_on: str | None,
    again: bool,
    fresh: bool,
    device: str,
    threads: int,
    processes: int,
    progress: bool,
    output: str,
    **options: Any,
) -> None:
    """Train an embedding. Run the same command again to continue an interrupted training."""
    from harmgraph.common.output import show_one
    from harmgraph.common.progress import bar, quiet
    from harmgraph.graph.connection import Graph
    from harmgraph.graph.statements import from_name
    from harmgraph.models.embedding import named_embedding
    from harmgraph.models.embedding.options import with_defaults
    from harmgraph.models.processor import device_of
    from harmgraph.models.text.arithmetic import chosen_precision

    store.folder(name)
    given = click.get_current_context().get_parameter_source("model")
    encoder = options.get("encoder")
    if (
        encoder
        and not isinstance(encoders.get(encoder), VectorEncoder)
        and given is not click.core.ParameterSource.DEFAULT
    ):
        raise click.UsageError(f"the encoder {encoder} makes its scores itself: leave out --model")
    training = with_defaults(model, {key: value for key, value in options.items() if value is not None}, recipe)
    choice = named_embedding.GraphPart(
        source,
        from_name(query),
        parameters_of(parameters),
        split_seed,
        (valid_share, test_share),
        properties=from_name(properties) if properties else None,
    )
    if training.precision == "bf16" and chosen_precision("auto", device_of(device)) != "bf16":
        click.echo("harmgraph: warning: this processor only emulates bf16: fp32 is quicker here", err=True)
    with Graph.open() as graph, bar(progress):
        trained = named_embedding.train(
            graph,
            name,
            choice,
            training,
            restart=again,
            fresh=fresh,
            device=device,
            threads=threads,
            processes=processes,
            tell=_told if progress else quiet,
            each_epoch=partial(_line, training.epochs) if progress and not sys.stderr.isatty() else None,
            choose_on=choose_on,
        )
    show_one(_row(name, trained.config), output, title=name, digits=DIGITS)
    if not trained.fresh_epochs and trained.config.stopped == "patience":
        click.echo(
            f"{name} has already stopped by its patience: to train further, give --again and another --patience",
            err=True,
        )
    elif not trained.fresh_epochs:
        click.echo(f"{name} is already finished: --epochs N trains further, --again trains from the start", err=True)
    else:
        click.echo(f"evaluate it with: harmgraph embed eval {name}", err=True)


def _told(line: str) -> None:
    """A line on stderr, also in logs."""
    click.echo(line, err=True)


def _line(epochs: int, row: Mapping[str, Any]) -> None:
    """A line for an epoch where no bar is shown: in logs and jobs."""
    parts = [
        f"epoch {row['epoch']} of {epochs}: loss {row['loss']:.4g}",
        *([f"{row['triples_per_second']:,} triples a second"] if "triples_per_second" in row else []),
    ]
    parts += [f"MRR on valid {row[name]:.3f}" + _among(name) for name in row if name.startswith("valid_mrr")]
    if "lr" in row:
        parts.append(f"learning rate {row['lr']:.4g}")
    click.echo(", ".join(parts), err=True)


def _among(name: str) -> str:
    """Among whom an answer was ranked, if not among all."""
    among = name.removeprefix("valid_mrr").removeprefix("_among_")
    return f" among {int(among):,} drawn entities" if among else ""


def _row(name: str, known: EmbeddingConfig) -> dict[str, Any]:
    subgraph = known.subgraph
    return {
        "model": name,
        "family": known.family,
        "comparator": known.comparator,
        "dimension": known.dimension,
        "source": known.source,
        **({"features": known.training["features"]} if known.features else {}),
        **{
            key: getattr(subgraph, key, None) for key in ("entities", "relations", "train", "valid", "test", "split_by")
        },
        "state": known.state,
        "epochs": known.epochs,
        "best_epoch": known.best_epoch or None,  # 0 in files of earlier versions: valid was not evaluated
        "stopped": known.stopped,
        "threads": known.threads,
        "valid_mrr": known.valid_mrr,
        "sha256": known.sha256,
    }


class RankedTriples(TypedDict):
    """Which triples are ranked, see ``evaluation.link_prediction``."""

    split: str
    sample: int
    seed: int


@embed.command("eval")
@click.argument("name", type=TRAINED)
@click.option(
    "--split", type=click.Choice(("test", "valid")), default="test", show_default=True, help="Triples to rank."
)
@click.option(
    "--negatives",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File of false triples (head, relation, tail, separated by tabs): classify them and the test triples.",
)
@click.option(
    "--valid-negatives",
    type=click.Path(path_type=Path, dir_okay=False),
    help="False triples to choose the thresholds on.  [default: the name of --negatives with valid for test]",
)
@click.option(
    "--top", type=click.IntRange(0), default=MAX_TABLE, show_default=True, help="Relations in the table; 0 for all."
)
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Rank N triples of the split, drawn at random.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of --sample.")
@click.option(
    "--triples-of",
    "other",
    type=TRAINED,
    metavar="MODEL",
    help="Rank the triples of another model, to compare models of parts of one graph.",
)
@click.option(
    "--inference",
    type=SourceName(),
    help="Rank the triples of this source, whose entities need not be those of the training; for a model with an encoder.",
)
@subgraphs_option
@threads_option
@progress_option
@output_option
@verbose_option
def evaluate(
    name: str,
    split: str,
    negatives: Path | None,
    valid_negatives: Path | None,
    top: int,
    sample: int | None,
    seed: int,
    other: str | None,
    inference: str | None,
    subgraphs: str | None,
    threads: int,
    progress: bool,
    output: str,
) -> None:
    """Rank the triples of a split among all entities, or classify true and false ones."""
    from harmgraph.common.output import show_one
    from harmgraph.common.progress import bar, terminal
    from harmgraph.graph.connection import Graph
    from harmgraph.graph.contents.sources import relation_names
    from harmgraph.models.extra import needed

    needed("torch")
    from harmgraph.models.embedding import evaluation, named_embedding
    from harmgraph.models.embedding.live_evaluation import check_split, live_link_prediction
    from harmgraph.models.embedding.tables import load_tables
    from harmgraph.models.processor import torch_threads
    from harmgraph.models.subgraph.live_entities import LiveEntities

    if negatives and sample:
        raise click.UsageError("--sample works only for ranking: leave out --negatives")
    if valid_negatives and not negatives:
        raise click.UsageError("--valid-negatives needs --negatives, whose triples are classified")
    if subgraphs == LIVE and (negatives or other):
        raise click.UsageError(f"{'--negatives' if negatives else '--triples-of'} does not work with --subgraphs live")
    live = subgraphs == LIVE or (store.config(name).live and not subgraphs and not other)
    asked: RankedTriples = {"split": split, "sample": sample or 0, "seed": seed}
    if store.config(name).encoder:
        if negatives or other:
            raise click.UsageError(
                f"{'--negatives' if negatives else '--triples-of'} does not work with a model that has an encoder"
            )
        _evaluate_encoder(name, inference, asked, live=live, top=top, threads=threads, progress=progress, output=output)
        return
    if inference:
        raise click.UsageError(f"--inference needs a model with an encoder, and {name} has a table of entities")
    if negatives:
        valid_negatives = _valid_negatives(negatives, valid_negatives)
    trained = load_tables(name)
    with Graph.open() as graph, bar(progress), torch_threads(threads, terminal) as chosen:
        if negatives and valid_negatives:
            subgraph = named_embedding.same_subgraph(graph, trained.config, name)
            valid = evaluation.labelled(trained, subgraph, "valid", valid_negatives)
            test = evaluation.labelled(trained, subgraph, "test", negatives)
            show_one({"model": name, **evaluation.classification(trained, valid, test)}, output, title=name)
            return
        if live:
            place = named_embedding.same_live(graph, trained.config, name)
            check_split(place, learnt=True)
            metrics = live_link_prediction(trained, place, LiveEntities.of(place), **asked, threads=chosen)
        else:
            learnt = named_embedding.same_subgraph(graph, trained.config, name)
            subgraph = named_embedding.same_subgraph(graph, store.config(other), other) if other else learnt
            metrics = evaluation.link_prediction(
                trained, subgraph, **asked, learnt=learnt if other else None, threads=chosen
            )
        named = relation_names(graph)
    if other:
        metrics["triples_of"] = other
    _tell_sample(metrics, sample or 0)
    _show_ranking(name, metrics, output, top, named)


def _valid_negatives(negatives: Path, named: Path | None) -> Path:
    """The file of the valid negatives: the named one, or the one beside those of the test split.

    Raises:
        UnreadableFile: there is no file of negatives, or its name does not tell the other's.
    """
    from harmgraph.common.errors import UnreadableFile

    if not negatives.is_file():
        raise UnreadableFile(negatives, "no such file")
    found = named or negatives.with_name(negatives.name.replace("test", "valid"))
    if found == negatives:
        raise UnreadableFile(
            negatives, "has no matching file of valid negatives", remedy="name it with --valid-negatives"
        )
    return found


def _evaluate_encoder(
    name: str,
    inference: str | None,
    asked: RankedTriples,
    *,
    live: bool,
    top: int,
    threads: int,
    progress: bool,
    output: str,
) -> None:
    """``embed eval`` of a model with an encoder, on its own graph or on another."""
    from harmgraph.common.progress import bar, terminal
    from harmgraph.graph.connection import Graph
    from harmgraph.graph.contents.sources import relation_names
    from harmgraph.models.extra import needed

    needed("torch")
    from harmgraph.models.embedding import evaluation, named_embedding
    from harmgraph.models.embedding.graph_model import load_graph_model
    from harmgraph.models.embedding.live_evaluation import LearntSource, check_split, live_link_prediction
    from harmgraph.models.embedding.live_vectors import check_vectors, live_vectors
    from harmgraph.models.processor import torch_threads
    from harmgraph.models.record import read_json
    from harmgraph.models.subgraph.live_entities import LiveEntities
    from harmgraph.models.subgraph.live_graph import LiveGraph
    from harmgraph.models.subgraph.reader import read_subgraph

    known = store.config(name)
    if live:
        check_vectors(known)
    with Graph.open() as graph, bar(progress), torch_threads(threads, terminal) as chosen:
        familiar = frozenset(read_json(store.folder(name) / store.KEYS)["entities"]) if inference else None
        # A training on the live graph kept no keys.
        also_own = bool(inference) and (inference in known.imports or not familiar)
        if live:
            own = named_embedding.same_live(graph, known, name) if also_own or not inference else None
            place = LiveGraph.of(graph, inference) if inference else own
            assert place is not None
            check_split(place, learnt=place.source == known.source)
            entities = LiveEntities.of(place)
            found = live_vectors(name, known, place, entities)
            learnt_source = LearntSource(known.source) if also_own else None
            metrics = live_link_prediction(
                found.tables, place, entities, **asked, familiar=familiar, learnt=learnt_source, threads=chosen
            )
            remarks, unknown = found.remarks, found.unknown
        else:
            learnt = named_embedding.same_subgraph(graph, known, name) if also_own or not inference else None
            subgraph = read_subgraph(graph, inference) if inference else learnt
            assert subgraph is not None
            if also_own and learnt is not None:
                familiar = familiar or frozenset(learnt.entities)
            model = load_graph_model(name, known, subgraph, graph=graph)
            metrics = evaluation.link_prediction(
                model, subgraph, **asked, familiar=familiar, learnt=learnt if inference else None, threads=chosen
            )
            remarks, unknown = (model.remark,), model.unknown
        named = relation_names(graph)
    metrics |= {"inference": inference, "unknown_edges": unknown} if inference else {}
    _tell_sample(metrics, asked["sample"])
    _show_ranking(name, metrics, output, top, named)
    for remark in filter(None, remarks):
        _told(remark)
    if unknown:
        edges = "edge has" if unknown == 1 else "edges have"
        click.echo(f"{unknown:,} {edges} a relation that {name} does not know, so no message passes there", err=True)


def _tell_sample(metrics: Mapping[str, Any], sample: int) -> None:
    if sample and metrics["seed"] is None:
        left = f"{metrics['split']} has only {metrics['drawn_from']:,} triples to rank"
        click.echo(f"{left}: all of them were ranked", err=True)


def _show_ranking(name: str, metrics: dict[str, Any], output: str, top: int, named: Mapping[str, str]) -> None:
    """Prints the metrics; a table has the relations by the names that ``named`` gives to their types."""
    from harmgraph.common.output import show, show_one

    if output == "json":
        show_one({"model": name, **metrics}, output)
        return
    scopes = [
        {"relation": "(all)", **metrics},
        *({"relation": f"({side})", **row} for side, row in metrics["sides"].items()),
        *({"relation": f"({of})", **row} for of, row in metrics.get("entities", {}).items()),
    ]
    relations = sorted(metrics["relations"], key=lambda row: (-row["n"], row["relation"]))
    shown = relations[:top] if output == "table" and top else relations
    columns = ["relation"]
    for metric in ("mrr", "mr", "hits@1", "hits@3", "hits@10"):
        columns += [metric, f"{metric}_low", f"{metric}_high"]
    columns.append("n")
    of = metrics.get("triples_of") or metrics.get("inference")
    rows = [{column: row[column] for column in columns} for row in [*scopes, *shown]]
    if output == "table":
        rows = [row | {"relation": named.get(row["relation"], row["relation"])} for row in rows]
    show(
        rows,
        output,
        columns=columns,
        title=f"{name} on {metrics['split']}" + (f" of {of}" if of else ""),
        digits=DIGITS,
    )
    if metrics["seed"] is not None:
        drawn = (
            f"{metrics['triples']:,} of {metrics['drawn_from']:,} triples, drawn at random by seed {metrics['seed']}"
        )
        click.echo(f"{drawn}; the intervals are wider than for the whole split", err=True)
    if len(shown) < len(relations):
        click.echo(f"{len(relations) - len(shown):,} more relations: show them with --top 0 or --output csv", err=True)
    if "triples_of" in metrics:
        click.echo(
            f"ranked among {metrics['candidates']:,} entities; those of another model may be fewer or more", err=True
        )
    if metrics["seen"]:
        click.echo(f"triples left out because they were in the training of {name}: {metrics['seen']:,}", err=True)
    if metrics["left_out"]:
        click.echo(
            f"triples left out because an entity or relation of theirs has no vector: {metrics['left_out']:,}", err=True
        )


@embed.command()
@click.argument("name", type=TRAINED)
@click.option("--source", type=SourceName(), help="Source whose entities get vectors; every source if none is named.")
@click.option("--as", "into", required=True, metavar="MODEL", help="Name of the model that has the vectors.")
@click.option("--again", is_flag=True, help="Replace the model of this name.")
@subgraphs_option
@progress_option
@output_option
@verbose_option
def encode(
    name: str, source: str | None, into: str, again: bool, subgraphs: str | None, progress: bool, output: str
) -> None:
    """Give the entities of a source vectors, also where training never saw them. The model needs an encoder with vectors."""
    from harmgraph.common.output import show_one
    from harmgraph.common.progress import bar
    from harmgraph.graph.connection import Graph
    from harmgraph.models.extra import needed

    needed("torch")
    from harmgraph.models.embedding import encoding

    store.folder(into)
    with Graph.open() as graph, bar(progress):
        known = encoding.encode(graph, name, source, into, again=again, subgraphs=subgraphs or "", tell=_told)
    show_one(_row(into, known), output, title=into, digits=DIGITS)
    if known.unmatched:
        alike = not store.config(name).features
        vectors = "all such have one vector" if alike else "only what such begin with is in their vectors"
        entities = "entity has" if known.unmatched == 1 else "entities have"
        click.echo(
            f"{known.unmatched:,} {entities} no training edge of a relation that {name} knows: {vectors}", err=True
        )


@embed.command("list")
@output_option
@verbose_option
def listing(output: str) -> None:
    """List the models on this machine."""
    from harmgraph.common.output import show

    rows = [{key: row[key] for key in LISTED} for row in store.RECORDS.listed(_row)]
    show(rows, output, title="models", digits=DIGITS)
    if not rows:
        click.echo("no models yet: harmgraph embed train NAME --source SOURCE", err=True)


REMOVES = "Remove a model: its files, its node in the graph and its probe results. Asks first."
embed.add_command(remove_command_of(TRAINED, store.FOLDERS, REMOVES))


@embed.command("import")
@click.argument("name", type=TRAINED)
@click.option("--model", type=FAMILY, required=True, help=f"Type of the model: {FAMILIES}.")
@click.option(
    "--comparator",
    type=click.Choice(COMPARATORS),
    help="What it was trained with; needed where the model knows several.",
)
@click.option(
    "--from", "folder", type=click.Path(path_type=Path, file_okay=False), help="A folder of DGL-KE or PyKEEN."
)
@click.option(
    "--entities", type=click.Path(path_type=Path, dir_okay=False), help="Vectors: .npy, or text with a row a line."
)
@click.option(
    "--entity-keys", type=click.Path(path_type=Path, dir_okay=False), help="Their keys: one a line, or id and key."
)
@click.option("--relations", type=click.Path(path_type=Path, dir_okay=False), help="Vectors of the relations.")
@click.option("--relation-keys", type=click.Path(path_type=Path, dir_okay=False), help="Names of the relations.")
@click.option("--source", type=SourceName(), help="Source that the keys belong to; needed for evaluation.")
@click.option(
    "--half-turn",
    type=float,
    help="For rotate: the number in the file that means half a turn; (gamma + 2) / hidden_dim in DGL-KE.  [default: pi]",
)
@click.option("--again", is_flag=True, help="Replace the model of this name.")
@output_option
@verbose_option
def import_command(
    name: str,
    model: str,
    comparator: str | None,
    folder: Path | None,
    entities: Path | None,
    entity_keys: Path | None,
    relations: Path | None,
    relation_keys: Path | None,
    source: str | None,
    half_turn: float | None,
    again: bool,
    output: str,
) -> None:
    """Import embeddings trained elsewhere: NPY or text with keys, or a folder of DGL-KE or PyKEEN. Pickles are refused."""
    from harmgraph.common.output import show_one
    from harmgraph.graph.connection import Graph
    from harmgraph.models.extra import needed

    needed("torch")
    from harmgraph.models.embedding import foreign

    files = foreign.files(folder, entities, entity_keys, relations, relation_keys)
    with Graph.open() as graph:
        known = foreign.take(
            graph, name, model, files, comparator=comparator or "", source=source, half_turn=half_turn, replace=again
        )
    row = _row(name, known) | {"matched": known.matched, "unmatched": known.unmatched}
    show_one(row, output, title=name)
