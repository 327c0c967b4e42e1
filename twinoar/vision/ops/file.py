"""Images in files as Tensors."""

from __future__ import annotations

import io
from typing import Any, Literal, get_args

import numpy as np

from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, FileError
from twinoar.vision.image import opened

Mode = Literal["unchanged", "gray", "rgb"]
PILLOW_MODES = {"gray": "L", "rgb": "RGB"}


def read_file(filename: str, name: str | None = None) -> Tensor:
    """The bytes of a file: [N], uint8. Raises FileError."""
    try:
        content = np.fromfile(filename, np.uint8)
    except OSError as error:
        raise FileError(f"cannot read {filename}: {error.strerror}") from error
    return Tensor(content)


def decode_jpeg(x: Tensor, mode: Mode = "unchanged", name: str | None = None) -> Tensor:
    """The image in the bytes x [N], uint8, of a JPEG file: [C,H,W], uint8, red first.

    mode: "gray" for one channel, "rgb" for three. Raises FileError for what is no image,
    ArgumentError for another mode.
    """
    if mode not in get_args(Mode):
        raise ArgumentError(f"expected mode of {', '.join(get_args(Mode))}, received {mode!r}")
    image: Any = opened(io.BytesIO(x.numpy().tobytes()), "the bytes")
    if mode != "unchanged":
        image = image.convert(PILLOW_MODES[mode])
    pixels = np.array(image)
    pixels = pixels[:, :, None] if pixels.ndim == 2 else pixels
    return Tensor(np.ascontiguousarray(pixels.transpose(2, 0, 1)))
