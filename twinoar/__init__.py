"""twinoar: eager and static-graph deep learning as one thing, with Paddle's API.

    import twinoar as paddle

Names from here down are Paddle's, one namespace for one. Subpackages, and the few names that need
one, load on first use.
"""

from __future__ import annotations

import importlib
from functools import partial
from math import e, inf, nan, pi
from typing import Any

import twinoar.eager.inner  # its effect is wanted: methods of tensors
import twinoar.eager.memory  # methods of tensors
import twinoar.wiring  # the parts put together
from twinoar import config, errors, version
from twinoar.autograd.api import enable_grad, grad, is_grad_enabled, no_grad, set_grad_enabled
from twinoar.core.dtype import DType as dtype
from twinoar.core.dtype import (
    bfloat16,
    complex64,
    complex128,
    float8_e4m3fn,
    float8_e5m2,
    float16,
    float32,
    float64,
    get_default_dtype,
    int8,
    int16,
    int32,
    int64,
    pstring,
    raw,
    set_default_dtype,
    uint8,
    uint16,
    uint32,
    uint64,
)
from twinoar.core.dtype import bool_ as bool
from twinoar.core.dtype import complex64 as cfloat
from twinoar.core.dtype import complex128 as cdouble
from twinoar.core.dtype import float16 as half
from twinoar.core.dtype import float32 as float
from twinoar.core.dtype import float64 as double
from twinoar.core.dtype import int16 as short
from twinoar.core.dtype import int32 as int
from twinoar.core.dtype import int64 as long
from twinoar.core.op.definition import publish
from twinoar.core.printing import set_printoptions
from twinoar.core.values import INPLACE, LateMethod, method
from twinoar.eager.convert import as_tensor, asarray, from_numpy
from twinoar.eager.lazy import LazyGuard
from twinoar.eager.place import (
    CPUPlace,
    CUDAPinnedPlace,
    CUDAPlace,
    CustomPlace,
    XPUPinnedPlace,
    XPUPlace,
    get_device,
    set_device,
)
from twinoar.eager.query import (
    check_shape,
    disable_signal_handler,
    finfo,
    iinfo,
    is_compiled_with_cuda,
    is_compiled_with_xpu,
    is_complex,
    is_floating_point,
    is_integer,
    is_tensor,
)
from twinoar.eager.tensor import Tensor, to_tensor
from twinoar.eager.typed import TYPED, Size
from twinoar.ops.activation.smooth import stanh
from twinoar.ops.conv.conv import conv1d, conv2d, conv3d
from twinoar.ops.create.diagonal import diag, diag_embed, diagonal, eye, tril, triu
from twinoar.ops.create.fill import (
    assign,
    clone,
    empty,
    empty_like,
    full,
    full_like,
    increment,
    ones,
    ones_like,
    rank,
    zeros,
    zeros_like,
)
from twinoar.ops.create.range import arange, linspace
from twinoar.ops.index.along_axis import index_sample, put_along_axis, take_along_axis
from twinoar.ops.index.gather import gather, index_add, index_select, scatter
from twinoar.ops.index.gather_nd import gather_nd, index_put, scatter_nd_add
from twinoar.ops.index.mask import masked_fill, masked_select, nonzero, where
from twinoar.ops.index.slice import slice, strided_slice
from twinoar.ops.index.sort import argsort, sort, topk
from twinoar.ops.index.unique import bincount, searchsorted, unique
from twinoar.ops.linalg.matmul import addmm, bmm, dot, inner, matmul, mm, mv, outer
from twinoar.ops.math.affine import add_n, lerp, neg, scale
from twinoar.ops.math.arithmetic import (
    add,
    div,
    divide,
    floor_divide,
    floor_mod,
    mod,
    multiply,
    pow,
    remainder,
    sub,
    subtract,
)
from twinoar.ops.math.cast import cast
from twinoar.ops.math.compare import (
    allclose,
    equal,
    equal_all,
    greater_equal,
    greater_than,
    is_empty,
    isclose,
    isfinite,
    isinf,
    isnan,
    less_equal,
    less_than,
    not_equal,
)
from twinoar.ops.math.error_function import erf, erfinv
from twinoar.ops.math.exponential import exp, expm1, log, log1p, log2, log10
from twinoar.ops.math.logical import (
    bitwise_and,
    bitwise_not,
    bitwise_or,
    bitwise_xor,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
)
from twinoar.ops.math.root import reciprocal, rsqrt, sqrt, square
from twinoar.ops.math.rounding import ceil, floor, round, trunc
from twinoar.ops.math.select import clamp, clip, fmax, fmin, maximum, minimum
from twinoar.ops.math.sign import abs, sign
from twinoar.ops.math.trigonometry import (
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cos,
    cosh,
    sin,
    sinh,
    tan,
    tanh,
)
from twinoar.ops.norm.group_norm import group_norm
from twinoar.ops.norm.layer_norm import layer_norm
from twinoar.ops.pool.adaptive import adaptive_avg_pool1d
from twinoar.ops.random.categorical import bernoulli, multinomial
from twinoar.ops.random.uniform import (
    Generator,
    get_rng_state,
    normal,
    normal_,
    rand,
    randint,
    randint_like,
    randn,
    randperm,
    seed,
    set_rng_state,
    standard_normal,
    uniform,
)
from twinoar.ops.reduce.cumulative_sum import cumprod, cumsum
from twinoar.ops.reduce.extreme import amax, amin, argmax, argmin, max, min
from twinoar.ops.reduce.quantile import median
from twinoar.ops.reduce.reduction import all, any, logsumexp, mean, prod, sum
from twinoar.ops.reduce.statistics import count_nonzero, nanmean, nansum, std, var
from twinoar.ops.shape.concat import (
    broadcast_tensors,
    cat,
    chunk,
    concat,
    meshgrid,
    split,
    stack,
    unbind,
    unstack,
)
from twinoar.ops.shape.expand import broadcast_to, expand, expand_as, repeat_interleave, tile
from twinoar.ops.shape.reshape import (
    flatten,
    moveaxis,
    reshape,
    squeeze,
    swapaxes,
    t,
    transpose,
    unsqueeze,
    view,
    view_as,
)
from twinoar.ops.shape.roll import flip, roll
from twinoar.ops.shape.size import numel, shape
from twinoar.static.mode import disable_static, enable_static, in_dynamic_mode
from twinoar.tracebacks import install as _install_tracebacks
from twinoar.version import __version__
from twinoar.version import commit as __git_commit__

_install_tracebacks()
manual_seed = seed
newaxis = None

SUBPACKAGES = frozenset(
    {
        "amp",
        "audio",
        "autograd",
        "callbacks",
        "compat",
        "cost_model",
        "cuda",
        "custom",
        "dataset",
        "device",
        "distributed",
        "distribution",
        "fft",
        "fluid",
        "functional",
        "geometric",
        "hub",
        "incubate",
        "inference",
        "io",
        "jit",
        "linalg",
        "metric",
        "nn",
        "optimizer",
        "passes",
        "profiler",
        "reader",
        "regularizer",
        "signal",
        "sparse",
        "special",
        "static",
        "sysconfig",
        "tensor",
        "text",
        "utils",
        "vision",
    }
)
LAZY = {
    "is_autocast_enabled": "twinoar.amp",
    "get_autocast_gpu_dtype": "twinoar.amp",
    "get_autocast_dtype": "twinoar.amp",
    "get_autocast_cpu_dtype": "twinoar.amp",
    "autocast": "twinoar.amp",
    "DataParallel": "twinoar.distributed.data_parallel",
    "MmapStorage": "twinoar.utils.mapped",
    "Model": "twinoar.hapi",
    "disable_compat": "twinoar.compat.torch_names",
    "enable_compat": "twinoar.compat.torch_names",
    "ParamAttr": "twinoar.nn.param_attr",
    "batch": "twinoar.reader",
    "cholesky": "twinoar.linalg",
    "eigvalsh": "twinoar.linalg",
    "flops": "twinoar.hapi",
    "get_cudnn_version": "twinoar.device",
    "from_dlpack": "twinoar.utils.dlpack",
    "get_cuda_rng_state": "twinoar.device.cuda",
    "get_flags": "twinoar.utils.flags",
    "create_parameter": "twinoar.static.nn",
    "inverse": "twinoar.ops.linalg.linear_system",
    "is_compiled_with_cinn": "twinoar.device",
    "is_compiled_with_custom_device": "twinoar.device",
    "is_compiled_with_distribute": "twinoar.device",
    "is_compiled_with_ipu": "twinoar.device",
    "is_compiled_with_rocm": "twinoar.device",
    "load": "twinoar.export.objects",
    "save": "twinoar.export.objects",
    "set_cuda_rng_state": "twinoar.device.cuda",
    "set_flags": "twinoar.utils.flags",
    "sigmoid": "twinoar.nn.functional",
    "summary": "twinoar.hapi",
    "to_dlpack": "twinoar.utils.dlpack",
}

# Further names, by the module of `twinoar.ops` that has them.
FAMILIES = {
    "create.diagonal": """
        block_diag diagflat trace tril_indices triu_indices""",
    "create.range": """
        logspace""",
    "create.window_function": """
        bartlett_window blackman_window hamming_window hann_window kaiser_window""",
    "index.scatter": """
        diagonal_scatter index_fill masked_scatter scatter_add scatter_nd scatter_reduce
        select_scatter slice_scatter""",
    "index.sort": """
        kthvalue mode msort""",
    "index.take": """
        argwhere multiplex shard_index take take_along_dim tolist""",
    "index.unique": """
        bucketize isin unique_consecutive""",
    "linalg.einsum": """
        einsum tensordot""",
    "linalg.product": """
        cross kron vander vecdot""",
    "linalg.vector_norm": """
        cdist dist norm pdist renorm""",
    "math.affine": """
        negative positive""",
    "math.complex_number": """
        angle as_complex as_real complex conj imag isreal polar real sgn view_as_complex
        view_as_real""",
    "math.floating": """
        copysign frac frexp heaviside hypot isneginf isposinf ldexp logaddexp nan_to_num
        nextafter signbit""",
    "math.gamma": """
        digamma gammaln lgamma polygamma""",
    "math.integer": """
        bitwise_left_shift bitwise_right_shift gcd lcm""",
    "math.special": """
        gammainc gammaincc i0 i0e i1 i1e logit multigammaln sinc""",
    "math.trigonometry": """
        deg2rad rad2deg""",
    "random.gamma": """
        binomial poisson standard_gamma""",
    "random.in_place": """
        bernoulli_ cauchy_ geometric_ log_normal log_normal_ rand_like randn_like""",
    "reduce.cumulative_extreme": """
        cummax cummin logcumsumexp""",
    "reduce.difference": """
        cumulative_trapezoid diff trapezoid""",
    "reduce.histogram": """
        histogram histogram_bin_edges histogramdd""",
    "reduce.quantile": """
        nanmedian nanquantile quantile""",
    "reduce.reduction": """
        reduce_as""",
    "shape.combinations": """
        cartesian_prod combinations""",
    "shape.expand": """
        broadcast_shape broadcast_shapes""",
    "shape.reorder": """
        crop matrix_transpose narrow permute ravel reverse rot90 unflatten""",
    "shape.stack": """
        atleast_1d atleast_2d atleast_3d column_stack concatenate dsplit dstack hsplit hstack
        row_stack tensor_split vsplit vstack""",
    "shape.strided": """
        as_strided unfold""",
    "spelling": """
        baddbmm bitwise_invert eq ge ger greater gt le less lt mul ne range softmax swapdims
        true_divide where_""",
}
for _family, _names in FAMILIES.items():
    _module = importlib.import_module(f"{__name__}.ops.{_family}")
    globals().update({_name: getattr(_module, _name) for _name in _names.split()})


def __getattr__(name: str) -> Any:
    if name in SUBPACKAGES:
        return importlib.import_module(f"twinoar.{name}")
    if name in LAZY:
        return getattr(importlib.import_module(LAZY[name]), name)
    if name in INPLACE:
        return INPLACE[name]
    raise AttributeError(f"module 'twinoar' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *SUBPACKAGES, *LAZY, *INPLACE})


globals().update(TYPED)

# Methods of tensors, by the module that has them and is loaded when one is first used.
LATE_METHODS = {
    "ops.random.nucleus": "top_p_sampling",
    "signal": "stft istft",
    "sparse.tensor": "to_sparse_coo to_sparse_csr",
    "static.nn": "create_parameter",
    "compat.inside.tensor": "create_tensor",
}


def _late(module: str, name: str) -> Any:
    return getattr(importlib.import_module(f"{__name__}.{module}"), name)


for _family, _names in LATE_METHODS.items():
    for _name in _names.split():
        method(_name)(LateMethod(partial(_late, _family, _name), _name))  # type: ignore[type-var]


__all__ = [
    "CPUPlace", "CUDAPinnedPlace", "CUDAPlace", "CustomPlace", "DataParallel", "Generator",
    "LazyGuard", "ParamAttr", "Size", "Tensor", "XPUPinnedPlace", "XPUPlace", "__git_commit__",
    "__version__",
    "abs", "abs_", "acos", "acos_", "acosh", "adaptive_avg_pool1d", "add", "add_n", "addmm", "all",
    "allclose", "amax", "amin", "amp", "any", "arange", "argmax", "argmin", "argsort", "as_tensor",
    "asarray", "asin", "asinh", "assign", "atan", "atan2", "atan_", "atanh", "audio", "autograd",
    "batch", "bernoulli", "bfloat16", "bincount", "bitwise_and", "bitwise_and_", "bitwise_not",
    "bitwise_not_", "bitwise_or", "bitwise_or_", "bitwise_xor", "bitwise_xor_", "bmm", "bool",
    "broadcast_tensors", "broadcast_to", "cast", "cat", "cdouble", "ceil", "cfloat", "check_shape",
    "chunk", "clamp", "clip", "clone", "compat", "complex64", "complex128", "concat", "config",
    "conv1d", "conv2d", "conv3d", "cos", "cos_", "cosh", "count_nonzero", "create_parameter",
    "cuda", "cumprod", "cumprod_", "cumsum", "cumsum_", "custom", "dataset", "diag", "diag_embed",
    "diagonal", "disable_signal_handler", "disable_static", "distributed", "div", "div_", "divide",
    "divide_", "dot", "double", "dtype", "e", "empty", "empty_like", "enable_grad", "enable_static",
    "equal", "equal_", "equal_all", "erf", "erf_", "erfinv", "errors", "exp", "expand", "expand_as",
    "expm1", "expm1_", "eye", "fft", "finfo", "flatten", "flatten_", "flip", "float",
    "float8_e4m3fn", "float8_e5m2", "float16", "float32", "float64", "floor", "floor_divide",
    "floor_divide_", "floor_mod", "fluid", "fmax", "fmin", "from_dlpack", "from_numpy", "full",
    "full_like", "functional", "gather", "gather_nd", "geometric", "get_cuda_rng_state",
    "get_default_dtype", "get_device", "get_rng_state", "grad", "greater_equal", "greater_equal_",
    "greater_than", "greater_than_", "group_norm", "half", "hub", "iinfo", "in_dynamic_mode",
    "increment", "index_add", "index_add_", "index_put", "index_put_", "index_sample",
    "index_select", "inf", "inner", "int", "int8", "int16", "int32", "int64", "io",
    "is_compiled_with_cuda", "is_compiled_with_xpu", "is_complex", "is_empty", "is_floating_point",
    "is_grad_enabled", "is_integer", "is_tensor", "isclose", "isfinite", "isinf", "isnan", "jit",
    "layer_norm", "lerp", "less_equal", "less_equal_", "less_than", "less_than_", "linalg",
    "linspace", "load", "log", "log1p", "log2", "log2_", "log10", "log10_", "log_", "logical_and",
    "logical_and_", "logical_not", "logical_not_", "logical_or", "logical_or_", "logical_xor",
    "logsumexp", "long", "manual_seed", "masked_fill", "masked_fill_", "masked_select", "matmul",
    "max", "maximum", "mean", "median", "meshgrid", "metric", "min", "minimum", "mm", "mod",
    "moveaxis", "multinomial", "multiply", "multiply_", "mv", "nan", "nanmean", "nansum", "neg",
    "neg_", "newaxis", "nn", "no_grad", "nonzero", "normal", "normal_", "not_equal", "numel",
    "ones", "ones_like", "optimizer", "outer", "pi", "pow", "pow_", "prod", "put_along_axis",
    "rand", "randint", "randint_like", "randn", "randperm", "rank", "reader", "reciprocal",
    "regularizer", "remainder", "remainder_", "repeat_interleave", "reshape", "reshape_", "roll",
    "round", "rsqrt", "save", "scale", "scatter", "scatter_", "scatter_nd_add", "searchsorted",
    "seed", "set_cuda_rng_state", "set_default_dtype", "set_device", "set_grad_enabled",
    "set_printoptions", "set_rng_state", "shape", "short", "sign", "signal", "sin", "sin_", "sinh",
    "sinh_", "slice", "softmax", "sort", "special", "split", "sqrt", "square", "square_", "squeeze",
    "squeeze_", "stack", "standard_normal", "stanh", "static", "std", "strided_slice", "sub",
    "subtract", "subtract_", "sum", "swapaxes", "sysconfig", "t", "take_along_axis", "tan", "tan_",
    "tanh", "tanh_", "text", "tile", "to_dlpack", "to_tensor", "topk", "transpose", "transpose_",
    "tril", "triu", "trunc", "trunc_", "uint8", "unbind", "uniform", "unique", "unsqueeze",
    "unsqueeze_", "unstack", "utils", "var", "version", "view", "view_as", "vision", "where",
    "zeros", "zeros_like",
]  # fmt: skip
__all__ += ["pstring", "raw", "uint16", "uint32", "uint64"]
__all__ += TYPED
__all__ += [name for names in FAMILIES.values() for name in names.split()]
__all__ += [name for name in INPLACE if name[:-1] in __all__ and name not in __all__]

publish(globals())
