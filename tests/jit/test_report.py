"""What `explain` says of each line of the user's source."""

import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import ConversionError
from twinoar.jit import explain, to_static
from twinoar.static import InputSpec

SCALE = 2.0


def centered(x):
    return x - x.mean()


def step(x, mode="train"):
    depth = 2
    y = centered(x)
    for i in range(depth):
        y = y * SCALE + i
    if mode == "train":
        y = paddle.tanh(y)
    else:
        y = y * 0
    if y.sum() > 0:
        y = y + 1
    return y


class Counting(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 3)
        self.calls = 0
        self.seen = []

    def forward(self, x):
        self.calls += 1
        self.seen.append(self.calls)
        if self.training:
            x = x * 2
        return self.linear(x)


def facts(report, text):
    """Kind and detail of what is said of the lines that have `text` in them."""
    lines = {n for n in range(1, 200) if text in source_line(n)}
    return [(f.kind, f.detail) for f in report.facts if f.line in lines]


def source_line(number):
    import linecache

    return linecache.getline(__file__, number)


@pytest.fixture
def report():
    return explain(step, paddle.ones([2, 3]))


def test_lines_that_make_operators_say_which(report):
    assert ("program", "1 operator: tanh") in facts(report, "paddle.tanh(y)")
    assert ("program", "3 operators: sum, greater_than, if") in facts(report, "if y.sum() > 0")


def test_a_line_in_a_loop_over_plain_values_counts_all_iterations(report):
    assert ("program", "4 operators: multiply x2, add x2") in facts(report, "y * SCALE + i")


def test_a_call_counts_the_operators_of_the_function(report):
    assert ("program", "2 operators in centered") in facts(report, "y = centered(x)")


def test_plain_values_are_shown(report):
    assert facts(report, "depth = 2") == [("constant", "depth = 2")]
    assert facts(report, "for i in range(depth)") == [("constant", "i = 0, then 1")]


def test_what_makes_another_program_is_named(report):
    assert ("guarded", "the global SCALE = 2.0") in facts(report, "y * SCALE + i")
    assert ("guarded", "x: a tensor of shape [2, 3], mode: 'train'") in facts(report, "def step")


def test_lines_that_are_not_reached_have_no_facts(report):
    assert facts(report, "y = y * 0") == []


def test_lines_that_only_ran_say_so(report):
    assert ("traced", "") in facts(report, 'if mode == "train"')


def test_what_happens_at_each_call_is_told():
    layer = Counting()
    report = explain(layer, paddle.ones([1, 2]))
    assert ("python", "Counting.calls is assigned") in facts(report, "self.calls += 1")
    assert ("python", "append() is called") in facts(report, "self.seen.append")
    assert ("guarded", "Counting.training = True") in facts(report, "if self.training")


def test_explaining_changes_nothing():
    layer = Counting()
    explain(layer, paddle.ones([1, 2]))
    assert layer.calls == 0 and layer.seen == []
    static = to_static(step)
    static.report(paddle.ones([2]))
    assert len(static.program_cache) == 0


def test_the_functions_come_in_the_order_of_their_calls(report):
    names = [source_line(first).split("(")[0] for _, first, _ in report.functions]
    assert names == ["def step", "def centered"]


def test_the_text_is_the_source_with_a_gutter(report):
    lines = str(report).splitlines()
    assert lines[0] == "step: 11 operators"
    (shown,) = [line for line in lines if "y = paddle.tanh(y)" in line]
    number, kind, rest = shown.split(maxsplit=2)
    assert source_line(int(number)).strip() == "y = paddle.tanh(y)"
    assert kind == "program" and rest.endswith("# 1 operator: tanh")
    (blank,) = [line for line in lines if "y = y * 0" in line]
    assert blank.split()[1] == "|"


def test_without_arguments_it_is_the_latest_trace_that_is_explained():
    static = to_static(step)
    with pytest.raises(ConversionError, match="step has no Program yet"):
        static.report()
    static(paddle.ones([2, 3]), "test")
    assert facts(static.report(), "paddle.tanh(y)") == []
    declared = to_static(step, input_spec=[InputSpec([None, 3])])
    assert ("guarded", "x: a tensor of shape ['?', 3]") not in facts(declared.report(), "x: ")
    assert "x: a tensor of shape" in str(declared.report())
