"""Steps of networks on a mesh: run as threads by test_mesh_training.py, as processes by job.py."""

from __future__ import annotations

import numpy as np

import twinoar as paddle
import twinoar.distributed as dist
from twinoar import nn

STEPS = 4


class Attention(nn.Layer):
    """A block of a transformer, with a convolution before it."""

    def __init__(self):
        super().__init__()
        self.mixed = nn.Conv1D(8, 8, 3, padding=1)
        self.block = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0)
        self.head = nn.Linear(8, 5)

    def forward(self, x):
        x = self.mixed(x.transpose([0, 2, 1])).transpose([0, 2, 1])
        return self.head(self.block(x).mean(1))


def perceptron():
    return nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.LayerNorm(16), nn.Linear(16, 5))


NETWORKS = {"perceptron": (perceptron, (12, 8)), "attention": (Attention, (6, 4, 8))}
LINE = {"dim_names": ["dp"], "mesh": [0, 1]}
SQUARE = {"dim_names": ["dp", "mp"], "mesh": [[0, 1], [2, 3]]}
TENSOR = {
    "parallelize_plan": {
        "0": dist.ColWiseParallel(),
        "3": dist.RowWiseParallel(),
        "block.linear1": dist.ColWiseParallel(),
        "block.linear2": dist.RowWiseParallel(),
        "block.self_attn.*_proj": dist.ColWiseParallel(),
        "head": dist.ColWiseParallel(gather_output=True),
    }
}


def train(network, mesh_of, batch, config, is_compiled):
    make, shape = NETWORKS[network]
    rng = np.random.default_rng(0)
    images = rng.standard_normal(shape).astype("float32")
    labels = rng.integers(0, 5, shape[0])
    model = make()
    for p in model.parameters():
        p.set_value((rng.standard_normal(p.shape) * 0.3).astype("float32"))
    adam = paddle.optimizer.Adam(1e-2, epsilon=1e-3, parameters=model.parameters())
    mesh = None if mesh_of is None else dist.ProcessMesh(**mesh_of)
    if mesh is not None:
        dist.parallelize(model, adam, mesh, config)

    def step(x, y):
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        adam.step()
        adam.clear_grad()
        return loss

    if is_compiled:
        step = paddle.jit.to_static(step)
    losses = []
    for _ in range(STEPS):
        x, y = paddle.to_tensor(images), paddle.to_tensor(labels)
        if mesh is not None:
            x, y = (dist.shard_tensor(v, mesh, batch) for v in (x, y))
        losses.append(float(step(x, y)))
    moments = [m for p in model.parameters() for m in adam._memory.like(p)]
    return {
        "losses": losses,
        "parameters": [p.numpy() for p in model.parameters()],
        "places": [p.placements for p in model.parameters()],
        "moments": sum(m._local_value().size for m in moments),
    }


S, R = dist.Shard, dist.Replicate
WAYS = {
    "data": (LINE, [S(0)], {}),
    "moments divided": (LINE, [S(0)], {"dp_config": {"sharding_level": 1}}),
    "gradients too": (LINE, [S(0)], {"dp_config": {"sharding_level": 2}}),
    "parameters too": (LINE, [S(0)], {"dp_config": {"sharding_level": 3}}),
    "tensor": ({"dim_names": ["mp"], "mesh": [0, 1]}, [R()], {"mp_config": TENSOR}),
    "data and tensor": (SQUARE, [S(0), R()], {"mp_config": TENSOR}),
    "all": (SQUARE, [S(0), R()], {"mp_config": TENSOR, "dp_config": {"sharding_level": 3}}),
}
