"""Names that Paddle keeps apart until they are settled."""

from twinoar.incubate import autograd, optimizer
from twinoar.incubate.operators import (
    graph_reindex,
    graph_sample_neighbors,
    graph_send_recv,
    identity_loss,
    softmax_mask_fuse,
    softmax_mask_fuse_upper_triangle,
)
from twinoar.incubate.optimizer import LookAhead, ModelAverage
from twinoar.ops.segment import segment_max, segment_mean, segment_min, segment_sum

__all__ = [
    "LookAhead",
    "ModelAverage",
    "autograd",
    "graph_reindex",
    "graph_sample_neighbors",
    "graph_send_recv",
    "identity_loss",
    "optimizer",
    "segment_max",
    "segment_mean",
    "segment_min",
    "segment_sum",
    "softmax_mask_fuse",
    "softmax_mask_fuse_upper_triangle",
]
