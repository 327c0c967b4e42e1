"""Runs of a model before clients come: so that they find it compiled, and as proof of its rows.

Whether a model computes the rows of a batch apart from each other cannot be read off its shapes: a
softmax over the first axis has the same. So a model without a config is run on rows together and
apart, and where that differs, requests are not stacked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.core.near import near_names
from twinoar.errors import FileError
from twinoar.serving.configuration import Port, below, ports_of
from twinoar.serving.datatypes import DTYPES, decoded
from twinoar.serving.request import Arrays

ROWS = 3
FREE_SIZES = (32, 1)  # for axes of any size: few models refuse both
# Sums in another order differ by a few units in the last place; a softmax over rows by much more.
TOLERANCE = {"FP16": 1e-2, "BF16": 5e-2}
USUAL_TOLERANCE = 1e-3
FOLDER = "warmup"


def sample(
    ports: Sequence[Port], rows: int | None, free: int, generator: np.random.Generator
) -> Arrays:
    """Random inputs; whole numbers are 0 or 1, which are indices into all tables.

    rows: the size of the first axis, None for a model without a batch axis. free: the size of
    axes that may have any.
    """
    found = {}
    for port in ports:
        dims = [free if d < 0 else d for d in port.dims]
        if rows is not None:
            dims[0] = rows
        found[port.name] = _random(port.datatype, dims, generator)
    return found


def rows_are_apart(run: Callable[[Arrays], Arrays], ports: Sequence[Port]) -> str | None:
    """Why requests may not be stacked, None where the rows of a batch are computed apart.

    >>> ports = [Port("x", "FP32", (-1, 4))]
    >>> rows_are_apart(lambda a: {"y": a["x"] * 2}, ports)
    >>> rows_are_apart(lambda a: {"y": a["x"] - a["x"].mean(axis=0)}, ports)
    "rows of the output 'y' depend on each other"
    """
    refused: Exception | None = None
    for free in FREE_SIZES:
        inputs = sample(ports, ROWS, free, np.random.default_rng(0))
        try:
            together = run(inputs)
            apart = [run({n: x[i : i + 1] for n, x in inputs.items()}) for i in range(ROWS)]
        except Exception as error:
            refused = error
            continue
        for name, whole in together.items():
            if not _same(whole, [one[name] for one in apart]):
                return f"rows of the output {name!r} depend on each other"
        return None
    return f"it could not be run on samples ({refused})"


def warm_up(run: Callable[[Arrays], Arrays], ports: Sequence[Port], sizes: Sequence[int]) -> None:
    """Run on samples of these sizes of batch, so that each is compiled; 0 for no batch axis.

    A model with other axes of any size is not run: which ones come cannot be known.
    """
    generator = np.random.default_rng(0)
    for size in sizes:
        dims = [d for port in ports for d in port.dims[1 if size else 0 :]]
        if all(d >= 0 for d in dims):
            run(sample(ports, size or None, 1, generator))


def configured(
    run: Callable[[Arrays], Arrays], ports: Sequence[Port], config: Any, folder: Path
) -> None:
    """Run what `model_warmup` in the config asks for.

    ports: all that the model takes; those between server and model are random numbers.
    Raises FileError for files that are not there or do not fit.
    """
    for told in config.model_warmup:
        size = max(told.batch_size, 1)
        known = {port.name for port in ports_of(config.input)}
        inner = [port for port in ports if port.name not in known]
        rows = size if config.max_batch_size else None
        inputs = sample(inner, rows, 1, np.random.default_rng(0))
        for port in ports_of(config.input):
            if port.name not in told.inputs:
                if port.optional:
                    continue
                raise FileError(
                    f"{config.name}: model_warmup {told.name!r} has no input {port.name!r}",
                    cure=near_names(port.name, told.inputs),
                )
            one = _configured_input(told.inputs[port.name], port, folder)
            inputs[port.name] = np.repeat(one[None], size, 0) if config.max_batch_size else one
        for _ in range(max(told.count, 1)):
            run(inputs)


def _configured_input(told: Any, port: Port, folder: Path) -> np.ndarray:
    dims = tuple(told.dims)
    if told.HasField("input_data_file"):
        file = below(folder / FOLDER, told.input_data_file, "the model_warmup's file")
        try:
            return decoded(file.read_bytes(), port.datatype, dims, port.name)
        except OSError as error:
            raise FileError(f"cannot read {file}: {error.strerror}") from error
    if told.random_data:
        return _random(port.datatype, dims, np.random.default_rng(0))
    return np.zeros(dims, DTYPES[port.datatype])


def _random(datatype: str, dims: Sequence[int], generator: np.random.Generator) -> np.ndarray:
    dtype = DTYPES[datatype]
    if datatype == "BYTES":
        return np.full(tuple(dims), b"", object)
    if dtype.kind in "biu":
        return generator.integers(0, 2, dims).astype(dtype)
    return generator.standard_normal(dims).astype(dtype)


def _same(whole: np.ndarray, rows: Sequence[np.ndarray]) -> bool:
    if whole.ndim == 0 or len(whole) != len(rows) or any(len(x) != 1 for x in rows if x.ndim):
        return False
    if any(x.shape[1:] != whole.shape[1:] or x.ndim != whole.ndim for x in rows):
        return False
    apart = np.concatenate(rows)
    if whole.dtype.kind in "biuO":
        return bool((whole == apart).all())
    wide, other = whole.astype("float64"), apart.astype("float64")
    tolerance = TOLERANCE.get(str(whole.dtype), USUAL_TOLERANCE)
    largest = np.abs(np.nan_to_num(wide)).max(initial=0)
    return np.allclose(wide, other, tolerance, tolerance * largest, equal_nan=True)
