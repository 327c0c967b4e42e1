"""What tests of this folder share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.quick import as_users_do, compiling, quickly
from twinoar import config
from twinoar.backends.llvm import emit
from twinoar.backends.native import executable as executables
from twinoar.backends.native import outlines


@pytest.fixture(autouse=True, scope="module")
def compiled_as_users_do() -> Iterator[None]:
    """LLVM's passes for all kernels that are not brief, which tests elsewhere do without."""
    with compiling(as_users_do):
        yield


@pytest.fixture
def one_pass() -> Iterator[None]:
    """The least of LLVM for every kernel, as everywhere outside of this folder."""
    with compiling(quickly):
        yield


@pytest.fixture
def one_pass_for_most(request: pytest.FixtureRequest) -> Iterator[None]:
    """The least of LLVM for five of six cases of a parametrized test.

    Their kernels differ from the sixth's in sizes and types alone, and take LLVM up to a second.
    """
    indices = getattr(request.node, "callspec", None) and request.node.callspec.indices
    is_sixth = not indices or sum(indices.values()) % 6 == 1
    with compiling(as_users_do if is_sixth else quickly):
        yield


@pytest.fixture
def all_passes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """All of LLVM's passes for every kernel, as large arrays get them; with a cache of its own."""
    monkeypatch.setattr(emit, "FEW", 0)
    with config.override(cache_dir=config.cache_dir / "all_passes"):
        yield


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the Programs that are planned."""
    names: list[str] = []

    def noting(plan: Callable) -> Callable:
        def noted(program: Any, *rest: Any, **named: Any) -> Any:
            names.append(program.name)
            return plan(program, *rest, **named)

        return noted

    monkeypatch.setattr(executables, "compile_program", noting(executables.compile_program))
    monkeypatch.setattr(outlines, "outlined", noting(outlines.outlined))
    return names
