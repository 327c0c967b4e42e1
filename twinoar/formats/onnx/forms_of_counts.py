"""The forms of values that are found and counted, and of rows that are put together by numbers."""

from __future__ import annotations

import numpy as np

from twinoar.core.dtype import DType, float64, int64
from twinoar.formats.onnx import schema
from twinoar.formats.onnx.forms import Call, form
from twinoar.formats.onnx.forms_of_functions import Numbers
from twinoar.formats.onnx.forms_of_scans import counting, extreme_of

BOOL, INT64 = (schema.CODE_OF_DTYPE[name] for name in ("bool", "int64"))
ORDERED_BY_RUNTIMES = ("float32", "float64", "int64", "int8")  # which ONNX Runtime finds unique


@form("unique")
def _(call: Call) -> None:
    x, dtype = call.x[0], call.specs[0].dtype
    if dtype.name not in ORDERED_BY_RUNTIMES:
        wide = "float32" if dtype.is_floating else "int64"
        x = call.node("Cast", [x], to=schema.CODE_OF_DTYPE[wide])
    names = [call.graph.name("unique") for _ in range(4)]
    axis = None if call.axis is None else call.axis % call.rank
    call.graph.node("Unique", [x], names, axis=axis, sorted=1)
    call.gives_each(names)


@form("unique_consecutive")
def _(call: Call) -> None:
    x, axis = call.x[0], 0
    if call.axis is None:
        x = call.node("Reshape", [x, call.ints([-1])])
    else:
        axis = call.axis % call.rank
    shape = call.node("Shape", [x])
    count = call.node("Gather", [shape, call.ints([axis])], axis=0)
    firsts = _begins_run(call, x, axis, count)
    kept = call.node("Compress", [x, firsts], axis=axis)
    ordinals = call.node("CumSum", [call.node("Cast", [firsts], to=INT64), call.graph.constant(0)])
    runs = call.node("Sub", [ordinals, call.graph.constant(1)])
    starts = call.node("Reshape", [call.node("NonZero", [firsts]), call.ints([-1])])
    ends = call.node("Slice", [starts, call.ints([1]), call.ints([2**31 - 1])])
    ends = call.node("Concat", [ends, count], axis=0)
    call.gives_each([kept, runs, call.node("Sub", [ends, starts])])


def _begins_run(call: Call, x: str, axis: int, count: str) -> str:
    """Whether each slice differs from the one before it: [count]."""
    ends, along = call.ints([2**31 - 1]), call.ints([axis])
    after = call.node("Slice", [x, call.ints([1]), ends, along])
    before = call.node("Slice", [x, call.ints([0]), call.ints([-1]), along])
    differs = call.node("Not", [call.node("Equal", [after, before])])
    whole = call.node("Cast", [differs], to=INT64)
    others = [n for n in range(call.rank) if n != axis] if call.axis is not None else []
    if others:
        whole = call.graph.with_axes("ReduceSum", whole, others, 13, keepdims=0)
    found = call.node("Cast", [whole], to=BOOL)
    found = call.node("Concat", [call.graph.constant([True], "bool"), found], axis=0)
    return call.node("Slice", [found, call.ints([0]), count])  # of nothing there is no first one


@form("extent")
def _(call: Call) -> None:
    call.gives("Reshape", [_extent(call, call.x[0]), call.ints([])])


def _extent(call: Call, x: str) -> str:
    """One more than the greatest number, 0 where there is none: [1]."""
    flat = call.node("Reshape", [call.node("Cast", [x], to=INT64), call.ints([-1])])
    some = call.node("Concat", [flat, call.ints([-1])], axis=0)
    most = call.graph.with_axes("ReduceMax", some, [0], 18, keepdims=1)
    return call.node("Add", [most, call.graph.constant(1)])


@form("total_count")
def _(call: Call) -> None:
    flat = call.node("Reshape", [call.node("Cast", call.x, to=INT64), call.ints([-1])])
    total = call.graph.with_axes("ReduceSum", flat, [0], 13, keepdims=0)
    call.gives("Identity", [total])


@form("bincount", "bins")
def _(call: Call) -> None:
    x, weights = [*call.x, ""][:2]
    index = call.node("Cast", [x], to=INT64)
    if call.operator.op.name == "bins":
        size = call.graph.size(call.operator.attrs["size"])
    else:
        least = call.graph.size(call.minlength)
        pair = call.node("Concat", [_extent(call, x), least], axis=0)
        size = call.graph.with_axes("ReduceMax", pair, [0], 18, keepdims=1)
    call.gives("Identity", [_summed(call, index, weights, size, call.out.dtype)])


def _summed(call: Call, index: str, weights: str, size: str, dtype: DType) -> str:
    """The sums of weights, or of ones, by the positions in a vector: [size]."""
    call.since(16, "a reduction 'add' at places")
    zero, one = (call.graph.constant(n, dtype) for n in (0, 1))
    if weights:
        given = call.node("Cast", [weights], to=schema.CODE_OF_DTYPE[dtype.name])
    else:
        given = call.node("Expand", [one, call.node("Shape", [index])])
    zeros = call.node("Expand", [zero, size])
    return call.node("ScatterElements", [zeros, index, given], axis=0, reduction="add")


@form("repeat_index")
def _(call: Call) -> None:
    """Position i belongs to the first run that does not end before it."""
    ends = call.node("CumSum", [call.node("Cast", call.x, to=INT64), call.graph.constant(0)])
    behind = call.node("Slice", [ends, call.ints([-1]), call.ints([2**31 - 1])])
    total = call.graph.with_axes("ReduceSum", behind, [0], 13, keepdims=1)  # 0 of no runs
    call.gives("Identity", [_run_of(call, ends, counting(call, total))])


def _run_of(call: Call, ends: str, at: str) -> str:
    """How many of the ends, [k], are not behind each position, [n]."""
    column = call.graph.with_axes("Unsqueeze", at, [1], 13)
    is_over = call.node("Not", [call.node("Less", [column, ends])])
    return call.graph.with_axes(
        "ReduceSum", call.node("Cast", [is_over], to=INT64), [1], 13, keepdims=0
    )


def images_of(call: Call, counts: str, total: str) -> str:
    """In which image each of `total` regions is, where counts say how many each has: [total]."""
    ends = call.node("CumSum", [call.node("Cast", [counts], to=INT64), call.graph.constant(0)])
    return _run_of(call, ends, counting(call, total))


@form("linspace")
def _(call: Call) -> None:
    """From both ends to the middle, so that both are exact."""
    n = Numbers(call, "float64")
    first, last = (call.node("Reshape", [n.of(x), call.ints([])]) for x in call.x[:2])
    count = call.node("Reshape", [call.node("Cast", call.x[2:], to=INT64), call.ints([1])])
    places = counting(call, count)
    total = call.node("Reshape", [n.of(count), call.ints([])])
    i, steps = n.of(places), n.sub(total, 1.0)
    step = n.div(n.sub(last, first), n.where(n.node("Less", steps, 1.0), 1.0, steps))
    up = n.add(n.mul(i, step), first)
    down = n.sub(last, n.mul(n.sub(steps, i), step))
    half = n.node("Floor", n.mul(n.add(total, 1.0), 0.5))
    n.gives(n.where(n.node("Less", i, half), up, down))


@form("histogram")
def _(call: Call) -> None:
    """The interval of an element is the number of the bounds that are not above it."""
    wide = call.specs[0].dtype
    n = Numbers(call, "float64" if wide.name == "float64" or not wide.is_floating else "float32")
    x = call.node("Reshape", [n.of(call.x[0]), call.ints([-1])])
    edges = _edges(call, n, x)
    column = call.graph.with_axes("Unsqueeze", x, [1], 13)
    is_above = call.node("Not", [n.node("Less", column, edges)])
    passed = call.node("Cast", [is_above], to=INT64)
    passed = call.graph.with_axes("ReduceSum", passed, [1], 13, keepdims=0)
    last = call.node("Gather", [edges, call.graph.constant(call.bins)], axis=0)
    is_last = n.node("Equal", x, last)
    place = call.node("Where", [is_last, call.graph.constant(call.bins), passed])
    # One interval more at each end, for what is below and above.
    weighed = len(call.x) > 1 and call.x[1]
    weights = weighed and call.node("Reshape", [call.x[1], call.ints([-1])])
    dtype = float64 if weighed or call.density else int64
    counted = Numbers(call, dtype.name)
    sums = _summed(call, place, weights or "", call.ints([call.bins + 2]), dtype)
    counts = call.node("Slice", [sums, call.ints([1]), call.ints([call.bins + 1])])
    if call.density:
        counts = _density(call, counted, counts, counted.of(edges))
    counted.gives(counts)


def _edges(call: Call, n: Numbers, x: str) -> str:
    """The bounds of intervals, those of the elements themselves where none are given."""
    low, high = float(call.min), float(call.max)
    if not call.specs[0].dtype.is_floating:
        low, high = float(int(low)), float(int(high))
    if low != high:
        edges = np.linspace(low, high, call.bins + 1)
        return call.graph.constant(edges, n.dtype)
    wide = Numbers(call, "float64")
    least, most = (wide.of(call.graph.with_axes(f"Reduce{kind}", x, [0], 18, keepdims=0))
                   for kind in ("Min", "Max"))  # fmt: skip
    margin = wide.where(wide.node("Equal", least, most), 1.0, 0.0)
    least, most = wide.sub(least, margin), wide.add(most, margin)
    steps = call.graph.constant(np.arange(call.bins + 1), "float64")
    found = wide.add(wide.mul(steps, wide.div(wide.sub(most, least), float(call.bins))), least)
    is_end = call.graph.constant(np.arange(call.bins + 1) == call.bins, "bool")
    return n.of(wide.where(is_end, most, found))


def _density(call: Call, n: Numbers, counts: str, edges: str) -> str:
    """Shares of all, by the widths of intervals."""
    after = call.node("Slice", [edges, call.ints([1]), call.ints([call.bins + 1])])
    before = call.node("Slice", [edges, call.ints([0]), call.ints([call.bins])])
    total = call.graph.with_axes("ReduceSum", counts, [0], 13, keepdims=1)
    return n.div(n.div(counts, n.sub(after, before)), total)


@form("segment_pool", "pooled_rows")
def _(call: Call) -> None:
    """Rows are added to zeros, or compared with the lowest number, by their positions."""
    x, index = call.x
    dtype, rest = call.out.dtype, list(call.out.shape[1:])
    places = call.node("Cast", [index], to=INT64)
    if call.operator.op.name == "pooled_rows":
        rows = call.graph.size(call.rows)
    else:
        rows = _extent(call, index)
    sizes = call.node("Concat", [rows, call.graph.shape(rest)], axis=0) if rest else rows
    column = call.graph.with_axes("Unsqueeze", places, [1], 13)
    how = {"sum": "add", "mean": "add"}.get(call.pool, call.pool)
    call.since(16 if how == "add" else 18, f"a reduction {how!r} at places")
    first = 0 if how == "add" else extreme_of(dtype, how == "max")
    begin = call.node("Expand", [call.graph.constant(first, dtype), sizes])
    found = call.node("ScatterND", [begin, column, x], reduction=how)
    if call.pool != "sum":
        found = _of_counts(call, found, _summed(call, places, "", rows, int64))
    call.gives("Identity", [found])


def _of_counts(call: Call, found: str, counts: str) -> str:
    """Rows by how many there are of each, or 0 where there is none."""
    dtype, rank = call.out.dtype, len(call.out.shape)
    each = call.node("Reshape", [counts, call.ints([-1, *[1] * (rank - 1)])])
    if call.pool != "mean":
        is_there = call.node("Greater", [each, call.graph.constant(0)])
        return call.node("Where", [is_there, found, call.graph.constant(0, dtype)])
    is_none = call.node("Equal", [each, call.graph.constant(0)])
    each = call.node("Where", [is_none, call.graph.constant(1), each])
    wide = Numbers(call, "float32" if dtype.name == "float32" else "float64")
    shares = wide.div(wide.of(found), wide.of(each))
    return call.node("Cast", [shares], to=schema.CODE_OF_DTYPE[dtype.name])
