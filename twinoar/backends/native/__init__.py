"""The native back end for CPUs: kernels of ours through LLVM, contractions through oneDNN.

A Program for given sizes is compiled to a list of commands, which one native call runs: see
`executable`. That is loaded, and LLVM with it, when `NativeExecutable` is asked for, or
`make_operation`, which compiles single operators for eager mode, and `make_open`, which does so for
sizes that vary.
"""

from __future__ import annotations

from typing import Any

__all__ = ["NativeExecutable", "host", "lie_of", "make_open", "make_operation"]


def __getattr__(name: str) -> Any:
    if name == "NativeExecutable":
        from twinoar.backends.native.executable import NativeExecutable

        return NativeExecutable
    if name == "host":
        from twinoar.backends.host import host

        return host
    if name == "make_operation":
        from twinoar.backends.native.operation import make_operation

        return make_operation
    if name in ("lie_of", "make_open"):
        from twinoar.backends.native import open_operation

        return getattr(open_operation, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
