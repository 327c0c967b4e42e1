"""The numbers of channels that layers keep beside their weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from twinoar import nn

CONVOLUTIONS = (nn.Conv1D, nn.Conv2D, nn.Conv3D)
TRANSPOSED = (nn.Conv1DTranspose, nn.Conv2DTranspose, nn.Conv3DTranspose)
FEATURES = (
    nn.BatchNorm1D, nn.BatchNorm2D, nn.BatchNorm3D, nn.BatchNorm, nn.SyncBatchNorm,
    nn.InstanceNorm1D, nn.InstanceNorm2D, nn.InstanceNorm3D,
)  # fmt: skip


def fit_attributes(
    model: nn.Layer, sizes: Mapping[int, tuple[int, ...]]
) -> list[Callable[[], None]]:
    """Set the attributes of layers to what their weights are now; returns what takes that back.

    sizes: the shapes that tensors had before, by the id of each.
    """
    undo: list[Callable[[], None]] = []
    for layer in model.sublayers(include_self=True):
        held = {**layer._parameters, **layer._buffers}
        before = {n: sizes[id(t)] for n, t in held.items() if t is not None and id(t) in sizes}
        if not before:
            continue
        for name, value in _attributes(layer, before).items():
            undo.append(_setter(layer, name, getattr(layer, name)))
            setattr(layer, name, value)
    return undo


def _setter(layer: nn.Layer, name: str, value: Any) -> Callable[[], None]:
    return lambda: setattr(layer, name, value)


def _attributes(layer: Any, before: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    weight: Any = getattr(layer, "weight", None)
    if isinstance(layer, CONVOLUTIONS):
        outer, inner = weight.shape[0], weight.shape[1]
        groups = layer._groups * outer // before["weight"][0] if layer._groups > 1 else 1
        return {"_out_channels": outer, "_in_channels": inner * groups, "_groups": groups}
    if isinstance(layer, TRANSPOSED):
        return {"_in_channels": weight.shape[0], "_out_channels": weight.shape[1]}
    if isinstance(layer, nn.Linear):
        return {"in_features": weight.shape[0], "out_features": weight.shape[1]}
    if isinstance(layer, nn.Embedding):
        return {"_embedding_dim": weight.shape[1]}
    if isinstance(layer, nn.PReLU):
        return {"_num_parameters": layer._parameters["_weight"].shape[0]}
    if isinstance(layer, FEATURES):
        name = next(iter(before))
        return {"_num_features": {**layer._parameters, **layer._buffers}[name].shape[0]}
    return {}
