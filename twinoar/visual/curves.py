"""Training curves: read from what was written, and drawn."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from twinoar.errors import FileError, UnsupportedError
from twinoar.visual import events, record

Curves = dict[str, list[tuple[int, float]]]


def read_curves(folder: str | Path) -> Curves:
    """The numbers in the files of a folder, VisualDL's or TensorBoard's: (step, value) by tag.

    Raises FileError where there is no such file, or it is damaged.
    """
    files = sorted(file for form in NUMBERS for file in Path(folder).glob(f"**/{form}"))
    if not files:
        raise FileError(
            f"there are no records of a training in {folder}",
            cure="name the log_dir of callbacks.VisualDL",
        )
    found: Curves = {}
    for file in files:
        numbers = next(read for form, read in NUMBERS.items() if file.match(form))
        for tag, step, value in numbers(file.read_bytes(), str(file)):
            found.setdefault(tag, []).append((step, value))
    return found


def _of_visualdl(data: bytes, what: str) -> Iterator[tuple[str, int, float]]:
    for told in record.records_of(data, what):
        for value in told.values:
            if value.HasField("value"):
                yield value.tag, value.id, value.value
            elif value.HasField("tag_value"):
                yield f"{value.tag}/{value.tag_value.tag}", value.id, value.tag_value.value


def _of_tensorboard(data: bytes, what: str) -> Iterator[tuple[str, int, float]]:
    for event in events.events_of(data, what):
        for value in event.summary.value:
            if value.HasField("simple_value"):
                yield value.tag, event.step, value.simple_value


NUMBERS: dict[str, Any] = {"*vdlrecords*": _of_visualdl, "*tfevents*": _of_tensorboard}


def draw_curves(folder: str | Path, output: str | Path) -> Path:
    """Write a picture of the curves in a folder, those of training and evaluation together.

    Returns the file. Raises FileError as `read_curves`, UnsupportedError without matplotlib.
    """
    curves = read_curves(folder)
    names = list(dict.fromkeys(map(counted, curves)))
    with needed("matplotlib"):
        new_figure = importlib.import_module("matplotlib.figure").Figure
    figure = new_figure(figsize=(5 * len(names), 3.5), layout="constrained")
    panels = figure.subplots(1, len(names), squeeze=False)[0]
    for panel, name in zip(panels, names, strict=True):
        for tag in (tag for tag in curves if counted(tag) == name):
            marker = "." if len(curves[tag]) < 30 else ""
            panel.plot(*zip(*curves[tag], strict=True), marker=marker, label=tag.partition("/")[0])
        panel.set_title(name)
        panel.set_xlabel("step")
        panel.legend()
        panel.grid(alpha=0.3)
    path = Path(output)
    figure.savefig(path, dpi=120)
    return path


def counted(tag: str) -> str:
    """What a tag such as "eval/loss" counts."""
    return tag.partition("/")[2] or tag


@contextmanager
def needed(package: str) -> Iterator[None]:
    """Raise UnsupportedError where `package`, which the block imports, is not installed."""
    try:
        yield
    except ModuleNotFoundError:
        cure = "pip install 'twinoar[logs]'"
        raise UnsupportedError(f"{package} is not installed", cure=cure) from None
