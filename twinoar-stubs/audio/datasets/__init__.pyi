"""Data sets of sound: `paddle.audio.datasets`."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.audio.datasets
import twinoar.io
from typing import Any, Literal, overload

import numpy as _numpy

class AudioClassificationDataset(twinoar.io.Dataset):
    """Files of sound and their classes: (feature, class)."""
    def __init__(self, files: collections.abc.Sequence[builtins.str], labels: collections.abc.Sequence[Any], feat_type: builtins.str = 'raw', sample_rate: Any = None, **kwargs: Any) -> None: ...
    def __getitem__(self, idx: Any) -> builtins.tuple[twinoar.Tensor, builtins.int]: ...
    def __len__(self) -> builtins.int: ...
    files: Any
    labels: Any
    feat_type: builtins.str
    sample_rate: builtins.int | None
    feat_config: Any
class ESC50(twinoar.audio.datasets.AudioClassificationDataset):
    """ESC-50: sounds of the surroundings with their classes, 0 to 49."""
    archive: Any
    label_list: Any
    def __init__(self, mode: builtins.str = 'train', split: Any = 1, feat_type: builtins.str = 'raw', archive: builtins.dict[builtins.str, builtins.str] | None = None, **kwargs: Any) -> None: ...
class TESS(twinoar.audio.datasets.AudioClassificationDataset):
    """TESS: spoken words with their emotions, 0 to 6."""
    archive: Any
    label_list: Any
    def __init__(self, mode: builtins.str = 'train', n_folds: Any = 5, split: Any = 1, feat_type: builtins.str = 'raw', archive: builtins.dict[builtins.str, builtins.str] | None = None, **kwargs: Any) -> None: ...
