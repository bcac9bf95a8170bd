"""What an interrupted generation has drawn already, in a file beside the one that it writes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harmgraph.common.digests import facts_digest
from harmgraph.common.json_text import from_json
from harmgraph.common.no_space import writing
from harmgraph.common.whole_file import followed, is_stream, write_whole
from harmgraph.models.language.decoding import Continuation


@contextmanager
def part_beside(out: Path) -> Iterator[Path | None]:
    """The place of the part of a file, which is removed when the block succeeds; None for a stream, which has no part."""
    if is_stream(out):
        yield None
        return
    place = followed(out)
    part = place.with_name(f"{place.name}.part")
    yield part
    part.unlink(missing_ok=True)


class PartFile:
    """Batches of samples as JSON lines: first the digest of what is generated, then a line a batch.

    Args:
        path: of the file. If it is of another generation, it is begun anew. A last line that was cut is left out.
        facts: what is generated, as plain values.
    """

    def __init__(self, path: Path, facts: Mapping[str, Any]) -> None:
        self._path = path
        self._said: list[list[Continuation]] = []
        begun = {"generation": facts_digest(dict(facts))}
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True) if path.is_file() else []
        good = [line for line in lines if line.endswith("\n")]
        if good and _object(good[0]) == begun:
            for line in good[1:]:
                self._said.append([Continuation(tuple(ids), nats, ended) for ids, nats, ended in from_json(line)])
        else:
            good = [json.dumps(begun) + "\n"]
        write_whole(path, "".join(good).encode())

    def read(self, batch: int) -> list[Continuation] | None:
        """The continuations of a batch; None if it is not drawn yet."""
        return self._said[batch] if batch < len(self._said) else None

    def add(self, batch: int, said: Sequence[Continuation]) -> None:
        """Keeps a batch, the one after the last.

        Raises:
            NoSpace: it cannot be written.
        """
        line = json.dumps([[list(each.ids), each.log_probability, each.ended] for each in said])
        with writing(self._path), self._path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        self._said.append(list(said))


def _object(line: str) -> Any:
    try:
        return from_json(line)
    except ValueError:
        return None
