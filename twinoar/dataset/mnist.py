"""Handwritten digits: samples (image, label), the image 784 floats in [-1, 1], the label an int."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from twinoar.reader import Reader
from twinoar.vision.datasets import MNIST


def train() -> Reader:
    """A reader of the 60,000 digits to train with. Raises FileError where there are no files."""
    return _reader("train")


def test() -> Reader:
    """A reader of the 10,000 digits to test with. Raises FileError where there are no files."""
    return _reader("test")


def _reader(mode: str) -> Reader:
    found = MNIST(mode=mode)

    def read() -> Iterator[tuple[np.ndarray, int]]:
        for image, label in zip(found.images, found.labels, strict=True):
            yield (image.reshape(-1) / np.float32(127.5) - 1).astype(np.float32), int(label[0])

    return read


__all__ = ["test", "train"]
