"""Teaching: a network that teaches a supernet, and losses between layers of both."""

from __future__ import annotations

from typing import Any

from twinoar.autograd import no_grad
from twinoar.errors import ArgumentError, UnknownNameError
from twinoar.export.objects import load
from twinoar.nn import Layer, functional
from twinoar.slim.nas.ofa.layers import SuperConv2D, SuperLinear
from twinoar.slim.nas.ofa.layers_base import BaseBlock

BETWEEN = ("conv2d", "linear")


class Teaching:
    """A teacher, and what layers of both networks returned in the last call.

    model: the supernet's network. config: a DistillConfig. wrap: what calls blocks that the teacher
    may have. Raises ArgumentError, UnknownNameError.
    """

    def __init__(self, model: Layer, config: Any, wrap: Any):
        if not isinstance(config.teacher_model, Layer):
            raise ArgumentError(f"teacher_model must be a Layer, received {config.teacher_model!r}")
        if config.teacher_model_path is not None:
            given = config.teacher_model_path
            config.teacher_model.set_state_dict(given if isinstance(given, dict) else load(given))
        self.config, self.teacher = config, wrap(config.teacher_model)
        self.teacher.eval()
        self.names = list(config.mapping_layers or ())
        own = dict(model.named_sublayers())
        for network in (own, dict(config.teacher_model.named_sublayers())):
            if unknown := [n for n in self.names if n not in network]:
                raise UnknownNameError(f"mapping_layers has {unknown}, which a network has not")
        self.between = {name: self._between(own[name]) for name in self.names}
        self._student: dict[str, Any] = {}
        self._teacher: dict[str, Any] = {}

    def _between(self, layer: Any) -> Layer | None:
        kind = self.config.mapping_op
        if kind is None:
            return None
        if kind.lower() not in BETWEEN:
            raise ArgumentError(f"mapping_op is one of {', '.join(BETWEEN)}, received {kind!r}")
        fn = layer.fn if isinstance(layer, BaseBlock) else layer
        if kind.lower() == "linear":
            return SuperLinear(fn.out_features, fn.out_features)
        return SuperConv2D(fn._out_channels, fn._out_channels, 1)

    def parameters(self) -> list[Any]:
        """Those of the layers between."""
        return [
            p for layer in self.between.values() if layer is not None for p in layer.parameters()
        ]

    def answers(self, model: Layer, *inputs: Any, **kwargs: Any) -> tuple[Any, Any]:
        """What the network answers, and what the teacher does."""
        self._student, self._teacher = {}, {}
        with no_grad():
            wanted = _watched(self.teacher.model, self.names, self._teacher, *inputs, **kwargs)
        return _watched(model, self.names, self._student, *inputs, **kwargs), wanted

    def loss(self) -> Any:
        """The losses of the last call, added up; layers that it left out have none."""
        if not self.names:
            raise ArgumentError(
                "no layers are compared", cure="give mapping_layers in DistillConfig"
            )
        loss_of = self.config.distill_fn or functional.mse_loss
        losses = []
        for name in self.names:
            if name not in self._student:
                continue
            seen, layer = _first(self._student[name]), self.between[name]
            seen = seen if layer is None else layer(seen)
            losses.append(loss_of(seen, _first(self._teacher[name]).detach()))
        if not losses:
            raise ArgumentError("no layer was called yet", cure="call the supernet before")
        total = sum(losses[1:], losses[0])
        factor = self.config.lambda_distill
        return total if factor is None else total * factor


def _first(result: Any) -> Any:
    return result[0] if isinstance(result, (tuple, list)) else result


def _watched(
    model: Layer, names: list[str], seen: dict[str, Any], *inputs: Any, **kwargs: Any
) -> Any:
    """Call a network, and note what layers return."""

    def note(name: str) -> Any:
        return lambda layer, given, out: seen.__setitem__(name, out)

    layers = dict(model.named_sublayers())
    hooks = [layers[name].register_forward_post_hook(note(name)) for name in names]
    try:
        return model(*inputs, **kwargs)
    finally:
        for hook in hooks:
            hook.remove()
