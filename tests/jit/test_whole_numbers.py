"""Numbers that come from tensors are Python's, or the run stops and says why."""

import math
import re

import numpy as np
import pytest

import twinoar as pd

INTEGERS = [
    0, 1, -1, 3, -7, 64, 100, 2**31, -(2**31), 3037000500, 2**53, 2**53 + 1, -(2**53) - 1, 2**62,
    -(2**62), 2**63 - 1, -(2**63),
]  # fmt: skip
FLOATS = [
    0.0, -0.0, 0.5, 1.0, -1.0, 2.5, -7.3, 709.0, 710.0, -1000.0, 2.0**53, 2.0**62, 2.0**63,
    -(2.0**63), 1e300, float("inf"), -float("inf"), float("nan"),
]  # fmt: skip


def carried(n):
    k = 0
    while k < 3 and n < 10**18:
        n = n * 7
        k += 1
    return n


def chosen(n):
    return n * n if n > 0 else n - 1


OF_INTEGERS = {
    "sum": lambda n: n + n,
    "difference": lambda n: n - 2**62,
    "product": lambda n: n * 4,
    "power": lambda n: n**3 % 1000,
    "shift": lambda n: n << 60,
    "far shift": lambda n: n << 70,
    "shift back": lambda n: n >> 70,
    "negative shift": lambda n: n << -1,
    "negative": lambda n: -n,
    "size": lambda n: abs(n),
    "inverse": lambda n: ~n,
    "whole quotient": lambda n: n // -1,
    "quotient of one": lambda n: divmod(7, n),
    "rest": lambda n: n % -7,
    "quotient": lambda n: n / 3,
    "negative power": lambda n: n**-1,
    "power and rest": lambda n: pow(n, 3, 7),
    "rounded": lambda n: round(n, -1),
    "truth values": lambda n: (n > 0) + (n > 1) - (-(n > 2)),
    "sum of a list": lambda n: sum([n, n, 1]),
    "beside floats": lambda n: [n > 2.0**53, n >= 2.0**53 + 2, n == 2.0**53, n > 2.0**53, n < 1e19],
    "beside what is no number": lambda n: [n < math.inf, n < math.nan, n != math.nan, n != 2.5],
    "beside more bits": lambda n: [n < 2**70, n == 2**64, n > -(2**70)],
    "beside its float": lambda n: [n <= float(n), float(n) < n, float(n) == n],
    "of a float": lambda n: n * 2.0 + n // 2.5,
    "exponential": lambda n: math.exp(n),
    "logarithm": lambda n: math.log(n),
    "loop": carried,
    "choice": chosen,
}
OF_FLOATS = {
    "exponential": math.exp,
    "others that overflow": lambda x: [math.cosh(x), math.sinh(x), math.expm1(x)],
    "root": math.sqrt,
    "logarithm": math.log,
    "sine": math.sin,
    "integer": int,
    "floor": math.floor,
    "ceiling": math.ceil,
    "rounded": round,
    "is whole": lambda x: x.is_integer(),
    "square": lambda x: x**2,
    "power": lambda x: 2.0**x,
    "negative power": lambda x: x**-1,
    "rest": lambda x: divmod(x, -3.0),
    "inverse": lambda x: 1 / x,
    "beside integers": lambda x: [x < 2**53 + 1, x >= 2**63, x == 2**53, x > 10**400, x != 10**400],
}


def outcome(function, x):
    """The value, or the exception."""
    try:
        return function(x), None
    except Exception as error:
        return None, error


def plain(x):
    """Results as Python's."""
    if isinstance(x, (list, tuple)):
        return [plain(v) for v in x]
    return x.item() if isinstance(x, pd.Tensor) else x


def is_same(x, y):
    """Equal, of the same type; functions of floats may differ in their last bits."""
    if isinstance(y, list):
        return len(x) == len(y) and all(map(is_same, x, y))
    if not isinstance(y, float) or math.isnan(y):
        return type(x) is type(y) and (x == y or (x != x and y != y))
    return x == y or math.isclose(x, y, rel_tol=4e-16)


def fits(x):
    if isinstance(x, list):
        return all(map(fits, x))
    return not isinstance(x, int) or -(2**63) <= x < 2**63


def compare(function, convert, x):
    wanted, error = outcome(lambda t: function(convert(t)), x)
    found, raised = outcome(pd.jit.to_static(lambda t: function(convert(t))), x)
    if raised is None:
        assert error is None
        assert is_same(plain(found), plain(wanted)), (found, wanted)
    elif error is not None:
        assert isinstance(raised, type(error))
    else:  # Python goes on where there are no more bits, or complex numbers
        assert isinstance(raised, (OverflowError, ValueError, ZeroDivisionError))
        text = "64 bits|2\\*\\*53|complex"
        assert not fits(plain(wanted)) or re.search(text, str(raised))


@pytest.mark.parametrize("name", OF_INTEGERS)
@pytest.mark.parametrize("value", INTEGERS)
def test_integers_are_pythons_or_the_run_stops(name, value):
    compare(OF_INTEGERS[name], int, pd.to_tensor(np.array(value)))


@pytest.mark.parametrize("name", OF_FLOATS)
@pytest.mark.parametrize("value", FLOATS)
def test_floats_are_pythons_or_the_run_stops(name, value):
    compare(OF_FLOATS[name], float, pd.to_tensor(np.array(value)))


def test_an_overflow_names_the_users_line():
    with pytest.raises(OverflowError, match="leaves the 64 bits") as caught:
        pd.jit.to_static(lambda t: int(t) * 4)(pd.to_tensor(2**62))
    assert "test_whole_numbers.py" in str(caught.getrepr())


def test_what_cannot_overflow_is_not_checked():
    def small(x, t):
        n = int(t) * 3 + x.shape[0]
        return x * (n - (t > 0).item())

    static = pd.jit.to_static(small)
    x, t = pd.ones([3]), pd.to_tensor(5, dtype="int32")
    assert static(x, t).tolist() == small(x, t).tolist()
    assert "assert" not in static.concrete_program.main_program.to_text()


@pytest.mark.parametrize("function", [lambda n: n & 0.5, lambda n: 2.5 | n, lambda n: n << 1.0])
def test_floats_have_no_bits(function):
    with pytest.raises(TypeError):
        pd.jit.to_static(lambda t: function(int(t)))(pd.to_tensor(3))
