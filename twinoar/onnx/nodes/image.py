"""Operators on images and boxes."""

from __future__ import annotations

from typing import Any

import numpy as np

import twinoar as paddle
from twinoar.onnx.table import Known, node


@node("GridSample")
def grid_sample(
    x: Any, grid: Any, *, align_corners: int = 0, mode: str = "linear", padding_mode: str = "zeros"
) -> Any:
    rank = len(x.shape) - 2
    sizes = list(x.shape[2:])
    places = []
    for n in range(rank):
        at = grid[..., rank - 1 - n]
        size = sizes[n]
        places.append((at + 1) / 2 * (size - 1) if align_corners else ((at + 1) * size - 1) / 2)
    corners = _reached(mode)
    per_axis = []
    for n, place in enumerate(places):
        if padding_mode == "border" and mode != "cubic" and mode != "bicubic":
            place = paddle.clip(place, 0, sizes[n] - 1)
        elif padding_mode == "reflection" and mode != "cubic" and mode != "bicubic":
            place = _reflected(place, sizes[n], bool(align_corners))
        base = paddle.round(place) if mode == "nearest" else paddle.floor(place)
        share = place - base
        per_axis.append([(base + c, _share(mode, share, c)) for c in corners])
    total = None
    for choice in np.ndindex(*[len(corners)] * rank):
        taken = [per_axis[n][c] for n, c in enumerate(choice)]
        part = _picked(x, [t[0] for t in taken], padding_mode, bool(align_corners))
        for _, weight in taken:
            part = part * weight.unsqueeze(1) if weight is not None else part
        total = part if total is None else total + part
    return total


def _reached(mode: str) -> list[int]:
    if mode == "nearest":
        return [0]
    return [0, 1] if mode in ("linear", "bilinear") else [-1, 0, 1, 2]


def _share(mode: str, share: Any, corner: int) -> Any:
    if mode == "nearest":
        return None
    if mode in ("linear", "bilinear"):
        return share if corner else 1 - share
    d = paddle.abs(share - corner)
    a = -0.75
    if corner in (0, 1):
        return ((a + 2) * d - (a + 3)) * d * d + 1
    return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a


def _reflected(place: Any, size: int, is_aligned: bool) -> Any:
    low, high = (0.0, size - 1.0) if is_aligned else (-0.5, size - 0.5)
    span = high - low
    if span <= 0:
        return place * 0
    turned = paddle.remainder(paddle.abs(place - low), paddle.full([], 2 * span, place.dtype))
    folded = paddle.where(turned > span, 2 * span - turned, turned) + low
    return paddle.clip(folded, 0, size - 1)


def _picked(x: Any, places: list, padding: str, is_aligned: bool) -> Any:
    """The elements at whole places: [batch, channels, ...]."""
    sizes = x.shape[2:]
    inside: Any = None
    flat: Any = None
    for n, place in enumerate(places):
        size = sizes[n]
        if padding == "reflection":
            place = paddle.round(_reflected(place, size, is_aligned))
        is_in = paddle.logical_and(place >= 0, place <= size - 1)
        inside = is_in if inside is None else paddle.logical_and(inside, is_in)
        index = paddle.clip(place, 0, size - 1).astype("int64")
        flat = index if flat is None else flat * size + index
    batch, channels = x.shape[:2]
    shape = flat.shape[1:]
    rows = x.reshape([batch, channels, -1])
    index = paddle.broadcast_to(
        flat.reshape([batch, 1, -1]), [batch, channels, int(np.prod(shape))]
    )
    found = paddle.take_along_axis(rows, index, 2, broadcast=False).reshape(
        [batch, channels, *shape]
    )
    if padding == "zeros":
        found = paddle.where(inside.unsqueeze(1), found, paddle.zeros_like(found))
    return found


@node("NonMaxSuppression")
def non_max_suppression(
    boxes: Known,
    scores: Known,
    most: Known | None = None,
    overlap: Known | None = None,
    least: Known | None = None,
    *,
    center_point_box: int = 0,
) -> Any:
    count = int(np.asarray(most).reshape(-1)[0]) if most is not None else 0
    limit = float(np.asarray(overlap).reshape(-1)[0]) if overlap is not None else 0.0
    score = float(np.asarray(least).reshape(-1)[0]) if least is not None else -np.inf
    found = []
    for b in range(boxes.shape[0]):
        corners = _corners(boxes[b], bool(center_point_box))
        for c in range(scores.shape[1]):
            found += [[b, c, n] for n in _kept(corners, scores[b, c], count, limit, score)]
    return np.asarray(found, "int64").reshape(-1, 3)


def _corners(boxes: np.ndarray, is_centered: bool) -> np.ndarray:
    """Lower and upper corners: [boxes, 4]."""
    if is_centered:
        half = boxes[:, 2:] / 2
        return np.concatenate([boxes[:, :2] - half, boxes[:, :2] + half], 1)
    first, second = boxes[:, :2], boxes[:, 2:]
    return np.concatenate([np.minimum(first, second), np.maximum(first, second)], 1)


def _kept(
    corners: np.ndarray, scores: np.ndarray, most: int, limit: float, least: float
) -> list[int]:
    order = [n for n in np.argsort(-scores, kind="stable") if scores[n] > least]
    kept: list[int] = []
    for n in order:
        if len(kept) >= most:
            break
        if all(_overlap(corners[n], corners[k]) <= limit for k in kept):
            kept.append(int(n))
    return kept


def _overlap(a: np.ndarray, b: np.ndarray) -> float:
    shared = np.clip(np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2]), 0, None).prod()
    total = (a[2:] - a[:2]).prod() + (b[2:] - b[:2]).prod() - shared
    return float(shared / total) if total > 0 else 0.0
