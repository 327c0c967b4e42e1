"""Loading models of Keras, and weights into them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from twinoar.errors import ArgumentError, FileError, UnsupportedError
from twinoar.formats.atomic import path_text
from twinoar.formats.keras.archive import read_saved
from twinoar.pretrained.keras.graph import KerasModel
from twinoar.pretrained.keras.read import Reader, Source
from twinoar.pretrained.keras.setting import Weight


def load(path: str) -> KerasModel:
    """The model in a `.keras` file, or an `.h5` file of a whole model, as a Layer in eval mode.

    It takes and gives what it does in Keras, in the order of its inputs, channels last. Layers have
    the names that they have there. Raises UnsupportedError for a layer or a setting that is not
    known, by its name; FileError for what is damaged.
    """
    name = path_text(path)
    saved = read_saved(_bytes(name), name)
    if saved.config is None:
        raise FileError(
            f"{name} has weights alone",
            cure="load the model from its .keras file, then load_weights(model, path)",
        )
    weights = Source(saved)
    model = Reader(_first_number(saved.version), name).model(saved.config, weights, "", 0)
    model.eval()
    return model


def load_weights(model: KerasModel, path: str) -> None:
    """Put what a `.weights.h5` file holds, or another file of the same model, into a model.

    Raises FileError where an array is missing or has other sizes; then nothing is changed.
    """
    if not isinstance(model, KerasModel):
        raise ArgumentError(
            f"expected a model of pretrained.keras, received {type(model).__name__}",
            cure="load it by pretrained.keras.load",
        )
    name = path_text(path)
    source = Source(read_saved(_bytes(name), name))
    pairs = list(_paired(model, source, ""))
    for weight, array in pairs:
        if weight.shape != array.shape:
            weight.fill(array)  # which says what differs
    for weight, array in pairs:
        weight.fill(array)


def _paired(model: KerasModel, source: Source, place: str) -> Iterator[tuple[Weight, np.ndarray]]:
    for layer, info in model.kept():
        if isinstance(layer, KerasModel) and source.groups is not None:
            yield from _paired(layer, source, f"{place}layers/{info.group}/")
            continue
        if isinstance(layer, KerasModel):
            raise UnsupportedError(f"{info.name} is a model in a model, which .h5 has otherwise")
        weights, arrays = layer.weights, source.arrays(place, info)
        if len(weights) != len(arrays):
            raise FileError(
                f"{info.name} has {len(weights)} arrays, the file has {len(arrays)} for it"
            )
        yield from zip(weights, arrays, strict=True)


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}") from error


def _first_number(version: str) -> int:
    found = re.match(r"\d{1,4}", version)
    return int(found[0]) if found else 3
