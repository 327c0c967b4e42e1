"""Products of integers of 8 bits in loops of our own: the bits of NumPy's kernels, on all tiles."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.backends.contraction_calls import Call
from twinoar import config
from twinoar.backends.host import host
from twinoar.backends.llvm.contraction.dot import Dot, dot_of
from twinoar.backends.llvm.contraction.tile import shape_of
from twinoar.backends.native import own_integers
from twinoar.compile.target import Target
from twinoar.core.dtype import DType, dtype_of, float32, int8, uint8
from twinoar.core.op.library import Convolution, Matmul, Scaled
from twinoar.export.native.targets import MACHINES
from twinoar.ops.quant.integer_conv2d import integer_conv2d
from twinoar.ops.quant.integer_linear import integer_linear

PLAIN = "without vectors of integers"
TARGETS = ("x86-64-v2", "x86-64-v3", "x86-64-v4", "x86-64-v4-vnni", PLAIN)
NO_BORDER, BORDER = (0, 0, 0, 0), (1, 1, 1, 1)
LEAST = np.int8(-128)


@pytest.fixture(params=TARGETS)
def tiles(request, monkeypatch):
    """The vectors and instructions of a processor, which this one has, too."""
    target = Target("portable", "generic", "", 128)
    if request.param != PLAIN:
        machine = MACHINES[request.param]
        if not all(host().has(f) for f in machine.features):
            pytest.skip(f"this machine is no {request.param}")
        target = machine.target
    shape = replace(shape_of(float32, target), offset_bytes=host().offset_bytes)
    monkeypatch.setattr(own_integers, "dot_of", lambda _: dot_of(target))
    monkeypatch.setattr(own_integers, "shape_of", lambda *_: shape)


@dataclass
class Case:
    """A convolution of integers: its arrays, and what is asked."""

    x: np.ndarray
    weight: np.ndarray
    asked: Scaled
    ending: tuple[Any, ...] = (None, None, None)  # bias, residual, factor
    result: DType = float32
    scale: np.ndarray | None = None

    def given(self) -> list[np.ndarray | None]:
        filters = self.weight.shape[0 if self.x.ndim == 4 else 1]
        each = 2.0 ** -np.arange(8, 8 + filters % 5 + 1)
        scale = np.resize(each, filters).astype(np.float32) if self.scale is None else self.scale
        return [self.x, self.weight, scale, *self.ending]

    def wanted(self) -> np.ndarray:
        """What NumPy's kernel gives."""
        asked, product = self.asked, self.asked.product
        more: dict[str, Any] = {"activation": asked.activation, "dtype": self.result}
        more["nonnegative"] = asked.nonnegative
        if isinstance(product, Matmul):
            return integer_linear.kernel_rule(*self.given(), *more.values())
        window = product.strides, product.padding, product.dilation, product.groups
        form = "NHWC" if product.channels_last else "NCHW"
        return integer_conv2d.kernel_rule(*self.given(), *window, form, *more.values())

    def found(self, order: Any = None, threads: int | None = None) -> np.ndarray:
        shape, dtype = self.wanted().shape, self.result.numpy
        call = Call(self.asked, self.given(), shape, order, threads, dtype)
        return call.run()


def drawn(*shape: int, dtype: str = "int8", seed: int = 0) -> np.ndarray:
    """Numbers of all sizes, the least and the greatest among them."""
    info = np.iinfo(dtype)
    random = np.random.default_rng(seed)
    found = random.integers(info.min, info.max, shape, dtype, endpoint=True)
    found.reshape(-1)[:2] = info.min, info.max
    return found


def convolved(
    channels: int, filters: int, size: tuple[int, int], *, dtype: str = "int8", groups: int = 1,
    strides: tuple[int, int] = (1, 1), dilation: tuple[int, int] = (1, 1),
    padding: tuple[int, ...] = BORDER, activation: str = "", nonnegative: bool = False,
    last: bool = True, images: int = 2, **more: Any,
) -> Case:  # fmt: skip
    x = drawn(images, 9, 8, channels, dtype=dtype, seed=channels)
    if nonnegative:
        x = np.maximum(x, 0)
    if not last:
        x = np.ascontiguousarray(x.transpose(0, 3, 1, 2))
    weight = drawn(filters, channels // groups, *size, seed=filters)
    product = Convolution("forward", strides, dilation, padding, groups, last)
    return Case(x, weight, Scaled(product, activation, nonnegative), **more)


def check(case: Case, **more: Any) -> None:
    wanted, found = case.wanted(), case.found(**more)
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.usefixtures("tiles")
@pytest.mark.parametrize("dtype", ["int8", "uint8"])
@pytest.mark.parametrize(("channels", "filters"), [(1, 1), (3, 17), (8, 70), (20, 130)])
def test_convolutions_have_the_bits_of_numpy(dtype, channels, filters):
    check(convolved(channels, filters, (3, 3), dtype=dtype))


@pytest.mark.usefixtures("tiles")
@pytest.mark.parametrize("dtype", ["int8", "uint8"])
@pytest.mark.parametrize("rows", [1, 2, 5, 7, 12, 49])
def test_matrices_have_the_bits_of_numpy(dtype, rows):
    x, weight = drawn(2, rows, 37, dtype=dtype), drawn(37, 66, seed=1)
    case = Case(x, weight, Scaled(Matmul(False, False), "", False))
    check(case)


@pytest.mark.usefixtures("tiles")
@pytest.mark.parametrize("dtype", ["int8", "uint8"])
@pytest.mark.parametrize("channels", [3, 16, 37])
def test_each_channel_with_its_own_filter(dtype, channels):
    case = convolved(channels, channels, (3, 3), dtype=dtype, groups=channels, strides=(2, 1))
    check(case)


@pytest.mark.usefixtures("tiles")
@pytest.mark.parametrize("dtype", ["int8", "uint8"])
def test_sums_of_the_largest_products_are_exact(dtype):
    x = np.full((1, 6, 4096), np.iinfo(dtype).min if dtype == "int8" else 255, dtype)
    weight = np.full((4096, 20), LEAST)
    one = np.ones(1, np.float32)
    case = Case(x, weight, Scaled(Matmul(False, False), "", False), scale=one)
    assert abs(case.wanted()).max() >= 2**26
    check(case)


@pytest.mark.usefixtures("tiles")
@pytest.mark.parametrize(
    "given",
    [
        {"groups": 4},
        {"strides": (2, 2), "padding": (2, 0, 1, 3)},
        {"dilation": (2, 1)},
        {"dilation": (1, 2)},
        {"padding": NO_BORDER},
        {"nonnegative": True},
        {"last": False},
        {"last": False, "groups": 8},
        {"groups": 2, "dtype": "uint8"},
        {"images": 1, "scale": np.full(1, 2.0**-9, np.float32)},
    ],
    ids=str,
)
def test_kinds_of_convolutions(given):
    check(convolved(8, 8, (3, 2), **given))


@pytest.mark.parametrize("activation", ["", "relu", "relu6", "hardswish"])
@pytest.mark.parametrize("result", [float32, int8, uint8])
@pytest.mark.parametrize("residual", ["float32", "int8", "uint8", None])
@pytest.mark.parametrize("groups", [1, 18])
def test_what_becomes_of_sums(activation, result, residual, groups):
    bias = np.random.default_rng(1).normal(size=18).astype(np.float32)
    factor = np.array([7.3], np.float32)
    case = convolved(18, 18, (3, 3), activation=activation, groups=groups, result=result)
    added = None
    if residual == "float32":
        added = np.random.default_rng(2).normal(size=case.wanted().shape).astype(np.float32)
    elif residual is not None:
        added = drawn(*case.wanted().shape, dtype=residual)
    check(replace(case, ending=(bias, added, factor)))


def test_halves_are_rounded_to_even():
    x = np.arange(-7, 8, dtype=np.int8).reshape(1, -1, 1)
    case = Case(
        x, np.ones((1, 1), np.int8), Scaled(Matmul(False, False), "", False),
        result=int8, scale=np.array([0.5], np.float32),
    )  # fmt: skip
    assert case.found().reshape(-1).tolist() == [
        -4, -3, -2, -2, -2, -1, 0, 0, 0, 1, 2, 2, 2, 3, 4
    ]  # fmt: skip


def test_a_nan_is_none_after_it_is_bounded():
    case = convolved(4, 4, (1, 1), padding=NO_BORDER, activation="relu6")
    bias = np.array([np.nan, 0, -np.inf, np.inf], np.float32)
    found = replace(case, ending=(bias, None, None)).found()
    assert np.isnan(found[..., 0]).all()
    assert (found[..., 2] == 0).all()
    assert (found[..., 3] == 6).all()


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (0, 2, 3, 1), (3, 2, 1, 0)])
def test_results_may_lie_in_any_order(order):
    bias = np.zeros(24, np.float32)
    residual = drawn(2, 24, 9, 8)
    case = convolved(8, 24, (3, 3), last=False, result=int8, ending=(bias, residual, None))
    check(case, order=order)


@pytest.mark.parametrize("groups", [1, 2, 64])
def test_results_do_not_depend_on_the_number_of_threads(groups):
    case = convolved(64, 64, (3, 3), images=5, groups=groups, result=int8)
    one, three = (case.found(threads=n) for n in (1, 3))
    np.testing.assert_array_equal(one, three)
    np.testing.assert_array_equal(one, case.wanted())


@pytest.mark.parametrize("view", ["turned", "backwards", "inside"])
def test_operands_may_be_views(view):
    case = convolved(6, 5, (3, 3))
    if view == "turned":
        x = np.ascontiguousarray(case.x.transpose(0, 2, 1, 3)).transpose(0, 2, 1, 3)
    elif view == "backwards":
        x = case.x[:, ::-1, ::-1]
    else:
        x = drawn(2, 12, 11, 9)[:, 1:10, 2:10, 3:9]
    check(replace(case, x=x))


def test_processors_have_the_instructions_that_they_are_known_for():
    found = {name: dot_of(m.target) for name, m in MACHINES.items()}
    assert found["x86-64-v4-vnni"].name == "x86.avx512.vpdpbusd.512"
    assert found["x86-64-v3"].name == "x86.avx2.pmadd.wd"
    assert found["aarch64-dotprod"].name == "aarch64.neon.sdot.v4i32.v16i8"
    assert found["wasm32"].name == "wasm.dot"
    assert found["aarch64"] == found["riscv64"] == Dot(1, found["aarch64"].dtype)


def test_programs_run_on_them_where_no_library_is(monkeypatch):
    monkeypatch.setattr(config, "onednn", False)
    case = convolved(8, 20, (3, 3), last=False)
    program = paddle.static.Program()
    with paddle.static.program_guard(program):
        given = case.given()[:3]
        values = [
            paddle.static.data(f"x{n}", list(x.shape), dtype_of(x.dtype).name)
            for n, x in enumerate(given)
        ]
        out = integer_conv2d(*values, padding=BORDER)
    executor = paddle.static.Executor()
    feed = {f"x{n}": x for n, x in enumerate(given)}
    (found,) = executor.run(program, feed=feed, fetch_list=[out])
    np.testing.assert_array_equal(found, case.wanted())
