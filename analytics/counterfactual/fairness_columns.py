"""The columns of several models side by side, as tables call them; apart, so that a command reads little at its start."""

from __future__ import annotations

from collections.abc import Mapping

NAMES = ("i_f", "g_f")
"""Of ``FairnessNumbers.whole``, in its order."""
HEADINGS: Mapping[str, str] = {
    f"{name}{ending}": f"{title}{said}"
    for name, title in zip(NAMES, ("I.F.", "G.F."), strict=True)
    for ending, said in (
        ("", ""),
        ("_floor", " floor"),
        ("_p", " p"),
        ("_excess", " less floor"),
        ("_change", " less first"),
        ("_excess_change", " less floor, less first"),
    )
}
"""How a table calls the columns of ``comparing.compared``."""
