"""A server on the loopback that answers as the Hugging Face Hub does for one data set, whose files are in a folder."""

from __future__ import annotations

import hashlib
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from tests.support.loopback_server import LoopbackServer

COMMIT = "ab" * 20
NAME = "acme/sayings"


class DataSetHub(LoopbackServer):
    """Serves the files of a folder as the data set ``acme/sayings``.

    Args:
        gated: whether it is given only to those who asked for it.

    Attributes:
        url: for HF_ENDPOINT.
        asked: the paths that were asked for.
    """

    def __init__(self, folder: Path, *, gated: bool = False) -> None:
        asked: list[str] = []

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *said: object) -> None:
                pass

            def do_HEAD(self) -> None:
                self.do_GET()

            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                path = unquote(parts.path)
                asked.append(path)
                if path.startswith(f"/api/datasets/{NAME}/tree/"):
                    self._tree(path.split("/", 7)[7:], "true" in parse_qs(parts.query).get("recursive", []))
                elif path.startswith(f"/api/datasets/{NAME}"):
                    if gated:
                        self._refuse(403, "GatedRepo")
                    else:
                        self._send(json.dumps({"id": NAME, "sha": COMMIT}).encode())
                elif path.startswith(f"/datasets/{NAME}/resolve/"):
                    file = folder / path.split("/", 6)[6]
                    if file.is_file():
                        content = file.read_bytes()
                        tag = f'"{hashlib.sha1(content).hexdigest()}"'
                        self._send(content, {"ETag": tag, "X-Repo-Commit": COMMIT})
                    else:
                        self._refuse(404, "EntryNotFound")
                else:
                    self._refuse(404, "RepoNotFound")

            def _tree(self, inside: list[str], recursive: bool) -> None:
                base = folder.joinpath(*inside)
                found = sorted(base.rglob("*") if recursive else base.iterdir()) if base.is_dir() else []
                entries = [
                    {
                        "type": "directory" if file.is_dir() else "file",
                        "oid": "cd" * 20,
                        "size": file.stat().st_size if file.is_file() else 0,
                        "path": str(file.relative_to(folder)),
                    }
                    for file in found
                ]
                self._send(json.dumps(entries).encode())

            def _send(self, content: bytes, headers: dict[str, str] | None = None) -> None:
                self.send_response(200)
                for name, value in {"Content-Length": str(len(content)), **(headers or {})}.items():
                    self.send_header(name, value)
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(content)

            def _refuse(self, status: int, why: str) -> None:
                self.send_response(status)
                self.send_header("X-Error-Code", why)
                self.send_header("Content-Length", "0")
                self.end_headers()

        self.asked = asked
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
