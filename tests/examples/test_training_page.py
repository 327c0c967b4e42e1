"""The page on which a network trains, in a real browser: it learns what is drawn there."""

from __future__ import annotations

import functools
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.examples.test_digits_page import Quiet, look
from tests.inspection.test_browser import BROWSER

EXAMPLE = Path(__file__).parents[2] / "examples" / "training_page" / "make.py"
LARGEST = 400_000  # bytes of all that a browser loads

pytestmark = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium to look with")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("page")
    environment = {"PYTHONPATH": ":".join(filter(None, sys.path)), "PATH": ""}
    command = [sys.executable, EXAMPLE, "--output", made]
    subprocess.run(command, check=True, capture_output=True, env=environment, cwd=made)
    return made


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_it_learns_what_is_drawn(address: str, tmp_path: Path) -> None:
    page = look(address, "#alone", tmp_path)
    told = dict(re.findall(r'data-([a-z]+)="([^"]*)"', page))
    assert float(told["before"]) > 0.5 > 10 * float(told["after"])
    assert int(told["right"]) >= 11  # of 12 fresh drawings, where chance is right in 4
    assert told["kept"] == "true"
    assert re.search(r'id="told">120 steps of 16 drawings', page)
    assert page.count("<canvas") == 2 + 15


def test_nothing_is_trained_before_something_is_drawn(address: str, tmp_path: Path) -> None:
    page = look(address, "", tmp_path)
    assert 'id="told">draw at least two kinds of things' in page
    assert re.search(r'<button id="train" disabled', page)


def test_the_page_is_small(folder: Path) -> None:
    assert sum(file.stat().st_size for file in folder.iterdir()) < LARGEST
