"""Fisher et al. 2019: every table, figure and numbered equation, and what ``harmgraph probe`` finds on smaller graphs."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

from tests.papers.paper import Computed, Item, Paper, Pick, Row, Study, TopList

TOP = 20
FREEBASE = tuple(f"fb15k-237/{part}.txt.gz" for part in ("train", "valid", "test"))
NAMES, LABELS = "fb15k-237/mid2name.tsv", "wd50k/labels.tsv"
WIKIDATA = ("wd50k/triples_train.txt.gz", "wd50k/triples_valid.txt", "wd50k/triples_test.txt")
LOAD_FREEBASE = f"harmgraph load freebase {' '.join(FREEBASE)} --names {NAMES} --source freebase"
LOAD_WIKIDATA = f"harmgraph load wd50k {' '.join(WIKIDATA)} --names {LABELS} --source wikidata"
SEEDS = (0, 1, 2)
AS_IN_THE_PAPER = "--dim {} --negatives 1000 --epochs {} --valid-every 0 --threads 1"
DIMS = {"rescal": 64}
"""Where it is not 200. RESCAL's steps grow with its square: with 200, a training takes half an hour instead of two minutes."""
EPOCHS = {"wikidata": 10, "freebase": 4}
KINDS = ("transe", "complex")
"""The paper's score functions."""
OTHERS = ("distmult", "rotate", "rescal")
ENCODERS = ("compgcn", "rgcn", "sage")


def _names(*kinds: str, seeds: Sequence[int] = SEEDS) -> tuple[str, ...]:
    return tuple(f"{kind}-{seed}" for kind in kinds for seed in seeds)


TWO = (0, 1)
ENCODED = _names(*ENCODERS, seeds=TWO)
LAYERS = (
    "--model distmult --dim 64 --fanout 10,5 --negatives 256 --batch 2000 --learning-rate 0.01"
    " --epoch-triples 100000 --epochs 10 --valid-sample 500 --threads 1"
)
MODELS = (*_names(*KINDS, *OTHERS, seeds=TWO), *ENCODED)
FIRST = _names(*KINDS, seeds=(0,))
"""Those of FB15k-237 whose MRR stands in section 2.2."""
RANKED = (*_names(*OTHERS, seeds=TWO), *(f"{name}-layers" for name in ENCODED))
"""Those whose MRR stands in no other section; an encoder's vectors have its name."""
COUPLES = (
    "Bill Clinton=Hillary Rodham Clinton",
    "Brad Pitt=Angelina Jolie",
    "Tom Cruise=Nicole Kidman",
    "Steven Spielberg=Amy Irving",
    "Ashton Kutcher=Demi Moore",
    "Ben Affleck=Jennifer Garner",
)
"""A couple of politicians, and of the other couples in FB15k-237 those with most triples; nobody twice."""

Printed = tuple[tuple[str, str, str, str], ...]


def _tables() -> dict[int, Printed]:
    """The paper's lists, as printed: profession, score and two counts."""
    found: dict[int, list[tuple[str, str, str, str]]] = {}
    with Path(__file__).with_name("fisher2019_tables.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            line = (row["profession"], row["score"], row["first"], row["second"])
            found.setdefault(int(row["table"]), []).append(line)
    return {table: tuple(rows) for table, rows in found.items()}


TABLES = _tables()


WAYS = {
    "plain": "",
    "balanced": " --statement subgraph/balanced --param relation=PEOPLE_PERSON_GENDER --param a=freebase/m.05zppz"
    " --param b=freebase/m.02zsn --param over=PEOPLE_PERSON_PROFESSION --param seed={seed}",
    "adversary": " --neutral gender",
    "projection": " --neutral gender --neutral-by projection",
}
"""Ways to make a model tell less of gender, and their options."""


def _debiased(way: str, seed: int) -> str:
    return _training("transe", seed, "freebase", name=way) + WAYS[way].format(seed=seed)


def _of_plain(way: str, seed: int) -> str:
    return _eval(f"{way}-{seed}" if way == "plain" else f"{way}-{seed} --triples-of plain-{seed}")


def _mean_mrr(answers: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The mean over seeds, and the mean difference from plain training with the same seed, with Student's intervals."""
    found = []
    every = {way: [answers[f"{way}-{seed}"]["mrr"] for seed in SEEDS] for way in WAYS}
    for way, values in every.items():
        less = [value - plain for value, plain in zip(values, every["plain"], strict=True)]
        for what, numbers in (("mrr", values), ("less", less)):
            mean, half = sum(numbers) / len(numbers), _half(numbers)
            found.append(
                {"way": way, "what": what, "mean": mean, "low": mean - half, "high": mean + half, "n": len(numbers)}
            )
    return found


def _shift(models: Sequence[str], words: str) -> str:
    return f"harmgraph probe shift {' '.join(models)} {words} --top 0 --no-write --output json"


def _training(kind: str, seed: int, source: str, name: str = "") -> str:
    how = AS_IN_THE_PAPER.format(DIMS.get(kind, 200), EPOCHS[source])
    return f"harmgraph embed train {name or kind}-{seed} --source {source} --model {kind} --seed {seed} {how}"


def _eval(model: str) -> str:
    return f"harmgraph embed eval {model} --sample 2000 --threads 1 --output json"


QUESTIONS = {
    "freebase": {
        "gender": "--a Male --b Female",
        "ethnicity": "--relation ethnicity --a 'Jewish people' --b 'African American'",
        "religion": "--relation religion --a Catholicism --b Islam",
        "nationality": "--relation nationality --a 'United Kingdom' --b 'United States of America'",
        "Jewish people against all others": "--relation ethnicity --a 'Jewish people'",
        "Catholicism against all others": "--relation religion --a Catholicism",
        "United States against all others": "--relation nationality --a 'United States of America'",
        "United Kingdom against all others": "--relation nationality --a 'United Kingdom'",
    },
    "wikidata": {
        "gender": "--a male --b female",
        "ethnicity": "--relation ethnicity --a 'Jewish people' --b 'African Americans'",
        "religion": "--relation religion --a Catholicism --b Islam",
        "nationality": "--relation nationality --a 'United Kingdom' --b 'United States of America'",
        "African Americans against all others": "--relation ethnicity --a 'African Americans'",
        "Catholicism against all others": "--relation religion --a Catholicism",
        "United States against all others": "--relation nationality --a 'United States of America'",
        "United Kingdom against all others": "--relation nationality --a 'United Kingdom'",
    },
}
OF_TABLES = {
    "wikidata transe": {"gender": (3, 4), "ethnicity": (5, 6), "religion": (11, 12), "nationality": (13, 14)},
    "freebase complex": {"gender": (7, 8)},
    "freebase transe": {"gender": (15, 16), "ethnicity": (17, 18), "religion": (19, 20), "nationality": (21, 22)},
}
"""The tables towards a and towards b of each question, and the paper's data and score function."""


def _counts(answers: Mapping[str, Any]) -> list[dict[str, Any]]:
    """How far the scores repeat the counts, and how many of them these do not explain."""
    from harmgraph.common.correlation import spearman
    from harmgraph.common.intervals import wilson
    from harmgraph.models.probing.control import log_ratio

    found = []
    for name, rows in answers.items():
        ratios = log_ratio(_numbers(rows, "count_a", "count_b"))
        correlation = spearman([row["score"] for row in rows], ratios)
        known = [row for row in rows if row["residual"] is not None]
        beyond = sum(not row["residual_low"] <= 0 <= row["residual_high"] for row in known)
        low, high = wilson(beyond, len(known)) if known else (None, None)
        found.append(
            {
                "of": name,
                "spearman": correlation.value,
                "spearman_low": correlation.low,
                "spearman_high": correlation.high,
                "beyond": beyond / len(known) if known else None,
                "beyond_low": low,
                "beyond_high": high,
                "n": len(rows),
            }
        )
    return found


def _numbers(rows: Sequence[Mapping[str, Any]], *columns: str) -> Any:
    import numpy as np

    return np.array([[row[column] for column in columns] for row in rows])


def _halves(tables: tuple[int, int], answers: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Of the professions of the paper's tables that are there, the share that is in the same half of the ranking.

    Args:
        tables: towards a and towards b of the one answer.
    """
    from harmgraph.common.intervals import wilson

    (rows,) = answers.values()
    places = {row["name"].lower(): place for place, row in enumerate(rows)}
    found: list[dict[str, Any]] = []
    for table, last in zip(tables, (False, True), strict=True):
        known = [places[one[0].lower()] for one in TABLES[table] if one[0].lower() in places]
        if not known:
            continue
        same = sum((place >= len(rows) / 2) == last for place in known)
        low, high = wilson(same, len(known))
        found.append({"table": str(table), "share": same / len(known), "low": low, "high": high, "n": len(known)})
    return found


def _agreement(answers: Mapping[str, Any]) -> list[dict[str, Any]]:
    """How far two kinds of models agree, on average over the pairs of their trainings; so are the ends of the intervals."""
    (rows,) = answers.values()
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault((row["model"].partition("-")[0], row["other"].partition("-")[0]), []).append(row)
    columns = ("spearman", "spearman_low", "spearman_high", "shared_a", "shared_b")
    return [
        {"kind": kind, "other": other, "n": len(pairs)}
        | {column: sum(row[column] for row in pairs) / len(pairs) for column in columns}
        for (kind, other), pairs in found.items()
    ]


def _overlaps(answers: Mapping[str, Any]) -> list[dict[str, Any]]:
    """How many objects two top lists have in common, on average over pairs of lists."""
    couples = [answers[couple] for couple in COUPLES]
    seeds = [answers[f"everyone, seed {seed}"] for seed in SEEDS]
    found = []
    for top in (TOP, TOP // 2):
        for side in ("Male", "Female"):
            one = [_top(rows, top, side) for rows in couples]
            all_people = [_top(rows, top, side) for rows in seeds]
            two = [len(first & other) for first, other in combinations(one, 2)]
            with_all = [len(first & all_people[0]) for first in one]
            between = [len(first & other) for first, other in combinations(all_people, 2)]
            for name, numbers, (low, high) in (
                ("two couples", two, _resampled(one)),
                ("a couple and everyone", with_all, _student(with_all)),
                ("everyone, two seeds", between, (None, None)),
            ):
                mean = sum(numbers) / len(numbers)
                found.append(
                    {"of": f"{name}, {top}, {side}", "mean": mean, "low": low, "high": high, "n": len(numbers)}
                )
        found.append({"of": f"by chance, {top}", "mean": top**2 / len(couples[0]), "n": len(couples[0])})
    return found


def _top(rows: Sequence[Mapping[str, Any]], top: int, side: str) -> set[str]:
    return {row["entity"] for row in (rows[:top] if side == "Male" else rows[-top:])}


def _resampled(lists: Sequence[set[str]]) -> tuple[float, float]:
    """The percentiles of 2,000 draws of couples with replacement; a couple is not compared with itself."""
    import numpy as np

    from harmgraph.common.intervals import percentiles

    rng = np.random.default_rng(0)
    table = np.array([[len(one & other) for other in lists] for one in lists])
    means = []
    for _ in range(2000):
        drawn = rng.integers(0, len(lists), len(lists))
        part = table[np.ix_(drawn, drawn)][drawn[:, None] != drawn[None, :]]
        means.append(float(part.mean()))
    return percentiles(means)


def _half(numbers: Sequence[float]) -> float:
    """Half of Student's interval of their mean."""
    import numpy as np

    from harmgraph.common.intervals import student

    return float(student(np.array(np.std(numbers, ddof=1)), len(numbers)))


def _student(numbers: Sequence[int]) -> tuple[float, float]:
    mean, half = sum(numbers) / len(numbers), _half(numbers)
    return max(0.0, mean - half), mean + half  # of counts


def _computed(source: str, names: Sequence[str]) -> dict[str, Computed]:
    """What is computed of each answer of ``probe shift``, so that a row has its own command."""
    tables = {
        f"{question} | {kind}": both
        for of, questions in OF_TABLES.items()
        for data, kind in (of.split(),)
        if data == source
        for question, both in questions.items()
    }
    return {
        **{f"counts of {name}": Computed((name,), _counts) for name in names},
        **{f"halves of {name}": Computed((name,), partial(_halves, tables[name])) for name in names if name in tables},
    }


SHIFTS = {
    source: {f"{name} | {kind}": _shift(_names(kind), words) for kind in KINDS for name, words in questions.items()}
    for source, questions in QUESTIONS.items()
}
MODEL_SHIFTS = {f"gender | {name}": _shift([name], "--a Male --b Female") for name in MODELS}
DEBIASED_SHIFTS = {
    f"gender | {way}": _shift([f"{way}-{seed}" for seed in SEEDS], "--relation gender --a Male --b Female")
    for way in WAYS
}
EVERYONE = {f"everyone, seed {seed}": _shift([f"transe-{seed}"], QUESTIONS["freebase"]["gender"]) for seed in SEEDS}

STUDIES = (
    Study(
        name="wikidata",
        files=(*WIKIDATA, LABELS),
        prepare=(LOAD_WIKIDATA, *(_training(kind, seed, "wikidata") for kind in KINDS for seed in SEEDS)),
        asked={
            **SHIFTS["wikidata"],
            **{name: _eval(name) for name in _names(*KINDS)},
        },
        computed=_computed("wikidata", tuple(SHIFTS["wikidata"])),
    ),
    Study(
        name="freebase",
        files=(*FREEBASE, NAMES),
        prepare=(
            LOAD_FREEBASE,
            *(_training(kind, seed, "freebase") for kind in KINDS for seed in SEEDS),
        ),
        asked={
            **SHIFTS["freebase"],
            **EVERYONE,
            **{
                couple: f"harmgraph probe pairs transe-0 --pair '{couple}' {QUESTIONS['freebase']['gender']}"
                " --top 0 --no-write --output json"
                for couple in COUPLES
            },
            **{name: _eval(name) for name in ("transe-0", "complex-0")},
        },
        computed={
            **_computed("freebase", tuple(SHIFTS["freebase"])),
            "overlaps": Computed((*COUPLES, *EVERYONE), _overlaps),
        },
    ),
    Study(
        name="models",
        files=(*FREEBASE, NAMES),
        prepare=(
            LOAD_FREEBASE,
            *(_training(kind, seed, "freebase") for kind in (*KINDS, *OTHERS) for seed in TWO),
            *(
                f"harmgraph embed train {kind}-{seed}-layers --source freebase --encoder {kind} --seed {seed} {LAYERS}"
                for kind in ENCODERS
                for seed in TWO
            ),
            *(f"harmgraph embed encode {name}-layers --source freebase --as {name}" for name in ENCODED),
        ),
        asked={
            "compared": f"harmgraph probe shift {' '.join(MODELS)} --a Male --b Female --compare --top 10 --no-write"
            " --output json",
            **MODEL_SHIFTS,
            **{name: _eval(name) for name in RANKED},
        },
        computed={**_computed("", tuple(MODEL_SHIFTS)), "agreement": Computed(("compared",), _agreement)},
    ),
    Study(
        name="debiased",
        files=(*FREEBASE, NAMES),
        prepare=(LOAD_FREEBASE, *(_debiased(way, seed) for way in WAYS for seed in SEEDS)),
        asked={
            **DEBIASED_SHIFTS,
            **{f"{way}-{seed}": _of_plain(way, seed) for way in WAYS for seed in SEEDS},
        },
        computed={
            **_computed("", tuple(DEBIASED_SHIFTS)),
            "mean mrr": Computed(tuple(f"{way}-{seed}" for way in WAYS for seed in SEEDS), _mean_mrr),
        },
    ),
)

LARGER = {
    "wikidata": "Wikidata as a whole is not here, nor its list of professions; the list beside it is of WD50K",
    "freebase": "FB3M is not here; the list beside it is of FB15k-237",
    "couple": "Wikidata as a whole is not here; the list beside it is of a couple in FB15k-237",
}
LOAD_LARGER = {
    "wikidata": "harmgraph load wikidata-json latest-all.json.gz --source wikidata",
    "freebase": "harmgraph load freebase FB3M.tsv --names NAMES.tsv --source freebase",
}
SIDES = {
    "gender": ("men", "women"),
    "ethnicity": ("Jewish", "African American"),
    "religion": ("Catholicism", "Islam"),
    "nationality": ("UK", "US"),
}
TURNED = {2, 4, 6, 8, 10, 12, 13, 14, 17, 18, 20, 22}
"""Tables whose first count is that of b."""


def _label(kind: str) -> str:
    return {"transe": "TransE", "complex": "ComplEx"}[kind]


def _larger(why: str, source: str, kind: str, probe: str) -> str:
    """Why the paper's graph is not here, and the commands for someone who has it."""
    train = f"harmgraph embed train {kind}-0 --source {source} --model {kind} --dim 200 --negatives 1000"
    return f"{LARGER[why]}. With it: `{LOAD_LARGER[source]}`, `{train}`, {probe}"


def _with(study: str, kind: str, question: str) -> str:
    return f"{'WD50K' if study == 'wikidata' else 'FB15k-237'}, {_label(kind)}, {question}"


def _about(study: str, kind: str, question: str) -> tuple[Row, ...]:
    """How far our scores repeat the counts, and which share they do not explain."""
    where = {"of": f"{question} | {kind}"}
    asked = f"counts of {question} | {kind}"
    what = _with(study, kind, question)
    return (
        Row(
            what=f"{what}: Spearman of score and log ratio of the counts",
            paper=None,
            digits=2,
            ours=Pick(study=study, asked=asked, column="spearman", where=where, n="n"),
        ),
        Row(
            what=f"{what}: professions that the counts do not explain, %",
            paper=None,
            digits=0,
            ours=Pick(study=study, asked=asked, column="beyond", where=where, n="n", scale=100),
        ),
    )


def _ends(study: str, kind: str, question: str) -> tuple[TopList, ...]:
    """Both ends of our ranking, where the paper has no list."""
    value, _, others = question.partition(" against ")
    sides = (value, others) if others else SIDES[question]
    return tuple(
        TopList(
            what=f"{_with(study, kind, question)}, towards {towards}",
            study=study,
            asked=f"{question} | {kind}",
            last=last,
            ours=sides,
        )
        for last, towards in zip((False, True), sides, strict=True)
    )


def _same_half(study: str, kind: str, question: str, table: int) -> Row:
    where = {"table": str(table)}
    return Row(
        what="professions of the paper's list that are here: in the same half of our ranking, %",
        paper=None,
        digits=0,
        ours=Pick(study=study, asked=f"halves of {question} | {kind}", column="share", where=where, n="n", scale=100),
    )


def _first(table: int, why: str) -> Row:
    name, score = TABLES[table][0][:2]
    return Row(what=f"score of {name}, the first", paper=float(score), digits=len(score.partition(".")[2]), why=why)


WITHOUT = {3, 4, 5, 8, 11, 12, 14, 15, 16, 21, 22}
"""Tables of which at most one profession is among ours: its half says nothing."""
NEARLY_ALL = " With ComplEx nearly all scores are above 0, so look at the ranks."


def _table(study: str, kind: str, question: str, table: int, last: bool) -> Item:
    sides = SIDES[question]
    towards, away = sides[::-1] if last else sides
    counts = sides[::-1] if table in TURNED else sides
    probe = f"`harmgraph probe shift {kind}-0` with the options above"
    rows = [_first(table, _larger(study, study, kind, probe))]
    if not last:
        rows += _about(study, kind, question)
    if table not in WITHOUT:
        rows.append(_same_half(study, kind, question, table))
    top = TopList(
        paper=TABLES[table],
        counts=counts,
        study=study,
        asked=f"{question} | {kind}",
        last=last,
        ours=sides,
    )
    of = "Wikidata" if study == "wikidata" else "FB3M"
    return Item(
        name=f"table {table}",
        what=f"Professions towards {towards}, from {away}: {of}, {_label(kind)}.",
        note="The score here is the mean of three trainings, with the interval over them."
        + (NEARLY_ALL if kind == "complex" else ""),
        rows=tuple(rows),
        lists=(top,),
    )


def _couple(table: int, man: str, woman: str, towards: str) -> Item:
    last = towards == "Female"
    other = {1: 9, 2: 10, 9: 1, 10: 2}[table]
    common = {one[0] for one in TABLES[table]} & {one[0] for one in TABLES[other]}
    couple = COUPLES[0] if table in {1, 2} else COUPLES[1]
    obamas = "Barack Obama=Michelle Obama" if table in {1, 2} else "Donald Trump=Melania Trump"
    probe = f"`harmgraph probe pairs transe-0 --pair '{obamas}' --a male --b female`"
    rows, in_common = [_first(table, _larger("couple", "wikidata", "transe", probe))], ""
    if table in {1, 2}:
        in_common = (
            " There are fewer professions here, so two lists have more in common by chance. Means are over all pairs of lists."
            " The interval of two couples is by drawing the couples again, and that of a couple and everyone is Student's."
        )
        for top in (TOP, TOP // 2):
            first = f"{top}, {towards}"
            for name, lists in (
                (f"two couples, {first}", "two couples"),
                (f"a couple and everyone, {first}", "a couple by itself, and probe shift for everyone"),
                (f"everyone, two seeds, {first}", "probe shift for everyone, two seeds"),
                (f"by chance, {top}", "by chance"),
            ):
                pick = Pick(study="freebase", asked="overlaps", column="mean", where={"of": name}, n="n")
                what = f"in common of the first {top} towards {'women' if last else 'men'}: {lists}"
                rows.append(Row(what=what, paper=None, ours=pick))
    counts = ("men", "women")
    return Item(
        name=f"table {table}",
        what=f"Professions towards {man if not last else woman}, by the scores of these two people alone: Wikidata, TransE.",
        note=f"{len(common)} of the 20 professions {'is' if len(common) == 1 else 'are'} in table {other} too"
        f" ({', '.join(sorted(common))}). Here it is {couple.replace('=', ' and ')} in FB15k-237, with TransE.{in_common}",
        rows=tuple(rows),
        lists=(
            TopList(
                paper=TABLES[table],
                counts=counts[::-1] if table in TURNED else counts,
                study="freebase",
                asked=couple,
                last=last,
                ours=counts,
            ),
        ),
    )


def _mrr(study: str, model: str, what: str) -> Row:
    pick = Pick(study=study, asked=model, column="mrr", where={"model": model}, n="n")
    return Row(what=f"{what}: MRR", paper=None, digits=2, ours=pick)


def _trainings() -> Item:
    rows = [_mrr("wikidata", name, f"WD50K, {name}, ten epochs") for name in _names(*KINDS)]
    rows += [_mrr("freebase", name, f"FB15k-237, {name}, four epochs") for name in FIRST]
    return Item(
        name="section 2.2",
        what="Dimension 200, 1,000 negatives per positive, softmax, dot product.",
        note="As in the paper, but by our own code instead of PyTorch-BigGraph. The paper does not say how many epochs: here "
        "it is ten on WD50K and four on FB15k-237, some minutes each on one idle core. The 1,000 negatives are of each "
        "side. MRR is filtered, over both sides of 2,000 test triples, so n is 4,000. Longer trainings are in "
        "[probes.md](../probes.md#what-fb15k-237-says).",
        rows=tuple(rows),
    )


def _score_functions() -> Item:
    rows = [
        Row(
            what=f"{name}: Spearman of score and log ratio of the counts",
            paper=None,
            digits=2,
            ours=Pick(
                study="models",
                asked=f"counts of gender | {name}",
                column="spearman",
                where={"of": f"gender | {name}"},
                n="n",
            ),
        )
        for name in MODELS
    ]
    rows += [_mrr("freebase", name, name) for name in FIRST]
    rows += [_mrr("models", name, name.removesuffix("-layers")) for name in RANKED]
    kinds = (*KINDS, *OTHERS, *ENCODERS)
    pairs = (*((kind, kind) for kind in kinds), *combinations(kinds, 2))
    for column, what in (
        ("spearman", "Spearman of their scores"),
        ("shared_a", "in common of the first 10 towards men, %"),
        ("shared_b", "in common of the first 10 towards women, %"),
    ):
        for kind, other in pairs:
            pick = Pick(
                study="models",
                asked="agreement",
                column=column,
                where={"kind": kind, "other": other},
                n="n",
                scale=1 if column == "spearman" else 100,
            )
            digits = 2 if column == "spearman" else 0
            which = f"{kind}, two seeds" if kind == other else f"{kind} and {other}"
            rows.append(Row(what=f"{which}: {what}", paper=None, digits=digits, ours=pick))
    return Item(
        name="section 4.2",
        what="The paper leaves the comparison of score functions to future work.",
        note="Gender and 53 professions in FB15k-237, after short trainings. A number behind a name is the seed. Score"
        " functions are trained as in section 2.2. RESCAL has dimension 64, since its steps grow with the square of it."
        " compgcn, rgcn and sage pass messages, with DistMult as decoder. They have dimension 64 and 256 negatives, and draw"
        " neighbours. Look at MRR first: the encoders have learnt little, and their scores lie along one direction, whose sign"
        " changes with the training. So two seeds of CompGCN and of GraphSAGE have opposite scores"
        " ([probes.md](../probes.md#does-the-choice-of-the-model-matter)). The MRR of TransE and ComplEx is that of section"
        " 2.2, by the same commands. The encoder nbfnet is not here, as it has no vectors of entities to shift. `harmgraph probe"
        " edge` measures it ([graph_models.md](../graph_models.md#probe-people-whom-training-never-saw)). How far two kinds"
        " agree is"
        " a mean over pairs of their trainings, of which there are n. The ends of their intervals, which are over professions,"
        " are averaged too. By chance two lists of 10 have 19 % in common.",
        rows=tuple(rows),
    )


def _ways() -> Item:
    rows = [
        Row(
            what=f"{way}: Spearman of score and log ratio of the counts",
            paper=None,
            digits=2,
            ours=Pick(
                study="debiased",
                asked=f"counts of gender | {way}",
                column="spearman",
                where={"of": f"gender | {way}"},
                n="n",
            ),
        )
        for way in WAYS
    ]
    for what, said in (("mrr", "MRR"), ("less", "MRR less that of plain")):
        for way in WAYS:
            if what == "mrr" or way != "plain":
                pick = Pick(study="debiased", asked="mean mrr", column="mean", where={"way": way, "what": what}, n="n")
                rows.append(Row(what=f"{way}: {said}", paper=None, digits=3, ours=pick))
    return Item(
        name="section 5",
        what="Models that shall tell less of gender, which the paper leaves open: balanced triples, the adversary of Fisher et"
        " al. 2020, and the projection of Bolukbasi et al. 2016.",
        note="FB15k-237 and TransE, as in section 2.2, with three seeds. The counts are those of all triples. MRR is over all"
        " relations, on the test triples of plain training; n is seeds, with Student's interval. The adversary cannot answer who"
        " is a woman, which lowers its MRR. The projection turns the sign. Why it does, and longer"
        " trainings, are in [probes.md](../probes.md#vectors-that-do-not-tell).",
        rows=tuple(rows),
    )


def _one_against_all() -> Item:
    asked = [
        (study, kind, question)
        for study in ("freebase", "wikidata")
        for kind in KINDS
        for question in QUESTIONS[study]
        if "all others" in question
    ]
    return Item(
        name="section 4.3",
        what="One value against the mean of all others, which the paper proposes and does not measure.",
        note="`harmgraph probe shift` without `--b`. Each score is the mean of three trainings. All lists of the paper are of"
        " two values, so ours stand alone: up to ten professions of each end. For ethnicity the one value is that of the larger"
        " group of tables 5 and 17, by the triples of that base. With ComplEx a sign by itself says little here too.",
        rows=tuple(row for one in asked for row in _about(*one)),
        lists=tuple(each for one in asked for each in _ends(*one)),
    )


def _other_combinations() -> Item:
    asked = [
        (study, "complex", question)
        for study, questions in (("freebase", list(SIDES)[1:]), ("wikidata", list(SIDES)))
        for question in questions
    ]
    return Item(
        name="section 4",
        what="The questions of the tables with ComplEx, where the paper has TransE alone.",
        note="Each score is the mean of three trainings, and lists are up to ten professions of each end. With ComplEx a sign"
        " by itself says little, so look at the ranks ([probes.md](../probes.md#what-fb15k-237-says)).",
        rows=tuple(row for one in asked for row in _about(*one)),
        lists=tuple(each for one in asked for each in _ends(*one)),
    )


BY_TABLE = {
    table: _table(of.split()[0], of.split()[1], question, table, bool(place))
    for of, questions in OF_TABLES.items()
    for question, tables in questions.items()
    for place, table in enumerate(tables)
} | {
    table: _couple(table, *couple, towards)
    for table, couple, towards in (
        (1, ("Barack Obama", "Michelle Obama"), "Male"),
        (2, ("Barack Obama", "Michelle Obama"), "Female"),
        (9, ("Donald Trump", "Melania Trump"), "Male"),
        (10, ("Donald Trump", "Melania Trump"), "Female"),
    )
}

ITEMS = (
    _trainings(),
    *(BY_TABLE[table] for table in sorted(BY_TABLE)),
    _other_combinations(),
    _score_functions(),
    _one_against_all(),
    _ways(),
    Item(
        name="figure 1",
        what="A person near *nurse* in the space whom the score function calls a doctor.",
        note="`harmgraph probe weat` measures distances, for comparison. With ComplEx it has the wrong sign: "
        "[probes.md](../probes.md#what-fb15k-237-says).",
    ),
    Item(
        name="figure 2",
        what="The step that makes a person more male.",
        note="`harmgraph probe shift --step 0.01 --method full` takes it with every person.",
    ),
    Item(
        name="figure 3",
        what="The scores of *doctor* and *nurse* after the step.",
        note="`harmgraph probe shift`.",
    ),
    Item(
        name="equation 1",
        what="The step along the gradient of score(a) - score(b).",
        note="`harmgraph probe shift`. `tests/contracts/test_probes.py` takes the step for each person by autograd, "
        "for every score function.",
    ),
)

PAPER = Paper(
    name="fisher2019",
    title="Fisher et al. 2019, Measuring social bias in knowledge graph embeddings",
    file="fisher2019_kge_bias.txt",
    studies=STUDIES,
    items=ITEMS,
    note="A score above 0 is towards the first value, and one below 0 towards the second. The paper turns the sign for the"
    " second. Only ranks can be compared: how large a score is depends on the training. A list here is one end of our ranking,"
    " with at most half of the professions. Professions with fewer than 20 people are left out, as in the paper. `wikidata/Q…`"
    " has no label in the data. *What the counts do not predict* is the rest of a score after a fit to the counts, with the"
    " interval of a new profession. By chance, one in 20 is beyond it. The paper prints 440 scores, and the numbers above are"
    " the first of each list.",
)
