"""Where things lie."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def real_data() -> Path | None:
    """The real data that lies beside the checkout, or where HARMGRAPH_DATA says; None where it is absent."""
    folder = Path(os.environ.get("HARMGRAPH_DATA", ROOT.parent / "shared" / "data"))
    return folder if (folder / "conceptnet").is_dir() else None
