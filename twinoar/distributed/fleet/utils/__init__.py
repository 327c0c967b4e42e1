"""`paddle.distributed.fleet.utils`: recomputation and file systems."""

from __future__ import annotations

from typing import Any

from twinoar.distributed.fleet.file_systems import HDFSClient, LocalFS
from twinoar.distributed.fleet.recomputing import recompute
from twinoar.distributed.fleet.utils import sequence_parallel_utils
from twinoar.distributed.world import refused_alone


class DistributedInfer:
    """Inference with tables that servers hold: raises UnsupportedError, there are none."""

    def __init__(self, main_program: Any = None, startup_program: Any = None):
        raise refused_alone("DistributedInfer", "run the Program itself")


__all__ = ["DistributedInfer", "HDFSClient", "LocalFS", "recompute", "sequence_parallel_utils"]
