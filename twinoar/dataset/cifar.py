"""Small color images: samples (image, label), the image 3072 floats in [0, 1], the label an int."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from twinoar.dataset.common import archive
from twinoar.errors import FileError
from twinoar.formats.paddle import pdparams
from twinoar.reader import Reader

PREFIX = "https://dataset.bj.bcebos.com/cifar/"
CIFAR10 = f"{PREFIX}cifar-10-python.tar.gz", "c58f30108f718f92721af3b95e74349a"
CIFAR100 = f"{PREFIX}cifar-100-python.tar.gz", "eb9058c3a382ffc7106e4002c42a8d85"


def train10(cycle: bool = False) -> Reader:
    """A reader of 50,000 images in 10 classes; cycle: over and over. Raises FileError."""
    return _reader(CIFAR10, "data_batch", "labels", cycle)


def test10(cycle: bool = False) -> Reader:
    """A reader of 10,000 images in 10 classes; cycle: over and over. Raises FileError."""
    return _reader(CIFAR10, "test_batch", "labels", cycle)


def train100() -> Reader:
    """A reader of 50,000 images in 100 classes. Raises FileError."""
    return _reader(CIFAR100, "train", "fine_labels", False)


def test100() -> Reader:
    """A reader of 10,000 images in 100 classes. Raises FileError."""
    return _reader(CIFAR100, "test", "fine_labels", False)


def _reader(source: tuple[str, str], part: str, labels: str, cycle: bool) -> Reader:
    url, md5 = source
    batches = list(_batches(url, md5, part))

    def read() -> Iterator[tuple[np.ndarray, int]]:
        while True:
            for batch in batches:
                for image, label in zip(batch["data"], batch[labels], strict=True):
                    yield (image / 255.0).astype(np.float32), int(label)
            if not cycle:
                return

    return read


def _batches(url: str, md5: str, part: str) -> Iterator[dict[str, Any]]:
    """The batches of a part; a pickle that asks for code to be run is refused."""
    with archive(url, "cifar", md5) as tar:
        for name in tar.getnames():
            file = tar.extractfile(name) if part in name.rpartition("/")[2] else None
            if file is None:
                continue
            found = pdparams.load(file.read(), name)
            if not isinstance(found, dict):
                raise FileError(f"{name}: expected a dict of images and labels")
            yield {k.decode() if isinstance(k, bytes) else str(k): v for k, v in found.items()}


__all__ = ["test10", "test100", "train10", "train100"]
