"""A scorer as a task of the training loop: an encoder with an output layer for the labels."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harmgraph.common.label_words import CLASSIFIER_LABELS
from harmgraph.common.options import checked, documented, option
from harmgraph.models.classifier.examples import FEWEST
from harmgraph.models.text.pretrained import (
    REMEDY,
    check_at_work,
    classifier_of,
    most_tokens,
    not_loaded,
    tokenizer_of,
)

if TYPE_CHECKING:
    import numpy
    import torch
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from harmgraph.models.classifier.examples import Split, TextExample
    from harmgraph.models.text.finetuning import HeldOutVerdict, OptimiserStep
    from harmgraph.models.text.inference import Lanes

    Ids = Sequence[Sequence[int]]
    Numbers = numpy.ndarray[Any, Any]

EARLIER = "state.json"
"""A file that unfinished trainings of earlier versions had."""
SHIFTS = tuple(step / 20 for step in range(31))


@documented
@dataclass(frozen=True, slots=True)
class ScorerRecipe:
    """Options of a training.

    Attributes:
        learning_rate: it rises over the first tenth of the steps and falls to 0 at the last.
        common: each epoch draws new ones.
        tokens: the rest is cut off.
        seed: of the draws, the new layer and the dropout.
    """

    epochs: int = option(6, "Maximum epochs.", least=1)
    patience: int = option(3, "Stop after this many epochs without a better score on the valid examples.", least=1)
    batch: int = option(32, "Texts per step.", least=1)
    learning_rate: float = option(1e-4, "Peak learning rate.", least=0, above=True)
    common: float = option(
        6.0,
        "Maximum examples of the commonest label per epoch, as a multiple of all others; 0 for all.",
        least=0,
    )
    weight: float = option(0.5, "0 weights all examples equally, 1 all labels.", least=0, most=1)
    tokens: int = option(64, "Maximum tokens per text.", least=2)
    seed: int = option(0, "Random seed.", least=0)

    def __post_init__(self) -> None:
        checked(self)


class ScorerTask:
    """Training of a scorer; see ``models.text.finetuning.Task``.

    The measure is the mean F1 on the valid examples over the labels other than the commonest; with each epoch stand ``f1``, that
    of each label, and ``shift``, how much of ``_advantage`` to subtract: the best of ``SHIFTS`` on the valid examples.

    Args:
        lanes: for the valid examples.
    """

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        parts: Split,
        recipe: ScorerRecipe,
        lanes: Lanes,
    ) -> None:
        self.model = model
        self.recipe = recipe
        self._train, self._valid = parts.train, parts.valid
        self._lanes = lanes
        longest = most_tokens(tokenizer, model, recipe.tokens)
        self._ids = token_ids(tokenizer, parts.train, longest)
        self._held = token_ids(tokenizer, parts.valid, longest)
        self._drawn = [_draw(parts.train, recipe, number) for number in range(recipe.epochs)]
        self._counts = [math.ceil(len(places) / recipe.batch) for places in self._drawn]
        self._weights = _weights(parts.train, recipe)
        self._precision = "fp32"

    def begin(self, number: int, precision: str) -> int:
        """See ``Task.begin``."""
        self._precision = precision
        return self._counts[number]

    def steps(self, number: int) -> Iterator[OptimiserStep[Numbers]]:
        """See ``Task.steps``."""
        import numpy as np

        from harmgraph.models.text.finetuning import OptimiserStep, by_length

        places, before, steps = self._drawn[number], sum(self._counts[:number]), sum(self._counts)
        lengths = np.array([len(self._ids[place]) for place in places])
        generator = np.random.default_rng([self.recipe.seed, number, 1])
        for done, batch in enumerate(by_length(places, lengths, self.recipe.batch, generator)):
            tokens = sum(len(self._ids[place]) for place in batch)
            yield OptimiserStep([batch], 1.0, _rate(before + done, steps, self.recipe), tokens)

    def loss(self, piece: Numbers) -> torch.Tensor:
        """The weighted mean of the cross-entropies of the texts."""
        import torch

        from harmgraph.models.text.inference import padded

        batch = padded([self._ids[place] for place in piece], fill=self.model.config.pad_token_id or 0)
        wanted = torch.tensor([self._train[place].label for place in piece])
        with torch.autocast("cpu", torch.bfloat16, enabled=self._precision == "bf16"):
            outputs = self.model(**batch).logits
        return torch.nn.functional.cross_entropy(outputs.float(), wanted, weight=self._weights)

    def judge(self) -> HeldOutVerdict:
        """See ``Task.judge``."""
        from harmgraph.models.classifier.held_out import f1_by_label
        from harmgraph.models.text.finetuning import HeldOutVerdict
        from harmgraph.models.text.inference import logits

        outputs = logits(self.model, self._held, lanes=self._lanes)
        wanted = [example.label for example in self._valid]
        commonest = max(set(wanted), key=wanted.count)
        advantage = _advantage(self._train, self.recipe)
        tried: list[HeldOutVerdict] = []
        for shift in SHIFTS:
            f1 = f1_by_label(wanted, (outputs - shift * advantage).argmax(axis=1))
            enough = [
                f1[label]
                for label in f1
                if label != CLASSIFIER_LABELS[commonest] and wanted.count(CLASSIFIER_LABELS.index(label)) >= FEWEST
            ]
            score = sum(enough) / len(enough) if enough else f1[CLASSIFIER_LABELS[commonest]]
            tried.append(HeldOutVerdict(score, {"f1": f1, "shift": shift}))
        return max(tried, key=lambda verdict: verdict.measure)

    def finished(self, shift: float) -> PreTrainedModel:
        """The classifier, which has the weights of the best epoch, with its shift."""
        import torch

        with torch.no_grad():
            _last_layer(self.model).bias.sub_(torch.from_numpy(shift * _advantage(self._train, self.recipe)).float())
        self.model.eval()
        return self.model


def loaded(encoder: str) -> tuple[PreTrainedTokenizerBase, PreTrainedModel]:
    """The tokenizer, and the encoder with a new output layer for ``CLASSIFIER_LABELS``.

    Raises:
        InputError: the encoder cannot be loaded, needs its own code, or cannot classify sentences.
    """
    names = dict(enumerate(CLASSIFIER_LABELS))
    try:
        tokenizer = tokenizer_of(encoder)
        model, _ = classifier_of(
            encoder,
            num_labels=len(CLASSIFIER_LABELS),
            problem_type="single_label_classification",  # an encoder may have been a classifier of another kind before
            id2label=names,
            label2id={name: place for place, name in names.items()},
            ignore_mismatched_sizes=True,
        )
    except (OSError, ValueError) as error:
        raise not_loaded(encoder, error, "encoder", REMEDY) from error
    check_at_work(encoder, tokenizer, model)
    return tokenizer, model


def token_ids(tokenizer: PreTrainedTokenizerBase, examples: Sequence[TextExample], longest: int) -> Ids:
    """Token ids of the texts, cut off after ``longest``."""
    ids: Ids = tokenizer([example.text for example in examples], truncation=True, max_length=longest)["input_ids"]
    return ids


def _draw(examples: Sequence[TextExample], recipe: ScorerRecipe, number: int) -> numpy.ndarray[Any, Any]:
    """The indices of an epoch's examples: all of the rarer labels, and a new random draw of the commonest."""
    import numpy as np

    generator = np.random.default_rng([recipe.seed, number])
    labels = np.array([example.label for example in examples])
    commonest = np.bincount(labels).argmax()
    rare, common = np.flatnonzero(labels != commonest), np.flatnonzero(labels == commonest)
    most = int(recipe.common * len(rare)) if recipe.common else len(common)
    if most < len(common):
        common = generator.choice(common, most, replace=False)
    return generator.permutation(np.concatenate([rare, common]))


def _weights(examples: Sequence[TextExample], recipe: ScorerRecipe) -> torch.Tensor:
    """The weight of each label, from how often an epoch sees it; the mean over an epoch's examples is 1."""
    import numpy as np
    import torch

    seen = _seen(examples, recipe)
    weights = np.where(seen > 0, (seen.sum() / np.maximum(seen, 1)) ** recipe.weight, 0.0)
    return torch.tensor(weights / (weights * seen).sum() * seen.sum(), dtype=torch.float32)


def _seen(examples: Sequence[TextExample], recipe: ScorerRecipe) -> numpy.ndarray[Any, Any]:
    import numpy as np

    return np.bincount(
        [examples[place].label for place in _draw(examples, recipe, 0)], minlength=len(CLASSIFIER_LABELS)
    )


def _advantage(examples: Sequence[TextExample], recipe: ScorerRecipe) -> numpy.ndarray[Any, Any]:
    """How much likelier the draw and the weights make each label than it is in the file, as a logarithm.

    Subtracted from the logits it gives the probabilities of the file; the best F1 lies between subtracting none and all of it.
    """
    import numpy as np

    stands = np.bincount([example.label for example in examples], minlength=len(CLASSIFIER_LABELS))
    seen = _seen(examples, recipe) * _weights(examples, recipe).numpy()
    return np.asarray(np.log(np.maximum(seen, 1e-9) / np.maximum(stands, 1e-9)))


def _last_layer(model: PreTrainedModel) -> torch.nn.Linear:
    """The output layer: the last layer with an output for each label."""
    import torch

    layers = [layer for layer in model.modules() if isinstance(layer, torch.nn.Linear)]
    return [layer for layer in layers if layer.out_features == len(CLASSIFIER_LABELS)][-1]


def _rate(step: int, steps: int, recipe: ScorerRecipe) -> float:
    warm = max(1, steps // 10)
    return recipe.learning_rate * (min(1.0, (step + 1) / warm) if step < warm else (steps - step) / (steps - warm))
