"""What tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from twinoar import static


@pytest.fixture
def programs() -> Iterator[tuple[static.Program, static.Program]]:
    """A main and a startup Program, which are the current ones, and a scope of their own."""
    main, startup = static.Program(), static.Program()
    with static.scope_guard(static.Scope()), static.program_guard(main, startup):
        yield main, startup
