"""Flowers: photographs of 102 kinds of flowers."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from typing import Any

import numpy as np

from twinoar.errors import ArgumentError, FileError
from twinoar.io import Dataset
from twinoar.vision.datasets import matlab
from twinoar.vision.datasets.archive import Archive
from twinoar.vision.datasets.download import RemoteFile, contents, load
from twinoar.vision.image import DATASET_BACKENDS, checked_backend, get_image_backend

MIRRORS = ("http://paddlemodels.bj.bcebos.com/flowers/",)
IMAGES = RemoteFile("102flowers.tgz", archive_md5="52808999861908f626f3c1f4e79d11fa")
LABELS = RemoteFile("imagelabels.mat", archive_md5="e0620be6f572b9609742df49c70aed4d")
PARTS = RemoteFile("setid.mat", archive_md5="a5357ecc9cb78c4bef273ce3793fc85c")
# As Paddle has it: the larger part, which its authors test with, is to train with.
NAMES = {"train": "tstid", "test": "trnid", "valid": "valid"}


class Flowers(Dataset):
    """Photographs of flowers: 6,149 to train with, 1,020 to test with, 1,020 to validate with.

    data_file, label_file, setid_file: "102flowers.tgz", "imagelabels.mat", "setid.mat", read as
    they are. Without them they are looked for in `flowers/` of the folder TWINOAR_DATA_HOME, then
    in `~/.cache/twinoar/dataset/flowers`, and are downloaded there; their md5 is checked.
    mode: "train", "valid" or "test". transform: applied to each image. download: allow
    downloading. backend: "pil" for Pillow images, "cv2" for ndarrays [H,W,3], float32, in 0..255,
    red first; None takes `vision.get_image_backend()`.

    A sample is (image, label); label: ndarray [1], int64, from 1 on. Raises FileError for files
    that are damaged or cannot be had, ArgumentError for another mode. Source: M-E. Nilsback,
    A. Zisserman, "Automated flower classification over a large number of classes", 2008.
    """

    def __init__(
        self,
        data_file: str | PathLike[str] | None = None,
        label_file: str | PathLike[str] | None = None,
        setid_file: str | PathLike[str] | None = None,
        mode: str = "train",
        transform: Callable[[Any], Any] | None = None,
        download: bool = True,
        backend: str | None = None,
    ) -> None:
        if str(mode).lower() not in NAMES:
            raise ArgumentError(f"expected mode of {', '.join(NAMES)}, received {mode!r}")
        self.mode = mode.lower()
        self.backend = checked_backend(backend or get_image_backend(), DATASET_BACKENDS)
        self.transform = transform
        self._archive = Archive(
            _content(data_file, IMAGES, download), str(data_file or IMAGES.name)
        )
        self.labels = _array(label_file, LABELS, download, "labels")
        self.indexes = _array(setid_file, PARTS, download, NAMES[self.mode])

    def __getitem__(self, idx: int) -> tuple[Any, np.ndarray]:
        number = self.indexes[idx]
        image = self._archive.image(f"jpg/image_{number:05d}.jpg", self.backend)
        if self.transform is not None:
            image = self.transform(image)
        return image, np.array([self.labels[number - 1]], np.int64)

    def __len__(self) -> int:
        return len(self.indexes)


def _content(path: Any, file: RemoteFile, download: bool) -> bytes:
    return contents(path) if path else load("flowers", file, MIRRORS, download)


def _array(path: Any, file: RemoteFile, download: bool, name: str) -> np.ndarray:
    where = str(path or file.name)
    found = matlab.arrays(_content(path, file, download), where)
    if name not in found:
        raise FileError(f"there is no array {name} in {where}")
    return found[name].ravel().astype(np.int64)
