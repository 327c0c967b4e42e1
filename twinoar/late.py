"""What is made when it is first asked for: signatures, and methods of dataclasses.

Python's `dataclass` compiles up to six functions for each class, half a millisecond in all, and a
process that starts meets more than a hundred such classes, of most of which it calls none. The one
here takes a tenth of that, and compiles a method when it is first called. It is for what most
programs load.
"""

from __future__ import annotations

import dataclasses
import inspect
import reprlib
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass as dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any


class LateSignature(inspect.Signature):
    """A signature that is worked out when it is first looked at: most never are.

    To work out those of all public functions took a tenth of `import twinoar`.
    """

    def __init__(self, make: Callable[[], inspect.Signature]):
        self._make = make  # and nothing that the base class keeps: all is asked of `_made`

    @cached_property
    def _made(self) -> inspect.Signature:
        return self._make()

    @property
    def parameters(self) -> types.MappingProxyType[str, inspect.Parameter]:
        return self._made.parameters

    @property
    def return_annotation(self) -> Any:
        return self._made.return_annotation

    def replace(self, **changes: Any) -> inspect.Signature:  # type: ignore[override]  # Self there
        return self._made.replace(**changes)

    def __reduce__(self) -> Any:
        return self._made.__reduce__()


def _dataclass(cls: Any = None, /, **options: Any) -> Any:
    """What `dataclasses.dataclass` makes of a class, with its `frozen`, `slots`, `eq` and `repr`.

    `dataclasses.fields`, `replace` and the others take it too. Subclasses with fields of their own
    are declared by this one as well. There are no fields that only `__init__` has.

    >>> @dataclass(frozen=True)
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(3), dataclasses.replace(Point(3), y=4) == Point(3, 4)
    (Point(x=3, y=0), True)
    """
    return partial(_declared, **options) if cls is None else _declared(cls)


if not TYPE_CHECKING:  # who checks types is to take it for Python's
    dataclass = _dataclass


def _declared(
    cls: type, frozen: bool = False, slots: bool = False, eq: bool = True, repr: bool = True
) -> type:
    """The class with its fields known, and with methods that are compiled when they are called."""
    cls.__doc__ = cls.__doc__ or cls.__name__  # or Python's makes it of the signature
    own = {*vars(cls)}
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
    if "__init__" not in own:
        made.__init__ = _late("__init__", made, partial(_init, made, frozen))
        made.__init__.__signature__ = LateSignature(lambda: inspect.signature(_init(made, frozen)))
    if repr and "__repr__" not in own:
        made.__repr__ = _shown
    if eq and "__eq__" not in own:
        made.__eq__ = _late("__eq__", made, partial(_equality, made))
    if eq and ("__hash__" not in own or ("__eq__" in own and cls.__hash__ is None)):
        made.__hash__ = _late("__hash__", made, partial(_hash, made)) if frozen else None
    if frozen:
        _freeze(made)
    return made


def _late(name: str, cls: type, make: Callable[[], Any]) -> Any:
    """A method that is made at its first call, and then stands in place of this."""

    def method(*args: Any, **kwargs: Any) -> Any:
        return stands_for()(*args, **kwargs)

    def stands_for() -> Any:
        made = _named(make(), name, cls)
        setattr(cls, name, made)
        return made

    method.stands_for = stands_for  # type: ignore[attr-defined]  # for who looks at its source
    return _named(method, name, cls)


def _named(method: Any, name: str, cls: type) -> Any:
    method.__module__, method.__name__ = cls.__module__, name
    method.__qualname__ = f"{cls.__qualname__}.{name}"
    return method


def _compiled(cls: type, head: str, body: list[str], **known: Any) -> Any:
    """The function of that source in the module of `cls`, for which some things have names."""
    lines = "".join(f"        {line}\n" for line in body)
    name = head.partition("(")[0]
    source = f"def make({', '.join(known)}):\n    def {head}:\n{lines}    return {name}\n"
    made: dict[str, Any] = {}
    space = vars(sys.modules[cls.__module__]) if cls.__module__ in sys.modules else {}
    exec(compile(source, "<twinoar dataclass>", "exec"), space, made)
    return made["make"](**known)


class _Absent:
    """Stands for what a factory makes."""

    def __repr__(self) -> str:
        return "<factory>"


def _init(cls: Any, frozen: bool) -> Any:
    """`__init__`: a parameter for each field, with its default."""
    known: dict[str, Any] = {"_set": object.__setattr__, "_absent": _Absent()}
    parameters, body, annotations = ["self"], [], {}
    for field in dataclasses.fields(cls):
        name = value = field.name
        default = ""
        if field.default is not dataclasses.MISSING:
            known[f"_of_{name}"], default = field.default, f"=_of_{name}"
        elif field.default_factory is not dataclasses.MISSING:
            known[f"_of_{name}"], default = field.default_factory, "=_absent"
            value = f"_of_{name}() if {name} is _absent else {name}"
        if field.init:
            parameters.append(f"{name}{default}")
            annotations[name] = field.type
        elif default:
            value = f"_of_{name}()" if default == "=_absent" else f"_of_{name}"
        else:
            continue
        body.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    made = _compiled(cls, f"__init__({', '.join(parameters)})", body or ["pass"], **known)
    made.__annotations__ = {**annotations, "return": None}
    return made


def _equality(cls: Any) -> Any:
    """`__eq__`: of the same class, and equal field by field."""
    ours, others = (_fields(cls, of) for of in ("self", "other"))
    body = [
        "if other.__class__ is self.__class__:",
        f"    return {ours} == {others}",
        "return NotImplemented",
    ]
    return _compiled(cls, "__eq__(self, other)", body)


def _hash(cls: Any) -> Any:
    """`__hash__`: that of all fields."""
    return _compiled(cls, "__hash__(self)", [f"return hash({_fields(cls, 'self')})"])


def _fields(cls: Any, of: str) -> str:
    """The source of a tuple of what is compared."""
    compared = [field.name for field in dataclasses.fields(cls) if field.compare]
    return f"({''.join(f'{of}.{name}, ' for name in compared)})"


@reprlib.recursive_repr()
def _shown(self: Any) -> str:
    shown = [f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _freeze(cls: type) -> None:
    """Refuse to assign or delete a field."""
    names = frozenset(field.name for field in dataclasses.fields(cls))

    def check(self: Any, verb: str, name: str) -> Any:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot {verb} field {name!r}")
        return super(cls, self)

    def assign(self: Any, name: str, value: Any) -> None:
        check(self, "assign to", name).__setattr__(name, value)

    def delete(self: Any, name: str) -> None:
        check(self, "delete", name).__delattr__(name)

    cls.__setattr__, cls.__delattr__ = assign, delete  # type: ignore[method-assign, assignment]
    cls.__setstate__ = _restored  # type: ignore[attr-defined]


def _restored(self: Any, state: Any) -> None:
    """Take what a copy or a pickle of a frozen one holds: a dict, and what stands in slots."""
    parts = state if isinstance(state, tuple) else (state,)
    for name, value in ((n, v) for part in parts for n, v in (part or {}).items()):
        object.__setattr__(self, name, value)
