"""The figure of an agreement as a file, for ``harmgraph agree --figure``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harmgraph.analytics.agreement.agreement import Agreement

REMEDY = "choose another file with --figure"


def check_ending(path: Path | None) -> None:
    """Checks the ending of a figure's file name, before any work is done.

    Raises:
        InputError: it is not the ending of a format that can be written.
    """
    from harmgraph.graph.plotting.canvas import file_kind

    if path is not None:
        file_kind(path, remedy=REMEDY)


def write_figure(path: Path, agreement: Agreement, by: str) -> None:
    """Draws the confusion of people's labels and a scorer's, and the scores with their intervals.

    Raises:
        NoSpace: the file cannot be written.
    """
    from harmgraph.analytics.agreement.plot import description, draw_agreement
    from harmgraph.graph.common.whole_file import write_whole
    from harmgraph.graph.plotting.canvas import blank, file_kind, rendered, style

    figure = blank()
    with style():
        draw_agreement(figure, agreement, by)
    content = rendered(
        figure, file_kind(path, remedy=REMEDY), title=f"Agreement of people and {by}", alt=description(agreement, by)
    )
    write_whole(path, content, remedy=REMEDY)
