"""Products of matrices and vectors: wrappers and methods; the rest is in test_ops."""

import numpy as np
import pytest

import twinoar
from twinoar import nn
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import DTypeError, ShapeError, TypeMismatchError
from twinoar.ops.linalg.matmul import addmm, inner, matmul, mm, outer

random = np.random.default_rng(0)


def normal(*shape):
    return random.standard_normal(shape).astype("float32")


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ((3,), (3,)),
        ((3,), (5, 3, 2)),
        ((5, 2, 3), (3,)),
        ((5, 1, 2, 3), (4, 3, 6)),
        ((2, 5, 3), (3, 4)),
    ],
)
def test_matmul_is_numpys(x, y):
    a, b = normal(*x), normal(*y)
    found = matmul(to_tensor(a), to_tensor(b)).numpy()
    np.testing.assert_allclose(found, np.matmul(a, b), rtol=1e-5, atol=1e-6)


def test_transposing_a_vector_does_nothing():
    a, b = to_tensor(normal(3)), to_tensor(normal(3, 4))
    np.testing.assert_array_equal(matmul(a, b, transpose_x=True).numpy(), matmul(a, b).numpy())


def test_the_operator_at_works_from_both_sides():
    a, b = normal(2, 3), normal(3, 2)
    np.testing.assert_allclose((to_tensor(a) @ to_tensor(b)).numpy(), a @ b, rtol=1e-5)
    np.testing.assert_allclose(to_tensor(b).__rmatmul__(to_tensor(a)).numpy(), a @ b, rtol=1e-5)


def test_unknown_sizes_are_inferred():
    specs = Spec.parse("f32[N,T,8]"), Spec.parse("f32[8,4]")
    (out,) = trace(lambda x, y: matmul(x, y), *specs).main.outputs
    assert str(out.spec) == "f32[N,T,4]"


def test_the_message_names_the_transposes():
    with pytest.raises(ShapeError, match=r"x has 2 columns and y 4 rows.*transpose_x=True"):
        matmul(to_tensor(normal(2, 3)), to_tensor(normal(4, 3)), transpose_x=True)


def test_outer_flattens():
    a, b = normal(2, 3), normal(4)
    np.testing.assert_allclose(outer(to_tensor(a), to_tensor(b)).numpy(), np.outer(a, b), rtol=1e-6)


def test_inner_is_numpys():
    a, b = normal(2, 3), normal(4, 5, 3)
    np.testing.assert_allclose(inner(to_tensor(a), to_tensor(b)).numpy(), np.inner(a, b), rtol=1e-5)


def test_inner_with_a_number_multiplies():
    assert inner(to_tensor(2.0), to_tensor([1.0, 3.0])).tolist() == [2.0, 6.0]


def test_mm_is_matmul():
    a, b = to_tensor(normal(2, 3)), to_tensor(normal(3, 4))
    np.testing.assert_array_equal(mm(a, b).numpy(), matmul(a, b).numpy())


def test_addmm_broadcasts_its_input():
    a, x, y = normal(4), normal(2, 3), normal(3, 4)
    found = addmm(*map(to_tensor, (a, x, y)), beta=0.5, alpha=2.0).numpy()
    np.testing.assert_allclose(found, 0.5 * a + 2 * (x @ y), rtol=1e-5, atol=1e-6)


def by_a_matrix(x):
    return matmul(x, twinoar.ones([4, 3]))


@pytest.mark.parametrize(
    ("make", "shape"),
    [
        (lambda: nn.Linear(4, 3), [2, 4]),
        (lambda: nn.LSTM(4, 3), [2, 5, 4]),
        (lambda: nn.LSTMCell(4, 3), [2, 4]),
        (lambda: nn.Conv1D(4, 3, 1), [2, 4, 5]),
        (lambda: nn.Conv2DTranspose(4, 3, 1), [2, 4, 5, 5]),
        (lambda: by_a_matrix, [2, 4]),
    ],
)
@pytest.mark.parametrize("dtype", ["float64", "uint8", "int64", "bfloat16"])
def test_products_of_two_dtypes_are_refused(make, shape, dtype):
    product, x = make(), twinoar.ones(shape, dtype)
    with pytest.raises(DTypeError, match="expected tensors of one dtype"):
        product(x)
    with pytest.raises(DTypeError, match="expected tensors of one dtype"):
        twinoar.jit.to_static(product)(x)


def test_an_array_for_a_layer_is_refused():
    with pytest.raises(TypeMismatchError, match="expected a Tensor, received ndarray"):
        nn.Linear(4, 3)(np.ones((2, 4), "float32"))


def test_the_operator_brings_the_right_side_to_the_dtype_of_the_left():
    x, y = twinoar.ones([2, 2]), np.ones((2, 2))
    assert (x @ y).dtype == "float32" == (x @ twinoar.to_tensor(y)).dtype
    assert (twinoar.to_tensor(y) @ x).dtype == "float64"
    assert (x @ twinoar.ones([2], "int64")).dtype == "float32"


def test_a_wider_bias_widens_what_it_is_added_to():
    bias = twinoar.ones([3], "float64")
    out = nn.functional.linear(twinoar.ones([2, 4]), twinoar.ones([4, 3]), bias)
    assert out.dtype == "float64"


@pytest.mark.parametrize("mode", ["eager", "to_static"])
@pytest.mark.parametrize("product", [twinoar.addmm, twinoar.baddbmm])
def test_with_beta_0_nothing_of_the_input_counts(mode, product):
    shape = [1, 2, 2] if product is twinoar.baddbmm else [2, 2]
    given = to_tensor(np.full(shape, np.nan, "float32"), stop_gradient=False)
    call = twinoar.jit.to_static(product) if mode == "to_static" else product
    out = call(given, twinoar.ones(shape), twinoar.ones(shape), beta=0.0)
    out.sum().backward()
    np.testing.assert_array_equal(out.numpy(), np.full(shape, 2.0))
    np.testing.assert_array_equal(given.grad.numpy(), np.zeros(shape))
