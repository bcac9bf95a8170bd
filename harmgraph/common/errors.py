"""All exceptions that harmgraph raises on purpose.

HarmgraphError
├── InputError              the user's file, option or list is at fault
│   ├── UnknownMember       no such importer, scorer, statistic, model or probe
│   ├── DuplicateMember     two members of a family claim one name
│   ├── WrongLine           a line of a file says what it may not
│   ├── SeveralErrors       everything that is wrong, found at once
│   ├── UnreadableFile      missing, not a file, not permitted, truncated, wrong encoding
│   ├── TooManyRejects      more lines rejected than allowed
│   ├── BadRecord           a record with a text or number that cannot be stored
│   ├── BadName             a relation or target name that cannot be stored
│   ├── MissingExtra        a package of an optional part is not installed
│   └── NotFound            no such source, target, run or statement in the graph
├── GraphError              the database said no
│   ├── Unreachable         nothing answers at the address
│   ├── Unauthorised        wrong user name or password
│   ├── TlsFailed           a certificate that is not trusted, or TLS at one end alone
│   ├── NotAllowed          the user may not do this
│   ├── NoDatabase          no database of that name
│   ├── TooOld              a server older than 5.26
│   ├── OlderGraph          the graph has the form of an earlier harmgraph: 'harmgraph db upgrade'
│   ├── NewerGraph          the graph has the form of a later harmgraph
│   ├── Retryable           transient; raised once the retries are spent
│   ├── Busy                another command is changing the graph
│   ├── DatabaseFailed      the server runs, and its database has stopped, is read-only or has no memory left
│   └── StoreNotEmpty       an operation needs an empty store
├── EndpointError           the server of a language model: not there, or it says what cannot be used
│   └── EndpointRefused     it refused one question
├── EngineError             the workers of an engine, such as Spark: not to be had, or they failed
└── ServerError             the embedded server
    ├── StartFailed         with the server's own last lines
    ├── DigestMismatch      a downloaded jar is not the one that was pinned
    ├── ServerLocked        another command holds the server's lock
    ├── LogDamaged          the store does not open: 'harmgraph db recover'
    ├── OtherNeo4j          another major version of Neo4j wrote the store
    └── NoSpace             disk full or folder not writable

Facts travel as attributes; ``str()`` is one line: what, where, what to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from harmgraph.common.clean_text import one_line


class HarmgraphError(Exception):
    """Base class of all errors.

    Attributes:
        what: what went wrong, without a full stop.
        where: the file, line, address or name it concerns; empty if there is none.
        remedy: what the user can do; empty if nothing.
        examples: the first lines of a file that are at fault, such as ``kb.tsv:7: the head is empty``; shown below the message.
        exit_code: exit code of a command that ends with this error.
    """

    exit_code = 1

    def __init__(self, what: str, *, where: str = "", remedy: str = "", examples: Iterable[str] = ()) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.remedy = remedy
        self.examples = tuple(examples)

    def __str__(self) -> str:
        line = f"{self.where}: {self.what}" if self.where else self.what
        return one_line(f"{line}; {self.remedy}" if self.remedy else line)

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines that tell it: one, unless it stands for several errors."""
        return (str(self),)


def first_line(error: BaseException) -> str:
    """The first line of what an error of another package says; the name of its class if it says nothing."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


SHOWN = 200  # characters of names in a message


def below(lines: Iterable[str]) -> str:
    """Lines as they are printed below a message: indented, each of them one line."""
    return "\n".join(f"  {one_line(line)}" for line in lines)


class InputError(HarmgraphError):
    """The user's file, option or list is at fault."""


class WrongLine(InputError):
    """A line of a file says what it may not.

    Attributes:
        line: from 1; 0 for the file as a whole.
    """

    def __init__(self, what: str, *, line: int, where: str, remedy: str = "") -> None:
        self.line = line
        super().__init__(what, where=where, remedy=remedy)


class SeveralErrors(InputError):
    """Several things are wrong; ``str()`` is the first of them.

    Attributes:
        errors: all of them, two at least.
    """

    def __init__(self, errors: Sequence[InputError]) -> None:
        self.errors = tuple(errors)
        first = self.errors[0]
        super().__init__(first.what, where=first.where, remedy=first.remedy)

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of all errors, in their order."""
        return tuple(line for error in self.errors for line in error.lines)


def raise_all(errors: Sequence[InputError]) -> None:
    """Raises nothing where there is no error, the error where there is one, and else all in one.

    Raises:
        InputError: there are any.
    """
    if len(errors) > 1:
        raise SeveralErrors(errors)
    if errors:
        raise errors[0]


class UnknownMember(InputError):
    """No such member of a family; suggests the nearest name and lists all known ones."""

    def __init__(self, family: str, name: str, known: Iterable[str]) -> None:
        self.family = family
        self.name = name
        self.known = tuple(sorted(known))
        meant = near(name, self.known, 1)
        hint = f"did you mean {meant[0]}? " if meant else ""
        super().__init__(f"no {family} named {name!r}", remedy=f"{hint}known: {', '.join(self.known) or 'none'}")


class DuplicateMember(InputError):
    """Two members of one family claim the same name.

    Attributes:
        places: the two modules; one that comes from another package is named with that package.
    """

    def __init__(self, family: str, name: str, places: tuple[str, str]) -> None:
        self.family = family
        self.name = name
        self.places = places
        super().__init__(
            f"two members of the family {family} are named {name!r}: {' and '.join(places)}",
            remedy="rename one of them, or uninstall its package",
        )


class UnreadableFile(InputError):
    """A file that cannot be read, or only in part.

    Attributes:
        path: the file.
        line: the last line that was read, 0 before the first.
    """

    def __init__(
        self, path: object, what: str, *, line: int = 0, remedy: str = "", examples: Iterable[str] = ()
    ) -> None:
        self.path = str(path)
        self.line = line
        super().__init__(what, where=f"{path}:{line}" if line else str(path), remedy=remedy, examples=examples)


class TooManyRejects(InputError):
    """More lines were rejected than ``--max-rejects`` allows.

    Attributes:
        rejects: the file that lists them.
        advice: what they say of the file, such as ``looks comma separated: --delimiter comma``; empty if nothing.
    """

    def __init__(
        self,
        where: str,
        rejected: int,
        read: int,
        allowed: float,
        rejects: str,
        *,
        advice: str = "",
        examples: Iterable[str] = (),
    ) -> None:
        self.rejected = rejected
        self.read = read
        self.allowed = allowed
        self.rejects = rejects
        self.advice = advice
        usual = f"see {rejects}, then mend the file, choose another importer or raise --max-rejects"
        super().__init__(
            f"{rejected:,} of {read:,} lines cannot be read (allowed: {allowed:.1%})",
            where=where,
            remedy=f"{advice} (all are in {rejects})" if advice else usual,
            examples=examples,
        )


class BadRecord(InputError):
    """A record with a text or a number that the graph cannot store.

    Attributes:
        why: what is wrong, such as ``is not a finite number``.
        part: with which part of the record, such as ``weight``; empty if ``why`` says all.
        reason: both in words.
    """

    def __init__(self, why: str, part: str = "") -> None:
        self.why = why
        self.part = part
        self.reason = f"the {part} {why}" if part else why
        super().__init__(self.reason)


class BadName(InputError):
    """A name that cannot be stored: empty, too long, or outside the allowed characters."""

    def __init__(self, kind: str, name: str, why: str) -> None:
        self.kind = kind
        self.name = name
        shown = name if len(name) <= 60 else name[:57] + "..."
        super().__init__(f"{kind} {shown!r} {why}")


class MissingExtra(InputError):
    """A package of an optional part is not installed."""

    def __init__(self, package: str, extra: str, remedy: str = "") -> None:
        from harmgraph.common.installation import extra_command

        self.package = package
        self.extra = extra
        super().__init__(
            f"the package {package} is not installed", remedy=remedy or f"install it with: {extra_command(extra)}"
        )


def near(word: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The names that a word may mean, whatever the capitals.

    Those that begin with it come first, the shortest before the others, then those that are spelt alike, then those that
    contain it, such as PEOPLE_PERSON_GENDER for gender.
    """
    begun = word.strip().casefold()
    folded: dict[str, list[str]] = {}
    for name in known:
        folded.setdefault(name.casefold(), []).append(name)
    shortest = sorted(folded, key=lambda name: (len(name), name))
    found = [name for name in shortest if begun and name.startswith(begun)]
    found += get_close_matches(begun, folded, n=most)
    found += [name for name in shortest if len(begun) > 2 and begun in name]
    return [name for each in dict.fromkeys(found) for name in folded[each]][:most]


class NotFound(InputError):
    """Nothing in the graph has that name; lists similar names."""

    def __init__(self, kind: str, name: str, known: Iterable[str] = (), remedy: str = "") -> None:
        self.kind = kind
        self.name = name
        self.known = tuple(known)
        meant = near(name, self.known)
        hint = f"near: {', '.join(meant)}" if meant else ""
        if not hint and self.known:
            shown = self.known[:10]
            while len(shown) > 1 and len(", ".join(shown)) >= SHOWN:
                shown = shown[:-1]
            hint = f"there are: {', '.join(shown)}" + (", ..." if len(self.known) > len(shown) else "")
        super().__init__(
            f"no {kind} named {name!r} in the graph",
            remedy="; ".join(part for part in (hint, remedy) if part),
        )


class GraphError(HarmgraphError):
    """The database refused or failed.

    Attributes:
        code: the status code of Neo4j, empty if the driver gave none.
    """

    def __init__(self, what: str, *, where: str = "", remedy: str = "", code: str = "") -> None:
        self.code = code
        super().__init__(what, where=where, remedy=remedy)


class Unreachable(GraphError):
    """Nothing answers at the address."""


class Unauthorised(GraphError):
    """Wrong user name or password."""


class TlsFailed(GraphError):
    """The certificate is not trusted, or only one end wants TLS."""


class NotAllowed(GraphError):
    """The user has no right to do this on the server."""


class NoDatabase(GraphError):
    """No database of that name on the server."""


class TooOld(GraphError):
    """A server older than the oldest one supported."""


class OlderGraph(GraphError):
    """The graph has the form of an earlier harmgraph, and its steps to the form of this one were not made yet."""


class NewerGraph(GraphError):
    """The graph, or a backup, has the form of a later harmgraph, which this one does not know."""


class Retryable(GraphError):
    """A transient failure that persisted after all retries; running the command again is safe."""


class Busy(GraphError):
    """Another command is changing the graph."""


class DatabaseFailed(GraphError):
    """The server runs, but its database has stopped, is read-only or is out of memory."""


class StoreNotEmpty(GraphError):
    """An operation that needs an empty store found a non-empty one."""


class EndpointError(HarmgraphError):
    """The server of a language model is not there, or says what cannot be used."""


class EndpointRefused(EndpointError):
    """The server refused a question, with what it said of it."""


class EngineError(HarmgraphError):
    """An engine cannot be started or reached, or its workers failed."""


class ServerError(HarmgraphError):
    """An error of the embedded server."""


class StartFailed(ServerError):
    """The server did not start.

    Attributes:
        last_lines: the last lines that the server printed.
    """

    def __init__(self, what: str, last_lines: Iterable[str], *, where: str, remedy: str) -> None:
        self.last_lines = tuple(last_lines)
        shown = " | ".join(line.strip() for line in self.last_lines[-5:] if line.strip())
        super().__init__(f"{what}; the server said: {shown or 'nothing'}", where=where, remedy=remedy)


class DigestMismatch(ServerError):
    """A downloaded jar is not the one that was pinned."""


class ServerLocked(ServerError):
    """Another command holds the server's lock.

    Attributes:
        pid: the process that holds it, 0 if unknown.
    """

    def __init__(self, what: str, *, where: str, remedy: str, pid: int = 0) -> None:
        self.pid = pid
        super().__init__(what, where=where, remedy=remedy)


class LogDamaged(ServerError):
    """The store does not open because its transaction log is truncated or damaged."""


class OtherNeo4j(ServerError):
    """Another major version of Neo4j wrote the store, or the backup."""


class NoSpace(ServerError):
    """The disk is full, or a folder cannot be written."""
