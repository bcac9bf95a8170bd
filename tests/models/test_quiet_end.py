"""A command that used torch ends without a word."""

import subprocess
import sys

USES_TORCH = """
import sys
import torch._dynamo  # as reading a pretrained model does
from harmgraph.__main__ import run
sys.argv = ["harmgraph", "--version"]
run()
"""


def test_the_end_of_a_command_that_used_torch_says_nothing() -> None:
    """Objects of its compiler that were not collected at the end were listed on stderr, in eighty lines."""
    ended = subprocess.run([sys.executable, "-c", USES_TORCH], capture_output=True, text=True, timeout=300, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("harmgraph")
