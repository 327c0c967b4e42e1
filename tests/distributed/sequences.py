"""Blocks whose positions are divided, and attention: for tests on ranks, and for processes."""

import numpy as np

import twinoar as paddle
import twinoar.distributed as dist
from tests.distributed.pipelines import begun
from twinoar import nn
from twinoar.distributed.fleet.hybrid import divided_model, divided_optimizer
from twinoar.distributed.fleet.ring_attention import own_positions, ring_attention
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


def attention_inputs(length):
    return [full(i, 2, length, 2, 4) for i in range(4)]


def attention_of_one(length, causal, mask=None):
    """The attention of one process by the formula, and the gradients of its operands."""
    *given, g = attention_inputs(length)
    q, k, v = (paddle.to_tensor(x, stop_gradient=False) for x in given)
    a, b, c = (paddle.transpose(x, [0, 2, 1, 3]) for x in (q, k, v))
    scores = paddle.matmul(a, b, transpose_y=True) / 2.0
    seen = np.tril(np.ones((length, length), bool)) if causal else np.ones((length, length), bool)
    seen = seen if mask is None else mask
    scores = scores + paddle.to_tensor(np.where(seen, 0, -1e9).astype("float32"))
    out = paddle.transpose(paddle.matmul(nn.functional.softmax(scores), c), [0, 2, 1, 3])
    (out * paddle.to_tensor(g)).sum().backward()
    return [out.numpy(), *(x.grad.numpy() for x in (q, k, v))]


def over_ring(length, causal, balanced=False, mask=None):
    """The same, of a sequence that the ranks divide; put together on each."""
    group = dist.new_group()
    *given, g = (
        own_positions(paddle.to_tensor(x), 1, group, balanced) for x in attention_inputs(length)
    )
    q, k, v = (x.detach() for x in given)
    for x in (q, k, v):
        x.stop_gradient = False
    if mask is not None:
        rows = own_positions(paddle.to_tensor(np.arange(length)), 0, group, balanced).numpy()
        kind = "bool" if mask.dtype == bool else "float32"
        mask = paddle.to_tensor(mask[:, :, rows].astype(kind))
    out = ring_attention(q, k, v, mask, is_causal=causal, group=group, balanced=balanced)
    (out * g).sum().backward()
    order = [own_positions(paddle.to_tensor(np.arange(length)), 0, group, balanced).numpy()]
    places = np.concatenate(list(communicator_of(group).all_gather(order[0])))
    found = []
    for x in (out, q.grad, k.grad, v.grad):
        parts = np.concatenate(list(communicator_of(group).all_gather(x.numpy())), 1)
        found.append(parts[:, np.argsort(places)])
    return found


class Attending(nn.Layer):
    """A layer of causal attention over a ring, and a linear one."""

    def __init__(self):
        super().__init__()
        self.project, self.out = nn.Linear(8, 24), nn.Linear(8, 8)
        for i, p in enumerate(self.parameters()):
            p.set_value(full(i, *p.shape))

    def forward(self, x):
        b, length, _ = x.shape
        parts = self.project(x).reshape([b, length, 3, 2, 4]).unbind(2)
        return self.out(ring_attention(*parts, is_causal=True).reshape([b, length, 8]))


def trained_over_ring(size, **degrees):
    """The parameters after steps; each rank has a part of the positions of its data."""
    model = Attending()
    rule = paddle.optimizer.Momentum(0.05, parameters=model.parameters())
    trained, place, count = model, 0, 1
    if size > 1:
        groups, strategy = begun(**degrees)
        trained, rule = divided_model(model, groups, strategy), divided_optimizer(rule, groups)
        place, count = groups.get_data_parallel_rank(), groups.get_data_parallel_world_size()
    for step in range(4):
        x, y = (np.split(full(10 * step + i, 4, 6, 8), count)[place] for i in range(2))
        whole = x.size
        x, y = (paddle.to_tensor(a) for a in (x, y))
        if size > 1:
            axis = "sep" if "sep_degree" in degrees else "context"
            x, y = (own_positions(a, 1, groups._group((axis,))) for a in (x, y))
        # Terms of the mean over all positions: their gradients are added up over the ring.
        (((trained(x) - y) ** 2).sum() / whole).backward()
        rule.step()
        rule.clear_grad()
    return [p.numpy() for p in model.parameters()]
