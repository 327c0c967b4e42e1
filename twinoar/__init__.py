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
from twinoar.core.values import INPLACE, DeclaredLate, LateMethod, method
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
from twinoar.ops import FAMILIES
from twinoar.ops.random.uniform import seed
from twinoar.runtime.garbage import uncollected as _uncollected
from twinoar.tracebacks import install as _install_tracebacks
from twinoar.version import __version__
from twinoar.version import commit as __git_commit__

_install_tracebacks()
manual_seed = seed
newaxis = None

SUBPACKAGES = {
    "amp", "audio", "autograd", "callbacks", "compat", "cost_model", "cuda", "custom", "dataset",
    "device", "distributed", "distribution", "fft", "fluid", "functional", "geometric", "hub",
    "incubate", "inference", "io", "jit", "linalg", "metric", "nn", "onnx", "optimizer", "passes",
    "pretrained", "profiler", "quantization", "reader", "regularizer", "signal", "slim", "sparse",
    "special", "static", "sysconfig", "tensor", "text", "utils", "vision",
}  # fmt: skip
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
    "disable_static": "twinoar.static.mode",
    "enable_static": "twinoar.static.mode",
    "in_dynamic_mode": "twinoar.static.mode",
    "enable_compat": "twinoar.compat.torch_names",
    "ParamAttr": "twinoar.nn.param_attr",
    "batch": "twinoar.reader",
    "cholesky": "twinoar.linalg",
    "eigvalsh": "twinoar.linalg",
    "flops": "twinoar.hapi",
    "get_cudnn_version": "twinoar.device",
    "get_float32_matmul_precision": "twinoar.eager.precision",
    "set_float32_matmul_precision": "twinoar.eager.precision",
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

for _family, _names in FAMILIES.items():
    _module = importlib.import_module(f"{__name__}.ops.{_family}")
    globals().update({_name: getattr(_module, _name) for _name in _names.split()})


def __getattr__(name: str) -> Any:
    if name in SUBPACKAGES:
        with _uncollected():  # or a fifth of it is a search for garbage
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
# Those that modules of operators declare themselves when they are loaded.
DECLARED_LATE = {
    "linalg.covariance": "corrcoef cov",
    "linalg.householder": "householder_product ormqr",
    "linalg.least_squares": "cond lstsq matrix_rank pinv",
    "linalg.low_rank": "pca_lowrank svd_lowrank",
    "linalg.lu": "lu lu_unpack",
    "linalg.matrix_function": "matrix_power",
}
for _family, _names in DECLARED_LATE.items():
    for _name in _names.split():
        _load = partial(importlib.import_module, f"{__name__}.ops.{_family}")
        method(_name)(DeclaredLate(_load, _name))  # type: ignore[type-var]

_shown = partial(_late, "inspection.notebook", "tensor_html")
Tensor._repr_html_ = LateMethod(_shown, "_repr_html_")  # type: ignore[attr-defined]

__all__ = [
    "CPUPlace", "CUDAPinnedPlace", "CUDAPlace", "CustomPlace", "DataParallel", "LazyGuard",
    "ParamAttr", "Size", "Tensor", "XPUPinnedPlace", "XPUPlace", "__git_commit__", "__version__",
    "abs_", "acos_", "amp", "as_tensor", "asarray", "atan_", "audio", "autograd", "batch",
    "bfloat16", "bitwise_and_", "bitwise_not_", "bitwise_or_", "bitwise_xor_", "bool", "cdouble",
    "cfloat", "check_shape", "compat", "complex64", "complex128", "config", "cos_",
    "create_parameter", "cuda", "cumprod_", "cumsum_", "custom", "dataset",
    "disable_signal_handler", "disable_static", "distributed", "div_", "divide_", "double", "dtype",
    "e", "enable_grad", "enable_static", "equal_", "erf_", "errors", "expm1_", "fft", "finfo",
    "flatten_", "float", "float8_e4m3fn", "float8_e5m2", "float16", "float32", "float64",
    "floor_divide_", "fluid", "from_dlpack", "from_numpy", "functional", "geometric",
    "get_cuda_rng_state", "get_default_dtype", "get_device", "get_float32_matmul_precision", "grad",
    "greater_equal_", "greater_than_", "half", "hub", "iinfo", "in_dynamic_mode", "index_add_",
    "index_put_", "inf", "int", "int8", "int16", "int32", "int64", "io", "is_compiled_with_cuda",
    "is_compiled_with_xpu", "is_complex", "is_floating_point", "is_grad_enabled", "is_integer",
    "is_tensor", "jit", "less_equal_", "less_than_", "linalg", "load", "log2_", "log10_", "log_",
    "logical_and_", "logical_not_", "logical_or_", "long", "manual_seed", "masked_fill_", "metric",
    "multiply_", "nan", "neg_", "newaxis", "nn", "no_grad", "optimizer", "pi", "pow_", "reader",
    "regularizer", "remainder_", "reshape_", "save", "scatter_", "seed", "set_cuda_rng_state",
    "set_default_dtype", "set_device", "set_float32_matmul_precision", "set_grad_enabled",
    "set_printoptions", "short", "signal", "sin_", "sinh_", "softmax", "special", "square_",
    "squeeze_", "static", "subtract_", "sysconfig", "tan_", "tanh_", "text", "to_dlpack",
    "to_tensor", "transpose_", "trunc_", "uint8", "unsqueeze_", "utils", "version", "vision",
]  # fmt: skip
__all__ += ["pstring", "raw", "uint16", "uint32", "uint64"]
__all__ += TYPED
__all__ += [name for names in FAMILIES.values() for name in names.split()]
__all__ += [name for name in INPLACE if name[:-1] in __all__ and name not in __all__]

publish(globals())
