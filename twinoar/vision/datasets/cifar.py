"""CIFAR-10 and CIFAR-100: colored images of 32 by 32 pixels."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, ClassVar

import numpy as np

from twinoar.errors import FileError
from twinoar.io import Dataset
from twinoar.vision.datasets.archive import Archive
from twinoar.vision.datasets.download import RemoteFile, contents, load
from twinoar.vision.datasets.mnist import checked_mode
from twinoar.vision.image import DATASET_BACKENDS, checked_backend, get_image_backend, image_of


class Cifar10(Dataset):
    """Images in ten classes: 50,000 to train with, 10,000 to test with.

    data_file: the archive "cifar-10-python.tar.gz", read as it is. Without it the file is looked
    for in `cifar/` of the folder TWINOAR_DATA_HOME, then in `~/.cache/twinoar/dataset/cifar`, and
    is downloaded there; its md5 is checked. mode: "train" or "test". transform: applied to each
    image. download: allow downloading. backend: "pil" for Pillow images, "cv2" for ndarrays
    [32,32,3], float32, in 0..255, red first; None takes `vision.get_image_backend()`.

    A sample is (image, label); label: ndarray [], int64. Raises FileError for a file that is
    damaged or cannot be had. Source: A. Krizhevsky, "Learning multiple layers of features from
    tiny images", 2009.
    """

    FILE: ClassVar[RemoteFile] = RemoteFile(
        "cifar-10-python.tar.gz", archive_md5="c58f30108f718f92721af3b95e74349a"
    )
    MIRRORS: ClassVar[Sequence[str]] = (
        "https://dataset.bj.bcebos.com/cifar/",
        "https://www.cs.toronto.edu/~kriz/",
    )
    PARTS: ClassVar[dict[str, str]] = {"train": "data_batch", "test": "test_batch"}
    LABELS: ClassVar[bytes] = b"labels"

    def __init__(
        self,
        data_file: str | PathLike[str] | None = None,
        mode: str = "train",
        transform: Callable[[Any], Any] | None = None,
        download: bool = True,
        backend: str | None = None,
    ) -> None:
        self.mode = checked_mode(mode)
        self.backend = checked_backend(backend or get_image_backend(), DATASET_BACKENDS)
        self.data_file, self.transform = data_file, transform
        content = (
            contents(data_file) if data_file else load("cifar", self.FILE, self.MIRRORS, download)
        )
        archive = Archive(content, str(data_file or self.FILE.name))
        part = self.PARTS[self.mode]
        batches = [_batch(archive.read(n), n) for n in archive if n.split("/")[-1].startswith(part)]
        if not batches:
            raise FileError(f"there is no {part} in the archive {data_file}")
        pixels = np.concatenate([batch[b"data"] for batch in batches])
        self.images = pixels.reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)  # [N,32,32,3]
        self.labels = np.concatenate([batch[self.LABELS] for batch in batches]).astype(np.int64)

    def __getitem__(self, idx: int) -> tuple[Any, np.ndarray]:
        image = image_of(np.ascontiguousarray(self.images[idx]), self.backend)
        if self.transform is not None:
            image = self.transform(image)
        return image, np.array(self.labels[idx])

    def __len__(self) -> int:
        return len(self.labels)


class Cifar100(Cifar10):
    """Images in a hundred classes, in the sizes and the use of Cifar10."""

    FILE = RemoteFile("cifar-100-python.tar.gz", archive_md5="eb9058c3a382ffc7106e4002c42a8d85")
    PARTS: ClassVar[dict[str, str]] = {"train": "train", "test": "test"}
    LABELS = b"fine_labels"


class _Unpickler(pickle.Unpickler):
    """Reads arrays and plain values; code in a file is not run."""

    def find_class(self, module: str, name: str) -> Any:
        array = module in ("numpy.core.multiarray", "numpy._core.multiarray", "numpy")
        if array and name in ("_reconstruct", "ndarray", "dtype"):
            return super().find_class(module, name)
        if (module, name) == ("_codecs", "encode"):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is no array")


def _batch(content: bytes, name: str) -> dict[bytes, Any]:
    try:
        return _Unpickler(io.BytesIO(content), encoding="bytes").load()
    except (pickle.UnpicklingError, EOFError, ValueError) as error:
        raise FileError(f"cannot read {name}: {error}") from error
