"""Changes of attributes, items and containers by converted code: entered in the journal first.

Without a trace, each of these does what the syntax that it stands for does.
"""

from __future__ import annotations

import functools
import inspect
import operator
import os
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

from twinoar.core.interpreter import current
from twinoar.core.ir.program import Variable
from twinoar.core.layer_like import LayerLike, count_change
from twinoar.core.values import Value
from twinoar.errors import is_converted
from twinoar.jit.contents import CONTAINERS, length_of, owner_of
from twinoar.jit.runtime.alias import refuse_shared
from twinoar.jit.runtime.calls import CALL, call, in_place_of, watchers, written
from twinoar.jit.runtime.effects import EFFECTS, is_effect, repeat
from twinoar.jit.runtime.journal import (
    MISSING,
    Attribute,
    Contents,
    Item,
    Operation,
    Place,
)
from twinoar.jit.runtime.layers import journaled
from twinoar.jit.runtime.libraries import PACKAGE_NAME, is_librarys
from twinoar.jit.runtime.lists import change as change_stack
from twinoar.jit.runtime.lists import stack_of
from twinoar.jit.runtime.objects import Outside
from twinoar.jit.runtime.observed import observed
from twinoar.jit.runtime.output import method_of_stream
from twinoar.jit.runtime.state import (
    attribute,
    is_traced,
    item,
    meet,
    note_contents,
    note_object,
    note_tree,
    watch_item,
)

METHODS = (types.BuiltinMethodType, types.MethodType, types.MethodWrapperType)
CHANGING_ATTRIBUTES = frozenset({"__setattr__", "__delattr__"})
LARGEST = 256  # containers of libraries' objects that are looked into
MUTATING = frozenset(
    {
        "append", "appendleft", "extend", "extendleft", "insert", "pop", "popleft", "popitem",
        "remove", "clear", "update", "setdefault", "add", "discard", "sort", "reverse", "rotate",
        "difference_update", "intersection_update", "symmetric_difference_update", "fill",
        "__setitem__", "__delitem__", "__iadd__", "__imul__", "__isub__", "__ior__", "__iand__",
        "__ixor__",
    }
)  # fmt: skip
# What these return, or whether they raise, depends on the contents.
TELLING = frozenset({"pop", "popleft", "popitem", "setdefault", "remove", "sort"})


def changed(holder: Any) -> Any:
    """`holder`, whose attribute or item is about to be assigned or deleted."""
    if isinstance(holder, Variable) and is_traced(current()):
        return Symbol(holder)
    if isinstance(holder, Value) or not (isinstance(holder, Outside) or is_traced(current())):
        return holder
    return Changed(holder)


def in_place(operation: str, left: Any, right: Any) -> Any:
    """`left += right` for a name, where `operation` is `iadd`: what the name then stands for."""
    return getattr(operator, operation)(_augmented(left), right)


@in_place_of(setattr)
def setattr_(holder: Any, name: str, value: Any) -> None:
    """`setattr(holder, name, value)`."""
    setattr(changed(holder), name, value)


@in_place_of(delattr)
def delattr_(holder: Any, name: str) -> None:
    """`delattr(holder, name)`."""
    delattr(changed(holder), name)


class Symbol:
    """Stands for a symbol where its attributes and items are assigned, deleted or augmented."""

    __slots__ = ("held",)

    def __init__(self, held: Variable):
        object.__setattr__(self, "held", held)

    def __getattribute__(self, name: str) -> Any:
        return attribute(_symbol(self), name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "stop_gradient":
            current().set_stop_gradient(_symbol(self), bool(value))
        else:
            setattr(_symbol(self), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(_symbol(self), name)

    def __getitem__(self, key: Any) -> Any:
        return _symbol(self)[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        _symbol(self)[key] = value


def _symbol(stand_in: Symbol) -> Any:
    return object.__getattribute__(stand_in, "held")


class Changed:
    """Stands for an object where its attributes and items are assigned, deleted or augmented."""

    __slots__ = ("holder",)

    def __init__(self, holder: Any):
        object.__setattr__(self, "holder", holder)

    def __getattribute__(self, name: str) -> Any:
        return _augmented(attribute(_held(self), name, False))

    def __setattr__(self, name: str, value: Any) -> None:
        holder = _held(self)
        declared = inspect.getattr_static(type(holder), name, None)
        if isinstance(declared, property) and declared.fset is not None:
            call(declared.fset)(holder, value)
        elif _is_by_users(holder, "__setattr__") or _is_by_users(declared, "__set__"):
            setattr(holder, name, value)
        else:
            place = _place(holder, name)
            _note(place)
            _assign(place, value)

    def __delattr__(self, name: str) -> None:
        holder = _held(self)
        declared = inspect.getattr_static(type(holder), name, None)
        if _is_by_users(holder, "__delattr__") or _is_by_users(declared, "__delete__"):
            delattr(holder, name)
            return
        place = _place(holder, name)
        _note(place)
        if isinstance(place, Attribute):
            delattr(place.holder, name)
        elif place.read() is MISSING:
            raise NameError(f"name {name!r} is not defined", name=name)
        place.write(MISSING)

    def __getitem__(self, key: Any) -> Any:
        return _augmented(item(_held(self), key, False))

    def __setitem__(self, key: Any, value: Any) -> None:
        _change_item(_held(self), "__setitem__", key, value)

    def __delitem__(self, key: Any) -> None:
        _change_item(_held(self), "__delitem__", key)


class Augmented:
    """Stands for a container while `+=` or the like changes it."""

    def __init__(self, container: Any):
        self.container = container


def _in_place_method(name: str) -> Any:
    def method(self: Augmented, other: Any) -> Any:
        operands = (list(other),) if isinstance(other, Iterator) else (other,)
        _change_item(self.container, name, *operands)
        return self.container

    return method


for _operation in ("iadd", "imul", "isub", "ior", "iand", "ixor", "itruediv", "ifloordiv", "ipow"):
    setattr(Augmented, f"__{_operation}__", _in_place_method(f"__{_operation}__"))


def _is_by_users(x: Any, method: str) -> bool:
    """True where a class of the user's says what `method` of `x` does: it tells of itself."""
    builder: Any = current()
    if isinstance(x, Outside) or not is_traced(builder):
        return False
    builder.classes.meet(type(x))
    own = getattr(type(x), method, None)
    return isinstance(own, types.FunctionType) and not is_librarys(own)


def watched(function: Any) -> Any:
    """`function`, which is not converted, as a trace calls it."""
    builder = current()
    if not is_traced(builder):
        return function
    if function in OF_TRACE:
        return functools.partial(OF_TRACE[function], builder)
    holder, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    stands_for = method_of_stream(holder, name)
    if stands_for is not None:
        return stands_for
    if name in EFFECTS and is_effect(function, holder):
        return functools.partial(repeat, builder, function)
    if isinstance(function, METHODS) and name in CHANGING_ATTRIBUTES:
        return functools.partial(_change_attribute, function)
    if isinstance(function, METHODS) and isinstance(holder, CONTAINERS):
        return functools.partial(_method, builder, function)
    if isinstance(function, type):
        return _class(builder, function)
    if name == "__call__" and isinstance(holder, type) and not is_librarys(holder):
        return functools.partial(builder.objects.make, holder)
    plain = getattr(function, "__func__", function)
    if isinstance(plain, types.FunctionType) and not is_librarys(plain):
        builder.guards.note_function(plain)
        _note_outside(plain)
        if isinstance(holder, LayerLike):
            note_tree(builder, holder)
        return functools.partial(_with_noted, builder, function, plain)
    if isinstance(holder, LayerLike):
        note_tree(builder, holder)
        if isinstance(function, types.MethodType):
            return journaled(builder, function)
    elif isinstance(function, types.MethodType):
        note_object(builder, holder, _small_attributes(holder))
    elif isinstance(function, types.FunctionType):
        for cell in function.__closure__ or ():
            meet(builder, cell.cell_contents, whole=True)
        for inner in _functions_in(function):
            _note_outside(inner)
        if function is os.getenv:
            note_object(builder, os.environ)
    is_kept = is_of_package(function) or name in OF_FRAMES
    return function if is_kept else functools.partial(observed, builder, function)


watchers.append(watched)


def is_of_package(function: Any) -> bool:
    """True for a function or method of twinoar's, which knows of traces."""
    module = getattr(function, "__module__", None) or type(function).__module__
    return module.partition(".")[0] == PACKAGE_NAME


def _class(builder: Any, kind: type) -> Any:
    """What makes an object of a class."""
    if issubclass(kind, BaseException) or is_of_package(kind):
        return kind
    if is_librarys(kind):
        return functools.partial(_made_by_library, builder, kind)
    builder.classes.meet(type(kind))
    builder.classes.meet(kind)
    by_metaclass = getattr(type(kind), CALL, None)
    if isinstance(by_metaclass, types.FunctionType):
        return kind
    start = written(vars(kind).get("__init__"))
    if isinstance(start, types.FunctionType):
        _note_outside(start)
    return functools.partial(builder.objects.make, kind)


def _made_by_library(builder: Any, kind: type[object], *args: Any, **kwargs: Any) -> Any:
    """An object of a library's class."""
    made = observed(builder, kind, *args, **kwargs)
    if kind.__new__ is object.__new__:
        return builder.objects.note_made(made)
    builder.objects.fresh[id(made)] = made, builder.block
    return made


def _change_attribute(function: Any, name: str, *value: Any) -> None:
    """`object.__setattr__(x, name, value)`, or what a library's class has in its place."""
    holder = function.__self__
    declared = inspect.getattr_static(type(holder), name, None)
    if isinstance(declared, property) and declared.fset is not None and value:
        call(declared.fset)(holder, *value)
        return
    if not _is_by_users(declared, "__set__" if value else "__delete__"):
        _note(Attribute(holder, name))
    function(name, *value)


def _with_noted(
    builder: Any, function: Any, plain: types.FunctionType, *args: Any, **kwargs: Any
) -> Any:
    """Call a function of the user's that is not converted: it may read what it is given."""
    names = _names_in(plain)
    for x in (getattr(function, "__self__", None), *args, *kwargs.values()):
        note_object(builder, x, names)
    return observed(builder, function, *args, **kwargs)


def _functions_in(function: types.FunctionType) -> list[types.FunctionType]:
    """The functions of the user's that one of a library calls: what it decorates."""
    cells = (cell.cell_contents for cell in function.__closure__ or ())
    return [f for f in cells if isinstance(f, types.FunctionType) and not is_librarys(f)]


def _small_attributes(holder: Any) -> set[str]:
    space = getattr(holder, "__dict__", {})
    return {k for k, v in space.items() if not isinstance(v, CONTAINERS) or length_of(v) <= LARGEST}


def _vars(builder: Any, *args: Any) -> Any:
    """`vars(...)`."""
    return attribute(args[0], "__dict__") if args else sys._getframe(1).f_locals


def _globals(builder: Any) -> Any:
    """`globals()`."""
    return builder.objects.meet_one(sys._getframe(1).f_globals)


# Functions that look at the frame which calls them.
OF_FRAMES = frozenset({"breakpoint", "set_trace", "_getframe", "currentframe", "stack"})
# Builtin functions that are called with the builder.
OF_TRACE: dict[Any, Callable] = {vars: _vars, globals: _globals}


def _method(builder: Any, function: Any, *args: Any, **kwargs: Any) -> Any:
    """Call the method of a container."""
    container, name = function.__self__, function.__name__
    is_found = builder.objects.is_found(owner_of(container))
    by_key = isinstance(container, dict) and name in ("get", "pop", "setdefault") and bool(args)
    if is_found and by_key:
        watch_item(builder, container, args[0], Item(container, args[0]).read())
        if name == "get":
            return item(container, *args[:1]) if args[0] in container else function(*args)
    is_plain = not isinstance(function, types.MethodType)
    if is_found and not by_key and (name in TELLING or name not in MUTATING or not is_plain):
        note_contents(builder, container)
    if name not in MUTATING:
        return observed(builder, function, *args, **kwargs)
    if name in MUTATING:
        refuse_shared(builder.program, container)
        args = tuple(list(x) if isinstance(x, Iterator) else x for x in args)
        is_repeatable = is_plain and name != "sort"
        if name == "pop" and isinstance(container, set):  # which one it takes, nobody can say
            is_repeatable = False
        if owner_of(container) is not container:
            is_repeatable = False
        operation = Operation(name, args, kwargs) if is_repeatable else None
        builder.journal.note(Contents(container), operation)
    return function(*args, **kwargs)


def _note_outside(function: types.FunctionType) -> None:
    """Note what a function of the user that is not converted may read.

    One that the converted code itself defines has its names from there.
    """
    if is_converted(function.__code__):
        return
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    outside = Outside(function.__globals__, cells)
    names = _names_in(function)
    for name in sorted(names):
        if name not in cells and name not in outside.names:
            continue
        value = attribute(outside, name)
        if isinstance(value, (types.ModuleType, types.FunctionType, type, Value)):
            continue
        for below in sorted(names & set(getattr(value, "__dict__", ()))):
            attribute(value, below)


def _names_in(function: types.FunctionType) -> set[str]:
    """The names that a function, and those inside it, read from outside or of objects."""
    codes = [function.__code__]
    for code in codes:
        codes += [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return {n for code in codes for n in (*code.co_names, *code.co_freevars)}


def _held(changed: Changed) -> Any:
    return object.__getattribute__(changed, "holder")


def _augmented(value: Any) -> Any:
    mutable = isinstance(value, CONTAINERS) and is_traced(current())
    return Augmented(value) if mutable else value


def _place(holder: Any, name: str) -> Place:
    if isinstance(holder, Outside):
        place = holder.place(name) or holder.new_global(name)
        if is_traced(current()):
            current().objects.meet_one(place.holder)
        return place
    return Attribute(holder, name)


def _note(place: Place) -> None:
    builder = current()
    if is_traced(builder):
        builder.journal.note(place)


def _assign(place: Place, value: Any) -> None:
    if not isinstance(place, Attribute):
        place.write(value)
        return
    holder, name = place.holder, place.key
    if isinstance(holder, LayerLike) and isinstance(value, Variable) and name in holder._buffers:
        holder._buffers[name] = value  # while tracing: it does not become the data of the buffer
        count_change(holder)
    else:
        setattr(holder, name, value)


def _change_item(holder: Any, method: str, *args: Any) -> None:
    """Call `__setitem__`, `__delitem__` or an in-place operator of an object."""
    own = getattr(holder, method)
    if isinstance(own, types.MethodType) and not is_librarys(own.__func__):
        call(own)(*args)
    elif stack_of(holder) is not None:
        change_stack(holder, method, *args)
    elif isinstance(holder, CONTAINERS):
        refuse_shared(current().program, holder)
        is_own = owner_of(holder) is holder
        operation = Operation(method, args, {}) if is_own else None
        current().journal.note(Contents(holder), operation)
        own(*args)
    else:
        current().python_effect(f"{method} of a {type(holder).__name__}")
