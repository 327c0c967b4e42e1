"""Ranks that train together take the steps of one process: networks x ways of dividing them.

    python -m tests.distributed.as_one_process --all

Ranks are threads in lock step. Prints for each case the greatest difference of a parameter,
relative to the greatest element of it, and whether a second run has the same bits; ends with 1
where a difference is above the tolerance.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import twinoar as paddle
import twinoar.distributed as dist
from twinoar import nn
from twinoar.distributed.fleet import DistributedStrategy, meta_parallel
from twinoar.distributed.fleet.entrance import Fleet
from twinoar.distributed.fleet.hybrid import divided_model, divided_optimizer
from twinoar.distributed.sharding import group_sharded_parallel
from twinoar.runtime.collective import run_ranks

STEPS, BATCH, TOLERANCE = 50, 8, 1e-5
FEW = 3  # steps that are repeated
EPSILON = 1e-3  # of Adam: with less it makes steps of rounding where a gradient is zero


class Transformer(nn.Layer):
    """Two blocks over tokens, a mean, and classes."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens = nn.Embedding(11, 16)
        self.blocks = nn.LayerList(
            [nn.TransformerEncoderLayer(16, 4, 32, dropout=0.0) for _ in range(2)]
        )
        self.head = nn.Linear(16, 8)

    def forward(self, x: Any) -> Any:
        y = self.tokens(x)
        for block in self.blocks:
            y = block(y)
        return self.head(y.mean(1))


def perceptron() -> Any:
    """Linear layers and a normalization."""
    return nn.Sequential(
        nn.Linear(12, 32), nn.GELU(), nn.LayerNorm(32), nn.Linear(32, 8)
    )  # fmt: skip


@dataclass(frozen=True)
class Network:
    """make: a network. shape: of one sample; dtype: of its elements.

    ResNet-18 trains in float64: over so few small images its normalizations make 1e-4 of float32's
    rounding within one step, in one process that sees the samples in another order too.
    """

    make: Callable[[], Any]
    shape: tuple[int, ...]
    dtype: str = "float32"
    tensor: dict[str, Any] = field(default_factory=dict)


COLUMNS, ROWS = dist.ColWiseParallel, dist.RowWiseParallel
NETWORKS = {
    "mlp": Network(perceptron, (12,), tensor={"0": COLUMNS(), "3": ROWS()}),
    "lenet": Network(
        lambda: paddle.vision.models.LeNet(8),
        (1, 28, 28),
        tensor={"fc.0": COLUMNS(), "fc.1": ROWS()},
    ),
    "transformer": Network(
        Transformer,
        (5,),
        "int64",
        {
            "blocks.*.linear1": COLUMNS(), "blocks.*.linear2": ROWS(),
            "blocks.*.self_attn.[qkv]_proj": COLUMNS(), "blocks.*.self_attn.out_proj": ROWS(),
        },
    ),
    "resnet18": Network(
        lambda: paddle.vision.models.resnet18(num_classes=8),
        (3, 16, 16),
        "float64",
        tensor={"fc": COLUMNS(gather_output=True)},
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Way:
    """mesh: data x tensor ranks, None for the classic API. stage: what is sharded."""

    ranks: int
    mesh: tuple[int, int] | None = None
    stage: int = 0
    level: str = ""


WAYS = {
    "mesh data 2": Way(2, (2, 1)),
    "mesh data 4": Way(4, (4, 1)),
    "mesh sharded 1": Way(2, (2, 1), 1),
    "mesh sharded 2": Way(2, (2, 1), 2),
    "mesh sharded 3": Way(2, (2, 1), 3),
    "mesh sharded 3 of 4": Way(4, (4, 1), 3),
    "mesh tensor 2": Way(2, (1, 2)),
    "mesh hybrid 2x2": Way(4, (2, 2)),
    "DataParallel 2": Way(2),
    "DataParallel 4": Way(4),
    "group_sharded os": Way(2, level="os"),
    "group_sharded os_g": Way(2, level="os_g"),
    "group_sharded os_g of 4": Way(4, level="os_g"),
}


def batches(network: Network, steps: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """The whole batches that all see a part of."""
    numbers = np.random.default_rng(5)
    found = []
    for _ in range(steps):
        shape = (BATCH, *network.shape)
        if network.dtype == "int64":
            x = numbers.integers(0, 11, shape)
        else:
            x = numbers.standard_normal(shape).astype(network.dtype)
        found.append((x, numbers.integers(0, 8, BATCH)))
    return found


def begun(network: Network) -> Any:
    """The network as all of its copies begin."""
    made = network.make()
    dtype = "float64" if network.dtype == "float64" else "float32"
    made.to(dtype=dtype)
    numbers = np.random.default_rng(0)
    for p in made.parameters():
        scale = 0.5 / np.sqrt(max(np.prod(p.shape[1:]), 1)) if p.ndim > 1 else 0.1
        p.set_value((numbers.standard_normal(p.shape) * scale + (p.ndim == 1)).astype(dtype))
    return made


def train(name: str, way: Way | None, steps: int) -> list[np.ndarray]:
    """The parameters after the steps, of one process or of this rank."""
    network = NETWORKS[name]
    model = begun(network)
    if way is not None and way.mesh is None:  # on a mesh, statistics are those of the whole batch
        model = nn.SyncBatchNorm.convert_sync_batchnorm(model)
    adam = paddle.optimizer.Adam(1e-3, epsilon=EPSILON, parameters=model.parameters())
    runner, place = model, lambda x: paddle.to_tensor(x)
    rule: Any = adam
    if way is not None and way.mesh is not None:
        place = _on_mesh(model, adam, way, network)
    elif way is not None:
        runner, rule, place = _classic(model, adam, way)
    for x, y in batches(network, steps):
        loss = nn.functional.cross_entropy(runner(place(x)), place(y))
        loss.backward()
        rule.step()
        rule.clear_grad()
    return [p.numpy() for p in model.parameters()]


def _on_mesh(model: Any, adam: Any, way: Way, network: Network) -> Callable[[Any], Any]:
    mesh = dist.ProcessMesh(np.arange(way.ranks).reshape(way.mesh), dim_names=["dp", "mp"])
    plans = {"mp_config": {"parallelize_plan": network.tensor}} if way.mesh[1] > 1 else {}
    dist.parallelize(model, adam, mesh, {**plans, "dp_config": {"sharding_level": way.stage}})
    lying = [dist.Shard(0), dist.Replicate()]
    return lambda x: dist.shard_tensor(x, mesh, lying)


def _classic(model: Any, adam: Any, way: Way) -> tuple[Any, Any, Callable[[Any], Any]]:
    def place(x: Any) -> Any:
        own = BATCH // way.ranks
        return paddle.to_tensor(x[dist.get_rank() * own : (dist.get_rank() + 1) * own])

    if way.level:
        runner, rule, _ = group_sharded_parallel(model, adam, way.level)
        return runner, rule, place
    return paddle.DataParallel(model), adam, place


def fleet_trained(steps: int, ranks: int) -> list[np.ndarray]:
    """A perceptron of fleet's tensor-parallel layers: what it gives after the steps."""
    strategy = DistributedStrategy()
    strategy.hybrid_configs = {"mp_degree": 2, "dp_degree": max(ranks // 2, 1)}
    there = Fleet()
    if ranks > 1:
        there.init(is_collective=True, strategy=strategy)
    numbers = np.random.default_rng(0)
    first = (numbers.standard_normal((12, 32)) * 0.2).astype("float32")
    second = (numbers.standard_normal((32, 8)) * 0.2).astype("float32")
    if ranks > 1:
        at = there.get_hybrid_communicate_group().get_model_parallel_rank()
        own = slice(16 * at, 16 * at + 16)
        model = nn.Sequential(
            meta_parallel.ColumnParallelLinear(12, 32, has_bias=True, gather_output=False),
            nn.GELU(),
            meta_parallel.RowParallelLinear(32, 8, input_is_parallel=True),
        )
        first, second = first[:, own], second[own]
    else:
        model = nn.Sequential(nn.Linear(12, 32), nn.GELU(), nn.Linear(32, 8))
    model[0].weight.set_value(first)
    model[2].weight.set_value(second)
    for layer in (model[0], model[2]):
        layer.bias.set_value(np.zeros(layer.bias.shape, "float32"))
    adam: Any = paddle.optimizer.Adam(1e-3, epsilon=EPSILON, parameters=model.parameters())
    runner: Any = model
    data, at_data = 1, 0
    if ranks > 1:
        groups = there.get_hybrid_communicate_group()
        runner, adam = divided_model(model, groups, strategy), divided_optimizer(adam, groups)
        data, at_data = groups.get_data_parallel_world_size(), groups.get_data_parallel_rank()
    rows = slice(at_data * BATCH // data, (at_data + 1) * BATCH // data)
    for x, y in batches(NETWORKS["mlp"], steps):
        loss = nn.functional.cross_entropy(
            runner(paddle.to_tensor(x[rows])), paddle.to_tensor(y[rows])
        )
        loss.backward()
        adam.step()
        adam.clear_grad()
    probe = paddle.to_tensor(np.random.default_rng(9).standard_normal((4, 12)).astype("float32"))
    return [runner(probe).numpy()]


def difference(found: list[np.ndarray], expected: list[np.ndarray]) -> float:
    """The greatest of all parameters, relative to the greatest element of each."""
    pairs = zip(found, expected, strict=True)
    return max(float(np.abs(a - b).max() / max(np.abs(b).max(), 1e-12)) for a, b in pairs)


def ranks_of(name: str, way: Way, steps: int) -> list[list[np.ndarray]]:
    """The parameters of each rank."""
    with warnings.catch_warnings(action="ignore"):
        return run_ranks(way.ranks, train, name, way, steps)


def is_same(one: list[np.ndarray], other: list[np.ndarray]) -> bool:
    """Whether two have the same bits."""
    return all(a.tobytes() == b.tobytes() for a, b in zip(one, other, strict=True))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--all", action="store_true", help="every network in every way")
    options.add_argument("--steps", type=int, default=STEPS)
    options.add_argument("--network", choices=NETWORKS, action="append")
    given = options.parse_args()
    chosen = given.network or (list(NETWORKS) if given.all else ["mlp"])
    worst = 0.0
    for name in chosen:
        steps = given.steps
        alone = train(name, None, steps)
        for title, way in WAYS.items():
            began = time.perf_counter()
            found = ranks_of(name, way, steps)
            error = max(difference(f, alone) for f in found)
            same = is_same(*(ranks_of(name, way, FEW)[0] for _ in range(2)))
            worst = max(worst, error)
            print(
                f"{name:<12} {title:<24} {error:.1e}  {'same bits' if same else 'OTHER BITS'}  "
                f"{time.perf_counter() - began:.0f} s",
                flush=True,
            )
    for ranks in (2, 4):
        with warnings.catch_warnings(action="ignore"):
            expected = fleet_trained(given.steps, 1)
            found = run_ranks(ranks, fleet_trained, given.steps, ranks)
        error = max(difference(f, expected) for f in found)
        worst = max(worst, error)
        print(f"{'mlp':<12} fleet mp 2 of {ranks:<12} {error:.1e}", flush=True)
    if worst > TOLERANCE:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
