"""Reports that a threshold is exceeded: runs the user's command, or posts JSON to the user's address.

The run keeps its exit code whether this succeeds or not. Secrets are not passed on, and messages never contain a whole address:
the addresses of chat services have a password in their path.
"""

from __future__ import annotations

import base64
import json
import os
import re
import signal
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

from harmgraph.common.clean_text import clean, one_line
from harmgraph.common.errors import InputError
from harmgraph.common.row_forms import without_nan

TIMEOUT_S = 30
SCHEMES = ("http", "https")
WITHHELD = ("NEO4J_PASSWORD",)  # variables of the environment that the command does not receive
LONGEST = 4_000  # characters of an environment variable, whose length the system limits
_URL = re.compile(r"(?i)\b[a-z][a-z0-9+.-]*://\S+")


@dataclass(frozen=True, slots=True)
class Alert:
    """What to do when a threshold is exceeded: run a command, or post to an address, which may be in a variable.

    Attributes:
        command: program and arguments, run without a shell.
        webhook: address that takes a POST of JSON.
        webhook_env: environment variable that holds the address.
        timeout_s: how long either may take, in seconds.
    """

    command: tuple[str, ...] = ()
    webhook: str = ""
    webhook_env: str = ""
    timeout_s: int = TIMEOUT_S

    def checked_webhook(self) -> SplitResult | None:
        """The parts of the address; None if there is a command.

        Raises:
            InputError: the variable is not set or is not an address; the message does not repeat the value.
        """
        if self.command:
            return None
        if not self.webhook_env:
            return parts(self.webhook)
        if not os.environ.get(self.webhook_env):
            raise InputError(
                f"the environment has no {self.webhook_env}, from which on_exceeded takes its address",
                remedy="set it where the job runs",
            )
        try:
            return parts(os.environ[self.webhook_env].strip())
        except InputError as error:
            raise InputError(error.what, where=self.webhook_env, remedy=error.remedy) from error


def parts(address: str) -> SplitResult:
    """The parts of an address that JSON can be posted to.

    Raises:
        InputError: it is not such an address; the message does not repeat it.
    """
    remedy = "write http://host/path or https://host/path"
    try:
        url = urlsplit(address)
        host, _ = url.hostname, url.port
    except ValueError as error:
        raise InputError("the webhook is not an http or https address", remedy=remedy) from error
    if url.scheme not in SCHEMES or not host or not address.isascii() or not address.isprintable() or " " in address:
        raise InputError("the webhook is not an http or https address", remedy=remedy)
    return url


def deliver(alert: Alert, facts: Mapping[str, Any], folder: Path) -> str:
    """Runs the command, or posts the facts.

    Args:
        facts: plain values; ``text`` is a summary in one line, as chat services expect it.
        folder: working folder of the command.

    Returns:
        Why it failed, in one line; empty if it succeeded.
    """
    try:
        address = alert.checked_webhook()
    except InputError as error:
        return str(error)
    return _post(address, facts, alert.timeout_s) if address else _run(alert, facts, folder)


def _run(alert: Alert, facts: Mapping[str, Any], folder: Path) -> str:
    program = alert.command[0]
    # A file, not a pipe: a process that the command leaves in the background may keep a pipe open.
    with tempfile.TemporaryFile() as output:
        try:
            process = subprocess.Popen(
                alert.command,
                cwd=folder,
                env=environment(facts),
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            return f"{program} cannot be started: {why}"
        try:
            process.communicate(_json(facts), timeout=alert.timeout_s)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):  # it has ended in the meantime
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return f"{program} took longer than {alert.timeout_s} s and was stopped"
        if not process.returncode:
            return ""
        line = _last_line(output)
        how = f"exit code {process.returncode}" if process.returncode > 0 else signal.Signals(-process.returncode).name
        return f"{program} ended with {how}" + (f": {line}" if line else "")


def _json(facts: Mapping[str, Any]) -> bytes:
    return json.dumps(without_nan(dict(facts)), ensure_ascii=False, allow_nan=False).encode()


def environment(facts: Mapping[str, Any]) -> dict[str, str]:
    """The command's environment: the current one without the password, and ``HARMGRAPH_JOB_…`` for each single value."""
    variables = {name: value for name, value in os.environ.items() if name not in WITHHELD}
    for name, value in facts.items():
        if isinstance(value, str | int | float):
            variables[f"HARMGRAPH_JOB_{name.upper()}"] = clean(str(value))[:LONGEST]
    return variables


def _last_line(output: IO[bytes]) -> str:
    output.seek(max(0, output.seek(0, os.SEEK_END) - LONGEST))
    lines = [line for line in output.read().decode("utf-8", "replace").splitlines() if line.strip()]
    text = one_line(lines[-1])[:300] if lines else ""
    return _URL.sub(lambda match: _shown(match[0]), text)


def _shown(address: str) -> str:
    """Scheme and host of an address, without the parts that may be secret."""
    try:
        url = urlsplit(address)
    except ValueError:
        return "an address"
    return f"{url.scheme}://{url.hostname}/..."


def _post(address: SplitResult, facts: Mapping[str, Any], timeout_s: int) -> str:
    """Posts in a thread, because a server that answers one byte at a time never exceeds the timeout of a single read."""
    why: list[str] = []
    thread = threading.Thread(target=lambda: why.append(_posted(address, facts, timeout_s)), daemon=True)
    thread.start()
    thread.join(timeout_s)
    where = f"{address.scheme}://{address.hostname}"
    if not why:
        return f"{where} did not answer in {timeout_s} s"
    return f"{where} {why[0]}" if why[0] else ""


def _posted(address: SplitResult, facts: Mapping[str, Any], timeout_s: int) -> str:
    from http.client import HTTPException
    from urllib.error import HTTPError, URLError
    from urllib.request import HTTPRedirectHandler, Request, build_opener

    class Unmoved(HTTPRedirectHandler):
        """Follows no redirect: the request would arrive without its content."""

        def redirect_request(self, *_: Any) -> None:
            return None

    body = _json(facts)
    headers = {"Content-Type": "application/json; charset=utf-8", "User-Agent": "harmgraph"}
    if address.username:
        named = f"{unquote(address.username)}:{unquote(address.password or '')}".encode()
        headers["Authorization"] = f"Basic {base64.b64encode(named).decode()}"
    plain = urlunsplit(address._replace(netloc=address.netloc.rpartition("@")[2], fragment=""))
    try:
        with build_opener(Unmoved).open(Request(plain, body, headers, method="POST"), timeout=timeout_s):
            return ""
    except HTTPError as error:
        error.close()
        return f"answered {error.code}"
    except URLError as error:
        return f"cannot be reached: {_reason(error.reason)}"
    except (OSError, HTTPException, ValueError) as error:
        # Their text may hold the address.
        return f"cannot be reached: {_reason(error)}"


def _reason(error: object) -> str:
    return str(getattr(error, "strerror", None) or type(error).__name__)
