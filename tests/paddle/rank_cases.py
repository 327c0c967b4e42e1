"""Small scripts of two processes, for the real Paddle and for twinoar: a function each."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import paddle
import paddle.distributed as dist

DTYPES = ("float16", "bfloat16", "float32", "float64", "int8", "uint8", "int32", "int64", "bool")
ORDERED = ("float32", "float64", "int8", "uint8", "int32", "int64")
CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def given(dtype="float32", shape=(3, 2), rank=None):
    own = dist.get_rank() if rank is None else rank
    return paddle.to_tensor(np.random.RandomState(own + 1).randint(0, 4, shape)).astype(dtype)


def plain(x):
    return None if x is None else x.astype("float64").numpy().tolist()


def of_dtypes(dtypes, call):
    return {dtype: call(dtype) for dtype in dtypes}


def reduced(name, dtypes):
    def call(dtype):
        x = given(dtype)
        dist.all_reduce(x, getattr(dist.ReduceOp, name))
        return plain(x)

    return of_dtypes(dtypes, call)


@case
def all_reduce_sum():
    return reduced("SUM", ORDERED)


@case
def all_reduce_max():
    return reduced("MAX", ORDERED)


@case
def all_reduce_min():
    return reduced("MIN", ORDERED)


@case
def all_reduce_prod():
    return reduced("PROD", ORDERED)


def rooted(name, root):
    def call(dtype):
        x = given(dtype)
        dist.reduce(x, dst=root, op=getattr(dist.ReduceOp, name))
        return plain(x) if dist.get_rank() == root else None

    return of_dtypes(ORDERED, call)


@case
def reduce_sum_to_the_first():
    return rooted("SUM", 0)


@case
def reduce_max_to_the_second():
    return rooted("MAX", 1)


@case
def reduce_min_to_the_first():
    return rooted("MIN", 0)


@case
def reduce_prod_to_the_second():
    return rooted("PROD", 1)


@case
def all_gather_of_every_dtype():
    def call(dtype):
        found = []
        dist.all_gather(found, given(dtype))
        return [plain(x) for x in found] + [str(x.dtype) for x in found]

    return of_dtypes(DTYPES, call)


@case
def all_gather_of_one_element_and_of_three_dimensions():
    scalars, blocks = [], []
    dist.all_gather(scalars, given(shape=(1,)))
    dist.all_gather(blocks, given(shape=(2, 1, 3)))
    return [plain(x) for x in (*scalars, *blocks)]


@case
def broadcast_from_each():
    def call(dtype):
        found = []
        for source in (0, 1):
            x = given(dtype)
            dist.broadcast(x, src=source)
            found.append(plain(x))
        return found

    return of_dtypes(DTYPES, call)


@case
def scatter_from_each():
    def call(dtype):
        found = []
        for source in (0, 1):
            into = paddle.zeros([3, 2]).astype(dtype)
            parts = [given(dtype), given(dtype, rank=5)] if dist.get_rank() == source else None
            dist.scatter(into, parts, src=source)
            found.append(plain(into))
        return found

    return of_dtypes(DTYPES, call)


@case
def gather_to_each():
    found = []
    for target in (0, 1):
        into = []
        dist.gather(given(), into if dist.get_rank() == target else None, dst=target)
        found.append([plain(x) for x in into])
    return found


@case
def send_and_recv_of_every_dtype():
    def call(dtype):
        if dist.get_rank() == 0:
            dist.send(given(dtype), dst=1)
            return None
        into = paddle.zeros([3, 2]).astype(dtype)
        dist.recv(into, src=0)
        return plain(into)

    return of_dtypes(DTYPES, call)


@case
def send_there_and_back():
    x, into = given(), paddle.zeros([3, 2])
    if dist.get_rank() == 0:
        dist.send(x, dst=1)
        dist.recv(into, src=1)
    else:
        dist.recv(into, src=0)
        dist.send(into * 2, dst=0)
    return plain(into)


@case
def isend_and_irecv():
    into = paddle.zeros([3, 2])
    task = dist.isend(given(), dst=1) if dist.get_rank() == 0 else dist.irecv(into, src=0)
    task.wait()
    return plain(into)


@case
def messages_keep_their_order():
    found = []
    for n in range(3):
        if dist.get_rank() == 0:
            dist.send(given() + n, dst=1)
        else:
            into = paddle.zeros([3, 2])
            dist.recv(into, src=0)
            found.append(plain(into))
    return found


@case
def objects_of_all():
    found = []
    dist.all_gather_object(found, {"rank": dist.get_rank(), "parts": [1, "x", None, (2.5,)]})
    return found


@case
def objects_of_other_lengths():
    found = []
    dist.all_gather_object(found, "x" * (1 + 300 * dist.get_rank()))
    return found


@case
def objects_from_each():
    found = []
    for source in (0, 1):
        shared = [dist.get_rank(), {"k": [source]}]
        dist.broadcast_object_list(shared, src=source)
        found.append(shared)
    return found


@case
def objects_scattered():
    into = []
    dist.scatter_object_list(into, [{"a": 1}, [2, 3]] if dist.get_rank() == 1 else None, src=1)
    return into


@case
def task_of_all_reduce():
    x = given()
    task = dist.all_reduce(x, sync_op=False)
    task.wait()
    return [plain(x), task.is_completed()]


@case
def task_of_broadcast():
    x = given()
    dist.broadcast(x, src=1, sync_op=False).wait()
    return plain(x)


@case
def task_of_all_gather():
    found = []
    dist.all_gather(found, given(), sync_op=False).wait()
    return [plain(x) for x in found]


@case
def stream_all_reduce():
    x, y = given(), given("int64")
    dist.stream.all_reduce(x)
    dist.stream.all_reduce(y, op=dist.ReduceOp.MAX, sync_op=False).wait()
    return [plain(x), plain(y)]


@case
def stream_broadcast_and_reduce():
    x, y = given(), given()
    dist.stream.broadcast(x, src=1)
    dist.stream.reduce(y, dst=0)
    return [plain(x), plain(y) if dist.get_rank() == 0 else None]


@case
def stream_all_gather():
    found = []
    dist.stream.all_gather(found, given())
    return [plain(x) for x in found]


@case
def stream_all_gather_into_a_tensor():
    into = paddle.zeros([6, 2])
    dist.stream.all_gather(into, given())
    return plain(into)


@case
def stream_scatter():
    into = paddle.zeros([3, 2])
    dist.stream.scatter(into, [given(), given() + 1] if dist.get_rank() == 0 else None, src=0)
    return plain(into)


@case
def stream_send_and_recv():
    into = paddle.zeros([3, 2])
    if dist.get_rank() == 0:
        dist.stream.send(given(), dst=1)
    else:
        dist.stream.recv(into, src=0)
    return plain(into)


@case
def barrier_returns_nothing():
    return dist.barrier()


@case
def group_of_both():
    group = dist.new_group([0, 1])
    x = given()
    dist.all_reduce(x, group=group)
    return [plain(x), group.ranks, group.nranks, group.rank, group.get_group_rank(1)]


@case
def groups_of_one():
    """Of these Paddle says that nobody is a member."""
    groups = [dist.new_group([0]), dist.new_group([1])]
    return [[g.ranks, g.nranks] for g in groups]


@case
def group_by_its_number():
    group = dist.new_group([0, 1])
    return [dist.get_group(group.id) is group, dist.get_group(0).ranks]


@case
def ranks_and_sizes():
    env = dist.ParallelEnv()
    return [
        dist.get_rank(), dist.get_world_size(), dist.is_initialized(), dist.is_available(),
        dist.get_backend(), env.rank, env.world_size, env.local_rank, env.nranks,
    ]  # fmt: skip


@case
def no_gradient_through_all_reduce():
    x = paddle.to_tensor([1.0 + dist.get_rank(), 2.0], stop_gradient=False)
    y = x * x
    dist.all_reduce(y)
    y.sum().backward()
    return [plain(y), plain(x.grad)]


def network():
    made = paddle.nn.Sequential(paddle.nn.Linear(4, 3), paddle.nn.Tanh(), paddle.nn.Linear(3, 2))
    for i, p in enumerate(made.parameters()):
        numbers = np.random.RandomState(i + 10 * dist.get_rank())
        p.set_value(numbers.randint(-2, 3, p.shape).astype("float32") / 2)
    return made


@case
def data_parallel_gives_all_the_first_parameters():
    parallel = paddle.DataParallel(network())
    return [plain(p) for p in parallel.parameters()]


@case
def data_parallel_names_are_those_of_the_network():
    parallel = paddle.DataParallel(network())
    return [sorted(parallel.state_dict()), [n for n, _ in parallel.named_parameters()]]


@case
def no_sync_leaves_gradients():
    layer = paddle.nn.Linear(2, 1, bias_attr=False)
    layer.weight.set_value(np.ones((2, 1), "float32"))
    parallel = paddle.DataParallel(layer)
    x = given("float32")
    with parallel.no_sync():
        parallel(x).sum().backward()
    alone = plain(layer.weight.grad)
    parallel(x).sum().backward()
    return [alone, plain(layer.weight.grad)]


@case
def batches_of_a_sampler():
    class Numbers(paddle.io.Dataset):
        def __len__(self):
            return 11

        def __getitem__(self, index):
            return index

    plain_ones = paddle.io.DistributedBatchSampler(Numbers(), 2)
    dropping = paddle.io.DistributedBatchSampler(Numbers(), 2, drop_last=True)
    return [list(plain_ones), len(plain_ones), list(dropping), len(dropping)]


@case
def rows_on_a_mesh_of_one_dimension():
    mesh = dist.ProcessMesh([0, 1], dim_names=["x"])
    found = []
    for rows in (1, 2, 5, 6):
        x = dist.shard_tensor(np.arange(3.0 * rows).reshape(rows, 3), mesh, [dist.Shard(0)])
        found.append([x.shape, plain(x._local_value()), list(map(str, x.placements))])
    return found


@case
def columns_move_to_rows():
    mesh = dist.ProcessMesh([0, 1], dim_names=["x"])
    x = dist.shard_tensor(np.arange(15.0).reshape(5, 3), mesh, [dist.Shard(1)])
    found = [plain(x._local_value())]
    for then in ([dist.Replicate()], [dist.Shard(1)]):
        x = dist.reshard(x, mesh, then)
        found.append([plain(x._local_value()), list(map(str, x.placements))])
    return found


@case
def dtypes_on_a_mesh():
    mesh = dist.ProcessMesh([0, 1], dim_names=["x"])

    def call(dtype):
        x = dist.shard_tensor(given(dtype, (5, 2), rank=0), mesh, [dist.Shard(0)])
        return [plain(x._local_value()), str(x.dtype)]

    return of_dtypes(("float32", "float64", "int32", "int64", "bool"), call)


@case
def what_is_computed_on_a_mesh():
    mesh = dist.ProcessMesh([0, 1], dim_names=["x"])
    x = dist.shard_tensor(np.arange(12.0).reshape(4, 3), mesh, [dist.Shard(0)])
    weight = dist.shard_tensor(np.ones((3, 2)), mesh, [dist.Replicate()])
    y = paddle.matmul(x, weight)
    return [plain(y._local_value()), plain((x + 1)._local_value()), plain(x.sum())]


def main():
    dist.init_parallel_env()
    found = {}
    for name in sys.argv[2:] or CASES:
        try:
            found[name] = CASES[name]()
        except Exception as error:  # the next ones are to be compared all the same
            found[name] = f"{type(error).__name__} in rank {dist.get_rank()}: {error}"
    (Path(sys.argv[1]) / f"{dist.get_rank()}.json").write_text(json.dumps(found))


if __name__ == "__main__":
    main()
