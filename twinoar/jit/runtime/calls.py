"""Calls: the user's functions are converted, and a few builtins have a meaning for tensors."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from twinoar.core.interpreter import current
from twinoar.core.layer_like import LayerLike
from twinoar.core.values import Value

# What converted code calls in place of a builtin or library function.
REPLACEMENTS: dict[Any, Callable] = {}
# The same for bound methods of builtin types, by type: they make what to call.
METHODS: list[tuple[tuple[type, ...], Callable[[Any], Callable]]] = []
# The same for whole packages: what makes a replacement, or None, by the package's name.
PACKAGES: dict[str, Callable[[Any], Callable | None]] = {}
# The same for functions of a kind, and for those of a library's code: they make what to call, of
# the function and the object that it is a method of.
KINDS: dict[type, Callable[..., Callable]] = {}
CODES: dict[types.CodeType, Callable[..., Callable]] = {}
CALL = "__call__"
CONVERTS = "__converts__"
CACHED = type(functools.lru_cache(lambda: None))
METHOD_KINDS = (types.FunctionType, classmethod, staticmethod)
WRAPPERS = (types.MethodWrapperType, types.MethodDescriptorType, types.WrapperDescriptorType)


def in_place_of(*functions: Any) -> Callable[[Callable], Callable]:
    """Let converted code call the decorated function where it says one of `functions`."""

    def register(replacement: Callable) -> Callable:
        REPLACEMENTS.update(dict.fromkeys(functions, replacement))
        return replacement

    return register


def in_place_of_methods(*kinds: type) -> Callable[[Callable], Callable]:
    """Let the decorated function say what to call for a bound method of an object of `kinds`."""

    def register(choose: Callable) -> Callable:
        METHODS.append((kinds, choose))
        return choose

    return register


def in_place_of_kind(kind: type) -> Callable[[Callable], Callable]:
    """Let the decorated function say what to call for a callable object of `kind`."""

    def register(make: Callable) -> Callable:
        KINDS[kind] = make
        return make

    return register


def in_place_of_code(code: types.CodeType) -> Callable[[Callable], Callable]:
    """Let the decorated function say what to call for a function with this code."""

    def register(make: Callable) -> Callable:
        CODES[code] = make
        return make

    return register


def call(function: Any) -> Any:
    """What to call in the place of `function`: its converted form, where it is the user's."""
    if isinstance(function, types.FunctionType):
        replaced = REPLACEMENTS.get(function) or _of_package(function) or _of_code(function)
        return replaced or _converted(written(function), function)
    if isinstance(function, types.MethodType):
        return REPLACEMENTS.get(function) or _of_method(function)
    if isinstance(function, types.BuiltinFunctionType):
        return REPLACEMENTS.get(function) or _of_builtin(function)
    if isinstance(function, type):
        return REPLACEMENTS.get(function) or kept(function)
    if isinstance(function, functools.partial):
        return functools.partial(call(function.func), *function.args, **function.keywords)
    if type(function) in KINDS:
        return KINDS[type(function)](function)
    if isinstance(function, WRAPPERS):
        return REPLACEMENTS.get(function) or _of_wrapper(function)
    method = written(getattr(type(function), CALL, None))
    if isinstance(method, types.FunctionType):
        return _converted(method, function, function)
    return _of_package(function) or kept(function)


def _of_method(method: types.MethodType) -> Any:
    owner, function = method.__self__, written(method.__func__)
    if isinstance(owner, Value) and not current().runs:
        replacement = REPLACEMENTS.get(function)
        return method if replacement is None else types.MethodType(replacement, owner)
    if type(function) in KINDS:
        return KINDS[type(function)](function, owner)
    return _of_code(function, owner) or _converted(function, method, owner)


def _of_code(function: Any, *owner: Any) -> Callable | None:
    make = CODES.get(getattr(function, "__code__", None))  # type: ignore[arg-type]
    return None if make is None else make(function, *owner)


def _converted(function: Any, called: Any, *owner: Any) -> Any:
    """The converted form of a plain function, bound to its owner; else what is called, kept."""
    made = convert_function(function)
    if made is function:
        return _around(called) if isinstance(called, types.FunctionType) else kept(called)
    builder: Any = current()
    if builder.traces:
        builder.guards.note_function(function)
    return types.MethodType(made, *owner) if owner else made


def _around(function: types.FunctionType) -> Any:
    """A function that a library's decorator has made around the user's: around what is converted.

    The user's is in one of its cells. `functools.singledispatch` chooses one by the argument.
    """
    dispatch = getattr(function, "dispatch", None)
    if dispatch is not None and hasattr(function, "registry"):
        return lambda *args, **kwargs: call(dispatch(call(type)(args[0])))(*args, **kwargs)
    found = kept(function)  # which also looks at what else is in its cells
    return with_converted_cells(function) or found


def with_converted_cells(function: types.FunctionType) -> types.FunctionType | None:
    """The same function around what is converted; None where none of its cells holds any."""
    cells = [_converted_cell(cell) for cell in function.__closure__ or ()]
    if all(new is old for new, old in zip(cells, function.__closure__ or (), strict=True)):
        return None
    made = types.FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        tuple(cells),
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def _converted_cell(cell: types.CellType) -> types.CellType:
    try:
        found = cell.cell_contents
    except ValueError:
        return cell
    if not isinstance(found, types.FunctionType):
        return cell
    made = convert_function(found)
    return cell if made is found else types.CellType(made)


def _of_wrapper(function: Any) -> Any:
    """`list.append` and the like, which take what they belong to as first argument."""

    def of_object(holder: Any, *args: Any, **kwargs: Any) -> Any:
        return call(function.__get__(holder))(*args, **kwargs)

    takes_object = isinstance(function, (types.MethodDescriptorType, types.WrapperDescriptorType))
    return of_object if takes_object and not current().runs else _of_builtin(function)


def written(function: Any) -> Any:
    """What the user wrote where `function` stands while a trace converts the methods of a class."""
    return getattr(function, CONVERTS, function) if type(function) in METHOD_KINDS else function


def _of_builtin(function: Any) -> Any:
    for kinds, choose in METHODS:
        if isinstance(function.__self__, kinds):
            return choose(function)
    return _of_package(function) or kept(function)


def _of_package(function: Any) -> Callable | None:
    package = (getattr(function, "__module__", None) or "").partition(".")[0]
    replace = PACKAGES.get(package)
    return None if replace is None else REPLACEMENTS.get(function) or replace(function)


def convert_function(function: Any) -> Any:
    """The converted form of a plain function, by the converter that announced itself."""
    return converters[-1](function) if converters else function


def converted_start(kind: type[object]) -> Callable | None:
    """The converted `__init__` of a plain class of the user's; None where it is called as it is."""
    start = written(kind.__init__)
    if (
        kind.__new__ is not object.__new__
        or issubclass(kind, LayerLike)
        or not isinstance(start, types.FunctionType)
    ):
        return None
    if start.__code__.co_filename.startswith("<"):  # one that was generated: of a dataclass
        return with_converted_cells(start)
    made: Callable = convert_function(start)
    return None if made is start else made


def kept(function: Any) -> Any:
    """`function`, which is called as it is; by the watcher that announced itself."""
    return watchers[-1](function) if watchers else function


converters: list[Callable] = []
watchers: list[Callable] = []
