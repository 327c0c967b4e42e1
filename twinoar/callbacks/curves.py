"""Training curves: read from event files, and drawn."""

from __future__ import annotations

import importlib
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from twinoar.errors import FileError, UnsupportedError

Curves = dict[str, list[tuple[int, float]]]


def read_curves(folder: str | Path) -> Curves:
    """The numbers in the event files of a folder: (step, value) pairs by tag.

    Raises FileError where there is no such file, or it is damaged; UnsupportedError where the
    library that knows their form is not installed.
    """
    files = sorted(Path(folder).glob("**/*tfevents*"))
    if not files:
        raise FileError(
            f"there are no event files in {folder}",
            cure="name the log_dir of callbacks.VisualDL",
        )
    with needed("tensorboardX"):
        event = importlib.import_module("tensorboardX.proto.event_pb2").Event
    found: Curves = {}
    for file in files:
        for record in _records(file):
            try:
                read = event.FromString(record)
            except Exception as error:  # of protobuf's own kind
                raise _damaged(file, f"a record is no event: {error}") from None
            for value in read.summary.value:
                found.setdefault(value.tag, []).append((read.step, value.simple_value))
    return found


def draw_curves(folder: str | Path, output: str | Path) -> Path:
    """Write a picture of the curves in a folder, those of training and evaluation together.

    Returns the file. Raises FileError and UnsupportedError as `read_curves`.
    """
    curves = read_curves(folder)
    names = list(dict.fromkeys(map(_name, curves)))
    with needed("matplotlib"):
        new_figure = importlib.import_module("matplotlib.figure").Figure
    figure = new_figure(figsize=(5 * len(names), 3.5), layout="constrained")
    panels = figure.subplots(1, len(names), squeeze=False)[0]
    for panel, name in zip(panels, names, strict=True):
        for tag in (tag for tag in curves if _name(tag) == name):
            marker = "." if len(curves[tag]) < 30 else ""
            panel.plot(*zip(*curves[tag], strict=True), marker=marker, label=tag.partition("/")[0])
        panel.set_title(name)
        panel.set_xlabel("step")
        panel.legend()
        panel.grid(alpha=0.3)
    path = Path(output)
    figure.savefig(path, dpi=120)
    return path


def _name(tag: str) -> str:
    """What a tag such as "eval/loss" counts."""
    return tag.partition("/")[2] or tag


def _records(file: Path) -> Iterator[bytes]:
    """The records of a file: each has its length before it, and checks after both."""
    data, at = file.read_bytes(), 0
    while at < len(data):
        if at + 12 > len(data):
            return  # still being written
        length, check = struct.unpack_from("<QI", data, at)
        if masked_checksum(data[at : at + 8]) != check:
            raise _damaged(file, f"the length at byte {at} does not fit its check")
        end = at + 12 + length + 4
        if end > len(data):
            return
        record = data[at + 12 : end - 4]
        if struct.unpack_from("<I", data, end - 4) != (masked_checksum(record),):
            raise _damaged(file, f"the record at byte {at} does not fit its check")
        yield record
        at = end


def masked_checksum(data: bytes) -> int:
    """The check of a record: CRC-32C, rotated and with a constant added."""
    found = 0xFFFFFFFF
    for byte in data:
        found = CHECKSUMS[(found ^ byte) & 0xFF] ^ (found >> 8)
    found ^= 0xFFFFFFFF
    return ((found >> 15 | found << 17) + 0xA282EAD8) & 0xFFFFFFFF


def _checksum_of(byte: int) -> int:
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)  # Castagnoli's polynomial, reflected
    return byte


CHECKSUMS = [_checksum_of(byte) for byte in range(256)]


def _damaged(file: Path, what: str) -> FileError:
    return FileError(
        f"{file} is damaged: {what}", cure="delete the file, or copy it again from where it was"
    )


@contextmanager
def needed(package: str) -> Iterator[None]:
    """Raise UnsupportedError where `package`, which the block imports, is not installed."""
    try:
        yield
    except ModuleNotFoundError:
        cure = "pip install 'twinoar[logs]'"
        raise UnsupportedError(f"{package} is not installed", cure=cure) from None
