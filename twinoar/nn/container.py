"""Layers that hold layers, or parameters: in a row, a list or a dictionary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from twinoar.core.layer_like import LayerLike, count_change
from twinoar.errors import ArgumentError, AxisError, TypeMismatchError, UnknownNameError
from twinoar.nn.layer import Layer


class _List(Layer):
    """Sublayers under the names "0", "1", ..."""

    def __len__(self) -> int:
        return len(self._sub_layers)

    def __iter__(self) -> Iterator[Layer]:
        return iter(self._sub_layers.values())

    def append(self, sublayer: Layer) -> Any:
        """Add a layer at the end; returns this one."""
        self.add_sublayer(str(len(self)), _checked(sublayer))
        return self

    def extend(self, sublayers: Iterable[Layer]) -> Any:
        """Add layers at the end; returns this one."""
        for sublayer in sublayers:
            self.append(sublayer)
        return self

    def insert(self, index: int, sublayer: Layer) -> Any:
        """Add a layer before the one at `index`; returns this one. Raises AxisError."""
        count = len(self)
        if not -count <= index <= count:
            raise AxisError(f"index must be in [{-count}, {count}], received {index}")
        layers = list(self)
        layers.insert(index, _checked(sublayer))
        self._renumber(layers)
        return self

    def _renumber(self, layers: Iterable[Layer]) -> None:
        self._sub_layers.clear()
        for number, layer in enumerate(layers):
            self.add_sublayer(str(number), layer)

    def _at(self, index: int) -> str:
        """The name of the sublayer at `index`."""
        count = len(self)
        if not -count <= index < count:
            raise AxisError(
                f"index {index} is out of range, should be in [{-count}, {count})",
                cure="negative positions count from the end",
            )
        return list(self._sub_layers)[index]


class Sequential(_List):
    """Layers that are called one after the other.

    layers: layers, or (name, layer) pairs, or one list of either. Returned by an index: a layer; by
    a slice: a Sequential.

    >>> net = twinoar.nn.Sequential(("fc", twinoar.nn.Linear(4, 2)), ("act", twinoar.nn.ReLU()))
    >>> net
    Sequential(
      (fc): Linear(in_features=4, out_features=2, dtype=float32)
      (act): ReLU()
    )
    >>> net(twinoar.ones([3, 4])).shape
    [3, 2]
    """

    def __init__(self, *layers: Any):
        super().__init__()
        given: Iterable[Any] = layers
        if len(layers) == 1 and isinstance(layers[0], Mapping):
            given = layers[0].items()
        elif len(layers) == 1 and isinstance(layers[0], (list, tuple)) and not _is_pair(layers[0]):
            given = layers[0]
        for number, layer in enumerate(given):
            name, layer = layer if _is_pair(layer) else (str(number), layer)
            self.add_sublayer(name, _checked(layer))

    def forward(self, input: Any) -> Any:
        """The output of the last layer."""
        for layer in self._sub_layers.values():
            input = layer(input)
        return input

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(*list(self)[index])
        if isinstance(index, str):
            return _named(self, index)
        return self._sub_layers[self._at(index)]

    def __setitem__(self, index: int | str, layer: Layer) -> None:
        self.add_sublayer(index if isinstance(index, str) else self._at(index), _checked(layer))

    def __delitem__(self, index: int | str | slice) -> None:
        if isinstance(index, slice):
            for name in list(self._sub_layers)[index]:
                delattr(self, name)
            return
        name = index if isinstance(index, str) else self._at(index)
        _named(self, name)
        delattr(self, name)


class LayerList(_List):
    """A list of layers, whose parameters are its own; it computes nothing.

    >>> blocks = twinoar.nn.LayerList([twinoar.nn.Linear(2, 2) for _ in range(3)])
    >>> len(blocks), blocks[-1].full_name() != blocks[0].full_name()
    (3, True)
    """

    def __init__(self, sublayers: Iterable[Layer] | None = None):
        super().__init__()
        if sublayers is not None:
            self.extend(sublayers)

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return type(self)(list(self)[index])
        return self._sub_layers[self._at(index)]

    def __setitem__(self, index: int, sublayer: Layer) -> None:
        self.add_sublayer(self._at(index), _checked(sublayer))

    def __delitem__(self, index: int | slice) -> None:
        layers = list(self)
        if not isinstance(index, slice):
            self._at(index)
        del layers[index]
        self._renumber(layers)


class LayerDict(Layer):
    """A dictionary of layers, whose parameters are its own; it computes nothing.

    sublayers: a mapping, another LayerDict, or (name, layer) pairs.

    >>> heads = twinoar.nn.LayerDict({"a": twinoar.nn.Linear(2, 2), "b": twinoar.nn.ReLU()})
    >>> heads["b"], list(heads.keys())
    (ReLU(), ['a', 'b'])
    """

    def __init__(self, sublayers: Any = None):
        super().__init__()
        if sublayers is not None:
            self.update(sublayers)

    def __getitem__(self, key: str) -> Layer:
        return _named(self, key)

    def __setitem__(self, key: str, sublayer: Layer) -> None:
        self.add_sublayer(key, _checked(sublayer))

    def __delitem__(self, key: str) -> None:
        _named(self, key)
        delattr(self, key)

    def __len__(self) -> int:
        return len(self._sub_layers)

    def __iter__(self) -> Iterator[str]:
        return iter(self._sub_layers)

    def __contains__(self, key: str) -> bool:
        return key in self._sub_layers

    def clear(self) -> None:
        """Remove all layers."""
        self._sub_layers.clear()
        count_change(self)

    def pop(self, key: str) -> Layer:
        """Remove the layer `key` and return it. Raises UnknownNameError where there is none."""
        layer = _named(self, key)
        delattr(self, key)
        return layer

    def keys(self) -> Iterable[str]:
        """The names."""
        return self._sub_layers.keys()

    def values(self) -> Iterable[Layer]:
        """The layers."""
        return self._sub_layers.values()

    def items(self) -> Iterable[tuple[str, Layer]]:
        """Names and layers."""
        return self._sub_layers.items()

    def update(self, sublayers: Any) -> None:
        """Add layers, taking the place of those with the same name."""
        for name, layer in _pairs(sublayers, LayerDict, "_sub_layers"):
            self[name] = layer


class ParameterList(Layer):
    """A list of parameters; it computes nothing.

    >>> scales = twinoar.nn.ParameterList(twinoar.nn.Linear(2, 3).parameters())
    >>> len(scales), scales[1].shape
    (2, [3])
    """

    def __init__(self, parameters: Iterable[Any] | None = None):
        super().__init__()
        for parameter in parameters or ():
            self.append(parameter)

    def __getitem__(self, index: int) -> Any:
        return self._parameters[self._at(index)]

    def __setitem__(self, index: int, parameter: Any) -> None:
        self.add_parameter(self._at(index), parameter)

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._parameters.values())

    def append(self, parameter: Any) -> ParameterList:
        """Add a parameter at the end; returns this list."""
        self.add_parameter(str(len(self)), parameter)
        return self

    def _at(self, index: int) -> str:
        count = len(self)
        if not -count <= index < count:
            raise AxisError(
                f"index {index} is out of range, should be in [{-count}, {count})",
                cure="negative positions count from the end",
            )
        return str(index % count)


class ParameterDict(Layer):
    """Parameters by name; it computes nothing.

    parameters: a mapping, pairs of a name and a parameter, or another ParameterDict.

    >>> scales = twinoar.nn.ParameterDict({"a": twinoar.create_parameter([2], "float32")})
    >>> [(name, scales[name].shape) for name in scales]
    [('a', [2])]
    """

    def __init__(self, parameters: Any = None):
        super().__init__()
        if parameters is not None:
            self.update(parameters)

    def __getitem__(self, key: str) -> Any:
        if key not in self._parameters:
            raise UnknownNameError(
                f"there is no parameter {key!r}", cure=f"the names are {list(self._parameters)}"
            )
        return self._parameters[key]

    def __setitem__(self, key: str, parameter: Any) -> None:
        self.add_parameter(key, parameter)

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[str]:
        return iter(self._parameters)

    def __contains__(self, key: object) -> bool:
        return key in self._parameters

    def update(self, parameters: Any) -> None:
        """Add parameters, taking the place of those with the same name."""
        for name, parameter in _pairs(parameters, ParameterDict, "_parameters"):
            self[name] = parameter


def _pairs(given: Any, own: type, kind: str) -> Iterator[tuple[str, Any]]:
    """Pairs of a name and a member: of a mapping, of pairs, or of what is `own`."""
    what = "layer" if kind == "_sub_layers" else "parameter"
    if isinstance(given, own):
        given = getattr(given, kind)
    if isinstance(given, Mapping):
        given = given.items()
    if not isinstance(given, Iterable):
        raise TypeMismatchError(
            f"expected a mapping or pairs of a name and a {what}, received {type(given).__name__}"
        )
    for pair in given:
        if not _is_pair(pair):
            raise ArgumentError(f"expected pairs of a name and a {what}, received {pair!r}")
        yield pair


def _is_pair(x: Any) -> bool:
    return isinstance(x, (list, tuple)) and len(x) == 2 and isinstance(x[0], str)


def _checked(layer: Any) -> Any:
    if layer is not None and not isinstance(layer, LayerLike):
        raise TypeMismatchError(
            f"expected a Layer, received {type(layer).__name__}",
            cure="pass a layer object, such as nn.ReLU()",
        )
    return layer


def _named(layer: Layer, name: str) -> Any:
    if name not in layer._sub_layers:
        raise UnknownNameError(
            f"there is no sublayer {name!r}", cure=f"the names are {list(layer._sub_layers)}"
        )
    return layer._sub_layers[name]
