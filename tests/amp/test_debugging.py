"""Where numbers stop being finite."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar.amp import debugging
from twinoar.errors import (
    ArgumentError,
    DTypeError,
    NotFiniteError,
    TypeMismatchError,
    UnsupportedError,
)

REPORT = debugging.DebugMode.CHECK_NAN_INF


def test_finite_numbers_are_counted_without_a_word(capsys):
    counts, values = debugging.check_numerics(paddle.to_tensor([1.0, 0.0, 2.0]), "op", "x")
    assert counts.tolist() == [0, 0, 1]
    assert values.tolist() == [2.0, 0.0, 1.0]
    assert (counts.dtype, values.dtype) == (paddle.int64, paddle.float32)
    assert capsys.readouterr().out == ""


def test_what_is_not_finite_is_printed_as_paddle_does(capsys):
    x = paddle.to_tensor([1.0, 0.0, float("nan"), float("inf")])
    counts, values = debugging.check_numerics(x, "op", "x", REPORT)
    assert counts.tolist() == [1, 1, 1]
    np.testing.assert_array_equal(values.numpy(), [np.inf, 0.0, np.nan])
    assert capsys.readouterr().out == (
        "[PRECISION] [ERROR] in [device=cpu, op=op, tensor=x, dtype=fp32], numel=4, num_nan=1, "
        "num_inf=1, num_zero=1, max=inf, min=0.000000e+00, mean=nan\n"
    )


def test_what_is_not_finite_is_an_error_where_that_is_asked_for():
    with pytest.raises(NotFiniteError, match="num_nan=1"):
        debugging.check_numerics(paddle.to_tensor([float("nan")]), "op", "x")
    with pytest.raises(DTypeError, match="int64"):
        debugging.check_numerics(paddle.to_tensor([1]), "op", "x")


class Inverse(paddle.nn.Layer):
    @debugging.check_layer_numerics
    def forward(self, x):
        return 1 / x


def test_a_layer_is_checked_where_it_is_decorated():
    assert Inverse()(paddle.to_tensor([2.0])).tolist() == [0.5]
    with pytest.raises(NotFiniteError, match="op=Inverse, tensor=output0"):
        Inverse()(paddle.to_tensor([0.0]))
    with pytest.raises(TypeMismatchError, match="first argument"):
        Inverse()(2.0)


def test_the_checker_stops_at_the_first_result_that_is_not_finite():
    debugging.enable_tensor_checker(debugging.TensorCheckerConfig(enable=True))
    try:
        with pytest.raises(NotFiniteError, match="divide"):
            paddle.to_tensor([1.0]) / paddle.to_tensor([0.0])
    finally:
        debugging.disable_tensor_checker()
    assert (paddle.to_tensor([1.0]) / paddle.to_tensor([0.0])).item() == float("inf")


def test_a_checker_that_is_off_checks_nothing():
    checker = debugging.TensorCheckerConfig(enable=False, debug_mode=REPORT)
    debugging.enable_tensor_checker(checker)
    assert (paddle.to_tensor([1.0]) / paddle.to_tensor([0.0])).item() == float("inf")


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: debugging.TensorCheckerConfig(True, REPORT), UnsupportedError),
        (lambda: debugging.TensorCheckerConfig(True, skipped_op_list=["a"]), UnsupportedError),
        (lambda: debugging.TensorCheckerConfig(True, 1), ArgumentError),
        (lambda: debugging.enable_tensor_checker(True), TypeMismatchError),
        (lambda: debugging.enable_operator_stats_collection(), UnsupportedError),
        (lambda: debugging.disable_operator_stats_collection(), UnsupportedError),
        (lambda: debugging.collect_operator_stats().__enter__(), UnsupportedError),
        (lambda: debugging.compare_accuracy("a", "b", "c"), UnsupportedError),
    ],
)
def test_what_is_not_served_says_so(call, error):
    with pytest.raises(error):
        call()
