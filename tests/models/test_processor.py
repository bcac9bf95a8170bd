"""Freed memory stays with the process, so the next step need not wait until the system has cleared its pages."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("torch", reason="the extra harmgraph[models] is not installed")

from tests.support.places import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it is glibc that is asked for this")

FAULTS = """
import resource
import sys

import torch

from harmgraph.models.processor import device_of, freed_memory

torch.set_num_threads(1)
if sys.argv[1] != "default":
    assert device_of("auto")
if sys.argv[1] == "given back":
    freed_memory(kept=False)
for repeat in range(15):
    if repeat == 5:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    torch.zeros(2**24).add_(1)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(mode: str) -> int:
    done = subprocess.run(
        [sys.executable, "-c", FAULTS, mode], cwd=ROOT, capture_output=True, text=True, check=True, timeout=300
    )
    return int(done.stdout)


PAGES = 2**24 * 4 // 4096
"""Of an array of 64 MiB."""


def test_large_arrays_reuse_the_pages_of_those_before():
    """Ten arrays, after the first five. Now and then one finds no room where the others stood, and gets new pages."""
    assert faults("kept") < 2.5 * PAGES
    assert faults("default") > 9.5 * PAGES


def test_large_arrays_are_given_back_again_where_their_sizes_vary():
    assert faults("given back") > 9.5 * PAGES
