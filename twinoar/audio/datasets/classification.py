"""Files of sound with classes, as a Dataset of features."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from twinoar import config
from twinoar.audio.backends import load
from twinoar.audio.features import MFCC, LogMelSpectrogram, MelSpectrogram, Spectrogram
from twinoar.core.values import Value as Tensor
from twinoar.errors import ArgumentError, FileError
from twinoar.io import Dataset
from twinoar.nn.layer import Layer
from twinoar.ops.shape.reshape import squeeze, unsqueeze
from twinoar.utils.download import get_path_from_url

FEATURES: dict[str, type[Layer] | None] = {
    "raw": None,
    "melspectrogram": MelSpectrogram,
    "mfcc": MFCC,
    "logmelspectrogram": LogMelSpectrogram,
    "spectrogram": Spectrogram,
}


class AudioClassificationDataset(Dataset):
    """Files of sound and their classes: (feature, class).

    feat_type: "raw", the signal [T], or a layer of `audio.features` in lower case, which is
    made with `kwargs`. Raises ArgumentError.
    """

    def __init__(
        self,
        files: Sequence[str],
        labels: Sequence[int],
        feat_type: str = "raw",
        sample_rate: int | None = None,
        **kwargs: Any,
    ):
        super().__init__()
        if feat_type not in FEATURES:
            raise ArgumentError(
                f"feat_type: expected one of {list(FEATURES)}, received {feat_type!r}"
            )
        self.files, self.labels = list(files), list(labels)
        self.feat_type, self.sample_rate, self.feat_config = feat_type, sample_rate, kwargs

    def __getitem__(self, idx: int) -> tuple[Tensor, int]:
        sound, self.sample_rate = load(self.files[idx])
        signal = squeeze(sound, 0) if sound.shape[0] == 1 else sound
        kind = FEATURES[self.feat_type]
        if kind is None:
            return signal, self.labels[idx]
        rate: dict[str, Any] = {} if kind is Spectrogram else {"sr": self.sample_rate}
        feature = kind(**rate, **self.feat_config)(unsqueeze(signal, 0))
        return squeeze(feature, 0), self.labels[idx]

    def __len__(self) -> int:
        return len(self.files)


def folder_of(name: str, archive: dict[str, str]) -> Path:
    """The folder `name` in the data home, taken from the archive where it is not there.

    Raises FileError, which says where to put the archive if it cannot be downloaded.
    """
    folder = config.data_home / name
    if not folder.is_dir():
        get_path_from_url(archive["url"], config.data_home, archive.get("md5"))
    if not folder.is_dir():
        raise FileError(f"the archive {archive['url']} has no folder {name}")
    return folder
