"""The forms of complex numbers, of which ONNX knows none: each value is two, of real numbers.

@pair("conj")
def _(call, x):
    return x.real, call.node("Neg", [x.imag])

A rule gets the parts of the operands and gives those of the result, or a name where the result is
real. What only moves elements is done to both parts, by the operator's own form.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from twinoar.core.dtype import REAL_OF
from twinoar.core.ir.program import Operator, Variable
from twinoar.core.spec import Spec
from twinoar.errors import UnsupportedError
from twinoar.formats.onnx.forms import FORMS, Call
from twinoar.formats.onnx.forms_of_functions import Numbers, angle_of

LARGEST_TRANSFORM = 2048  # a product with a matrix of so many rows and columns


@dataclass(frozen=True)
class Parts:
    """The names of two values, the second empty for a real one. spec: with real dtype."""

    real: str
    imag: str
    spec: Spec

    @property
    def is_real(self) -> bool:
        """Whether there is no imaginary part."""
        return not self.imag


class Real(Call):
    """A call on parts: dtypes, and the number that fills what is empty, are those of a part."""

    part = "real"

    def __getattr__(self, name: str) -> Any:
        found = super().__getattr__(name)
        return getattr(found, self.part) if name == "value" and _is_number(found) else found

    @property
    def specs(self) -> list[Spec]:
        return [spec if spec is None else real_spec(spec) for spec in super().specs]

    @property
    def out(self) -> Spec:
        return real_spec(super().out)


class Imaginary(Real):
    """The same for the second part."""

    part = "imag"


def _is_number(x: object) -> bool:
    return isinstance(x, int | float | complex)


# What only moves the elements of complex operands, and puts nothing but its `value` among them.
MOVING = {
    "broadcast_to", "concat", "diagonal", "embedding", "fill", "fill_like", "flatten", "flip",
    "gather", "gather_nd", "identity", "pad_constant", "reshape", "roll", "set_slice", "slice",
    "split", "squeeze", "stack", "strided_slice", "take_along_axis", "tile", "transpose", "tril",
    "triu", "unbind", "unslice", "unsqueeze",
}  # fmt: skip
Rule = Callable[..., Any]
PAIRS: dict[str, Rule] = {}  # by the operator's name


def pair(*names: str) -> Callable[[Rule], Rule]:
    """Declare what operators do to parts."""

    def declared(rule: Rule) -> Rule:
        PAIRS.update(dict.fromkeys(names, rule))
        return rule

    return declared


def real_spec(spec: Spec) -> Spec:
    """A shape with the dtype of a part."""
    return Spec(spec.shape, REAL_OF.get(spec.dtype, spec.dtype))


def is_complex(x: Any) -> bool:
    """Whether an operand or result is complex."""
    return x.spec.dtype.is_complex if isinstance(x, Variable) else isinstance(x, complex)


def write_pair(writer: Any, o: Operator, operands: Sequence[Any], results: Sequence[Any]) -> None:
    """Write an operator with complex numbers: operands as Parts, or None; results as two names.

    Raises UnsupportedError for one that is not known.
    """
    call = Real(writer, o, [x.real if x else "" for x in operands], [])
    rule = PAIRS.get(o.op.name)
    if rule is not None:
        found = rule(call, *operands)
        parts = found if isinstance(found, tuple) else (found, "")
        for name, part in zip(results[0], parts, strict=True):
            if name:
                call.graph.node("Identity", [part], [name])
        return
    are_moved = all(x is None or not x.is_real or x.spec.dtype.is_whole for x in operands)
    if o.op.name not in MOVING or not (are_moved or o.op.name == "fill_like"):
        raise UnsupportedError(
            f"{o.op.name} of complex numbers has no form in ONNX",
            cure="compute with real and imaginary parts",
        )
    for n, kind in enumerate((Real, Imaginary)):
        named = [(x.imag or x.real if n else x.real) if x else "" for x in operands]
        FORMS[o.op.name](kind(writer, o, named, [names[n] for names in results]))


# What makes and takes apart complex numbers.


@pair("complex")
def _(call: Real, x: Parts, y: Parts) -> tuple[str, str]:
    shape = call.graph.shape(call.out.shape)
    return tuple(call.node("Expand", [part.real, shape]) for part in (x, y))  # type: ignore[return-value]


@pair("as_complex")
def _(call: Real, x: Parts) -> tuple[str, str]:
    first, second = (call.graph.constant(n) for n in (0, 1))
    return (
        call.node("Gather", [x.real, first], axis=-1),
        call.node("Gather", [x.real, second], axis=-1),
    )


@pair("as_real")
def _(call: Real, x: Parts) -> str:
    parts = [call.graph.with_axes("Unsqueeze", p, [-1], since=13) for p in (x.real, x.imag)]
    return call.node("Concat", parts, axis=-1)


@pair("real")
def _(call: Real, x: Parts) -> str:
    return x.real


@pair("imag")
def _(call: Real, x: Parts) -> str:
    return x.imag


@pair("conj")
def _(call: Real, x: Parts) -> tuple[str, str]:
    return x.real, call.node("Neg", [x.imag])


@pair("abs")
def _(call: Real, x: Parts) -> str:
    """The larger part times a root, so that squares stay in range."""
    n = Numbers(call, call.out.dtype.name)
    sizes = n.node("Abs", x.real), n.node("Abs", x.imag)
    large, small = n.node("Max", *sizes), n.node("Min", *sizes)
    ratio = n.div(small, n.where(n.node("Equal", large, 0.0), 1.0, large))
    return n.mul(large, n.node("Sqrt", n.add(n.mul(ratio, ratio), 1.0)))


@pair("angle")
def _(call: Real, x: Parts) -> str:
    return angle_of(Numbers(call, call.out.dtype.name), x.imag, x.real)


@pair("cast")
def _(call: Real, x: Parts) -> Any:
    n = Numbers(call, call.out.dtype.name)
    if not call.operator.results[0].spec.dtype.is_complex:
        raise UnsupportedError("imaginary parts that are cast away have no form in ONNX")
    real = n.of(x.real)
    return real, n.mul(real, 0.0) if x.is_real else n.of(x.imag)


# Arithmetic.


@pair("add", "subtract")
def _(call: Real, x: Parts, y: Parts) -> tuple[str, str]:
    n = Numbers(call, call.out.dtype.name)
    type = {"add": "Add", "subtract": "Sub"}[call.operator.op.name]
    zero = call.graph.constant(0, call.out.dtype)
    shape = call.graph.shape(call.out.shape)
    imag = n.node(type, x.imag or zero, y.imag or zero)
    return n.node(type, x.real, y.real), call.node("Expand", [imag, shape])


@pair("neg")
def _(call: Real, x: Parts) -> tuple[str, str]:
    return call.node("Neg", [x.real]), call.node("Neg", [x.imag])


@pair("multiply")
def _(call: Real, x: Parts, y: Parts) -> tuple[str, str]:
    return _product(call, lambda a, b: call.node("Mul", [a, b]), x, y)


@pair("matmul")
def _(call: Real, x: Parts, y: Parts) -> tuple[str, str]:
    def multiplied(a: str, b: str) -> str:
        name = call.graph.name("product")
        FORMS["matmul"](Real(call.writer, call.operator, [a, b], [name]))
        return name

    return _product(call, multiplied, x, y)


def _product(call: Real, of: Callable[[str, str], str], x: Parts, y: Parts) -> tuple[str, str]:
    if x.is_real or y.is_real:
        known = [(of(a, b)) for a in (x.real, x.imag) for b in (y.real, y.imag) if a and b]
        return known[0], known[1]
    n = Numbers(call, call.out.dtype.name)
    real = n.sub(of(x.real, y.real), of(x.imag, y.imag))
    return real, n.add(of(x.real, y.imag), of(x.imag, y.real))


@pair("divide")
def _(call: Real, x: Parts, y: Parts) -> tuple[str, str]:
    n = Numbers(call, call.out.dtype.name)
    if y.is_real:
        return n.div(x.real, y.real), n.div(x.imag, y.real)
    square = n.add(n.mul(y.real, y.real), n.mul(y.imag, y.imag))
    turned = Parts(n.div(y.real, square), n.div(n.node("Neg", y.imag), square), y.spec)
    return _product(call, n.mul, x, turned)


@pair("exp")
def _(call: Real, x: Parts) -> tuple[str, str]:
    n = Numbers(call, call.out.dtype.name)
    size = n.node("Exp", x.real)
    return n.mul(size, n.node("Cos", x.imag)), n.mul(size, n.node("Sin", x.imag))


@pair("sum", "mean")
def _(call: Real, x: Parts) -> tuple[str, str]:
    names = [call.graph.name("part") for _ in range(2)]
    for part, name in zip((x.real, x.imag), names, strict=True):
        FORMS[call.operator.op.name](Real(call.writer, call.operator, [part], [name]))
    return names[0], names[1]


@pair("constant")
def _(call: Real) -> tuple[str, str]:
    array = np.asarray(call.value)
    return tuple(call.graph.constant(a, call.out.dtype) for a in (array.real, array.imag))  # type: ignore[return-value]


# Fourier transforms: products with the matrices of their roots, axis by axis.


def _transformed(call: Real, x: Parts, axis: int, roots: np.ndarray) -> Parts:
    """x times a matrix along an axis."""
    rank = len(x.spec.shape)
    perm = list(range(rank))
    perm[axis], perm[-1] = perm[-1], perm[axis]
    parts = [p and call.node("Transpose", [p], perm=perm) for p in (x.real, x.imag)]
    names = [call.graph.constant(a, x.spec.dtype) for a in (roots.real, roots.imag)]
    matrix = Parts(names[0], names[1], Spec(roots.shape, x.spec.dtype))
    turned = Parts(parts[0], parts[1], x.spec)
    found = _product(call, lambda a, b: call.node("MatMul", [a, b]), turned, matrix)
    shape = [roots.shape[1] if n == axis else d for n, d in enumerate(x.spec.shape)]
    back = [call.node("Transpose", [p], perm=perm) for p in found]
    return Parts(back[0], back[1], Spec(tuple(shape), x.spec.dtype))


def _roots(call: Real, size: Any, direction: int, norm: str) -> np.ndarray:
    """The matrix of a transform, -1 for the one forward; its scale is 1, 1 / n, or the root."""
    if not isinstance(size, int) or size > LARGEST_TRANSFORM:
        raise UnsupportedError(
            f"a transform of {size} elements has no form in ONNX",
            cure=f"give the size as a number of at most {LARGEST_TRANSFORM}",
        )
    places = np.outer(np.arange(size), np.arange(size)) % size
    scaled = {"backward": direction > 0, "forward": direction < 0}
    scale = 1 / math.sqrt(size) if norm == "ortho" else 1 / size if scaled[norm] else 1.0
    return np.exp(direction * 2j * math.pi * places / size) * scale


def _direction(call: Real) -> int:
    return -1 if call.forward else 1


@pair("fft_c2c", "fft_r2c")
def _(call: Real, x: Parts) -> tuple[str, str]:
    """Of real numbers with `onesided` the last axis alone is cut, as what follows is known."""
    axes = list(call.axes)
    onesided = call.operator.op.name == "fft_r2c" and call.onesided
    for axis in reversed(axes):
        size = x.spec.shape[axis]
        roots = _roots(call, size, _direction(call), call.norm)
        if onesided and axis == axes[-1]:
            roots = roots[:, : int(size) // 2 + 1]
        x = _transformed(call, x, axis, roots)
    return x.real, x.imag


@pair("fft_c2r")
def _(call: Real, x: Parts) -> str:
    """What is cut off the last axis counts as well: each inner element has a twin there."""
    *axes, last = call.axes
    for axis in axes:
        roots = _roots(call, x.spec.shape[axis], _direction(call), call.norm)
        x = _transformed(call, x, axis, roots)
    size = call.last_size
    roots = _roots(call, size, _direction(call), call.norm)[: x.spec.shape[last]]
    twins = np.array([1.0 if k == 0 or 2 * k == size else 2.0 for k in range(len(roots))])
    return _transformed(call, x, last, roots * twins[:, None]).real
