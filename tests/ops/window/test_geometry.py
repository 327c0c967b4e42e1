"""Padding forms and the number of windows along an axis."""

import pytest

from twinoar.core.dim import symbol
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.window._geometry import (
    all_windows,
    explicit_padding,
    paddle_paddings,
    per_axis,
    read_padding,
    transposed_sizes,
    windows_along,
)

N = symbol("N")


@pytest.mark.parametrize(
    ("padding", "expected"),
    [
        (1, (1, 1, 1, 1)),
        ([1], (1, 1, 1, 1)),
        ((1, 2), (1, 1, 2, 2)),
        ([1, 2, 3, 4], (1, 2, 3, 4)),
        ([[0, 0], [0, 0], [1, 2], [3, 4]], (1, 2, 3, 4)),
        ("VALID", (0, 0, 0, 0)),
        ("same", (1, 1, 0, 1)),
    ],
)
def test_every_padding_form_has_one_normal_form(padding, expected):
    assert explicit_padding(padding, "NCHW", (7, 8), (3, 3), (2, 2)) == expected


def test_pairs_follow_the_data_format():
    pairs = [[0, 0], [1, 2], [3, 4], [0, 0]]
    assert explicit_padding(pairs, "NHWC", (7, 8), (3, 3), (1, 1)) == (1, 2, 3, 4)


@pytest.mark.parametrize(
    ("padding", "message"),
    [
        ("FULL", "'SAME', 'VALID' or integers"),
        (-1, "must not be negative"),
        ([1, 2, 3], "1, 2 or 4 integers"),
        ([[0, 1], [0, 0], [1, 2], [3, 4]], "batch and channels must be 0"),
        ([[1, 2], [3, 4]], "must hold 4 pairs"),
    ],
)
def test_other_padding_forms_are_refused(padding, message):
    with pytest.raises(ArgumentError, match=message):
        explicit_padding(padding, "NCHW", (7, 8), (3, 3), (1, 1))


def test_same_padding_of_an_unknown_size_is_known_at_stride_1():
    assert explicit_padding("SAME", "NCHW", (N, N), (3, 5), (1, 1)) == (1, 1, 2, 2)


def test_same_padding_of_an_unknown_size_keeps_the_size_over_the_stride():
    padding = explicit_padding("SAME", "NCL", (N,), (3,), (2,))
    assert str(all_windows((N,), (3,), (2,), padding)[0]).count("N") > 0
    assert paddle_paddings(padding)["padding_algorithm"] == "SAME"


def test_windows_of_an_unknown_size_are_an_expression():
    assert windows_along(N * 2, 2, 2, 0, 0) == N
    assert windows_along(N, 3, 1, 1, 1) == N


def test_ceil_counts_a_window_that_hangs_over():
    assert windows_along(6, 3, 2, 0, 0) == 2
    assert windows_along(6, 3, 2, 0, 0, ceil=True) == 3


def test_a_window_larger_than_the_padded_size_is_refused():
    with pytest.raises(ShapeError, match="a window of 5 elements does not fit into 4"):
        windows_along(2, 5, 1, 1, 1)


def test_a_stride_of_0_is_refused():
    with pytest.raises(ArgumentError, match="stride must be positive"):
        windows_along(2, 1, 0, 0, 0)


def test_transposed_sizes_invert_windows():
    size = transposed_sizes((4, 6), (3, 3), (2, 1), (1, 1, 0, 1), (1, 2))
    assert all_windows(size, (3, 3), (2, 1), (1, 1, 0, 1), (1, 2)) == (4, 6)


@pytest.mark.parametrize("padding", [(1, 1, 2, 2), (1, 0, 2, 1), (0, 0, 0, 0)])
def test_paddings_of_files_read_back(padding):
    attrs = paddle_paddings(padding)
    assert read_padding(attrs, "NCHW", (8, 8), (3, 3), (1, 1)) == padding


def test_files_hold_one_number_an_axis_where_sides_are_equal():
    assert paddle_paddings((1, 1, 2, 2))["paddings"] == (1, 2)


def test_one_number_stands_for_all_axes_and_others_are_refused():
    assert per_axis([3], 2, "stride") == (3, 3)
    with pytest.raises(ArgumentError, match="stride must be an integer or 2 integers"):
        per_axis((1, 2, 3), 2, "stride")
