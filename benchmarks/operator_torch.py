"""The function of torch that computes what one of Paddle's names computes.

Most have the same name in one of torch's namespaces, and arguments that differ by the names of
keywords alone; the others stand in a table. Whether they do compute the same is found out by
comparing results.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

KEYWORDS = {"axis": "dim", "x": "input", "y": "other", "return_mask": "return_indices"}
KEYWORDS |= {
    "axes": "dim",
    "repeat_times": "repeats",
    "perm": "dims",
    "num_or_sections": "sections",
}
SPACES = ("{path}", "{last}", "nn.functional.{last}", "special.{last}", "linalg.{last}")
SPACES += ("Tensor.{last}",)

# In torch's words: t is torch, f its nn.functional.
TABLE = {
    "add_n": "lambda xs: xs[0] + xs[1] + xs[2]",
    "scale": "lambda x, a, b: x * a + b",
    "stanh": "lambda x: 1.7159 * t.tanh(x * 0.67)",
    "mod": "t.remainder",
    "lerp": "t.lerp",
    "equal": "t.eq", "not_equal": "t.ne", "less_than": "t.lt", "less_equal": "t.le",
    "greater_than": "t.gt", "greater_equal": "t.ge", 
    "polygamma": "lambda x, n: t.polygamma(n, x)",
    "allclose": "lambda x, y: t.tensor(t.allclose(x, y))",
    "equal_all": "lambda x, y: t.tensor(t.equal(x, y))",
    "conj": "lambda x: t.conj_physical(x)",
    "logsumexp": "lambda x, axis=(0, 1): t.logsumexp(x, axis)",
    "flip": "lambda x, axis: t.flip(x, (axis,))",
    "matmul": "lambda x, y, transpose_y=False: t.matmul(x, y.mT if transpose_y else y)",
    "dot": "lambda x, y: t.dot(x, y) if x.ndim == 1 else (x * y).sum(-1)",
    "fft.ihfft": "lambda x: t.fft.ihfft(x).resolve_conj()",
    "linalg.slogdet": "lambda x: t.stack(t.linalg.slogdet(x))",
    "nn.functional.conv2d_transpose": "f.conv_transpose2d",
    "nn.functional.conv1d_transpose": "f.conv_transpose1d",
    "nn.functional.conv3d_transpose": "f.conv_transpose3d",
    "nn.functional.avg_pool2d": "lambda x, *a: f.avg_pool2d(x, *a, count_include_pad=False)",
    "nn.functional.multi_label_soft_margin_loss": "f.multilabel_soft_margin_loss",
    "cumsum": "lambda x, axis=None: t.cumsum(x.flatten() if axis is None else x, axis or 0)",
    "cast": "lambda x, d: x.to(getattr(t, d))",
    "assign": "t.clone",
    "max": "lambda x, axis=(): t.amax(x, axis)",
    "min": "lambda x, axis=(): t.amin(x, axis)",
    "median": "lambda x, axis=None: t.quantile(x, 0.5, axis)",
    "nanmedian": "lambda x, axis=None: t.nanquantile(x, 0.5, axis)",
    "reduce_as": "lambda x, y: x.sum_to_size(y.shape)",
    "histogram": "lambda x, n: t.histc(x, n)",
    "gather": "lambda x, i, axis=0: t.index_select(x, axis, i)",
    "index_select": "lambda x, i, axis=0: t.index_select(x, axis, i)",
    "gather_nd": "lambda x, i: x[i[:, 0], i[:, 1]]",
    "index_sample": "lambda x, i: t.gather(x, 1, i)",
    "take_along_axis": "lambda x, i, axis: t.gather(x, axis, i)",
    "put_along_axis": "lambda x, i, v, axis, how='assign':"
    " t.scatter(x, axis, i, v) if how == 'assign' else t.scatter_add(x, axis, i, v)",
    "scatter": "lambda x, i, v, overwrite=True: t.index_copy(x, 0, i, v)",
    "scatter_nd_add": "lambda x, i, v: t.index_add(x, 0, i[:, 0], v)",
    "scatter_nd": "lambda i, v, shape: t.zeros(shape).index_add(0, i[:, 0], v)",
    "index_add": "lambda x, i, axis, v: t.index_add(x, axis, i, v)",
    "index_fill": "lambda x, i, axis, v: t.index_fill(x, axis, i, v)",
    "masked_scatter": "t.masked_scatter",
    "select_scatter": "lambda x, v, axis, i: t.select_scatter(x, v, axis, i)",
    "multiplex": "lambda xs, i: t.where(i == 0, xs[0], xs[1])",
    "repeat_interleave": "lambda x, n, axis: t.repeat_interleave(x, n, axis)",
    "transpose": "lambda x, p: x.permute(p).contiguous()",
    "reshape": "t.reshape",
    "split": "lambda x, n, axis: t.chunk(x, n, axis)",
    "unstack": "t.unbind",
    "expand": "lambda x, s: x.expand(s)",
    "as_strided": "t.as_strided",
    "slice": "lambda x, axes, low, high: x[low[0]:high[0], low[1]:high[1]]",
    "strided_slice": "lambda x, axes, low, high, step:"
    " x[low[0]:high[0]:step[0], low[1]:high[1]:step[1]]",
    "crop": "lambda x, s, at: x[at[0]:at[0] + s[0], at[1]:at[1] + s[1]]",
    "unfold": "lambda x, axis, size, step: x.unfold(axis, size, step)",
    "view": "lambda x, s: x.view(s)",
    "cartesian_prod": "lambda xs: t.cartesian_prod(*xs)",
    "block_diag": "lambda xs: t.block_diag(*xs)",
    "vander": "t.vander",
    "uniform": "lambda s: t.rand(s) * 2 - 1",
    "normal": "lambda m, s, shape: t.normal(m, s, shape)",
    "standard_gamma": "t._standard_gamma",
    "binomial": "lambda n, p: t.binomial(n.float(), p)",
    "to_tensor": "lambda x: x.clone()",
    "logspace": "t.logspace",
    "topk": "lambda x, k, axis=-1: t.topk(x, k, axis)",
    "searchsorted": "t.searchsorted",
    "nn.functional.softmax": "lambda x, axis=-1: t.softmax(x, axis)",
    "nn.functional.log_softmax": "lambda x, axis=-1: t.log_softmax(x, axis)",
    "nn.functional.gelu": "lambda x, approximate=False:"
    " f.gelu(x, approximate='tanh' if approximate else 'none')",
    "nn.functional.swiglu": "lambda x: f.silu(x.chunk(2, -1)[0]) * x.chunk(2, -1)[1]",
    "nn.functional.swish": "f.silu",
    "nn.functional.log_sigmoid": "f.logsigmoid",
    "nn.functional.thresholded_relu": "lambda x: f.threshold(x, 1.0, 0.0)",
    "nn.functional.alpha_dropout": "lambda x, p: f.alpha_dropout(x, p, True)",
    "nn.functional.rrelu": "lambda x: f.rrelu(x, training=True)",
    "nn.functional.linear": "lambda x, w, b: t.addmm(b, x, w)",
    "nn.functional.square_error_cost": "lambda x, y: (x - y) ** 2",
    "nn.functional.embedding": "f.embedding",
    "nn.functional.label_smooth": "lambda x: x * 0.9 + 0.1 / x.shape[-1]",
    "nn.functional.zeropad2d": "f.pad",
    "nn.functional.upsample": "f.interpolate",
    "nn.functional.fold": "f.fold",
    "nn.functional.unfold": "lambda x, k, s, p: f.unfold(x, k, 1, p, s)",
    "nn.functional.grid_sample": "lambda x, g, mode='bilinear':"
    " f.grid_sample(x, g, mode, align_corners=True)",
    "nn.functional.affine_grid": "lambda x, s: f.affine_grid(x, s, align_corners=True)",
    "nn.functional.interpolate": "lambda x, data_format=None, **k:"
    " f.interpolate(x, align_corners=None if k['mode'] in ('nearest', 'area') else False, **k)",
    "nn.functional.layer_norm": "lambda x, n, w, b: f.layer_norm(x, [n], w, b)",
    "nn.functional.batch_norm": "lambda x, m, v, w, b, training=False:"
    " f.batch_norm(x, m, v, w, b, training)",
    "nn.functional.group_norm": "lambda x, n, weight, bias: f.group_norm(x, n, weight, bias)",
    "nn.functional.normalize": "lambda x, axis=1: f.normalize(x, dim=axis)",
    "nn.functional.cross_entropy": "lambda x, y, weight=None, soft_label=False:"
    " f.cross_entropy(x, y, weight)",
    "nn.functional.softmax_with_cross_entropy": "lambda x, y:"
    " f.cross_entropy(x, y[:, 0], reduction='none')[:, None]",
    "nn.functional.kl_div": "lambda x, y: f.kl_div(x, y)",
    "nn.functional.ctc_loss": "lambda x, y, n, m: f.ctc_loss(t.log_softmax(x, -1), y, n, m)",
    "nn.functional.scaled_dot_product_attention": "lambda q, k, v: f.scaled_dot_product_attention("
    "q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)).transpose(1, 2)",
    "linalg.triangular_solve": "lambda a, b: t.linalg.solve_triangular(a, b, upper=True)",
    "linalg.cholesky_solve": "lambda b, a: t.cholesky_solve(b, a)",
    "linalg.cholesky_inverse": "t.cholesky_inverse",
    "linalg.svd": "lambda x: t.linalg.svd(x, full_matrices=False)",
    "linalg.cov": "t.cov",
    "linalg.corrcoef": "t.corrcoef",
    "linalg.lu": "t.linalg.lu_factor",
    "signal.frame": "lambda x, n, step: x.unfold(-1, n, step).transpose(-1, -2)",
    "signal.stft": "lambda x, n, step: t.stft(x, n, step, return_complex=True)",
    "Tensor.fill_diagonal_": "t.Tensor.fill_diagonal_",
    "Tensor.clip_": "t.Tensor.clamp_",
    "Tensor.scale_": "lambda x, a, b: x.mul_(a).add_(b)",
    "Tensor.numpy": "lambda x: x.numpy().copy()",
}  # fmt: skip


def torch_function(torch: Any, path: str) -> Callable[..., Any]:
    """torch's function for a name inside of paddle; raises AttributeError where it has none."""
    if path in TABLE:
        return eval(TABLE[path], {"t": torch, "f": torch.nn.functional})
    for space in SPACES:
        try:
            found = operator.attrgetter(space.format(path=path, last=path.rpartition(".")[2]))(
                torch
            )
        except AttributeError:
            continue
        return lambda *args, **kwargs: found(
            *args, **{KEYWORDS.get(k, k): v for k, v in kwargs.items()}
        )
    raise AttributeError(f"torch has nothing like {path}")
