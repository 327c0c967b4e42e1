"""Paddle's way to serve `import torch`: refused, as scripts for PyTorch are not what runs here."""

from __future__ import annotations

from typing import Any

from twinoar.errors import UnsupportedError


def enable_compat(
    *, scope: Any = None, blocked_modules: Any = None, backend: str = "torch", silent: bool = False
) -> None:
    """Raises UnsupportedError: `import torch` is not served from here.

    >>> from twinoar.errors import UnsupportedError
    >>> try:
    ...     enable_compat()
    ... except UnsupportedError as error:
    ...     print(error.cure)
    write import paddle, and take what PyTorch has from paddle.compat
    """
    raise UnsupportedError(
        "enable_compat would serve `import torch`, which is not done here",
        cure="write import paddle, and take what PyTorch has from paddle.compat",
    )


def disable_compat() -> None:
    """Nothing: `enable_compat` is refused."""
