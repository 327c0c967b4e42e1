"""PyLayer: an operator of the user's with a backward of the user's, in both modes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from twinoar.autograd.api import is_grad_enabled
from twinoar.core.interpreter import current, recording, using
from twinoar.core.ir.program import among
from twinoar.core.op.attr import Attr, Operand
from twinoar.core.op.definition import GradRule, Op, of_complex
from twinoar.core.spec import Spec
from twinoar.core.tree import flatten, unflatten
from twinoar.core.values import Value
from twinoar.eager.tape import Node
from twinoar.eager.tensor import Tensor
from twinoar.errors import GradientError, ShapeError, TypeMismatchError, UnsupportedError
from twinoar.late import dataclass
from twinoar.ops.math.fill import zeros_of


class PyLayerContext:
    """What `forward` hands to `backward`: saved tensors, and any attribute."""

    def __init__(self) -> None:
        self.materialize_grads = True
        self.non_differentiable: tuple = ()
        self._saved: list[Callable[[], Any]] = []

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors for `backward`, as they are now: later in-place changes are not seen."""
        saving = current().policy.saving
        self._saved = [_kept(x, saving) for x in tensors]

    def saved_tensor(self) -> tuple:
        """What `save_for_backward` kept, as a tuple."""
        return tuple(read() for read in self._saved)

    def mark_not_inplace(self, *args: Any) -> None:
        """Accepted as Paddle's: results are never the operands' memory here."""

    def mark_non_differentiable(self, *args: Any) -> None:
        """Name results that take no gradient."""
        self.non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Whether `backward` receives zeros (True, the default) or None for results without use."""
        self.materialize_grads = value


class PyLayer:
    """An operator with its own backward: subclass it with static methods `forward` and `backward`.

    forward(ctx, *args, **kwargs) computes; backward(ctx, *gradients) takes one gradient per tensor
    result and returns one gradient (or None) per tensor operand. Call it by `apply`.

    >>> class Double(twinoar.autograd.PyLayer):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return x * 2
    ...     @staticmethod
    ...     def backward(ctx, dy):
    ...         return dy * 2
    >>> x = twinoar.to_tensor(3.0, stop_gradient=False)
    >>> Double.apply(x).backward()
    >>> x.grad.item()
    2.0
    """

    @staticmethod
    def forward(ctx: PyLayerContext, *args: Any, **kwargs: Any) -> Any:
        """Compute the results; subclasses say how."""
        raise UnsupportedError(
            "the PyLayer has no forward", cure="define a static method forward(ctx, ...)"
        )

    @staticmethod
    def backward(ctx: PyLayerContext, *args: Any) -> Any:
        """Compute the gradients of the tensor operands; subclasses say how."""
        raise UnsupportedError(
            "the PyLayer has no backward", cure="define a static method backward(ctx, ...)"
        )

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Call `forward`, and let gradients flow by `backward`."""
        if current().runs:
            return _run(cls, args, kwargs)
        operation = PyLayerOp(cls, args, kwargs)
        out = current().apply(operation, operation.given, {})
        return operation.result(list(out) if isinstance(out, tuple) else [out])


def _kept(x: Any, saving: Any) -> Callable[[], Any]:
    """A function that gives `x` as it is now; the tensor itself while nobody has changed it.

    saving: the hooks that its data passes through, or None.
    """
    if not isinstance(x, Tensor):
        return lambda: x
    data, producer = x._data, x.producer
    if producer is None and not x.stop_gradient:
        producer = x
    if saving is not None:
        packed = saving.pack(data)
        return lambda: Tensor(packed.data(), producer is None, producer)
    return lambda: x if x._data is data else Tensor(data, producer is None, producer)


def _run(layer: type[PyLayer], args: tuple, kwargs: dict) -> Any:
    """Run eagerly, and record one Node whose rule is the user's backward on this very context."""
    ctx = PyLayerContext()
    with using(recording(False)):
        out = layer.forward(ctx, *args, **kwargs)
    results, structure = flatten(out)
    _check_results(layer, results)
    operands = [x for x in flatten((args, kwargs))[0] if isinstance(x, Tensor)]
    if is_grad_enabled() and any(not x.stop_gradient for x in operands):
        tensors = iter(_record(layer, ctx, operands, [r for r in results if isinstance(r, Tensor)]))
        results = [next(tensors) if isinstance(r, Tensor) else r for r in results]
    return unflatten(structure, results)


def _record(layer: type[PyLayer], ctx: PyLayerContext, operands: list, results: list) -> list:
    edges = [
        None if x.stop_gradient else x.producer if x.producer is not None else x for x in operands
    ]
    wanted = [edge is not None for edge in edges]
    call = _Call(layer, ctx, wanted, [x.spec for x in operands], [r.spec for r in results])
    shapes = [(r._data.shape, r._data.dtype) for r in results]
    node = Node(_operator_of(layer), {"call": call}, edges, None, None, None, shapes)
    return [
        Tensor(r._data, False, key)
        if r.dtype.is_differentiable and not among(r, ctx.non_differentiable)
        else Tensor(r._data)
        for r, key in zip(results, node.split(), strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Call:
    """What the backward of one eager call needs; the tape lets it go like all that it keeps."""

    layer: type[PyLayer]
    ctx: PyLayerContext
    wanted: list[bool]
    operands: list[Spec]
    results: list[Spec]

    def gradients(self, gs: tuple) -> tuple:
        """The gradients of the operands, checked."""
        if self.ctx.materialize_grads:
            specs = zip(gs, self.results, strict=True)
            gs = tuple(zeros_of(spec) if g is None else g for g, spec in specs)
        grads = call_backward(self.layer, self.ctx, gs, self.wanted)
        for i, (g, spec) in enumerate(zip(grads, self.operands, strict=True)):
            if g is not None and g.spec.shape != spec.shape:
                raise ShapeError(
                    f"{self.layer.__name__}.backward returned a gradient of shape {g.shape} "
                    f"for tensor operand {i} of shape {list(spec.shape)}"
                )
        return grads


class _Recorded(Op):
    """The operator of the eager calls of one PyLayer: it only has a gradient."""

    fills_gradients = False

    def __init__(self, name: str):
        self.name, self.operands = name, ()
        self.attrs = {"call": Attr("call", _Call, None, lambda call: call)}
        self.body = self.kernel_rule = None
        self.grad_rule = GradRule(self, of_complex(lambda gs, call: call.gradients(gs)))


_recorded: WeakKeyDictionary[type[PyLayer], _Recorded] = WeakKeyDictionary()


def _operator_of(layer: type[PyLayer]) -> _Recorded:
    if layer not in _recorded:
        _recorded[layer] = _Recorded(layer.__name__)
    return _recorded[layer]


class PyLayerOp(Op):
    """One call of a PyLayer in a Program: a composite operator on its tensor arguments."""

    fills_gradients = True

    def __init__(self, layer: type[PyLayer], args: tuple, kwargs: dict):
        self.name = self.__name__ = layer.__name__
        self.__doc__ = self.doc = layer.__doc__ or f"The PyLayer {layer.__name__}."
        self.layer = layer
        self.leaves, self.structure = flatten((args, kwargs))
        self.operands = (Operand("xs", variadic=True),)
        self.attrs, self.rules = {}, {"amp": "keep"}  # its forward chooses for each operator
        self.kernel_rule = self.promote_rule = None
        self.variadic, self.takes_blocks = True, False
        self.body = lambda xs: self.forward(PyLayerContext(), xs)
        self.grad_rule = GradRule(
            self, of_complex(lambda gs, xs, wanted: self.gradients(gs, xs, wanted))
        )

    @property
    def given(self) -> tuple:
        """The tensor arguments."""
        return tuple(x for x in self.leaves if isinstance(x, Value))

    def forward(self, ctx: PyLayerContext, xs: Any) -> Any:
        """The tensor results as a tuple, or the only one."""
        tensors = iter(xs)
        filled = [next(tensors) if isinstance(x, Value) else x for x in self.leaves]
        args, kwargs = unflatten(self.structure, filled)
        self.results, self.result_structure = flatten(self.layer.forward(ctx, *args, **kwargs))
        _check_results(self.layer, self.results)
        found = tuple(r for r in self.results if isinstance(r, Value))
        return found if len(found) != 1 else found[0]

    def result(self, tensors: list) -> Any:
        """What `forward` returned, with these for its tensors."""
        left = iter(tensors)
        filled = [next(left) if isinstance(r, Value) else r for r in self.results]
        return unflatten(self.result_structure, filled)

    def gradients(self, gs: tuple, xs: tuple, wanted: tuple) -> tuple:
        """In a Program: forward again for what it saves, then backward.

        `share_common` makes one of this forward and the first.
        """
        ctx = PyLayerContext()
        with using(recording(False)):
            self.forward(ctx, xs)
        return call_backward(self.layer, ctx, gs, wanted)


def _check_results(layer: type[PyLayer], results: list) -> None:
    if not any(isinstance(r, Value) for r in results):
        kinds = ", ".join(sorted({type(r).__name__ for r in results})) or "nothing"
        raise TypeMismatchError(
            f"{layer.__name__}.forward must return at least one tensor, received {kinds}"
        )


def call_backward(
    layer: type[PyLayer], ctx: PyLayerContext, gs: tuple, wanted: Sequence[bool]
) -> tuple:
    """The user's backward, its result checked: one gradient or None per tensor operand.

    The last ones may be left out where no gradient is wanted.
    """
    found = layer.backward(ctx, *gs)
    grads = tuple(found) if isinstance(found, (tuple, list)) else (found,)
    if len(grads) < len(wanted) and not any(wanted[len(grads) :]):
        grads += (None,) * (len(wanted) - len(grads))
    if len(grads) != len(wanted):
        raise GradientError(
            f"{layer.__name__}.backward returned {len(grads)} gradients "
            f"for {len(wanted)} tensor operands",
            cure="return one gradient, or None, for each tensor that forward receives",
        )
    for g in grads:
        if g is not None and not isinstance(g, Value):
            raise TypeMismatchError(
                f"{layer.__name__}.backward must return tensors or None, "
                f"received {type(g).__name__}"
            )
    return grads
