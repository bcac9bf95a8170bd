"""One registry for each family: importers, scorers, figures, score functions, probes.

A member is a module in one of the family's packages that defines the family's attribute (``IMPORTER``, ``SCORER``, …); there
is no list to edit. Other packages can add members through entry points (``docs/plugins.md``). The modules are imported when a
member of the family is first requested.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from harmgraph.common.errors import DuplicateMember, UnknownMember

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

PREFIX = "harmgraph."


class Named(Protocol):
    """What every member of a family must have."""

    @property
    def name(self) -> str: ...


M = TypeVar("M", bound=Named)


class Registry(Generic[M]):
    """The members of one family.

    Args:
        family: what one member is called in messages, such as ``importer``.
        homes: the packages whose modules define the members.
        attribute: the module attribute that holds the member.
        group: the entry point group through which other packages add members, without the prefix ``harmgraph.``; each entry
            point is a module with the attribute, a package of such modules, or the member itself.
    """

    def __init__(self, family: str, homes: str | tuple[str, ...], attribute: str, group: str = "") -> None:
        self.family = family
        self._homes = (homes,) if isinstance(homes, str) else homes
        self._attribute = attribute
        self._group = group
        self._members: dict[str, M] = {}
        self._places: dict[str, str] = {}
        self._discovered = False

    def add(self, member: M) -> M:
        """Adds a member that is not defined in one of the family's packages, as from a notebook or a test.

        Raises:
            DuplicateMember: the name is taken.
        """
        self._put(self._members, self._places, member, "this program")
        return member

    def get(self, name: str) -> M:
        """The member of that name.

        Raises:
            UnknownMember: there is none of that name; the message lists the known ones.
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
        members, places = dict(self._members), dict(self._places)
        for home in self._homes:
            for name, member in self._members_of(importlib.import_module(home)):
                self._put(members, places, member, name)
        for point in plugins(self._group):
            for name, member in self._members_from(point):
                self._put(members, places, member, f"{name} of {package_of(point)}")
        # All or none: after a failure, the next call fails in the same way.
        self._members, self._places = members, places
        self._discovered = True

    def _put(self, members: dict[str, M], places: dict[str, str], member: M, place: str) -> None:
        if member.name in members:
            raise DuplicateMember(self.family, member.name, (places[member.name], place))
        members[member.name] = member
        places[member.name] = place

    def _members_of(self, package: ModuleType) -> Iterator[tuple[str, M]]:
        """The members of a package with the names of their modules, sorted by name."""
        for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda info: info.name):
            if not info.name.startswith("_"):
                name = f"{package.__name__}.{info.name}"
                yield name, getattr(importlib.import_module(name), self._attribute)

    def _members_from(self, point: EntryPoint) -> list[tuple[str, M]]:
        """The members of an entry point; if it cannot be imported, prints that and returns none."""
        try:
            loaded = point.load()
            if not isinstance(loaded, ModuleType):
                named = [(point.value, loaded)]
            elif hasattr(loaded, self._attribute):
                named = [(loaded.__name__, getattr(loaded, self._attribute))]
            else:
                named = list(self._members_of(loaded))
            for name, member in named:
                if not isinstance(member.name, str):
                    raise TypeError(f"the name of {name} is not a text")  # noqa: TRY301 - reported like every other fault
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a plug-in's failure must not affect anything else
            tell_failure(self.family, point, error)
            return []
        return named


def plugins(group: str) -> tuple[EntryPoint, ...]:
    """The entry points of ``harmgraph.<group>``, sorted by name; none if the group is empty."""
    if not group:
        return ()
    from importlib.metadata import entry_points

    return tuple(sorted(entry_points(group=PREFIX + group), key=lambda point: point.name))


def package_of(point: EntryPoint) -> str:
    """The package that defines an entry point, with its version."""
    return f"{point.dist.name} {point.dist.version}" if point.dist else "a package without a name"


def tell_failure(family: str, point: EntryPoint, error: BaseException) -> None:
    """Prints one line for the user: this plug-in cannot be used, everything else can."""
    why = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    print(
        f"harmgraph: the {family} {point.name} of {package_of(point)} cannot be used ({why}); everything else works",
        file=sys.stderr,
    )
