"""LazyGuard: parameters that are made when somebody needs them, or get loaded first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from twinoar.core.dtype import DType
from twinoar.core.interpreter import current, eager, under, using
from twinoar.core.policy import UNRECORDED
from twinoar.core.spec import Spec
from twinoar.eager.tensor import Parameter, names
from twinoar.errors import ProgramError


class LazyGuard:
    """Within the block, layers are made without data: each parameter is when it is first needed.

    Until then a parameter knows its shape and dtype. `parameter.initialize()` makes its data at
    once; a value that is loaded takes its place. Raises ProgramError where a Program is built.

    >>> with twinoar.LazyGuard():
    ...     layer = twinoar.nn.Linear(3, 4)
    >>> layer.weight
    Parameter containing:
    Tensor(Not initialized)
    >>> layer(twinoar.ones([2, 3])).shape
    [2, 4]
    """

    def __enter__(self) -> None:
        if not current().runs:
            raise ProgramError(
                "LazyGuard needs eager mode", cure="build the network before enable_static()"
            )
        self._under = under(lazy=True)
        self._under.__enter__()

    def __exit__(self, *raised: object) -> None:
        self._under.__exit__(*raised)


class LazyParameter(Parameter):
    """A parameter without data; it becomes a Parameter as soon as it has some."""

    def __init__(self, spec: Spec, initializer: Callable, stop_gradient: bool, name: str | None):
        self._lazy = spec, initializer
        self.stop_gradient, self.producer, self.persistable = stop_gradient, None, True
        self._name = name or names.fresh("param_")

    def __getattr__(self, name: str) -> Any:
        if name != "_data":
            raise AttributeError(f"'Parameter' object has no attribute {name!r}")
        self.initialize()
        return self._data

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if name == "_data":
            self.__dict__.pop("_lazy", None)
            self.__class__ = Parameter  # type: ignore[assignment]  # it is one from now on

    def initialize(self) -> None:
        """Make the data, as the layer's initializer says."""
        spec, initializer = self._lazy
        with using(eager(UNRECORDED)):
            self._data = initializer(spec)._data

    @property
    def spec(self) -> Spec:
        """Shape and dtype."""
        return self._lazy[0]

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
    def size(self) -> int:
        """Number of elements."""
        return int(np.prod(self.shape))

    def _traits(self) -> dict[str, Any]:
        self.initialize()
        return self._traits()  # as a Parameter

    def __repr__(self) -> str:
        return "Parameter containing:\nTensor(Not initialized)"

    __str__ = __repr__


def lazy_parameter(spec: Spec, initializer: Callable, **traits: Any) -> LazyParameter:
    """A parameter that `initializer(spec)` will fill."""
    parameter = LazyParameter(
        spec, initializer, traits.pop("stop_gradient", False), traits.pop("name", None)
    )
    parameter.__dict__.update(traits)
    return parameter


__all__ = ["LazyGuard"]
