"""Options of members of a family, such as importers and scorers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from harmgraph.graph.common.errors import BadName


class HasDefault(Protocol):
    """What every option has."""

    @property
    def name(self) -> str: ...
    @property
    def default(self) -> Any: ...


def with_defaults(options: Iterable[HasDefault], given: Mapping[str, Any], member: str) -> dict[str, Any]:
    """The given options, with defaults for the others.

    Args:
        member: whose options they are, in the message: ``scorer vader``.

    Raises:
        BadName: an option that the member does not have.
    """
    known = {option.name: option.default for option in options}
    for name in given:
        if name not in known:
            raise BadName("option", name, f"is not one of the {member}; it has {sorted(known)}")
    return known | dict(given)
