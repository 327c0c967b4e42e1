"""The forms of boxes that overlap, and of regions of images that are brought to one size."""

from __future__ import annotations

import math

import numpy as np

from twinoar.core.dim import Dim
from twinoar.core.dtype import DType, bool_, float32, float64, int64
from twinoar.core.spec import Spec
from twinoar.errors import UnsupportedError
from twinoar.formats.onnx import schema
from twinoar.formats.onnx.forms import Call, form, is_single
from twinoar.formats.onnx.forms_of_counts import images_of
from twinoar.formats.onnx.forms_of_functions import Numbers
from twinoar.formats.onnx.forms_of_scans import Scan, counting, extreme_of, filled

BOOL, FLOAT, INT32, INT64 = (
    schema.CODE_OF_DTYPE[name] for name in ("bool", "float32", "int32", "int64")
)
LEAST_AREA = 1e-6  # keeps the logarithm of a box without area finite, in levels of regions


def _measuring(call: Call) -> Numbers:
    """Numbers of the dtype in which boxes are compared."""
    dtype = call.specs[0].dtype
    single = dtype.is_floating and dtype.itemsize <= 4
    return Numbers(call, "float32" if single else "float64")


def _side(call: Call, boxes: str, n: int) -> str:
    """One coordinate of boxes [*,4]: [*]."""
    return call.node("Gather", [boxes, call.graph.constant(n)], axis=-1)


def overlaps(call: Call, n: Numbers, boxes: str, offset: float) -> str:
    """What each two boxes of [B,N,4] share, by what either covers: [B,N,N]."""
    sides = [_side(call, boxes, k) for k in range(4)]
    own = [call.graph.with_axes("Unsqueeze", side, [2], 13) for side in sides]
    others = [call.graph.with_axes("Unsqueeze", side, [1], 13) for side in sides]
    spans = []
    for low, high in ((0, 2), (1, 3)):
        end, start = (
            call.node(type, [own[k], others[k]]) for type, k in (("Min", high), ("Max", low))
        )
        spans.append(n.node("Max", n.add(n.sub(end, start), offset), 0.0))
    shared = n.mul(*spans)
    areas = [
        n.mul(*(n.add(n.sub(part[k + 2], part[k]), offset) for k in (0, 1)))
        for part in (own, others)
    ]
    covered = n.sub(n.add(*areas), shared)
    has_area = n.node("Less", 0.0, covered)
    return n.where(has_area, n.div(shared, n.where(has_area, covered, 1.0)), 0.0)


def _kept(
    call: Call, n: Numbers, share: str, mask: str, sizes: tuple[Dim, Dim],
    threshold: float, eta: float = 1.0, most: int = 0,
) -> str:  # fmt: skip
    """Which boxes no earlier one that is kept overlaps by too much, one after the other: [B,N].

    share: [B,N,N]. mask: [B,N], of those that may be kept. most: of a line; all if not above 0.
    """
    lines, count = sizes
    line, column = Spec((lines, count), bool_), Spec((lines, 1), bool_)
    limit = Spec((lines, 1), float64 if n.dtype == "float64" else float32)
    numbers = counting(call, call.graph.size(count))
    scan = Scan(call, 1)
    scan.carries(filled(call, False, line), line)
    scan.carries(filled(call, threshold, limit), limit)
    scan.reads(share, Spec((lines, count), limit.dtype))
    scan.reads(call.graph.with_axes("Unsqueeze", mask, [2], 13), column)
    scan.reads(numbers, Spec((), int64), 0)

    def step(carried: list[str], now: list[str]) -> tuple[list[str], list[str]]:
        (kept, limit), (own, asked, at) = carried, now
        is_over = call.node("Not", [_at_most(n, own, limit)])
        hit = call.node("Cast", [call.node("And", [is_over, kept])], to=INT32)
        hits = call.graph.with_axes("ReduceMax", hit, [1], 18, keepdims=1)
        stays = call.node("And", [asked, call.node("Not", [call.node("Cast", [hits], to=BOOL)])])
        if most > 0:
            whole = call.node("Cast", [kept], to=INT64)
            so_far = call.graph.with_axes("ReduceSum", whole, [1], 13, keepdims=1)
            stays = call.node(
                "And", [stays, call.node("Less", [so_far, call.graph.constant(most)])]
            )
        here = call.node("And", [stays, call.node("Equal", [numbers, at])])
        if eta < 1:
            falls = call.node("And", [stays, n.node("Less", 0.5, limit)])
            limit = n.where(falls, n.mul(limit, eta), limit)
        return [call.node("Or", [kept, here]), limit], []

    return scan.written(step)[0]


def _at_most(n: Numbers, a: str, b: str) -> str:
    """a <= b, false of nan."""
    return n.node("Or", n.node("Less", a, b), n.node("Equal", a, b))


@form("kept_boxes")
def _(call: Call) -> None:
    boxes, mask = call.x
    sizes = call.specs[1].shape
    if 0 in sizes:
        call.gives("Identity", [mask])
        return
    n = _measuring(call)
    share = overlaps(call, n, n.of(boxes), float(call.offset))
    rest = float(call.threshold), float(call.eta), call.most
    call.gives("Identity", [_kept(call, n, share, mask, (sizes[0], sizes[1]), *rest)])


@form("standing_boxes")
def _(call: Call) -> None:
    """One node where the boxes have the one dtype of NonMaxSuppression, else step by step."""
    boxes, group = [*call.x, ""][:2]
    (count,) = call.out.shape
    if count == 0:
        call.gives("Identity", [call.graph.constant(np.zeros(0), "bool")])
    elif call.specs[0].dtype is float32 and not (group and call.groups is None):
        call.gives("Identity", [_suppressed(call, boxes, group, count)])
    else:
        call.gives("Identity", [_standing(call, boxes, group, count)])


def _suppressed(call: Call, boxes: str, group: str, count: Dim) -> str:
    """By NonMaxSuppression. Scores fall, so that the order stays, and are 0 in other groups."""
    size = call.graph.size(count)
    numbers = counting(call, size)
    scores = call.node("Cast", [call.node("Sub", [size, numbers])], to=FLOAT)  # exact up to 2^24
    if group:
        wide = call.node("Cast", [group], to=INT64)
        asked = call.graph.constant(np.array(call.groups)[:, None])
        is_own = call.node("Equal", [asked, wide])
        scores = call.node("Where", [is_own, scores, call.graph.constant(0.0, float32)])
        scores = call.graph.with_axes("Unsqueeze", scores, [0], 13)
    else:
        scores = call.graph.with_axes("Unsqueeze", scores, [0, 1], 13)
    threshold = call.graph.constant([call.iou_threshold], float32)
    lines = call.graph.with_axes("Unsqueeze", boxes, [0], 13)
    least = call.graph.constant([0.0], float32)
    found = call.node("NonMaxSuppression", [lines, scores, size, threshold, least])
    places = call.node("Gather", [found, call.ints([2])], axis=1)
    zeros = call.node("Expand", [call.graph.constant(0), size])
    ones = call.node("Add", [call.node("Mul", [places, call.graph.constant(0)]), call.ints([1])])
    flat = call.node("Reshape", [ones, call.ints([-1])])
    return call.node("Cast", [call.node("ScatterND", [zeros, places, flat])], to=BOOL)


def _standing(call: Call, boxes: str, group: str, count: Dim) -> str:
    """Step by step; boxes of different groups share nothing."""
    n = _measuring(call)
    lines = call.graph.with_axes("Unsqueeze", n.of(boxes), [0], 13)
    share = overlaps(call, n, lines, 0.0)
    mask = filled(call, True, Spec((1, count), bool_))
    if group:
        wide = call.node("Cast", [group], to=INT64)
        column = call.graph.with_axes("Unsqueeze", wide, [1], 13)
        share = n.where(call.node("Equal", [column, wide]), share, -1.0)
        if call.groups is not None:
            is_asked = call.node("Equal", [column, call.graph.constant(list(call.groups))])
            whole = call.node("Cast", [is_asked], to=INT32)
            some = call.graph.with_axes("ReduceMax", whole, [1], 18, keepdims=0)
            mask = call.graph.with_axes("Unsqueeze", call.node("Cast", [some], to=BOOL), [0], 13)
    kept = _kept(call, n, share, mask, (1, count), float(call.iou_threshold))
    return call.graph.with_axes("Squeeze", kept, [0], 13)


@form("lowered_scores")
def _(call: Call) -> None:
    boxes, scores = call.x
    n, count = _measuring(call), call.specs[1].shape[1]
    share = overlaps(call, n, n.of(boxes), float(call.offset))
    numbers = counting(call, call.graph.size(count))
    rows = call.graph.with_axes("Unsqueeze", numbers, [1], 13)
    is_better = call.node("Less", [rows, numbers])  # the row than the column
    share = n.where(is_better, share, 0.0)
    most = call.graph.with_axes("ReduceMax", share, [1], 18, keepdims=0)
    most = call.graph.with_axes("Unsqueeze", most, [2], 13)
    if call.sigma is None:
        factors = n.div(n.sub(1.0, share), n.sub(1.0, most))
        counts = call.node("And", [is_better, call.node("Equal", [factors, factors])])
        factors = n.where(counts, factors, 1.0)
    else:
        apart = n.sub(n.mul(most, most), n.mul(share, share))
        factors = n.where(is_better, n.mul(apart, float(call.sigma)), 0.0)
    decay = call.graph.with_axes("ReduceMin", factors, [1], 18, keepdims=0)
    decay = decay if call.sigma is None else n.node("Exp", decay)
    wide = n.of(scores)
    is_there = n.node("Less", -math.inf, wide)
    n.gives(n.where(is_there, n.mul(wide, decay), -math.inf))


@form("levels_of_regions")
def _(call: Call) -> None:
    regions, counts = call.x
    n, rows = _measuring(call), call.graph.size(call.specs[0].shape[0])
    x = n.of(regions)
    sides = [
        n.node(
            "Max", n.add(n.sub(_side(call, x, k + 2), _side(call, x, k)), float(call.offset)), 0.0
        )
        for k in (0, 1)
    ]
    root = n.div(n.node("Sqrt", n.mul(*sides)), float(call.side))
    scale = n.mul(n.add(root, LEAST_AREA), 2.0**call.level)
    bounds = call.graph.constant([2.0**k for k in range(1, call.levels)], n.dtype)
    column = call.graph.with_axes("Unsqueeze", scale, [1], 13)
    reached = call.node("Cast", [call.node("Not", [n.node("Less", column, bounds)])], to=INT64)
    level = call.graph.with_axes("ReduceSum", reached, [1], 13, keepdims=0)
    own = call.node("Equal", [call.graph.constant(np.arange(call.levels)[:, None]), level])
    own = call.graph.with_axes("Unsqueeze", own, [1], 13)
    images = call.graph.size(call.specs[1].shape[0])
    image = call.graph.with_axes("Unsqueeze", counting(call, images), [1], 13)
    here = call.node("Equal", [image, images_of(call, counts, rows)])
    both = call.node("Cast", [call.node("And", [own, here])], to=INT64)
    found = call.graph.with_axes("ReduceSum", both, [2], 13, keepdims=0)
    call.gives_each([level, found, _places(call, level, rows)])


def _places(call: Call, level: str, rows: str) -> str:
    """Where each region is among all in the order of levels, equal ones in theirs: [R,1]."""
    numbers = counting(call, rows)
    own, own_number = (call.graph.with_axes("Unsqueeze", x, [1], 13) for x in (level, numbers))
    is_same = call.node("Equal", [level, own])
    tie = call.node("And", [is_same, call.node("Less", [numbers, own_number])])
    before = call.node("Or", [call.node("Less", [level, own]), tie])
    whole = call.node("Cast", [before], to=INT64)
    return call.graph.with_axes("ReduceSum", whole, [1], 13, keepdims=1)


@form("weighed_regions")
def _(call: Call) -> None:
    """Products from both sides; where parts have channels of their own, what is on diagonals."""
    x, rows, columns, image = call.x
    images = call.node("Gather", [x, call.node("Cast", [image], to=INT64)], axis=0)  # [R,C,H,W]
    above = call.graph.with_axes("Unsqueeze", rows, [1], 13)  # [R,1,PH,H]
    aside = call.graph.with_axes(
        "Unsqueeze", call.node("Transpose", [columns], perm=[0, 2, 1]), [1], 13
    )  # [R,1,W,PW]
    if not call.apart:
        half = call.node("MatMul", [above, images])
        call.gives("MatMul", [half, aside])
        return
    count, channels, high, wide = call.out.shape
    height, width = call.specs[0].shape[2:]
    parted = call.graph.shape([count, channels, high, wide, height, width])
    images = call.node("Reshape", [images, parted])
    row = call.graph.with_axes("Unsqueeze", above, [3, 4], 13)  # [R,1,PH,1,1,H]
    column = call.node("Transpose", [aside], perm=[0, 1, 3, 2])
    column = call.graph.with_axes("Unsqueeze", column, [2, 5], 13)  # [R,1,1,PW,W,1]
    found = call.node("MatMul", [call.node("MatMul", [row, images]), column])
    call.gives("Reshape", [found, call.graph.shape(call.out.shape)])


@form("bilinear_weights")
def _(call: Call) -> None:
    """Each place in a part gives to a pixel what it is nearer to it than 1, as a share of all."""
    first, length = call.x
    n, bins, size = _measuring(call), call.bins, call.operator.attrs["size"]
    starts, parts = (
        call.graph.with_axes("Unsqueeze", n.of(x), [1, 2], 13)
        for x in (first, n.div(n.of(length), float(bins)))
    )  # [R,1,1]
    if call.samples > 0:
        count, most = call.graph.constant(float(call.samples), n.dtype), call.ints([call.samples])
    else:
        count = n.node("Max", n.node("Ceil", parts), 0.0)
        largest = call.node("Reshape", [call.node("Cast", [count], to=INT64), call.ints([-1])])
        largest = call.node("Concat", [largest, call.ints([1])], axis=0)
        most = call.graph.with_axes("ReduceMax", largest, [0], 18, keepdims=1)
    nth = n.of(counting(call, most))  # [K]
    bin_of = call.graph.constant(np.arange(bins)[:, None], n.dtype)
    several = n.node("Max", count, 1.0)
    at = n.mul(n.div(n.add(n.add(n.mul(bin_of, count), nth), 0.5), several), parts)
    places = n.add(starts, at)  # [R,bins,K]
    length = _number_of(call, n, size)
    within = call.node("Not", [call.node("Or", [n.node("Less", places, -1.0),
                                                n.node("Less", length, places)])])  # fmt: skip
    within = call.node("And", [within, n.node("Less", nth, count)])
    share = n.where(within, n.node("Reciprocal", several), 0.0)
    last = n.sub(length, 1.0)
    clipped = n.node("Min", n.node("Max", places, 0.0), last)
    pixels = n.of(counting(call, call.graph.size(size)))
    wide = [call.graph.with_axes("Unsqueeze", x, [3], 13) for x in (clipped, share)]
    near = n.node("Max", n.sub(1.0, n.node("Abs", n.sub(wide[0], pixels))), 0.0)
    n.gives(call.graph.with_axes("ReduceSum", n.mul(near, wide[1]), [2], 13, keepdims=0))


def _number_of(call: Call, n: Numbers, size: Dim) -> str:
    return call.node("Reshape", [n.of(call.graph.size(size)), call.ints([])])


# The kernels of ONNX Runtime are older than the nodes of opset 22, for which it has none. Before
# opset 16 RoiAlign does not know where the middle of a pixel is.
@form("roi_align", since=16, until=22, suits=is_single)
def _(call: Call) -> None:
    x, boxes, counts = call.x
    rows = call.graph.size(call.specs[1].shape[0])
    call.gives(
        "RoiAlign",
        [x, call.node("CastLike", [boxes, x]), images_of(call, counts, rows)],
        mode="avg",
        output_height=call.pooled_height,
        output_width=call.pooled_width,
        sampling_ratio=max(call.sampling_ratio, 0),
        spatial_scale=float(call.spatial_scale),
        coordinate_transformation_mode="half_pixel" if call.aligned else "output_half_pixel",
    )


@form("roi_pool", until=22, suits=is_single)
def _(call: Call) -> None:
    x, boxes, counts = call.x
    rows = call.graph.size(call.specs[1].shape[0])
    code = schema.CODE_OF_DTYPE[call.out.dtype.name]
    image = call.node("Cast", [images_of(call, counts, rows)], to=code)
    column = call.graph.with_axes("Unsqueeze", image, [1], 13)
    regions = call.node("Concat", [column, call.node("Cast", [boxes], to=code)], axis=1)
    call.gives(
        "MaxRoiPool",
        [x, regions],
        pooled_shape=[call.pooled_height, call.pooled_width],
        spatial_scale=float(call.spatial_scale),
    )


@form("window_maxima")
def _(call: Call) -> None:
    """The maxima of rows, then those of columns, each among what lies in the window."""
    x, rows, columns, image = call.x
    if call.results[1]:
        raise UnsupportedError("the places of maxima in windows have no form in ONNX")
    dtype = call.out.dtype
    lowest = call.graph.constant(extreme_of(dtype, least=True), dtype)
    found = call.node("Gather", [x, call.node("Cast", [image], to=INT64)], axis=0)  # [R,C,H,W]
    sides = ((rows, 2, [1, 4]), (columns, 3, [1, 2]))
    for ends, axis, others in sides:
        dtype_of_ends = call.specs[axis - 1].dtype
        inside = _inside(call, ends, dtype_of_ends, call.specs[0].shape[axis])
        inside = call.graph.with_axes("Unsqueeze", inside, others, 13)  # [R,1,PH,H,1], [R,1,1,PW,W]
        wide = call.graph.with_axes("Unsqueeze", found, [axis], 13)
        kept = call.node("Where", [inside, wide, lowest])
        found = call.graph.with_axes("ReduceMax", kept, [axis + 1], 18, keepdims=0)
    is_none = call.node("Equal", [found, lowest])
    zero = call.graph.constant(0, dtype)
    call.graph.node("Where", [is_none, zero, found], call.results[:1])


def _inside(call: Call, ends: str, dtype: DType, size: Dim) -> str:
    """Which pixels are from the first of two numbers, [R,P,2], to before the second: [R,P,size]."""
    code = schema.CODE_OF_DTYPE[dtype.name]
    pixels = call.node("Cast", [counting(call, call.graph.size(size))], to=code)
    first, last = (
        call.node("Slice", [ends, call.ints([k]), call.ints([k + 1]), call.ints([2])])
        for k in (0, 1)
    )
    after = call.node(
        "Or", [call.node("Greater", [pixels, first]), call.node("Equal", [pixels, first])]
    )
    return call.node("And", [after, call.node("Less", [pixels, last])])
