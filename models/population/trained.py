"""Trained populators on disk, one folder each under ``HARMGRAPH_HOME/populators``.

A folder has ``model.safetensors`` (the weights of the best epoch), ``config.json`` (a ``Config``), ``history.json`` (a row per
epoch), the files of the tokenizer, and ``checkpoint.safetensors``, from which training continues.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harmgraph.graph.common.errors import BadName, UnknownMember, UnreadableFile
from harmgraph.graph.common.whole_file import beside
from harmgraph.models.folders import Folders
from harmgraph.models.population.recipe import Recipe

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from harmgraph.models.population.network import Network

FORM = 1
WEIGHTS, CONFIG, HISTORY = "model.safetensors", "config.json", "history.json"
FOLDERS = Folders("populators", "populator")
folder, names, alone = FOLDERS.of, FOLDERS.names, FOLDERS.alone
_AGAIN = "train it again with --again"


@dataclass(frozen=True, slots=True)
class Config:
    """What is known of a populator.

    Attributes:
        state: ``training`` or ``finished``.
        populator: name of its model. encoder: as named in the training.
        identity: digest of everything that determines the result of the training.
        data: the folder of the examples. data_digest: see ``examples.Data``. train, valid: how many examples.
        graph: the sources of its neighbours. graph_digest: see ``neighbours.Neighbourhood``; empty without neighbours.
        encoder_config: transformers' configuration of the encoder, from which it is built again.
        precision, threads: of the training.
        stopped: why the training ended, ``epochs`` or ``patience``. epochs: how many. best_epoch: counted from 1.
        valid_auc: of the best epoch.
        of_graph: whether the examples are from the sources of its neighbours.
        train_on: the sources of the examples; empty for all.
        pseudo_labels: counts of the candidates by what became of them; empty for other models.
    """

    state: str
    populator: str
    encoder: str
    recipe: Recipe
    identity: str
    data: str
    data_digest: str
    train: int
    valid: int
    encoder_config: Mapping[str, Any]
    graph: tuple[str, ...] = ()
    graph_digest: str = ""
    precision: str = "fp32"
    threads: int = 0
    form: int = FORM
    versions: Mapping[str, str] = field(default_factory=dict)
    stopped: str = ""
    epochs: int = 0
    best_epoch: int = 0
    valid_auc: float | None = None
    trained_at: str = ""
    pseudo_labels: Mapping[str, int] = field(default_factory=dict)
    train_on: tuple[str, ...] = ()
    of_graph: bool = False

    @classmethod
    def of(cls, facts: Any) -> Config:
        """The record in a file; names that this version does not know are ignored.

        Raises:
            ValueError: it is none; the message says why.
        """
        if not isinstance(facts, dict):
            raise ValueError("it is not a JSON object")  # noqa: TRY004 - reported like every other fault
        kinds: dict[str, type] = {
            **dict.fromkeys(("train", "valid", "threads", "form", "epochs", "best_epoch"), int),
            "recipe": dict,
            "encoder_config": dict,
            "versions": dict,
            "pseudo_labels": dict,
            **dict.fromkeys(("graph", "train_on"), list),
            "of_graph": bool,
        }
        known = {field.name: facts[field.name] for field in fields(cls) if field.name in facts}
        for name, value in known.items():
            kind = kinds.get(name, str)
            if name != "valid_auc" and type(value) is not kind:
                raise ValueError(f"{name} is {value!r}")
        if known.get("form") != FORM:
            raise ValueError("another version of harmgraph wrote it")
        try:
            lists = {name: tuple(facts.get(name, ())) for name in ("graph", "train_on")}
            return cls(**known | lists | {"recipe": Recipe.of(facts.get("recipe"))})
        except TypeError as error:
            raise ValueError(f"it lacks {str(error).rpartition(': ')[2]}") from error

    def facts(self) -> dict[str, Any]:
        """The record as JSON."""
        return asdict(self) | {"graph": list(self.graph), "train_on": list(self.train_on)}


def config(name: str) -> Config:
    """What is known of a populator.

    Raises:
        UnknownMember: there is none of that name; the message lists similar names.
        UnreadableFile: its file is damaged.
    """
    path = folder(name) / CONFIG
    if not path.is_file():
        raise UnknownMember("trained populator", name, names())
    try:
        return Config.of(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError, BadName) as error:
        raise UnreadableFile(path, f"cannot be read ({error})", remedy=_AGAIN) from error


def keep(place: Path, known: Config, history: Sequence[Mapping[str, Any]]) -> None:
    """Writes ``history.json`` and ``config.json``."""
    for name, content in ((HISTORY, list(history)), (CONFIG, known.facts())):
        with beside(place / name) as part:
            part.write_text(json.dumps(content, indent=1, default=str) + "\n", encoding="utf-8")


def save_tokenizer(tokenizer: PreTrainedTokenizerBase, place: Path) -> None:
    """Writes the files of the tokenizer, with the tokens that were added."""
    from harmgraph.models.text.inference import without_messages

    with without_messages():
        tokenizer.save_pretrained(place)


def load(known: Config, place: Path) -> tuple[Network, PreTrainedTokenizerBase]:
    """The network with the weights of its best epoch, and the tokenizer.

    Raises:
        UnreadableFile: a file is missing or damaged, or is not of this populator.
        UnknownMember: no model has the name that it says.
    """
    from harmgraph.models.checkpoint import read_tensors
    from harmgraph.models.population.populator import populators
    from harmgraph.models.text.pretrained import tokenizer_of

    member = populators.get(known.populator)
    weights, _ = read_tensors(place / WEIGHTS)
    try:
        tokenizer = tokenizer_of(str(place))
        encoder = _encoder(known)
        network = member.build(encoder, tokenizer, (), known.recipe)
        network.load_state_dict(weights)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise UnreadableFile(place, f"is not a populator that can be loaded ({reason})", remedy=_AGAIN) from error
    network.precision = known.precision
    network.eval()
    return network, tokenizer


def _encoder(known: Config) -> PreTrainedModel:
    """The encoder with new weights, which those of the file replace."""
    from transformers import AutoConfig, AutoModel

    facts = dict(known.encoder_config)
    made = AutoConfig.for_model(facts.pop("model_type"), **facts)
    encoder: PreTrainedModel = AutoModel.from_config(made, trust_remote_code=False)
    return encoder
