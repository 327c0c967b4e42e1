"""What only Graphcore's IPUs have: the names are there, and each is refused when it is called."""

from __future__ import annotations

from typing import Any, NoReturn

from twinoar.errors import ArgumentError


class IpuStrategy:
    """Needs an IPU: raises ArgumentError."""

    def __init__(self) -> None:
        _refuse("IpuStrategy")


class IpuCompiledProgram:
    """Needs an IPU: raises ArgumentError."""

    def __init__(self, program: Any = None, scope: Any = None, ipu_strategy: Any = None) -> None:
        _refuse("IpuCompiledProgram")


def ipu_shard_guard(index: int = -1, stage: int = -1) -> NoReturn:
    """Needs an IPU: raises ArgumentError."""
    _refuse("ipu_shard_guard")


def set_ipu_shard(call_func: Any, index: int = -1, stage: int = -1) -> NoReturn:
    """Needs an IPU: raises ArgumentError."""
    _refuse("set_ipu_shard")


def _refuse(name: str) -> NoReturn:
    raise ArgumentError(
        f"paddle.static.{name} needs an IPU, which nothing serves",
        cure="ask first: paddle.is_compiled_with_ipu()",
    )
