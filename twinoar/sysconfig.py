"""Where the headers for operators in C++ are."""

from __future__ import annotations

from twinoar.utils.cpp_extension.build import INCLUDE


def get_include() -> str:
    """The folder with `paddle/extension.h`.

    >>> from pathlib import Path
    >>> (Path(get_include()) / "paddle" / "extension.h").exists()
    True
    """
    return str(INCLUDE)


def get_lib() -> str:
    """The folder to give the linker: it has no library, as the headers need none."""
    return str(INCLUDE)


__all__ = ["get_include", "get_lib"]
