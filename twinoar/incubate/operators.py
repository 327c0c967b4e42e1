"""Operators that Paddle keeps apart: fused softmaxes, losses, and older names for graphs."""

from __future__ import annotations

import functools
from typing import Any, NoReturn

from twinoar.autograd import no_grad
from twinoar.core.op.explain import explained
from twinoar.core.public import declared
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.geometric import reindex_graph, sample_neighbors, send_u_recv
from twinoar.jit import to_static
from twinoar.nn.layer import Layer
from twinoar.ops.activation.softmax import softmax
from twinoar.ops.create.fill import clone, full_like
from twinoar.ops.index.diagonal import triu
from twinoar.ops.index.segment import Pool
from twinoar.ops.math.arithmetic import add
from twinoar.ops.reduce.reduction import mean
from twinoar.ops.reduce.reduction import sum as total

Tensor = Value
REDUCTIONS: tuple[tuple[str, Any], ...] = (("sum", total), ("mean", mean), ("none", clone))


@explained
def softmax_mask_fuse(x: Tensor, mask: Tensor, name: str | None = None) -> Tensor:
    """softmax(x + mask) along the last axis.

    x: [B,H,M,N], scores. mask: [B,1,M,N], added to them. Returns [B,H,M,N].
    """
    return softmax(add(x, mask), -1, name=name)


@explained
def softmax_mask_fuse_upper_triangle(x: Tensor) -> Tensor:
    """softmax of x along the last axis, without what stands right of the diagonal.

    x: [B,H,M,M], scores. Returns [B,H,M,M].
    """
    return softmax(add(x, triu(full_like(x, float("-inf")), 1)), -1)


@explained
def identity_loss(x: Tensor, reduction: str | int = "none") -> Tensor:
    """x as a loss: its sum, its mean, or as it is.

    reduction: "sum" or 0, "mean" or 1, "none" or 2. Raises ArgumentError.
    """
    for number, (word, reduce) in enumerate(REDUCTIONS):
        if reduction in (word, number):
            return reduce(x)
    raise ArgumentError(f"reduction must be sum, mean or none, received {reduction!r}")


def graph_send_recv(
    x: Tensor,
    src_index: Tensor,
    dst_index: Tensor,
    pool_type: Pool = "sum",
    out_size: Any = None,
    name: str | None = None,
) -> Tensor:
    """The older name of `geometric.send_u_recv`."""
    return send_u_recv(x, src_index, dst_index, pool_type, out_size, name=name)


def graph_reindex(
    x: Tensor,
    neighbors: Tensor,
    count: Tensor,
    value_buffer: Any = None,
    index_buffer: Any = None,
    flag_buffer_hashtable: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """The older name of `geometric.reindex_graph`; the flag is without effect."""
    return reindex_graph(x, neighbors, count)


def graph_sample_neighbors(
    row: Tensor,
    colptr: Tensor,
    input_nodes: Tensor,
    eids: Tensor | None = None,
    perm_buffer: Any = None,
    sample_size: int = -1,
    return_eids: bool = False,
    flag_perm_buffer: bool = False,
    name: str | None = None,
) -> tuple[Tensor, ...]:
    """The older name of `geometric.sample_neighbors`; the flag is without effect."""
    return sample_neighbors(row, colptr, input_nodes, sample_size, eids, return_eids)


def graph_khop_sampler(
    row: Tensor,
    colptr: Tensor,
    input_nodes: Tensor,
    sample_sizes: Any,
    sorted_eids: Tensor | None = None,
    return_eids: bool = False,
    name: str | None = None,
) -> NoReturn:
    """Raises UnsupportedError: samples of several steps are taken one step after the other."""
    raise UnsupportedError(
        "graph_khop_sampler is not served: Paddle 3.3.1's own ends the process",
        cure="call geometric.sample_neighbors for each step, and geometric.reindex_graph",
    )


def inference(
    function: Any = None,
    cache_static_model: bool = False,
    save_model_dir: str | None = None,
    memory_pool_init_size_mb: int = 1000,
    precision_mode: str = "float32",
    switch_ir_optim: bool = True,
    switch_ir_debug: bool = False,
    enable_cinn: bool = False,
    with_trt: bool = False,
    trt_precision_mode: str = "float32",
    trt_use_static: bool = False,
    collect_shape: bool = False,
    enable_new_ir: bool = False,
    exp_enable_use_cutlass: bool = False,
    delete_pass_lists: Any = None,
    skip_prune_program: bool = False,
) -> Any:
    """A function, method or Layer, compiled and without gradients; without one, a decorator.

    precision_mode: "float32"; with_trt: False; other settings are of Paddle's engines, and without
    effect. Raises UnsupportedError.

    >>> layer = twinoar.incubate.inference(twinoar.nn.Linear(2, 3))
    >>> layer(twinoar.ones([1, 2])).stop_gradient
    True
    """
    if precision_mode != "float32" or with_trt:
        raise UnsupportedError(
            f"inference is in float32 on the CPU, received precision_mode={precision_mode!r} and "
            f"with_trt={with_trt}",
            cure="leave both at their defaults",
        )
    if function is None:
        return inference
    if isinstance(function, Layer):
        layer: Any = function
        layer.forward = inference(layer.forward)
        return layer
    return functools.wraps(function)(no_grad()(to_static(function)))


__all__ = declared(globals())
