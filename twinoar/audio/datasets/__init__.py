"""Data sets of sound: `paddle.audio.datasets`."""

from twinoar.audio.datasets.classification import AudioClassificationDataset
from twinoar.audio.datasets.esc50 import ESC50
from twinoar.audio.datasets.tess import TESS

__all__ = ["ESC50", "TESS", "AudioClassificationDataset"]
