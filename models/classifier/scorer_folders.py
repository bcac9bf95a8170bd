"""The folders of scorers of both kinds: trained on examples, and of people's labels."""

from __future__ import annotations

from pathlib import Path

from harmgraph.models.folders import Folders

LOCKS = ".locks"


class ScorerFolders(Folders):
    """Their locks are beside them, because a trained scorer takes the place of a whole folder."""

    __slots__ = ()

    def lock(self, name: str) -> Path:
        """See ``Folders.lock``; both kinds of one name have one."""
        place = self.of(name)
        return place.with_name(LOCKS) / f"{place.name}.lock"
