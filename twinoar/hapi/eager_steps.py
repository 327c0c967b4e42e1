"""The steps of a Model in eager mode."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.amp.grad_scaler import GradScaler
from twinoar.autograd import no_grad
from twinoar.core.values import Value
from twinoar.eager.tensor import Tensor
from twinoar.export.save import save as save_for_inference
from twinoar.hapi import files
from twinoar.hapi.data import as_list
from twinoar.jit.to_static import to_static


class EagerSteps:
    """Runs a network and its loss operator by operator."""

    def __init__(self, model: Any):
        self.model = model
        self.scaler = GradScaler(False)

    def prepare(self) -> None:
        """Lower the parameters, where that is asked for, and begin to scale losses."""
        precision = self.model.precision
        precision.prepare(self.model.network, self.model.optimizer)
        self.scaler = precision.scaler()

    def train(self, inputs: list, labels: list, update: bool) -> tuple[list, list]:
        """Losses, and what each metric measured; the parameters have learned if `update`."""
        self.model.network.train()
        with self.model.precision.training():
            outputs, losses, labels = self._run(inputs, labels)
            total = losses[0]
            for loss in losses[1:]:
                total = total + loss
        self.scaler.scale(total).backward()
        if update:
            self.scaler.step(self.model.optimizer)
            self.scaler.update()
            self.model.optimizer.clear_grad()
        return _arrays(losses), self._measured(outputs, labels)

    def evaluate(self, inputs: list, labels: list) -> tuple[list, list]:
        """Losses, and what each metric measured."""
        self.model.network.eval()
        with no_grad(), self.model.precision.answering():
            outputs, losses, labels = self._run(inputs, labels)
            return _arrays(losses), self._measured(outputs, labels)

    def predict(self, inputs: list) -> list[np.ndarray]:
        """The outputs."""
        self.model.network.eval()
        with no_grad(), self.model.precision.answering():
            return _arrays(as_list(self.model.network(*_tensors(inputs))))

    def save(self, path: str) -> None:
        """Write parameters and the optimizer's state."""
        optimizer = self.model.optimizer
        state = None if optimizer is None else optimizer.state_dict()
        files.save_states(path, self.model.network.state_dict(), state)

    def save_inference(self, path: str) -> None:
        """Write the model for inference."""
        network = self.model.network
        network.eval()
        save_for_inference(to_static(network, input_spec=self.model._inputs), path)

    def load(self, path: str, skip_mismatch: bool, reset_optimizer: bool) -> None:
        """Read what `save` wrote."""
        network, optimizer = self.model.network, self.model.optimizer
        parameters, state = files.load_states(path)
        own = network.state_dict()
        network.set_state_dict({**own, **files.fitting(parameters, own, skip_mismatch)})
        if optimizer is not None and state is not None and not reset_optimizer:
            optimizer.set_state_dict(state)

    def _run(self, inputs: list, labels: list) -> tuple[list, list, list]:
        outputs = as_list(self.model.network(*_tensors(inputs)))
        labels = _tensors(labels)
        found = self.model._loss
        return outputs, [] if found is None else as_list(found(*outputs, *labels)), labels

    def _measured(self, outputs: list, labels: list) -> list[list[np.ndarray]]:
        found = [as_list(m.compute(*outputs, *labels)) for m in self.model._metrics]
        return [_arrays(given) for given in found]


def _tensors(values: list) -> list[Any]:
    return [x if isinstance(x, Value) else Tensor(np.asarray(x)) for x in values]


def _arrays(values: list) -> list[np.ndarray]:
    return [x.numpy() if isinstance(x, Value) else np.asarray(x) for x in values]
