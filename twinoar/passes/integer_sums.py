"""What follows a product of integers and becomes part of it: rules of Programs.

They are batch norm, a bias, a residual, an activation, and the rounding for the next product.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.core.dtype import float32, int8
from twinoar.core.ir.pattern import Attr
from twinoar.core.ir.program import Variable
from twinoar.core.ir.rewrite import Rule, rewrite
from twinoar.core.op.definition import Op
from twinoar.ops.activation.rectifier import hardswish, relu, relu6
from twinoar.ops.math.arithmetic import add, divide, multiply, subtract
from twinoar.ops.math.cast import cast
from twinoar.ops.math.root import rsqrt
from twinoar.ops.math.select import clip_op
from twinoar.ops.norm.batch_norm import batch_norm_op
from twinoar.ops.pool.maximum import max_pool2d_op
from twinoar.ops.quant._sums import NOT_NEGATIVE
from twinoar.ops.quant.int8 import ALL, from_int8, to_int8
from twinoar.ops.quant.integer_conv2d import integer_conv2d
from twinoar.ops.quant.integer_linear import integer_linear
from twinoar.ops.shape.reshape import flatten, reshape_op, squeeze_op, transpose_op, unsqueeze_op

WINDOW = ("stride", "padding", "dilation", "groups", "data_format")
SIGN = Attr("nonnegative")
KEEP_SIGNS = (
    cast, max_pool2d_op, to_int8, from_int8, reshape_op, flatten, squeeze_op, unsqueeze_op,
    transpose_op,
)  # fmt: skip


def rules_of(op: Op) -> list[Rule]:
    """The rules of one operator of integer products."""
    return _Products(op).rules()


def are_floats(*values: Variable | None) -> bool:
    """True for float32, of which all that is done to sums must be; None is absent."""
    return all(v is None or v.spec.dtype is float32 for v in values)


def is_nonnegative(x: Any) -> bool:
    """True for integers that an activation has made, or that were taken from such."""
    while isinstance(x, Variable) and x.producer is not None:
        o = x.producer
        if o.op in (integer_conv2d, integer_linear):
            return o.attrs["activation"] in NOT_NEGATIVE
        if o.op in (relu, relu6):
            return True
        if o.op not in KEEP_SIGNS:
            return False
        x = o.operands[0]
    return False


ACTIVATIONS: tuple[tuple[str, Callable[..., Any]], ...] = (
    ("relu", relu),
    ("relu6", relu6),
    ("relu6", lambda x: clip_op(x, 0.0, 6.0)),
    ("hardswish", hardswish),
)


class _Products:
    """Rules of one operator of integer products."""

    def __init__(self, op: Op):
        self.op, self.window = op, WINDOW if op is integer_conv2d else ()

    def rules(self) -> list[Rule]:
        """All, the more specific ones first."""
        return [
            self._norm(),
            self._sum(),
            *(self._active(name, function) for name, function in ACTIVATIONS),
            self._rounding(),
            self._unsigned(),
        ]

    def _matched(
        self, x: Any, w: Any, scale: Any, bias: Any, residual: Any = None, factor: Any = None,
        activation: Any = "", dtype: Any = float32, nonnegative: Any = SIGN,
    ) -> Any:  # fmt: skip
        operands = (x, w, scale, bias, residual, factor)
        return self.op(*operands, *map(Attr, self.window), activation, dtype, nonnegative)

    def _made(self, operands: Any, attrs: dict[str, Any], **changed: Any) -> Any:
        given = {"activation": "", "dtype": float32, **attrs, **changed}
        names = (*self.window, "activation", "dtype", "nonnegative")
        return self.op(*operands, **{name: given[name] for name in names})

    def _channels(self, out: Any, attrs: dict[str, Any]) -> tuple[int, Any]:
        """The axis of the channels of the result, and their number."""
        axis = 1 if attrs.get("data_format") == "NCHW" else out.spec.ndim - 1
        return axis, out.spec.shape[axis]

    def _norm(self) -> Rule:
        """Batch norm in inference."""

        def pattern(x: Any, w: Any, s: Any, b: Any, m: Any, v: Any, g: Any, h: Any) -> Any:
            numbers = (Attr("momentum"), Attr("epsilon"), Attr("layout"))
            return batch_norm_op(self._matched(x, w, s, b), m, v, g, h, False, *numbers)[0]

        @rewrite(pattern)
        def norm_integers(
            x: Any, w: Any, s: Any, b: Any, m: Any, v: Any, g: Any, h: Any,
            epsilon: float, layout: str, **attrs: Any,
        ) -> Any:  # fmt: skip
            """batch_norm(s p + b) = (s f) p + (b - mean) f + shift, with f = gain / deviation."""
            if layout != attrs.get("data_format", layout) or (not self.window and x.spec.ndim != 2):
                return None
            if not are_floats(m, v, g, h):
                return None
            factor = rsqrt(add(v, epsilon))
            factor = factor if g is None else multiply(g, factor)
            shift = multiply(subtract(0.0, m) if b is None else subtract(b, m), factor)
            shift = shift if h is None else add(shift, h)
            return self._made((x, w, multiply(s, factor), shift, None, None), attrs)

        return norm_integers

    def _sum(self) -> Rule:
        """A bias by channel, or another value of the result's shape."""

        @rewrite(lambda x, w, s, b, c: add(self._matched(x, w, s, b), c))
        def add_to_integers(x: Any, w: Any, s: Any, b: Any, c: Any, **attrs: Any) -> Any:
            """What is added to a product is its bias, or its residual.

            One of integers r, made floats by a: s p + b + a r = a (s/a p + b/a + r).
            """
            if not isinstance(c, Variable) or not are_floats(c):
                return None
            out = self._made((x, w, s, b, None, None), attrs)
            axis, channels = self._channels(out, attrs)
            along = tuple(channels if d == axis else 1 for d in range(out.spec.ndim))
            if (1,) * (len(along) - c.spec.ndim) + c.spec.shape == along:
                vector = reshape_op(c, (channels,))
                bias = vector if b is None else add(b, vector)
                return self._made((x, w, s, bias, None, None), attrs)
            if c.spec.shape != out.spec.shape:
                return None
            made = c.producer
            if made is None or made.op is not from_int8 or made.attrs["axis"] != ALL:
                return self._made((x, w, s, b, c, None), attrs)
            r, a = made.operands
            bias = None if b is None else divide(b, a)
            return self._made((x, w, divide(s, a), bias, r, a), attrs)

        return add_to_integers

    def _active(self, name: str, function: Callable[..., Any]) -> Rule:
        """An activation."""

        @rewrite(lambda x, w, s, b, r, f: function(self._matched(x, w, s, b, r, f)))
        def activate_integers(x: Any, w: Any, s: Any, b: Any, r: Any, f: Any, **attrs: Any) -> Any:
            """A product's activation; of one that is multiplied, relu: relu(f y) = f relu(y)."""
            if f is not None and name != "relu":
                return None
            return self._made((x, w, s, b, r, f), attrs, activation=name)

        return activate_integers

    def _rounding(self) -> Rule:
        """The rounding for the next product."""

        @rewrite(
            lambda x, w, s, b, r, f, m: to_int8(
                self._matched(x, w, s, b, r, f, Attr("activation")), m, ALL
            )
        )
        def round_integers(
            x: Any, w: Any, s: Any, b: Any, r: Any, f: Any, m: Any, activation: str, **attrs: Any
        ) -> Any:
            """round(m act(s p + b)) = round(act(m s p + m b)) for relu and none."""
            attrs.update(activation=activation, dtype=int8)
            if r is None and f is None and activation in ("", "relu"):
                bias = None if b is None else multiply(b, m)
                return self._made((x, w, multiply(s, m), bias, None, None), attrs)
            return self._made((x, w, s, b, r, m if f is None else multiply(f, m)), attrs)

        return round_integers

    def _unsigned(self) -> Rule:
        """What is told of the first operand."""

        @rewrite(
            lambda x, w, s, b, r, f: self._matched(
                x, w, s, b, r, f, Attr("activation"), Attr("dtype"), False
            ),
            where=is_nonnegative,
        )
        def multiply_unsigned(x: Any, w: Any, s: Any, b: Any, r: Any, f: Any, **attrs: Any) -> Any:
            """No integer is below 0 after an activation that gives no such float."""
            return self._made((x, w, s, b, r, f), attrs, nonnegative=True)

        return multiply_unsigned
