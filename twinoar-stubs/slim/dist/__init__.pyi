"""Distillation of Programs: a teacher merged into a student's, and losses between Variables."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.fluid
from typing import Any, Literal, overload

import numpy as _numpy

def dkd(teacher_var_name: builtins.str, student_var_name: builtins.str, program: twinoar.fluid.Program | None = None, temperature: Any = ..., alpha: Any = ..., beta: Any = ...) -> Any:
    """`losses.dkd_loss` of Variables by name."""
def fsp(teacher_var1_name: builtins.str, teacher_var2_name: builtins.str, student_var1_name: builtins.str, student_var2_name: builtins.str, program: twinoar.fluid.Program | None = None) -> Any:
    """`losses.fsp_loss` of Variables by name."""
def l2(teacher_var_name: builtins.str, student_var_name: builtins.str, program: twinoar.fluid.Program | None = None) -> Any:
    """`losses.l2_loss` of Variables by name."""
def loss(loss_func: collections.abc.Callable[..., Any], program: twinoar.fluid.Program | None = None, **kwargs: Any) -> Any:
    """A loss of one's own: names among its arguments stand for Variables."""
def merge(teacher_program: twinoar.fluid.Program, student_program: twinoar.fluid.Program, data_name_map: collections.abc.Mapping[builtins.str, builtins.str], place: Any = None, scope: twinoar.fluid.Scope | None = None, teacher_scope: twinoar.fluid.Scope | None = None, name_prefix: builtins.str = 'teacher_', merge_feed: builtins.bool = True) -> None:
    """Append a teacher's Program, as it is in inference, to that of a student, in place."""
def skd(teacher_var_name: builtins.str, student_var_name: builtins.str, program: twinoar.fluid.Program | None = None, multiplier: Any = None) -> Any:
    """`losses.skd_loss` of Variables by name; no gradient goes into the teacher."""
def soft_label(teacher_var_name: builtins.str, student_var_name: builtins.str, program: twinoar.fluid.Program | None = None, teacher_temperature: Any = ..., student_temperature: Any = ...) -> Any:
    """`losses.soft_label_loss` of Variables by name; without a Program of the default one."""
