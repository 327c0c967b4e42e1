"""`paddle.static.amp`: mixed precision in Programs, which is refused when it is switched on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from twinoar.amp import debugging
from twinoar.amp.auto_casting import low_dtype
from twinoar.core.public import declared
from twinoar.errors import UnsupportedError

CURE = "train with the optimizer itself"


class AutoMixedPrecisionLists:
    """Names of operators that `decorate` would give lower precision, or full.

    >>> sorted(AutoMixedPrecisionLists(custom_white_list={"gelu"}).white_list)
    ['gelu']
    """

    def __init__(
        self,
        custom_white_list: Iterable[str] | None = None,
        custom_black_list: Iterable[str] | None = None,
        custom_black_varnames: Iterable[str] | None = None,
        dtype: str = "float16",
    ):
        low_dtype(dtype)
        self.amp_dtype = dtype
        self.white_list, self.black_list = (
            set(custom_white_list or ()),
            set(custom_black_list or ()),
        )
        self.black_varnames = set(custom_black_varnames or ())


CustomOpLists = AutoMixedPrecisionLists


def decorate(
    optimizer: Any,
    amp_lists: AutoMixedPrecisionLists | None = None,
    init_loss_scaling: float = 2.0**15,
    incr_every_n_steps: int = 1000,
    decr_every_n_nan_or_inf: int = 2,
    incr_ratio: float = 2.0,
    decr_ratio: float = 0.8,
    use_dynamic_loss_scaling: bool | None = None,
    use_pure_fp16: bool = False,
    use_fp16_guard: bool | None = None,
    use_bf16: bool = False,
    use_promote: bool = False,
    **kwargs: Any,
) -> Any:
    """An optimizer that trains in lower precision: raises UnsupportedError."""
    raise _refused("static.amp.decorate", CURE)


@contextmanager
def fp16_guard() -> Iterator[None]:
    """Operators that `decorate` would give lower precision: without it, the block as it is."""
    yield


def cast_model_to_fp16(program: Any, *args: Any, **kwargs: Any) -> Any:
    """Make a Program compute in float16: raises UnsupportedError."""
    raise _refused("static.amp.cast_model_to_fp16", "run the Program as it is")


def cast_parameters_to_fp16(place: Any, program: Any, *args: Any, **kwargs: Any) -> Any:
    """Make the parameters of a Program float16: raises UnsupportedError."""
    raise _refused("static.amp.cast_parameters_to_fp16", "run the Program as it is")


def _refused(what: str, cure: str) -> UnsupportedError:
    return UnsupportedError(f"mixed precision of Programs is not served yet: {what}", cure=cure)


__all__ = declared(globals(), "debugging")
