"""The inductive probe: a person's edge is exchanged in the graph, and a graph model encodes the person again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from harmgraph.common.correlation import spearman
from harmgraph.common.errors import InputError, NotFound
from harmgraph.common.intervals import student
from harmgraph.common.progress import progress, receiver, silent
from harmgraph.graph.statements import statement
from harmgraph.models.probes.shift import Shift
from harmgraph.models.probing.control import log_ratio
from harmgraph.models.probing.probe import (
    NO_ID,
    EncodedQuestion,
    Explanation,
    Numbers,
    Places,
    Probe,
    ProbeScores,
    Side,
    Untrained,
)
from harmgraph.models.probing.question import (
    LEAST_PEOPLE,
    OBJECTIVE,
    SENSITIVE,
    Question,
    find_object,
)
from harmgraph.models.subgraph.named_relation import find_relation

if TYPE_CHECKING:
    import click

    from harmgraph.graph.connection import Graph
    from harmgraph.models.embedding.graph_model import GraphModel
    from harmgraph.models.probing.exchange import Exchange, GraphTables
    from harmgraph.models.threads import Threads

PEOPLE = 200
NO_EDGE = "no edge"


class Edge(Probe):
    """score(person, relation, object | the person has a) - score(person, relation, object | the person has b).

    People are those who have a value of one side alone, a or b. Each of them is encoded with both, everything else equal. It is
    the counterfactual of Agarwal et al. 2021, who flip an attribute of a node, for an edge.
    """

    name = "edge"
    title = (
        "Exchange a person's edge, encode the person again with a graph model, and see which objects become likelier."
    )
    meaning = "mean change of the score of an object when a person's edge to b becomes one to a"
    citation = "Agarwal et al. 2021, Towards a Unified Framework for Fair and Stable Graph Representation Learning"
    drawn = "random pairs of values of a relation"
    needs_values = True
    needs_graph_model = True

    def options(self) -> list[click.Option]:
        """See ``Probe.options``."""
        import click

        return [
            click.Option(
                ["--people"],
                type=click.IntRange(0),
                default=PEOPLE,
                show_default=True,
                help="People to encode again, drawn at random; 0 for all.",
            ),
            click.Option(["--no-edge"], is_flag=True, help="Compare a with no edge at all, instead of b."),
            click.Option(
                ["--keep-objects"],
                is_flag=True,
                help="Keep the person's own edges to objects. They are taken out otherwise, since they give the answer.",
            ),
            click.Option(
                ["--control-relation"],
                metavar="RELATION",
                help="With --control: whose values are exchanged.  [default: those of people's other relations]",
            ),
            click.Option(
                ["--untrained"],
                type=click.IntRange(0),
                default=0,
                metavar="N",
                help="Also ask N untrained copies of the model, to see which correlation comes from the graph alone.",
            ),
            click.Option(["--explain"], metavar="OBJECT", help="Show which edges carry the score of this object."),
        ]

    def resolved(self, graph: Graph, question: Question, options: Mapping[str, Any]) -> Mapping[str, Any]:
        """See ``Probe.resolved``: the object by its key, the relation of the control by its type."""
        found = dict(options)
        if options.get("explain"):
            found["explain"] = find_object(question, options["explain"])
        if options.get("control_relation"):
            found["control_relation"] = find_relation(graph.rows("probe/relations"), options["control_relation"])
        return found

    def cypher(self, question: Question, options: Mapping[str, Any]) -> str:
        """See ``Probe.cypher``: with an object to explain, the picture of what is behind its score."""
        if not options.get("explain"):
            return question.cypher
        types = {SENSITIVE: question.relation.type, OBJECTIVE: question.object_relation.type}
        return (
            statement("probe/behind")
            .with_types(types)
            .pasteable(
                {
                    "a": question.a.key,
                    "b": None if question.rest else question.b,
                    "object": options["explain"],
                    "inverse": question.relation.inverse,
                    "object_inverse": question.object_relation.inverse,
                    "source": question.source,
                }
            )
        )

    def second(self, question: Question, options: Mapping[str, Any]) -> str:
        """See ``Probe.second``: words of their own where a is compared with no edge."""
        return NO_EDGE if options.get("no_edge") else question.b

    def random(self, encoded: EncodedQuestion, rng: np.random.Generator, options: Mapping[str, Any]) -> EncodedQuestion:
        """See ``Probe.random``: exchanges two random values of another relation of the people, or of the one that is named.

        The first value is that of a random edge of the people, the second that of another edge of the same relation.

        Raises:
            NotFound: the model does not know the relation. InputError: the people have no two values to exchange.
        """
        model = _model(encoded)
        edges, chosen = model.known_edges, options.get("control_relation")
        sides = []
        if chosen:
            if chosen.type not in model.relation_ids:
                raise NotFound("relation", chosen.type, model.relation_names, remedy="the model was not trained on it")
            sides = [Side(model.relation_ids[chosen.type], chosen.inverse)]
        found: list[tuple[Side, Places]] = []
        for inverse in (False, True):
            held = edges[np.isin(edges[:, 2 if inverse else 0], encoded.people)]
            for relation in np.unique(held[:, 1]).tolist():
                side = Side(relation, inverse)
                ends = held[held[:, 1] == relation][:, 0 if inverse else 2]
                wanted = side in sides if chosen else side not in (encoded.sensitive, encoded.objective)
                if wanted and np.ptp(ends):
                    found.append((side, ends))
        if not found:
            raise InputError("the people have no two values to exchange in a control", remedy="leave out --control")
        sizes = np.array([len(ends) for _, ends in found])
        side, ends = found[int(rng.choice(len(found), p=sizes / sizes.sum()))]
        first = int(rng.choice(ends))
        return replace(encoded.between(first, int(rng.choice(ends[ends != first]))), sensitive=side)

    def scores(
        self, encoded: EncodedQuestion, *, no_edge: bool = False, threads: Threads | None = None, **options: Any
    ) -> ProbeScores:
        """See ``Probe.scores``. The interval is over people, by Student's t."""
        exchange = _exchange(encoded, no_edge=no_edge, **options)
        found, model = exchange.mean(threads), exchange.model
        changes = found.over_people
        half = student(changes.deviation, changes.count)
        columns, correlations = _beside(encoded, changes.mean)
        facts: dict[str, Any] = {
            "method": f"edge to a, and {NO_EDGE if no_edge else 'edge to b'}: {changes.count:,} people of {model.source}",
            "of_them_without_another_edge": exchange.alone,
            "edges_of_relations_that_the_model_does_not_know": model.unknown,
        }
        changed = {"largest_change": found.largest, "rounding": found.rounding}  # which differ from model to model
        facts["shown"] = (*(name for name, value in facts.items() if value), *changed)
        facts |= changed
        facts |= {"people_encoded": changes.count, "seed": options.get("seed", 0), "correlations": correlations}
        return ProbeScores(changes.mean, changes.mean - half, changes.mean + half, columns, facts)

    def explained(self, encoded: EncodedQuestion, *, explain: str | None = None, **options: Any) -> Explanation | None:
        """See ``Probe.explained``."""
        if not explain:
            return None
        if explain not in encoded.keys:
            raise InputError(f"the model does not know {explain}", remedy="leave out --explain")
        exchange, at = _exchange(encoded, **options), encoded.keys.index(explain)
        tables = encoded.tables
        rows = [
            {
                "at": one.where.at,
                "relation": f"{'^' if one.where.side.inverse else ''}{tables.relation_names[one.where.side.id]}",
                "neighbour": None if one.where.neighbour is None else tables.entity_keys[one.where.neighbour],
                "score": one.mean,
                "score_low": one.mean - one.half,
                "score_high": one.mean + one.half,
                "people": one.people,
            }
            for one in exchange.carried(at)
        ]
        return Explanation(explain, encoded.names[at], len(exchange.people), tuple(rows))

    def untrained(self, encoded: EncodedQuestion, *, untrained: int = 0, **options: Any) -> Untrained | None:
        """See ``Probe.untrained``: copies with new weights, and the same people."""
        if not untrained:
            return None
        ratios, threads = log_ratio(encoded.counts), options.pop("threads", None)

        def correlation(each: EncodedQuestion) -> float:
            with receiver(silent):  # what is told is the copy
                return spearman(_exchange(each, **options).mean(threads).over_people.mean, ratios).value

        found = []
        for done, copy in enumerate(_copies(encoded, untrained), 1):
            found.append(correlation(copy))
            progress("untrained copies", done, untrained)
        return Untrained(tuple(found), correlation(encoded))


def _copies(encoded: EncodedQuestion, count: int) -> Iterator[EncodedQuestion]:
    """The question for models that a training would begin with, of seeds from 0; their options are those of the model."""
    tables = _tables(encoded)
    for seed in range(count):
        yield replace(encoded, tables=replace(tables, graph_model=tables.graph_model.untrained(seed)))


def _tables(encoded: EncodedQuestion) -> GraphTables:
    from harmgraph.models.probing.exchange import GraphTables

    tables = encoded.tables
    if not isinstance(tables, GraphTables):
        raise InputError("has a table of entities, and this probe is for graph models", where=tables.name)
    return tables


def _model(encoded: EncodedQuestion) -> GraphModel:
    return _tables(encoded).graph_model


def _exchange(
    encoded: EncodedQuestion,
    *,
    people: int = PEOPLE,
    no_edge: bool = False,
    keep_objects: bool = False,
    seed: int = 0,
    **_: Any,
) -> Exchange:
    """Draws people who have a value of one side alone, and the other value of each.

    Raises:
        InputError: there are too few.
    """
    from harmgraph.models.probing.exchange import Exchange

    model, rng = _model(encoded), np.random.default_rng(seed)
    able = np.sort(encoded.people[np.setxor1d(encoded.with_a, encoded.with_b)])
    if len(able) < LEAST_PEOPLE:
        if encoded.a in encoded.b:
            raise InputError("both sides have the same value", remedy="choose different ones with --a and --b")
        raise InputError(
            f"{len(able)} of the people that the model knows have a value of one side alone, {LEAST_PEOPLE} are needed",
            remedy="choose other values",
        )
    if people and people < len(able):
        able = np.sort(rng.choice(able, people, replace=False))
    others = np.full(len(able), NO_ID) if no_edge else rng.choice(np.array(encoded.b), len(able), p=encoded.weights)
    return Exchange(question=encoded, model=model, people=able, others=others, keep_objects=keep_objects)


def _beside(encoded: EncodedQuestion, values: Numbers) -> tuple[dict[str, Numbers], list[dict[str, Any]]]:
    """The shift of each object by the vectors of the encoder, and its correlations; nothing if it has no vectors."""
    from harmgraph.models.embedding.encoder import VectorEncoder

    model = _model(encoded)
    if not isinstance(model.encoder, VectorEncoder):
        return {}, []
    shifts = Shift().scores(replace(encoded, tables=model.tables())).values
    pairs = (("shift with the same counts", log_ratio(encoded.counts)), ("the score with shift", values))
    found = [(of, spearman(shifts, other)) for of, other in pairs]
    return {"shift": shifts}, [
        {"of": of} | {f"spearman{'' if name == 'value' else f'_{name}'}": value for name, value in asdict(one).items()}
        for of, one in found
    ]


PROBE = Edge()
