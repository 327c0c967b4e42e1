"""The forms of random numbers: those of the runtime, which are other ones than here, at each run.

ONNX has no keys, so what makes keys is a copy that nobody reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.dim import SymbolicDim
from twinoar.errors import UnsupportedError
from twinoar.formats.onnx import schema
from twinoar.formats.onnx.forms import Call, form

DRAWN = ("float16", "float32", "float64")


def _drawn(call: Call, type: str, dtype: str, shape: Sequence[Any], **attributes: float) -> str:
    """Numbers of a shape, some of whose sizes a run may decide."""
    if dtype not in DRAWN:
        raise UnsupportedError(
            f"no operator of ONNX draws numbers of {dtype}", cure="draw float32, and cast"
        )
    code = schema.CODE_OF_DTYPE[dtype]
    if any(isinstance(d, SymbolicDim) for d in shape):
        like = call.node("ConstantOfShape", [call.graph.shape(shape)])
        return call.node(f"{type}Like", [like], dtype=code, **attributes)
    return call.node(type, [], dtype=code, shape=[int(d) for d in shape], **attributes)


@form("split_key")
def _(call: Call) -> None:
    for name in filter(None, call.results):
        call.graph.node("Identity", call.x, [name])


@form("uniform_random")
def _(call: Call) -> None:
    bounds = {"low": float(call.min), "high": float(call.max)}
    shape = call.operator.attrs["shape"]
    call.gives("Identity", [_drawn(call, "RandomUniform", call.dtype.name, shape, **bounds)])


@form("gaussian_random")
def _(call: Call) -> None:
    moments = {"mean": float(call.mean), "scale": float(call.std)}
    shape = call.operator.attrs["shape"]
    call.gives("Identity", [_drawn(call, "RandomNormal", call.dtype.name, shape, **moments)])


@form("bernoulli_random")
def _(call: Call) -> None:
    shares = call.node("Cast", call.x[1:], to=schema.CODE_OF_DTYPE["float64"])
    drawn = _drawn(call, "RandomUniform", "float64", call.out.shape, low=0.0, high=1.0)
    happens = call.node("Less", [drawn, shares])
    call.gives("Cast", [happens], to=schema.CODE_OF_DTYPE[call.out.dtype.name])


@form("randint_random")
def _(call: Call) -> None:
    low, high = call.operator.attrs["low"], call.operator.attrs["high"]
    if isinstance(low, SymbolicDim) or isinstance(high, SymbolicDim) or high - low > 1 << 50:
        raise UnsupportedError(
            f"whole numbers from {low} to {high} are drawn by no operator of ONNX",
            cure="give bounds that are known, and not so far apart",
        )
    bounds = {"low": float(low), "high": float(high)}
    drawn = _drawn(call, "RandomUniform", "float64", call.out.shape, **bounds)
    whole = call.node("Floor", [drawn])
    most = call.graph.constant(high - 1, "float64")  # where rounding makes the upper bound of it
    whole = call.node("Min", [whole, most])
    call.gives("Cast", [whole], to=schema.CODE_OF_DTYPE[call.out.dtype.name])


@form("permutation")
def _(call: Call) -> None:
    (count,) = call.out.shape
    drawn = _drawn(call, "RandomUniform", "float64", [count], low=0.0, high=1.0)
    order = _places_of_largest(call, drawn, call.graph.size(count))
    call.gives("Cast", [order], to=schema.CODE_OF_DTYPE[call.out.dtype.name])


@form("multinomial_random")
def _(call: Call) -> None:
    """By the largest of log(u) / weight, or of several with replacement by ONNX's own."""
    weights, count = call.x[1], call.operator.attrs["num_samples"]
    code = schema.CODE_OF_DTYPE["float32"]
    weights = call.node("Cast", [weights], to=code)
    if not call.replacement or count == 1:
        u = _drawn(call, "RandomUniform", "float32", call.specs[1].shape, low=1e-38, high=1.0)
        keys = call.node("Div", [call.node("Log", [u]), weights])
        call.gives("Identity", [_places_of_largest(call, keys, call.graph.size(count))])
        return
    logarithms = call.node("Log", [weights])
    is_single = len(call.specs[1].shape) == 1
    if is_single:
        logarithms = call.graph.with_axes("Unsqueeze", logarithms, [0], since=13)
    int64 = schema.CODE_OF_DTYPE["int64"]
    found = call.node("Multinomial", [logarithms], sample_size=int(count), dtype=int64)
    if is_single:
        found = call.graph.with_axes("Squeeze", found, [0], since=13)
    call.gives("Identity", [found])


def _places_of_largest(call: Call, x: str, count: str) -> str:
    values, places = call.graph.name("unread"), call.graph.name("places")
    call.graph.node("TopK", [x, count], [values, places], axis=-1)
    return places
