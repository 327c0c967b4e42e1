"""Distillation of Programs: a teacher merged into a student's, and losses between Variables."""

from twinoar.core.public import exported
from twinoar.slim.merging import dkd, fsp, l2, loss, merge, skd, soft_label
from twinoar.slim.mutual import DML

__all__ = exported(globals())
