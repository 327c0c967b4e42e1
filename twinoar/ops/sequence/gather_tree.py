"""Sequences out of a beam search: each step names the beam that it came from."""

from __future__ import annotations

import numpy as np

from twinoar.core.dtype import int64
from twinoar.core.loop.procedure import cast, fail, procedure
from twinoar.core.op.declare import Desc, Tensor, primitive
from twinoar.core.spec import may_equal
from twinoar.errors import AxisError, DTypeError, ShapeError


@primitive(slow_kernel=True, desc=Desc("gather_tree", {"Ids": "ids", "Parents": "parents"}))
def gather_tree(ids: Tensor, parents: Tensor) -> Tensor:
    """Whole sequences, from the ids of each step and the beams that they came from.

    ids, parents: [T,B,K], integers. Returns [T,B,K] of the dtype of ids: sequence k is that which
    ends in beam k. Raises ShapeError, DTypeError, AxisError for a parent that names no beam.

    >>> ids = twinoar.to_tensor([[[1, 2]], [[3, 4]]])
    >>> parents = twinoar.to_tensor([[[0, 0]], [[1, 0]]])
    >>> twinoar.nn.functional.gather_tree(ids, parents).tolist()
    [[[2, 1]], [[3, 4]]]
    """


@gather_tree.infer
def _(ids, parents):
    if ids.ndim != 3 or not may_equal(ids.shape, parents.shape):
        raise ShapeError(f"ids and parents must both be [T,B,K], received {ids} and {parents}")
    for name, x in (("ids", ids), ("parents", parents)):
        if not x.dtype.is_integer:
            raise DTypeError(f"{name} must hold integers, received {x}")
    return ids


@gather_tree.kernel
def _(ids, parents):
    for name, x in (("ids", ids), ("parents", parents)):
        if x.dtype.kind not in "iu":
            raise DTypeError(f"{name} must hold integers, received {x.dtype.name}")
    if parents.size and not 0 <= parents.min() <= parents.max() < ids.shape[2]:
        raise AxisError(f"parents must name one of {ids.shape[2]} beams, received others")
    out = np.empty_like(ids)
    beams = np.broadcast_to(np.arange(ids.shape[2]), ids.shape[1:])
    for t in reversed(range(len(ids))):
        out[t] = np.take_along_axis(ids[t], beams, 1)
        beams = np.take_along_axis(parents[t], beams, 1)
    return out


@gather_tree.procedure
def _(p, ids, parents):
    p.launch(_followed, ids.shape[1], ids, parents, p.results[0])


@procedure
def _followed(b, ids, parents, out):
    steps, beams = ids.shape[0], ids.shape[2]
    for t in range(steps):
        for k in range(beams):
            parent = cast(parents[t, b, k], int64)
            if parent < 0 or parent >= beams:
                fail()
    for k in range(beams):
        beam = k
        for t in range(steps - 1, -1, -1):
            out[t, b, k] = ids[t, b, beam]
            beam = cast(parents[t, b, beam], int64)


@gather_tree.samples
def _(s):
    yield s(s.ints(0, 9, 4, 2, 3), s.ints(0, 3, 4, 2, 3))
    yield s(s.ints(0, 9, 1, 1, 1, dtype="int32"), s.ints(0, 1, 1, 1, 1, dtype="int32"))
    yield s(s.ints(0, 9, 0, 2, 3), s.ints(0, 3, 0, 2, 3))
    yield s.bad(ShapeError, "both be", s.ints(0, 9, 4, 2), s.ints(0, 3, 4, 2))
    yield s.bad(DTypeError, "integers", s.randn(4, 2, 3), s.ints(0, 3, 4, 2, 3))
    beams = (s.ints(0, 9, 1, 1, 2), s.ints(2, 3, 1, 1, 2))
    yield s.bad(AxisError, "one of 2 beams", *beams, static_error=False)
