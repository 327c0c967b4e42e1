"""Names of Paddle's compiler of fused kernels for GPUs."""

from __future__ import annotations

from typing import Any, NoReturn

from twinoar.errors import UnsupportedError
from twinoar.incubate.cc import fuse


def compile(func: Any, *args: Any, **kwargs: Any) -> NoReturn:
    """Raises UnsupportedError: kernels for GPUs are not made here.

    >>> from twinoar.errors import UnsupportedError
    >>> try:
    ...     compile(abs)
    ... except UnsupportedError as error:
    ...     print(error.cure)
    compile the function with paddle.jit.to_static, which fuses operators
    """
    raise UnsupportedError(
        "incubate.cc compiles kernels for GPUs, and this is the CPU",
        cure="compile the function with paddle.jit.to_static, which fuses operators",
    )


__all__ = ["compile", "fuse"]
