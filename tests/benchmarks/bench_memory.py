"""Peak memory of the client: the same load at two sizes, a training, its evaluation and a probe, each in a process of its own."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

from tests.benchmarks.figures import Figures
from tests.benchmarks.generated import write_triples
from tests.benchmarks.setting import Setting, fresh
from tests.benchmarks.watched import watched

# The peak of the process itself by its own high-water mark: ru_maxrss would be that of the benchmark, which started it, where
# that is larger. Of a load the processes that read count too: see ``watched``.
MEASURED = """
import sys
from pathlib import Path
from harmgraph.__main__ import main
code = main(sys.argv[1:])
status = Path("/proc/self/status").read_text()
peak = int(status.split("VmHWM:")[1].split()[0])
print(peak, file=sys.stderr)
sys.exit(code)
"""
WD50K = ("triples_train.txt.gz", "triples_valid.txt", "triples_test.txt")
GENDER = ("--relation", "gender", "--a", "male", "--b", "female")


def bench(setting: Setting, figures: Figures) -> None:
    """Over Bolt and offline; then what docs/probes.md does with WD50K, where it and torch are."""
    paths = {edges: setting.folder / f"{edges}.tsv" for edges in (setting.few, setting.edges)}
    for edges, path in paths.items():
        write_triples(path, edges)
    for name, extra in (("load triples", ()), ("load --bulk", ("--bulk",))):
        peaks = [_load(path, *extra) for path in paths.values()]
        for edges, peak in zip(paths, peaks, strict=True):
            figures.add(f"{name}, {edges:,} edges", peak, "MiB")
        figures.add(f"{name}: large / small", peaks[1] / peaks[0], "x", "at most 1.3")
    folder = setting.data / "wd50k" if setting.data else None
    if folder and folder.is_dir() and importlib.util.find_spec("torch"):
        _models(folder, setting, figures)


def _models(folder: Path, setting: Setting, figures: Figures) -> None:
    """With all threads: a heap of each thread is where large temporaries would pile up."""
    fresh()
    files = [str(folder / name) for name in WD50K]
    peak_of("load", "wd50k", *files, "--names", str(folder / "labels.tsv"), "--source", "wd50k")
    train = ("embed", "train", "people", "--source", "wd50k", "--dim", "100", "--negatives", "256", "--threads", "2")
    epochs = "1" if setting.quick else "5"
    for name, arguments in (
        (f"embed train, WD50K, {epochs} epochs and a look at valid", (*train, "--epochs", epochs)),
        ("embed eval, 1,000 triples of WD50K", ("embed", "eval", "people", "--sample", "1000", "--threads", "2")),
        ("embed eval, all 46,023", () if setting.quick else ("embed", "eval", "people", "--threads", "2")),
        ("probe shift, 200 draws of the control", ("probe", "shift", "people", *GENDER, "--control", "200")),
        ("probe shift, every person moved", ("probe", "shift", "people", *GENDER, "--method", "full")),
        ("probe pairs", ("probe", "pairs", "people", *GENDER)),
        ("probe parity", ("probe", "parity", "people", *GENDER)),
    ):
        if arguments:
            figures.add(name, peak_of(*arguments), "MiB", "at most 1,000")


def _load(path: Path, *extra: str) -> float:
    fresh()
    return watched("load", "triples", str(path), "--source", "generated", *extra).peak


def peak_of(*arguments: str) -> float:
    """Peak of a command in MiB."""
    command = [sys.executable, "-c", MEASURED, *arguments]
    done = subprocess.run(command, check=True, text=True, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
    return int(done.stderr.strip().splitlines()[-1]) / 1024
