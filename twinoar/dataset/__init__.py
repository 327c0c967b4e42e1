"""Paddle 1's data sets: each `train()` and `test()` returns a reader of samples.

Paddle 2's are in `paddle.vision.datasets`.
"""

from __future__ import annotations

from typing import Any

from twinoar.dataset import (
    cifar,
    common,
    conll05,
    imdb,
    imikolov,
    mnist,
    movielens,
    uci_housing,
    wmt14,
    wmt16,
)
from twinoar.errors import MissingNameError

ABSENT = frozenset({"flowers", "image", "mq2007", "sentiment", "voc2012"})


def __getattr__(name: str) -> Any:
    if name in ABSENT:
        raise MissingNameError(
            f"twinoar does not have paddle.dataset.{name}",
            cure="read its files with a paddle.io.Dataset of your own",
        )
    raise AttributeError(f"module 'paddle.dataset' has no attribute {name!r}")


__all__ = [
    "cifar",
    "common",
    "conll05",
    "imdb",
    "imikolov",
    "mnist",
    "movielens",
    "uci_housing",
    "wmt14",
    "wmt16",
]
