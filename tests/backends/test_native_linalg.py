"""Linear algebra as compiled loops: residuals beside LAPACK's, and the same bits each time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.backends.compiled_calls import compiled
from twinoar.backends.eager_kernels import EagerKernels
from twinoar.backends.host import host
from twinoar.backends.native.executable import NativeExecutable
from twinoar.core.dtype import float32
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Program
from twinoar.core.spec import Spec
from twinoar.core.values import Value
from twinoar.errors import ArgumentError
from twinoar.ops.linalg.decomposition import eigh_op, svd_op
from twinoar.ops.linalg.linear_system import solve_op

pytestmark = pytest.mark.usefixtures("one_pass_for_most", "strict")

SIZES = [1, 2, 5, 31, 32, 33, 70, 150]
DTYPES = ["float32", "float64"]
KINDS = ["random", "graded", "ill-conditioned", "rank-deficient"]
linalg = paddle.linalg


def matrix(kind: str, m: int, n: int, dtype: str, seed: int = 0) -> np.ndarray:
    """A batch of two matrices."""
    random = np.random.default_rng(seed)
    x = random.standard_normal((2, m, n))
    k = min(m, n)
    if kind == "graded":
        x = x * np.logspace(0, -6, m)[:, None]
    elif kind in ("ill-conditioned", "rank-deficient"):
        u, _, vh = np.linalg.svd(x, full_matrices=False)
        s = np.logspace(0, -5 if dtype == "float32" else -12, k)
        if kind == "rank-deficient":
            s[k // 2 :] = 0
        x = u * s @ vh
    return x.astype(dtype)


def norm(x: np.ndarray) -> float:
    """The Frobenius norm of the largest matrix of a batch, in float64."""
    squares = np.square(x.astype("float64")).sum((-2, -1))
    return float(np.sqrt(squares.max(initial=0)))


def within(found: float, of_lapack: float, scale: float, n: int, dtype: str) -> None:
    """The residual is of rounding: a few times LAPACK's, or c*n*eps of the size of the data."""
    eps = float(np.finfo(dtype).eps)
    assert found <= max(3 * of_lapack, 4 * n * eps * scale), (found, of_lapack, scale)


def product(*factors: np.ndarray) -> np.ndarray:
    found = factors[0].astype("float64")
    for f in factors[1:]:
        found = found @ f.astype("float64")
    return found


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", SIZES)
def test_triangular_systems(n: int, dtype: str) -> None:
    random = np.random.default_rng(n)
    x = (random.standard_normal((2, n, n)) / n + 2 * np.eye(n)).astype(dtype)
    y = random.standard_normal((2, n, 70 if n == 33 else 3)).astype(dtype)
    for case in range(8):
        upper, turned, unit = case & 1 > 0, case & 2 > 0, case & 4 > 0
        t = np.triu(x) if upper else np.tril(x)
        if unit:
            t = t - t * np.eye(n, dtype=dtype) + np.eye(n, dtype=dtype)
        t = t.swapaxes(-1, -2) if turned else t
        (found,) = compiled(lambda x, y: linalg.triangular_solve(x, y, upper, turned, unit), x, y)  # noqa: B023
        wanted = np.linalg.solve(t, y)
        scale = norm(t) * norm(found)
        within(norm(product(t, found) - y), norm(product(t, wanted) - y), scale, n, dtype)


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", SIZES)
def test_cholesky(n: int, dtype: str, upper: bool) -> None:
    x = matrix("random", n, n, "float64")
    x = (x @ x.swapaxes(-1, -2) + np.eye(n)).astype(dtype)
    garbled = x.copy()  # the other triangle is not read
    garbled[:, *(np.tril_indices(n, -1) if upper else np.triu_indices(n, 1))] = np.nan
    (found,) = compiled(lambda x: linalg.cholesky(x, upper), garbled)
    wanted = np.linalg.cholesky(x)
    lower = found.swapaxes(-1, -2) if upper else found
    assert not np.triu(lower, 1).any()
    residuals = [norm(product(f, f.swapaxes(-1, -2)) - x) for f in (lower, wanted)]
    within(*residuals, norm(x), n, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(5, 3), (33, 33), (40, 90), (150, 70), (131, 131)])
def test_lu(shape: tuple[int, int], kind: str, dtype: str) -> None:
    m, n = shape
    k = min(shape)
    x = matrix(kind, m, n, dtype)

    def factors(x: Any) -> Any:
        packed, pivots, infos = linalg.lu(x, get_infos=True)
        return [*linalg.lu_unpack(packed, pivots), infos]

    p, lower, upper, infos = compiled(factors, x)
    assert np.abs(lower).max() <= 1 and not infos.any() and lower.shape == (2, m, k)
    within(norm(product(p, lower, upper) - x), 0, norm(x), max(m, n), dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", ["random", "graded", "ill-conditioned"])
@pytest.mark.parametrize("n", SIZES)
def test_solutions_and_inverses(n: int, kind: str, dtype: str) -> None:
    x = matrix(kind, n, n, dtype)
    y = np.random.default_rng(1).standard_normal((2, n, 3)).astype(dtype)
    for function, right in ((linalg.solve, y), (lambda x, y: linalg.inv(x), np.eye(n))):
        (found,) = compiled(function, x, y)
        wanted = np.linalg.solve(x, np.broadcast_to(right, (2, n, right.shape[-1])).astype(dtype))
        residuals = [norm(product(x, f) - right) for f in (found, wanted)]
        within(*residuals, norm(x) * norm(found), n, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", ["random", "graded"])
@pytest.mark.parametrize("n", [1, 2, 9, 33, 80])
def test_determinants(n: int, kind: str, dtype: str) -> None:
    x = matrix(kind, n, n, dtype) / 2
    det, logs = compiled(lambda x: (linalg.det(x), linalg.slogdet(x)), x)
    sign, log = np.linalg.slogdet(x.astype("float64"))
    tolerance = 1e-2 if dtype == "float32" else 1e-9
    np.testing.assert_allclose(logs[0], sign)
    np.testing.assert_allclose(logs[1], log, rtol=tolerance)
    with np.errstate(under="ignore"):
        expected = (sign * np.exp(log)).astype(dtype)
    np.testing.assert_allclose(det, expected, rtol=tolerance, atol=1e-44)


def test_a_determinant_stays_in_range_where_its_product_does_not() -> None:
    diagonal = np.array([1e30, -1e30, 1e-30, 1e-30, 3], "float32")
    (det,) = compiled(linalg.det, np.diag(diagonal))
    np.testing.assert_allclose(det, -3, rtol=1e-4)


def test_singular_matrices() -> None:
    zeros = np.zeros((3, 2, 2), "float32")
    det, logs = compiled(lambda x: (linalg.det(x), linalg.slogdet(x)), zeros)
    assert det.tolist() == [0, 0, 0] and logs.tolist() == [[0] * 3, [-np.inf] * 3]
    _, _, infos = compiled(lambda x: linalg.lu(x, get_infos=True), zeros)
    assert infos.tolist() == [1, 1, 1]
    for function, message in (
        (lambda x: linalg.solve(x, x), "singular"),
        (linalg.inv, "no inverse"),
        (lambda x: linalg.triangular_solve(x, x), "singular"),
        (linalg.cholesky, "not positive definite"),
    ):
        with pytest.raises(ArgumentError, match=message):
            compiled(function, zeros)


def test_what_is_not_a_number_is_a_pivot_as_it_is_for_numpy() -> None:
    x = np.random.default_rng(0).standard_normal((3, 40, 40)).astype("float32")
    x[0, 7, 3], x[1, 2, 2] = np.nan, np.inf
    packed, pivots, _ = compiled(lambda x: linalg.lu(x, get_infos=True), x)
    found, of_numpy = linalg.lu(paddle.to_tensor(x[:1]))
    assert pivots[0].tolist() == of_numpy.numpy()[0].tolist()
    assert (np.isnan(packed[0]) == np.isnan(found.numpy()[0])).all()
    assert np.isfinite(packed[2]).all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(1, 1), (5, 3), (33, 33), (40, 90), (150, 70), (131, 131)])
def test_qr(shape: tuple[int, int], kind: str, dtype: str) -> None:
    n = max(shape)
    x = matrix(kind, *shape, dtype)
    for mode in ("reduced", "complete"):
        q, r = compiled(lambda x: linalg.qr(x, mode), x)  # noqa: B023
        wanted_q, wanted_r = np.linalg.qr(x, mode)
        assert q.shape == wanted_q.shape and r.shape == wanted_r.shape
        within(norm(product(q, r) - x), norm(product(wanted_q, wanted_r) - x), norm(x), n, dtype)
        within(norm(product(q.swapaxes(-1, -2), q) - np.eye(q.shape[-1])), 0, 1, n, dtype)
        assert not np.tril(r, -1).any()
        if kind == "random":
            scale = np.abs(wanted_r).max()
            np.testing.assert_allclose(r, wanted_r, atol=2000 * np.finfo(dtype).eps * scale)


def symmetric(kind: str, n: int, dtype: str) -> np.ndarray:
    """Symmetric matrices, some of which have equal eigenvalues, or none beside the diagonal."""
    if kind == "equal":
        return np.broadcast_to(np.ones((n, n), dtype), (2, n, n)).copy()
    if kind == "diagonal":
        return np.broadcast_to(np.diag(np.arange(n, 0, -1.0)), (2, n, n)).astype(dtype)
    x = matrix(kind, n, n, "float64")
    return (x + x.swapaxes(-1, -2)).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", [*KINDS, "equal", "diagonal"])
@pytest.mark.parametrize("n", [1, 2, 3, 25, 33, 70, 150, 300])
def test_eigenvalues(n: int, kind: str, dtype: str) -> None:
    x = symmetric(kind, n, dtype)
    for uplo in ("L", "U"):
        garbled = x.copy()  # the other triangle is not read
        garbled[:, *(np.tril_indices(n, -1) if uplo == "U" else np.triu_indices(n, 1))] = np.nan
        values, vectors = compiled(lambda x: linalg.eigh(x, uplo), garbled)  # noqa: B023
        wanted, of_lapack = np.linalg.eigh(x.astype("float64"))
        assert (np.diff(values) >= 0).all()
        within(norm((values - wanted)[..., None]), 0, norm(x), n, dtype)
        turned = vectors.swapaxes(-1, -2)
        within(norm(product(vectors * values[:, None], turned) - x), 0, norm(x), n, dtype)
        lapacks = norm(of_lapack.swapaxes(-1, -2) @ of_lapack - np.eye(n))
        within(norm(product(turned, vectors) - np.eye(n)), lapacks, 2, n, dtype)


@pytest.mark.parametrize("uplo", ["L", "U"])
@pytest.mark.parametrize("n", [2, 3, 5, 10, 25])
def test_signs_of_eigenvectors_are_those_of_lapack(n: int, uplo: str) -> None:
    x = symmetric("random", n, "float64")
    _, vectors = compiled(lambda x: linalg.eigh(x, uplo), x)
    np.testing.assert_allclose(vectors, np.linalg.eigh(x, uplo)[1], atol=1e-10)


@pytest.mark.parametrize("size", [1e-35, 1e37])
def test_eigenvalues_of_very_small_and_large_matrices(size: float) -> None:
    x = (symmetric("random", 9, "float64") * size).astype("float32")
    values, vectors = compiled(linalg.eigh, x)
    wanted = np.linalg.eigvalsh(x.astype("float64"))
    np.testing.assert_allclose(values / size, wanted / size, atol=1e-4)
    within(norm(product(vectors.swapaxes(-1, -2), vectors) - np.eye(9)), 0, 1, 9, "float32")


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_infinite_has_no_eigenvalues(bad: float) -> None:
    x = np.eye(30)
    x[7, 3] = bad
    with pytest.raises(ArgumentError, match="infinite or not a number"):
        compiled(linalg.eigh, x)
    with pytest.raises(ArgumentError, match="infinite or not a number"):
        linalg.eigh(paddle.to_tensor(x))
    assert (compiled(lambda x: linalg.eigh(x, "U"), x)[0] == 1).all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", [*KINDS, "equal", "diagonal"])
@pytest.mark.parametrize(
    "shape", [(1, 1), (2, 2), (5, 3), (3, 40), (33, 33), (60, 50), (70, 150), (140, 140), (9, 300)]
)
def test_singular_values(shape: tuple[int, int], kind: str, dtype: str) -> None:
    m, n = shape
    k, most = min(shape), max(shape)
    x = symmetric(kind, most, dtype)[:, :m, :n] if kind in ("equal", "diagonal") else None
    x = matrix(kind, m, n, dtype) if x is None else x
    for full in (False, True):
        u, s, vh = compiled(lambda x: linalg.svd(x, full), x)  # noqa: B023
        wanted = np.linalg.svd(x.astype("float64"), full)
        assert [a.shape for a in (u, s, vh)] == [a.shape for a in wanted]
        assert (np.diff(s) <= 0).all() and (s >= 0).all()
        within(norm((s - wanted[1])[..., None]), 0, norm(x), most, dtype)
        within(norm(product(u[..., :k] * s[:, None], vh[:, :k]) - x), 0, 2 * norm(x), most, dtype)
        for rows, lapacks in (
            (u.swapaxes(-1, -2), wanted[0].swapaxes(-1, -2)),
            (vh, wanted[2]),
        ):
            found, of_lapack = (
                norm(product(a, a.swapaxes(-1, -2)) - np.eye(a.shape[1])) for a in (rows, lapacks)
            )
            within(found, of_lapack, 2, most, dtype)


@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (10, 10), (25, 25), (12, 5), (5, 12)])
def test_signs_of_singular_vectors_are_those_of_lapack(shape: tuple[int, int]) -> None:
    x = matrix("random", *shape, "float64")
    u, _, vh = compiled(linalg.svd, x)
    wanted = np.linalg.svd(x, False)
    np.testing.assert_allclose(u, wanted[0], atol=1e-10)
    np.testing.assert_allclose(vh, wanted[2], atol=1e-10)


@pytest.mark.parametrize("size", [1e-35, 1e37])
def test_singular_values_of_very_small_and_large_matrices(size: float) -> None:
    x = (matrix("random", 9, 6, "float64") * size).astype("float32")
    u, s, _ = compiled(linalg.svd, x)
    wanted = np.linalg.svd(x.astype("float64"), False)[1]
    np.testing.assert_allclose(s / size, wanted / size, atol=1e-4)
    within(norm(product(u.swapaxes(-1, -2), u) - np.eye(6)), 0, 1, 9, "float32")


def test_small_singular_values_of_bidiagonal_matrices_are_exact() -> None:
    x = np.diag(np.logspace(0, -200, 12)) + np.diag(np.logspace(0, -200, 12)[1:], 1)
    (s,) = compiled(linalg.svdvals, x[None])
    inverse = np.linalg.inv(x.astype(np.float64))
    np.testing.assert_allclose(1 / s[0, -1], np.linalg.norm(inverse, 2), rtol=1e-10)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", ["random", "rank-deficient"])
@pytest.mark.parametrize("shape", [(1, 1), (5, 3), (3, 5), (40, 40), (150, 70), (70, 150)])
def test_least_squares(shape: tuple[int, int], kind: str, dtype: str) -> None:
    x = matrix(kind, *shape, dtype)
    y = np.random.default_rng(1).standard_normal((2, shape[0], 3)).astype(dtype)
    found, ranks = compiled(lambda x, y: linalg.lstsq(x, y, 1e-3, "gelsy")[::2], x, y)
    for one, a, b, rank in zip(found, x, y, ranks, strict=True):
        wanted, _, wanted_rank, _ = np.linalg.lstsq(a.astype("float64"), b, 1e-3)
        assert rank == wanted_rank
        condition = 1e3 * np.finfo(dtype).eps * max(shape)
        np.testing.assert_allclose(one, wanted, atol=10 * condition * np.abs(wanted).max())


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_infinite_has_no_singular_values(bad: float) -> None:
    x = np.eye(30)
    x[7, 3] = bad
    with pytest.raises(ArgumentError, match="infinite or not a number"):
        compiled(linalg.svd, x)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 2, 17, 40, 130])
def test_exponentials(n: int, dtype: str) -> None:
    x = np.random.default_rng(n).standard_normal((3, n, n)) / np.sqrt(n)
    x = x + x.swapaxes(-1, -2)
    x = (x * np.array([0.01, 1, 5])[:, None, None]).astype(dtype)
    (found,) = compiled(linalg.matrix_exp, x)
    values, vectors = np.linalg.eigh(x.astype("float64"))
    wanted = vectors * np.exp(values)[:, None] @ vectors.swapaxes(-1, -2)
    for one, of_eigenvalues in zip(found, wanted, strict=True):
        within(norm(one - of_eigenvalues), 0, 4 * norm(of_eigenvalues), n, dtype)


def test_exponentials_far_away() -> None:
    x = np.array([[[-1e6, 0], [0, 0]], [[np.inf, 0], [0, 0]], [[200, 0], [0, 1]], [[0, 0], [0, 0]]])
    (found,) = compiled(linalg.matrix_exp, x)
    wanted = np.array([[0, 1], [np.exp(200), np.e], [1, 1]])
    for one in (found, linalg.matrix_exp(paddle.to_tensor(x)).numpy()):
        assert np.isnan(one[1]).any()
        np.testing.assert_allclose(one[[0, 2, 3]].diagonal(0, 1, 2), wanted, rtol=1e-11)


@pytest.mark.parametrize("size", [1e-30, 1e25])
def test_reflections_of_very_small_and_large_numbers(size: float) -> None:
    x = (matrix("random", 7, 5, "float64") * size).astype("float32")
    q, r = compiled(linalg.qr, x)
    within(norm(product(q, r) - x) / size, 0, norm(x) / size, 7, "float32")
    within(norm(product(q.swapaxes(-1, -2), q) - np.eye(5)), 0, 1, 7, "float32")


def test_broadcast_systems() -> None:
    random = np.random.default_rng(0)
    x = random.standard_normal((3, 1, 4, 4)) + 4 * np.eye(4)
    y = random.standard_normal((2, 4, 2))
    for function in (linalg.solve, linalg.triangular_solve):
        (found,) = compiled(function, x, y)
        of = x if function is linalg.solve else np.triu(x)
        np.testing.assert_allclose(of @ found, np.broadcast_to(y, (3, 2, 4, 2)), atol=1e-12)


def test_empty_matrices() -> None:
    for shape in ((0, 3, 3), (2, 0, 0)):
        x = np.zeros(shape, "float32")
        det, inverse, factor = compiled(
            lambda x: (linalg.det(x), linalg.inv(x), linalg.cholesky(x)), x
        )
        assert det.tolist() == [1.0] * shape[0] and inverse.shape == factor.shape == shape


# The same bits, by threads, from run to run.


MANY = np.random.default_rng(3).standard_normal((3, 200, 200))
MIXED: dict[str, Any] = {
    "cholesky": lambda x: linalg.cholesky(x @ x.mT + 200.0),
    "det": linalg.slogdet,
    "eigh": lambda x: linalg.eigh(x + x.mT),
    "inv": linalg.inv,
    "lstsq": lambda x: linalg.lstsq(x[:, :, :90], x, 1e-3)[::2],
    "lu": linalg.lu,
    "matrix_exp": lambda x: linalg.matrix_exp(x / 10.0),
    "qr": linalg.qr,
    "solve": lambda x: linalg.solve(x, x[:, :, :70]),
    "svd": lambda x: linalg.svd(x[:, :, :150], True),
    "triangular_solve": lambda x: linalg.triangular_solve(x + 20.0, x),
}


@pytest.mark.parametrize("name", MIXED)
def test_threads_do_not_change_a_bit(name: str) -> None:
    x = MANY.astype("float32")
    program = Program()
    with using(Builder(program)):
        given = program.main.add_input(Spec(x.shape, float32), "x")
        found = MIXED[name](given)
        program.main.outputs = [found] if isinstance(found, Value) else list(found)
    bits = []
    for threads in (1, 2, 3):
        executable = NativeExecutable(program, replace(host(), threads=threads))
        for _ in range(2):
            bits.append([np.asarray(a).tobytes() for a in executable.execute([x], [])[0]])
    assert all(other == bits[0] for other in bits)


@pytest.mark.parametrize("name", MIXED)
def test_matrices_of_a_batch_do_not_change_each_other(name: str) -> None:
    x = MANY.astype("float32")
    together, alone = compiled(MIXED[name], x), compiled(MIXED[name], x[1:2])
    for a, b in zip(together, alone, strict=True):
        at = a[:, 1] if name == "det" else a[1]
        np.testing.assert_array_equal(at, b[:, 0] if name == "det" else b[0])


def test_eager_calls_run_where_they_are_faster() -> None:
    x = np.eye(100, dtype="float32")
    kernels = EagerKernels()
    assert kernels.forward(eigh_op, [x], {"upper": False}) is None
    assert kernels.forward(svd_op, [x], {"full_matrices": False}) is None
    assert kernels.forward(solve_op, [x, x], {}) is not None
