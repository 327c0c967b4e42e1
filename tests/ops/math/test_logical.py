"""Logic as users write it."""

import pytest

from twinoar.eager.tensor import to_tensor
from twinoar.errors import DTypeError
from twinoar.ops.math.logical import bitwise_not, logical_and, logical_not, logical_or, logical_xor

NAN = float("nan")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (lambda x: x & 6, [4, 2]),
        (lambda x: 6 & x, [4, 2]),
        (lambda x: x | 6, [14, 14]),
        (lambda x: 6 | x, [14, 14]),
        (lambda x: x ^ 6, [10, 12]),
        (lambda x: 6 ^ x, [10, 12]),
        (lambda x: ~x, [-13, -11]),
        (lambda x: (x > 10) & (x < 20), [True, False]),
        (lambda x: (x > 10) | (x < 20), [True, True]),
        (lambda x: (x > 10) ^ (x < 20), [False, True]),
        (lambda x: ~(x > 10), [False, True]),
        (lambda x: (x > 10) & True, [True, False]),
    ],
)
def test_bit_operators(expression, expected):
    assert expression(to_tensor([12, 10])).tolist() == expected


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (logical_and, [True, False, False, False]),
        (logical_or, [True, True, True, False]),
        (logical_xor, [False, True, True, False]),
    ],
)
def test_logic_of_numbers(function, expected):
    x, y = to_tensor([2.0, NAN, 0.0, 0.0]), to_tensor([1, 0, 3, 0])
    assert function(x, y).tolist() == expected


def test_numbers_other_than_zero_are_true():
    assert logical_not(to_tensor([0.0, 2.0, NAN])).tolist() == [True, False, False]


def test_bits_of_fractions_are_refused():
    with pytest.raises(DTypeError, match="expected integers or truth values, received float32"):
        bitwise_not(to_tensor([1.0]))


def test_in_place_logic():
    x = to_tensor([True, False])
    assert x.logical_not_() is x and x.tolist() == [False, True]
