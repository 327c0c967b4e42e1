"""Mixtures of experts on ranks, and in one process: for tests on ranks, and for processes."""

import numpy as np

import twinoar as paddle
from tests.distributed.pipelines import begun
from twinoar import nn
from twinoar.distributed.fleet.hybrid import divided_model, divided_optimizer
from twinoar.distributed.group import communicator_of
from twinoar.incubate.distributed.models.moe import (
    ClipGradForMOEByGlobalNorm,
    GShardGate,
    MoELayer,
    NaiveGate,
    SwitchGate,
)

WIDTH, EXPERTS, ROWS = 6, 4, 8


def full(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape).astype("float32") * 0.5


def expert(number):
    made = nn.Sequential(nn.Linear(WIDTH, 8), nn.GELU(), nn.Linear(8, WIDTH))
    for i, p in enumerate(made.parameters()):
        p.set_value(full(100 * number + i, *p.shape))
    return made


def gate_of(kind, own, size, group):
    """A gate that leaves nothing to chance, nor anything out."""
    if kind == "naive":
        found = NaiveGate(WIDTH, own, size, topk=2)
    elif kind == "gshard":
        found = GShardGate(WIDTH, own, size, 2, (99, 99), random_routing=False, group=group)
    else:
        found = SwitchGate(WIDTH, own, size, 1, 0.0, (99, 99), group=group)
    for i, p in enumerate(found.parameters()):
        p.set_value(full(50 + i, *p.shape))
    return found


class Mixture(nn.Layer):
    """A linear layer, and experts of which each rank of a group has some."""

    def __init__(self, kind, group=None):
        super().__init__()
        rank, size = (0, 1) if group is None else (group.rank, group.nranks)
        own = EXPERTS // size
        self.before = nn.Linear(WIDTH, WIDTH)
        for i, p in enumerate(self.before.parameters()):
            p.set_value(full(60 + i, *p.shape))
        experts = [expert(rank * own + i) for i in range(own)]
        self.experts = MoELayer(WIDTH, experts, gate_of(kind, own, size, group), group)

    def forward(self, x):
        return x + self.experts(self.before(x))


def trained_mixture(kind, clip=None, steps=3, **degrees):
    """What each rank computed last, and the parameters: those of all experts, by name."""
    groups, strategy = begun(**degrees) if degrees else (None, None)
    sharing = groups.get_expert_parallel_group() if degrees else None
    model = whole = Mixture(kind, sharing)
    limit = None
    if clip == "global":
        limit = nn.ClipGradByGlobalNorm(0.2)
    elif clip == "experts":
        is_expert = lambda p: getattr(p, "no_sync", False)  # noqa: E731
        limit = ClipGradForMOEByGlobalNorm(0.2, is_expert, sharing)
    rule = paddle.optimizer.Momentum(0.05, parameters=model.parameters(), grad_clip=limit)
    place, count = 0, 1
    if degrees:
        whole, rule = divided_model(model, groups, strategy), divided_optimizer(rule, groups)
        place, count = groups.averaged_group().rank, groups.averaged_group().nranks
    for step in range(steps):
        x, y = (full(10 * step + i, ROWS, 3, WIDTH) for i in range(2))
        x, y = (paddle.to_tensor(np.split(a, count)[place]) for a in (x, y))
        out = whole(x)
        ((out - y) ** 2).mean().backward()
        rule.step()
        rule.clear_grad()
    return out.numpy(), dict(_named(model, sharing))


def _named(model, sharing):
    """Parameters by the names that one process has for them."""
    for name, p in model.named_parameters():
        parts = [p.numpy()]
        if ".experts." not in name or sharing is None:
            yield name, parts[0]
            continue
        before, number, rest = name.split(".experts.")[0], *name.split(".experts.")[1].split(".", 1)
        own = EXPERTS // sharing.nranks
        for rank, value in enumerate(communicator_of(sharing).all_gather(p.numpy())):
            yield f"{before}.experts.{rank * own + int(number)}.{rest}", value
