"""`paddle.incubate.distributed.fleet`: recomputation."""

from twinoar.distributed.fleet.recomputing import recompute_hybrid, recompute_sequential

__all__ = ["recompute_hybrid", "recompute_sequential"]
