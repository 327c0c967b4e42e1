"""Costs of operators: a table of Paddle's, measured on its GPUs, which is not served."""

from __future__ import annotations

from twinoar.errors import UnsupportedError


class CostModel:
    """Raises UnsupportedError when it is made: the times in Paddle's table are those of a GPU.

    >>> from twinoar.errors import UnsupportedError
    >>> try:
    ...     CostModel()
    ... except UnsupportedError as error:
    ...     print(error.cure)
    measure your own with paddle.profiler.Profiler
    """

    def __init__(self) -> None:
        raise UnsupportedError(
            "CostModel reads times that were measured on a GPU",
            cure="measure your own with paddle.profiler.Profiler",
        )


__all__ = ["CostModel"]
