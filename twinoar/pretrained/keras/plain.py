"""The kinds of layers that multiply, normalize, join, and move elements around."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from twinoar.errors import UnsupportedError
from twinoar.nn import functional as F
from twinoar.ops.create.fill import assign, full
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.arithmetic import add, divide, multiply, subtract
from twinoar.ops.math.select import maximum, minimum
from twinoar.ops.shape.concat import concat
from twinoar.pretrained.keras.setting import (
    Arrays,
    Function,
    Part,
    Settings,
    Weight,
    kind,
    take,
)

SMALLEST = 1e-7  # deviation that is divided by


class Dense(Part):
    """x kernel + bias over the last axis, and an activation."""

    def __init__(self, settings: Settings, arrays: Arrays):
        super().__init__()
        units, has_bias = settings.count("units"), settings.flag("use_bias", True)
        self.activation = settings.function()
        kernel, *rest = take(settings, arrays, (None, units), (units,) if has_bias else None)
        self.kernel = self.weight("kernel", kernel)
        self.bias = self.weight("bias", rest[0]) if has_bias else None

    def forward(self, x: Any) -> Any:
        x = matmul(x, self.kernel)
        return self.activation(x if self.bias is None else x + self.bias)


@kind("Dense")
def _(settings: Settings, arrays: Arrays) -> Part:
    settings.refuse(lora_rank=None)
    settings.read.update(("lora_alpha",))
    return Dense(settings, arrays)


class Embedding(Part):
    """Rows of a table."""

    def __init__(self, settings: Settings, arrays: Arrays):
        super().__init__()
        sizes = settings.count("input_dim"), settings.count("output_dim")
        settings.refuse(mask_zero=False, lora_rank=None)
        settings.read.update(("input_length", "lora_alpha"))
        (table,) = take(settings, arrays, sizes)
        self.embeddings = self.weight("embeddings", table)

    def forward(self, x: Any) -> Any:
        return F.embedding(x.astype("int64"), self.embeddings)


kind("Embedding")(Embedding)


class BatchNormalization(Part):
    """A norm over all axes but one."""

    def __init__(self, settings: Settings, arrays: Arrays):
        super().__init__()
        self.axis, self.layer = _one(settings["axis"]), settings.layer
        self.epsilon, self.momentum = settings.number("epsilon"), settings.share("momentum")
        settings.refuse(synchronized=False, renorm=False, fused=None, virtual_batch_size=None)
        settings.read.update(("renorm_clipping", "renorm_momentum"))
        scale, center = settings.flag("scale", True), settings.flag("center", True)
        shapes = [(None,) if scale else None, (None,) if center else None, (None,), (None,)]
        rest = list(take(settings, arrays, *shapes))
        self.gamma = self.weight("gamma", rest.pop(0)) if scale else None
        self.beta = self.weight("beta", rest.pop(0)) if center else None
        self.moving_mean = self.weight("moving_mean", rest[0], is_learned=False)
        self.moving_variance = self.weight("moving_variance", rest[1], is_learned=False)
        self.is_frozen = not settings.flag("trainable", True)

    def forward(self, x: Any) -> Any:
        if self.axis not in (1, -1, x.ndim - 1):
            raise UnsupportedError(f"{self.layer} over axis {self.axis} of {x.ndim} is not served")
        is_first = self.axis == 1 and x.ndim > 2
        training = self.training and not self.is_frozen
        return F.batch_norm(
            x, self.moving_mean, self.moving_variance, self.gamma, self.beta, training,
            self.momentum, self.epsilon, "NCHW" if is_first or x.ndim == 2 else "NHWC",
        )  # fmt: skip


kind("BatchNormalization")(BatchNormalization)


def _one(axis: Any) -> Any:
    return axis[0] if isinstance(axis, list) and len(axis) == 1 else axis


class LayerNormalization(Part):
    """A norm over the last axis."""

    def __init__(self, settings: Settings, arrays: Arrays):
        super().__init__()
        self.axis, self.layer = _one(settings["axis"]), settings.layer
        self.epsilon = settings.number("epsilon")
        settings.refuse(rms_scaling=False)
        scale, center = settings.flag("scale", True), settings.flag("center", True)
        rest = list(take(settings, arrays, *[(None,)] * (scale + center)))
        self.gamma = self.weight("gamma", rest.pop(0)) if scale else None
        self.beta = self.weight("beta", rest.pop(0)) if center else None

    def forward(self, x: Any) -> Any:
        if self.axis not in (-1, x.ndim - 1):
            raise UnsupportedError(f"{self.layer} over axis {self.axis} is not served")
        return F.layer_norm(x, x.shape[-1:], self.gamma, self.beta, self.epsilon)


kind("LayerNormalization")(LayerNormalization)


class Normalization(Part):
    """Less a mean, over a deviation, which were measured before the model was trained."""

    def __init__(self, settings: Settings, arrays: Arrays):
        super().__init__()
        self.axis, self.layer = _one(settings["axis"]), settings.layer
        self.backwards = settings.flag("invert", False)
        if settings.has("mean"):
            arrays = [np.asarray(settings[n], "float32") for n in ("mean", "variance")]
            arrays = [np.atleast_1d(np.squeeze(array)) for array in arrays]
            mean, variance = take(settings, arrays, (None,), (None,))
        else:
            settings.read.update(("mean", "variance"))
            mean, variance, _ = take(settings, arrays, (None,), (None,), ())
        self.mean = self.weight("mean", mean, is_learned=False)
        self.variance = self.weight("variance", variance, is_learned=False)
        self.weights = [*self.weights, Weight((), ())] if not settings.has("mean") else []

    def forward(self, x: Any) -> Any:
        if self.axis not in (-1, x.ndim - 1):
            raise UnsupportedError(f"{self.layer} over axis {self.axis} is not served")
        deviation = maximum(self.variance.sqrt(), full([1], SMALLEST))
        return x * deviation + self.mean if self.backwards else (x - self.mean) / deviation


kind("Normalization")(Normalization)


class LayerScale(Part):
    """A factor for each channel."""

    def __init__(self, settings: Settings, arrays: Arrays):
        super().__init__()
        settings.read.add("init_values")
        (gamma,) = take(settings, arrays, (settings.count("projection_dim"),))
        self.gamma = self.weight("gamma", gamma)

    def forward(self, x: Any) -> Any:
        return x * self.gamma


kind("LayerScale")(LayerScale)


@kind("Activation")
def _(settings: Settings, arrays: Arrays) -> Part:
    return Function(settings.function())


@kind("ReLU")
def _(settings: Settings, arrays: Arrays) -> Part:
    settings.refuse(negative_slope=0.0, threshold=0.0)
    top = settings.number("max_value") if settings.has("max_value") else None
    return Function(F.relu if top is None else lambda x: x.clip(0.0, top))


@kind("LeakyReLU")
def _(settings: Settings, arrays: Arrays) -> Part:
    name = "alpha" if "alpha" in settings else "negative_slope"  # the older name, the newer one
    return Function(F.leaky_relu, negative_slope=settings.share(name))


@kind("ELU")
def _(settings: Settings, arrays: Arrays) -> Part:
    return Function(F.elu, alpha=settings.number("alpha"))


@kind("Softmax")
def _(settings: Settings, arrays: Arrays) -> Part:
    axis = _one(settings["axis"])
    if type(axis) is not int:
        raise UnsupportedError(f"{settings.layer} over axes {axis} is not served")
    return Function(F.softmax, axis=axis)


class Dropout(Part):
    """Leaves out a share of the elements in training, together along the axes that share noise."""

    def __init__(self, rate: float, shared: Callable[[int], list[int]]):
        super().__init__()
        self.rate, self.shared = rate, shared

    def forward(self, x: Any) -> Any:
        alone = [axis for axis in range(x.ndim) if axis not in self.shared(x.ndim)]
        axis = alone if len(alone) < x.ndim else None
        return F.dropout(x, self.rate, axis=axis, training=self.training)


@kind("Dropout")
def _(settings: Settings, arrays: Arrays) -> Part:
    noise = settings.get("noise_shape") or []
    if not isinstance(noise, list) or not all(n in (None, 1) for n in noise):
        raise UnsupportedError(f"{settings.layer}: noise_shape={str(noise)[:80]} is not read")
    shared = [axis for axis, n in enumerate(noise) if n == 1]
    return Dropout(settings.share("rate"), lambda rank: shared)


@kind("SpatialDropout1D", "SpatialDropout2D", "SpatialDropout3D")
def _(settings: Settings, arrays: Arrays) -> Part:
    settings.choice("data_format", ("channels_last",), "channels_last")
    settings.refuse(noise_shape=None)
    return Dropout(settings.share("rate"), lambda rank: list(range(1, rank - 1)))


@kind("InputLayer", "ActivityRegularization")
def _(settings: Settings, arrays: Arrays) -> Part:
    settings.read.update(("l1", "l2", "dtype"))  # of what training adds; inputs have any type
    settings.told.pop("dtype", None)
    return Function(assign)


@kind("Flatten")
def _(settings: Settings, arrays: Arrays) -> Part:
    settings.choice("data_format", ("channels_last",), "channels_last")
    return Function(lambda x: x.flatten(1) if x.ndim > 1 else x.unsqueeze(1))


@kind("Reshape")
def _(settings: Settings, arrays: Arrays) -> Part:
    to = [int(n) for n in settings["target_shape"]]
    return Function(lambda x: x.reshape([0, *to] if -1 in to else [-1, *to]))


@kind("Permute")
def _(settings: Settings, arrays: Arrays) -> Part:
    order = [0, *map(int, settings["dims"])]
    return Function(lambda x: x.transpose(order))


@kind("RepeatVector")
def _(settings: Settings, arrays: Arrays) -> Part:
    times = settings.count("n")
    return Function(lambda x: x.unsqueeze(1).expand([-1, times, -1]))


@kind("Rescaling")
def _(settings: Settings, arrays: Arrays) -> Part:
    scale, offset = float(settings["scale"]), float(settings["offset"])
    return Function(lambda x: x.astype("float32") * scale + offset)


@kind("Concatenate")
def _(settings: Settings, arrays: Arrays) -> Part:
    axis = settings["axis"]
    return Function(lambda xs: concat(list(xs), axis=axis))


def joined(by: Any) -> Any:
    """A kind that joins tensors, two by two."""
    return lambda settings, arrays: Function(lambda xs: reduce(by, xs))


for name, by in {
    "Add": add, "Multiply": multiply, "Subtract": subtract, "Maximum": maximum, "Minimum": minimum,
}.items():  # fmt: skip
    kind(name)(joined(by))


def alone(by: Any) -> Any:
    """A kind that is an operator of Python between two tensors, or a tensor and a number."""
    return lambda settings, arrays: Function(by)


OPERATORS = {"Add": add, "Multiply": multiply, "Subtract": subtract, "TrueDivide": divide}
for name, by in OPERATORS.items():
    kind(f"ops.{name}")(alone(by))


@kind("Average")
def _(settings: Settings, arrays: Arrays) -> Part:
    return Function(lambda xs: reduce(add, xs) / len(xs))


class Distributed(Part):
    """A layer at each step."""

    def __init__(self, inner: Part):
        super().__init__()
        self.layer = inner
        self.weights = inner.weights

    def forward(self, x: Any) -> Any:
        batch, steps, *rest = x.shape
        found = self.layer(x.reshape([batch * steps, *rest]))
        return found.reshape([batch, steps, *found.shape[1:]])
