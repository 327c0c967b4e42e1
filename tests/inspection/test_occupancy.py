"""Memory over time, and costs by operator and line: what is shown adds up to what is planned."""

from __future__ import annotations

import pytest

import twinoar as paddle
from tests.inspection.pages import Page, trained_step
from twinoar import config, debug
from twinoar.compile.memory import ALIGNMENT, aligned
from twinoar.inspection.by_line import costs_of, files_of
from twinoar.inspection.view import chapters_of


@pytest.fixture(scope="module")
def chapter():
    with config.override(backend="native"):
        (chapter,) = chapters_of(list(trained_step().concrete_program.executables().items()))
        return chapter


def test_buffers_that_live_at_once_do_not_overlap(chapter):
    buffers = chapter.occupancy.buffers
    assert len(buffers) > 5
    for n, a in enumerate(buffers):
        for b in buffers[:n]:
            apart = a.last < b.first or b.last < a.first
            beside = a.offset + a.bytes <= b.offset or b.offset + b.bytes <= a.offset
            assert apart or beside, (a, b)


def test_the_peak_is_what_the_plan_needs_at_once(chapter):
    occupancy = chapter.occupancy
    arena = chapter.explanation.compiled.arena
    assert occupancy.in_use[occupancy.peak] == max(occupancy.in_use) == arena.needed
    living = occupancy.living_at(occupancy.peak)
    assert sum(aligned(b.bytes) for b in living) == arena.needed
    assert [b.bytes for b in living] == sorted((b.bytes for b in living), reverse=True)
    assert all(b.offset % ALIGNMENT == 0 for b in occupancy.buffers)


def test_a_buffer_is_written_before_it_is_read_and_names_its_maker(chapter):
    made = [b for b in chapter.occupancy.buffers if b.maker is not None]
    assert made and all(b.first <= b.last for b in made)
    for b in made:
        assert b.names[0] in {v.name for v in b.maker.results if v is not None}


def test_costs_of_operators_add_up_to_those_of_kernels(chapter):
    costs = costs_of(chapter).values()
    rows = chapter.explanation.rows
    assert sum(c.seconds for c in costs) == pytest.approx(sum(r.seconds for r in rows))
    assert sum(c.bytes for c in costs) == pytest.approx(sum(r.bytes for r in rows))
    assert sum(c.operations for c in costs) == pytest.approx(sum(r.operations for r in rows))


def test_lines_have_the_operators_that_they_made_and_their_text(chapter):
    costs = costs_of(chapter)
    (file,) = files_of(chapter, costs)
    assert file.name.endswith("pages.py")
    lines = {line.text.strip(): line for piece in file.pieces for line in piece}
    step = lines["optimizer.step()"]
    assert {o.op.name for o in step.operators} == {"adam"}
    assert step.cost.seconds == pytest.approx(sum(costs[o].seconds for o in step.operators))
    assert lines["def step(x, label):"].operators == ()
    assert sum(len(line.operators) for line in lines.values()) == len(chapter.written)


def test_the_page_shows_memory_and_lines(tmp_path, chapter):
    function = paddle.jit.to_static(lambda x: paddle.tanh(x @ x).sum())
    with config.override(backend="native"):
        function(paddle.ones([32, 32]))
        text = debug.write_page(function, tmp_path / "page.html").read_text()
    page = Page(text)
    assert page.mismatched == []
    assert {link[1:] for link in page.links} <= set(page.ids)
    assert 'class="buffer forward"' in text and 'class="peak"' in text
    assert "paddle.tanh(x @ x).sum())</code>" in text


def test_what_needs_no_memory_of_its_own_says_so(tmp_path):
    function = paddle.jit.to_static(lambda x: x + 1.0)
    with config.override(backend="native"):
        function(paddle.ones([2]))
        text = debug.write_page(function, tmp_path / "page.html").read_text()
    assert "Nothing lies in the arena" in text
