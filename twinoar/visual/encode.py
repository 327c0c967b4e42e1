"""Arrays as what pages show: pictures, sounds, curves."""

from __future__ import annotations

import io
import math
import struct
import wave
import zlib
from typing import Any

import numpy as np

from twinoar.errors import ArgumentError, ShapeError


def array_of(x: Any) -> np.ndarray:
    """An array, or what has one, such as a Tensor."""
    return np.asarray(x.numpy() if hasattr(x, "numpy") else x)


def pixels(image: Any, dataformats: str) -> np.ndarray:
    """An image as [height, width, 3] of uint8. Floats up to 1 are shares of the full brightness."""
    array = array_of(image)
    letters = dataformats.upper()
    if sorted(letters) not in (sorted("HWC"), sorted("HW")) or array.ndim != len(letters):
        raise ShapeError(
            f"expected an image of the dimensions {letters}, received {list(array.shape)}",
            cure='give dataformats, such as "CHW"',
        )
    if "C" not in letters:
        array, letters = array[..., None], f"{letters}C"
    array = array.transpose([letters.index(letter) for letter in "HWC"])
    if array.shape[2] not in (1, 3, 4):
        raise ShapeError(f"expected 1, 3 or 4 channels, received {array.shape[2]}")
    if array.dtype.kind == "f" and array.size and array.max() <= 1:
        array = array * 255
    array = np.clip(array, 0, 255).astype("uint8")
    return np.repeat(array, 3, 2) if array.shape[2] == 1 else array[..., :3]


def png(image: np.ndarray) -> bytes:
    """The PNG file of [height, width, 3] of uint8.

    Source: https://www.w3.org/TR/png-3/
    """
    height, width = image.shape[:2]
    rows = np.zeros((height, 1 + 3 * width), "uint8")  # each begins with its filter, none
    rows[:, 1:] = image.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes())), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in parts
    )


def tiled(images: list[np.ndarray], rows: int) -> np.ndarray:
    """Images of one size as one picture, in rows; black where there are too few."""
    if len({image.shape for image in images}) != 1:
        raise ShapeError("expected images of one size, and at least one")
    count = rows if rows > 0 else math.ceil(math.sqrt(len(images)))
    columns = math.ceil(len(images) / count)
    empty = np.zeros_like(images[0])
    cells = [*images, *[empty] * (count * columns - len(images))]
    lines = [np.concatenate(cells[n * columns : (n + 1) * columns], 1) for n in range(count)]
    return np.concatenate(lines)


def wav(samples: Any, rate: int) -> bytes:
    """The WAV file, with 16 bits, of numbers from -1 to 1; what lies beyond is cut off."""
    array = array_of(samples)
    if array.ndim != 1:
        raise ShapeError(f"expected sound of one dimension, received {list(array.shape)}")
    held = io.BytesIO()
    with wave.open(held, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes((np.clip(array, -1, 1) * 32767).astype("<i2").tobytes())
    return held.getvalue()


def counts_by_threshold(
    labels: Any, predictions: Any, thresholds: int, weights: Any
) -> dict[str, np.ndarray]:
    """How many are rightly and wrongly taken as true, at thresholds from 0 to 1."""
    truth, score = (array_of(x).astype("float64").reshape(-1) for x in (labels, predictions))
    if truth.shape != score.shape:
        raise ShapeError(f"expected a prediction per label, received {score.size} of {truth.size}")
    if thresholds < 2:
        raise ArgumentError(f"expected at least 2 thresholds, received {thresholds}")
    share = (
        np.ones_like(truth) if weights is None else np.broadcast_to(array_of(weights), truth.shape)
    )
    # Of N thresholds the n-th takes scores from n / (N - 1) on as true.
    place = np.clip(np.floor(score * (thresholds - 1)), 0, thresholds - 1).astype(int)
    true, false = (
        np.bincount(place, share * part, thresholds)[::-1].cumsum()[::-1]
        for part in (truth, 1 - truth)
    )
    return {"TP": true, "FP": false, "TN": false[0] - false, "FN": true[0] - true}
