"""Attention over the processes of `sep_degree`, or `cp_degree`: `distributed.ring_attention`."""

from __future__ import annotations

from twinoar.core.public import declared
from twinoar.core.values import Value as Tensor
from twinoar.distributed import ring_attention as ring
from twinoar.distributed.fleet.topology import group_for
from twinoar.distributed.group import Group


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
    """`distributed.ring_attention.ring_attention`, over the processes that divide sequences.

    group: by default that of `sep_degree`, else of `cp_degree`.

    >>> x = twinoar.rand([1, 4, 2, 8])
    >>> ring_attention(x, x, x, is_causal=True).shape
    [1, 4, 2, 8]
    """
    there = _group(group)
    return ring.ring_attention(
        query, key, value, attn_mask, dropout, is_causal, there, balanced, scale
    )


def own_positions(
    x: Tensor, axis: int = 1, group: Group | None = None, balanced: bool = False
) -> Tensor:
    """This process's part of the positions of what all that divide sequences have whole.

    See `distributed.ring_attention.own_positions`. group: as of `ring_attention`.

    >>> own_positions(twinoar.arange(6).reshape([1, 6])).tolist()
    [[0, 1, 2, 3, 4, 5]]
    """
    return ring.own_positions(x, axis, _group(group), balanced)


def _group(group: Group | None) -> Group:
    if group is not None:
        return group
    along = group_for("sep")
    return along if along.nranks > 1 else group_for("context")


__all__ = declared(globals())
