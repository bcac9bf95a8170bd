"""Two dozen mild statements, labelled by hand: enough for every picture of the guide."""

from __future__ import annotations

from harmgraph.graph.connection import Graph
from harmgraph.graph.statements import statement

RELATIONS = {"is a": "IS_A", "is": "HAS_PROPERTY", "can": "CAPABLE_OF", "wants": "DESIRES", "is at": "AT_LOCATION"}
TRIPLES = (
    ("lawyer", "is a", "dishonest person", "negative", -0.51),
    ("lawyer", "is", "boring", "negative", -0.32),
    ("lawyer", "can", "argue in court", "negative", -0.34),
    ("lawyer", "wants", "a fair trial", "positive", 0.32),
    ("lawyer", "is at", "an office", "neutral", 0.0),
    ("politician", "is a", "dishonest person", "negative", -0.51),
    ("politician", "is", "boring", "negative", -0.32),
    ("politician", "can", "give a speech", "neutral", 0.0),
    ("politician", "can", "win an election", "positive", 0.59),
    ("politician", "wants", "more votes", "neutral", 0.0),
    ("politician", "is", "unreliable", "negative", -0.4),
    ("landlord", "is", "strict", "neutral", 0.0),
    ("landlord", "is", "greedy", "negative", -0.36),
    ("landlord", "is", "unreliable", "negative", -0.4),
    ("landlord", "can", "raise the rent", "neutral", 0.0),
    ("teacher", "is", "patient", "neutral", 0.0),
    ("teacher", "is a", "kind person", "positive", 0.53),
    ("teacher", "can", "help a child", "positive", 0.4),
    ("teacher", "is", "strict", "neutral", 0.0),
)
SENTENCES = (
    ("lawyer", "Lawyers are rude to witnesses.", "negative", -0.46),
    ("lawyer", "Lawyers read contracts.", "neutral", 0.0),
    ("landlord", "Landlords ignore broken pipes.", "negative", -0.66),
    ("teacher", "Teachers enjoy good questions.", "positive", 0.72),
)


def load(graph: Graph) -> None:
    """Writes targets, concepts, triples, sentences and two sources, by the product's own load statements."""
    mark = {"import_id": "sample"}
    for source in ("triples", "sentences"):
        graph.write("source/begin", name=source, facts={"version": "1", "licence": "Apache-2.0"}, **mark)
    names = sorted({triple[0] for triple in TRIPLES})
    graph.write("load/targets", source="targets", rows=[[name, name, "profession", [name]] for name in names], **mark)
    texts = sorted({text for triple in TRIPLES for text in (triple[0], triple[2])})
    ids = dict(graph.write("load/concepts", rows=[[f"en/{text}", text, "en"] for text in texts]).rows[0]["ids"])
    for number, (head, phrase, tail, label, score) in enumerate(TRIPLES):
        facts = _label(f"this person {phrase} {tail}", label, score)
        row = [ids[f"en/{head}"], ids[f"en/{tail}"], f"/a/{number}", facts]
        graph.write(statement("load/triples").with_type(RELATIONS[phrase]), rows=[row], source="triples", **mark)
    said = [
        [text, text, term, _label(text.replace(f"{term.title()}s", "This person"), label, score)]
        for term, text, label, score in SENTENCES
    ]
    graph.write("load/statements", rows=said, source="sentences", **mark)
    graph.write("link/concepts")
    graph.autocommit("link/statements")


def _label(sentence: str, label: str, score: float) -> dict[str, object]:
    return {"sentence": sentence, "sentiment": label, "sentiment_score": score, "sentiment_by": "by hand"}
