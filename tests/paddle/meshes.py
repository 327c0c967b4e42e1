"""A script of four processes, for the real Paddle and for twinoar: what each keeps of a tensor."""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path

import numpy as np
import paddle
import paddle.distributed as dist

LIES = [dist.Replicate(), dist.Shard(0), dist.Shard(1), dist.Partial()]
WAYS = [
    list(pair)
    for pair in itertools.product(LIES, repeat=2)
    if pair[0] != pair[1] or not pair[0].is_shard()
]


def is_served(first, then):
    """Paddle's gloo has no reduce_scatter: no sum is moved to where it is cut."""
    return not any(a.is_partial() and b.is_shard() for a, b in zip(first, then, strict=True))


def shown(x):
    return [x.shape, list(map(str, x.placements)), x._local_value().numpy().tolist()]


def main():
    dist.init_parallel_env()
    mesh = dist.ProcessMesh([[0, 1], [2, 3]], dim_names=["x", "y"])
    whole = paddle.to_tensor(np.arange(15, dtype="float32").reshape(5, 3))
    found = {}
    for first in WAYS:
        x = dist.shard_tensor(whole, mesh, first)
        found[f"{first}"] = shown(x)
        for then in WAYS:
            if is_served(first, then):
                found[f"{first} to {then}"] = shown(dist.reshard(x, mesh, then))
    line = dist.ProcessMesh([0, 1, 2, 3], dim_names=["x"])
    for shape in ((7, 8), (4, 10), (11, 7)):
        whole_of = paddle.to_tensor(np.arange(np.prod(shape), dtype="float32").reshape(shape))
        for first, then in itertools.product(LIES, LIES):
            exchanges = first != then and first.is_shard() and then.is_shard()
            if is_served([first], [then]) and not exchanges:  # nor has it an all_to_all
                x = dist.shard_tensor(whole_of, line, [first])
                found[f"{shape} {first} to {then}"] = [
                    shown(x),
                    shown(dist.reshard(x, line, [then])),
                ]
    x = dist.shard_tensor(whole, mesh, [dist.Shard(0)])
    found["sum"] = x.sum().numpy().tolist()
    found["total"] = (x + whole).numpy().tolist()
    (Path(sys.argv[1]) / f"{dist.get_rank()}.json").write_text(json.dumps(found))


if __name__ == "__main__":
    main()
