"""Views in a trace: a write to a symbol is seen in those that show the same memory.

A write to a view is a write to its root; every other view is read anew from the root when it is
used next. So a branch or a loop carries the root alone, and what nobody reads costs nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from twinoar.core.dim import SymbolicDim, evaluate, names_in
from twinoar.core.interpreter import eager, using
from twinoar.core.ir.program import Variable
from twinoar.core.op.view import AnyStep, OpStep, replaced
from twinoar.core.policy import UNRECORDED
from twinoar.eager.tensor import Tensor
from twinoar.errors import ConversionError, TwinoarError
from twinoar.late import dataclass

SIZES = (12, 24, 1)  # of what only a run knows: with many divisors, and the one that hides strides


@dataclass
class Symbol:
    """A view that code holds: what `step` shows of `base`, another one, or of `top`, which is none.

    apart: no gradient links it to the top. version: how often anything of that memory had been
    written, and value: its own, when it last was what it shows.
    """

    handle: Any
    top: Any
    base: Symbol | None
    step: AnyStep
    apart: bool
    version: int
    value: Any
    found: Found | None = None


class Found(NamedTuple):
    """Whose memory a view shows, by which steps; () for one that turned out to be a copy.

    unsure: sizes that only a run knows, or data, decide whether it is one. layouts: how it lies in
    memory that nobody touches, for some sizes.
    """

    root: Any
    steps: tuple[AnyStep, ...]
    unsure: bool
    layouts: list[Layout]


class Layout(NamedTuple):
    """Memory that lies as it would under these sizes, and the part of it that a view shows."""

    sizes: dict[str, int]
    memory: np.ndarray
    part: np.ndarray


class Sharing:
    """The views that a trace has made, by the identity of what stands for them.

    What they show is found out when something was written: most views nobody writes to.
    """

    def __init__(self) -> None:
        self._views: dict[int, Symbol] = {}
        self._versions: dict[int, int] = {}  # of tops: how often they or their views were written
        self._torn: set[int] = set()  # roots of which a view cut off the graph has one of its own
        self._reshaped: set[int] = set()  # roots that changed their shape in place

    def note(self, base: Any, view: Any, step: AnyStep, apart: bool) -> None:
        """Let `view` show `base`."""
        if not isinstance(view, Variable):
            return
        found = self._views.get(id(base))
        top = base if found is None else found.top
        apart = apart or (found is not None and found.apart)
        apart = apart or (view.stop_gradient and not getattr(base, "stop_gradient", True))
        version = self._versions.setdefault(id(top), 0)
        self._views[id(view)] = Symbol(view, top, found, step, apart, version, view)

    def top_of(self, x: Any) -> Any:
        """What `x` shows, perhaps by way of other views; itself, if it is no view."""
        view = self._views.get(id(x))
        return x if view is None else view.top

    def shown(self, x: Any) -> tuple[Symbol, Found] | None:
        """The view `x` and what it shows; None for what is no view."""
        view = self._views.get(id(x))
        if view is None:
            return None
        found = _found(view)
        return (view, found) if found.steps else None

    def stale(self, x: Any) -> tuple[Symbol, Found] | None:
        """The view `x` and what it shows, if that was written since it was read."""
        view = self._views.get(id(x))
        if view is None:
            return None
        if view.version == self._versions[id(view.top)] and view.value is x.latest():
            return None
        shown = self.shown(x)
        if shown is None:
            return None
        _, found = shown
        self._refuse_reshaped(found)
        if found.unsure:
            raise ConversionError(
                "a tensor is used of whose base a part was changed in place, and only its sizes, "
                "which differ between calls, decide whether it is a view or a copy",
                cure="make it a copy: x.clone()",
            )
        if view.apart and id(found.root) in self._torn:
            raise ConversionError(
                "a detached view is used of whose memory another one was changed in place with "
                "gradients of its own",
                cure="make it a copy: x.detach().clone()",
            )
        return shown

    def written(self, target: Any, value: Any) -> tuple[bool, Any, Any] | None:
        """If `target` is apart from its root, this root, and what it becomes with `target`."""
        shown = self.shown(target)
        if shown is None:
            return None
        view, found = shown
        if found.unsure:
            raise ConversionError(
                "a tensor is changed in place, and only its sizes, which differ between calls, "
                "decide whether it is a view or a copy",
                cure="change a copy: x = x.clone()",
            )
        self._refuse_reshaped(found)
        if view.apart and not value.stop_gradient:
            self._torn.add(id(found.root))
        return view.apart, found.root, replaced(found.root, found.steps, value)

    def note_write(self, target: Any) -> None:
        """Views of what `target` shows are stale from now on; itself it is what it was made."""
        view = self._views.get(id(target))
        top = target if view is None else view.top
        if id(top) in self._versions:
            self._versions[id(top)] += 1
        if view is not None:
            view.version, view.value = self._versions[id(top)], target.latest()

    def note_flag(self, target: Any) -> None:
        """`target` has another flag, and shows what it did."""
        view = self._views.get(id(target))
        if view is not None and view.version == self._versions[id(view.top)]:
            view.value = target.latest()

    def reseat(self, target: Any, value: Any) -> bool:
        """Where `value` is a view of `target`: let target be that view (`x.reshape_`)."""
        view, mine = self._views.get(id(value)), self._views.get(id(target))
        if view is None or view.top is not (target if mine is None else mine.top):
            return False
        above = view.base
        while above is not mine and above is not None:
            above = above.base
        if above is not mine:
            return False
        if mine is None:
            self._reshaped.add(id(target))
        else:
            version = self._versions[id(view.top)]
            made = (view.base, view.step, mine.apart, version, value.latest())
            self._views[id(target)] = Symbol(target, view.top, *made)
        return True

    def _refuse_reshaped(self, found: Found) -> None:
        if id(found.root) in self._reshaped:
            raise ConversionError(
                "a tensor is used that shows the memory of one that was changed in place, and that "
                "got another shape in place",
                cure="give it the other shape in a new tensor: x = x.reshape(...)",
            )


def _found(view: Symbol) -> Found:
    """What a view shows."""
    above = [view]  # in a loop: a chain of views may be longer than Python's stack
    while above[-1].found is None and above[-1].base is not None:
        above.append(above[-1].base)
    for each in reversed(above):
        if each.found is None:
            each.found = _shown_by(each)
    assert view.found is not None
    return view.found


def _shown_by(view: Symbol) -> Found:
    """What a view shows whose base is found."""
    base = None if view.base is None else view.base.found
    if base is None:
        base = Found(view.top, (), False, _layouts(view.top))
    try:
        layouts = [_part(layout, view.step) for layout in base.layouts]
    except TwinoarError:  # these sizes are not possible, or data says which part it is
        layouts = []
    answers = {np.may_share_memory(layout.part, layout.memory) for layout in layouts}
    if answers == {False} and base.steps:
        return Found(view.handle, (), False, _layouts(view.handle))
    unsure = base.unsure or (bool(base.steps) and answers != {True})
    return Found(base.root, (*base.steps, view.step), unsure, layouts)


def _layouts(root: Any) -> list[Layout]:
    names = {name for d in root.spec.shape for name in names_in(d)}
    found = []
    for n in SIZES if names else (0,):
        sizes = dict.fromkeys(names, n)
        shape = [evaluate(d, sizes) for d in root.spec.shape]
        untouched = np.empty(shape, root.spec.dtype.numpy)
        found.append(Layout(sizes, untouched, untouched))
    return found


def _part(layout: Layout, step: AnyStep) -> Layout:
    """What a step shows of memory that nobody touches."""
    with using(eager(UNRECORDED)):
        part = of_sizes(step, layout.sizes).read(Tensor(layout.part))
    return layout._replace(part=part._data)


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
