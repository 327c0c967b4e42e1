"""What notebooks show: tables of numbers, trees of layers, Programs with their picture."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.inspection.notebook import CELLS, OPERATORS


def cells(x: paddle.Tensor) -> list[list[str]]:
    """The texts of the table of a tensor, by row."""
    rows = re.findall("<tr>(.*?)</tr>", x._repr_html_())
    return [re.findall("<td[^>]*>(.*?)</td>", row) for row in rows]


def test_a_matrix_is_a_table() -> None:
    x = paddle.to_tensor([[1.5, -2.0], [0.0, 1e-9]], stop_gradient=False)
    assert cells(x) == [["1.5", "-2"], ["0", "1e-09"]]
    html = x._repr_html_()
    assert "Tensor float32 [2,2] · Place(cpu) · with a gradient · min -2" in html
    shades = re.findall(r"rgba\(([\d,]+),([\d.]+)\)", html)
    assert shades == [("61,111,184", "0.34"), ("200,55,45", "0.45"), *shades[2:]]


def test_a_long_matrix_shows_its_corners() -> None:
    rows = cells(paddle.arange(400).reshape([20, 20]))
    assert len(rows) == len(rows[0]) == CELLS + 1
    assert rows[0][0] == "0" and rows[-1][-1] == "399" and rows[CELLS // 2][0] == "…"


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float16", "bfloat16", "complex64"])
def test_each_dtype_has_a_table(dtype: str) -> None:
    one = {"bool": "True", "complex64": "(1+0j)"}.get(dtype, "1")
    assert cells(paddle.ones([1, 2], dtype)) == [[one, one]]


def test_numbers_that_are_none_are_counted() -> None:
    html = paddle.to_tensor([np.nan, np.inf, 2.0])._repr_html_()
    assert "min 2, mean 2, max 2 · 2 not finite" in html
    assert "min" not in paddle.to_tensor([np.nan])._repr_html_()


@pytest.mark.parametrize("shape", [[], [0, 3], [2, 2, 2]])
def test_other_tensors_are_shown_as_text(shape: list[int]) -> None:
    assert "<pre" in paddle.zeros(shape)._repr_html_()


def test_a_layer_is_a_tree_with_counts() -> None:
    net = nn.Sequential(nn.Linear(3, 2), nn.Sequential(nn.Linear(2, 2, name="<x>"), nn.ReLU()))
    net[0].weight.stop_gradient = True
    html = net._repr_html_()
    assert html.count("<details") == 2 and html.count(" open>") == 1
    assert "14 parameters, 8 trained" in html and "<b>ReLU</b>()" in html
    ElementTree.fromstring(html.replace(" open>", ' open="">'))  # closed in the order of opening


def test_a_program_is_its_text_and_its_picture() -> None:
    paddle.enable_static()
    try:
        program = paddle.static.Program()
        with paddle.static.program_guard(program):
            x = paddle.static.data("x", [None, 4])
            y = nn.functional.relu(x)
            small = program._repr_html_()
            for _ in range(OPERATORS):
                y = y + 1.0
        assert "relu(%x)" in small and "<summary>1 operators" in small and "<svg" in small
        assert "<svg" not in program._repr_html_()
    finally:
        paddle.disable_static()
