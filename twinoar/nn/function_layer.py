"""The base of layers that are a function with its arguments kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from twinoar.nn.layer import Layer


class FunctionLayer(Layer):
    """Calls `function` on what it is given, with the arguments that it keeps as attributes."""

    function: Callable[..., Any]
    untold: ClassVar[Mapping[str, Any]] = {}  # arguments that go without saying, where they are so

    def __init__(self, **arguments: Any):
        super().__init__()
        self.kept = tuple(arguments)
        for name, value in arguments.items():
            setattr(self, name, value)

    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
        kept = {name: getattr(self, name) for name in self.kept}
        return type(self).function(*inputs, **named, **kept)

    def extra_repr(self) -> str:
        """The arguments."""
        given = ((name, getattr(self, name)) for name in self.kept)
        told = ((k, v) for k, v in given if v is not None and self.untold.get(k) != v)
        return ", ".join(f"{name}={value}" for name, value in told)
