"""Properties: numbers of each entity that a statement returns."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from harmgraph.common.errors import InputError
from harmgraph.graph.statements import CypherStatement, parse
from harmgraph.models.embedding.beginning import PROPERTIES, AskedFeatures, Features, OwnValues, Values
from harmgraph.models.subgraph.reader import numbers

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

    from harmgraph.models.embedding.bound_graph import BoundGraph

KEY = "key"


class PropertyFeatures(Features):
    """A linear layer over numbers, scaled by those of the training, and over whether each is there."""

    name = PROPERTIES
    title = "numbers that a statement returns of it"
    nothing = np.nan

    def chosen(self, asked: AskedFeatures) -> tuple[Mapping[str, Any], OwnValues]:
        """See ``Features.chosen``."""
        assert asked.statement is not None  # ``EmbeddingOptions`` and ``GraphPart`` belong together
        takes = {parameter.name for parameter in asked.statement.parameters}
        source = {"source": asked.source} if "source" in takes else {}
        parameters = asked.statement.arguments({**asked.parameters, **source})
        columns, own = _read(asked, asked.statement, parameters)
        facts = {"statement": asked.statement.name, "text": asked.statement.text, "parameters": parameters}
        return {**facts, "columns": columns}, own

    def read(self, asked: AskedFeatures, facts: Mapping[str, Any]) -> OwnValues:
        """See ``Features.read``. The statement is that of the training, with the name of this source."""
        parameters = dict(facts["parameters"])
        if "source" in parameters:
            parameters["source"] = asked.source
        return _read(asked, parse(facts["statement"], facts["text"]), parameters, facts["columns"])[1]

    def module(self, facts: Mapping[str, Any], columns: int) -> Module:
        """See ``Features.module``."""
        from harmgraph.models.embedding.scaled import Scaled

        return Scaled(len(facts["columns"]), columns, gaps=True)

    def begin(self, module: Any, bound: BoundGraph) -> Tensor:
        """See ``Features.begin``."""
        vectors: Tensor = module(bound.own)
        return vectors


def _read(
    asked: AskedFeatures, query: CypherStatement, parameters: Mapping[str, Any], known: Sequence[str] | None = None
) -> tuple[list[str], OwnValues]:
    """The columns that a statement returns, and the numbers of each entity [entities, columns]; NaN where there is none.

    Args:
        known: the columns of a trained model, in the order in which they are wanted.

    Raises:
        InputError: it does not return ``key`` and numbers, or other columns than those of the training, or an entity twice, or
            none of the entities.
    """
    ids, where = asked.subgraph.entity_ids, query.name
    records = asked.opened().raw_rows(query, **parameters)
    found = sorted(records[0].keys() - {KEY}) if records else []
    if records and (KEY not in records[0] or not found):
        raise InputError("returns no key, or no number beside it", where=where, remedy="return key and numbers")
    if records and known is not None and found != sorted(known):
        raise InputError(
            f"returns {', '.join(found)}, and the model was trained with {', '.join(known)}",
            where=where,
            remedy="train the model again",
        )
    of_ours = [record for record in records if isinstance(record[KEY], str) and record[KEY] in ids]
    if not of_ours:
        raise InputError(
            f"returns none of the entities of {asked.source or 'the graph'}, so there is nothing to begin with",
            where=where,
            remedy="try it with: harmgraph query",
        )
    places = np.array([ids[record[KEY]] for record in of_ours], np.int64)
    if len(np.unique(places)) < len(places):
        twice = asked.subgraph.entities[int(np.argmax(np.bincount(places)))]
        raise InputError(f"returns {twice} more than once", where=where, remedy="return each key once")
    values = np.full((len(ids), len(found)), np.nan)
    for column, name in enumerate(found):
        values[places, column] = _column(where, name, [record[name] for record in of_ours])
    lost = int(np.isnan(values).all(1).sum())
    remark = f"{lost:,} of {len(ids):,} entities have none of the properties, and begin all alike"
    digest = hashlib.blake2b(values.tobytes(), digest_size=16).hexdigest()
    return found, OwnValues(values, digest, remark if lost else "")


def _column(where: str, name: str, values: list[Any]) -> Values:
    """A property of each entity; NaN where it is missing.

    Raises:
        InputError: a value is not a number.
    """
    with np.errstate(over="ignore"):
        checked = numbers(name, values)
    if checked.ndim != 1:
        raise InputError(f"the property {name} has values that are not single, finite numbers", where=where)
    read = np.array(values, np.float64)  # whatever else is in the column
    if np.isinf(read).any():
        raise InputError(f"the property {name} has values that are not single, finite numbers", where=where)
    return read


FEATURES = PropertyFeatures()
