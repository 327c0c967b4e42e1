"""Graphs: messages along edges, rows of segments, samples of neighbors, renumbering of nodes."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
from typing import Any, Literal, overload

import numpy as _numpy

@overload
def reindex_graph(x: twinoar._TensorLike, neighbors: twinoar._TensorLike, count: twinoar._TensorLike, value_buffer: Any = None, index_buffer: Any = None, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]:
    """Nodes and their neighbors, numbered from 0 in the order in which they come first."""
@overload
def reindex_graph(*args: Any, x: Any = ..., neighbors: Any = ..., count: Any = ..., value_buffer: Any = ..., index_buffer: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]: ...
@overload
def reindex_heter_graph(x: twinoar._TensorLike, neighbors: collections.abc.Sequence[twinoar._TensorLike], count: collections.abc.Sequence[twinoar._TensorLike], value_buffer: Any = None, index_buffer: Any = None, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]:
    """`reindex_graph` for edges of several kinds: a list of neighbors and one of counts, joined."""
@overload
def reindex_heter_graph(*args: Any, x: Any = ..., neighbors: Any = ..., count: Any = ..., value_buffer: Any = ..., index_buffer: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]: ...
@overload
def sample_neighbors(row: twinoar._TensorLike, colptr: twinoar._TensorLike, input_nodes: twinoar._TensorLike, sample_size: Any = -1, eids: twinoar._TensorLike | None = None, return_eids: builtins.bool = False, perm_buffer: Any = None, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, ...]:
    """At most `sample_size` neighbors of each node, drawn without replacement."""
@overload
def sample_neighbors(*args: Any, row: Any = ..., colptr: Any = ..., input_nodes: Any = ..., sample_size: Any = ..., eids: Any = ..., return_eids: Any = ..., perm_buffer: Any = ..., name: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, ...]: ...
@overload
def segment_max(data: twinoar._TensorLike, segment_ids: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The greatest elements of the rows of each segment"""
@overload
def segment_max(*args: Any, data: Any = ..., segment_ids: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def segment_mean(data: twinoar._TensorLike, segment_ids: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The mean of the rows of each segment"""
@overload
def segment_mean(*args: Any, data: Any = ..., segment_ids: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def segment_min(data: twinoar._TensorLike, segment_ids: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The least elements of the rows of each segment"""
@overload
def segment_min(*args: Any, data: Any = ..., segment_ids: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def segment_sum(data: twinoar._TensorLike, segment_ids: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The sum of the rows of each segment."""
@overload
def segment_sum(*args: Any, data: Any = ..., segment_ids: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def send_u_recv(x: twinoar._TensorLike, src_index: twinoar._TensorLike, dst_index: twinoar._TensorLike, reduce_op: Literal['sum', 'mean', 'max', 'min'] = 'sum', out_size: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """Each edge of a graph sends the row of its source to its destination, which combines them."""
@overload
def send_u_recv(*args: Any, x: Any = ..., src_index: Any = ..., dst_index: Any = ..., reduce_op: Any = ..., out_size: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def send_ue_recv(x: twinoar._TensorLike, y: twinoar._TensorLike, src_index: twinoar._TensorLike, dst_index: twinoar._TensorLike, message_op: builtins.str = 'add', reduce_op: Literal['sum', 'mean', 'max', 'min'] = 'sum', out_size: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """Each edge sends the row of its source, combined with its own, to its destination."""
@overload
def send_ue_recv(*args: Any, x: Any = ..., y: Any = ..., src_index: Any = ..., dst_index: Any = ..., message_op: Any = ..., reduce_op: Any = ..., out_size: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def send_uv(x: twinoar._TensorLike, y: twinoar._TensorLike, src_index: twinoar._TensorLike, dst_index: twinoar._TensorLike, message_op: builtins.str = 'add', name: builtins.str | None = None) -> twinoar.Tensor:
    """For each edge, the row of x at its source combined with that of y at its destination."""
@overload
def send_uv(*args: Any, x: Any = ..., y: Any = ..., src_index: Any = ..., dst_index: Any = ..., message_op: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def weighted_sample_neighbors(row: twinoar._TensorLike, colptr: twinoar._TensorLike, edge_weight: twinoar._TensorLike, input_nodes: twinoar._TensorLike, sample_size: Any = -1, eids: twinoar._TensorLike | None = None, return_eids: builtins.bool = False, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, ...]:
    """At most `sample_size` neighbors of each node, drawn by weight without replacement."""
@overload
def weighted_sample_neighbors(*args: Any, row: Any = ..., colptr: Any = ..., edge_weight: Any = ..., input_nodes: Any = ..., sample_size: Any = ..., eids: Any = ..., return_eids: Any = ..., name: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, ...]: ...
