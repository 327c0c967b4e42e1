"""Networks of stages, and how they are trained: for tests on ranks, and for processes of a job."""

import warnings

import numpy as np

import twinoar as paddle
from twinoar import nn
from twinoar.distributed.fleet import DistributedStrategy
from twinoar.distributed.fleet.entrance import Fleet
from twinoar.distributed.fleet.hybrid import divided_model, divided_optimizer
from twinoar.distributed.fleet.meta_parallel import (
    LayerDesc,
    NoPipelineParallel,
    PipelineLayer,
    SharedLayerDesc,
)

MICROS, ROWS = 4, 2
WORDS, WIDTH = 11, 8


def begun(micros=MICROS, rows=ROWS, mode="1F1B", **degrees):
    """The groups of a rank, after fleet.init."""
    strategy = DistributedStrategy()
    strategy.hybrid_configs = degrees
    strategy.pipeline_configs = {
        "accumulate_steps": micros, "micro_batch_size": rows, "schedule_mode": mode,
    }  # fmt: skip
    with warnings.catch_warnings(action="ignore"):
        fleet = Fleet().init(is_collective=True, strategy=strategy)
    return fleet.get_hybrid_communicate_group(), strategy


class Block(nn.Layer):
    """A layer of a transformer."""

    def __init__(self):
        super().__init__()
        self.attention = nn.MultiHeadAttention(WIDTH, 2)
        self.first, self.second = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 2 * WIDTH), nn.Linear(2 * WIDTH, WIDTH)

    def forward(self, x):
        h = self.first(x)
        x = x + self.attention(h, h, h)
        return x + self.down(nn.functional.gelu(self.up(self.second(x))))


def logits(table, x):
    return paddle.matmul(x, table.weight, transpose_y=True)


def word_loss(y, label):
    return nn.functional.cross_entropy(y, label)


def transformer():
    """Four blocks between a table of words and itself."""
    table = ("table", nn.Embedding)
    return [
        SharedLayerDesc(*table, None, "weight", WORDS, WIDTH),
        *[LayerDesc(Block) for _ in range(4)],
        LayerDesc(nn.LayerNorm, WIDTH),
        SharedLayerDesc(*table, logits, "weight", WORDS, WIDTH),
    ], word_loss


def perceptron():
    layers = [LayerDesc(nn.Linear, 6, 12), paddle.tanh]
    layers += [x for _ in range(3) for x in (LayerDesc(nn.Linear, 12, 12), paddle.tanh)]
    return [*layers, LayerDesc(nn.Linear, 12, 3)], lambda y, label: ((y - label) ** 2).mean()


MODELS = {"transformer": transformer, "perceptron": perceptron}


def batch(model, step, rows=MICROS * ROWS):
    numbers = np.random.default_rng(step)
    if model == "transformer":
        words = numbers.integers(0, WORDS, (rows, 6))
        return words[:, :-1], words[:, 1:]
    x = numbers.standard_normal((rows, 6)).astype("float32")
    return x, np.sin(x[:, :3])


def trained(model, stages, mode="1F1B", chunks=1, option=None, steps=3, replicas=1, **degrees):
    """The losses of steps, and the parameters that this rank has, by name.

    replicas: how many times as much data one process takes, as so many pipelines would.
    """
    layers, loss = MODELS[model]()
    groups, strategy = begun(rows=ROWS * replicas, mode=mode, pp_degree=stages, **degrees)
    network = PipelineLayer(
        layers,
        num_stages=stages,
        loss_fn=loss,
        recompute_interval=2 if option == "recompute" else 0,
        num_virtual_pipeline_stages=chunks,
    )
    rate = paddle.optimizer.lr.StepDecay(3e-2, 2) if option == "schedule" else 3e-2
    clip = nn.ClipGradByGlobalNorm(0.3) if option == "clip" else None
    # Keys' biases have a gradient of zero but for rounding, of which Adam would make whole steps.
    make = paddle.optimizer.Momentum if model == "transformer" else paddle.optimizer.AdamW
    rule = make(rate, parameters=network.parameters(), grad_clip=clip)
    if stages == 1:
        whole = NoPipelineParallel(network, strategy)
    else:
        whole = divided_model(network, groups, strategy)
        rule = divided_optimizer(rule, groups)
    scaler = paddle.amp.GradScaler(init_loss_scaling=64.0) if option == "scaler" else None
    place, count = groups.get_data_parallel_rank(), groups.get_data_parallel_world_size()
    losses = []
    for step in range(steps):
        data = [
            paddle.to_tensor(np.split(x, count)[place])
            for x in batch(model, step, MICROS * ROWS * count * replicas)
        ]
        schedule = rate if option == "schedule" else None
        losses.append(whole.train_batch(data, rule, schedule, scaler).item())
    return losses, {name: p.numpy() for name, p in network.named_parameters()}
