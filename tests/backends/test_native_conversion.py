"""Casts and wrapping integers in compiled Programs: what eager mode gives, and Paddle on x86."""

import ml_dtypes
import numpy as np
import pytest

import twinoar as pd
from twinoar import config
from twinoar.core.dtype import ALL, BY_NAME, converted
from twinoar.errors import ArgumentError, DTypeError

REAL = [d.name for d in ALL if not d.is_complex]
WHOLE = [d.name for d in ALL if d.is_integer]
NUMBERS = [
    0.0, -0.0, 0.5, -0.5, 1.7, -1.7, 127.5, 128.0, -128.9, -129.0, 200.0, 255.9, 256.0, -255.0,
    300.0, 32768.0, 40000.0, -32769.0, 65504.0, 65520.0, 70000.0, -70000.0, 2.0**31 - 1, 2.0**31,
    -(2.0**31), -(2.0**31) - 1, 2.0**32 + 2.0**21, 3e9, -3e9, 2.0**53, 2.0**63, -(2.0**63), 1e30,
    float("inf"), float("-inf"), float("nan"), 1e-45, 6e-8, 1e300,
]  # fmt: skip
INTEGERS = [0, 1, -1, 127, 128, -128, -129, 255, 256, 32768, -32769, 65536, 2**31 - 1, 2**31,
            -(2**31), -(2**31) - 1, 2**53 + 1, 2**62, 2**63 - 1, -(2**63)]  # fmt: skip


def special(dtype, count):
    """`count` elements of a dtype that lie at and beyond the ends of others."""
    numpy = BY_NAME[dtype].numpy
    if dtype == "bool":
        return np.resize(np.array([True, False]), count)
    if dtype in WHOLE:
        info = np.iinfo(numpy)
        return np.resize([n for n in INTEGERS if info.min <= n <= info.max], count).astype(numpy)
    with np.errstate(all="ignore"):
        return np.resize(NUMBERS, count).astype(numpy)


@pytest.fixture
def on_numpy(monkeypatch):
    monkeypatch.setattr(config, "backend", "numpy")


def equal(found, wanted):
    for a, b in zip(found, wanted, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(comparable(a), comparable(b))


def comparable(x):
    """Elements that NumPy knows to be nan; int64 has more digits than floats."""
    return x.numpy().astype("float64") if x.dtype.is_floating else x.numpy()


@pytest.mark.parametrize("count", [3, 77], ids=["remainder", "lanes"])
@pytest.mark.parametrize("source", REAL)
def test_all_pairs_compiled_and_fused_are_as_in_eager_mode(source, count):
    def cast(x):
        one = [x.astype(d) for d in REAL if d != source]
        several = [x.astype(d).astype("float64") * 1 for d in REAL]
        return one + several + [x.astype("float64").astype(d) + 0 for d in REAL if d != "bool"]

    x = pd.to_tensor(special(source, count))
    equal(pd.jit.to_static(cast)(x), cast(x))


@pytest.mark.parametrize(
    ("dtype", "numbers", "wanted"),
    [
        ("uint8", [128.0, 255.9, 256.0, 300.0, -1.0, -255.0, 3e9], [128, 255, 0, 44, 255, 1, 0]),
        ("int8", [128.0, 200.0, -129.0, 2.0**31], [-128, -56, 127, 0]),
        ("int16", [40000.0, -40000.0, 2.0**31 - 128], [-25536, 25536, -128]),
        ("int32", [2.0**31, -3e9, 1e30], [-(2**31)] * 3),
        ("int64", [2.0**63, -1e30, 2.0**40], [-(2**63), -(2**63), 2**40]),
    ],
)
@pytest.mark.parametrize("source", ["float32", "float64"])
def test_floats_beyond_an_integer_dtype_are_as_in_paddle(dtype, numbers, wanted, source):
    least = {"int32": -(2**31), "int64": -(2**63)}.get(dtype, 0)
    x = pd.to_tensor([*numbers, float("nan"), float("inf"), -float("inf")], dtype=source)
    assert x.astype(dtype).tolist() == [*wanted, least, least, least]
    cast = pd.jit.to_static(lambda x: x.astype(dtype) + 0)
    assert cast(x).tolist() == [*wanted, least, least, least]


def test_a_cast_is_the_same_where_the_machine_saturates(monkeypatch):
    saturated = np.array([2147483647, -2147483648, 0, 7], "int32")

    class Elsewhere(np.ndarray):
        def astype(self, dtype, **rest):
            return saturated.copy() if dtype is np.int32 else super().astype(dtype, **rest)

    x = np.array([3e9, -3e9, np.nan, 7.5]).view(Elsewhere)
    monkeypatch.setattr(np, "asarray", lambda x: x)
    assert converted(x, pd.int32).tolist() == [-(2**31), -(2**31), -(2**31), 7]


def test_complex_numbers_are_true_where_any_part_is():
    x = pd.to_tensor([0j, 1j, 1 + 0j, complex("nan")], dtype="complex64")
    assert x.astype("bool").tolist() == [False, True, True, True]
    assert x.astype("uint8").tolist() == [0, 0, 1, 0]
    assert pd.jit.to_static(lambda x: x.astype("bool"))(x).tolist() == [False, True, True, True]


def test_float64_is_rounded_once_to_float16():
    bits = np.random.default_rng(0).integers(0, 2**16, 4000).astype("uint16").view("float16")
    with np.errstate(all="ignore"):
        middle = (bits.astype("float64") + np.nextafter(bits, np.float16(np.inf))) / 2
        x = np.concatenate([np.nextafter(middle, -np.inf), middle, np.nextafter(middle, np.inf)])
        wanted = x.astype("float16")
    found = pd.jit.to_static(lambda x: x.astype("float16"))(pd.to_tensor(x)).numpy()
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("dtype", WHOLE)
def test_integers_wrap_as_in_eager_mode(dtype):
    large = {"int64": 2**62, "uint8": 100}.get(dtype, 100)

    def wrap(x, y):
        sums = [x + 1 > x, x - 1 < x, x <= y, x >= y, (x + y) - y == x, x * 2 - 1 < x * 2]
        products = [(x * 4) // 4, (x * 4) == (y * 4), x * large * 4, x * large * large, (x * 2) % 2]
        signs = [-x, -x > 0, abs(x), x // -1, x % -1] if dtype != "uint8" else []
        return [*sums, *products, *signs, x // 3, x % 3, x**5, pd.maximum(x, y + 1), x + large]

    x, y = special(dtype, 77), special(dtype, 77)[::-1].copy()
    given = pd.to_tensor(x), pd.to_tensor(y)
    equal(pd.jit.to_static(wrap)(*given), wrap(*given))


@pytest.mark.parametrize("divisor", [-3, -1, 3])
def test_positions_are_divided_by_negative_numbers(divisor):
    def divide(x):
        at = pd.arange(9)
        return [x + at // divisor, x + at % divisor]

    x = pd.zeros([9], "int64")
    equal(pd.jit.to_static(divide)(x), divide(x))


@pytest.mark.parametrize("door", ["to_static", "static", "saved"])
@pytest.mark.parametrize("dtype", ["uint8", "int8", "int32", "int64", "bool"])
def test_casts_are_the_same_through_every_door(door, dtype, tmp_path):
    x = special("float32", 40)
    wanted = pd.to_tensor(x).astype(dtype).numpy()
    net = pd.nn.Layer()
    net.forward = lambda x: x.astype(dtype)
    spec = [pd.static.InputSpec([40], "float32")]
    if door == "static":
        pd.enable_static()
        try:
            main = pd.static.Program()
            with pd.static.program_guard(main):
                out = pd.static.data("x", [40], "float32").astype(dtype)
            (found,) = pd.static.Executor().run(main, feed={"x": x}, fetch_list=[out])
        finally:
            pd.disable_static()
    elif door == "saved":
        pd.jit.save(pd.jit.to_static(net, input_spec=spec), str(tmp_path / "net"))
        found = pd.jit.load(str(tmp_path / "net"))(pd.to_tensor(x)).numpy()
    else:
        found = pd.jit.to_static(net.forward)(pd.to_tensor(x)).numpy()
    np.testing.assert_array_equal(found, wanted)


def test_constants_are_cast_while_compiling_as_when_run():
    numbers = [300.0, -1.5, 3e9, float("nan"), float("inf")]

    def cast():
        return [pd.full([2], n, "float64").astype(d) for n in numbers for d in REAL]

    equal(pd.jit.to_static(cast)(), cast())


@pytest.mark.usefixtures("on_numpy")
def test_bfloat16_is_cut_by_the_same_rule():
    x = np.array([300.0, -1.5, 3e9, np.nan], ml_dtypes.bfloat16)
    assert converted(x, pd.int32).tolist() == [300, -1, -(2**31), -(2**31)]


@pytest.mark.parametrize("number", [300, -1, -300, 2**31, 2**53 + 1, -(2**40)])
@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32"])
def test_numbers_outside_of_a_dtype_compare_as_numbers(dtype, number):
    def compare(x):
        return [x < number, x <= number, x > number, x >= number, x == number, x != number]

    x = pd.to_tensor(special(dtype, 40))
    equal(pd.jit.to_static(compare)(x), compare(x))
    assert compare(x)[0].tolist() == [n < number for n in x.tolist()]


def test_a_number_outside_of_a_dtype_is_refused_in_arithmetic():
    x = pd.to_tensor([1, 2], dtype="uint8")
    for add in (lambda x: x + 300, pd.jit.to_static(lambda x: x + 300)):
        with pytest.raises(ArgumentError, match="300"):
            add(x)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("divisor", [3.0, -3.0, 0.7, -0.0625, 1e-30, float("inf"), float("-inf")])
def test_remainders_of_large_quotients_are_exact(dtype, divisor):
    x = pd.to_tensor(special(dtype, 77))
    y = pd.to_tensor(divisor, dtype=dtype)

    def divide(x, y):
        return [x % y, x // y, x % 0.7]

    equal(pd.jit.to_static(divide)(x, y), divide(x, y))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_the_power_one_half_of_infinities_and_zeros_is_as_in_paddle(dtype):
    x = pd.to_tensor([-float("inf"), float("inf"), -0.0, 0.0, 4.0], dtype=dtype)
    for power in (lambda x: x**0.5, pd.jit.to_static(lambda x: x**0.5)):
        found = power(x).numpy().astype("float64")
        np.testing.assert_array_equal(found, [np.inf, np.inf, 0, 0, 2])
        assert not np.signbit(found).any()


@pytest.mark.parametrize("of_two", [pd.floor_divide, pd.remainder, pd.pow])
def test_truth_values_are_not_divided(of_two):
    x = pd.to_tensor([True])
    for function in (of_two, pd.jit.to_static(lambda x, y: of_two(x, y))):
        with pytest.raises(DTypeError, match="expected numbers"):
            function(x, x)


def test_relu6_keeps_integers():
    relu6 = pd.nn.functional.relu6
    x = pd.to_tensor([-1, 3, 9], dtype="int32")
    equal([pd.jit.to_static(lambda x: relu6(x))(x)], [relu6(x)])


@pytest.mark.parametrize("run", [lambda f: f, pd.jit.to_static], ids=["eager", "to_static"])
@pytest.mark.parametrize(
    ("dtype", "number"),
    [("uint8", -1), ("uint8", 256), ("int8", 128), ("int32", 2**31), ("int64", 2**63)],
)
@pytest.mark.parametrize(
    "function",
    [lambda x, n: x + n, lambda x, n: pd.where(x > 3, x, n), lambda x, n: pd.full_like(x, n)],
    ids=["add", "where", "full_like"],
)
def test_a_number_that_an_integer_dtype_does_not_hold_is_refused(run, dtype, number, function):
    x = pd.to_tensor([0, 1, 100], dtype=dtype)
    with pytest.raises(ArgumentError, match=r"out of bounds|outside of|too large"):
        run(lambda x: function(x, number))(x)
