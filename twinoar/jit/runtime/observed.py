"""Calls of code that is not converted: what they may read is noted, what they change is found out.

A trace cannot follow such code. So what it can reach from its arguments is compared before and
after: a difference is a change as any other, which is merged, undone and repeated. What keeps its
state where nobody can look is refused.
"""

from __future__ import annotations

import functools
import operator
import threading
import types
import weakref
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

import numpy as np

from twinoar.core.interpreter import current
from twinoar.core.layer_like import LayerLike
from twinoar.core.values import Value
from twinoar.errors import ConversionError
from twinoar.jit.contents import BUFFERS, CONTAINERS, HOLDING, contents_of, is_as, owner_of
from twinoar.jit.runtime.alias import refuse_shared
from twinoar.jit.runtime.calls import call
from twinoar.jit.runtime.classes import has_source, tells
from twinoar.jit.runtime.iterators import advance
from twinoar.jit.runtime.journal import Attribute, Contents, Effect, Place
from twinoar.jit.runtime.libraries import PACKAGE_NAME, is_librarys
from twinoar.jit.runtime.state import VIEWS, meet, note_contents, note_object, note_tree
from twinoar.jit.snapshot import PLAIN

MOST = 4096  # objects that are looked at for one call
UNSEEN = (*PLAIN, Value, type, types.ModuleType, types.CodeType, BaseException)
# Without a state of their own, or one that does not matter.
SEEN = (
    frozenset, types.FunctionType, types.BuiltinFunctionType, types.MethodType,
    types.MethodWrapperType, types.MethodDescriptorType, types.WrapperDescriptorType,
    types.GenericAlias, types.EllipsisType, types.NotImplementedType, np.ufunc, np.flatiter,
    weakref.ref, property, super, functools.partial, operator.attrgetter, operator.itemgetter,
    operator.methodcaller, type(threading.Lock()), type(threading.RLock()), *VIEWS,
)  # fmt: skip
LAZY = "itertools"  # its classes call functions later, and are gone when the function is


def observed(builder: Any, function: Any, *args: Any, **kwargs: Any) -> Any:
    """Call `function`, of a library or not converted, as a trace does."""
    given = [getattr(function, "__self__", None), *args, *kwargs.values()]
    reached = _reached(given)
    for x in reached:
        _note_reading(builder, x)
    for x in given:
        _note_reading(builder, x)
    opaque = [_opaque(builder, x) for x in given if is_opaque(x)]
    kept = [(p, p.read(), p.keep()) for p in (*_places(reached), *opaque)]
    known = len(builder.journal.log)
    args = tuple(_followed(function, x) for x in args)
    kwargs = {k: _followed(function, x) for k, x in kwargs.items()}
    try:
        made = function(*args, **kwargs)
    finally:
        told = {place for place, _ in builder.journal.log[known:]}
        for place, before, keeping in kept:
            if place not in told and not _is_as(place, before):
                _changed(builder, place, before, keeping)
    if is_opaque(made) and all(made is not x for x in given):
        builder.objects.fresh[id(made)] = made, builder.block
    return made


def _changed(builder: Any, place: Place, before: Any, keeping: Any) -> None:
    if isinstance(place, Hidden):
        place.refuse("is changed")
    if isinstance(place, Contents):
        refuse_shared(builder.program, place.holder)
    builder.journal.note_change(place, before, keeping)


class Hidden(Place):
    """What an object of a library holds where only its own code looks: it can be compared."""

    key = None

    def __init__(self, holder: Any):
        self.holder = holder

    def __str__(self) -> str:
        return f"what a {type(self.holder).__name__} holds"

    def read(self) -> Any:
        """What it is pickled by, as text: parts of it need not be comparable."""
        try:
            return repr(self.holder.__reduce_ex__(4)[1:])
        except Exception:  # whatever it says: it cannot be pickled
            self.refuse("is used")

    def refuse(self, how: str) -> NoReturn:
        """Raise ConversionError."""
        name = type(self.holder).__name__
        raise ConversionError(
            f"a {name} {how}, which a converted function would do once, when it is traced: what it "
            "holds cannot be followed",
            cure="do it outside, and pass what it gives as an argument; or make the "
            f"{name} where it is used",
        )


def _opaque(builder: Any, x: Any) -> Place:
    """What an object holds, which the trace depends on; nothing where it made the object here."""
    _, block = builder.objects.fresh.get(id(x), (None, None))
    if block is builder.block:
        return Effect(x)
    if hasattr(type(x), "__next__"):
        advance(x)
        return Effect(x)
    place = Hidden(x)
    builder.guards.watch(place, lambda key, missing: place.read(), None, place.read(), operator.eq)
    return place


def is_opaque(x: Any) -> bool:
    """True for an object of a library that keeps what it holds where only its own code looks."""
    if isinstance(x, (*UNSEEN, *SEEN, tuple, *CONTAINERS)) or _space(x) is not None:
        return False
    return is_librarys(type(x)) and not type(x).__module__.startswith(PACKAGE_NAME)


def _followed(function: Any, x: Any) -> Any:
    """An argument; a function of the user's, which is called and not kept, in converted form."""
    keeps = isinstance(function, type) and function.__module__ != LAZY
    if keeps or not isinstance(x, (types.FunctionType, types.MethodType, types.BuiltinMethodType)):
        return x
    changes = isinstance(getattr(x, "__self__", None), CONTAINERS)
    return call(x) if changes or has_source(getattr(x, "__func__", x)) else x


def note_all(*given: Any) -> None:
    """Code that is not converted may read all of what is given, and changes nothing."""
    builder: Any = current()
    if builder.traces:
        for x in (*given, *_reached(given)):
            _note_reading(builder, x)


def _note_reading(builder: Any, x: Any) -> None:
    """The code that is called may read all of `x`."""
    if isinstance(x, LayerLike):
        note_tree(builder, x)
    elif isinstance(x, CONTAINERS):
        note_contents(builder, x)
    elif isinstance(x, tuple):
        meet(builder, x, whole=True)
    elif not isinstance(x, UNSEEN) and not tells(type(x)):
        note_object(builder, x)


def _reached(given: Iterable[Any]) -> list[Any]:
    """What can be changed and is found in these, however deep: containers, and objects."""
    found: dict[int, Any] = {}
    waiting = list(given)
    while waiting and len(found) < MOST:
        x = waiting.pop()
        if id(x) in found or isinstance(x, UNSEEN):
            continue
        if isinstance(x, tuple):
            waiting += x
        elif isinstance(x, dict):
            found[id(x)] = x
            waiting += contents_of(x).values()
        elif isinstance(x, HOLDING):
            found[id(x)] = x
            waiting += contents_of(x)
        elif isinstance(owner_of(x), BUFFERS):
            found[id(owner_of(x))] = owner_of(x)
        elif _is_object(x):
            found[id(x)] = x
            waiting += [value for _, value in _attributes(x)]
    return list(found.values())


def _is_object(x: Any) -> bool:
    """True for an object of the user's or of a library, but the package, with attributes."""
    if isinstance(x, LayerLike) or tells(type(x)) or type(x).__module__.startswith(PACKAGE_NAME):
        return False
    return isinstance(_space(x), dict) and not isinstance(x, types.FunctionType)


def _space(x: Any) -> Any:
    try:
        return object.__getattribute__(x, "__dict__")
    except (AttributeError, TypeError):
        return None


def _attributes(x: Any) -> Iterator[tuple[str, Any]]:
    yield from list(_space(x).items())


def _places(reached: Iterable[Any]) -> Iterator[Place]:
    for x in reached:
        if isinstance(x, CONTAINERS):
            yield Contents(x)
        if _is_object(x):
            yield from (Attribute(x, name) for name, _ in _attributes(x))


def _is_as(place: Place, before: Any) -> bool:
    """True if a place holds what it held."""
    x = place.holder
    if isinstance(place, (Effect, Hidden)):
        return place.read() == before
    if isinstance(place, Attribute):
        return place.read() is before
    if isinstance(x, BUFFERS):
        return is_as(x, before)
    if isinstance(x, set):
        return bool(x == before)
    now, then = contents_of(x), before
    if isinstance(x, dict):
        if not all(a is b for a, b in zip(now, then, strict=False)):
            return False
        now, then = now.values(), then.values()
    return len(now) == len(then) and all(a is b for a, b in zip(now, then, strict=True))
