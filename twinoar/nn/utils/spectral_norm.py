"""Spectral normalization of a layer's weight: divided by its greatest singular value."""

from __future__ import annotations

from typing import Any

from twinoar.core.interpreter import current, recording, using
from twinoar.core.op.explain import told
from twinoar.errors import ArgumentError
from twinoar.nn import functional
from twinoar.nn.conv import Conv1DTranspose, Conv2DTranspose, Conv3DTranspose
from twinoar.nn.layer import Layer
from twinoar.nn.linear import Linear
from twinoar.nn.utils.weight_norm import parameter_of
from twinoar.ops.linalg.matmul import mv
from twinoar.ops.norm.spectral_norm import matrix_of
from twinoar.ops.random.uniform import randn
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.reshape import transpose

OUTPUTS_LAST = (Linear, Conv1DTranspose, Conv2DTranspose, Conv3DTranspose)


class SpectralNorm:
    """Called before `forward`: the weight `name` becomes `name_orig` / s, with s = u W v.

    In training u and v come nearer to the singular vectors by some steps of the power method.
    """

    def __init__(self, name: str, dim: int, steps: int, eps: float):
        self.name, self.dim, self.steps, self.eps = name, dim, steps, eps

    def __call__(self, layer: Layer, inputs: Any = None) -> None:
        weight, u, v = (getattr(layer, f"{self.name}_{suffix}") for suffix in ("orig", "u", "v"))
        if layer.training:
            with using(recording(False)):
                self.improve(matrix_of(weight, self.dim), u, v)
        norm = total(u.detach() * mv(matrix_of(weight, self.dim), v.detach()))
        setattr(layer, self.name, weight / norm)

    def improve(self, matrix: Any, u: Any, v: Any) -> None:
        """Some steps of the power method: v = W' u / |W' u|, u = W v / |W v|."""
        left, right = u, v
        for _ in range(self.steps):
            right = self.unit(mv(transpose(matrix, [1, 0]), left))
            left = self.unit(mv(matrix, right))
        current().rebind(u, left)
        current().rebind(v, right)

    def unit(self, x: Any) -> Any:
        """x / |x|."""
        return functional.normalize(x, axis=0, epsilon=self.eps)


@told
def spectral_norm(
    layer: Layer,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Layer:
    """Divide the parameter `name` of `layer` by its greatest singular value, before each call.

    n_power_iterations: steps towards it in each call in training. dim: the dimension of the
    outputs; None means 1 for Linear and transposed convolutions, and 0 for others. The parameter
    that trains is called `name_orig`; `name_u` and `name_v` are buffers. Returns `layer`. Raises
    ArgumentError for a dimension that the weight does not have, for no steps, or where that was
    done before, UnknownNameError. Source: arXiv 1802.05957, algorithm 1.

    >>> layer = twinoar.nn.utils.spectral_norm(twinoar.nn.Linear(3, 2))
    >>> sorted(layer.state_dict())
    ['bias', 'weight_orig', 'weight_u', 'weight_v']
    """
    weight = parameter_of(layer, name, SpectralNorm)
    if n_power_iterations < 1:
        raise ArgumentError(f"n_power_iterations must be positive, received {n_power_iterations}")
    if dim is None:
        dim = 1 if isinstance(layer, OUTPUTS_LAST) else 0
    if not -weight.ndim <= dim < weight.ndim:
        raise ArgumentError(f"dim must be one of {weight.ndim} dimensions, received {dim}")
    hook = SpectralNorm(name, dim % weight.ndim, n_power_iterations, eps)
    rows, columns = matrix_of(weight.detach(), hook.dim).shape
    delattr(layer, name)
    layer.add_parameter(f"{name}_orig", weight)
    layer.register_buffer(name, weight * 1.0, persistable=False)
    for suffix, size in (("u", rows), ("v", columns)):
        layer.register_buffer(f"{name}_{suffix}", hook.unit(randn([size], weight.dtype)))
    layer.register_forward_pre_hook(hook)
    return layer
