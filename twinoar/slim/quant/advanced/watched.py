"""Watched: a network whose Linear layers are looked at while it runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from twinoar.core.values import Value
from twinoar.errors import ArgumentError
from twinoar.nn import Layer, Linear
from twinoar.slim.quant.advanced.help_layer import ShiftSmoothHelpLayer
from twinoar.slim.quant.joint import Joint, joints


class Seen:
    """What a layer has read: extremes and the sum of magnitudes of each channel, and a sample."""

    def __init__(self, size: int):
        self.least, self.greatest = np.full(size, np.inf), np.full(size, -np.inf)
        self.sum, self.rows = np.zeros(size), 0
        self.sample: Any = None

    def add(self, values: np.ndarray) -> None:
        """Count rows: [*,K]."""
        rows = values.reshape(-1, values.shape[-1]).astype(np.float64)
        self.least = np.minimum(self.least, rows.min(axis=0, initial=np.inf))
        self.greatest = np.maximum(self.greatest, rows.max(axis=0, initial=-np.inf))
        self.sum += np.abs(rows).sum(axis=0)
        self.rows += len(rows)


class Watched:
    """Watches the Linear layers of a network until `stop`; `step` counts as its user says.

    model: put into eval mode. model_config: of it `skip_norm_list`. sample_function: None for the
    last input as sample; from start_sample_step on it makes the sample.
    """

    def __init__(
        self,
        model: Layer,
        model_config: Mapping[str, Any] | None,
        sample_function: Any,
        start_sample_step: int,
    ):
        self.model, self.model_config = model, dict(model_config or {})
        self.sample_function, self.start_sample_step = sample_function, start_sample_step
        self.step = 0
        found = model.named_sublayers(include_self=True)
        self.linears: dict[str, Any] = {n: x for n, x in found if isinstance(x, Linear)}
        self.seen = {n: Seen(x.weight.shape[0]) for n, x in self.linears.items()}
        self._inputs: tuple = ()
        model.eval()
        self._hooks = [model.register_forward_pre_hook(self._note)]
        for name, layer in self.linears.items():
            self._hooks.append(layer.register_forward_pre_hook(self._look_of(name)))

    def joints(self) -> list[Joint]:
        """The joints of normalizations that are not to be skipped. Raises ArgumentError."""
        if not self._inputs:
            raise ArgumentError("the network was not run", cure="run it on some data first")
        hooks = self._hooks
        for hook in hooks:  # they are not part of what the network computes
            hook.remove()
        skipped = set(self.model_config.get("skip_norm_list", []))
        layers = [x for x in self.model.sublayers(True) if x.full_name() in skipped]
        kept = {id(p) for layer in layers for p in layer.parameters()}
        found = joints(self.model, [x for x in self._inputs if isinstance(x, Value)])
        return [j for j in found if j.is_norm and id(j.makers[0].tensor) not in kept]

    def reads(self, joint: Joint, layer: Any) -> bool:
        """Whether a joint's channels are what a layer reads."""
        return any(side.tensor is layer.weight for side in joint.readers)

    def seen_by(self, name: str) -> Seen:
        """What a layer has read. Raises ArgumentError if nothing."""
        found = self.seen[name]
        if not found.rows:
            raise ArgumentError(f"the layer {name} was not run", cure="run it on some data first")
        return found

    def helped(self, name: str) -> ShiftSmoothHelpLayer:
        """Put a ShiftSmoothHelpLayer around a layer. Raises ArgumentError for the network."""
        parent_name, _, own = name.rpartition(".")
        if not own:
            raise ArgumentError("the network is a Linear itself", cure="put it into a Sequential")
        parents = dict(self.model.named_sublayers(include_self=True))
        parent, layer = parents[parent_name], self.linears[name]
        if isinstance(parent, ShiftSmoothHelpLayer):
            return parent
        made = ShiftSmoothHelpLayer(layer)
        made.training = layer.training
        parent.add_sublayer(own, made)
        return made

    def stop(self) -> None:
        """Watch no more."""
        for hook in self._hooks:
            hook.remove()

    def _note(self, layer: Layer, inputs: tuple) -> None:
        self._inputs = self._inputs or inputs

    def _look_of(self, name: str) -> Any:
        def look(layer: Layer, inputs: tuple) -> None:
            seen, x = self.seen[name], inputs[0].detach()
            seen.add(x.numpy())
            if self.sample_function is None or seen.sample is None:
                seen.sample = x
            elif self.step >= self.start_sample_step:
                seen.sample = self.sample_function.sample(x, seen.sample, name)

        return look
