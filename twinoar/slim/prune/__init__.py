"""Filter pruning of Programs, by PaddleSlim's names."""

from twinoar.core.public import exported
from twinoar.slim.prune.pruner import Pruner

__all__ = exported(globals())
