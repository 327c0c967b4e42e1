"""What a call does to Python's objects when the Program has run: what the trace did, repeated."""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

from twinoar.core.interpreter import current
from twinoar.core.ir.program import Variable, among
from twinoar.core.layer_like import LayerLike
from twinoar.core.values import Value
from twinoar.errors import ConversionError
from twinoar.jit.contents import CONTAINERS
from twinoar.jit.runtime.journal import (
    HIDDEN,
    MISSING,
    Attribute,
    Cell,
    Contents,
    Effect,
    Item,
    Operation,
    Place,
    setter,
)
from twinoar.jit.runtime.objects import Objects
from twinoar.jit.runtime.state import note_contents
from twinoar.jit.runtime.undecided import Undecided
from twinoar.jit.runtime.undefined import Undefined
from twinoar.jit.warning import LostChangeWarning, warn_user
from twinoar.ops.control.number import Number

Values = Sequence[Any]  # the results of a run, as Tensors


class Changes:
    """Assignments and operations, in order, of values that may hold results of the Program.

    results: Variables that they need besides `outputs`, which the function returns. places: what
    is changed. read: those of them that the function also reads, with the line that changes them.
    rebound: the arguments that are changed in place. wanting: the positions of those that are
    made to want gradients.

    stopped: whether each argument came with stop_gradient.
    """

    def __init__(self, builder: Any, outputs: Sequence[Variable], stopped: Sequence[bool]):
        journal, objects = builder.journal, builder.objects
        self.recipes = Recipes(objects, outputs, builder.program.main.inputs)
        self.steps: list[Step] = []
        operated = {p for p, operation in journal.log if operation is not None}
        replaced = {p for p, operation in journal.log if operation is None}
        done: set[Place] = set()
        for place, operation in journal.log:
            if not _lasts(place, objects) or (operation is None and place in done):
                continue
            if isinstance(place, Item) and Contents(place.holder) in operated:
                continue  # told by the operations
            if place not in replaced:
                self.steps.append(self._operation(place, operation, objects))
            elif place not in done:
                found = _difference(place, journal.before[place])
                if found is None:
                    if isinstance(place, Contents):
                        note_contents(builder, place.holder)
                    self.steps.append(self._assignment(place, objects))
                else:
                    self.steps += [self._operation(place, o, objects) for o in found]
            done.add(place)
        self.places = done
        looked_at = {_told_by(p) for p in (*builder.live, *builder.guards.places())}
        self.read = {p: journal.sources[p] for p in done if _told_by(p) in looked_at}
        self.rebound = [
            self._rebound(builder, i, v)
            for i, v in enumerate(builder.program.main.inputs)
            if v.rebound is not None
        ]
        self.wanting = _made_wanting(builder.program.main.inputs, stopped)
        self.results = self.recipes.results[len(outputs) :]

    def _operation(self, place: Place, operation: Operation | None, objects: Objects) -> Step:
        assert operation is not None
        parts = list(operation.args), operation.kwargs
        return Step(place, operation.method, self._recipe(place, parts), _way(place, objects))

    def _assignment(self, place: Place, objects: Objects) -> Step:
        recipe = self._recipe(place, place.read())
        if _is_buffer(place):
            is_hidden = place.key in place.holder.__dict__[HIDDEN]
            return Buffer(place, recipe, persistable=not is_hidden)
        return Step(place, None, recipe, _way(place, objects))

    def _recipe(self, place: Place, value: Any) -> Recipe:
        try:
            return self.recipes.of(value)
        except Unmakeable as error:
            raise ConversionError(
                f"{place} is given {error}, which calls of a Program cannot make again",
                cure="assign tensors, numbers, or lists, tuples and dicts of them",
            ) from None

    def _rebound(self, builder: Any, position: int, argument: Variable) -> Rebound:
        now = argument.latest()
        if now in builder.accumulated.stand_ins:
            assert now.producer is not None
            now = now.producer.operands[0]
        return Rebound(position, self.recipes.index_of(now), builder.recorded[argument])

    def repeat(self, values: Values, arguments: Any) -> None:
        """Do it, with the Tensors of a run, then of the call; arguments: (args, kwargs) of it."""
        made: dict[int, Any] = {}
        for step in self.steps:
            step.do(step.recipe.make(values, arguments, made), arguments)

    def warn_of_loss(self, name: str) -> None:
        """Warn that a saved model, which changes nothing, is the function of one call only."""
        if self.read:
            lines = "".join(f"\n  {place} at {line}" for place, line in self.read.items())
            warn_user(
                f"{name} reads and changes Python's objects at each call; the saved model computes "
                f"with what they hold now, and leaves them as they are:{lines}",
                LostChangeWarning,
            )
        if self.rebound:
            changed = ", ".join(self.recipes.names[r.position] for r in self.rebound)
            warn_user(
                f"{name} changes its arguments in place ({changed}); the saved model leaves those "
                "that it is called with as they are",
                LostChangeWarning,
            )

    def __bool__(self) -> bool:
        return bool(self.steps)


def _made_wanting(arguments: Sequence[Variable], stopped: Sequence[bool]) -> list[int]:
    """The positions of arguments that the function makes want gradients."""
    for v, before in zip(arguments, stopped, strict=True):
        if v.stop_gradient and not before:
            raise ConversionError(
                f"the function sets {v.name}.stop_gradient of an argument that wants gradients",
                cure="work on x.detach(), or set it before the call",
            )
    return [i for i, v in enumerate(arguments) if stopped[i] and not v.stop_gradient]


def _difference(place: Place, before: Any) -> list[Operation] | None:
    """Operations that make of any container what the trace has made of this one, or None.

    None where they would depend on what it holds; an assignment of an attribute is none.
    """
    now = place.holder
    if not isinstance(place, Contents):
        return None
    if isinstance(now, (list, deque)) and len(now) >= len(before):
        if not all(a is b for a, b in zip(before, now, strict=False)):
            return None
        return [Operation("extend", (list(now)[len(before) :],), {})]
    if isinstance(now, dict) and type(now).update is dict.update:
        gone = [k for k in before if k not in now]
        new = {k: v for k, v in now.items() if before.get(k, MISSING) is not v}
        return [*(Operation("pop", (k, None), {}) for k in gone), Operation("update", (new,), {})]
    return None


def _told_by(place: Place) -> Any:
    """The same for the contents of a container and for what is in it."""
    in_container = isinstance(place, Contents) or (isinstance(place, Item) and place.name is None)
    return id(place.holder) if in_container else place


def _lasts(place: Place, objects: Objects) -> bool:
    """True for a place that calls to come will find: not in what the trace itself made."""
    if isinstance(place, Effect):
        return True
    if isinstance(place, (Contents, Cell)):
        return objects.is_outside(place.holder)
    return isinstance(place, (Attribute, Item)) and not objects.is_made(place.holder)


def _way(place: Place, objects: Objects) -> tuple | None:
    """The way to a container from the arguments, where it is in them."""
    found = objects.arguments.get(id(place.holder)) if isinstance(place, Contents) else None
    return None if found is None else found[1]


class Rebound(NamedTuple):
    """An argument that is changed in place, to a result. is_recorded: gradients flow to that."""

    position: int
    result: int
    is_recorded: bool


class Step:
    """One change. method: of the container, None for an assignment. way: from the arguments."""

    def __init__(self, place: Place, method: str | None, recipe: Recipe, way: tuple | None):
        self.place, self.method, self.recipe, self.way = place, method, recipe, way

    def do(self, value: Any, arguments: Any) -> None:
        """Change the place."""
        place = self.place
        if self.way is not None:
            place = Contents(_at(arguments, self.way))
        if isinstance(place, Effect):
            args, kwargs = value
            place.holder(*args, **kwargs)
        elif self.method is not None:
            args, kwargs = value
            setter(type(place.holder), self.method)(place.holder, *args, **kwargs)
        elif isinstance(place, Attribute) and value is not MISSING:
            setter(type(place.holder), "__setattr__")(place.holder, place.key, value)
        else:
            place.write(value)


class Buffer(Step):
    """A buffer of a layer that each call sets, or makes where it is not there."""

    def __init__(self, place: Place, recipe: Recipe, persistable: bool):
        super().__init__(place, None, recipe, None)
        self.persistable = persistable

    def do(self, value: Any, arguments: Any) -> None:
        """Set it."""
        layer, name = self.place.holder, self.place.key
        if name in layer._buffers:
            setattr(layer, name, value)
        else:
            layer.register_buffer(name, value, self.persistable)


def _is_buffer(place: Place) -> bool:
    is_attribute = isinstance(place, Attribute) and isinstance(place.holder, LayerLike)
    return is_attribute and place.key in place.holder.__dict__.get("_buffers", ())


class Unmakeable(Exception):
    """A value that holds symbols where no recipe reaches them."""


class Recipe:
    """How to make a value from the results of a run; this one: it is the same at each call."""

    def __init__(self, value: Any):
        self.value = value

    def make(self, values: Values, arguments: Any, made: dict[int, Any]) -> Any:
        """The value; made: what recipes have made for this call, by their ids."""
        return self.value


class Copied(Recipe):
    """A copy for each call of what the trace has made."""

    def make(self, values: Values, arguments: Any, made: dict[int, Any]) -> Any:
        """The copy, the same one wherever it stands."""
        if id(self) not in made:
            made[id(self)] = copy.copy(self.value)
        return made[id(self)]


class Result(Recipe):
    """A result of the run: a Tensor, or a Python number."""

    def __init__(self, index: int, python_type: type | None):
        self.index, self.python_type = index, python_type

    def make(self, values: Values, arguments: Any, made: dict[int, Any]) -> Any:
        """The Tensor or number."""
        value = values[self.index]
        return value if self.python_type is None else self.python_type(value.item())


class Argument(Recipe):
    """A container in the arguments."""

    def __init__(self, way: tuple):
        self.way = way

    def make(self, values: Values, arguments: Any, made: dict[int, Any]) -> Any:
        """What is there."""
        return _at(arguments, self.way)


class New(Recipe):
    """A new container or object; kind: its type. parts: recipes of what is in it."""

    def __init__(self, kind: type, keys: Any = None):
        self.kind, self.keys = kind, keys
        self.parts: list[Recipe] = []

    def make(self, values: Values, arguments: Any, made: dict[int, Any]) -> Any:
        """The container, the same one wherever it stands."""
        if id(self) in made:
            return made[id(self)]
        parts = [part.make(values, arguments, made) for part in self.parts]
        if self.keys is None:
            named = hasattr(self.kind, "_fields")
            new = self.kind(*parts) if named else self.kind(parts)
        elif issubclass(self.kind, dict):
            new = self.kind(zip(self.keys, parts, strict=True))
        else:
            new = object.__new__(self.kind)
            new.__dict__.update(zip(self.keys, parts, strict=True))
        made[id(self)] = new
        return new


class Recipes:
    """Makes recipes; results: the Variables that they refer to, the outputs first.

    inputs: what stands for the tensors of the call, which come after the results.
    """

    def __init__(self, objects: Objects, outputs: Sequence[Variable], inputs: Sequence[Variable]):
        self.objects = objects
        self.results = list(outputs)
        self.names = [v.name for v in inputs]
        self.inputs = {v: i - len(inputs) for i, v in enumerate(inputs)}
        self.known: dict[int, tuple[Any, Recipe]] = {}

    def of(self, x: Any) -> Recipe:
        """The recipe of `x`. Raises Unmakeable for an object that hides symbols."""
        if isinstance(x, (Undefined, Undecided)):
            x.refuse()
        if isinstance(x, Variable):
            return self._result(x)
        if id(x) in self.known:
            return self.known[id(x)][1]
        recipe = self._recipe(x)
        self.known[id(x)] = x, recipe
        return recipe

    def _result(self, x: Variable) -> Recipe:
        if x in self.inputs:
            return Result(self.inputs[x], None)
        index = self.index_of(current().lift(x))  # a view shows what was changed since
        return Result(index, x.python_type if isinstance(x, Number) else None)

    def index_of(self, v: Variable) -> int:
        """The index of `v` among the results, of which it is one now."""
        if not among(v, self.results):
            self.results.append(v)
        return next(i for i, x in enumerate(self.results) if x is v)

    def _recipe(self, x: Any) -> Recipe:
        if id(x) in self.objects.outside:
            return Recipe(x)
        if id(x) in self.objects.arguments:
            return Argument(self.objects.arguments[id(x)][1])
        if type(x) in (list, tuple, set, deque) or (isinstance(x, tuple) and hasattr(x, "_fields")):
            return self._new(x, None, x)
        if type(x) is dict:
            return self._new(x, list(x), x.values())
        if self.objects.is_made(x) and hasattr(x, "__dict__"):
            return self._new(x, list(vars(x)), vars(x).values())
        if not isinstance(x, Value) and _hides_symbols(x):
            raise Unmakeable(f"a {type(x).__name__} that holds tensors")
        return Copied(x) if isinstance(x, CONTAINERS) else Recipe(x)

    def _new(self, x: Any, keys: list | None, parts: Any) -> Recipe:
        made = New(type(x), keys)
        self.known[id(x)] = x, made
        if keys is not None and any(isinstance(k, Variable) for k in keys):
            raise Unmakeable(f"a {type(x).__name__} whose keys are tensors")
        made.parts = [self.of(part) for part in parts]
        return made


def _hides_symbols(x: Any) -> bool:
    if isinstance(x, (list, tuple, set, frozenset, deque)):
        return any(isinstance(i, Variable) or _hides_symbols(i) for i in x)
    found = x.values() if isinstance(x, dict) else getattr(x, "__dict__", {}).values()
    return not isinstance(x, type) and any(isinstance(v, Variable) for v in found)


def _at(arguments: Any, way: tuple) -> Any:
    for key in way:
        arguments = arguments[key]
    return arguments
