"""The public functions of ops.sort."""

import numpy as np
import pytest

from twinoar import jit
from twinoar.autograd.api import grad
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, AxisError
from twinoar.ops.index.sort import argsort, sort, topk

NAN = float("nan")
X = [[3.0, 1.0, 2.0], [2.0, 2.0, 5.0]]


@pytest.mark.parametrize(
    ("arguments", "values", "places"),
    [
        ({}, [[1.0, 2.0, 3.0], [2.0, 2.0, 5.0]], [[1, 2, 0], [0, 1, 2]]),
        ({"descending": True}, [[3.0, 2.0, 1.0], [5.0, 2.0, 2.0]], [[0, 2, 1], [2, 0, 1]]),
        ({"axis": 0}, [[2.0, 1.0, 2.0], [3.0, 2.0, 5.0]], [[1, 0, 0], [0, 1, 1]]),
    ],
)
def test_sort_and_argsort(arguments, values, places):
    assert sort(to_tensor(X), **arguments).tolist() == values
    assert argsort(to_tensor(X), **arguments).tolist() == places


@pytest.mark.parametrize("descending", [False, True])
def test_equal_elements_keep_their_order(descending):
    x = to_tensor([1, 0, 1, 0, 1], dtype="uint8")
    expected = [0, 2, 4, 1, 3] if descending else [1, 3, 0, 2, 4]
    assert argsort(x, descending=descending).tolist() == expected


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
def test_nan_counts_as_larger_than_all(dtype):
    x = to_tensor([NAN, 1.0, 2.0], dtype=dtype)
    assert argsort(x).tolist() == [1, 2, 0]
    assert argsort(x, descending=True).tolist() == [0, 2, 1]
    assert topk(x, 2)[1].tolist() == [0, 2]


def test_gradient_of_sort_goes_where_the_elements_were():
    x = to_tensor([3.0, 1.0, 2.0], stop_gradient=False)
    weights = to_tensor([1.0, 10.0, 100.0])
    assert grad(sort(x), [x], [weights])[0].tolist() == [100.0, 1.0, 10.0]


@pytest.mark.parametrize("k", [2, to_tensor(2), to_tensor([2]), np.int64(2)])
def test_topk_takes_its_number_in_any_form(k):
    values, places = topk(to_tensor(X), k)
    assert values.tolist() == [[3.0, 2.0], [5.0, 2.0]]
    assert places.tolist() == [[0, 2], [2, 0]]


def test_topk_of_the_smallest_along_another_axis():
    values, places = topk(to_tensor(X), 1, axis=0, largest=False)
    assert values.tolist() == [[2.0, 1.0, 2.0]] and places.tolist() == [[1, 0, 0]]


@pytest.mark.parametrize("largest", [False, True])
def test_topk_of_many_is_the_beginning_of_the_order(largest):
    x = np.random.default_rng(0).permutation(1000).astype(np.float32)
    values, places = topk(to_tensor(x), 7, largest=largest)
    expected = np.sort(x)[::-1][:7] if largest else np.sort(x)[:7]
    np.testing.assert_array_equal(values.numpy(), expected)
    np.testing.assert_array_equal(x[places.numpy()], expected)


def test_gradient_of_topk():
    x = to_tensor([1.0, 4.0, 3.0], stop_gradient=False)
    assert grad(topk(x, 2)[0].sum(), [x])[0].tolist() == [0.0, 1.0, 1.0]


@pytest.mark.parametrize("k", [0, -1, 4])
def test_topk_refuses_an_impossible_number(k):
    with pytest.raises(ArgumentError, match="k must lie between 1 and the size of the axis, 3"):
        topk(to_tensor(X), k)


def test_wrong_axis_is_refused():
    with pytest.raises(AxisError, match="axis must be in"):
        sort(to_tensor(X), axis=2)


def test_without_dimensions():
    assert sort(to_tensor(2.0)).item() == 2.0
    assert [t.item() for t in topk(to_tensor(2.0), 1)] == [2.0, 0]


def test_order_along_an_unknown_size():
    program = trace(lambda x: (sort(x, axis=0), topk(x, 2, axis=0)[0]), Spec.parse("f32[N,3]"))
    assert [str(v.spec) for v in program.main.outputs] == ["f32[N,3]", "f32[2,3]"]


@pytest.mark.parametrize("run", [lambda f: f, jit.to_static])
def test_what_topk_gives_has_names(run):
    found = run(lambda x: topk(x, 2))(to_tensor(X))
    assert found.values is found[0]
    assert found.indices is found[1]
