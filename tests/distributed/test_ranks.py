"""What collectives mean, on ranks that are threads in lock step; NumPy says what is right."""

from datetime import timedelta

import ml_dtypes
import numpy as np
import pytest

import twinoar as paddle
import twinoar.distributed as dist
from twinoar.errors import ArgumentError, DistributedError, DTypeError, ShapeError
from twinoar.runtime.collective import run_ranks

SIZES = [2, 3, 8, 64]
DTYPES = ["float32", "float64", "int32", "int64", "uint8", "bool", "complex64"]
FUNCTIONS = {
    "SUM": np.add.reduce,
    "MAX": np.maximum.reduce,
    "MIN": np.minimum.reduce,
    "PROD": np.multiply.reduce,
}


def given(rank, dtype="float32", shape=(3, 2)):
    """What a rank gives: small whole numbers, so that sums are exact in any order."""
    values = np.random.default_rng(rank).integers(-2, 3, shape)
    return np.abs(values).astype(dtype) if dtype in ("uint8", "bool") else values.astype(dtype)


def tensor(rank, *rest):
    return paddle.to_tensor(given(rank, *rest))


def all_given(size, *rest):
    return np.stack([given(r, *rest) for r in range(size)])


@pytest.mark.parametrize("size", SIZES)
def test_all_reduce_gives_all_the_sum(size):
    def run():
        x = tensor(dist.get_rank())
        dist.all_reduce(x)
        return x.numpy()

    for found in run_ranks(size, run):
        np.testing.assert_array_equal(found, all_given(size).sum(0))


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_reduction_is_numpys(name, dtype):
    def run():
        x = tensor(dist.get_rank(), dtype)
        dist.all_reduce(x, getattr(dist.ReduceOp, name))
        return x.numpy()

    if dtype == "complex64" and name in ("MAX", "MIN"):
        with pytest.raises(DTypeError, match="no order"):
            run_ranks(2, run)
        return
    expected = FUNCTIONS[name](all_given(3, dtype), 0, dtype=dtype)
    for found in run_ranks(3, run):
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
def test_short_floats_are_added_up_in_float32(dtype):
    """256 + 1 is 256 in bfloat16, so one after the other the ones would be lost."""

    def run():
        x = paddle.to_tensor(np.array([2048.0 if dist.get_rank() == 0 else 1.0], dtype))
        dist.all_reduce(x)
        return x.numpy()

    expected = np.array([2048 + 15], np.float32).astype(dtype)
    for found in run_ranks(16, run):
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, expected)


def test_the_mean_is_the_sum_divided():
    def run():
        x = tensor(dist.get_rank())
        dist.all_reduce(x, dist.ReduceOp.AVG)
        return x.numpy()

    for found in run_ranks(4, run):
        np.testing.assert_array_equal(found, all_given(4).mean(0, dtype="float32"))


def test_a_mean_of_integers_is_refused():
    with pytest.raises(DTypeError, match="take the sum"):
        run_ranks(2, lambda: dist.all_reduce(paddle.to_tensor([1, 2]), dist.ReduceOp.AVG))


def test_nan_is_the_maximum():
    def run():
        x = paddle.to_tensor([float("nan") if dist.get_rank() else 1.0])
        dist.all_reduce(x, dist.ReduceOp.MAX)
        return x.numpy()

    assert all(np.isnan(found).all() for found in run_ranks(2, run))


def test_reduce_changes_the_tensor_of_one_rank_alone():
    def run():
        x = tensor(dist.get_rank())
        dist.reduce(x, dst=2)
        return x.numpy()

    found = run_ranks(4, run)
    np.testing.assert_array_equal(found[2], all_given(4).sum(0))
    for rank in (0, 1, 3):
        np.testing.assert_array_equal(found[rank], given(rank))


@pytest.mark.parametrize("root", [0, 2])
def test_broadcast_gives_all_the_tensor_of_one(root):
    def run():
        x = tensor(dist.get_rank())
        dist.broadcast(x, src=root)
        return x.numpy()

    for found in run_ranks(3, run):
        np.testing.assert_array_equal(found, given(root))


@pytest.mark.parametrize("shape", [(3, 2), (), (0, 2), (1,)])
def test_all_gather_fills_a_list(shape):
    def run():
        found = []
        dist.all_gather(found, tensor(dist.get_rank(), "float32", shape))
        return [x.numpy() for x in found]

    for found in run_ranks(3, run):
        np.testing.assert_array_equal(found, all_given(3, "float32", shape))


def test_all_gather_fills_a_tensor():
    def run():
        found = paddle.zeros([9, 2])
        dist.stream.all_gather(found, tensor(dist.get_rank()))
        return found.numpy()

    for found in run_ranks(3, run):
        np.testing.assert_array_equal(found, all_given(3).reshape(9, 2))


def test_gather_fills_the_list_of_one_rank():
    def run():
        found = []
        dist.gather(tensor(dist.get_rank()), found, dst=1)
        return [x.numpy() for x in found]

    found = run_ranks(3, run)
    np.testing.assert_array_equal(found[1], all_given(3))
    assert found[0] == found[2] == []


def test_scatter_gives_each_its_own():
    def run():
        rank = dist.get_rank()
        x = paddle.zeros([3, 2])
        dist.scatter(x, [tensor(r) for r in range(3)] if rank == 1 else None, src=1)
        return x.numpy()

    for rank, found in enumerate(run_ranks(3, run)):
        np.testing.assert_array_equal(found, given(rank))


def test_reduce_scatter_gives_each_its_part_of_the_sum():
    def run():
        rank = dist.get_rank()
        x = paddle.zeros([3, 2])
        dist.reduce_scatter(x, [tensor(10 * rank + r) for r in range(3)])
        return x.numpy()

    for rank, found in enumerate(run_ranks(3, run)):
        np.testing.assert_array_equal(found, sum(given(10 * r + rank) for r in range(3)))


def test_alltoall_is_a_transpose():
    def run():
        rank, found = dist.get_rank(), []
        dist.alltoall(found, [tensor(10 * rank + r) for r in range(3)])
        return [x.numpy() for x in found]

    for rank, found in enumerate(run_ranks(3, run)):
        np.testing.assert_array_equal(found, [given(10 * r + rank) for r in range(3)])


def test_alltoall_single_may_be_uneven():
    def run():
        rank = dist.get_rank()
        sent = [rank + 1, 0, 2]
        x = paddle.arange(sum(sent), dtype="float32") + 100 * rank
        taken = [r + 1 for r in range(3)] if rank == 0 else [[0] * 3, [2] * 3][rank - 1]
        found = paddle.zeros([sum(taken)])
        dist.alltoall_single(found, x, sent, taken)
        return found.tolist()

    assert run_ranks(3, run) == [
        [0, 100, 101, 200, 201, 202],
        [],
        [1, 2, 102, 103, 203, 204],
    ]


def test_a_message_goes_around_a_ring():
    def run():
        rank, size = dist.get_rank(), dist.get_world_size()
        x = paddle.zeros([3, 2])
        ops = [
            dist.P2POp(dist.irecv, x, (rank - 1) % size),
            dist.P2POp(dist.isend, tensor(rank), (rank + 1) % size),
        ]
        for task in dist.batch_isend_irecv(ops):
            task.wait()
        return x.numpy()

    for rank, found in enumerate(run_ranks(4, run)):
        np.testing.assert_array_equal(found, given((rank - 1) % 4))


def test_messages_of_one_rank_arrive_in_order():
    def run():
        if dist.get_rank() == 0:
            for number in range(3):
                dist.send(paddle.to_tensor([float(number)]), dst=1)
            return None
        found = [paddle.zeros([1]) for _ in range(3)]
        for task in [dist.irecv(x, src=0) for x in found][::-1]:
            task.wait()
        return [x.item() for x in found]

    assert run_ranks(2, run)[1] == [0.0, 1.0, 2.0]


def test_objects_travel():
    def run():
        rank, gathered, scattered = dist.get_rank(), [], []
        dist.all_gather_object(gathered, {"rank": rank})
        sent = ["a", {1: 2}] if rank == 0 else [None, None]
        dist.broadcast_object_list(sent, src=0)
        dist.scatter_object_list(scattered, ["x", "y"] if rank == 1 else None, src=1)
        if rank == 0:
            dist.send_object_list([1, "two"], dst=1)
            received = None
        else:
            received = [None, None]
            dist.recv_object_list(received, src=0)
        return gathered, sent, scattered, received

    first, second = run_ranks(2, run)
    assert first == ([{"rank": 0}, {"rank": 1}], ["a", {1: 2}], ["x"], None)
    assert second == ([{"rank": 0}, {"rank": 1}], ["a", {1: 2}], ["y"], [1, "two"])


def test_a_task_brings_its_result_when_it_is_waited_for():
    def run():
        x, y = tensor(dist.get_rank()), tensor(dist.get_rank() + 10)
        first, second = dist.all_reduce(x, sync_op=False), dist.all_reduce(y, sync_op=False)
        assert second.wait() and first.wait()
        return x.numpy(), y.numpy()

    for x, y in run_ranks(3, run):
        np.testing.assert_array_equal(x, all_given(3).sum(0))
        np.testing.assert_array_equal(y, sum(given(r + 10) for r in range(3)))


def test_what_was_begun_is_done_before_the_next_collective():
    def run():
        x = tensor(dist.get_rank())
        dist.all_reduce(x, sync_op=False)
        dist.all_reduce(x)
        y = tensor(dist.get_rank())
        dist.all_reduce(y, sync_op=False)
        dist.wait(y)
        return x.numpy(), y.numpy()

    for x, y in run_ranks(2, run):
        np.testing.assert_array_equal(x, 2 * all_given(2).sum(0))
        np.testing.assert_array_equal(y, all_given(2).sum(0))


def test_groups_are_apart():
    def run():
        rank = dist.get_rank()
        even, odd = dist.new_group([0, 2]), dist.new_group([1, 3])
        own = odd if rank % 2 else even
        x = paddle.to_tensor([float(rank)])
        dist.all_reduce(x, group=own)
        dist.broadcast(y := paddle.to_tensor([rank]), src=own.ranks[1], group=own)
        ranks = (own.rank, own.nranks, even.is_member(), dist.get_rank(odd), own.id)
        return x.item(), y.item(), ranks, dist.get_group(own.id) is own

    found = run_ranks(4, run)
    assert [f[0] for f in found] == [2.0, 4.0, 2.0, 4.0]
    assert [f[1] for f in found] == [2, 3, 2, 3]
    assert found[0][2] == (0, 2, True, -1, 10)
    assert found[3][2] == (1, 2, False, 1, 11)
    assert all(f[3] for f in found)


def test_a_group_is_used_by_its_members():
    def run():
        group = dist.new_group([0])
        dist.all_reduce(paddle.ones([1]), group=group)

    with pytest.raises(ArgumentError, match=r"rank 1, is not in the group of ranks \[0\]"):
        run_ranks(2, run)


def test_all_ranks_have_joined():
    def run():
        group = dist.init_parallel_env()
        return dist.is_initialized(), group.ranks, dist.get_group(0) is group, dist.get_rank()

    assert run_ranks(2, run) == [(True, [0, 1], True, 0), (True, [0, 1], True, 1)]


MISTAKES = {
    "shapes": lambda r: dist.all_reduce(paddle.ones([2 + r])),
    "dtypes": lambda r: dist.all_reduce(paddle.ones([2], "float64" if r else "float32")),
    "reductions": lambda r: dist.all_reduce(paddle.ones([2]), r),
    "collectives": lambda r: dist.barrier() if r else dist.all_gather([], paddle.ones([2])),
    "roots": lambda r: dist.broadcast(paddle.ones([2]), src=r),
    "groups": lambda r: dist.new_group([r]),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_ranks_that_call_different_things_are_named(name):
    with pytest.raises(DistributedError, match=r"rank 0: (.|\n)*rank 1: "):
        run_ranks(2, lambda: MISTAKES[name](dist.get_rank()))


def test_after_a_mistake_ranks_can_go_on():
    def run():
        rank = dist.get_rank()
        with pytest.raises(DistributedError):
            dist.all_reduce(paddle.ones([2 + rank]))
        x = tensor(rank)
        dist.all_reduce(x)
        return x.numpy()

    for found in run_ranks(2, run):
        np.testing.assert_array_equal(found, all_given(2).sum(0))


def test_a_rank_that_has_ended_is_named():
    with pytest.raises(DistributedError, match=r"rank 1 has ended, and rank 0 waits for it"):
        run_ranks(2, lambda: dist.get_rank() or dist.barrier())


def test_a_message_from_a_rank_that_has_ended_is_not_waited_for():
    with pytest.raises(DistributedError, match="rank 1 has ended"):
        run_ranks(2, lambda: dist.get_rank() or dist.recv(paddle.zeros([1]), src=1))


@pytest.mark.parametrize(
    ("x", "text"), [([2], "2 elements of float32"), ([3], "float32")], ids=["size", "dtype"]
)
def test_a_message_that_does_not_fit_is_named(x, text):
    def run():
        if dist.get_rank():
            dist.recv(paddle.zeros([3], "int64" if x == [3] else "float32"), src=0)
        else:
            dist.send(paddle.zeros(x), dst=1)

    with pytest.raises(DistributedError, match=f"rank 0 has sent {text}(.|\n)*expects"):
        run_ranks(2, run)


@pytest.mark.parametrize("rank", [2, -1])
def test_a_rank_that_there_is_not_is_named(rank):
    with pytest.raises(ArgumentError, match=f"rank {rank} is not in the group"):
        run_ranks(2, lambda: dist.broadcast(paddle.ones([2]), src=rank))


def test_rows_that_ranks_cannot_share_are_named():
    with pytest.raises(ShapeError, match="2 processes cannot share 3 rows"):
        run_ranks(2, lambda: dist.reduce_scatter(paddle.zeros([2]), paddle.zeros([3])))
    with pytest.raises(ShapeError, match="rank 0 sends 2 rows to rank 0, which takes 1"):
        run_ranks(
            2,
            lambda: dist.alltoall_single(paddle.zeros([2]), paddle.zeros([4]), [2, 2], [1, 1]),
        )


def test_a_group_in_which_a_collective_was_given_up_makes_no_more():
    """Who comes late would take what the one who left gave, for what it gives next."""

    def run():
        group = dist.new_group([0, 1], timeout=timedelta(seconds=0.2))
        rank, told = dist.get_rank(), []
        for n in range(2):
            if rank == 1 and n == 0:
                dist.barrier()  # so that it comes late to the first
            try:
                dist.all_reduce(paddle.full([3], float(n)), group=group)
            except DistributedError as error:
                told.append(str(error).splitlines()[0])
            if rank == 0 and n == 0:
                dist.barrier()
        dist.barrier()
        return told

    first, second = run_ranks(2, run)
    assert "rank 0 has waited 0 seconds for others in all_reduce sum of float32[3]" in first[0]
    assert "the group of the ranks [0, 1] has ended on rank 0 with a collective" in first[1]
    assert first[1].endswith(first[0].removeprefix("all_reduce_sum: "))
    assert "rank 1 has waited" in second[0]  # the world goes on


def test_what_cannot_be_pickled_is_told_before_others_wait():
    def run():
        rank, found = dist.get_rank(), []
        if rank:
            with pytest.raises(Exception, match="pickle"):
                dist.all_gather_object(found, lambda: 1)
        dist.all_gather_object(found, rank)
        return found

    assert run_ranks(2, run) == [[0, 1]] * 2


def test_a_rank_that_was_refused_a_group_is_in_the_next_one():
    def run():
        rank = dist.get_rank()
        if rank:
            with pytest.raises(ArgumentError, match="ranks of this world are 0 to 1"):
                dist.new_group([0, 5])
        with pytest.raises(DistributedError, match="different collectives"):
            dist.barrier() if rank else dist.new_group([0, 1])
        group = dist.new_group([0, 1])
        x = tensor(rank)
        dist.all_reduce(x, group=group)
        return group.id, x.tolist()

    first, second = run_ranks(2, run)
    assert first == second
    assert first[1] == all_given(2).sum(0).tolist()


def test_a_message_that_was_given_up_is_for_the_next_who_receives():
    def run():
        group = dist.new_group([0, 1], timeout=timedelta(seconds=0.1))
        rank, x = dist.get_rank(), tensor(0)
        if rank:
            with pytest.raises(DistributedError, match="has waited 0 seconds"):
                dist.recv(x, src=0, group=group)
        dist.barrier()
        if rank == 0:
            dist.send(tensor(5), dst=1, group=group)
        dist.barrier()
        if rank:
            dist.recv(x, src=0, group=group)
        return x.tolist()

    assert run_ranks(2, run)[1] == tensor(5).tolist()


def test_the_error_of_a_task_is_raised_once():
    """By who waits for it; the next call is none of its business."""

    def run():
        rank = dist.get_rank()
        task = dist.all_reduce(paddle.ones([2 + rank]), sync_op=False)
        with pytest.raises(DistributedError, match="different collectives"):
            task.wait()
        x = tensor(rank)
        dist.all_reduce(x)
        forgotten = dist.all_reduce(paddle.ones([2 + rank]), sync_op=False)
        with pytest.raises(DistributedError, match="different collectives"):
            dist.barrier()  # nobody has waited
        assert forgotten.is_completed()
        return x.numpy()

    for found in run_ranks(2, run):
        np.testing.assert_array_equal(found, all_given(2).sum(0))
