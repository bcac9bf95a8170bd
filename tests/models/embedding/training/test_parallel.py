"""The processes of a training end with the command that started them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from harmgraph.common.children import LINUX
from tests.support.places import ROOT
from tests.support.processes import wait_until_gone

PARENT = """
import os, sys, time
from pathlib import Path
from harmgraph.models.embedding.training.parallel import team

def work(_):
    print(os.getpid(), flush=True)
    time.sleep(600)

if __name__ == "__main__":
    with team(2, Path(sys.argv[1]), work, ()):
        time.sleep(600)
"""


@pytest.mark.skipif(not LINUX, reason="Linux alone ends them")
def test_a_process_of_a_training_ends_with_the_command(tmp_path: Path) -> None:
    path = tmp_path / "parent.py"
    path.write_text(PARENT)
    environment = dict(os.environ) | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, path, tmp_path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as parent:
        assert parent.stdout
        worker = psutil.Process(int(parent.stdout.readline()))
        worker.suspend()  # so that it cannot notice by itself
        parent.kill()
        wait_until_gone(worker)
