"""Data sets of images."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import os
import twinoar.io
import twinoar.vision.datasets
from typing import Any, Literal, overload

import numpy as _numpy

class Cifar10(twinoar.io.Dataset):
    """Images in ten classes: 50,000 to train with, 10,000 to test with."""
    FILE: Any
    MIRRORS: Any
    PARTS: Any
    LABELS: Any
    def __init__(self, data_file: builtins.str | os.PathLike[builtins.str] | None = None, mode: builtins.str = 'train', transform: collections.abc.Callable[[Any], Any] | None = None, download: builtins.bool = True, backend: builtins.str | None = None) -> None: ...
    def __getitem__(self, idx: Any) -> builtins.tuple[Any, _numpy.ndarray[Any, Any]]: ...
    def __len__(self) -> builtins.int: ...
    mode: Any
    backend: Any
    data_file: builtins.str | os.PathLike[builtins.str] | None
    transform: collections.abc.Callable[[Any], Any] | None
    images: Any
    labels: Any
class Cifar100(twinoar.vision.datasets.Cifar10):
    """Images in a hundred classes, in the sizes and the use of Cifar10."""
    FILE: Any
    PARTS: Any
    LABELS: builtins.bytes
class DatasetFolder(twinoar.io.Dataset):
    """Files in one folder for each class, deeper ones included."""
    def __init__(self, root: builtins.str | os.PathLike[builtins.str], loader: collections.abc.Callable[[builtins.str], Any] | None = None, extensions: collections.abc.Sequence[builtins.str] | None = None, transform: collections.abc.Callable[[Any], Any] | None = None, is_valid_file: collections.abc.Callable[[builtins.str], builtins.bool] | None = None) -> None: ...
    def __getitem__(self, index: Any) -> builtins.tuple[Any, builtins.int]: ...
    def __len__(self) -> builtins.int: ...
    root: builtins.str | os.PathLike[builtins.str]
    transform: collections.abc.Callable[[Any], Any] | None
    loader: Any
    extensions: Any
    classes: Any
    class_to_idx: Any
    samples: Any
    targets: Any
    dtype: Any
class Digits(twinoar.io.Dataset):
    """Handwritten digits of 8 by 8 pixels: 1,437 to train with, 360 to test with; no download."""
    NAME: builtins.str
    def __init__(self, mode: builtins.str = 'train', transform: collections.abc.Callable[[Any], Any] | None = None, backend: builtins.str | None = None) -> None: ...
    def __getitem__(self, idx: Any) -> builtins.tuple[Any, _numpy.ndarray[Any, Any]]: ...
    def __len__(self) -> builtins.int: ...
    mode: Any
    backend: Any
    transform: collections.abc.Callable[[Any], Any] | None
    images: Any
    labels: Any
class FashionMNIST(twinoar.vision.datasets.MNIST):
    """Images of clothing, in the files, the sizes and the use of MNIST."""
    NAME: builtins.str
    MIRRORS: builtins.tuple
    FILES: Any
class Flowers(twinoar.io.Dataset):
    """Photographs of flowers: 6,149 to train with, 1,020 to test with, 1,020 to validate with."""
    def __init__(self, data_file: builtins.str | os.PathLike[builtins.str] | None = None, label_file: builtins.str | os.PathLike[builtins.str] | None = None, setid_file: builtins.str | os.PathLike[builtins.str] | None = None, mode: builtins.str = 'train', transform: collections.abc.Callable[[Any], Any] | None = None, download: builtins.bool = True, backend: builtins.str | None = None) -> None: ...
    def __getitem__(self, idx: Any) -> builtins.tuple[Any, _numpy.ndarray[Any, Any]]: ...
    def __len__(self) -> builtins.int: ...
    mode: Any
    backend: Any
    transform: collections.abc.Callable[[Any], Any] | None
    labels: Any
    indexes: Any
class ImageFolder(twinoar.io.Dataset):
    """Files in a folder and those in it, without classes; arguments and errors as DatasetFolder."""
    def __init__(self, root: builtins.str | os.PathLike[builtins.str], loader: collections.abc.Callable[[builtins.str], Any] | None = None, extensions: collections.abc.Sequence[builtins.str] | None = None, transform: collections.abc.Callable[[Any], Any] | None = None, is_valid_file: collections.abc.Callable[[builtins.str], builtins.bool] | None = None) -> None: ...
    def __getitem__(self, index: Any) -> builtins.list[Any]: ...
    def __len__(self) -> builtins.int: ...
    root: builtins.str | os.PathLike[builtins.str]
    transform: collections.abc.Callable[[Any], Any] | None
    loader: Any
    extensions: Any
    samples: Any
class MNIST(twinoar.io.Dataset):
    """Handwritten digits: 60,000 images to train with, 10,000 to test with."""
    NAME: Any
    MIRRORS: Any
    FILES: Any
    def __init__(self, image_path: builtins.str | os.PathLike[builtins.str] | None = None, label_path: builtins.str | os.PathLike[builtins.str] | None = None, mode: builtins.str = 'train', transform: collections.abc.Callable[[Any], Any] | None = None, download: builtins.bool = True, backend: builtins.str | None = None) -> None: ...
    def __getitem__(self, idx: Any) -> builtins.tuple[Any, _numpy.ndarray[Any, Any]]: ...
    def __len__(self) -> builtins.int: ...
    mode: Any
    backend: Any
    image_path: builtins.str | os.PathLike[builtins.str] | None
    label_path: builtins.str | os.PathLike[builtins.str] | None
    transform: collections.abc.Callable[[Any], Any] | None
    images: _numpy.ndarray[Any, Any]
    labels: Any
class VOC2012(twinoar.io.Dataset):
    """Photographs and, of the same size, the class of each pixel, to segment images."""
    def __init__(self, data_file: builtins.str | os.PathLike[builtins.str] | None = None, mode: builtins.str = 'train', transform: collections.abc.Callable[[Any], Any] | None = None, download: builtins.bool = True, backend: builtins.str | None = None) -> None: ...
    def __getitem__(self, idx: Any) -> builtins.tuple[Any, Any]: ...
    def __len__(self) -> builtins.int: ...
    mode: Any
    backend: Any
    data_file: Any
    transform: collections.abc.Callable[[Any], Any] | None
    names: Any
