"""Compression of networks: pruning and distillation, by PaddleSlim's names.

`twinoar run` serves `import paddleslim` from here. A network stays a Layer: pruned layers are
smaller layers, and what they compute is compared with the network that has zeros in the places of
what was removed.
"""

from twinoar.core.public import exported
from twinoar.slim import (
    analysis,
    auto_compression,
    common,
    core,
    dist,
    dygraph,
    lc,
    losses,
    nas,
    prune,
    quant,
)
from twinoar.slim.common.distillations import config2yaml, yaml2config
from twinoar.slim.compression import LowRank, PruneFilters, PruneWeights, ShareWeights, compress
from twinoar.slim.costs import dygraph_flops, flops, model_size
from twinoar.slim.distill import Distill, ShapeAlign
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
from twinoar.slim.low_rank import Factorized, factorize
from twinoar.slim.plan import PruningPlan
from twinoar.slim.sensitivity import (
    Status,
    get_ratios_by_loss,
    merge_sensitive,
)
from twinoar.slim.unstructured import GMPUnstructuredPruner, UnstructuredPruner
from twinoar.slim.weight_sharing import Codebook, WeightSharing, share_weights

__all__ = exported(
    globals(),
    "analysis",
    "auto_compression",
    "common",
    "core",
    "dist",
    "dygraph",
    "lc",
    "losses",
    "nas",
    "prune",
    "quant",
)
