"""The page on which digits are drawn, in a real browser: its answers are those of the labels."""

from __future__ import annotations

import functools
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.inspection.test_browser import BROWSER, OPTIONS

EXAMPLE = Path(__file__).parents[2] / "examples" / "digits_page" / "make.py"

pytestmark = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium to look with")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("page")
    command = [sys.executable, EXAMPLE, "--output", folder, "--epochs", "5"]
    environment = {"PYTHONPATH": ":".join(filter(None, sys.path)), "PATH": ""}
    subprocess.run(command, check=True, capture_output=True, env=environment, cwd=folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def look(address: str, fragment: str, folder: Path) -> str:
    """The document as the browser has it after the page's script."""
    done = subprocess.run(
        [str(BROWSER), *OPTIONS, f"--user-data-dir={folder}", address + fragment],
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    assert 'data-ready="yes"' in done.stdout  # the model's own verification has passed
    return done.stdout


def answer(page: str) -> str:
    return re.search(r'id="answer">([^<]*)<', page)[1]  # type: ignore[index]


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_digit_of_the_test_set_is_recognized(address: str, number: int, tmp_path: Path) -> None:
    page = look(address, f"#sample={number}", tmp_path)
    assert answer(page) == re.search(r'data-label="(\d)"', page)[1]  # type: ignore[index]
    assert page.count('class="row"') == 10


def test_an_empty_paper_has_no_answer(address: str, tmp_path: Path) -> None:
    page = look(address, "", tmp_path)
    assert answer(page) == "" and "nothing leaves this page" in page


def test_what_is_drawn_is_named(address: str, tmp_path: Path) -> None:
    page = look(address, "#line", tmp_path)
    assert re.fullmatch(r"\d", answer(page)) and page.count('class="row"') == 10
    assert "%, in" in page
