"""Attention of sequences whose positions processes divide: keys and values go round in a ring.

Each process keeps its queries, and sees the keys and values of one process after the other; the
softmax is put together block by block (online softmax), so no process ever holds the scores or keys
of the whole sequence. Going back, keys go round once more together with their gradients, which
arrive at home after a whole turn. Source: arXiv 2310.01889 (ring attention), 2112.05682 (blocks).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.autograd.py_layer import PyLayer
from twinoar.core.public import declared
from twinoar.core.values import Value as Tensor
from twinoar.distributed.group import Group, member
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ShapeError, UnsupportedError
from twinoar.late import dataclass
from twinoar.ops.collective.message import send_receive
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.cast import cast
from twinoar.ops.math.exponential import exp, log
from twinoar.ops.math.fill import zeros_of
from twinoar.ops.math.select import maximum
from twinoar.ops.shape.concat import concat, stack
from twinoar.ops.shape.reshape import transpose

HIDDEN = -1e30  # a score that counts for nothing, of which differences are still numbers
BY_HEAD = (0, 2, 1, 3)  # [B,L,H,D] <-> [B,H,L,D]


@dataclass(frozen=True, slots=True)
class Ring:
    """How a sequence lies on processes: which chunks of it this one has, of equal lengths.

    is_balanced: each has one chunk from the front and one from the back, so that in causal
    attention all compute as much.
    """

    group: int
    rank: int
    size: int
    is_causal: bool
    is_balanced: bool

    def chunks_of(self, rank: int) -> tuple[int, ...]:
        """The numbers of the chunks that a process has, counted along the sequence."""
        return (rank, 2 * self.size - 1 - rank) if self.is_balanced else (rank,)

    @property
    def chunks(self) -> int:
        """How many chunks the sequence has."""
        return self.size * (2 if self.is_balanced else 1)

    def passed_on(self, *values: Tensor) -> tuple[Any, ...]:
        """What the process before this one had, all in one message."""
        target, source = (self.rank + 1) % self.size, (self.rank - 1) % self.size
        found = send_receive(stack(list(values)), target, source, self.group)
        return tuple(found[i] for i in range(len(values)))


def ring_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout: float = 0.0,
    is_causal: bool = False,
    group: Group | None = None,
    balanced: bool = False,
    scale: float | None = None,
) -> Tensor:
    """Softmax attention over a sequence of which each process of a group has a part.

    query, key, value: [B,L,H,D] of this process, as long on all. attn_mask: [B or 1,H or 1,L,all
    positions], bool (True is seen) or what is added to scores; it takes no gradient. group: by
    default all processes. balanced: the parts are those that `own_positions` gives with it. scale:
    of scores, 1 / sqrt(D) by default. Returns [B,L,H,D]. Raises ShapeError where parts do not fit,
    UnsupportedError for dropout.

    >>> x = twinoar.rand([1, 4, 2, 8])
    >>> ring_attention(x, x, x, is_causal=True).shape
    [1, 4, 2, 8]
    """
    if dropout > 0.0:
        raise UnsupportedError("ring_attention has no dropout, as Paddle's", cure="dropout=0.0")
    there = member(group)
    ring = Ring(there.id, there.rank, there.nranks, is_causal and attn_mask is None, balanced)
    _check(query, key, value, attn_mask, ring)
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    if attn_mask is not None and attn_mask.dtype.name == "bool":
        attn_mask = (1 - cast(attn_mask, query.dtype)) * HIDDEN
    return _RingAttention.apply(query, key, value, attn_mask, ring, factor)


def own_positions(
    x: Tensor, axis: int = 1, group: Group | None = None, balanced: bool = False
) -> Tensor:
    """This process's part of the positions of what all have whole.

    axis: divided equally, into twice as many parts if balanced; else ShapeError is raised.

    >>> own_positions(twinoar.arange(6).reshape([1, 6])).tolist()
    [[0, 1, 2, 3, 4, 5]]
    """
    there = member(group)
    ring = Ring(there.id, there.rank, there.nranks, False, balanced)
    length = x.shape[axis]
    if length % ring.chunks:
        raise ShapeError(
            f"{ring.chunks} parts of {length} positions",
            cure=f"make the length a multiple of {ring.chunks}",
        )
    size = length // ring.chunks
    front = (slice(None),) * (axis % x.ndim)
    parts = [x[(*front, slice(c * size, (c + 1) * size))] for c in ring.chunks_of(ring.rank)]
    return parts[0] if len(parts) == 1 else concat(parts, axis)


def _check(query: Any, key: Any, value: Any, mask: Any, ring: Ring) -> None:
    if query.ndim != 4 or key.shape != value.shape or query.shape != key.shape:
        raise ShapeError(
            f"ring_attention: expected [B,L,H,D] of one shape, received {query.shape}, "
            f"{key.shape}, {value.shape}"
        )
    if ring.is_balanced and query.shape[1] % 2:
        raise ShapeError(
            f"ring_attention: balanced parts of {query.shape[1]} positions",
            cure="let each process have an even number of them",
        )
    if mask is not None and mask.shape[-2:] != [query.shape[1], query.shape[1] * ring.size]:
        raise ShapeError(
            f"attn_mask: expected [.., .., {query.shape[1]}, {query.shape[1] * ring.size}], "
            f"received {mask.shape}"
        )


class _Pairs:
    """The pairs of a chunk of queries and one of keys that meet, and what is added to scores."""

    def __init__(self, ring: Ring, mask: Any, length: int):
        self._ring, self._mask = ring, mask
        self._own = ring.chunks_of(ring.rank)
        self.size = length // len(self._own)
        hidden = np.triu(np.full((self.size, self.size), HIDDEN, np.float32), 1)
        self._later = to_tensor(hidden)

    def rows(self, place: int) -> slice:
        """Where a chunk lies in what a process has."""
        return slice(place * self.size, (place + 1) * self.size)

    def of(self, source: int) -> list[tuple[slice, slice, Any]]:
        """(queries' rows, keys' rows, what is added or None) of the keys of a process."""
        found = []
        for i, query in enumerate(self._own):
            for j, key in enumerate(self._ring.chunks_of(source)):
                if self._ring.is_causal and key > query:
                    continue
                added = self._later if self._ring.is_causal and key == query else None
                if self._mask is not None:
                    columns = slice(key * self.size, (key + 1) * self.size)
                    added = self._mask[:, :, self.rows(i), columns]
                found.append((self.rows(i), self.rows(j), added))
        return found


class _RingAttention(PyLayer):
    """Attention with blocks that go round, forward and backward."""

    @staticmethod
    def forward(
        ctx: Any, query: Any, key: Any, value: Any, mask: Any, ring: Ring, factor: float
    ) -> Any:
        """Blocks are added up as they pass; of each row the greatest score and sum are kept."""
        q, k, v = (_by_head(x) for x in (query, key, value))
        pairs = _Pairs(ring, mask, query.shape[1])
        count = len(ring.chunks_of(ring.rank))
        states: list[Any] = [None] * count
        for step in range(ring.size):
            for rows, columns, added in pairs.of((ring.rank - step) % ring.size):
                place = rows.start // pairs.size
                block = _scores(q[:, :, rows], k[:, :, columns], added, factor)
                states[place] = _joined(states[place], block, v[:, :, columns])
            if step < ring.size - 1:
                k, v = ring.passed_on(k, v)
        found = concat([total / weight for total, weight, _ in states], 2)
        logs = concat([highest + log(weight) for _, weight, highest in states], 2)
        ctx.ring, ctx.factor = ring, factor
        ctx.save_for_backward(query, key, value, mask, found, logs)
        return cast(transpose(found, BY_HEAD), query.dtype)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        """Keys, values and their gradients go round together, and home."""
        query, key, value, mask, found, logs = ctx.saved_tensor()
        ring, factor = ctx.ring, ctx.factor
        q, k, v, g = (_by_head(x) for x in (query, key, value, g))
        pairs = _Pairs(ring, mask, query.shape[1])
        inner = (found * g).sum(-1, keepdim=True)  # rows of g * out, [B,H,L,1]
        gradients = [zeros_of(x.spec) for x in (q, k, v)]
        of_q, of_k, of_v = (_Chunks(x, pairs) for x in gradients)
        for step in range(ring.size):
            for rows, columns, added in pairs.of((ring.rank - step) % ring.size):
                block = _scores(q[:, :, rows], k[:, :, columns], added, factor)
                weights = exp(block - logs[:, :, rows])
                own = g[:, :, rows]
                of_v.add(columns, matmul(weights, own, transpose_x=True))
                of_weights = matmul(own, v[:, :, columns], transpose_y=True)
                of_scores = weights * (of_weights - inner[:, :, rows]) * factor
                of_q.add(rows, matmul(of_scores, k[:, :, columns]))
                of_k.add(columns, matmul(of_scores, q[:, :, rows], transpose_x=True))
            if ring.size > 1:
                k, v, *moved = ring.passed_on(k, v, of_k.whole(), of_v.whole())
                of_k, of_v = (_Chunks(x, pairs) for x in moved)
        given = (of_q.whole(), of_k.whole(), of_v.whole())
        kinds = (query.dtype, key.dtype, value.dtype)
        back = [cast(transpose(x, BY_HEAD), d) for x, d in zip(given, kinds, strict=True)]
        return (*back, None) if mask is not None else tuple(back)


class _Chunks:
    """A tensor [B,H,L,D] in its chunks, to each of which is added."""

    def __init__(self, x: Any, pairs: _Pairs):
        self._size = pairs.size
        self._parts = [x[:, :, pairs.rows(i)] for i in range(x.shape[2] // pairs.size)]

    def add(self, rows: slice, more: Any) -> None:
        """Add to one chunk."""
        place = rows.start // self._size
        self._parts[place] = self._parts[place] + more

    def whole(self) -> Any:
        """All of it."""
        return self._parts[0] if len(self._parts) == 1 else concat(self._parts, 2)


def _by_head(x: Any) -> Any:
    """[B,H,L,D], in which narrow floats are float32."""
    is_narrow = x.dtype.name in ("float16", "bfloat16")
    return transpose(cast(x, "float32") if is_narrow else x, BY_HEAD)


def _scores(q: Any, k: Any, added: Any, factor: float) -> Any:
    """[B,H,L,L]."""
    found = matmul(q, k, transpose_y=True) * factor
    return found if added is None else found + cast(added, found.dtype)


def _joined(state: Any, block: Any, v: Any) -> tuple[Any, Any, Any]:
    """(sum of weighted values, sum of weights, greatest score) with a block more."""
    highest = block.max(-1, keepdim=True)
    if state is None:
        weights = exp(block - highest)
        return matmul(weights, v), weights.sum(-1, keepdim=True), highest
    total, weight, before = state
    highest = maximum(before, highest)
    shrunk, weights = exp(before - highest), exp(block - highest)
    return (
        total * shrunk + matmul(weights, v),
        weight * shrunk + weights.sum(-1, keepdim=True),
        highest,
    )


__all__ = declared(globals(), but=("Ring",))
