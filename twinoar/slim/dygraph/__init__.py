"""What PaddleSlim has for networks that run at once."""

from twinoar.core.public import exported
from twinoar.slim.dygraph import dist, prune, quant
from twinoar.slim.dygraph.dist import Distill, config2yaml, yaml2config
from twinoar.slim.dygraph.quant import (
    PTQ,
    QAT,
    AbsmaxQuantizer,
    HistQuantizer,
    KLQuantizer,
    PerChannelAbsmaxQuantizer,
)
from twinoar.slim.filter_pruner import (
    FilterPruner,
    FPGMFilterPruner,
    L1NormFilterPruner,
    L2NormFilterPruner,
    Pruner,
)
from twinoar.slim.sensitivity import Status
from twinoar.slim.unstructured import GMPUnstructuredPruner, UnstructuredPruner

__all__ = exported(globals(), "dist", "prune", "quant")
