"""What follows from states that no run changes: packed weights, and what setup computes.

Instances that bind the same states have one memory for it, which the first of them fills: what a
thread of a Predictor needs of its own is what passes during a run.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any
from weakref import WeakSet

import numpy as np

from twinoar.backends.native.arena import new_arena
from twinoar.backends.native.parts import LIBRARY
from twinoar.backends.onednn.recipe import effect_text
from twinoar.compile.commands import Commands, Kernel
from twinoar.compile.commands_text import derivation

Sources = dict[int, np.ndarray]  # the arrays of states and constants, by place


class Derived:
    """A memory, uint8 [bytes], and what it was filled from: None until then.

    users: how many instances read it.
    """

    def __init__(self, memory: np.ndarray):
        self.memory = memory
        self.sources: Sources | None = None
        self.users = 0

    def follows_from(self, sources: Sources) -> bool:
        """True where it was filled from these very arrays, which nobody changes while it lives."""
        return self.sources is not None and not self.changed(sources)

    def changed(self, sources: Sources) -> list[int]:
        """The places of arrays that it was not filled from."""
        known = self.sources or {}
        return [place for place, array in sources.items() if known.get(place) is not array]


def common_of(
    commands: Commands, handles: Mapping[Kernel, Any], known: dict[str, Common]
) -> Common:
    """What Instances have in common with those of others that derive the same, as `known` keeps it.

    known: by what is done.
    """

    def does(k: Kernel) -> str:
        return effect_text(handles[k]) if k.kind == LIBRARY else f"{k.kind} {k.name} {k.source}"

    return known.setdefault(derivation(commands, does), Common(commands.derived_bytes))


class Common:
    """The memories of Instances whose setup and packing are the same, for as long as they live."""

    def __init__(self, size_bytes: int):
        self.bytes, self.lock = size_bytes, threading.Lock()
        self._known: WeakSet[Derived] = WeakSet()

    def serving(
        self, sources: Sources, mine: Derived | None, fill: Callable[[Derived], None]
    ) -> Derived:
        """What follows from `sources`: as another has it, or filled now.

        mine: what the caller had, which is filled anew where nobody else reads it.
        """
        with self.lock:
            found = next((d for d in self._known if d.follows_from(sources)), None)
            if found is None:
                is_free = mine is not None and mine.users == 1
                found = mine if mine is not None and is_free else Derived(new_arena(self.bytes))
                fill(found)
                self._known.add(found)
            if found is not mine:
                found.users += 1
                if mine is not None:
                    mine.users -= 1
            return found
