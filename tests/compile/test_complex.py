"""Complex numbers in the loop language are what NumPy's kernels and functions say."""

import warnings

import numpy as np
import pytest

from tests.compile.test_rules import RULED, last_call
from tests.complex_samples import in_complex
from tests.samples import every_sample
from twinoar.compile.element import result_reader
from twinoar.compile.evaluation import elements, reader_of
from twinoar.core.dtype import BY_NUMPY, complex64, float32, float64
from twinoar.core.loop import language as loop
from twinoar.core.loop import pairs
from twinoar.core.loop.expression import walk
from twinoar.core.loop.pair_functions import FUNCTIONS
from twinoar.core.spec import Spec
from twinoar.errors import DTypeError
from twinoar.testing.calls import arrays_of, run_eagerly
from twinoar.testing.checks import close

ORDER = "the least and the greatest of complex numbers, which the loop language does not have"
MANY = "more than eight parts, each of which a procedure copies"
REAL = "a function of real numbers, of which NumPy's kernel makes something"
ON_NUMPY = {
    "amax": ORDER,
    "amin": ORDER,
    "argmax": ORDER,
    "argmin": ORDER,
    "clip": ORDER,
    "concat": MANY,
    "derivative_of_digamma": REAL,
    "digamma": REAL,
    "erf": REAL,
    "erfinv": REAL,
    "i0": REAL,
    "i0e": REAL,
    "i1": REAL,
    "i1e": REAL,
    "lgamma": REAL,
    "log_softmax": ORDER,
    "logsumexp": ORDER,
    "max": ORDER,
    "maximum": ORDER,
    "min": ORDER,
    "minimum": ORDER,
    "softmax": ORDER,
    "stack": MANY,
}


@every_sample(RULED)
def test_rules_serve_complex_operands_or_have_a_reason(op, sample):
    sample = in_complex(op, sample)
    arrays = arrays_of(sample)
    operator, operands = last_call(op, sample, arrays)
    results = run_eagerly(op, sample, arrays)
    specs = [None if r is None else Spec(r.shape, BY_NUMPY[r.dtype]) for r in results]
    for n, wanted in enumerate(results):
        reader = result_reader(op, operands, operator.attrs, specs, n)
        if reader is None:
            assert op.name in ON_NUMPY
        elif wanted is not None:
            close(elements(reader, exact=True), wanted, max(sample.tolerance, 1e-6))


SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 1e-3, np.inf, -np.inf, np.nan, 30.0, -800.0, 1e3]
NUMPYS = {
    "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh,
    "atan": np.arctan, "atanh": np.arctanh, "rsqrt": lambda z: 1 / np.sqrt(z),
    "sigmoid": lambda z: 1 / (1 + np.exp(-z)),
}  # fmt: skip
C99 = ["abs", "cos", "cosh", "exp", "log", "log10", "log2", "sin", "sinh", "sqrt", "tan", "tanh"]
UNARY = [*sorted(FUNCTIONS.keys() - {"pow"}), "abs", "sqrt"]
UNITS = 4  # in the last place, of the size of a result
MORE_UNITS = {"exp2": 32, "sigmoid": 128}  # far from the real axis, and near a pole


def of_parts(real, imag):
    z = np.empty(real.shape, np.complex128)
    z.real, z.imag = real, imag
    return z


def computed(name, *arrays):
    readers = [reader_of(a) for a in arrays]
    function = getattr(loop, name)
    dtype = function(*[r[0] for r in readers]).dtype
    one = loop.Reader(arrays[0].shape, dtype, lambda i: function(*[r[i] for r in readers]))
    return elements(one, exact=True)


def numpys(name, *arrays):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return (NUMPYS.get(name) or getattr(np, name))(*arrays)


def spread(count):
    random = np.random.default_rng(count)
    parts = random.standard_normal((2, count)) * np.exp(random.uniform(-3, 3, (2, count)))
    return of_parts(*parts)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", UNARY)
def test_functions_are_within_a_few_units_in_the_last_place(name, dtype):
    z = spread(4000).astype(dtype)
    wide = np.clongdouble if dtype == "complex128" else np.complex128
    wanted = numpys(name, z.astype(wide))
    unit = np.finfo(z.real.dtype).eps * np.abs(wanted)
    assert (np.abs(computed(name, z) - wanted) <= MORE_UNITS.get(name, UNITS) * unit).all()


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", C99)
def test_special_values_are_those_of_c99(name, dtype):
    parts = np.array(SPECIAL)
    z = of_parts(*map(np.ravel, np.meshgrid(parts, parts))).astype(dtype)
    found, wanted = computed(name, z), numpys(name, z)
    is_open = ~np.isfinite(z.real) & ~np.isfinite(z.imag)  # C99 leaves some signs open
    for a, b in ((found.real, wanted.real), (found.imag, wanted.imag)):
        np.testing.assert_allclose(a[~is_open], b[~is_open], 1e-5)
        np.testing.assert_allclose(np.abs(a[is_open]), np.abs(b[is_open]), 1e-5)


@pytest.mark.parametrize("name", ["asin", "acos", "atan", "asinh", "acosh", "atanh"])
def test_signs_of_zeros_say_on_which_side_of_a_cut_a_number_lies(name):
    parts = np.array([x for x in SPECIAL if not np.isnan(x)])
    z = of_parts(*map(np.ravel, np.meshgrid(parts, parts)))
    found, wanted = computed(name, z), numpys(name, z)
    np.testing.assert_allclose(found.real, wanted.real, 1e-9)
    np.testing.assert_allclose(found.imag, wanted.imag, 1e-9)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e160, 1e300])
def test_sizes_quotients_and_roots_do_not_overflow_on_the_way(scale):
    x, y = spread(500) * scale, spread(501)[1:] * scale
    for name, arrays in (("abs", (x,)), ("div", (x, y)), ("sqrt", (x,)), ("log", (x,))):
        wanted = {"div": np.divide}.get(name) or getattr(np, name)
        np.testing.assert_allclose(computed(name, *arrays), wanted(*arrays), 1e-14)


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div"])
def test_arithmetic_with_infinities_is_numpys(name):
    parts = np.array([0.0, -0.0, 1.5, -2.0, np.inf, -np.inf, np.nan])
    grid = of_parts(*map(np.ravel, np.meshgrid(parts, parts)))
    x, y = (np.ravel(a) for a in np.meshgrid(grid, grid))
    wanted = numpys({"sub": "subtract", "mul": "multiply", "div": "divide"}.get(name, name), x, y)
    np.testing.assert_array_equal(computed(name, x, y), wanted)


@pytest.mark.parametrize("name", ["lt", "le", "eq"])
def test_complex_numbers_are_compared_as_numpy_does(name):
    parts = np.array([0.0, -0.0, 1.0, np.inf, np.nan])
    grid = of_parts(*map(np.ravel, np.meshgrid(parts, parts)))
    x, y = (np.ravel(a) for a in np.meshgrid(grid, grid))
    wanted = {"lt": np.less, "le": np.less_equal, "eq": np.equal}[name](x, y)
    np.testing.assert_array_equal(computed(name, x, y), wanted)


def element(dtype=np.complex64):
    return reader_of(np.ones(3, dtype))[1]


def test_what_is_moved_is_one_load_and_what_is_computed_is_of_real_numbers():
    z = element()
    assert pairs.of_parts(loop.real(z), loop.imag(z)) is z
    assert loop.conj(loop.conj(z)).dtype is complex64
    found = loop.exp(z * z + 1j) / z
    below = [e.dtype for e in walk(found) if e is not found]
    assert not any(dtype.is_complex for dtype in below)


@pytest.mark.parametrize(
    "use",
    [
        lambda z: loop.max(z, z + 1),
        lambda z: loop.floor(z),
        lambda z: loop.erf(z),
        lambda z: loop.cast(z, float32),
        lambda z: loop.argmax((3,), lambda k: z),
        lambda z: loop.bitcast(z, float64),
    ],
)
def test_what_complex_numbers_do_not_have_is_refused(use):
    with pytest.raises(DTypeError):
        use(element())
