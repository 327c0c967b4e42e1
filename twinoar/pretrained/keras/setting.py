"""What the layers of Keras have in common: their settings, activations, and who makes them.

Each kind of layer is a function that takes its settings and arrays and gives a layer of ours. What
it does not ask for is an error, as what a layer computes hangs on its settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from twinoar import nn
from twinoar.core.near import near_names
from twinoar.errors import FileError, UnsupportedError
from twinoar.late import dataclass
from twinoar.nn import functional as F
from twinoar.ops.create.fill import assign
from twinoar.pretrained.config import Config, quick_gelu

FLOAT = "float32"
# Names, where weights start from, what training adds to the loss or does to weights afterwards.
ALWAYS_HARMLESS = (
    "name", "trainable", "batch_input_shape", "batch_shape", "shape", "input_shape", "sparse",
    "ragged", "optional", "quantization_config", "seed",
)  # fmt: skip
HARMLESS_ENDS = ("_initializer", "_regularizer", "_constraint")
ACTIVATIONS: dict[str, Callable[[Any], Any]] = {
    "elu": F.elu,
    "gelu": F.gelu,
    "hard_sigmoid": partial(F.hardsigmoid, slope=1 / 6, offset=0.5),
    "hard_silu": F.hardswish,
    "hard_swish": F.hardswish,
    "leaky_relu": partial(F.leaky_relu, negative_slope=0.2),
    "linear": assign,
    "log_softmax": F.log_softmax,
    "mish": F.mish,
    "quick_gelu": quick_gelu,
    "relu": F.relu,
    "relu6": F.relu6,
    "selu": F.selu,
    "sigmoid": F.sigmoid,
    "silu": F.silu,
    "softmax": F.softmax,
    "softplus": F.softplus,
    "softsign": F.softsign,
    "swish": F.silu,
    "tanh": F.tanh,
}
NEWER = {"hard_sigmoid", "leaky_relu"}  # which were other functions in Keras 2


class Settings(Config):
    """The config of one layer. version: the first number of Keras's."""

    def __init__(self, told: Mapping[str, Any], name: str, version: int):
        super().__init__(told)
        self.layer, self.version = name, version
        ours = (n for n in told if n.endswith(HARMLESS_ENDS))
        self.read.update(ALWAYS_HARMLESS, ours)

    def function(self, name: str = "activation", usual: str = "linear") -> Callable[[Any], Any]:
        """An activation, by its name. Raises UnsupportedError for one that is not known."""
        known = self.get(name, usual)
        known = "linear" if known is None else known
        if isinstance(known, Mapping) and known.get("class_name") == "function":
            known = known.get("config")
        if not isinstance(known, str) or known not in ACTIVATIONS:
            raise UnsupportedError(
                f"{self.layer}: no activation {str(known)[:80]}",
                cure=near_names(str(known), ACTIVATIONS),
            )
        if known in NEWER and self.version < 3:
            raise UnsupportedError(f"{self.layer}: {known} of Keras 2 is another function")
        return ACTIVATIONS[known]

    def sizes(self, name: str, rank: int, usual: int = 1) -> tuple[int, ...]:
        """A number for each axis, or one for all."""
        value = self.get(name)
        value = usual if value is None else value
        values = [value] * rank if type(value) is int else value
        if not isinstance(values, list | tuple) or len(values) != rank:
            raise self._odd(name, f"{rank} numbers")
        if not all(type(n) is int and 0 < n < 1 << 20 for n in values):
            raise self._odd(name, f"{rank} numbers above 0")
        return tuple(values)

    def choice(self, name: str, allowed: Sequence[str], usual: str) -> str:
        """One of some texts. Raises UnsupportedError for another."""
        value = self.get(name, usual)
        if value not in allowed:
            raise UnsupportedError(
                f"{self.layer}: {name}={str(value)[:80]} is not read", cure=f"{', '.join(allowed)}"
            )
        return str(value)

    def is_channels_first(self) -> bool:
        """Whether channels come before the places."""
        allowed = ("channels_last", "channels_first")
        return self.choice("data_format", allowed, "channels_last") == "channels_first"

    def check(self) -> None:
        """Raise UnsupportedError for what nobody has read."""
        dtype = self.get("dtype", FLOAT)
        if isinstance(dtype, Mapping):
            dtype = dtype.get("config", {})
            dtype = dtype.get("name") if isinstance(dtype, Mapping) else dtype
        if dtype not in (FLOAT, None):
            raise UnsupportedError(f"{self.layer} computes in {str(dtype)[:80]}, only {FLOAT}")
        found = sorted(self.told.keys() - self.read)
        if found:
            shown = ", ".join(f"{name[:80]}={str(self.told[name])[:80]}" for name in found)
            raise UnsupportedError(f"{self.layer} has settings that are not known: {shown}")


Turn = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Weight:
    """An array of Keras, and the tensors of ours that hold it.

    tensors: with each, what makes its elements of the array. is_learned: else it is a statistic.
    """

    shape: tuple[int, ...]
    tensors: tuple[tuple[Any, Turn], ...]
    is_learned: bool = True

    def fill(self, array: np.ndarray) -> None:
        """Put the elements of an array into the tensors. Raises FileError for other sizes."""
        is_other = bool(self.tensors) and array.dtype.kind != "f"
        if array.shape != self.shape or is_other:
            raise FileError(
                f"expected floating numbers of {list(self.shape)}, received {array.dtype} of "
                f"{list(array.shape)}",
                cure="give weights that were saved with this model",
            )
        for tensor, turn in self.tensors:
            tensor.set_value(np.ascontiguousarray(turn(array), FLOAT))


class Part(nn.Layer):
    """A layer of Keras. weights: its arrays, in the order in which Keras has them."""

    def __init__(self) -> None:
        super().__init__()
        self.weights: list[Weight] = []

    def weight(
        self, name: str, array: np.ndarray, turn: Turn = np.asarray, *, is_learned: bool = True
    ) -> Any:
        """Make a parameter, or a buffer, that holds an array."""
        tensor: Any = self.create_parameter(list(turn(array).shape))
        if is_learned:
            self.add_parameter(name, tensor)
        else:
            tensor = tensor.detach()
            self.register_buffer(name, tensor)
        self.hold(array, (tensor, turn), is_learned=is_learned)
        return tensor

    def hold(self, array: np.ndarray, *tensors: tuple[Any, Turn], is_learned: bool = True) -> None:
        """Put an array into tensors, and remember that they have it."""
        self.weights.append(Weight(array.shape, tensors, is_learned))
        self.weights[-1].fill(array)


class Function(Part):
    """A layer without weights: a function."""

    def __init__(self, function: Callable[..., Any], **settings: Any):
        super().__init__()
        self.function, self.settings = function, settings

    def forward(self, *operands: Any) -> Any:
        return self.function(*operands, **self.settings)

    def extra_repr(self) -> str:
        return getattr(self.function, "__name__", "")


Arrays = list[np.ndarray]
Maker = Callable[[Settings, Arrays], Part]


@dataclass(frozen=True)
class Kind:
    """A kind of layer. places: below its own group, the groups that have its arrays."""

    make: Maker
    places: tuple[str, ...] = ("",)


KINDS: dict[str, Kind] = {}


def kind(*names: str, places: Iterable[str] = ("",)) -> Callable[[Maker], Maker]:
    """Declare who makes the layers with these names."""

    def declared(make: Maker) -> Maker:
        KINDS.update(dict.fromkeys(names, Kind(make, tuple(places))))
        return make

    return declared


def take(settings: Settings, arrays: Arrays, *shapes: tuple[int | None, ...] | None) -> Arrays:
    """The arrays, of which each has the sizes that are said. Raises FileError for others."""
    wanted = [shape for shape in shapes if shape is not None]
    found = [array.shape for array in arrays]
    fits = len(wanted) == len(found) and all(
        len(a) == len(b) and all(m in (None, n) for m, n in zip(a, b, strict=True))
        for a, b in zip(wanted, found, strict=True)
    )
    if not fits:
        raise FileError(
            f"{settings.layer} expects arrays of {wanted}, the file has {found}",
            cure="give weights that were saved with this model",
        )
    return arrays
