"""A saved model on its way through a compression: its Program, its values, and what they cost."""

from __future__ import annotations

import itertools
import tempfile
import time
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from twinoar import jit
from twinoar.backends.choice import make_executable
from twinoar.core.ir.program import State, Variable
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError
from twinoar.passes.inference import for_inference
from twinoar.slim.common.batches import Batches
from twinoar.slim.common.models import get_model_dir, load_inference_model
from twinoar.slim.costs import flops
from twinoar.slim.measures import LONGEST, MOST, WARM, Measures
from twinoar.slim.sizes import infer_sizes
from twinoar.static.executor import Executor
from twinoar.static.program import Program
from twinoar.static.quantization.post_training_quantization import save_model
from twinoar.static.scope import Scope, scope_guard

Score = Callable[[Any, Program, list[str], list[Any]], float]


class SavedModel:
    """A Program for inference with its values in a scope of its own.

    folder, model, params: as of `slim.common.load_inference_model`. Raises FileError.
    """

    def __init__(self, folder: str, model: str | None = None, params: str | None = None):
        self.folder, self.model, self.params = get_model_dir(folder, model, params)
        self.scope, self.executor = Scope(), Executor()
        with scope_guard(self.scope):
            found = load_inference_model(self.folder, self.executor, model, params)
        self.program: Program = found[0]
        self.feeds: list[str] = list(found[1])
        self._names = [v.name for v in found[2]]
        self.flops = 0

    def count(self) -> None:
        """Count its multiplications; those of a model of integers are those of its floats."""
        self.flops = flops(self.program)

    @property
    def fetches(self) -> list[Variable]:
        """What it returns."""
        return self.results_in(self.program)

    def results_in(self, program: Program) -> list[Variable]:
        """What it returns, in another form of its Program."""
        return [program.variable(name) for name in self._names]

    def set_sizes(self, shapes: Any) -> None:
        """Give inputs sizes: a shape for the only one, or shapes by name. -1 stays open.

        Raises ArgumentError.
        """
        given = shapes if isinstance(shapes, dict) else {self.feeds[0]: shapes}
        if len(given) != len(self.feeds) or any(name not in given for name in self.feeds):
            raise ArgumentError(
                f"the model reads {', '.join(self.feeds)}, received shapes of {', '.join(given)}"
            )
        for v in self.program.main.inputs:
            pairs = zip(v.spec.shape, given[v.name], strict=True)
            sizes = tuple(old if n in (-1, None) else int(n) for old, n in pairs)
            v._spec = Spec(sizes, v.spec.dtype)
        infer_sizes(self.program)

    def score(self, evaluate: Score | None, program: Program | None = None) -> float | None:
        """What `evaluate` says of it, or of another form of its Program."""
        if evaluate is None:
            return None
        asked = program or self.program
        with scope_guard(self.scope):
            return float(evaluate(self.executor, asked, self.feeds, self.results_in(asked)))

    def values(self) -> dict[str, np.ndarray]:
        """The values of its states by name."""
        kept = [s for s in self.program.states.values() if not s.is_constant]
        found = ((s.name, self.scope.find_var(s.name)) for s in kept)
        return {name: np.array(entry) for name, entry in found if entry is not None}

    def save(self, folder: str) -> None:
        """Write it to a folder, under the names of files that it had."""
        model, params = self.model, self.params
        name = model if model.endswith(".pdmodel") else f"{model}.pdmodel"
        if params != f"{name.removesuffix('.pdmodel')}.pdiparams":
            name = "model.pdmodel"
        feeds = [self.program.variable(n) for n in self.feeds]
        save_model(folder, self.program, feeds, self.fetches, self.scope, name)

    def measure(self, step: str, batches: Batches, score: float | None) -> Measures:
        """What it costs: the file of its parameters, and a call on the first batch, as served."""
        batch = next(iter(batches()), None)
        if batch is None:
            raise ArgumentError("the loader gives no batch", cure="pass some data")
        with tempfile.TemporaryDirectory() as folder:
            self.save(folder)
            (file,) = Path(folder).glob("*.pdiparams")
            data = file.read_bytes()
            seconds = _latency(jit.load(str(file.with_suffix(""))).program(), batch)
        states = [s for s in self.program.states.values() if _counts(s)]
        count = sum(int(s.spec.size) for s in states)
        packed = len(zlib.compress(data, 6))
        return Measures(step, count, len(data), packed, self.flops, seconds, score)


def _counts(state: State) -> bool:
    """True for weights, floats or integers; not for scales and zero points."""
    return not state.is_constant and "@" not in state.name


def _latency(program: Any, batch: Mapping[str, np.ndarray]) -> float:
    """Seconds of a run of a loaded Program, with the passes that a Predictor runs."""
    program = for_inference(program)
    run = make_executable(program)
    states = [np.asarray(s.data) for s in program.states.values() if not s.is_constant]
    given = [batch[v.name] for v in program.main.inputs]
    for _ in range(WARM):
        run.execute(given, states)
    times: list[float] = []
    for _ in itertools.repeat(None, MOST):
        start = time.perf_counter()
        run.execute(given, states)
        times.append(time.perf_counter() - start)
        if len(times) >= 3 and sum(times) > LONGEST:
            break
    return float(np.median(times))
