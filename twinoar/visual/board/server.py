"""The server of the board: one page, and the numbers that it asks for."""

from __future__ import annotations

import json
import math
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from twinoar.errors import ArgumentError, FileError
from twinoar.visual.board.runs import Runs

PORT = 8040  # VisualDL's
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
POLICY = (
    "default-src 'self'; img-src 'self' data:; media-src data:; style-src 'self' 'unsafe-inline'"
)


class Board:
    """Serves a page about the trainings below a folder, which follows what they write.

    folder: as of `Runs`. host, port: where; port 0 takes a free one. Raises FileError where there
    is no folder, or the port is taken.

    >>> import tempfile, threading, urllib.request
    >>> with tempfile.TemporaryDirectory() as folder, Board(folder, port=0) as board:
    ...     threading.Thread(target=board.serve, daemon=True).start()
    ...     urllib.request.urlopen(board.address).status
    200
    """

    def __init__(self, folder: str | Path, host: str = "127.0.0.1", port: int = PORT):
        self.runs = Runs(folder)
        handler = type("Handler", (_Handler,), {"runs": self.runs})
        try:
            self._server = ThreadingHTTPServer((host, port), handler)
        except OSError as error:
            raise FileError(
                f"cannot serve at {host}:{port}: {error.strerror}", cure="give another port"
            ) from None

    @property
    def address(self) -> str:
        """What to open in a browser."""
        host, port = self._server.server_address[:2]
        return f"http://{host!s}:{port}/"

    def serve(self) -> None:
        """Answer until `close` is called, or Ctrl-C is pressed."""
        self._server.serve_forever()

    def close(self) -> None:
        """Answer no more."""
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> Board:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


class _Handler(BaseHTTPRequestHandler):
    runs: Runs

    def do_GET(self) -> None:
        """Answer one request."""
        asked = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(asked.query).items()}
        if asked.path == "/tags":
            self.runs.read()
            self._answer_json({"tags": self.runs.tags(), "problems": self.runs.problems})
        elif asked.path == "/series":
            try:
                found = self.runs.series(query.get("kind", ""), query.get("tag", ""))
            except ArgumentError as error:
                self._answer(404, "text/plain", str(error).encode())
            else:
                self._answer_json(found)
        else:
            self._answer_file(asked.path.strip("/") or "page.html")

    def _answer_file(self, name: str) -> None:
        kind = TYPES.get(Path(name).suffix)
        if kind is None or name != Path(name).name or not _resource(name).is_file():
            self._answer(404, "text/plain", b"there is no such page")
        else:
            self._answer(200, kind, _resource(name).read_bytes())

    def _answer_json(self, found: Any) -> None:
        data = json.dumps(_with_gaps(found), separators=(",", ":")).encode()
        self._answer(200, "application/json", data)

    def _answer(self, status: int, kind: str, data: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing of each request."""


def _resource(name: str) -> Any:
    return files("twinoar.visual.board").joinpath(name)


def _with_gaps(x: Any) -> Any:
    """None in the place of what is no finite number, which JSON has not."""
    if isinstance(x, float):
        return x if math.isfinite(x) else None
    if isinstance(x, list):
        return [_with_gaps(part) for part in x]
    if isinstance(x, dict):
        return {name: _with_gaps(part) for name, part in x.items()}
    return x
