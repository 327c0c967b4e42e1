"""Files of sound: `paddle.audio.backends`, PCM16 WAV by Python itself, others by soundfile."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

class AudioInfo:
    """What a file of sound says of itself."""
    def __init__(self, sample_rate: Any, num_samples: Any, num_channels: Any, bits_per_sample: Any, encoding: builtins.str) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    sample_rate: builtins.int
    num_samples: builtins.int
    num_channels: builtins.int
    bits_per_sample: builtins.int
    encoding: builtins.str
def get_current_backend() -> builtins.str:
    """The backend that reads and writes: 'wave_backend' until another is chosen."""
from twinoar.audio import info as info
def list_available_backends() -> builtins.list[builtins.str]:
    """The backends that can be chosen: 'soundfile' where that package is installed."""
from twinoar.audio import load as load
from twinoar.audio import save as save
def set_backend(backend_name: builtins.str) -> None:
    """Choose what reads and writes"""
