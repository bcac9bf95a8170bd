"""``label vader``: the scoring stage against a plain loop, end to end with its split, and the rate of writing back."""

from __future__ import annotations

from pathlib import Path
from statistics import median

from harmgraph.analytics.labelling.label import LabelReport, label
from harmgraph.analytics.labelling.masking import Masks, mask_sentence
from harmgraph.common.engines.local import Workers
from harmgraph.common.scorer import scorers
from harmgraph.graph.connection import Graph
from harmgraph.graph.contents.phrases import phrase
from harmgraph.graph.records import Concept, Statement, Triple
from harmgraph.graph.target_names import listed_names
from harmgraph.loader.formats.importer import importers
from harmgraph.loader.loading import default_targets, pipeline
from harmgraph.loader.reading.plan import Plan
from tests.benchmarks.figures import Figures, timed
from tests.benchmarks.generated import write_triples
from tests.benchmarks.setting import Setting, fresh

BATCH = 20_000


def bench(setting: Setting, figures: Figures) -> None:
    """The real files where they are here; generated triples otherwise."""
    for name, plan in plans(setting).items():
        _scoring(name, sentences(plan), setting, figures)
        _end_to_end(name, plan, figures)


def plans(setting: Setting) -> dict[str, Plan]:
    """The files to label, by name."""
    if setting.data is None:
        path = setting.folder / "label.tsv"
        write_triples(path, setting.few)
        return {"generated": Plan(importers.get("triples"), (path,), "generated")}
    files = {
        "conceptnet": ("triples", "conceptnet/conceptnet_targets.txt", {"delimiter": "space"}),
        "genericskb": ("genericskb", "genericskb/genericskb_targets.tsv", {}),
    }
    limit = 20_000 if setting.quick else 0
    return {
        name: Plan(
            importers.get(importer),
            (Path(setting.data / file),),
            name,
            options=options,
            limit=limit,
            keep_duplicates=True,
        )
        for name, (importer, file, options) in files.items()
    }


def sentences(plan: Plan) -> list[str]:
    """The masked sentences of a file, as ``label`` would score them."""
    named = {name: names for names in listed_names() for name in names}
    masks = Masks()
    found: list[str] = []
    for path in plan.paths:
        for record in plan.importer.records(path, **plan.options):
            if isinstance(record, Triple) and isinstance(record.head, Concept) and isinstance(record.tail, Concept):
                head, tail = record.head.text, record.tail.text
                names = [named[end] for end in (head, tail) if end in named]
                found.append(masks.triple(head, phrase(record.relation), tail, names))
            elif isinstance(record, Statement):
                found.append(mask_sentence(record.text, [record.term]))
    return found


def _scoring(name: str, sentences: list[str], setting: Setting, figures: Figures) -> None:
    """Distinct sentences on all cores, against every sentence one after the other by VADER itself."""
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    analyzer = SentimentIntensityAnalyzer()
    scorer = scorers.get("vader")
    options = scorer.chosen({})

    def plain() -> list[float]:
        return [analyzer.polarity_scores(sentence)["compound"] for sentence in sentences]

    def plain_distinct() -> dict[str, float]:
        return {one: analyzer.polarity_scores(one)["compound"] for one in dict.fromkeys(sentences)}

    def ours() -> dict[str, float]:
        scores: dict[str, float] = {}
        with Workers(scorer, options) as workers:
            for start in range(0, len(sentences), BATCH):
                new = [one for one in dict.fromkeys(sentences[start : start + BATCH]) if one not in scores]
                scores |= {one: score.value for one, score in zip(new, workers.scores(new), strict=True)}
        return scores

    seconds: dict[str, list[float]] = {"plain": [], "distinct": [], "ours": []}
    for _ in range(1 if setting.quick else 3):
        taken, expected = timed(plain)
        seconds["plain"].append(taken)
        seconds["distinct"].append(timed(plain_distinct)[0])
        taken, found = timed(ours)
        seconds["ours"].append(taken)
    middle = {contestant: median(taken) for contestant, taken in seconds.items()}
    figures.add(f"{name}: plain loop", len(sentences) / middle["plain"], "rows/s")
    figures.add(f"{name}: plain loop over the distinct ones", len(sentences) / middle["distinct"], "rows/s")
    figures.add(f"{name}: scoring stage", len(sentences) / middle["ours"], "rows/s")
    figures.add(f"{name}: scoring stage / plain loop", middle["plain"] / middle["ours"], "x", "at least 1.8")
    figures.add(f"{name}: scoring stage / plain loop, distinct", middle["distinct"] / middle["ours"], "x")
    equal = sum(found[sentence] == score for sentence, score in zip(sentences, expected, strict=True))
    figures.add(f"{name}: equal scores", 100 * equal / len(sentences), "%", "100")


def _end_to_end(name: str, plan: Plan, figures: Figures) -> None:
    fresh()
    with Graph.open() as graph:
        default_targets.ensure(graph)
        pipeline.load(graph, plan)
        seconds, report = timed(lambda: label(graph, scorers.get("vader")))
        _split(f"{name}, first", seconds, report, figures)
        seconds, report = timed(lambda: label(graph, scorers.get("vader")))
        _split(f"{name}, again", seconds, report, figures)


def _split(name: str, seconds: float, report: LabelReport, figures: Figures) -> None:
    figures.add(f"{name}: {report.statements:,} statements, {report.written:,} written", seconds, "s")
    figures.add(f"{name}: reading", report.reading_s, "s")
    figures.add(f"{name}: scoring {report.scored:,} distinct", report.scoring_s, "s")
    figures.add(f"{name}: writing", report.writing_s, "s")
    if report.writing_s:
        figures.add(f"{name}: written back", report.written / report.writing_s, "rows/s", "more than 29,000 to 42,000")
