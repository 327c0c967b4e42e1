"""What quantizing in training and after it share: quanters are put in, and become operators."""

from __future__ import annotations

import abc
import copy
import warnings
from typing import Any

from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.nn.layer import Layer
from twinoar.nn.quant.format import ConvertibleQuantedLayer, LinearQuanterDequanter
from twinoar.quantization.base_observer import BaseObserver
from twinoar.quantization.base_quanter import BaseQuanter
from twinoar.quantization.config import QuantConfig
from twinoar.quantization.replacing import CONVERTIBLE, replace_layers


class Quantization(abc.ABC):
    """Puts quanters into networks as a configuration says, and makes operators of them.

    config: a QuantConfig, of which a copy is taken.
    """

    def __init__(self, config: QuantConfig):
        if not isinstance(config, QuantConfig):
            raise TypeMismatchError(f"expected a QuantConfig, received {config!r}")
        self._config = copy.copy(config)
        for name in ("_type2config", "_prefix2config", "_qat_layer_mapping", "_customized_leaves"):
            setattr(self._config, name, copy.copy(getattr(config, name)))

    @abc.abstractmethod
    def quantize(self, model: Layer, inplace: bool = False) -> Layer:
        """A network with quanters where the configuration has them."""

    def convert(self, model: Layer, inplace: bool = False, remain_weight: bool = False) -> Layer:
        """A network whose quanters are operators with fixed scales, and weights are integers.

        model: what `quantize` returned, after data has passed through it. inplace: change it, else
        a copy; where something is missing, nothing changes. remain_weight: leave weights floats and
        quantize them in each call. Weights of up to 8 bits become int8. Returns the network, for
        `paddle.jit.save`. Raises ArgumentError where quanters have seen no data, hold no finite
        scales, or where nothing is quantized.

        >>> from twinoar.quantization.observers import AbsmaxObserver
        >>> config = QuantConfig(activation=AbsmaxObserver(), weight=AbsmaxObserver())
        >>> ptq = twinoar.quantization.PTQ(config)
        >>> net = ptq.quantize(twinoar.nn.Sequential(twinoar.nn.Linear(2, 2)).eval())
        >>> y = net(twinoar.ones([1, 2]))
        >>> ptq.convert(net)[0].weight.dtype
        paddle.int8
        """
        model = model if inplace else copy.deepcopy(model)
        if not any(isinstance(layer, CONVERTIBLE) for layer in model.sublayers(include_self=True)):
            raise ArgumentError(
                "the network has no quanters", cure="convert what quantize returned"
            )
        changes = _changes(model, remain_weight)
        for layer, members in changes:
            for name, value in members.items():
                setattr(layer, name, value)
        return model

    def _put_in(self, model: Layer) -> Layer:
        """The network with quanters in it: a layer alone becomes what stands for it."""
        config = self._config
        config._specify(model)

        def instead(layer: Layer) -> Layer | None:
            found = config._quanted(layer) or config._observed(layer)
            if found is not None:
                config._note(found, layer)
            return found

        return replace_layers(model, instead)

    def __str__(self) -> str:
        return self._config.details()

    __repr__ = __str__


def _changes(model: Layer, remain_weight: bool) -> list[tuple[Layer, dict[str, Any]]]:
    """New members of layers, all that converting changes; it warns of quanters without data."""
    found: list[tuple[Layer, dict[str, Any]]] = []
    unseen: list[str] = []
    for path, layer in model.named_sublayers(include_self=True):
        try:
            names = _quanters(layer)
            members = _new_members(layer, names, remain_weight) if names else {}
        except ArgumentError as error:
            told = f"{path or 'the network'}: {error.message}"
            raise ArgumentError(told, cure=error.cure) from error
        unseen += [f"{path}.{n}" for n in names if getattr(_of(layer, n), "is_unseen", False)]
        if members:
            found.append((layer, members))
    warn_of_unseen(unseen, 4)
    return found


def warn_of_unseen(names: list[str], stacklevel: int) -> None:
    """Warn of quanters, if there are some, that no data has passed in training."""
    if names:
        warnings.warn(
            f"no data has passed in training through {', '.join(names[:8])}: their scales are as "
            "they began",
            stacklevel=stacklevel,
        )


def _quanters(layer: Layer) -> list[str]:
    """Names of the quanters of a layer that become operators."""
    if not isinstance(layer, ConvertibleQuantedLayer):
        return [name for name, part in layer._sub_layers.items() if isinstance(part, BaseQuanter)]
    of_weights = [name for _, name in layer.weights_to_quanters()]
    names = [*of_weights, *layer.activation_quanters()]
    if layer.converted:
        return names
    # Observers without scales have seen no data; other quanters say that they quantize by none, and
    # their layer stays.
    others = [q for q in (_of(layer, n) for n in of_weights) if not isinstance(q, BaseObserver)]
    if any(q is not None and q.scales() is None for q in others):
        return []
    return names


def _of(layer: Layer, name: str) -> Any:
    return getattr(layer, name, None)


def _new_members(layer: Layer, names: list[str], remain_weight: bool) -> dict[str, Any]:
    if isinstance(layer, ConvertibleQuantedLayer):
        return layer._converted_members(remain_weight)
    return {name: LinearQuanterDequanter.from_quanter(_of(layer, name)) for name in names}
