"""Optimizer: from gradients to new parameters, in eager mode and in a static Program alike."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from twinoar.core import unique_name
from twinoar.core.dtype import float32
from twinoar.core.interpreter import current, derived, using
from twinoar.core.ir.program import Variable
from twinoar.core.op.explain import Told
from twinoar.core.values import Value
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, TypeMismatchError, UnknownNameError, UnsupportedError
from twinoar.ops.index.mask import where
from twinoar.ops.index.selected_rows import SelectedRows
from twinoar.ops.math.cast import cast
from twinoar.ops.math.logical import logical_and, logical_not
from twinoar.ops.shape.reshape import reshape
from twinoar.optimizer.by_rows import Meaning, gradient_for, update_rows
from twinoar.optimizer.fused import FusedSteps
from twinoar.optimizer.group import (
    Group,
    as_clip,
    as_number,
    as_parameter_list,
    as_regularizer,
    make_group,
    read_groups,
)
from twinoar.optimizer.lr.decay import LambdaDecay
from twinoar.optimizer.lr.scheduler import LRScheduler
from twinoar.optimizer.memory import Memory, Moment
from twinoar.static.backward import append_backward
from twinoar.static.mode import building
from twinoar.static.program import Program

SCHEDULE = "LR_Scheduler"
ParamsGrads = list[tuple[Any, Any]]


class Rule:
    """The operator of an update, and which settings it takes: `named`, or called `same` in both.

    It is called with the parameter, the gradient, what is remembered, and the rate.
    """

    def __init__(self, step: Callable[..., Any], *same: str, **named: str) -> None:
        self.step, self.takes = step, dict(zip(same, same, strict=True)) | named


class Optimizer(Told):
    """Base of optimizers: `moments` says what a subclass remembers, `update` what it does.

    A subclass whose update is one operator names it in `_rule` instead.

    learning_rate: a number or a schedule. parameters: a list of them, or a list of dicts, each with
    "params" and settings of its own: "learning_rate" (a factor), "weight_decay", "grad_clip" and
    those of the rule; in a static Program None means all. weight_decay: a number (L2) or a
    regularizer. grad_clip: what clips the gradients of a group before that.
    Raises ArgumentError or TypeMismatchError.

    >>> layer = twinoar.nn.Linear(2, 1)
    >>> sgd = twinoar.optimizer.SGD(0.1, parameters=layer.parameters())
    >>> layer(twinoar.to_tensor([[1.0, 2.0]])).sum().backward()
    >>> sgd.step()
    >>> layer.bias.tolist()
    [-0.1...]
    """

    _decoupled = False  # True where the rule itself decays
    _multi_precision = False
    _skipped: Value | bool | None = None  # whether this step changes nothing
    # True where `update` and its kin depend on what they are given alone; a subclass says it anew.
    _is_formula = False
    # What `update` does with SelectedRows, said by the class that has it; see by_rows.
    _meaning_of_rows: Meaning = None
    _decays_rows = True  # False where such a gradient is refused with a regularizer
    _rule: Rule | None = None
    _settings: Mapping[str, Any] = {}  # the rule's own, a group may have others
    _internal = frozenset({"_memory", "_fused", "_rate_name"})  # a trace of a step uses them up

    def __init__(
        self,
        learning_rate: float | LRScheduler,
        parameters: Iterable[Any] | None = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ):
        if parameters is None and current().runs:
            raise ArgumentError(
                "an optimizer needs the parameters it shall train",
                cure="pass parameters=layer.parameters()",
            )
        self._learning_rate = as_rate(learning_rate)
        self._parameter_list = None if parameters is None else as_parameter_list(parameters)
        self._name = name
        self._grad_clip = as_clip(grad_clip)
        self.regularization = None if self._decoupled else as_regularizer(weight_decay)
        decay = weight_decay if self._decoupled else self.regularization
        self._default_dict = {**self._settings, "weight_decay": decay, "grad_clip": grad_clip}
        given = self._parameter_list or []
        self._groups = read_groups(given, self._default_dict, decoupled=self._decoupled)
        self._param_groups, self._group_by_id = given, {}
        if given and isinstance(given[0], Mapping):
            self._param_groups = [g.settings for g in self._groups]
            self._group_by_id = {id(p): g for g in self._groups for p in g.parameters}
        # Parameters that are in no group, where there are groups.
        self._rest = make_group({"params": []}, self._default_dict, decoupled=self._decoupled)
        self._memory = Memory(self._moments_of, self._has_masters)
        self._rate_name: str | None = None
        self._fused = FusedSteps()

    # What a rule is.

    def moments(self, settings: Mapping[str, Any]) -> tuple[Moment, ...]:
        """What the rule remembers of each parameter."""
        return ()

    def update(
        self, param: Value, grad: Value, states: tuple, rate: Any, settings: Mapping[str, Any]
    ) -> tuple:
        """The new parameter, and the new value of each moment."""
        rule = self._rule
        if rule is None:
            raise UnsupportedError(
                f"{type(self).__name__} has no update rule",
                cure="use SGD, Adam or another subclass",
            )
        taken = {name: settings[setting] for name, setting in rule.takes.items()}
        found = rule.step(param, grad, *states, rate, **taken)
        return found if isinstance(found, tuple) else (found,)

    def settings_for(self, param: Value, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """The settings for one parameter of a group that has `settings`."""
        return settings

    def rate_for(self, param: Value, rate: Any) -> Any:
        """The learning rate for one parameter, where its group and ParamAttr say `rate`."""
        return rate

    def decayed(self, param: Value, grad: Value, regularizer: Callable | None) -> Value:
        """The gradient with the regularizer's term."""
        return grad if regularizer is None else grad + regularizer(param, grad)

    # Training.

    def step(self) -> None:
        """Update each parameter that has a gradient; the others stay."""
        self.apply_gradients(self._gradients(self._trained()))

    def clear_grad(self, set_to_zero: bool = True) -> None:
        """Fill the gradients with zeros, or forget them."""
        for p in self._trained():
            if isinstance(p, Tensor):
                p.clear_gradient(set_to_zero)

    clear_gradients = clear_grad

    def minimize(
        self,
        loss: Value,
        startup_program: Program | None = None,
        parameters: Sequence[Any] | None = None,
        no_grad_set: Iterable[Any] | None = None,
    ) -> tuple[list, ParamsGrads]:
        """Update parameters by the gradients of `loss`.

        loss: a Tensor after `loss.backward()`, or a Variable of a static Program, to which backward
        and update operators are appended. parameters: these alone. no_grad_set: not these; Values
        or names. Returns the appended operators, and the (parameter, gradient) pairs.
        """
        params_grads = self.backward(loss, startup_program, parameters, no_grad_set)
        return self._apply(params_grads, startup_program), params_grads

    def backward(
        self,
        loss: Value,
        startup_program: Program | None = None,
        parameters: Sequence[Any] | None = None,
        no_grad_set: Iterable[Any] | None = None,
        callbacks: Any = None,
    ) -> ParamsGrads:
        """The first half of `minimize`: (parameter, gradient) pairs. See there."""
        chosen = parameters if parameters is not None else self._parameter_list and self._trained()
        if isinstance(loss, Variable) and not current().traces:
            return append_backward(loss, chosen, no_grad_set, callbacks)
        if not isinstance(loss, Value):
            raise TypeMismatchError(
                f"the loss must be a Tensor, received {type(loss).__name__}",
                cure="pass the loss itself, not loss.item()",
            )
        left_out = {x if isinstance(x, str) else x.name for x in no_grad_set or ()}
        return self._gradients([p for p in chosen or () if p.name not in left_out])

    def apply_gradients(self, params_grads: ParamsGrads) -> list:
        """The second half of `minimize`: clip, decay and update. Returns the appended operators."""
        return self._apply([(p, g) for p, g in params_grads if g is not None], None)

    @property
    def has_stepped(self) -> bool:
        """True where something is remembered of a parameter."""
        return not self._memory.is_empty

    # The learning rate.

    def get_lr(self) -> float:
        """The learning rate now."""
        rate = self._learning_rate
        return rate() if isinstance(rate, LRScheduler) else rate

    def set_lr(self, value: float) -> None:
        """Set the learning rate. Raises ArgumentError where a schedule sets it."""
        if isinstance(self._learning_rate, LRScheduler):
            raise ArgumentError(
                "the learning rate follows a schedule, set_lr would be overruled",
                cure="use set_lr_scheduler, or make the optimizer with a number",
            )
        if isinstance(value, (LRScheduler, Value)):
            kind = type(value).__name__
            raise TypeMismatchError(
                f"the learning rate must be a number, received {kind}",
                cure="pass an int or a float",
            )
        current().python_effect("set_lr")
        self._learning_rate = as_rate(value)

    def set_lr_scheduler(self, scheduler: LRScheduler) -> None:
        """Let `scheduler` set the learning rate from now on. Raises TypeMismatchError."""
        if not isinstance(scheduler, LRScheduler):
            kind = type(scheduler).__name__
            raise TypeMismatchError(
                f"the scheduler must be an LRScheduler, received {kind}",
                cure="use set_lr for a number",
            )
        current().python_effect("set_lr_scheduler")
        self._learning_rate = scheduler

    # Saving.

    def state_dict(self) -> dict[str, Any]:
        """What is remembered of the parameters by name, `master_weights`, and `LR_Scheduler`."""
        found = self._memory.state_dict()
        if isinstance(self._learning_rate, LRScheduler):
            found[SCHEDULE] = self._learning_rate.state_dict()
        return found

    def set_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on from what `state_dict` returned, of this optimizer or one of the same parameters.

        Entries are found by the parameters' names, before or after the first step. Raises
        UnknownNameError where entries are missing, or none is for any parameter, and ShapeError
        where one does not fit. Warns of entries nobody uses.
        """
        schedule = self._learning_rate
        is_scheduled = isinstance(schedule, LRScheduler)
        if is_scheduled and SCHEDULE not in state_dict and not isinstance(schedule, LambdaDecay):
            raise UnknownNameError(
                f"the state has no {SCHEDULE!r}, which {type(schedule).__name__} needs",
                cure="load the state of an optimizer with a schedule",
            )
        self._memory.load(state_dict, self._trained())
        if isinstance(schedule, LRScheduler) and SCHEDULE in state_dict:
            schedule.set_state_dict(state_dict[SCHEDULE])

    set_dict = set_state_dict

    # How it is done.

    @contextmanager
    def skipping(self, found: Value | None) -> Iterator[None]:
        """Within the block a step changes nothing where `found`, one truth value, is true."""
        before, self._skipped = self._skipped, None
        if isinstance(found, Tensor) and current().runs:
            self._skipped = bool(found.item()) or None
        elif found is not None:
            self._skipped = reshape(found, ())
        try:
            yield
        finally:
            self._skipped = before

    def _apply(self, params_grads: ParamsGrads, startup: Program | None) -> list:
        if not params_grads or self._skipped is True:
            return []
        program = _static_program(params_grads[0][1])
        if program is None:
            with using(derived(False)):
                if not (current().runs and self._fused.run(self, params_grads)):
                    self._update_all(params_grads)
            return []
        before = len(program.main.ops)
        with building(program, startup, "optimize"), using(derived(False)):
            self._update_all(params_grads)
        program.trainings.append((self, params_grads))
        return program.main.ops[before:]

    def _live_rate(self) -> Any:
        """The learning rate as update rules take it: read anew before each run of a Program."""
        if self._rate_name is None:
            self._rate_name = unique_name.generate("learning_rate")
        return current().live_number(self._rate_name, self.get_lr)

    def _update_all(self, params_grads: ParamsGrads) -> None:
        interpreter, rate = current(), self._live_rate()
        for group, pairs in self._by_group(params_grads):
            if group.grad_clip is not None:
                pairs = group.grad_clip(pairs)
            for param, grad in pairs:
                self._update_one(interpreter, group, param, grad, rate)

    def _by_group(self, params_grads: ParamsGrads) -> list[tuple[Group, ParamsGrads]]:
        if not self._group_by_id:
            return [(self._groups[0], params_grads)]
        pairs: dict[int, ParamsGrads] = {id(g): [] for g in (*self._groups, self._rest)}
        for param, grad in params_grads:
            pairs[id(self._group_by_id.get(id(param), self._rest))].append((param, grad))
        return [(g, pairs[id(g)]) for g in (*self._groups, self._rest) if pairs[id(g)]]

    def _update_one(self, interpreter: Any, group: Group, param: Any, grad: Any, rate: Any) -> None:
        if isinstance(grad, SelectedRows):
            grad = gradient_for(self, param, grad, group.regularizer_of(param))
        if isinstance(grad, SelectedRows):
            rate = self.rate_for(param, group.rate_of(param, rate))
            settings = self.settings_for(param, group.settings)
            update_rows(self, interpreter, settings, param, grad, rate)
            return
        slot = self._memory.slot(param)
        value = param
        if slot.is_narrow:
            grad = cast(grad, float32)
            value = slot.master if slot.master is not None else cast(param, float32)
        grad = self.decayed(value, grad, group.regularizer_of(param))
        rate = self.rate_for(param, group.rate_of(param, rate))
        settings = self.settings_for(param, group.settings)
        new, *states = self.update(value, grad, slot.states, rate, settings)
        updates = [*zip(slot.states, states, strict=True)]
        if slot.is_narrow:
            if slot.master is not None:
                updates.append((slot.master, new))
            new = cast(new, param.dtype)
        present = self._presence(interpreter, param)
        for target, following in (*updates, (param, new)):
            if present is not True:  # without its gradient a parameter stays
                following = where(present, following, target)
            interpreter.rebind(target, following)

    def _presence(self, interpreter: Any, param: Any) -> Any:
        """True, or a truth value that tells whether a parameter takes its step."""
        present = interpreter.gradients.presence(param)
        if self._skipped is None:
            return present
        unless = logical_not(self._skipped)
        return unless if present is True else logical_and(present, unless)

    def _has_masters(self) -> bool:
        return self._multi_precision

    def _moments_of(self, param: Any) -> tuple[Moment, ...]:
        group = self._group_by_id.get(id(param))
        return self.moments(self._default_dict if group is None else group.settings)

    def _trained(self) -> list[Any]:
        return [p for g in self._groups for p in g.parameters]

    @staticmethod
    def _gradients(parameters: Iterable[Any]) -> ParamsGrads:
        found = []
        for p in parameters:
            grad = None if p.stop_gradient else p.grad
            if grad is not None:
                found.append((p, grad))
        return found


def as_rate(learning_rate: Any) -> float | LRScheduler:
    """A schedule as it is, a number as a float. Raises ArgumentError or TypeMismatchError."""
    if learning_rate is None:
        raise ArgumentError(
            "learning_rate must be a number or an LRScheduler, received None",
            cure="pass a number such as 0.001, or a schedule of optimizer.lr",
        )
    if isinstance(learning_rate, LRScheduler):
        return learning_rate
    if not isinstance(learning_rate, (numbers.Real, Value)):
        raise TypeMismatchError(
            f"learning_rate must be a number or an LRScheduler, received {learning_rate!r}",
            cure="pass a number such as 0.001, or a schedule of optimizer.lr",
        )
    rate = as_number("learning_rate", learning_rate)
    if rate < 0:
        raise ArgumentError(
            f"learning_rate must be at least 0, received {rate}",
            cure="to climb, minimize the negative of the loss",
        )
    return rate


def _static_program(grad: Any) -> Program | None:
    program = getattr(getattr(grad, "home", None), "program", None)
    return program if isinstance(program, Program) else None
