"""`paddle.incubate.distributed`: recomputation by the names of fleet."""

from twinoar.incubate.distributed import fleet

__all__ = ["fleet"]
