"""Mixtures of experts: tokens sent to the experts that a gate chooses, and their results joined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.dtype import float32, int32, int64
from twinoar.core.op.declare import Tensor, function
from twinoar.core.spec import may_equal
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops.create.range import iota
from twinoar.ops.index.along_axis import take_along_axis
from twinoar.ops.index.gather import gather, scatter_op
from twinoar.ops.index.mask import masked_select
from twinoar.ops.index.sort import topk
from twinoar.ops.index.unique import searchsorted
from twinoar.ops.math.arithmetic import floor_divide, remainder
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import equal, greater_equal, less_than
from twinoar.ops.math.fill import fill
from twinoar.ops.math.logical import logical_and
from twinoar.ops.math.select import clip, minimum, select
from twinoar.ops.reduce.cumulative_sum import cumsum
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.sequence.experts import taken
from twinoar.ops.shape.reshape import reshape, transpose, unsqueeze


@function
def moe_gate_dispatch(
    x: Tensor,
    gate_logits: Tensor,
    corr_bias: Tensor | None,
    k: int,
    capacity: int,
    use_pad: bool,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Each token sent to the k experts whose gates are greatest, at most `capacity` to one.

    x: [S,D]. gate_logits: [S,E], floating, the gates as they are. corr_bias: [E], added where
    experts are chosen. use_pad: an expert takes `capacity` rows, zeros where it has fewer tokens,
    which are in the order of choices, then of tokens; else experts stand end to end, tokens in
    their order. Returns the rows, [E * capacity,D] or [S * k,D]; the gates of the choices, [S,k],
    float32, 0 for those beyond the capacity; the row of each, [k,S], int32, 0 for those; how many
    choices there are up to and with each expert, [E], int64; and the choices, [S,k], int32. Raises
    ShapeError, DTypeError, ArgumentError.

    >>> x = twinoar.to_tensor([[1.0], [2.0], [3.0]])
    >>> gates = twinoar.to_tensor([[0.1, 0.9], [0.2, 0.8], [0.7, 0.3]])
    >>> send = twinoar.incubate.nn.functional.moe_gate_dispatch
    >>> [t.flatten().tolist() for t in send(x, gates, None, 1, 2, True)[2:]]
    [[2, 3, 0], [1, 3], [1, 1, 0]]
    """
    _check_tokens(x, gate_logits, "gate_logits", k, capacity)
    count, experts = gate_logits.spec.shape
    if not gate_logits.dtype.is_floating:
        raise DTypeError(f"gate_logits must be floating, received {gate_logits.spec}")
    if corr_bias is not None and not may_equal(corr_bias.spec.shape, (experts,)):
        raise ShapeError(f"corr_bias must be [{experts}], received {corr_bias.spec}")
    scores = gate_logits if corr_bias is None else gate_logits + corr_bias
    chosen = topk(scores.detach(), k, -1)[1]
    weights = astype(take_along_axis(gate_logits, chosen, 1), float32)
    order = (1, 0) if use_pad else (0, 1)
    ids = reshape(transpose(chosen, order), (-1,))
    rank, counts = _ranks(ids, experts)
    ends = cumsum(counts, 0)
    start = ids * capacity if use_pad else gather(ends - counts, ids)
    kept = less_than(rank, capacity)
    size: Any = experts * capacity if use_pad else count * k
    by_choice = (k, -1) if use_pad else (-1, k)
    token = reshape(transpose(reshape(_each(count, k), (-1, k)), order), (-1,))
    y = taken(x, _sources(start + rank, kept, token, size, count))
    place = select(kept, start + rank, 0)
    kept, place = (transpose(reshape(t, by_choice), order) for t in (kept, place))
    return (
        y,
        select(kept, weights, 0.0),
        astype(transpose(place, [1, 0]), int32),
        ends,
        astype(chosen, int32),
    )


@function
def moe_gate_dispatch_permute(
    x: Tensor,
    gate_logits: Tensor,
    corr_bias: Tensor | None,
    k: int,
    capacity: int,
    world_size: int,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """`moe_gate_dispatch` with use_pad, and rows in the order of each rank's first expert, second.

    world_size: how many ranks share the experts, each the same number L. Returns rows
    [L,world_size,capacity,D], the others as `moe_gate_dispatch`. Raises ArgumentError where
    world_size does not divide the number of experts.

    >>> send = twinoar.incubate.nn.functional.moe_gate_dispatch_permute
    >>> send(twinoar.ones([4, 3]), twinoar.rand([4, 6]), None, 2, 5, 2)[0].shape
    [3, 2, 5, 3]
    """
    y, *others = moe_gate_dispatch(x, gate_logits, corr_bias, k, capacity, True)
    experts: Any = gate_logits.spec.shape[1]
    if world_size < 1 or experts % world_size:
        raise ArgumentError(f"world_size must divide {experts} experts, received {world_size}")
    shape = (world_size, experts // world_size, capacity, x.spec.shape[1])
    return transpose(reshape(y, shape), [1, 0, 2, 3]), *others  # type: ignore[return-value]


@function
def moe_gate_dispatch_partial_nosoftmaxtopk(
    x: Tensor,
    combine_weights: Tensor,
    expert_id: Tensor,
    k: int,
    capacity: int,
    num_experts: int,
    use_pad: bool,
    expert_start_index: int,
    expert_end_index: int,
    reverse_token_drop: bool,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Tokens sent to those of their experts that are in a range, at most `capacity` to one.

    x: [S,D]. combine_weights: [S,k], floating. expert_id: [S,k], integers, the experts of a token,
    each once, of num_experts. expert_start_index, expert_end_index: the range. use_pad: an expert
    takes `capacity` rows, zeros where it has fewer. Beyond the capacity are the later choices, then
    later tokens; with reverse_token_drop, and without use_pad, the earlier. Returns the rows,
    [R,D], an expert's tokens in their order; combine_weights, 0 where there is no row; the row of
    each choice, [k,S], int32, or 0; the token of each row, [R], int32, S for none; and,
    [num_experts], int64, how many choices there are of each expert, and how many of each in the
    range, without use_pad within its capacity. Raises ShapeError, DTypeError, ArgumentError.

    >>> x, ids = twinoar.to_tensor([[1.0], [2.0]]), twinoar.to_tensor([[0, 2], [2, 1]])
    >>> send = twinoar.incubate.nn.functional.moe_gate_dispatch_partial_nosoftmaxtopk
    >>> found = send(x, twinoar.ones([2, 2]), ids, 2, 4, 3, False, 1, 3, False)
    >>> [t.flatten().tolist() for t in found[:4]]
    [[2.0, 1.0, 2.0], [0.0, 1.0, 1.0, 1.0], [0, 2, 1, 0], [1, 0, 1]]
    """
    _check_tokens(x, expert_id, "expert_id", k, capacity)
    count = x.spec.shape[0]
    if not expert_id.dtype.is_integer:
        raise DTypeError(f"expert_id must be integers, received {expert_id.spec}")
    for name, given in (("expert_id", expert_id), ("combine_weights", combine_weights)):
        if not may_equal(given.spec.shape, (count, k)):
            raise ShapeError(f"{name} must be [{count},{k}], received {given.spec}")
    if not 0 <= expert_start_index <= expert_end_index <= num_experts:
        raise ArgumentError(
            f"the range must be within {num_experts} experts, received {expert_start_index} to "
            f"{expert_end_index}"
        )
    ids = astype(expert_id, int64)
    own = logical_and(greater_equal(ids, expert_start_index), less_than(ids, expert_end_index))
    by_choice = reshape(transpose(select(own, ids, num_experts), [1, 0]), (-1,))
    rank, counts = _ranks(by_choice, num_experts)
    if reverse_token_drop and not use_pad:
        # The place counted from the end; what is in no range is behind all.
        rank = gather(counts, minimum(by_choice, num_experts - 1)) - 1 - rank
    kept = logical_and(own, transpose(reshape(less_than(rank, capacity), (k, -1)), [1, 0]))
    ids = reshape(select(kept, ids, num_experts), (-1,))  # by tokens from here on
    rank, within = _ranks(ids, num_experts)
    if use_pad:
        start = (ids - expert_start_index) * capacity
        size: Any = (expert_end_index - expert_start_index) * capacity
    else:
        start = gather(cumsum(within, 0) - within, minimum(ids, num_experts - 1))
        size = count * k
    rows = _sources(start + rank, reshape(kept, (-1,)), _each(count, k), size, count)
    rows = rows if use_pad else masked_select(rows, less_than(rows, count))
    place = select(kept, reshape(start + rank, (-1, k)), 0)
    return (
        taken(x, rows),
        select(kept, combine_weights, 0.0),
        astype(transpose(place, [1, 0]), int32),
        astype(rows, int32),
        _ranks(reshape(astype(expert_id, int64), (-1,)), num_experts)[1],
        counts if use_pad else within,
    )


@function
def moe_combine(x: Tensor, combine_weights: Tensor, scatter_index: Tensor) -> Tensor:
    """For each token the sum of its rows of x, each times its weight.

    x: [R,D], floating. combine_weights: [S,k]. scatter_index: [S,k], integers, rows of x: what
    `moe_gate_dispatch` returns, transposed. Returns [S,D] of the dtype of x. Raises ShapeError,
    DTypeError.

    >>> x, weights = twinoar.to_tensor([[1.0], [2.0], [4.0]]), twinoar.to_tensor([[0.5, 2.0]])
    >>> index = twinoar.to_tensor([[0, 2]])
    >>> twinoar.incubate.nn.functional.moe_combine(x, weights, index).tolist()
    [[8.5]]
    """
    shape = combine_weights.spec.shape
    if x.ndim != 2 or combine_weights.ndim != 2:
        raise ShapeError(
            f"x must be [R,D] and combine_weights [S,k], received {x.spec} and "
            f"{combine_weights.spec}"
        )
    if not may_equal(scatter_index.spec.shape, shape):
        raise ShapeError(
            f"scatter_index must be {list(shape)}, received {scatter_index.spec}",
            cure="transpose what moe_gate_dispatch returns",
        )
    parts = reshape(gather(x, reshape(scatter_index, (-1,))), (*shape, x.spec.shape[1]))
    return astype(total(parts * unsqueeze(combine_weights, 2), 1), x.dtype)


@function
def cal_aux_loss(
    gate_prob: Tensor,
    dispatch_mask: Tensor,
    tokens_mask: Tensor | None,
    dispatch_tokens_mask: Tensor | None,
    num_experts: int,
    use_group: bool,
    moe_k: int,
    clip_min: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """The loss that spreads tokens evenly: num_experts * sum(share of tokens * share of gates).

    gate_prob: [S,E], floating. dispatch_mask: [E], how many tokens each expert has, or [S,E],
    which. tokens_mask: [S], which tokens count. dispatch_tokens_mask: [G], which count, of all that
    ranks have; where G is not S the loss grows to that of all, and its gradient stays. use_group:
    divides by moe_k. clip_min: the least number of tokens. Returns the loss, [], how many tokens
    count, [], and the share of each expert, [E], in the dtype of gate_prob. Raises ShapeError.
    Source: arXiv 2101.03961, section 2.2.

    >>> gates, counts = twinoar.full([4, 2], 0.5), twinoar.to_tensor([3, 1])
    >>> measure = twinoar.incubate.nn.functional.cal_aux_loss
    >>> [t.tolist() for t in measure(gates, counts, None, None, 2, False, 1, 1e-6)]
    [1.0, 4.0, [0.75, 0.25]]
    """
    if gate_prob.ndim != 2 or dispatch_mask.ndim not in (1, 2):
        raise ShapeError(
            "gate_prob must be [S,E] and dispatch_mask [E] or [S,E], received "
            f"{gate_prob.spec} and {dispatch_mask.spec}"
        )
    dtype, (count, experts) = gate_prob.dtype, gate_prob.spec.shape
    if not may_equal(dispatch_mask.spec.shape[-1:], (experts,)):
        raise ShapeError(
            f"dispatch_mask must be of {experts} experts, received {dispatch_mask.spec}"
        )
    own = None if tokens_mask is None else total(astype(tokens_mask, dtype))
    scale: Any = None
    if dispatch_tokens_mask is not None:
        length = total(astype(dispatch_tokens_mask, dtype))
        if own is not None and dispatch_tokens_mask.spec.shape[0] != count:
            scale = length / clip(own, min=clip_min)
    elif own is not None:
        length = own
    else:
        all_gates: Any = gate_prob.spec.size
        length = fill.function((), all_gates, dtype) / num_experts
    length = clip(length, min=clip_min)
    sent = total(dispatch_mask, 0) if dispatch_mask.ndim == 2 else dispatch_mask
    share = astype(sent, dtype).detach() / length
    loss = total(total(gate_prob, 0) / length * share) * num_experts
    loss = loss / moe_k if use_group else loss
    loss = loss if scale is None else loss + (scale - 1.0).detach() * loss.detach()
    return astype(loss, dtype), astype(length, dtype), astype(share, dtype)


@function
def build_src_rank_and_local_expert_id(
    expert_num_global_tensor: Tensor, expert_num_global: Sequence[int], num_local_experts: int
) -> tuple[Tensor, Tensor]:
    """For each token, expert by expert, the rank and the number there of its expert.

    expert_num_global_tensor: [E], integers, how many tokens each expert has. expert_num_global: the
    same as numbers. num_local_experts: how many a rank has. Returns [tokens] and [tokens], int32.
    Raises ShapeError, ArgumentError.

    >>> build = twinoar.incubate.nn.functional.build_src_rank_and_local_expert_id
    >>> [t.tolist() for t in build(twinoar.to_tensor([1, 0, 2, 1]), [1, 0, 2, 1], 2)]
    [[0, 1, 1, 1], [0, 0, 0, 1]]
    """
    counts = [int(n) for n in expert_num_global]
    if not may_equal(expert_num_global_tensor.spec.shape, (len(counts),)):
        raise ShapeError(
            f"expert_num_global_tensor must be [{len(counts)}], received "
            f"{expert_num_global_tensor.spec}"
        )
    if num_local_experts < 1 or min(counts, default=0) < 0:
        raise ArgumentError(
            "num_local_experts must be positive and counts not negative, received "
            f"{num_local_experts} and {counts}"
        )
    ends = cumsum(astype(expert_num_global_tensor, int64), 0)
    expert = searchsorted(ends, iota(sum(counts)), right=True)
    return (
        astype(floor_divide(expert, num_local_experts), int32),
        astype(remainder(expert, num_local_experts), int32),
    )


@function
def expand_modality_expert_id(
    expert_id: Tensor,
    num_expert_per_modality: int,
    group_size: int,
    modality_offset: int,
    is_group_expert: bool,
) -> Tensor:
    """The numbers of experts among those of two modalities, of which each rank has as many.

    expert_id: [S,k], integers, among the experts of one modality. num_expert_per_modality: how many
    of them a rank has; none are expanded where it is 0. modality_offset: 0 for the modality that
    comes first in a rank, 1 for the other. is_group_expert: choice number i is among group_size
    experts, of the group i. Returns [S,k]. Raises ShapeError, DTypeError.

    >>> ids = twinoar.to_tensor([[0, 1, 2, 3]])
    >>> twinoar.incubate.nn.functional.expand_modality_expert_id(ids, 2, 1, 1, False).tolist()
    [[2, 3, 6, 7]]
    """
    if expert_id.ndim != 2:
        raise ShapeError(f"expert_id must be [S,k], received {expert_id.spec}")
    if not expert_id.dtype.is_integer:
        raise DTypeError(f"expert_id must be integers, received {expert_id.spec}")
    ids: Any = expert_id
    if is_group_expert:
        ids = ids + iota(expert_id.spec.shape[1], expert_id.dtype) * group_size
    if num_expert_per_modality <= 0:
        return ids
    rank = floor_divide(ids, num_expert_per_modality)
    within = remainder(ids, num_expert_per_modality)
    return (rank * 2 + modality_offset) * num_expert_per_modality + within


def _check_tokens(x: Tensor, other: Tensor, name: str, k: int, capacity: int) -> None:
    if x.ndim != 2 or other.ndim != 2 or not may_equal(other.spec.shape[:1], x.spec.shape[:1]):
        raise ShapeError(
            f"x must be [S,D] and {name} have as many rows, received {x.spec} and {other.spec}"
        )
    most = other.spec.shape[1]
    if k < 1 or (isinstance(most, int) and k > most) or capacity < 0:
        raise ArgumentError(
            f"k must be from 1 to {most} and capacity not negative, received {k} and {capacity}"
        )


def _ranks(ids: Tensor, experts: Any) -> tuple[Tensor, Tensor]:
    """Which one of its number each is, [n], from 0, and how many there are of each, [experts]."""
    chosen = equal(unsqueeze(ids, 1), iota(experts, ids.dtype))
    chosen = astype(chosen, int64)
    return total(chosen * cumsum(chosen, 0), 1) - 1, total(chosen, 0)


def _each(count: Any, times: int) -> Tensor:
    """0, 0, ..., 1, 1, ...: each of `count` numbers so often."""
    return floor_divide(iota(count * times), times)


def _sources(rows: Tensor, kept: Tensor, tokens: Tensor, size: Any, none: Any) -> Tensor:
    """Which token each of `size` rows takes; `none` where none does."""
    place = select(kept, rows, size)
    return scatter_op(fill((size + 1,), none, int64), place, tokens)[:-1]
