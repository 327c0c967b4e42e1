"""The board: what it reads of runs as they grow, what its server answers, the page in a browser."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.inspection.test_browser import BROWSER, OPTIONS, colors_of, pictured
from twinoar import nn
from twinoar.errors import ArgumentError, FileError
from twinoar.static import InputSpec
from twinoar.visual import LogWriter
from twinoar.visual.board import Board, Runs
from twinoar.visual.board.runs import POINTS

TRUTH, SCORE = np.array([0, 1, 1]), np.array([0.1, 0.4, 0.9])


def write(folder: Path, form: str = "visualdl") -> None:
    """A value of each kind that the form has."""
    with LogWriter(str(folder), form=form) as w:
        w.add_scalar("loss", 0.5, 3, walltime=7000)
        w.add_scalars("m", {"x": 1.0}, 4, walltime=7000)
        w.add_histogram("h", np.arange(10.0), 5, walltime=7000, buckets=3)
        w.add_image("i", np.zeros((2, 2, 3), "uint8"), 6, walltime=7000)
        w.add_text("t", "<b>hi</b>", 7, walltime=7000)
        w.add_audio("a", np.zeros(4), 9, 8000, walltime=7000)
        w.add_pr_curve("p", TRUTH, SCORE, 8, 3, walltime=7000)
        w.add_hparams({"lr": 0.5, "name": "adam", "n": 3}, ["loss"], walltime=7000)
        w.add_graph(nn.Sequential(nn.Linear(4, 3), nn.ReLU()), [InputSpec([None, 4])])
        if form == "visualdl":
            w.add_roc_curve("r", TRUTH, SCORE, 8, 3, walltime=7000)
            w.add_embeddings("e", np.array([[3.0, 0, 0], [-3, 0, 0], [0, 1, 0]]), ["p", "q", "s"])


def read(folder: Path) -> Runs:
    runs = Runs(folder)
    runs.read()
    return runs


@pytest.mark.parametrize("form", ["visualdl", "tensorboard"])
def test_what_both_forms_have_is_shown_alike(tmp_path: Path, form: str) -> None:
    write(tmp_path / "run", form)
    runs = read(tmp_path)
    assert runs.series("scalar", "loss") == {"run": [[3, 7.0, 0.5]]}
    assert runs.series("scalar", "m/x") == {"run": [[4, 7.0, 1.0]]}
    assert runs.series("histogram", "h") == {"run": [[5, 7.0, [3, 3, 4], [0, 3, 6, 9]]]}
    assert runs.series("text", "t") == {"run": [[7, 7.0, "<b>hi</b>"]]}
    assert runs.series("image", "i")["run"][0][2].startswith("data:image/png;base64,iVBOR")
    assert runs.series("audio", "a")["run"][0][2].startswith("data:audio/wav;base64,UklGR")
    assert runs.series("pr_curve", "p")["run"][0][2:] == [[1, 0.5, 0], pytest.approx([2 / 3, 1, 0])]
    settings = runs.series("hyper_parameters", "hparam")["run"][0][2:]
    assert settings == [{"lr": 0.5, "name": "adam", "n": 3}, {"loss": 0.5}]


def test_what_visualdl_alone_has_is_shown(tmp_path: Path) -> None:
    write(tmp_path / "run")
    runs = read(tmp_path)
    assert runs.series("roc_curve", "r")["run"][0][2:] == [[1, 0, 0], [1, 0.5, 0]]
    places, names = runs.series("embeddings", "e")["run"][0][2:]
    assert names == ["p", "q", "s"]
    # Distances on the plane are those in space: three points lie on one.
    assert abs(places[0][0] - places[1][0]) == pytest.approx(6)


def test_a_file_is_read_on_where_it_grows_and_no_value_twice(tmp_path: Path) -> None:
    runs = Runs(tmp_path)
    with LogWriter(str(tmp_path)) as w:
        for step in range(3):
            w.add_scalar("loss", step, step)
            w.flush()
            runs.read()
            runs.read()
            assert runs.tags() == {"scalar": {"loss": {".": step + 1}}}


def test_a_long_curve_is_thinned_but_ends_where_it_ends(tmp_path: Path) -> None:
    with LogWriter(str(tmp_path), max_queue=10**6) as w:
        for step in range(3 * POINTS + 1):
            w.add_scalar("loss", step, step)
    rows = read(tmp_path).series("scalar", "loss")["."]
    assert len(rows) <= POINTS + 1 and rows[0][0] == 0 and rows[-1][0] == 3 * POINTS


def test_a_damaged_file_is_named_and_the_others_are_shown(tmp_path: Path) -> None:
    write(tmp_path / "good")
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "vdlrecords.1.log").write_bytes(b"\xff" * 40)
    runs = read(tmp_path)
    assert runs.tags()["scalar"]["loss"] == {"good": 1}
    ((file, told),) = runs.problems.items()
    assert "bad" in file and "expected records of VisualDL" in told
    with pytest.raises(FileError, match="there is no folder"):
        Runs(tmp_path / "none")
    with pytest.raises(ArgumentError, match="has no scalar 'x'"):
        runs.series("scalar", "x")


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    (tmp_path / "runs").mkdir()
    with Board(tmp_path / "runs", port=0) as made:
        thread = threading.Thread(target=made.serve)
        thread.start()
        yield made
        made.close()
        thread.join()


def ask(board: Board, path: str) -> Any:
    with urllib.request.urlopen(board.address + path, timeout=10) as answer:
        return json.load(answer)


def test_the_server_tells_what_has_been_written_since(board: Board) -> None:
    assert ask(board, "tags") == {"tags": {}, "problems": {}}
    with LogWriter(str(board.runs.folder / "a b")) as w:
        w.add_scalar("loss/ü&x", float("nan"), 1, walltime=7000)
    assert ask(board, "tags")["tags"] == {"scalar": {"loss/ü&x": {"a b": 1}}}
    found = ask(board, "series?kind=scalar&tag=loss%2F%C3%BC%26x")
    assert found == {"a b": [[1, 7.0, None]]}


@pytest.mark.parametrize("path", ["series?kind=scalar&tag=x", "../server.py", "server.py", "x.js"])
def test_what_is_not_there_is_not_found(board: Board, path: str) -> None:
    with pytest.raises(urllib.error.HTTPError, match="404"):
        ask(board, path)


def test_a_port_that_is_taken_is_named(board: Board, tmp_path: Path) -> None:
    port = int(re.search(r":(\d+)/", board.address)[1])  # type: ignore[index]
    with pytest.raises(FileError, match=f"cannot serve at 127.0.0.1:{port}"):
        Board(tmp_path, port=port)


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium to look with")
def test_the_page_shows_each_kind_and_no_text_as_markup(board: Board, tmp_path: Path) -> None:
    write(board.runs.folder / "run")
    done = subprocess.run(
        [str(BROWSER), *OPTIONS, f"--user-data-dir={tmp_path / 'b'}", board.address],
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    page = done.stdout
    assert 'data-ready="yes"' in page
    assert re.findall(r"<h3>(.*?)</h3>", page) == ["loss", "m/x"]
    for name in ("Curves", "Pictures", "Sounds", "Texts", "Distributions", "Settings", "Points",
                 "Graphs", "ROC", "Precision and recall"):  # fmt: skip
        assert f">{name}</button>" in page
    assert "<circle" in page and "<b>hi" not in page
    assert len(colors_of(pictured(board.address, "board", tmp_path / "b"))) > 5


def test_the_command_serves_until_it_is_interrupted(tmp_path: Path) -> None:
    given = ["board", str(tmp_path), "-p", "0"]
    code = f"import sys; from twinoar.cli import main; sys.exit(main({given}))"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        told = process.stdout.readline()
        address = re.search(r"http://\S+/", told)[0]  # type: ignore[index]
        assert urllib.request.urlopen(address, timeout=10).status == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 0
    finally:
        process.kill()


def test_the_page_is_part_of_the_package(tmp_path: Path) -> None:
    from twinoar.visual import board

    folder = Path(board.__file__).parent
    assert {"page.html", "page.css", "page.js", "graph.js"} <= {
        file.name for file in folder.iterdir()
    }
    if shutil.which("node"):
        for name in ("page.js", "graph.js"):
            module = shutil.copy(folder / name, tmp_path / f"{name}.mjs")  # which says what it is
            subprocess.run(["node", "--check", str(module)], check=True, timeout=60)
