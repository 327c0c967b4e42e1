"""Which Program is being built: enable_static, program_guard, and the Builder behind both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from twinoar.core.builder import Builder
from twinoar.core.interpreter import base, current, eager, set_base, using
from twinoar.core.ir import State
from twinoar.core.op import Op
from twinoar.core.spec import Spec
from twinoar.eager.place import place_of
from twinoar.errors import TypeMismatchError
from twinoar.ops.create import fill
from twinoar.static.program import Program


class StaticBuilder(Builder):
    """Builds a main Program, and with it the startup Program that initializes its states."""

    program: Program

    def __init__(self, program: Program, startup: Program | None = None, **kwargs: Any):
        super().__init__(program, **kwargs)
        self.startup = startup if startup is not None else default_startup_program()

    def result_name(self, op: Op, index: int) -> str:
        """A name as Paddle's: the operator's type, a number, `tmp` and the result's index."""
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

    def _add(self, spec: Spec, initializer: Callable, name: str, **kwargs: Any) -> State:
        if name in self.program.states:
            return self.program.states[name]
        state = self.program.add_state(spec, name, **kwargs)
        self._initialize(spec, initializer, state.name)
        return state

    def _initialize(self, spec: Spec, initializer: Callable, name: str) -> None:
        if name in self.startup.states:
            return
        with using(StaticBuilder(self.startup, self.startup)) as builder:
            value = initializer(spec)
        target = self.startup.add_state(spec, name)
        target.is_parameter = self.program.states[name].is_parameter
        self.startup.update(target, builder.lift(value))


def _filled(spec: Spec, value: float) -> Any:
    return fill(spec.shape, value, spec.dtype)


class _Defaults:
    """The Programs that code outside any program_guard builds."""

    main: Program = Program("main")
    startup: Program = Program("startup")
    mode_is_chosen = False


def default_main_program() -> Program:
    """The Program that operators are appended to, or would be in static mode."""
    builder = current()
    return builder.program if isinstance(builder, StaticBuilder) else _Defaults.main


def default_startup_program() -> Program:
    """The Program that initializes the states of the default main Program."""
    builder = current()
    return builder.startup if isinstance(builder, StaticBuilder) else _Defaults.startup


@contextmanager
def program_guard(main_program: Program, startup_program: Program | None = None) -> Iterator[None]:
    """Build `main_program`, and in `startup_program` what initializes it, within the block.

    Raises TypeMismatchError for what is not a Program.

    >>> from twinoar import static
    >>> main = static.Program()
    >>> with static.program_guard(main):
    ...     x = static.data("x", [None, 3])
    >>> [v.name for v in main.main.inputs]
    ['x']
    """
    for program in (main_program, startup_program):
        if program is not None and not isinstance(program, Program):
            raise TypeMismatchError(
                f"program_guard expects Programs, received {type(program).__name__}",
                cure="make one: static.Program()",
            )
    with using(StaticBuilder(main_program, startup_program)):
        yield


def enable_static(place: Any = None) -> None:
    """From now on operators build the default main Program instead of running."""
    _Defaults.mode_is_chosen = True
    set_base(StaticBuilder(_Defaults.main, _Defaults.startup))


def disable_static(place: Any = None) -> None:
    """From now on operators run at once (the default)."""
    _Defaults.mode_is_chosen = True
    set_base(eager())


def mode_is_chosen() -> bool:
    """True once `enable_static()` or `disable_static()` was called."""
    return _Defaults.mode_is_chosen


def in_dynamic_mode() -> bool:
    """True where operators run at once.

    >>> in_dynamic_mode()
    True
    """
    return current().runs


def in_static_base() -> bool:
    """True after `enable_static()`."""
    return not base().runs


@contextmanager
def name_scope(prefix: str | None = None) -> Iterator[None]:
    """A scope for names; kept for Paddle's code, names are unique without it."""
    yield


@contextmanager
def device_guard(device: str | None = None) -> Iterator[None]:
    """Place operators on a device; this version has the CPU alone."""
    place_of(device)
    yield


@contextmanager
def building(program: Program, startup: Program | None, role: str) -> Iterator[Any]:
    """A Builder on `program` whose operators have `role` ("backward" or "optimize").

    It is like the one that builds `program` now, if there is one.
    """
    builder = current()
    if getattr(builder, "program", None) is not program or startup is not None:
        builder = StaticBuilder(program, startup)
    with using(builder.twin(role=role, follows=role != "backward")) as twin:
        yield twin
