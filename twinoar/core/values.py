"""What operators take and give: the common base of Tensor (data) and Variable (symbol).

Arithmetic and methods such as `x.sum()` are operators or wrappers of them; each is declared a
method where it is defined, with `@method`, so this file names none.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from twinoar.core.dtype import DType
from twinoar.core.interpreter import current, recording, using
from twinoar.core.keyword import is_respelled, spelled_freely
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError, ShapeError, TypeMismatchError

F = TypeVar("F", bound=Callable[..., Any])


class Value:
    """Base of Tensor and Variable; `stop_gradient` is True where no gradient is wanted."""

    __slots__ = ()
    __array_priority__ = 1000  # lets `ndarray + value` come to the value

    stop_gradient: bool

    @property
    def spec(self) -> Spec:
        """Shape and dtype."""
        raise NotImplementedError  # every subclass has one

    @property
    def dtype(self) -> DType:
        """Element type."""
        return self.spec.dtype

    @property
    def shape(self) -> list[Any]:
        """Sizes of the dimensions."""
        return list(self.spec.shape)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return self.spec.ndim

    @property
    def size(self) -> Any:
        """Number of elements."""
        return self.spec.size

    @property
    def data(self) -> Any:
        """The tensor; assigning gives it the data of another."""
        return self

    @data.setter
    def data(self, other: Any) -> None:
        self.set_value(other)

    def set_value(self, value: Any) -> None:
        """While tracing: each run gives the tensor the data of `value`, without its graph."""
        interpreter = recording(False)
        with using(interpreter):
            new = value if isinstance(value, Value) else interpreter.lift(np.asarray(value))
            self._check_shape(new.shape)
            interpreter.rebind(self, new.astype(self.dtype))

    def copy_(self, other: Any, blocking: bool = True) -> Any:
        """Take over the data of `other`."""
        self.set_value(other)
        return self

    def _check_shape(self, shape: list[Any]) -> None:
        if shape != self.shape:
            raise ArgumentError(
                f"set_value: the tensor has shape {self.shape}, the value {shape}",
                cure="reshape the value, or make a new tensor of it",
            )

    def dim(self) -> int:
        """Number of dimensions."""
        return self.spec.ndim

    ndimension = dim

    @property
    def grad(self) -> Any:
        """The accumulated gradient, or None."""
        here = current()
        return here.gradients.read(here, self)

    @grad.setter
    def grad(self, value: Value | None) -> None:
        if value is not None and not isinstance(value, Value):
            raise TypeMismatchError(
                f"expected a Tensor or None as gradient, received {type(value).__name__}",
                cure="convert it with to_tensor",
            )
        if value is not None and value.spec.shape != self.spec.shape:
            raise ArgumentError(
                f"the gradient of a tensor of shape {self.shape} has shape {value.shape}",
                cure="give a gradient of the same shape",
            )
        here = current()
        here.gradients.set(here, self, value)

    grad_ = grad

    def clear_gradient(self, set_to_zero: bool = True) -> None:
        """Forget the gradient, or fill it with zeros."""
        here = current()
        here.gradients.clear(here, self, set_to_zero)

    def clear_grad(self) -> None:
        """Fill the gradient, where there is one, with zeros."""
        self.clear_gradient()

    def __len__(self) -> int:
        if not self.spec.shape:
            raise TypeMismatchError(
                f"len() of a tensor without dimensions, {self.spec}", cure="use x.size, or item()"
            )
        return self.spec.shape[0]  # type: ignore[return-value]  # len() refuses a symbol

    __hash__ = object.__hash__

    if TYPE_CHECKING:  # operators that are methods, declared where they are defined (see `method`)

        def _arithmetic(self, other: Any) -> Any: ...

        __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = (
            __rtruediv__
        ) = _arithmetic
        __pow__ = __rpow__ = __mod__ = __floordiv__ = __matmul__ = __rmatmul__ = _arithmetic
        __lt__ = __le__ = __gt__ = __ge__ = __and__ = __or__ = __xor__ = __getitem__ = _arithmetic

        def __eq__(self, other: object) -> Any: ...

        def __ne__(self, other: object) -> Any: ...

        def __neg__(self) -> Any: ...

        def __invert__(self) -> Any: ...

        def __abs__(self) -> Any: ...

        def __iter__(self) -> Any: ...

        def __getattr__(self, name: str) -> Any: ...


def method(*names: str) -> Callable[[F], F]:
    """Declare a function, or an Op, a method of every Value under `names`.

    @method("sum", "__add__") above a definition: its first parameter becomes `self`.
    """

    def declare(function: F) -> F:
        for name in names:
            before = Value.__dict__.get(name)
            if before is not None and name != "__hash__" and type(before) is not DeclaredLate:
                raise ValueError(f"Value already has a method {name}")
            made = functools.partial(_as_method, name, function)
            setattr(Value, name, LateMethod(made, name) if hasattr(function, "rules") else made())
        return function

    return declare


def _as_method(name: str, function: Any) -> Any:
    """A function, or an Op's, as the method `name`."""
    plain = function.function if hasattr(function, "rules") else function
    return spelled_freely(plain) if not name.startswith("__") and is_respelled(plain) else plain


class LateMethod:
    """Stands for a method until its first use; then what `find()` returns does."""

    def __init__(self, find: Callable[[], Any], name: str):
        self.find, self.name = find, name

    def __get__(self, instance: Any, owner: type) -> Any:
        function = self.find()
        setattr(Value, self.name, function)
        return function.__get__(instance, owner) if instance is not None else function


class DeclaredLate(LateMethod):
    """Stands for a method until the module is loaded that declares it, which `find()` does."""

    def __get__(self, instance: Any, owner: type) -> Any:
        self.find()
        return Value.__dict__[self.name].__get__(instance, owner)


INPLACE: dict[str, Callable[..., Any]] = {}  # `relu_` and its kin, by name


def inplace(function: F | None = None, *, by: Callable[..., Any] | None = None) -> Any:
    """Declare that `function` has an in-place variant, a method and a public function `<name>_`.

    `x.relu_()` makes x, and what shares its memory, stand for `relu(x)`, with the right gradient.
    by: what x takes where that differs from `function`, as for dtypes.
    """
    if function is None:
        return functools.partial(inplace, by=by)
    compute = by or function
    name = f"{function.__name__}_"
    keeps_shape = hasattr(function, "rules") and function.__name__ != "flatten"

    def variant(x: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(x, Value):
            raise TypeMismatchError(
                f"{name} changes a Tensor, received {type(x).__name__}",
                cure="convert it with to_tensor",
            )
        result = compute(x, *args, **kwargs)
        if keeps_shape and args and result.shape != x.shape:
            raise ShapeError(
                f"{name} gives shape {result.shape}, and x keeps its own, {x.shape}",
                cure=f"use {function.__name__}, which makes a new tensor",
            )
        current().rebind(x, result)
        return x

    variant.__name__ = variant.__qualname__ = name
    variant.__module__ = __name__.partition(".")[0]  # which has all of INPLACE
    variant.__doc__ = f"In-place `{function.__name__}`: x takes the result, and is returned."
    INPLACE[name] = method(name)(variant)
    return function


def placed(
    function: F, method: bool | str = False, inplace: bool | Callable[..., Any] = False
) -> F:
    """Put a function, or an Op, where users find it besides, and return it.

    method: True makes it a method of tensors; names, separated by spaces, make it one under each.
    inplace: True gives it a variant in place, another function one that takes what that computes.
    """
    own = getattr(function, "definition", function).__name__  # an Op may have another name
    if method:
        _add_method(*[own] if method is True else method.split())(function)
    if inplace:
        _add_inplace(function, by=None if inplace is True else inplace)
    return function


_add_method, _add_inplace = method, inplace  # which `placed` has as keywords
