"""What is common to backends: what they say of a file, and how samples become tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.values import Value as Tensor
from twinoar.eager.convert import as_tensor
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.late import dataclass

LARGEST = 2**15


@dataclass
class AudioInfo:
    """What a file of sound says of itself."""

    sample_rate: int
    num_samples: int
    num_channels: int
    bits_per_sample: int
    encoding: str


def as_sound(samples: np.ndarray, *, normalize: bool, channels_first: bool) -> Tensor:
    """int16 [T,channels] as a tensor of float32."""
    floats = samples.astype(np.float32) / (LARGEST if normalize else 1)
    return as_tensor(np.ascontiguousarray(floats.T) if channels_first else floats)


def check_range(frame_offset: int, num_frames: int) -> None:
    """Raise ArgumentError for a negative part of a file; num_frames may be -1."""
    if frame_offset < 0 or num_frames < -1:
        raise ArgumentError(
            f"frame_offset {frame_offset} and num_frames {num_frames} are no part of a file"
        )


def as_samples(src: Tensor, *, channels_first: bool, bits_per_sample: Any) -> np.ndarray:
    """A tensor of sound as int16 [T,channels]."""
    if src.ndim != 2:
        raise ShapeError(f"a sound is [channels,T], received {src.shape}")
    if bits_per_sample not in (None, 16):
        raise ArgumentError(
            f"bits_per_sample is {bits_per_sample}, 16 alone is written", cure="leave it out"
        )
    array = np.asarray(src)
    if array.dtype == np.float32:
        array = np.clip(array * LARGEST, -LARGEST, LARGEST - 1).astype(np.int16)
    elif array.dtype != np.int16:
        raise DTypeError(
            f"a sound is float32 or int16, received {src.dtype.name}",
            cure="convert it, with x.astype('float32')",
        )
    return array.T if channels_first else array
