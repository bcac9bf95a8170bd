"""The notebook of the documentation runs from its first cell to its last, and shows tables and a picture."""

from __future__ import annotations

import re

import nbformat
import pytest
from nbclient import NotebookClient

from tests.support.places import ROOT

PAGE = ROOT / "docs" / "notebook.ipynb"


def test_it_holds_no_output() -> None:
    """What a run gave would be out of date with the next change."""
    cells = nbformat.read(PAGE, 4).cells
    assert all(cell.get("outputs", []) == [] for cell in cells)
    assert all(cell.get("execution_count") is None for cell in cells)


@pytest.mark.usefixtures("graph")
def test_it_runs() -> None:
    notebook = nbformat.read(PAGE, 4)
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    shown = [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])]
    assert sum("image/png" in data for data in shown) == 1
    tables = [re.sub(r"<[^>]+>", " ", data["text/html"]) for data in shown if "text/html" in data]
    assert len(tables) == 7
    assert re.search(r"in the graph\s+304", tables[0])
    assert re.search(r"written: negative\s+32", tables[1])
    assert "prisoner" in tables[2]
    assert not any(
        "Traceback" in output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", [])
    )
