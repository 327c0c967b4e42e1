"""Masks that leave n of m neighbors: along rows, or along rows and columns of m x m squares.

Source: Mishra et al. 2021, arXiv 2104.08378.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from twinoar.errors import ArgumentError, ShapeError, UnknownNameError

LARGEST_SQUARE = 5  # there are 90 patterns of 4 x 4, 2,040 of 5 x 5, and 297,200 of 6 x 6


class MaskAlgo(Enum):
    """How a mask is found: the name of the function."""

    MASK_1D = "get_mask_1d"
    MASK_2D_GREEDY = "get_mask_2d_greedy"
    MASK_2D_BEST = "get_mask_2d_best"


class CheckMethod(Enum):
    """How sparsity is checked: the name of the function."""

    CHECK_1D = "check_mask_1d"
    CHECK_2D = "check_mask_2d"

    @staticmethod
    def get_checking_method(mask_algo: MaskAlgo) -> CheckMethod:
        """The check for masks that `mask_algo` finds."""
        return CheckMethod.CHECK_1D if mask_algo is MaskAlgo.MASK_1D else CheckMethod.CHECK_2D


def calculate_density(x: Any) -> float:
    """The share of elements that are not 0.

    >>> twinoar.incubate.asp.calculate_density(np.array([[0, 1, 3, 0], [1, 1, 0, 1]]))
    0.625
    """
    array = np.asarray(x)
    return float(np.count_nonzero(array)) / array.size


def get_mask_1d(mat: Any, n: int, m: int) -> np.ndarray:
    """1 but for the n least of each m neighbors in a row.

    >>> get_mask_1d(np.array([[3.0, -5.0, 1.0, 2.0]]), 2, 4).tolist()
    [[1.0, 1.0, 0.0, 0.0]]
    """
    matrix = _matrix(mat, n, m)
    groups = np.abs(_padded(matrix, 1, m)).reshape(-1, m)
    mask = np.ones(groups.shape)
    np.put_along_axis(mask, np.argsort(groups, 1, kind="stable")[:, :n], 0.0, 1)
    return _cut(mask.reshape(len(matrix), -1), matrix)


def get_mask_2d_greedy(mat: Any, n: int, m: int) -> np.ndarray:
    """1 for up to n in each row and column of m x m squares, the largest elements first."""
    matrix = _matrix(mat, n, m)
    whole = _padded(matrix, m, m)
    mask = np.zeros(whole.shape)
    for square in _squares(whole.shape, m):
        rows, columns = np.zeros(m, int), np.zeros(m, int)
        order = np.argsort(np.abs(whole[square]), axis=None, kind="stable")[::-1]
        for row, column in zip(*np.unravel_index(order, (m, m)), strict=True):
            if rows[row] < n and columns[column] < n:
                mask[square][row, column] = 1.0
                rows[row] += 1
                columns[column] += 1
    return _cut(mask, matrix)


def get_mask_2d_best(mat: Any, n: int, m: int) -> np.ndarray:
    """1 for n in each row and column of m x m squares, so that most of the sizes is left.

    Raises ArgumentError for m above 5, which has too many patterns.
    """
    matrix = _matrix(mat, n, m)
    if m > LARGEST_SQUARE:
        raise ArgumentError(
            f"there are too many patterns of {m} x {m}, at most {LARGEST_SQUARE} are compared",
            cure="use mask_2d_greedy",
        )
    patterns = _patterns(n, m)
    whole = np.abs(_padded(matrix, m, m))
    mask = np.zeros(whole.shape)
    for square in _squares(whole.shape, m):
        left = np.tensordot(patterns, whole[square], 2)
        mask[square] = patterns[np.argmax(left)]
    return _cut(mask, matrix)


def check_mask_1d(mat: Any, n: int, m: int) -> bool:
    """Whether each m neighbors in a row have n zeros at least."""
    groups = _padded(_matrix(mat, n, m), 1, m).reshape(-1, m)
    return bool((np.count_nonzero(groups, 1) <= m - n).all())


def check_mask_2d(mat: Any, n: int, m: int) -> bool:
    """Whether each row and column of m x m squares has n zeros at least."""
    whole = _padded(_matrix(mat, n, m), m, m)
    return all(
        (np.count_nonzero(whole[square], axis) <= m - n).all()
        for square in _squares(whole.shape, m)
        for axis in (0, 1)
    )


def create_mask(
    tensor: Any, func_name: MaskAlgo = MaskAlgo.MASK_1D, n: int = 2, m: int = 4
) -> np.ndarray:
    """The mask of an array of 1 to 4 dimensions, in its dtype.

    Neighbors lie along the last dimension; of 4 dimensions, along the third. Raises ShapeError.
    """
    array = np.asarray(tensor)
    find = FINDERS[_one_of(MaskAlgo, func_name)]
    mask = _restored(find(_as_matrix(array), n, m), array)
    return mask.astype(array.dtype)


def check_sparsity(
    tensor: Any, func_name: CheckMethod = CheckMethod.CHECK_1D, n: int = 2, m: int = 4
) -> bool:
    """Whether an array of 1 to 4 dimensions has the zeros that a mask would leave."""
    return CHECKS[_one_of(CheckMethod, func_name)](_as_matrix(np.asarray(tensor)), n, m)


FINDERS = {
    MaskAlgo.MASK_1D: get_mask_1d,
    MaskAlgo.MASK_2D_GREEDY: get_mask_2d_greedy,
    MaskAlgo.MASK_2D_BEST: get_mask_2d_best,
}
CHECKS = {CheckMethod.CHECK_1D: check_mask_1d, CheckMethod.CHECK_2D: check_mask_2d}
THIRD_LAST = (0, 1, 3, 2)


def _one_of(kind: type[Enum], given: Any) -> Any:
    if not isinstance(given, kind):
        allowed = ", ".join(str(one) for one in kind)
        raise UnknownNameError(f"func_name must be one of {allowed}, received {given!r}")
    return given


def _as_matrix(array: np.ndarray) -> np.ndarray:
    if not 1 <= array.ndim <= 4:
        raise ShapeError(f"expected 1 to 4 dimensions, received the shape {list(array.shape)}")
    turned = array.transpose(THIRD_LAST) if array.ndim == 4 else array
    return turned.reshape(-1, turned.shape[-1])


def _restored(matrix: np.ndarray, array: np.ndarray) -> np.ndarray:
    if array.ndim < 4:
        return matrix.reshape(array.shape)
    return matrix.reshape(array.transpose(THIRD_LAST).shape).transpose(THIRD_LAST)


def _matrix(mat: Any, n: int, m: int) -> np.ndarray:
    if not 0 < n < m:
        raise ArgumentError(f"n must be from 1 to m - 1, received n={n} and m={m}")
    matrix = np.asarray(mat)
    if matrix.ndim != 2:
        raise ShapeError(f"expected a matrix, received the shape {list(matrix.shape)}")
    return matrix


def _padded(matrix: np.ndarray, rows: int, columns: int) -> np.ndarray:
    """The matrix with zeros, so that its sizes are multiples of those."""
    more = [(0, -size % step) for size, step in zip(matrix.shape, (rows, columns), strict=True)]
    return np.pad(matrix, more)


def _cut(mask: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    rows, columns = matrix.shape
    return mask[:rows, :columns]


def _squares(shape: tuple[int, ...], m: int) -> Iterator[tuple[slice, slice]]:
    for row in range(0, shape[0], m):
        for column in range(0, shape[1], m):
            yield slice(row, row + m), slice(column, column + m)


@cache
def _patterns(n: int, m: int) -> np.ndarray:
    """All m x m patterns with n ones in each row and column, [count,m,m]."""
    rows = [np.isin(np.arange(m), chosen) for chosen in combinations(range(m), n)]
    found: list[list[np.ndarray]] = [[]]
    for _ in range(m):
        found = [[*p, r] for p in found for r in rows if (np.sum([*p, r], 0) <= n).all()]
    return np.array(found, float)
