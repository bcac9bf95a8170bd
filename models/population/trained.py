"""Trained populators on disk, one folder each under ``HARMGRAPH_HOME/populators``.

A folder has ``model.safetensors`` (the weights of the best epoch), ``config.json`` (a ``PopulatorConfig``), ``history.json``
(a row per epoch), the files of the tokenizer, and ``checkpoint.safetensors``, from which training continues. Where relations have
best epochs of their own, ``epoch-N.safetensors`` has the weights of each that were trained.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harmgraph.common.errors import UnreadableFile, first_line
from harmgraph.models.folders import Folders
from harmgraph.models.population.recipe import PopulatorRecipe
from harmgraph.models.record import AGAIN, Outcome, Records

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from harmgraph.models.population.network import Network

WEIGHTS = "model.safetensors"
FOLDERS = Folders("populators", "populator")
folder, names = FOLDERS.of, FOLDERS.names


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulatorConfig(Outcome):
    """What is known of a populator.

    Attributes:
        state: ``training`` or ``finished``.
        populator: name of its model. encoder: as named in the training.
        identity: digest of everything that determines the result of the training.
        data: the folder of the examples. data_digest: see ``examples.Data``. train, valid: how many examples.
        graph: the sources of its neighbours. graph_digest: see ``neighbours.TextGraph``; empty without neighbours.
        encoder_config: transformers' configuration of the encoder, from which it is built again.
        valid_auc: of the best epoch.
        of_graph: whether the examples are from the sources of its neighbours.
        train_on: the sources of the examples; empty for all.
        limit: of the examples, see ``read_folder``.
        relations: see ``network.Network``.
        pseudo_labels: counts of the candidates by what became of them; empty for other models.
        choose_on: the file on which epochs were chosen. choose_on_digest: of it. chosen_on: how many of its triples.
        chosen_auc: of the best epoch, the weighted mean on that file.
        choice: the best epoch of each relation there, counted from 1; the others have ``best_epoch``.
    """

    state: str
    populator: str
    encoder: str
    recipe: PopulatorRecipe
    identity: str
    data: str
    data_digest: str
    train: int
    valid: int
    encoder_config: Mapping[str, Any]
    graph: tuple[str, ...] = ()
    graph_digest: str = ""
    valid_auc: float | None = None
    pseudo_labels: Mapping[str, int] = field(default_factory=dict)
    train_on: tuple[str, ...] = ()
    of_graph: bool = False
    limit: int = 0
    relations: tuple[str, ...] = ()
    choose_on: str = ""
    choose_on_digest: str = ""
    chosen_on: int = 0
    chosen_auc: float | None = None
    choice: Mapping[str, int] = field(default_factory=dict)

    def epoch_of(self, relation: str) -> int:
        """The epoch whose weights judge the triples of a relation, counted from 1."""
        return self.choice.get(relation, self.best_epoch)


RECORDS = Records(FOLDERS, PopulatorConfig, "population train")
config, finished = RECORDS.read, RECORDS.finished


def save_tokenizer(tokenizer: PreTrainedTokenizerBase, place: Path) -> None:
    """Writes the files of the tokenizer, with the tokens that were added."""
    from harmgraph.models.text.inference import without_messages

    with without_messages():
        tokenizer.save_pretrained(place)


def load(known: PopulatorConfig, place: Path, epoch: int = 0) -> tuple[Network, PreTrainedTokenizerBase]:
    """The network with the weights of an epoch, and the tokenizer.

    Args:
        epoch: one that a relation chose, counted from 1; 0 for the best.

    Raises:
        UnreadableFile: a file is missing or damaged, or is not of this populator.
        UnknownMember: no model has the name that it says.
    """
    from harmgraph.models.checkpoint import read_tensors
    from harmgraph.models.population.populator import populators
    from harmgraph.models.text.finetuning import OF_EPOCH
    from harmgraph.models.text.pretrained import tokenizer_of

    member = populators.get(known.populator)
    weights, _ = read_tensors(place / WEIGHTS)
    if epoch and epoch != known.best_epoch:
        weights |= read_tensors(place / OF_EPOCH.format(epoch))[0]
    try:
        tokenizer = tokenizer_of(str(place))
        encoder = _encoder(known)
        network = member.build(encoder, tokenizer, known.relations, known.recipe)
        network.load_state_dict(weights)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        what = f"is not a populator that can be loaded ({first_line(error)})"
        raise UnreadableFile(place, what, remedy=AGAIN) from error
    network.precision = known.precision
    network.eval()
    return network, tokenizer


def _encoder(known: PopulatorConfig) -> PreTrainedModel:
    """The encoder with new weights, which those of the file replace."""
    from transformers import AutoConfig, AutoModel

    facts = dict(known.encoder_config)
    made = AutoConfig.for_model(facts.pop("model_type"), **facts)
    encoder: PreTrainedModel = AutoModel.from_config(made, trust_remote_code=False)
    return encoder
