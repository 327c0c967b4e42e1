"""Which Program is being built: enable_static, program_guard, and the Builder behind both."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from twinoar.core.device import CPU, backend_of, device_named, kinds
from twinoar.core.interpreter import base, current, eager, set_base, under, using
from twinoar.core.op.explain import told
from twinoar.core.policy import PLAIN
from twinoar.core.values import Value, method
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.static.builder import Defaults, StaticBuilder, startup_program
from twinoar.static.program import Program

Defaults.main, Defaults.startup = Program("main"), Program("startup")
KINDS_OF_DEVICES = ("cpu", "gpu", "xpu", "dcu", "npu", "mlu", "iluvatar_gpu")


def default_main_program() -> Program:
    """The Program that operators are appended to, or would be in static mode."""
    builder = current()
    return Defaults.main if builder.startup is None else builder.program


def _block(tensor: Value) -> Any:
    """The outermost block of the default main Program, as if the tensor stood there."""
    return default_main_program().global_block()


method("block")(property(_block))  # type: ignore[type-var]


def default_startup_program() -> Program:
    """The Program that initializes the states of the default main Program."""
    return startup_program()


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


@told
def enable_static(place: Any = None) -> None:
    """From now on operators build the default main Program instead of running."""
    Defaults.mode_is_chosen = True
    set_base(StaticBuilder(Defaults.main, Defaults.startup, policy=PLAIN))


@told
def disable_static(place: Any = None) -> None:
    """From now on operators run at once (the default)."""
    Defaults.mode_is_chosen = True
    set_base(eager())


def mode_is_chosen() -> bool:
    """True once `enable_static()` or `disable_static()` was called."""
    return Defaults.mode_is_chosen


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
    """Operators of the block are noted as parts of `prefix`: Programs print it beside the line.

    Names of Variables are unique without it. A second scope of the same name beside the first is
    numbered. Raises TypeMismatchError or ArgumentError for what is no name.

    >>> from twinoar import static
    >>> main = static.Program()
    >>> with static.program_guard(main), static.name_scope("head"):
    ...     y = static.data("x", [2]) * 2.0
    >>> main.global_block().ops[0].attr("op_namescope")
    '/head/'
    """
    if not isinstance(prefix, str | None):
        raise TypeMismatchError(f"a scope must be a string, received {type(prefix).__name__}")
    if not prefix:
        raise ArgumentError("a scope needs a name", cure="write name_scope('block')")
    above = current().policy.scope
    count = default_main_program().count_scope(f"{above}{prefix}")
    with under(scope=f"{above}{prefix}_{count}/" if count else f"{above}{prefix}/"):
        yield


@contextmanager
def device_guard(device: str | None = None) -> Iterator[None]:
    """Note on the operators of the block where they would run.

    device: "cpu", a kind of accelerator such as "gpu", with a number "gpu:0", or None. New values
    are made there where something serves such devices; else, as in a Paddle built for the CPU, a
    Program with such notes runs here. Raises ArgumentError for another.
    """
    kind, _, number = (device or "cpu").partition(":")
    is_served = backend_of(kind) is not None
    if not (is_served or kind in KINDS_OF_DEVICES) or (kind == "cpu" and number):
        raise ArgumentError(
            f"a device must be one of {', '.join(dict.fromkeys((*KINDS_OF_DEVICES, *kinds())))}, "
            f"received {device!r}",
            cure="write device_guard('cpu'), which means the same here",
        )
    made_on = device_named(device) if device and is_served else current().policy.device
    with under(placed=device or "", device=CPU if device == "cpu" else made_on):
        yield


@contextmanager
def building(program: Program, startup: Program | None, role: str) -> Iterator[Any]:
    """A Builder on `program` whose operators have `role` ("backward" or "optimize").

    It is like the one that builds `program` now, if there is one.
    """
    builder = current()
    if builder.program is not program or startup is not None:
        builder = StaticBuilder(program, startup)
    policy = builder.policy.derived(builder.policy.records)
    with using(builder.twin(role=role, follows=role != "backward", policy=policy)) as twin:
        yield twin
