"""Views in a trace: a write to a symbol is seen in those that show the same memory.

A write to a view is a write to its root; every other view is read anew from the root when it is
used next. So a branch or a loop carries the root alone, and what nobody reads costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from twinoar.core.dim import SymbolicDim, evaluate, names_in
from twinoar.core.interpreter import eager, using
from twinoar.core.ir import Variable
from twinoar.core.view import AnyStep, OpStep, replaced, shown
from twinoar.eager.tensor import Tensor
from twinoar.errors import ConversionError, TwinoarError

SIZES = (12, 24, 1)  # of what only a run knows: with many divisors, and the one that hides strides


@dataclass
class Symbol:
    """A view that code holds. root: what it shows by `steps`; apart: no gradient links it to that.

    version: of the root, and value: its own, when it last was what it shows. unsure: the sizes,
    which only a run knows, decide whether it is a view or a copy.
    """

    handle: Any
    root: Any
    steps: tuple[AnyStep, ...]
    apart: bool
    unsure: bool
    version: int
    value: Any


class Sharing:
    """The views that a trace has made, by the identity of what stands for them."""

    def __init__(self) -> None:
        self._views: dict[int, Symbol] = {}
        self._versions: dict[int, int] = {}  # of roots: how often they or their views were written
        self._torn: set[int] = set()  # roots of which a view cut off the graph has one of its own
        self._reshaped: set[int] = set()  # roots that changed their shape in place

    def note(self, base: Any, view: Any, step: AnyStep, apart: bool) -> None:
        """Let `view` show `base`."""
        if not isinstance(view, Variable):
            return
        found = self._views.get(id(base))
        root, steps = (base, ()) if found is None else (found.root, found.steps)
        is_view = True if not steps else _is_view(root, (*steps, step))
        if is_view is False:
            return
        apart = apart or (found is not None and found.apart)
        apart = apart or (view.stop_gradient and not getattr(base, "stop_gradient", True))
        version = self._versions.setdefault(id(root), 0)
        unsure = is_view is None or (found is not None and found.unsure)
        self._views[id(view)] = Symbol(view, root, (*steps, step), apart, unsure, version, view)

    def seen(self, x: Any) -> Symbol | None:
        """What the view `x` shows; None for what is no view."""
        return self._views.get(id(x))

    def stale(self, x: Any) -> Symbol | None:
        """The view `x` if what it shows was written since it was read."""
        found = self._views.get(id(x))
        if found is None or (
            found.version == self._versions[id(found.root)] and found.value is x.latest()
        ):
            return None
        self._refuse_reshaped(found)
        if found.unsure:
            raise ConversionError(
                "a tensor is used of whose base a part was changed in place, and only its sizes, "
                "which differ between calls, decide whether it is a view or a copy",
                cure="make it a copy: x.clone()",
            )
        if found.apart and id(found.root) in self._torn:
            raise ConversionError(
                "a detached view is used of whose memory another one was changed in place with "
                "gradients of its own",
                cure="make it a copy: x.detach().clone()",
            )
        return found

    def written(self, target: Any, value: Any) -> tuple[bool, Any, Any] | None:
        """If `target` is apart from its root, this root, and what it becomes with `target`."""
        found = self._views.get(id(target))
        if found is None:
            return None
        if found.unsure:
            raise ConversionError(
                "a tensor is changed in place, and only its sizes, which differ between calls, "
                "decide whether it is a view or a copy",
                cure="change a copy: x = x.clone()",
            )
        self._refuse_reshaped(found)
        if found.apart and not value.stop_gradient:
            self._torn.add(id(found.root))
        return found.apart, found.root, replaced(found.root, found.steps, value)

    def note_write(self, target: Any) -> None:
        """Views of what `target` shows are stale from now on; itself it is what it was made."""
        found = self._views.get(id(target))
        root = target if found is None else found.root
        if id(root) in self._versions:
            self._versions[id(root)] += 1
        if found is not None:
            found.version, found.value = self._versions[id(root)], target.latest()

    def note_flag(self, target: Any) -> None:
        """`target` has another flag, and shows what it did."""
        found = self._views.get(id(target))
        if found is not None and found.version == self._versions[id(found.root)]:
            found.value = target.latest()

    def reseat(self, target: Any, value: Any) -> bool:
        """Where `value` is a view of `target`: let target be that view (`x.reshape_`)."""
        found, mine = self._views.get(id(value)), self._views.get(id(target))
        if found is None or found.root is not (target if mine is None else mine.root):
            return False
        before = () if mine is None else mine.steps
        if found.steps[: len(before)] != before or len(found.steps) <= len(before):
            return False
        if mine is None:
            self._reshaped.add(id(target))
        else:
            mine.steps, mine.version = found.steps, self._versions[id(mine.root)]
            mine.value = value.latest()
        return True

    def _refuse_reshaped(self, view: Symbol) -> None:
        if id(view.root) in self._reshaped:
            raise ConversionError(
                "a tensor is used that shows the memory of one that was changed in place, and that "
                "got another shape in place",
                cure="give it the other shape in a new tensor: x = x.reshape(...)",
            )


def _is_view(root: Any, steps: tuple[AnyStep, ...]) -> bool | None:
    """If these steps lead to a view and not to a copy; None where that depends on sizes."""
    dims = [*root.spec.shape, *(d for s in steps if isinstance(s, OpStep) for d in _dims_of(s))]
    names = {name for d in dims for name in names_in(d)}
    try:
        answers = {
            _shares(root, steps, dict.fromkeys(names, n)) for n in (SIZES if names else (0,))
        }
    except TwinoarError:  # these sizes are not possible, or data says which part it is
        return None
    return answers.pop() if len(answers) == 1 else None


def _shares(root: Any, steps: tuple[AnyStep, ...], sizes: dict[str, int]) -> bool:
    """If these steps lead to a view of a root of these sizes; of memory that nobody touches."""
    shape = [evaluate(d, sizes) for d in root.spec.shape]
    untouched = Tensor(np.empty(shape, root.spec.dtype.numpy))
    with using(eager().without_gradients()):
        last = shown(untouched, [of_sizes(s, sizes) for s in steps])
    return np.may_share_memory(last._data, untouched._data)


def of_sizes(step: AnyStep, sizes: dict[str, int]) -> AnyStep:
    """The step that it is under these sizes. Raises ShapeError for one that is not among them."""
    if not isinstance(step, OpStep):
        return step
    attrs = {name: _known(value, sizes) for name, value in step.attrs.items()}
    return OpStep(step.op, attrs, step.nth)


def _known(value: Any, sizes: dict[str, int]) -> Any:
    if isinstance(value, tuple):
        return tuple([_known(x, sizes) for x in value])
    return evaluate(value, sizes) if isinstance(value, SymbolicDim) else value


def _dims_of(step: OpStep) -> Iterator[Any]:
    for value in step.attrs.values():
        parts = value if isinstance(value, tuple) else (value,)
        yield from (x for x in parts if isinstance(x, SymbolicDim))
