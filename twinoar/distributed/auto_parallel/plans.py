"""Plans: how `parallelize` would divide layers among processes; one process has them whole."""

from __future__ import annotations

import fnmatch
import warnings
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from twinoar.distributed.auto_parallel.process_mesh import ProcessMesh, check_alone, get_mesh
from twinoar.distributed.world import refuse_more
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.nn.layer import Layer
from twinoar.optimizer import Optimizer

CONFIGS = ("dp_config", "mp_config", "pp_config", "cp_config")
SHARDING_LEVELS = (0, 1, 2, 3)


class SplitPoint(Enum):
    """Where a pipeline would be cut: before or behind a layer."""

    BEGINNING, END = range(2)


class PlanBase:
    """What is done with one layer: nothing."""

    def apply(self, layer: Layer, process_mesh: Any, shard_param_list: Any = None) -> None:
        """Change the layer."""


class ColWiseParallel(PlanBase):
    """Divide the columns of a linear layer or an embedding. gather_output: put outputs together."""

    def __init__(self, gather_output: bool = False):
        self.gather_output = gather_output


class RowWiseParallel(PlanBase):
    """Divide the rows of a linear layer or an embedding. is_input_parallel: inputs are divided."""

    def __init__(self, is_input_parallel: bool = True):
        self.is_input_parallel = is_input_parallel


class ConvParallel(PlanBase):
    """Divide the width of images."""


class SequenceParallelBegin(PlanBase):
    """Divide positions from this layer on."""

    def __init__(self, need_transpose: bool = True):
        self.need_transpose = need_transpose


class SequenceParallelEnd(SequenceParallelBegin):
    """Put positions together behind this layer."""


class SequenceParallelEnable(PlanBase):
    """Divide positions within this layer."""


class SequenceParallelDisable(SequenceParallelBegin):
    """Put positions together within this layer."""


class PrepareContextParallel(PlanBase):
    """Divide the positions of inputs."""

    def __init__(self, backend: str = "p2p"):
        if backend not in ("p2p", "all2all"):
            raise ArgumentError(f"expected backend 'p2p' or 'all2all', received {backend!r}")
        self.backend = backend


class ContextParallel(PrepareContextParallel):
    """Divide the positions of an attention."""


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
    """A network and its optimizer as processes would divide them: themselves.

    config: "dp_config", "mp_config", "pp_config", "cp_config", which are checked; of the plans in
    "mp_config" those that prepare inputs and outputs do so. Raises UnsupportedError for a mesh of
    several ranks, ArgumentError.

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
    chosen = get_mesh() if mesh is None else mesh
    if chosen is not None:
        check_alone(chosen)
    level = (config.get("dp_config") or {}).get("sharding_level", 0)
    if int(level) not in SHARDING_LEVELS:
        raise ArgumentError(f"sharding_level: expected 0 to 3, received {level!r}")
    plan = (config.get("mp_config") or {}).get("parallelize_plan", {})
    for pattern, plans in plan.items():
        _apply(model, pattern, plans if isinstance(plans, list | tuple) else [plans], chosen)
    return model, optimizer


def _apply(model: Layer, pattern: str, plans: Any, mesh: Any) -> None:
    """Apply plans to the layers whose names fit a pattern; one has to."""
    for plan in plans:
        if not isinstance(plan, PlanBase):
            raise TypeMismatchError(f"{pattern}: expected a plan, received {type(plan).__name__}")
    names = pattern.removesuffix(".weight").removesuffix(".bias")
    fitting = [layer for name, layer in model.named_sublayers() if fnmatch.fnmatch(name, names)]
    if not fitting:
        warnings.warn(f"no layer of the model has a name like {pattern!r}", stacklevel=3)
    for layer in fitting:
        for plan in plans:
            plan.apply(layer, mesh)


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
