"""Linear algebra on top of decompositions, against NumPy's and against finite differences."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from tests.ops.slope import require_slope

RANDOM = np.random.default_rng(0)
SQUARE = RANDOM.standard_normal((2, 3, 3))
TALL, WIDE = RANDOM.standard_normal((4, 2)), RANDOM.standard_normal((2, 4))
linalg, tensor = paddle.linalg, paddle.to_tensor

FUNCTIONS = {
    "pinv of tall matrices": (linalg.pinv, TALL),
    "pinv of wide matrices": (linalg.pinv, WIDE),
    "pinv of symmetric ones": (lambda x: linalg.pinv(x @ x.mT, hermitian=True), SQUARE),
    "matrix_power": (lambda x: linalg.matrix_power(x, 3), SQUARE),
    "matrix_power of the inverse": (lambda x: linalg.matrix_power(x, -2), SQUARE),
    "cond": (linalg.cond, SQUARE),
    "cond of the Frobenius norm": (lambda x: linalg.cond(x, "fro"), SQUARE),
    "lu": (lambda x: linalg.lu(x)[0], SQUARE),
    "lu_solve": (lambda x: linalg.lu_solve(x, *linalg.lu(tensor(SQUARE))), SQUARE),
    "householder_product": (lambda x: linalg.householder_product(x, tensor(TALL[0])), TALL),
    "cov": (linalg.cov, TALL),
    "corrcoef": (linalg.corrcoef, TALL),
    "norm over two axes": (lambda x: linalg.norm(x, "fro", [0, 2], keepdim=True), SQUARE),
    "norm of an order": (lambda x: linalg.vector_norm(x, 3.0, [0, 1]), SQUARE),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradient_is_the_slope(name: str) -> None:
    require_slope(*FUNCTIONS[name])


@pytest.mark.parametrize("x", [SQUARE, TALL, WIDE])
def test_factors_of_lu_make_the_matrix(x: np.ndarray) -> None:
    exchanges, lower, upper = linalg.lu_unpack(*linalg.lu(tensor(x)))
    np.testing.assert_allclose((exchanges @ lower @ upper).numpy(), x, atol=1e-12)


@pytest.mark.parametrize("trans", ["N", "T", "C"])
def test_lu_solve_solves(trans: str) -> None:
    out = linalg.lu_solve(tensor(SQUARE), *linalg.lu(tensor(SQUARE[::-1])), trans=trans).numpy()
    x = SQUARE[::-1] if trans == "N" else SQUARE[::-1].swapaxes(1, 2)
    np.testing.assert_allclose(x @ out, SQUARE, atol=1e-10)


def test_covariances_are_numpys() -> None:
    x, often, much = tensor(TALL), [1, 2], [0.1, 0.3]
    np.testing.assert_allclose(linalg.cov(x).numpy(), np.cov(TALL))
    np.testing.assert_allclose(linalg.corrcoef(x).numpy(), np.corrcoef(TALL))
    found = linalg.cov(x, fweights=tensor(often), aweights=tensor(much)).numpy()
    np.testing.assert_allclose(found, np.cov(TALL, fweights=often, aweights=much), rtol=1e-6)
    for one, rowvar in ((TALL.T[:1], True), (TALL[:, :1], False)):
        found = linalg.cov(tensor(one), rowvar=rowvar).numpy()
        np.testing.assert_allclose(found, np.cov(one, rowvar=rowvar), strict=True)
    found = linalg.cov(x, rowvar=False, ddof=False).numpy()
    np.testing.assert_allclose(found, np.cov(TALL, rowvar=False, ddof=0))


@pytest.mark.parametrize("p", ["fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf])
def test_norms_of_matrices_are_numpys(p) -> None:
    found = linalg.matrix_norm(tensor(SQUARE), p, [0, 2], keepdim=True).numpy()
    np.testing.assert_allclose(found, np.linalg.norm(SQUARE, p, (0, 2), True))


@pytest.mark.parametrize("p", [0, 1, 2, 3.5, np.inf, -np.inf])
@pytest.mark.parametrize("axis", [None, 0, -1])
def test_norms_of_vectors_are_numpys(p: float, axis: int | None) -> None:
    x = SQUARE if axis is not None else SQUARE.reshape(-1)
    found = linalg.norm(tensor(x), p, axis).numpy()
    np.testing.assert_allclose(found, np.linalg.norm(x, p, axis))


def test_reflections_of_ormqr_are_orthogonal() -> None:
    x = paddle.ones([3, 2], "float64")
    tau = tensor(np.array([2 / 3, 1.0]))  # 2 / |v|^2
    y = tensor(TALL[:3])
    turned = linalg.ormqr(x, tau, y)
    back = linalg.ormqr(x, tau, turned, transpose=True)
    np.testing.assert_allclose(back.numpy(), TALL[:3], atol=1e-12)


def test_ranks_count_what_is_above_the_tolerance() -> None:
    x = tensor([[1.0, 0.0], [0.0, 1e-3]])
    assert linalg.matrix_rank(x).item() == 2
    assert linalg.matrix_rank(x, tol=0.01).item() == 1
    assert linalg.matrix_rank(x, rtol=0.01, hermitian=True).item() == 1


def test_least_squares_of_each_driver() -> None:
    x, y = tensor(TALL), tensor(TALL[:, :1] * 2.0 - TALL[:, 1:])
    for driver in ("gels", "gelsy", "gelsd", "gelss"):
        solution, residuals, rank, values = linalg.lstsq(x, y, driver=driver)
        np.testing.assert_allclose(solution.numpy(), [[2.0], [-1.0]])
        assert rank.item() == 2
        assert residuals.shape == ([0] if driver == "gelsy" else [1])
        assert values.shape == ([2] if driver in ("gelsd", "gelss") else [0])


def test_wrong_arguments_are_refused() -> None:
    x = paddle.eye(2)
    for wrong, message in (
        (lambda: linalg.lu(x, pivot=False), "pivot=False"),
        (lambda: linalg.matrix_norm(x, 3), "p must be one of"),
        (lambda: linalg.matrix_rank(x, tol=1.0, atol=1.0), "received both"),
        (lambda: linalg.lstsq(x, x, driver="qr"), "'qr' is none of"),
        (lambda: linalg.svd_lowrank(x, 3), "q must lie between"),
    ):
        with pytest.raises(paddle.errors.ArgumentError, match=message):
            wrong()


@pytest.mark.parametrize("size", [0.0, 2.0])
def test_gradients_through_equal_singular_values_and_eigenvalues_are_finite(size: float) -> None:
    identity = np.eye(3, dtype=np.float32)
    x = paddle.to_tensor(size * identity, stop_gradient=False)
    paddle.linalg.svdvals(x).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), identity)
    x.clear_grad()
    paddle.linalg.eigvalsh(x).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), identity)
    x.clear_grad()
    paddle.norm(x, axis=[0, 1]).backward()  # the largest singular value: all three share it
    np.testing.assert_allclose(x.grad.numpy(), identity / 3, rtol=1e-6)


@pytest.mark.parametrize(
    ("axis", "expected"), [(None, 30.0), ((0, 1), 30.0), ([1], [5.0, 25.0]), (0, [10.0, 20.0])]
)
def test_vecdot_sums_along_one_axis_or_several(axis, expected):
    x = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]])
    assert paddle.linalg.vecdot(x, x, axis).tolist() == expected


def test_vecdot_of_numbers_is_their_product():
    assert paddle.linalg.vecdot(paddle.to_tensor(2.0), paddle.to_tensor(3.0)).item() == 6.0
