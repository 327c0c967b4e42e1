"""Decompositions: what they give back together, and their gradients against finite differences."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from tests.ops.slope import require_slope

RANDOM = np.random.default_rng(0)
TALL, WIDE = RANDOM.standard_normal((2, 4, 3)), RANDOM.standard_normal((2, 3, 4))
SQUARE = RANDOM.standard_normal((2, 3, 3))
linalg = paddle.linalg


def symmetric(x: paddle.Tensor) -> paddle.Tensor:
    return x @ x.mT + paddle.eye(3, dtype="float64")


def low_rank(x: paddle.Tensor) -> paddle.Tensor:
    """U V^T of the decomposition, on which the signs of the vectors have no influence."""
    u, s, vh = linalg.svd(x)
    return u @ (paddle.exp(s).unsqueeze(-1) * vh)


def of_eigenvectors(x: paddle.Tensor) -> paddle.Tensor:
    values, vectors = linalg.eigh(symmetric(x))
    return vectors @ (paddle.exp(-values).unsqueeze(-1) * vectors.mT)


FUNCTIONS = {
    "cholesky": (lambda x: linalg.cholesky(symmetric(x)), SQUARE),
    "cholesky upper": (lambda x: linalg.cholesky(symmetric(x), upper=True), SQUARE),
    "eigh": (of_eigenvectors, SQUARE),
    "eigvalsh": (lambda x: linalg.eigvalsh(symmetric(x)), SQUARE),
    "svd of tall matrices": (low_rank, TALL),
    "svd of wide matrices": (low_rank, WIDE),
    "svdvals": (linalg.svdvals, TALL),
    "qr of wide matrices": (lambda x: paddle.concat(linalg.qr(x), -1), WIDE),
    "nuclear norm": (lambda x: linalg.norm(x, "nuc", [1, 2]), TALL),
    "spectral norm": (lambda x: linalg.matrix_norm(x, 2), TALL),
    "cholesky_solve": (lambda x: linalg.cholesky_solve(x, linalg.cholesky(symmetric(x))), SQUARE),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradient_is_the_slope(name: str) -> None:
    require_slope(*FUNCTIONS[name])


@pytest.mark.parametrize("x", [TALL, WIDE])
@pytest.mark.parametrize("full", [False, True])
def test_factors_of_svd_and_qr_make_the_matrix(x: np.ndarray, full: bool) -> None:
    k = min(x.shape[1:])
    u, s, vh = (part.numpy() for part in linalg.svd(paddle.to_tensor(x), full))
    np.testing.assert_allclose(u[..., :k] * s[:, None] @ vh[:, :k], x, atol=1e-12)
    q, r = linalg.qr(paddle.to_tensor(x), "complete" if full else "reduced")
    np.testing.assert_allclose((q @ r).numpy(), x, atol=1e-12)


def test_eigenvectors_of_any_matrix() -> None:
    values, vectors = (part.numpy() for part in linalg.eig(paddle.to_tensor(SQUARE)))
    np.testing.assert_allclose(SQUARE @ vectors, vectors * values[:, None], atol=1e-12)


def test_solve_takes_vectors_and_the_other_side() -> None:
    x, y = paddle.to_tensor(SQUARE), paddle.to_tensor(WIDE[:, 0, :3])
    np.testing.assert_allclose((x @ linalg.solve(x, y).unsqueeze(-1)).squeeze(-1), y, atol=1e-12)
    z = linalg.solve(x, x.mT, left=False)
    np.testing.assert_allclose((z @ x).numpy(), x.mT.numpy(), atol=1e-12)


def test_wrong_matrices_are_refused() -> None:
    for wrong, message in (
        (lambda: linalg.inv(paddle.zeros([2, 2])), "no inverse"),
        (lambda: linalg.cholesky(-paddle.eye(2)), "not positive definite"),
        (lambda: linalg.eigh(paddle.eye(2), "X"), "UPLO must be"),
        (lambda: linalg.qr(paddle.eye(2), "x"), "mode must be"),
        (lambda: linalg.svd(paddle.to_tensor([[1.2, 2.4], [-np.inf, 0.6]])), "infinite"),
        (lambda: linalg.cond(paddle.to_tensor([[1.2, np.nan], [0.7, 0.6]])), "not a number"),
    ):
        with pytest.raises(paddle.errors.ArgumentError, match=message):
            wrong()


def test_rows_of_complex_matrices_are_exchanged_as_lapack_does():
    """The pivot is the largest |real| + |imaginary|: here 3 + 3i, whose absolute value is less."""
    x = paddle.to_tensor([[4.5 + 0j, 1.0], [3 + 3j, 2.0]])
    assert linalg.lu(x)[1].tolist() == [2, 2]


def test_the_gradient_of_a_symmetric_matrix_is_symmetric() -> None:
    x = paddle.to_tensor([[1.0, 2.0], [2.0, 3.0]], stop_gradient=False)
    _, vectors = linalg.eigh(x)
    vectors[0, 0].backward()
    np.testing.assert_array_equal(x.grad.numpy(), x.grad.numpy().T)
