"""Running a saved model on arrays, compiled."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.backends.base import Sort
from twinoar.backends.choice import make_executable
from twinoar.core.interpreter import under
from twinoar.core.ir.program import Program, copy_program
from twinoar.core.near import near_names
from twinoar.core.shown import Shown
from twinoar.eager.tensor import Tensor as EagerTensor
from twinoar.errors import ArgumentError, TypeMismatchError, UnknownNameError
from twinoar.inference.config import Config
from twinoar.inference.reading import read_model
from twinoar.inference.tensor import Tensor
from twinoar.passes.graph import Graph
from twinoar.passes.manager import run
from twinoar.runtime.garbage import uncollected
from twinoar.runtime.openmp import on_threads
from twinoar.tracebacks import show_users_frames


class Model:
    """A model that is ready to run: compiled, with its weights; Predictors share it.

    program: as passes have left it.
    """

    def __init__(self, config: Config):
        read = read_model(config)
        self.inputs = read.main.inputs
        self.input_names = [v.name for v in read.main.inputs]
        self.output_names = [v.name for v in read.main.outputs]
        self.program = _prepared(read, config) if config.ir_optim() else read
        self.outputs = self.program.main.outputs
        copied, _ = copy_program(self.program)
        self.threads = config.cpu_math_library_num_threads()
        self.products = config.float32_matmul_precision()
        with self._settings():
            self.executable = make_executable(copied)
        states = self.program.states
        names = (
            self.executable.state_names
        )  # whose arrays a run changes only if nobody else has them
        self.weights = [np.asarray(states[n].data, copy=False) for n in names]
        self.lock = threading.Lock()

    @contextmanager
    def _settings(self) -> Iterator[None]:
        """What the config says of each run: its threads, and how exact its products are."""
        threads = on_threads(self.threads) if self.threads else nullcontext()
        exactness = under(products=self.products) if self.products else nullcontext()
        with threads, exactness:
            yield

    def explain(self, sort: Sort) -> str:
        """What runs as what, as it is planned for so many threads."""
        with self._settings():
            return Shown(self.executable.explain(sort))

    def run(self, feeds: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The outputs for arrays in the order of the inputs; what the model updates is kept."""
        with self._settings():
            if not self.executable.updated_names:
                return self.executable.execute(feeds, self.weights)[0]
            with self.lock:
                outputs, following = self.executable.execute(feeds, self.weights)
                places = {n: i for i, n in enumerate(self.executable.state_names)}
                for name, value in zip(self.executable.updated_names, following, strict=True):
                    if name in places:
                        self.weights[places[name]] = value
                return outputs


class Predictor:
    """Runs a model; see `create_predictor`. Any number of threads may use it, or a clone each.

    What handles hold, each thread has for itself.

    >>> import numpy as np, tempfile, twinoar
    >>> from twinoar import inference
    >>> folder = tempfile.mkdtemp()
    >>> spec = [twinoar.static.InputSpec([None, 2], name="x")]
    >>> _ = twinoar.jit.save(twinoar.nn.ReLU(), f"{folder}/relu", input_spec=spec)
    >>> config = inference.Config(f"{folder}/relu.pdmodel", f"{folder}/relu.pdiparams")
    >>> predictor = inference.create_predictor(config)
    >>> predictor.get_input_handle("x").copy_from_cpu(np.array([[-1, 2]], "float32"))
    >>> predictor.run()
    >>> predictor.get_output_handle(predictor.get_output_names()[0]).copy_to_cpu()
    array([[0., 2.]], dtype=float32)
    """

    def __init__(self, model: Model):
        self._model = model
        named = zip(model.inputs, model.input_names, strict=True)
        self._inputs = {name: Tensor(v, name) for v, name in named}
        given = zip(model.outputs, model.output_names, strict=True)
        self._outputs = {name: Tensor(v, name) for v, name in given}

    def get_input_names(self) -> list[str]:
        """The names of the inputs, in order."""
        return list(self._inputs)

    def get_output_names(self) -> list[str]:
        """The names of the outputs, in order."""
        return list(self._outputs)

    def get_input_handle(self, name: str) -> Tensor:
        """Where an input is put. Raises UnknownNameError."""
        return _known(self._inputs, name, "input")

    def get_output_handle(self, name: str) -> Tensor:
        """Where an output is found after `run`. Raises UnknownNameError."""
        return _known(self._outputs, name, "output")

    def run(self, inputs: Sequence[Any] | None = None) -> list[Any] | None:
        """Run once, on what the handles hold, or on `inputs`, arrays or Tensors in order.

        Returns None, or for `inputs` the outputs as a list of the same kind. Raises ProgramError
        where an input has no data, ShapeError and DTypeError where it does not fit.
        """
        if inputs is not None:
            self._take(inputs)
        feeds = [handle._data() for handle in self._inputs.values()]
        try:
            found = self._model.run(feeds)
        except Exception as error:
            show_users_frames(error)
            raise
        for handle, array in zip(self._outputs.values(), found, strict=True):
            handle._held.array = array
        if inputs is None:
            return None
        tensors_given = any(isinstance(x, EagerTensor) for x in inputs)
        return [EagerTensor(a) for a in found] if tensors_given else [np.array(a) for a in found]

    def clone(self) -> Predictor:
        """A Predictor of the same model and weights, with its own handles."""
        return Predictor(self._model)

    def clear_intermediate_tensor(self) -> None:
        """Forget what the handles hold."""
        for handle in (*self._inputs.values(), *self._outputs.values()):
            handle._held.array = None

    def try_shrink_memory(self) -> int:
        """Forget what the handles hold, and return the bytes that are free again."""
        handles = (*self._inputs.values(), *self._outputs.values())
        held = [h._held.array for h in handles]
        freed = sum(a.nbytes for a in held if a is not None)
        self.clear_intermediate_tensor()
        return freed

    @property
    def program(self) -> Program:
        """The Program that runs, as passes have left it."""
        return self._model.program

    def explain(self, sort: Sort = "order") -> str:
        """What runs as what, a line for each part with its time; sort: "order" or "time"."""
        return self._model.explain(sort)

    def _take(self, inputs: Sequence[Any]) -> None:
        if not isinstance(inputs, (list, tuple)):
            raise TypeMismatchError(
                f"expected a list of inputs, received {type(inputs).__name__}",
                cure="pass one array for each input",
            )
        if len(inputs) != len(self._inputs):
            raise ArgumentError(
                f"the model takes {len(self._inputs)} inputs ({', '.join(self._inputs)}), "
                f"received {len(inputs)}"
            )
        for handle, x in zip(self._inputs.values(), inputs, strict=True):
            handle.share_external_data(x)


class PredictorPool:
    """Predictors of one model, for as many threads. Raises ArgumentError for less than one."""

    def __init__(self, config: Config, size: int):
        if size < 1:
            raise ArgumentError(f"a pool has at least one predictor, received {size}")
        model = Model(config)
        self._predictors = [Predictor(model) for _ in range(size)]

    def retrieve(self, idx: int) -> Predictor:
        """Predictor number `idx`. Raises ArgumentError for one that the pool does not have."""
        if not 0 <= idx < len(self._predictors):
            raise ArgumentError(f"the pool has {len(self._predictors)} predictors, received {idx}")
        return self._predictors[idx]

    retrive = retrieve  # as Paddle spells it


def create_predictor(config: Config) -> Predictor:
    """A Predictor of the model that `config` names.

    Raises FileError for files that are missing or damaged, UnsupportedError for a program of
    Paddle 3 or an operator that twinoar does not have.
    """
    if not isinstance(config, Config):
        raise TypeMismatchError(
            f"expected an inference.Config, received {type(config).__name__}",
            cure="inference.Config('model.pdmodel', 'model.pdiparams')",
        )
    with uncollected():
        return Predictor(Model(config))


def _prepared(program: Program, config: Config) -> Program:
    """The Program after the passes of the config; each step is drawn if that is asked for."""
    builder = config.pass_builder()
    if not builder.shows_each:
        return run(program, builder.all_passes())
    for number, name in enumerate(builder.all_passes()):
        program = run(program, name)
        Graph(program).draw(Path(f"{number}_ir_{name}.dot"))
    return program


def _known(handles: dict[str, Tensor], name: str, what: str) -> Tensor:
    if name not in handles:
        raise UnknownNameError(f"the model has no {what} {name!r}", cure=near_names(name, handles))
    return handles[name]
