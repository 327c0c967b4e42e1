"""Programs in lower precision: which operators are cast, and the parameters in a Scope."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from twinoar.amp.auto_casting import check_level, low_dtype
from twinoar.core.dtype import converted, float16
from twinoar.core.interpreter import current, under
from twinoar.core.ir.program import Operator, State, Variable
from twinoar.errors import TypeMismatchError, UnknownNameError
from twinoar.passes.precision import cast_operators, lower_states
from twinoar.static.amp.lists import AutoMixedPrecisionLists
from twinoar.static.program import Program
from twinoar.static.scope import Scope, global_scope

GUARD = "__use_fp16__"


@contextmanager
def fp16_guard() -> Iterator[None]:
    """Operators of the block compute in lower precision where only those of such blocks shall."""
    with under(scope=f"{current().policy.scope}{GUARD}/"):
        yield


bf16_guard = fp16_guard


def cast_model_to_fp16(
    program: Program,
    amp_lists: AutoMixedPrecisionLists | None = None,
    use_fp16_guard: bool = True,
    dest_type: Any = float16,
    level: str = "O2",
    use_promote: bool = False,
) -> set[str]:
    """Make the operators of a Program compute in lower precision, in place, before its backward.

    amp_lists: which ones. use_fp16_guard: those of `fp16_guard` blocks alone. dest_type: "float16"
    or "bfloat16". level: "O1", or "O2", where parameters are of it too. use_promote: False lets
    "O2" compute where operands are mixed in it. Returns the names of the parameters that are of
    dest_type now: `cast_parameters_to_fp16` makes their values so. Raises ArgumentError for another
    dtype or level, TypeMismatchError for what is no Program.
    """
    if not isinstance(program, Program):
        raise TypeMismatchError(f"expected a static Program, received {type(program).__name__}")
    check_level(level)
    low = low_dtype(dest_type)
    lists = AutoMixedPrecisionLists(dtype=low.name) if amp_lists is None else amp_lists
    autocast = lists.autocast(level, use_promote)
    is_left_out = left_out_by(lists.black_varnames, use_fp16_guard)
    lowered: list[State] = []
    if level == "O2":
        lowered = lower_states(program, lists.autocast(level, False), is_left_out, low)
    cast_operators(program, autocast, is_left_out)
    return {state.name for state in lowered}


def cast_parameters_to_fp16(
    place: Any,
    program: Program,
    scope: Scope | None = None,
    to_fp16_var_names: Iterable[str] | None = None,
    dest_type: Any = float16,
    rewrite_master_weight: bool = False,
    master_weights: Any = None,
) -> None:
    """Convert the values of parameters in a Scope to what the Program says of them.

    to_fp16_var_names: which ones; None, all. place, rewrite_master_weight, master_weights: without
    effect. Raises UnknownNameError for a name of no parameter.
    """
    names = program.states.keys() if to_fp16_var_names is None else to_fp16_var_names
    holder = global_scope() if scope is None else scope
    for name in names:
        if name not in program.states:
            raise UnknownNameError(f"the program has no parameter {name!r}")
        state, found = program.states[name], holder.find_var(name)
        if found is not None and state.is_parameter:
            array = found._array()
            if array.dtype != state.dtype.numpy:
                found.set(converted(array, state.dtype))


def left_out_by(variables: Iterable[str], is_guarded: bool) -> Callable[[Operator], bool]:
    """Tells operators that stay as they are: with such Variables, or outside of all guards."""
    names = set(variables)

    def is_left_out(o: Operator) -> bool:
        near = (v for v in (*o.operands, *o.results) if isinstance(v, Variable))
        return (is_guarded and GUARD not in o.marks.get("op_namescope", "")) or any(
            v.name in names for v in near
        )

    return is_left_out
