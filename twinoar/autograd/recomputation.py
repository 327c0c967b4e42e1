"""Less memory for training eagerly: a function runs again for its gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.autograd.api import backward, enable_grad
from twinoar.autograd.py_layer import PyLayer, PyLayerContext
from twinoar.core.interpreter import current
from twinoar.core.tree import flatten, unflatten
from twinoar.eager.tensor import Tensor
from twinoar.errors import TypeMismatchError
from twinoar.ops.create.fill import zeros
from twinoar.ops.random.uniform import generator


def recompute(
    function: Callable[..., Any],
    *args: Any,
    preserve_rng_state: bool = True,
    use_reentrant: bool = True,
    **kwargs: Any,
) -> Any:
    """What `function(*args, **kwargs)` returns; what it computes on the way is not kept.

    `backward()` runs the function a second time. preserve_rng_state: draw the same random numbers
    then, for dropout. use_reentrant: accepted as Paddle's. The function must return the same each
    time. Gradients come to `.grad` of parameters by `backward()`; `grad()` and second derivatives
    do not see them. What the function changes, such as the statistics of batch norm, it changes
    twice. In a Program nothing is computed again here: `append_backward(loss, checkpoints=[...])`
    does so there. Raises TypeMismatchError for what is no function.

    >>> x = twinoar.to_tensor([1.0, 2.0], stop_gradient=False)
    >>> twinoar.autograd.recompute(lambda x: (x * x).sum(), x).backward()
    >>> x.grad.tolist()
    [2.0, 4.0]
    """
    if not callable(function):
        raise TypeMismatchError(
            f"recompute takes a function or a Layer, received {type(function).__name__}"
        )
    if not current().runs:
        return function(*args, **kwargs)
    call = _Call(function, generator.get_state() if preserve_rng_state else None)
    # Parameters that the function finds by itself want gradients where no argument does.
    wants: Any = zeros([])
    wants.stop_gradient = False
    return _Recomputed.apply(call, wants, args, kwargs)


class _Call:
    """The function, and the state of the generator that it draws from; None for any."""

    def __init__(self, function: Callable[..., Any], random: Any):
        self.function, self.random = function, random

    def again(self, args: tuple, kwargs: dict) -> Any:
        """Run with the gradient's record, on the random numbers of the first run."""
        if self.random is None:
            return self.function(*args, **kwargs)
        now = generator.get_state()
        generator.set_state(self.random)
        try:
            return self.function(*args, **kwargs)
        finally:
            generator.set_state(now)


class _Recomputed(PyLayer):
    """The function as one operator, whose backward runs it once more."""

    @staticmethod
    def forward(ctx: PyLayerContext, call: Any, wants: Any, args: Any, kwargs: Any) -> Any:
        """Run the function without a record, and keep its arguments alone."""
        leaves, structure = flatten((args, kwargs))
        others = [None if isinstance(x, Tensor) else x for x in leaves]
        ctx.call, ctx.structure, ctx.others = call, structure, others  # type: ignore[attr-defined]
        ctx.save_for_backward(*[x if isinstance(x, Tensor) else None for x in leaves])
        ctx.set_materialize_grads(False)
        return call.function(*args, **kwargs)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        """Run the function with a record, and go back through that."""
        kept = ctx.saved_tensor()
        leaves = [
            other if x is None else _leaf_of(x) for x, other in zip(kept, ctx.others, strict=True)
        ]
        args, kwargs = unflatten(ctx.structure, leaves)
        with enable_grad():
            results = flatten(ctx.call.again(args, kwargs))[0]
            tensors = [r for r in results if isinstance(r, Tensor)]
            pairs = [
                (r, g)
                for r, g in zip(tensors, gradients, strict=True)
                if g is not None and not r.stop_gradient
            ]
            if pairs:
                backward([r for r, _ in pairs], [g for _, g in pairs])
        inputs = [x for x, kept_one in zip(leaves, kept, strict=True) if kept_one is not None]
        return (None, *(x.grad for x in inputs))


def _leaf_of(x: Tensor) -> Tensor:
    """The same data, without the graph that it comes from."""
    leaf = x.detach()
    leaf.stop_gradient = x.stop_gradient
    return leaf
