"""Trains a named populator, judges files with it, and lists those on this machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from harmgraph.common.digests import facts_digest
from harmgraph.common.errors import BadName, InputError, UnreadableFile
from harmgraph.common.event_relations import RELATIONS
from harmgraph.common.json_text import from_json
from harmgraph.common.progress import progress, say
from harmgraph.common.whole_file import beside
from harmgraph.models.extra import needed
from harmgraph.models.options import ENCODER, FROZEN, LIVE, QUICKER
from harmgraph.models.population import trained
from harmgraph.models.population.choosing import choosing_file
from harmgraph.models.population.evaluation import (
    ANCHORS,
    DRAWS,
    AucRow,
    Seen,
    evaluated,
    head_frequencies,
    linear_scores,
)
from harmgraph.models.population.examples import ENDS, ExampleFolder, TripleExample, read_folder, to_judge
from harmgraph.models.population.neighbours import TextGraph, drawing_library, read_neighbourhood
from harmgraph.models.population.populator import Populator, populators
from harmgraph.models.population.recipe import PopulatorRecipe
from harmgraph.models.population.trained import PopulatorConfig
from harmgraph.models.population.training import (
    PopulatorTask,
    around_of,
    identity_of,
    judge,
    nodes_of,
)
from harmgraph.models.processor import device_of, torch_threads
from harmgraph.models.record import UNFINISHED, Trained, versions
from harmgraph.models.store import sha256
from harmgraph.models.text.saving import saving
from harmgraph.models.text.text_vectors import read_with_nodes
from harmgraph.models.training_procedure import Begun, How, carried_out, check

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

    from harmgraph.graph.connection import Graph
    from harmgraph.models.population.network import Network
    from harmgraph.models.population.training import Numbers
    from harmgraph.models.text.finetuning import Epoch


def train(
    name: str,
    data: Path,
    populator: str,
    *,
    train_on: Sequence[str] = (),
    limit: int = 0,
    choose_on: Path | None = None,
    graph: Graph | None = None,
    encoder: str = ENCODER,
    recipe: PopulatorRecipe | None = None,
    **how: Unpack[How],
) -> Trained[PopulatorConfig]:
    """Trains a populator, or continues an interrupted training; a finished one is left as it is.

    Args:
        data: a folder of ``harmgraph population data``.
        populator: name of the model.
        train_on: sources whose examples alone are trained on, for an evaluation on others; all if empty.
        limit: training examples, and valid ones, at most; 0 for all.
        choose_on: a file that people labelled, on which the best epoch of each relation is chosen; see ``choosing``.
        graph: for a model with neighbours, open; None opens it.

    Raises:
        as ``training_procedure.carried_out``, and MissingExtra: torch or transformers is not installed.
        UnreadableFile: a file of the data is missing or damaged.
        InputError: wrong data or options, or no such encoder.
        NotFound: the graph lacks a source that the data names.
        Busy: the graph changed while neighbours were drawn in it.
        UnknownMember: no model of that name, or the data lacks a source of ``train_on``.
    """
    member = populators.get(populator)
    recipe = recipe or member.recipe()
    member.check(recipe)
    check(trained.RECORDS, name)
    import torch

    from harmgraph.models.population.pseudo_labels import making
    from harmgraph.models.text.passages import PassageReader
    from harmgraph.models.text.pretrained import most_tokens

    examples = read_folder(data, train_on, limit)
    choosing = choosing_file(choose_on) if choose_on else None
    if choosing and (learnt := choosing.among(examples.train)):
        line = "the file to choose on has triples that are trained on"
        say(f"{line} ({learnt:,}): make the data with --evaluation, which leaves them out")
    if member.has_neighbours and recipe.subgraphs != LIVE and drawing_library() != "dgl":
        say("DGL is not installed, or does not work here: neighbours are drawn by NumPy")
    with _neighbours(member, recipe, graph, examples.graph, of_data=examples.of_graph) as neighbours:
        teacher = making.teacher_of(recipe, encoder, ENCODER) if "teacher" in member.options else None
        teaching = None
        if teacher:
            encoder, teaching = teacher.encoder, making.identity_of_teaching(recipe)
            recipe = replace(
                recipe,
                candidates=str(Path(recipe.candidates).absolute()),
                separators=teacher.recipe.separators,
                tokens=teacher.recipe.tokens,
            )
        identity = facts_digest(identity_of(populator, encoder, recipe, examples, neighbours, teaching, choosing))

        def begin(place: Path, device: str) -> Begun[PopulatorConfig]:
            torch.manual_seed(recipe.seed)
            network, tokenizer = (
                making.student_of(teacher, recipe) if teacher else _built(member, encoder, recipe, examples, neighbours)
            )
            network.to(device)
            reader = PassageReader(tokenizer, recipe.separators, most_tokens(tokenizer, network.encoder, recipe.tokens))
            labels = making.pseudo_labelled(place, identity, network, reader, examples, recipe) if teacher else None
            known = PopulatorConfig(
                state=UNFINISHED,
                populator=populator,
                encoder=encoder,
                recipe=recipe,
                identity=identity,
                data=str(data.absolute()),
                data_digest=examples.digest,
                train=len(examples.train),
                valid=len(examples.valid),
                encoder_config=from_json(network.encoder.config.to_json_string(use_diff=False)),
                graph=examples.graph if neighbours is not None else (),
                graph_digest=neighbours.digest if neighbours is not None else "",
                versions=versions(
                    *("torch", "transformers", "safetensors"),
                    # The same seed draws others with the other one.
                    *([drawing_library()] if neighbours is not None and recipe.subgraphs != LIVE else []),
                ),
                pseudo_labels=labels.counts if labels else {},
                train_on=tuple(train_on),
                of_graph=neighbours is not None and examples.of_graph,
                limit=limit,
                relations=network.relations,
                choose_on=str(choosing.path.absolute()) if choosing else "",
                choose_on_digest=choosing.digest if choosing else "",
                chosen_on=len(choosing.examples) if choosing else 0,
            )
            pseudo = labels.examples if labels else ()
            return Begun(
                known=known,
                identity=identity + labels.digest if labels else identity,
                task=PopulatorTask(member, network, reader, examples, neighbours, recipe, pseudo, choosing),
                recipe=recipe,
                state=place,
                of_epoch=_of_chosen_epoch if choosing else lambda epoch: {"valid_auc": epoch.measure},
                save=lambda: trained.save_tokenizer(tokenizer, place),
                quicker=QUICKER if recipe.frozen or member.frozen else FROZEN,
            )

        def is_over(known: PopulatorConfig) -> bool:
            return known.stopped == "patience" or known.epochs >= recipe.epochs

        return carried_out(trained.RECORDS, name, identity, begin, is_over=is_over, **how)


def _of_chosen_epoch(epoch: Epoch) -> dict[str, Any]:
    """What the history says of an epoch whose measure is that of a file of people's labels."""
    return {**epoch.more, "chosen_auc": epoch.measure, "relation_auc": dict(epoch.parts)}


@dataclass(frozen=True, slots=True)
class JudgedFile:
    """Scores of a file, and how good they are.

    Attributes:
        rows: empty if nobody labelled the file.
        said: what the reader of the rows must know, a line each.
        new: how many nodes of each triple stand in no training triple; empty if the training triples are gone.
        novelty: how many of the distinct nodes these are, and how many there are; None if the training triples are gone.
    """

    config: PopulatorConfig
    examples: tuple[TripleExample, ...]
    scores: tuple[float, ...]
    rows: tuple[AucRow, ...]
    said: tuple[str, ...] = ()
    new: tuple[int, ...] = ()
    novelty: tuple[int, int] | None = None

    def shown(self, count: int) -> list[dict[str, Any]]:
        """The triples that the model is most sure of and wrong about, and those with a new node that it is right about.

        It says that a triple is plausible if its score, a logit, is above 0. Triples without a label are left out.
        Fang et al. 2021, tables 10 and 17.

        Args:
            count: most of each kind.
        """
        labels = [example.label for example in self.examples]
        order = sorted(range(len(labels)), key=lambda place: (self.scores[place], place))
        above = [place for place in reversed(order) if self.scores[place] > 0]
        below = [place for place in order if self.scores[place] <= 0]
        kinds = {
            "wrong: says plausible": [place for place in above if labels[place] == 0],
            "wrong: says not plausible": [place for place in below if labels[place] == 1],
            "right and new": [place for place in above if labels[place] == 1 and self.new and self.new[place]],
        }
        return [
            {
                "kind": kind,
                **{end: getattr(self.examples[place], end) for end in ENDS},
                "label": labels[place],
                "score": self.scores[place],
                "class": self.examples[place].part or None,
                "new_nodes": self.new[place] if self.new else None,
            }
            for kind, places in kinds.items()
            for place in places[:count]
        ]


def evaluate(
    name: str,
    file: Path | None = None,
    *,
    graph: Graph | None = None,
    split: str = "test",
    one_epoch: bool = False,
    linear: bool = True,
    draws: int = DRAWS,
    seed: int = 0,
    device: str = "auto",
    precision: str = "auto",
    threads: int = 0,
) -> JudgedFile:
    """Judges the triples of a file.

    Args:
        file: in any form of ``examples.read_file``; ``test.tsv`` of the folder that it was trained on if None.
        one_epoch: see ``logits``.
        split: of the file's triples, or ``all``; a file without splits is judged whole.
        linear: whether to compare with a linear model trained on the same examples, with how often their heads occur, and
            with the cosine of the untrained encoder.
        draws, seed: of the bootstrap.
        precision: see ``judging_precision``.
        threads: see ``logits``.

    Raises:
        UnknownMember: no populator of that name.
        BadName: the device cannot compute in this precision.
        UnreadableFile: a file is missing or damaged.
        InputError: its training is not finished, the file has nothing to judge, or a source of its neighbours is not finished
            loading.
        NotFound: the graph lacks a source of its neighbours.
        Busy: the graph changed while neighbours were drawn in it.
    """
    known = ready(name)
    path = file or Path(known.data) / "test.tsv"
    examples = to_judge(path, split)
    scores, said = logits(
        name, examples, graph=graph, one_epoch=one_epoch, device=device, precision=precision, threads=threads
    )
    train = _trained_on(known, said, linear=linear)
    new: tuple[int, ...] = ()
    novelty = None
    if train:
        seen = Seen(train)
        new, novelty = tuple(seen.new(examples)), seen.novelty(examples)
    rows: list[AucRow] = []
    labelled = [place for place, example in enumerate(examples) if example.label is not None]
    if labelled:
        if len(labelled) < len(examples):
            said.append(
                f"{len(examples) - len(labelled):,} triples have no label: they have a score, and no share in any AUC"
            )
        judged = [examples[place] for place in labelled]
        new_judged = [new[place] for place in labelled] if new else []
        rows = evaluated(judged, scores[labelled], new=new_judged, draws=draws, seed=seed)
        if linear:
            with torch_threads(threads):
                others = _others(known, train, judged, said, device_of(device))
            for kind, other, numbers in others:
                overall, weighted = evaluated(judged, numbers, draws=draws, seed=seed)[:2]
                rows += [
                    replace(overall, of=kind, name=other),
                    replace(weighted, of=kind, name=f"{other}, weighted mean"),
                ]
        rows += ANCHORS
    return JudgedFile(known, examples, tuple(scores.tolist()), tuple(rows), tuple(said), new, novelty)


def ready(name: str) -> PopulatorConfig:
    """What is known of a populator whose training is finished.

    Raises:
        UnknownMember: no populator of that name.
        UnreadableFile: its file is damaged.
        InputError: its training is not finished.
        MissingExtra: torch or transformers is not installed.
    """
    known = trained.finished(name)
    needed("torch")
    needed("transformers")
    return known


def logits(
    name: str,
    examples: Sequence[TripleExample],
    *,
    graph: Graph | None = None,
    one_epoch: bool = False,
    device: str = "auto",
    precision: str = "auto",
    threads: int = 0,
) -> tuple[Numbers, list[str]]:
    """The logits of triples, [triples] in their order, and what the reader of them must know, a line each.

    A triple is judged by the weights of the epoch that its relation chose.

    Args:
        graph: for a model with neighbours, open; None opens it.
        one_epoch: whether the best epoch judges all relations instead.
        precision: see ``judging_precision``.
        threads: CPU threads; 0 for torch's.

    Raises:
        as ``ready``, and UnreadableFile: its weights or its tokenizer are missing or damaged.
        NotFound: the graph lacks a source of its neighbours.
        InputError: such a source is not finished loading.
        Busy: the graph changed while neighbours were drawn in it.
        BadName: there is no such device, or it cannot compute in this precision.
    """
    known = ready(name)
    import numpy as np
    import torch

    from harmgraph.models.text.passages import PassageReader
    from harmgraph.models.text.pretrained import most_tokens

    said = _chosen_among(known, examples)
    member = populators.get(known.populator)
    device = device_of(device)
    computed_in = judging_precision(precision, known, device)
    with _neighbours(member, known.recipe, graph, known.graph, of_data=known.of_graph) as neighbours:
        if neighbours is not None and neighbours.digest != known.graph_digest:
            said.append("the graph has changed since the training: the neighbours are those of now")
        around = around_of(examples, neighbours, known.recipe)
        if neighbours is not None:
            neighbours.check()
        nodes = nodes_of(neighbours)
    vectors = None
    scores = np.empty(len(examples), np.float64)
    best = known.best_epoch
    epochs = np.array([best if one_epoch else known.epoch_of(example.relation) for example in examples], np.int64)
    with torch_threads(threads):
        for epoch in np.unique(epochs).tolist():
            network, tokenizer = trained.load(known, trained.folder(name), epoch)
            network.to(device).infer(computed_in)
            reader = PassageReader(
                tokenizer, known.recipe.separators, most_tokens(tokenizer, network.encoder, known.recipe.tokens)
            )
            if vectors is None and member.frozen and precision != "int8":
                passages = member.passages(examples, around, known.recipe)
                # With the threads of the training, where there are so many: its vectors of the nodes are kept, to these bits.
                with torch_threads(min(known.threads, torch.get_num_threads())):
                    vectors = read_with_nodes(network, reader, passages, nodes or ())
            places = np.flatnonzero(epochs == epoch)
            some = [examples[place] for place in places.tolist()]
            scores[places] = judge(member, network, reader, some, around, known.recipe, vectors=vectors)
    return scores, said


def _chosen_among(known: PopulatorConfig, examples: Sequence[TripleExample]) -> list[str]:
    """A line about those of the triples that its epochs were chosen on."""
    if not known.choose_on_digest:
        return []
    path = Path(known.choose_on)
    if not path.is_file() or sha256(path) != known.choose_on_digest:
        return [f"whether epochs were chosen on some of these triples is not known: {path} is gone or has changed"]
    seen = choosing_file(path).among(examples)
    return [f"epochs were chosen on {seen:,} of these triples, so the AUC is higher than on new ones"] if seen else []


def write_scores(path: Path, judged: JudgedFile) -> None:
    """Writes the triples with their scores, a line each, separated by tabs.

    Raises:
        NoSpace: the file cannot be written.
    """
    with saving(path), beside(path) as part, part.open("w", encoding="utf-8") as file:
        file.write("head\trelation\ttail\tlabel\tscore\n")
        for example, score in zip(judged.examples, judged.scores, strict=True):
            label = "" if example.label is None else example.label
            file.write(f"{example.head}\t{example.relation}\t{example.tail}\t{label}\t{score:.6f}\n")


def row(name: str, known: PopulatorConfig) -> dict[str, Any]:
    """What is shown of a populator."""
    return {
        "populator": name,
        "model": known.populator,
        "encoder": known.encoder,
        "state": known.state,
        "precision": known.precision,
        "valid_auc": known.valid_auc,
        "chosen_auc": known.chosen_auc,
        "epochs": known.epochs,
        "best_epoch": known.best_epoch or None,
        "train": known.train,
        "valid": known.valid,
        "graph": ", ".join(known.graph),
        "data": known.data,
    }


def _trained_on(known: PopulatorConfig, said: list[str], *, linear: bool) -> tuple[TripleExample, ...]:
    """The training examples; none, and a line, if they are gone."""
    lacking = f"{'no linear model to compare with, and ' if linear else ''}no node is known to be new"
    try:
        data = read_folder(Path(known.data), known.train_on, known.limit)
    except (UnreadableFile, InputError) as error:
        said.append(f"{lacking}: {error}")
        return ()
    if data.digest != known.data_digest:
        said.append(f"{lacking}: the folder has other examples than those of the training")
        return ()
    return data.train


def _others(
    known: PopulatorConfig,
    train: Sequence[TripleExample],
    examples: Sequence[TripleExample],
    said: list[str],
    device: str,
) -> list[tuple[str, str, Numbers]]:
    """Kind, name and scores of what a populator is compared with; a line for what there is not."""
    from harmgraph.models.population.untrained_cosine import cosines

    others: list[tuple[str, str, Numbers]] = []
    if train:
        progress("a linear model on the same examples", 0)
        linear = linear_scores(train, examples, known.recipe.seed)
        others.append(("linear model", "TF-IDF and logistic regression", linear))
        others.append(("frequency", "of the head among plausible ones", head_frequencies(train, examples)))
    try:
        cosine = cosines(known.encoder, examples, known.recipe.tokens, device=device)
    except (UnreadableFile, InputError) as error:
        said.append(f"no untrained encoder to compare with: {error}")
    else:
        others.append(("untrained encoder", "cosine of head and tail", cosine))
    return others


def _opened(graph: Graph | None) -> AbstractContextManager[Graph]:
    from harmgraph.graph.connection import Graph

    return nullcontext(graph) if graph is not None else Graph.open()


@contextmanager
def _neighbours(
    member: Populator, recipe: PopulatorRecipe, graph: Graph | None, sources: Sequence[str], *, of_data: bool
) -> Iterator[TextGraph | None]:
    """Where a model gets its neighbours; None for one without. A live graph stays open."""
    if not member.has_neighbours:
        yield None
    elif recipe.subgraphs == LIVE:
        from harmgraph.models.population.live_neighbours import LiveTextGraph

        with _opened(graph) as live:
            yield LiveTextGraph(live, sources, of_data=of_data)
    else:
        with _opened(graph) as live:
            read = read_neighbourhood(live, sources, direction=recipe.neighbours, of_data=of_data)
        yield read


def _built(
    member: Populator, encoder: str, recipe: PopulatorRecipe, data: ExampleFolder, neighbours: TextGraph | None
) -> tuple[Network, PreTrainedTokenizerBase]:
    """A new network and its tokenizer."""
    from harmgraph.models.text.pretrained import opened_encoder

    model, tokenizer = opened_encoder(encoder)
    relations = dict.fromkeys((*RELATIONS, *data.relations, *(neighbours.relations if neighbours is not None else ())))
    return member.build(model, tokenizer, tuple(relations), recipe), tokenizer


def judging_precision(chosen: str, known: PopulatorConfig, device: str) -> str:
    """The precision of the encoder in an evaluation; ``auto`` is that of the training.

    Raises:
        BadName: ``int8`` on a GPU.
    """
    if chosen == "int8" and not device.startswith("cpu"):
        raise BadName("precision", chosen, "is for the CPU: choose bf16, or --device cpu")
    return known.precision if chosen == "auto" else chosen
