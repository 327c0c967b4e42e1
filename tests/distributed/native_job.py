"""What real processes do for tests/distributed/test_native_collectives.py: each writes it down."""

import json
import sys
import time
from pathlib import Path

import ml_dtypes
import numpy as np

import twinoar as paddle
import twinoar.distributed as dist
import twinoar.ops.collective.exchange
import twinoar.ops.collective.root
from twinoar.backends.mpi.board import MOST_BEGUN
from twinoar.backends.mpi.flight import Asked, Flight, function_of
from twinoar.backends.mpi.words import SLOTS
from twinoar.errors import DistributedError
from twinoar.runtime.collective import combined, current_world

DTYPES = (
    *("float32", "float64", "float16", ml_dtypes.bfloat16, "int8", "int32", "int64", "uint16"),
    *("bool", ml_dtypes.float8_e4m3fn, "complex64"),
)
# One element, a frame's, less and more than all to all takes, more pieces than travel at once.
SIZES = (0, 1, 3, 17, 100, 1500, 70_001, 700_001)
REDUCTIONS = ("sum", "prod", "max", "min", "avg")


def given(rank, size, dtype):
    """Numbers of a rank; a nan among floats, which extremes keep."""
    found = (np.random.default_rng(rank).standard_normal(size) * 3).astype(dtype)
    if size == 17 and rank == 0 and found.dtype.kind in "fV":
        found[3] = np.nan
    return found


def has_meaning(dtype, reduction):
    kind = np.dtype(dtype).kind
    return not (
        (kind in "biu" and reduction == "avg") or (kind == "c" and reduction in ("max", "min"))
    )


def wrong_bits(there, dtypes=DTYPES):
    """The calls that do not give the bits that NumPy gives in the order of ranks."""
    wrong = []
    for dtype in dtypes:
        is_slow = np.dtype(dtype).kind == "V" and np.dtype(dtype).itemsize == 1
        for size in (n for n in SIZES if n < 2000 or not is_slow):
            arrays = [given(r, size, dtype) for r in range(there.size)]
            own, name = arrays[there.rank], f"{np.dtype(dtype)}[{size}]"
            found = {"all_gather": (there.all_gather(own), np.stack(arrays))}
            root = there.size - 1
            found["broadcast"] = there.broadcast(own, root), arrays[root]
            for reduction in (r for r in REDUCTIONS if has_meaning(dtype, r)):
                if reduction == "avg" and np.dtype(dtype).kind == "c":
                    continue
                total = combined(arrays, reduction)
                rows = np.stack([own] * there.size)
                found[reduction] = there.all_reduce(own, reduction), total
                found[f"{reduction} scattered"] = there.reduce_scatter(rows, reduction), total
            wrong += [f"{k} {name}" for k, (x, y) in found.items() if x.tobytes() != y.tobytes()]
    return wrong


def compiled_steps(there):
    """Collectives in compiled steps that differ from those of eager calls, which others test."""
    size, rank = there.size, there.rank
    total = paddle.ops.collective.all_reduce
    exchange, root = paddle.ops.collective.exchange, paddle.ops.collective.root
    calls = {
        "sum": lambda x: total.all_reduce_sum(x),
        "max": lambda x: total.all_reduce_max(x),
        "mean": lambda x: total.all_reduce_avg(x),
        "gathered": lambda x: exchange.all_gather_rows(x, 0, size),
        "scattered": lambda x: exchange.reduce_scatter_rows(x, "sum", 0, size),
        "broadcast": lambda x: root.broadcast_from(x, size - 1),
        "twice": lambda x: total.all_reduce_sum(total.all_reduce_sum(x) * 0.5),
    }
    wrong = []
    for rows in (size, 40 * size, 4000 * size):
        for dtype in ("float32", "bfloat16", "float64"):
            x = paddle.to_tensor(given(rank, rows * 3, "float32")).reshape([rows, 3]).astype(dtype)
            for name, call in calls.items():
                step = paddle.jit.to_static(lambda x, call=call: call(x + 1))
                eager = call(x + 1)
                for _ in range(3):
                    found = step(x)
                if found.numpy().tobytes() != eager.numpy().tobytes():
                    wrong.append(f"{name} {dtype}[{rows},3]")
    return wrong


def one_against_the_other(rank):
    """What ranks are told that call different things, one of them in a compiled step."""
    step = paddle.jit.to_static(lambda x: paddle.ops.collective.all_reduce.all_reduce_sum(x * 2))
    told = []
    for rows in (3, 3000):
        try:
            step(paddle.ones([rows])) if rank == 0 else dist.barrier()
        except DistributedError as error:
            told.append(str(error).splitlines()[0])
    x = paddle.ones([2])
    dist.all_reduce(x)
    return told, x.tolist(), step(paddle.ones([3])).tolist()


def number_of_all(engine, one, tells):
    """A flight of a number, which all ranks give, and where the sum will be."""
    given, found = np.full(1, one, np.float32), np.zeros(1, np.float32)
    flight = Flight(engine, Asked("all_reduce", "sum", "float32", 4), 7, tells)
    flight.place("x", given.ctypes.data)
    flight.place("out", found.ctypes.data)
    return flight, found, given


def late(there):
    """Sums that are begun and waited for after the board has gone round; those in between."""
    waited = [number_of_all(there.native, 1, 0)]
    begun = [number_of_all(there.native, 2 + k, 1 + k) for k in range(MOST_BEGUN)]
    for flight, _, _ in begun:
        function_of("begin")(flight.address)
    totals = set()
    for k in range(3 * SLOTS):
        if k % 300 == there.rank:
            time.sleep(0.01)  # others are ahead meanwhile
        flight, found, _ = waited[0]
        found[0] = 0
        flight.run()
        totals.add(float(found[0]))
    for flight, _, _ in begun:
        assert not function_of("await")(flight.address)
    return sorted(totals), [float(found[0]) for _, found, _ in begun]


def sent_before(rank):
    """A large message whose receiver comes to a sum when it has it, and its sender at once."""
    x, received = paddle.arange(4_000_000, dtype="float32"), paddle.zeros([4_000_000])
    task = dist.isend(x, 1) if rank == 0 else None
    if rank == 1:
        dist.recv(received, 0)
    total = paddle.ones([1])
    dist.all_reduce(total)
    if task is not None:
        task.wait()
    return total.item(), rank != 1 or bool((received == x).all())


def by_messages():
    """The group of all, whose frames travel in messages as if ranks shared no memory."""
    there = current_world().of(dist.new_group().id)
    there.native.board = None
    return there


def main():
    dist.init_parallel_env()
    there = current_world().all
    found = {"native": there.native is not None, "wrong": wrong_bits(there)}
    found["compiled"] = compiled_steps(there)
    found["told"] = one_against_the_other(there.rank)
    found["board"] = there.native.board is not None
    found["late"] = late(there)
    found["sent before"] = sent_before(there.rank)
    found["wrong by messages"] = wrong_bits(by_messages(), ("float32",))
    (Path(sys.argv[1]) / f"{there.rank}.json").write_text(json.dumps(found))


if __name__ == "__main__":
    main()
