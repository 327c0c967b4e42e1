"""Calls that add slices at positions that data gives (the gradient of an embedding), as loops."""

from __future__ import annotations

import math

from twinoar.compile.element import asked_by
from twinoar.compile.kernel import Kernel, Root, collapse_axes
from twinoar.compile.schedule import ScatterNest
from twinoar.compile.storage import Storage, View
from twinoar.core.dtype import DType
from twinoar.core.ir.program import Operator, Variable
from twinoar.core.loop.expression import Axis, Expr, axis_value, cast, const, make
from twinoar.core.loop.language import NARROW, Reader, compute_dtype
from twinoar.core.varying import is_one


def scatters(o: Operator) -> bool:
    """True for operators that add slices, in a dtype in which sums can be kept."""
    out = o.results[0] if o.results else None
    return (
        "scatter" in o.op.rules
        and out is not None
        and out.spec.dtype not in NARROW
        and all(x.spec.size for x in [*o.operands, out] if isinstance(x, Variable))
    )


def scatter_kernel(
    o: Operator, operands: list[View | object], result: Storage
) -> tuple[Kernel, ScatterNest]:
    """The kernel of such a call, and its loops."""
    rule = o.op.rules["scatter"]
    given = dict(zip((p.name for p in o.op.operands), map(_reader, operands), strict=True))
    given |= {**o.attrs, "spec": o.results[0].spec}
    made = rule(**{name: given[name] for name in asked_by(rule)})
    places = [Axis(n, f"k{d}") for d, n in enumerate(made.sizes)]
    columns = [Axis(n, f"c{d}") for d, n in enumerate(result.shape[1:])]
    k, j = tuple(map(axis_value, places)), tuple(map(axis_value, columns))
    position = made.index(k)
    value = cast(made.value(k, j), compute_dtype(result.dtype))
    root = Root(result, result.offset((const(0), *j)), value, "sum")
    exprs = [position, root.offset, root.value]
    places, exprs = collapse_axes(places, exprs)
    columns, (position, root.offset, root.value) = collapse_axes(columns, exprs)
    row = Axis(result.shape[0], "r")
    work = math.prod(a.size for a in (*places, *columns)) + result.count
    nest = ScatterNest(row, places, position, columns, root, work)
    return Kernel([row], columns, [root], [v for v in o.results if v is not None]), nest


def _reader(x: View | object) -> Reader | object:
    """Elements of a view; other operands as they are."""
    if not isinstance(x, View):
        return x
    dtype: DType = x.base.dtype

    def element(index: tuple[Expr, ...]) -> Expr:
        at = const(x.offset)
        for i, stride, n in zip(index, x.strides, x.shape, strict=True):
            at = at if is_one(n) else at + i * stride
        return cast(make("load", (x.base, at), dtype), compute_dtype(dtype))

    return Reader(x.shape, dtype, element)
