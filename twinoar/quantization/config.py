"""QuantConfig: which layers of a network are quantized, and how."""

from __future__ import annotations

import textwrap
from typing import Any

from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.nn import AvgPool2D, Conv2D, Embedding, Linear, ReLU
from twinoar.nn.layer import Layer
from twinoar.nn.quant.qat import QuantedConv2D, QuantedLinear
from twinoar.nn.quant.stub import QuanterStub, Stub
from twinoar.quantization.factory import ClassWithArguments
from twinoar.quantization.wrapper import ObserveWrapper

DEFAULT_QAT_LAYER_MAPPINGS: dict[type, type] = {
    Stub: QuanterStub,
    Linear: QuantedLinear,
    Conv2D: QuantedConv2D,
}
DEFAULT_LEAVES: list[type] = [ReLU, AvgPool2D]
OF_POSITIONS = (Embedding,)  # layers whose input is no quantity


class SingleLayerConfig:
    """Factories of the quanters of one layer: of its inputs, and of its weights; each may be None.

    >>> SingleLayerConfig(None, None)
    activation: None
    weight: None
    """

    def __init__(self, activation: Any, weight: Any):
        for name, factory in (("activation", activation), ("weight", weight)):
            if factory is not None and not isinstance(factory, ClassWithArguments):
                raise TypeMismatchError(
                    f"{name} must be a factory of quanters or None, received {factory!r}",
                    cure="such as paddle.quantization.quanters.FakeQuanterWithAbsMaxObserver()",
                )
        self._activation, self._weight = activation, weight

    @property
    def activation(self) -> Any:
        """The factory of quanters of inputs."""
        return self._activation

    @property
    def weight(self) -> Any:
        """The factory of quanters of weights."""
        return self._weight

    def __str__(self) -> str:
        return f"activation: {self._activation}\nweight: {self._weight}"

    __repr__ = __str__


class QuantConfig:
    """Which layers are quantized, and how: all alike, by type, by name or one by one.

    activation, weight: factories of the quanters of inputs and weights of all layers, or None.
    What is said of a layer itself or of its name goes before what is said of its type, and that
    before what is said of the layer around it.

    >>> from twinoar.quantization.observers import AbsmaxObserver
    >>> config = QuantConfig(activation=None, weight=None)
    >>> config.add_type_config(twinoar.nn.Linear, weight=AbsmaxObserver(quant_bits=4))
    >>> print(config)
    Global config:
    None
    Layer type config:
    {'Linear': activation: None
    weight: AbsmaxObserver(quant_bits=4)}
    """

    def __init__(self, activation: Any, weight: Any):
        both = SingleLayerConfig(activation, weight)
        self._global_config = None if activation is None and weight is None else both
        self._type2config: dict[type, SingleLayerConfig] = {}
        self._prefix2config: dict[str, SingleLayerConfig] = {}
        self._layer2config: dict[Layer, SingleLayerConfig] = {}
        self._model: Layer | None = None
        self._qat_layer_mapping = dict(DEFAULT_QAT_LAYER_MAPPINGS)
        self._customized_leaves: list[type] = []

    def add_layer_config(self, layer: Any, activation: Any = None, weight: Any = None) -> None:
        """Say how a layer, or each of a list, is quantized. Raises TypeMismatchError.

        layer: of the network that is going to be quantized; what it contains follows.
        """
        for one in _several(layer):
            if not isinstance(one, Layer):
                raise TypeMismatchError(f"expected a Layer, received {one!r}")
            self.add_name_config(one.full_name(), activation, weight)

    def add_name_config(self, layer_name: Any, activation: Any = None, weight: Any = None) -> None:
        """Say how layers of these names, `full_name()`, are quantized. Raises TypeMismatchError."""
        for name in _several(layer_name):
            if not isinstance(name, str):
                raise TypeMismatchError(f"expected the name of a layer, received {name!r}")
            self._prefix2config[name] = SingleLayerConfig(activation, weight)

    def add_type_config(self, layer_type: Any, activation: Any = None, weight: Any = None) -> None:
        """Say how layers of a class, or of each of a list, are quantized.

        Raises TypeMismatchError.
        """
        for kind in _several(layer_type):
            self._type2config[_layer_class(kind)] = SingleLayerConfig(activation, weight)

    def add_qat_layer_mapping(self, source: type, target: type) -> None:
        """Let layers of the class `source` become `target(layer, config)` when they are quantized.

        target: a class of layers, made with the layer and its SingleLayerConfig. Raises
        TypeMismatchError.
        """
        self._qat_layer_mapping[_layer_class(source)] = _layer_class(target)

    def add_customized_leaf(self, layer_type: type) -> None:
        """Take layers of a class as one: their inputs are quantized, their parts are not.

        Raises TypeMismatchError.
        """
        self._customized_leaves.append(_layer_class(layer_type))

    @property
    def customized_leaves(self) -> list[type]:
        """The classes that were added as leaves."""
        return self._customized_leaves

    @property
    def qat_layer_mappings(self) -> dict[type, type]:
        """What layers of each class become."""
        return self._qat_layer_mapping

    @property
    def default_qat_layer_mapping(self) -> dict[type, type]:
        """What layers become where nothing was added."""
        return DEFAULT_QAT_LAYER_MAPPINGS

    @property
    def global_config(self) -> SingleLayerConfig | None:
        """What holds for all layers of which nothing else is said."""
        return self._global_config

    def details(self) -> str:
        """What holds for each layer of the network that was quantized last.

        >>> from twinoar.quantization.observers import AbsmaxObserver
        >>> config = QuantConfig(activation=None, weight=AbsmaxObserver())
        >>> config._specify(twinoar.nn.Sequential(twinoar.nn.ReLU()))
        >>> print(config.details())
        Sequential(
          (0): ReLU(), activation: None
          weight: AbsmaxObserver(quant_bits=8)
        )
        """
        return str(self) if self._model is None else self._told(self._model)

    def __str__(self) -> str:
        told = f"Global config:\n{self._global_config}"
        if self._type2config:
            by_type = {kind.__name__: found for kind, found in self._type2config.items()}
            told += f"\nLayer type config:\n{by_type}"
        if self._prefix2config:
            told += f"\nLayer prefix config:\n{self._prefix2config}"
        return told

    def _told(self, layer: Layer) -> str:
        lines = [
            f"({name}): {self._told(part)}, {self._layer2config[part]}"
            for name, part in layer.named_children()
            if part in self._layer2config
        ]
        inside = textwrap.indent("\n".join(lines), "  ")
        return f"{type(layer).__name__}({f'{chr(10)}{inside}{chr(10)}' if lines else ''})"

    def _specify(self, model: Layer) -> None:
        """Find what holds for each layer of a network. Raises ArgumentError for unknown names."""
        self._model, self._layer2config = model, {}
        names = {layer.full_name() for layer in model.sublayers(include_self=True)}
        if unknown := self._prefix2config.keys() - names:
            raise ArgumentError(
                f"the network has no layer {min(unknown)!r}",
                cure="configure layers of the network that is quantized, by their full_name()",
            )
        self._find(model, self._of(model, self._global_config))

    def _find(self, layer: Layer, around: SingleLayerConfig | None) -> None:
        if around is not None:
            self._layer2config[layer] = around
        for part in layer.children():
            self._find(part, self._of(part, around))

    def _of(self, layer: Layer, around: SingleLayerConfig | None) -> SingleLayerConfig | None:
        found = self._type2config.get(type(layer), around)
        return self._prefix2config.get(layer.full_name(), found)

    def _get_config_by_layer(self, layer: Layer) -> SingleLayerConfig | None:
        return self._layer2config.get(layer)

    def _quanted(self, layer: Layer) -> Layer | None:
        """What a layer becomes whose class is among those that are quantized; None for others."""
        found = self._layer2config.get(layer)
        target = self._qat_layer_mapping.get(type(layer))
        return None if found is None or target is None else target(layer, found)

    def _note(self, made: Layer, layer: Layer) -> None:
        """What holds for a layer holds for what stands for it."""
        self._layer2config[made] = self._layer2config[layer]

    def _observed(self, layer: Layer) -> Layer | None:
        """A layer with a quanter of its input in front, if it is to have one."""
        found = self._layer2config.get(layer)
        if found is None or found.activation is None or isinstance(layer, OF_POSITIONS):
            return None
        kinds = (*DEFAULT_LEAVES, *self._customized_leaves)
        if type(layer) not in kinds and any(True for _ in layer.children()):
            return None
        return ObserveWrapper(found.activation._instance(layer), layer)


def _several(given: Any) -> list[Any]:
    return list(given) if isinstance(given, (list, tuple)) else [given]


def _layer_class(kind: Any) -> type:
    if not (isinstance(kind, type) and issubclass(kind, Layer)):
        raise TypeMismatchError(
            f"expected a class of layers, received {kind!r}", cure="such as paddle.nn.Linear"
        )
    return kind
