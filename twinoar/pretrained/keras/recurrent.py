"""The kinds of layers that go along steps, or look at all of them: recurrent ones and attention."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from twinoar import nn
from twinoar.errors import ShapeError, UnsupportedError
from twinoar.nn import functional as F
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.shape.concat import concat
from twinoar.pretrained.keras.setting import Arrays, Part, Settings, kind, take

GATES = {"SimpleRNN": 1, "GRU": 3, "LSTM": 4}
LAYERS = {"SimpleRNN": nn.SimpleRNN, "GRU": nn.GRU, "LSTM": nn.LSTM}
RESET_FIRST = (1, 0, 2)  # Keras has the update gate first, we the reset gate


def _in_our_order(name: str) -> Callable[[np.ndarray], np.ndarray]:
    """Turns [in,gates*units] into [gates*units,in], with the gates in our order."""

    def turn(array: np.ndarray) -> np.ndarray:
        if name != "GRU":
            return array.T
        parts = np.split(array, 3, -1)
        return np.concatenate([parts[n] for n in RESET_FIRST], -1).T

    return turn


class Recurrent(Part):
    """A recurrent layer in one direction."""

    def __init__(self, settings: Settings, arrays: Arrays, name: str):
        super().__init__()
        units, self.layer, self.name = settings.count("units"), settings.layer, name
        self.has_bias = settings.flag("use_bias", True)
        self._settings(settings)
        wide = GATES[name] * units
        two = name == "GRU" and self.has_bias
        bias = ((2, wide) if two else (wide,)) if self.has_bias else None
        kernel, recurrent, *rest = take(settings, arrays, (None, wide), (units, wide), bias)
        more = {"activation": self.activation} if name == "SimpleRNN" else {}
        self.steps = LAYERS[name](kernel.shape[0], units, **more)
        turn, cell = _in_our_order(name), self.steps[0].cell
        self.hold(kernel, (cell.weight_ih, turn))
        self.hold(recurrent, (cell.weight_hh, turn))
        for tensor in (cell.bias_ih, cell.bias_hh):
            tensor.set_value(np.zeros(wide, "float32"))
        cell.bias_ih.stop_gradient = not self.has_bias  # as zeros they stay
        cell.bias_hh.stop_gradient = not two
        if two:
            pair = ((cell.bias_ih, lambda b: turn(b[:1])[:, 0]),
                    (cell.bias_hh, lambda b: turn(b[1:])[:, 0]))  # fmt: skip
            self.hold(rest[0], *pair)
        elif self.has_bias:
            self.hold(rest[0], (cell.bias_ih, np.asarray))

    def _settings(self, settings: Settings) -> None:
        self.sequences = settings.flag("return_sequences", False)
        self.states = settings.flag("return_state", False)
        self.backwards = settings.flag("go_backwards", False)
        self.activation = settings.choice("activation", ("tanh", "relu"), "tanh")
        if self.name != "SimpleRNN":
            settings.choice("activation", ("tanh",), "tanh")
            settings.choice("recurrent_activation", ("sigmoid",), "sigmoid")
        if self.name == "GRU":
            settings.refuse(reset_after=True)
        settings.refuse(stateful=False, time_major=False)
        settings.read.update(
            ("zero_output_for_mask", "unroll", "implementation", "unit_forget_bias", "use_cudnn")
        )
        self.dropped = settings.share("dropout") + settings.share("recurrent_dropout")

    def forward(self, x: Any) -> Any:
        if self.training and self.dropped:
            raise UnsupportedError(
                f"{self.layer} drops out inside of its steps, which is not served in training",
                cure="call eval(), or save the model with dropout=0",
            )
        out, states = self.steps(x.flip([1]) if self.backwards else x)
        states = [s[0] for s in (states if isinstance(states, tuple | list) else (states,))]
        found = out if self.sequences else out[:, -1]
        return [found, *states] if self.states else found


def _recurrent(name: str) -> Callable[[Settings, Arrays], Part]:
    return lambda settings, arrays: Recurrent(settings, arrays, name)


for name in GATES:
    kind(name, places=("cell",))(_recurrent(name))


class BothWays(Part):
    """A recurrent layer forwards, and one backwards."""

    def __init__(self, settings: Settings, forwards: Recurrent, backwards: Recurrent):
        super().__init__()
        mode = settings.choice("merge_mode", ("concat", "sum", "ave", "mul"), "concat")
        self.mode, self.forwards, self.backwards = mode, forwards, backwards
        self.weights = [*forwards.weights, *backwards.weights]
        if forwards.states or forwards.backwards or not backwards.backwards:
            raise UnsupportedError(f"{settings.layer} with states, or the same way twice")

    def forward(self, x: Any) -> Any:
        one, other = self.forwards(x), self.backwards(x)
        if self.forwards.sequences:
            other = other.flip([1])
        if self.mode == "concat":
            return concat([one, other], axis=-1)
        if self.mode == "mul":
            return one * other
        return (one + other) / (2 if self.mode == "ave" else 1)


class Attention(Part):
    """Attention of queries to keys and values, with several heads."""

    def __init__(self, settings: Settings, arrays: Arrays):
        super().__init__()
        self.layer, self.heads = settings.layer, settings.count("num_heads")
        self.size, has_bias = settings.count("key_dim"), settings.flag("use_bias", True)
        wide = settings.count("value_dim") if settings.has("value_dim") else self.size
        settings.refuse(output_shape=None, use_gate=False, sliding_window=None)
        if settings.get("attention_axes") not in (None, [1]):
            raise UnsupportedError(f"{self.layer} over several axes is not read")
        settings.read.update(("flash_attention", "query_shape", "key_shape", "value_shape"))
        self.rate = settings.share("dropout")
        shapes: list[Any] = []
        for size in (self.size, self.size, wide):
            shapes += [(None, self.heads, size), (self.heads, size) if has_bias else None]
        shapes += [(self.heads, wide, None), (None,) if has_bias else None]
        found = iter(take(settings, arrays, *shapes))
        names = ("query", "key", "value", "output")
        self.projections = [self._projection(name, found, has_bias) for name in names]

    def _projection(self, name: str, arrays: Any, has_bias: bool) -> tuple[Any, Any]:
        is_last = name == "output"

        def flat(array: np.ndarray) -> np.ndarray:
            return array.reshape((-1, array.shape[-1]) if is_last else (array.shape[0], -1))

        kernel = self.weight(f"{name}_kernel", next(arrays), flat)
        bias = self.weight(f"{name}_bias", next(arrays), np.ravel) if has_bias else None
        return kernel, bias

    def _projected(self, n: int, x: Any) -> Any:
        kernel, bias = self.projections[n]
        x = matmul(x, kernel)
        return x if bias is None else x + bias

    def forward(self, query: Any, value: Any, key: Any = None, use_causal_mask: Any = False) -> Any:
        if query.ndim != 3:
            raise ShapeError(f"{self.layer} takes [batch,steps,width], received {query.shape}")
        inputs = (query, value if key is None else key, value)
        q, k, v = (self._projected(n, x) for n, x in enumerate(inputs))
        q, k, v = (x.reshape([x.shape[0], x.shape[1], self.heads, -1]) for x in (q, k, v))
        found = F.scaled_dot_product_attention(
            q, k, v, None, self.rate, bool(use_causal_mask), self.training
        )
        return self._projected(3, found.flatten(2))


kind("MultiHeadAttention", places=("query_dense", "key_dense", "value_dense", "output_dense"))(
    Attention
)
