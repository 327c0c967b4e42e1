"""Scans follow from a function of two elements: results, gradients, modes, and what is refused."""

from __future__ import annotations

import os
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest

import twinoar as paddle
from twinoar import custom, static
from twinoar.backends.choice import make_executable, may_compile
from twinoar.core.ir.builder import trace
from twinoar.core.op.definition import registry
from twinoar.core.spec import Spec
from twinoar.custom import language as s
from twinoar.errors import ArgumentError, AxisError, DTypeError, ShapeError, TypeMismatchError

RANDOM = np.random.default_rng(0)
A = RANDOM.uniform(0.5, 1.0, (3, 7, 2)).astype(np.float32)
B = RANDOM.standard_normal((3, 7, 2)).astype(np.float32)


def fading_sum():
    @custom.associative_scan
    def fading_sum(left, right):
        (a, x), (b, y) = left, right
        return a * b, b * x + y

    return fading_sum


def log_sum():
    @custom.associative_scan
    def log_sum(x, y, sharpness: float = 1.0):
        high = s.max(x, y)
        return high + s.log(s.exp((x - high) * sharpness) + s.exp((y - high) * sharpness)) / (
            sharpness
        )

    return log_sum


def by_segments():
    @custom.associative_scan
    def by_segments(left, right):
        (begun, x), (begins, y) = left, right
        return begun | begins, s.select(begins, y, x + y)

    return by_segments


def products():
    @custom.associative_scan
    def products_of_matrices(left, right):
        (a, b, c, d), (p, q, u, v) = left, right
        return p * a + q * c, p * b + q * d, u * a + v * c, u * b + v * d

    return products_of_matrices


BEGINS = RANDOM.random((3, 7)) < 0.4
MATRICES = tuple(RANDOM.standard_normal((4, 5)).astype(np.float32) for _ in range(4))


@pytest.mark.parametrize(
    ("make", "elems", "attrs"),
    [
        (fading_sum, (A, B), {}),
        (fading_sum, (A, B), {"axis": 1}),
        (fading_sum, (A, B), {"axis": -1, "reverse": True}),
        (fading_sum, (A[:, :1], B[:, :1]), {"axis": 1}),
        (fading_sum, (A[:, :0], B[:, :0]), {"axis": 1}),
        (fading_sum, (A[0, :, 0], B[0, :, 0]), {}),
        (log_sum, B, {"axis": 1}),
        (log_sum, B, {"axis": 1, "sharpness": 2.5}),
        (by_segments, (BEGINS, B[..., 0]), {"axis": 1}),
        (by_segments, (BEGINS, B[..., 0]), {"axis": 1, "reverse": True}),
        (products, MATRICES, {"axis": 1}),
    ],
)
def test_all_that_is_derived_agrees(make, elems, attrs):
    lines = custom.check(make(), elems, **attrs)
    assert "the second gradient is the slope of the first" in lines
    assert "native gradients are those of NumPy" in lines or not may_compile()


def one_by_one(a, b, axis, reverse=False):
    """The decayed sum, in float64."""
    a, b = (np.moveaxis(x.astype(np.float64), axis, 0)[:: -1 if reverse else 1] for x in (a, b))
    sums = [b[0]]
    for decay, x in zip(a[1:], b[1:], strict=True):
        sums.append(decay * sums[-1] + x)
    return np.moveaxis(np.array(sums)[:: -1 if reverse else 1], 0, axis)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    ("shape", "axis"),
    [
        ((100_003,), 0),  # a line in many parts
        ((32_896,), 0),  # in the fewest
        ((32_895,), 0),  # in none
        ((3, 40_000), 1),
        ((1500, 300), 0),  # columns in parts, the last few of them
        ((2, 70_001, 2), 1),
        ((20, 50, 7), 1),
        ((4, 700, 260), 1),
    ],
)
def test_large_scans_are_what_one_step_after_another_gives(shape, axis, reverse):
    random = np.random.default_rng(1)
    a, b = random.uniform(-1, 1, shape), random.standard_normal(shape)
    op = fading_sum()
    wanted = one_by_one(a, b, axis, reverse)
    for dtype, tolerance in (("float32", 2e-5), ("float64", 1e-12)):
        given = tuple(paddle.to_tensor(x.astype(dtype)) for x in (a, b))
        found = op(given, reverse, axis)[1].numpy()
        np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)


def test_integers_stay_integers_and_are_exact_in_parts():
    @custom.associative_scan
    def remainder_of_products(x, y):
        return x * y % 1009

    x = np.random.default_rng(2).integers(1, 1009, 50_000)
    wanted, so_far = [], 1
    for value in x.tolist():
        so_far = so_far * value % 1009
        wanted.append(so_far)
    found = remainder_of_products(paddle.to_tensor(x))
    assert found.dtype == paddle.int64
    np.testing.assert_array_equal(found.numpy(), wanted)


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize("shape", [(40, 300), (200_000,)])
def test_16_bit_floats_run_in_float32(dtype, shape):
    random = np.random.default_rng(3)
    a, b = random.uniform(-1, 1, shape).astype(dtype), random.standard_normal(shape).astype(dtype)
    found = fading_sum()((paddle.to_tensor(a), paddle.to_tensor(b)))[1]
    wanted = one_by_one(a, b, 0)
    assert found.numpy().dtype == dtype
    error = 2.0**-8 if dtype is not np.float16 else 2.0**-11
    np.testing.assert_allclose(found.astype("float64").numpy(), wanted, error, 1e-5)


def test_gradients_of_long_lines_are_those_of_single_steps():
    random = np.random.default_rng(4)
    a, b, g = random.uniform(-1, 1, 40_000), *random.standard_normal((2, 40_000))
    x, y = (paddle.to_tensor(v, stop_gradient=False) for v in (a, b))
    (fading_sum()((x, y))[1] * paddle.to_tensor(g)).sum().backward()
    sums, back = one_by_one(a, b, 0), one_by_one(np.append(a[1:], 0.0), g, 0, True)
    np.testing.assert_allclose(y.grad.numpy(), back, 1e-9, 1e-9)
    np.testing.assert_allclose(x.grad.numpy(), np.append(0.0, back[1:] * sums[:-1]), 1e-9, 1e-9)


def test_what_is_not_used_makes_no_gradient_nan():
    @custom.associative_scan
    def by_logarithms(x, y):
        return s.exp(s.log(x) + s.log(y))

    x = paddle.to_tensor([2.0, 0.5, 3.0, 0.0], stop_gradient=False)
    by_logarithms(x)[:3].sum().backward()
    np.testing.assert_allclose(x.grad.numpy()[:3], [3.0, 8.0, 1.0], rtol=1e-5)


@pytest.mark.skipif(not may_compile(), reason="Programs run on NumPy here")
def test_it_is_one_line_in_a_program_and_runs_as_loops():
    op = fading_sum()
    program = trace(lambda a, b: op((a, b * 2.0), axis=1)[1], *[Spec.parse("f32[N,7,2]")] * 2)
    assert [o.op.name for o in program.main.ops] == ["multiply", "fading_sum"]
    executable = make_executable(program)
    names = [v.name for v in program.main.inputs]
    (found,), _ = executable.run(dict(zip(names, (A, B), strict=True)), {})
    np.testing.assert_allclose(found, one_by_one(A, 2 * B, 1), 1e-5, 1e-6)
    assert "numpy" not in executable.explain()


def test_lengths_that_only_a_run_knows_get_gradients_in_programs():
    op = fading_sum()

    @paddle.jit.to_static(input_spec=[static.InputSpec([3, None, 2])] * 2)
    def loss(a, b):
        return (op((a, b), axis=1)[1] ** 2).sum()

    for length in (1, 4, 7):
        a, b, c, d = (
            paddle.to_tensor(x[:, :length].copy(), stop_gradient=False) for x in (A, B, A, B)
        )
        loss(a, b).backward()
        (op((c, d), axis=1)[1] ** 2).sum().backward()
        np.testing.assert_allclose(a.grad.numpy(), c.grad.numpy(), 1e-5, 1e-6)
        np.testing.assert_allclose(b.grad.numpy(), d.grad.numpy(), 1e-5, 1e-6)


def test_one_tensor_is_taken_as_it_is_and_in_a_tuple():
    @custom.associative_scan
    def greatest(x, y):
        return s.max(x, y)

    x = paddle.to_tensor(B)
    for found in (greatest(x), greatest((x,)), greatest([x]), greatest(elems=x)):
        np.testing.assert_array_equal(found.numpy(), np.maximum.accumulate(B, 0))


def test_a_given_gradient_takes_the_place_of_the_derived_one():
    op = log_sum()

    @op.grad
    def _(gs):
        return (gs[0] * 7.0,)

    x = paddle.to_tensor(B, stop_gradient=False)
    op(x).sum().backward()
    assert (x.grad.numpy() == 7.0).all()


def difference(x, y):
    return x - y


def half_the_sum(x, y):
    return (x + y) / 2


def with_if(x, y):
    return x if x > y else y


def of_numpy(x, y):
    return np.maximum(x, y)


def of_three(x, y):
    return x, y, x


def without_return(x, y):
    s.max(x, y)


def to_another_dtype(x, y):
    return s.cast(x, paddle.float64) + s.cast(y, paddle.float64)


def with_reduction(x, y):
    return s.sum([2], lambda k: s.max(x, y) / 2)


@pytest.mark.parametrize(
    ("rule", "error", "messages"),
    [
        (difference, ArgumentError, ["is not associative", "check=False"]),
        (half_the_sum, ArgumentError, ["is not associative"]),
        (with_if, ArgumentError, ["no truth", "s.select(condition, a, b)"]),
        (of_numpy, ArgumentError, ["custom.language"]),
        (of_three, TypeMismatchError, ["one element", "1, received 3"]),
        (without_return, TypeMismatchError, ["received NoneType"]),
        (to_another_dtype, DTypeError, ["of float32 becomes float64", "s.cast(value, a.dtype)"]),
        (with_reduction, ArgumentError, ["has a reduction"]),
    ],
)
def test_a_wrong_function_is_named_with_a_cure(rule, error, messages):
    op = custom.associative_scan(rule)
    with pytest.raises(error) as caught:
        op(paddle.to_tensor(B))
    for message in [rule.__name__, "cure:", *messages]:
        assert message in str(caught.value)


def test_a_function_may_be_associative_on_data_alone():
    @custom.associative_scan(check=False)
    def last_one(x, y):
        return x - x + y

    np.testing.assert_array_equal(last_one(paddle.to_tensor(B)).numpy(), B)


def one_parameter(x):
    return x


def three_parameters(x, y, z):
    return x


def own_parameter(x, y, axis: int = 1):
    return x


@pytest.mark.parametrize(
    ("rule", "error", "message"),
    [
        (one_parameter, TypeMismatchError, "combines two elements, received the parameters x"),
        (three_parameters, TypeMismatchError, "received the parameters x, y, z"),
        (own_parameter, ArgumentError, "every scan has the parameter axis"),
        (lambda x, y: x, ArgumentError, "name is that of a Python function"),
    ],
)
def test_signatures_are_refused(rule, error, message):
    with pytest.raises(error, match=message):
        custom.associative_scan(rule)


@pytest.mark.parametrize(
    ("elems", "attrs", "error", "message"),
    [
        ((A, B[:2]), {}, ShapeError, r"one shape, received \[3, 7, 2\] and \[2, 7, 2\]"),
        ((A, B), {"axis": 3}, AxisError, "axis must be"),
        ((A[0, 0, 0], B[0, 0, 0]), {}, AxisError, "axis"),
        ((A, B.astype(np.float64)), {}, DTypeError, "float64"),
        ((A * 1j, B * 1j), {}, DTypeError, "elements are real numbers"),
        ((), {}, ArgumentError, "a scan needs a tensor"),
    ],
)
def test_calls_are_refused(elems, attrs, error, message):
    op = fading_sum()
    with pytest.raises(error, match=message):
        op(tuple(map(paddle.to_tensor, elems)), **attrs)


MODULE = """
from twinoar import custom

@custom.associative_scan
def fading_sum_of_module(left, right, rate: float = 1.0):
    (a, x), (b, y) = left, right
    return a * b, b * x + y
"""


def test_a_saved_model_computes_trains_and_needs_the_definition(tmp_path, monkeypatch):
    (tmp_path / "my_scans.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    import my_scans

    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.decay = self.create_parameter([2])

        def forward(self, b):
            decay = paddle.nn.functional.sigmoid(self.decay).expand_as(b)
            return my_scans.fading_sum_of_module((decay, b), axis=1)[1]

    net = Net()
    prefix = str(tmp_path / "net")
    paddle.jit.save(net, prefix, [static.InputSpec([None, 7, 2])])
    loaded = paddle.jit.load(prefix)
    for one in (net, loaded):
        one(paddle.to_tensor(B)).sum().backward()
    found, wanted = loaded(paddle.to_tensor(B)), net(paddle.to_tensor(B))
    np.testing.assert_allclose(found.numpy(), wanted.numpy(), 1e-5, 1e-6)
    (mine,), (theirs,) = (list(n.parameters()) for n in (net, loaded))
    np.testing.assert_allclose(theirs.grad.numpy(), mine.grad.numpy(), rtol=1e-6)
    registry.pop("fading_sum_of_module")
    monkeypatch.delitem(sys.modules, "my_scans")
    shown = subprocess.run(
        [sys.executable, "-c", "import twinoar; twinoar.jit.load('net')"],
        cwd=tmp_path, capture_output=True, text=True,
    ).stderr  # fmt: skip
    assert "the custom operator fading_sum_of_module is not defined" in shown
    assert "import my_scans" in shown


SCANS = """
import hashlib
import numpy as np
import twinoar as paddle
from twinoar import custom

@custom.associative_scan
def fading_sum(left, right):
    (a, x), (b, y) = left, right
    return a * b, b * x + y

digest = hashlib.sha256()
for shape, axis in (((300_000,), 0), ((3000, 300), 0), ((3, 50_000), 1), ((8, 100, 64), 1)):
    random = np.random.default_rng(0)
    a, b = random.uniform(-1, 1, shape), random.standard_normal(shape)
    a, b = (paddle.to_tensor(x.astype("float32"), stop_gradient=False) for x in (a, b))
    for _ in range(2):
        found = fading_sum((a, b), axis=axis)
        a.clear_grad(), b.clear_grad()
        (found[1] * found[1]).sum().backward()
        for x in (*found, a.grad, b.grad):
            digest.update(x.numpy().tobytes())
print(digest.hexdigest())
"""


def test_results_do_not_depend_on_the_number_of_threads():
    digests = {
        subprocess.run(
            [sys.executable, "-c", SCANS],
            env={**os.environ, "OMP_NUM_THREADS": threads},
            capture_output=True, text=True, check=True,
        ).stdout
        for threads in ("1", "2", "3")
    }  # fmt: skip
    assert len(digests) == 1
