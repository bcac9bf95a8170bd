"""An assistant for tests: the client of the official SDK, which starts ``harmgraph mcp`` as a process of its own."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError
from mcp_types import TextContent, TextResourceContents, Tool

from tests.support.places import ROOT


@dataclass(frozen=True, slots=True)
class Told:
    """What a tool answered: its text, and whether it is an error."""

    text: str
    error: bool

    @property
    def answer(self) -> dict[str, Any]:
        """The answer, which must be none of an error."""
        assert not self.error, self.text
        found: dict[str, Any] = json.loads(self.text)
        return found


class AskingAssistant:
    """Asks a server, one question after the other."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self._portal = portal
        self._client = client

    def tools(self) -> dict[str, Tool]:
        """The tools by name."""
        return {tool.name: tool for tool in self._portal.call(self._client.list_tools).tools}

    def call(self, tool: str, **arguments: Any) -> Told:
        """What a tool answers; its text and its structured content must be the same."""
        result = self._portal.call(lambda: self._client.call_tool(tool, arguments))
        (content,) = result.content
        assert isinstance(content, TextContent)
        if not result.is_error:
            assert json.loads(content.text) == result.structured_content
        return Told(content.text, result.is_error)

    def resources(self) -> list[str]:
        """The addresses of the resources."""
        return [str(each.uri) for each in self._portal.call(self._client.list_resources).resources]

    def read(self, address: str) -> Told:
        """The text of a resource, or the error."""
        try:
            result = self._portal.call(lambda: self._client.read_resource(address))
        except MCPError as error:
            return Told(str(error), True)
        (content,) = result.contents
        assert isinstance(content, TextResourceContents)
        return Told(content.text, False)


@contextmanager
def assistant(errors: Path, *options: str, environment: Mapping[str, str] | None = None) -> Iterator[AskingAssistant]:
    """An assistant with a server of its own, until the block ends.

    Args:
        errors: file for what the server prints on stderr.
    """
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "harmgraph", "mcp", *options],
        env={**os.environ, **(environment or {})},
        cwd=ROOT,
    )
    with (
        errors.open("w", encoding="utf-8") as log,
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(stdio_client(parameters, errlog=log))) as client,
    ):
        yield AskingAssistant(portal, client)
