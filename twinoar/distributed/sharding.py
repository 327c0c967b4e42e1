"""`paddle.distributed.sharding`: what processes divide of a model that they train together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from twinoar.distributed.data_parallel import DataParallel
from twinoar.distributed.group import Group, member
from twinoar.distributed.sharded_optimizer import ShardedGradients, ShardedOptimizer
from twinoar.distributed.sharded_parameters import ShardedParameters, divide_moments, whole
from twinoar.errors import ArgumentError, TypeMismatchError, UnsupportedError
from twinoar.export.objects import save
from twinoar.nn.layer import Layer
from twinoar.optimizer import Optimizer

LEVELS = ("os", "os_g", "p_g_os")


def group_sharded_parallel(
    model: Layer,
    optimizer: Optimizer,
    level: str,
    scaler: Any = None,
    group: Group | None = None,
    offload: bool = False,
    sync_buffers: bool = False,
    buffer_max_size: int = 2**23,
    segment_size: int = 2**20,
    sync_comm: bool = False,
    dp_group: Group | None = None,
    exclude_layer: Sequence[Any] | None = None,
) -> tuple[Any, Any, Any]:
    """Divide moments ("os"), gradients too ("os_g"), or parameters as well ("p_g_os").

    Returns the network, whose gradients become means over the processes, the optimizer, and the
    scaler. One process has all, so what is given is returned. offload: without effect, as what is
    divided lies in the memory of the processor already. Raises UnsupportedError for a dp_group of
    several processes and an optimizer that has stepped, ArgumentError for another level.

    >>> model = twinoar.nn.Linear(2, 2)
    >>> sgd = twinoar.optimizer.SGD(0.1, parameters=model.parameters())
    >>> group_sharded_parallel(model, sgd, "os_g")[0] is model
    True
    """
    if level not in LEVELS:
        raise ArgumentError(f"expected level among {LEVELS}, received {level!r}")
    for given, kind in ((model, Layer), (optimizer, Optimizer)):
        if not isinstance(given, kind):
            raise TypeMismatchError(f"expected {kind.__name__}, received {type(given).__name__}")
    there = member(group)
    if member(dp_group).nranks > 1 and dp_group is not None:
        raise UnsupportedError(
            "a dp_group of several processes beside the sharding group", cure="leave out dp_group"
        )
    if there.nranks == 1:
        return model, optimizer, scaler
    if level == "p_g_os":
        sharded = ShardedParameters(model, group)
        divide_moments(optimizer, sharded.mesh)
        return sharded, optimizer, scaler
    divided = ShardedOptimizer(optimizer, group)
    if level == "os":
        return DataParallel(model, group=group), divided, scaler
    return ShardedGradients(model, divided, group), divided, scaler


def save_group_sharded_model(model: Layer, output: str, optimizer: Any = None) -> None:
    """Save the state of the model in `output`/model.pdmodel, of the optimizer in model.pdopt.

    All processes call it; the first writes, also what the others have.
    """
    if Path(output).is_file():
        raise ArgumentError(f"{output} is a file, expected a folder")
    is_divided = isinstance(optimizer, ShardedOptimizer)
    moments = None
    if optimizer is not None:
        moments = optimizer.whole_state_dict() if is_divided else optimizer.state_dict()
    state = whole(model.state_dict())
    if isinstance(model, ShardedParameters):
        moments = whole(moments)
    if member(None).rank and (is_divided or isinstance(model, ShardedParameters)):
        return
    save(state, str(Path(output) / "model.pdmodel"))
    if moments is not None:
        save(moments, str(Path(output) / "model.pdopt"))


__all__ = ["group_sharded_parallel", "save_group_sharded_model"]
