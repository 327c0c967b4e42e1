"""Sound: `paddle.audio`, spectrograms and their kin, files and data sets."""

from twinoar.audio import backends, datasets, features, functional
from twinoar.audio.backends import info, load, save

__all__ = ["backends", "datasets", "features", "functional", "info", "load", "save"]
