"""Options of a training of a frame model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harmgraph.common.errors import BadName
from harmgraph.common.json_text import from_json
from harmgraph.common.options import checked, documented, option
from harmgraph.models.language.recipe import NEW, Steps
from harmgraph.models.text.encoder import CONFIG, locate

GENERATIVE, CLASSIFIER = "generative", "classifier"
ORDER = ("lewd", "offensive", "intent", "group_targeted")
"""The variables before the group, in the order in which people were asked (Sap et al. 2020, footnote 7)."""
LOSS, F1 = "loss", "f1"
GPT, GPT_RATE = "openai-gpt", 5e-6
"""The first GPT by the name that transformers has for its kind, and its learning rate (Sap et al. 2020, section 4.2)."""


@documented
@dataclass(frozen=True, slots=True, kw_only=True)
class FrameRecipe(Steps):
    """Options of a training of a frame model; see ``recipe_for`` for its defaults.

    Attributes:
        kind: ``generative`` says whole frames, ``classifier`` the five variables alone; a batch is of annotations or of posts.
        fold: of the split, see ``Post.part``.
    """

    epochs: int = option(5, "Maximum epochs.", least=1, words="new 10, by name 5, classifier 4")
    patience: int = option(2, "Stop after this many epochs without a better one.", least=1)
    batch: int = option(4, "Annotations per step.", least=1, words="new 32, by name 4")
    learning_rate: float = option(
        1e-5,
        "Peak of the learning rate.",
        least=0,
        above=True,
        words="new 1e-3, GPT 5e-6, others by name 1e-5; classifier 5e-5, frozen 1e-3",
    )
    warm: float = 0.1
    context: int = option(160, "Tokens seen at once.", least=16, words="160; classifier 96")
    choose_by: str = option(
        LOSS,
        "Which epoch is the best on the valid posts: that of the least loss, or of the highest mean F1 of the variables. With "
        "--model, F1 takes a decoding of these posts after each epoch.",
        choices=(LOSS, F1),
    )
    kind: str = GENERATIVE
    frozen: bool = option(False, "With --encoder: train only the last layer.")
    fold: int = option(0, "Number of the split; each number splits the posts differently.", least=0)
    order: str = option(
        ",".join(ORDER), "Order of the variables that a model says before the group: these four, with commas."
    )

    def __post_init__(self) -> None:
        checked(self)
        if sorted(self.variables) != sorted(ORDER):
            raise BadName("order", self.order, f"is not an order of {', '.join(ORDER)}")

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables before the group, in their order."""
        return tuple(name.strip() for name in self.order.split(","))

    def facts(self) -> dict[str, Any]:
        """See ``Steps.facts``; the usual order and choice are left out, so that a training from before them is the same."""
        usual = {"order": self.variables == ORDER, "choose_by": self.choose_by == LOSS}
        return {name: value for name, value in asdict(self).items() if not usual.get(name)}


def recipe_for(kind: str, model: str, given: Mapping[str, Any]) -> FrameRecipe:
    """The recipe with the options that the user gave, and the defaults for the others.

    For a model by name they are the paper's (Sap et al. 2020, section 4.2): batches of 4, at most 5 epochs, and
    a learning rate of 5e-6 for GPT, 1e-5 for GPT-2 and any other. New weights take larger batches and a higher rate.

    Args:
        given: options by name; None for the default.

    Raises:
        BadName: an option is not valid.
    """
    defaults: dict[str, Any] = {"kind": kind}
    if kind == CLASSIFIER:
        rate = 1e-3 if given.get("frozen") else 5e-5
        defaults |= {"batch": 16, "learning_rate": rate, "epochs": 20 if given.get("frozen") else 4, "context": 96}
    elif model.startswith(NEW):
        defaults |= {"batch": 32, "learning_rate": 1e-3, "epochs": 10}
    elif _is_gpt(model):
        defaults |= {"learning_rate": GPT_RATE}
    return FrameRecipe(**defaults | {name: value for name, value in given.items() if value is not None})


def _is_gpt(model: str) -> bool:
    """Whether it is the first GPT: by the ``config.json`` of its folder, or by its name on the hub."""
    file = Path(locate(model)) / CONFIG
    if not file.is_file():
        return model.rpartition("/")[2] == GPT
    try:
        kind = from_json(file.read_text(encoding="utf-8")).get("model_type")
    except (ValueError, AttributeError):  # whoever reads the model says what is wrong with its file
        return False
    return bool(kind == GPT)
