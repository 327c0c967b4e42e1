"""What real processes do for tests/distributed/test_native_collectives.py: each writes it down."""

import json
import sys
from pathlib import Path

import ml_dtypes
import numpy as np

import twinoar.distributed as dist
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


def wrong_bits(there):
    """The calls that do not give the bits that NumPy gives in the order of ranks."""
    wrong = []
    for dtype in DTYPES:
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


def main():
    dist.init_parallel_env()
    there = current_world().all
    found = {"native": there.native is not None, "wrong": wrong_bits(there)}
    (Path(sys.argv[1]) / f"{there.rank}.json").write_text(json.dumps(found))


if __name__ == "__main__":
    main()
