"""Sparse tensors against dense ones: results, and gradients of the values."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import sparse
from twinoar.errors import ArgumentError, ShapeError, TypeMismatchError

PLACES = [[0, 1, 2, 2], [1, 2, 0, 2]]
DENSE = np.array([[0, 0.1, 0], [0, 0, -0.2], [0.3, 0, 0.4]])
OTHER = np.array([[0, 0.5, 0], [0.6, 0, 0], [0, 0, 0.7]])


def coo(matrix=DENSE):
    places = np.stack(np.nonzero(matrix))
    values = paddle.to_tensor(matrix[tuple(places)], stop_gradient=False)
    return sparse.sparse_coo_tensor(places, values, matrix.shape)


def csr(matrix=DENSE):
    return coo(matrix).to_sparse_csr()


def wide(x):
    return paddle.to_tensor(np.asarray(x, "float64"), stop_gradient=False)


@pytest.mark.parametrize("make", [coo, csr])
def test_the_parts_of_a_tensor_are_told(make):
    x = make()
    assert (x.shape, x.ndim, x.nnz(), x.dtype) == ([3, 3], 2, 4, paddle.float64)
    assert x.is_sparse_coo() != x.is_sparse_csr()
    np.testing.assert_array_equal(x.numpy(), DENSE)
    np.testing.assert_array_equal(x.to_sparse_coo().indices(), PLACES)
    rows = x.to_sparse_csr()
    assert (rows.crows().tolist(), rows.cols().tolist()) == ([0, 1, 2, 4], [1, 2, 0, 2])
    assert "values=[0.1" in repr(x)


def test_elements_of_one_position_add_up():
    x = sparse.sparse_coo_tensor([[0, 0, 1], [1, 1, 0]], [1.0, 2.0, 3.0])
    assert x.to_dense().tolist() == [[0.0, 3.0], [3.0, 0.0]]
    joined = x.coalesce()
    assert (joined.nnz(), joined.is_coalesced(), x.is_coalesced()) == (2, True, False)
    assert joined.values().tolist() == [3.0, 3.0]


def test_rows_of_values_are_held_too():
    x = sparse.sparse_coo_tensor([[2, 0]], [[1.0, 2.0], [3.0, 4.0]])
    assert x.to_dense().tolist() == [[3.0, 4.0], [0.0, 0.0], [1.0, 2.0]]
    assert sparse.sum(x, axis=1).to_dense().tolist() == [7.0, 0.0, 3.0]


@pytest.mark.parametrize("make", [coo, csr])
@pytest.mark.parametrize(
    "name",
    ["abs", "asin", "asinh", "atan", "atanh", "deg2rad", "expm1", "log1p", "neg", "rad2deg",
     "sin", "sinh", "square", "tan", "tanh"],
)  # fmt: skip
def test_functions_of_elements_are_those_of_dense_tensors(name, make):
    x, dense = make(), wide(DENSE)
    held = x.values()
    held.retain_grads()
    out = getattr(sparse, name)(x)
    expected = getattr(paddle, name)(dense)
    np.testing.assert_allclose(out.numpy(), expected, rtol=1e-12)
    out.values().sum().backward()
    expected.sum().backward()
    np.testing.assert_allclose(x.with_values(held.grad).numpy(), dense.grad.numpy() * (DENSE != 0))


@pytest.mark.parametrize("make", [coo, csr])
@pytest.mark.parametrize("name", ["add", "subtract", "multiply"])
def test_arithmetic_is_that_of_dense_tensors(name, make):
    x, y = make(), make(OTHER)
    out = getattr(sparse, name)(x, y)
    np.testing.assert_allclose(out.numpy(), getattr(np, name)(DENSE, OTHER))
    assert type(out) is type(x)
    assert out.nnz() == 5  # where one of them has an element


def test_quotients_have_all_elements():
    with np.errstate(all="ignore"):
        expected = DENSE / OTHER
    np.testing.assert_allclose(sparse.divide(coo(), coo(OTHER)).numpy(), expected)
    np.testing.assert_allclose(sparse.divide(csr(), 2.0).numpy(), DENSE / 2)
    np.testing.assert_allclose(sparse.multiply(csr(), 2.0).numpy(), DENSE * 2)


def test_products_and_their_gradients_are_those_of_dense_tensors():
    values, y = wide([0.1, -0.2, 0.3, 0.4]), wide(np.arange(6.0).reshape(3, 2))
    x = sparse.sparse_coo_tensor(PLACES, values, [3, 3])
    (sparse.matmul(x, y) ** 2).sum().backward()
    dense, z = wide(DENSE), wide(np.arange(6.0).reshape(3, 2))
    (paddle.matmul(dense, z) ** 2).sum().backward()
    np.testing.assert_allclose(values.grad, dense.grad.numpy()[tuple(PLACES)], rtol=1e-12)
    np.testing.assert_allclose(y.grad, z.grad, rtol=1e-12)


@pytest.mark.parametrize("make", [coo, csr])
def test_products_of_all_kinds(make):
    x, y = make(), wide(np.arange(6.0).reshape(3, 2))
    np.testing.assert_allclose(sparse.matmul(x, make(OTHER)).numpy(), DENSE @ OTHER)
    np.testing.assert_allclose(sparse.mv(x, y[:, 0]), DENSE @ y.numpy()[:, 0])
    np.testing.assert_allclose(
        sparse.addmm(y, x, y, 2.0, 3.0), 2 * y.numpy() + 3 * (DENSE @ y.numpy())
    )
    masked = sparse.masked_matmul(y, paddle.transpose(y, [1, 0]), x)
    np.testing.assert_allclose(masked.numpy(), (y.numpy() @ y.numpy().T) * (DENSE != 0))
    assert sparse.mask_as(y @ y.t(), x).numpy().tolist() == masked.numpy().tolist()


@pytest.mark.parametrize("make", [coo, csr])
def test_sums_and_shapes(make):
    x = make()
    assert sparse.sum(x).shape == [1]
    assert sparse.sum(x).to_dense().item() == pytest.approx(DENSE.sum())
    np.testing.assert_allclose(sparse.sum(x, axis=0).numpy(), DENSE.sum(0))
    np.testing.assert_allclose(sparse.sum(x, -1, keepdim=True).numpy(), DENSE.sum(1)[:, None])
    np.testing.assert_allclose(sparse.transpose(x, [1, 0]).numpy(), DENSE.T)
    np.testing.assert_allclose(sparse.reshape(x, [-1, 9]).numpy(), DENSE.reshape(1, 9))
    assert sparse.cast(x, value_dtype="float32").dtype == paddle.float32
    assert sparse.pow(x, 2).numpy().tolist() == (DENSE**2).tolist()
    assert sparse.is_same_shape(x, wide(DENSE))


@pytest.mark.parametrize("make", [coo, csr])
def test_activations(make):
    x = make()
    np.testing.assert_allclose(sparse.nn.ReLU()(x).numpy(), DENSE.clip(0))
    np.testing.assert_allclose(sparse.nn.ReLU6()(x).numpy(), DENSE.clip(0, 6))
    leaky = np.where(DENSE < 0, DENSE * 0.5, DENSE)
    np.testing.assert_allclose(sparse.nn.LeakyReLU(0.5)(x).numpy(), leaky)
    leaky = sparse.nn.functional.leaky_relu(x, 0.5).numpy()
    np.testing.assert_allclose(leaky, np.where(DENSE < 0, DENSE * 0.5, DENSE))
    powers = np.where(DENSE != 0, np.exp(DENSE), 0)
    softened = sparse.nn.Softmax()(x).numpy()
    np.testing.assert_allclose(softened, powers / powers.sum(1, keepdims=True))


def test_what_does_not_fit_is_refused():
    with pytest.raises(ArgumentError, match="do not lie in the shape"):
        sparse.sparse_coo_tensor([[5]], [1.0], [2])
    with pytest.raises(ShapeError, match="indices must be"):
        sparse.sparse_coo_tensor([[0, 1]], [1.0])
    with pytest.raises(ArgumentError, match="do not fit together"):
        sparse.sparse_csr_tensor([0, 2, 1], [0], [1.0], [2, 2])
    with pytest.raises(ShapeError, match="one shape"):
        sparse.add(coo(), coo(OTHER[:2]))
    with pytest.raises(ShapeError, match="of 2 columns"):
        sparse.matmul(coo(), paddle.ones([2, 2]))
    with pytest.raises(TypeMismatchError, match="to be a sparse tensor"):
        sparse.sin(paddle.ones([2]))
    with pytest.raises(ArgumentError, match="axis must be the last"):
        sparse.nn.functional.softmax(coo(), axis=0)


@pytest.mark.parametrize("make", [coo, csr])
@pytest.mark.parametrize(
    ("axes", "starts", "ends"), [([0], [1], [3]), ([1, 0], [-2, 0], [100, -1]), ([1], [2], [1])]
)
def test_a_slice_holds_what_the_dense_one_has(make, axes, starts, ends):
    found = sparse.slice(make(), axes, starts, ends)
    expected = DENSE
    for axis, start, end in zip(axes, starts, ends, strict=True):
        expected = expected[(slice(None),) * axis + (slice(start, end),)]
    np.testing.assert_array_equal(found.to_dense(), expected)
    assert found.is_sparse_csr() == make().is_sparse_csr()


def test_a_slice_cuts_rows_of_values_too():
    x = sparse.sparse_coo_tensor([[2, 0]], wide([[1.0, 2.0], [3.0, 4.0]]), [3, 2])
    y = sparse.slice(x, paddle.to_tensor([0, 1]), [1, -1], [3, 2])
    assert (y.shape, y.to_dense().tolist()) == ([2, 1], [[0.0], [2.0]])
    assert paddle.grad(y.values().sum(), x.values())[0].tolist() == [[0.0, 1.0], [0.0, 0.0]]
    with pytest.raises(ShapeError, match="equally many"):
        sparse.slice(x, [0], [1, 2], [2])


def test_attention_sees_what_the_mask_has():
    paddle.seed(0)
    q, k, v = (paddle.randn([2, 3, 4, 5]) for _ in range(3))
    wanted = np.random.default_rng(0).random([2, 3, 4, 4]) > 0.4
    wanted[..., 0] = True
    mask = paddle.to_tensor(wanted.reshape(6, 4, 4).astype("float32")).to_sparse_coo(3)
    padding, seen = np.array([[1, 1, 1, 0], [1, 1, 1, 1.0]]), np.tril(np.ones([4, 4]))
    out = sparse.nn.functional.attention(
        q, k, v, mask, paddle.to_tensor(padding), paddle.to_tensor(seen)
    )
    allowed = wanted & (padding[:, None, None] != 0) & (seen != 0)
    scores = np.where(allowed, q.numpy() @ k.numpy().swapaxes(-1, -2) / 5**0.5, -np.inf)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    expected = powers / powers.sum(-1, keepdims=True) @ v.numpy()
    np.testing.assert_allclose(out, expected, atol=1e-5)
    with pytest.raises(ShapeError, match="sparse_mask"):
        sparse.nn.functional.attention(q, k, v, coo())


def test_principal_components_are_those_of_the_dense_matrix():
    paddle.seed(0)
    left, sizes, right = sparse.pca_lowrank(coo(), 2)
    centered = DENSE - DENSE.mean(0)
    exact = np.linalg.svd(centered, compute_uv=False)
    np.testing.assert_allclose(sizes, exact[:2], atol=1e-6)
    assert (left.shape, right.shape) == ([3, 2], [3, 2])
