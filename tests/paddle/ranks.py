"""A script of two processes, for the real Paddle and for twinoar: what each collective gives."""

import json
import sys
from pathlib import Path

import numpy as np
import paddle
import paddle.distributed as dist

DTYPES = ["float32", "float64", "int32", "int64", "uint8", "int8"]
REDUCTIONS = ["SUM", "MAX", "MIN", "PROD"]


def given(rank, dtype):
    return np.random.RandomState(rank).randint(0, 4, (4, 2)).astype(dtype)


def plain(tensor):
    return tensor.astype("float64").numpy().tolist()


def of_dtype(rank, dtype):
    """Results by name; Paddle's gloo has neither alltoall nor reduce_scatter."""

    def x():
        return paddle.to_tensor(given(rank, dtype))

    found = {}
    for name in REDUCTIONS:
        t = x()
        dist.all_reduce(t, getattr(dist.ReduceOp, name))
        found[name] = plain(t)
    gathered, collected = [], []
    dist.all_gather(gathered, x())
    dist.gather(x(), collected if rank == 0 else None, dst=0)
    found["all_gather"], found["gather"] = map(plain, gathered), map(plain, collected)
    found = {k: v if isinstance(v, list) else list(v) for k, v in found.items()}
    shared, reduced, scattered = x(), x(), paddle.zeros([4, 2], dtype)
    dist.broadcast(shared, src=1)
    dist.reduce(reduced, dst=1)
    dist.scatter(scattered, [x(), x() + 1] if rank == 0 else None, src=0)
    found["broadcast"], found["scatter"] = plain(shared), plain(scattered)
    found["reduce"] = plain(reduced) if rank == 1 else None
    if rank == 0:
        dist.send(x(), dst=1)
    else:
        received = paddle.zeros([4, 2], dtype)
        dist.recv(received, src=0)
        found["recv"] = plain(received)
    return found


def objects(rank):
    gathered, shared, scattered = [], [rank, "x"], []
    dist.all_gather_object(gathered, {"rank": rank})
    dist.broadcast_object_list(shared, src=1)
    dist.scatter_object_list(scattered, ["a", "b"] if rank == 0 else None, src=0)
    return [gathered, shared, scattered]


def who():
    group, env = dist.new_group([0, 1]), dist.ParallelEnv()
    return [
        [group.id > 0, group.rank, group.nranks, group.ranks, dist.get_rank(group)],
        [dist.get_world_size(group), dist.is_initialized(), dist.get_group(0).nranks],
        [dist.get_backend(), env.rank, env.world_size, env.local_rank, env.nranks],
    ]


def gradient(rank):
    x = paddle.to_tensor([1.0 + rank, 2.0], stop_gradient=False)
    y = x * x
    dist.all_reduce(y, sync_op=False).wait()
    y.sum().backward()
    return [plain(y), plain(x.grad)]


def trained(rank):
    model = paddle.nn.Sequential(paddle.nn.Linear(4, 3), paddle.nn.Tanh(), paddle.nn.Linear(3, 2))
    for i, p in enumerate(model.parameters()):
        p.set_value(np.random.RandomState(i + 10 * rank).randn(*p.shape).astype("float32"))
    parallel = paddle.DataParallel(model)
    adam = paddle.optimizer.Adam(0.01, parameters=parallel.parameters())
    for step in range(5):
        x = np.random.RandomState(2 * step + rank).randn(3, 4).astype("float32")
        (parallel(paddle.to_tensor(x)) ** 2).mean().backward()
        adam.step()
        adam.clear_grad()
    return [plain(p) for p in model.parameters()]


if __name__ == "__main__":
    dist.init_parallel_env()
    own = dist.get_rank()
    results = {dtype: of_dtype(own, dtype) for dtype in DTYPES}
    results |= {"objects": objects(own), "who": who(), "gradient": gradient(own)}
    results["trained"] = trained(own)
    (Path(sys.argv[1]) / f"{own}.json").write_text(json.dumps(results))
