"""Graphs on the board: what is read of both forms' files, and how the page lays them out."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.inspection.test_browser import BROWSER, OPTIONS, colors_of, pictured
from twinoar import nn
from twinoar.static import InputSpec
from twinoar.visual import LogWriter, board
from twinoar.visual.board import Board, Runs

FORMS = ("visualdl", "tensorboard")


class Around(nn.Layer):
    """A layer, two others, and a sum around them."""

    def __init__(self) -> None:
        super().__init__()
        self.stem, self.block = nn.Linear(4, 4), nn.Sequential(nn.Linear(4, 4), nn.ReLU())

    def forward(self, x: Any) -> Any:
        x = self.stem(x)
        return x + self.block(x)


def written(folder: Path, form: str, model: Any = None) -> list[Any]:
    """The nodes that the board has of a graph."""
    with LogWriter(str(folder), form=form) as w:
        w.add_graph(model or Around(), [InputSpec([None, 4], "float32", "x")])
    runs = Runs(folder)
    runs.read()
    ((_, _, nodes),) = runs.series("graph", "graph")["."]
    return nodes


@pytest.mark.parametrize("form", FORMS)
def test_operators_stand_in_their_layers_and_read_those_before(tmp_path: Path, form: str) -> None:
    nodes = written(tmp_path, form)
    paths = [re.sub(r"_\d+$", "", path) for path, *_ in nodes]
    assert paths == [
        "x",
        "Around[model]/Linear[stem]/linear",
        "Around[model]/Sequential[block]/Linear[0]/linear",
        "Around[model]/Sequential[block]/ReLU[1]/relu",
        "Around[model]/add",
        "output",
    ]
    assert [sorted(reads) for _, _, _, reads, _ in nodes] == [[], [0], [1], [2], [1, 3], [4]]
    assert "[-1, 4]" in nodes[1][2]


def test_both_forms_tell_the_same_graph(tmp_path: Path) -> None:
    model = Around()
    found = [written(tmp_path / form, form, model) for form in FORMS]
    assert [[n[0], n[3]] for n in found[0]] == [[n[0], n[3]] for n in found[1]]


def test_what_an_operator_was_given_is_text(tmp_path: Path) -> None:
    for form in FORMS:
        nodes = written(tmp_path / form, form, nn.Sequential(nn.Softmax(axis=-1)))
        softmax = next(node for node in nodes if node[1] == "softmax")
        assert softmax[4]["axis"] == "-1"


def test_a_graph_is_read_once_and_another_beside_it(tmp_path: Path) -> None:
    runs = Runs(tmp_path)
    with LogWriter(str(tmp_path)) as w:
        for count in (1, 2):
            w.add_graph(nn.ReLU(), [InputSpec([4])])
            runs.read()
            runs.read()
            assert runs.tags()["graph"] == {"graph": {".": count}}


@pytest.mark.parametrize(
    "damaged", [b"{", b"[]", b'{"nodes": 1, "vars": []}', b"\xff", b"[" * 9999]
)
def test_a_damaged_graph_is_named(tmp_path: Path, damaged: bytes) -> None:
    (tmp_path / "vdlgraph.1.log").write_bytes(damaged)
    runs = Runs(tmp_path)
    runs.read()
    (told,) = runs.problems.values()
    assert "expected a graph of VisualDL" in told


LAID = """
import { standing, placed } from "./graph.mjs";
const { nodes, scope } = JSON.parse(process.argv[2]);
const found = standing(nodes, scope), { rows, columns } = placed(found);
const told = (b) => [b.name, b.kind, b.numbers.length, rows.get(b.name), columns.get(b.name)];
const boxes = found.boxes.map(told);
console.log(JSON.stringify({ boxes, edges: found.edges.map((e) => e.ends) }));
"""


def laid(folder: Path, nodes: list[Any], scope: str) -> Any:
    """What the page's script makes of one layer."""
    shutil.copy(Path(board.__file__).with_name("graph.js"), folder / "graph.mjs")
    (folder / "laid.mjs").write_text(LAID)
    told = json.dumps({"nodes": nodes, "scope": scope})
    command = ["node", str(folder / "laid.mjs"), told]
    return json.loads(subprocess.run(command, capture_output=True, check=True, timeout=60).stdout)


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node to run the script with")
def test_a_layer_shows_its_own_and_what_it_reads_from_outside(tmp_path: Path) -> None:
    nodes = written(tmp_path / "run", "visualdl")
    found = laid(tmp_path, nodes, "Around[model]")
    kinds = {name.rpartition("/")[2]: kind for name, kind, *_ in found["boxes"]}
    assert kinds == {
        "Linear[stem]": "layer", "Sequential[block]": "layer", "< x": "outside",
        nodes[4][0].rpartition("/")[2]: "operator", f"> {nodes[5][0]}": "outside",
    }  # fmt: skip
    rows = [row for *_, row, _ in sorted(found["boxes"], key=lambda box: box[3])]
    assert rows == [0, 1, 2, 3, 4]
    assert len(found["edges"]) == 5
    deeper = laid(tmp_path, nodes, "Around[model]/Sequential[block]")
    names = {name for name, *_ in deeper["boxes"]}
    assert "< Around[model]/Linear[stem]" in names


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node to run the script with")
def test_a_layer_that_is_called_twice_makes_a_circle_that_is_drawn(tmp_path: Path) -> None:
    nodes = [
        ["L[a]/one", "one", "", [], {}],
        ["L[b]/two", "two", "", [0], {}],
        ["L[a]/three", "three", "", [1], {}],
    ]
    found = laid(tmp_path, nodes, "")
    assert found["boxes"] == [["L[a]", "layer", 2, 0, 0], ["L[b]", "layer", 1, 1, 0]]
    assert found["edges"] == [["L[a]", "L[b]"], ["L[b]", "L[a]"]]


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium to look with")
def test_the_page_draws_the_graph(tmp_path: Path) -> None:
    for form in FORMS:
        written(tmp_path / "runs" / form, form)
    with Board(tmp_path / "runs", port=0) as made:
        thread = threading.Thread(target=made.serve)
        thread.start()
        address = f"{made.address}#graph"
        options = [*OPTIONS, f"--user-data-dir={tmp_path / 'b'}"]
        done = subprocess.run(
            [str(BROWSER), *options, address],
            capture_output=True,
            text=True,
            timeout=100,
            check=True,
        )
        picture = pictured(address, "board_graph", tmp_path / "b")
        made.close()
        thread.join()
    assert done.stdout.count('class="layer"') == 4  # two of each form
    assert done.stdout.count(">block: Sequential<") == 2
    assert (61, 111, 184) in colors_of(picture)  # a layer's border
