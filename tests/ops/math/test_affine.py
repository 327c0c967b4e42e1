"""The public functions of ops.affine."""

import pytest

import twinoar.ops.activation.rectifier  # noqa: F401  scale finds its activation by name
from twinoar.autograd.api import grad
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import DTypeError, ShapeError, TypeMismatchError
from twinoar.ops.math.affine import add_n, lerp, neg, scale
from twinoar.passes.decompose import decompose


def test_scale_adds_the_bias_after_or_before():
    x = to_tensor([1.0, 2.0])
    assert scale(x, 2.0, 1.0).tolist() == [3.0, 5.0]
    assert scale(x, 2.0, 1.0, bias_after_scale=False).tolist() == [4.0, 6.0]


def test_scale_converts_its_numbers_to_the_dtype_of_x():
    out = scale(to_tensor([7, -7]), 2.5, 1.0)
    assert out.tolist() == [15, -13] and out.dtype == "int64"


def test_scale_takes_a_tensor_and_an_activation():
    x = to_tensor([1.0, -2.0])
    assert scale(x, to_tensor([2.0]), 1.0).tolist() == [3.0, -3.0]
    assert scale(x, 3.0, act="relu").tolist() == [3.0, 0.0]


def test_scale_names_its_result():
    assert scale(to_tensor([1.0]), 2.0, name="twice").name == "twice"


def test_negation_in_a_file_is_a_scale_by_minus_one():
    program = decompose(trace(lambda x: neg(x), Spec((2,))), lambda op: "desc" in op.rules)
    (operator,) = program.main.ops
    assert operator.op.name == "scale" and operator.attrs["scale"] == -1.0


def test_lerp_passes_gradients_to_both_ends():
    x, y = (to_tensor(v, stop_gradient=False) for v in ([1.0], [3.0]))
    dx, dy = grad(lerp(x, y, 0.25), [x, y])
    assert (dx.item(), dy.item()) == (0.75, 0.25)


def test_add_n_takes_one_tensor_or_many():
    x = to_tensor([1.0, 2.0])
    assert add_n(x).tolist() == [1.0, 2.0]
    assert add_n([x, x, x]).tolist() == [3.0, 6.0]


@pytest.mark.parametrize(
    ("inputs", "error", "match"),
    [
        ([], TypeMismatchError, "an empty list"),
        ([to_tensor([1.0]), to_tensor([1.0, 2.0])], ShapeError, "expected one shape"),
        ([to_tensor([1.0]), to_tensor([1])], DTypeError, "one dtype"),
    ],
)
def test_add_n_refuses(inputs, error, match):
    with pytest.raises(error, match=match):
        add_n(inputs)


def test_plus_is_the_tensor_itself_and_refuses_truth_values():
    x = to_tensor([1.0, -2.0])
    assert +x is x
    with pytest.raises(DTypeError, match="wants numbers"):
        _ = +(x > 0)
