"""Losses between what a student and a teacher compute."""

# Written by tools/stubs.py.

import builtins
import twinoar
import twinoar.nn
import twinoar.slim.losses
from typing import Any, Literal, overload

import numpy as _numpy

ACTIVATIONS: builtins.tuple
class CELoss(twinoar.nn.Layer):
    """Cross entropy with labels that are numbers of classes, probabilities, or logits."""
    def __init__(self, epsilon: Any = None, label_act: builtins.str | None = 'softmax', axis: Any = -1) -> None: ...
    def forward(self, x: Any, label: Any) -> Any:
        """The mean over all rows."""
    epsilon: Any
    label_act: builtins.str | None
    axis: builtins.int
class DMLLoss(twinoar.nn.Layer):
    """Mutual learning: each of two networks learns from the other."""
    def __init__(self, act: builtins.str | None = None, axis: Any = -1) -> None: ...
    def forward(self, out1: Any, out2: Any) -> Any:
        """`dml_loss` of the two."""
class DistanceLoss(twinoar.nn.Layer):
    """How far features are apart"""
    def __init__(self, mode: builtins.str = 'l2', **kargs: Any) -> None: ...
    def forward(self, x: Any, y: Any) -> Any:
        """x, y: of one shape."""
    loss_func: Any
class KLLoss(twinoar.nn.Layer):
    """Divergence of labels from what a student predicts"""
    def __init__(self, act: builtins.str | None = 'softmax', axis: Any = -1, reduction: builtins.str = 'mean') -> None: ...
    def forward(self, input: Any, label: Any) -> twinoar.Tensor:
        """input, label: of one shape."""
    reduction: builtins.str
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class L1Loss(twinoar.slim.losses.DistanceLoss):
    """The mean of absolute values."""
    def __init__(self, **kargs: Any) -> None: ...
LOSSES: builtins.dict
class MSELoss(twinoar.slim.losses.DistanceLoss):
    """The mean square: the loss of hints."""
    def __init__(self, **kargs: Any) -> None: ...
NO_CHANCE: builtins.float
class RKDLoss(twinoar.nn.Layer):
    """RKdAngle and RkdDistance together: relations between samples."""
    def __init__(self, eps: Any = ...) -> None: ...
    def forward(self, student: Any, teacher: Any) -> Any:
        """As of RKdAngle."""
    rkd_angle_loss_func: Any
    rkd_dist_func: Any
class RKdAngle(twinoar.nn.Layer):
    """How the angles between differences of samples differ."""
    def forward(self, student: Any, teacher: Any) -> twinoar.Tensor:
        """student, teacher: [N, ...] of N samples each; features may differ in size."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class RkdDistance(twinoar.nn.Layer):
    """How the distances between samples differ, each divided by their mean."""
    def __init__(self, eps: Any = ...) -> None: ...
    def forward(self, student: Any, teacher: Any) -> twinoar.Tensor:
        """As of RKdAngle."""
    eps: builtins.float
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
SMALLEST: builtins.float
class SmoothL1Loss(twinoar.slim.losses.DistanceLoss):
    """Squares near 0, absolute values elsewhere."""
    def __init__(self, **kargs: Any) -> None: ...
def dkd_loss(student: Any, teacher: Any, temperature: Any = ..., alpha: Any = ..., beta: Any = ...) -> Any:
    """Decoupled distillation: whether it is the teacher's first class, and which other it is."""
def dml_loss(one: Any, other: Any) -> Any:
    """Mutual learning: the mean divergence of two predictions from each other, by row."""
def fsp_loss(student: builtins.tuple[Any, Any], teacher: builtins.tuple[Any, Any]) -> Any:
    """The mean square between two pairs' `fsp_matrix`, of which channels must be as many."""
def fsp_matrix(x: Any, y: Any) -> Any:
    """How channels of two feature maps go together: mean products over the image, [N, C, D]."""
def kl_loss(student: Any, teacher: Any, temperature: Any = ...) -> Any:
    """Divergence of a teacher's probabilities from a student's, times the temperature squared."""
def l2_loss(student: Any, teacher: Any) -> Any:
    """The mean square of what two features of one shape differ by"""
def loss_called(name: builtins.str, **settings: Any) -> twinoar.nn.Layer:
    """The loss of that name"""
def skd_loss(student: Any, teacher: Any, multiplier: Any = None) -> Any:
    """Spherical distillation: cross entropy of logits whose rows have one mean and one length."""
def soft_label_loss(student: Any, teacher: Any, temperature: Any = ..., teacher_temperature: Any = None) -> Any:
    """Cross entropy of a student's logits with a teacher's probabilities, the mean of all rows."""
