"""Lines that are left out whatever else they have: an expression finds many at a time, before any of them is parsed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate


@dataclass(frozen=True)
class Screen:
    """What an importer certainly leaves out.

    It only saves time. Each of these lines must be one that the importer's parser leaves out too, for the same reason; of the
    others the parser finds those that are left out.

    Attributes:
        lines: by reason, an expression that matches such a line with its end, and never two lines.
        tabs: the number of tabs that such a line has; None if any number is right. The expression need not check what follows
            the last of them: to count tabs is quicker.
    """

    lines: Mapping[str, str]
    tabs: int | None = None

    def run(self, text: str, start: int) -> tuple[int, int, str]:
        """The lines that are left out for one reason, one after the other.

        Args:
            text: whole lines.
            start: where a line begins.

        Returns:
            Where they end, how many they are, and the reason. With 0 and no reason nothing is known of the lines up to there.
        """
        found = self._runs.match(text, start)
        if not found:
            return text.index("\n", start) + 1, 0, ""
        end = found.end()
        count = text.count("\n", start, end)
        if self.tabs is not None and text.count("\t", start, end) != self.tabs * count:
            return end, 0, ""
        return end, count, self._reasons[found.lastindex or 1]

    @cached_property
    def _reasons(self) -> dict[int, str]:
        """By the number of the group that finds it; an expression may have groups of its own."""
        groups = accumulate((1 + re.compile(line).groups for line in self.lines.values()), initial=1)
        return dict(zip(groups, self.lines, strict=False))

    @cached_property
    def _runs(self) -> re.Pattern[str]:
        # Possessive: a run is never given up again, so that nothing is kept for it.
        return re.compile("|".join(f"((?:{line})++)" for line in self.lines.values()))
