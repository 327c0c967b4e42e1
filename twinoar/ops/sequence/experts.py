"""Tokens of a mixture of experts: gathered expert by expert, and brought back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.dtype import float32, int32, int64
from twinoar.core.loop.procedure import cast, fail, procedure
from twinoar.core.op.declare import Spec, Tensor, function, primitive
from twinoar.errors import ArgumentError, DTypeError, ShapeError, UnsupportedError
from twinoar.ops.create.fill import zeros
from twinoar.ops.create.range import iota
from twinoar.ops.index.along_axis import index_sample
from twinoar.ops.index.gather import gather, scatter_op, sum_at
from twinoar.ops.math.arithmetic import floor_divide, multiply, remainder
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import equal, greater_equal, less_than
from twinoar.ops.math.fill import fill
from twinoar.ops.math.select import maximum, select
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.concat import concat
from twinoar.ops.shape.reshape import reshape, unsqueeze


def _room(count: int, alignment: int) -> int:
    """How many rows an expert takes."""
    return -(-count // alignment) * alignment


@primitive(slow_kernel=True)
def expert_rows(routes: Tensor, counts: tuple[int, ...], alignment: int) -> Tensor:
    """The row of each token among those of each expert, -1 where it does not go.

    routes: [T,K], integers, the experts of a token, or -1. counts: how many tokens each expert
    gets; its rows begin at a multiple of alignment. Returns [T, experts], int32. Raises ShapeError,
    DTypeError, ArgumentError.
    """


@expert_rows.infer
def _(routes, counts, alignment):
    if routes.ndim != 2:
        raise ShapeError(f"the experts of tokens must be [T,K], received {routes}")
    if not routes.dtype.is_integer:
        raise DTypeError(f"the experts of tokens must be integers, received {routes}")
    return Spec((routes.shape[0], len(counts)), int32)


@expert_rows.kernel
def _(routes, counts, alignment):
    if routes.ndim != 2 or routes.dtype.kind not in "iu":
        raise IndexError
    sent = (routes[:, :, None] == np.arange(len(counts))).sum(1)
    found = sent.sum(0).tolist()
    if sent.max(initial=0) > 1 or found != list(counts) or routes.max(initial=-1) >= len(counts):
        raise ArgumentError(
            f"tokens_per_expert must count the tokens of each expert, received {list(counts)}, "
            f"found {found}",
            cure="an expert has a token once, and experts are numbered from 0",
        )
    starts = np.cumsum([0, *(_room(count, alignment) for count in counts)])[:-1]
    return np.where(sent > 0, starts + sent.cumsum(0) - 1, -1).astype(np.int32)


@expert_rows.procedure
def _(p, routes, counts, alignment):
    start = 0
    p.launch(_known, 1, routes, len(counts))
    starts = p.scratch((len(counts), 2), int64)
    for expert, count in enumerate(counts):
        p.launch(_first_row, 1, starts, expert, start, count)
        start += _room(count, alignment)
    p.launch(_rows_of, len(counts), routes, starts, p.results[0], work=routes.size * len(counts))


@procedure
def _known(row, routes, experts):
    for token in range(routes.shape[0]):
        for k in range(routes.shape[1]):
            if cast(routes[token, k], int64) >= experts:
                fail()
                return


@procedure
def _first_row(row, starts, expert, start, count):
    starts[expert, 0] = start
    starts[expert, 1] = count


@procedure
def _rows_of(expert, routes, starts, out):
    """The rows of the tokens that one expert gets."""
    next_row = starts[expert, 0]
    for token in range(routes.shape[0]):
        times = cast(0, int64)
        for k in range(routes.shape[1]):
            times += cast(cast(routes[token, k], int64) == expert, int64)
        if times > 1:
            fail()
            return
        out[token, expert] = cast(next_row, out) if times == 1 else cast(-1, out)
        next_row += times
    if next_row != starts[expert, 0] + starts[expert, 1]:
        fail()


@expert_rows.samples
def _(s):
    routes = np.array([[1, -1], [0, 1], [-1, -1]], "int32")
    yield s(routes, (1, 2), 4, gradient=False)
    yield s.bad(ShapeError, "[T,K]", routes[0], (1, 2), 4)
    yield s.bad(DTypeError, "integers", s.randn(2, 2), (1, 2), 4)
    yield s.bad(ArgumentError, "found [1, 2]", routes, (2, 2), 4, static_error=False)


@function
def moe_permute(
    hidden_states: Tensor,
    scale: Tensor | None,
    expert_routemap_topk: Tensor,
    expert_prob_topk: Tensor,
    num_experts: int,
    tokens_per_expert: Sequence[int],
    padding_alignment: int,
    do_gather: bool = True,
    using_ue8m0_scale: bool = False,
    return_expert_indices: bool = False,
    override_buffer_size: int = -1,
) -> tuple[Tensor, ...]:
    """Tokens expert by expert, those of one in their order, each expert's padded with zeros.

    hidden_states: [T,D]. scale: [T,S], goes along. expert_routemap_topk: [T,K], integers, the
    experts of each token, or -1. expert_prob_topk: [T,K], their shares. tokens_per_expert: how many
    each of num_experts gets; it takes a multiple of padding_alignment rows. using_ue8m0_scale:
    accepted. override_buffer_size: rows in all, R, if positive. Returns tokens [R,D], the row of
    each token for each expert, [T,num_experts], int32, -1 for none; shares [R]; scales [R,S], or
    [0]; with return_expert_indices the expert of each row, [R], -1 for none. Raises ArgumentError,
    ShapeError, DTypeError, UnsupportedError for do_gather=False.

    >>> x, routes = twinoar.to_tensor([[1.0], [2.0]]), twinoar.to_tensor([[1, 0], [1, -1]])
    >>> shares = twinoar.to_tensor([[0.25, 0.75], [1.0, 0.0]])
    >>> permuted = twinoar.nn.functional.moe_permute(x, None, routes, shares, 2, [1, 2], 2)
    >>> [part.flatten().tolist() for part in permuted[:3]]
    [[1.0, 0.0, 1.0, 2.0], [0, 2, -1, 3], [0.75, 0.0, 0.25, 1.0]]
    """
    if not do_gather:
        raise UnsupportedError("tokens are permuted or not", cure="leave out do_gather")
    counts = tuple(int(n) for n in tokens_per_expert)
    if len(counts) != num_experts or padding_alignment < 1:
        raise ArgumentError(
            f"tokens_per_expert must have {num_experts} counts and padding_alignment be positive, "
            f"received {list(counts)} and {padding_alignment}"
        )
    rows = expert_rows(expert_routemap_topk, counts, padding_alignment)
    needed = sum(_room(n, padding_alignment) for n in counts)
    count = override_buffer_size if override_buffer_size > 0 else needed
    if count < needed:
        raise ArgumentError(f"the experts take {needed} rows, received a buffer of {count}")
    pair = _at_rows(rows, count)  # [R], token * experts + expert
    token = floor_divide(pair, num_experts)
    chosen = equal(unsqueeze(expert_routemap_topk, 2), iota(num_experts, int32))
    shares = total(select(chosen, unsqueeze(expert_prob_topk, 2), 0.0), 1)
    results = [
        taken(hidden_states, token),
        rows,
        taken(reshape(shares, (-1,)), pair),
        zeros([0], float32) if scale is None else taken(scale, token),
    ]
    if return_expert_indices:
        is_token = less_than(pair, rows.spec.size)
        results.append(astype(select(is_token, remainder(pair, num_experts), -1), int32))
    return tuple(results)


@function
def moe_unpermute(
    hidden_states_unzipped: Tensor,
    zipped_expertwise_rowmap: Tensor,
    expert_routemap_topk: Tensor,
    token_prob_unzipped: Tensor,
    total_zipped_tokens: int,
    num_experts: int,
    using_mix_precision: bool = True,
    using_weighted_combine: bool = False,
) -> tuple[Tensor, Tensor]:
    """For each token the sum of what its experts gave, and their shares: undoes `moe_permute`.

    hidden_states_unzipped: [R,D]. zipped_expertwise_rowmap: [T,num_experts], expert_routemap_topk:
    [T,K], as for and from `moe_permute`. token_prob_unzipped: [R] or [R,1]. total_zipped_tokens: T.
    using_mix_precision: sums are of float32. using_weighted_combine: each part counts by its share.
    Returns [T,D] in the dtype given, and [T,K]. Raises ShapeError.

    >>> rows, routes = twinoar.to_tensor([[0, 1], [-1, 2]]), twinoar.to_tensor([[1, 0], [1, -1]])
    >>> parts, shares = twinoar.to_tensor([[5.0], [1.0], [2.0]]), twinoar.to_tensor([0.5, 0.5, 1.0])
    >>> unpermute = twinoar.nn.functional.moe_unpermute
    >>> [x.tolist() for x in unpermute(parts, rows, routes, shares, 2, 2)]
    [[[6.0], [2.0]], [[0.5, 0.5], [1.0, 0.0]]]
    """
    rows = zipped_expertwise_rowmap
    if hidden_states_unzipped.ndim != 2:
        raise ShapeError(
            f"hidden_states_unzipped must be [R,D], received {hidden_states_unzipped.spec}"
        )
    count = hidden_states_unzipped.spec.shape[0]
    if rows.ndim != 2 or rows.spec.shape != (total_zipped_tokens, num_experts):
        raise ShapeError(
            f"zipped_expertwise_rowmap must be [{total_zipped_tokens},{num_experts}], received "
            f"{rows.spec}"
        )
    shares = reshape(token_prob_unzipped, (-1,))
    parts = hidden_states_unzipped
    if using_mix_precision:
        parts = astype(parts, float32)
    if using_weighted_combine:
        parts = multiply(parts, unsqueeze(astype(shares, parts.dtype), 1))
    token = floor_divide(_at_rows(rows, count), num_experts)
    summed = sum_at(parts, token, total_zipped_tokens + 1, 0)[:-1]
    row = index_sample(astype(rows, int64), maximum(astype(expert_routemap_topk, int64), 0))
    is_sent = greater_equal(expert_routemap_topk, 0)
    own = reshape(gather(shares, reshape(maximum(row, 0), (-1,))), row.spec.shape)
    return astype(summed, hidden_states_unzipped.dtype), select(is_sent, own, 0.0)


def _at_rows(rows: Tensor, count: Any) -> Tensor:
    """Which place in rows, [T,experts], names each of `count` rows; their number if none does."""
    size: Any = rows.spec.size
    places = astype(reshape(rows, (-1,)), int64)
    places = select(greater_equal(places, 0), places, count)
    return scatter_op(fill((count + 1,), size, int64), places, iota(size))[:-1]


def taken(x: Tensor, index: Tensor) -> Tensor:
    """The rows of x at positions, and zeros at the one behind the last."""
    return gather(concat([x, zeros([1, *x.spec.shape[1:]], x.dtype)]), index)
