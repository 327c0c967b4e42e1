"""Complex numbers in compiled Programs: what NumPy gives, gradients too, and never on NumPy."""

import numpy as np
import pytest

import twinoar as paddle
from tests.complex_samples import in_complex, is_complex
from tests.ops.test_ops import GOOD, SMOOTH
from tests.samples import every_sample
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Program, Variable
from twinoar.eager.tensor import SPECS
from twinoar.testing import checks
from twinoar.testing.calls import append_gradients, arrays_of, call, run_eagerly

pytestmark = pytest.mark.usefixtures("one_pass_for_most")

NAMES = {
    *("abs", "add", "angle", "as_complex", "as_real", "atan", "bmm", "broadcast_to"),
    *("cast", "concat", "conj", "cosh", "divide", "embedding", "equal", "exp", "gather", "isclose"),
    *("less_than", "linear", "log", "matmul", "mean", "multiply", "pow", "prod", "remainder"),
    *("reshape", "round", "select", "set_slice", "sgn", "sigmoid", "sign", "slice", "sqrt"),
    *("square", "stack", "sum", "tanh", "transpose", "tril", "unfold", "var"),
}


def named(cases):
    return [p for p in cases if p.values[0].name in NAMES]


def has_elements(op, sample):
    return all(a.size for a in (*arrays_of(sample), *run_eagerly(op, sample)))


@every_sample(named(GOOD))
def test_results(op, sample, strict):
    sample = in_complex(op, sample)
    if not has_elements(op, sample):
        pytest.skip("nothing is computed")
    checks.native_results(op, sample)


def in_random(spec, random):
    found = random.standard_normal(spec.shape)
    if spec.dtype.is_complex:
        found = found + 1j * random.standard_normal(spec.shape)
    return np.asarray(found, spec.dtype.numpy)


@pytest.mark.parametrize("order", [1, 2])
@every_sample([p for p in named(SMOOTH) if p.values[0].name != "remainder"])  # it refuses one
def test_gradients(op, sample, order):
    sample = in_complex(op, sample)
    random, arrays = np.random.default_rng(0), arrays_of(sample)
    program = Program("gradients")
    inputs = [
        program.main.add_input(SPECS[a.shape, a.dtype], stop_gradient=a.dtype.kind not in "fc")
        for a in arrays
    ]
    with using(Builder(program)):
        program.main.outputs = list(call(op, sample, inputs))
    for _ in range(order):
        results = [v for v in program.main.outputs if not v.stop_gradient]
        arrays += [in_random(v.spec, random) for v in results]
        seeds = [program.main.add_input(v.spec) for v in results]
        found = append_gradients(program, seeds, [v for v in inputs if not v.stop_gradient])
        program.main.outputs = [v for v in found if isinstance(v, Variable)]
    wanted, found = checks.on_both(program, arrays)
    for a, b in zip(found, wanted, strict=True):
        checks.agree(a, b, max(sample.tolerance, 1e-5))


def randoms(*shape, dtype="complex64"):
    random = np.random.default_rng(len(shape))
    return (random.standard_normal(shape) + 1j * random.standard_normal(shape)).astype(dtype)


def near(found, wanted, tolerance=1e-5):
    for a, b in zip(found, wanted, strict=True):
        assert a.dtype.kind == b.dtype.kind
        np.testing.assert_allclose(a, b, tolerance, tolerance * np.abs(b).max())


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_large_sums_products_and_means_over_each_axis(strict, dtype):
    z = randoms(300, 70, dtype=dtype)
    z /= np.abs(z)

    def reduced(x):
        y = x * paddle.conj(x) + x
        sums = [y.sum(0), y.sum(1), y.sum(), y.mean(0), y.mean()]
        return [*sums, paddle.prod(x, 0), paddle.prod(x, 1), paddle.prod(x)]

    found = paddle.jit.to_static(reduced)(paddle.to_tensor(z))
    y = z * z.conj() + z
    wanted = [y.sum(0), y.sum(1), y.sum(), y.mean(0), y.mean()]
    near([x.numpy() for x in found], [*wanted, z.prod(0), z.prod(1), z.prod()], 1e-4)


def test_a_sum_of_many_complex64_keeps_what_one_after_the_other_would_lose():
    count = 1 << 22
    z = paddle.full([count], 1 + 1j, "complex64")
    total = paddle.jit.to_static(lambda x: (x * 4).sum())(z)
    assert total.item() == 4 * count * (1 + 1j)


@pytest.mark.parametrize("transposed", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_products_of_matrices_are_products_of_real_ones(strict, dtype, transposed):
    left, right = randoms(2, 37, 29, dtype=dtype), randoms(29, 53, dtype=dtype)
    x, y = (
        a.swapaxes(-1, -2).copy() if t else a
        for a, t in zip((left, right), transposed, strict=True)
    )
    product = paddle.jit.to_static(lambda a, b: paddle.matmul(a, b, *transposed))
    near([product(paddle.to_tensor(x), paddle.to_tensor(y)).numpy()], [left @ right])


def test_parts_of_a_state_are_written_after_both_are_read(strict):
    z = paddle.to_tensor(randoms(50))
    start = z.numpy()

    @paddle.jit.to_static
    def turned(step):
        z.set_value(z * step + paddle.conj(z))
        return paddle.real(z), paddle.imag(z)

    wanted = start
    for _ in range(3):
        parts = turned(paddle.to_tensor(0.5 + 0.5j, "complex64"))
        wanted = wanted * (0.5 + 0.5j) + wanted.conj()
        near([x.numpy() for x in parts], [wanted.real, wanted.imag])
    near([z.numpy()], [wanted])


def test_rows_added_at_repeated_positions_have_both_parts():
    rows, index = randoms(6, 4), np.array([0, 2, 0, 2, 2, 1])

    def added(x, at):
        return paddle.index_add(paddle.zeros([3, 4], "complex64"), at, 0, x * 1j)

    wanted = np.zeros((3, 4), np.complex64)
    np.add.at(wanted, index, rows * 1j)
    found = paddle.jit.to_static(added)(paddle.to_tensor(rows), paddle.to_tensor(index))
    near([found.numpy()], [wanted])


def test_one_plan_serves_other_sizes(strict):
    function = paddle.jit.to_static(
        lambda x: (paddle.exp(x) * x).sum(1) + paddle.prod(x, 1),
        input_spec=[paddle.static.InputSpec([None, 5], "complex64")],
    )
    for rows in (3, 8, 31):
        z = randoms(rows, 5)
        wanted = (np.exp(z) * z).sum(1) + z.prod(1)
        near([function(paddle.to_tensor(z)).numpy()], [wanted])


def test_large_calls_in_eager_mode_are_compiled_and_views_stay_views():
    z = randoms(1 << 17)
    x = paddle.to_tensor(z)
    near([(x * x / (x + 1)).numpy()], [z * z / (z + 1)])
    paddle.real(x).fill_(0.0)
    assert is_complex(x.numpy()) and not x.numpy().real.any()


@pytest.mark.parametrize("shape", [(40000,), (300, 7), (3, 50)])
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_running_sums_and_products_are_numpys(strict, dtype, shape):
    z = randoms(*shape, dtype=dtype)
    z /= np.abs(z)

    def running(x):
        return [f(x, axis) for axis in range(x.ndim) for f in (paddle.cumsum, paddle.cumprod)]

    found = paddle.jit.to_static(running)(paddle.to_tensor(z))
    wanted = [f(z, axis) for axis in range(z.ndim) for f in (np.cumsum, np.cumprod)]
    near([x.numpy() for x in found], wanted, 1e-3 if dtype == "complex64" else 1e-10)
