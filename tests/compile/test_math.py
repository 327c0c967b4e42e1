"""Elementary functions are as precise as they say, over the whole range, in float32 and float64."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from tests.compile import test_special
from tests.compile.wide_functions import erf_wide, erfc_wide, ulps
from twinoar.compile.evaluation import elements, reader_of
from twinoar.compile.math import NAMES, error_function, expand, exponential
from twinoar.core.dtype import DType, float16, float32, float64
from twinoar.core.loop.expression import Expr, const, make, walk
from twinoar.core.loop.language import FUNCTIONS, Reader

WIDE = np.longdouble
BOUND = {"float32": 2.0, "float64": 4.0}  # units in the last place
DTYPES = {"float32": float32, "float64": float64}
RANDOM, AROUND = 30_000, 150
CENTERS = (
    *(0.5, 1.0, 2.0, 3.0, 6.0, 9.02, 19.07, 28.0, math.pi / 4, math.pi / 2, math.pi, 3.93002),
    *(math.log(2) / 4, math.log(2) / 2, math.log(2), math.sqrt(0.5), math.sqrt(2), 104.0, 745.14),
    *(87.34, 88.73, 126.0, 128.0, 149.0, 708.4, 709.79, 1022.0, 1024.0, 1075.0),
)
UNARY: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    **{name: getattr(np, name) for name in ("exp", "exp2", "expm1", "log", "log2", "log10")},
    **{name: getattr(np, name) for name in ("log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh")},
    **{name: getattr(np, f"arc{name[1:]}") for name in ("asin", "acos", "atan")},
    **{name: getattr(np, f"arc{name[1:]}") for name in ("asinh", "acosh", "atanh")},
    "erf": erf_wide,
    "erfc": erfc_wide,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
}
BINARY = {"atan2": np.arctan2, "pow": np.power}
ARITHMETIC = {"abs", "add", "div", "floor", "fma", "mul", "neg", "round", "sqrt", "sub"}
BITS = {"and", "bitcast", "linear", "not", "or", "shl", "shr", "xor"}
STRAIGHT = ARITHMETIC | BITS | {"cast", "const", "eq", "le", "lt", "select", "var"}


def evaluated(name: str, *arrays: np.ndarray) -> np.ndarray:
    """A function by its expansion."""
    readers = [reader_of(x) for x in arrays]
    return elements(
        Reader(arrays[0].shape, readers[0].dtype, lambda i: expand(name, *(x[i] for x in readers)))
    )


def points(dtype: str) -> np.ndarray:
    """Numbers of all exponents, of everyday size, and around places where something changes."""
    rng = np.random.default_rng(0)
    kind, size = np.dtype(dtype), np.dtype(dtype).itemsize
    bits = np.dtype(f"uint{8 * size}").type
    anywhere = np.frombuffer(rng.bytes(RANDOM * size), kind)
    everyday = [(rng.normal(size=RANDOM // 4) * s).astype(kind) for s in (1e-3, 0.3, 1, 3, 10, 100)]
    offsets = np.arange(-AROUND, AROUND).astype(bits)
    centers = np.array([s * c for c in (0.0, *CENTERS) for s in (1, -1)], kind)
    around = (centers.view(bits)[:, None] + offsets).view(kind).ravel()
    special = [0.0, -0.0, math.inf, -math.inf, math.nan, np.finfo(kind).max, -np.finfo(kind).max]
    return np.concatenate([anywhere, *everyday, around, np.array(special, kind)])


def greatest_error(name: str, dtype: str) -> float:
    """The greatest error of a function of one operand, in units in the last place."""
    x = points(dtype)
    with np.errstate(all="ignore"):
        expected = UNARY[name](x.astype(WIDE))
    return float(ulps(evaluated(name, x), expected).max())


def test_rules_can_call_each_function() -> None:
    assert set(NAMES) == set(FUNCTIONS)


@pytest.mark.parametrize("dtype", BOUND)
@pytest.mark.parametrize("name", sorted(UNARY))
def test_the_error_is_within_the_bound(name: str, dtype: str) -> None:
    assert greatest_error(name, dtype) <= BOUND[dtype]


@pytest.mark.parametrize("dtype", BOUND)
def test_erfinv_is_the_inverse_of_erf(dtype: str) -> None:
    # Near x, the inverse is off by the error of erf at it over the slope there.
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.uniform(-1, 1, 4000), 1 - 10 ** rng.uniform(-15, 0, 4000)])
    x = x.astype(dtype)
    x = x[np.abs(x) < 1]
    y = evaluated("erfinv", x)
    wide, size = y.astype(WIDE), np.abs(y)
    central = erf_wide(wide) - x
    tail = np.sign(y) * ((1 - np.abs(x.astype(WIDE))) - erfc_wide(size.astype(WIDE)))
    slope = 2 / np.sqrt(WIDE(math.pi)) * np.exp(-wide * wide)
    assert ulps(y, wide - np.where(size < 0.5, central, tail) / slope).max() <= BOUND[dtype]


@pytest.mark.parametrize("dtype", BOUND)
@pytest.mark.parametrize("name", sorted(BINARY))
def test_the_error_of_functions_of_two_operands_is_within_the_bound(name: str, dtype: str) -> None:
    rng = np.random.default_rng(0)
    scales = (0.01, 1, 20)
    x = np.concatenate([np.exp(rng.normal(size=RANDOM) * s) for s in scales]).astype(dtype)
    y = np.concatenate([rng.normal(size=RANDOM) * s for s in (1e4, 5, 5)]).astype(dtype)
    special = np.array(
        [0, -0.0, 1, -1, 2, -2, 0.5, -0.5, 3, -3, 2.5, 1e-40, 1e30, 2.0**24 + 2, math.inf,
         -math.inf, math.nan],
        dtype,
    )  # fmt: skip
    a, b = (v.ravel() for v in np.meshgrid(special, special))
    x, y = np.concatenate([x, a]), np.concatenate([y, b])
    with np.errstate(all="ignore"):
        expected = BINARY[name](x.astype(WIDE), y.astype(WIDE))
    assert float(ulps(evaluated(name, x, y), expected).max()) <= BOUND[dtype]


INF, NAN = math.inf, math.nan
SPECIAL = {
    "acos": [(1, 0), (2, NAN), (NAN, NAN)],
    "acosh": [(1, 0), (0.5, NAN), (-INF, NAN), (INF, INF)],
    "asin": [(-0.0, -0.0), (1.5, NAN)],
    "asinh": [(-0.0, -0.0), (-INF, -INF)],
    "atan": [(-0.0, -0.0), (NAN, NAN)],
    "atanh": [(-0.0, -0.0), (1, INF), (-1, -INF), (2, NAN)],
    "cos": [(0, 1), (INF, NAN)],
    "cosh": [(0, 1), (-INF, INF), (1e4, INF)],
    "erf": [(-0.0, -0.0), (INF, 1), (-INF, -1), (NAN, NAN), (1e30, 1)],
    "erfc": [(0, 1), (INF, 0), (-INF, 2), (100, 0), (NAN, NAN)],
    "erfinv": [(-0.0, -0.0), (1, INF), (-1, -INF), (1.5, NAN), (NAN, NAN)],
    "exp": [(0, 1), (-0.0, 1), (INF, INF), (-INF, 0), (NAN, NAN), (1e4, INF), (-1e4, 0)],
    "exp2": [(10, 1024), (-INF, 0), (INF, INF), (-1e5, 0)],
    "expm1": [(-0.0, -0.0), (-INF, -1), (-1e4, -1), (INF, INF), (NAN, NAN)],
    "log": [(1, 0), (0, -INF), (-0.0, -INF), (-1, NAN), (-INF, NAN), (INF, INF), (NAN, NAN)],
    "log10": [(1000, 3), (0, -INF), (-1, NAN), (INF, INF)],
    "log1p": [(-0.0, -0.0), (-1, -INF), (-2, NAN), (INF, INF), (NAN, NAN)],
    "log2": [(2.0**-140, -140), (8, 3), (0, -INF), (-1, NAN), (INF, INF)],
    "rsqrt": [(4, 0.5), (0, INF), (-0.0, -INF), (INF, 0), (-1, NAN)],
    "sigmoid": [(0, 0.5), (INF, 1), (-INF, 0), (NAN, NAN), (1e4, 1), (-1e4, 0)],
    "sin": [(-0.0, -0.0), (-INF, NAN), (NAN, NAN)],
    "sinh": [(-0.0, -0.0), (-INF, -INF), (1e4, INF)],
    "tan": [(-0.0, -0.0), (INF, NAN)],
    "tanh": [(-0.0, -0.0), (INF, 1), (-INF, -1), (NAN, NAN), (1e30, 1), (-20, -1)],
}


@pytest.mark.parametrize("dtype", BOUND)
@pytest.mark.parametrize("name", sorted(SPECIAL))
def test_special_values_are_exact(name: str, dtype: str) -> None:
    given, expected = np.array(SPECIAL[name], dtype).T
    result = evaluated(name, np.ascontiguousarray(given))
    np.testing.assert_array_equal(result, expected)
    signed = ~np.isnan(expected)
    assert np.array_equal(np.signbit(result[signed]), np.signbit(expected[signed]))


@pytest.mark.parametrize("dtype", DTYPES)
def test_exp_flushing_is_exp_of_what_is_not_large_and_0_below_the_normal_numbers(
    dtype: str,
) -> None:
    x = points(dtype)
    limits = np.finfo(dtype)
    x = x[(x <= np.log(limits.max) - 1) | np.isnan(x)]
    with np.errstate(all="ignore"):
        expected = np.exp(x.astype(WIDE))
    found = evaluated("exp_flushing", x)
    normal = ~(expected < 2 * WIDE(limits.tiny))  # nan too
    assert float(ulps(found[normal], expected[normal]).max()) <= BOUND[dtype]
    assert (found[expected < limits.tiny / 2] == 0).all()
    assert (found[~normal] <= 2 * limits.tiny).all() and (found[~normal] >= 0).all()
    assert evaluated("exp_flushing", np.array([-math.inf], dtype)) == 0


def test_exp_flushing_takes_14_operations_where_exp_takes_20() -> None:
    expanded = (walk(expand(name, variable(float32))) for name in ("exp_flushing", "exp"))
    kinds = [[e.kind for e in nodes] for nodes in expanded]
    free = {"bitcast", "const", "var"}
    assert [sum(kind not in free for kind in each) for each in kinds] == [14, 20]


def test_every_function_is_tested() -> None:
    assert {*UNARY, *BINARY, *test_special.SPECIAL, "erfinv", "exp_flushing"} == NAMES
    assert {*SPECIAL, *BINARY, *test_special.SPECIAL, "exp_flushing"} == NAMES


def test_the_bound_would_not_hold_for_another_coefficient(monkeypatch: pytest.MonkeyPatch) -> None:
    first, *others = exponential.EXP["float32"]
    monkeypatch.setitem(exponential.EXP, "float32", (first + 4e-6, *others))
    assert greatest_error("exp", "float32") > BOUND["float32"]
    first, *others = error_function.ERF["float64"]
    monkeypatch.setitem(error_function.ERF, "float64", (first + 4e-15, *others))
    assert greatest_error("erf", "float64") > BOUND["float64"]


# No float64 is nearer to a multiple of pi / 2: J.-M. Muller, "Elementary Functions", chapter 11.
HARD = 6381956970095103 * 2.0**797


@pytest.mark.parametrize(
    ("x", "expected"),
    [(HARD, -4.687165924254624e-19), (1e22, 0.5232147853951389), (2.0**1000, math.cos(2.0**1000))],
)
def test_great_angles_keep_their_precision(x: float, expected: float) -> None:
    assert ulps(evaluated("cos", np.array([x])), np.array([expected], WIDE)) <= BOUND["float64"]


def test_tanh_and_erf_do_not_exceed_1() -> None:
    x = np.linspace(0.5, 12, 200_001, dtype=np.float32)
    assert evaluated("tanh", x).max() == evaluated("erf", x).max() == 1.0


def variable(dtype: DType, name: str = "x") -> Expr:
    return make("var", (name,), dtype)


def power_of(x: np.ndarray, exponent: float) -> np.ndarray:
    reader = reader_of(x)
    by_constant = Reader(
        x.shape,
        reader.dtype,
        lambda i: expand("pow", reader[i], const(exponent, reader.dtype)),
    )
    return elements(by_constant)


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, 4, -1, -2, 0.5, -0.5])
@pytest.mark.parametrize("dtype", BOUND)
def test_a_power_by_a_constant_needs_no_logarithm(exponent: float, dtype: str) -> None:
    x = points(dtype)
    with np.errstate(all="ignore"):
        expected = np.power(x.astype(WIDE), WIDE(exponent))
    assert float(ulps(power_of(x, exponent), expected).max()) <= BOUND[dtype]
    of = variable(DTYPES[dtype])
    assert sum(1 for _ in walk(expand("pow", of, const(exponent, of.dtype)))) < 12


@pytest.mark.parametrize("dtype", DTYPES.values())
@pytest.mark.parametrize("name", sorted(NAMES))
def test_functions_are_straight_lines(name: str, dtype: DType) -> None:
    operands = [variable(dtype, f"x{i}") for i in range(2 if name in BINARY else 1)]
    result = expand(name, *operands)
    assert result.dtype is dtype
    assert {e.kind for e in walk(result)} <= STRAIGHT
    whole = [e for e in walk(result) if e.kind == "cast" and e.dtype.is_integer]
    assert not any(e.args[0].dtype.is_floating for e in whole)  # undefined out of range


def test_other_names_are_refused() -> None:
    with pytest.raises(TypeError, match="no function 'exponential'"):
        expand("exponential", variable(float32))


def test_other_dtypes_are_refused() -> None:
    with pytest.raises(TypeError, match="float32 or float64 operands, received float16"):
        expand("exp", variable(float16))
    with pytest.raises(TypeError, match="received float32, float64"):
        expand("pow", variable(float32), variable(float64))
