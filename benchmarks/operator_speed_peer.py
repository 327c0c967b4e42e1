"""Times the calls that operator_speed.py asks for, in one framework, named as the first argument.

It needs that framework and NumPy. A call is a file: the function and its
arguments, with arrays where tensors go.
"""

from __future__ import annotations

import json
import operator
import os
import pickle
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from operator_torch import torch_function
from turns import seconds_per_call

SHOWN = 4096  # elements of a result that are compared
WARM_CALLS, WARM_SECONDS = 150, 0.25


class Framework:
    """One framework, with what differs between them."""

    def __init__(self, kind: str):
        self.library = __import__(kind)
        self.is_torch = kind == "torch"

    def tensor(self, array: np.ndarray, wants_gradient: bool) -> Any:
        """A leaf; of floats it may want a gradient."""
        wants = wants_gradient and array.dtype.kind in "fc"
        if self.is_torch:
            return self.library.from_numpy(np.ascontiguousarray(array)).requires_grad_(wants)
        return self.library.to_tensor(array, stop_gradient=not wants)

    def function(self, path: str) -> Callable[..., Any]:
        """The function of this name; that of torch which computes the same."""
        if self.is_torch:
            return torch_function(self.library, path)
        return operator.attrgetter(path)(self.library)

    def wants(self, tensor: Any) -> bool:
        """True for what has a gradient."""
        return tensor.requires_grad if self.is_torch else not tensor.stop_gradient

    def gradients(self, results: list, leaves: list, seeds: list) -> list:
        """Gradients of leaves, None for those that do not matter."""
        if self.is_torch:
            return list(self.library.autograd.grad(results, leaves, seeds, allow_unused=True))
        return self.library.grad(results, leaves, seeds, allow_unused=True)


def tensors_in(value: Any) -> list[Any]:
    """The tensors in nested lists and tuples."""
    if isinstance(value, (list, tuple)):
        return [t for v in value for t in tensors_in(v)]
    return [value] if hasattr(value, "dtype") and hasattr(value, "detach") else []


def replaced(value: Any, put: Callable[[np.ndarray], Any]) -> Any:
    """`value` with what `put` gives in place of each array."""
    if isinstance(value, np.ndarray):
        return put(value)
    if isinstance(value, (list, tuple)):
        return type(value)(replaced(v, put) for v in value)
    if isinstance(value, dict):
        return {key: replaced(v, put) for key, v in value.items()}
    return value


def work(framework: Framework, path: str, way: str) -> Callable[[], list[Any]]:
    """What computes the results, or for the way `backward` results and then gradients."""
    function_path, args, kwargs = pickle.loads(Path(path).read_bytes())
    leaves: list[Any] = []

    def leaf(array: np.ndarray) -> Any:
        made = framework.tensor(array, way == "backward")
        leaves.extend([made] if framework.wants(made) else [])
        return made

    args, kwargs = replaced(list(args), leaf), replaced(kwargs, leaf)
    function = framework.function(function_path)
    if way == "forward":
        return lambda: function(*args, **kwargs)
    found = [t for t in tensors_in(function(*args, **kwargs)) if framework.wants(t)]
    if not found or not leaves:
        raise TypeError("it has no gradient")
    seeds = [framework.tensor(np.ones(tuple(t.shape), str_of(t)), False) for t in found]

    def both() -> list[Any]:
        made = [t for t in tensors_in(function(*args, **kwargs)) if framework.wants(t)]
        return framework.gradients(made, leaves, seeds)

    return both


def str_of(tensor: Any) -> str:
    """The dtype of a tensor as NumPy calls it."""
    return str(tensor.dtype).rpartition(".")[2]


def shown(value: Any) -> list[tuple[tuple[int, ...], np.ndarray]]:
    """Shape and some elements of each tensor."""
    found = []
    for tensor in tensors_in(value):
        tensor = tensor.detach()
        if "bfloat16" in str(tensor.dtype):  # which NumPy has not
            tensor = tensor.float() if hasattr(tensor, "float") else tensor.astype("float32")
        array = np.asarray(tensor.numpy())
        flat = array.reshape(-1)
        found.append((array.shape, flat[:: max(flat.size // SHOWN, 1)].copy()))
    return found


def warm_up(call: Callable[[], Any]) -> None:
    """Short calls until a framework that looks which of them come again has had its say."""
    begin = time.process_time()
    for done in range(WARM_CALLS):
        if done > 2 and time.process_time() - begin > WARM_SECONDS * done / WARM_CALLS:
            break
        call()


def main() -> None:
    """Answer questions on the standard input, one a line, until it ends."""
    warnings.simplefilter("ignore")
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(2, 1)  # what a framework prints does not disturb the answers
    framework = Framework(sys.argv[1])
    if framework.is_torch:
        framework.library.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    print(json.dumps({"name": sys.argv[1], "works": []}), file=answers, flush=True)
    last: tuple[Any, Any] = (None, None)
    for line in sys.stdin:
        asked = json.loads(line)
        key = asked["path"], asked["way"]
        try:
            if last[0] != key:
                last = (None, None)  # its arrays are gone before others come
                last = (key, work(framework, *key))
            answer: dict[str, Any] = {}
            if "results" in asked:
                Path(asked["results"]).write_bytes(pickle.dumps(shown(last[1]())))
                warm_up(last[1])
            else:
                clock = time.process_time
                answer = {"seconds_per_call": seconds_per_call(last[1], asked["seconds"], clock)}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"[:300]}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
