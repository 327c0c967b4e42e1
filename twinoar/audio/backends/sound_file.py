"""The backend "soundfile": WAV, FLAC, OGG, MP3 and more, by the package of that name."""

from __future__ import annotations

from typing import Any

from twinoar.audio.backends.audio_info import AudioInfo, as_samples, as_sound, check_range
from twinoar.core.values import Value as Tensor
from twinoar.eager.convert import as_tensor
from twinoar.errors import FileError

# What a subtype of libsndfile is: the encoding, and the bits of a sample where they are told.
ENCODINGS = {
    "PCM_S8": ("PCM_S", 8),
    "PCM_16": ("PCM_S", 16),
    "PCM_24": ("PCM_S", 24),
    "PCM_32": ("PCM_S", 32),
    "PCM_U8": ("PCM_U", 8),
    "FLOAT": ("PCM_F", 32),
    "DOUBLE": ("PCM_F", 64),
    "ULAW": ("ULAW", 8),
    "ALAW": ("ALAW", 8),
}


def info(filepath: Any) -> AudioInfo:
    """What a file says of itself."""
    with _opened(filepath) as file:
        encoding, bits = ENCODINGS.get(file.subtype, (file.subtype, 0))
        return AudioInfo(file.samplerate, file.frames, file.channels, bits, encoding)


def load(
    filepath: Any, frame_offset: int, num_frames: int, normalize: bool, channels_first: bool
) -> tuple[Tensor, int]:
    """The samples of a file, and their rate."""
    check_range(frame_offset, num_frames)
    with _opened(filepath) as file:
        file.seek(min(frame_offset, file.frames))
        rate = file.samplerate
        if not normalize:
            samples = file.read(num_frames, dtype="int16", always_2d=True)
            return as_sound(samples, normalize=False, channels_first=channels_first), rate
        floats = file.read(num_frames, dtype="float32", always_2d=True)
    return as_tensor((floats.T if channels_first else floats).copy()), rate


def save(
    filepath: Any,
    src: Tensor,
    sample_rate: int,
    channels_first: bool,
    encoding: str | None,
    bits_per_sample: int | None,
) -> None:
    """Write samples; the path's ending says the format."""
    import soundfile  # type: ignore[import-untyped]

    samples = as_samples(src, channels_first=channels_first, bits_per_sample=bits_per_sample)
    try:
        soundfile.write(str(filepath), samples, sample_rate)
    except (soundfile.LibsndfileError, TypeError, ValueError) as error:
        raise FileError(f"cannot write {filepath}: {error}") from error


def _opened(filepath: Any) -> Any:
    import soundfile

    try:
        return soundfile.SoundFile(filepath if hasattr(filepath, "read") else str(filepath))
    except soundfile.LibsndfileError as error:
        raise FileError(f"cannot read {filepath}: {error}") from error
