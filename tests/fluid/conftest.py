"""Tests of fluid leave the mode, the default Programs and the scope as they were."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from twinoar.core import unique_name
from twinoar.core.interpreter import base, set_base
from twinoar.fluid import program_guard
from twinoar.static import Program, Scope, scope_guard
from twinoar.static.builder import Defaults


@pytest.fixture(autouse=True)
def mode() -> Iterator[None]:
    before, was_chosen = base(), Defaults.mode_is_chosen
    programs = Defaults.main, Defaults.startup
    Defaults.main, Defaults.startup = Program("main"), Program("startup")
    with scope_guard(Scope()), unique_name.guard():
        yield
    set_base(before)
    Defaults.mode_is_chosen, Defaults.newest_first = was_chosen, False
    Defaults.main, Defaults.startup = programs


@pytest.fixture
def static() -> Iterator[tuple[Program, Program]]:
    """A main and a startup Program that are being built."""
    main, startup = Program(), Program()
    with program_guard(main, startup):
        yield main, startup
