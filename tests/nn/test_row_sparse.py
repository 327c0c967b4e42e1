"""Gradients of embedding(sparse=True): rows of the table and a vector for each, as in Paddle."""

import copy
import pickle

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import GradientError, UnsupportedError

F = nn.functional
IDS = np.array([[1, 3], [1, 5]])
FACTORS = paddle.to_tensor(np.arange(8, dtype=np.float32).reshape(2, 2, 2))


def table():
    weight = paddle.create_parameter([6, 2], "float32")
    weight.set_value(np.arange(12, dtype=np.float32).reshape(6, 2))
    return weight


def looked_up(weight, ids=IDS, **kwargs):
    return F.embedding(paddle.to_tensor(ids), weight, sparse=True, **kwargs)


def gradient_of(weight=None, **kwargs):
    weight = table() if weight is None else weight
    (looked_up(weight, **kwargs) * FACTORS).sum().backward()
    return weight.grad


def dense_gradient(**kwargs):
    weight = table()
    (F.embedding(paddle.to_tensor(IDS), weight, **kwargs) * FACTORS).sum().backward()
    return weight.grad.numpy()


def test_it_is_a_vector_for_each_id_in_order():
    g = gradient_of()
    assert g.is_selected_rows() and not g.is_dense() and isinstance(g, paddle.Tensor)
    assert (g.rows(), g.height(), g.shape, g.dtype) == ([1, 3, 1, 5], 6, [4, 2], paddle.float32)
    assert g.tolist() == [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]


def test_it_prints_as_paddle_prints_it():
    assert repr(gradient_of()) == (
        "Tensor(shape=[4, 2], dtype=float32, place=Place(cpu), stop_gradient=True, "
        "rows=[1, 3, 1, 5],\n       [[0., 1.],\n        [2., 3.],\n        [4., 5.],\n"
        "        [6., 7.]])"
    )


def test_other_tensors_say_that_they_are_dense():
    weight = table()
    assert weight.is_dense() and not weight.is_selected_rows()
    with pytest.raises(UnsupportedError, match="is_selected_rows"):
        weight.rows()


def test_merged_each_row_stands_once_in_order():
    g = gradient_of().merge()
    assert (g.rows(), g.tolist()) == ([1, 3, 5], [[4.0, 6.0], [2.0, 3.0], [6.0, 7.0]])


def test_dense_it_is_what_a_dense_embedding_gets():
    np.testing.assert_array_equal(gradient_of().to_dense().numpy(), dense_gradient())


def test_paddles_gradient_gives_vectors_and_rows():
    weight = table()
    gradient_of(weight)
    vectors, rows = weight.gradient()
    assert (vectors.shape, rows.tolist()) == ((4, 2), [1, 3, 1, 5])


def test_several_backward_passes_add_up_merged():
    weight = table()
    gradient_of(weight)
    looked_up(weight, np.array([0, 1])).sum().backward()
    assert weight.grad.rows() == [0, 1, 3, 5]
    assert weight.grad.tolist() == [[1.0, 1.0], [5.0, 7.0], [2.0, 3.0], [6.0, 7.0]]


def test_a_shared_table_has_one_gradient():
    weight = table()
    (looked_up(weight).sum() + 2 * looked_up(weight, np.array([0, 1])).sum()).backward()
    assert weight.grad.rows() == [0, 1, 3, 5]
    assert weight.grad.tolist() == [[2.0, 2.0], [4.0, 4.0], [1.0, 1.0], [1.0, 1.0]]


@pytest.mark.parametrize("order", ["sparse first", "dense first"])
def test_added_to_a_dense_one_it_is_dense(order):
    weight = table()
    terms = [looked_up(weight).sum(), (weight * 3).sum()]
    sum(terms if order == "sparse first" else terms[::-1]).backward()
    assert weight.grad.is_dense()
    assert weight.grad.tolist() == [
        [3.0] * 2,
        [5.0] * 2,
        [3.0] * 2,
        [4.0] * 2,
        [3.0] * 2,
        [4.0] * 2,
    ]


def test_the_padding_row_gets_zeros():
    weight = table()
    g = gradient_of(weight, padding_idx=1)
    np.testing.assert_array_equal(g.to_dense().numpy(), dense_gradient(padding_idx=1))
    assert g.to_dense().numpy()[1].tolist() == [0.0, 0.0]


def test_a_table_that_is_no_leaf_gets_a_dense_gradient():
    weight = table()
    (looked_up(weight * 2) * FACTORS).sum().backward()
    np.testing.assert_array_equal(weight.grad.numpy(), 2 * dense_gradient())


def test_clearing_forgets_it():
    weight = table()
    gradient_of(weight)
    weight.clear_grad()
    assert weight.grad is None
    assert gradient_of(weight).rows() == [1, 3, 1, 5]


def test_hooks_see_and_replace_it():
    weight, seen = table(), []
    weight.register_hook(lambda g: seen.append(g.rows()) or g * 2)
    assert gradient_of(weight).tolist()[1] == [4.0, 6.0]
    assert seen == [[1, 3, 1, 5]]


def test_paddle_grad_returns_it():
    weight = table()
    (g,) = paddle.grad((looked_up(weight) ** 2).sum(), weight)
    assert g.rows() == [1, 3, 1, 5] and weight.grad is None


def test_it_has_no_gradient_itself():
    weight = table()
    with pytest.raises(GradientError, match=r"sparse=True.*\n.*sparse=False"):
        paddle.grad((looked_up(weight) ** 2).sum(), weight, create_graph=True)


@pytest.mark.parametrize(
    "compute", [lambda g: g.sum(), lambda g: F.relu(g), lambda g: g * g, lambda g: g + 1.0]
)
def test_operators_that_would_take_the_rows_for_all_refuse_it(compute):
    with pytest.raises(UnsupportedError, match="row-sparse gradient"):
        compute(gradient_of())


def test_numbers_and_dtypes_apply_to_the_vectors():
    g = (gradient_of() * 2 / paddle.to_tensor(4.0)).astype("float64")
    assert (g.dtype, g.rows(), g.tolist()[1]) == (paddle.float64, [1, 3, 1, 5], [1.0, 1.5])


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))])
def test_it_is_copied_and_pickled(copied):
    g = copied(gradient_of())
    assert (g.rows(), g.height(), g.tolist()[3]) == ([1, 3, 1, 5], 6, [6.0, 7.0])


@pytest.mark.parametrize("ids", [np.zeros((0,), np.int64), np.array(2, np.int32)])
def test_no_id_and_a_single_one(ids):
    weight = table()
    looked_up(weight, ids).sum().backward()
    assert weight.grad.shape == [ids.size, 2]
    assert weight.grad.to_dense().numpy().sum() == 2 * ids.size


def test_sixteen_bits_are_added_up_in_float32():
    weight = paddle.create_parameter([3, 1], "bfloat16")
    looked_up(weight, np.zeros(1000, np.int64)).sum().backward()
    assert weight.grad.merge().astype("float32").tolist() == [[1000.0]]


def test_layers_take_it_as_an_argument():
    layer = nn.Embedding(6, 2, sparse=True)
    layer(paddle.to_tensor(IDS)).sum().backward()
    assert layer.weight.grad.rows() == [1, 3, 1, 5]


def test_it_can_be_set():
    one, other = table(), table()
    other.grad = gradient_of(one)
    assert other.grad.rows() == [1, 3, 1, 5]


# What changes gradients.


@pytest.mark.parametrize(
    "clip", [nn.ClipGradByNorm(1.0), nn.ClipGradByGlobalNorm(1.0), nn.ClipGradByValue(2.0)]
)
def test_clips_change_it_as_the_dense_one(clip):
    weight = table()
    [(_, g)] = clip([(weight, gradient_of(weight))])
    [(_, expected)] = clip([(weight, paddle.to_tensor(dense_gradient()))])
    assert g.is_selected_rows()
    np.testing.assert_allclose(g.to_dense().numpy(), expected.numpy(), rtol=1e-6)


def test_a_clip_that_zeros_do_not_stay_in_is_refused():
    weight = table()
    with pytest.raises(UnsupportedError, match="outside of"):
        nn.ClipGradByValue(2.0, 1.0)([(weight, gradient_of(weight))])


def test_the_functions_that_clip_take_it():
    weight = table()
    gradient_of(weight)
    norm = nn.utils.clip_grad_norm_([weight], 1.0)
    np.testing.assert_allclose(norm.item(), np.linalg.norm(dense_gradient()), rtol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(weight.grad.to_dense().numpy()), 1.0, rtol=1e-5)
    nn.utils.clip_grad_value_([weight], 0.1)
    assert weight.grad.numpy().max() == pytest.approx(0.1)


@pytest.mark.parametrize("factor", [1.0, np.inf])
def test_a_scaler_unscales_it_and_skips_steps(factor):
    weight = table()
    before = weight.numpy()
    scaler = paddle.amp.GradScaler(init_loss_scaling=8.0)
    rule = paddle.optimizer.SGD(1.0, parameters=[weight])
    scaler.scale((looked_up(weight) * FACTORS * float(factor)).sum()).backward()
    scaler.step(rule)
    scaler.update()
    expected = before if np.isinf(factor) else before - dense_gradient()
    np.testing.assert_array_equal(weight.numpy(), expected)


@pytest.mark.parametrize("wrapped", [lambda g: g, lambda g: {"g": g}, lambda g: [1, g]])
def test_a_file_that_would_lose_its_rows_is_refused(tmp_path, wrapped):
    with pytest.raises(UnsupportedError, match=r"row-sparse.*\n.*g.rows\(\)"):
        paddle.save(wrapped(gradient_of()), str(tmp_path / "g.pd"))
    assert list(tmp_path.iterdir()) == []
