"""Mixtures of experts on ranks, and in one process: for tests on ranks, and for processes."""

import numpy as np

import twinoar as paddle
from tests.distributed.pipelines import begun
from twinoar import nn
from twinoar.distributed.fleet.hybrid import divided_model, divided_optimizer
from twinoar.distributed.fleet.meta_parallel import LayerDesc, NoPipelineParallel, PipelineLayer
from twinoar.distributed.group import communicator_of
from twinoar.incubate.distributed.models.moe import (
    ClipGradForMOEByGlobalNorm,
    GShardGate,
    MoELayer,
    NaiveGate,
    SwitchGate,
)

WIDTH, EXPERTS, ROWS = 6, 4, 8
EXPERT = "experts.experts."  # in the names of their parameters


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
        before, mark, after = name.partition(EXPERT)
        if not mark or sharing is None:
            yield name, p.numpy()
            continue
        number, _, rest = after.partition(".")
        own = EXPERTS // sharing.nranks
        for rank, value in enumerate(communicator_of(sharing).all_gather(p.numpy())):
            yield f"{before}{mark}{rank * own + int(number)}.{rest}", value


def mixture_in_a_pipeline(size, clip=None, steps=3):
    """The parameters of two stages with a mixture each, on `size` processes with other data."""
    stages = 2 if size > 1 else 1
    degrees = {"pp_degree": stages, "ep_degree": size}
    groups, strategy = begun(micros=2, rows=ROWS // 2 // size, **degrees)
    sharing = groups.get_expert_parallel_group() if size > 1 else None
    layers = [LayerDesc(Mixture, "naive", sharing), paddle.tanh] * 2
    network = PipelineLayer(layers, stages, loss_fn=lambda y, label: ((y - label) ** 2).mean())
    limit = nn.ClipGradByGlobalNorm(clip) if clip else None
    rule = paddle.optimizer.Momentum(0.05, parameters=network.parameters(), grad_clip=limit)
    whole = NoPipelineParallel(network, strategy)
    if size > 1:
        whole, rule = divided_model(network, groups, strategy), divided_optimizer(rule, groups)
    place = groups.get_data_parallel_rank()
    for step in range(steps):
        x, y = (full(10 * step + i, ROWS, 3, WIDTH) for i in range(2))
        if size > 1:  # a micro-batch of one process has the rows of all
            x, y = (_own_of_micros(a, size, place) for a in (x, y))
        whole.train_batch((paddle.to_tensor(x), paddle.to_tensor(y)), rule)
    return dict(_named(network, sharing))


def _own_of_micros(a, size, place):
    parts = np.split(a, 2)
    return np.concatenate([np.split(part, size)[place] for part in parts])
