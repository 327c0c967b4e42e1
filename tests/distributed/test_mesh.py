"""Tensors on meshes of several processes: what each keeps, how it moves, what is made of it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import twinoar as paddle
import twinoar.distributed as dist
from twinoar.distributed.auto_parallel.parts import dtensor_to_local
from twinoar.errors import ArgumentError, DeviceError, DistributedError, UnsupportedError
from twinoar.ops.random.dropout import dropout_op
from twinoar.runtime.collective import run_ranks

NUMBERS = np.arange(15, dtype="float32").reshape(5, 3)
ONE = [[dist.Replicate()], [dist.Shard(0)], [dist.Shard(1)], [dist.Partial()]]
TWO = [list(p) for p in itertools.product([x[0] for x in ONE], repeat=2)]


def line(count):
    return dist.ProcessMesh(list(range(count)), dim_names=["x"])


def square():
    return dist.ProcessMesh([[0, 1], [2, 3]], dim_names=["x", "y"])


def kept(size, rank, count):
    """Where the part of a rank lies: the first have as much as any."""
    most = -(-size // count)
    return slice(min(rank * most, size), min((rank + 1) * most, size))


def expected(whole, placements, mesh, rank):
    """What a rank keeps of a whole."""
    found = whole
    for placement, at, count in zip(
        placements, np.argwhere(mesh.mesh == rank)[0], mesh.shape, strict=True
    ):
        if placement.is_shard():
            dim = placement.get_dim()
            found = found[(slice(None),) * dim + (kept(found.shape[dim], at, count),)]
        elif placement.is_partial() and at:
            found = np.zeros_like(found)
    return found


def moves(mesh_of, ways, whole=NUMBERS):
    """What of all ways to lie, and of all moves between them, is not as expected."""
    mesh, rank = mesh_of(), dist.get_rank()
    wrong = []
    for first in ways:
        x = dist.shard_tensor(whole, mesh, first)
        for then in ways:
            y = dist.reshard(x, mesh, then)
            found = y._local_value().numpy()
            if not np.array_equal(found, expected(whole, then, mesh, rank)) or y.placements != then:
                wrong.append((first, then))
    return wrong


@pytest.mark.parametrize("count", [2, 3, 4, 7])
def test_parts_on_a_line_are_those_of_the_whole_and_move(count):
    assert run_ranks(count, moves, lambda: line(count), ONE) == [[]] * count


def test_parts_on_a_square_are_those_of_the_whole_and_move():
    assert run_ranks(4, moves, square, TWO) == [[]] * 4


@pytest.mark.parametrize("dtype", ["float64", "bfloat16", "int32", "bool", "complex64"])
@pytest.mark.parametrize("shape", [(3, 4), (1, 5), (0, 2)])
def test_parts_of_other_dtypes_and_of_little_move(dtype, shape):
    whole = paddle.to_tensor(np.arange(np.prod(shape)).reshape(shape)).astype(dtype).numpy()
    ways = ONE[:3] if dtype == "bool" else ONE
    assert run_ranks(2, moves, lambda: line(2), ways, whole) == [[]] * 2


def test_a_tensor_says_how_it_lies_and_shows_the_whole():
    def job():
        x = dist.shard_tensor(NUMBERS, square(), [dist.Shard(-2)])
        return x.shape, x.placements, x._local_value().shape, x.is_dist(), str(x.place), x.tolist()

    places = [dist.Shard(0), dist.Replicate()]
    found = run_ranks(4, job)
    assert [f[2] for f in found] == [[3, 3], [3, 3], [2, 3], [2, 3]]
    assert all(f[:2] == ([5, 3], places) and f[3] and f[4] == "Place(cpu)" for f in found)
    assert all(f[5] == NUMBERS.tolist() for f in found)


def test_tensors_move_to_another_mesh():
    def job():
        x = dist.shard_tensor(NUMBERS, line(2), [dist.Shard(0)])
        y = dist.reshard(x, dist.ProcessMesh([2, 1], dim_names=["z"]), [dist.Shard(1)])
        return y._local_value().tolist() if dist.get_rank() else None

    assert run_ranks(3, job)[1:] == [NUMBERS[:, 2:].tolist(), NUMBERS[:, :2].tolist()]


def test_arrays_meet_tensors_on_a_mesh_and_meshes_do_not_meet():
    def job():
        x = dist.shard_tensor(NUMBERS, line(2), [dist.Shard(0)])
        y = dist.shard_tensor(NUMBERS, dist.ProcessMesh([1, 0], dim_names=["y"]), [])
        total = (x + paddle.to_tensor(NUMBERS)).numpy()
        with pytest.raises(DeviceError, match="mesh"):
            x + y
        return total

    for found in run_ranks(2, job):
        np.testing.assert_array_equal(found, 2 * NUMBERS)


def test_what_differs_where_each_has_the_whole_is_told():
    """Networks that were seeded apart, batches that each has loaded, and keys of random numbers."""

    def job():
        rank, mesh = dist.get_rank(), line(2)
        for placements in ([dist.Replicate()], [dist.Shard(0)]):
            with pytest.raises(DistributedError, match="is not that of rank 1"):
                dist.shard_tensor(NUMBERS + rank, mesh, placements)
        x = dist.shard_tensor(NUMBERS, mesh, [dist.Shard(0)])
        with pytest.raises(DistributedError, match="of a mesh has whole differs"):
            x + paddle.to_tensor(NUMBERS + rank)
        with pytest.raises(DistributedError, match="of a mesh has whole differs"):
            dist.auto_parallel.dtensor_from_local(paddle.ones([2]) + rank, mesh, [])
        with pytest.raises(DistributedError, match="of a mesh has whole differs"):
            dropout_op(x, paddle.to_tensor([rank, 1]), 0.5)
        same = dropout_op(x, paddle.to_tensor([3, 1]), 0.5)
        return same.tolist()

    first, second = run_ranks(2, job)
    assert first == second


CALLS = {
    "elementwise": lambda x: paddle.tanh(x) * 2 + x,
    "mean": lambda x: x.mean(),
    "mean over rows": lambda x: x.mean(0),
    "sum, then square": lambda x: x.sum(0) ** 2,
    "max": lambda x: x.max(1),
    "softmax": lambda x: paddle.nn.functional.softmax(x),
    "sort": lambda x: paddle.sort(x, axis=0),
    "reshape": lambda x: x.reshape([3, 5]) * 2,
    "matmul": lambda x: x @ x.T,
    "cumsum": lambda x: x.cumsum(0),
    "index": lambda x: x[1:4, ::2],
    "concat": lambda x: paddle.concat([x, x * 2], axis=1),
    "norm": lambda x: paddle.nn.functional.layer_norm(x, [3]),
    "where": lambda x: paddle.where(x > 3, x, -x),
    "svd": lambda x: paddle.linalg.svd(x, full_matrices=False)[1],
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(
    "placement", [dist.Shard(0), dist.Shard(1), dist.Partial(), dist.Replicate()]
)
def test_operators_and_gradients_are_those_of_the_whole(name, placement):
    whole = np.random.default_rng(3).standard_normal((5, 3)).astype("float32")

    def job(on_mesh):
        x = paddle.to_tensor(whole, stop_gradient=False)
        if on_mesh:
            x = dist.shard_tensor(x, line(2), [placement])
        y = CALLS[name](x)
        (y * y).sum().backward()
        return y.numpy(), x.grad.numpy()

    alone = job(False)
    for found in run_ranks(2, job, True):
        for got, want in zip(found, alone, strict=True):
            np.testing.assert_allclose(got, want, rtol=2e-4, atol=1e-5)


def test_a_program_is_divided_by_how_its_inputs_lie():
    @paddle.jit.to_static
    def function(x, y):
        if x.sum() > 0:
            return paddle.matmul(x, y)
        return paddle.matmul(y, x).T

    y = np.random.default_rng(5).standard_normal((3, 5)).astype("float32")

    def job(places):
        x = dist.shard_tensor(NUMBERS, line(2), [places])
        return function(x, paddle.to_tensor(y)).numpy()

    for places in (dist.Shard(0), dist.Shard(1), dist.Replicate()):
        for found in run_ranks(2, job, places):
            np.testing.assert_allclose(found, NUMBERS @ y, rtol=1e-5, atol=1e-5)


def test_parts_become_tensors_and_gradients_return_to_them():
    def job():
        rank = dist.get_rank()
        local = paddle.full([3 - rank, 2], float(rank + 1))
        local.stop_gradient = False
        x = dist.auto_parallel.dtensor_from_local(local, line(2), [dist.Shard(0)])
        (x * paddle.arange(10.0).reshape([5, 2])).sum().backward()
        again = dtensor_to_local(x * 2)
        return x.shape, x.tolist(), local.grad.tolist(), again.tolist()

    first, second = run_ranks(2, job)
    whole = [[1.0, 1.0]] * 3 + [[2.0, 2.0]] * 2
    assert first[:2] == second[:2] == ([5, 2], whole)
    numbers = np.arange(10.0).reshape(5, 2)
    assert first[2:] == (numbers[:3].tolist(), [[2.0, 2.0]] * 3)
    assert second[2:] == (numbers[3:].tolist(), [[4.0, 4.0]] * 2)


def test_functions_of_parts():
    def job():
        mesh = line(2)
        x = dist.shard_tensor(NUMBERS, mesh, [dist.Shard(0)], stop_gradient=False)
        own = dist.local_map(lambda part: part.sum(0), [[dist.Partial()]], [[dist.Shard(0)]])
        total = own(x)
        total.sum().backward()
        strict = dist.local_map(lambda part: part, [[dist.Shard(1)]], [[dist.Shard(1)]])
        with pytest.raises(ArgumentError, match="lies as"):
            strict(x)
        return total.placements, total.tolist(), x.grad.tolist()

    for places, total, slope in run_ranks(2, job):
        assert places == [dist.Partial()]
        assert total == NUMBERS.sum(0).tolist()
        assert slope == np.ones_like(NUMBERS).tolist()


def test_mistakes_are_told():
    def job():
        mesh, rank = line(2), dist.get_rank()
        with pytest.raises(UnsupportedError, match="there are 2"):
            dist.shard_tensor(NUMBERS, line(3), [])
        with pytest.raises(ArgumentError, match="of a tensor of 2 dimensions"):
            dist.shard_tensor(NUMBERS, mesh, [dist.Shard(2)])
        with pytest.raises(ArgumentError, match="of which it has"):
            part = paddle.ones([1 + 2 * rank, 2])
            dist.auto_parallel.dtensor_from_local(part, mesh, [dist.Shard(0)])
        alone = dist.shard_tensor(NUMBERS, dist.ProcessMesh([1], dim_names=["one"]), [])
        if rank == 0:
            with pytest.raises(DistributedError, match="rank 0 is not in the mesh"):
                alone + 1
        return True

    assert run_ranks(2, job) == [True, True]


def test_rows_are_sorted_and_added_up_where_they_are():
    def job():
        x = dist.shard_tensor(NUMBERS[::-1].copy(), line(2), [dist.Shard(0)])
        found = paddle.sort(x, -1, descending=True), paddle.cumsum(x, 1), paddle.topk(x, 2)[1]
        columns = paddle.sort(x, 0)
        return [y.placements for y in (*found, columns)], [y.numpy() for y in (*found, columns)]

    cut, moved = [dist.Shard(0)], [dist.Shard(1)]
    x = NUMBERS[::-1]
    expected = np.sort(x)[:, ::-1], np.cumsum(x, 1), np.argsort(-x)[:, :2], np.sort(x, 0)
    for placements, arrays in run_ranks(2, job):
        assert placements == [cut, cut, cut, moved]
        for found, want in zip(arrays, expected, strict=True):
            np.testing.assert_array_equal(found, want)


def test_each_process_gets_the_group_of_its_line_and_always_the_same():
    def run():
        mesh = square()
        group = mesh.get_group("y")
        x = paddle.to_tensor([float(dist.get_rank())])
        dist.all_reduce(x, group=group)
        again = dist.ProcessMesh([[0, 1], [2, 3]]).get_group("d1")
        return group.ranks, x.item(), mesh.get_group("y") is group, again is group

    found = run_ranks(4, run)
    assert [f[0] for f in found] == [[0, 1], [0, 1], [2, 3], [2, 3]]
    assert [f[1] for f in found] == [1.0, 1.0, 5.0, 5.0]
    assert all(f[2] and f[3] for f in found)


def test_a_group_that_was_destroyed_is_made_again():
    def run():
        mesh = line(2)
        group = mesh.get_group()
        dist.destroy_process_group(group)
        dist.all_reduce(x := paddle.ones([1]), group=mesh.get_group())
        return x.item(), mesh.get_group() is group

    assert run_ranks(2, run) == [(2.0, False)] * 2


def test_who_is_in_no_line_of_a_mesh_is_told():
    def run():
        return dist.ProcessMesh([[0], [1]]).get_group("d0")

    with pytest.raises(ArgumentError, match="rank 2 is not in shape"):
        run_ranks(3, run)
