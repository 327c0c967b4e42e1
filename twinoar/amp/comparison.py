"""`compare_accuracy`: what two runs have written of their tensors, side by side."""

from __future__ import annotations

import csv
import math
import os
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from twinoar.amp.checker import LOG
from twinoar.errors import ArgumentError, FileError, UnsupportedError
from twinoar.late import dataclass

LINE = re.compile(
    r"\[PRECISION\] (?:\[ERROR\] )?in \[device=(?P<device>\w+), op=(?P<op>[\w.]+), "
    r"tensor=(?P<tensor>[^,]*), dtype=(?P<dtype>\w+)\], numel=(?P<numel>\d+)"
    r"(?:, num_nan=(?P<nans>\d+), num_inf=(?P<infinities>\d+))?, num_zero=(?P<zeros>\d+), "
    r"max=(?P<max>\S+), min=(?P<min>\S+), mean=(?P<mean>\S+)$"
)
COLUMNS = ("dtype", "numel", "nans", "infinities", "zeros", "max", "min", "mean")
HEAD = (
    "op", "number", "tensor", *(f"{name}_{run}" for run in ("first", "second") for name in COLUMNS),
    "is_normal",
)  # fmt: skip
RANGE = 2.0**-7  # of relative difference that eight bits of a number explain


@dataclass(frozen=True)
class Told:
    """What a run said of one result; `number` counts the results of an operator's type."""

    op: str
    number: int
    tensor: str
    cells: dict[str, str]


def compare_accuracy(
    dump_path: str,
    another_dump_path: str,
    output_filename: str,
    loss_scale: float = 1,
    dump_all_tensors: bool = False,
) -> None:
    """Write a table that compares what two runs have written of their tensors.

    dump_path, another_dump_path: folders that `TensorCheckerConfig(output_dir=...)` named, of a
    run in float32 and of one in lower precision. output_filename: a `.csv` file. A row is normal
    where both are finite, and their ranges agree as well as those of bfloat16 can, as they are or
    times loss_scale, by which the second run has multiplied its loss. Raises FileError for a folder
    without a log, or with something else under its name, ArgumentError for another kind of file,
    UnsupportedError for dump_all_tensors.
    """
    if dump_all_tensors:
        raise UnsupportedError(
            "logs have no tensors, but figures of them", cure="leave dump_all_tensors out"
        )
    target = Path(output_filename)
    if target.suffix != ".csv":
        raise ArgumentError(
            f"expected a .csv file to write, received {output_filename!r}",
            cure="every program for tables opens it",
        )
    first, second = (read_log(Path(folder)) for folder in (dump_path, another_dump_path))
    rows = [_row(a, b, loss_scale) for a, b in _paired(first, second)]
    handle, name = tempfile.mkstemp(dir=target.parent, suffix=".csv")
    with os.fdopen(handle, "w", newline="") as file:
        csv.writer(file).writerows([HEAD, *rows])
    Path(name).replace(target)


def read_log(folder: Path) -> list[Told]:
    """What a run wrote into a folder, in its order."""
    path = folder / LOG
    if not path.is_file():
        raise FileError(
            f"there is no {LOG} in {folder}",
            cure="run with TensorCheckerConfig(True, DebugMode.CHECK_ALL, output_dir=...)",
        )
    found, seen = [], Counter[str]()
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = LINE.match(line)
        if match is None:
            raise FileError(f"{path}, line {number}: expected a [PRECISION] line")
        groups = {k: v or "0" for k, v in match.groupdict().items()}
        op = groups.pop("op")
        found.append(Told(op, seen[op], match["tensor"], {k: groups[k] for k in COLUMNS}))
        seen[op] += 1
    return found


def _paired(first: list[Told], second: list[Told]) -> Iterator[tuple[Told | None, Told | None]]:
    """The n-th results of each type of operator; casts, which one run alone has, are left out."""
    ops = dict.fromkeys(x.op for x in (*first, *second) if x.op != "cast")
    for op in ops:
        yield from zip_longest(*([x for x in run if x.op == op] for run in (first, second)))


def _row(first: Told | None, second: Told | None, loss_scale: float) -> list[str]:
    told = first or second
    assert told is not None
    cells = ["" if run is None else run.cells[name] for run in (first, second) for name in COLUMNS]
    is_normal = (
        first is not None
        and second is not None
        and any(_agree(first, second, scale) for scale in (1.0, loss_scale))
    )
    return [told.op, str(told.number), told.tensor, *cells, str(is_normal)]


def _agree(first: Told, second: Told, scale: float) -> bool:
    """Whether the range of the second is that of the first, times a scale."""
    least = RANGE * _largest(first) * scale
    for name in ("max", "min"):
        a, b = float(first.cells[name]) * scale, float(second.cells[name])
        if not (math.isfinite(a) and math.isclose(a, b, rel_tol=RANGE, abs_tol=least)):
            return False
    return True


def _largest(told: Told) -> float:
    return max(abs(float(told.cells["max"])), abs(float(told.cells["min"])))
