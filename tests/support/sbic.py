"""A small corpus in the form of SBIC, made up, whose numbers can be counted by hand."""

from __future__ import annotations

import csv
import io
from pathlib import Path

HEADER = (
    "whoTarget,intentYN,sexYN,sexReason,offensiveYN,annotatorGender,annotatorMinority,sexPhrase,speakerMinorityYN,WorkerId,HITId,"
    "annotatorPolitics,annotatorRace,annotatorAge,post,targetMinority,targetCategory,targetStereotype,dataSource"
)
AGGREGATED = (
    ",post,targetMinority,targetCategory,targetStereotype,whoTarget,intentYN,sexYN,offensiveYN,dataSource,"
    "hasBiasedImplication"
)
DRIVE = 'women can\'t drive,\nsays my "friend"'
RUN = "they all run fast"
LUNCH = "lunch was good"
RUDE = "you are a fool"


def row(
    post: str,
    worker: str,
    *,
    offensive: str = "0.0",
    intent: str = "0.0",
    lewd: str = "0.0",
    who: str = "",
    in_group: str = "",
    group: str = "",
    category: str = "",
    implied: str = "",
    origin: str = "r/darkjokes",
    hit: str = "H1",
) -> list[str]:
    """The cells of an annotation."""
    asked = [who, intent, lewd, "", offensive, "woman", "", "", in_group]
    return [*asked, worker, hit, "liberal", "white", "30.0", post, group, category, implied, origin]


def drive(worker: str, implied: str, **cells: str) -> list[str]:
    """An annotation of the post about women."""
    facts = {
        "offensive": "1.0",
        "intent": "0.66",
        "who": "1.0",
        "in_group": "0.0",
        "group": "women",
        "category": "gender",
    }
    return row(DRIVE, worker, **(facts | cells), implied=implied)


def run(worker: str, group: str, implied: str, category: str = "race") -> list[str]:
    """An annotation of the post about several groups."""
    facts = {"offensive": "0.5", "intent": "0.33", "who": "1.0", "in_group": "0.0", "origin": "t/founta", "hit": "H2"}
    return row(RUN, worker, **facts, group=group, category=category, implied=implied)


ROWS = [
    drive("7", "women drive badly"),
    drive("7", "women drive badly"),
    drive("7", ""),
    drive("8", "women are careless"),
    run("7", "black folks, Ethiopian folks", "are fast"),
    run("9", "black folks", "", category="culture"),
    run("8", "Ethiopians", "are fast"),
    row(LUNCH, "7", origin="Gab", hit="H3"),
    row(LUNCH, "8", offensive="", origin="Gab", hit="H3"),
    row(RUDE, "9", offensive="1.0", intent="1.0", who="0.0", lewd="0.5", origin="t/waseem", hit="H4"),
    drive("9", "", offensive="0.0", intent="0.0", who="", in_group="", group="", category="", hit="H5"),
]
"""The post about women stands in two tasks that are not adjacent; one worker there finds nothing wrong."""


def table(rows: list[list[str]] = ROWS, header: str = HEADER) -> str:
    """A file of the corpus."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return f"{header}\n{text.getvalue()}"


def aggregated() -> str:
    """The same posts in a file with a row for each."""
    rows = [
        [
            "0",
            DRIVE,
            '["women"]',
            '["gender"]',
            '["women drive badly", "women are careless"]',
            "1.0",
            "0.44",
            "0.0",
            "0.66",
        ],
        [
            "1",
            RUN,
            '["black folks", "Ethiopian folks"]',
            '["race", "culture"]',
            '["are fast"]',
            "1.0",
            "0.33",
            "0.0",
            "0.5",
        ],
        ["2", LUNCH, "[]", "[]", "[]", "", "0.0", "0.0", "0.0"],
    ]
    return table([[*cells, "Gab", "1"] for cells in rows], AGGREGATED)


def written(folder: Path, text: str | None = None, name: str = "SBIC.v2.dev.csv") -> Path:
    """A file of the corpus in a folder."""
    path = folder / name
    path.write_text(table() if text is None else text, encoding="utf-8", newline="")
    return path


GROUPS = (
    ("women", "gender", "cannot park"),
    ("black folks", "race", "run away"),
    ("jewish folks", "culture", "are greedy"),
)
PLACES = ("home", "work", "school", "church", "lunch", "night", "noon", "sea", "rest", "war", "play", "court")


def learnable(count: int = 12) -> list[list[str]]:
    """Annotations from which a small model learns: what is offensive, whom it is about and what it implies stands in the post."""
    rows: list[list[str]] = []
    for place in PLACES[:count]:
        for worker in ("7", "8"):
            rows.append(row(f"we were all at {place}", worker))
            rows.append(row(f"you damn fool at {place}", worker, offensive="1.0", intent="1.0", who="0.0"))
            for group, category, implied in GROUPS:
                asked = {"offensive": "1.0", "intent": "1.0", "who": "1.0", "in_group": "0.0"}
                about = {"group": group, "category": category, "implied": f"{group} {implied}"}
                rows.append(row(f"damn those {group} at {place}", worker, **asked, **about))
    return rows
