"""Neo4j's driver without pandas, NumPy and pyarrow, for a command that takes its parameters from the command line.

The driver imports them if they are installed, so that they may stand in parameters. That takes more than twice as long as all
the rest of the driver.
"""

from __future__ import annotations

import sys

from harmgraph.common.command_line import has_own_process

TABLES = ("numpy", "pandas", "pyarrow")


def driver_alone() -> None:
    """Imports the driver as if none of these were installed; they can be imported afterwards.

    The driver then takes no arrays and frames as parameters in this process. So only a command may call this whose parameters
    are words of its command line. It does nothing if the driver is there already, or if the process is not the command's own.
    """
    if "neo4j" in sys.modules or not has_own_process():
        return
    hidden = [name for name in TABLES if name not in sys.modules]
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment] # an import of it is refused, see the import system's reference
    try:
        import neo4j  # noqa: F401
    finally:
        for name in hidden:
            del sys.modules[name]
