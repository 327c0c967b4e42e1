"""What torch's DTensor says of calls whose operands lie so, for division_rules.py."""

from __future__ import annotations

import json
import sys

import torch
import torch.distributed as dist
from torch.distributed.tensor import (
    Partial,
    Replicate,
    Shard,
    distribute_tensor,
    init_device_mesh,
)
from torch.testing._internal.distributed.fake_pg import FakeStore

NAMES = {"product": "prod"}  # of reductions, where ours are others


def placement(lie):
    return Replicate() if lie is None else Shard(lie) if isinstance(lie, int) else Partial(lie)


def lie_of(found):
    if found.is_shard():
        return found.dim
    return None if found.is_replicate() else NAMES.get(found.reduce_op, found.reduce_op)


def answer(way, mesh):
    operands = [
        distribute_tensor(torch.rand(shape), mesh, [placement(lie)])
        for shape, lie in zip(way["shapes"], way["takes"], strict=True)
    ]
    result = eval(way["call"], {"torch": torch, **dict(zip("abc", operands, strict=False))})
    return lie_of(result.placements[0])


def main():
    dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=2)
    mesh = init_device_mesh("cpu", (2,))
    print(json.dumps([answer(way, mesh) for way in json.load(sys.stdin)]))


if __name__ == "__main__":
    main()
