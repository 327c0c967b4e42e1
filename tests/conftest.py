"""What tests of several folders share: a folder for compiled code, settings, files of Paddle."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CACHE_VARIABLE = "TWINOAR_CACHE_DIR"
FIXTURES_VARIABLE = "TWINOAR_FIXTURES"
BETWEEN_SEARCHES = 7000  # for garbage: objects made, ten times as many as by default
BEFORE_OLDER, BEFORE_ALL = 10, 5  # searches of the younger; all are gone through between tests
NEVER = 1 << 30
BESIDE_THE_REPOSITORY = Path(__file__).parents[2] / "shared" / "fixtures"

# Compiled code is kept in a folder of this run, which all its processes share. It is named before
# anything imports twinoar, which reads the variable then; tests of one folder import it very early.
OWN_FOLDER = "" if CACHE_VARIABLE in os.environ else tempfile.mkdtemp(prefix="twinoar-")
os.environ.setdefault(CACHE_VARIABLE, OWN_FOLDER)


def pytest_addoption(parser: pytest.Parser) -> None:
    """--brief and --rest: two parts of all tests, which tests/brief.py divides; else all."""
    parser.addoption("--brief", action="store_true", help="leave out what tests/brief.py lists")
    parser.addoption("--rest", action="store_true", help="run what --brief leaves out")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is asked for."""
    from tests.brief import rest_of

    if config.getoption("--brief") == config.getoption("--rest"):
        return
    rest = set(rest_of(items))
    left_out = [item for item in items if (item in rest) == config.getoption("--brief")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if (item in rest) != config.getoption("--brief")]


def pytest_configure(config: pytest.Config) -> None:
    """Compile the quick way, let tests of Ctrl-C send it; remove this run's folder at the end."""
    from tests import quick  # which imports twinoar: after the folder is named

    quick.compile_from_now_on(quick.quickly)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # As in a job that a script starts in the background: tests of Ctrl-C would wait for ever.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if OWN_FOLDER:
        config.add_cleanup(lambda: shutil.rmtree(OWN_FOLDER, ignore_errors=True))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[Any]:
    """Leave modules and tests, which stay until the end, out of every search for garbage."""
    gc.disable()
    gc.set_threshold(BETWEEN_SEARCHES, BEFORE_OLDER, NEVER)
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(autouse=True)
def _calls_are_not_watched_afterwards() -> Iterator[None]:
    """What one test asked of float8 makes no call slower, and no list longer, in the next."""
    yield
    from twinoar.core.observer import withdraw
    from twinoar.core.stored import WATCH

    withdraw(WATCH)


@pytest.fixture
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error where an operator would run on NumPy for want of native code."""
    monkeypatch.setattr("twinoar.config.strict", True)


@pytest.fixture
def native() -> Iterator[None]:
    """The native back end."""
    from twinoar import config

    with config.override(backend="native"):
        yield


@pytest.fixture
def static_mode() -> Iterator[None]:
    """Static mode, which a test that fails ends, too."""
    import twinoar

    twinoar.enable_static()
    yield
    twinoar.disable_static()


def pytest_runtest_logfinish() -> None:
    """Search all that is new for garbage, once in a while, and what is left not again.

    What operators and Programs keep stays, and grows into millions of objects. To go through all of
    them took 8 s at the end of a run of all tests, and came in the middle of whatever test.
    """
    if gc.get_count()[2] >= BEFORE_ALL:
        gc.collect()
        gc.freeze()


@pytest.fixture(scope="session")
def paddle_fixtures() -> Path:
    """The folder of the files that Paddle 2.6.2 and 3.3.1 have written; skips if there is none."""
    folder = Path(os.environ.get(FIXTURES_VARIABLE) or BESIDE_THE_REPOSITORY)
    if not folder.is_dir():
        pytest.skip(
            f"{folder} does not exist; {FIXTURES_VARIABLE} names the folder of Paddle's files"
        )
    return folder
