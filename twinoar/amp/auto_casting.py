"""`auto_cast` and `decorate`: operators, parameters and optimizers in lower precision."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from twinoar.amp.choice import LOW, Autocast, names_of_operators
from twinoar.backends.host import host
from twinoar.core.dtype import DType, bfloat16, dtype_of, float16, float32
from twinoar.core.interpreter import current, under
from twinoar.core.op.definition import registry
from twinoar.core.public import declared
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.nn.batch_norm import BatchNorm, BatchNorm1D, BatchNorm2D, BatchNorm3D, SyncBatchNorm
from twinoar.nn.layer import Layer
from twinoar.nn.norm import InstanceNorm1D, InstanceNorm2D, InstanceNorm3D, LayerNorm
from twinoar.ops.math.cast import astype
from twinoar.optimizer.optimizer import Optimizer

LEVELS = ("O0", "OD", "O1", "O2")
DTYPES = ("float16", "bfloat16")
DEVICES = ("cpu", "gpu", "xpu")
UNITS = {float16: "avx512fp16", bfloat16: "avx512bf16"}  # what a processor has for a dtype
# Parameters of these stay float32: they are few, and statistics are taken of many elements.
WIDE_LAYERS = (BatchNorm, BatchNorm1D, BatchNorm2D, BatchNorm3D, SyncBatchNorm)
WIDE_IN_FLOAT16 = (LayerNorm, InstanceNorm1D, InstanceNorm2D, InstanceNorm3D)


@contextmanager
def auto_cast(
    enable: bool = True,
    custom_white_list: Iterable[str] | None = None,
    custom_black_list: Iterable[str] | None = None,
    level: str = "O1",
    dtype: str = "float16",
    use_promote: bool = True,
) -> Iterator[None]:
    """Within the block operators choose their precision; on a CPU too, where Paddle's stay float32.

    level: "O1", products and convolutions compute in `dtype`, operators that lose too much in
    float32, others in the precision of their operands, in float32 where these are mixed; "OD", all
    but the first kind in float32; "O2", only what loses in every way in float32, for a model of
    `decorate`; "O0", nothing changes. dtype: "float16" or "bfloat16", which keeps float32's range.
    custom_white_list, custom_black_list: names of operators that compute in `dtype`, or in float32.
    use_promote: False lets "O2" compute where operands are mixed in `dtype`. Operands of float64
    stay. Raises ArgumentError for a level, a dtype, or lists that share a name; warns of names of
    no operator. Source: arXiv 1710.03740.

    >>> x = twinoar.ones([2, 2])
    >>> with auto_cast(dtype="bfloat16"):
    ...     y = x @ x
    ...     y.dtype, y.mean().dtype
    (paddle.bfloat16, paddle.float32)
    """
    check_level(level)
    low = low_dtype(dtype)
    white, black = _as_names("white", custom_white_list), _as_names("black", custom_black_list)
    if shared := white & black:
        raise ArgumentError(f"custom_white_list and custom_black_list share {sorted(shared)}")
    chosen = None
    if enable and level.upper() != "O0":
        chosen = Autocast(level.upper(), low, white, black, bool(use_promote))
    with under(autocast=chosen):
        yield


amp_guard = auto_cast


@contextmanager
def autocast(
    device_type: str | None = None,
    dtype: str = "float16",
    enabled: bool = True,
    cache_enabled: bool = True,
) -> Iterator[None]:
    """`auto_cast` with PyTorch's arguments."""
    with auto_cast(enable=enabled, dtype=dtype):
        yield


def decorate(
    models: Any,
    optimizers: Any = None,
    level: str = "O1",
    dtype: str = "float16",
    master_weight: bool | None = None,
    save_dtype: str | None = None,
    master_grad: bool = False,
    excluded_layers: Any = None,
) -> Any:
    """Models and optimizers ready for `auto_cast`, changed in place.

    models, optimizers: one, or a list. level: "O1" leaves parameters alone; "O2" makes those of
    floats `dtype`, but in layers of batch normalization, in `excluded_layers` (layers, or classes
    of them), and for float16 in layers of other normalization. master_weight: optimizers update
    float32 copies, unless False. save_dtype: what `state_dict` of the models has floats as.
    master_grad: gradients of parameters are float32 as soon as they are there. Returns the models,
    or with optimizers both. Raises ArgumentError for another level or dtype, and for an optimizer
    that has stepped already; TypeMismatchError for what is no model or optimizer.

    >>> model = twinoar.nn.Linear(2, 2)
    >>> decorate(model, level="O2", dtype="bfloat16") is model, model.weight.dtype
    (True, paddle.bfloat16)
    """
    if level not in ("O1", "O2"):
        raise ArgumentError(f"expected level 'O1' or 'O2', received {level!r}")
    low = low_dtype(dtype)
    saved = None if save_dtype is None else _save_dtype(save_dtype)
    chosen = _all_of("models", models, Layer)
    trained = [] if optimizers is None else _all_of("optimizers", optimizers, Optimizer)
    if level == "O2":
        for optimizer in trained:
            if optimizer.has_stepped:
                raise ArgumentError(
                    "the optimizer remembers parameters of float32 already",
                    cure="decorate models and optimizers before the first step",
                )
            optimizer._multi_precision = master_weight is not False
        for model in chosen:
            _lower(model, low, excluded_layers)
            if master_grad:
                _widen_gradients(model)
    if saved is not None:
        for model in chosen:
            model.register_state_dict_hook(lambda state: _in_dtype(state, saved))
    return models if optimizers is None else (models, optimizers)


amp_decorate = decorate


def is_autocast_enabled(device_type: Any = None) -> bool:
    """Whether operators choose their precision here.

    >>> with auto_cast(dtype="bfloat16"):
    ...     is_autocast_enabled()
    True
    """
    return current().policy.autocast is not None


def get_autocast_dtype(device_type: Any = None) -> str:
    """The low dtype of the `auto_cast` around, or of one where none is given: "float16"."""
    autocast = current().policy.autocast
    return "float16" if autocast is None else autocast.dtype.name


def get_autocast_cpu_dtype(device_type: Any = None) -> str:
    """`get_autocast_dtype` of CPUs."""
    return get_autocast_dtype()


def get_autocast_gpu_dtype(device_type: Any = None) -> str:
    """`get_autocast_dtype` of GPUs."""
    return get_autocast_dtype()


def is_float16_supported(device: Any = None) -> bool:
    """Whether a device has units for float16; without, a CPU computes it through float32.

    device: such as "cpu" or "gpu:0"; None, this CPU. Raises ArgumentError.
    """
    return _has_units(device, float16)


def is_bfloat16_supported(device: Any = None) -> bool:
    """Whether a device has units for bfloat16; without, a CPU computes it through float32.

    device: such as "cpu" or "gpu:0"; None, this CPU. Raises ArgumentError.
    """
    return _has_units(device, bfloat16)


def check_level(level: str) -> None:
    """Raise ArgumentError for what is no level of `auto_cast`."""
    if not isinstance(level, str) or level.upper() not in LEVELS:
        raise ArgumentError(f"expected level among {LEVELS}, received {level!r}")


def low_dtype(dtype: Any) -> DType:
    """The DType of a lower precision. Raises ArgumentError for what is none."""
    if getattr(dtype, "name", dtype) not in DTYPES:
        raise ArgumentError(f"expected dtype among {DTYPES}, received {dtype!r}")
    return dtype_of(dtype)


def _as_names(color: str, given: Iterable[str] | None) -> frozenset[str]:
    """A list of operators. Warns of names that none has."""
    if given is not None and not isinstance(given, list | tuple | set | frozenset):
        kind = type(given).__name__
        raise TypeMismatchError(f"expected a list of names of operators, received {kind}")
    names = frozenset(given or ())
    unknown = names and names - set(names_of_operators(registry.values()))
    if unknown:
        warnings.warn(
            f"custom_{color}_list: no operator is called {', '.join(sorted(unknown))}",
            stacklevel=4,
        )
    return names


def _all_of(what: str, given: Any, kind: type) -> list[Any]:
    found = list(given) if isinstance(given, list | tuple) else [given]
    for x in found:
        if not isinstance(x, kind):
            raise TypeMismatchError(
                f"{what}: expected one {kind.__name__}, or a list, received {type(x).__name__}"
            )
    return found


def _save_dtype(given: Any) -> DType:
    dtype = dtype_of(given)
    if not dtype.is_floating:
        raise ArgumentError(f"save_dtype: expected a floating dtype, received {dtype.name}")
    return dtype


def _lower(model: Layer, low: DType, excluded: Any) -> None:
    given = excluded if isinstance(excluded, list | tuple) else [excluded] if excluded else []
    kinds = tuple(x for x in given if isinstance(x, type))
    ids = {id(x) for layer in given if isinstance(layer, Layer) for x in _with_below(layer)}
    if len(kinds) + sum(isinstance(x, Layer) for x in given) < len(given):
        raise TypeMismatchError("excluded_layers: expected layers, or classes of layers")
    wide = WIDE_LAYERS + (WIDE_IN_FLOAT16 if low is float16 else ()) + kinds
    for layer in _with_below(model):
        if not isinstance(layer, wide) and id(layer) not in ids:
            layer._convert_own(low)


def _with_below(layer: Layer) -> list[Layer]:
    return list(layer.sublayers(include_self=True))


def _widen_gradients(model: Layer) -> None:
    for parameter in model.parameters():
        if parameter.dtype in LOW and not parameter.stop_gradient:
            parameter._grad_dtype = float32


def _in_dtype(state: Any, dtype: DType) -> Any:
    """A state whose floats are of a dtype; in place, as hooks do it."""
    for name, value in list(state.items()):
        if value.dtype.is_floating and value.dtype is not dtype:
            named, state[name] = value.name, astype(value, dtype)
            state[name].name = named
    return state


def _has_units(device: Any, dtype: DType) -> bool:
    name = "cpu" if device is None else str(device).lower()
    kind = next((kind for kind in DEVICES if kind in name), None)
    if kind is None:
        raise ArgumentError(f"expected a device such as {DEVICES}, received {device!r}")
    return kind == "cpu" and host().has(UNITS[dtype])


__all__ = declared(globals(), but=("check_level", "low_dtype"))
