"""Where the states of static Programs live: a Scope holds arrays by name."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from twinoar.core.ir.program import State
from twinoar.errors import DTypeError, ProgramError, ShapeError, TypeMismatchError


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
        return list(self._array().shape)

    def lod(self) -> list[list[int]]:
        """No levels: sequences are padded, with their lengths beside them."""
        return []

    def _array(self) -> np.ndarray:
        if self.name not in self.scope.arrays:
            raise ProgramError(f"{self.name} has no value in its scope", cure="set it: var.set(x)")
        return self.scope.arrays[self.name]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self._array(), dtype)

    def __str__(self) -> str:
        return str(np.array(self))


class Scope:
    """Arrays by name; a scope within another one also finds what that has.

    >>> from twinoar import static
    >>> outer = static.Scope()
    >>> outer.var("w").set([1.0, 2.0])
    >>> inner = outer.new_scope()
    >>> inner.find_var("w").shape(), inner.local_var_names()
    ([2], [])
    """

    def __init__(self, parent: Scope | None = None) -> None:
        self.parent = parent
        self.kids: list[Scope] = []
        self.arrays: dict[str, np.ndarray] = {}
        self.lock: threading.RLock = threading.RLock() if parent is None else parent.lock

    def var(self, name: str) -> ScopeVariable:
        """The entry called `name` of this very scope, made if there is none."""
        self.arrays.setdefault(name, np.zeros((), np.float32))
        return ScopeVariable(self, name)

    def find_var(self, name: str) -> ScopeVariable | None:
        """The entry called `name`, here or in a scope around this one, or None."""
        holder = self._holder(name)
        return None if holder is None else ScopeVariable(holder, name)

    def new_scope(self) -> Scope:
        """A new scope within this one."""
        self.kids.append(Scope(self))
        return self.kids[-1]

    def drop_kids(self) -> None:
        """Drop all scopes within this one."""
        self.kids.clear()

    def erase(self, names: Iterable[str]) -> None:
        """Drop the entries of these names from this very scope."""
        for name in names:
            self.arrays.pop(name, None)

    def local_var_names(self) -> list[str]:
        """Names of the entries of this very scope."""
        return list(self.arrays)

    def size(self) -> int:
        """Number of entries of this very scope."""
        return len(self.arrays)

    def _holder(self, name: str) -> Scope | None:
        scope: Scope | None = self
        while scope is not None and name not in scope.arrays:
            scope = scope.parent
        return scope

    def read(self, state: State) -> np.ndarray:
        """The value of a state. Raises ProgramError where it has none yet."""
        if "read" in state.traits:
            return np.asarray(state.traits["read"](), state.spec.dtype.numpy)
        if state.data is not None:
            return getattr(state.data, "_data", state.data)
        array = self.arrays.get(state.name)
        if array is None:
            array = self._inherited(state)
        if array.shape != state.spec.shape or array.dtype != state.spec.dtype.numpy:
            self.check(state, array)
        return array

    def write(self, state: State, value: np.ndarray) -> None:
        """Replace the value of a state: in the live tensor that it stands for, or here."""
        if state.data is not None:
            state.data.take_data(value)
        else:
            (self._holder(state.name) or self).arrays[state.name] = value

    def _inherited(self, state: State) -> np.ndarray:
        holder = self._holder(state.name)
        if holder is None:
            raise ProgramError(
                f"the state {state.name} ({state.spec}) is not initialized",
                cure="run the startup program first: exe.run(static.default_startup_program())",
            )
        return holder.arrays[state.name]

    def check(self, state: State, value: np.ndarray) -> None:
        """Raise ShapeError or DTypeError where `value` does not fit `state`."""
        sizes = state.spec.shape
        fits = len(value.shape) == len(sizes) and all(
            n == m or not isinstance(m, int) for n, m in zip(value.shape, sizes, strict=True)
        )
        if not fits:
            raise ShapeError(
                f"the state {state.name} is {state.spec}, received shape {list(value.shape)}"
            )
        if value.dtype != state.spec.dtype.numpy:
            raise DTypeError(
                f"the state {state.name} is {state.spec}, received {value.dtype}",
                cure=f"set it as {state.spec.dtype.name}",
            )


_global = Scope()


def global_scope() -> Scope:
    """The Scope that Executors use unless told otherwise."""
    return _global


@contextmanager
def scope_guard(scope: Scope) -> Iterator[None]:
    """Within the block, `scope` is the global one. Raises TypeMismatchError for what is none."""
    global _global
    if not isinstance(scope, Scope):
        raise TypeMismatchError(
            f"expected a Scope, received {type(scope).__name__}", cure="make one: static.Scope()"
        )
    before, _global = _global, scope
    try:
        yield
    finally:
        _global = before
