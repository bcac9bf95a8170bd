"""Peak memory of the client: the same load at two sizes, each in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.benchmarks.figures import Figures
from tests.benchmarks.generated import write_triples
from tests.benchmarks.setting import Setting, fresh

# The peak of the process itself and of the one that reads for it; with --bulk the largest child is Neo4j's offline
# importer, which is left out, and so the reader with it. Pages that both share are counted twice. Of the process itself by
# its own high-water mark: ru_maxrss would be that of the benchmark, which started it, where that is larger.
MEASURED = """
import resource, sys
from pathlib import Path
from harmgraph import main
code = main(sys.argv[1:])
status = Path("/proc/self/status").read_text()
peak = int(status.split("VmHWM:")[1].split()[0])
if "--bulk" not in sys.argv:
    peak += resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(peak, file=sys.stderr)
sys.exit(code)
"""


def bench(setting: Setting, figures: Figures) -> None:
    """Over Bolt and offline."""
    paths = {edges: setting.folder / f"{edges}.tsv" for edges in (setting.few, setting.edges)}
    for edges, path in paths.items():
        write_triples(path, edges)
    for name, extra in (("load triples", ()), ("load --bulk", ("--bulk",))):
        peaks = [_peak(path, *extra) for path in paths.values()]
        for edges, peak in zip(paths, peaks, strict=True):
            figures.add(f"{name}, {edges:,} edges", peak, "MiB")
        figures.add(f"{name}: large / small", peaks[1] / peaks[0], "x", "at most 1.3")


def _peak(path: Path, *extra: str) -> float:
    fresh()
    command = [sys.executable, "-c", MEASURED, "load", "triples", str(path), "--source", "generated", *extra]
    done = subprocess.run(command, check=True, text=True, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
    return int(done.stderr.strip().splitlines()[-1]) / 1024
