"""Why a function is traced again: what differed from the trace before; and a warning of it."""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from twinoar.core.policy import Policy
from twinoar.errors import SourceLine
from twinoar.jit.guards import Difference
from twinoar.jit.warning import RecompilationWarning, warn_user
from twinoar.static.input import InputSpec

CAUSES_KEPT = 256  # the latest
QUIET = 8  # retraces of a function before it is warned of


class Call(NamedTuple):
    """What told a call from others: names of the leaves of the arguments, and the key of each."""

    names: list[str]
    structure: Any
    keys: list[Any]
    policy: Policy

    def said(self) -> list[str]:
        """The leaves of the arguments, as messages show them."""
        return [f"{name}: {_said(key)}" for name, key in zip(self.names, self.keys, strict=True)]

    def difference(self, now: Call) -> Difference:
        """The first thing in which another call differs."""
        if self.structure != now.structure:
            return Difference(
                "the structure of the arguments", _among(self.names), _among(now.names)
            )
        for name, a, b in zip(self.names, self.keys, now.keys, strict=True):
            if a != b:
                return _difference_of_leaf(name, a, b)
        return _difference_of_policy(self.policy, now.policy)


class Retraces:
    """Each retrace of one function, with its cause."""

    def __init__(self, name: str):
        self.name = name
        self.causes: deque[Difference] = deque(maxlen=CAUSES_KEPT)
        self._count = 0
        self._warned: set[tuple[str, SourceLine | None]] = set()

    def note(self, cause: Difference) -> None:
        """The function is traced again. Warns where that happens often, of each cause once."""
        self.causes.append(cause)
        self._count += 1
        key = cause.what, cause.source
        if self._count <= QUIET or key in self._warned:
            return
        self._warned.add(key)
        text = f"{self.name} is traced for the {self._count + 1}th time: {cause}"
        warn_user(f"{text}\n  cure: {_cure(cause)}", RecompilationWarning)


def leaf_names(signature: inspect.Signature, skipped: int, args: tuple, kwargs: dict) -> list[str]:
    """What messages call the leaves of the arguments, in the order of `flatten`."""
    parameters = list(signature.parameters.values())[skipped:]
    found: list[str] = []
    for i, x in enumerate(args):
        last = parameters[min(i, len(parameters) - 1)]
        several = last.kind is inspect.Parameter.VAR_POSITIONAL
        name = f"{last.name}[{i - len(parameters) + 1}]" if several else last.name
        found.extend(_leaves(x, name))
    for name, x in kwargs.items():
        found.extend(_leaves(x, name))
    return found


def _leaves(x: Any, name: str) -> Iterator[str]:
    if not isinstance(x, (tuple, list, dict)):
        yield name
        return
    for key, inner in x.items() if isinstance(x, dict) else enumerate(x):
        yield from _leaves(inner, f"{name}[{key!r}]")


def _difference_of_policy(then: Policy, now: Policy) -> Difference:
    if then.records != now.records:
        return Difference("recording of gradients", _switch(then.records), _switch(now.records))
    if then.device != now.device:
        return Difference("the device", str(then.device), str(now.device))
    if then.placed != now.placed:
        return Difference("device_guard", repr(then.placed), repr(now.placed))
    return Difference("the autocast", repr(then.autocast), repr(now.autocast))


def _difference_of_leaf(name: str, then: Any, now: Any) -> Difference:
    if not (_is_tensors(then) and _is_tensors(now)):
        return Difference(f"the argument {name}", _said(then), _said(now))
    (shape, dtype, *_), (new_shape, new_dtype, *_) = then, now
    if len(shape) != len(new_shape):
        return Difference(f"the shape of {name}", str(list(shape)), str(list(new_shape)))
    for i, (a, b) in enumerate(zip(shape, new_shape, strict=True)):
        if a != b:
            return Difference(f"dimension {i} of {name}", str(a), str(b))
    if dtype != new_dtype:
        return Difference(f"the dtype of {name}", dtype.name, new_dtype.name)
    kinds = ("a tensor without gradient", "a leaf", "a result")
    return Difference(f"the argument {name}", kinds[_kind(then)], kinds[_kind(now)])


def _kind(key: Sequence) -> int:
    return 0 if len(key) == 2 else 1 if key[2] else 2


def _is_tensors(key: Any) -> bool:
    return isinstance(key, tuple) and len(key) >= 2 and isinstance(key[0], tuple)


def _said(key: Any) -> str:
    if isinstance(key, tuple) and isinstance(key[0], InputSpec):
        return f"a tensor of shape {['?' if d == -1 else d for d in key[0].shape]}"
    if _is_tensors(key):
        return f"a tensor of shape {list(key[0])}"
    return repr(key[1]) if isinstance(key, tuple) and len(key) == 2 else str(key)


def _among(names: list[str]) -> str:
    return f"({', '.join(names)})"


def _switch(is_on: bool) -> str:
    return "on" if is_on else "off"


def _cure(cause: Difference) -> str:
    if cause.what.startswith("dimension"):
        return "give to_static an InputSpec whose shape has None there: one Program fits any size"
    if cause.place is not None:
        return f"make {cause.place} a tensor, which each run reads anew, or keep it as it is"
    return "call it with arguments of one kind, or give to_static an input_spec"
