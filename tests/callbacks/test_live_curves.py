"""Curves that are drawn while a model is fitted: one output, what it holds, what the picture is."""

from __future__ import annotations

import math
import sys
from types import ModuleType, SimpleNamespace
from xml.etree import ElementTree

import pytest

from tests.hapi.test_model import Points, prepared
from twinoar.callbacks import LiveCurves
from twinoar.visual.chart import POINTS, chart


@pytest.fixture
def shown(monkeypatch):
    """The states of each output of a cell, in a notebook."""
    outputs: list[list[dict[str, str]]] = []

    def display(data, raw, display_id):
        assert raw and display_id
        outputs.append([data])
        states = outputs[-1]
        return SimpleNamespace(update=lambda data, raw: states.append(data))

    python, module = ModuleType("IPython"), ModuleType("IPython.display")
    python.get_ipython = lambda: SimpleNamespace(kernel=object())
    module.display = display
    monkeypatch.setitem(sys.modules, "IPython", python)
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    return outputs


def test_one_output_changes_and_ends_with_all_that_there_was(shown):
    curves = LiveCurves(every_seconds=0)
    prepared().fit(Points(16), Points(8), batch_size=4, epochs=2, verbose=0, callbacks=[curves])
    (states,) = shown
    assert len(states) == 9  # of eight steps, and the last one
    assert states[-1]["text/html"] == curves.svg() == curves._repr_html_()
    assert states[-1]["text/plain"].startswith("step 8: train/loss ")
    steps = {tag: [step for step, _ in points] for tag, points in curves.curves.items()}
    assert steps["train/loss"] == list(range(1, 9)) and steps["eval/loss"] == [4, 8]
    assert steps["train/acc"] == steps["train/loss"] and steps["eval/acc"] == [4, 8]


def test_pictures_are_some_time_apart(shown):
    curves = LiveCurves(every_seconds=1000)
    prepared().fit(Points(16), batch_size=4, epochs=2, verbose=0, callbacks=[curves])
    (states,) = shown
    assert len(states) == 2


def test_another_training_has_another_output(shown):
    curves = LiveCurves()
    for _ in range(2):
        prepared().fit(Points(8), batch_size=4, epochs=1, verbose=0, callbacks=[curves])
    assert len(shown) == 2 and len(curves.curves["train/loss"]) == 2


def test_outside_of_a_notebook_nothing_is_shown_and_all_is_kept(capsys):
    curves = LiveCurves()
    prepared().fit(Points(8), batch_size=4, epochs=1, verbose=0, callbacks=[curves])
    assert len(curves.curves["train/loss"]) == 2
    assert capsys.readouterr().out == ""


def parsed(curves):
    return ElementTree.fromstring(chart(curves))


def lines_of(drawn):
    return drawn.findall(".//{*}polyline")


def test_what_is_counted_alike_is_one_panel():
    drawn = parsed(
        {"train/loss": [(0, 1.0), (9, 0.5)], "eval/loss": [(9, 0.7)], "train/acc": [(0, 1)]}
    )
    assert len(drawn.findall("{*}g")) == 2 and len(lines_of(drawn)) == 3
    texts = {t.text for t in drawn.findall(".//{*}text")}
    assert {"loss", "acc", "train", "eval"} <= texts


def test_lines_stay_in_their_panel_and_go_down_where_numbers_do():
    (line,) = lines_of(parsed({"loss": [(0, 4.0), (1, 2.0), (2, 1.0)]}))
    places = [tuple(map(float, p.split(","))) for p in line.get("points").split()]
    assert [x for x, _ in places] == sorted(x for x, _ in places)
    assert [y for _, y in places] == sorted(y for _, y in places)  # y of SVG points down
    assert all(0 < x < 340 and 0 < y < 210 for x, y in places)


@pytest.mark.parametrize("points", [[], [(0, math.nan)], [(0, math.inf)]])
def test_what_has_no_number_is_an_empty_picture(points):
    assert lines_of(parsed({"loss": points})) == []


def test_a_constant_and_a_single_number_are_drawn():
    for points in ([(0, 2.0)], [(0, 2.0), (5, 2.0)]):
        (line,) = lines_of(parsed({"loss": points}))
        assert "nan" not in line.get("points")


def test_a_long_line_is_thinned_but_ends_where_it_ends():
    (line,) = lines_of(parsed({"loss": [(n, float(n)) for n in range(10 * POINTS)]}))
    places = line.get("points").split()
    assert len(places) <= POINTS + 1 and places[-1].startswith("328.0,26.0")


def test_names_are_escaped():
    assert "<b>" not in chart({"train/<b>&": [(0, 1.0)]})
