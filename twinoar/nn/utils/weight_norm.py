"""Weight normalization: a layer's weight as a direction times lengths, both trained."""

from __future__ import annotations

from typing import Any

from twinoar.core.op.explain import told
from twinoar.errors import ArgumentError, UnknownNameError
from twinoar.nn.layer import Layer
from twinoar.ops.math.root import sqrt
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.reshape import reshape


class WeightNorm:
    """Called before `forward`: the weight `name` becomes g v / |v|."""

    def __init__(self, name: str, dim: int | None):
        self.name, self.dim = name, dim
        self.handle: Any = None

    def __call__(self, layer: Layer, inputs: Any = None) -> None:
        setattr(layer, self.name, self.weight_of(layer))

    def weight_of(self, layer: Layer) -> Any:
        """The weight, of the two parameters."""
        v, g = getattr(layer, f"{self.name}_v"), getattr(layer, f"{self.name}_g")
        lengths = lengths_of(v, self.dim)
        return v * (reshape(g, lengths.spec.shape) / lengths)


def lengths_of(v: Any, dim: int | None) -> Any:
    """The length of each slice along `dim`, with 1 for the others; of all of it for None."""
    axes = [axis for axis in range(v.ndim) if axis != dim]
    return sqrt(total(v * v, axes, keepdim=True))


@told
def weight_norm(layer: Layer, name: str = "weight", dim: int | None = 0) -> Layer:
    """Make the parameter `name` of `layer` a direction `name_v` times lengths `name_g`; both train.

    dim: the dimension along which each slice has a length of its own; None and -1 give one to the
    whole weight. The weight is computed before each call. Returns `layer`. Raises ArgumentError for
    a dimension that the weight does not have, or where that was done before, UnknownNameError.
    Source: arXiv 1602.07868, eq. 2.

    >>> layer = twinoar.nn.utils.weight_norm(twinoar.nn.Linear(3, 2), dim=1)
    >>> [(name, p.shape) for name, p in layer.named_parameters()]
    [('bias', [2]), ('weight_v', [3, 2]), ('weight_g', [2])]
    """
    weight = parameter_of(layer, name, WeightNorm)
    if dim is not None and not -weight.ndim <= dim < weight.ndim:
        raise ArgumentError(f"dim must be one of {weight.ndim} dimensions, received {dim}")
    if dim is not None and dim != -1:
        dim %= weight.ndim
    else:
        dim = None
    lengths = reshape(lengths_of(weight, dim), () if dim is None else (-1,))
    delattr(layer, name)
    for suffix, value in (("v", weight), ("g", lengths)):
        parameter = layer.create_parameter(value.shape, dtype=value.dtype)
        parameter.set_value(value.detach())
        layer.add_parameter(f"{name}_{suffix}", parameter)
    hook = WeightNorm(name, dim)
    hook(layer)
    hook.handle = layer.register_forward_pre_hook(hook)
    return layer


@told
def remove_weight_norm(layer: Layer, name: str = "weight") -> Layer:
    """Make `name`, which `weight_norm` divided, one parameter again, of the value that it has.

    Returns `layer`. Raises UnknownNameError where it was not divided.

    >>> layer = twinoar.nn.utils.weight_norm(twinoar.nn.Linear(3, 2))
    >>> sorted(twinoar.nn.utils.remove_weight_norm(layer).state_dict())
    ['bias', 'weight']
    """
    hook = hook_of(layer, name, WeightNorm)
    if hook is None:
        raise UnknownNameError(
            f"{name!r} of {layer!r} is no weight that weight_norm divided",
            cure="name the parameter as for weight_norm",
        )
    value = hook.weight_of(layer).detach()
    hook.handle.remove()
    for gone in (name, f"{name}_v", f"{name}_g"):
        delattr(layer, gone)
    parameter = layer.create_parameter(value.shape, dtype=value.dtype)
    parameter.set_value(value)
    layer.add_parameter(name, parameter)
    return layer


def hook_of(layer: Layer, name: str, kind: Any) -> Any:
    """What computes the weight `name` before each call of `layer`, or None."""
    hooks: Any = layer._forward_pre_hooks.values()
    return next((h for h in hooks if isinstance(h, kind) and h.name == name), None)


def parameter_of(layer: Layer, name: str, kind: type) -> Any:
    """The parameter `name`. Raises UnknownNameError; ArgumentError where a `kind` computes it."""
    if hook_of(layer, name, kind) is not None:
        raise ArgumentError(
            f"{name!r} of {layer!r} is computed by {kind.__name__} already",
            cure="do that once for each parameter",
        )
    if layer._parameters.get(name) is None:
        raise UnknownNameError(
            f"{layer!r} has no parameter {name!r}, but {list(layer._parameters)}",
            cure="name one of the layer's own parameters",
        )
    return layer._parameters[name]
