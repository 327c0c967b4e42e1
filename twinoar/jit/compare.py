"""Whether two results are the same, up to the rounding of their dtype."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

# What sums in another order may differ by, of the largest value: a few thousand units in the last
# place for what is summed; coarse types round after every operator.
ROUNDING = {"float64": 1e-10, "float32": 2e-4, "float16": 2e-2, "bfloat16": 8e-2}
ROUNDING |= {"complex128": 1e-10, "complex64": 2e-4}
SMALLEST = 1e-2  # in units of ROUNDING: an absolute difference that is always rounding
SHOWN = 6


def gap(found: np.ndarray, wanted: np.ndarray) -> float:
    """The largest difference, in units of what rounding allows: above 1 they differ.

    inf for another shape or dtype, and where one is infinite or nan and the other is not.
    """
    if found.shape != wanted.shape or found.dtype != wanted.dtype:
        return np.inf
    allowed = ROUNDING.get(wanted.dtype.name)
    if allowed is None or not wanted.size:
        return 0.0 if np.array_equal(found, wanted) else np.inf
    precise = np.complex128 if wanted.dtype.kind == "c" else np.float64
    a, b = found.astype(precise), wanted.astype(precise)
    finite = np.isfinite(b)
    if not np.array_equal(finite, np.isfinite(a)):
        return np.inf
    if not np.array_equal(a[~finite], b[~finite], equal_nan=True):
        return np.inf
    a, b = a[finite], b[finite]
    if not b.size:
        return 0.0
    size = np.abs(b)
    return float(np.max(np.abs(a - b) / (allowed * (size + size.max() + SMALLEST))))


def are_same(found: Sequence[np.ndarray], wanted: Sequence[np.ndarray]) -> bool:
    """True for as many arrays, each the same up to rounding."""
    if len(found) != len(wanted):
        return False
    return all(gap(a, b) <= 1 for a, b in zip(found, wanted, strict=True))


def shown(array: np.ndarray) -> str:
    """Dtype, shape and the first values."""
    values = ", ".join(
        f"{x:.6g}" if array.dtype.kind == "f" else str(x) for x in array.flat[:SHOWN]
    )
    more = ", ..." if array.size > SHOWN else ""
    return f"{array.dtype.name}{list(array.shape)} [{values}{more}]"


def difference(found: np.ndarray, wanted: np.ndarray) -> str:
    """Both values in short, from the first element on in which they differ most."""
    if found.shape != wanted.shape or found.dtype != wanted.dtype:
        return f"{shown(found)}, not {shown(wanted)}"
    place = _worst(found, wanted)
    at = f" at {list(map(int, place))}" if place else ""
    return f"{found[place]}, not {wanted[place]}{at} of {wanted.dtype.name}{list(wanted.shape)}"


def _worst(found: np.ndarray, wanted: np.ndarray) -> tuple:
    """The place of the largest difference."""
    if wanted.dtype.kind in "biu":
        apart = (found != wanted).astype(np.float64)
    else:
        precise = np.complex128 if wanted.dtype.kind == "c" else np.float64
        with np.errstate(invalid="ignore"):
            apart = np.abs(found.astype(precise) - wanted.astype(precise))
        unlike = ~((found == wanted) | (np.isnan(apart) & _both_nan(found, wanted)))
        apart = np.where(np.isnan(apart) & unlike, np.inf, np.nan_to_num(apart, posinf=np.inf))
    return tuple(np.unravel_index(int(np.argmax(apart)), wanted.shape)) if wanted.ndim else ()


def _both_nan(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return (a != a) & (b != b)
