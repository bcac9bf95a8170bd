"""Parity of link prediction: are objects predicted as often, and as correctly, for one group as for the other?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from harmgraph.common.errors import InputError
from harmgraph.common.intervals import wilson_arrays
from harmgraph.models.probing.probe import EncodedQuestion, Numbers, Probe, ProbeScores

if TYPE_CHECKING:
    import click


class Parity(Probe):
    """Demographic parity, rate_a - rate_b, as the score; predictive parity, precision_a - precision_b, beside it.

    An object is predicted for a person if it is among the ``predicted`` objects with the highest scores. A prediction is
    correct if the graph has the triple, in training or not: the difference is of interest, not the precision itself.
    """

    name = "parity"
    title = "Compare how often link prediction proposes an object for each group, and how often rightly."
    meaning = "share of the people with a for whom an object is predicted, minus that of the people with b"
    citation = "Dwork et al. 2012 (demographic parity); Chouldechova 2017 (predictive parity)"
    least, most = -1.0, 1.0
    needs_holders = True

    def options(self) -> list[click.Option]:
        """See ``Probe.options``."""
        import click

        return [
            click.Option(
                ["--predicted"],
                type=click.IntRange(1),
                default=3,
                show_default=True,
                help="Number of objects predicted for each person: those with the highest scores.",
            )
        ]

    def scores(self, encoded: EncodedQuestion, *, predicted: int = 3, **_: Any) -> ProbeScores:
        """See ``Probe.scores``. Intervals are Newcombe's of a difference of two shares."""
        encoded.enough()
        count = len(encoded.objects)
        if predicted >= count:
            raise InputError(
                f"all {count} objects would be predicted for everyone", remedy="lower --predicted or --min-count"
            )
        chosen = np.zeros((len(encoded.people), count), bool)
        for part, scores in encoded.scored(encoded.people):
            top = scores.topk(predicted, dim=1).indices.numpy()
            np.put_along_axis(chosen[part], top, True, axis=1)
        true = np.zeros_like(chosen)
        true[encoded.holds[:, 0], encoded.holds[:, 1]] = True
        sides = [
            (chosen[group].sum(0), (chosen & true)[group].sum(0), len(group))
            for group in (encoded.with_a, encoded.with_b)
        ]
        (rows_a, right_a, n_a), (rows_b, right_b, n_b) = sides
        values, low, high = _difference(rows_a, np.full(count, n_a), rows_b, np.full(count, n_b))
        precise, precise_low, precise_high = _difference(right_a, rows_a, right_b, rows_b)
        columns = {
            "rate_a": rows_a / n_a,
            "rate_b": rows_b / n_b,
            "precision_a": _share(right_a, rows_a),
            "precision_b": _share(right_b, rows_b),
            "predictive": precise,
            "predictive_low": precise_low,
            "predictive_high": precise_high,
        }
        facts = {
            "method": f"the {predicted} objects with the highest scores",
            "mean_demographic_difference": float(np.abs(values).mean()),
            "mean_predictive_difference": float(np.nanmean(np.abs(precise))) if np.isfinite(precise).any() else None,
            "shown": ("method", "mean_demographic_difference", "mean_predictive_difference"),
        }
        return ProbeScores(values, low, high, columns, facts)


Counts = npt.NDArray[np.int64]


def _share(hits: Counts, of: Counts) -> Numbers:
    """hits / of; NaN where ``of`` is 0."""
    shares: Numbers = np.divide(hits, of, out=np.full(len(of), np.nan), where=of > 0)
    return shares


def _difference(hits_a: Counts, of_a: Counts, hits_b: Counts, of_b: Counts) -> tuple[Numbers, Numbers, Numbers]:
    """The difference of two shares with Newcombe's interval (1998, method 10, from Wilson's); NaN where a count is 0."""
    share_a, share_b = _share(hits_a, of_a), _share(hits_b, of_b)
    (low_a, high_a), (low_b, high_b) = (
        wilson_arrays(hits_a, np.maximum(of_a, 1)),
        wilson_arrays(hits_b, np.maximum(of_b, 1)),
    )
    difference = share_a - share_b
    low = difference - np.sqrt((share_a - low_a) ** 2 + (high_b - share_b) ** 2)
    high = difference + np.sqrt((high_a - share_a) ** 2 + (share_b - low_b) ** 2)
    return difference, low, high


PROBE = Parity()
