"""`auto_cast` and `decorate`: off, they change nothing; on, they are refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from twinoar.core.public import declared
from twinoar.errors import ArgumentError, TypeMismatchError, UnsupportedError

LEVELS = ("O0", "OD", "O1", "O2")
DTYPES = ("float16", "bfloat16")
DEVICES = ("cpu", "gpu", "xpu")
CURE = "pass enable=False, or level='O0'; single layers compute in bfloat16 after x.astype(...)"


@contextmanager
def auto_cast(
    enable: bool = True,
    custom_white_list: Iterable[str] | None = None,
    custom_black_list: Iterable[str] | None = None,
    level: str = "O1",
    dtype: str = "float16",
    use_promote: bool = True,
) -> Iterator[None]:
    """Within the block operators choose their precision: off with enable=False or level="O0".

    Raises UnsupportedError where it is switched on, ArgumentError for a level, a dtype, or lists
    that share a name.

    >>> with auto_cast(enable=False):
    ...     is_autocast_enabled()
    False
    """
    check_level(level)
    check_dtype(dtype)
    _check_lists(custom_white_list, custom_black_list)
    if enable and level != "O0":
        raise refused(f"auto_cast(level={level!r}, dtype={dtype!r})", CURE)
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
    """Models and optimizers ready for `auto_cast`: as they are for the levels "O0" and "O1".

    Returns the models, or with optimizers both. Raises UnsupportedError for "O2", whose parameters
    are of lower precision, and for save_dtype; ArgumentError for another level or dtype.

    >>> import twinoar
    >>> model = twinoar.nn.Linear(2, 2)
    >>> decorate(model, level="O1") is model
    True
    """
    if level not in ("O0", "O1", "O2"):
        raise ArgumentError(f"expected level 'O0', 'O1' or 'O2', received {level!r}")
    check_dtype(dtype)
    if level == "O2":
        raise refused(f"decorate(level='O2', dtype={dtype!r})", "pass level='O0'")
    if save_dtype is not None:
        raise refused(f"decorate(save_dtype={save_dtype!r})", "convert the state that is saved")
    return models if optimizers is None else (models, optimizers)


amp_decorate = decorate


def is_autocast_enabled(device_type: Any = None) -> bool:
    """Whether operators choose their precision: False."""
    return False


def get_autocast_dtype(device_type: Any = None) -> str:
    """The dtype that `auto_cast` would choose where none is given: "float16"."""
    return "float16"


def get_autocast_cpu_dtype() -> str:
    """`get_autocast_dtype` of CPUs."""
    return get_autocast_dtype()


def get_autocast_gpu_dtype() -> str:
    """`get_autocast_dtype` of GPUs."""
    return get_autocast_dtype()


def is_float16_supported(device: Any = None) -> bool:
    """Whether a device computes fast in float16: no CPU does.

    >>> is_float16_supported()
    False
    """
    _device(device)
    return False


def is_bfloat16_supported(device: Any = None) -> bool:
    """Whether a device computes in bfloat16: CPUs do.

    >>> is_bfloat16_supported()
    True
    """
    return _device(device) == "cpu"


def refused(what: str, cure: str) -> UnsupportedError:
    """The error for what computes in lower precision."""
    return UnsupportedError(f"mixed precision is not served yet: {what}", cure=cure)


def check_level(level: str) -> None:
    """Raise ArgumentError for what is no level of `auto_cast`."""
    if not isinstance(level, str) or level.upper() not in LEVELS:
        raise ArgumentError(f"expected level among {LEVELS}, received {level!r}")


def check_dtype(dtype: Any) -> None:
    """Raise ArgumentError for what is no lower precision."""
    name = getattr(dtype, "name", dtype)
    if name not in DTYPES:
        raise ArgumentError(f"expected dtype among {DTYPES}, received {dtype!r}")


def _check_lists(white: Iterable[str] | None, black: Iterable[str] | None) -> None:
    for given in (white, black):
        if given is not None and not isinstance(given, list | tuple | set | frozenset):
            raise TypeMismatchError(
                f"expected a list of names of operators, received {type(given).__name__}"
            )
    shared = {*(white or ())} & {*(black or ())}
    if shared:
        raise ArgumentError(f"custom_white_list and custom_black_list share {sorted(shared)}")


def _device(given: Any) -> str:
    """The kind of device that is meant. Raises ArgumentError."""
    name = "cpu" if given is None else str(given).lower()
    kind = next((kind for kind in DEVICES if kind in name), None)
    if kind is None:
        raise ArgumentError(f"expected a device such as {DEVICES}, received {given!r}")
    return kind


__all__ = declared(globals(), but=("check_dtype", "check_level", "refused"))
