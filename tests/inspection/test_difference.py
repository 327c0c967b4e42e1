"""The difference of two models: what is paired, what changed, and the page that shows it."""

from __future__ import annotations

import pytest

import twinoar as paddle
from tests.inspection.pages import Page
from twinoar import config, debug, static
from twinoar.inspection.difference import differences


def operators(function, *shapes):
    """The operators that a function of inputs of these shapes appends."""
    paddle.enable_static()
    try:
        program = static.Program()
        with static.program_guard(program):
            function(*(static.data(f"x{n}", shape) for n, shape in enumerate(shapes)))
    finally:
        paddle.disable_static()
    return program.main.ops


def kinds(left, right):
    return [(p.kind, (p.left or p.right).op.name) for p in differences(left, right)]


def small(x):
    return paddle.tanh(x * 2.0).sum()


def test_a_program_is_the_same_as_itself_whatever_its_values_are_called():
    found = differences(operators(small, [2, 3]), operators(small, [2, 3]))
    assert [p.kind for p in found] == ["same"] * 3
    assert all(p.left is not None and p.right is not None for p in found)


def test_what_one_lacks_was_added_or_removed():
    longer = operators(lambda x: paddle.exp(paddle.tanh(x * 2.0)).sum(), [2, 3])
    shorter = operators(small, [2, 3])
    added = [("same", "multiply"), ("same", "tanh"), ("added", "exp"), ("same", "sum")]
    assert kinds(shorter, longer) == added
    removed = [(kind.replace("added", "removed"), name) for kind, name in added]
    assert kinds(longer, shorter) == removed


def test_other_shapes_and_attributes_are_named():
    left = operators(lambda x: paddle.sum(x, axis=0), [2, 3])
    right = operators(lambda x: paddle.sum(x, axis=1), [2, 4])
    (pair,) = differences(left, right)
    assert pair.kind == "changed"
    assert pair.changes == (
        "axis: (0,) to (1,)",
        "operands: f32[2,3] to f32[2,4]",
        "result: f32[3] to f32[2]",
    )


def test_every_operator_stands_in_one_row_in_order():
    left = operators(lambda x: paddle.exp(small(x)) + 1.0, [2, 3])
    right = operators(lambda x: small(paddle.exp(x)) * 3.0, [4, 3])
    pairs = differences(left, right)
    assert [p.left for p in pairs if p.left is not None] == left
    assert [p.right for p in pairs if p.right is not None] == right


def test_nothing_beside_something_is_added():
    assert differences([], []) == []
    assert kinds([], operators(small, [2])) == [
        ("added", "multiply"), ("added", "tanh"), ("added", "sum"),
    ]  # fmt: skip


def test_blocks_are_compared_by_what_they_do():
    def branching(scale):
        def function(x):
            return static.nn.cond(x.sum() > 0.0, lambda: x * scale, lambda: x - 1.0)

        return operators(function, [2])

    assert {p.kind for p in differences(branching(2.0), branching(2.0))} == {"same"}
    (changed,) = [p for p in differences(branching(2.0), branching(5.0)) if p.kind != "same"]
    assert changed.kind == "changed" and "5.0" in changed.changes[0]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    with config.override(backend="native"):
        made = []
        for width in (8, 16):
            layer = paddle.nn.Linear(4, width)
            made.append(paddle.jit.to_static(lambda x, layer=layer: paddle.tanh(layer(x)).sum()))
            with paddle.no_grad():
                made[-1](paddle.ones([2, 4]))
        file = tmp_path_factory.mktemp("page") / "two.html"
        return debug.write_page(made[0], file, beside=made[1], names=("a", "b")).read_text()


def test_the_page_begins_with_the_difference_and_links_to_both(page):
    parsed = Page(page)
    assert parsed.mismatched == [] and parsed.outside == []
    assert parsed.links[:3] == ["#d0", "#c0", "#c1"]
    assert {link[1:] for link in parsed.links} <= set(parsed.ids)
    assert page.index('id="d0"') < page.index('<section class="chapter" id="c0"')
    rows = [id_ for id_ in parsed.ids if id_.startswith("d0-r")]
    assert len(rows) == 3 and len(set(parsed.ids)) == len(parsed.ids)


def test_the_page_names_what_changed_and_the_totals(page):
    assert "result: f32[2,8] to f32[2,16]" in page
    assert "<th>a: " in page and "<th>b: " in page
    for what in ("time", "bytes moved", "needed at once", "kept by states"):
        assert f"<th>{what}</th>" in page
