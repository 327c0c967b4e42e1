"""A model of Keras as a layer: layers by name, and calls of them in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from twinoar import nn
from twinoar.errors import ArgumentError, FileError
from twinoar.late import dataclass


@dataclass(frozen=True)
class Info:
    """What a layer is called in the JSON, in groups of weights, and where its arrays lie there."""

    name: str
    group: str
    places: tuple[str, ...]


@dataclass(frozen=True)
class Call:
    """One call of a layer: what it is given, and names of settings with it."""

    layer: str
    operands: Any
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class From:
    """The result of a call: of which layer, of which of its calls, which of several."""

    layer: str
    call: int
    result: int


class KerasModel(nn.Layer):
    """A sequential or functional model: layers, and calls of them in order."""

    def __init__(self, inputs: list[From], outputs: list[From], is_single: bool):
        super().__init__()
        self.inputs, self.outputs, self.is_single = inputs, outputs, is_single
        self.layers = nn.LayerDict()
        self.infos: dict[str, Info] = {}
        self.calls: list[Call] = []

    def keep(self, layer: nn.Layer, info: Info) -> None:
        """Add a layer."""
        if info.name in self.infos:
            raise FileError(f"two layers are called {info.name[:80]}")
        self.infos[info.name] = info
        self.layers[info.name] = layer

    def kept(self) -> Iterator[tuple[Any, Info]]:
        """The layers in order, with what they are called."""
        for name, info in self.infos.items():
            yield self.layers[name], info

    def forward(self, *operands: Any) -> Any:
        if len(operands) == 1 and isinstance(operands[0], list | tuple):
            operands = tuple(operands[0])
        if len(operands) != len(self.inputs):
            raise ArgumentError(
                f"the model has {len(self.inputs)} inputs, received {len(operands)}",
                cure="give one tensor for each",
            )
        known: dict[tuple[str, int], Any] = {}
        counts: Counter[str] = Counter()
        for place, x in zip(self.inputs, operands, strict=True):
            known[place.layer, place.call] = x
            counts[place.layer] = 1
        for call in self.calls:
            given = [_resolved(x, known) for x in call.operands]
            settings = {name: _resolved(x, known) for name, x in call.settings.items()}
            known[call.layer, counts[call.layer]] = self.layers[call.layer](*given, **settings)
            counts[call.layer] += 1
        found = [_resolved(place, known) for place in self.outputs]
        return found[0] if self.is_single else found


def _resolved(x: Any, known: Mapping[tuple[str, int], Any]) -> Any:
    if isinstance(x, list):
        return [_resolved(one, known) for one in x]
    if not isinstance(x, From):
        return x
    found = known[x.layer, x.call]
    return found[x.result] if isinstance(found, list | tuple) else found
