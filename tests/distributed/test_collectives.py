"""Collectives of one rank give back what is sent: eagerly, under to_static and in Programs."""

import numpy as np
import pytest

import twinoar as paddle
import twinoar.distributed as dist
from twinoar.errors import (
    ArgumentError,
    ConversionError,
    DTypeError,
    ShapeError,
    TypeMismatchError,
    UnsupportedError,
)


def numbers():
    return paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]])


STAYING = [
    lambda x: dist.all_reduce(x),
    lambda x: dist.all_reduce(x, op=dist.ReduceOp.AVG, group=dist.new_group([0])),
    lambda x: dist.all_reduce(x, op=dist.ReduceOp.PROD, sync_op=False),
    lambda x: dist.reduce(x, dst=0, op=dist.ReduceOp.MAX),
    lambda x: dist.broadcast(x, src=0),
    lambda x: dist.stream.all_reduce(x, use_calc_stream=True),
    lambda x: dist.stream.reduce(x, dst=0),
    lambda x: dist.communication.stream.broadcast(x, 0, sync_op=False),
]


@pytest.mark.parametrize("number", range(len(STAYING)))
def test_a_tensor_that_is_combined_stays_as_it_is(number):
    x = numbers()
    task = STAYING[number](x)
    assert task.wait() is True
    assert task.is_completed()
    assert x.tolist() == [[1.0, 2.0], [3.0, 4.0]]


LISTS = [
    lambda found, x: dist.all_gather(found, x),
    lambda found, x: dist.gather(x, found, dst=0),
    lambda found, x: dist.alltoall(found, [x]),
    lambda found, x: dist.stream.all_gather(found, x),
]


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("number", range(len(LISTS)))
def test_a_list_gets_a_copy(number, full):
    x = numbers()
    x.stop_gradient = False
    kept = paddle.zeros([2, 2])
    found = [kept] if full else []
    LISTS[number](found, x)
    assert [y.tolist() for y in found] == [[[1.0, 2.0], [3.0, 4.0]]]
    assert found[0] is not x
    assert found[0].stop_gradient
    assert not full or found[0] is kept


TENSORS = [
    lambda y, x: dist.all_gather(y, x),
    lambda y, x: dist.scatter(y, [x], src=0),
    lambda y, x: dist.reduce_scatter(y, [x]),
    lambda y, x: dist.stream.reduce_scatter(y, x, op=dist.ReduceOp.MIN),
    lambda y, x: dist.stream.scatter(y, x),
    lambda y, x: dist.alltoall(y, x),
    lambda y, x: dist.alltoall_single(y, x),
    lambda y, x: dist.alltoall_single(y, x, [2], [2]),
]


@pytest.mark.parametrize("number", range(len(TENSORS)))
def test_a_tensor_receives_what_is_sent(number):
    x, y = numbers(), paddle.zeros([2, 2])
    TENSORS[number](y, x)
    assert y.tolist() == x.tolist()


def test_a_tensor_without_dimensions_arrives_in_one_of_one_element():
    y = paddle.zeros([1])
    dist.all_gather(y, paddle.to_tensor(3.0))
    assert y.tolist() == [3.0]


def test_the_gradient_goes_through_what_is_combined():
    x = numbers()
    x.stop_gradient = False
    y = x * x
    dist.all_reduce(y)
    y.sum().backward()
    assert x.grad.tolist() == [[2.0, 4.0], [6.0, 8.0]]


@pytest.mark.parametrize(
    "call", [lambda: dist.barrier(), lambda: dist.wait(numbers()), lambda: dist.gloo_barrier()]
)
def test_nothing_is_waited_for(call):
    assert call() is None


def test_objects_arrive_as_copies():
    given, gathered, scattered = {"rank": [0]}, [], ["before"]
    dist.all_gather_object(gathered, given)
    dist.scatter_object_list(scattered, [given], src=0)
    dist.broadcast_object_list([given], src=0)
    assert gathered == scattered == [given]
    assert gathered[0]["rank"] is not given["rank"]


@pytest.mark.parametrize(
    "call",
    [
        lambda x: dist.send(x, 0),
        lambda x: dist.recv(x, 0),
        lambda x: dist.isend(x, 0),
        lambda x: dist.irecv(x, 0),
        lambda x: dist.stream.send(x, 0),
        lambda x: dist.stream.recv(x, 0),
        lambda x: dist.send_object_list([1], 0),
        lambda x: dist.recv_object_list([1], 0),
        lambda x: dist.batch_isend_irecv([dist.P2POp(dist.isend, x, 0)]),
    ],
)
def test_sending_to_oneself_is_refused(call):
    with pytest.raises(UnsupportedError, match="world of one process"):
        call(numbers())


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: dist.all_reduce(x, op="sum"), ArgumentError, "ReduceOp"),
        (lambda x: dist.all_reduce([1, 2]), TypeMismatchError, "Tensor"),
        (lambda x: dist.all_reduce(x, group=3), TypeMismatchError, "Group"),
        (lambda x: dist.broadcast(x, 1), ArgumentError, "rank 1"),
        (lambda x: dist.reduce(x, 1), ArgumentError, "rank 1"),
        (lambda x: dist.scatter(x, [x, x], 0), ArgumentError, "2 tensors"),
        (lambda x: dist.scatter(x), ArgumentError, "needs the tensors"),
        (lambda x: dist.gather(x, None), ArgumentError, "needs a list"),
        (lambda x: dist.all_gather([1], x), TypeMismatchError, "of tensors"),
        (lambda x: dist.all_gather([x, x], x), ArgumentError, "2 tensors"),
        (lambda x: dist.all_gather(paddle.zeros([4]), x), ShapeError, r"\[2, 2\]"),
        (lambda x: dist.all_gather(x.astype("int32"), x), DTypeError, "int32"),
        (lambda x: dist.alltoall([], x), TypeMismatchError, "two tensors or two lists"),
        (lambda x: dist.alltoall_single(x, x, [1, 1]), ShapeError, "split sizes"),
        (
            lambda x: dist.stream.all_reduce(x, sync_op=False, use_calc_stream=True),
            ArgumentError,
            "sync_op",
        ),
        (lambda x: dist.batch_isend_irecv([]), TypeMismatchError, "P2POp"),
        (lambda x: dist.P2POp(dist.send, x, 0), ArgumentError, "isend"),
        (lambda x: dist.scatter_object_list([], [1, 2]), ArgumentError, "2 objects"),
    ],
)
def test_wrong_arguments_are_told(call, error, text):
    with pytest.raises(error, match=text):
        call(numbers())


def test_they_work_under_to_static():
    def step(x):
        y = x * 2
        dist.all_reduce(y)
        gathered = []
        dist.all_gather(gathered, y)
        z = paddle.zeros([2, 2])
        dist.reduce_scatter(z, [y])
        dist.barrier()
        return gathered[0] + z

    x = numbers()
    np.testing.assert_array_equal(paddle.jit.to_static(step)(x).numpy(), 4 * x.numpy())


def test_a_list_filled_on_one_side_of_a_tensor_if_is_not_filled_on_the_other():
    def step(x):
        found = []
        if x.sum() > 0:
            dist.all_gather(found, x * 2)
        else:
            found.append(x * 3)
        return found[0]

    static = paddle.jit.to_static(step)
    for x in (numbers(), -numbers()):
        np.testing.assert_array_equal(static(x).numpy(), step(x).numpy())


def test_a_list_that_grows_on_one_side_of_a_tensor_if_alone_is_refused():
    def step(x):
        found = []
        if x.sum() > 0:
            dist.all_gather_object(found, 3)
        return x + len(found)

    with pytest.raises(ConversionError, match="found"):
        paddle.jit.to_static(step)(numbers())


def test_a_leaf_that_is_trained_receives_without_a_gradient():
    y = paddle.zeros([2, 2])
    y.stop_gradient = False
    x = numbers()
    x.stop_gradient = False
    dist.all_gather(y, x * 2)
    assert y.is_leaf
    assert not y.stop_gradient
    assert y.tolist() == [[2.0, 4.0], [6.0, 8.0]]


def test_they_work_in_a_program():
    paddle.enable_static()
    try:
        main = paddle.static.Program()
        with paddle.static.program_guard(main, paddle.static.Program()):
            x = paddle.static.data("x", [2, 2])
            dist.all_reduce(x)
            found = []
            dist.all_gather(found, x)
            y = paddle.zeros([2, 2])
            dist.all_gather(y, x)
            fetches = [x, found[0], y]
        results = paddle.static.Executor().run(
            main, feed={"x": np.ones((2, 2), "float32")}, fetch_list=fetches
        )
    finally:
        paddle.disable_static()
    for result in results:
        np.testing.assert_array_equal(result, np.ones((2, 2)))
