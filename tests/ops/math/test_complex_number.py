"""Complex numbers: their gradients, and those of functions of them."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from tests.ops.slope import require_slope

RANDOM = np.random.default_rng(0)
REAL = RANDOM.standard_normal((3, 2))
COMPLEX = REAL + 1j * RANDOM.standard_normal((3, 2))

FUNCTIONS = {
    "real": paddle.real,
    "imag": paddle.imag,
    "conj": paddle.conj,
    "angle": paddle.angle,
    "sgn": paddle.sgn,
    "abs": paddle.abs,
    "as_real": paddle.as_real,
    "product": lambda x: x * x.sum(),
    "quotient": lambda x: (x + 1j) / (x - 2.0),
    "exp": paddle.exp,
    "matmul": lambda x: x @ x.t(),
    "inverse": lambda x: paddle.linalg.inv(x.t() @ x + 2.0),
    "norm": paddle.linalg.norm,
    "einsum": lambda x: paddle.einsum("ij,ik->jk", x, x),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradient_of_a_complex_tensor_is_the_slope(name: str) -> None:
    require_slope(FUNCTIONS[name], COMPLEX)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: paddle.complex(x, x * 2.0),
        lambda x: paddle.polar(paddle.exp(x), x),
        paddle.as_complex,
        lambda x: x * (2.0 - 1j),
    ],
)
def test_gradient_of_a_real_tensor_through_complex_ones_is_the_slope(function) -> None:
    require_slope(function, REAL)


def test_gradients_of_complex_tensors_in_a_program_are_the_eager_ones() -> None:
    def loss_of(x):
        return paddle.abs(x * x + 1j).sum()

    leaf = paddle.to_tensor(COMPLEX, stop_gradient=False)
    loss_of(leaf).backward()
    paddle.enable_static()
    try:
        program = paddle.static.Program()
        with paddle.static.program_guard(program):
            x = paddle.static.data("x", [3, 2], "complex128")
            x.stop_gradient = False
            (slope,) = paddle.static.gradients(loss_of(x), x)
        (found,) = paddle.static.Executor().run(program, {"x": COMPLEX}, [slope])
    finally:
        paddle.disable_static()
    np.testing.assert_allclose(found, leaf.grad.numpy())


def test_the_gradient_of_a_complex_decomposition_is_refused() -> None:
    x = paddle.to_tensor(COMPLEX, stop_gradient=False)
    with pytest.raises(paddle.errors.GradientError, match="svd has no gradient for complex"):
        paddle.abs(paddle.linalg.svd(x)[0]).sum().backward()


def test_the_angle_of_zero_has_no_slope():
    x = paddle.to_tensor(np.array([0j, 1j], "complex64"), stop_gradient=False)
    paddle.angle(x).sum().backward()
    assert x.grad.tolist() == [0, -1]


@pytest.mark.parametrize("dtype", ["bool", "int8", "float32"])
def test_the_conjugate_of_what_is_not_complex_has_its_dtype(dtype):
    x = paddle.to_tensor([1, 0], dtype=dtype)
    for found in (paddle.conj(x), paddle.jit.to_static(paddle.conj)(x)):
        assert (str(found.dtype), found.tolist()) == (str(x.dtype), x.tolist())
