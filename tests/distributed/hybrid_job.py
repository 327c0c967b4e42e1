"""What two real processes find of divided networks, for tests/distributed/test_hybrid_mpi.py."""

import sys
from pathlib import Path

import numpy as np

import twinoar as paddle
import twinoar.distributed as dist
from tests.distributed.mixtures import trained_mixture
from tests.distributed.pipelines import trained
from tests.distributed.sequences import over_ring, trained_over_ring, with_divided_positions

PIPELINES = {
    "1F1B": ("transformer", "1F1B", 1),
    "ZBH1": ("transformer", "ZBH1", 1),
    "VPP": ("perceptron", "VPP", 2),
}
STEPS = 8
RINGS = {"whole": (False, False), "causal": (True, False), "balanced": (True, True)}


def pipelines():
    """Losses and parameters of each kind of pipeline."""
    found = {}
    for name, (model, mode, chunks) in PIPELINES.items():
        losses, parameters = trained(model, 2, mode, chunks, steps=STEPS)
        found[f"{name}/losses"] = np.array(losses)
        found |= {f"{name}/{p}": value for p, value in parameters.items()}
    return found


def sequences():
    """Blocks of divided positions, attention over a ring, and a network with it."""
    found = {f"block/{name}": x for name, x in with_divided_positions(clip=True).items()}
    for kind, arguments in RINGS.items():
        found |= {f"{kind}/{i}": x for i, x in enumerate(over_ring(8, *arguments))}
    steps = trained_over_ring(2, sep_degree=2)
    return found | {f"steps/{i}": x for i, x in enumerate(steps)}


def mixtures():
    """What experts of two processes make of tokens, and their parameters after steps."""
    out, parameters = trained_mixture("gshard", "global", ep_degree=2)
    return {"out": out, **parameters}


def split_program(size):
    """The losses of a Program whose embedding and linear layers `size` processes share."""
    rank = dist.get_rank() if size > 1 else 0
    rows = -(-7 // size)

    def part(seed, shape, axis, step=None):
        whole = np.random.default_rng(seed).standard_normal(shape).astype("float32") * 0.5
        step = step or shape[axis] // size
        own = np.take(whole, range(rank * step, min((rank + 1) * step, shape[axis])), axis)
        return paddle.ParamAttr(initializer=paddle.nn.initializer.Assign(own))

    zero = paddle.ParamAttr(initializer=paddle.nn.initializer.Constant(0.0))
    paddle.enable_static()
    try:
        main, startup = paddle.static.Program(), paddle.static.Program()
        with paddle.static.program_guard(main, startup):
            x = paddle.static.data("x", [None], "int64")
            h = dist.split(x, (7, 6), "embedding", 0, size, weight_attr=part(0, (7, 6), 0, rows))
            h = dist.split(h, (6, 8), "linear", 1, size, False, part(1, (6, 8), 1), zero)
            h = dist.split(
                paddle.tanh(h), (8, 4), "linear", 0, size, True, part(2, (8, 4), 0), zero
            )
            h = dist.split(h, (4, 2), "linear", 1, size, True, part(3, (4, 2), 1), zero)
            loss = (h * h).mean() + h.mean()
            paddle.optimizer.SGD(0.2).minimize(loss)
        executor = paddle.static.Executor()
        executor.run(startup)
        feed = {"x": np.array([0, 6, 3, 4])}
        return [executor.run(main, feed=feed, fetch_list=[loss])[0].item() for _ in range(5)]
    finally:
        paddle.disable_static()


def main():
    folder = Path(sys.argv[1])
    dist.init_parallel_env()
    rank = dist.get_rank()
    found = {f"pipeline/{name}": x for name, x in pipelines().items()}
    found |= {f"sequence/{name}": x for name, x in sequences().items()}
    found |= {f"mixture/{name}": x for name, x in mixtures().items()}
    found["split"] = np.array(split_program(2))
    np.savez(folder / f"found.{rank}.npz", **found)


if __name__ == "__main__":
    main()
