"""The calls of operator_works.py for one framework, named as the first argument.

A second one, `processor`, times them by the processor's time.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
from operator_works import WORKS, Work
from turns import serve


def arrays(work: Work) -> dict[str, np.ndarray]:
    """The operands, the same in each framework."""
    names = {"np": np, "r": np.random.default_rng(0)}
    return {
        name: np.ascontiguousarray(eval(how, names)) for name, how in (work.arrays or {}).items()
    }


def main() -> None:
    name = sys.argv[1]
    kind, _, way = name.partition(" ")
    if kind == "torch":
        import torch

        library: Any = torch
        to_tensor = torch.from_numpy
    else:
        library = __import__(kind)
        to_tensor = library.to_tensor

    def prepared(work: Work) -> Any:
        given = {key: to_tensor(array) for key, array in arrays(work).items()}
        code = work.torch if kind == "torch" else work.paddle
        names = {"t" if kind == "torch" else "p": library}
        call = eval(f"lambda {', '.join(given)}: {code}", names)
        if way == "compiled":  # the source of what `eval` makes is not there to be converted
            whole = library.jit.not_to_static(call)
            call = library.jit.to_static(lambda *values: whole(*values))
        values = tuple(given.values())
        return lambda: call(*values)

    offered = {key: w for key, w in WORKS.items() if kind != "torch" or w.torch}
    clock = time.process_time if "processor" in sys.argv[2:] else time.perf_counter
    serve(name, {key: (lambda w=w: prepared(w)) for key, w in offered.items()}, clock=clock)


main()
