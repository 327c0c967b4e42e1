"""Dtypes and shapes meeting: cast, promotion, broadcasting and its transpose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.dim import SymbolicDim
from twinoar.core.dtype import BY_NUMPY, DType, bool_, converted, dtype_of, promote, promote_literal
from twinoar.core.op.declare import (
    Desc,
    Shape,
    Spec,
    Tensor,
    Value,
    loop,
    method,
    op_named,
    primitive,
)
from twinoar.core.spec import broadcast, may_expand
from twinoar.core.varying import is_varying
from twinoar.errors import DTypeError, NotTensorError, ShapeError
from twinoar.ops._sizes import shape_from, sizes


def _as_other(s: Any, x: Any, dtype: DType) -> Any:
    is_left = x.dtype.is_complex and not dtype.is_complex and dtype is not bool_
    return s.cast(s.real(x) if is_left else x, dtype)


@primitive(
    method=True,
    infer=lambda x, dtype: Spec(x.shape, dtype),
    kernel=converted,
    grad=lambda g, specs: cast(g, specs[0].dtype) if specs[0].dtype.is_differentiable else None,
    scalar=_as_other,
    desc=Desc(
        "cast",
        {"X": "x"},
        attrs={"out_dtype": "dtype"},
        write=lambda attrs, specs: {"in_dtype": specs[0].dtype, "use_mkldnn": False},
    ),
    total=True,
    amp="keep",
    moves=True,
)
def cast(x: Tensor, dtype: DType) -> Tensor:
    """The elements of x converted to `dtype`; fractions are cut towards zero.

    Integers too large for `dtype` lose their high bits. Floats are brought into 32 bits first, for
    int64 into 64, where nan and what lies outside become the least integer.

    x: [*]. Returns [*] of `dtype`. Raises DTypeError for an unknown dtype.

    >>> twinoar.cast(twinoar.to_tensor([1.7, -1.7]), "int64").tolist()
    [1, -1]
    """


@cast.samples
def _(s):
    yield s(s.randn(2, 3), "float64")
    yield s(s.uniform(1.2, 5.8, 4), "int32", gradient=False)
    yield s(s.ints(-3, 3, 5), "float32", gradient=False)
    yield s(s.randn(3), "bool", gradient=False)
    yield s(s.zeros(0, 2), "float64")


@method("astype")
def astype(x: Tensor, dtype: Any) -> Tensor:
    """The elements of x converted to `dtype`; x itself where they have it already. See `cast`."""
    wanted = dtype_of(dtype)
    return x if x.dtype is wanted else cast(x, wanted)


def as_element(value: Any, dtype: DType) -> Any:
    """A number, or a tensor, as a tensor of `dtype` holds it; fractions are cut towards zero.

    Raises DTypeError for what it can't hold: complex numbers among real ones, nan among integers.
    """
    if isinstance(value, Value):
        return astype(value, dtype)
    if dtype is bool_:
        return bool(value)
    if dtype.is_stored:
        return float(converted(np.asarray(value, np.float64), dtype))
    try:
        whole = int(value) if dtype.is_integer else value
    except (OverflowError, TypeError, ValueError):
        raise _not_held(value, dtype) from None
    if isinstance(whole, complex) and not dtype.is_complex:
        raise _not_held(value, dtype)
    return whole


def _not_held(value: Any, dtype: DType) -> DTypeError:
    return DTypeError(
        f"expected a number that {dtype.name} holds, received {value!r}",
        cure="convert the tensor with astype first",
    )


def promote_operands(operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """A `promote` rule: all tensors cast to the dtype that fits them and the literals."""
    wanted = common_dtype(operands)
    return brought_to(wanted, operands)


def promote_in_one_shape(operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """A `promote` rule: tensors of one dtype and shape, as procedures take them."""
    return in_one_shape(promote_operands(operands))


def promote_after_two(operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """A `promote` rule of products: two tensors of one dtype; those behind them promote.

    Raises DTypeError for two dtypes, which a float64 array or a byte image beside float32 weights
    is more often by mistake than by intent; NotTensorError for what is no tensor.
    """
    require_one_dtype(*operands[:2])
    return operands if len(operands) == 2 else promote_operands(operands)


def require_one_dtype(x: Any, y: Any) -> None:
    """Raise DTypeError unless two tensors have one dtype, NotTensorError for anything else."""
    for operand in (x, y):
        if not isinstance(operand, Value):
            raise NotTensorError(
                f"expected a Tensor, received {type(operand).__name__}",
                cure="convert it: paddle.to_tensor(x)",
            )
    if x.dtype is not y.dtype:
        raise DTypeError(
            f"expected tensors of one dtype, received {x.spec} and {y.spec}",
            cure=f"convert one, such as x.astype('{y.dtype.name}')",
        )


def promote_to_floating(operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """A `promote` rule: as `promote_operands`, and integers to the default floating dtype."""
    wanted = common_dtype(operands)
    if not wanted.is_differentiable:
        wanted = promote_literal(wanted, 0.0)
    return brought_to(wanted, operands)


def promote_beside_scalars(operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """A `promote` rule: as `promote_operands`, but tensors with dimensions decide for their kind.

    Beside a float32 tensor with dimensions a float64 one without counts as a number of Python's.
    """
    wanted = common_dtype(_deciding(operands))
    return brought_to(wanted, operands)


def promote_to_floating_beside_scalars(operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """A `promote` rule: as `promote_beside_scalars`, and integers to the default floating dtype."""
    wanted = common_dtype(_deciding(operands))
    if not wanted.is_differentiable:
        wanted = promote_literal(wanted, 0.0)
    return brought_to(wanted, operands)


def _deciding(operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """The operands without the 0-d tensors whose category one with dimensions has too."""
    tensors = [x for x in operands if isinstance(x, (Value, np.ndarray))]
    decided = {_own_dtype(x).category for x in tensors if x.ndim}
    return tuple(
        x
        for x in operands
        if not isinstance(x, (Value, np.ndarray)) or x.ndim or _own_dtype(x).category not in decided
    )


def _own_dtype(x: Value | np.ndarray) -> DType:
    return x.dtype if isinstance(x, Value) else BY_NUMPY[x.dtype]


def common_dtype(operands: tuple[Any, ...]) -> DType:
    """The dtype that fits all tensors and literals. Raises TypeMismatchError without a tensor."""
    wanted = None
    weak: list[Any] = []
    for x in operands:
        if isinstance(x, (Value, np.ndarray)):
            own = _own_dtype(x)
            if getattr(x, "weak", False):
                weak.append(LIKE_NUMBERS[own.category])
            else:
                wanted = own if wanted is None else promote(wanted, own)
        elif isinstance(x, SymbolicDim):
            weak.append(0)
    if wanted is None and not weak:
        raise NotTensorError(
            f"expected at least one Tensor, received {operands!r}",
            cure="convert one with to_tensor",
        )
    literals = [*weak, *(x for x in operands if isinstance(x, (bool, int, float, complex)))]
    if wanted is None:
        return max((python_dtype(x) for x in literals), key=lambda d: d.category)
    for x in literals:
        wanted = promote_literal(wanted, x)
    return wanted


def python_dtype(x: Any) -> DType:
    """The dtype that has all numbers of the Python type of x."""
    return dtype_of({bool: bool, int: int, float: "float64", complex: "complex128"}[type(x)])


# What numbers that only a run knows promote like, by category.
LIKE_NUMBERS = (False, 0, 0.0, 0j)


def brought_to(wanted: DType, operands: Sequence[Any]) -> tuple[Any, ...]:
    """Tensors cast to a dtype; numbers and None as they are, floats where it is floating."""
    return tuple(_brought_to(x, wanted) for x in operands)


def _brought_to(x: Any, wanted: DType) -> Any:
    if isinstance(x, Value):
        return x if x.dtype is wanted else cast(x, wanted)
    if isinstance(x, SymbolicDim):
        return op_named("fill").function((), x, wanted)
    if isinstance(x, np.ndarray):
        return x.astype(wanted.numpy)
    if x is None or isinstance(x, complex) or not isinstance(x, (bool, int, float)):
        return x
    return float(x) if wanted.is_differentiable and not is_varying(x) else x


def elementwise(*specs: Any, **attrs: Any) -> Spec:
    """An `infer` rule: the broadcast shape, the dtype of the first tensor."""
    known = [s for s in specs if isinstance(s, Spec)]
    shape = known[0].shape
    for s in known[1:]:
        shape = broadcast(shape, s.shape)
    return Spec(shape, known[0].dtype)


def elementwise_numbers(*specs: Any, **attrs: Any) -> Spec:
    """An `infer` rule: as `elementwise`, of numbers. Raises DTypeError for truth values."""
    require_numbers(*specs)
    return elementwise(*specs)


def require_numbers(*operands: Any) -> None:
    """Raise DTypeError where all are truth values, which NumPy takes for int8."""
    for x in operands:
        if getattr(x, "dtype", type(x)) not in (bool, np.bool_, bool_):
            return
    raise DTypeError("expected numbers, received bool", cure="convert with astype")


def elementwise_bool(*specs: Any, **attrs: Any) -> Spec:
    """An `infer` rule: the broadcast shape, truth values."""
    return Spec(elementwise(*specs).shape, dtype_of("bool"))


def in_one_shape(operands: tuple[Any, ...], attrs: Any = None) -> tuple[Any, ...]:
    """A `prepare` rule of file forms: operands as tensors of the shape that they broadcast to."""
    specs = [x.spec for x in operands if isinstance(x, Value)]
    shape = broadcast(*(s.shape for s in specs))
    dtype = max((s.dtype for s in specs), key=lambda d: d.category)
    return tuple(_in_shape(x, shape, dtype) for x in operands)


def _in_shape(x: Any, shape: Shape, dtype: DType) -> Any:
    if not isinstance(x, Value):
        return x if x is None else op_named("fill").function(shape, x, dtype)
    return x if x.spec.shape == shape else broadcast_to(x, shape)


def in_equal_shapes(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """x and y, whose shapes a run holds to be equal where they are not known to be."""
    a, b = x.spec.shape, y.spec.shape
    return (x, y) if a == b else (broadcast_to(x, b), broadcast_to(y, a))


def sum_to_each(g: Tensor, specs: Sequence[Any]) -> tuple[Tensor | None, ...]:
    """`sum_to` of one gradient for several operands."""
    own = g.spec
    return tuple([g if own is spec else sum_to(g, spec) for spec in specs])


def sum_to(g: Tensor, spec: Any) -> Tensor | None:
    """The gradient of an operand of `spec` that was broadcast; None for a literal."""
    if spec.__class__ is not Spec:
        return None
    own = g.spec
    if own is spec or (own.ndim == spec.ndim and own.shape == spec.shape):
        return g
    return sum_to_shape(g, spec.shape)


def _expanded(x: Spec, shape: Shape) -> Spec:
    if not may_expand(x.shape, shape):
        raise ShapeError(
            f"x of shape {list(x.shape)} does not expand to {list(shape)}",
            cure="sizes must be equal or 1",
        )
    return Spec(shape, x.dtype)


def _read_expand(slots: dict[str, Any], attrs: dict[str, Any]) -> Tensor:
    """Paddle's -1 leaves a size as it is, and the shape may be a tensor or one tensor a size."""
    (x,) = slots["X"]
    if "target_shape" in attrs:  # expand_as_v2: the shape of Y, where Y is given
        like = slots.get("Y")
        return broadcast_to(x, like[0].spec.shape if like else tuple(attrs["target_shape"]))
    given = sizes(shape_from(slots, attrs, "shape", "Shape", "expand_shapes_tensor"))
    lead = len(given) - x.ndim
    kept = (isinstance(d, int) and d == -1 and i >= lead for i, d in enumerate(given))
    return broadcast_to(
        x,
        tuple(
            x.spec.shape[i - lead] if k else d
            for i, (d, k) in enumerate(zip(given, kept, strict=True))
        ),
    )


@primitive(
    infer=lambda x, shape: _expanded(x, shape),
    grad=lambda g, specs: sum_to(g, specs[0]),
    desc=Desc(
        "expand_v2",
        {"X": "x"},
        attrs={"shape": "shape"},
        read=_read_expand,
        reads=("expand_as_v2",),
        size_slots={"shape": "expand_shapes_tensor"},
    ),
    moves=True,
    lower=lambda i, x, shape: x.broadcast(i),
)
def broadcast_to(x: Tensor, shape: tuple[int, ...]) -> Tensor:
    """x repeated to `shape` by broadcasting; every size of x is 1 or that of `shape`.

    x: [*]. Returns `shape`, dtype of x. Raises ShapeError.

    >>> twinoar.broadcast_to(twinoar.to_tensor([1, 2]), [2, 2]).tolist()
    [[1, 2], [1, 2]]
    """


@broadcast_to.kernel
def _(x, shape):
    if x.ndim > len(shape):
        raise ValueError(f"{x.shape} has more dimensions than {shape}")
    out = np.empty(shape, x.dtype)
    out[...] = x  # a fifth of the time of np.broadcast_to
    return out


@broadcast_to.samples
def _(s):
    yield s(s.randn(3, 1), (2, 3, 4))
    yield s(s.randn(), (2, 2))
    yield s(s.randn(1, 2), (0, 2))
    yield s.bad(ShapeError, "does not expand", s.randn(2, 3), (3,))
    yield s.bad(ShapeError, "does not expand", s.randn(3), (2, 4))


@primitive(
    infer=lambda x, shape: Spec(shape, x.dtype),
    grad=lambda g, specs: broadcast_to(g, specs[0].shape),
    kernel=lambda x, shape: x.sum(axis=_summed_axes(x.shape, shape), dtype=x.dtype).reshape(shape),
)
def sum_to_shape(x: Tensor, shape: tuple[int, ...]) -> Tensor:
    """x summed down to `shape`, which broadcasts to that of x: the transpose of broadcasting."""


def _summed_axes(shape: Shape, target: Shape) -> tuple[int, ...]:
    """The axes over which `shape` is summed down to `target`."""
    extra = len(shape) - len(target)
    pairs = zip(shape[extra:], target, strict=True)
    shrunk = (k for k, (m, n) in enumerate(pairs, extra) if n == 1 and m != 1)
    return (*range(extra), *shrunk)


@sum_to_shape.lower
def _(i, x, shape):
    axes = _summed_axes(x.shape, shape)
    extra = x.ndim - len(shape)
    kept = tuple(k for axis, k in enumerate(i, extra) if axis not in axes)
    return loop.sum(*x.over(kept, axes, keepdim=False))


@sum_to_shape.samples
def _(s):
    yield s(s.randn(2, 3, 4), (3, 1))
    yield s(s.randn(2, 3), ())
    yield s(s.zeros(0, 3), (1, 3))
