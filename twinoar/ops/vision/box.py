"""Boxes as a network gives them: relative to others, which stand around every place of a grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np

from twinoar.core.op.declare import Desc, Tensor, Value, function, op
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.create.fill import constant
from twinoar.ops.create.range import iota
from twinoar.ops.math.cast import astype
from twinoar.ops.math.exponential import exp, log
from twinoar.ops.math.select import clip
from twinoar.ops.math.sign import abs as magnitude
from twinoar.ops.shape.concat import stack, unbind
from twinoar.ops.shape.expand import expand
from twinoar.ops.shape.reshape import unsqueeze

Code = Literal["encode_center_size", "decode_center_size"]


@op(
    name="box_coder",
    desc=Desc(
        "box_coder",
        {"PriorBox": "prior_box", "PriorBoxVar": "prior_box_var", "TargetBox": "target_box"},
        outputs=("OutputBox",),
        attrs={name: name for name in ("code_type", "box_normalized", "axis", "variance")},
    ),
)
def box_coder_op(
    prior_box: Tensor,
    target_box: Tensor,
    prior_box_var: Tensor | None = None,
    code_type: Code = "encode_center_size",
    box_normalized: bool = True,
    axis: int = 0,
    variance: tuple[float, ...] = (),
) -> Tensor:
    """Boxes relative to others, or back: the operator under `box_coder`."""
    encode = code_type == "encode_center_size"
    if prior_box.ndim != 2 or target_box.ndim != (2 if encode else 3):
        wanted = "[N,4]" if encode else "[N,M,4]"
        raise ShapeError(
            f"prior_box must be [M,4] and target_box {wanted}, "
            f"received {prior_box.spec} and {target_box.spec}"
        )
    offset = 0.0 if box_normalized else 1.0
    around = 0 if encode else axis  # of [N,M], the axis that priors do not have
    prior = [unsqueeze(part, around) for part in _middles_and_sides(prior_box, offset)]
    if prior_box_var is not None:
        scales: list[Any] = [unsqueeze(part, around) for part in unbind(prior_box_var, 1)]
    else:
        scales = list(variance) or [1.0] * 4
    if encode:
        target = [unsqueeze(part, 1) for part in _middles_and_sides(target_box, 0.0)]
        wide = [unsqueeze(part, 1) for part in _middles_and_sides(target_box, offset)][2:]
        codes = [(target[i] - prior[i]) / prior[2 + i] for i in range(2)]
        codes += [log(magnitude(wide[i] / prior[2 + i])) for i in range(2)]
        return stack([code / scale for code, scale in zip(codes, scales, strict=True)], 2)
    codes = [code * scale for code, scale in zip(unbind(target_box, 2), scales, strict=True)]
    middles = [codes[i] * prior[2 + i] + prior[i] for i in range(2)]
    halves = [exp(codes[2 + i]) * prior[2 + i] / 2.0 for i in range(2)]
    low = [m - half for m, half in zip(middles, halves, strict=True)]
    return stack([*low, *(m + half - offset for m, half in zip(middles, halves, strict=True))], 2)


@box_coder_op.samples
def _(s):
    corners = s.uniform(0, 9, 3, 2)
    prior = np.concatenate([corners, corners + s.uniform(2, 5, 3, 2)], 1)
    target = prior[:2] + s.uniform(0, 1, 2, 4)
    options = {"half": False, "tolerance": 1e-4}
    yield s(prior, target, s.uniform(0.2, 1, 3, 4), **options)
    yield s(prior, target, None, "encode_center_size", False, 0, (0.1, 0.1, 0.2, 0.2), **options)
    yield s(prior, s.randn(2, 3, 4), s.uniform(0.2, 1, 3, 4), "decode_center_size", **options)
    yield s(prior, s.randn(3, 2, 4), None, "decode_center_size", False, 1, **options)
    yield s.bad(ShapeError, "target_box [N,M,4]", prior, target, None, "decode_center_size")


@function
def box_coder(
    prior_box: Tensor,
    prior_box_var: Any,
    target_box: Tensor,
    code_type: Code = "encode_center_size",
    box_normalized: bool = True,
    axis: int = 0,
) -> Tensor:
    """Boxes relative to prior ones, or from such numbers the boxes.

    prior_box: [M,4], corners x1, y1, x2, y2. prior_box_var: what the four numbers are divided by,
    [M,4], four numbers, or None. code_type: "encode_center_size" with target_box [N,4], all with
    all, or "decode_center_size" with target_box [N,M,4], where axis says which of N and M the
    prior boxes do not have. box_normalized: corners are places, not numbers of pixels, which would
    belong to the box. Returns [N,M,4]. Raises ShapeError, ArgumentError. Source: Girshick et al.
    2014, arXiv 1311.2524, appendix C.
    """
    if code_type not in get_args(Code) or axis not in (0, 1):
        raise ArgumentError(
            f"expected code_type of {', '.join(get_args(Code))} and axis 0 or 1, "
            f"received {code_type!r} and {axis!r}"
        )
    given = isinstance(prior_box_var, Value)
    variance = () if given or prior_box_var is None else tuple(map(float, prior_box_var))
    tensor = prior_box_var if given else None
    rest = (code_type, box_normalized, axis, variance)
    return box_coder_op(prior_box, target_box, tensor, *rest)


PRIOR_ATTRS = {
    **{name: name for name in ("min_sizes", "max_sizes", "aspect_ratios", "flip", "clip")},
    "variances": "variance",
    "step_w": "step_w",
    "step_h": "step_h",
    "offset": "offset",
    "min_max_aspect_ratios_order": "min_max_aspect_ratios_order",
}


@op(
    name="prior_box",
    desc=Desc(
        "prior_box",
        {"Input": "input", "Image": "image"},
        outputs=("Boxes", "Variances"),
        attrs=PRIOR_ATTRS,
    ),
)
def prior_box_op(
    input: Tensor,
    image: Tensor,
    min_sizes: tuple[float, ...],
    max_sizes: tuple[float, ...] = (),
    aspect_ratios: tuple[float, ...] = (1.0,),
    variance: tuple[float, ...] = (0.1, 0.1, 0.2, 0.2),
    flip: bool = False,
    clip: bool = False,
    step_w: float = 0.0,
    step_h: float = 0.0,
    offset: float = 0.5,
    min_max_aspect_ratios_order: bool = False,
) -> tuple[Tensor, Tensor]:
    """Boxes around each place of a grid: the operator under `prior_box`."""
    if input.ndim != 4 or image.ndim != 4:
        raise ShapeError(f"input and image must be [N,C,H,W], received {input.spec}, {image.spec}")
    ratios = _ratios(aspect_ratios, flip)
    sides = _sides(min_sizes, max_sizes, ratios, min_max_aspect_ratios_order)
    h, w = input.spec.shape[2:]
    shape = (h, w, len(sides))
    corners: list[Any] = [None] * 4
    for axis, (cells, pixels, step) in enumerate(
        ((w, image.spec.shape[3], step_w), (h, image.spec.shape[2], step_h))
    ):
        each = step or pixels / cells
        middle = (astype(iota(cells), input.dtype) + offset) * each
        middle = unsqueeze(middle, [0, 2] if axis == 0 else [1, 2])
        half = constant(tuple(float(side[axis]) / 2 for side in sides), input.dtype)
        corners[axis] = expand((middle - half) / float(pixels), shape)
        corners[2 + axis] = expand((middle + half) / float(pixels), shape)
    boxes = stack(corners, 3)
    if clip:
        boxes = _clipped(boxes)
    variances = expand(constant(tuple(map(float, variance)), input.dtype), (*shape, 4))
    return boxes, variances


@prior_box_op.samples
def _(s):
    x, image = s.randn(1, 2, 3, 4), s.randn(1, 3, 30, 45)
    yield s(x, image, (4.0, 8.0), (6.0, 10.0), (2.0,), flip=True, gradient=False, half=False)
    more = {"step_w": 3.0, "step_h": 5.0, "offset": 0.3, "clip": True}
    yield s(
        x,
        image,
        (4.0,),
        (6.0,),
        min_max_aspect_ratios_order=True,
        gradient=False,
        half=False,
        **more,
    )
    yield s.bad(ShapeError, "must be [N,C,H,W]", x[0], image, (4.0,))


@function
def prior_box(
    input: Tensor,
    image: Tensor,
    min_sizes: Sequence[float] | float,
    max_sizes: Sequence[float] | float | None = None,
    aspect_ratios: Sequence[float] | float = (1.0,),
    variance: Sequence[float] = (0.1, 0.1, 0.2, 0.2),
    flip: bool = False,
    clip: bool = False,
    steps: Sequence[float] = (0.0, 0.0),
    offset: float = 0.5,
    min_max_aspect_ratios_order: bool = False,
) -> tuple[Tensor, Tensor]:
    """Boxes of several sizes and shapes around each place of a grid, as shares of the image.

    input: [N,C,H,W], of which the grid is taken. image: [N,C,H',W']. min_sizes: sides of squares,
    pixels; each also gets aspect_ratios (width by height), with flip their inverses too, and with
    max_sizes a square between min and max. steps: (x, y) of the grid, pixels, 0 for what fits.
    offset: of a place in its cell. clip: keep boxes inside of the image.
    min_max_aspect_ratios_order: the square between comes second, not last. Returns boxes
    [H,W,P,4], corners x1, y1, x2, y2, and variance for each of them. Raises ShapeError,
    ArgumentError. Source: Liu et al. 2016, arXiv 1512.02325, section 2.2.
    """
    least, most = _numbers(min_sizes), () if max_sizes is None else _numbers(max_sizes)
    if most and len(most) != len(least):
        raise ArgumentError(f"expected {len(least)} max_sizes, received {len(most)}")
    return prior_box_op(
        input,
        image,
        least,
        most,
        _numbers(aspect_ratios),
        _numbers(variance),
        flip,
        clip,
        float(steps[0]),
        float(steps[1]),
        offset,
        min_max_aspect_ratios_order,
    )


def _middles_and_sides(boxes: Tensor, offset: float) -> list[Tensor]:
    """Middle x and y, width and height."""
    left, top, right, bottom = unbind(boxes, 1)
    width, height = right - left + offset, bottom - top + offset
    return [left + width * 0.5, top + height * 0.5, width, height]


def _ratios(aspect_ratios: Sequence[float], flip: bool) -> list[float]:
    """1 and the others, without those that are there already."""
    found = [1.0]
    for ratio in aspect_ratios:
        if all(abs(ratio - other) >= 1e-6 for other in found):
            found += [ratio, 1 / ratio] if flip else [ratio]
    return found


def _sides(
    least: Sequence[float], most: Sequence[float], ratios: Sequence[float], between_second: bool
) -> list[tuple[float, float]]:
    """Width and height of each box of a place."""
    sides = []
    for i, size in enumerate(least):
        shaped = [(size * ratio**0.5, size / ratio**0.5) for ratio in ratios]
        between = [((size * most[i]) ** 0.5,) * 2] if most else []
        first = 1 if between_second else len(shaped)
        sides += [*shaped[:first], *between, *shaped[first:]]
    return sides


def _numbers(given: Any) -> tuple[float, ...]:
    return (float(given),) if isinstance(given, (int, float)) else tuple(map(float, given))


def _clipped(boxes: Tensor) -> Tensor:
    return clip(boxes, 0.0, 1.0)
