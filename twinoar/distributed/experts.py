"""Rows that go to experts on all processes of a group, and back; how many, and which.

Each process has as many experts as the others. Counts are [processes * experts of each], int64, by
process, then expert: they are data, so these functions work eagerly.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.public import declared
from twinoar.core.values import Value as Tensor
from twinoar.distributed.group import Group, communicator_of, member
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.collective.exchange import all_to_all_rows
from twinoar.ops.index.gather import gather


def global_scatter(
    x: Tensor,
    local_count: Tensor,
    global_count: Tensor,
    group: Group | None = None,
    use_calc_stream: bool = True,
) -> Tensor:
    """Rows of x to the experts of all processes; those that arrive here, by expert, then process.

    x: [n,*], rows in the order of local_count: how many go to each expert. global_count: how many
    come from each process for each expert here. Returns [sum(global_count),*]. Its gradient goes
    the other way. Raises ShapeError, on all processes, where counts do not fit.

    >>> x, count = twinoar.ones([3, 2]), twinoar.to_tensor([2, 1])
    >>> global_scatter(x, count, count).shape
    [3, 2]
    """
    there, sent, taken = _counts(x, local_count, global_count, group)
    arrived = all_to_all_rows(x, _by_process(sent), _by_process(taken), there.id)
    return gather(arrived, to_tensor(_by_expert(taken)), 0)


def global_gather(
    x: Tensor,
    local_count: Tensor,
    global_count: Tensor,
    group: Group | None = None,
    use_calc_stream: bool = True,
) -> Tensor:
    """What experts have made of the rows that `global_scatter` sent them, back where these were.

    x: [sum(global_count),*], by expert, then process. Returns [sum(local_count),*]. Its gradient
    goes the other way. Raises ShapeError, on all processes, where counts do not fit.
    """
    there, sent, taken = _counts(x, global_count, local_count, group)
    by_process = np.argsort(_by_expert(sent), kind="stable")
    ordered = gather(x, to_tensor(by_process), 0)
    return all_to_all_rows(ordered, _by_process(sent), _by_process(taken), there.id)


def _counts(
    x: Tensor, sent: Any, taken: Any, group: Group | None
) -> tuple[Group, np.ndarray, np.ndarray]:
    """The group, and counts [processes,experts]. Raises ShapeError."""
    there = member(group)
    tables = []
    for count in (sent, taken):
        flat = np.asarray(count.numpy(), np.int64).reshape(-1)
        if not flat.size or flat.size % there.nranks:
            raise ShapeError(
                f"counts of {flat.size} experts for {there.nranks} processes",
                cure="give one count for each expert of each process",
            )
        tables.append(flat.reshape(there.nranks, -1))
    if x.ndim == 0 or x.shape[0] != tables[0].sum():
        raise ShapeError(f"{int(tables[0].sum())} rows are to be sent, x is {x.shape}")
    return there, tables[0], tables[1]


def _by_process(table: np.ndarray) -> tuple[int, ...]:
    return tuple(int(n) for n in table.sum(1))


def _by_expert(table: np.ndarray) -> np.ndarray:
    """Where rows that lie by process, then expert, stand by expert, then process."""
    begins = np.concatenate([[0], np.cumsum(table)[:-1]]).reshape(table.shape)
    parts = [
        np.arange(begins[p, e], begins[p, e] + table[p, e])
        for e in range(table.shape[1])
        for p in range(table.shape[0])
    ]
    return np.concatenate(parts).astype(np.int64)


def number_count(numbers: Tensor, upper_range: int) -> Tensor:
    """How often each of 0 to upper_range - 1 is among numbers; [upper_range], int64. -1 is none.

    >>> number_count(twinoar.to_tensor([[0, 2], [0, -1]]), 3).tolist()
    [2, 0, 1]
    """
    flat = _choices(numbers, upper_range)
    return to_tensor(np.bincount(flat[flat >= 0], minlength=upper_range).astype(np.int64))


def assign_pos(x: Tensor, cum_count: Tensor) -> Tensor:
    """The places of choices, by expert, then in their order; those of -1 are left out: int64.

    >>> choices = twinoar.to_tensor([[1, 0], [0, -1]])
    >>> assign_pos(choices, twinoar.to_tensor([2, 3])).tolist()
    [1, 2, 0]
    """
    flat = _choices(x, int(cum_count.shape[0]))
    order = np.argsort(flat, kind="stable")
    return to_tensor(order[flat[order] >= 0].astype(np.int64))


def limited_by_capacity(expert_count: Tensor, capacity: Tensor, n_worker: int) -> Tensor:
    """Counts of what comes for each expert, the first processes first, up to its capacity.

    expert_count: [processes * experts]. capacity: [experts]. Returns [processes * experts], int64.

    >>> counts = twinoar.to_tensor([3, 1, 2, 4])
    >>> limited_by_capacity(counts, twinoar.to_tensor([4, 2]), 2).tolist()
    [3, 1, 1, 1]
    """
    table = np.asarray(expert_count.numpy()).reshape(n_worker, -1)
    before = np.cumsum(table, 0) - table
    left = np.maximum(capacity.numpy() - before, 0)
    return to_tensor(np.minimum(table, left).astype(np.int64).reshape(-1))


def prune_gate_by_capacity(
    gate_idx: Tensor, expert_count: Tensor, n_expert: int, n_worker: int
) -> Tensor:
    """Choices, of which those beyond an expert's count are -1; the first ones stay.

    >>> choices = twinoar.to_tensor([[0], [0], [1]])
    >>> prune_gate_by_capacity(choices, twinoar.to_tensor([1, 1]), 2, 1).tolist()
    [[0], [-1], [1]]
    """
    flat = _choices(gate_idx, n_expert * n_worker).copy()
    limits = np.asarray(expert_count.numpy()).reshape(-1)
    for expert in np.unique(flat[flat >= 0]):
        flat[np.flatnonzero(flat == expert)[limits[expert] :]] = -1
    return to_tensor(flat.reshape(gate_idx.shape).astype(gate_idx.numpy().dtype))


def random_routing(topk_idx: Tensor, topk_value: Tensor, prob: Tensor, topk: int = 2) -> Tensor:
    """Choices of two experts, of which the second is -1 where twice its value is below `prob`.

    topk_idx, topk_value: [S,2]. prob: [S]. Raises ArgumentError for another topk, as Paddle does.
    """
    if topk != 2 or topk_idx.shape[-1] != 2:
        raise ArgumentError(f"random_routing is of two choices, received topk {topk}")
    found = topk_idx.numpy().copy()
    found[topk * topk_value.numpy()[:, 1] < prob.numpy(), 1] = -1
    return to_tensor(found)


def counts_of_choices(
    choices: Tensor, experts: int, group: Group | None
) -> tuple[Tensor, Tensor, Tensor]:
    """Places of choices by expert, how many go to each expert, how many come for each here.

    choices: [S,k], numbers of experts of all processes, -1 for none. experts: of each process.
    """
    total = experts * _size(group)
    local = number_count(choices, total)
    places = assign_pos(choices, to_tensor(np.cumsum(local.numpy())))
    return places, local, exchanged_counts(local, group)


def exchanged_counts(count: Tensor, group: Group | None) -> Tensor:
    """Counts by process, of which each gets its part from all."""
    if _size(group) == 1:
        return count
    return to_tensor(communicator_of(group).all_to_all(count.numpy()))


def _size(group: Group | None) -> int:
    return 1 if group is None else group.nranks


def _choices(given: Tensor, count: int) -> np.ndarray:
    """Numbers of experts, flat. Raises ArgumentError for others than -1 to count - 1."""
    flat = np.asarray(given.numpy()).reshape(-1)
    if flat.size and (flat.min() < -1 or flat.max() >= count):
        raise ArgumentError(
            f"a choice of expert {int(flat.max())}: experts are 0 to {count - 1}, -1 for none"
        )
    return flat


# By the names inside Paddle that programs take.
_number_count, _assign_pos, _random_routing = number_count, assign_pos, random_routing
_limit_by_capacity, _prune_gate_by_capacity = limited_by_capacity, prune_gate_by_capacity


__all__ = declared(globals(), but=("counts_of_choices", "exchanged_counts"))
