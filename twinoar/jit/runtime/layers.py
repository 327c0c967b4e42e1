"""What twinoar's own methods do to layers, such as `train` and `register_buffer`, as changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.core.layer_like import LayerLike
from twinoar.jit.runtime.journal import HIDDEN, MISSING, TABLES, Attribute

UNTOLD = {*TABLES, HIDDEN, "_changed", "_static_functions", "forward"}
# They run the layer, which changes no attribute of it that calls would have to set again.
RUNNING = frozenset({"forward", "__call__"})


class Members:
    """The attributes of a layer, each with the table that it is in."""

    def __init__(self, layer: Any):
        self.layer, space = layer, layer.__dict__
        self.number = space.get("_changed")
        self.hidden = set(space.get(HIDDEN, ()))
        self.tables = {name: dict(space[name]) for name in TABLES if name in space}
        self.plain = {k: v for k, v in space.items() if k not in UNTOLD}

    def differing(self) -> set[str]:
        """The names of the attributes that are others now."""
        if self.layer.__dict__.get("_changed") == self.number:
            return set()
        now = Members(self.layer)
        pairs = [(self.plain, now.plain), *((self.tables[n], now.tables[n]) for n in self.tables)]
        return {
            name
            for then, there in pairs
            for name in then.keys() | there.keys()
            if then.get(name, MISSING) is not there.get(name, MISSING)
        } | (self.hidden ^ now.hidden)

    def kept(self, name: str) -> tuple[Any, Any, bool]:
        """What `Attribute.keep` would have told."""
        space = self.layer.__dict__
        for kind, table in self.tables.items():
            if name in table:
                return space[kind], table[name], name in self.hidden
        return space, self.plain.get(name, MISSING), name in self.hidden


def journaled(builder: Any, method: Any) -> Callable:
    """A method of a layer, whose changes to that and the layers below it are noted."""
    layer: LayerLike = method.__self__
    if method.__name__ in RUNNING:
        return method

    def call(*args: Any, **kwargs: Any) -> Any:
        if method.__name__.endswith("_hook"):
            builder.python_effect(f"{method.__name__} of a {type(layer).__name__}")
        before = [Members(x) for x in layer.sublayers(include_self=True)]  # type: ignore[attr-defined]
        result = method(*args, **kwargs)
        for members in before:
            for name in sorted(members.differing()):
                kept = members.kept(name)
                builder.journal.note_past(Attribute(members.layer, name), kept[1], kept)
        return result

    return call
