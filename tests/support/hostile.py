"""Names and texts that want more than to be read: two sources of them, on which every figure has something to show."""

from __future__ import annotations

from harmgraph.analytics.labelling.label import label
from harmgraph.analytics.labelling.ratings import Ratings
from harmgraph.analytics.statistics.measurements import save_measurements
from harmgraph.analytics.statistics.statistic import statistic
from harmgraph.common.scorer import scorers
from harmgraph.graph import schema_setup
from harmgraph.graph.connection import Graph
from harmgraph.graph.records import Concept, Implication, Statement, Target, Triple, normalise
from tests.support.figures_sample import finish, label_axes
from tests.support.filling import fill

ESCAPES = "\x1b]0;title\x07\x1b[2J\x1b[31mred\x9b1mbold\x7f\x08\x01"
SCRIPT = "<script>window.hacked=1</script><img src=x onerror='window.hacked=1'>"
STYLE = "</style></title></svg>]]><svg onload=window.hacked=1>--><!--"
DIRECTION = "\u202eevil\u202c\u2066isolated\u2069"
MATH = r"$\frac{1}{0}$ $x^{$ \$ \bfseries"
LONG = "w" * 300
BREAKS = "a\rb\u2028c\x0bd\x85e"
JAVASCRIPT = "`${window.hacked=1}`';window.hacked=1//\"&lt;&#60;script>"
NOT_XML = "\ufffe\uffff"
NAMES = tuple(
    normalise(f"{number} {text}")
    for number, text in enumerate((ESCAPES, SCRIPT, STYLE, DIRECTION, MATH, LONG, BREAKS, JAVASCRIPT, NOT_XML))
)
"""As names of targets, in the normal form that importers give them; a number keeps them apart."""
SOURCES = (f"kb {ESCAPES}{SCRIPT}", f"text {DIRECTION}{MATH}{STYLE}")
CATEGORIES = (f"people {SCRIPT}{ESCAPES}", f"others {DIRECTION}{STYLE}{MATH}")
MEASURES = ("sentiment", "opinion")
SAID = (*(f"awful {name}" for name in NAMES), *(f"kind {name}" for name in NAMES), *(f"tall {name}" for name in NAMES))
UNSAFE = frozenset(
    map(chr, (*range(9), 11, 12, *range(14, 32), *range(127, 160), *range(0x202A, 0x202F), 0xFFFE, 0xFFFF))
) | {chr(code) for code in range(0x2066, 0x206A)}
"""Characters that reach no reader as they are; a carriage return may end a line of CSV."""


def ratings() -> Ratings:
    """People's labels of some of the sentences."""
    return Ratings({f"{name} is a {said}".lower(): (1, 1, 1) for name in NAMES for said in SAID[:3]})


def load(graph: Graph) -> None:
    """Fills and labels an empty graph."""
    graph.autocommit("schema/wipe")
    schema_setup.apply(graph)
    targets = [Target(name, CATEGORIES[number % 2]) for number, name in enumerate(NAMES)]
    triples = [Triple(Concept(name), "IsA", Concept(said)) for name in NAMES for said in SAID]
    for relation in ("RelatedTo", "DistinctFrom", "Antonym", "SimilarTo"):
        triples.append(Triple(Concept(NAMES[0]), relation, Concept(NAMES[1])))
    sentences = [
        Statement(
            f"{name} is {said}",
            name,
            {"origin": (SCRIPT, ESCAPES, MATH)[number % 3]},
            implies=(Implication(name, CATEGORIES[number % 2], said),),
        )
        for name in NAMES
        for number, said in enumerate(SAID)
    ]
    fill(graph, *targets, *triples, source=SOURCES[0])
    fill(graph, *targets, *sentences, source=SOURCES[1])
    finish(graph, *SOURCES)
    label(graph, scorers.get("vader"))
    label(graph, scorers.get("opinion"))
    label_axes(graph)
    disparity = statistic("disparity")
    for _ in range(2):
        about = {"source": SOURCES[0], "measure": "sentiment"}
        save_measurements(graph, disparity, disparity(graph, source=SOURCES[0]), about)
