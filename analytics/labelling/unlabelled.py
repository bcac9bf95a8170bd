"""How much of what a number counts has no label. A number without any label is not a result."""

from __future__ import annotations

from dataclasses import dataclass

from harmgraph.common.errors import InputError

PAIRS = "pairs of a statement and a target"


@dataclass(frozen=True, slots=True)
class Unlabelled:
    """How much a statistic counts, and how much of it has no label.

    Attributes:
        of: the chosen source, category and target, in words; empty if none was chosen.
        source: the source; None for all of them.
        n: how much it counts.
        unlabelled: of these, without a label of one of the measures.
        what: what it counts.
    """

    measures: tuple[str, ...]
    of: str
    source: str | None
    n: int
    unlabelled: int
    what: str = PAIRS

    @property
    def share(self) -> float:
        """Share without a label, 0 to 1."""
        return self.unlabelled / self.n if self.n else 0.0

    def check(self, limit: float | None) -> None:
        """Raises an error if too much has no label.

        Args:
            limit: the largest share that may have no label; None for any share below 1.

        Raises:
            InputError: nothing has a label, or more than ``limit`` have none.
        """
        named = " and ".join(self.measures)
        where = self.of
        remedy = "label them: harmgraph label SCORER" + (f" --source {self.source}" if self.source else "")
        if self.n and self.unlabelled >= self.n:
            raise InputError(f"none of the {self.n:,} {self.what} has a label of {named}", where=where, remedy=remedy)
        if limit is not None and self.share > limit:
            raise InputError(
                f"{self.unlabelled:,} of the {self.n:,} {self.what} ({percent(self.share)}) have no label of "
                f"{named}, and {percent(limit)} may",
                where=where,
                remedy=f"{remedy}, or raise --max-unlabelled",
            )


def percent(share: float) -> str:
    """A share as text, in percent."""
    return f"{100 * share:.4g} %"
