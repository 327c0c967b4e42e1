"""Digits: a small data set of handwritten digits that comes with twinoar."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.io import Dataset
from twinoar.vision.datasets.mnist import checked_mode
from twinoar.vision.image import DATASET_BACKENDS, checked_backend, get_image_backend, image_of

FILE = Path(__file__).with_name("digits.npz")
LEVELS = 16  # the largest value of a pixel in the file


class Digits(Dataset):
    """Handwritten digits of 8 by 8 pixels: 1,437 to train with, 360 to test with; no download.

    It is used like MNIST. mode: "train" or "test". transform: applied to each image.
    backend: "pil" for Pillow images of mode L, "cv2" for ndarrays [8,8], float32, in 0..255;
    None takes `vision.get_image_backend()`. A sample is (image, label); label: ndarray [1], int64.

    The 16 levels of gray are scaled to 255. The parts are drawn so: of each class c, the images in
    the order of `np.random.RandomState(c)`'s permutation; the first fifth of them, rounded by
    largest remainder so that all classes make 360, is the test part. Both keep the source's order.

    Source: E. Alpaydin, C. Kaynak, "Optical Recognition of Handwritten Digits", UCI Machine
    Learning Repository, as in scikit-learn (BSD 3-clause), embedded by tools/embed_digits.py.

    >>> digits = Digits(mode="test", backend="cv2")
    >>> image, label = digits[0]
    >>> len(digits), image.shape, image.dtype, label.shape
    (360, (8, 8), dtype('float32'), (1,))
    """

    NAME = "digits"

    def __init__(
        self,
        mode: str = "train",
        transform: Callable[[Any], Any] | None = None,
        backend: str | None = None,
    ) -> None:
        self.mode = checked_mode(mode)
        self.backend = checked_backend(backend or get_image_backend(), DATASET_BACKENDS)
        self.transform = transform
        with np.load(FILE) as file:
            levels, labels = file[f"{self.mode}_images"], file[f"{self.mode}_labels"]
        self.images = np.rint(levels * (255 / LEVELS)).astype(np.uint8)  # [N,8,8]
        self.labels = labels.astype(np.int64)[:, None]

    def __getitem__(self, idx: int) -> tuple[Any, np.ndarray]:
        image = image_of(self.images[idx], self.backend)
        if self.transform is not None:
            image = self.transform(image)
        return image, self.labels[idx].copy()

    def __len__(self) -> int:
        return len(self.labels)
