"""Helpers of Paddle's layers, networks and initial values that programs import by their paths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from twinoar.core.dtype import dtype_of
from twinoar.errors import ArgumentError
from twinoar.nn import initializer
from twinoar.nn.attention import additive_mask
from twinoar.nn.container import LayerDict
from twinoar.nn.conv import _Convolution as _ConvNd
from twinoar.nn.layer import Layer
from twinoar.nn.norm import _InstanceNorm as _InstanceNormBase

FanMode = Literal["fan_in", "fan_out"]


def _convert_attention_mask(attn_mask: Any, dtype: Any) -> Any:
    """A mask that is added: 0 where attention is wanted, -1e9 elsewhere; None stays None."""
    return additive_mask(attn_mask, dtype_of(dtype))


class IntermediateLayerGetter(LayerDict):
    """The results of some sublayers of `model`, which are called one after the other.

    return_layers: what each of these sublayers' results is called. Raises ArgumentError for one
    that the model does not have.

    >>> net = twinoar.nn.Sequential(("a", twinoar.nn.ReLU()), ("b", twinoar.nn.Tanh()))
    >>> list(IntermediateLayerGetter(net, {"a": "first"})(twinoar.ones([1])))
    ['first']
    """

    def __init__(self, model: Layer, return_layers: Mapping[str, str]):
        left = {str(k): str(v) for k, v in return_layers.items()}
        if unknown := left.keys() - {name for name, _ in model.named_children()}:
            raise ArgumentError(f"the model has no sublayers {', '.join(sorted(unknown))}")
        self.return_layers = dict(left)
        layers = {}
        for name, layer in model.named_children():
            layers[name] = layer
            left.pop(name, None)
            if not left:
                break
        super().__init__(layers)

    def forward(self, x: Any) -> dict[str, Any]:
        """The results by their new names."""
        found = {}
        for name, layer in self.items():
            x = layer(x)
            if name in self.return_layers:
                found[self.return_layers[name]] = x
        return found


def _make_divisible(v: float, divisor: int = 8, min_value: int | None = None) -> int:
    """The multiple of `divisor` nearest to v, at least 0.9 of it and at least `min_value`.

    >>> _make_divisible(17), _make_divisible(11)
    (16, 16)
    """
    least = divisor if min_value is None else min_value
    made = max(least, int(v + divisor / 2) // divisor * divisor)
    return made + divisor if made < 0.9 * v else made


def constant_(tensor: Any, val: float) -> None:
    """Fill a parameter with `val`.

    >>> weight = twinoar.zeros([2])
    >>> constant_(weight, 3.0)
    >>> weight.tolist()
    [3.0, 3.0]
    """
    initializer.Constant(val)(tensor)


def zeros_(tensor: Any) -> None:
    """Fill a parameter with 0."""
    constant_(tensor, 0.0)


def ones_(tensor: Any) -> None:
    """Fill a parameter with 1."""
    constant_(tensor, 1.0)


def normal_(tensor: Any, mean: float = 0.0, std: float = 1.0) -> None:
    """Fill a parameter with normally distributed numbers."""
    initializer.Normal(mean, std)(tensor)


def trunc_normal_(
    tensor: Any, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0
) -> None:
    """Fill a parameter with normally distributed numbers from a to b."""
    initializer.TruncatedNormal(mean, std, a, b)(tensor)


def uniform_(tensor: Any, a: float = 0.0, b: float = 1.0) -> None:
    """Fill a parameter with numbers from a to b."""
    initializer.Uniform(a, b)(tensor)


def xavier_normal_(
    tensor: Any, gain: float = 1.0, fan_in: float | None = None, fan_out: float | None = None
) -> None:
    """Fill a parameter as `initializer.XavierNormal` does."""
    initializer.XavierNormal(fan_in, fan_out, gain=gain)(tensor)


def xavier_uniform_(
    tensor: Any, gain: float = 1.0, fan_in: float | None = None, fan_out: float | None = None
) -> None:
    """Fill a parameter as `initializer.XavierUniform` does."""
    initializer.XavierUniform(fan_in, fan_out, gain=gain)(tensor)


def kaiming_normal_(
    tensor: Any, a: float = 0, mode: FanMode = "fan_in", nonlinearity: str = "leaky_relu"
) -> None:
    """Fill a parameter as `initializer.KaimingNormal` does. a: the slope of the rectifier."""
    rule = initializer.KaimingNormal(negative_slope=a, nonlinearity=nonlinearity, mode=mode)
    rule(tensor)


def kaiming_uniform_(
    tensor: Any, a: float = 0, mode: FanMode = "fan_in", nonlinearity: str = "leaky_relu"
) -> None:
    """Fill a parameter as `initializer.KaimingUniform` does. a: the slope of the rectifier."""
    rule = initializer.KaimingUniform(negative_slope=a, nonlinearity=nonlinearity, mode=mode)
    rule(tensor)


def orthogonal_(tensor: Any, gain: float = 1) -> None:
    """Fill a parameter as `initializer.Orthogonal` does."""
    initializer.Orthogonal(gain)(tensor)


def dirac_(tensor: Any, groups: int = 1) -> None:
    """Fill the weight of a convolution as `initializer.Dirac` does."""
    initializer.Dirac(groups)(tensor)


__all__ = [
    "IntermediateLayerGetter",
    "constant_",
    "dirac_",
    "kaiming_normal_",
    "kaiming_uniform_",
    "normal_",
    "ones_",
    "orthogonal_",
    "trunc_normal_",
    "uniform_",
    "xavier_normal_",
    "xavier_uniform_",
    "zeros_",
]
__all__ += ["_ConvNd", "_InstanceNormBase"]
