"""The base of layers that are a function with its arguments kept.

Such a class says which function, and what a reader wants to know of it. Its `__init__` has the
arguments of the function, less the operands: names, order, defaults and types stand in one place.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from twinoar.core.op.explain import call_misfit
from twinoar.late import dataclass
from twinoar.nn.layer import Layer


@dataclass(frozen=True)
class Keeping:
    """How a layer keeps the arguments of its function, and shows them.

    operands: how many parameters of the function are operands. without: arguments that the layer
    does not have. hints: types of arguments, where they are narrower than those of the function.
    private: attributes begin with an underscore. spelled: attributes named in another way. told:
    the arguments to print, in place of all that are not None. untold: arguments that go without
    saying where they have these values.
    """

    operands: int = 1
    without: tuple[str, ...] = ()
    hints: Mapping[str, Any] = field(default_factory=dict)
    private: bool = False
    spelled: Mapping[str, str] = field(default_factory=dict)
    told: tuple[str, ...] | None = None
    untold: Mapping[str, Any] = field(default_factory=dict)

    def attribute(self, argument: str) -> str:
        """The name under which an argument is kept."""
        return self.spelled.get(argument, f"_{argument}" if self.private else argument)

    def parameters(self, function: Callable[..., Any]) -> list[inspect.Parameter]:
        """The arguments of a function that a layer has."""
        given = list(inspect.signature(function).parameters.values())[self.operands :]
        return [
            p.replace(annotation=self.hints.get(p.name, p.annotation))
            for p in given
            if p.name not in self.without
        ]


class FunctionLayer(Layer):
    """Calls `function` on what it is given, with the arguments that it keeps as attributes.

    A subclass that is `of` a function and has no `__init__` gets one: with the arguments of the
    function after its operands, less those that the class itself sets. The other options of a class
    statement are those of `Keeping`; a subclass has them, too.

    >>> class Leaky(FunctionLayer, of=twinoar.nn.functional.leaky_relu):
    ...     pass
    >>> layer = Leaky(0.5)
    >>> layer, layer.negative_slope
    (Leaky(negative_slope=0.5), 0.5)
    """

    function: Callable[..., Any]
    _keeping = Keeping()

    def __init_subclass__(cls, of: Callable[..., Any] | None = None, **options: Any):
        super().__init_subclass__()
        cls._keeping = replace(cls._keeping, **options)
        if of is None:
            return
        cls.function = of
        if "__init__" not in vars(cls):
            cls.__init__ = _initializer(cls)  # type: ignore[method-assign]

    if TYPE_CHECKING:  # a subclass takes what its function does

        def __init__(self, *args: Any, **arguments: Any): ...

    else:

        def __init__(self, **arguments: Any):
            super().__init__()
            self._keep(arguments)

    def _keep(self, arguments: dict[str, Any]) -> None:
        """Make the arguments attributes. A name that is None is not passed on."""
        self._kept = {n: self._keeping.attribute(n) for n in arguments}
        for name, attribute in self._kept.items():
            setattr(self, attribute, arguments[name])
        if arguments.get("name", "") is None:
            del self._kept["name"]

    def _given(self) -> dict[str, Any]:
        """The arguments as they are now."""
        kept = self._kept
        return {n: getattr(self, a) for n, a in kept.items()} if kept else {}

    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The result of the function."""
        return type(self).function(*inputs, **named, **self._given())

    def extra_repr(self) -> str:
        """The arguments."""
        given, how = self._given(), self._keeping
        said = [n for n, v in given.items() if v is not None and how.untold.get(n) != v]
        return ", ".join(f"{n}={given[n]}" for n in (said if how.told is None else how.told))


def _initializer(cls: type[FunctionLayer]) -> Callable[..., None]:
    """An `__init__` with the arguments of the class's function."""
    how, own = cls._keeping, vars(cls)
    kept = how.parameters(cls.function)
    fixed = {p.name: own[how.attribute(p.name)] for p in kept if how.attribute(p.name) in own}
    taken = inspect.Signature([p for p in kept if p.name not in fixed])

    def __init__(self: FunctionLayer, *args: Any, **kwargs: Any) -> None:
        try:
            bound = taken.bind(*args, **kwargs)
        except TypeError as error:
            raise call_misfit(type(self).__name__, taken, args, kwargs) or error from None
        bound.apply_defaults()
        given = bound.arguments | fixed
        super(cls, self).__init__(**{p.name: given[p.name] for p in kept})

    receiver = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    __init__.__signature__ = inspect.Signature([receiver, *taken.parameters.values()])  # type: ignore[attr-defined]
    __init__.__qualname__, __init__.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    __init__.arguments_of = cls.function  # type: ignore[attr-defined]  # whose annotations they are
    return __init__
