"""Write twinoar/vision/datasets/digits.npz from scikit-learn's digits.

Run with scikit-learn installed; the same scikit-learn gives the same bytes. With `--check` nothing
is written, and the exit status says whether the file has what it should have.

The data: E. Alpaydin, C. Kaynak, "Optical Recognition of Handwritten Digits", UCI Machine Learning
Repository; as redistributed by scikit-learn under the BSD 3-clause license.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

FILE = Path(__file__).parents[1] / "twinoar" / "vision" / "datasets" / "digits.npz"
CLASSES = 10
TEST_SHARE = 0.2
TEST_COUNT = 360


def held_out_counts(labels: np.ndarray) -> np.ndarray:
    """Images of each class in the test part: a fifth, rounded by largest remainder."""
    shares = np.bincount(labels, minlength=CLASSES) * TEST_SHARE
    counts = np.floor(shares).astype(int)
    by_remainder = np.argsort(counts - shares, kind="stable")
    counts[by_remainder[: TEST_COUNT - counts.sum()]] += 1
    return counts


def held_out(labels: np.ndarray) -> np.ndarray:
    """True for the images of the test part."""
    mask = np.zeros(len(labels), bool)
    for digit, count in enumerate(held_out_counts(labels)):
        members = np.flatnonzero(labels == digit)
        mask[np.random.RandomState(digit).permutation(members)[:count]] = True
    return mask


def digits() -> dict[str, np.ndarray]:
    """The arrays of the file."""
    source = load_digits()
    images, labels = source.images.astype(np.uint8), source.target.astype(np.uint8)
    test = held_out(labels)
    return {
        "train_images": images[~test],
        "train_labels": labels[~test],
        "test_images": images[test],
        "test_labels": labels[test],
    }


def matches(arrays: dict[str, np.ndarray]) -> bool:
    """True where the file holds just these arrays."""
    with np.load(FILE) as file:
        return set(file) == set(arrays) and all(
            np.array_equal(file[name], array) for name, array in arrays.items()
        )


if __name__ == "__main__":
    if "--check" in sys.argv[1:]:
        sys.exit(0 if matches(digits()) else f"{FILE} differs from scikit-learn's digits")
    np.savez_compressed(FILE, **digits())
