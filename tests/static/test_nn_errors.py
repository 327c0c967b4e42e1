"""Wrong arguments of layers of `static.nn`: what was expected, what came, and the cure."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import static
from twinoar.core.interpreter import eager, using
from twinoar.errors import (
    ArgumentError,
    DTypeError,
    ProgramError,
    ShapeError,
    TwinoarError,
    TypeMismatchError,
    UnsupportedError,
)

nn = static.nn


@pytest.fixture(autouse=True)
def programs():
    main, startup = static.Program(), static.Program()
    with paddle.utils.unique_name.guard(), static.program_guard(main, startup):
        yield main


def x(*shape, dtype="float32"):
    return static.data(f"x{len(static.default_main_program().main.inputs)}", shape, dtype)


ARRAY = np.ones((2, 3, 4, 4), "float32")
WRONG = {
    "conv2d of an array": (lambda: nn.conv2d(ARRAY, 3, 3), TypeMismatchError, "static.data"),
    "conv2d of rows": (lambda: nn.conv2d(x(2, 3), 3, 3), ShapeError, "takes 4 dimensions"),
    "conv2d of unknown channels": (
        lambda: nn.conv2d(x(2, None, 4, 4), 3, 3), ShapeError, "known feature sizes",
    ),
    "conv2d of another layout": (
        lambda: nn.conv2d(x(2, 3, 4, 4), 3, 3, data_format="HWCN"), ArgumentError, "NCHW",
    ),
    "conv2d without filters": (lambda: nn.conv2d(x(2, 3, 4, 4), 0, 3), ArgumentError, "positive"),
    "conv2d of filters that are False": (
        lambda: nn.conv2d(x(2, 3, 4, 4), 3, 3, param_attr=False), ArgumentError, "False",
    ),
    "conv2d of groups that do not divide": (
        lambda: nn.conv2d(x(2, 3, 4, 4), 4, 3, groups=2), ArgumentError, "divide",
    ),
    "conv2d of a filter of no size": (
        lambda: nn.conv2d(x(2, 3, 4, 4), 4, [3, 0]), ArgumentError, "filter_size",
    ),
    "conv2d of a filter of three sizes": (
        lambda: nn.conv2d(x(2, 3, 4, 4), 4, [3, 1, 2]), ArgumentError, "2 integers",
    ),
    "conv2d of a filter that is too large": (
        lambda: nn.conv2d(x(2, 3, 4, 4), 4, 9), ShapeError, "does not fit",
    ),
    "conv2d of an unknown activation": (
        lambda: nn.conv2d(x(2, 3, 4, 4), 4, 3, act="rellu"), ArgumentError, "'rellu'",
    ),
    "conv2d of integers": (
        lambda: nn.conv2d(x(2, 3, 4, 4, dtype="int64"), 4, 3), DTypeError, "floating",
    ),
    "conv3d of images": (lambda: nn.conv3d(x(2, 3, 4, 4), 4, 3), ShapeError, "takes 5 dimensions"),
    "conv3d of the layout of images": (
        lambda: nn.conv3d(x(2, 3, 4, 4, 4), 4, 3, data_format="NCHW"), ArgumentError, "NCDHW",
    ),
    "conv2d_transpose of no size": (
        lambda: nn.conv2d_transpose(x(2, 3, 4, 4), 4), ArgumentError, "filter_size or output_size",
    ),
    "conv2d_transpose of unknown images": (
        lambda: nn.conv2d_transpose(x(2, 3, None, 4), 4, 9), ShapeError, "give filter_size",
    ),
    "conv3d_transpose of a size that cannot be": (
        lambda: nn.conv3d_transpose(x(2, 3, 4, 4, 4), 4, 9, 3), ShapeError, "not possible",
    ),
    "deform_conv2d of other offsets": (
        lambda: nn.deform_conv2d(x(2, 3, 4, 4), x(2, 4, 2, 2), None, 4, 3), ShapeError, "offset",
    ),
    "row_conv of images": (lambda: nn.row_conv(x(2, 3, 4, 4), 2), ShapeError, "3 dimensions"),
    "row_conv of steps before": (lambda: nn.row_conv(x(2, 3, 4), -1), ArgumentError, "steps"),
    "batch_norm of a vector": (lambda: nn.batch_norm(x(3)), ShapeError, "2 to 5 dimensions"),
    "batch_norm of another layout": (
        lambda: nn.batch_norm(x(2, 3, 4, 4), data_layout="CHWN"), ArgumentError, "NCHW, NHWC",
    ),
    "batch_norm without bias": (
        lambda: nn.batch_norm(x(2, 3), bias_attr=False), ArgumentError, "bias_attr",
    ),
    "batch_norm of an unknown activation": (
        lambda: nn.batch_norm(x(2, 3), act="tanx"), ArgumentError, "'tanx'",
    ),
    "batch_norm of a momentum that is computed": (
        lambda: nn.batch_norm(x(2, 3), momentum=x(1)), TypeMismatchError, "momentum",
    ),
    "layer_norm over the batch and before": (
        lambda: nn.layer_norm(x(2, 3), begin_norm_axis=2), ArgumentError, "[0, 1]",
    ),
    "layer_norm of unknown sizes": (
        lambda: nn.layer_norm(x(2, None)), ShapeError, "known feature sizes",
    ),
    "layer_norm of a scale that is False": (
        lambda: nn.layer_norm(x(2, 3), param_attr=False), ArgumentError, "scale=False",
    ),
    "group_norm of groups that do not divide": (
        lambda: nn.group_norm(x(2, 3, 4), 2), ShapeError, "not a multiple",
    ),
    "instance_norm of a scale that is False": (
        lambda: nn.instance_norm(x(2, 3, 4), param_attr=False), ArgumentError, "both",
    ),
    "data_norm of images": (lambda: nn.data_norm(x(2, 3, 4, 4)), ShapeError, "2 dimensions"),
    "data_norm of slots": (lambda: nn.data_norm(x(2, 3), slot_dim=1), UnsupportedError, "slot_dim"),
    "spectral_norm of another axis": (
        lambda: nn.spectral_norm(x(2, 3), 2), ArgumentError, "0 or 1",
    ),
    "prelu of another mode": (lambda: nn.prelu(x(2, 3), "some"), ArgumentError, "channel"),
    "prelu of another layout": (
        lambda: nn.prelu(x(2, 3), "channel", data_format="HWC"), ArgumentError, "NCHW",
    ),
    "prelu of unknown elements": (
        lambda: nn.prelu(x(2, None), "element"), ShapeError, "known feature sizes",
    ),
    "bilinear of images": (
        lambda: nn.bilinear_tensor_product(x(2, 3, 4), x(2, 3), 4), ShapeError, "2 dimensions",
    ),
    "embedding of floats": (lambda: nn.embedding(x(2, 3), [4, 3]), DTypeError, "integers"),
    "embedding of one size": (
        lambda: nn.embedding(x(2, dtype="int64"), [4]), ShapeError, "[rows, width]",
    ),
    "embedding of a padding that is no row": (
        lambda: nn.embedding(x(2, dtype="int64"), [4, 2], padding_idx=4), TwinoarError, "[-4, 3]",
    ),
    "sparse_embedding of another table": (
        lambda: nn.sparse_embedding(x(2, dtype="int64"), [4, 2], table_class="Table"),
        ArgumentError, "MemorySparseTable",
    ),
    "nce of another sampler": (
        lambda: nn.nce(x(2, 3), x(2, 1, dtype="int64"), 5, sampler="normal"),
        ArgumentError, "log_uniform",
    ),
    "nce of too few probabilities": (
        lambda: nn.nce(x(2, 3), x(2, 1, dtype="int64"), 5, sampler="custom_dist", custom_dist=[1]),
        ArgumentError, "5 probabilities",
    ),
    "nce of labels that are floats": (
        lambda: nn.nce(x(2, 3), x(2, 1), 5), DTypeError, "integers",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_wrong_arguments_are_refused(name):
    call, error, text = WRONG[name]
    with pytest.raises(TwinoarError) as raised:
        call()
    assert issubclass(type(raised.value), error)
    assert text in str(raised.value)


def test_a_layer_outside_of_a_program_is_refused():
    with using(eager()), pytest.raises(ProgramError, match="enable_static"):
        nn.fc(paddle.to_tensor(ARRAY), 3)


def test_one_name_is_one_parameter(programs):
    given = x(2, 4)
    for _ in range(2):
        nn.fc(given, 3, weight_attr="shared", bias_attr=False)
    assert [p.name for p in programs.all_parameters()] == ["shared"]
    with pytest.raises(ShapeError, match="the parameter shared is"):
        nn.fc(given, 5, weight_attr="shared")


def test_a_name_leaves_the_attribute_as_it_was():
    attr = paddle.ParamAttr(trainable=False)
    static.create_parameter([2], "float32", name="first", attr=attr)
    assert attr.name is None


@pytest.mark.parametrize("name", ["conv2d of an unknown activation", "batch_norm of a vector"])
def test_what_is_refused_leaves_no_parameter(programs, name):
    with pytest.raises(TwinoarError):
        WRONG[name][0]()
    assert programs.all_parameters() == []
