"""Gradients while a function is traced: what `backward()` leaves in `.grad`, as Variables.

Leaves are the tensors that the function captured, its arguments, and what it makes itself and asks
for gradients of. The live tensors hold no Variable at any time: a table here does, and what it
holds when the trace ends becomes results of the Program (`Effects`), which calls put into `.grad`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Set
from dataclasses import field
from typing import Any

from twinoar.autograd.backprop import (
    backprop,
    no_graph_of_rows,
    require_values,
    seeded,
    wants_gradient,
)
from twinoar.autograd.presence import Presence, Unknown, either, presences
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Operator, Program, State, Variable, among
from twinoar.eager.tape import graph_freed
from twinoar.eager.tensor import ZEROS, Tensor
from twinoar.errors import ConversionError, GradientError, SourceLine
from twinoar.jit.guards import Guards
from twinoar.jit.warning import ZeroGradientWarning, warn_user
from twinoar.late import dataclass
from twinoar.ops.control.branch_and_loop import while_
from twinoar.ops.create.fill import identity
from twinoar.ops.index.selected_rows import SelectedRows, add_gradients, dense
from twinoar.ops.math.arithmetic import add
from twinoar.ops.math.cast import astype
from twinoar.ops.math.fill import zeros_of
from twinoar.static.backward import name_gradient

Leaf = Tensor | Variable  # captured; or an argument's input, or what the function made
GRADIENTS = (Variable, SelectedRows)
UNREAD = object()


@dataclass(slots=True)
class Held:
    """The gradient of one leaf: what the trace read before it changed anything, and what is now.

    present: True, or a truth value of the Program; where it is false, the gradient is None.
    """

    leaf: Leaf
    first: Any
    now: Any
    present: bool | Variable = True
    is_added: bool = False  # to SelectedRows from before the call, which the Program does not read

    @property
    def latest(self) -> Any:
        """The Variable or SelectedRows that the gradient is now, ZEROS, or None."""
        return self.now.latest() if isinstance(self.now, GRADIENTS) else self.now


@dataclass(slots=True)
class Effects:
    """What a call leaves in `.grad`.

    marks: tensors, and the None or ZEROS that they get. captured: tensors, and the Variable or
    SelectedRows that replaces their gradient. added: tensors, and what is added to theirs.
    arguments: positions of arguments, and what is added to theirs. Last in each stands
    `Held.present`.
    """

    marks: list[tuple[Tensor, Any, bool | Variable]] = field(default_factory=list)
    captured: list[tuple[Tensor, Any, bool | Variable]] = field(default_factory=list)
    added: list[tuple[Tensor, Any, bool | Variable]] = field(default_factory=list)
    arguments: list[tuple[int, Any, bool | Variable]] = field(default_factory=list)

    @property
    def gradients(self) -> list[tuple[Any, Any, bool | Variable]]:
        """All that are computed, in order."""
        return [*self.captured, *self.added, *self.arguments]

    @property
    def flags(self) -> list[Variable]:
        """The presences that each run computes."""
        found = (x[-1] for x in (*self.marks, *self.gradients))
        return list(dict.fromkeys(p for p in found if isinstance(p, Variable)))


class Gradients:
    """The gradients in one trace. `arguments`: the live tensor of each input, None if not known."""

    def __init__(self, program: Program, guards: Guards):
        self.program, self.guards = program, guards
        self.arguments: dict[Variable, Tensor | None] = {}
        self.held: dict[int, Held] = {}
        self.released: set[Operator] = set()
        self.stand_ins: dict[Variable, Leaf] = {}

    def backward(
        self, builder: Builder, outputs: list[Any], gradients: list[Any], retain_graph: bool
    ) -> list[Leaf]:
        """Add the gradients of `outputs` to those of the leaves, as eager mode does.

        Returns the leaves.
        """
        leaves = []
        seeds = _seeds(builder, outputs, gradients)
        operators = self._reachable(seeds)
        with using(_backward_of(builder, create_graph=False)):
            present = presences(operators, dict.fromkeys(seeds, True))
            found = self._differentiate(seeds, retain_graph)
            for v, g in found.items():
                leaf = self._leaf_of(v)
                if leaf is None:
                    continue
                is_there = settled(present.get(v, False), v, operators)
                if is_there is not False:
                    self._accumulate(leaf, g, is_there)
                    leaves.append(leaf)
        return leaves

    def grad(
        self,
        builder: Builder,
        outputs: list[Any],
        inputs: list[Any],
        gradients: list[Any],
        *,
        create_graph: bool,
        retain_graph: bool,
        blocked: list[Any],
    ) -> list[Any]:
        """The gradients of `outputs` with respect to `inputs`; None where there is none."""
        require_values([*outputs, *inputs], gradients)
        chosen = [i for i, x in enumerate(outputs) if not x.stop_gradient]
        seeds = _seeds(builder, [outputs[i] for i in chosen], [gradients[i] for i in chosen])
        stops = {builder.lift(x) for x in blocked}
        wanted = [self._forms(builder, x) for x in inputs]
        leading = self._leading({v for forms in wanted for v in forms} - stops, stops)
        with using(_backward_of(builder, create_graph)):
            started = {v: g for v, g in seeds.items() if v not in stops}
            found = self._differentiate(started, retain_graph, leading)
            sums = [_sum([found[v] for v in forms if v in found]) for forms in wanted]
            if create_graph and any(isinstance(g, SelectedRows) for g in sums):
                raise no_graph_of_rows()
            return [dense(g) for g in sums]

    def read(self, builder: Builder, x: Leaf) -> Any:
        """The gradient of `x` now, a Variable or None; from before the call, if need be."""
        held = self.held.get(id(x))
        if isinstance(x, Variable):
            self._refuse_held(x)
            if held is None:
                return None
        elif held is None:
            held = self.held[id(x)] = self._read_before(builder, x)
        if held.is_added:
            raise ConversionError(
                f"the row-sparse gradient of {x.name} from before the call is read in it",
                cure="clear it before the call, or take the optimizer's step outside",
            )
        if held.now is ZEROS:
            held.now = _zeros(builder, x)
        return held.latest

    def presence(self, x: Leaf) -> bool | Variable:
        """True, or what tells whether there is the gradient of `x` that `read` gives."""
        held = self.held.get(id(x))
        return True if held is None else held.present

    def set(self, builder: Builder, x: Leaf, gradient: Any) -> None:
        """Let `gradient` be the gradient of `x`."""
        self._require_own(builder, x)
        held = self.held.setdefault(id(x), Held(x, UNREAD, None))
        is_rows = isinstance(gradient, SelectedRows)
        held.now, held.present = gradient if is_rows else builder.lift(gradient), True
        held.is_added = False

    def clear(self, builder: Builder, x: Leaf, set_to_zero: bool) -> None:
        """Make the gradient of `x`, where there is one, zeros; or forget it."""
        self._require_own(builder, x)
        held = self.held.get(id(x))
        if held is not None:
            is_kept = (
                set_to_zero and held.now is not None and not isinstance(held.now, SelectedRows)
            )
            held.now, held.is_added = ZEROS if is_kept else None, False
        elif isinstance(x, Variable):
            return
        elif not set_to_zero:
            self.held[id(x)] = Held(x, UNREAD, None)
        elif _is_empty(x):  # stays what it is
            self.guards.note_empty(x)
        else:
            self.guards.note_full(x)
            self.held[id(x)] = Held(x, UNREAD, ZEROS)

    def renew(self, builder: Builder, x: Leaf) -> None:
        """Let a leaf that was changed under no_grad be a leaf again, with its new value."""
        root = x if isinstance(x, Variable) else self.program.captured.get(id(x))
        if root is None:
            return
        last = root.latest()
        if last is root or not last.stop_gradient or self._leaf_of(root) is None:
            return
        with using(_unrecorded(builder)):
            stand_in = identity.function(last)
        stand_in.stop_gradient = False
        last.rebound = stand_in
        self.stand_ins[stand_in] = x

    def effects(self) -> Effects:
        """What calls have to do about gradients when the Program has run."""
        found = Effects()
        positions = {v: i for i, v in enumerate(self.arguments)}
        for held in self.held.values():
            now = held.latest
            if isinstance(held.leaf, Variable):
                if held.leaf in positions:
                    found.arguments.append((positions[held.leaf], now, held.present))
            elif held.is_added:
                if now is not None:
                    found.added.append((held.leaf, now, held.present))
            elif isinstance(now, GRADIENTS) and now is not held.first:
                found.captured.append((held.leaf, now, held.present))
            elif not isinstance(now, GRADIENTS) and now is not held.first:
                found.marks.append((held.leaf, now, now is None or held.present))
        return found

    def is_freed(self, v: Variable) -> bool:
        """True if a backward pass was here, so that no other can go back from `v`."""
        return any(o in self.released for o in self._reachable([v]))

    def is_behind_update(self, v: Variable) -> bool:
        """True if `v` depends on a leaf after the trace has changed it."""
        operands = (x for o in self._reachable([v]) for x in o.operands)
        return any(isinstance(x, Variable) and self._is_updated(x) for x in operands)

    def _is_updated(self, v: Variable) -> bool:
        """True for the new value of a leaf that the call leaves behind."""
        leaf = self.stand_ins.get(v)
        return leaf is not None and not is_made(leaf)

    def made_leaves(self) -> list[Variable]:
        """What the function makes itself and asks for gradients of."""
        first = (v for o in self.program.main.ops if not onward(o) for v in o.results)
        found = [v for v in first if v is not None and is_made(self.stand_ins.get(v, v))]
        found += [s for s in self.program.states.values() if s.is_constant]
        return [v for v in found if not v.stop_gradient]

    def _differentiate(
        self,
        seeds: dict[Variable, Any],
        retain_graph: bool,
        leading: Set[Variable] | None = None,
    ) -> dict[Variable, Any]:
        wants = wants_gradient if leading is None else leading.__contains__
        operators = self._reachable(seeds, wants)
        for o in operators:
            if o in self.released:
                raise graph_freed(o.op)
        grads = backprop(operators, dict(seeds), wants)
        if not retain_graph:
            self.released.update(o for o in operators if not grads.keys().isdisjoint(o.results))
        return grads

    def _reachable(
        self, outputs: Iterable[Variable], wants: Callable[[Variable], bool] = wants_gradient
    ) -> list[Operator]:
        """The operators that gradients of `outputs` flow through, last first."""
        needed, found = set(outputs), []
        for o in reversed(self.program.main.ops):
            if not any(v in needed for v in o.results if v is not None):
                continue
            following = onward(o, wants)
            if following:
                found.append(o)
                needed.update(following)
        return found

    def _leading(self, inputs: Set[Variable], stops: Set[Variable]) -> Set[Variable]:
        """The Variables that gradients pass on their way to `inputs`."""
        leading = set(filter(wants_gradient, inputs))
        for o in self.program.main.ops:
            if any(isinstance(x, Variable) and x in leading for x in o.operands):
                leading.update(
                    v for v in o.results if v is not None and wants_gradient(v) and v not in stops
                )
        return leading

    def _forms(self, builder: Builder, x: Leaf) -> list[Variable]:
        """The Variables that stand for `x`: several, where it is a leaf that was changed."""
        now = builder.lift(x)
        stand_ins = [v for v, leaf in self.stand_ins.items() if leaf is x]
        if not stand_ins:
            return [now]
        return [x if isinstance(x, Variable) else self.program.captured[id(x)], *stand_ins]

    def _leaf_of(self, v: Variable) -> Leaf | None:
        """The leaf that `v` stands for, or None. Raises GradientError for what is no leaf."""
        if v.home is not self.program.main or (v.producer is not None and onward(v.producer)):
            return None
        leaf: Any = self.stand_ins.get(v, v)
        if isinstance(leaf, State) and isinstance(leaf.data, Tensor):
            leaf = leaf.data
        live = self.arguments.get(leaf) if isinstance(leaf, Variable) else leaf
        if live is not None and live.producer is not None:
            raise GradientError(
                f"{live.name} was computed before, by operators that this backward() cannot reach",
                cure="return the loss and call backward() on it outside, or pass x.detach()",
            )
        return leaf

    def _accumulate(self, leaf: Leaf, g: Any, present: bool | Variable) -> None:
        if isinstance(leaf, Tensor):
            self._refuse_argument(leaf)
            self._refuse_hooks(leaf)
            if g.dtype is not leaf.gradient_spec.dtype:
                g = astype(g, leaf.gradient_spec.dtype)
        held = self.held.get(id(leaf))
        if held is None:
            held = self.held[id(leaf)] = self._before_backward(leaf, present)
        if not isinstance(g, SelectedRows) and any(other.now is g for other in self.held.values()):
            g = identity.function(g)  # a handle of its own, which in-place operators may rebind
        before = held.latest
        held.present = present if before is None else either(held.present, present)
        empty = before is None or before is ZEROS
        held.now = name_gradient(g, leaf) if empty else add_gradients(before, g)

    def _before_backward(self, leaf: Leaf, present: bool | Variable) -> Held:
        """A leaf that backward() is the first to touch: zeros are as good as no gradient.

        They are not where nothing may be added to them.
        """
        if isinstance(leaf, Variable):
            return Held(leaf, UNREAD, None)
        if _is_empty(leaf) and present is not True:
            self.guards.note(leaf, "_grad", leaf._grad)
            return Held(leaf, UNREAD, leaf._grad)
        if _is_empty(leaf):
            self.guards.note_empty(leaf)
            return Held(leaf, UNREAD, None)
        if isinstance(leaf._grad, SelectedRows):
            self.guards.note_full(leaf)
            return Held(leaf, UNREAD, None, is_added=True)
        return self._present(leaf)

    def _read_before(self, builder: Builder, x: Tensor) -> Held:
        self._refuse_argument(x)
        if not _is_empty(x):
            if isinstance(x._grad, SelectedRows):
                self.guards.note_full(x)
                return Held(x, UNREAD, None, is_added=True)
            return self._present(x)
        self.guards.note(x, "_grad", x._grad)
        first = None if x._grad is None else _zeros(builder, x)
        return Held(x, first, first)

    def _present(self, x: Tensor) -> Held:
        """A gradient from before the call, which each run reads."""
        self.guards.note_full(x)
        state = self.program.add_state(x.gradient_spec, f"{x.name}@GRAD")
        state.traits["read"] = lambda: x._grad._data  # type: ignore[union-attr]
        return Held(x, state, state)

    def _refuse_hooks(self, x: Tensor) -> None:
        if x._hooks:
            raise ConversionError(
                f"{x.name} has a hook, which a Program cannot call at each run",
                cure="remove the hook, and change p.grad after backward()",
            )
        self.guards.note_hookless(x)

    def _refuse_held(self, x: Variable) -> None:
        """An argument may have a gradient from before, which the Program does not know."""
        live = self.arguments.get(x)
        if live is not None and (live._grad is not None or live._hooks):
            raise ConversionError(
                f"the argument {live.name} has a gradient from before the call, or a hook",
                cure="read the gradients of arguments after the call",
            )

    def _require_own(self, builder: Builder, x: Leaf) -> None:
        """Raise ConversionError where the gradient of `x` is not for this trace to change."""
        require_main(builder, f"the change of the gradient of {x.name}")
        if isinstance(x, Tensor):
            self._refuse_argument(x)
        elif x in self.arguments:
            raise ConversionError(
                f"the gradient of the argument {x.name} is changed in the function",
                cure="change it after the call",
            )

    def _refuse_argument(self, x: Tensor) -> None:
        if among(x, self.arguments.values()):
            raise ConversionError(
                f"{x.name} is an argument, and its gradient is also used as that of a parameter",
                cure="let the function find the tensor by its name instead of passing it",
            )


def is_made(leaf: Leaf) -> bool:
    """True for a leaf that an operator of the function makes."""
    return isinstance(leaf, Variable) and leaf.producer is not None


def outermost(builder: Builder) -> Builder:
    """The builder of the main block around a nested one."""
    while builder.outer is not None:
        builder = builder.outer
    return builder


def _unrecorded(builder: Builder) -> Builder:
    """The builder of the main block around a nested one, which records nothing."""
    main = outermost(builder)
    return main.under(main.policy.recording(False))


def require_main(builder: Builder, what: str) -> None:
    """Raise ConversionError inside a branch or loop that depends on a tensor."""
    if builder.outer is not None:
        raise ConversionError(
            f"{what} stands inside a branch or loop that depends on a tensor",
            cure="compute the loss in the branch, and call backward() after it",
        )


def onward(o: Operator, wants: Callable[[Variable], bool] = wants_gradient) -> list[Variable]:
    """The operands that gradients flow on to."""
    return [x for x in o.operands if isinstance(x, Variable) and wants(x)]


def _backward_of(builder: Builder, create_graph: bool) -> Builder:
    policy = builder.policy.derived(create_graph and builder.policy.records)
    return builder.twin(role="backward", follows=False, policy=policy)


def _seeds(builder: Builder, outputs: list[Any], gradients: list[Any]) -> dict[Variable, Any]:
    require_main(builder, "backward()")
    require_values(outputs, gradients)
    values = [builder.lift(x) for x in outputs]
    seeds: dict[Variable, Any] = {}
    for v, g in seeded(values, [builder.lift(g) for g in gradients]):
        seeds[v] = add.function(seeds[v], g) if v in seeds else g
    return seeds


def settled(present: Presence, v: Variable, operators: Iterable[Operator]) -> bool | Variable:
    """The presence of the gradient of `v`: True, with a warning, where a loop makes it unsure.

    operators: those that were gone back through, last first.
    """
    if not isinstance(present, Unknown):
        return present
    source = _loop_behind(v, operators)
    warn_user(
        f"the gradient of {v.name} is zeros where plain Python may leave None, as iterations of a "
        f"loop on a tensor decide whether it is used, at {source}: an optimizer then updates it "
        "all the same; use it in every iteration, or once outside the loop",
        ZeroGradientWarning,
    )
    return True


def _loop_behind(v: Variable, operators: Iterable[Operator]) -> SourceLine | None:
    """The line of the first loop that depends on `v`, or of the branch that it is in."""
    reached = {v}
    for o in reversed(list(operators)):
        if any(isinstance(x, Variable) and x in reached for x in o.operands):
            inner = (n for block in o.blocks.values() for n in block.walk())
            if any(n.op is while_ for n in (o, *inner)):
                return o.source
            reached.update(x for x in o.results if x is not None)
    return None


def _sum(gradients: list[Any]) -> Any:
    """Their sum; None of none."""
    return functools.reduce(add_gradients, gradients) if gradients else None


def _is_empty(x: Tensor) -> bool:
    """True where backward() may replace the gradient."""
    return x._grad is None or x._grad is ZEROS


def _zeros(builder: Builder, x: Leaf) -> Variable:
    with using(_unrecorded(builder)):
        return zeros_of(x.gradient_spec if isinstance(x, Tensor) else x.spec)
