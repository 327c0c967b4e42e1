"""What is measured: the works, and the weights and data that all frameworks begin with.

Names, shapes and layouts of weights are those of Paddle's `state_dict`. Needs NumPy alone: every
peer imports it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import numpy as np

SEED = 2024
SGD_RATE = 0.01
ADAM_RATE = 1e-3

VOCABULARY = 5000
WIDTH = 256
HEADS = 4
ENCODER_LAYERS = 4
# Channels and first stride of the stages of ResNet-18, each of two blocks.
STAGES = ((64, 1), (128, 2), (256, 2), (512, 2))
# How much wider inside, channels, blocks and first stride of the stages of MobileNetV2.
NARROW_STAGES = (
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)
RECURRENT_LAYERS = 2
BATCHES, DEPTHS, LENGTHS = (256, 1024, 4096), (2, 8, 32, 64), (128, 512, 2048, 4096)  # of growth
DEEP_WIDTH = 256
TABLES, TABLE_ROWS, TABLE_WIDTH = 26, 100_000, 16  # of the model that ranks advertisements
# Channels of a U-Net, from the outermost level inwards, and classes of each pixel.
LEVELS, PIXEL_CLASSES = (64, 128, 256, 512), 8
PATCH = 16  # pixels of a side
BERT_PLACES, BERT_TYPES = 512, 2
# Size of filters, channels inside and after, gate, activation and stride of MobileNetV3-Small.
GATED_STAGES = (
    (3, 16, 16, True, "relu", 2),
    (3, 72, 24, False, "relu", 2),
    (3, 88, 24, False, "relu", 1),
    (5, 96, 40, True, "hardswish", 2),
    (5, 240, 40, True, "hardswish", 1),
    (5, 240, 40, True, "hardswish", 1),
    (5, 120, 48, True, "hardswish", 1),
    (5, 144, 48, True, "hardswish", 1),
    (5, 288, 96, True, "hardswish", 2),
    (5, 576, 96, True, "hardswish", 1),
    (5, 576, 96, True, "hardswish", 1),
)
WRITTEN = 64  # tokens that a call of a `_write` work writes, each from what is kept of those before

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of a stack of encoder layers."""

    width: int
    heads: int
    layers: int
    vocabulary: int = 0


def sizes(model: str) -> Sizes:
    """Those of the model of this name."""
    if model == "vit":
        return Sizes(192, 3, 12)
    if model == "bert":
        return Sizes(768, 12, 12, 30_522)
    if model == "gpt2":
        return Sizes(768, 12, 12, 50_257)
    return Sizes(WIDTH, HEADS, ENCODER_LAYERS, VOCABULARY)


@dataclass(frozen=True, slots=True)
class Description:
    """A work, of which one call is a step of training `model`, or, without an optimizer, its use.

    writes: of a model of tokens, that its use is to write some.

    x: shape of the input, float; or, with `tokens`, integers below that. classes: of the labels,
    one for each row of the scores, which have the shape [*labels,classes]. precision: "amp", what
    autocast makes of float32 weights; "bf16", weights of bfloat16. "lazy_adam" changes the rows of
    tables that a step names alone. sensitive: how the first step is rounded shows in the third.
    """

    model: str
    x: Shape
    labels: Shape = ()
    classes: int = 0
    optimizer: Literal["sgd", "adam", "lazy_adam"] | None = None
    tokens: int = 0
    writes: bool = False
    precision: Literal["float32", "amp", "bf16"] = "float32"
    sensitive: bool = False

    @property
    def is_use(self) -> bool:
        """True where a model with weights is used, not trained."""
        return self.optimizer is None and bool(parameters(self.model))


_MLP = Description("mlp", (64, 784), (64,), 10, "sgd")
_ENC = Description("enc", (8, 128), (8, 128), VOCABULARY, "adam", tokens=VOCABULARY)
_R18 = Description("r18", (8, 3, 112, 112), (8,), 1000, "sgd")
_FLOAT32 = {
    "mlp": _MLP,
    "mlp_adam": replace(_MLP, optimizer="adam"),
    "lenet": Description("lenet", (64, 1, 28, 28), (64,), 10, "sgd"),
    "enc": _ENC,
    "r18": _R18,
    "r18inf": Description("r18", (1, 3, 224, 224)),
}
# Works that differ in one size: rows of a batch, hidden layers, positions of a sequence.
GROWTH = {
    "batch": {64: "mlp"} | {n: f"mlp_batch_{n}" for n in BATCHES},
    "depth": {n: f"mlp_depth_{n}" for n in DEPTHS},
    "length": {n: f"enc_length_{n}" for n in LENGTHS},
}
WORKS = (
    _FLOAT32
    | {
        f"{name}_{precision}": replace(work, precision=precision)
        for name, work in _FLOAT32.items()
        for precision in ("amp", "bf16")
    }
    | {
        "mobilenet_v2": replace(_R18, model="mobilenet_v2", sensitive=True),
        "lstm": Description("lstm", (16, 64), (16, 64), VOCABULARY, "adam", tokens=VOCABULARY),
        "lm": Description("lm", (8, 128), (8, 128), VOCABULARY, "adam", tokens=VOCABULARY),
        "deepfm": Description("deepfm", (512, TABLES), (512,), 2, "lazy_adam", tokens=TABLE_ROWS),
        **{
            f"deepfm_{batch}": Description(
                "deepfm", (batch, TABLES), (batch,), 2, "lazy_adam", tokens=TABLE_ROWS
            )
            for batch in (64, 4096)
        },
        "lm_write": Description("lm", (1, 1), tokens=VOCABULARY, writes=True),
        "gpt2_write": Description("gpt2", (1, 1), tokens=sizes("gpt2").vocabulary, writes=True),
        "vit": Description("vit", (8, 3, 224, 224), (8,), 1000, "sgd"),
        "unet": Description("unet", (2, 3, 128, 128), (2, 128, 128), PIXEL_CLASSES, "sgd"),
        "bert": Description("bert", (1, 128), tokens=sizes("bert").vocabulary),
        "mobilenet_v3": Description("mobilenet_v3", (1, 3, 224, 224)),
    }
    | {f"mlp_batch_{n}": replace(_MLP, x=(n, 784), labels=(n,)) for n in BATCHES}
    | {f"mlp_depth_{n}": replace(_MLP, model=f"deep_{n}") for n in DEPTHS}
    | {f"enc_length_{n}": replace(_ENC, x=(1, n), labels=(1, n)) for n in LENGTHS}
    | {"r18_224": replace(_R18, x=(8, 3, 224, 224))}  # of memory
    # silu(x * 1.5 + 0.25), and a copy: what the memory allows.
    | {"silu": Description("silu", (4_000_000,)), "copy": Description("copy", (4_000_000,))}
)


# Those that scripts of their own measure.
GROWN = {name for works in GROWTH.values() for name in works.values()} - {"mlp"} | {"r18_224"}


def parameters(model: str) -> dict[str, Shape]:
    """Shapes of a model's weights by name; a linear layer's is [inputs,outputs]."""
    if model == "mlp":
        return _linear("0", 784, 128) | _linear("2", 128, 64) | _linear("4", 64, 10)
    if model.startswith("deep_"):
        return _deep(int(model.removeprefix("deep_")))
    if model == "lenet":
        return {
            **_conv("features.0", 1, 6, 3, bias=True),
            **_conv("features.3", 6, 16, 5, bias=True),
            **_linear("fc.0", 400, 120),
            **_linear("fc.1", 120, 84),
            **_linear("fc.2", 84, 10),
        }
    if model in ("enc", "lm", "gpt2"):
        return _language(sizes(model))
    if model == "vit":
        return _vit(sizes(model))
    if model == "bert":
        return _bert(sizes(model))
    if model == "unet":
        return _unet()
    if model == "mobilenet_v3":
        return _mobilenet_v3()
    if model == "lstm":
        return _lstm()
    if model == "deepfm":
        return _deepfm()
    if model == "mobilenet_v2":
        return _mobilenet_v2()
    if model == "r18":
        return _resnet18()
    return {}


def widths(depth: int) -> list[int]:
    """The widths between the layers of an MLP with so many hidden ones."""
    return [784, *[DEEP_WIDTH] * depth, 10]


def _deep(depth: int) -> dict[str, Shape]:
    found: dict[str, Shape] = {}
    for number, (before, after) in enumerate(pairwise(widths(depth))):
        found |= _linear(str(2 * number), before, after)
    return found


def _deepfm() -> dict[str, Shape]:
    tables = (f"embedding.{k}.weight" for k in range(TABLES))
    found: dict[str, Shape] = dict.fromkeys(tables, (TABLE_ROWS, TABLE_WIDTH))
    found |= _linear("pairs", TABLE_WIDTH, 2)
    return found | _linear("deep.0", TABLES * TABLE_WIDTH, 256) | _linear("deep.2", 256, 2)


def _linear(name: str, inputs: int, outputs: int) -> dict[str, Shape]:
    return {f"{name}.weight": (inputs, outputs), f"{name}.bias": (outputs,)}


def _norm(name: str, channels: int) -> dict[str, Shape]:
    return {f"{name}.weight": (channels,), f"{name}.bias": (channels,)}


def _batch_norm(name: str, channels: int) -> dict[str, Shape]:
    """With the running statistics, which training moves and inference uses."""
    statistics = {f"{name}.{kind}": (channels,) for kind in ("_mean", "_variance")}
    return _norm(name, channels) | statistics


def _conv(name: str, inputs: int, outputs: int, size: int, bias: bool = False) -> dict[str, Shape]:
    weight = {f"{name}.weight": (outputs, inputs, size, size)}
    return weight | {f"{name}.bias": (outputs,)} if bias else weight


def _encoder(size: Sizes) -> dict[str, Shape]:
    found: dict[str, Shape] = {}
    for number in range(size.layers):
        layer = f"encoder.layers.{number}"
        for part in ("q_proj", "k_proj", "v_proj", "out_proj"):
            found |= _linear(f"{layer}.self_attn.{part}", size.width, size.width)
        found |= _linear(f"{layer}.linear1", size.width, 4 * size.width)
        found |= _linear(f"{layer}.linear2", 4 * size.width, size.width)
        found |= _norm(f"{layer}.norm1", size.width) | _norm(f"{layer}.norm2", size.width)
    return found


def _language(size: Sizes) -> dict[str, Shape]:
    found: dict[str, Shape] = {"embedding.weight": (size.vocabulary, size.width)}
    return found | _encoder(size) | _linear("scores", size.width, size.vocabulary)


def _vit(size: Sizes) -> dict[str, Shape]:
    places = (224 // PATCH) ** 2 + 1
    found: dict[str, Shape] = {"first": (1, 1, size.width), "places": (1, places, size.width)}
    found |= _conv("patches", 3, size.width, PATCH, bias=True) | _encoder(size)
    return found | _norm("norm", size.width) | _linear("head", size.width, 1000)


def _bert(size: Sizes) -> dict[str, Shape]:
    rows = {"words": size.vocabulary, "places": BERT_PLACES, "types": BERT_TYPES}
    found: dict[str, Shape] = {
        f"embedding.{kind}.weight": (count, size.width) for kind, count in rows.items()
    }
    return found | _norm("norm", size.width) | _encoder(size)


def _unet() -> dict[str, Shape]:
    found: dict[str, Shape] = {}
    for level, outputs in enumerate(LEVELS):
        found |= _two_convs(f"down.{level}", LEVELS[level - 1] if level else 3, outputs)
    for level, outputs in enumerate(LEVELS[:-1]):
        found[f"up.{level}.weight"] = (LEVELS[level + 1], outputs, 2, 2)
        found[f"up.{level}.bias"] = (outputs,)
        found |= _two_convs(f"join.{level}", 2 * outputs, outputs)
    return found | _conv("scores", LEVELS[0], PIXEL_CLASSES, 1, bias=True)


def _two_convs(name: str, inputs: int, outputs: int) -> dict[str, Shape]:
    found = _conv(f"{name}.0", inputs, outputs, 3) | _batch_norm(f"{name}.1", outputs)
    return found | _conv(f"{name}.3", outputs, outputs, 3) | _batch_norm(f"{name}.4", outputs)


def _resnet18() -> dict[str, Shape]:
    found = _conv("conv1", 3, 64, 7) | _batch_norm("bn1", 64)
    inputs = 64
    for stage, (outputs, stride) in enumerate(STAGES, 1):
        for number in range(2):
            block = f"layer{stage}.{number}"
            found |= _conv(f"{block}.conv1", inputs, outputs, 3) | _batch_norm(
                f"{block}.bn1", outputs
            )
            found |= _conv(f"{block}.conv2", outputs, outputs, 3) | _batch_norm(
                f"{block}.bn2", outputs
            )
            if number == 0 and (stride != 1 or inputs != outputs):
                found |= _conv(f"{block}.downsample.0", inputs, outputs, 1)
                found |= _batch_norm(f"{block}.downsample.1", outputs)
            inputs = outputs
    return found | _linear("fc", 512, 1000)


def _lstm() -> dict[str, Shape]:
    found: dict[str, Shape] = {"embedding.weight": (VOCABULARY, WIDTH)}
    for layer in range(RECURRENT_LAYERS):
        found |= {f"lstm.weight_{kind}_l{layer}": (4 * WIDTH, WIDTH) for kind in ("ih", "hh")}
        found |= {f"lstm.bias_{kind}_l{layer}": (4 * WIDTH,) for kind in ("ih", "hh")}
    return found | _linear("scores", WIDTH, VOCABULARY)


def _mobilenet_v2() -> dict[str, Shape]:
    found = _conv("features.0.0", 3, 32, 3) | _batch_norm("features.0.1", 32)
    before, number = 32, 1
    for wider, after, blocks, _ in NARROW_STAGES:
        for _ in range(blocks):
            block, inside, part = f"features.{number}.conv", before * wider, 0
            if wider != 1:
                found |= _conv(f"{block}.0.0", before, inside, 1)
                found |= _batch_norm(f"{block}.0.1", inside)
                part = 1
            found |= _conv(f"{block}.{part}.0", 1, inside, 3)
            found |= _batch_norm(f"{block}.{part}.1", inside)
            found |= _conv(f"{block}.{part + 1}", inside, after, 1)
            found |= _batch_norm(f"{block}.{part + 2}", after)
            before, number = after, number + 1
    found |= _conv("features.18.0", before, 1280, 1) | _batch_norm("features.18.1", 1280)
    return found | _linear("classifier.1", 1280, 1000)


def _mobilenet_v3() -> dict[str, Shape]:
    found = _conv_norm("conv", 3, 16, 3)
    before = 16
    for number, (size, inside, after, gated, *_) in enumerate(GATED_STAGES):
        block = f"blocks.{number}"
        if inside != before:
            found |= _conv_norm(f"{block}.expand_conv", before, inside, 1)
        found |= _conv_norm(f"{block}.bottleneck_conv", 1, inside, size)
        if gated:
            gates = rounded(inside // 4)
            found |= _conv(f"{block}.mid_se.fc1", inside, gates, 1, bias=True)
            found |= _conv(f"{block}.mid_se.fc2", gates, inside, 1, bias=True)
        found |= _conv_norm(f"{block}.linear_conv", inside, after, 1)
        before = after
    found |= _conv_norm("lastconv", before, 6 * before, 1)
    return found | _linear("classifier.0", 6 * before, 1024) | _linear("classifier.3", 1024, 1000)


def _conv_norm(name: str, inputs: int, outputs: int, size: int) -> dict[str, Shape]:
    return _conv(f"{name}.0", inputs, outputs, size) | _batch_norm(f"{name}.1", outputs)


def rounded(width: float) -> int:
    """The multiple of 8 that is nearest, unless it is less than nine tenths of it."""
    near = max(8, int(width + 4) // 8 * 8)
    return near + 8 if near < 0.9 * width else near


def write(name: str, folder: Path) -> None:
    """Write the weights and data of the work `name` into `folder`, by the seed."""
    work = WORKS[name]
    random = np.random.default_rng(SEED)
    if work.tokens:
        x = random.integers(0, work.tokens, work.x)
    else:
        x = random.normal(size=work.x).astype(np.float32)
    weights = {key: _weight(key, shape, random) for key, shape in parameters(work.model).items()}
    labels = random.integers(0, work.classes or 1, work.labels)
    np.savez(folder / f"{name}.npz", **weights, x=x, labels=labels)


def _weight(name: str, shape: Shape, random: np.random.Generator) -> np.ndarray:
    if len(shape) == 1:
        middle = 1.0 if name.endswith((".weight", "._variance")) else 0.0
        return (middle + 0.1 * random.normal(size=shape)).astype(np.float32)
    inputs = shape[0] if len(shape) == 2 else int(np.prod(shape[1:]))
    scale = 1.0 if name.startswith("embedding") else inputs**-0.5
    return random.normal(0.0, scale, shape).astype(np.float32)


def read(name: str, folder: Path) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """x, labels and weights of the work `name`."""
    with np.load(folder / f"{name}.npz") as arrays:
        weights = {key: arrays[key] for key in parameters(WORKS[name].model)}
        return arrays["x"], arrays["labels"], weights


def mean(out: Any) -> float:
    """The mean size of what a work returned, a tensor of any framework."""
    return float(abs(out).mean())
