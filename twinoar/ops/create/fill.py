"""Making values from a shape, or from what is given: full, zeros, assign and their kin."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dtype import (
    BY_NUMPY,
    DType,
    default_dtype,
    dtype_of,
    int32,
)
from twinoar.core.interpreter import current
from twinoar.core.keyword import sizes_apart, spelled_freely
from twinoar.core.op.declare import Desc, Spec, Tensor, Value, function, method, op, primitive
from twinoar.errors import ArgumentError, DTypeError, GradientError, TypeMismatchError
from twinoar.ops._sizes import is_dynamic, sizes
from twinoar.ops.math.arithmetic import add
from twinoar.ops.math.cast import astype, broadcast_to
from twinoar.ops.math.fill import array_filled, fill, filled, number_of, zeros_of


@function
def full(shape: Any, fill_value: Any, dtype: Any = None) -> Tensor:
    """`fill_value` everywhere.

    shape: sizes, which may be 0-d tensors. fill_value: a number or a 0-d tensor. dtype: the default
    floating type where it is None; bool for True and False.

    >>> twinoar.full([2], 3, "int64").tolist()
    [3, 3]
    """
    if dtype is None:
        kind = dtype_of("bool") if isinstance(fill_value, bool) else default_dtype()
    else:
        kind = dtype_of(dtype)
    return filled(shape, fill_value, kind)


@sizes_apart
@spelled_freely
def zeros(shape: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Zeros of a shape; dtype: the default floating type where it is None.

    >>> twinoar.zeros([2, 1]).tolist()
    [[0.0], [0.0]]
    """
    return fill.function(sizes(shape), 0, default_dtype() if dtype is None else dtype, name)


@sizes_apart
@spelled_freely
def ones(shape: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Ones of a shape; dtype: the default floating type where it is None.

    >>> twinoar.ones([2]).tolist()
    [1.0, 1.0]
    """
    return fill.function(sizes(shape), 1, default_dtype() if dtype is None else dtype, name)


@sizes_apart
@spelled_freely
def empty(shape: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """A tensor whose elements are to be set later; they are 0, for the sake of equal results.

    >>> twinoar.empty([2, 3]).shape
    [2, 3]
    """
    return zeros(shape, dtype, name)


@primitive(
    infer=lambda x, value, dtype: Spec(x.shape, dtype or x.dtype),
    kernel=lambda x, value, dtype: array_filled(x.shape, value, dtype or BY_NUMPY[x.dtype]),
    lower=lambda i, value: value,
    grad=lambda: None,
    desc=Desc(
        "fill_any_like",
        {"X": "x"},
        write=lambda attrs, specs: {"value": float(attrs["value"]), "dtype": attrs["dtype"] or -1},
        read=lambda slots, attrs: full_like(
            slots["X"][0], attrs["value"], None if attrs["dtype"] == -1 else attrs["dtype"]
        ),
    ),
    moves=True,
)
def fill_like(x: Tensor, value: object, dtype: DType | None = None) -> Tensor:
    """`value` everywhere, of the shape of x: the operator under `full_like`."""


@fill_like.samples
def _(s):
    yield s(s.randn(2, 3), 1.5)
    yield s(s.ints(0, 9, 2), 1)
    yield s(s.randn(2), True, "bool", gradient=False)
    yield s(s.zeros(0, 2), 0)


@function
def full_like(x: Tensor, fill_value: Any, dtype: Any = None) -> Tensor:
    """`fill_value` everywhere, of the shape of x, and of its dtype where `dtype` is None.

    No gradient flows to x.

    >>> twinoar.full_like(twinoar.zeros([2]), 3).tolist()
    [3.0, 3.0]
    """
    kind = None if dtype is None else dtype_of(dtype)
    if is_dynamic(fill_value):
        return broadcast_to(astype(fill_value, kind or x.dtype), x.spec.shape)
    return fill_like.function(x, _number_for(kind or x.dtype, fill_value), kind)


def _number_for(dtype: DType, value: Any) -> Any:
    """The number that `value` is; whole where elements are, a truth value where these are."""
    number = number_of(value)
    if dtype is dtype_of("bool"):
        return bool(number)
    return int(number) if dtype.is_whole and isinstance(number, float) else number


@function
def zeros_like(x: Tensor, dtype: Any = None) -> Tensor:
    """Zeros of the shape of x, and of its dtype where `dtype` is None.

    >>> twinoar.zeros_like(twinoar.ones([2])).tolist()
    [0.0, 0.0]
    """
    return full_like(x, 0, dtype)


@function
def ones_like(x: Tensor, dtype: Any = None) -> Tensor:
    """Ones of the shape of x, and of its dtype where `dtype` is None.

    >>> twinoar.ones_like(twinoar.zeros([2])).tolist()
    [1.0, 1.0]
    """
    return full_like(x, 1, dtype)


@function
def empty_like(x: Tensor, dtype: Any = None) -> Tensor:
    """A tensor of the shape of x whose elements are to be set later; they are 0."""
    return full_like(x, 0, dtype)


VALUES = {  # Paddle's attribute for the elements of each dtype
    "bool": ("bool_values", "INTS", int),
    "int32": ("int32_values", "INTS", int),
    "int64": ("int64_values", "LONGS", int),
    "float32": ("fp32_values", "FLOATS", float),
    "float64": ("fp64_values", "FLOAT64S", float),
}


def _value_spec(value: Any, dtype: DType | None) -> Spec:
    array = np.asarray(value)
    return Spec(array.shape, dtype or BY_NUMPY[array.dtype])


def _write_values(attrs: dict[str, Any], specs: Any) -> dict[str, Any]:
    value = np.asarray(attrs["value"])
    kind = _value_spec(value, attrs["dtype"]).dtype
    if kind.name not in VALUES:
        raise DTypeError(f"a constant of {kind.name} has no form in Paddle's files", cure="cast it")
    name, sort, number = VALUES[kind.name]
    elements = [number(x) for x in value.reshape(-1)]
    return {"shape": list(value.shape), "dtype": kind, name: (sort, elements)}


def _read_values(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Any:
    kind = dtype_of(attrs["dtype"])
    elements = attrs.get(VALUES[kind.name][0]) or attrs.get("values") or ()
    return constant(np.array(elements, kind.numpy).reshape(attrs["shape"]))


@primitive(
    infer=lambda value, dtype: _value_spec(value, dtype),
    kernel=lambda value, dtype: np.asarray(value, dtype.numpy if dtype else None),
    desc=Desc("assign_value", write=_write_values, read=_read_values),
    total=True,
    moves=True,
)
def constant(value: object, dtype: DType | None = None) -> Tensor:
    """The elements of an ndarray, which nobody may change afterwards, or of nested tuples of
    numbers.
    """


@constant.lower
def _(value):
    elements = np.unique(np.asarray(value))
    return (lambda i: elements.item()) if elements.size == 1 else None


@constant.samples
def _(s):
    yield s(((1.5, 2.0),), "float32")
    yield s(3, "int64")
    yield s((True, False))


@primitive(
    infer=lambda x: x,
    kernel=lambda x: x,
    grad=lambda g: g,
    scalar=lambda s, x: x,
    desc=Desc("assign", {"X": "x"}, reads=("share_data",)),
    total=True,
    moves=True,
)
def identity(x: Tensor) -> Tensor:
    """x itself, as a new value: the operator under `assign` and `clone`."""


@identity.samples
def _(s):
    yield s(s.randn(2, 3))
    yield s(s.ints(0, 9, 2))


@op(infer=lambda x, y: y, kernel=lambda x, y: y, grad=lambda g: (g, None), moves=True)
def written(x: Tensor, y: Tensor) -> Tensor:
    """The elements of y with the history of x: what is written into x where nothing records it."""
    return identity.function(y)


@written.samples
def _(s):
    yield s(s.randn(2, 3), s.randn(2, 3), gradient=False)


def _refused(g: Any, reason: str) -> Any:
    raise GradientError(
        f"a gradient is asked for that a saved model has not: {reason}",
        cure="train the model in Python, and save it again; in inference use no_grad() or detach()",
    )


@op(infer=lambda x, reason: x, kernel=lambda x, reason: x, grad=_refused, moves=True)
def without_gradient(x: Tensor, reason: str = "") -> Tensor:
    """x, whose gradient nobody knows: it is an error to ask for it."""
    return identity.function(x)


@without_gradient.samples
def _(s):
    yield s(s.randn(2, 3), gradient=False)


@function(named=False)
def assign(x: Any, output: Tensor | None = None) -> Tensor:
    """A copy of x: a tensor (differentiably), an ndarray, a number or nested lists.

    Numbers keep the precision that Python has: floats become float64; a single one gives shape [1].
    output: a tensor that takes the copy, in its own dtype, and is returned.

    >>> twinoar.assign([1.0, 2.0]).tolist()
    [1.0, 2.0]
    """
    copy = identity.function(x) if isinstance(x, Value) else constant.function(_array(x))
    if output is None:
        return copy
    current().rebind(output, astype(copy, output.dtype))
    return output


def _array(x: Any) -> np.ndarray:
    array = np.array(x) if isinstance(x, np.ndarray) else np.array(x, ndmin=1)
    if array.dtype not in BY_NUMPY:
        raise TypeMismatchError(
            f"expected a Tensor, an ndarray or numbers, received {type(x).__name__}"
        )
    return array


@function(method=True)
def clone(x: Tensor) -> Tensor:
    """A copy of x through which gradients flow.

    >>> twinoar.ones([2]).clone().tolist()
    [1.0, 1.0]
    """
    return identity.function(x)


@function(method=True, named=False)
def rank(input: Tensor) -> Tensor:
    """The number of dimensions as a tensor, [], int32.

    >>> twinoar.rank(twinoar.zeros([2, 3])).item()
    2
    """
    return fill((), input.ndim, int32)


@op(desc=Desc("increment", {"X": "x"}, attrs={"step": "value"}))
def increased(x: Tensor, value: float = 1.0) -> Tensor:
    """x + value, in the dtype of x: the operator under `increment`."""
    return add(x, value if x.dtype.is_differentiable else int(value))


@increased.samples
def _(s):
    yield s(s.randn(1))
    yield s(s.ints(0, 9, 1), 2.0)


@function
def increment(x: Tensor, value: float = 1.0) -> Tensor:
    """Add `value` to x, in place, and return x. x: one element. Raises ArgumentError for more.

    >>> twinoar.increment(twinoar.ones([1])).tolist()
    [2.0]
    """
    if isinstance(x.size, int) and x.size != 1:
        raise ArgumentError(
            f"increment takes one element, received {x.spec}", cure="use x.add_(value)"
        )
    current().rebind(x, increased(x, value))
    return x


@primitive(
    infer=lambda x, value: x,
    kernel=lambda x, value: array_filled(x.shape, value, BY_NUMPY[x.dtype]),
    lower=lambda i, value: value,
    grad=lambda g: zeros_of(g.spec),
    desc=Desc(
        "fill_any",
        {"X": "x"},
        write=lambda attrs, specs: {"value": float(attrs["value"])},
        read=lambda slots, attrs: overwritten(
            slots["X"][0], _number_for(slots["X"][0].dtype, attrs["value"])
        ),
    ),
    moves=True,
)
def overwritten(x: Tensor, value: object) -> Tensor:
    """`value` everywhere, with zeros for the gradient of x: the operator under `fill_`."""


@overwritten.samples
def _(s):
    yield s(s.randn(2, 3), 1.5)
    yield s(s.ints(0, 9, 2), 1)
    yield s(s.zeros(0, 2), 0.0)


@method("fill_")
def fill_(x: Tensor, value: Any) -> Tensor:
    """Set all elements of x to `value`, in place, and return x; what was there gets no gradient.

    >>> twinoar.zeros([2]).fill_(3).tolist()
    [3.0, 3.0]
    """
    filled = (
        full_like(x, value) if is_dynamic(value) else overwritten(x, _number_for(x.dtype, value))
    )
    current().rebind(x, filled)
    return x


@method("zero_")
def zero_(x: Tensor) -> Tensor:
    """Set all elements of x to 0, in place, and return x.

    >>> twinoar.ones([2]).zero_().tolist()
    [0.0, 0.0]
    """
    return fill_(x, 0)
