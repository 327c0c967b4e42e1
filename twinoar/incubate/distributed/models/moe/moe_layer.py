"""MoELayer: tokens go to the experts that a gate chooses, on whichever process these are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from twinoar.autograd.recomputation import recompute
from twinoar.core.public import declared
from twinoar.core.values import Value as Tensor
from twinoar.distributed.experts import counts_of_choices, global_gather, global_scatter
from twinoar.distributed.group import Group
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, ShapeError, TypeMismatchError
from twinoar.incubate.distributed.models.moe.gate import (
    BaseGate,
    GShardGate,
    NaiveGate,
    SwitchGate,
)
from twinoar.nn.container import LayerList
from twinoar.nn.layer import Layer
from twinoar.ops.collective.parallel import join_rows, own_rows
from twinoar.ops.create.fill import zeros
from twinoar.ops.index.gather import gather
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.shape.concat import concat

GATES = {"naive": NaiveGate, "gshard": GShardGate, "switch": SwitchGate}


class MoELayer(Layer):
    """A mixture of experts, of which each process of a group has some: [B,S,D] -> [B,S,D].

    d_model: D. experts: those of this process, layers of [n,D] -> [n,D]; as many on all. gate: a
    gate, or {"type": "gshard" (the default), "naive" or "switch", "top_k": 2}. moe_group: the
    processes that share experts; their gates have to be equal, and each gives its own tokens.
    mp_group: processes of tensor parallelism, which have the same tokens and go with a part of them
    each. recompute_interval: experts compute twice where it is above 0. Parameters of experts are
    marked `no_sync`: they are other ones on each process. Raises ShapeError, ArgumentError.

    >>> experts = twinoar.nn.LayerList([twinoar.nn.Linear(4, 4) for _ in range(3)])
    >>> layer = MoELayer(4, experts, {"type": "naive", "top_k": 2})
    >>> layer(twinoar.ones([2, 5, 4])).shape
    [2, 5, 4]
    """

    def __init__(
        self,
        d_model: int,
        experts: Sequence[Layer],
        gate: Mapping[str, Any] | BaseGate | None = None,
        moe_group: Group | None = None,
        mp_group: Group | None = None,
        recompute_interval: int = 0,
        recompute_ctx: Any = None,
    ):
        super().__init__()
        self.d_model, self.group, self.mp_group = d_model, moe_group, mp_group
        self.world_size = 1 if moe_group is None else moe_group.nranks
        self.recompute_interval, self.recompute_ctx = recompute_interval, recompute_ctx
        self.experts = experts if isinstance(experts, LayerList) else LayerList(list(experts))
        self.num_expert = len(self.experts)
        self.gate = self._gate_of({} if gate is None else gate)
        self.top_k = self.gate.top_k
        if self.world_size > 1:
            for parameter in self.experts.parameters():
                parameter.no_sync = True

    def _gate_of(self, given: Any) -> Any:
        if isinstance(given, NaiveGate):
            return given
        if not isinstance(given, Mapping):
            raise TypeMismatchError(
                f"gate: expected a dict or a NaiveGate, received {type(given).__name__}"
            )
        name = given.get("type", "gshard") or "naive"
        if name not in GATES:
            raise ArgumentError(f"gate type {name!r}", cure=f"expected {list(GATES)}")
        more = {} if name == "naive" else {"group": self.group}
        count = given.get("top_k", 2)
        return GATES[name](self.d_model, self.num_expert, self.world_size, topk=count, **more)

    def forward(self, inp: Tensor) -> Tensor:
        """What the experts make of the tokens, each by its gate's value."""
        if inp.ndim != 3 or inp.shape[2] != self.d_model:
            raise ShapeError(f"expected [B,S,{self.d_model}], received {inp.shape}")
        shape, there = inp.shape, self.mp_group
        is_divided = there is not None and there.nranks > 1
        x = inp.reshape([-1, self.d_model])
        if is_divided and there is not None:
            x = own_rows(x, there.id, there.rank, there.nranks)
        values, choices = self.gate(x)[:2]
        found = self._by_experts(x, choices)  # [S,k,D]
        x = matmul(values.unsqueeze(1).astype(found.dtype), found).reshape([-1, self.d_model])
        if is_divided and there is not None:
            x = join_rows(x, there.id, there.rank, there.nranks)
        return x.reshape(shape)

    def _by_experts(self, x: Any, choices: Any) -> Any:
        """What each chosen expert makes of each token, zeros where none is: [S,k,D]."""
        places, local, coming = counts_of_choices(choices, self.num_expert, self.group)
        rows = gather(x, to_tensor(places.numpy() // self.top_k), 0)
        if self.world_size > 1:
            rows = global_scatter(rows, local, coming, self.group)
        counts = coming.numpy().reshape(self.world_size, self.num_expert).sum(0)
        if self.recompute_interval > 0 and rows.shape[0]:
            rows = recompute(self._computed, rows, counts)
        else:
            rows = self._computed(rows, counts)
        if self.world_size > 1:
            rows = global_gather(rows, local, coming, self.group)
        # A row of zeros, for the choices that were left out.
        source = np.full(choices.shape[0] * self.top_k, rows.shape[0], np.int64)
        source[places.numpy()] = np.arange(rows.shape[0])
        padded = concat([rows, zeros([1, self.d_model], rows.dtype)], 0)
        return gather(padded, to_tensor(source), 0).reshape([-1, self.top_k, self.d_model])

    def _computed(self, x: Any, counts: np.ndarray) -> Any:
        """Each expert's rows, which stand end to end, through it; also where it has none.

        So each expert takes part in each backward, which all processes go through alike.
        """
        ends = np.cumsum(counts)
        parts = [
            expert(x[int(end - count) : int(end)])
            for expert, count, end in zip(self.experts, counts, ends, strict=True)
        ]
        return concat(parts, 0)


__all__ = declared(globals())
