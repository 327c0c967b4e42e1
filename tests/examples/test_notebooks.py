"""The notebooks of examples/notebooks run from top to bottom, and show what they are there to show.

Executed copies, and pages of them, are kept in `build/notebooks`, which git ignores.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests.inspection.test_browser import BROWSER, colors_of, pictured

FOLDER = Path(__file__).parents[2] / "examples" / "notebooks"
KEPT = Path(__file__).parents[2] / "build" / "notebooks"
NAMES = sorted(file.stem for file in FOLDER.glob("*.ipynb"))
Outputs = list[list[dict[str, Any]]]


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The outputs of a notebook's cells of code, in order; each notebook is executed once."""
    known: dict[str, Outputs] = {}

    def outputs_of(name: str) -> Outputs:
        if name not in known:
            notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
            folder = str(tmp_path_factory.mktemp(name))
            NotebookClient(
                notebook, timeout=240, resources={"metadata": {"path": folder}}
            ).execute()
            KEPT.mkdir(parents=True, exist_ok=True)
            nbformat.write(notebook, KEPT / f"{name}.ipynb")
            known[name] = [c.outputs for c in notebook.cells if c.cell_type == "code"]
            (KEPT / f"{name}.html").write_text("\n<hr>\n".join(map(_shown, known[name])))
        return known[name]

    return outputs_of


def _shown(outputs: list[dict[str, Any]]) -> str:
    """What a cell gave, as a page shows it."""
    data = [output.get("data", {}) for output in outputs]
    return "\n".join(each.get("text/html") or each.get("text/plain", "") for each in data)


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_is_committed_without_outputs(name: str) -> None:
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    nbformat.validate(notebook)
    cells = [c for c in notebook.cells if c.cell_type == "code"]
    assert all(not c.outputs and c.execution_count is None for c in cells)


def test_values_are_shown_as_html(executed: Any) -> None:
    tensor, layer, program, gradient, _ = (outputs[-1] for outputs in executed("first_steps"))
    assert "<table" in tensor["data"]["text/html"] and "[4,6]" in tensor["data"]["text/html"]
    assert "83 parameters" in layer["data"]["text/html"]
    assert "<svg" in program["data"]["text/html"] and "linear(" in program["data"]["text/html"]
    assert "[6,8]" in gradient["data"]["text/html"]


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium to look with")
@pytest.mark.parametrize("name", NAMES)
def test_what_is_shown_looks_like_something(name: str, executed: Any, tmp_path: Path) -> None:
    executed(name)
    page = KEPT / f"{name}.html"
    colors = colors_of(pictured(page.as_uri(), f"notebook_{name}", tmp_path))
    assert any(blue > red + 40 for red, _, blue in colors)  # of cells, of lines


def test_an_error_shows_the_lines_of_the_notebook_alone(executed: Any) -> None:
    (error,) = executed("first_steps")[-1]
    assert error["output_type"] == "error"
    told = "\n".join(error["traceback"])
    assert "project(x)" in told and "paddle.matmul(x, paddle.ones([4, 2]))" in told
    assert "twinoar/" not in told and len(told.splitlines()) < 20
    assert "Cell In[5], line 5" in told and "at In[5]:2" in told and "ipykernel" not in told


def test_bars_and_curves_are_outputs_that_end_as_they_were_last(executed: Any) -> None:
    outputs = executed("training")[1]
    assert [o for o in outputs if o["output_type"] == "error"] == []
    data = [o["data"] for o in outputs if o["output_type"] == "display_data"]
    pictures = [d["text/html"] for d in data if "text/html" in d]
    bars = [d["text/plain"] for d in data if "text/html" not in d]
    assert len(pictures) == 1 and pictures[0].count("<polyline") == 4
    assert len(bars) == 6 and all(bar.startswith("100%") for bar in bars)
    assert executed("training")[2][0]["data"]["text/html"] == pictures[0]


def test_the_profiler_knows_the_lines_of_a_cell(executed: Any) -> None:
    printed = "".join(o.get("text", "") for o in executed("training")[3])
    assert "In[4]:5 score = net(picture).max()" in printed
    assert "In[4]:6 score.backward()" in printed
