"""What a trace relied on, and whether it still holds when the function is called again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter, is_
from types import FunctionType
from typing import Any, NamedTuple

from twinoar.core.ir.program import among
from twinoar.core.layer_like import LatestChange, LayerLike
from twinoar.core.settings import FIRST, LatestSetting, settings_now
from twinoar.core.values import Value
from twinoar.eager.tensor import ZEROS, Tensor
from twinoar.errors import SourceLine, user_line
from twinoar.jit.runtime.journal import (
    EVERYTHING,
    HIDDEN,
    MEMBERS,
    MISSING,
    SUBLAYERS,
    TABLES,
    Attribute,
    Place,
)
from twinoar.jit.snapshot import Snapshot, frozen, matches
from twinoar.jit.sweep import Sweep

HOOKS = ("_forward_pre_hooks", "_forward_post_hooks")
UNREAD = {*TABLES, *HOOKS, HIDDEN, "_changed", "_static_functions", "_state_dict_hooks", "forward"}


class Watched(NamedTuple):
    """A place that was read: `getter(key, MISSING)` gave `expected`, on the line `source`.

    agrees: whether another object will do as well; None where only the very one does.
    """

    getter: Callable[[Any, Any], Any]
    key: Any
    expected: Any
    agrees: Callable[[Any, Any], bool] | None
    place: Any
    source: SourceLine | None

    def difference(self) -> Difference | None:
        """What is other than it was, if anything."""
        now = self.getter(self.key, MISSING)
        if now is self.expected or (self.agrees is not None and self.agrees(now, self.expected)):
            return None
        return Difference(str(self.place), said(self.expected), said(now), self.source, self.place)


class Difference(NamedTuple):
    """Why a Program does not fit a call: what it found there, what is there now, where it read it.

    place: what can be assigned there, where that is known.
    """

    what: str
    then: str
    now: str
    source: SourceLine | None = None
    place: Any = None

    def __str__(self) -> str:
        read = f", read at {self.source}" if self.source else ""
        return f"{self.what} was {self.then}, and is {self.now}{read}"


class Reading(NamedTuple):
    """What a trace found at one place, and the line that read it, where that is known."""

    what: str
    found: Any
    source: SourceLine | None = None

    def __str__(self) -> str:
        return f"{self.what} = {said(self.found)}"


class WatchedLayer:
    """What a layer that is called, or looked into, is made of: its hooks, and what `extent` says.

    extent: SUBLAYERS, MEMBERS or EVERYTHING.
    """

    def __init__(self, layer: Any, extent: int, source: SourceLine | None):
        self.layer, self.source = layer, source
        self.space = space = layer.__dict__
        self.number = space["_changed"]
        self.assigned: set[str] = set()
        tables = ("_sub_layers",) if extent == SUBLAYERS else TABLES
        self.tables = {name: dict(space.get(name, ())) for name in (*tables, *HOOKS)}
        self.plain = {
            k: frozen(v)
            for k, v in space.items()
            if k not in UNREAD
            and (extent == EVERYTHING or (extent == MEMBERS and k.startswith("_")))
        }

    def forget(self, name: str) -> None:
        """The function itself assigns the attribute `name`: that it is there is what counts."""
        if name != "training":
            self.plain.pop(name, None)
            self.assigned.add(name)

    def difference(self) -> Difference | None:
        """What is other than it was, if anything."""
        space = self.space
        number = space["_changed"]
        if number == self.number:
            return None
        for table, members in self.tables.items():
            now = space.get(table, {})
            for name in members.keys() | now.keys():
                is_assigned = name in self.assigned and (name in members) is (name in now)
                if now.get(name) is not members.get(name) and not is_assigned:
                    if table in HOOKS:
                        name = "hooks"
                    return self._difference(name, members.get(name), now.get(name))
        for name, value in self.plain.items():
            if name not in space or not matches(space[name], value):
                return self._difference(name, value, space.get(name, MISSING))
        self.number = number
        return None

    def _difference(self, name: str, then: Any, now: Any) -> Difference:
        place = Attribute(self.layer, name)
        return Difference(str(place), said(then), said(now), self.source, place)


class Guards:
    """What was found when a function was traced, in lists that a call walks.

    Attributes of layers are looked at only where some layer has changed since they were last found
    to hold; other places only where not all of them hold the very objects that they held.
    """

    def __init__(self) -> None:
        self._noted: set[tuple[int, Any]] = set()
        self.same: list[tuple[Any, str, Any]] = []
        self.stopped: list[Value] = []
        self.wanting: list[Value] = []
        self.empty: list[Tensor] = []
        self.full: list[Tensor] = []
        self.hookless: list[Tensor] = []
        self.functions: list[tuple[FunctionType, tuple]] = []
        self.watched: list[Watched] = []
        self.of_layers: list[Watched] = []
        self.layers: list[WatchedLayer] = []
        self._sweep: Sweep | None = None  # of what is watched, made when it has held
        self._number = LatestChange.number
        self._setting, self._settings = LatestSetting.number, settings_now()

    def note(self, holder: Any, attribute: str, value: Any) -> None:
        """The attribute of the holder is this very value."""
        if self._is_new(holder, attribute):
            self.same.append((holder, attribute, value))

    def note_stop_gradient(self, x: Value, stop_gradient: bool) -> None:
        """The tensor wants no gradient, or wants one."""
        if self._is_new(x, "stop_gradient"):
            (self.stopped if stop_gradient else self.wanting).append(x)

    def note_empty(self, x: Tensor) -> None:
        """The tensor has no gradient, or zeros that nobody has looked at."""
        if self._is_new(x, "empty"):
            self.empty.append(x)

    def note_full(self, x: Tensor) -> None:
        """The tensor has a gradient."""
        if self._is_new(x, "full"):
            self.full.append(x)

    def note_hookless(self, x: Tensor) -> None:
        """The tensor has no hook."""
        if self._is_new(x, "hookless"):
            self.hookless.append(x)

    def note_function(self, function: FunctionType) -> None:
        """The function has this code, and these defaults."""
        if self._is_new(function, "function"):
            self.functions.append((function, form_of(function)))

    def watch(
        self,
        place: Place,
        getter: Callable[[Any, Any], Any],
        key: Any,
        value: Any,
        agrees: Callable[[Any, Any], bool] | None = None,
    ) -> None:
        """`place`, which `getter(key, MISSING)` reads, holds `value`, or what `agrees` with it."""
        if self._is_new(place.holder, (type(place), place.key)):
            watched = Watched(getter, key, value, agrees, place, user_line())
            counted = isinstance(place, Attribute) and counts_changes(place.holder)
            (self.of_layers if counted else self.watched).append(watched)
            self._sweep = None

    def watch_contents(self, place: Place, snapshot: Snapshot) -> None:
        """The container is what it was."""
        self.watch(place, _held_by(snapshot.container), None, snapshot, _agrees_with_snapshot)

    def watch_live(self, place: Place, live: Any) -> None:
        """`place` holds what the Program can read anew."""
        self.watch(place, lambda key, missing: place.read(), None, live, _fits)

    def note_layer(self, layer: LayerLike, extent: int) -> None:
        """The layer is called, or looked into: SUBLAYERS, MEMBERS or EVERYTHING count."""
        if not self._is_new(layer, ("layer", extent)):
            return
        if counts_changes(layer):
            self.layers.append(WatchedLayer(layer, extent, user_line()))
        else:
            self.note(layer, "training", layer.training)

    def forget(self, places: Any) -> None:
        """The function itself assigns these places of layers that it calls."""
        names: dict[int, list[str]] = {}
        for place in places:
            if isinstance(place, Attribute):
                names.setdefault(id(place.holder), []).append(place.key)
        for watched in self.layers:
            for name in names.get(id(watched.layer), ()):
                watched.forget(name)

    def places(self) -> list[Place]:
        """The places that were read."""
        return [watched.place for watched in (*self.watched, *self.of_layers)]

    def found_values(self) -> list[Any]:
        """What those places held."""
        return [watched.expected for watched in (*self.watched, *self.of_layers)]

    def hold(self) -> bool:
        """True while all of it is as it was."""
        if self._setting != LatestSetting.number and not self._settings_hold():
            return False
        for holder, attribute, value in self.same:
            if getattr(holder, attribute, None) is not value:
                return False
        if not NO_GRADIENT.issuperset(map(_gradient, self.empty)):
            return False
        if not NO_GRADIENT.isdisjoint(map(_gradient, self.full)):
            return False
        if any(map(_hooks, self.hookless)):
            return False
        for function, form in self.functions:
            if not is_form(function, form):
                return False
        if any(map(_stops, self.wanting)) or not all(map(_stops, self.stopped)):
            return False
        if not self._watched_hold():
            return False
        return self._number == LatestChange.number or self._layers_hold()

    def _watched_hold(self) -> bool:
        sweep = self._sweep
        if sweep is not None and sweep.is_same():
            return not sweep.others or _hold(sweep.others)
        if not _hold(self.watched):
            return False
        # A place that holds another object which agrees may do so again: it is compared each time.
        self._sweep = Sweep(self.watched) if sweep is None else sweep.without_moved()
        return True

    def _settings_hold(self) -> bool:
        number = LatestSetting.number
        if self.changed_setting() is not None:
            return False
        self._setting = number
        return True

    def changed_setting(self) -> Difference | None:
        """The first setting of the process that is another one now."""
        for name, value in settings_now().items():
            before = self._settings.get(name, FIRST[name])
            if before != value:
                return Difference(name, said(before), said(value))
        return None

    def _layers_hold(self) -> bool:
        number = LatestChange.number
        if not _hold(self.of_layers):
            return False
        for watched in self.layers:
            if watched.space["_changed"] != watched.number and watched.difference() is not None:
                return False
        self._number = number
        return True

    def _difference_of_layers(self) -> Difference | None:
        places: list[Watched | WatchedLayer] = [*self.of_layers, *self.layers]
        for watched in places:
            found = watched.difference()
            if found is not None:
                return found
        return None

    def difference(self) -> Difference | None:
        """The first thing that is not as it was; None if all is."""
        changed = self.changed_setting()
        if changed is not None:
            return changed
        for holder, attribute, value in self.same:
            now = getattr(holder, attribute, None)
            if now is not value:
                return Difference(_said_of(holder, attribute), said(value), said(now))
        for x in (*self.wanting, *self.stopped):
            if x.stop_gradient == among(x, self.wanting):
                now, then = str(x.stop_gradient), str(not x.stop_gradient)
                return Difference(f"{x.name}.stop_gradient", then, now)
        for x in self.empty:
            if x._grad is not None and x._grad is not ZEROS:
                return Difference(f"the gradient of {x.name}", "empty", "present")
        for x in self.full:
            if x._grad is None or x._grad is ZEROS:
                return Difference(f"the gradient of {x.name}", "present", "empty")
        for x in self.hookless:
            if x._hooks:
                return Difference(f"the hooks of {x.name}", "none", "present")
        for function, form in self.functions:
            if not is_form(function, form):
                is_code = form_of(function)[0] is not form[0]
                what = "code" if is_code else "defaults"
                was, there = ("other ones", "those it has")
                return Difference(f"the {what} of {function.__qualname__}", was, there)
        for watched in self.watched:
            found = watched.difference()
            if found is not None:
                return found
        return self._difference_of_layers()

    def readings(self) -> Iterator[Reading]:
        """All that it was found to be."""
        for holder, attribute, value in self.same:
            yield Reading(_said_of(holder, attribute), value)
        yield from (Reading(f"the gradient of {x.name}", None) for x in self.empty)
        yield from (Reading(f"the gradient of {x.name}", x._grad) for x in self.full)
        yield from (Reading(f"the hooks of {x.name}", {}) for x in self.hookless)
        for watched in (*self.watched, *self.of_layers):
            yield Reading(str(watched.place), watched.expected, watched.source)
        for layer in self.layers:
            yield Reading(f"the parts of {type(layer.layer).__name__}", layer, layer.source)

    def _is_new(self, holder: Any, what: Any) -> bool:
        """True the first time; the lists keep the holders alive, so that ids stay theirs."""
        key = id(holder), what
        if key in self._noted:
            return False
        self._noted.add(key)
        return True


NO_GRADIENT = frozenset({None, ZEROS})
_stops, _gradient, _hooks = map(attrgetter, ("stop_gradient", "_grad", "_hooks"))


def form_of(function: FunctionType) -> tuple:
    """What decides what a function does, besides what it reads."""
    named = function.__kwdefaults__
    if not named:
        return function.__code__, function.__defaults__
    return function.__code__, function.__defaults__, *named, *named.values()


def is_form(function: FunctionType, form: tuple) -> bool:
    """True while the function does what it did."""
    if function.__code__ is not form[0] or function.__defaults__ is not form[1]:
        return False
    if not function.__kwdefaults__:
        return len(form) == 2
    now = form_of(function)
    return len(now) == len(form) and all(map(is_, now, form))


def _hold(guards: list[Watched]) -> bool:
    for getter, key, expected, agrees, _, _ in guards:
        now = getter(key, MISSING)
        if now is not expected and (agrees is None or not agrees(now, expected)):
            return False
    return True


def counts_changes(layer: Any) -> bool:
    """True for a layer that tells when one of its attributes changes."""
    return isinstance(layer, LayerLike) and "_changed" in layer.__dict__


def _said_of(holder: Any, attribute: str) -> str:
    return f"{holder.name if isinstance(holder, Value) else type(holder).__name__}.{attribute}"


def said(x: Any) -> str:
    """A value as messages show it."""
    if x is MISSING:
        return "absent"
    if isinstance(x, Snapshot):
        x = x.container
    if isinstance(x, Value):
        kind = "tensor" if isinstance(x, Tensor) else "symbol"
        return f"the {kind} {x.name}: {x.spec}"
    if isinstance(x, (list, dict, set)):
        return f"a {type(x).__name__} of {len(x)}"
    if isinstance(x, WatchedLayer):
        return "those it has"
    text = type(x).__name__ if isinstance(x, LayerLike) else repr(x)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _held_by(container: Any) -> Callable[[Any, Any], Any]:
    return lambda key, missing: container


def _agrees_with_snapshot(now: Any, snapshot: Snapshot) -> bool:
    return snapshot.holds()


def _fits(now: Any, live: Any) -> bool:
    return bool(live.fits(now))
