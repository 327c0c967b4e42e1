"""Where the states of static Programs live: a Scope holds arrays by name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from twinoar.core.ir import State
from twinoar.errors import ProgramError, ShapeError


class ScopeVariable:
    """One entry of a Scope, as `find_var` returns it."""

    def __init__(self, scope: Scope, name: str):
        self.scope, self.name = scope, name

    def get_tensor(self) -> ScopeVariable:
        """The entry itself: it converts to an ndarray."""
        return self

    def set(self, value: Any, place: Any = None) -> None:
        """Replace the value."""
        self.scope.arrays[self.name] = np.array(value)

    def shape(self) -> list[int]:
        """Sizes of the dimensions."""
        return list(self.scope.arrays[self.name].shape)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.scope.arrays[self.name], dtype)


class Scope:
    """Arrays by name."""

    def __init__(self) -> None:
        self.arrays: dict[str, np.ndarray] = {}

    def var(self, name: str) -> ScopeVariable:
        """The entry called `name`, made if there is none."""
        self.arrays.setdefault(name, np.zeros((), np.float32))
        return ScopeVariable(self, name)

    def find_var(self, name: str) -> ScopeVariable | None:
        """The entry called `name`, or None."""
        return ScopeVariable(self, name) if name in self.arrays else None

    def read(self, state: State) -> np.ndarray:
        """The value of a state. Raises ProgramError where it has none yet."""
        if "read" in state.traits:
            return np.asarray(state.traits["read"](), state.spec.dtype.numpy)
        if state.data is not None:
            return getattr(state.data, "_data", state.data)
        if state.name not in self.arrays:
            raise ProgramError(
                f"the state {state.name} ({state.spec}) is not initialized",
                cure="run the startup program first: exe.run(static.default_startup_program())",
            )
        return self.arrays[state.name]

    def write(self, state: State, value: np.ndarray) -> None:
        """Replace the value of a state: in the live tensor that it stands for, or here."""
        if state.data is not None:
            state.data._data = value
        else:
            self.arrays[state.name] = value

    def check(self, state: State, value: np.ndarray) -> None:
        """Raise ShapeError where `value` does not fit `state`."""
        if tuple(value.shape) != tuple(state.spec.shape):
            raise ShapeError(
                f"the state {state.name} is {state.spec}, received shape {list(value.shape)}"
            )


_global = Scope()


def global_scope() -> Scope:
    """The Scope that Executors use unless told otherwise."""
    return _global


@contextmanager
def scope_guard(scope: Scope) -> Iterator[None]:
    """Within the block, `scope` is the global one."""
    global _global
    before, _global = _global, scope
    try:
        yield
    finally:
        _global = before
