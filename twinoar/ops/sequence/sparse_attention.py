"""Attention of each query to the keys that a sparse matrix names."""

from __future__ import annotations

import numpy as np

from twinoar.core.dtype import bool_, int64
from twinoar.core.loop.procedure import cast, fail, procedure
from twinoar.core.op.declare import Spec, Tensor, function, primitive
from twinoar.errors import AxisError, DTypeError, ShapeError
from twinoar.ops.math.compare import not_equal
from twinoar.ops.math.logical import logical_and
from twinoar.ops.sequence.attention import HEADS_FIRST
from twinoar.ops.sequence.flash_attention import masked_attention
from twinoar.ops.shape.reshape import transpose, unsqueeze


@primitive(slow_kernel=True)
def csr_mask(offset: Tensor, columns: Tensor) -> Tensor:
    """Where sparse square matrices have elements: True there.

    offset: [N,heads,T + 1], where rows begin in columns, and the end. columns: [N,heads,n], int.
    Returns [N,heads,T,T]. Raises ShapeError, DTypeError, AxisError.
    """


@csr_mask.infer
def _(offset, columns):
    if offset.ndim != 3 or columns.ndim != 3:
        raise ShapeError(
            f"expected offset [N,heads,T + 1] and columns [N,heads,n], received {offset}, {columns}"
        )
    for x in (offset, columns):
        if not x.dtype.is_integer:
            raise DTypeError(f"offset and columns must hold integers, received {x}")
    size = offset.shape[2] - 1
    return Spec((*offset.shape[:2], size, size), bool_)


@csr_mask.kernel
def _(offset, columns):
    if offset.ndim != 3 or {offset.dtype.kind, columns.dtype.kind} - {"i", "u"}:
        raise IndexError
    size, count = offset.shape[2] - 1, columns.shape[2]
    steps = np.diff(offset)
    if (offset[..., 0] != 0).any() or (steps < 0).any() or (offset[..., -1] > count).any():
        raise AxisError(f"offset must rise from 0 to {count} at most, received {offset.tolist()}")
    out = np.zeros((*offset.shape[:2], size, size), np.bool_)
    for place in np.ndindex(*offset.shape[:2]):
        rows = np.repeat(np.arange(size), steps[place])
        chosen = columns[place][: len(rows)]
        if len(chosen) and not 0 <= chosen.min() <= chosen.max() < size:
            raise AxisError(f"columns must be from 0 to {size - 1}, received {chosen.tolist()}")
        out[(*place, rows, chosen)] = True
    return out


@csr_mask.procedure
def _(p, offset, columns):
    matrices, size, _ = p.results[0].reshape(-1, *p.results[0].shape[2:]).shape
    flat = [a.reshape(matrices, a.shape[2]) for a in (offset, columns)]
    p.launch(_marked, matrices, *flat, p.results[0].reshape(matrices, size, size))


@procedure
def _marked(m, offset, columns, out):
    size = out.shape[1]
    if offset[m, 0] != 0 or cast(offset[m, size], int64) > columns.shape[1]:
        fail()
    for r in range(size):
        for c in range(size):
            out[m, r, c] = False
        first, stop = cast(offset[m, r], int64), cast(offset[m, r + 1], int64)
        if stop < first or stop > columns.shape[1]:
            fail()
        for k in range(first, stop):
            c = cast(columns[m, k], int64)
            if c < 0 or c >= size:
                fail()
            out[m, r, c] = True


@csr_mask.samples
def _(s):
    offset, columns = np.array([[[0, 2, 2, 3]]], "int32"), np.array([[[0, 2, 1]]], "int32")
    yield s(offset, columns, gradient=False)
    yield s.bad(ShapeError, "[N,heads,T + 1]", offset[0], columns)
    yield s.bad(DTypeError, "integers", s.randn(1, 1, 4), columns)
    yield s.bad(AxisError, "rise from 0 to 3", offset + 1, columns, static_error=False)
    yield s.bad(AxisError, "from 0 to 2", offset, columns + 1, static_error=False)


@function
def sparse_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    sparse_csr_offset: Tensor,
    sparse_csr_columns: Tensor,
    key_padding_mask: Tensor | None = None,
    attn_mask: Tensor | None = None,
) -> Tensor:
    """softmax(query key' / sqrt(D)) value, over the keys that a sparse matrix has for each query.

    query, key, value: [N,heads,T,D]. sparse_csr_offset: [N,heads,T + 1], where the rows of the
    matrix begin in sparse_csr_columns, [N,heads,n], both integers. key_padding_mask: [N,T], 0 for
    keys that nobody sees. attn_mask: [T,T], 0 where a query does not see a key. Returns
    [N,heads,T,D], zeros for queries that see nothing. Raises ShapeError, DTypeError, AxisError.

    >>> x = twinoar.to_tensor([0.0, 2.0]).reshape([1, 1, 2, 1])
    >>> offset, columns = twinoar.to_tensor([[[0, 1, 2]]]), twinoar.to_tensor([[[1, 0]]])
    >>> twinoar.nn.functional.sparse_attention(x, x, x, offset, columns).flatten().tolist()
    [2.0, 0.0]
    """
    mask = csr_mask(sparse_csr_offset, sparse_csr_columns)
    if key_padding_mask is not None:
        mask = logical_and(mask, unsqueeze(not_equal(key_padding_mask, 0), [1, 2]))
    if attn_mask is not None:
        mask = logical_and(mask, not_equal(attn_mask, 0))
    q, k, v = (transpose(x, HEADS_FIRST) for x in (query, key, value))
    return transpose(masked_attention(q, k, v, mask, None), HEADS_FIRST)
