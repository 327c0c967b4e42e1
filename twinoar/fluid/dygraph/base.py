"""Tensors and gradients in the dynamic mode of Paddle 1.8."""

# ruff: noqa: F401  # what is imported is what is exported

from __future__ import annotations

from typing import Any

from twinoar.autograd.api import BackwardStrategy, no_grad
from twinoar.autograd.api import grad as modern_grad
from twinoar.core.public import exported
from twinoar.eager.tensor import Tensor, to_tensor
from twinoar.fluid.mode import disable_dygraph, enable_dygraph, enabled, guard


def to_variable(value: Any, name: str | None = None, zero_copy: bool | None = None) -> Any:
    """A tensor holding `value`: an ndarray, a number, nested lists; a tensor stays as it is.

    zero_copy: accepted. Its stop_gradient is True. Raises TypeMismatchError for other kinds.

    >>> import numpy as np
    >>> from twinoar import fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.dygraph.to_variable(np.ones(2, "float32"), name="x").name
    'x'
    """
    if isinstance(value, Tensor):
        return value
    made = to_tensor(value)
    if name is not None:
        made.name = name
    return made


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool = False,
    no_grad_vars: Any = None,
    backward_strategy: BackwardStrategy | None = None,
) -> list:
    """The gradients of `outputs` with respect to `inputs`; see `paddle.grad`."""
    return modern_grad(
        outputs, inputs, grad_outputs, retain_graph, create_graph, only_inputs, allow_unused,
        no_grad_vars,
    )  # fmt: skip


__all__ = exported(globals(), but=("Tensor", "modern_grad", "to_tensor"))
