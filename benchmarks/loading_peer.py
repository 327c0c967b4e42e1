"""An epoch of a DataLoader: `loading_peer.py twinoar|paddle|torch`.

Images of 32 x 32 x 3 bytes are turned around by chance, become float32 and are normalized, one by
one, then batches of 64. Each framework does it with its own functions; torchvision is not needed.
Rows are those of a TensorDataset.
"""

from __future__ import annotations

import importlib
import random
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from turns import serve

SAMPLES = 10_000
BATCH = 64
MIDDLE, SPREAD = [0.5] * 3, [0.25] * 3
WORKERS = (0, 2)
WORKS = (*(f"images, {n} workers" for n in WORKERS), *(f"rows, {n} workers" for n in WORKERS))
images = np.random.default_rng(0).integers(0, 256, (SAMPLES, 32, 32, 3), dtype=np.uint8)
labels = np.arange(SAMPLES) % 10


class Images:
    """A dataset in every framework: what it takes is a length and an item."""

    def __init__(self, transform: Callable[[np.ndarray], Any]):
        self.transform = transform

    def __len__(self) -> int:
        return SAMPLES

    def __getitem__(self, number: int) -> tuple[Any, int]:
        return self.transform(images[number]), int(labels[number])


def paddle_transform(paddle: Any) -> Callable[[np.ndarray], Any]:
    transforms = paddle.vision.transforms
    return transforms.Compose(
        [
            transforms.RandomHorizontalFlip(),
            transforms.ToTensor(),
            transforms.Normalize(MIDDLE, SPREAD),
        ]
    )


def torch_transform(torch: Any) -> Callable[[np.ndarray], Any]:
    """What torchvision's transforms of these names do to arrays."""
    middle, spread = (torch.tensor(x).view(3, 1, 1) for x in (MIDDLE, SPREAD))

    def transform(image: np.ndarray) -> Any:
        x = torch.from_numpy(image).permute(2, 0, 1)
        if random.random() < 0.5:
            x = x.flip(2)
        return x.contiguous().to(torch.float32).div(255).sub_(middle).div_(spread)

    return transform


def epochs(name: str) -> dict[str, Callable[[], Callable[[], int]]]:
    """By work, what makes a function that goes through an epoch."""
    framework = importlib.import_module(name)
    if name == "torch":
        framework.set_num_threads(1)
        io = importlib.import_module("torch.utils.data")
        dataset = Images(torch_transform(framework))
        rows = io.TensorDataset(framework.from_numpy(images), framework.from_numpy(labels))
    else:
        io = framework.io
        dataset = Images(paddle_transform(framework))
        rows = io.TensorDataset([framework.to_tensor(images), framework.to_tensor(labels)])

    def make(dataset: Any, workers: int) -> Callable[[], int]:
        batches = io.DataLoader(
            dataset,
            batch_size=BATCH,
            shuffle=True,
            num_workers=workers,
            persistent_workers=workers > 0,
        )
        return lambda: sum(x.shape[0] for x, _ in batches)

    return {
        f"{name}, {n} workers": (lambda data=data, n=n: make(data, n))
        for name, data in (("images", dataset), ("rows", rows))
        for n in WORKERS
    }


if __name__ == "__main__":
    serve(sys.argv[1], epochs(sys.argv[1]))
