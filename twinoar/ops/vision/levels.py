"""Regions divided among levels of features, by their size."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dtype import BY_NUMPY, int32, int64
from twinoar.core.loop import language as loop
from twinoar.core.loop.procedure import cast, fail, procedure
from twinoar.core.op.declare import Spec, Tensor, function, op, primitive
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops.index.gather import gather_op
from twinoar.ops.index.mask import nonzero_op
from twinoar.ops.math.compare import equal
from twinoar.ops.shape.concat import unbind
from twinoar.ops.shape.reshape import reshape_op
from twinoar.ops.vision._overlap import measured

LEAST_AREA = 1e-6  # keeps the logarithm of a box without area finite


def _check_regions(regions: Spec, counts: Spec) -> None:
    if regions.ndim != 2 or regions.shape[1] != 4 or counts.ndim != 1:
        raise ShapeError(
            f"fpn_rois must be [R,4] and rois_num [N], received {regions} and {counts}"
        )
    if not regions.dtype.is_floating or not counts.dtype.is_integer:
        raise DTypeError(
            f"fpn_rois must be floating, rois_num integers, received {regions} and {counts}"
        )


def _level_specs(regions: Spec, counts: Spec, levels: int, **attrs: object) -> tuple[Spec, ...]:
    _check_regions(regions, counts)
    rows, images = regions.shape[0], counts.shape[0]
    return Spec((rows,), int64), Spec((levels, images), int32), Spec((rows, 1), int32)


@primitive(slow_kernel=True, infer=_level_specs)
def levels_of_regions(
    regions: Tensor, counts: Tensor, levels: int, side: float, level: int, offset: float = 0.0
) -> tuple[Tensor, Tensor, Tensor]:
    """The level of each region [R], how many of each level each image has, and their places.

    side: of regions of `level`; those of twice that side are of the next one. levels: how many
    there are. The places [R,1] are those among all in the order of levels.
    """


@levels_of_regions.kernel
def _(regions, counts, levels, side, level, offset):
    if regions.ndim != 2 or regions.shape[1] != 4 or counts.ndim != 1:
        raise IndexError
    if regions.dtype.kind not in "fV" or counts.dtype.kind not in "iu":
        raise IndexError
    if (counts < 0).any() or counts.sum() != len(regions):
        raise ArgumentError(
            f"rois_num must be counts of the {len(regions)} regions, received {counts.tolist()}",
            cure="give how many regions each image has",
        )
    x = regions.astype(measured(BY_NUMPY[regions.dtype]).numpy)
    sides = np.maximum(x[:, 2:] - x[:, :2] + offset, 0)
    scale = (np.sqrt(sides[:, 0] * sides[:, 1]) / side + LEAST_AREA) * 2.0**level
    at = sum((scale >= bound for bound in _bounds(levels)), np.zeros(len(x), np.int64))
    image = np.arange(len(counts)).repeat(counts)
    found = np.zeros((levels, len(counts)), np.int32)
    np.add.at(found, (at, image), 1)
    order = np.argsort(at, kind="stable")
    place = np.empty((len(at), 1), np.int32)
    place[order, 0] = np.arange(len(at))
    return at, found, place


def _bounds(levels: int) -> tuple[float, ...]:
    """The sides from which on regions are of the next level, by that of the first one."""
    return tuple(2.0**k for k in range(1, levels))


@levels_of_regions.procedure
def _(p, regions, counts, levels, side, level, offset):
    at, found, place = p.results
    given = float(side), 2.0**level, float(offset)
    p.launch(_levels, regions.shape[0], regions, *given, at, bounds=_bounds(levels),
             dtype=measured(regions.dtype))  # fmt: skip
    starts = p.scratch((levels,), int64)
    p.launch(_counted, 1, counts, at, found, starts, place, work=2 * at.size + found.size)


@procedure
def _levels(row, regions, side, scale, offset, at, *, bounds, dtype):
    left, top = cast(regions[row, 0], dtype), cast(regions[row, 1], dtype)
    right, bottom = cast(regions[row, 2], dtype), cast(regions[row, 3], dtype)
    wide, high = right - left + cast(offset, dtype), bottom - top + cast(offset, dtype)
    area = max(wide, 0.0) * max(high, 0.0)
    size = (loop.sqrt(area) / cast(side, dtype) + LEAST_AREA) * cast(scale, dtype)
    level = cast(0, int64)
    for bound in bounds:
        level += cast(size >= bound, int64)
    at[row] = level


@procedure
def _counted(row, counts, at, found, starts, place):
    """How many regions each level and image has, then the place of each region."""
    levels, images, first = found.shape[0], found.shape[1], 0
    for image in range(images):
        count = cast(counts[image], int64)
        if count < 0 or count > at.shape[0] - first:
            fail()
        for level in range(levels):
            found[level, image] = 0
        for k in range(first, first + count):
            found[at[k], image] += 1
        first += count
    if first != at.shape[0]:
        fail()
    start = 0
    for level in range(levels):
        starts[level] = start
        for image in range(images):
            start += cast(found[level, image], int64)
    for k in range(at.shape[0]):
        place[k, 0] = cast(starts[at[k]], place)
        starts[at[k]] += 1


@levels_of_regions.samples
def _(s):
    corners = s.uniform(0, 100, 9, 2)
    rois = np.concatenate([corners, corners + s.uniform(20, 900, 9, 2)], 1)
    counts = np.array([4, 0, 5], "int32")
    yield s(rois, counts, 4, 224, 2, gradient=False)
    yield s(rois, np.array([9]), 2, 224, -1, 1.0, gradient=False)
    yield s.bad(ShapeError, "must be [R,4]", rois[:, :3], counts, 4, 224, 2)
    yield s.bad(DTypeError, "rois_num integers", rois, s.randn(3), 4, 224, 2)
    yield s.bad(
        ArgumentError, "counts of the 9 regions", rois, np.array([8]), 4, 224, 2, static_error=False
    )


def _specs(
    regions: Spec, counts: Spec, min_level: int, max_level: int, **attrs: object
) -> tuple[Spec, ...]:
    _check_regions(regions, counts)
    some: Any = None  # the data decides
    levels = range(min_level, max_level + 1)
    return (
        *(Spec((some, 4), regions.dtype) for _ in levels),
        *(Spec(counts.shape, int32) for _ in levels),
        Spec((regions.shape[0], 1), int32),
    )


@op(name="distribute_fpn_proposals", infer=_specs)
def distribute_op(
    fpn_rois: Tensor,
    rois_num: Tensor,
    min_level: int,
    max_level: int,
    refer_level: int,
    refer_scale: int,
    pixel_offset: bool = False,
) -> tuple[Tensor, ...]:
    """Regions of each level, how many of each image, and where each region has gone."""
    levels = max_level - min_level + 1
    rest = levels, refer_scale, refer_level - min_level, 1.0 if pixel_offset else 0.0
    at, counts, places = levels_of_regions(fpn_rois, rois_num, *rest)
    members = [reshape_op(nonzero_op(equal(at, k)), (-1,)) for k in range(levels)]
    return *(gather_op(fpn_rois, m) for m in members), *unbind(counts, 0), places


@distribute_op.samples
def _(s):
    corners = s.uniform(0, 100, 9, 2)
    rois = np.concatenate([corners, corners + s.uniform(20, 900, 9, 2)], 1)
    yield s(rois, np.array([4, 5], "int32"), 2, 5, 4, 224, gradient=False, half=False)
    yield s(rois, np.array([9], "int32"), 3, 4, 4, 224, True, gradient=False, half=False)


@function
def distribute_fpn_proposals(
    fpn_rois: Tensor,
    min_level: int,
    max_level: int,
    refer_level: int,
    refer_scale: int,
    pixel_offset: bool = False,
    rois_num: Tensor | None = None,
) -> Any:
    """Regions divided among levels of features by their size.

    fpn_rois: [R,4]; those with sides of refer_scale go to refer_level, of twice that to the next.
    rois_num: [N], integers, how many each image has. pixel_offset: corners are numbers of pixels,
    which belong to the region. Returns regions [Ri,4] for each level, where each region stands
    among them [R,1], int32, and how many each image has in each level, [N] each. Raises
    ArgumentError without rois_num. No gradient. Source: Lin et al. 2017, arXiv 1612.03144,
    equation 1.
    """
    if rois_num is None:
        raise ArgumentError("rois_num says how many regions each image has", cure="give it")
    rest = (min_level, max_level, refer_level, refer_scale, pixel_offset)
    *parts, restore = distribute_op(fpn_rois, rois_num, *rest)
    levels = max_level - min_level + 1
    return parts[:levels], restore, parts[levels:]
