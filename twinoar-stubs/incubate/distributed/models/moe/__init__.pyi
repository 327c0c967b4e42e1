"""`paddle.incubate.distributed.models.moe`: layers whose experts several processes share."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.distributed
import twinoar.incubate.distributed.models.moe
import twinoar.nn
from typing import Any, Literal, overload

import numpy as _numpy

class BaseGate(twinoar.nn.Layer):
    """Chooses experts: subclasses define `forward(x)`, [S,D] -> values [S,k] and choices [S,k]."""
    def __init__(self, num_expert: Any, world_size: Any) -> None: ...
    def forward(self, x: twinoar._TensorLike) -> Any:
        """Values and choices; subclasses say which."""
    def set_loss(self, loss: twinoar._TensorLike) -> None:
        """Keep the loss of uneven loads of the last call."""
    def get_loss(self, clear: builtins.bool = True) -> twinoar.Tensor | None:
        """The loss of uneven loads of the last call, to be added to that of the network."""
    num_expert: builtins.int
    world_size: builtins.int
    tot_expert: Any
    loss: twinoar.Tensor | None
class ClipGradByGlobalNorm(twinoar.nn.ClipGradByGlobalNorm):
    """`nn.ClipGradByGlobalNorm` whose norm has the gradients of the experts of all processes."""
    def __init__(self, clip_norm: Any, is_expert_param_func: collections.abc.Callable[[Any], builtins.bool] | None = None, moe_group: twinoar.distributed._Group | None = None, group_name: builtins.str = 'default_moe_group') -> None: ...
    def __call__(self, params_grads: collections.abc.Sequence[Any]) -> builtins.list[Any]:
        """The pairs that have a gradient, with the gradients clipped."""
    group_name: builtins.str
    moe_group: twinoar.distributed._Group | None
    is_expert_param_func: collections.abc.Callable[[Any], builtins.bool] | None
ClipGradForMOEByGlobalNorm = ClipGradByGlobalNorm
class GShardGate(twinoar.incubate.distributed.models.moe.NaiveGate):
    """Two experts for each token, the second sometimes left out"""
    def __init__(self, d_model: Any, num_expert: Any, world_size: Any, topk: Any = 2, capacity: collections.abc.Sequence[Any] = ..., random_routing: builtins.bool = True, group: twinoar.distributed._Group | None = None) -> None: ...
    def forward(self, x: twinoar._TensorLike, return_all_scores: builtins.bool = False) -> Any:
        """Values and choices."""
    random_routing: builtins.bool
    capacity: Any
    group: twinoar.distributed._Group | None
class MoELayer(twinoar.nn.Layer):
    """A mixture of experts, of which each process of a group has some: [B,S,D] -> [B,S,D]."""
    def __init__(self, d_model: Any, experts: collections.abc.Sequence[twinoar.nn.Layer], gate: collections.abc.Mapping[builtins.str, Any] | twinoar.incubate.distributed.models.moe.BaseGate | None = None, moe_group: twinoar.distributed._Group | None = None, mp_group: twinoar.distributed._Group | None = None, recompute_interval: Any = 0, recompute_ctx: Any = None) -> None: ...
    def forward(self, inp: twinoar._TensorLike) -> twinoar.Tensor:
        """What the experts make of the tokens, each by its gate's value."""
    d_model: builtins.int
    group: twinoar.distributed._Group | None
    mp_group: twinoar.distributed._Group | None
    world_size: Any
    recompute_interval: builtins.int
    recompute_ctx: Any
    experts: Any
    num_expert: Any
    gate: Any
    top_k: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class NaiveGate(twinoar.incubate.distributed.models.moe.BaseGate):
    """The experts with the greatest scores of a linear layer, which are the values."""
    def __init__(self, d_model: Any, num_expert: Any, world_size: Any, topk: Any = 2) -> None: ...
    def forward(self, x: twinoar._TensorLike, return_all_scores: builtins.bool = False) -> Any:
        """Values and choices, and all scores [S,experts] where they are wanted."""
    gate: Any
    top_k: builtins.int
class SwitchGate(twinoar.incubate.distributed.models.moe.NaiveGate):
    """One expert for each token, by scores with noise while training"""
    def __init__(self, d_model: Any, num_expert: Any, world_size: Any, topk: Any = 1, switch_eps: Any = ..., capacity: collections.abc.Sequence[Any] = ..., group: twinoar.distributed._Group | None = None) -> None: ...
    def forward(self, x: twinoar._TensorLike, return_all_scores: builtins.bool = False) -> Any:
        """Values and choices."""
    switch_eps: builtins.float
    capacity: Any
    group: twinoar.distributed._Group | None
from . import gate as gate
