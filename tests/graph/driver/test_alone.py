"""The driver without pandas: only in a process that was started for a command, and only if it is not there yet."""

from __future__ import annotations

import subprocess
import sys

import pytest

from harmgraph.graph.driver.alone import TABLES
from tests.support.places import ROOT

OWN = "click.Context(click.Command('x'), obj=CommandState(own_process=True))"
CALL = (
    "import sys, click\nfrom harmgraph.common.command_line import CommandState\n"
    "from harmgraph.graph.driver.alone import driver_alone\n"
)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (f"with {OWN}: driver_alone()", {"neo4j"}),
        ("with click.Context(click.Command('x'), obj=CommandState()): driver_alone()", set()),
        ("driver_alone()", set()),
        (f"import numpy\nwith {OWN}: driver_alone()", {"neo4j", "numpy"}),
        (f"import neo4j\nwith {OWN}: driver_alone()", {"neo4j", *TABLES}),
        (
            f"with {OWN}: driver_alone()\nimport pandas\nassert pandas.DataFrame([1]).sum().item() == 1",
            {"neo4j", *TABLES},
        ),
    ],
)
def test_what_is_imported(code: str, expected: set[str]) -> None:
    told = f"{CALL}{code}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, cwd=ROOT, check=True)
    assert {"neo4j", *TABLES} & set(done.stdout.split()) == expected
