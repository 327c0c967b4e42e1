"""Sound: `paddle.audio`, spectrograms and their kin, files and data sets."""

# Written by tools/stubs.py.

import builtins
import twinoar
import twinoar.audio.backends
from typing import Any, Literal, overload

import numpy as _numpy

from . import backends as backends
from . import datasets as datasets
from . import features as features
from . import functional as functional
def info(filepath: Any) -> twinoar.audio.backends.AudioInfo:
    """What a file of sound says of itself"""
def load(filepath: Any, frame_offset: Any = 0, num_frames: Any = -1, normalize: builtins.bool = True, channels_first: builtins.bool = True) -> builtins.tuple[twinoar.Tensor, builtins.int]:
    """The sound of a file, [channels,T], float32, and its sample rate."""
def save(filepath: Any, src: twinoar._TensorLike, sample_rate: Any, channels_first: builtins.bool = True, encoding: builtins.str | None = None, bits_per_sample: Any = 16) -> None:
    """Write a sound, float32 in [-1, 1] or int16, [channels,T], as PCM16."""
