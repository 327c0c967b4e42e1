"""Distillation of Programs: a teacher merged into a student's, and losses between Variables."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.fluid
import twinoar.nn
import twinoar.slim.dist
from typing import Any, Literal, overload

import numpy as _numpy

class DML(twinoar.nn.Layer):
    """Several networks as one, each taught by labels and by the others."""
    def __init__(self, model: collections.abc.Sequence[twinoar.nn.Layer], use_parallel: builtins.bool = False) -> None: ...
    def full_name(self) -> Any:
        """The names of the networks."""
    def forward(self, input: Any) -> builtins.list[Any]:
        """What each network makes of the input."""
    def opt(self, optimizer: collections.abc.Sequence[Any]) -> twinoar.slim.dist._DMLOptimizers:
        """An optimizer for each network, as one"""
    def ce_loss(self, logits: collections.abc.Sequence[Any], labels: Any) -> builtins.list[Any]:
        """Cross entropy of each; logits: [N,C] each, labels: [N,1]."""
    def kl_loss(self, logits: collections.abc.Sequence[Any]) -> builtins.list[Any]:
        """The mean divergence of each from the others; [] for one network."""
    def loss(self, logits: collections.abc.Sequence[Any], labels: Any) -> builtins.list[Any]:
        """Both, for each network."""
    def acc(self, logits: collections.abc.Sequence[Any], labels: Any, k: Any) -> builtins.list[Any]:
        """How often the label is among the first k of each."""
    model: Any
    model_num: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> builtins.list[Any]: ...
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
class _DMLOptimizers:
    """Optimizers of several networks, which step together."""
    def __init__(self, optimizer: builtins.list[Any]) -> None: ...
    def minimize(self, losses: collections.abc.Sequence[Any]) -> None:
        """A step of each by its loss; gradients are forgotten then"""
    def get_lr(self) -> builtins.list[builtins.float]:
        """The learning rate of each."""
    optimizer: builtins.list[Any]
