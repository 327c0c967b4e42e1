"""Blocks whose positions are divided, and attention: for tests on ranks, and for processes."""

import numpy as np

import twinoar as paddle
from tests.distributed.pipelines import begun
from twinoar import nn
from twinoar.distributed.fleet.hybrid import divided_model, divided_optimizer
from twinoar.distributed.fleet.utils import sequence_parallel_utils as sequences
from twinoar.distributed.group import communicator_of

TOLERANCE = 1e-5
POSITIONS, BATCH, WIDTH, INNER = 6, 2, 4, 8
INPUT = (POSITIONS, BATCH, WIDTH)
PARTS = {"up.weight": 1, "up.bias": 0, "down.weight": 0}


def full(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape).astype("float32") * 0.5


class Block(nn.Layer):
    """A norm, and two linear layers around an activation: [positions, batch, width]."""

    def __init__(self, rank=0, size=1):
        super().__init__()
        column, row = sequences.ColumnSequenceParallelLinear, sequences.RowSequenceParallelLinear
        self.norm = nn.LayerNorm(WIDTH)
        self.up = column(WIDTH, INNER, has_bias=True, gather_output=False)
        self.down = row(INNER, WIDTH, input_is_parallel=True)
        for i, (name, p) in enumerate(self.named_parameters()):
            axis = PARTS.get(name)
            shape = [n * (size if d == axis else 1) for d, n in enumerate(p.shape)]
            value = full(i, *shape)
            p.set_value(value if axis is None else np.split(value, size, axis)[rank])

    def forward(self, x):
        return x + self.down(nn.functional.gelu(self.up(self.norm(x))))


def steps(model, rule, part, accumulate):
    for step in range(3):
        for number in range(accumulate):
            x, y = (full(100 * step + 10 * number + i, *INPUT) for i in range(2))
            x, y = paddle.to_tensor(part(x)), paddle.to_tensor(part(y))
            ((model(x) - y) ** 2).sum().backward()
        rule.step()
        rule.clear_grad()


def rule_of(model, clip):
    clip = nn.ClipGradByGlobalNorm(0.5) if clip else None
    return paddle.optimizer.Momentum(0.01, parameters=model.parameters(), grad_clip=clip)


def whole_block_steps(clip=False, accumulate=1):
    model = Block()
    steps(model, rule_of(model, clip), lambda a: a, accumulate)
    return {name: p.numpy() for name, p in model.named_parameters()}


def with_divided_positions(clip=False, accumulate=1):
    """The same parameters, put together of what ranks have."""
    groups, strategy = begun(mp_degree=2)
    there = groups.get_model_parallel_group()
    model = Block(there.rank, there.nranks)
    for p in model.norm.parameters():
        sequences.mark_as_sequence_parallel_parameter(p)
    sequences.register_sequence_parallel_allreduce_hooks(model, accumulate)
    rule = divided_optimizer(rule_of(model, clip), groups)
    divided_model(model, groups, strategy)
    steps(model, rule, lambda a: np.split(a, there.nranks)[there.rank], accumulate)
    found = {}
    for name, p in model.named_parameters():
        if name in PARTS:
            parts = communicator_of(there).all_gather(p.numpy())
            found[name] = np.concatenate(list(parts), PARTS[name])
        else:
            found[name] = p.numpy()
    return found
