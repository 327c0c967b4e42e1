"""What makes a quanter for each layer: a class of quanters, and the arguments that they get."""

from __future__ import annotations

import abc
import inspect
import sys
from collections.abc import Callable
from typing import Any

from twinoar.errors import ArgumentError, TypeMismatchError


class ClassWithArguments(abc.ABC):
    """A class and the arguments that its instances are to be made with."""

    def __init__(self, *args: Any, **kwargs: Any):
        self._args, self._kwargs = args, kwargs

    @property
    def args(self) -> tuple:
        """The positional arguments."""
        return self._args

    @property
    def kwargs(self) -> dict[str, Any]:
        """The named arguments."""
        return self._kwargs

    @abc.abstractmethod
    def _get_class(self) -> type:
        """The class of which instances are made."""

    def __str__(self) -> str:
        named = [f"{name}={value}" for name, value in self.kwargs.items()]
        return f"{type(self).__name__}({','.join([*map(str, self.args), *named])})"

    __repr__ = __str__


class QuanterFactory(ClassWithArguments):
    """Makes quanters of one class with the same arguments, one for each place.

    A subclass has `_get_class`; the decorator `quanter` makes one.
    """

    def _instance(self, layer: Any) -> Any:
        """A new quanter for `layer`: at the parameter that has that name, else after `args`."""
        made = self._get_class()
        names = list(inspect.signature(made).parameters)
        where = names.index("layer") if "layer" in names else len(self.args)
        before, after = self.args[:where], self.args[where:]
        return made(*before, layer, *after, **self.kwargs)


ObserverFactory = QuanterFactory


def quanter(class_name: str) -> Callable[[type], type]:
    """A decorator of a class of quanters: a factory `class_name` of it stands beside it.

    class_name: a name that the module does not have yet; where it has `__all__`, it is added there.
    A quanter is made with the layer that it serves, at its parameter `layer`, and with the
    arguments of the factory. Raises ArgumentError if the name is taken, TypeMismatchError for what
    is no class.

    >>> @twinoar.quantization.quanter("Half")
    ... class HalfLayer(twinoar.quantization.BaseQuanter):
    ...     def __init__(self, layer, bits=8):
    ...         super().__init__()
    ...         self.bits = bits
    ...     def forward(self, x):
    ...         return x / 2
    ...     def scales(self):
    ...         return None
    ...     def zero_points(self):
    ...         return None
    ...     def quant_axis(self):
    ...         return -1
    ...     def bit_length(self):
    ...         return self.bits
    >>> factory = Half(bits=4)
    >>> factory
    Half(bits=4)
    """

    def declare(target: type) -> type:
        if not isinstance(target, type):
            raise TypeMismatchError(f"expected a class of quanters, received {target!r}")
        space = sys._getframe(1).f_globals
        taken = space.get(class_name)
        is_factory = isinstance(taken, type) and issubclass(taken, QuanterFactory)
        if class_name == target.__name__ or not (taken is None or is_factory):
            raise ArgumentError(
                f"the name {class_name!r} of a factory is taken", cure="give it another name"
            )
        document = f"Makes instances of {target.__name__}."
        members = {"_get_class": lambda self: target, "__doc__": document}
        space[class_name] = type(
            class_name, (QuanterFactory,), {**members, "__module__": target.__module__}
        )
        if class_name not in space.get("__all__", [class_name]):
            space["__all__"].append(class_name)
        return target

    return declare
