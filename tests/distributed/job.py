"""What two real processes do, for tests/distributed/test_mpi.py: each writes what it found."""

import json
import sys
import time
from pathlib import Path

import ml_dtypes
import numpy as np

import twinoar as paddle
import twinoar.distributed as dist
from tests.distributed.mesh_steps import WAYS, train
from twinoar import nn
from twinoar.errors import DistributedError

NUMBERS = {"SUM": np.add, "MAX": np.maximum, "MIN": np.minimum, "PROD": np.multiply}
DTYPES = [
    *("float32", "float64", "float16", ml_dtypes.bfloat16, "int8", "int16", "int32", "int64"),
    *("uint8", "bool", "complex64", "complex128"),
]


def given(rank, dtype):
    values = np.random.default_rng(rank).integers(0, 3, (5, 2))
    return values.astype(dtype)


def reductions(rank):
    """The dtypes and reductions that are not NumPy's; small, and so large that parts travel."""
    wrong = []
    for dtype in DTYPES:
        for name, function in NUMBERS.items():
            if np.dtype(dtype).kind == "c" and name in ("MAX", "MIN"):
                continue
            x = paddle.to_tensor(given(rank, dtype))
            dist.all_reduce(x, getattr(dist.ReduceOp, name))
            if not np.array_equal(x.numpy(), function(given(0, dtype), given(1, dtype))):
                wrong.append(f"{name} {dtype}")
    return wrong


def collectives(rank):
    """What each collective gives, as lists."""
    x = paddle.to_tensor([10.0 * rank, 10.0 * rank + 1])
    gathered, collected, exchanged, objects = [], [], [], []
    dist.all_gather(gathered, x)
    dist.gather(x, collected, dst=1)
    dist.alltoall(exchanged, [x[:1], x[1:]])
    dist.all_gather_object(objects, {"rank": rank})
    summed, scattered, uneven = paddle.zeros([1]), paddle.zeros([2]), paddle.zeros([4 - 2 * rank])
    dist.reduce_scatter(summed, [x[:1], x[1:]])
    dist.scatter(scattered, [x, x + 5] if rank == 1 else None, src=1)
    dist.alltoall_single(uneven, paddle.arange(3.0) + rank, [2, 1], [2 - rank] * 2)
    sent, received = x * 2, paddle.zeros([2])
    tasks = dist.batch_isend_irecv(
        [dist.P2POp(dist.irecv, received, 1 - rank), dist.P2POp(dist.isend, sent, 1 - rank)]
    )
    for task in tasks:
        task.wait()
    kept = paddle.to_tensor([float(rank)])
    dist.broadcast(kept, src=1)
    reduced = x.clone()
    dist.reduce(reduced, dst=0, op=dist.ReduceOp.AVG)
    later = x.clone()
    dist.all_reduce(later, sync_op=False).wait()
    alone = dist.new_group([1])
    if alone.is_member():
        dist.all_reduce(kept, group=alone)
    lists = {"all_gather": gathered, "gather": collected, "alltoall": exchanged}
    tensors = {
        "reduce_scatter": summed, "scatter": scattered, "alltoall_single": uneven,
        "irecv": received, "broadcast": kept, "reduce": reduced, "task": later,
    }  # fmt: skip
    found = {name: [t.tolist() for t in ts] for name, ts in lists.items()}
    return {**found, **{name: t.tolist() for name, t in tensors.items()}, "objects": objects}


def mistakes(rank):
    """What ranks that do not fit together are told."""
    told = {}
    calls = {
        "shape": lambda: dist.all_reduce(paddle.ones([2 + rank])),
        "kind": lambda: dist.barrier() if rank else dist.all_gather([], paddle.ones([2])),
        "message": lambda: (
            dist.recv(paddle.zeros([3], "int64"), src=0)
            if rank
            else dist.send(paddle.zeros([3]), dst=1)
        ),
    }
    for name, call in calls.items():
        try:
            call()
        except DistributedError as error:
            told[name] = str(error)
    x = paddle.ones([1])
    dist.all_reduce(x)
    told["afterwards"] = x.item()
    return told


def mlp():
    return nn.Sequential(nn.Linear(784, 16), nn.Tanh(), nn.Linear(16, 10))


def lenet():
    return paddle.vision.models.LeNet()


def batch(step):
    numbers = np.random.default_rng(step)
    return numbers.standard_normal((8, 1, 28, 28)).astype("float32"), numbers.integers(
        0, 10, (8, 1)
    )


def trained(make, parallel, compiled=False, steps=20):
    """The parameters after some steps on the batches, or on this rank's part of them."""
    paddle.seed(0)
    model = make()
    numbers = np.random.default_rng(0)
    for p in model.parameters():
        p.set_value((numbers.standard_normal(p.shape) * 0.1).astype("float32"))
    model = paddle.DataParallel(model) if parallel else model
    rule = paddle.optimizer.Momentum(0.05, parameters=model.parameters())

    def step(x, y):
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        rule.step()
        rule.clear_grad()
        return loss

    run = paddle.jit.to_static(step) if compiled else step
    rank, size = (dist.get_rank(), dist.get_world_size()) if parallel else (0, 1)
    for number in range(steps):
        x, y = batch(number)
        rows = slice(rank * 8 // size, (rank + 1) * 8 // size)
        run(paddle.to_tensor(x[rows].reshape(INPUTS[make])), paddle.to_tensor(y[rows]))
    return [p.numpy() for p in model.parameters()]


INPUTS = {mlp: (-1, 784), lenet: (-1, 1, 28, 28)}
TRAINED = {"mlp": (mlp, False), "lenet": (lenet, False), "compiled": (mlp, True)}


def in_program(parallel, steps=5):
    """The losses of a static Program, whose gradients are means over ranks where `parallel`."""
    fleet = dist.fleet.Fleet()
    if parallel:
        fleet.init(is_collective=True)
    rank, size = (dist.get_rank(), dist.get_world_size()) if parallel else (0, 1)
    paddle.enable_static()
    try:
        main, startup = paddle.static.Program(), paddle.static.Program()
        with paddle.static.program_guard(main, startup):
            x = paddle.static.data("x", [None, 4])
            y = paddle.static.data("y", [None, 1])
            weight = paddle.ParamAttr(
                f"w{size}", initializer=paddle.nn.initializer.Constant(0.5 - rank)
            )
            out = paddle.static.nn.fc(x, 1, weight_attr=weight, bias_attr=False)
            loss = ((out - y) ** 2).mean()
            rule = paddle.optimizer.SGD(0.1)
            if parallel:
                rule = fleet.distributed_optimizer(rule)
            rule.minimize(loss)
        executor = paddle.static.Executor()
        executor.run(startup)
        for step in range(steps):
            numbers = np.random.default_rng(step)
            x, y = (numbers.standard_normal((4, n)).astype("float32") for n in (4, 1))
            rows = slice(rank * 4 // size, (rank + 1) * 4 // size)
            executor.run(main, feed={"x": x[rows], "y": y[rows]}, fetch_list=[loss])
        return np.array(paddle.static.global_scope().find_var(f"w{size}").get_tensor()).tolist()
    finally:
        paddle.disable_static()


def waited(rank, seconds=1.5):
    """Processor seconds that a rank spends while it waits for another."""
    if rank:
        time.sleep(seconds)
    before = time.process_time()
    dist.barrier()
    return time.process_time() - before


class Squares(paddle.io.Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return np.float32(index * index)


def loaded():
    """What the workers of a DataLoader bring this rank."""
    data = Squares()
    sampler = paddle.io.DistributedBatchSampler(data, 2)
    loader = paddle.io.DataLoader(data, batch_sampler=sampler, num_workers=1)
    return [x.tolist() for x in loader]


ON_TWO = ("data", "parameters too", "tensor")


def on_mesh(way):
    """The losses of steps on a mesh of the two."""
    return train("perceptron", *WAYS[way], True)["losses"]


def main():
    folder = Path(sys.argv[1])
    group = dist.init_parallel_env()
    rank = dist.get_rank()
    found = {
        "ranks": group.ranks,
        "reductions": reductions(rank),
        "collectives": collectives(rank),
        "mistakes": mistakes(rank),
        "loaded": loaded(),
        "waited": waited(rank),
        "program": in_program(True),
        "mesh": {way: on_mesh(way) for way in ON_TWO},
    }
    (folder / f"found.{rank}.json").write_text(json.dumps(found))
    arrays = {}
    for run in (0, 1):
        for name, (make, compiled) in TRAINED.items():
            values = trained(make, True, compiled, 20 if run == 0 or name == "mlp" else 3)
            arrays.update({f"{name}.{run}.{i}": x for i, x in enumerate(values)})
    np.savez(folder / f"trained.{rank}.npz", **arrays)


if __name__ == "__main__":
    main()
