"""Messages along edges and rows of segments, against loops over edges."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import geometric, static
from twinoar.errors import ArgumentError

SRC, DST = np.array([0, 1, 2, 0]), np.array([1, 2, 1, 1])
POOLS = {"sum": np.sum, "mean": np.mean, "max": np.max, "min": np.min}


def rows(n=3, width=2):
    return np.random.default_rng(0).standard_normal((n, width)).astype("float32")


def put_together(messages, index, pool, n):
    out = np.zeros((n, *messages.shape[1:]), "float32")
    for row in set(index.tolist()):
        out[row] = POOLS[pool](messages[index == row], axis=0)
    return out


@pytest.mark.parametrize("pool", POOLS)
def test_send_u_recv_puts_the_rows_of_sources_together(pool):
    x = rows()
    found = geometric.send_u_recv(*map(paddle.to_tensor, (x, SRC, DST)), pool)
    np.testing.assert_allclose(found, put_together(x[SRC], DST, pool, 3), rtol=1e-6)


@pytest.mark.parametrize("out_size", [5, paddle.to_tensor(5)])
def test_out_size_says_how_many_rows_come_out(out_size):
    x, src, dst = map(paddle.to_tensor, (rows(), SRC, DST))
    assert geometric.send_u_recv(x, src, dst, out_size=out_size).shape == [5, 2]


@pytest.mark.parametrize("shape", [(4,), (4, 1), (4, 2)])
def test_rows_of_edges_broadcast_behind_the_first_axis(shape):
    x, y = rows(), np.full(shape, 2.0, "float32")
    given = map(paddle.to_tensor, (x, y, SRC, DST))
    found = geometric.send_ue_recv(*given, message_op="mul", reduce_op="max")
    np.testing.assert_allclose(found, put_together(x[SRC] * 2, DST, "max", 3), rtol=1e-6)


def test_send_uv_combines_both_ends_of_an_edge():
    x, y = rows(), rows()[::-1].copy()
    found = geometric.send_uv(*map(paddle.to_tensor, (x, y, SRC, DST)), message_op="sub")
    np.testing.assert_allclose(found, x[SRC] - y[DST], rtol=1e-6)


def test_all_rows_that_are_the_greatest_get_the_gradient():
    x = paddle.to_tensor([[2.0], [2.0], [1.0]], stop_gradient=False)
    geometric.segment_max(x, paddle.to_tensor([0, 0, 0])).sum().backward()
    assert x.grad.tolist() == [[1.0], [1.0], [0.0]]


@pytest.mark.parametrize("pool", POOLS)
def test_a_program_finds_the_number_of_segments_in_the_data(pool):
    ids = np.array([0, 0, 2, 2])
    main = static.Program()
    with static.program_guard(main):
        x, index = static.data("x", [None, 2]), static.data("ids", [None], "int64")
        out = getattr(geometric, f"segment_{pool}")(x, index)
    (found,) = static.Executor().run(main, {"x": rows(4), "ids": ids}, [out])
    np.testing.assert_allclose(found, put_together(rows(4), ids, pool, 3), rtol=1e-6)


@pytest.mark.parametrize("arguments", [{"reduce_op": "first"}, {"message_op": "first"}])
def test_an_operation_that_is_none_is_named(arguments):
    x, src, dst = map(paddle.to_tensor, (rows(), SRC, DST))
    with pytest.raises(ArgumentError, match=r"must be one of .* received 'first'"):
        geometric.send_ue_recv(x, x[src], src, dst, **arguments)


@pytest.mark.parametrize(
    "send",
    [
        lambda x, e: geometric.send_uv(x, x, e, e),
        lambda x, e: geometric.send_ue_recv(x, x, e, e),
    ],
)
def test_combined_rows_that_are_numbers_get_an_axis(send):
    assert send(paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([0, 1])).tolist() == [[2.0], [4.0]]
