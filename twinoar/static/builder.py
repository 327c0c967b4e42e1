"""The Builder of static Programs: names as Paddle's, and a startup Program beside the main one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from twinoar.core.interpreter import current, using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Block, State
from twinoar.core.op.definition import Op
from twinoar.core.policy import PLAIN, Policy
from twinoar.core.spec import Spec
from twinoar.errors import ProgramError
from twinoar.ops.math.fill import fill
from twinoar.ops.random.uniform import Draw

if TYPE_CHECKING:
    from twinoar.static.program import Program


class Defaults:
    """The Programs that code outside any program_guard builds: `mode` makes them.

    newest_first: startup Programs initialize in front what was made last, as those of Paddle 1 do.
    """

    main: Program
    startup: Program
    mode_is_chosen = False
    newest_first = False


class StaticBuilder(Builder):
    """Builds a main Program, and with it the startup Program that initializes its states."""

    program: Program
    layer: str | None = None  # that results are called after

    def __init__(self, program: Program, startup: Program | None = None, **kwargs: Any):
        kwargs.setdefault("policy", _policy_now())
        super().__init__(program, **kwargs)
        self.startup = startup if startup is not None else startup_program()

    def result_name(self, op: Op, index: int) -> str:
        """A name as Paddle's: the operator's type, a number, `tmp` and the result's index.

        In a layer, the layer's name takes the place of type and number, and results count on.
        """
        if self.layer is not None:
            return self.block.names.fresh(f"{self.layer}.tmp_")
        desc, prefix = op.rules.get("desc"), op.type
        names = self.block.names
        if index == 0 or f"{prefix}#" not in names.counts:
            per_call = desc.names if desc is not None else 1
            first = names.counts.get(prefix, 0)
            names.counts[prefix] = first + per_call
            names.counts[f"{prefix}#"] = first + per_call - 1
        return names.take(f"{prefix}_{names.counts[f'{prefix}#']}.tmp_{index}")

    def create_parameter(self, spec: Spec, initializer: Callable, **traits: Any) -> State:
        """A parameter of the main Program, initialized by the startup Program."""
        stop = traits.pop("stop_gradient", False)
        name = traits.pop("name", None) or self.program.names.fresh("param_")
        state = self._add(spec, initializer, name, is_parameter=True, stop_gradient=stop)
        state.__dict__.update(traits)
        return state

    def create_state(self, spec: Spec, initializer: Callable, name: str) -> State:
        """A state that is not trained, initialized by the startup Program."""
        return self._add(spec, initializer, name)

    def live_number(self, name: str, read: Callable[[], float]) -> State:
        """A number read anew before each run; the startup Program shows its first value."""
        known = name in self.program.states
        state = super().live_number(name, read)
        if not known:
            self._initialize(Spec(()), lambda spec: _filled(spec, read()), state.name)
        return state

    def random_key(self, generator: Any) -> Any:
        """A state that each run reads anew, so that no operator of the Program is about keys.

        In a nested block, which may run more than once, keys are split off by an operator.
        """
        if self.outer is not None:
            return generator.split()
        index = sum(isinstance(s.traits.get("read"), Draw) for s in self.program.states.values())
        state = self.program.add_state(Draw.spec, f"random_key_{index}")
        state.traits["read"], state.persistable = Draw(index), False
        return state

    def _add(self, spec: Spec, initializer: Callable, name: str, **kwargs: Any) -> State:
        if name in self.program.states:
            return self.program.states[name]
        state = self.program.add_state(spec, name, **kwargs)
        self._initialize(spec, initializer, state.name)
        return state

    def _initialize(self, spec: Spec, initializer: Callable, name: str) -> None:
        startup: Any = self.startup  # `__init__` gives each one
        if name in startup.states:
            return
        reads_others = getattr(initializer, "reads_others", False)  # which must be before it
        at = 0 if Defaults.newest_first and not reads_others else None
        with using(StaticBuilder(startup, startup, at=at, policy=PLAIN)) as builder:
            value = initializer(spec)
        target = startup.add_state(spec, name)
        target.is_parameter = self.program.states[name].is_parameter
        startup.update(target, builder.lift(value))


def _policy_now() -> Policy:
    """The Policy of now, as far as what is built depends on it."""
    policy: Policy = current().policy
    if policy.scope == "/" and policy.products is None:
        return policy.traced
    return replace(policy.traced, scope=policy.scope, products=policy.products)


def _filled(spec: Spec, value: float) -> Any:
    return fill(spec.shape, value, spec.dtype)


@contextmanager
def results_of(layer: str) -> Iterator[None]:
    """In the block, what operators of a Program give is called `<layer>.tmp_0`, `_1`, ..."""
    builder = current()
    if builder.startup is None:
        yield
        return
    with using(builder.twin(layer=layer)):
        yield


def startup_program() -> Program:
    """The Program that initializes the states of the one that is built."""
    startup: Program | None = current().startup
    return Defaults.startup if startup is None else startup


def builder_of(program: Program, block: Block | None = None) -> Any:
    """A Builder that appends to `block` of `program`, by default the outermost one.

    Raises ProgramError for a nested block that is not being built: what it takes from outside are
    operands of the operator around it.
    """
    builder = current()
    if builder.startup is None or builder.program is not program:
        builder = StaticBuilder(program)
    if block is None or block is builder.block:
        return builder.twin()
    if block is not program.main:
        raise ProgramError(
            "a nested block can only be changed while it is built",
            cure="append in the function that cond or while_loop calls",
        )
    return StaticBuilder(program, builder.startup)
