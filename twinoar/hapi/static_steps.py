"""The steps of a Model in static mode: each is one run of a Program."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.ir.program import Variable
from twinoar.errors import ProgramError, UnsupportedError
from twinoar.hapi import files
from twinoar.hapi.data import as_list
from twinoar.static.amp.decoration import OptimizerWithMixedPrecision, decorate
from twinoar.static.amp.lists import AutoMixedPrecisionLists
from twinoar.static.executor import Executor
from twinoar.static.inference_io import save_inference_model
from twinoar.static.input import data
from twinoar.static.mode import default_main_program, default_startup_program, program_guard
from twinoar.static.scope import global_scope


class StaticSteps:
    """Builds the network in the Programs that hold its parameters, and runs them.

    The network is there twice: as it trains, and as it answers. The Program for answers is a copy
    from before gradients and updates were added.
    """

    def __init__(self, model: Any):
        self.model = model
        self.main, self.startup = default_main_program(), default_startup_program()
        self.executor = Executor()
        self.built: dict[str, dict[str, Any]] = {}
        self.answering: Any = None

    def prepare(self) -> None:
        """Build the Programs, and give the states that have no value their first one."""
        with program_guard(self.main, self.startup):
            inputs = [_declared(s, self.main) for s in self.model._inputs]
            labels = [_declared(s, self.main) for s in self.model._labels]
            for mode in ("eval", "train"):
                getattr(self.model.network, mode)()
                self.built[mode] = self._build(inputs, labels)
            self.answering = self.main.clone(for_test=True)
            trainer = None
            if self.model.optimizer is not None and self.model._loss is not None:
                losses = self.built["train"]["losses"]
                total = losses[0]
                for loss in losses[1:]:
                    total = total + loss
                trainer = self._trainer()
                trainer.minimize(total)
        self._initialize()
        if isinstance(trainer, OptimizerWithMixedPrecision):
            is_low = self.model.precision.level == "O2"
            trainer.amp_init(None, global_scope(), self.answering, is_low)

    def _trainer(self) -> Any:
        """The optimizer, or what lowers the Program for it."""
        precision, optimizer = self.model.precision, self.model.optimizer
        if not precision.is_mixed:
            return optimizer
        others = dict(precision.of_programs)
        lists = AutoMixedPrecisionLists(
            **precision.lists,
            custom_black_varnames=others.pop("custom_black_varnames", None),
            dtype=precision.dtype,
        )
        return decorate(
            optimizer,
            lists,
            level=precision.level,
            dtype=precision.dtype,
            use_amp_guard=others.get("use_fp16_guard", False),
            **precision.scaling,
        )

    def train(self, inputs: list, labels: list, update: bool) -> tuple[list, list]:
        """Losses, and what each metric measured; the parameters have learned."""
        if not update:
            raise UnsupportedError(
                "a static training step always updates: gradients are not accumulated",
                cure="call paddle.disable_static() before the model is made",
            )
        return self._run("train", self.main, inputs, labels)

    def evaluate(self, inputs: list, labels: list) -> tuple[list, list]:
        """Losses, and what each metric measured."""
        return self._run("eval", self.answering, inputs, labels)

    def predict(self, inputs: list) -> list[np.ndarray]:
        """The outputs."""
        self._need_built()
        feed = _feed(self.model._inputs, inputs)
        names = [v.name for v in self.built["eval"]["outputs"]]
        return self.executor.run(self.answering, feed=feed, fetch_list=names)

    def save(self, path: str) -> None:
        """Write parameters and the optimizer's state."""
        scope = global_scope()
        states = self.model.network.state_dict()
        own = {s.name for s in states.values()}
        rest = {k: v for k, v in self.main.state_dict("opt").items() if k not in own}
        parameters = {key: scope.read(s) for key, s in states.items()}
        files.save_states(path, parameters, rest if self.model.optimizer is not None else None)

    def save_inference(self, path: str) -> None:
        """Write the model for inference."""
        self._need_built()
        program = self.answering
        feeds = [program.main.var(s.name) for s in self.model._inputs]
        fetches = [program.main.var(v.name) for v in self.built["eval"]["outputs"]]
        save_inference_model(path, feeds, fetches, self.executor, program=program)

    def load(self, path: str, skip_mismatch: bool, reset_optimizer: bool) -> None:
        """Read what `save` wrote."""
        parameters, rest = files.load_states(path)
        states = self.model.network.state_dict()
        found = files.fitting(parameters, states, skip_mismatch)
        values = {states[key].name: np.asarray(value) for key, value in found.items()}
        if rest is not None and not reset_optimizer:
            values |= {k: np.asarray(v) for k, v in rest.items() if k in self.main.states}
        self.main.set_state_dict(values)

    def _build(self, inputs: list[Variable], labels: list[Variable]) -> dict[str, Any]:
        outputs = as_list(self.model.network(*inputs))
        loss = self.model._loss
        return {
            "outputs": outputs,
            "losses": [] if loss is None else as_list(loss(*outputs, *labels)),
            "measured": [as_list(m.compute(*outputs, *labels)) for m in self.model._metrics],
        }

    def _run(self, mode: str, program: Any, inputs: list, labels: list) -> tuple[list, list]:
        self._need_built()
        built = self.built[mode]
        wanted = [*built["losses"], *(v for m in built["measured"] for v in m)]
        feed = _feed(self.model._inputs, inputs) | _feed(self.model._labels, labels)
        names = [v.name for v in wanted]
        found = iter(self.executor.run(program, feed=feed, fetch_list=names))
        losses = [next(found) for _ in built["losses"]]
        return losses, [[next(found) for _ in m] for m in built["measured"]]

    def _initialize(self) -> None:
        """Run the startup Program; states that have a value keep it."""
        scope = global_scope()
        kept = {n: scope.arrays[n] for n in self.startup.states if n in scope.arrays}
        self.executor.run(self.startup)
        scope.arrays.update(kept)

    def _need_built(self) -> None:
        if not self.built:
            raise ProgramError(
                "the model has no Program yet", cure="model.prepare(optimizer, loss, metrics) first"
            )


def _declared(spec: Any, program: Any) -> Variable:
    found = [v for v in program.main.inputs if v.name == spec.name]
    return found[0] if found else data(spec.name, spec.shape, spec.dtype)


def _feed(specs: list[Any], values: list) -> dict[str, np.ndarray]:
    return {s.name: np.asarray(v) for s, v in zip(specs, values, strict=False)}
