"""The backend "wave_backend": PCM16 WAV, by Python's own `wave`."""

from __future__ import annotations

import io
import wave
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from twinoar.audio.backends.audio_info import AudioInfo, as_samples, as_sound, check_range
from twinoar.core.values import Value as Tensor
from twinoar.errors import FileError, TwinoarError, UnsupportedError
from twinoar.formats.atomic import write_atomically

BYTES = 2
CURE = "pip install twinoar[audio], and audio.backends.set_backend('soundfile')"


def info(filepath: Any) -> AudioInfo:
    """What a file says of itself."""
    with _opened(filepath) as file:
        bits = file.getsampwidth() * 8
        return AudioInfo(file.getframerate(), file.getnframes(), file.getnchannels(), bits, "PCM_S")


def load(
    filepath: Any, frame_offset: int, num_frames: int, normalize: bool, channels_first: bool
) -> tuple[Tensor, int]:
    """The samples of a file, and their rate."""
    check_range(frame_offset, num_frames)
    with _opened(filepath) as file:
        if file.getsampwidth() != BYTES:
            raise UnsupportedError(
                f"{filepath}: samples of {file.getsampwidth() * 8} bits, PCM16 alone is read",
                cure=CURE,
            )
        content, channels = file.readframes(file.getnframes()), file.getnchannels()
        rate = file.getframerate()
    whole = len(content) // (BYTES * channels)
    samples = np.frombuffer(content, "<i2", whole * channels).reshape(whole, channels)
    end = None if num_frames < 0 else frame_offset + num_frames
    part = samples[frame_offset:end]
    return as_sound(part, normalize=normalize, channels_first=channels_first), rate


def save(
    filepath: Any,
    src: Tensor,
    sample_rate: int,
    channels_first: bool,
    encoding: str | None,
    bits_per_sample: int | None,
) -> None:
    """Write samples."""
    samples = as_samples(src, channels_first=channels_first, bits_per_sample=bits_per_sample)
    content = io.BytesIO()
    with wave.open(content, "wb") as file:
        file.setnchannels(samples.shape[1])
        file.setsampwidth(BYTES)
        file.setframerate(sample_rate)
        file.writeframes(samples.astype("<i2").tobytes())
    write_atomically(filepath, content.getvalue())


@contextmanager
def _opened(filepath: Any) -> Iterator[wave.Wave_read]:
    """A WAV file. Raises FileError for what is none, UnsupportedError for what is not PCM."""
    try:
        with wave.open(filepath if hasattr(filepath, "read") else str(filepath), "rb") as file:
            yield file
    except (wave.Error, EOFError) as error:
        kind = UnsupportedError if "unknown format" in str(error) else FileError
        raise kind(f"{filepath} is no PCM16 WAV file: {error}", cure=CURE) from error
    except (OSError, RuntimeError) as error:  # the latter where a size leads out of the file
        if isinstance(error, TwinoarError):
            raise
        said = error or "a part of it is larger than the file"
        raise FileError(f"cannot read {filepath}: {said}") from error
