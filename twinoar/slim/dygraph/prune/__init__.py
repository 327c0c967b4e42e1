"""Pruning of networks that run at once, by PaddleSlim's name of its module."""

from twinoar.core.public import exported
from twinoar.slim.filter_pruner import (
    FilterPruner,
    FPGMFilterPruner,
    L1NormFilterPruner,
    L2NormFilterPruner,
    Pruner,
)
from twinoar.slim.sensitivity import Status
from twinoar.slim.unstructured import GMPUnstructuredPruner, UnstructuredPruner

__all__ = exported(globals())
