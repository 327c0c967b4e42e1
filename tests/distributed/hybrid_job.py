"""What two real processes find of divided networks, for tests/distributed/test_hybrid_mpi.py."""

import sys
from pathlib import Path

import numpy as np

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


def main():
    folder = Path(sys.argv[1])
    dist.init_parallel_env()
    rank = dist.get_rank()
    found = {f"pipeline/{name}": x for name, x in pipelines().items()}
    found |= {f"sequence/{name}": x for name, x in sequences().items()}
    found |= {f"mixture/{name}": x for name, x in mixtures().items()}
    np.savez(folder / f"found.{rank}.npz", **found)


if __name__ == "__main__":
    main()
