"""Python's own state: what converted code reads is noted, what it changes is entered in a journal.

Without a trace, each of these does what the syntax that it stands for does.
"""

from __future__ import annotations

import functools
import gc
import inspect
import os
import types
from collections import defaultdict, deque
from collections.abc import Callable, Container
from enum import Enum
from itertools import chain
from typing import Any

from twinoar.core.interpreter import current
from twinoar.core.ir.program import Variable
from twinoar.core.layer_like import LayerLike
from twinoar.core.values import Value
from twinoar.eager.tensor import Parameter, Tensor
from twinoar.jit.contents import BUFFERS, CONTAINERS
from twinoar.jit.runtime.calls import call, in_place_of, written
from twinoar.jit.runtime.classes import ABSENT, has_source, is_special, once_for_class, tells
from twinoar.jit.runtime.host import refuse_hidden
from twinoar.jit.runtime.journal import (
    EVERYTHING,
    MEMBERS,
    MISSING,
    SUBLAYERS,
    Attribute,
    Cell,
    Contents,
    Item,
    Operation,
    Place,
)
from twinoar.jit.runtime.libraries import is_librarys
from twinoar.jit.runtime.lists import item_of as list_item
from twinoar.jit.runtime.lists import stack_of
from twinoar.jit.runtime.objects import Outside
from twinoar.jit.runtime.truth import refuse_key
from twinoar.jit.snapshot import PLAIN, Snapshot, containers_in, held_by, is_plain, same

SIMPLE = (*PLAIN, tuple, frozenset, super)
BUILTIN = frozenset(CONTAINERS)
# Methods of a library's class by which its objects answer Python with what they hold.
ANSWERING = frozenset(
    {
        "__len__", "__iter__", "__contains__", "__getitem__", "__eq__", "__lt__", "__bool__",
        "__float__", "__int__", "__index__", "__add__", "__mul__", "__enter__", "__str__",
    }
)  # fmt: skip
VIEWS: tuple[type, ...] = (
    types.MappingProxyType, type({}.keys()), type({}.values()), type({}.items()),
)  # fmt: skip
METHODS = (types.BuiltinMethodType, types.MethodType, types.MethodWrapperType)
# What leads to other containers, whose contents may change while these stay what they are.
REACHING = (types.FunctionType, functools.partial, *VIEWS, *METHODS)
OF_GRADIENTS = frozenset({"stop_gradient", "trainable"})
OF_TENSORS = frozenset({"_data", "producer", "weak"})  # what a tensor is, in attributes of its own
INTERNAL = "_internal"  # in classes of the package: attributes that a trace itself sets


def attribute(holder: Any, name: str, whole: bool = True) -> Any:
    """`holder.name`. whole: the value is used as it is, not only by its attributes or items."""
    if isinstance(holder, Outside):
        return _outside(holder, name, whole)
    builder = current()
    is_simple = type(holder) in BUILTIN or isinstance(holder, SIMPLE)
    if not is_traced(builder) or (is_simple and not isinstance(holder, Enum)):
        return getattr(holder, name)
    if isinstance(holder, Value):
        if name == "stop_gradient" and isinstance(holder, Variable):
            return holder.latest().stop_gradient
        note_trait(builder, holder, name)
        return getattr(holder, name)
    builder.classes.meet(type(holder))
    if isinstance(holder, types.ModuleType):
        return _of_module(builder, holder, name, whole)
    if name == "__dict__":
        return builder.objects.meet_one(holder.__dict__)
    declared = inspect.getattr_static(type(holder), name, None)
    builder.classes.meet(type(declared))
    if isinstance(declared, property) and declared.fget is not None:
        return call(declared.fget)(holder)
    if isinstance(declared, functools.cached_property):
        return _cached(builder, holder, name, declared, whole)
    place = Attribute(holder, name)
    value = getattr(holder, name)
    table = place.table()
    if table is None and (declared is None or hasattr(declared, "__set__")):
        return _read(builder, place, _getter(holder), value, whole)
    if table is not None and name in table:
        if table[name] is not value:  # a descriptor of a class
            _watch(builder, place, table.get, written(table[name]))
            return value
        return _read(builder, place, table.get, written(value), whole)
    return _of_class(builder, place, {} if table is None else table, value, whole)


def item(holder: Any, key: Any, whole: bool = True) -> Any:
    """`holder[key]`. whole: the value is used as it is, not only by its attributes or items."""
    builder = current()
    if not is_traced(builder) or isinstance(holder, Value):
        return holder[key]
    if isinstance(holder, dict):
        refuse_key(holder, key)
    if isinstance(holder, list) and (isinstance(key, Value) or stack_of(holder) is not None):
        note_contents(builder, holder)
        return list_item(holder, key)
    method = written(getattr(type(holder), "__getitem__", None))
    if isinstance(method, types.FunctionType):
        return call(types.MethodType(method, holder))(key)
    if isinstance(holder, defaultdict) and holder.default_factory and key not in holder:
        return _by_factory(builder, holder, key)
    if not isinstance(holder, (dict, list, deque)) or not builder.objects.is_found(holder):
        return holder[key]
    if isinstance(holder, dict) and key not in holder and hasattr(type(holder), "__missing__"):
        note_contents(builder, holder)
        builder.journal.note(Contents(holder))
        return holder[key]
    if not isinstance(holder, dict) and not isinstance(key, int):
        note_contents(builder, holder)
        return holder[key]
    is_before = watch_item(builder, holder, key, Item(holder, key).read())
    value = holder[key]
    if is_before:
        meet(builder, value, whole)
    return value


def _by_factory(builder: Any, holder: defaultdict, key: Any) -> Any:
    if builder.objects.is_found(holder):
        note_contents(builder, holder)
    value = call(holder.default_factory)()
    builder.journal.note(Contents(holder), Operation("__setitem__", (key, value), {}))
    dict.__setitem__(holder, key, value)
    return value


@in_place_of(getattr)
def getattr_(holder: Any, name: str, *default: Any) -> Any:
    """`getattr(holder, name, default)`."""
    if not default:
        return attribute(holder, name)
    try:
        return attribute(holder, name)
    except AttributeError:
        _note_absent(holder, name)
        return default[0]


@in_place_of(hasattr)
def hasattr_(holder: Any, name: str) -> bool:
    """`hasattr(holder, name)`; that the attribute is absent is noted."""
    found = hasattr(holder, name)
    builder = current()
    if is_traced(builder) and not isinstance(holder, SIMPLE):
        place = Attribute(holder, name)
        table = place.table()
        if not found:
            _note_absent(holder, name)
        elif table is not None and name in table:
            _watch(builder, place, table.get, table[name])
    return found


def _note_absent(holder: Any, name: str) -> None:
    builder = current()
    if is_traced(builder) and not isinstance(holder, SIMPLE):
        place = Attribute(holder, name)
        if place.table() is not None:
            _watch(builder, place, lambda key, missing: place.read(), MISSING)


def meet(builder: Any, value: Any, whole: bool) -> None:
    """`value` came from outside; where it is used as a `whole`, so did what is in it.

    Of an object with special methods, which Python calls as they are, that is all its attributes.
    """
    refuse_hidden(value)
    builder.classes.meet(type(value))
    if isinstance(value, type):
        builder.classes.meet(value)
    if isinstance(value, LayerLike):
        note_layer(builder, value)
    elif isinstance(value, (tuple, *CONTAINERS)):
        builder.objects.meet(value)
        if isinstance(value, BUFFERS):
            note_contents(builder, value)
        elif whole:
            for inner in value if isinstance(value, tuple) else (value,):
                if isinstance(inner, tuple):
                    meet(builder, inner, whole)
                elif isinstance(inner, CONTAINERS):
                    note_contents(builder, inner)
    elif isinstance(value, types.FunctionType):
        meet_defaults(builder, value)
    elif isinstance(value, functools.partial):
        note_contents(builder, builder.objects.meet_one(value.keywords))
        for inner in (value.func, *value.args):
            meet(builder, inner, whole=True)
    elif tells(type(value)):
        listen(builder, value)
    elif isinstance(value, VIEWS):
        for behind in gc.get_referents(value):  # the dict
            meet(builder, behind, whole=True)
    elif isinstance(value, functools.partial):
        for part in (value.func, value.args, value.keywords):
            meet(builder, part, whole=True)
    elif isinstance(value, METHODS) and not isinstance(value.__self__, types.ModuleType):
        meet(builder, value.__self__, whole=True)
    elif whole and (value is os.environ or has_hidden_methods(type(value))):
        note_object(builder, value)


def meet_defaults(builder: Any, function: Any) -> None:
    """The defaults of a function from outside are from there too."""
    if isinstance(function, types.FunctionType) and not is_librarys(function):
        found = function.__defaults__ or (), (function.__kwdefaults__ or {}).values()
        for value in chain(*found):
            meet(builder, value, whole=True)


def note_object(builder: Any, holder: Any, names: Container[str] | None = None) -> None:
    """Code that is not converted may read the attributes of `holder`: all, or those of `names`."""
    space = getattr(holder, "__dict__", None)
    if isinstance(holder, (*SIMPLE, LayerLike, type, types.ModuleType)) or space is None:
        return
    if builder.objects.is_made(holder):
        return
    if tells(type(holder)):
        listen(builder, holder)
        return
    if names is None:
        if id(holder) in builder.objects.noted:
            return
        builder.objects.noted.add(id(builder.objects.meet_one(holder)))
    for name in list(space):
        if names is None or name in names:
            attribute(holder, name)


@once_for_class
def has_hidden_methods(kind: type) -> bool:
    """True for a class with special methods that are not converted: generated, or a library's."""
    return any(
        isinstance(x, types.FunctionType)
        and (name in ANSWERING if is_librarys(c) else is_special(name) and not has_source(x))
        for c in kind.__mro__
        for name, x in vars(c).items()
    )


def listen(builder: Any, x: Any) -> None:
    """From here on an object of the package's tells what is read of it, and what is changed."""
    if id(x) not in builder.objects.telling and not builder.objects.is_made(x):
        builder.objects.telling[id(x)] = x
        builder.classes.tell(type(x), _told_of_reading, _told_of_change)
        builder.classes.tell(Parameter, _told_of_trait, _told_of_change)


def _told_of_reading(holder: Any, name: str, value: Any) -> None:
    builder = current()
    if not is_traced(builder) or id(holder) not in builder.objects.telling:
        return
    if name in getattr(type(holder), INTERNAL, ()):
        return
    place = Attribute(holder, name)
    table = place.table()
    if table is None:
        if hasattr(inspect.getattr_static(type(holder), name, None), "__set__"):
            _read(builder, place, _getter(holder), value, True)
    elif name in table:
        _read(builder, place, table.get, value, True)
    elif value is ABSENT:
        _watch(builder, place, table.get, MISSING)
    elif any(name in c.__dict__ for c in type(holder).__mro__):
        _of_class(builder, place, table, value, True)


def _told_of_change(holder: Any, name: str, value: Any) -> None:
    builder = current()
    if (
        is_traced(builder)
        and id(holder) in builder.objects.telling
        and name not in getattr(type(holder), INTERNAL, ())
    ):
        builder.journal.note(Attribute(holder, name))


def _told_of_trait(x: Any, name: str, value: Any) -> None:
    builder = current()
    if is_traced(builder) and not name.startswith("_") and name not in (*OF_GRADIENTS, "name"):
        note_trait(builder, x, name)


def note_trait(builder: Any, x: Any, name: str) -> None:
    """The trace asks a tensor for what users may have attached to it, or for its name."""
    if not isinstance(x, Tensor):
        return
    if name in OF_GRADIENTS:
        first = first_value(builder, Attribute(x, "stop_gradient"))
        builder.guards.note_stop_gradient(x, x.stop_gradient if first is UNNOTED else first)
    elif name == "name":
        _watch(builder, Attribute(x, "_name"), _getter(x), x.name and x._name)
    elif name not in OF_TENSORS and not hasattr(type(x), name):
        place, space = Attribute(x, name), vars(x)
        _read(builder, place, space.get, space.get(name, MISSING), True)


def note_kept(builder: Any, place: Place) -> None:
    """A branch or loop that a tensor decides may leave `place` as it is: that is a reading."""
    if not is_traced(builder) or not isinstance(place, (Attribute, Item, Cell, Contents)):
        return
    if isinstance(place, Contents):
        note_contents(builder, place.holder)
        return
    value = place.read()
    if not isinstance(value, Variable) and not place.is_own:
        _watch(builder, place, lambda key, missing: place.read(), value)


def note_contents(builder: Any, container: Any) -> None:
    """The trace depends on all that `container` holds."""
    place = Contents(container)
    if place in builder.live or not builder.objects.is_found(place.holder):
        return
    # An optimizer looks into the list of all parameters once for each of them.
    if builder.objects.is_looked_through(container):
        return
    before = first_value(builder, place)
    snapshot = Snapshot(place.holder, None if before is UNNOTED else before)
    builder.guards.watch_contents(place, snapshot)
    held = [(x, held_by(x)) for x in containers_in(container).values()]
    for _, contents in held:
        for inner in contents:
            if isinstance(inner, LayerLike):
                note_layer(builder, inner)
            elif not isinstance(inner, SIMPLE):
                meet(builder, inner, whole=True)
    if not any(isinstance(inner, REACHING) for _, contents in held for inner in contents):
        builder.objects.looked_through[id(container)] = held


def note_layer(builder: Any, layer: LayerLike) -> None:
    """The trace depends on what the layer is made of, as far as its code is not converted."""
    builder.classes.meet(type(layer))
    forward = written(getattr(type(layer), "forward", None))
    builder.guards.note_layer(layer, EVERYTHING if is_librarys(forward) else SUBLAYERS)


def note_tree(builder: Any, layer: LayerLike) -> None:
    """Code that is not converted may look at the layer, and at all below it."""
    builder.classes.tell_changes(type(layer), _told_of_change)
    for x in (layer, *layer.sublayers()):  # type: ignore[attr-defined]
        builder.objects.telling[id(x)] = x
        own = is_librarys(type(x))
        builder.guards.note_layer(x, EVERYTHING if own else MEMBERS)


def watch_item(builder: Any, holder: Any, key: Any, value: Any) -> bool:
    """Note what a dict or list holds at `key`; False where the trace itself has put it there."""
    if isinstance(value, Variable):
        return False
    before = first_value(builder, Contents(holder))
    if before is not UNNOTED and Item(before, key).read() is not value:
        return False
    getter = holder.get if isinstance(holder, dict) else _index(holder)
    return _watch(builder, Item(holder, key), getter, value)


UNNOTED = object()


def first_value(builder: Any, place: Place) -> Any:
    """What `place` held before the trace, if the trace has changed it; else UNNOTED."""
    found = UNNOTED
    while builder is not None:
        found = builder.journal.before.get(place, found)
        builder = builder.outer
    return found


def is_traced(builder: Any) -> bool:
    """True while a function is traced."""
    return builder.traces


def _outside(outside: Outside, name: str, whole: bool) -> Any:
    place = outside.place(name)
    value = MISSING if place is None else place.read()
    if place is None or value is MISSING:
        return outside.builtin(name)
    builder = current()
    if not is_traced(builder) or isinstance(value, types.ModuleType):
        return value
    builder.objects.meet_one(place.holder)
    getter = outside.names.get if isinstance(place, Item) else _contents(place.holder)
    return _read(builder, place, getter, value, whole)


def _of_module(builder: Any, module: types.ModuleType, name: str, whole: bool) -> Any:
    value = getattr(module, name)
    if value is os.environ:
        note_object(builder, value)
    if is_librarys(module) or isinstance(value, types.ModuleType):
        return value
    return _read(builder, Attribute(module, name), vars(module).get, value, whole)


def _of_class(builder: Any, place: Attribute, table: Any, value: Any, whole: bool) -> Any:
    """An attribute that an object has from its class, or by `__getattr__`."""
    holder, name = place.holder, place.key
    lookup = holder.__mro__ if isinstance(holder, type) else type(holder).__mro__
    owner = next((c for c in lookup if name in c.__dict__), None)
    if owner is None:
        return _computed(builder, place, value, whole)
    if is_librarys(owner):
        return value
    _watch(builder, place, lambda key, missing: place.read(), MISSING)
    raw = written(owner.__dict__[name])
    if raw is value or (isinstance(value, types.FunctionType) and written(value) is raw):
        return _read(builder, Attribute(owner, name), owner.__dict__.get, raw, whole)
    _watch(builder, Attribute(owner, name), owner.__dict__.get, raw)
    meet_defaults(builder, getattr(raw, "__func__", raw))
    return value


def _computed(builder: Any, place: Attribute, value: Any, whole: bool) -> Any:
    """An attribute that `__getattr__` has given, or what Python itself computes."""
    own = getattr(type(place.holder), "__getattr__", None)
    if has_source(written(own)):
        _watch(builder, place, lambda key, missing: place.read(), MISSING)
        return value
    if isinstance(place.holder, CONTAINERS):
        note_contents(builder, place.holder)
        return value
    if getattr(place.holder, place.key) is value:
        return _read(builder, place, _getter(place.holder), value, whole)
    return value


def _cached(builder: Any, holder: Any, name: str, declared: Any, whole: bool) -> Any:
    place = Attribute(holder, name)
    table = holder.__dict__
    if name in table:
        return _read(builder, place, table.get, table[name], whole)
    _watch(builder, place, table.get, MISSING)
    value = call(declared.func)(holder)
    builder.journal.note(place)
    table[name] = value
    return value


def _read(builder: Any, place: Place, getter: Callable, value: Any, whole: bool) -> Any:
    if not isinstance(value, Variable) and _watch(builder, place, getter, value):
        meet(builder, value, whole)
    return value


def _watch(builder: Any, place: Place, getter: Callable, value: Any) -> bool:
    """Note a guard; False where the trace itself has put the value there."""
    if first_value(builder, place) is not UNNOTED or builder.objects.is_made(place.holder):
        return False
    if id(place.holder) in builder.objects.fresh:
        return False
    agrees = same if is_plain(value) or isinstance(value, tuple) else None
    builder.guards.watch(place, getter, place.key, value, agrees)
    return True


def _getter(holder: Any) -> Callable[[Any, Any], Any]:
    return functools.partial(getattr, holder)


def _contents(cell: types.CellType) -> Callable[[Any, Any], Any]:
    def contents(key: Any, missing: Any) -> Any:
        try:
            return cell.cell_contents
        except ValueError:
            return missing

    return contents


def _index(items: Any) -> Callable[[Any, Any], Any]:
    def item_at(key: int, missing: Any) -> Any:
        return items[key] if -len(items) <= key < len(items) else missing

    return item_at
