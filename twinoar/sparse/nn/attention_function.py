"""Attention over the keys that a sparse tensor names for each query."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.eager.tensor import to_tensor
from twinoar.errors import ShapeError
from twinoar.ops.math.compare import not_equal
from twinoar.ops.math.logical import logical_and
from twinoar.ops.sequence.flash_attention import masked_attention
from twinoar.ops.shape.reshape import transpose, unsqueeze
from twinoar.sparse.tensor import SparseTensor, checked

HEADS_SECOND = [0, 2, 1, 3]


def attention(
    query: Any,
    key: Any,
    value: Any,
    sparse_mask: SparseTensor,
    key_padding_mask: Any = None,
    attn_mask: Any = None,
    name: str | None = None,
) -> Any:
    """softmax(query key' / sqrt(D)) value, over the keys where `sparse_mask` has elements.

    query, key, value: [N,heads,T,D]. sparse_mask: [N * heads,T,T], or [T,T] where N * heads
    is 1; its values are without effect. key_padding_mask: [N,T], 0 for keys that nobody sees.
    attn_mask: [T,T], 0 where a query does not see a key. Returns [N,heads,T,D], zeros for queries
    that see nothing. Raises ShapeError, TypeMismatchError.

    >>> x = twinoar.to_tensor([0.0, 2.0]).reshape([1, 1, 2, 1])
    >>> mask = twinoar.eye(2).reshape([1, 2, 2]).to_sparse_coo(3)
    >>> twinoar.sparse.nn.functional.attention(x, x, x, mask).flatten().tolist()
    [0.0, 2.0]
    """
    source = checked(sparse_mask, "sparse_mask").to_sparse_coo()
    batch, heads, length = query.shape[:3]
    whole = [batch * heads, length, length]
    shapes = [whole, whole[1:]] if batch * heads == 1 else [whole]
    if len(source.places) != source.ndim or source.shape not in shapes:
        raise ShapeError(f"sparse_mask must be of the shape {whole}, received {source.shape}")
    wanted = np.zeros(source.shape, bool)
    wanted[tuple(source.places)] = True
    mask: Any = to_tensor(wanted.reshape(batch, heads, length, length))
    if key_padding_mask is not None:
        mask = logical_and(mask, unsqueeze(not_equal(key_padding_mask, 0), [1, 2]))
    if attn_mask is not None:
        mask = logical_and(mask, not_equal(attn_mask, 0))
    q, k, v = (transpose(x, HEADS_SECOND) for x in (query, key, value))
    out = masked_attention(q, k, v, mask, None)
    return transpose(out, HEADS_SECOND, name=name)


__all__ = ["attention"]
