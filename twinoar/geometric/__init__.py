"""Graphs: messages along edges, rows of segments, samples of neighbors, renumbering of nodes."""

from twinoar.core.public import exported
from twinoar.geometric.neighbors import sample_neighbors, weighted_sample_neighbors
from twinoar.geometric.reindex import reindex_graph, reindex_heter_graph
from twinoar.ops.index.segment import (
    segment_max,
    segment_mean,
    segment_min,
    segment_sum,
    send_u_recv,
    send_ue_recv,
    send_uv,
)

__all__ = exported(globals())
