"""Composite operators expand to what the compiler has rules for, and to the same results."""

import pytest

import twinoar as paddle
from tests.ops.test_ops import GOOD
from tests.samples import every_sample
from twinoar import nn, static
from twinoar.compile.element import has_element
from twinoar.core.ir.program import among, copy_program
from twinoar.passes.cse import share_common
from twinoar.passes.dead import eliminate_dead
from twinoar.passes.decompose import decompose
from twinoar.testing.calls import arrays_of, build, execute, run_eagerly
from twinoar.testing.checks import close

WITH_TWO_MEANINGS = [p for p in GOOD if p.values[0].body and "kernel" in p.values[0].rules]


def is_primitive(op):
    return op.body is None


def has_rule(op):
    return has_element(op) or "library" in op.rules


def lenet():
    net = nn.Sequential(
        nn.Conv2D(1, 6, 3, padding=1), nn.BatchNorm2D(6), nn.ReLU(), nn.MaxPool2D(2, 2),
        nn.Conv2D(6, 16, 5), nn.BatchNorm2D(16), nn.ReLU(), nn.MaxPool2D(3, 2),
        nn.AvgPool2D(2, 1), nn.Flatten(), nn.Linear(144, 10),
    )  # fmt: skip
    images, label = static.data("images", [8, 1, 28, 28]), static.data("label", [8, 1], "int64")
    return nn.functional.cross_entropy(net(images), label)


def transformer():
    words, label = static.data("words", [2, 5], "int64"), static.data("label", [2, 5], "int64")
    x = nn.Embedding(11, 8)(words)
    x = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1, activation="gelu")(x)
    return nn.functional.cross_entropy(nn.Linear(8, 11)(nn.LayerNorm(8)(x)), label)


def training_program(model, optimizer=paddle.optimizer.Adam):
    """A training step as the compiler gets it: primitives, and composites with a rule."""
    paddle.enable_static()
    program = static.Program()
    try:
        with static.program_guard(program, static.Program()):
            optimizer(learning_rate=0.01).minimize(model())
    finally:
        paddle.disable_static()
    program, _ = copy_program(program)
    eliminate_dead(decompose(program, lambda op: is_primitive(op) or has_rule(op)))
    return eliminate_dead(share_common(program))


def names(program):
    return [o.op.name for o in program.main.walk()]


@pytest.mark.parametrize(
    ("model", "unruled"),
    [(lenet, set()), (transformer, {"embedding_sum"})],
    ids=["lenet", "transformer"],
)
def test_a_training_step_needs_no_kernel_but_these(model, unruled):
    found = {o.op.name for o in training_program(model).main.walk() if not has_rule(o.op)}
    assert found == unruled


@pytest.mark.parametrize(
    "optimizer",
    [
        paddle.optimizer.SGD,
        paddle.optimizer.Momentum,
        paddle.optimizer.Adagrad,
        paddle.optimizer.RMSProp,
        paddle.optimizer.Adadelta,
        paddle.optimizer.Adamax,
        paddle.optimizer.Adam,
        paddle.optimizer.AdamW,
        paddle.optimizer.Lamb,
    ],
)
def test_an_update_of_parameters_is_elementwise_or_reduces(optimizer):
    def one_parameter():
        return static.create_parameter([3, 4], "float32").sum()

    program = training_program(one_parameter, optimizer)
    whole = {"fill", "reshape", "unsqueeze", "broadcast_to", "sum"}
    assert all("scalar" in o.op.rules or o.op.name in whole for o in program.main.walk())


def test_a_maximum_and_its_gradient_share_the_search():
    found = names(training_program(lenet))
    assert found.count("max_pool2d_with_position") == found.count("max_pool2d_grad") == 2


def test_a_dropout_and_its_gradient_share_the_mask():
    assert names(training_program(transformer)).count("dropout_mask") == 4


def test_the_gradient_of_cross_entropy_holds_no_table_of_labels():
    program = training_program(transformer)
    (placed,) = [o for o in program.main.ops if o.op.name == "place_class"]
    users = [o for o in program.main.ops if among(placed.results[0], o.operands)]
    assert [o.op.name for o in users] == ["subtract"]


@every_sample(WITH_TWO_MEANINGS)
def test_body_and_kernel_agree(op, sample):
    arrays = arrays_of(sample)
    program = decompose(build(op, sample), is_primitive)
    for by_body, result in zip(execute(program, arrays), run_eagerly(op, sample), strict=True):
        close(by_body, result, max(sample.tolerance, 1e-4))
