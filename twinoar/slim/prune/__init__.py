"""Pruning of Programs, by PaddleSlim's names: filters, single weights, and what they cost."""

from twinoar.core.public import exported
from twinoar.slim.prune.auto_pruner import AutoPruner
from twinoar.slim.prune.pruner import Pruner
from twinoar.slim.prune.saving import load_model, save_model
from twinoar.slim.prune.sensitive import get_ratios_by_loss, load_sensitivities, sensitivity
from twinoar.slim.prune.unstructured import GMPUnstructuredPruner, UnstructuredPruner
from twinoar.slim.sensitivity import merge_sensitive

__all__ = exported(globals())
