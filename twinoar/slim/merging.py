"""A teacher's Program within a student's, and losses between their Variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from twinoar.core.interpreter import using
from twinoar.core.ir.builder import replay
from twinoar.core.ir.program import State, Variable
from twinoar.errors import ProgramError, UnknownNameError
from twinoar.slim import losses
from twinoar.static import Program, default_main_program, global_scope
from twinoar.static.builder import builder_of
from twinoar.static.scope import Scope


def merge(
    teacher_program: Program,
    student_program: Program,
    data_name_map: Mapping[str, str],
    place: Any = None,
    scope: Scope | None = None,
    teacher_scope: Scope | None = None,
    name_prefix: str = "teacher_",
    merge_feed: bool = True,
) -> None:
    """Append a teacher's Program, as it is in inference, to that of a student, in place.

    data_name_map: the student's input for each of the teacher's, by name; others, and all without
    merge_feed, become inputs of their own. name_prefix: what all names of the teacher begin with
    then. scope, teacher_scope: where values are, the global one for None; the teacher's are copied.
    No gradient goes into what was the teacher's. Raises UnknownNameError, and ProgramError where
    names are taken or states have no value.

    >>> from twinoar import static
    >>> teacher, student = static.Program(), static.Program()
    >>> with static.program_guard(teacher, static.Program()):
    ...     y = static.data("image", [2, 4]) * 3
    >>> with static.program_guard(student, static.Program()):
    ...     x = static.data("x", [2, 4])
    ...     merge(teacher, student, {"image": "x"})
    ...     loss = l2("teacher_" + y.name, "x")
    >>> feed = {"x": np.ones([2, 4], "float32")}
    >>> float(static.Executor().run(student, feed=feed, fetch_list=[loss])[0])
    4.0
    """
    teacher = teacher_program.clone(for_test=True)
    inputs = {v.name for v in teacher.main.inputs}
    if unknown := sorted(set(data_name_map) - inputs):
        raise UnknownNameError(
            f"the teacher has no input {', '.join(unknown)}, it has {sorted(inputs)}"
        )
    here = scope or global_scope()
    kept = [state for state in teacher.states.values() if _is_kept(state)]
    values = {state: _value(state, teacher_scope or here) for state in kept}
    known = _new_states(teacher, student_program, name_prefix)
    mapped = data_name_map if merge_feed else {}
    operands = tuple(_input(v, student_program, mapped, name_prefix) for v in teacher.main.inputs)
    results = [v for o in teacher.main.ops for v in o.results if v is not None]
    with using(builder_of(student_program)):
        found = replay(teacher.main, operands, known, results)
    for old, new in zip(results, found, strict=True):
        if isinstance(new, Variable) and new.name not in student_program.states:
            new.stop_gradient = True
            new.rename(name_prefix + old.name)
    for state, value in values.items():
        here.var(known[state].name).set(value)


def soft_label(
    teacher_var_name: str,
    student_var_name: str,
    program: Program | None = None,
    teacher_temperature: float = 1.0,
    student_temperature: float = 1.0,
) -> Any:
    """`losses.soft_label_loss` of Variables by name; without a Program of the default one."""
    teacher, student = _named(program, teacher_var_name, student_var_name)
    with using(_builder(program)):
        return losses.soft_label_loss(student, teacher, student_temperature, teacher_temperature)


def l2(teacher_var_name: str, student_var_name: str, program: Program | None = None) -> Any:
    """`losses.l2_loss` of Variables by name."""
    teacher, student = _named(program, teacher_var_name, student_var_name)
    with using(_builder(program)):
        return losses.l2_loss(student, teacher)


def dkd(
    teacher_var_name: str,
    student_var_name: str,
    program: Program | None = None,
    temperature: float = 1.0,
    alpha: float = 1.0,
    beta: float = 1.0,
) -> Any:
    """`losses.dkd_loss` of Variables by name."""
    teacher, student = _named(program, teacher_var_name, student_var_name)
    with using(_builder(program)):
        return losses.dkd_loss(student, teacher, temperature, alpha, beta)


def skd(
    teacher_var_name: str,
    student_var_name: str,
    program: Program | None = None,
    multiplier: float | None = None,
) -> Any:
    """`losses.skd_loss` of Variables by name; no gradient goes into the teacher."""
    teacher, student = _named(program, teacher_var_name, student_var_name)
    with using(_builder(program)):
        return losses.skd_loss(student, teacher.detach(), multiplier)


def fsp(
    teacher_var1_name: str,
    teacher_var2_name: str,
    student_var1_name: str,
    student_var2_name: str,
    program: Program | None = None,
) -> Any:
    """`losses.fsp_loss` of Variables by name."""
    teacher = _named(program, teacher_var1_name, teacher_var2_name)
    student = _named(program, student_var1_name, student_var2_name)
    with using(_builder(program)):
        return losses.fsp_loss((student[0], student[1]), (teacher[0], teacher[1]))


def loss(loss_func: Callable[..., Any], program: Program | None = None, **kwargs: Any) -> Any:
    """A loss of one's own: names among its arguments stand for Variables."""
    given = {k: _named(program, v)[0] if isinstance(v, str) else v for k, v in kwargs.items()}
    with using(_builder(program)):
        return loss_func(**given)


def _builder(program: Program | None) -> Any:
    return builder_of(program or default_main_program())


def _named(program: Program | None, *names: str) -> list[Variable]:
    found = program or default_main_program()
    return [found.variable(name) for name in names]


def _new_states(teacher: Program, student: Program, prefix: str) -> dict[State, State]:
    names = {s: s.name if s.is_constant else prefix + s.name for s in teacher.states.values()}
    taken = [n for s, n in names.items() if not s.is_constant and n in student.states]
    if taken:
        raise ProgramError(
            f"the student has a variable {taken[0]!r}", cure="choose another name_prefix"
        )
    new = {}
    for state, name in names.items():
        copy = student.add_state(
            state.spec,
            None if state.is_constant else name,
            data=state.data,
            is_constant=state.is_constant,
            stop_gradient=True,
        )
        copy.persistable = state.persistable
        copy.traits.update(state.traits)
        new[state] = copy
    return new


def _is_kept(state: State) -> bool:
    """Whether a value is in a scope: not in the Program itself, nor read before each run."""
    return not state.is_constant and state.data is None and "read" not in state.traits


def _value(state: State, scope: Scope) -> np.ndarray:
    found = scope.find_var(state.name)
    if found is None:
        raise ProgramError(
            f"the teacher's {state.name} has no value in its scope",
            cure="run its startup Program, or load it, before merging",
        )
    return np.array(found)


def _input(v: Variable, student: Program, mapped: Mapping[str, str], prefix: str) -> Variable:
    if v.name in mapped:
        return student.variable(mapped[v.name])
    return student.main.add_input(v.spec, prefix + v.name)
