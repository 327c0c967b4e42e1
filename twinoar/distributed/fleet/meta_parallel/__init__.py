"""`paddle.distributed.fleet.meta_parallel`: networks that processes would divide."""

from twinoar.core.public import exported
from twinoar.distributed.fleet.pipeline import (
    LayerDesc,
    NoPipelineParallel,
    PipelineLayer,
    SharedLayerDesc,
)
from twinoar.distributed.fleet.pipeline_parallel import PipelineParallel
from twinoar.distributed.fleet.tensor_parallel import (
    ColumnParallelLinear,
    ParallelCrossEntropy,
    RNGStatesTracker,
    RowParallelLinear,
    VocabParallelEmbedding,
    get_rng_state_tracker,
    model_parallel_random_seed,
)

__all__ = exported(globals())
