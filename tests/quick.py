"""How much LLVM does in tests: the least, but for those of compiled code.

All its passes take 20 ms for a kernel, which was most of the time of a test that compiles one, and
what tests outside of tests/backends say is true of kernels however LLVM makes them. So these are
compiled as brief ones are. tests/backends compiles as users do: there is what LLVM may get wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from twinoar.backends.llvm.target import BRIEF, attributes
from twinoar.backends.native import compiled, procedures
from twinoar.compile.target import Target

MODULES = (compiled, procedures)  # which ask for the attributes of kernels

as_users_do = attributes


def quickly(_target: Target) -> str:
    """The attributes of a brief kernel: in its text, so that no other code is taken for it."""
    return BRIEF


def compile_from_now_on(how: Callable[[Target], str]) -> None:
    """Let every kernel have these attributes."""
    for module in MODULES:
        module.attributes = how  # type: ignore[attr-defined]


@contextmanager
def compiling(how: Callable[[Target], str]) -> Iterator[None]:
    """Let every kernel have these attributes here."""
    before = compiled.attributes
    compile_from_now_on(how)
    try:
        yield
    finally:
        compile_from_now_on(before)
