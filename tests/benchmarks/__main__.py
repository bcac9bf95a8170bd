"""``python -m tests.benchmarks``: all benchmarks, or those that are named."""

from __future__ import annotations

import argparse
import tempfile
from importlib import import_module
from pathlib import Path

from tests.benchmarks.figures import Figures
from tests.benchmarks.setting import prepared

BENCHMARKS = tuple(sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py")))
EDGES, QUICK_EDGES = 1_000_000, 100_000
LINES, QUICK_LINES = 300_000, 30_000


def main() -> None:
    """Runs them one after the other on one server."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(BENCHMARKS)}; all where none is named")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_EDGES:,} edges and fewer repeats")
    parser.add_argument("--edges", type=int, help=f"size of the large graph [{EDGES:,}]; the small one has a tenth")
    parser.add_argument("--lines", type=int, help=f"reading: lines of each file [{LINES:,}]")
    parser.add_argument("--bulk-only", action="store_true", help="aser: without the loads over Bolt")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file")
    chosen = parser.parse_args()
    unknown = [name for name in chosen.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"no benchmark named {unknown[0]}; there are {', '.join(BENCHMARKS)}")
    edges = chosen.edges or (QUICK_EDGES if chosen.quick else EDGES)
    lines = chosen.lines or (QUICK_LINES if chosen.quick else LINES)
    figures = Figures()
    with (
        tempfile.TemporaryDirectory(prefix="harmgraph-bench-") as folder,
        prepared(Path(folder), edges=edges, lines=lines, quick=chosen.quick, bulk_only=chosen.bulk_only) as setting,
    ):
        for name in chosen.names or BENCHMARKS:
            with figures.of(name):
                import_module(f"tests.benchmarks.bench_{name}").bench(setting, figures)
    if chosen.json:
        figures.write(chosen.json)


if __name__ == "__main__":
    main()
