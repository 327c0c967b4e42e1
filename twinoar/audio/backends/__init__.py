"""Files of sound: `paddle.audio.backends`, PCM16 WAV by Python itself, others by soundfile."""

from __future__ import annotations

import importlib.util
from typing import Any

from twinoar.audio.backends import sound_file, wave_file
from twinoar.audio.backends.audio_info import AudioInfo
from twinoar.core.public import declared
from twinoar.core.values import Value as Tensor
from twinoar.errors import ArgumentError

WAVE, SOUND_FILE = "wave_backend", "soundfile"
BACKENDS = {SOUND_FILE: sound_file, WAVE: wave_file}
_chosen = WAVE


def list_available_backends() -> list[str]:
    """The backends that can be chosen: "soundfile" where that package is installed.

    >>> "wave_backend" in list_available_backends()
    True
    """
    is_there = importlib.util.find_spec("soundfile") is not None
    return [SOUND_FILE, WAVE] if is_there else [WAVE]


def get_current_backend() -> str:
    """The backend that reads and writes: "wave_backend" until another is chosen."""
    return _chosen


def set_backend(backend_name: str) -> None:
    """Choose what reads and writes. Raises ArgumentError for what is not available."""
    global _chosen
    if backend_name not in list_available_backends():
        raise ArgumentError(
            f"no audio backend {backend_name!r}",
            cure="pip install twinoar[audio], for 'soundfile'"
            if backend_name in BACKENDS
            else f"backends: {', '.join(BACKENDS)}",
        )
    _chosen = backend_name


def info(filepath: Any) -> AudioInfo:
    """What a file of sound says of itself. Raises FileError.

    filepath: a path, or a binary file that is open.
    """
    return BACKENDS[_chosen].info(filepath)


def load(
    filepath: Any,
    frame_offset: int = 0,
    num_frames: int = -1,
    normalize: bool = True,
    channels_first: bool = True,
) -> tuple[Tensor, int]:
    """The sound of a file, [channels,T], float32, and its sample rate.

    frame_offset: how many samples are left out at the beginning. num_frames: how many are read; -1
    for all. normalize: to [-1, 1); without it the numbers of PCM16. channels_first: False gives
    [T,channels]. Raises FileError.
    """
    return BACKENDS[_chosen].load(filepath, frame_offset, num_frames, normalize, channels_first)


def save(
    filepath: Any,
    src: Tensor,
    sample_rate: int,
    channels_first: bool = True,
    encoding: str | None = None,
    bits_per_sample: int | None = 16,
) -> None:
    """Write a sound, float32 in [-1, 1] or int16, [channels,T], as PCM16.

    channels_first: False for [T,channels]. What is outside of [-1, 1] is cut off. Raises
    ShapeError, DTypeError, ArgumentError for another bits_per_sample.
    """
    BACKENDS[_chosen].save(filepath, src, sample_rate, channels_first, encoding, bits_per_sample)


__all__ = declared(globals(), "AudioInfo")
