"""The files of a Model: parameters, the optimizer's state, and how far training has come."""

from __future__ import annotations

import random
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.errors import ArgumentError, FileError
from twinoar.export.objects import load, save
from twinoar.formats.atomic import together
from twinoar.ops.random.uniform import generator

PROGRESS = ".pdprogress"


def save_states(path: str, parameters: Mapping[str, Any], optimizer: Any) -> None:
    """Write `path.pdparams`, and where there is an optimizer's state `path.pdopt`."""
    with together():
        save(dict(parameters), f"{path}.pdparams")
        if optimizer is not None:
            save(optimizer, f"{path}.pdopt")


def load_states(path: str) -> tuple[dict[str, Any], Any]:
    """What `save_states` wrote; None where there is no optimizer's state."""
    base = path.removesuffix(".pdparams")
    state = f"{base}.pdopt"
    return load(f"{base}.pdparams"), load(state) if Path(state).exists() else None


def fitting(
    found: Mapping[str, Any], wanted: Mapping[str, Any], skip_mismatch: bool
) -> dict[str, Any]:
    """Those of the parameters in `found` that `wanted` has, in its shapes.

    Raises ArgumentError for one that is missing or of another shape; with skip_mismatch a warning.
    """
    fits: dict[str, Any] = {}
    for key, own in wanted.items():
        if key not in found:
            told = f"{key} is not in the file"
        elif list(np.shape(found[key])) != list(own.shape):
            told = f"{key} has shape {list(np.shape(found[key]))} there, {list(own.shape)} here"
        else:
            fits[key] = found[key]
            continue
        if not skip_mismatch:
            raise ArgumentError(
                f"the parameters do not fit the network: {told}",
                cure="pass skip_mismatch=True to load the others",
            )
        warnings.warn(f"{told}: it stays as it is", stacklevel=4)
    return fits


def save_progress(path: str, epoch: int) -> None:
    """Write that `epoch` is done, and the states of all random numbers."""
    kind, keys, position, has_gauss, gauss = np.random.get_state()
    version, internal, gauss_next = random.getstate()
    progress = {
        "epoch": epoch,
        "twinoar": generator.get_state().numpy(),
        "numpy": [kind, np.asarray(keys), int(position), int(has_gauss), float(gauss)],
        "python": [version, list(internal), gauss_next],
    }
    save(progress, path + PROGRESS)


def load_progress(path: str) -> int:
    """The epoch that was done; the states of random numbers are as they were then.

    Raises FileError where there is no such file.
    """
    file = Path(path.removesuffix(".pdparams") + PROGRESS)
    if not file.exists():
        raise FileError(
            f"there is no {file} to go on from",
            cure="name a checkpoint that fit(save_dir=...) wrote, such as 'runs/3'",
        )
    progress = load(str(file), return_numpy=True)
    kind, keys, position, has_gauss, gauss = progress["numpy"]
    np.random.set_state((kind, np.asarray(keys), position, has_gauss, gauss))
    version, internal, gauss_next = progress["python"]
    random.setstate((version, tuple(int(x) for x in internal), gauss_next))
    generator.set_state(np.asarray(progress["twinoar"]))
    return int(progress["epoch"])
