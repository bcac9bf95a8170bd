"""Lines of ConceptNet's own ``blocklist.txt``, as its build reads them (5.7, ``conceptnet5/builders/combine_assertions.py``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harmgraph.loader.corrections.form import ID, URI, Corrections, Finding, Key, NotHandedBack, StatementPlace, Texts

DERIVED = "derived"
MARK = "DERIVED "
DERIVATIONS = ("/r/DerivedFrom", "/r/FormOf")
PASSES = 2  # as ConceptNet's build: a derived word can stand before the word that it comes from


@dataclass(frozen=True, slots=True)
class Blocklist(Corrections):
    """An assertion ``/a/[…]``; an address such as ``/c/en/word``, ``/r/IsA`` or ``/d/verbosity``; or ``DERIVED /c/en/word``.

    An address blocks every assertion with it, or with one that it begins (``/c/en/word/n``), as an end, relation or data set. A
    line ``DERIVED`` blocks the words that come from the word by ``DerivedFrom`` or ``FormOf``, and those that come from them, but
    not the word itself.
    """

    name = "blocklist"
    taken = (
        "ConceptNet's blocklist.txt: send the lines to its maintainer by a private mail, as the head of that file asks"
    )

    def lines(self, finding: Finding, places: Sequence[StatementPlace]) -> tuple[str, ...]:
        """See ``Corrections.lines``."""
        if not finding.assertion.startswith("/a/"):
            raise NotHandedBack("no assertion id /a/... on the relationship")
        return (finding.assertion,)

    def keys(self, line: str) -> tuple[Key, ...]:
        """See ``Corrections.keys``."""
        entry = line.strip()
        if entry.upper().startswith(MARK):
            uri = entry[len(MARK) :].strip()
            return ((DERIVED, uri),) if uri.startswith("/c/") else ()
        if entry.startswith("/a/"):
            return ((ID, entry),)
        return ((URI, entry),) if entry.startswith(("/c/", "/r/", "/d/", "http://", "https://")) else ()

    def further(self, keys: Mapping[Key, tuple[int, ...]], texts: Texts) -> Mapping[Key, tuple[int, ...]]:
        """The derived words, found as ConceptNet's build does, in two passes over the assertions of all languages."""
        roots = {key[1]: lines for key, lines in keys.items() if key[0] == DERIVED}
        derived: dict[Key, tuple[int, ...]] = {}
        for _ in range(PASSES if roots else 0):
            for text in texts():
                # The whole dump is read, and few of its lines are derivations.
                if "/r/DerivedFrom\t" not in text and "/r/FormOf\t" not in text:
                    continue
                columns = text.split("\t")
                if len(columns) < 4 or columns[1] not in DERIVATIONS:
                    continue
                lines = next((roots[uri] for uri in _beginnings(columns[3]) if uri in roots), ())
                if lines:
                    word = "/".join(columns[2].split("/")[:4])
                    roots.setdefault(word, lines)
                    derived.setdefault((URI, word), lines)
        return derived


def _beginnings(uri: str) -> list[str]:
    pieces = uri.strip("/").split("/")
    return ["/" + "/".join(pieces[:count]) for count in range(2, len(pieces) + 1)]
