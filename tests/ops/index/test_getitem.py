"""x[...] and x[...] = value against NumPy, on generated index expressions."""

import random

import numpy as np
import pytest

import twinoar
from twinoar.autograd.api import grad
from twinoar.backends.numpy import compile_numpy
from twinoar.core.dim import symbol
from twinoar.core.dtype import float32, int64
from twinoar.core.ir.builder import trace
from twinoar.core.ir.verify import verify
from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import AxisError, DTypeError, ShapeError, TypeMismatchError
from twinoar.ops import _sizes as size
from twinoar.ops.index import getitem as index
from twinoar.ops.math.arithmetic import multiply

SHAPE = (3, 4, 5)
assert index and size and twinoar


def data(*shape):
    return np.random.default_rng(0).standard_normal(shape or SHAPE).astype(np.float32)


def random_slice(rng, n):
    bounds = [None, *range(-n - 1, n + 2)]
    step = rng.choice([None, 1, 1, 2, 3, -1, -2])
    start, stop = rng.choice(bounds), rng.choice(bounds)
    return ":".join("" if b is None else str(b) for b in (start, stop, step))


def random_basic(rng):
    """Integers and slices, perhaps around an Ellipsis, and None anywhere."""
    sizes = list(SHAPE[: rng.randint(0, 3)])
    parts = [
        str(rng.randrange(-n, n)) if rng.random() < 0.35 else random_slice(rng, n) for n in sizes
    ]
    if rng.random() < 0.4:
        before = rng.randint(0, len(parts))
        after = [random_slice(rng, n) for n in SHAPE[3 - (len(parts) - before) :]]
        parts = [*parts[:before], "...", *(after if before < len(parts) else [])]
    for _ in range(rng.choice([0, 0, 1, 2])):
        parts.insert(rng.randint(0, len(parts)), "None")
    return ", ".join(parts) or "..."


def random_advanced(rng):
    """Arrays beside slices; no integers apart from the arrays, where Paddle and NumPy differ."""
    count = rng.choice([1, 1, 2, 3])
    axes = sorted(rng.sample(range(3), count))
    shape = rng.choice([(2,), (3,), (2, 2), (1, 3)])
    parts = []
    for axis in range(max(axes) + 1):
        n = SHAPE[axis]
        if axis in axes:
            own = rng.choice([shape, shape, shape[-1:]])
            drawn = np.array([rng.randrange(-n, n) for _ in range(int(np.prod(own)))])
            parts.append(f"np.array({drawn.reshape(own).tolist()})")
        else:
            parts.append(random_slice(rng, n))
    if rng.random() < 0.2:
        parts.insert(0, "None")
    return ", ".join(parts)


def expressions(make, count):
    rng = random.Random(7)
    return sorted({make(rng) for _ in range(count)})


BASIC = expressions(random_basic, 160)
ADVANCED = expressions(random_advanced, 120)
MASKS = [
    "x > 0",
    "x > 99",
    "x[:, :, 0] > 0",
    "np.array([True, False, True])",
    "[False, True, True]",
    ":, np.array([True, False, True, True])",
    "..., np.array([True, False, True, True, False])",
    "np.array([[True, False, True, True]] * 3), 1:3",
    "1, np.array([True, False, True, False])",
]

TRUTHS = [
    "True",
    "False",
    "True, True",
    "True, False",
    "np.array(True)",
    "np.array(False)",
    "np.array(True), np.array(True)",
    "np.array(False), 1",
    "0, False",
    "True, 0",
    ":, True",
    "..., False",
    "None, False",
    "True, None, np.array(True)",
    ":, False, 0:2",
    "False, :, 0",
]


def split_item(expression, x):
    class Item:
        def __getitem__(self, item):
            return item

    return eval(f"item[{expression}]", {"item": Item(), "np": np, "x": x})


def as_tensors(item):
    """Arrays of an index as tensors."""
    if isinstance(item, tuple):
        return tuple(map(as_tensors, item))
    return to_tensor(item) if isinstance(item, np.ndarray) else item


@pytest.mark.parametrize("expression", BASIC + ADVANCED + MASKS + TRUTHS)
def test_getitem_is_numpys_with_its_gradient(expression):
    x = data()
    item = split_item(expression, x)
    expected = x[item]
    t = to_tensor(x, stop_gradient=False)
    found = t[as_tensors(item)]
    np.testing.assert_array_equal(found.numpy(), expected, strict=True)
    np.testing.assert_array_equal(to_tensor(x)[item].numpy(), expected, strict=True)
    seed = np.asarray(np.random.default_rng(1).standard_normal(expected.shape), np.float32)
    transposed = np.zeros_like(x)
    np.add.at(transposed, item, seed)
    (g,) = grad(found, t, to_tensor(seed))
    np.testing.assert_allclose(g.numpy(), transposed, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("expression", BASIC + ADVANCED + MASKS + TRUTHS)
def test_setitem_is_numpys(expression):
    x = data()
    item = split_item(expression, x)
    value = np.asarray(np.random.default_rng(2).standard_normal(x[item].shape), np.float32)
    expected = x.copy()
    expected[item] = value
    t = to_tensor(x)
    t[as_tensors(item)] = to_tensor(value)
    if not_repeated(item):
        np.testing.assert_array_equal(t.numpy(), expected, strict=True)
    expected[item] = 7
    t[item] = 7
    np.testing.assert_array_equal(t[item].numpy(), expected[item], strict=True)


def not_repeated(item):
    """True where no element is set twice."""
    count = np.zeros(SHAPE, int)
    np.add.at(count, item, 1)
    return count.max(initial=0) <= 1


@pytest.mark.parametrize(
    "expression",
    [e for e in BASIC[::3] + ADVANCED[::3] + MASKS if not_repeated(split_item(e, data()))],
)
def test_setitem_has_gradients_of_tensor_and_value(expression):
    x = data()
    item = split_item(expression, x)
    value = np.asarray(np.random.default_rng(2).standard_normal(x[item].shape), np.float32)
    leaf, v = to_tensor(x, stop_gradient=False), to_tensor(value, stop_gradient=False)
    t = leaf.clone()
    t[as_tensors(item)] = v
    seed = data() * 2
    gx, gv = grad(t, [leaf, v], to_tensor(seed), allow_unused=True)
    kept = seed.copy()
    kept[item] = 0
    np.testing.assert_allclose(gx.numpy(), kept)
    np.testing.assert_allclose(gv.numpy(), seed[item])


@pytest.mark.parametrize("expression", BASIC[::8] + ADVANCED[::8] + MASKS)
def test_getitem_in_a_program_is_the_same(expression):
    x = data()
    item = split_item(expression, x)
    program = verify(trace(lambda x: x[item], Spec((symbol("N"), *SHAPE[1:]))))
    found = run(program, x)[0]
    np.testing.assert_array_equal(found, x[item], strict=True)


def run(program, *arrays):
    feeds = {v.name: a for v, a in zip(program.main.inputs, arrays, strict=True)}
    return compile_numpy(program).run(feeds, {})[0]


@pytest.mark.parametrize(
    ("expression", "shape"),
    [("0, :, [1, 2]", (4, 2)), ("[0, 1], ..., 0", (2, 4)), (":, 0, [1, 2]", (3, 2))],
)
def test_integers_beside_arrays_count_as_slices(expression, shape):
    assert tuple(to_tensor(data())[split_item(expression, None)].shape) == shape


def test_a_tensor_without_dimensions_is_an_integer():
    x = data()
    i = to_tensor(1)
    np.testing.assert_array_equal(to_tensor(x)[i, :, i].numpy(), x[1, :, 1])


def test_true_adds_an_axis_and_false_an_empty_one():
    x = to_tensor(data())
    assert x[True].shape == [1, 3, 4, 5]
    assert x[False].shape == [0, 3, 4, 5]


@pytest.mark.parametrize(
    ("expression", "error", "message"),
    [
        ("3", AxisError, "index 3 is out of range for dimension 0 of size 3"),
        ("-4", AxisError, "index -4 is out of range for dimension 0 of size 3"),
        (":, 4", AxisError, "index 4 is out of range for dimension 1 of size 4"),
        ("[0, 3]", AxisError, "index 3 is out of range for dimension 0 of size 3"),
        ("[0, 1], [0, 9]", AxisError, "index 9 is out of range for dimension 1 of size 4"),
        ("0, 0, 0, 0", AxisError, "4 indices are too many"),
        ("..., ...", AxisError, "one Ellipsis"),
        ("::0", AxisError, "step of 0"),
        ("np.array([True, False])", AxisError, "a mask of shape [2] does not fit"),
        ("1.5", TypeMismatchError, "received 1.5 (float)"),
        ("'a'", TypeMismatchError, "received 'a' (str)"),
        ("1.5:", TypeMismatchError, "bounds of a slice must be integers"),
        ("np.array([0.5])", DTypeError, "must hold integers or truth values"),
    ],
)
def test_wrong_index_is_refused(expression, error, message):
    with pytest.raises(error) as caught:
        to_tensor(data())[split_item(expression, None)]
    assert message in str(caught.value)


def test_value_that_does_not_fit_is_refused():
    t = to_tensor(data())
    with pytest.raises(ShapeError, match="does not fit the part"):
        t[0] = to_tensor(np.zeros((2, 5), np.float32))


def test_a_part_is_a_view_and_what_arrays_choose_is_a_copy():
    x = to_tensor(data(2, 3))
    x[0][...] = 9.0
    x[...][1, 0] = 5.0
    x[[1]][...] = 7.0
    assert x[0].tolist() == [9.0, 9.0, 9.0]
    assert x[1, 0].item() == 5.0 and 7.0 not in x[1].tolist()


def test_setting_leaves_those_who_hold_the_old_value_alone():
    x = to_tensor(data(2, 3), stop_gradient=False)
    a = x * 2.0
    product = multiply(a, a)  # keeps the old value of a for its gradient
    old = a.numpy()
    a[0] = 0.0
    (g,) = grad(product, x)
    np.testing.assert_allclose(g.numpy(), 4 * old)


def test_setting_a_leaf_that_wants_a_gradient_is_refused():
    x = to_tensor(data(2), stop_gradient=False)
    with pytest.raises(ValueError, match="changed in place"):
        x[0] = to_tensor(1.0, stop_gradient=False)


def test_setting_casts_the_value_to_the_dtype_of_the_tensor():
    x = to_tensor([1, 2, 3])
    x[0] = 1.7
    x[1] = to_tensor(2.9)
    x[2] = np.float64(8.2)
    assert x.tolist() == [1, 2, 8] and x.dtype is int64


@pytest.mark.parametrize("value", [np.arange(4.0), [0.0, 1.0, 2.0, 3.0], np.arange(4.0)[None]])
def test_setting_takes_arrays_and_lists(value):
    x = to_tensor(np.zeros((2, 4), np.float32))
    x[1] = value
    assert x.tolist() == [[0] * 4, [0, 1, 2, 3]]


def test_second_gradient_through_indexing():
    x = to_tensor(data(4), stop_gradient=False)
    y = x[[0, 1, 1]]
    (g,) = grad((y * y * y), x, create_graph=True)
    (h,) = grad(g, x)
    v = x.numpy()
    np.testing.assert_allclose(h.numpy(), [6 * v[0], 12 * v[1], 0, 0], rtol=1e-5)


@pytest.mark.parametrize(
    "function",
    [
        lambda x, i: x[i],
        lambda x, i: x[:, i],
        lambda x, i: x[i, 1:, i],
        lambda x, i: x[:, i:],
        lambda x, i: x[:, :i],
        lambda x, i: x[:, i : i + 2],
        lambda x, i: x[0, i:-1:2],
    ],
)
def test_positions_may_be_variables_of_a_program(function):
    x, i = data(), np.array(1)
    program = verify(trace(function, Spec((symbol("N"), 4, 5), float32), Spec((), int64)))
    np.testing.assert_array_equal(run(program, x, i)[0], function(x, 1), strict=True)


def test_slice_of_constant_width_keeps_its_size():
    program = trace(lambda x, i: x[i : i + 2], Spec((5, 3)), Spec((), int64))
    assert program.main.outputs[0].shape == [2, 3]


@pytest.mark.parametrize("start", [-1, 4])
def test_slice_of_constant_width_is_never_another_part(start):
    program = trace(lambda x, i: x[i : i + 2], Spec((symbol("N"), 3)), Spec((), int64))
    with pytest.raises(IndexError, match=r"start:start\+2 reaches beyond axis 0"):
        run(program, np.zeros((5, 3), "float32"), np.array(start))


def test_setting_in_a_program_rebinds_the_handle():
    def function(x):
        y = x * 1.0
        y[0] = 3.0
        y[y > 2.5] = 1.0
        y[:, [0, 2]] = y[:, :2]
        return y

    x = data(2, 4)
    expected = x.copy()
    expected[0] = 3.0
    expected[expected > 2.5] = 1.0
    expected[:, [0, 2]] = expected[:, :2].copy()
    program = verify(trace(function, Spec((symbol("N"), 4))))
    np.testing.assert_array_equal(run(program, x)[0], expected)


def test_iteration_over_a_variable_ends():
    program = trace(lambda x: list(x), Spec((3, 2)))
    assert len(program.main.outputs) == 3
    with pytest.raises(ShapeError, match="unknown size N"):
        trace(lambda x: list(x), Spec((symbol("N"), 2)))


@pytest.mark.parametrize(
    ("item", "value", "expected"),
    [
        ([0, 0, 2], [1.0, 2.0, 3.0], [0, 1, 1]),
        ([0, -4, 0, 1], [1.0, 2.0, 3.0, 4.0], [0, 0, 1, 1]),
        ([[0, 0], [0, 1]], [[1.0, 2.0], [3.0, 4.0]], [[0, 0], [1, 1]]),
        ([True, False, True, False], [1.0, 2.0], [1, 1]),
        ([1, 1], 2.0, 1),
    ],
)
def test_of_values_put_in_one_place_the_one_that_stays_has_a_gradient(item, value, expected):
    x = twinoar.zeros([4])
    given = twinoar.to_tensor(value, stop_gradient=False)
    x[twinoar.to_tensor(item)] = given
    x.sum().backward()
    assert given.grad.tolist() == expected


def test_doubling_a_part_with_repeated_indices_doubles_its_gradient():
    a = twinoar.to_tensor([3.0, 5.0], stop_gradient=False)
    y, i = a * 1, twinoar.to_tensor([0, 0, 1])
    y[i] = y[i] * 2
    (y * y).sum().backward()
    assert a.grad.tolist() == [24.0, 40.0]


@pytest.mark.parametrize("item", ["True, [0, 1]", "[0, 1], False"])
def test_a_truth_value_beside_arrays_is_refused(item):
    with pytest.raises(TypeMismatchError, match="cannot stand beside arrays"):
        to_tensor(data())[split_item(item, None)]


@pytest.mark.parametrize("start", [0.5, 0.1])
def test_a_mask_without_dimensions_is_known_to_the_run_of_a_program(start):
    @twinoar.jit.to_static
    def put(s, x):
        y, t = x * 1, s * 1
        t[s > 0.3] = -1.0
        y[s > 0.3, 1:] = 2.0 * s
        return t, y, x[s > 0.3], x[:, s > 0.3]

    s, x = (to_tensor(v, stop_gradient=False) for v in (start, [1.0, 2.0, 3.0]))
    found = put(s, x)
    is_true = start > 0.3
    expected = [-1.0 if is_true else start, [1.0, 1.0, 1.0] if is_true else [1.0, 2.0, 3.0]]
    for part, e in zip(found[:2], expected, strict=True):
        np.testing.assert_allclose(part.numpy(), e, rtol=1e-6)
    assert [part.shape for part in found[2:]] == ([[1, 3], [3, 1]] if is_true else [[0, 3], [3, 0]])
    (g,) = grad(found[1].sum(), [s])
    assert g.item() == (4.0 if is_true else 0.0)


def test_indices_of_index_put_may_be_masks():
    x, mask = to_tensor(data(3, 4), stop_gradient=False), np.array([True, False, True])
    value = to_tensor(data(2), stop_gradient=False)
    expected = data(3, 4)
    expected[mask, [1, 3]] = data(2)
    for put in (twinoar.index_put, twinoar.jit.to_static(twinoar.index_put)):
        found = put(x, (to_tensor(mask), to_tensor([1, 3])), value)
        np.testing.assert_array_equal(found.numpy(), expected)
        assert grad(found.sum(), [value])[0].tolist() == [1.0, 1.0]
    with pytest.raises(AxisError, match="does not fit dimension 0"):
        twinoar.index_put(x, (to_tensor([True, False]),), value)
    with pytest.raises(ShapeError, match="a mask must have a dimension"):
        twinoar.index_put(x, (to_tensor(True),), value)


@pytest.mark.parametrize("run", [lambda f: f, twinoar.jit.to_static], ids=["eager", "to_static"])
@pytest.mark.parametrize(("mask", "slope"), [(True, 2.0), (False, 0.0)])
def test_a_value_put_by_a_mask_without_dimensions_has_a_gradient(run, mask, slope):
    def function(x, mask, value):
        x = x * 1
        x[mask] = value
        return x.sum()

    value = to_tensor(3.0, stop_gradient=False)
    run(function)(to_tensor([1.0, 2.0]), to_tensor(mask), value).backward()
    assert value.grad.item() == slope
