"""Plans: how `parallelize` divides layers among processes."""

from __future__ import annotations

import fnmatch
import warnings
from collections.abc import Callable, Mapping
from enum import Enum
from types import MappingProxyType
from typing import Any

from twinoar.distributed.auto_parallel.placement import Placement, Replicate, Shard
from twinoar.distributed.auto_parallel.process_mesh import ProcessMesh, as_mesh, get_mesh
from twinoar.distributed.auto_parallel.sharding import reshard, shard_tensor
from twinoar.distributed.auto_parallel.training import (
    ShardingStage1,
    ShardingStage2,
    ShardingStage3,
    shard_layer,
    shard_optimizer,
)
from twinoar.distributed.world import refuse_more
from twinoar.errors import ArgumentError, TypeMismatchError, UnsupportedError
from twinoar.nn.layer import Layer
from twinoar.optimizer import Optimizer

CONFIGS = ("dp_config", "mp_config", "pp_config", "cp_config")
STAGES = {1: ShardingStage1, 2: ShardingStage2, 3: ShardingStage3}


class SplitPoint(Enum):
    """Where a pipeline would be cut: before or behind a layer."""

    BEGINNING, END = range(2)


class PlanBase:
    """What is done with one layer: nothing."""

    def apply(self, layer: Layer, process_mesh: Any, shard_param_list: Any = None) -> None:
        """Change the layer."""


def _along(mesh: Any) -> tuple[ProcessMesh, int]:
    """The mesh, and its dimension along which networks are divided: "mp", or the only one."""
    if mesh is None:
        raise ArgumentError("a network is divided on a mesh", cure="pass mesh, or call set_mesh")
    if "mp" not in mesh.dim_names and mesh.ndim > 1:
        raise ArgumentError(f"no dimension of {mesh} is named 'mp'")
    return mesh, mesh.axis_of("mp") if "mp" in mesh.dim_names else 0


def _placements(x: Any, mesh: Any, placement: Placement) -> tuple[ProcessMesh, list[Placement]]:
    """How a tensor lies that is to lie so along that dimension, and along others as it does."""
    mesh, axis = _along(mesh)
    found = list(getattr(x, "placements", None) or [Replicate()] * mesh.ndim)  # a symbol has none
    found[axis] = placement
    return mesh, found


class DividingPlan(PlanBase):
    """Base of plans that divide parameters: along which dimension each."""

    divides: Mapping[str, Placement]

    def apply(self, layer: Layer, process_mesh: Any, shard_param_list: Any = None) -> None:
        """Let the parameters, or those that are named, lie so."""
        for name in shard_param_list or self.divides:
            parameter = getattr(layer, name, None)
            if parameter is not None:
                lying = _placements(parameter, process_mesh, self.divides[name])
                shard_tensor(parameter, *lying)


def _lay_inputs(layer: Layer, mesh: Any, placement: Placement) -> None:
    """Let the first input of a layer lie so."""

    def laid(_: Any, inputs: Any) -> Any:
        first, *rest = inputs
        return reshard(first, *_placements(first, mesh, placement)), *rest

    layer.register_forward_pre_hook(laid)


def _lay_outputs(layer: Layer, mesh: Any, placement: Placement) -> None:
    """Let the first output of a layer lie so."""

    def laid(_: Any, inputs: Any, outputs: Any) -> Any:
        if isinstance(outputs, tuple | list):
            first = reshard(outputs[0], *_placements(outputs[0], mesh, placement))
            return type(outputs)([first, *outputs[1:]])
        return reshard(outputs, *_placements(outputs, mesh, placement))

    layer.register_forward_post_hook(laid)


class ColWiseParallel(DividingPlan):
    """Divide the columns of a linear layer or an embedding. gather_output: put outputs together."""

    divides: Mapping[str, Placement] = MappingProxyType({"weight": Shard(1), "bias": Shard(0)})

    def __init__(self, gather_output: bool = False):
        self.gather_output = gather_output

    def apply(self, layer: Layer, process_mesh: Any, shard_param_list: Any = None) -> None:
        """Let the weight lie by columns, and the bias with them."""
        super().apply(layer, process_mesh, shard_param_list)
        if self.gather_output:
            _lay_outputs(layer, process_mesh, Replicate())


class RowWiseParallel(DividingPlan):
    """Divide the rows of a linear layer or an embedding. is_input_parallel: inputs are divided."""

    divides: Mapping[str, Placement] = MappingProxyType({"weight": Shard(0), "bias": Replicate()})

    def __init__(self, is_input_parallel: bool = True):
        self.is_input_parallel = is_input_parallel


class ConvParallel(DividingPlan):
    """Divide the output channels of a convolution."""

    divides: Mapping[str, Placement] = MappingProxyType({"weight": Shard(0), "bias": Shard(0)})


class SequenceParallelBegin(PlanBase):
    """Divide positions from this layer on.

    need_transpose: outputs are [batch,position,*], not [position,batch,*].
    """

    def __init__(self, need_transpose: bool = True):
        self.need_transpose = need_transpose

    def apply(self, layer: Layer, process_mesh: Any, shard_param_list: Any = None) -> None:
        """Let outputs lie divided."""
        _lay_outputs(layer, process_mesh, Shard(1 if self.need_transpose else 0))


class SequenceParallelEnd(SequenceParallelBegin):
    """Put positions together behind this layer."""

    def apply(self, layer: Layer, process_mesh: Any, shard_param_list: Any = None) -> None:
        """Let outputs lie whole."""
        _lay_outputs(layer, process_mesh, Replicate())


class SequenceParallelEnable(PlanBase):
    """Divide positions, [batch,position,*], within this layer."""

    def apply(self, layer: Layer, process_mesh: Any, shard_param_list: Any = None) -> None:
        """Let inputs lie divided, and outputs whole."""
        _lay_inputs(layer, process_mesh, Shard(1))
        _lay_outputs(layer, process_mesh, Replicate())


class SequenceParallelDisable(SequenceParallelBegin):
    """Put positions together within this layer, and divide them behind it."""

    def apply(self, layer: Layer, process_mesh: Any, shard_param_list: Any = None) -> None:
        """Let inputs lie whole, and outputs divided."""
        _lay_inputs(layer, process_mesh, Replicate())
        super().apply(layer, process_mesh)


class PrepareContextParallel(PlanBase):
    """Divide the positions of inputs, [batch,position,*]. backend: a name that Paddle has."""

    def __init__(self, backend: str = "p2p"):
        if backend not in ("p2p", "all2all"):
            raise ArgumentError(f"expected backend 'p2p' or 'all2all', received {backend!r}")
        self.backend = backend

    def apply(self, layer: Layer, process_mesh: Any, shard_param_list: Any = None) -> None:
        """Let inputs lie divided."""
        _lay_inputs(layer, process_mesh, Shard(1))


class ContextParallel(PrepareContextParallel):
    """Divide the positions that an attention is asked for."""


class PrepareLayerInput(PlanBase):
    """Change what goes into a layer: `fn(mesh)` makes the hook."""

    def __init__(self, fn: Callable[..., Any] | None = None):
        if fn is not None and not callable(fn):
            raise TypeMismatchError(f"fn: expected a function, received {type(fn).__name__}")
        self.fn = fn

    def apply(self, layer: Layer, process_mesh: Any, shard_param_list: Any = None) -> None:
        """Register the hook."""
        if self.fn is not None:
            layer.register_forward_pre_hook(self.fn(process_mesh))


class PrepareLayerOutput(PrepareLayerInput):
    """Change what comes out of a layer: `fn(mesh)` makes the hook."""

    def apply(self, layer: Layer, process_mesh: Any, shard_param_list: Any = None) -> None:
        """Register the hook."""
        if self.fn is not None:
            layer.register_forward_post_hook(self.fn(process_mesh))


def parallelize(
    model: Layer,
    optimizer: Optimizer | None = None,
    mesh: ProcessMesh | None = None,
    config: Mapping[str, Any] | None = None,
) -> tuple[Layer, Optimizer | None]:
    """A network and its optimizer, which lie on a mesh from now on: themselves.

    config: "mp_config" has a "parallelize_plan" of plans by names of layers; "dp_config" a
    "sharding_level" from 0 to 3: what the processes along "dp" divide. mesh: by default that of
    `set_mesh`. Raises UnsupportedError for "pp_config" with a "split_spec", ArgumentError.

    >>> model = twinoar.nn.Linear(2, 2)
    >>> parallelize(model, mesh=ProcessMesh([0], ["dp"]), config={})[0] is model
    True
    """
    if config is None:
        warnings.warn("parallelize does nothing where there is no config", stacklevel=2)
        return model, optimizer
    unknown = sorted(config.keys() - set(CONFIGS))
    if unknown:
        raise ArgumentError(f"config has no {unknown[0]!r}", cure=f"there are {CONFIGS}")
    if (config.get("pp_config") or {}).get("split_spec") is not None:
        raise UnsupportedError("a network is not cut into stages", cure="leave out split_spec")
    chosen = get_mesh() if mesh is None else as_mesh(mesh)
    level = (config.get("dp_config") or {}).get("sharding_level", 0)
    if level not in (0, *STAGES):
        raise ArgumentError(f"sharding_level: expected 0 to 3, received {level!r}")
    plan = (config.get("mp_config") or {}).get("parallelize_plan", {})
    for pattern, plans in plan.items():
        _apply(model, pattern, plans if isinstance(plans, list | tuple) else [plans], chosen)
    if chosen is not None:
        shard_layer(model, chosen)
    if level and optimizer is not None and chosen is not None:
        shard_optimizer(optimizer, STAGES[level]("dp" if "dp" in chosen.dim_names else 0, chosen))
    return model, optimizer


def _apply(model: Layer, pattern: str, plans: Any, mesh: Any) -> None:
    """Apply plans to the layers whose names fit a pattern; one has to."""
    for plan in plans:
        if not isinstance(plan, PlanBase):
            raise TypeMismatchError(f"{pattern}: expected a plan, received {type(plan).__name__}")
    names = pattern.removesuffix(".weight").removesuffix(".bias")
    only = None if names == pattern else [pattern[len(names) + 1 :]]
    fitting = [layer for name, layer in model.named_sublayers() if fnmatch.fnmatch(name, names)]
    if not fitting:
        warnings.warn(f"no layer of the model has a name like {pattern!r}", stacklevel=3)
    for layer in fitting:
        for plan in plans:
            plan.apply(layer, mesh, only)


class ToDistributedConfig:
    """What `to_distributed` may do."""

    def __init__(self) -> None:
        self.input_spec = None
        self.sequence_parallel = False


def to_distributed(
    model: Layer,
    optimizer: Optimizer,
    dataloader: Any,
    device_num: int,
    node_num: int | None = 1,
    config: ToDistributedConfig | None = None,
) -> tuple[Layer, Optimizer, Any]:
    """A network, an optimizer and batches as devices would divide them: themselves for one.

    Raises UnsupportedError for several devices or machines.
    """
    refuse_more("device_num", device_num, "pass device_num=1")
    refuse_more("node_num", node_num, "pass node_num=1")
    return model, optimizer, dataloader
