"""Traces as files that chrome://tracing and Perfetto show.

Source: "Trace Event Format", the description that goes with Chromium: complete events ("X") with
times in microseconds, and metadata ("M") that names processes and threads. Threads are numbered,
since Perfetto keeps 32 bits of a thread's identity.
"""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from twinoar.errors import FileError, UnsupportedError
from twinoar.inspection.record import Event

SUFFIX = ".paddle_trace.json"


def write_trace(events: Sequence[Event], path: str | os.PathLike[str]) -> None:
    """Write `events` to the file `path`."""
    process, main = os.getpid(), threading.main_thread().ident
    idents = dict.fromkeys([main, *(e.thread for e in events)])
    numbers = {ident: n for n, ident in enumerate(idents, 1)}
    shown: list[dict[str, Any]] = [
        {
            "name": e.name,
            "cat": e.kind,
            "ph": "X",
            "pid": process,
            "tid": numbers[e.thread],
            "ts": e.start / 1e3,
            "dur": e.duration / 1e3,
            "args": (e.detail or {}) | ({"line": e.line} if e.line else {}),
        }
        for e in events
    ]
    shown.append(_named("process_name", process, 1, "twinoar"))
    for number in numbers.values():
        called = "main" if number == 1 else f"thread {number}"
        shown.append(_named("thread_name", process, number, called))
    text = json.dumps({"displayTimeUnit": "ms", "traceEvents": shown})
    Path(path).write_text(text, encoding="utf-8")


def _named(what: str, process: int, thread: int, name: str) -> dict[str, Any]:
    return {"name": what, "ph": "M", "pid": process, "tid": thread, "args": {"name": name}}


def read_trace(path: str | os.PathLike[str]) -> list[Event]:
    """The events of a trace file. Raises FileError for another file."""
    try:
        shown = json.loads(Path(path).read_text(encoding="utf-8"))["traceEvents"]
        return [_event(e) for e in shown if e["ph"] == "X"]
    except (ValueError, KeyError, TypeError) as error:
        raise FileError(
            f"{path} is no trace: {error}", cure="give a file that Profiler.export wrote"
        ) from None


def _event(shown: dict[str, Any]) -> Event:
    start = round(shown["ts"] * 1e3)
    thread = hash(shown["tid"])
    end = start + round(shown["dur"] * 1e3)
    detail = dict(shown.get("args") or {})
    line = detail.pop("line", "")
    return Event(shown["name"], shown["cat"], thread, start, end, detail or None, line)


def export_protobuf(dir_name: str, worker_name: str | None = None) -> Callable[[Any], None]:
    """Raises UnsupportedError: traces are written in Chrome's form alone."""
    raise UnsupportedError(
        "export_protobuf writes a form of Paddle's own, which is not served",
        cure="use export_chrome_tracing(dir_name): chrome://tracing and Perfetto read it",
    )


def export_chrome_tracing(dir_name: str, worker_name: str | None = None) -> Callable[[Any], None]:
    """What a profiler's `on_trace_ready` may be: writes each trace to a file of its own.

    dir_name: the folder, made where it is not there. worker_name: what the files' names start with;
    None for the host and the process.
    """
    worker = worker_name or f"host_{socket.gethostname()}pid_{os.getpid()}"

    def write(profiler: Any) -> None:
        folder = Path(dir_name)
        folder.mkdir(parents=True, exist_ok=True)
        now = datetime.now().strftime("%Y_%m_%d_%H_%M_%S_%f")
        profiler.export(str(folder / f"{worker}_time_{now}{SUFFIX}"))

    return write
