"""Differentiation: backward, grad, no_grad, PyLayer, recompute, jacobian, hooks."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.autograd
from typing import Any, Literal, overload

import numpy as _numpy

class Function:
    """An operator with its own backward: subclass it with static methods `forward` and `backward`."""
    @staticmethod
    def forward(ctx: twinoar.autograd.PyLayerContext, *args: Any, **kwargs: Any) -> Any:
        """Compute the results; subclasses say how."""
    @staticmethod
    def backward(ctx: twinoar.autograd.PyLayerContext, *args: Any) -> Any:
        """Compute the gradients of the tensor operands; subclasses say how."""
    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Call `forward`, and let gradients flow by `backward`."""
PyLayer = Function
class PyLayerContext:
    """What `forward` hands to `backward`: saved tensors, and any attribute."""
    def __init__(self) -> None: ...
    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors for `backward`, as they are now: later in-place changes are not seen."""
    def saved_tensor(self) -> builtins.tuple:
        """What `save_for_backward` kept, as a tuple."""
    def mark_not_inplace(self, *args: Any) -> None:
        """Accepted as Paddle's: results are never the operands' memory here."""
    def mark_non_differentiable(self, *args: Any) -> None:
        """Name results that take no gradient."""
    def set_materialize_grads(self, value: builtins.bool) -> None:
        """Whether `backward` receives zeros (True, the default) or None for results without use."""
    materialize_grads: Any
    non_differentiable: builtins.tuple
def backward(tensors: twinoar._TensorLike | collections.abc.Sequence[twinoar._TensorLike], grad_tensors: Any = None, retain_graph: builtins.bool = False) -> None:
    """Add the gradients of `tensors` to `.grad` of every leaf that wants one."""
from twinoar import enable_grad as enable_grad
from twinoar import grad as grad
def hessian(ys: twinoar._TensorLike, xs: twinoar._TensorLike | collections.abc.Sequence[twinoar._TensorLike], batch_axis: Any = None) -> Any:
    """How the gradient of ys, a number that was computed from xs, changes with xs."""
from twinoar import is_grad_enabled as is_grad_enabled
def jacobian(ys: twinoar._TensorLike | collections.abc.Sequence[twinoar._TensorLike], xs: twinoar._TensorLike | collections.abc.Sequence[twinoar._TensorLike], batch_axis: Any = None) -> Any:
    """How ys, which was computed from xs, changes with xs."""
from twinoar import no_grad as no_grad
def recompute(function: collections.abc.Callable[..., Any], *args: Any, preserve_rng_state: builtins.bool = True, use_reentrant: builtins.bool = True, **kwargs: Any) -> Any:
    """What `function(*args, **kwargs)` returns; what it computes on the way is not kept."""
class saved_tensors_hooks:
    """Within the block, what backward will need is kept as `pack_hook(tensor)` returns it."""
    def __init__(self, pack_hook: collections.abc.Callable[[twinoar.Tensor], Any], unpack_hook: collections.abc.Callable[[Any], twinoar.Tensor]) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(self, *raised: Any) -> None: ...
    def packed(self, results: Any) -> Any:
        """`results` of an operator, of whose record all data is packed."""
    def pack(self, data: _numpy.ndarray[Any, Any]) -> twinoar.autograd._Packed:
        """What `pack_hook` makes of data."""
    pack_hook: collections.abc.Callable[[twinoar.Tensor], Any]
    unpack_hook: collections.abc.Callable[[Any], twinoar.Tensor]
from twinoar import set_grad_enabled as set_grad_enabled
class _Packed:
    """What a hook has made of data that backward needs, and the hook that makes it data again."""
    def __init__(self, holder: Any, spec: Any, unpack: collections.abc.Callable[[Any], Any]) -> None: ...
    def data(self) -> _numpy.ndarray[Any, Any]:
        """The data"""
    holder: Any
    spec: Any
    unpack: Any
