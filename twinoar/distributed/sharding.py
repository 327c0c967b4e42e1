"""`paddle.distributed.sharding`: what processes would divide of a model; one has all of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from twinoar.distributed.group import Group, member
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
) -> tuple[Layer, Optimizer, Any]:
    """Divide moments ("os"), gradients too ("os_g") or all ("p_g_os") among processes.

    One process has all of them, so what is given is returned. Raises UnsupportedError for
    offload=True, ArgumentError for another level.

    >>> import twinoar
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
    if offload:
        raise UnsupportedError(
            "offload=True moves what is divided out of a GPU's memory", cure="leave out offload"
        )
    member(group)
    member(dp_group)
    return model, optimizer, scaler


def save_group_sharded_model(model: Layer, output: str, optimizer: Any = None) -> None:
    """Save the state of the model in `output`/model.pdmodel, of the optimizer in model.pdopt."""
    if Path(output).is_file():
        raise ArgumentError(f"{output} is a file, expected a folder")
    save(model.state_dict(), str(Path(output) / "model.pdmodel"))
    if optimizer is not None:
        save(optimizer.state_dict(), str(Path(output) / "model.pdopt"))


__all__ = ["group_sharded_parallel", "save_group_sharded_model"]
