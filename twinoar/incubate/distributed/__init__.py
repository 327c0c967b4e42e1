"""`paddle.incubate.distributed`: recomputation by the names of fleet, and mixtures of experts."""

from twinoar.incubate.distributed import fleet, models

__all__ = ["fleet", "models"]
