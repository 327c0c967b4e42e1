"""Attention within sequences that stand end to end, by the names of fused kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dtype import int64
from twinoar.core.loop.procedure import cast, fail, procedure
from twinoar.core.op.declare import Spec, Tensor, function, primitive
from twinoar.errors import ArgumentError, DTypeError, ShapeError, UnsupportedError
from twinoar.ops.create.range import iota
from twinoar.ops.index.gather import gather
from twinoar.ops.index.unique import searchsorted
from twinoar.ops.math.compare import less_equal, less_than
from twinoar.ops.math.fill import fill
from twinoar.ops.math.logical import logical_and
from twinoar.ops.math.select import minimum, select
from twinoar.ops.sequence.attention import is_tiled
from twinoar.ops.sequence.flash_attention import (
    dropout_key,
    log_total,
    masked_attention,
    masked_shares,
    unpacked,
)
from twinoar.ops.sequence.tiled_attention import tiled_attention
from twinoar.ops.shape.concat import stack
from twinoar.ops.shape.reshape import reshape, transpose, unsqueeze

WITHOUT = {
    **dict.fromkeys(("seqused_q", "seqused_k", "qv", "q_descale", "k_descale", "v_descale")),
    "window_size": (-1, -1),
    "softcap": 0.0,
}


@primitive
def sequence_bounds(bounds: Tensor, longest: int) -> Tensor:
    """Where sequences begin, and the end, as int64, [N + 1]; refused where one is longer.

    Raises ShapeError, DTypeError, ArgumentError.
    """


@sequence_bounds.infer
def _(bounds, longest):
    if bounds.ndim != 1:
        raise ShapeError(f"the bounds of sequences must be [N + 1], received {bounds}")
    if not bounds.dtype.is_integer:
        raise DTypeError(f"the bounds of sequences must be integers, received {bounds}")
    return Spec(bounds.shape, int64)


@sequence_bounds.kernel
def _(bounds, longest):
    if bounds.ndim != 1 or bounds.dtype.kind not in "iu":
        raise IndexError
    lengths = np.diff(bounds)
    if len(lengths) and not 0 <= lengths.min() <= lengths.max() <= longest:
        raise ArgumentError(
            f"sequences must have from 0 to {longest} elements, received {lengths.tolist()}",
            cure="give cumulated lengths, and the largest one as max_seqlen",
        )
    return bounds.astype("int64")


@sequence_bounds.procedure
def _(p, bounds, longest):
    p.launch(_checked, 1, bounds, longest, p.results[0])


@procedure
def _checked(row, bounds, longest, out):
    for k in range(bounds.shape[0]):
        out[k] = cast(bounds[k], int64)
    for k in range(1, bounds.shape[0]):
        length = out[k] - out[k - 1]
        if length < 0 or length > longest:
            fail()


@sequence_bounds.samples
def _(s):
    yield s(np.array([0, 2, 2, 5], "int32"), 3, gradient=False)
    yield s.bad(ShapeError, "[N + 1]", np.array([[0, 2]]), 3)
    yield s.bad(DTypeError, "integers", s.randn(3), 3)
    yield s.bad(ArgumentError, "from 0 to 2", np.array([0, 3]), 2, static_error=False)


class Sequences:
    """Queries and keys of several sequences: what stands end to end as [N,longest,...], and back.

    bounds: of queries and of keys, [N + 1]; longest: the most of each in a sequence.
    """

    def __init__(self, bounds: tuple[Tensor, Tensor], longest: tuple[Any, Any]):
        self.longest = int(longest[0]), int(longest[1])
        self.bounds = [sequence_bounds(b, n) for b, n in zip(bounds, self.longest, strict=True)]
        self.lengths = [b[1:] - b[:-1] for b in self.bounds]

    def padded(self, x: Tensor, side: int) -> Tensor:
        """x, [all,...], as [N,longest,...]; what stands behind a sequence does not matter."""
        rows = unsqueeze(self.bounds[side][:-1], 1) + iota(self.longest[side])
        rows = minimum(rows, fill.function((), x.spec.shape[0] - 1, int64))
        taken = gather(x, reshape(rows, (-1,)))
        return reshape(taken, (*rows.spec.shape, *x.spec.shape[1:]))

    def end_to_end(self, x: Tensor, count: Any) -> Tensor:
        """x of queries, [N,longest,...], as [count,...]: zeros behind the last sequence."""
        bounds, token = self.bounds[0], iota(count)
        sequences = self.lengths[0].spec.shape[0]
        n = minimum(searchsorted(bounds[1:], token, right=True), sequences - 1)
        there = less_than(token, bounds[-1])
        row = select(there, n * self.longest[0] + token - gather(bounds, n), 0)
        taken = gather(reshape(x, (-1, *x.spec.shape[2:])), row)
        return select(unsqueeze(there, list(range(1, taken.ndim))), taken, 0.0)

    def own(self, side: int) -> Tensor:
        """Whether a row of [N,longest] is of the sequence."""
        return less_than(iota(self.longest[side]), unsqueeze(self.lengths[side], 1))

    def mask(self, causal: bool, from_end: bool = False) -> Tensor:
        """Which keys a query may see, [N,1,Q or 1,K]; from_end: the last query sees the last."""
        own = unsqueeze(self.own(1), [1, 2])
        if not causal:
            return own
        query, key = unsqueeze(iota(self.longest[0]), 1), iota(self.longest[1])
        if from_end:
            query = query + unsqueeze(self.lengths[1] - self.lengths[0], [1, 2, 3])
        return logical_and(own, less_equal(key, query))

    def attended(
        self, query: Tensor, key: Tensor, value: Tensor, scale: float, causal: bool,
        draw: Tensor | None, dropout: float, with_shares: bool,
    ) -> tuple[Tensor, Tensor | None]:  # fmt: skip
        """The attention within each sequence, [N,Q,heads,E], and if they are wanted the shares."""
        if not with_shares and is_tiled(query.spec, key.spec, value.spec, causal):
            return self.tiled(query, key, value, scale, causal, draw, dropout)[0], None
        operands = query, key, value, self.mask(causal), scale
        out = masked_attention(*operands, draw=draw, dropout_p=dropout)
        if not with_shares:
            return out, None
        return out, masked_shares(*operands, draw=draw, dropout_p=dropout)

    def tiled(
        self, query: Tensor, key: Tensor, value: Tensor, scale: float | None, causal: bool,
        draw: Tensor | None = None, dropout: float = 0.0, from_end: bool = False,
    ) -> tuple[Tensor, Tensor]:  # fmt: skip
        """The attention without all scores at once, and the logarithms of `tiled_attention`."""
        keys = self.lengths[1]
        shift = keys - self.lengths[0] if from_end else keys * 0
        size: Any = query.spec.shape[3]
        return tiled_attention(
            query, key, value, None, draw, stack([keys, shift], 1), dropout, causal,
            size**-0.5 if scale is None else scale,
        )  # fmt: skip


@function
def flash_attn_unpadded(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    cu_seqlens_q: Tensor,
    cu_seqlens_k: Tensor,
    max_seqlen_q: int,
    max_seqlen_k: int,
    scale: float,
    dropout: float = 0.0,
    causal: bool = False,
    return_softmax: bool = False,
    fixed_seed_offset: Tensor | None = None,
    rng_name: str = "",
    training: bool = True,
) -> tuple[Tensor, Tensor | None]:
    """`flash_attention` within each of several sequences that stand end to end.

    query: [all Q,heads,D], key, value: [all K,heads,D]. cu_seqlens_q, cu_seqlens_k: [N + 1], where
    sequences begin, and the end. max_seqlen_q, max_seqlen_k: no sequence is longer. scale: of the
    scores. Returns [all Q,heads,D], zeros behind the last sequence, and with return_softmax the
    shares, [N,heads,max_seqlen_q,max_seqlen_k]. Raises ArgumentError where a sequence is longer.

    >>> q, ends = twinoar.ones([3, 1, 4]), twinoar.to_tensor([0, 1, 3])
    >>> v = twinoar.to_tensor([[[1.0]], [[3.0]], [[5.0]]])
    >>> attend = twinoar.nn.functional.flash_attention.flash_attn_unpadded
    >>> attend(q, q, v, ends, ends, 2, 2, 0.5)[0].flatten().tolist()
    [1.0, 4.0, 4.0]
    """
    among = Sequences((cu_seqlens_q, cu_seqlens_k), (max_seqlen_q, max_seqlen_k))
    padded = among.padded(query, 0), among.padded(key, 1), among.padded(value, 1)
    draw = dropout_key(fixed_seed_offset, dropout, training)
    out, shares = among.attended(*padded, scale, causal, draw, dropout, return_softmax)
    return among.end_to_end(out, query.spec.shape[0]), shares


@function
def flash_attn_varlen_qkvpacked(
    qkv: Tensor,
    cu_seqlens_q: Tensor,
    cu_seqlens_k: Tensor,
    max_seqlen_q: int,
    max_seqlen_k: int,
    scale: float,
    dropout: float = 0.0,
    causal: bool = False,
    return_softmax: bool = False,
    fixed_seed_offset: Tensor | None = None,
    rng_name: str = "",
    varlen_padded: bool = True,
    training: bool = True,
) -> tuple[Tensor, Tensor | None]:
    """`flash_attn_unpadded` of queries, keys and values in one tensor.

    qkv: [all,G + 2,heads,D], as for `flash_attn_qkvpacked`. varlen_padded: each sequence takes
    max_seqlen_q rows, of which the first are its own, by its length; else they stand end to end.
    Returns [all,G * heads,D], zeros where no sequence is, and the shares or None.

    >>> qkv, ends = twinoar.ones([6, 3, 2, 8]), twinoar.to_tensor([0, 2, 5])
    >>> attend = twinoar.nn.functional.flash_attn_varlen_qkvpacked
    >>> attend(qkv, ends, ends, 3, 3, 0.5)[0][:, 0, 0].tolist()
    [1.0, 1.0, 0.0, 1.0, 1.0, 1.0]
    """
    query, key, value = unpacked(qkv, 4)
    if not varlen_padded:
        return flash_attn_unpadded(
            *(query, key, value, cu_seqlens_q, cu_seqlens_k, max_seqlen_q, max_seqlen_k, scale),
            *(dropout, causal, return_softmax, fixed_seed_offset, rng_name, training),
        )
    among = Sequences((cu_seqlens_q, cu_seqlens_k), (max_seqlen_q, max_seqlen_k))
    q, k, v = (
        reshape(x, (-1, among.longest[side], *x.spec.shape[1:]))
        for x, side in ((query, 0), (key, 1), (value, 1))
    )
    draw = dropout_key(fixed_seed_offset, dropout, training)
    out, shares = among.attended(q, k, v, scale, causal, draw, dropout, return_softmax)
    return reshape(select(unsqueeze(among.own(0), [2, 3]), out, 0.0), query.spec.shape), shares


@function(named=False)
def flash_attention_v3_varlen(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    cu_seqlens_q: Tensor,
    cu_seqlens_k: Tensor,
    max_seqlen_q: int,
    max_seqlen_k: int,
    seqused_q: Any = None,
    seqused_k: Any = None,
    softmax_scale: float | None = None,
    causal: bool = False,
    qv: Any = None,
    q_descale: Any = None,
    k_descale: Any = None,
    v_descale: Any = None,
    window_size: tuple[int, int] = (-1, -1),
    softcap: float = 0.0,
    num_splits: int = 1,
    pack_gqa: Any = None,
    sm_margin: int = 0,
) -> tuple[Tensor, Tensor]:
    """`flash_attn_unpadded` without dropout, with the logarithms of what shares are divided by.

    causal: no query sees keys that stand later, both counted from the end of their sequence.
    num_splits, pack_gqa, sm_margin: accepted, of kernels. Returns [all Q,heads,D] and
    [heads,all Q]. Raises UnsupportedError for other values of the rest.

    >>> q, k = twinoar.ones([1, 1, 4]), twinoar.ones([3, 1, 4])
    >>> ends = twinoar.to_tensor([0, 1]), twinoar.to_tensor([0, 3])
    >>> attend = twinoar.nn.functional.flash_attention_v3_varlen
    >>> attend(q, k, k, *ends, 1, 3, causal=True)[0].shape
    [1, 1, 4]
    """
    given = {
        "seqused_q": seqused_q,
        "seqused_k": seqused_k,
        "qv": qv,
        "q_descale": q_descale,
        "k_descale": k_descale,
        "v_descale": v_descale,
        "softcap": softcap,
        "window_size": tuple(window_size),
    }
    for name, usual in WITHOUT.items():
        if given[name] is not usual and given[name] != usual:
            raise UnsupportedError(
                f"there is no attention with {name}, received {given[name]!r}",
                cure=f"leave out {name}",
            )
    among = Sequences((cu_seqlens_q, cu_seqlens_k), (max_seqlen_q, max_seqlen_k))
    q, k, v = among.padded(query, 0), among.padded(key, 1), among.padded(value, 1)
    if is_tiled(q.spec, k.spec, v.spec, causal):
        out, totals = among.tiled(q, k, v, softmax_scale, causal, from_end=True)
        totals = totals.detach()
    else:
        mask = among.mask(causal, from_end=True)
        out = masked_attention(q, k, v, mask, softmax_scale)
        totals = log_total(q, k, mask, softmax_scale)
    totals = transpose(totals, [0, 2, 1])
    count = query.spec.shape[0]
    return among.end_to_end(out, count), transpose(among.end_to_end(totals, count), [1, 0])
