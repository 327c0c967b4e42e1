"""MNIST and Fashion-MNIST: gray images of 28 by 28 pixels in ten classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, ClassVar

import numpy as np

from twinoar.errors import ArgumentError, FileError
from twinoar.io import Dataset
from twinoar.vision.datasets import idx
from twinoar.vision.datasets.download import RemoteFile, contents, load
from twinoar.vision.image import DATASET_BACKENDS, checked_backend, get_image_backend, image_of

MODES = ("train", "test")


class MNIST(Dataset):
    """Handwritten digits: 60,000 images to train with, 10,000 to test with.

    image_path, label_path: IDX files, gzip or not, read as they are. Without them the files are
    looked for in `mnist/` of the folder TWINOAR_DATA_HOME, then in the cache
    `~/.cache/twinoar/dataset/mnist`, and are downloaded there; their md5 is checked.
    mode: "train" or "test". transform: applied to each image. download: allow downloading.
    backend: "pil" for Pillow images of mode L, "cv2" for ndarrays [28,28], float32, in 0..255;
    None takes `vision.get_image_backend()`.

    A sample is (image, label); label: ndarray [1], int64.
    Raises FileError for files that are damaged, do not fit together or cannot be had.
    Source: Y. LeCun, C. Cortes, C. Burges, http://yann.lecun.com/exdb/mnist.
    """

    NAME: ClassVar[str] = "mnist"
    MIRRORS: ClassVar[Sequence[str]] = (
        "https://dataset.bj.bcebos.com/mnist/",
        "https://ossci-datasets.s3.amazonaws.com/mnist/",
    )
    FILES: ClassVar[dict[tuple[str, str], RemoteFile]] = {
        ("train", "image"): RemoteFile(
            "train-images-idx3-ubyte.gz", content_md5="6bbc9ace898e44ae57da46a324031adb"
        ),
        ("train", "label"): RemoteFile(
            "train-labels-idx1-ubyte.gz", content_md5="a25bea736e30d166cdddb491f175f624"
        ),
        ("test", "image"): RemoteFile(
            "t10k-images-idx3-ubyte.gz", content_md5="2646ac647ad5339dbf082846283269ea"
        ),
        ("test", "label"): RemoteFile(
            "t10k-labels-idx1-ubyte.gz", content_md5="27ae3e4e09519cfbb04c329615203637"
        ),
    }

    def __init__(
        self,
        image_path: str | PathLike[str] | None = None,
        label_path: str | PathLike[str] | None = None,
        mode: str = "train",
        transform: Callable[[Any], Any] | None = None,
        download: bool = True,
        backend: str | None = None,
    ) -> None:
        self.mode = checked_mode(mode)
        self.backend = checked_backend(backend or get_image_backend(), DATASET_BACKENDS)
        self.image_path, self.label_path, self.transform = image_path, label_path, transform
        self.images = self._array("image", 3, image_path, download)  # [N,28,28]
        self.labels = self._array("label", 1, label_path, download).astype(np.int64)[:, None]
        if len(self.images) != len(self.labels):
            raise FileError(
                f"{len(self.images)} images and {len(self.labels)} labels do not fit together",
                cure="give the images and the labels of the same part",
            )

    def __getitem__(self, idx: int) -> tuple[Any, np.ndarray]:
        image = image_of(self.images[idx], self.backend)
        if self.transform is not None:
            image = self.transform(image)
        return image, self.labels[idx].copy()

    def __len__(self) -> int:
        return len(self.labels)

    def _array(self, kind: str, axes: int, path: Any, download: bool) -> np.ndarray:
        """The images or labels, from the path given or wherever they are found."""
        if path is not None:
            return idx.parse(contents(path), axes, str(path))
        file = self.FILES[self.mode, kind]
        return idx.parse(load(self.NAME, file, self.MIRRORS, download), axes, file.name)


class FashionMNIST(MNIST):
    """Images of clothing, in the files, the sizes and the use of MNIST.

    The folder is `fashion-mnist`. Source: H. Xiao, K. Rasul, R. Vollgraf, arXiv 1708.07747.
    """

    NAME = "fashion-mnist"
    MIRRORS = ("https://dataset.bj.bcebos.com/fashion_mnist/",)
    FILES: ClassVar[dict[tuple[str, str], RemoteFile]] = {
        ("train", "image"): RemoteFile(
            "train-images-idx3-ubyte.gz", archive_md5="8d4fb7e6c68d591d4c3dfef9ec88bf0d"
        ),
        ("train", "label"): RemoteFile(
            "train-labels-idx1-ubyte.gz", archive_md5="25c81989df183df01b3e8a0aad5dffbe"
        ),
        ("test", "image"): RemoteFile(
            "t10k-images-idx3-ubyte.gz", archive_md5="bef4ecab320f06d8554ea6380940ec79"
        ),
        ("test", "label"): RemoteFile(
            "t10k-labels-idx1-ubyte.gz", archive_md5="bb300cfdad3c16e7a12a480ee83cd310"
        ),
    }


def checked_mode(mode: str) -> str:
    """`mode` in lower case; raises ArgumentError unless it is "train" or "test"."""
    if str(mode).lower() not in MODES:
        raise ArgumentError(f"expected mode 'train' or 'test', received {mode!r}")
    return mode.lower()
