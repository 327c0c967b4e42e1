"""The page: whole, needs nothing from elsewhere, each link leads to what it names."""

import re

import numpy as np
import pytest

import twinoar as paddle
from tests.inspection.pages import Page, trained_step
from twinoar import config, debug, static
from twinoar.errors import ProgramError, UnsupportedError
from twinoar.inspection.chapter import origins
from twinoar.inspection.picture import twins
from twinoar.inspection.view import chapters_of

pytestmark = pytest.mark.usefixtures("native")


@pytest.fixture(scope="module")
def step():
    with config.override(backend="native"):
        return trained_step()


@pytest.fixture(scope="module")
def text(step, tmp_path_factory):
    with config.override(backend="native"):
        return debug.write_page(step, tmp_path_factory.mktemp("page") / "step.html").read_text()


@pytest.fixture(scope="module")
def page(text):
    return Page(text)


@pytest.fixture(scope="module")
def chapter(step):
    with config.override(backend="native"):
        (chapter,) = chapters_of(list(step.concrete_program.executables().items()))
        return chapter


def test_every_element_is_closed(page):
    assert page.mismatched == [] and page.open == []


def test_ids_are_unique(page):
    assert len(set(page.ids)) == len(page.ids)


def test_every_link_leads_to_an_element(page):
    assert all(link.startswith("#") for link in page.links)
    assert {link[1:] for link in page.links} <= set(page.ids)


def test_nothing_is_fetched_from_elsewhere(text, page):
    assert page.outside == []
    assert not re.search(r"@import|url\(|fetch\(|XMLHttpRequest", text)
    assert set(re.findall(r"https?://[^\s\"']+", text)) == {"http://www.w3.org/2000/svg"}


def test_each_operator_has_a_node_and_an_entry(page, step):
    count = len(step.main_program.main.ops)
    for n in range(count):
        assert f"c0-n{n}" in page.ids and f"c0-o{n}" in page.ids
    assert f"c0-n{count}" not in page.ids


def test_each_kernel_has_its_loops_ir_and_assembly(page, text, chapter):
    assert chapter.codes
    for n, code in chapter.codes.items():
        assert {f"c0-k{n}", f"c0-ir{n}", f"c0-assembly{n}"} <= set(page.ids)
        assert "define void" in code.ir
        assert re.match(r"for |\w+: \d+ iterations", code.loops)
    assert text.count("<h4>Loop nest</h4>") == len(chapter.codes)


def test_an_operator_names_its_line(text):
    assert "pages.py:" in text and "loss = nn.functional.cross_entropy(model(x), label)" in text


def test_each_written_operator_is_linked_to_kernels(chapter):
    computed = [o for o in chapter.written if chapter.batches[o]]
    assert {o.op.name for o in computed} >= {"linear", "relu", "linear.grad", "adam"}
    assert {n for o in computed for n in chapter.batches[o]} == set(
        range(len(chapter.explanation.rows))
    )


def test_lowered_operators_come_from_written_ones(chapter):
    found = origins(chapter.program, chapter.lowered)
    names = {o.op.name: found[o].op.name for o in chapter.lowered.main.ops if o in found}
    assert names["matmul"].startswith("linear")
    assert names["exp"].startswith("softmax_with_cross_entropy")


def test_the_passes_end_at_the_compiled_program(chapter):
    names = [change.record.name for change in chapter.passes]
    assert names[0] == "eliminate_dead" and "expand_composites" in names
    assert chapter.passes[-1].record.operators_after == len(chapter.lowered.main.ops)


def test_each_forward_operator_finds_its_gradient(chapter):
    operators = chapter.written
    pairs = twins(operators)
    assert {operators[n].op.name for n in pairs.values()} == {
        o.op.name for o in operators if o.role == "backward" and o.op.name.endswith(".grad")
    }
    for n, gradient in pairs.items():
        assert operators[gradient].op.name == f"{operators[n].op.name}.grad"


def test_a_static_program_has_a_page(tmp_path):
    program = static.Program()
    with static.program_guard(program):
        y = static.data("x", [None, 4]) * 2.0
    static.Executor().run(program, feed={"x": np.ones((2, 4), np.float32)}, fetch_list=[y])
    assert "multiply" in debug.write_page(program, tmp_path / "page.html").read_text()


def test_forward_and_backward_are_two_chapters(tmp_path):
    layer = paddle.nn.Linear(4, 3)
    function = paddle.jit.to_static(lambda x: layer(x))
    function(paddle.ones([2, 4])).sum().backward()
    page = Page(debug.write_page(function, tmp_path / "page.html").read_text())
    assert {"c0", "c1"} <= set(page.ids) and "c2" not in page.ids
    assert page.links[:2] == ["#c0", "#c1"]


def test_names_are_escaped(tmp_path, step):
    text = debug.write_page(step, tmp_path / "page.html", "<b>&").read_text()
    assert "&lt;b&gt;&amp;" in text and "<b>&" not in text


def test_what_has_not_run_has_no_page(tmp_path):
    with pytest.raises(ProgramError, match="no Program has run"):
        debug.write_page([], tmp_path / "page.html")


def test_without_machine_code_there_is_no_page(tmp_path, step):
    with config.override(backend="numpy"), pytest.raises(UnsupportedError, match="machine code"):
        debug.write_page(step, tmp_path / "page.html")
