"""Box plots of targets: one box for each category, with the names of targets beyond the whiskers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from harmgraph.analytics.drawing.largest import largest_of, left_out
from harmgraph.analytics.drawing.numbers import Rows
from harmgraph.common.plotting.named_points import ABOVE, name_points
from harmgraph.common.plotting.narrow import row_name
from harmgraph.common.plotting.style import COLOUR, HATCH, INK, number, rows_grid, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAMED = 5
"""Most outliers of a category that are named; the table has all."""
ROW_INCHES = 0.62


def draw_boxes(axes: Axes, boxes: Rows, targets: Rows, value: str) -> None:
    """Draws one horizontal box for each category, the first on top.

    Args:
        boxes: rows of ``cypher/statistics/categories``.
        targets: rows with ``target``, ``category``, ``n`` and the value.
        value: n, o_plus or o_minus.
    """
    shown = boxes_of(boxes, value)
    drawn = axes.bxp(
        [_box(row, targets, value) for row in shown],
        positions=range(len(shown)),
        widths=0.42,
        orientation="horizontal",
        patch_artist=True,
        showmeans=True,
        boxprops={"facecolor": "white", "edgecolor": INK, "linewidth": 0.9},
        medianprops={"color": INK, "linewidth": 2.2},
        whiskerprops={"color": INK, "linewidth": 0.9},
        capprops={"color": INK, "linewidth": 0.9},
        meanprops={"marker": "D", "markerfacecolor": "white", "markeredgecolor": INK, "markersize": 4.5},
        flierprops={"marker": "o", "markerfacecolor": "none", "markeredgecolor": COLOUR[value], "markersize": 4},
    )
    for patch in drawn["boxes"]:
        patch.set_facecolor(_tint(COLOUR[value]))
        patch.set_hatch(HATCH[value])
    axes.set_yticks(
        range(len(shown)), [f"{row_name(axes, row['category'], 24)}\n{row['targets']:,} targets" for row in shown]
    )
    axes.set_ylim(len(shown) - 0.45, -0.62)
    rows_grid(axes)


def name_outliers(axes: Axes, boxes: Rows, targets: Rows, value: str, min_support: int) -> None:
    """Writes the names of the furthest outliers that have enough statements. The layout must be final before.

    Args:
        min_support: fewest statements of a target that is named.
    """
    named, marks, bodies = [], [], []
    for place, row in enumerate(boxes_of(boxes, value)):
        (x0, y0), (x1, y1) = axes.transData.transform(
            [(row["whisker_low"], place + 0.23), (row["whisker_high"], place - 0.23)]
        )
        bodies.append((x0, min(y0, y1), x1, max(y0, y1)))
        beyond = outliers(row, targets)
        marks += [(float(target[value]), float(place)) for target in beyond]
        supported = [target for target in beyond if target["n"] >= min_support]
        for rank, target in enumerate(supported[:NAMED]):
            named.append((rank, float(target[value]), float(place), shortened(target["target"], 22)))
    ranked = sorted(named, key=lambda point: point[0])
    name_points(axes, [point[1:] for point in ranked], marks, ways=ABOVE, keep_off=bodies)


def drawn_boxes(boxes: Rows) -> Rows:
    """The boxes of the categories that a figure shows."""
    shown = largest_of({row["category"]: row["targets"] for row in boxes})
    return [row for row in boxes if row["category"] in shown]


def boxes_left_out(boxes: Rows) -> str:
    """What a title says of the categories that are not drawn; empty if all are."""
    return left_out(*(len({row["category"] for row in rows}) for rows in (drawn_boxes(boxes), boxes)))


def boxes_of(boxes: Rows, value: str) -> Rows:
    """The boxes of one value, in the order of their categories."""
    return sorted((row for row in boxes if row["value"] == value), key=lambda row: str(row["category"]))


def outliers(row: dict[str, Any], targets: Rows) -> Rows:
    """The targets beyond the whiskers of a box, the furthest from its median first."""
    known = {target["target"]: target for target in targets}
    return [known[name] for name in row["outliers"] if name in known]


def outlier_texts(row: dict[str, Any], targets: Rows, value: str, min_support: int) -> list[str]:
    """The outliers of a box: name, value and number of statements; those with too few statements are only counted.

    Args:
        min_support: fewest statements of a target that is named.
    """
    sign = "" if value == "n" else " %"
    beyond = outliers(row, targets)
    named = [
        f"{target['target']} {number(target[value])}{sign}" + ("" if value == "n" else f" (n {target['n']:,})")
        for target in beyond
        if target["n"] >= min_support
    ]
    few = len(beyond) - len(named)
    return [*named, *([f"{few:,} with fewer than {min_support:,} statements"] if few else [])]


def box_columns(first: str, largest: str) -> tuple[str, ...]:
    """Names of the columns of ``box_rows``, with the given names for the first column and for the largest value."""
    boxes = ("quarter below", "median", "quarter above", largest)
    return (first, "value", "category", "targets", *boxes, "outliers")


def box_rows(
    boxes: Rows, targets: Rows, values: Sequence[tuple[str, str]], before: Sequence[Any], min_support: int
) -> list[list[Any]]:
    """Table rows: the cells ``before``, the value's heading, category, targets, quartiles, largest value, outliers."""
    return [
        [*before, heading, row["category"], row["targets"]]
        + [row[part] for part in ("q1", "median", "q3", "maximum")]
        + ["; ".join(outlier_texts(row, targets, value, min_support))]
        for value, heading in values
        for row in boxes_of(boxes, value)
    ]


def _box(row: dict[str, Any], targets: Rows, value: str) -> dict[str, Any]:
    return {
        "q1": row["q1"],
        "med": row["median"],
        "q3": row["q3"],
        "whislo": row["whisker_low"],
        "whishi": row["whisker_high"],
        "mean": row["mean"],
        "fliers": [target[value] for target in outliers(row, targets)],
    }


def _tint(colour: str) -> str:
    """The colour, two thirds of the way to white."""
    parts = [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
    return "#" + "".join(f"{part + (255 - part) * 2 // 3:02x}" for part in parts)
