"""One small registry for each family: importers, scorers, statistics, models, probes.

A member is one module of the family's package which defines the family's attribute (``IMPORTER``, ``SCORER``, …);
there is no list to edit. Modules are imported when the family is first asked for a member.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar

from graph.errors import DuplicateMember, UnknownMember


class Named(Protocol):
    """What every member of a family has."""

    @property
    def name(self) -> str: ...


M = TypeVar("M", bound=Named)


class Registry(Generic[M]):
    """The members of one family.

    Args:
        family: what one member is called in messages, such as ``importer``.
        package: the package whose modules are the members.
        attribute: the module attribute that is the member.
    """

    def __init__(self, family: str, package: str, attribute: str) -> None:
        self.family = family
        self._package = package
        self._attribute = attribute
        self._members: dict[str, M] = {}
        self._discovered = False

    def add(self, member: M) -> M:
        """Adds a member that stands in no module of the package (a notebook's, a test's).

        Raises:
            DuplicateMember: the name is taken.
        """
        if member.name in self._members:
            raise DuplicateMember(self.family, member.name)
        self._members[member.name] = member
        return member

    def get(self, name: str) -> M:
        """The member of that name.

        Raises:
            UnknownMember: there is none; the message lists the known ones.
        """
        self._discover()
        if name not in self._members:
            raise UnknownMember(self.family, name, self._members)
        return self._members[name]

    def names(self) -> tuple[str, ...]:
        """The names of all members, sorted."""
        self._discover()
        return tuple(sorted(self._members))

    def __iter__(self) -> Iterator[M]:
        return iter([self._members[name] for name in self.names()])

    def _discover(self) -> None:
        if self._discovered:
            return
        package = importlib.import_module(self._package)
        members = dict(self._members)
        for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda found: found.name):
            if not module.name.startswith("_"):
                member: M = getattr(importlib.import_module(f"{self._package}.{module.name}"), self._attribute)
                if member.name in members:
                    raise DuplicateMember(self.family, member.name)
                members[member.name] = member
        # All or none: after a failure the next question fails alike.
        self._members = members
        self._discovered = True
