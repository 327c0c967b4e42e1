"""Names that Paddle keeps apart until they are settled."""

from twinoar.incubate import autograd
from twinoar.incubate.operators import (
    graph_reindex,
    graph_sample_neighbors,
    graph_send_recv,
    identity_loss,
    softmax_mask_fuse,
    softmax_mask_fuse_upper_triangle,
)
from twinoar.ops.segment import segment_max, segment_mean, segment_min, segment_sum

__all__ = [
    "autograd",
    "graph_reindex",
    "graph_sample_neighbors",
    "graph_send_recv",
    "identity_loss",
    "segment_max",
    "segment_mean",
    "segment_min",
    "segment_sum",
    "softmax_mask_fuse",
    "softmax_mask_fuse_upper_triangle",
]
