"""Ranks that train together take the steps of one process: networks x ways of dividing them.

Ranks are threads in lock step, or processes of a job. `python -m tests.distributed.fifty_steps`
takes fifty steps of all, and writes a table of what came of it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
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

BATCH, TOLERANCE = 8, 1e-5
MICROS = 2  # parts of its data that a pipeline takes one after the other
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
    """make: a network. shape: of one sample; dtype: of its elements. layers: it as a list of them.

    ResNet-18 trains in float64: over so few small images its normalizations make 1e-4 of float32's
    rounding within one step, in one process that sees the samples in another order too. They make
    its stages differ from one process on the whole batch; one that takes the parts is what they are
    held against.
    """

    make: Callable[[], Any]
    shape: tuple[int, ...]
    layers: Callable[[Any], list[Any]]
    dtype: str = "float32"
    tensor: dict[str, Any] = field(default_factory=dict)
    has_batch_statistics: bool = False


def _flat(x: Any) -> Any:
    return paddle.flatten(x, 1)


def _mean(x: Any) -> Any:
    return x.mean(1)


def _layers_of_resnet(model: Any) -> list[Any]:
    stages = (model.layer1, model.layer2, model.layer3, model.layer4)
    blocks = [block for stage in stages for block in stage.children()]
    first = [model.conv1, model.bn1, model.relu, model.maxpool]
    return [*first, *blocks, model.avgpool, _flat, model.fc]


COLUMNS, ROWS = dist.ColWiseParallel, dist.RowWiseParallel
NETWORKS = {
    "mlp": Network(
        perceptron, (12,), lambda m: [*m.children()], tensor={"0": COLUMNS(), "3": ROWS()}
    ),
    "lenet": Network(
        lambda: paddle.vision.models.LeNet(8),
        (1, 28, 28),
        lambda m: [*m.features.children(), _flat, *m.fc.children()],
        tensor={"fc.0": COLUMNS(), "fc.1": ROWS()},
    ),
    "transformer": Network(
        Transformer,
        (5,),
        lambda m: [m.tokens, *m.blocks, _mean, m.head],
        "int64",
        {
            "blocks.*.linear1": COLUMNS(), "blocks.*.linear2": ROWS(),
            "blocks.*.self_attn.[qkv]_proj": COLUMNS(), "blocks.*.self_attn.out_proj": ROWS(),
        },
    ),
    "resnet18": Network(
        lambda: paddle.vision.models.resnet18(num_classes=8),
        (3, 32, 32),
        _layers_of_resnet,
        "float64",
        tensor={"fc": COLUMNS(gather_output=True)},
        has_batch_statistics=True,
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Way:
    """mesh: data x tensor ranks, None for the classic API. stage, level: what is sharded.

    stages: those of a pipeline, of which there are as many as ranks allow.
    """

    ranks: int
    mesh: tuple[int, int] | None = None
    stage: int = 0
    level: str = ""
    stages: int = 0

    def parts(self, network: Network) -> int:
        """In how many parts one process has to take a batch to compute the same."""
        is_apart = self.stages and network.has_batch_statistics
        return MICROS * self.ranks // self.stages if is_apart else 1


LEVELS = ("os", "os_g", "p_g_os")
WAYS = {
    "mesh data 2": Way(2, (2, 1)),
    "mesh data 4": Way(4, (4, 1)),
    **{f"mesh sharded {stage}": Way(2, (2, 1), stage) for stage in (1, 2, 3)},
    **{f"mesh sharded {stage} of 4": Way(4, (4, 1), stage) for stage in (1, 2, 3)},
    "mesh tensor 2": Way(2, (1, 2)),
    "mesh tensor 4": Way(4, (1, 4)),
    "mesh hybrid 2x2": Way(4, (2, 2)),
    "mesh hybrid 2x2, sharded 3": Way(4, (2, 2), 3),
    "DataParallel 2": Way(2),
    "DataParallel 4": Way(4),
    **{f"group_sharded {level}": Way(2, level=level) for level in LEVELS},
    **{f"group_sharded {level} of 4": Way(4, level=level) for level in LEVELS},
    "pipeline 2": Way(2, stages=2),
    "pipeline 4": Way(4, stages=4),
    "pipeline 2 x data 2": Way(4, stages=2),
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


Parameters = Sequence[np.ndarray | None]  # None for what this rank does not have
Step = Callable[[np.ndarray, np.ndarray], Any]  # of a batch and its labels


@dataclass
class Trained:
    """What a rank, or one process, has after the steps.

    moments: bytes of what its optimizer remembers.
    """

    parameters: Parameters
    moments: int


def train(name: str, way: Way | None, steps: int, parts: int = 1) -> Trained:
    """Take the steps, as one process or as this rank. parts: of a batch, one after the other."""
    network = NETWORKS[name]
    model = begun(network)
    is_each_alone = way is not None and way.mesh is None and way.level != "p_g_os"
    if is_each_alone and not way.stages:  # elsewhere statistics are those of the whole batch
        model = nn.SyncBatchNorm.convert_sync_batchnorm(model)
    adam = paddle.optimizer.Adam(1e-3, epsilon=EPSILON, parameters=model.parameters())
    own = None
    if way is None:
        step = _alone(model, adam, parts)
    elif way.mesh is not None:
        step = _stepping(model, adam, _on_mesh(model, adam, way, network))
    elif way.stages:
        step, own = _pipeline(model, adam, way, network)
    else:
        step = _stepping(*_classic(model, adam, way))
    for x, y in batches(network, steps):
        step(x, y)
    found = model.parameters()
    is_own = [own is None or id(p) in own for p in found]
    bits = [p.numpy() if has else None for p, has in zip(found, is_own, strict=True)]
    return Trained(bits, sum(_nbytes(s) for p in found for s in adam._memory.like(p)))


def _nbytes(x: Any) -> int:
    local = x._local_value() if x.is_dist() else x
    return int(local.numpy().nbytes)


def loss_of(y: Any, label: Any) -> Any:
    """The loss that all train for."""
    return nn.functional.cross_entropy(y, label)


def _stepping(runner: Any, rule: Any, place: Callable[[Any], Any]) -> Step:
    def step(x: np.ndarray, y: np.ndarray) -> None:
        loss_of(runner(place(x)), place(y)).backward()
        rule.step()
        rule.clear_grad()

    return step


def _alone(model: Any, adam: Any, parts: int) -> Step:
    def step(x: np.ndarray, y: np.ndarray) -> None:
        for own, label in zip(np.split(x, parts), np.split(y, parts), strict=True):
            loss = loss_of(model(paddle.to_tensor(own)), paddle.to_tensor(label))
            (loss / parts).backward()
        adam.step()
        adam.clear_grad()

    return step


def _pipeline(model: Any, adam: Any, way: Way, network: Network) -> tuple[Step, set[int]]:
    """A step of this rank's stage, and which parameters that has."""
    copies = way.ranks // way.stages
    strategy = DistributedStrategy()
    strategy.hybrid_configs = {"pp_degree": way.stages, "dp_degree": copies}
    rows = BATCH // copies
    strategy.pipeline_configs = {"accumulate_steps": MICROS, "micro_batch_size": rows // MICROS}
    groups = Fleet().init(is_collective=True, strategy=strategy).get_hybrid_communicate_group()
    layers = network.layers(model)
    stages = meta_parallel.PipelineLayer(layers, num_stages=way.stages, loss_fn=loss_of)
    runner: Any = divided_model(stages, groups, strategy)
    rule, first = divided_optimizer(adam, groups), rows * groups.get_data_parallel_rank()

    def step(x: np.ndarray, y: np.ndarray) -> None:
        runner.train_batch([paddle.to_tensor(v[first : first + rows]) for v in (x, y)], rule)

    return step, {id(p) for p in stages.parameters()}


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


def difference(ranks: Sequence[Parameters], expected: Parameters) -> float:
    """The greatest of all parameters of all ranks, relative to the greatest element of each.

    Infinite where no rank has a parameter, or one is not a number.
    """
    worst = 0.0
    for of_ranks in zip(expected, *ranks, strict=True):
        whole, *own = (x for x in of_ranks if x is not None)
        errors = [np.abs(x - whole).max() / max(np.abs(whole).max(), 1e-12) for x in own]
        error = float(max(errors, default=np.inf))
        worst = max(worst, error if np.isfinite(error) else np.inf)
    return worst


def ranks_of(name: str, way: Way, steps: int) -> list[Trained]:
    """What each rank has after the steps; ranks are threads."""
    with warnings.catch_warnings(action="ignore"):
        return run_ranks(way.ranks, train, name, way, steps)


def is_same(one: Sequence[Trained], other: Sequence[Trained]) -> bool:
    """Whether all ranks have the same bits in two runs."""
    return all(
        (x is None and y is None)
        or (x is not None and y is not None and x.tobytes() == y.tobytes())
        for a, b in zip(one, other, strict=True)
        for x, y in zip(a.parameters, b.parameters, strict=True)
    )
